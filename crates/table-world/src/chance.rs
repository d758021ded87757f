use war::support::hex::Hex;
use war_table::server::{Randomness, SeededRandomness};

/// Where everything comes from that could be otherwise: the same for the same seed and name.
pub(crate) struct Chance(SeededRandomness);

impl Chance {
    /// The chance of this name in the world of this seed.
    pub(crate) fn named(seed: u64, name: &str) -> Self {
        let hash = blake3::hash(format!("{seed} {name}").as_bytes());
        let (first, _) = hash.as_bytes().split_first_chunk().expect("32 bytes");
        Self(SeededRandomness::new(u64::from_le_bytes(*first)))
    }

    /// The randomness of a hub, which is another one at each start.
    pub(crate) fn randomness(&mut self) -> SeededRandomness {
        SeededRandomness::new(self.number())
    }

    pub(crate) fn number(&mut self) -> u64 {
        u64::from(self.0.number()) << 32 | u64::from(self.0.number())
    }

    /// A number below this one.
    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        self.number() % bound.max(1)
    }

    /// A number from one to another, both among them.
    pub(crate) fn between(&mut self, from: u64, to: u64) -> u64 {
        from + self.below(to.saturating_sub(from) + 1)
    }

    /// Whether something happens that happens this often, from 0 to 1.
    pub(crate) fn happens(&mut self, rate: f64) -> bool {
        f64::from(self.0.number()) < rate * (f64::from(u32::MAX) + 1.0)
    }

    /// One of several.
    pub(crate) fn one<'a, T>(&mut self, of: &'a [T]) -> Option<&'a T> {
        let index = usize::try_from(self.below(of.len() as u64)).ok()?;
        of.get(index)
    }

    /// 32 bytes that nobody can guess.
    pub(crate) fn bytes(&mut self) -> Hex<32> {
        let mut bytes = [0; 32];
        self.0.fill(&mut bytes);
        Hex::new(bytes)
    }
}
