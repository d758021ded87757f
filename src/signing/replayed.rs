use super::hashed::Hashed;
use crate::journal::{End, ReadError};
use crate::replay::Replay;
use blake3::Hash;
use std::io::{self, Read};

/// A journal that was replayed to its end, to be signed or to have its signature verified.
///
/// Its bytes are read again for that: the final digest, which stands in the signature, is only
/// known at the end. They must be those that were verified.
#[derive(Debug)]
pub(crate) struct Replayed {
    /// What the replay came to.
    pub(crate) result: Result<End, ReadError>,
    /// The number of events verified.
    pub(crate) events: u64,
    /// The bytes.
    pub(crate) bytes: Bytes,
}

/// The bytes of a journal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Bytes(Hash);

impl Replayed {
    /// Replays a journal.
    pub(crate) fn of(input: impl Read) -> Self {
        let input = Hashed::new(input);
        let (seen, mut events) = (input.seen(), 0);
        let result = Replay::open(input, None).and_then(|mut replay| {
            while replay.event(&mut ())? {
                events += 1;
            }
            replay.end()
        });
        let bytes = Bytes(seen.hash());
        Self {
            result,
            events,
            bytes,
        }
    }
}

impl Bytes {
    /// Reads the journal again, and does this with its bytes; `None` where they are not the same.
    ///
    /// # Errors
    ///
    /// The error of the reader, or of what is done.
    pub(crate) fn again<T>(
        self,
        input: impl Read,
        act: impl FnOnce(&mut dyn Read) -> io::Result<T>,
    ) -> io::Result<Option<T>> {
        let mut input = Hashed::new(input);
        let done = act(&mut input)?;
        // A file may have grown.
        io::copy(&mut input, &mut io::sink())?;
        Ok((input.seen().hash() == self.0).then_some(done))
    }
}

#[cfg(test)]
mod tests {
    use super::Replayed;
    use std::io::Read;

    const JOURNAL: &[u8] = include_bytes!("../../journals/classic_dealt_won.json");

    #[test]
    fn only_the_bytes_that_were_verified_are_read_again() {
        let replayed = Replayed::of(JOURNAL);
        assert_eq!((replayed.result.is_ok(), replayed.events), (true, 53));
        let again = |bytes: &[u8], most: u64| {
            let read = |input: &mut dyn Read| {
                let mut read = Vec::new();
                input.take(most).read_to_end(&mut read)?;
                Ok(read.len())
            };
            let read = replayed.bytes.again(bytes, read);
            read.expect("memory is read").is_some()
        };
        assert!(again(JOURNAL, u64::MAX));
        // Whatever is done with them, all of them must be the same.
        assert!(again(JOURNAL, 10));
        let mut other = JOURNAL.to_vec();
        other[100] ^= 1;
        assert!(!again(&other, u64::MAX));
        other[100] ^= 1;
        other.push(b'\n');
        assert!(!again(&other, u64::MAX));
        assert!(!again(&other, JOURNAL.len() as u64));
        assert!(!again(&JOURNAL[..5000], u64::MAX));
    }
}
