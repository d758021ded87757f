use super::document::Document;
use super::found::{Found, FoundEvent};
use super::lines::Lines;
use crate::journal::fault::{Position, ReadError};
use crate::journal::opening::{Opened, take_header};
use crate::journal::parse::Brackets;
use crate::journal::splitter::Splitter;
use crate::journal::v1::Recorded;
use crate::journal::versions::{EndRecord, HeaderRecord};
use crate::rules::Rulebook;
use std::io::Read;

/// The records of a journal, one after the other.
///
/// What they say is not looked at.
pub(in crate::journal) enum Records<R> {
    /// One JSON document, as version 1 has it.
    Document(Document<R>),
    /// A record a line, as version 2 has it.
    Lines(Lines<R>),
}

impl<R: Read> Records<R> {
    /// Takes the header, whose rules may be those of this book beside the editions, and finds out how the other records follow.
    pub(in crate::journal) fn open(
        input: R,
        book: &Rulebook,
    ) -> Result<(Self, Found<HeaderRecord>), ReadError> {
        let mut splitter = Splitter::new(input);
        let opened = take_header(&mut splitter, book)?;
        let brackets = Brackets::of(splitter.taken());
        Ok(match opened {
            Opened::Document(record) => {
                let header = (HeaderRecord::V1(record), brackets);
                (Self::Document(Document::new(splitter)), header)
            }
            Opened::Lines(record) => {
                let header = (HeaderRecord::V2(record), brackets);
                (Self::Lines(Lines::new(splitter)?), header)
            }
        })
    }

    /// Whether events are written without what follows from them.
    pub(in crate::journal) const fn is_compact(&self) -> bool {
        match self {
            Self::Document(_) => false,
            Self::Lines(lines) => lines.is_compact(),
        }
    }

    /// Where the record read last begins.
    pub(in crate::journal) const fn position(&self) -> Position {
        match self {
            Self::Document(document) => document.position(),
            Self::Lines(lines) => lines.position(),
        }
    }

    /// Where reading has come to.
    pub(in crate::journal) const fn reached(&self) -> Position {
        match self {
            Self::Document(document) => document.reached(),
            Self::Lines(lines) => lines.reached(),
        }
    }

    /// The text of the event that was read last in its canonical form.
    pub(in crate::journal) fn event_text(&mut self) -> &[u8] {
        match self {
            Self::Document(document) => document.event_text(),
            Self::Lines(lines) => lines.event_text(),
        }
    }

    /// The text of the record that was read last and does not fit.
    pub(in crate::journal) fn taken(&mut self) -> &[u8] {
        match self {
            Self::Document(document) => document.taken(),
            Self::Lines(lines) => lines.taken(),
        }
    }

    /// The next event, or `None` where the events end; `events` are read so far.
    pub(in crate::journal) fn event<E: Recorded>(
        &mut self,
        events: u64,
    ) -> Result<Option<FoundEvent<E>>, ReadError> {
        match self {
            Self::Document(document) => document.event(events),
            Self::Lines(lines) => lines.event(events),
        }
    }

    /// The end record, after the last event; `events` are read so far.
    pub(in crate::journal) fn end(&mut self, events: u64) -> Result<Found<EndRecord>, ReadError> {
        match self {
            Self::Document(document) => {
                let (record, brackets) = document.end(events)?;
                Ok((EndRecord::V1(record), brackets))
            }
            Self::Lines(lines) => {
                let (record, brackets) = lines.end()?;
                Ok((EndRecord::V2(record), brackets))
            }
        }
    }

    /// What to say of an end record that has this error: where it lacks its line feed, it may
    /// be that it was cut off.
    pub(in crate::journal) fn bad_end(&mut self, events: u64, error: ReadError) -> ReadError {
        match self {
            Self::Lines(lines) if lines.is_torn() => lines.cut(events),
            _ => error,
        }
    }

    /// Sees that nothing follows the end record; `events` are read so far.
    pub(in crate::journal) fn close(&mut self, events: u64) -> Result<(), ReadError> {
        match self {
            Self::Document(document) => document.close(events),
            Self::Lines(lines) => lines.close(),
        }
    }
}
