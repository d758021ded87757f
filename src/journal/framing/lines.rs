use super::found::{EventLine, Found, FoundEvent, Shape};
use crate::journal::fault::{Fault, Position, ReadError};
use crate::journal::line::{Line, take_line};
use crate::journal::parse::{Brackets, parse};
use crate::journal::problem::RecordError;
use crate::journal::splitter::{Splitter, is_too_deep};
use crate::journal::v1::{Record, Recorded, quick};
use crate::journal::v2::{CompactRecord, EndRecord, is_compact, quick_alone};
use crate::support::fields::Tree;
use serde::de::{DeserializeOwned, IgnoredAny};
use std::io::Read;

/// What the line of the end begins with.
const END: &[u8] = b"{\"end\"";

/// Records on a line each, behind that of the header.
///
/// What stands behind the last line feed was cut off, whatever it is.
pub(in crate::journal) struct Lines<R> {
    splitter: Splitter<R>,
    last: Position,
    compact: bool,
    /// The line that was taken and is to be read.
    ahead: Option<Line>,
    end: Option<Found<EndRecord>>,
    /// Whether the line read last lacks its line feed.
    torn: bool,
}

impl<R: Read> Lines<R> {
    /// The lines behind a header; the first of them shows how events are written.
    pub(super) fn new(mut splitter: Splitter<R>) -> Result<Self, ReadError> {
        let last = splitter.taken_at();
        splitter.end_header();
        let line = take_line(&mut splitter)?;
        let compact = line == Line::Whole && is_compact(splitter.taken());
        Ok(Self {
            splitter,
            last,
            compact,
            ahead: Some(line),
            end: None,
            torn: false,
        })
    }

    /// Whether events are written alone.
    pub(super) const fn is_compact(&self) -> bool {
        self.compact
    }

    /// Where the record read last begins.
    pub(super) const fn position(&self) -> Position {
        self.last
    }

    /// Where reading has come to.
    pub(super) const fn reached(&self) -> Position {
        match self.ahead {
            Some(_) => self.splitter.taken_at(),
            None => self.splitter.position(),
        }
    }

    /// The text of the event that was read last, to the end of its line.
    pub(super) fn event_text(&mut self) -> &[u8] {
        self.splitter.taken()
    }

    /// The text of the line that was read last and does not fit; none where no chain can prove
    /// it.
    pub(super) fn taken(&mut self) -> &[u8] {
        let line = self.splitter.taken();
        if self.compact && !is_end(line) {
            return &[];
        }
        line
    }

    /// Whether the line read last lacks its line feed.
    pub(super) const fn is_torn(&self) -> bool {
        self.torn
    }

    /// The next event, or `None` at the end record.
    pub(super) fn event<E: Recorded>(
        &mut self,
        events: u64,
    ) -> Result<Option<FoundEvent<E>>, ReadError> {
        let line = if let Some(line) = self.ahead.take() {
            line
        } else {
            self.splitter.begin();
            take_line(&mut self.splitter)?
        };
        self.last = self.splitter.taken_at();
        let text = &self.splitter.taken()[..];
        match line {
            Line::Whole => {}
            Line::TooLong => return Err(fault(self.last, RecordError::TooLong)),
            Line::Torn => {
                self.torn = true;
                self.end = found(text);
                // Whether it is the right one, the chain will show.
                return match self.end {
                    Some(_) => Ok(None),
                    None => Err(self.cut(events)),
                };
            }
        }
        let event = if self.compact {
            alone(text)
        } else {
            full(text)
        };
        if event.is_some() {
            return Ok(event);
        }
        self.end = found(text);
        match self.end {
            Some(_) => Ok(None),
            None if is_end(text) => Err(refused::<EndRecord>(text, self.last)),
            None if self.compact != is_compact(text) && is_event(text) => {
                Err(fault(self.last, RecordError::Form))
            }
            None if self.compact => Err(refused::<CompactRecord<E>>(text, self.last)),
            None => Err(refused::<Record<E>>(text, self.last)),
        }
    }

    /// The end record, which was found behind the last event.
    pub(super) fn end(&mut self) -> Result<Found<EndRecord>, ReadError> {
        let end = self.end.take();
        end.ok_or_else(|| fault(self.splitter.position(), RecordError::Syntax))
    }

    /// Sees that nothing follows.
    pub(super) fn close(&mut self) -> Result<(), ReadError> {
        if self.splitter.peek()?.is_some() || self.splitter.ends_in_zeros() {
            return Err(fault(self.splitter.position(), RecordError::DataAfterEnd));
        }
        Ok(())
    }

    /// That the file was cut off behind the last line feed.
    pub(super) fn cut(&mut self, events: u64) -> ReadError {
        let torn = self.splitter.taken().trim_ascii_start();
        let in_event = !torn.is_empty() && !torn.starts_with(END);
        let problem = if in_event {
            RecordError::CutOff { events }
        } else {
            RecordError::NoEnd { events }
        };
        fault(self.last, problem)
    }
}

/// The event of a line with all that follows from it, where it is one.
fn full<E: Recorded>(line: &[u8]) -> Option<FoundEvent<E>> {
    if let Some(quick) = quick(line)
        && line[quick.length..] == *b"\n"
    {
        let shape = Shape::Canonical(quick.unlinked);
        return Some((EventLine::Full(quick.record), shape));
    }
    let (record, brackets) = found(line)?;
    Some((EventLine::Full(record), Shape::Brackets(brackets)))
}

/// The event of a line that it stands alone on, where it is one.
fn alone<E: Recorded>(line: &[u8]) -> Option<FoundEvent<E>> {
    if let Some((event, length)) = quick_alone(line) {
        return Some((EventLine::Compact(event), Shape::Canonical(length)));
    }
    let (record, brackets): Found<CompactRecord<E>> = found(line)?;
    Some((EventLine::Compact(record.event), Shape::Brackets(brackets)))
}

/// The record of a line, with its brackets, where it is one.
fn found<T: DeserializeOwned>(line: &[u8]) -> Option<Found<T>> {
    let record = serde_json::from_slice(line).ok()?;
    Some((record, Brackets::of(line)))
}

/// Whether a line is an object with the field of the end.
fn is_end(line: &[u8]) -> bool {
    let tree = serde_json::from_slice::<Tree>(line);
    tree.is_ok_and(|tree| tree.field("end").is_some())
}

/// Whether a line has the fields of an event, in one form or the other.
fn is_event(line: &[u8]) -> bool {
    is_compact(line) || found::<Record<IgnoredAny>>(line).is_some()
}

/// Why a line is not the record that it should be.
fn refused<T: DeserializeOwned>(line: &[u8], at: Position) -> ReadError {
    if is_too_deep(line) {
        return fault(at, RecordError::TooDeep);
    }
    let mut values = serde_json::Deserializer::from_slice(line).into_iter::<IgnoredAny>();
    let is_one = match values.next() {
        None => false,
        Some(Ok(_)) => values.next().is_none(),
        Some(Err(error)) => !error.is_eof(),
    };
    if !is_one {
        return fault(at, RecordError::Line);
    }
    // A fault at the line feed is one of this line.
    match parse::<T>(line.trim_ascii_end(), at) {
        Ok(_) => fault(at, RecordError::Unfit),
        Err(error) => error.into(),
    }
}

fn fault(at: Position, problem: RecordError) -> ReadError {
    Fault::new(at, problem).into()
}
