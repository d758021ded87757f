use crate::protocol::AccessToken;
use rand::rngs::ChaCha8Rng;
use rand::{Rng, SeedableRng};
use war::support::hex::Hex;
use war::tokens::Secret;

/// Where the hub's secrets and the decisions of the house come from.
pub trait Randomness: Send {
    /// Fills these bytes with random ones.
    fn fill(&mut self, bytes: &mut [u8]);

    /// The secret of a new game.
    fn secret(&mut self) -> Secret {
        Secret::new(Hex::new(key(self)))
    }

    /// The seed of a house player for a new game.
    fn seed(&mut self) -> Hex<32> {
        Hex::new(key(self))
    }

    /// The access token of a new house player.
    fn access_token(&mut self) -> AccessToken {
        AccessToken::new(Hex::new(key(self)))
    }

    /// A number, evenly spread over all its values.
    fn number(&mut self) -> u32 {
        let mut bytes = [0; 4];
        self.fill(&mut bytes);
        u32::from_le_bytes(bytes)
    }
}

fn key<R: Randomness + ?Sized>(randomness: &mut R) -> [u8; 32] {
    let mut bytes = [0; 32];
    randomness.fill(&mut bytes);
    bytes
}

/// Randomness that nobody can foresee, from the operating system.
#[derive(Debug, Clone, Copy)]
pub struct SystemRandomness;

impl Randomness for SystemRandomness {
    fn fill(&mut self, bytes: &mut [u8]) {
        rand::fill(bytes);
    }
}

/// Randomness that a seed repeats, for simulations and tests.
#[derive(Debug)]
pub struct SeededRandomness(ChaCha8Rng);

impl SeededRandomness {
    /// The randomness of this seed, from its beginning.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self(ChaCha8Rng::seed_from_u64(seed))
    }
}

impl Randomness for SeededRandomness {
    fn fill(&mut self, bytes: &mut [u8]) {
        self.0.fill_bytes(bytes);
    }
}

#[cfg(test)]
mod tests {
    use super::{Randomness, SeededRandomness, SystemRandomness};

    // Of 256 fair bits each is set 128 times on average; fewer than 80, or more than 176,
    // are six standard deviations away.
    #[test]
    fn numbers_are_spread_over_all_their_values() {
        let sources: [&mut dyn Randomness; 2] =
            [&mut SystemRandomness, &mut SeededRandomness::new(9)];
        for source in sources {
            let numbers: Vec<_> = (0..256).map(|_| source.number()).collect();
            for bit in 0..u32::BITS {
                let set = numbers.iter().filter(|number| **number >> bit & 1 == 1);
                let set = set.count();
                assert!((80..=176).contains(&set), "bit {bit}: {set}");
            }
        }
    }

    #[test]
    fn a_seed_repeats_its_secrets_and_no_others() {
        let secret = |seed| SeededRandomness::new(seed).secret().reveal();
        assert_eq!(secret(1), secret(1));
        assert_ne!(secret(1), secret(2));
        let mut source = SeededRandomness::new(1);
        assert_ne!(source.secret().reveal(), source.secret().reveal());
    }
}
