use crate::hex::Hex;
use crate::room::AccessToken;
use crate::tokens::Secret;
use rand::rngs::ChaCha8Rng;
use rand::{Rng, SeedableRng};

/// Where the hub's secrets and the decisions of the house come from.
pub trait Randomness: Send {
    /// Fills these bytes with random ones.
    fn fill(&mut self, bytes: &mut [u8]);

    /// The secret of a new game.
    fn secret(&mut self) -> Secret {
        Secret::new(Hex::new(key(self)))
    }

    /// The access token of a new player.
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
