//! The beginning of a journal's file: what it is, and its header.

use super::fault::{Fault, Position, ReadError};
use super::parse::{ParseError, parse};
use super::problem::{FileError, HeaderError, Problem, RecordError};
use super::splitter::Splitter;
use super::v1::{self, HeaderRecord};
use crate::fields::FieldError;
use serde::Deserialize;
use serde::de::IgnoredAny;
use std::io::Read;

/// The name of the field that follows the header.
const EVENTS: &str = "events";

/// Takes the header, up to the first event.
pub(super) fn take_header<R: Read>(splitter: &mut Splitter<R>) -> Result<HeaderRecord, ReadError> {
    let at = splitter.position();
    splitter.peek()?;
    match splitter.buffered() {
        [0xef, 0xbb, 0xbf, ..] => return Err(fault(at, FileError::ByteOrderMark)),
        [0xfe, 0xff, ..] | [0xff, 0xfe, ..] => return Err(fault(at, FileError::Utf16)),
        _ => {}
    }
    match splitter.peek_significant()? {
        None => return Err(fault(at, FileError::Empty)),
        Some(b'{') => {}
        Some(_) => return Err(other_value(splitter)?),
    }
    let (after, whole) = take_fields(splitter)?;
    let at = splitter.taken_at();
    let end = splitter.position();
    let text = splitter.taken();
    let cut = matches!(after, After::Nothing);
    match parse::<IgnoredAny>(text, at) {
        Err(ParseError::CutOff(_)) if cut => {}
        parsed => drop(parsed?),
    }
    if cut {
        return Err(cut_header(text, whole, at, end));
    }
    let claim = Claim::of(text, at)?;
    if !claim.is_journal() {
        return Err(no_journal(at));
    }
    claim.check_known(at)?;
    let record: HeaderRecord = parse(text, at)?;
    if matches!(after, After::Events) {
        return Ok(record);
    }
    let missing = FieldError::Missing(EVENTS.to_owned());
    Err(fault(end, RecordError::from(missing)))
}

/// What follows the fields of a header.
enum After {
    /// The list of events.
    Events,
    /// The end of the object.
    NoEvents,
    /// The end of the file.
    Nothing,
}

/// Takes the header's fields, and makes them an object of their own; with where the last
/// whole field ends.
fn take_fields<R: Read>(splitter: &mut Splitter<R>) -> Result<(After, usize), ReadError> {
    splitter.begin();
    splitter.take();
    let mut fields_end = splitter.taken().len();
    loop {
        match splitter.peek_significant()? {
            None => return Ok((After::Nothing, fields_end)),
            Some(b'}') => {
                splitter.take();
                return Ok((After::NoEvents, fields_end));
            }
            Some(b',') => {
                splitter.take();
                splitter.peek_significant()?;
            }
            Some(_) => {}
        }
        let key_start = splitter.taken().len();
        if splitter.peek()?.is_none() || splitter.take_value()?.is_none() {
            return Ok((After::Nothing, fields_end));
        }
        let key: Result<String, _> = serde_json::from_slice(&splitter.taken()[key_start..]);
        let is_events = key.is_ok_and(|key| key == EVENTS);
        let mut next = splitter.peek_significant()?;
        if next == Some(b':') {
            splitter.take();
            next = splitter.peek_significant()?;
            if is_events && next == Some(b'[') {
                splitter.take();
                splitter.taken().truncate(fields_end);
                splitter.taken().push(b'}');
                return Ok((After::Events, fields_end));
            }
            if next.is_some() && splitter.take_value()?.is_none() {
                return Ok((After::Nothing, fields_end));
            }
        }
        if next.is_none() {
            // The name of the events is not a field of the header.
            if is_events {
                splitter.taken().truncate(fields_end);
            }
            return Ok((After::Nothing, fields_end));
        }
        fields_end = splitter.taken().len();
    }
}

/// What to say about a file that ends inside its first object, of which `whole` bytes are
/// whole fields.
fn cut_header(text: &[u8], whole: usize, at: Position, end: Position) -> ReadError {
    const START: &[u8] = b"{\"format\":\"war-journal\"";
    let mut compact = text.to_vec();
    compact.retain(|byte| !byte.is_ascii_whitespace());
    if !compact.starts_with(START) && !START.starts_with(&compact) {
        return no_journal(at);
    }
    let fields = [&text[..whole], b"}"].concat();
    if let Err(error) = Claim::of(&fields, at).and_then(|claim| claim.check_known(at)) {
        return error;
    }
    if let Err(ParseError::Fault(fault)) = parse::<HeaderRecord>(text, at) {
        return fault.into();
    }
    fault(end, HeaderError::CutOff)
}

/// What to say about a file whose first value is not an object.
fn other_value<R: Read>(splitter: &mut Splitter<R>) -> Result<ReadError, ReadError> {
    splitter.begin();
    let at = splitter.position();
    // A number may end with the file: whether the value is whole, parsing will show.
    let _ = splitter.take_value()?;
    Ok(match parse::<IgnoredAny>(splitter.taken(), at) {
        Ok(_) => no_journal(at),
        Err(_) => fault(at, FileError::NotJson),
    })
}

/// What a document says it is.
#[derive(Deserialize)]
struct Claim {
    format: Option<serde_json::Value>,
    version: Option<serde_json::Value>,
    rules: Option<serde_json::Value>,
}

impl Claim {
    fn of(text: &[u8], at: Position) -> Result<Self, ReadError> {
        Ok(parse(text, at)?)
    }

    fn is_journal(&self) -> bool {
        self.format == Some(v1::FORMAT.into())
    }

    /// Checks that version and rules are those of this program: otherwise nothing else can
    /// be said about them.
    fn check_known(&self, at: Position) -> Result<(), ReadError> {
        match &self.version {
            Some(version) if version.is_u64() && *version != v1::VERSION => {
                let (version, known) = (version.to_string(), v1::VERSION);
                return Err(fault(at, HeaderError::Version { version, known }));
            }
            _ => {}
        }
        let id = self.rules.as_ref().and_then(|rules| rules.get("id"));
        match id.and_then(serde_json::Value::as_str) {
            Some(id) if !v1::knows_rules(id) => {
                Err(fault(at, HeaderError::UnknownRules(id.to_owned())))
            }
            _ => Ok(()),
        }
    }
}

fn no_journal(at: Position) -> ReadError {
    fault(at, FileError::OtherJson)
}

fn fault(at: Position, problem: impl Into<Problem>) -> ReadError {
    Fault::new(at, problem).into()
}
