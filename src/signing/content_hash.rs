use blake3::{Hash, Hasher};
use std::cell::RefCell;
use std::io::{self, Read};
use std::rc::Rc;

/// Reader that hashes a file, to make sure that it has the same bytes when it is read again.
///
/// A journal is read once to verify it, and again to sign it or to check its signature. Its final
/// digest, which is part of the signature, is only known at the end of the first reading.
pub struct HashingReader<R> {
    input: R,
    hash: ContentHash,
}

/// Hash of the bytes read through a [`HashingReader`].
#[derive(Debug, Clone, Default)]
pub struct ContentHash(Rc<RefCell<Hasher>>);

impl<R> HashingReader<R> {
    /// Hashes the bytes read from this input.
    pub fn new(input: R) -> Self {
        let hash = ContentHash::default();
        Self { input, hash }
    }

    /// A handle to the hash of the bytes read so far. It stays current even once the reader is
    /// moved.
    pub fn content_hash(&self) -> ContentHash {
        self.hash.clone()
    }
}

impl<R: Read> Read for HashingReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.input.read(buffer)?;
        self.hash.0.borrow_mut().update(&buffer[..read]);
        Ok(read)
    }
}

impl ContentHash {
    /// Reads a file again and passes it to `act`; `None` if the file no longer has the same bytes.
    ///
    /// # Errors
    ///
    /// The error of the reader or of `act`.
    pub fn reread<T>(
        &self,
        input: impl Read,
        act: impl FnOnce(&mut dyn Read) -> io::Result<T>,
    ) -> io::Result<Option<T>> {
        let mut input = HashingReader::new(input);
        let result = act(&mut input)?;
        // The file may have grown, or `act` may not have read all of it.
        io::copy(&mut input, &mut io::sink())?;
        Ok(input.content_hash().is_same(self).then_some(result))
    }

    /// Returns true if both are hashes of the same bytes.
    #[must_use]
    pub fn is_same(&self, other: &Self) -> bool {
        self.hash() == other.hash()
    }

    fn hash(&self) -> Hash {
        self.0.borrow().finalize()
    }
}

#[cfg(test)]
mod tests {
    use super::HashingReader;
    use std::io::{self, Read};

    #[test]
    fn a_changed_file_is_detected_when_it_is_read_again() {
        let file = [7; 5000];
        let mut first = HashingReader::new(&file[..]);
        let hash = first.content_hash();
        io::copy(&mut first, &mut io::sink()).expect("memory is read");
        let again = |file: &[u8], most: u64| {
            let read = |input: &mut dyn Read| io::copy(&mut input.take(most), &mut io::sink());
            hash.reread(file, read).expect("memory is read").is_some()
        };
        assert!(again(&file, u64::MAX));
        // All bytes are compared, even if only some are used.
        assert!(again(&file, 10));
        let mut changed = file;
        changed[100] ^= 1;
        assert!(!again(&changed, u64::MAX));
        assert!(!again(&[7; 5001], u64::MAX));
        assert!(!again(&[7; 5001], 5000));
        assert!(!again(&file[..4999], u64::MAX));
    }
}
