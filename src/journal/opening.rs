//! The beginning of a journal's file: what it is, and its header.

use super::digest::Chain;
use super::fault::{Fault, Position, ReadError};
use super::parse::{ParseError, judged, parse};
use super::problem::{FileError, HeaderError, Problem, RecordError};
use super::splitter::{Line, Splitter, take_line};
use super::{v1, v2};
use crate::rules::{Rulebook, RulesId};
use crate::support::fields::{FieldError, Tree};
use serde::Deserialize;
use serde::de::{DeserializeOwned, IgnoredAny};

/// The name of the field that follows the header.
const EVENTS: &str = "events";

/// The longest mark that a text begins with, in bytes.
const LONGEST_MARK: usize = 3;

/// The header of a file, as its version has it.
pub(super) enum Opened {
    /// A JSON document, up to the first event.
    Document(v1::HeaderRecord),
    /// The first line, with its line feed.
    Lines(v2::HeaderRecord),
}

/// Takes the header. Its rules may be those of this book beside the editions.
pub(super) fn take_header(
    splitter: &mut Splitter<'_>,
    book: &Rulebook,
) -> Result<Opened, ReadError> {
    let opened = take_any_header(splitter, book);
    if !begins_lines(splitter.taken()) || matches!(opened, Err(ReadError::Io(_))) {
        return opened;
    }
    // Whatever a file ends with that has no whole line, it was cut off.
    let is_torn = !splitter.taken().contains(&b'\n') && take_line(splitter)? == Line::Torn;
    if is_torn {
        return Err(fault(splitter.position(), HeaderError::CutOff));
    }
    opened
}

fn take_any_header(splitter: &mut Splitter<'_>, book: &Rulebook) -> Result<Opened, ReadError> {
    let at = splitter.position();
    splitter.read_on(LONGEST_MARK)?;
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
    let ending = take_fields(splitter)?;
    let at = splitter.taken_at();
    let end = splitter.position();
    let text = splitter.taken();
    match (parse::<IgnoredAny>(text, at), &ending) {
        (Err(ParseError::CutOff(_)), Ending::CutOff { .. }) => {}
        (parsed, _) => drop(parsed?),
    }
    if let Ending::CutOff { whole } = ending {
        return Err(cut_header(text, whole, (at, end), book));
    }
    let claim = Claim::of(text, at)?;
    if !claim.is_journal() {
        return Err(match ending {
            Ending::Events if is_sorted(text) => fault(at, RecordError::NotCanonical),
            Ending::Closed if is_record(text) => {
                fault(at, FileError::NoBeginning { is_json: true })
            }
            _ => no_journal(at),
        });
    }
    claim.check_known(at, book)?;
    match ending {
        Ending::Closed if claim.is_of(v2::VERSION) => take_first_line(splitter),
        Ending::Events if claim.is_of(v1::VERSION) => Ok(Opened::Document(parse_header(text, at)?)),
        Ending::Events => Err(fault(end, RecordError::from(FieldError::unknown(EVENTS)))),
        _ => {
            let _: v1::HeaderRecord = parse_header(text, at)?;
            let missing = FieldError::Missing(EVENTS.to_owned());
            Err(fault(end, RecordError::from(missing)))
        }
    }
}

/// Parses a header, which may be a newer program's.
fn parse_header<T: DeserializeOwned>(text: &[u8], at: Position) -> Result<T, ReadError> {
    parse(text, at).map_err(|error| match error {
        ParseError::Fault(fault) => judged(fault, &Chain::default(), text).into(),
        cut @ ParseError::CutOff(_) => cut.into(),
    })
}

/// Takes the rest of the first line, and reads the header that it must be.
fn take_first_line(splitter: &mut Splitter<'_>) -> Result<Opened, ReadError> {
    let at = splitter.taken_at();
    let fields = splitter.taken().len();
    if splitter.taken().contains(&b'\n') {
        return Err(fault(at, RecordError::Line));
    }
    match take_line(splitter)? {
        Line::Torn => return Err(fault(splitter.position(), HeaderError::CutOff)),
        Line::TooLong => return Err(fault(at, RecordError::HeaderTooLong)),
        Line::Whole => {}
    }
    if !splitter.taken()[fields..].trim_ascii().is_empty() {
        return Err(fault(at, RecordError::Line));
    }
    let record: v2::HeaderRecord = parse_header(splitter.taken(), at)?;
    record
        .check_meta()
        .map_err(|error| fault(at, HeaderError::from(error)))?;
    Ok(Opened::Lines(record))
}

/// What ends the fields of a header.
enum Ending {
    /// The list of events, which is open now.
    Events,
    /// The end of the object.
    Closed,
    /// The end of the file.
    CutOff {
        /// How many bytes of the text hold whole fields.
        whole: usize,
    },
}

/// Takes the fields of the header. Where the events follow, what was taken is an object of its
/// own, without them.
fn take_fields(splitter: &mut Splitter<'_>) -> Result<Ending, ReadError> {
    splitter.begin();
    splitter.take();
    loop {
        let whole = splitter.taken().len();
        match splitter.peek_significant()? {
            Some(b'}') => {
                splitter.take();
                return Ok(Ending::Closed);
            }
            Some(b',') => {
                splitter.take();
                splitter.peek_significant()?;
            }
            _ => {}
        }
        match take_field(splitter)? {
            Field::Whole => {}
            Field::CutOff => return Ok(Ending::CutOff { whole }),
            Field::Events => {
                splitter.taken().truncate(whole);
                splitter.taken().push(b'}');
                return Ok(Ending::Events);
            }
            Field::EventsCutOff => {
                splitter.taken().truncate(whole);
                return Ok(Ending::CutOff { whole });
            }
        }
    }
}

/// What there is of a field of the header.
enum Field {
    /// All of it.
    Whole,
    /// As much as the file has.
    CutOff,
    /// The name of the events, which are not a field of the header, and their bracket.
    Events,
    /// The name of the events, and the file ends before the bracket.
    EventsCutOff,
}

/// Takes a field. It may be malformed: parsing the header will show.
fn take_field(splitter: &mut Splitter<'_>) -> Result<Field, ReadError> {
    let start = splitter.taken().len();
    if splitter.take_value()?.is_none() {
        return Ok(Field::CutOff);
    }
    let name: Result<String, _> = serde_json::from_slice(&splitter.taken()[start..]);
    let is_events = name.is_ok_and(|name| name == EVENTS);
    let colon = splitter.peek_significant()?;
    if colon == Some(b':') {
        splitter.take();
    }
    match splitter.peek_significant()? {
        None if is_events => Ok(Field::EventsCutOff),
        None => Ok(Field::CutOff),
        _ if colon != Some(b':') => Ok(Field::Whole),
        Some(b'[') if is_events => {
            splitter.take();
            Ok(Field::Events)
        }
        Some(_) => {
            let value = splitter.take_value()?;
            Ok(value.map_or(Field::CutOff, |()| Field::Whole))
        }
    }
}

/// What to say about a file that ends inside its header, of which `whole` bytes are whole fields.
fn cut_header(
    text: &[u8],
    whole: usize,
    (at, end): (Position, Position),
    book: &Rulebook,
) -> ReadError {
    if !begins_journal(text) {
        return no_journal(at);
    }
    let fields = [&text[..whole], b"}"].concat();
    let claim = match Claim::of(&fields, at) {
        Ok(claim) => claim,
        Err(error) => return error,
    };
    if let Err(error) = claim.check_known(at, book) {
        return error;
    }
    let sound = if claim.is_of(v2::VERSION) {
        parse::<v2::HeaderRecord>(text, at).map(drop)
    } else {
        parse::<v1::HeaderRecord>(text, at).map(drop)
    };
    if let Err(ParseError::Fault(fault)) = sound {
        return fault.into();
    }
    fault(end, HeaderError::CutOff)
}

/// What to say about a file whose first value is not an object.
fn other_value(splitter: &mut Splitter<'_>) -> Result<ReadError, ReadError> {
    splitter.begin();
    let at = splitter.position();
    splitter.read_on(MIDDLE)?;
    if begins_in_the_middle(splitter.buffered()) {
        return Ok(fault(at, FileError::NoBeginning { is_json: false }));
    }
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

    fn is_of(&self, version: u32) -> bool {
        self.version == Some(version.into())
    }

    /// Checks that version and rules are those of this program: otherwise nothing else can
    /// be said about them.
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
            Some(id) if v1::knows_rules(id) || book.find(id).is_some() => Ok(()),
            Some(id) if id.parse::<RulesId>().is_ok() => {
                Err(fault(at, HeaderError::OwnRules(id.to_owned())))
            }
            Some(id) => Err(fault(at, HeaderError::UnknownRules(id.to_owned()))),
            None => Ok(()),
        }
    }
}

fn no_journal(at: Position) -> ReadError {
    fault(at, FileError::OtherJson)
}

fn fault(at: Position, problem: impl Into<Problem>) -> ReadError {
    Fault::new(at, problem).into()
}

/// What every journal begins with.
const BEGINNING: [&str; 4] = ["{", "\"format\"", ":", "\"war-journal\""];

/// Whether a text begins as every journal does, with its format, or ends before it can show.
fn begins_journal(text: &[u8]) -> bool {
    behind(text, &BEGINNING).map_or_else(|ends| ends, |_| true)
}

/// Whether a text begins as a journal of version 2 does.
fn begins_lines(text: &[u8]) -> bool {
    let rest = behind(text, &BEGINNING);
    let rest = rest.and_then(|rest| behind(rest, &[",", "\"version\"", ":", "2", ","]));
    rest.is_ok()
}

/// What follows these parts of a text, or whether it ends inside them.
fn behind<'a>(mut text: &'a [u8], parts: &[&str]) -> Result<&'a [u8], bool> {
    for part in parts.iter().map(|part| part.as_bytes()) {
        text = text.trim_ascii_start();
        text = text
            .strip_prefix(part)
            .ok_or_else(|| part.starts_with(text))?;
    }
    Ok(text)
}

/// Whether these are the fields before the events of a journal with sorted names, where the
/// format and others stand behind the events.
fn is_sorted(text: &[u8]) -> bool {
    const NAMES: [&str; 6] = ["chain", "console", "deal", "deck", "end", "engine"];
    let tree = serde_json::from_slice::<Tree>(text);
    tree.is_ok_and(|tree| tree.fields().iter().map(|(name, _)| name).eq(NAMES.iter()))
}

/// Whether this is one of the objects behind the header of a journal, of any version.
fn is_record(text: &[u8]) -> bool {
    fn is<T: DeserializeOwned>(text: &[u8]) -> bool {
        serde_json::from_slice::<T>(text).is_ok()
    }
    is::<v1::Record<Tree>>(text) || is::<v2::CompactRecord<Tree>>(text) || is::<v2::EndRecord>(text)
}

/// What a line of version 1 begins with behind the first event, and the last one.
const MIDDLES: [&[u8]; 2] = [b",{\"seq\":", b"],\"end\":{"];

/// How much of a text shows whether it is the middle of a document: the longest of them.
const MIDDLE: usize = MIDDLES[1].len();

/// Whether a text begins in the middle of a journal of version 1, with a line of it.
fn begins_in_the_middle(text: &[u8]) -> bool {
    MIDDLES.iter().any(|middle| text.starts_with(middle))
}

#[cfg(test)]
mod tests {
    use super::{FileError, Problem, ReadError, Rulebook, Splitter, begins_journal, take_header};
    use std::io::Read as _;

    #[test]
    fn the_middle_of_a_document_is_seen_however_its_bytes_come() {
        for text in [&b"],\"end\":{"[..], b",{\"seq\":1"] {
            for at in 0..text.len() {
                let pieces = text[..at].chain(&text[at..]);
                let taken = take_header(&mut Splitter::new(pieces), &Rulebook::default());
                let Err(ReadError::Fault(fault)) = taken else {
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
    fn a_mark_before_the_text_is_named() {
        for (start, named) in [
            (&b"\xef\xbb\xbf{}"[..], "byte-order mark"),
            (b"\xfe\xff\0{\0}", "not UTF-8"),
            (b"\xff\xfe{\0}\0", "not UTF-8"),
        ] {
            for at in 0..start.len() {
                let pieces = start[..at].chain(&start[at..]);
                let taken = take_header(&mut Splitter::new(pieces), &Rulebook::default());
                let Err(ReadError::Fault(fault)) = taken else {
                    panic!("a fault of {}", start.escape_ascii());
                };
                let problem = fault.problem.to_string();
                assert!(problem.contains(named), "{problem}");
            }
        }
    }

    #[test]
    fn a_journal_may_be_cut_anywhere_in_its_format() {
        let text = b"{ \"format\" :\n\"war-journal\" , \"version\"";
        for length in 1..=text.len() {
            assert!(begins_journal(&text[..length]), "{length} bytes");
        }
    }

    #[test]
    fn another_format_is_no_journal_however_it_is_cut() {
        for text in [
            &b"{\"version"[..],
            b"{\"format\",",
            b"{\"for mat\":\"war-journal\"",
            b"{\"format\":\"war- journal\"",
            b"{\"format\":\"war-journalist",
        ] {
            assert!(!begins_journal(text), "{}", text.escape_ascii());
        }
    }
}
