use super::digest::Chain;
use super::fault::{Fault, Position, ReadError};
use super::problem::{Problem, RecordError};
use super::v1;
use crate::support::fields::{FieldError, Tree};
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

/// Parses a record that is at a place of the file.
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
        let problem = match error.classify() {
            Category::Eof => return ParseError::CutOff(Fault::new(at, RecordError::Syntax)),
            Category::Data => why::<T>(text),
            // The library calls it syntax, too, where a value of another kind should stand.
            _ if begins_json(text) => RecordError::Unfit,
            _ => RecordError::Syntax,
        };
        ParseError::Fault(Fault::new(at, problem))
    })
}

/// Why a text is not a `T`, whose form is sound up to there. Where it is broken further on, all
/// that can be said is that it does not fit.
fn why<T: DeserializeOwned>(text: &[u8]) -> RecordError {
    let Ok(tree) = serde_json::from_slice::<Tree>(text) else {
        return RecordError::Unfit;
    };
    match tree.check::<T>() {
        Ok(()) => RecordError::Unfit,
        Err(FieldError::Rule(rule)) => {
            let broken = v1::broken_rule(&tree);
            broken.unwrap_or_else(|| FieldError::Rule(rule).into())
        }
        Err(error) => error.into(),
    }
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

/// Checks that a record as found has the brackets of its canonical form.
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
    Err(Fault::new(at, RecordError::Shape).into())
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

/// The field that links a record to the one before it.
const CHAIN: &str = "chain";

/// The fault of a record that does not fit the types of its version.
///
/// The chain of a record with an unknown name can't be checked over its canonical form, for
/// nobody here knows that form. Where the chain holds over the record as it was found, its
/// recorder wrote the name: it is a newer program's. Otherwise it is damage.
pub(super) fn judged(fault: Fault, chain: &Chain, text: &[u8]) -> Fault {
    match &fault.problem {
        Problem::Record(RecordError::Field(
            error @ (FieldError::Unknown(_) | FieldError::UnknownValue(_)),
        )) if holds(chain, text) => Fault::new(fault.at, RecordError::Newer(error.clone())),
        _ => fault,
    }
}

/// Whether the chain holds over a record as compact JSON, with its names in the order in which
/// they were found.
fn holds(chain: &Chain, text: &[u8]) -> bool {
    let Ok(Tree::Object(fields)) = serde_json::from_slice(text) else {
        return false;
    };
    let (links, fields): (Vec<_>, Vec<_>) = fields.into_iter().partition(|(name, _)| name == CHAIN);
    let [(_, Tree::Text(link))] = &links[..] else {
        return false;
    };
    let link = link.parse().ok();
    link.is_some() && link == chain.next(&Tree::Object(fields))
}

#[cfg(test)]
mod tests {
    use super::{ParseError, Position, parse};

    #[test]
    fn a_fault_is_told_at_its_place_in_the_file() {
        for (text, line, column) in [("[1, x]", 3, 14), ("[1,\n x]", 4, 2), ("[1,\n2,\n", 5, 0)] {
            let start = Position {
                line: 3,
                column: 10,
            };
            let Err(ParseError::CutOff(fault) | ParseError::Fault(fault)) =
                parse::<Vec<u8>>(text.as_bytes(), start)
            else {
                panic!("{text} is no list of numbers");
            };
            assert_eq!(fault.at, Position { line, column }, "{text}");
        }
    }
}
