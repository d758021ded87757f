use super::found::{EventLine, Found, FoundEvent, Shape};
use crate::journal::cut::can_go_on;
use crate::journal::fault::{Fault, Position, ReadError};
use crate::journal::parse::{Brackets, ParseError, parse};
use crate::journal::problem::RecordError;
use crate::journal::splitter::Splitter;
use crate::journal::v1::{EndRecord, Recorded};
use crate::support::fields::FieldError;
use serde::de::DeserializeOwned;
use std::io::Read;

/// Records in one JSON document: the header's fields, the list of events and the end.
pub(in crate::journal) struct Document<R> {
    splitter: Splitter<R>,
    last: Position,
}

impl<R: Read> Document<R> {
    /// The records behind a header.
    pub(super) fn new(mut splitter: Splitter<R>) -> Self {
        let last = splitter.taken_at();
        splitter.end_header();
        Self { splitter, last }
    }

    /// Where the record read last begins.
    pub(super) const fn position(&self) -> Position {
        self.last
    }

    /// Where reading has come to.
    pub(super) const fn reached(&self) -> Position {
        self.splitter.position()
    }

    /// The text of the event that was read last.
    pub(super) fn event_text(&mut self) -> &[u8] {
        self.splitter.taken()
    }

    /// The text of the record that was read last and does not fit.
    pub(super) fn taken(&mut self) -> &[u8] {
        self.splitter.taken()
    }

    /// The next event, or `None` where the list ends.
    pub(super) fn event<E: Recorded>(
        &mut self,
        events: u64,
    ) -> Result<Option<FoundEvent<E>>, ReadError> {
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
    pub(super) fn end(&mut self, events: u64) -> Result<Found<EndRecord>, ReadError> {
        if self.splitter.peek_significant()? == Some(b'}') {
            self.close_object(events)?;
            return Err(self.no_end(events));
        }
        self.expect(b',', events)?;
        self.field("end", events)?;
        self.value(RecordError::NoEnd { events })
    }

    /// Sees the document closed, and nothing after it.
    pub(super) fn close(&mut self, events: u64) -> Result<(), ReadError> {
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
