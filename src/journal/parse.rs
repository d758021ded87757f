use super::fault::{Code, Fault, Position, ReadError};
use crate::i18n::{Message, Text, serde_text};
use serde::de::DeserializeOwned;
use serde_json::error::Category;

/// Why a record could not be parsed.
pub(super) enum ParseError {
    /// It ends too early, and is sound so far.
    CutOff(Fault),
    /// It is wrong.
    Fault(Fault),
}

impl From<ParseError> for ReadError {
    fn from(error: ParseError) -> Self {
        let (ParseError::CutOff(fault) | ParseError::Fault(fault)) = error;
        fault.into()
    }
}

/// Parses a record that stands at a place of the file.
pub(super) fn parse<T: DeserializeOwned>(text: &[u8], start: Position) -> Result<T, ParseError> {
    serde_json::from_slice(text).map_err(|error| {
        let line = error.line() as u64;
        let column = error.column() as u64;
        let at = Position {
            line: start.line + line.saturating_sub(1),
            column: if line <= 1 {
                start.column + column.saturating_sub(1)
            } else {
                column
            },
        };
        let reason = error.to_string();
        // The library ends its messages with the place in the record, not in the file.
        let reason = reason.split(" at line ").next().unwrap_or_default();
        let text = match error.classify() {
            Category::Data => return ParseError::Fault(bad_field(at, serde_text(reason))),
            _ => Text::new(Message::JOURNAL_SYNTAX),
        };
        let fault = Fault::new(Code::NotJson, at, text);
        match error.classify() {
            Category::Eof => ParseError::CutOff(fault),
            _ => ParseError::Fault(fault),
        }
    })
}

/// A field that is not as it should be.
pub(super) fn bad_field(at: Position, reason: Text) -> Fault {
    let text = Text::new(Message::JOURNAL_FIELD).with("reason", reason);
    Fault::new(Code::Field, at, text)
}

/// Sees that a record as found has the brackets of its canonical form.
///
/// The parser takes lists for objects (`[1,11]` for a play); the format does not.
pub(super) fn check_brackets(
    found: Brackets,
    canonical: &[u8],
    at: Position,
) -> Result<(), ReadError> {
    if found == Brackets::of(canonical) {
        return Ok(());
    }
    let reason = Text::new(Message::FIELD_SHAPE);
    Err(bad_field(at, reason).into())
}

/// How many objects and lists open in a text.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Brackets {
    objects: usize,
    lists: usize,
}

impl Brackets {
    pub(super) fn of(text: &[u8]) -> Self {
        // Counting in bytes, as many as one holds, lets the compiler count many at once.
        let count = |bracket: u8| {
            let some = |bytes: &[u8]| {
                bytes
                    .iter()
                    .map(|&byte| u8::from(byte == bracket))
                    .sum::<u8>()
            };
            text.chunks(255).map(some).map(usize::from).sum()
        };
        Self {
            objects: count(b'{'),
            lists: count(b'['),
        }
    }
}
