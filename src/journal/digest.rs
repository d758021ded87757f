use crate::hex::Hex;

/// What a game printed: how many bytes, and their BLAKE3 hash.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Printed {
    /// The number of bytes.
    pub bytes: u64,
    /// The BLAKE3 hash of the bytes.
    pub blake3: Hex<32>,
}

/// The digest of what a game prints, taken along the way.
///
/// # Examples
///
/// ```
/// use war::journal::ConsoleDigest;
///
/// let mut digest = ConsoleDigest::default();
/// digest.update("WAR");
/// assert_eq!(digest.printed().bytes, 3);
/// ```
#[derive(Debug, Clone, Default)]
pub struct ConsoleDigest {
    bytes: u64,
    hasher: blake3::Hasher,
}

impl ConsoleDigest {
    /// Takes in what was printed next.
    pub fn update(&mut self, printed: &str) {
        self.bytes += printed.len() as u64;
        self.hasher.update(printed.as_bytes());
    }

    /// The digest of all that was printed so far.
    #[must_use]
    pub fn printed(&self) -> Printed {
        Printed {
            bytes: self.bytes,
            blake3: Hex::truncated(&self.hasher.finalize()),
        }
    }
}
