//! Python errors with the messages of the program `war`, in which options become arguments.

use pyo3::PyErr;
use pyo3::exceptions::PyValueError;
use std::fmt::Display;
use war_simulate::JoinError;

/// Returns the error with this message, in which options become arguments: `--face-down` becomes
/// `face_down`.
pub(crate) fn value_error(message: impl Display) -> PyErr {
    PyValueError::new_err(as_arguments(&message.to_string()))
}

/// Returns the error for a value that an argument can't have, with a hint at the possible values.
pub(crate) fn invalid_value_error(
    value: impl Display,
    argument: &str,
    hint: impl Display,
) -> PyErr {
    invalid_argument_error("value", value, argument, hint)
}

/// Returns the error for a value that isn't a valid `kind` of value, such as a deck.
pub(crate) fn invalid_argument_error(
    kind: &str,
    value: impl Display,
    argument: &str,
    hint: impl Display,
) -> PyErr {
    value_error(format!(
        "`{value}` is not a valid {kind} for `{argument}`: {hint}"
    ))
}

/// Replaces options of the command line by arguments.
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

/// Returns the error for runs that can't be joined; `name` returns the name of each.
pub(crate) fn join_error<'a>(error: JoinError, name: impl Fn(usize) -> &'a str) -> PyErr {
    value_error(match error {
        JoinError::DifferentRules(first, second, option) => format!(
            "`{}` was played by different rules from `{}`: `{option}` differs",
            name(second),
            name(first)
        ),
        JoinError::DifferentSeed(first, second) => format!(
            "`{}` has a different seed from `{}`",
            name(second),
            name(first)
        ),
        JoinError::DifferentGameCount(first, second) => format!(
            "`{}` and `{}` are parts of runs with different numbers of games",
            name(second),
            name(first)
        ),
        JoinError::Partial(part) => format!("`{}` was interrupted", name(part)),
        JoinError::Overlap(first, second, game) => format!(
            "`{}` and `{}` overlap: both contain game {game}",
            name(first),
            name(second)
        ),
        JoinError::Missing(from, to) => format!(
            "games {from} to {} are missing from the parts",
            to.saturating_sub(1)
        ),
    })
}
