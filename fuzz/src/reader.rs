//! Journals: whatever the bytes are, they are read to a verdict.

use std::io::{self, Read};
use war::engine::Projection;
use war::journal::{End, Fault, Journaled, ReadError, Writer};
use war::replay::{Observer, Replay};

/// Replays bytes as a journal.
///
/// The verdict is the same however few bytes come at a time. A game that is verified can be
/// recorded again, and that journal is verified too, with the same digest.
pub fn check(bytes: &[u8]) {
    let mut journal = Vec::new();
    let opened = Replay::open(bytes, None);
    let writer = opened
        .as_ref()
        .map(|replay| Writer::new(&mut journal, replay.header(), false));
    let mut copy = Copy(writer.ok());
    let read = read(opened, &mut copy);
    let pieces = Pieces {
        rest: bytes,
        size: 1 + bytes.len() % 13,
    };
    assert_eq!(verdict(pieces), read, "read in pieces");
    let (Ok(end), Copy(Some(writer))) = (read, copy) else {
        return;
    };
    let again = writer.finish(end.reason, end.console);
    assert_eq!(again.expect("memory takes every byte"), end);
    assert_eq!(verdict(&journal[..]), Ok(end), "recorded again");
}

/// The end of a journal, or what is wrong with it.
pub fn verdict(input: impl Read) -> Result<End, Fault> {
    read(Replay::open(input, None), &mut ())
}

/// The end of a journal, or what is wrong with it, with its events observed.
pub fn read(
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

/// Records what is replayed.
struct Copy<'a>(Option<Writer<&'a mut Vec<u8>>>);

impl<S: Journaled> Projection<S> for Copy<'_> {
    fn project(&mut self, event: &S::Event, state: &S, _: &mut String) {
        let written = self.0.as_mut().map(|writer| writer.record(event, state));
        written.transpose().expect("memory takes every byte");
    }
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
