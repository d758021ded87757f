//! What goes wrong, in the words of the program: its options are arguments here.

use pyo3::PyErr;
use pyo3::exceptions::PyValueError;
use std::fmt::Display;
use war_simulate::NotJoined;

/// The error that says this of arguments: `--face-down` is `face_down`.
pub(crate) fn refused(message: impl Display) -> PyErr {
    PyValueError::new_err(as_arguments(&message.to_string()))
}

/// A value that an argument can't have, and what it can.
pub(crate) fn bad_value(value: impl Display, argument: &str, hint: impl Display) -> PyErr {
    bad("value", value, argument, hint)
}

/// A value that is not of its kind, such as a deck.
pub(crate) fn bad(kind: &str, value: impl Display, argument: &str, hint: impl Display) -> PyErr {
    refused(format!(
        "`{value}` is not a valid {kind} for `{argument}`: {hint}"
    ))
}

/// Options of the command line as arguments.
fn as_arguments(text: &str) -> String {
    let mut parts = text.split("--");
    let mut written = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let end = part.find(|letter: char| !letter.is_ascii_lowercase() && letter != '-');
        let (option, rest) = part.split_at(end.unwrap_or(part.len()));
        written.push_str(&option.replace('-', "_"));
        written.push_str(rest);
    }
    written
}

/// Why runs can't be joined; `name` has what each is called.
pub(crate) fn not_joined<'a>(error: NotJoined, name: impl Fn(usize) -> &'a str) -> PyErr {
    refused(match error {
        NotJoined::OtherRules(first, second, option) => format!(
            "`{}` was played by different rules from `{}`: `{option}` differs",
            name(second),
            name(first)
        ),
        NotJoined::OtherSeed(first, second) => format!(
            "`{}` has a different seed from `{}`",
            name(second),
            name(first)
        ),
        NotJoined::OtherGames(first, second) => format!(
            "`{}` and `{}` are parts of runs with different numbers of games",
            name(second),
            name(first)
        ),
        NotJoined::Partial(part) => format!("`{}` was interrupted", name(part)),
        NotJoined::Overlap(first, second, game) => format!(
            "`{}` and `{}` overlap: both contain game {game}",
            name(first),
            name(second)
        ),
        NotJoined::Missing(from, to) => format!(
            "games {from} to {} are missing from the parts",
            to.saturating_sub(1)
        ),
    })
}
