//! How the records of a journal follow one another in its file: where each begins and ends, and
//! what a file ends with that was cut off.

use super::cut::can_go_on;
use super::fault::{Fault, Position, ReadError};
use super::header_reader::read_header;
use super::parse::{Brackets, ParseError, parse};
use super::problem::RecordError;
use super::splitter::{Line, Splitter, is_too_deep, take_line};
use super::v1::{self, Record, Recorded, quick};
use super::v2::{self, CompactRecord, is_compact, quick_alone};
use super::versions::{EndRecord, HeaderRecord};
use crate::rules::Rulebook;
use crate::support::fields::{FieldError, Tree};
use serde::de::{DeserializeOwned, IgnoredAny};

/// The records of a journal, one after the other.
///
/// What they say is not looked at.
pub(super) enum Records<'a> {
    /// One JSON document, as version 1 has it.
    Document(Document<'a>),
    /// A record a line, as version 2 has it.
    Lines(Lines<'a>),
}

impl<'a> Records<'a> {
    /// Reads the header, and chooses the framing of the records that follow it.
    ///
    /// The rules may be editions or come from `book`.
    pub(super) fn open(
        mut splitter: Splitter<'a>,
        book: &Rulebook,
    ) -> Result<(Self, Found<HeaderRecord>), ReadError> {
        let header = read_header(&mut splitter, book)?;
        let brackets = Brackets::of(splitter.taken());
        let records = match header {
            HeaderRecord::V1(_) => Self::Document(Document::new(splitter)),
            HeaderRecord::V2(_) => Self::Lines(Lines::new(splitter)?),
        };
        Ok((records, (header, brackets)))
    }

    /// Whether events are written without what follows from them.
    pub(super) const fn is_compact(&self) -> bool {
        match self {
            Self::Document(_) => false,
            Self::Lines(lines) => lines.is_compact(),
        }
    }

    /// Where the record read last begins.
    pub(super) const fn position(&self) -> Position {
        match self {
            Self::Document(document) => document.position(),
            Self::Lines(lines) => lines.position(),
        }
    }

    /// Where reading has come to.
    pub(super) const fn reached(&self) -> Position {
        match self {
            Self::Document(document) => document.reached(),
            Self::Lines(lines) => lines.reached(),
        }
    }

    /// The text of the event that was read last in its canonical form.
    pub(super) fn event_text(&mut self) -> &[u8] {
        match self {
            Self::Document(document) => document.event_text(),
            Self::Lines(lines) => lines.event_text(),
        }
    }

    /// The text of the record that was read last and does not fit.
    pub(super) fn taken(&mut self) -> &[u8] {
        match self {
            Self::Document(document) => document.taken(),
            Self::Lines(lines) => lines.taken(),
        }
    }

    /// The next event, or `None` where the events end; `events` are read so far.
    pub(super) fn event<E: Recorded>(
        &mut self,
        events: u64,
    ) -> Result<Option<FoundEvent<E>>, ReadError> {
        match self {
            Self::Document(document) => document.event(events),
            Self::Lines(lines) => lines.event(events),
        }
    }

    /// The end record, after the last event; `events` are read so far.
    pub(super) fn end(&mut self, events: u64) -> Result<Found<EndRecord>, ReadError> {
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
    pub(super) fn bad_end(&mut self, events: u64, error: ReadError) -> ReadError {
        match self {
            Self::Lines(lines) if lines.is_torn() => lines.cut(events),
            _ => error,
        }
    }

    /// Sees that nothing follows the end record; `events` are read so far.
    pub(super) fn close(&mut self, events: u64) -> Result<(), ReadError> {
        match self {
            Self::Document(document) => document.close(events),
            Self::Lines(lines) => lines.close(),
        }
    }
}

/// A record as found, with its brackets.
type Found<T> = (T, Brackets);

/// An event as found, with its shape.
type FoundEvent<E> = (EventLine<E>, Shape);

/// In which shape an event was found.
#[derive(Debug, Clone, Copy)]
pub(super) enum Shape {
    /// In its canonical form: so many bytes of it, up to its link or its last bracket.
    Canonical(usize),
    /// With these brackets.
    Brackets(Brackets),
}

/// An event as found.
pub(super) enum EventLine<E> {
    /// With all that follows from it.
    Full(Record<E>),
    /// Alone.
    Compact(E),
}

/// Records in one JSON document: the header's fields, the list of events and the end.
pub(super) struct Document<'a> {
    splitter: Splitter<'a>,
    last: Position,
}

impl<'a> Document<'a> {
    /// The records behind a header.
    fn new(mut splitter: Splitter<'a>) -> Self {
        let last = splitter.taken_at();
        splitter.end_header();
        Self { splitter, last }
    }

    /// Where the record read last begins.
    const fn position(&self) -> Position {
        self.last
    }

    /// Where reading has come to.
    const fn reached(&self) -> Position {
        self.splitter.position()
    }

    /// The text of the event that was read last.
    fn event_text(&mut self) -> &[u8] {
        self.splitter.taken()
    }

    /// The text of the record that was read last and does not fit.
    fn taken(&mut self) -> &[u8] {
        self.splitter.taken()
    }

    /// The next event, or `None` where the list ends.
    fn event<E: Recorded>(&mut self, events: u64) -> Result<Option<FoundEvent<E>>, ReadError> {
        let first = events == 0;
        match self.splitter.peek_significant()? {
            None => return Err(self.no_end(events)),
            Some(b']') => {
                self.splitter.take();
                return Ok(None);
            }
            Some(b',') if !first => self.splitter.take(),
            Some(_) if first => {}
            Some(_) => return Err(self.syntax()),
        }
        self.splitter.begin();
        self.last = self.splitter.taken_at();
        if let Some((record, unlinked)) = self.splitter.take_quick() {
            return Ok(Some((EventLine::Full(record), Shape::Canonical(unlinked))));
        }
        let (record, brackets) = self.value(RecordError::CutOff { events })?;
        Ok(Some((EventLine::Full(record), Shape::Brackets(brackets))))
    }

    /// The end record.
    fn end(&mut self, events: u64) -> Result<Found<v1::EndRecord>, ReadError> {
        if self.splitter.peek_significant()? == Some(b'}') {
            self.close_object(events)?;
            return Err(self.no_end(events));
        }
        self.expect(b',', events)?;
        self.field("end", events)?;
        self.value(RecordError::NoEnd { events })
    }

    /// Sees the document closed, and nothing after it.
    fn close(&mut self, events: u64) -> Result<(), ReadError> {
        if self.splitter.peek_significant()? == Some(b',') {
            self.splitter.take();
            self.field("}", events)?;
        }
        self.close_object(events)
    }

    fn close_object(&mut self, events: u64) -> Result<(), ReadError> {
        self.expect(b'}', events)?;
        self.splitter.begin();
        if self.splitter.peek_significant()?.is_some() || self.splitter.ends_in_zeros() {
            let at = self.splitter.position();
            return Err(Fault::new(at, RecordError::DataAfterEnd).into());
        }
        Ok(())
    }

    /// Takes the name of a field, which must be this one, and its colon.
    fn field(&mut self, name: &str, events: u64) -> Result<(), ReadError> {
        let (found, _): Found<String> = self.value(RecordError::NoEnd { events })?;
        if found != name {
            let unknown = RecordError::from(FieldError::unknown(&found));
            return Err(Fault::new(self.last, unknown).into());
        }
        self.expect(b':', events)
    }

    /// The next value with its brackets; `cut` is what a file lacks that ends before it does.
    fn value<T: DeserializeOwned>(&mut self, cut: RecordError) -> Result<Found<T>, ReadError> {
        let started = self.splitter.peek_significant()?.is_some();
        self.splitter.begin();
        self.last = self.splitter.taken_at();
        if let Some(parsed) = self.splitter.take_parsed() {
            return Ok(parsed);
        }
        let whole = started && self.splitter.take_value()?.is_some();
        let taken = self.splitter.taken();
        let value = parse(taken, self.last);
        if whole {
            return Ok((value?, Brackets::of(taken)));
        }
        // A file that was cut off is sound up to the cut: anything else is damage.
        match value {
            Err(ParseError::Fault(fault)) => Err(fault.into()),
            _ if !can_go_on(taken) => Err(self.syntax()),
            _ => Err(self.here(cut)),
        }
    }

    /// Takes a byte of the outermost object.
    fn expect(&mut self, byte: u8, events: u64) -> Result<(), ReadError> {
        match self.splitter.peek_significant()? {
            Some(found) if found == byte => {
                self.splitter.take();
                Ok(())
            }
            None => Err(self.no_end(events)),
            Some(_) => Err(self.syntax()),
        }
    }

    fn no_end(&self, events: u64) -> ReadError {
        self.here(RecordError::NoEnd { events })
    }

    fn syntax(&self) -> ReadError {
        self.here(RecordError::Syntax)
    }

    fn here(&self, problem: RecordError) -> ReadError {
        Fault::new(self.splitter.position(), problem).into()
    }
}

/// What the line of the end begins with.
const END: &[u8] = b"{\"end\"";

/// Records on a line each, behind that of the header.
///
/// What stands behind the last line feed was cut off, whatever it is.
pub(super) struct Lines<'a> {
    splitter: Splitter<'a>,
    last: Position,
    compact: bool,
    /// The line that was taken and is to be read.
    ahead: Option<Line>,
    end: Option<Found<v2::EndRecord>>,
    /// Whether the line read last lacks its line feed.
    torn: bool,
}

impl<'a> Lines<'a> {
    /// The lines behind a header; the first of them shows how events are written.
    fn new(mut splitter: Splitter<'a>) -> Result<Self, ReadError> {
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
    const fn is_compact(&self) -> bool {
        self.compact
    }

    /// Where the record read last begins.
    const fn position(&self) -> Position {
        self.last
    }

    /// Where reading has come to.
    const fn reached(&self) -> Position {
        match self.ahead {
            Some(_) => self.splitter.taken_at(),
            None => self.splitter.position(),
        }
    }

    /// The text of the event that was read last, to the end of its line.
    fn event_text(&mut self) -> &[u8] {
        self.splitter.taken()
    }

    /// The text of the line that was read last and does not fit; none where no chain can prove
    /// it.
    fn taken(&mut self) -> &[u8] {
        let line = self.splitter.taken();
        if self.compact && !is_end(line) {
            return &[];
        }
        line
    }

    /// Whether the line read last lacks its line feed.
    const fn is_torn(&self) -> bool {
        self.torn
    }

    /// The next event, or `None` at the end record.
    fn event<E: Recorded>(&mut self, events: u64) -> Result<Option<FoundEvent<E>>, ReadError> {
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
            None if is_end(text) => Err(refused::<v2::EndRecord>(text, self.last)),
            None if self.compact != is_compact(text) && is_event(text) => {
                Err(fault(self.last, RecordError::Form))
            }
            None if self.compact => Err(refused::<CompactRecord<E>>(text, self.last)),
            None => Err(refused::<Record<E>>(text, self.last)),
        }
    }

    /// The end record, which was found behind the last event.
    fn end(&mut self) -> Result<Found<v2::EndRecord>, ReadError> {
        let end = self.end.take();
        end.ok_or_else(|| fault(self.splitter.position(), RecordError::Syntax))
    }

    /// Sees that nothing follows.
    fn close(&mut self) -> Result<(), ReadError> {
        if self.splitter.peek()?.is_some() || self.splitter.ends_in_zeros() {
            return Err(fault(self.splitter.position(), RecordError::DataAfterEnd));
        }
        Ok(())
    }

    /// That the file was cut off behind the last line feed.
    fn cut(&mut self, events: u64) -> ReadError {
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
