use super::fault::{Code, Fault, Position, ReadError};
use crate::i18n::{Message, Text, serde_text};
use crate::tokens::TextError;
use serde::de::{DeserializeOwned, IgnoredAny};
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
            Category::Data => return ParseError::Fault(bad_field(at, told(reason))),
            // The library calls it syntax, too, where a value of another kind should stand.
            Category::Syntax if begins_json(text) => {
                return ParseError::Fault(bad_field(at, Text::new(Message::FIELD_UNFIT)));
            }
            _ => Text::new(Message::JOURNAL_SYNTAX),
        };
        let fault = Fault::new(Code::NotJson, at, text);
        match error.classify() {
            Category::Eof => ParseError::CutOff(fault),
            _ => ParseError::Fault(fault),
        }
    })
}

/// What serde says of a record, in any language.
fn told(reason: &str) -> Text {
    let catalogue = [
        (TextError::Name, Message::FIELD_NO_NAME),
        (TextError::ClientSeed, Message::FIELD_NO_CLIENT_SEED),
    ];
    let mut catalogue = catalogue.into_iter();
    let no_words = catalogue.find(|(error, _)| reason == error.to_string());
    no_words.map_or_else(|| serde_text(reason), |(_, message)| Text::new(message))
}

/// Whether a text is JSON, or would be if it went on.
pub(super) fn begins_json(text: &[u8]) -> bool {
    // What is skipped is not looked at as text.
    if let Err(error) = std::str::from_utf8(text)
        && error.error_len().is_some()
    {
        return false;
    }
    serde_json::from_slice::<IgnoredAny>(text).map_or_else(|error| error.is_eof(), |_| true)
}

/// A field that is not as it should be.
pub(super) fn bad_field(at: Position, reason: Text) -> Fault {
    let text = Text::new(Message::JOURNAL_FIELD).with("reason", reason);
    Fault::new(Code::Field, at, text)
}

/// A field whose name is unknown here.
pub(super) fn unknown_field(at: Position, name: &str) -> Fault {
    bad_field(at, serde_text(&format!("unknown field `{name}`")))
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

/// How many opening brackets of objects and of lists a text holds, those in its strings too.
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
        let mut brackets = Self {
            objects: count(b'{'),
            lists: count(b'['),
        };
        if text.contains(&b'\\') {
            brackets.count_escaped(text);
        }
        brackets
    }

    /// Counts the brackets that strings hold as escapes, which the canonical form never does.
    fn count_escaped(&mut self, mut text: &[u8]) {
        while let Some(at) = text.iter().position(|&byte| byte == b'\\') {
            match &text[at + 1..] {
                [b'u', b'0', b'0', b'7', b'b' | b'B', ..] => self.objects += 1,
                [b'u', b'0', b'0', b'5', b'b' | b'B', ..] => self.lists += 1,
                _ => {}
            }
            text = text.get(at + 2..).unwrap_or_default();
        }
    }
}
