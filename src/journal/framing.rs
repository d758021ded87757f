//! Framing: where each record of a journal begins and ends, and where its file was cut off.

use super::cut_off::can_continue;
use super::fault::{Fault, Position, ReadError};
use super::header_reader::read_header;
use super::parse::{Brackets, ParseError, parse_record};
use super::problem::RecordError;
use super::splitter::{Line, Splitter, is_too_deep, take_line};
use super::v1::{self, Record, RecordedEvent, parse_canonical_record};
use super::v2::{self, CompactRecord, is_compact, parse_compact_line};
use super::versions::{VersionedEnd, VersionedHeader};
use crate::rules::Rulebook;
use crate::support::fields::{DataTree, FieldError};
use serde::de::{DeserializeOwned, IgnoredAny};

/// The records of a journal, one after the other. Their content is not checked.
pub(super) enum Records<'a> {
    /// One JSON document, in version 1.
    Document(DocumentRecords<'a>),
    /// One record per line, in version 2.
    Lines(LineRecords<'a>),
}

impl<'a> Records<'a> {
    /// Reads the header, and chooses the framing of the records that follow it.
    ///
    /// The rules may be editions or come from `book`.
    pub(super) fn open(
        mut splitter: Splitter<'a>,
        book: &Rulebook,
    ) -> Result<(Self, WithBrackets<VersionedHeader>), ReadError> {
        let header = read_header(&mut splitter, book)?;
        let brackets = Brackets::count_in(splitter.taken_bytes_mut());
        let records = match header {
            VersionedHeader::V1(_) => Self::Document(DocumentRecords::new(splitter)),
            VersionedHeader::V2(_) => Self::Lines(LineRecords::new(splitter)?),
        };
        Ok((records, (header, brackets)))
    }

    /// Returns true if each line of an event holds the event alone, as in a compact journal.
    pub(super) const fn is_compact(&self) -> bool {
        match self {
            Self::Document(_) => false,
            Self::Lines(lines) => lines.is_compact(),
        }
    }

    /// The start of the record read last.
    pub(super) const fn position(&self) -> Position {
        match self {
            Self::Document(document) => document.position(),
            Self::Lines(lines) => lines.position(),
        }
    }

    /// The end of the records read so far.
    pub(super) const fn end_position(&self) -> Position {
        match self {
            Self::Document(document) => document.end_position(),
            Self::Lines(lines) => lines.end_position(),
        }
    }

    /// The text of the event read last, if that was in its canonical form.
    pub(super) fn event_text(&mut self) -> &[u8] {
        match self {
            Self::Document(document) => document.event_text(),
            Self::Lines(lines) => lines.event_text(),
        }
    }

    /// The text of a record that was rejected.
    pub(super) fn rejected_text(&mut self) -> &[u8] {
        match self {
            Self::Document(document) => document.rejected_text(),
            Self::Lines(lines) => lines.rejected_text(),
        }
    }

    /// Reads the next event; `None` after the last. `events` is the number of events read so far.
    pub(super) fn next_event<E: RecordedEvent>(
        &mut self,
        events: u64,
    ) -> Result<Option<ShapedEvent<E>>, ReadError> {
        match self {
            Self::Document(document) => document.next_event(events),
            Self::Lines(lines) => lines.next_event(events),
        }
    }

    /// Reads the end record. `events` is the number of events read before it.
    pub(super) fn read_end(
        &mut self,
        events: u64,
    ) -> Result<WithBrackets<VersionedEnd>, ReadError> {
        match self {
            Self::Document(document) => {
                let (record, brackets) = document.read_end(events)?;
                Ok((VersionedEnd::V1(record), brackets))
            }
            Self::Lines(lines) => {
                let (record, brackets) = lines.take_end()?;
                Ok((VersionedEnd::V2(record), brackets))
            }
        }
    }

    /// Replaces the error of an end record that lacks its line feed: the record may have been cut
    /// off.
    pub(super) fn refine_end_error(&mut self, events: u64, error: ReadError) -> ReadError {
        match self {
            Self::Lines(lines) if lines.is_torn() => lines.cut_off(events),
            _ => error,
        }
    }

    /// Checks that nothing follows the end record. `events` is the number of events read before it.
    pub(super) fn check_nothing_follows(&mut self, events: u64) -> Result<(), ReadError> {
        match self {
            Self::Document(document) => document.check_nothing_follows(events),
            Self::Lines(lines) => lines.check_nothing_follows(),
        }
    }
}

/// A record, with the number of opening brackets in its text.
type WithBrackets<T> = (T, Brackets);

/// An event, with the shape of its text.
type ShapedEvent<E> = (EventLine<E>, TextShape);

/// Shape of an event's text.
#[derive(Debug, Clone, Copy)]
pub(super) enum TextShape {
    /// The canonical form; its length without link and last brace, in bytes.
    Canonical(usize),
    /// Any other form, with these numbers of opening brackets.
    Brackets(Brackets),
}

/// An event, written in full or in compact form.
pub(super) enum EventLine<E> {
    /// The event with its number, turn, state and link.
    Full(Record<E>),
    /// The event alone.
    Compact(E),
}

/// Records of one JSON document: the fields of the header, the list of events and the end.
pub(super) struct DocumentRecords<'a> {
    splitter: Splitter<'a>,
    last: Position,
}

impl<'a> DocumentRecords<'a> {
    /// The records after the header.
    fn new(mut splitter: Splitter<'a>) -> Self {
        let last = splitter.taken_start();
        splitter.end_header();
        Self { splitter, last }
    }

    const fn position(&self) -> Position {
        self.last
    }

    const fn end_position(&self) -> Position {
        self.splitter.position()
    }

    fn event_text(&mut self) -> &[u8] {
        self.splitter.taken_bytes_mut()
    }

    fn rejected_text(&mut self) -> &[u8] {
        self.splitter.taken_bytes_mut()
    }

    fn next_event<E: RecordedEvent>(
        &mut self,
        events: u64,
    ) -> Result<Option<ShapedEvent<E>>, ReadError> {
        let first = events == 0;
        match self.splitter.peek_after_whitespace()? {
            None => return Err(self.no_end(events)),
            Some(b']') => {
                self.splitter.take_byte();
                return Ok(None);
            }
            Some(b',') if !first => self.splitter.take_byte(),
            Some(_) if first => {}
            Some(_) => return Err(self.syntax()),
        }
        self.splitter.begin_value();
        self.last = self.splitter.taken_start();
        if let Some((record, unlinked)) = self.splitter.take_canonical_event() {
            return Ok(Some((
                EventLine::Full(record),
                TextShape::Canonical(unlinked),
            )));
        }
        let (record, brackets) = self.read_value(RecordError::CutOff { events })?;
        Ok(Some((
            EventLine::Full(record),
            TextShape::Brackets(brackets),
        )))
    }

    fn read_end(&mut self, events: u64) -> Result<WithBrackets<v1::EndRecord>, ReadError> {
        if self.splitter.peek_after_whitespace()? == Some(b'}') {
            self.close_object(events)?;
            return Err(self.no_end(events));
        }
        self.expect(b',', events)?;
        self.take_field_name("end", events)?;
        self.read_value(RecordError::NoEnd { events })
    }

    /// Checks that the document is closed, and that nothing follows it.
    fn check_nothing_follows(&mut self, events: u64) -> Result<(), ReadError> {
        if self.splitter.peek_after_whitespace()? == Some(b',') {
            self.splitter.take_byte();
            self.take_field_name("}", events)?;
        }
        self.close_object(events)
    }

    fn close_object(&mut self, events: u64) -> Result<(), ReadError> {
        self.expect(b'}', events)?;
        self.splitter.begin_value();
        if self.splitter.peek_after_whitespace()?.is_some() || self.splitter.ends_in_zeros() {
            let at = self.splitter.position();
            return Err(Fault::new(at, RecordError::DataAfterEnd).into());
        }
        Ok(())
    }

    /// Takes a field name, which must be `name`, and its colon.
    fn take_field_name(&mut self, name: &str, events: u64) -> Result<(), ReadError> {
        let (found, _): WithBrackets<String> = self.read_value(RecordError::NoEnd { events })?;
        if found != name {
            let unknown = RecordError::from(FieldError::unknown(&found));
            return Err(Fault::new(self.last, unknown).into());
        }
        self.expect(b':', events)
    }

    /// Reads the next value; `cut_off` is the error of a file that ends inside it.
    fn read_value<T: DeserializeOwned>(
        &mut self,
        cut_off: RecordError,
    ) -> Result<WithBrackets<T>, ReadError> {
        let started = self.splitter.peek_after_whitespace()?.is_some();
        self.splitter.begin_value();
        self.last = self.splitter.taken_start();
        if let Some(parsed) = self.splitter.take_parsed_value() {
            return Ok(parsed);
        }
        let whole = started && self.splitter.take_value()?.is_some();
        let taken = self.splitter.taken_bytes_mut();
        let value = parse_record(taken, self.last);
        if whole {
            return Ok((value?, Brackets::count_in(taken)));
        }
        // A file that was cut off is valid up to the cut; anything else is damage.
        match value {
            Err(ParseError::Fault(fault)) => Err(fault.into()),
            _ if !can_continue(taken) => Err(self.syntax()),
            _ => Err(self.fault_here(cut_off)),
        }
    }

    /// Takes a byte of the outermost object.
    fn expect(&mut self, byte: u8, events: u64) -> Result<(), ReadError> {
        match self.splitter.peek_after_whitespace()? {
            Some(found) if found == byte => {
                self.splitter.take_byte();
                Ok(())
            }
            None => Err(self.no_end(events)),
            Some(_) => Err(self.syntax()),
        }
    }

    fn no_end(&self, events: u64) -> ReadError {
        self.fault_here(RecordError::NoEnd { events })
    }

    fn syntax(&self) -> ReadError {
        self.fault_here(RecordError::Syntax)
    }

    fn fault_here(&self, problem: RecordError) -> ReadError {
        Fault::new(self.splitter.position(), problem).into()
    }
}

/// Start of the last line, which holds the end record.
const END_PREFIX: &[u8] = b"{\"end\"";

/// Records on one line each, after the line of the header.
///
/// Text after the last line feed is a record that was cut off.
pub(super) struct LineRecords<'a> {
    splitter: Splitter<'a>,
    last: Position,
    compact: bool,
    /// A line that was taken but not read yet.
    next_line: Option<Line>,
    end: Option<WithBrackets<v2::EndLine>>,
    /// True if the line read last lacks its line feed.
    torn: bool,
}

impl<'a> LineRecords<'a> {
    /// The lines after the header, the first of which shows the form of all events.
    fn new(mut splitter: Splitter<'a>) -> Result<Self, ReadError> {
        let last = splitter.taken_start();
        splitter.end_header();
        let line = take_line(&mut splitter)?;
        let compact = line == Line::Whole && is_compact(splitter.taken_bytes_mut());
        Ok(Self {
            splitter,
            last,
            compact,
            next_line: Some(line),
            end: None,
            torn: false,
        })
    }

    const fn is_compact(&self) -> bool {
        self.compact
    }

    const fn position(&self) -> Position {
        self.last
    }

    const fn end_position(&self) -> Position {
        match self.next_line {
            Some(_) => self.splitter.taken_start(),
            None => self.splitter.position(),
        }
    }

    /// The whole line of the event read last.
    fn event_text(&mut self) -> &[u8] {
        self.splitter.taken_bytes_mut()
    }

    /// The line of a rejected record, or nothing if the line has no link that could show whether a
    /// newer program wrote it.
    fn rejected_text(&mut self) -> &[u8] {
        let line = self.splitter.taken_bytes_mut();
        if self.compact && !is_end(line) {
            return &[];
        }
        line
    }

    const fn is_torn(&self) -> bool {
        self.torn
    }

    fn next_event<E: RecordedEvent>(
        &mut self,
        events: u64,
    ) -> Result<Option<ShapedEvent<E>>, ReadError> {
        let line = if let Some(line) = self.next_line.take() {
            line
        } else {
            self.splitter.begin_value();
            take_line(&mut self.splitter)?
        };
        self.last = self.splitter.taken_start();
        let text = &self.splitter.taken_bytes_mut()[..];
        match line {
            Line::Whole => {}
            Line::TooLong => return Err(fault(self.last, RecordError::TooLong)),
            Line::Torn => {
                self.torn = true;
                self.end = parse_bracketed(text);
                // The chain shows whether this end record is the right one.
                return match self.end {
                    Some(_) => Ok(None),
                    None => Err(self.cut_off(events)),
                };
            }
        }
        let event = if self.compact {
            parse_compact(text)
        } else {
            parse_full(text)
        };
        if event.is_some() {
            return Ok(event);
        }
        self.end = parse_bracketed(text);
        match self.end {
            Some(_) => Ok(None),
            None if is_end(text) => Err(line_error::<v2::EndLine>(text, self.last)),
            None if self.compact != is_compact(text) && is_event(text) => {
                Err(fault(self.last, RecordError::MixedForms))
            }
            None if self.compact => Err(line_error::<CompactRecord<E>>(text, self.last)),
            None => Err(line_error::<Record<E>>(text, self.last)),
        }
    }

    /// The end record, which was read after the last event.
    fn take_end(&mut self) -> Result<WithBrackets<v2::EndLine>, ReadError> {
        let end = self.end.take();
        end.ok_or_else(|| fault(self.splitter.position(), RecordError::Syntax))
    }

    /// Checks that nothing follows the end record.
    fn check_nothing_follows(&mut self) -> Result<(), ReadError> {
        if self.splitter.peek()?.is_some() || self.splitter.ends_in_zeros() {
            return Err(fault(self.splitter.position(), RecordError::DataAfterEnd));
        }
        Ok(())
    }

    /// Error for a file that was cut off after the last line feed.
    fn cut_off(&mut self, events: u64) -> ReadError {
        let torn = self.splitter.taken_bytes_mut().trim_ascii_start();
        let in_event = !torn.is_empty() && !torn.starts_with(END_PREFIX);
        let problem = if in_event {
            RecordError::CutOff { events }
        } else {
            RecordError::NoEnd { events }
        };
        fault(self.last, problem)
    }
}

fn parse_full<E: RecordedEvent>(line: &[u8]) -> Option<ShapedEvent<E>> {
    if let Some(canonical) = parse_canonical_record(line)
        && line[canonical.length..] == *b"\n"
    {
        let shape = TextShape::Canonical(canonical.unlinked_length);
        return Some((EventLine::Full(canonical.record), shape));
    }
    let (record, brackets) = parse_bracketed(line)?;
    Some((EventLine::Full(record), TextShape::Brackets(brackets)))
}

fn parse_compact<E: RecordedEvent>(line: &[u8]) -> Option<ShapedEvent<E>> {
    if let Some((event, length)) = parse_compact_line(line) {
        return Some((EventLine::Compact(event), TextShape::Canonical(length)));
    }
    let (record, brackets): WithBrackets<CompactRecord<E>> = parse_bracketed(line)?;
    Some((
        EventLine::Compact(record.event),
        TextShape::Brackets(brackets),
    ))
}

fn parse_bracketed<T: DeserializeOwned>(line: &[u8]) -> Option<WithBrackets<T>> {
    let record = serde_json::from_slice(line).ok()?;
    Some((record, Brackets::count_in(line)))
}

/// Returns true if a line is an object with the field `end`.
fn is_end(line: &[u8]) -> bool {
    let tree = serde_json::from_slice::<DataTree>(line);
    tree.is_ok_and(|tree| tree.field("end").is_some())
}

/// Returns true if a line has the fields of an event, in either form.
fn is_event(line: &[u8]) -> bool {
    is_compact(line) || parse_bracketed::<Record<IgnoredAny>>(line).is_some()
}

/// Error for a line that is not a `T`.
fn line_error<T: DeserializeOwned>(line: &[u8], at: Position) -> ReadError {
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
        return fault(at, RecordError::NotOneRecord);
    }
    // A fault at the line feed must be reported on this line.
    match parse_record::<T>(line.trim_ascii_end(), at) {
        Ok(_) => fault(at, RecordError::WrongType),
        Err(error) => error.into(),
    }
}

fn fault(at: Position, problem: RecordError) -> ReadError {
    Fault::new(at, problem).into()
}
