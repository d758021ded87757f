use crate::support::hex::Hex;

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
    /// What was printed last and is not hashed yet: much at once is hashed faster.
    waiting: Vec<u8>,
}

/// How many bytes are hashed at once.
const AT_ONCE: usize = 1 << 16;

impl ConsoleDigest {
    /// Takes in what was printed next.
    pub fn update(&mut self, printed: &str) {
        self.bytes += printed.len() as u64;
        self.waiting.extend_from_slice(printed.as_bytes());
        if self.waiting.len() >= AT_ONCE {
            self.hasher.update(&self.waiting);
            self.waiting.clear();
        }
    }

    /// The digest of all that was printed so far.
    #[must_use]
    pub fn printed(&self) -> Printed {
        Printed {
            bytes: self.bytes,
            blake3: Hex::truncated(&self.hasher.clone().update(&self.waiting).finalize()),
        }
    }
}
