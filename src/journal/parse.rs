use super::digest::Chain;
use super::fault::{Fault, Position, ReadError};
use super::problem::{Problem, RecordError};
use super::v1;
use crate::support::fields::{DataTree, FieldError};
use serde::de::{DeserializeOwned, IgnoredAny};
use serde_json::error::Category;

/// Error of a record that could not be parsed.
pub(super) enum ParseError {
    /// Record that ends too early, and is valid so far.
    CutOff(Fault),
    /// Invalid record.
    Fault(Fault),
}

impl From<ParseError> for ReadError {
    fn from(error: ParseError) -> Self {
        let (ParseError::CutOff(fault) | ParseError::Fault(fault)) = error;
        fault.into()
    }
}

/// Parses a record that starts at this place of the file.
pub(super) fn parse_record<T: DeserializeOwned>(
    text: &[u8],
    start: Position,
) -> Result<T, ParseError> {
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
        let problem = match error.classify() {
            Category::Eof => return ParseError::CutOff(Fault::new(at, RecordError::Syntax)),
            Category::Data => data_error::<T>(text),
            // serde_json also reports a value of the wrong kind as a syntax error.
            _ if is_json_prefix(text) => RecordError::WrongType,
            _ => RecordError::Syntax,
        };
        ParseError::Fault(Fault::new(at, problem))
    })
}

/// Error of JSON that is not a `T`. If its syntax is broken further on, the error can't be more
/// precise than [`RecordError::WrongType`].
fn data_error<T: DeserializeOwned>(text: &[u8]) -> RecordError {
    let Ok(tree) = serde_json::from_slice::<DataTree>(text) else {
        return RecordError::WrongType;
    };
    match tree.check::<T>() {
        Ok(()) => RecordError::WrongType,
        Err(FieldError::Rule(rule)) => {
            let broken = v1::find_invalid_value(&tree);
            broken.unwrap_or_else(|| FieldError::Rule(rule).into())
        }
        Err(error) => error.into(),
    }
}

/// Returns true if a text is JSON, or the start of JSON.
pub(super) fn is_json_prefix(text: &[u8]) -> bool {
    // The parser doesn't validate the text that it skips.
    if let Err(error) = std::str::from_utf8(text)
        && error.error_len().is_some()
    {
        return false;
    }
    serde_json::from_slice::<IgnoredAny>(text).map_or_else(|error| error.is_eof(), |_| true)
}

/// Checks that a record has the brackets of its canonical form.
///
/// Serde accepts lists for structs (`[1,11]` for a play); the format does not.
pub(super) fn check_brackets(
    found: Brackets,
    canonical: &[u8],
    at: Position,
) -> Result<(), ReadError> {
    if found == Brackets::count_in(canonical) {
        return Ok(());
    }
    Err(Fault::new(at, RecordError::ListForObject).into())
}

/// Number of opening brackets in a text, including those in its strings.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Brackets {
    objects: usize,
    lists: usize,
}

impl Brackets {
    pub(super) fn count_in(text: &[u8]) -> Self {
        // Counting in a `u8`, in chunks that can't overflow it, lets the compiler vectorize.
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

    /// Counts the brackets that are escaped in strings, which the canonical form never contains.
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

/// Field that links a record to the previous one.
const CHAIN: &str = "chain";

/// Classifies the fault of a record with an unknown name: either a newer program wrote the record,
/// or the record is damaged.
///
/// The canonical form of such a record is unknown. If its link is right for the text as it is, the
/// recorder wrote the name, and the recorder is newer.
pub(super) fn classify_fault(fault: Fault, chain: &Chain, text: &[u8]) -> Fault {
    match &fault.problem {
        Problem::Record(RecordError::Field(
            error @ (FieldError::Unknown(_) | FieldError::UnknownValue(_)),
        )) if has_valid_link(chain, text) => {
            Fault::new(fault.at, RecordError::NewerVersion(error.clone()))
        }
        _ => fault,
    }
}

/// Returns true if a record has the right link for its text as compact JSON, with its fields in the
/// order of the text.
fn has_valid_link(chain: &Chain, text: &[u8]) -> bool {
    let Ok(DataTree::Object(fields)) = serde_json::from_slice(text) else {
        return false;
    };
    let (links, fields): (Vec<_>, Vec<_>) = fields.into_iter().partition(|(name, _)| name == CHAIN);
    let [(_, DataTree::Text(link))] = &links[..] else {
        return false;
    };
    let link = link.parse().ok();
    link.is_some() && link == chain.preview_link(&DataTree::Object(fields))
}

#[cfg(test)]
mod tests {
    use super::{ParseError, Position, parse_record};

    #[test]
    fn a_fault_is_reported_at_its_place_in_the_file() {
        for (text, line, column) in [("[1, x]", 3, 14), ("[1,\n x]", 4, 2), ("[1,\n2,\n", 5, 0)] {
            let start = Position {
                line: 3,
                column: 10,
            };
            let Err(ParseError::CutOff(fault) | ParseError::Fault(fault)) =
                parse_record::<Vec<u8>>(text.as_bytes(), start)
            else {
                panic!("{text} is no list of numbers");
            };
            assert_eq!(fault.at, Position { line, column }, "{text}");
        }
    }
}
