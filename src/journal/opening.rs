//! The beginning of a journal's file: what it is, and its header.

use super::fault::{Code, Fault, Position, ReadError};
use super::parse::{ParseError, bad_field, parse};
use super::splitter::Splitter;
use super::v1::{self, HeaderRecord, Unliftable};
use crate::i18n::{Message, Text};
use serde::Deserialize;
use serde::de::IgnoredAny;
use std::io::Read;

/// The name of the field that follows the header.
const EVENTS: &[u8] = b"\"events\"";

/// Takes the header, up to the first event.
pub(super) fn take_header<R: Read>(splitter: &mut Splitter<R>) -> Result<HeaderRecord, ReadError> {
    let at = splitter.position();
    splitter.peek()?;
    match splitter.buffered() {
        [0xef, 0xbb, 0xbf, ..] => return Err(fault(at, Message::JOURNAL_BOM)),
        [0xfe, 0xff, ..] | [0xff, 0xfe, ..] => return Err(fault(at, Message::JOURNAL_UTF16)),
        _ => {}
    }
    match splitter.peek_token()? {
        None => return Err(fault(at, Message::JOURNAL_EMPTY)),
        Some(b'{') => {}
        Some(_) => return Err(other_value(splitter)?),
    }
    let after = take_fields(splitter)?;
    let at = splitter.taken_at();
    let end = splitter.position();
    let text = splitter.taken();
    let cut = matches!(after, After::Nothing);
    match parse::<IgnoredAny>(text, at) {
        Err(ParseError::CutOff(_)) if cut => {}
        parsed => drop(parsed?),
    }
    if cut {
        return Err(cut_header(text, at, end));
    }
    check_format(text, at)?;
    let record: HeaderRecord = parse(text, at)?;
    if matches!(after, After::Events) {
        return Ok(record);
    }
    let reason = Text::new(Message::FIELD_MISSING).with("name", "events");
    Err(bad_field(end, reason).into())
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

/// Takes the header's fields, and makes them an object of their own.
fn take_fields<R: Read>(splitter: &mut Splitter<R>) -> Result<After, ReadError> {
    splitter.begin();
    splitter.take();
    let mut fields_end = splitter.taken().len();
    loop {
        match splitter.peek_token()? {
            None => return Ok(After::Nothing),
            Some(b'}') => {
                splitter.take();
                return Ok(After::NoEvents);
            }
            Some(b',') => {
                splitter.take();
                splitter.peek_token()?;
            }
            Some(_) => {}
        }
        let key_start = splitter.taken().len();
        if splitter.peek()?.is_none() || splitter.take_value()?.is_none() {
            return Ok(After::Nothing);
        }
        let is_events = &splitter.taken()[key_start..] == EVENTS;
        if splitter.peek_token()? == Some(b':') {
            splitter.take();
            let value = splitter.peek_token()?;
            if is_events && value == Some(b'[') {
                splitter.take();
                splitter.taken().truncate(fields_end);
                splitter.taken().push(b'}');
                return Ok(After::Events);
            }
            if value.is_none() || splitter.take_value()?.is_none() {
                return Ok(After::Nothing);
            }
        }
        fields_end = splitter.taken().len();
    }
}

/// What to say of a file that ends inside its first object.
fn cut_header(text: &[u8], at: Position, end: Position) -> ReadError {
    const START: &[u8] = b"{\"format\":\"war-journal\"";
    let mut compact = text.to_vec();
    compact.retain(|byte| !byte.is_ascii_whitespace());
    if !compact.starts_with(START) && !START.starts_with(&compact) {
        return no_journal(at);
    }
    let events = text.windows(EVENTS.len()).rposition(|part| part == EVENTS);
    let fields = &text[..events.unwrap_or(text.len())];
    if let Err(ParseError::Fault(fault)) = parse::<HeaderRecord>(fields, at) {
        return fault.into();
    }
    let text = Text::new(Message::JOURNAL_HEADER_CUT);
    Fault::new(Code::CutOff, end, text).into()
}

/// What to say of a file whose first value is no object.
fn other_value<R: Read>(splitter: &mut Splitter<R>) -> Result<ReadError, ReadError> {
    splitter.begin();
    let at = splitter.position();
    // A number may end with the file: whether the value is whole, parsing will show.
    let _ = splitter.take_value()?;
    Ok(match parse::<IgnoredAny>(splitter.taken(), at) {
        Ok(_) => no_journal(at),
        Err(_) => fault(at, Message::JOURNAL_NOT_JSON),
    })
}

/// Sees that the document says it is a journal of this version.
fn check_format(text: &[u8], at: Position) -> Result<(), ReadError> {
    #[derive(Deserialize)]
    struct Claim {
        format: Option<serde_json::Value>,
        version: Option<serde_json::Value>,
    }
    let claim: Claim = parse(text, at)?;
    if claim.format != Some(v1::FORMAT.into()) {
        return Err(no_journal(at));
    }
    match claim.version {
        Some(version) if version.is_u64() && version != v1::VERSION => {
            let text = Text::new(Message::JOURNAL_VERSION)
                .with("version", version.to_string())
                .with("known", v1::VERSION.to_string());
            Err(Fault::new(Code::Version, at, text).into())
        }
        _ => Ok(()),
    }
}

/// What to say of a header that reads well and is not understood.
pub(super) fn unliftable(error: Unliftable, at: Position) -> ReadError {
    let (code, text) = match error {
        Unliftable::UnknownRules(id) => {
            let text = Text::new(Message::JOURNAL_UNKNOWN_RULES);
            (Code::Version, text.with("rules", id))
        }
        Unliftable::UnknownGenerator(name) => {
            let text = Text::new(Message::JOURNAL_UNKNOWN_GENERATOR);
            (Code::Version, text.with("generator", name))
        }
        Unliftable::BadSeed(seed) => {
            let text = Text::new(Message::JOURNAL_BAD_SEED);
            (Code::Field, text.with("seed", seed))
        }
        Unliftable::UnknownLanguage(lang) => {
            let text = Text::new(Message::JOURNAL_UNKNOWN_LANGUAGE);
            (Code::Field, text.with("lang", lang))
        }
        Unliftable::BadDeal => (Code::Field, Text::new(Message::JOURNAL_DEAL_KIND)),
        Unliftable::BadCorrection => {
            let text = Text::new(Message::JOURNAL_BAD_CORRECTION);
            (Code::Field, text)
        }
    };
    Fault::new(code, at, text).into()
}

fn no_journal(at: Position) -> ReadError {
    Fault::new(Code::NoJournal, at, Text::new(Message::JOURNAL_OTHER_JSON)).into()
}

fn fault(at: Position, message: Message) -> ReadError {
    Fault::new(Code::NotJson, at, Text::new(message)).into()
}
