use blake3::{Hash, Hasher};
use std::cell::RefCell;
use std::io::{self, Read};
use std::rc::Rc;

/// A reader of a file that remembers a hash of what was read, so that it can be read again.
///
/// A journal is read to be verified, and once more to be signed or to have its signature
/// checked: its final digest, which stands in the signature, is only known at the end.
pub struct Hashed<R> {
    input: R,
    seen: Seen,
}

/// What was read through a [`Hashed`] reader.
#[derive(Debug, Clone, Default)]
pub struct Seen(Rc<RefCell<Hasher>>);

impl<R> Hashed<R> {
    /// Hashes what is read of this input.
    pub fn new(input: R) -> Self {
        let seen = Seen::default();
        Self { input, seen }
    }

    /// What is read through it, also when it was given away.
    pub fn seen(&self) -> Seen {
        self.seen.clone()
    }
}

impl<R: Read> Read for Hashed<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.input.read(buffer)?;
        self.seen.0.borrow_mut().update(&buffer[..read]);
        Ok(read)
    }
}

impl Seen {
    /// Reads a file again, and does this with it; `None` where it has no longer these bytes.
    ///
    /// # Errors
    ///
    /// The error of the reader, or of what is done.
    pub fn again<T>(
        &self,
        input: impl Read,
        act: impl FnOnce(&mut dyn Read) -> io::Result<T>,
    ) -> io::Result<Option<T>> {
        let mut input = Hashed::new(input);
        let done = act(&mut input)?;
        // It may have grown.
        io::copy(&mut input, &mut io::sink())?;
        Ok(input.seen().is_same(self).then_some(done))
    }

    /// Whether the same bytes were read.
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
    use super::Hashed;
    use std::io::{self, Read};

    #[test]
    fn only_the_bytes_that_were_read_are_read_again() {
        let file = [7; 5000];
        let mut first = Hashed::new(&file[..]);
        let seen = first.seen();
        io::copy(&mut first, &mut io::sink()).expect("memory is read");
        let again = |file: &[u8], most: u64| {
            let read = |input: &mut dyn Read| io::copy(&mut input.take(most), &mut io::sink());
            seen.again(file, read).expect("memory is read").is_some()
        };
        assert!(again(&file, u64::MAX));
        // Whatever is done with them, all of them must be the same.
        assert!(again(&file, 10));
        let mut changed = file;
        changed[100] ^= 1;
        assert!(!again(&changed, u64::MAX));
        assert!(!again(&[7; 5001], u64::MAX));
        assert!(!again(&[7; 5001], 5000));
        assert!(!again(&file[..4999], u64::MAX));
    }
}
