//! Reads the header of a journal, and recognizes files that are not journals.

use super::digest::Chain;
use super::fault::{Fault, Position, ReadError};
use super::parse::{ParseError, classify_fault, parse_record};
use super::problem::{FileError, HeaderError, Problem, RecordError};
use super::splitter::{Line, Splitter, take_line};
use super::versions::VersionedHeader;
use super::{v1, v2};
use crate::rules::{Rulebook, RulesId};
use crate::support::encoding::{UTF16_START, is_utf16};
use crate::support::fields::{DataTree, FieldError};
use serde::Deserialize;
use serde::de::{DeserializeOwned, IgnoredAny};

/// The field that follows the header.
const EVENTS: &str = "events";

/// Reads the header of either version: the fields before the events, or the first line.
///
/// The rules may be editions or come from `book`.
pub(super) fn read_header(
    splitter: &mut Splitter<'_>,
    book: &Rulebook,
) -> Result<VersionedHeader, ReadError> {
    let header = take_header(splitter, book);
    if !starts_as_v2(splitter.taken_bytes_mut()) || matches!(header, Err(ReadError::Io(_))) {
        return header;
    }
    // Without a line feed, the first line was cut off, whatever its last bytes are.
    let is_torn =
        !splitter.taken_bytes_mut().contains(&b'\n') && take_line(splitter)? == Line::Torn;
    if is_torn {
        return Err(fault(splitter.position(), HeaderError::CutOff));
    }
    header
}

fn take_header(splitter: &mut Splitter<'_>, book: &Rulebook) -> Result<VersionedHeader, ReadError> {
    check_object(splitter)?;
    let ending = take_fields(splitter)?;
    let at = splitter.taken_start();
    let end = splitter.position();
    let text = splitter.taken_bytes_mut();
    match (parse_record::<IgnoredAny>(text, at), &ending) {
        (Err(ParseError::CutOff(_)), Ending::CutOff { .. }) => {}
        (parsed, _) => drop(parsed?),
    }
    let claim = Claim::parse(text, &ending, at)?;
    claim.check_known(at, book)?;
    let is_v2 = claim.is_of(v2::VERSION);
    match ending {
        Ending::CutOff { .. } if is_v2 => Err(cut_off_error::<v2::HeaderLine>(text, at, end)),
        Ending::CutOff { .. } => Err(cut_off_error::<v1::HeaderRecord>(text, at, end)),
        Ending::Closed if is_v2 => take_first_line(splitter).map(VersionedHeader::V2),
        Ending::Events if claim.is_of(v1::VERSION) => {
            parse_header(text, at).map(VersionedHeader::V1)
        }
        Ending::Events => Err(fault(end, RecordError::from(FieldError::unknown(EVENTS)))),
        Ending::Closed => {
            let _: v1::HeaderRecord = parse_header(text, at)?;
            let missing = FieldError::Missing(EVENTS.to_owned());
            Err(fault(end, RecordError::from(missing)))
        }
    }
}

/// Checks that the first value of the file is an object, without taking it.
fn check_object(splitter: &mut Splitter<'_>) -> Result<(), ReadError> {
    let at = splitter.position();
    splitter.fill_buffer(UTF16_START)?;
    match splitter.buffered_bytes() {
        [0xef, 0xbb, 0xbf, ..] => return Err(fault(at, FileError::ByteOrderMark)),
        start if is_utf16(start) => return Err(fault(at, FileError::Utf16)),
        _ => {}
    }
    match splitter.peek_after_whitespace()? {
        None => Err(fault(at, FileError::Empty)),
        Some(b'{') => Ok(()),
        Some(_) => Err(other_value_error(splitter)?),
    }
}

/// Parses a header, which a newer program may have written.
fn parse_header<T: DeserializeOwned>(text: &[u8], at: Position) -> Result<T, ReadError> {
    parse_record(text, at).map_err(|error| match error {
        ParseError::Fault(fault) => classify_fault(fault, &Chain::default(), text).into(),
        cut @ ParseError::CutOff(_) => cut.into(),
    })
}

/// Takes the rest of the first line, and parses it as a header of version 2.
fn take_first_line(splitter: &mut Splitter<'_>) -> Result<v2::HeaderLine, ReadError> {
    let at = splitter.taken_start();
    let fields = splitter.taken_bytes_mut().len();
    if splitter.taken_bytes_mut().contains(&b'\n') {
        return Err(fault(at, RecordError::NotOneRecord));
    }
    match take_line(splitter)? {
        Line::Torn => return Err(fault(splitter.position(), HeaderError::CutOff)),
        Line::TooLong => return Err(fault(at, RecordError::HeaderTooLong)),
        Line::Whole => {}
    }
    if !splitter.taken_bytes_mut()[fields..].trim_ascii().is_empty() {
        return Err(fault(at, RecordError::NotOneRecord));
    }
    let record: v2::HeaderLine = parse_header(splitter.taken_bytes_mut(), at)?;
    record
        .check_meta()
        .map_err(|error| fault(at, HeaderError::from(error)))?;
    Ok(record)
}

/// End of a header's fields.
enum Ending {
    /// The opening bracket of the events.
    Events,
    /// The closing brace of the object.
    Closed,
    /// The end of the file.
    CutOff {
        /// Length of the complete fields, in bytes.
        whole: usize,
    },
}

/// Takes the fields of the header. If the events follow, the text taken is closed as an object
/// without them.
fn take_fields(splitter: &mut Splitter<'_>) -> Result<Ending, ReadError> {
    splitter.begin_value();
    splitter.take_byte();
    loop {
        let whole = splitter.taken_bytes_mut().len();
        match splitter.peek_after_whitespace()? {
            Some(b'}') => {
                splitter.take_byte();
                return Ok(Ending::Closed);
            }
            Some(b',') => {
                splitter.take_byte();
                splitter.peek_after_whitespace()?;
            }
            _ => {}
        }
        match take_field(splitter)? {
            Field::Whole => {}
            Field::CutOff => return Ok(Ending::CutOff { whole }),
            Field::Events => {
                splitter.taken_bytes_mut().truncate(whole);
                splitter.taken_bytes_mut().push(b'}');
                return Ok(Ending::Events);
            }
            Field::EventsCutOff => {
                splitter.taken_bytes_mut().truncate(whole);
                return Ok(Ending::CutOff { whole });
            }
        }
    }
}

/// A field that was taken.
enum Field {
    Whole,
    /// Field inside which the file ends.
    CutOff,
    /// The name of the events, which are not part of the header, and their opening bracket.
    Events,
    /// The name of the events; the file ends before the bracket.
    EventsCutOff,
}

/// Takes a field, which may be malformed; parsing the header reveals that.
fn take_field(splitter: &mut Splitter<'_>) -> Result<Field, ReadError> {
    let start = splitter.taken_bytes_mut().len();
    if splitter.take_value()?.is_none() {
        return Ok(Field::CutOff);
    }
    let name: Result<String, _> = serde_json::from_slice(&splitter.taken_bytes_mut()[start..]);
    let is_events = name.is_ok_and(|name| name == EVENTS);
    let colon = splitter.peek_after_whitespace()?;
    if colon == Some(b':') {
        splitter.take_byte();
    }
    match splitter.peek_after_whitespace()? {
        None if is_events => Ok(Field::EventsCutOff),
        None => Ok(Field::CutOff),
        _ if colon != Some(b':') => Ok(Field::Whole),
        Some(b'[') if is_events => {
            splitter.take_byte();
            Ok(Field::Events)
        }
        Some(_) => {
            let value = splitter.take_value()?;
            Ok(value.map_or(Field::CutOff, |()| Field::Whole))
        }
    }
}

/// Error for a file that ends inside its header: a fault before that end takes precedence.
fn cut_off_error<T: DeserializeOwned>(text: &[u8], at: Position, end: Position) -> ReadError {
    match parse_record::<T>(text, at) {
        Err(ParseError::Fault(fault)) => fault.into(),
        _ => fault(end, HeaderError::CutOff),
    }
}

/// Error for a file whose first value is not an object.
fn other_value_error(splitter: &mut Splitter<'_>) -> Result<ReadError, ReadError> {
    splitter.begin_value();
    let at = splitter.position();
    splitter.fill_buffer(LONGEST_LATER_START)?;
    if starts_in_the_middle(splitter.buffered_bytes()) {
        return Ok(fault(at, FileError::NoBeginning { is_json: false }));
    }
    // A number may end with the file, so only parsing shows if the value is complete.
    let _ = splitter.take_value()?;
    Ok(
        match parse_record::<IgnoredAny>(splitter.taken_bytes_mut(), at) {
            Ok(_) => other_json(at),
            Err(_) => fault(at, FileError::NotJson),
        },
    )
}

/// Format, version and rules that a document claims to have.
#[derive(Deserialize)]
struct Claim {
    format: Option<serde_json::Value>,
    version: Option<serde_json::Value>,
    rules: Option<serde_json::Value>,
}

impl Claim {
    /// Parses the claim of a journal, or only its complete fields if the file was cut off.
    fn parse(text: &[u8], ending: &Ending, at: Position) -> Result<Self, ReadError> {
        if let Ending::CutOff { whole } = *ending {
            if !starts_as_journal(text) {
                return Err(other_json(at));
            }
            return Ok(parse_record(&[&text[..whole], b"}"].concat(), at)?);
        }
        let claim: Self = parse_record(text, at)?;
        if claim.format == Some(v1::FORMAT.into()) {
            return Ok(claim);
        }
        Err(match ending {
            Ending::Events if is_sorted(text) => fault(at, RecordError::NotCanonical),
            Ending::Closed if is_record(text) => {
                fault(at, FileError::NoBeginning { is_json: true })
            }
            _ => other_json(at),
        })
    }

    fn is_of(&self, version: u32) -> bool {
        self.version == Some(version.into())
    }

    /// Checks that this program supports the version and the rules, before anything else of the
    /// header is judged by them.
    fn check_known(&self, at: Position, book: &Rulebook) -> Result<(), ReadError> {
        let known = self.is_of(v1::VERSION) || self.is_of(v2::VERSION);
        match &self.version {
            Some(version) if version.is_u64() && !known => {
                let (version, known) = (version.to_string(), v2::VERSION);
                return Err(fault(at, HeaderError::Version { version, known }));
            }
            _ => {}
        }
        let id = self.rules.as_ref().and_then(|rules| rules.get("id"));
        match id.and_then(serde_json::Value::as_str) {
            Some(id) if v1::is_known_rules_id(id) || book.find(id).is_some() => Ok(()),
            Some(id) if id.parse::<RulesId>().is_ok() => {
                Err(fault(at, HeaderError::ForeignRules(id.to_owned())))
            }
            Some(id) => Err(fault(at, HeaderError::UnknownRules(id.to_owned()))),
            None => Ok(()),
        }
    }
}

fn other_json(at: Position) -> ReadError {
    fault(at, FileError::OtherJson)
}

fn fault(at: Position, problem: impl Into<Problem>) -> ReadError {
    Fault::new(at, problem).into()
}

/// Tokens that every journal starts with.
const START: [&str; 4] = ["{", "\"format\"", ":", "\"war-journal\""];

/// Returns true if a text starts as a journal, or ends too early to tell.
fn starts_as_journal(text: &[u8]) -> bool {
    strip_tokens(text, &START).map_or_else(|is_cut_off| is_cut_off, |_| true)
}

fn starts_as_v2(text: &[u8]) -> bool {
    let rest = strip_tokens(text, &START);
    let rest = rest.and_then(|rest| strip_tokens(rest, &[",", "\"version\"", ":", "2", ","]));
    rest.is_ok()
}

/// Strips tokens from the start of a text. The error is true if the text ends inside them.
fn strip_tokens<'a>(mut text: &'a [u8], parts: &[&str]) -> Result<&'a [u8], bool> {
    for part in parts.iter().map(|part| part.as_bytes()) {
        text = text.trim_ascii_start();
        text = text
            .strip_prefix(part)
            .ok_or_else(|| part.starts_with(text))?;
    }
    Ok(text)
}

/// Recognizes the fields before the events in a journal whose fields were sorted by name, which
/// moves the format and others after the events.
fn is_sorted(text: &[u8]) -> bool {
    const NAMES: [&str; 6] = ["chain", "console", "deal", "deck", "end", "engine"];
    let tree = serde_json::from_slice::<DataTree>(text);
    tree.is_ok_and(|tree| tree.fields().iter().map(|(name, _)| name).eq(NAMES.iter()))
}

/// Recognizes a record that follows the header of a journal, in either version.
fn is_record(text: &[u8]) -> bool {
    fn is<T: DeserializeOwned>(text: &[u8]) -> bool {
        serde_json::from_slice::<T>(text).is_ok()
    }
    is::<v1::Record<DataTree>>(text)
        || is::<v2::CompactRecord<DataTree>>(text)
        || is::<v2::EndLine>(text)
}

/// Starts of the lines after the first event of version 1: of further events, and of the end.
const LATER_STARTS: [&[u8]; 2] = [b",{\"seq\":", b"],\"end\":{"];

const LONGEST_LATER_START: usize = LATER_STARTS[1].len();

/// Returns true if a text starts with a later line of version 1.
fn starts_in_the_middle(text: &[u8]) -> bool {
    LATER_STARTS.iter().any(|start| text.starts_with(start))
}

#[cfg(test)]
mod tests {
    use super::{
        FileError, Problem, ReadError, Rulebook, Splitter, read_header, starts_as_journal,
    };
    use std::io::Read as _;

    #[test]
    fn the_middle_of_a_document_is_recognized_however_its_bytes_are_split() {
        for text in [&b"],\"end\":{"[..], b",{\"seq\":1"] {
            for at in 0..text.len() {
                let pieces = text[..at].chain(&text[at..]);
                let header = read_header(&mut Splitter::new(pieces), &Rulebook::default());
                let Err(ReadError::Fault(fault)) = header else {
                    panic!("a fault of {}", text.escape_ascii());
                };
                let problem = Problem::from(FileError::NoBeginning { is_json: false });
                assert_eq!(
                    fault.problem,
                    problem,
                    "{at} bytes of {}",
                    text.escape_ascii()
                );
            }
        }
    }

    #[test]
    fn a_byte_order_mark_is_reported() {
        for (start, named) in [
            (&b"\xef\xbb\xbf{}"[..], "byte-order mark"),
            (b"\xfe\xff\0{\0}", "not UTF-8"),
            (b"\xff\xfe{\0}\0", "not UTF-8"),
        ] {
            for at in 0..start.len() {
                let pieces = start[..at].chain(&start[at..]);
                let header = read_header(&mut Splitter::new(pieces), &Rulebook::default());
                let Err(ReadError::Fault(fault)) = header else {
                    panic!("a fault of {}", start.escape_ascii());
                };
                let problem = fault.problem.to_string();
                assert!(problem.contains(named), "{problem}");
            }
        }
    }

    #[test]
    fn a_journal_can_be_cut_off_anywhere_in_its_format() {
        let text = b"{ \"format\" :\n\"war-journal\" , \"version\"";
        for length in 1..=text.len() {
            assert!(starts_as_journal(&text[..length]), "{length} bytes");
        }
    }

    #[test]
    fn another_format_is_not_a_journal_even_when_cut_off() {
        for text in [
            &b"{\"version"[..],
            b"{\"format\",",
            b"{\"for mat\":\"war-journal\"",
            b"{\"format\":\"war- journal\"",
            b"{\"format\":\"war-journalist",
        ] {
            assert!(!starts_as_journal(text), "{}", text.escape_ascii());
        }
    }
}
