use blake3::{Hash, Hasher};
use std::cell::RefCell;
use std::io::{self, Read};
use std::rc::Rc;

/// A reader that hashes what is read through it.
pub(super) struct Hashed<R> {
    input: R,
    seen: Seen,
}

/// What was read through a [`Hashed`] reader until now.
#[derive(Clone, Default)]
pub(super) struct Seen(Rc<RefCell<Hasher>>);

impl<R> Hashed<R> {
    pub(super) fn new(input: R) -> Self {
        let seen = Seen::default();
        Self { input, seen }
    }

    /// What is read through it, also when it was given away.
    pub(super) fn seen(&self) -> Seen {
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
    pub(super) fn hash(&self) -> Hash {
        self.0.borrow().finalize()
    }
}
