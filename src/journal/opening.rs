//! The beginning of a journal's file: what it is, and its header.

use super::as_found;
use super::chain::Chain;
use super::fault::{Fault, Position, ReadError};
use super::parse::{ParseError, parse};
use super::problem::{FileError, HeaderError, Problem, RecordError};
use super::splitter::Splitter;
use super::v1::{self, HeaderRecord};
use crate::fields::{FieldError, Tree};
use serde::Deserialize;
use serde::de::IgnoredAny;
use std::io::Read;

/// The name of the field that follows the header.
const EVENTS: &str = "events";

/// The longest mark that a text begins with, in bytes.
const LONGEST_MARK: usize = 3;

/// Takes the header, up to the first event.
pub(super) fn take_header<R: Read>(splitter: &mut Splitter<R>) -> Result<HeaderRecord, ReadError> {
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
        return Err(cut_header(text, whole, at, end));
    }
    let claim = Claim::of(text, at)?;
    if !claim.is_journal() {
        let is_sorted = matches!(ending, Ending::Events) && is_sorted(text);
        return Err(match is_sorted {
            true => fault(at, RecordError::NotCanonical),
            false => no_journal(at),
        });
    }
    claim.check_known(at)?;
    let record: HeaderRecord = match parse(text, at) {
        Err(ParseError::Fault(fault)) => {
            return Err(as_found::judged(fault, &Chain::default(), text).into());
        }
        parsed => parsed?,
    };
    if matches!(ending, Ending::Events) {
        return Ok(record);
    }
    let missing = FieldError::Missing(EVENTS.to_owned());
    Err(fault(end, RecordError::from(missing)))
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
fn take_fields<R: Read>(splitter: &mut Splitter<R>) -> Result<Ending, ReadError> {
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
fn take_field<R: Read>(splitter: &mut Splitter<R>) -> Result<Field, ReadError> {
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
fn cut_header(text: &[u8], whole: usize, at: Position, end: Position) -> ReadError {
    if !begins_journal(text) {
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

/// Whether a text begins as every journal does, with its format, or ends before it can show.
fn begins_journal(text: &[u8]) -> bool {
    let mut rest = text;
    for part in ["{", "\"format\"", ":", "\"war-journal\""].map(str::as_bytes) {
        rest = rest.trim_ascii_start();
        match rest.strip_prefix(part) {
            Some(after) => rest = after,
            None => return part.starts_with(rest),
        }
    }
    true
}

/// Whether these are the fields before the events of a journal with sorted names, where the
/// format and others stand behind the events.
fn is_sorted(text: &[u8]) -> bool {
    const NAMES: [&str; 6] = ["chain", "console", "deal", "deck", "end", "engine"];
    let tree = serde_json::from_slice::<Tree>(text);
    tree.is_ok_and(|tree| tree.fields().iter().map(|(name, _)| name).eq(NAMES.iter()))
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

#[cfg(test)]
mod tests {
    use super::{ReadError, Splitter, begins_journal, take_header};
    use std::io::Read;

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

    #[test]
    fn a_mark_before_the_text_is_named() {
        for (start, named) in [
            (&b"\xef\xbb\xbf{}"[..], "byte-order mark"),
            (b"\xfe\xff\0{\0}", "not UTF-8"),
            (b"\xff\xfe{\0}\0", "not UTF-8"),
        ] {
            for at in 0..start.len() {
                let pieces = start[..at].chain(&start[at..]);
                let Err(ReadError::Fault(fault)) = take_header(&mut Splitter::new(pieces)) else {
                    panic!("a fault of {}", start.escape_ascii());
                };
                let problem = fault.problem.to_string();
                assert!(problem.contains(named), "{problem}");
            }
        }
    }
}
