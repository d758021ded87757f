use crate::protocol::AccessToken;
use rand::rngs::ChaCha8Rng;
use rand::{Rng, SeedableRng};
use war::support::hex::Hex;
use war::tokens::Secret;

/// Source of the hub's secrets and of the decisions of the house.
pub trait Randomness: Send {
    /// Fills a buffer with random bytes.
    fn fill(&mut self, bytes: &mut [u8]);

    /// Generates the secret of a new game.
    fn secret(&mut self) -> Secret {
        Secret::new(Hex::new(random_bytes(self)))
    }

    /// Generates the seed of a house player for a new game.
    fn seed(&mut self) -> Hex<32> {
        Hex::new(random_bytes(self))
    }

    /// Generates the access token of a new house player.
    fn access_token(&mut self) -> AccessToken {
        AccessToken::new(Hex::new(random_bytes(self)))
    }

    /// Generates the ID of a new friend link.
    fn link_id(&mut self) -> Hex<8> {
        let mut bytes = [0; 8];
        self.fill(&mut bytes);
        Hex::new(bytes)
    }

    /// Generates a uniformly distributed number.
    fn number(&mut self) -> u32 {
        let mut bytes = [0; 4];
        self.fill(&mut bytes);
        u32::from_le_bytes(bytes)
    }
}

fn random_bytes<R: Randomness + ?Sized>(randomness: &mut R) -> [u8; 32] {
    let mut bytes = [0; 32];
    randomness.fill(&mut bytes);
    bytes
}

/// Unpredictable randomness from the operating system.
#[derive(Debug, Clone, Copy)]
pub struct SystemRandomness;

impl Randomness for SystemRandomness {
    fn fill(&mut self, bytes: &mut [u8]) {
        rand::fill(bytes);
    }
}

/// Reproducible randomness from a seed, for simulations and tests.
#[derive(Debug)]
pub struct SeededRandomness(ChaCha8Rng);

impl SeededRandomness {
    /// Starts the sequence of this seed.
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

    // A fair bit is set in 128 of 256 numbers on average; 80 and 176 are six standard deviations
    // away.
    #[test]
    fn numbers_are_uniformly_distributed() {
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
    fn each_seed_reproduces_its_own_secrets() {
        let secret = |seed| SeededRandomness::new(seed).secret().reveal();
        assert_eq!(secret(1), secret(1));
        assert_ne!(secret(1), secret(2));
        let mut source = SeededRandomness::new(1);
        assert_ne!(source.secret().reveal(), source.secret().reveal());
    }
}
