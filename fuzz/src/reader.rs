//! Journal reading: any bytes lead to a verdict.

use std::io::{self, Read};
use war::journal::{End, Fault, JournalCopier, ReadError};
use war::replay::{Observer, Replay};

/// Checks the replay of bytes as a journal.
///
/// The verdict must not depend on the number of bytes read at a time. If a verified game is
/// recorded again, the new journal must verify too, with the same digest.
pub fn check(bytes: &[u8]) {
    let read = verify_journal(bytes);
    let pieces = Pieces {
        rest: bytes,
        size: 1 + bytes.len() % 13,
    };
    assert_eq!(verify_journal(pieces), read, "read in pieces");
    let Ok(end) = read else { return };
    let replay = Replay::open(bytes, None).expect("it was opened before");
    let mut journal = Vec::new();
    let mut copying = JournalCopier::new(&mut journal, replay.header());
    assert_eq!(verify_replay(Ok(replay), &mut copying), Ok(end));
    let copied = copying.finish(end.reason, end.console);
    assert_eq!(copied.expect("memory takes every byte"), end);
    assert_eq!(verify_journal(&journal[..]), Ok(end), "recorded again");
}

/// Verifies a journal, and returns its end or its fault.
pub fn verify_journal(input: impl Read) -> Result<End, Fault> {
    verify_replay(Replay::open(input, None), &mut ())
}

/// Verifies a journal with an observer, and returns its end or its fault.
pub fn verify_replay(
    replay: Result<Replay<'_>, ReadError>,
    observer: &mut dyn Observer,
) -> Result<End, Fault> {
    let judged = match replay {
        Ok(replay) => replay.verify(observer),
        Err(ReadError::Fault(fault)) => return Err(fault),
        Err(ReadError::Io(error)) => Err(error),
    };
    let judgement = judged.expect("memory is read without errors");
    match judgement.fault() {
        Some(fault) => Err(fault.clone()),
        None => Ok(*judgement
            .end()
            .expect("a journal without a fault has an end")),
    }
}

/// Input that returns a few bytes at a time.
struct Pieces<'a> {
    rest: &'a [u8],
    size: usize,
}

impl Read for Pieces<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let most = self.size.min(buffer.len());
        self.rest.read(&mut buffer[..most])
    }
}
