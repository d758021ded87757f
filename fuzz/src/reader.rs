//! Journals: whatever the bytes are, they are read to a verdict.

use std::io::{self, Read};
use war::journal::{Copying, End, Fault, ReadError};
use war::replay::{Observer, Replay};

/// Replays bytes as a journal.
///
/// The verdict is the same however few bytes come at a time. A game that is verified can be
/// recorded again, and that journal is verified too, with the same digest.
pub fn check(bytes: &[u8]) {
    let read = verdict(bytes);
    let pieces = Pieces {
        rest: bytes,
        size: 1 + bytes.len() % 13,
    };
    assert_eq!(verdict(pieces), read, "read in pieces");
    let Ok(end) = read else { return };
    let mut replay = Replay::open(bytes, None).expect("it was opened before");
    let mut journal = Vec::new();
    let mut copying = Copying::new(&mut journal, replay.header());
    let again = to_the_end(&mut replay, &mut copying);
    assert_eq!(again.expect("it was verified before"), end);
    let copied = copying.finish(end.reason, end.console);
    assert_eq!(copied.expect("memory takes every byte"), end);
    assert_eq!(verdict(&journal[..]), Ok(end), "recorded again");
}

/// The end of a journal, or what is wrong with it.
pub fn verdict(input: impl Read) -> Result<End, Fault> {
    let replay = Replay::open(input, None);
    let end = replay.and_then(|mut replay| to_the_end(&mut replay, &mut ()));
    end.map_err(|error| match error {
        ReadError::Fault(fault) => fault,
        ReadError::Io(error) => panic!("memory is read without errors: {error}"),
    })
}

/// Replays a journal to its end, with its events observed.
pub fn to_the_end(
    replay: &mut Replay<'_>,
    observer: &mut dyn Observer,
) -> Result<End, ReadError> {
    while replay.event(observer)? {}
    replay.end()
}

/// Bytes that come a few at a time.
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
