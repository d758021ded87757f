//! What the parser of the command line objects to, as messages.

use super::tree::{self, find, nearest, shown};
use super::values::BadValue;
use clap::Command;
use clap::error::{ContextKind, ContextValue, Error, ErrorKind};
use std::ffi::OsString;
use war::i18n::{Text, text};

/// What is wrong with these arguments, of which the first is the program.
pub(crate) fn text(error: &Error, root: &Command, arguments: &[OsString]) -> Text {
    let context = |kind| error.get(kind).map(plain).unwrap_or_default();
    let argument = context(ContextKind::InvalidArg);
    let value = context(ContextKind::InvalidValue);
    let path = tree::path(root, arguments);
    let help = help_call(&path);
    let source = std::error::Error::source(error);
    if let Some(bad) = source.and_then(|source| source.downcast_ref::<BadValue>()) {
        return bad.text(&argument, value);
    }
    match error.kind() {
        ErrorKind::UnknownArgument if !argument.starts_with('-') => {
            text!(UnexpectedArgument, argument = argument, help = help)
        }
        ErrorKind::UnknownArgument => unknown_option(error, &argument, help, arguments),
        ErrorKind::InvalidValue if value.is_empty() => {
            text!(MissingValue, option = argument, help = help)
        }
        ErrorKind::InvalidValue => {
            let known = context(ContextKind::ValidValue);
            match error.get(ContextKind::SuggestedValue).map(plain) {
                Some(near) => text!(
                    BadValueNear,
                    option = argument,
                    value = value,
                    known = known,
                    near = near
                ),
                None => text!(BadValue, option = argument, value = value, known = known),
            }
        }
        ErrorKind::MissingRequiredArgument => {
            text!(MissingArgument, argument = argument, help = help)
        }
        ErrorKind::ArgumentConflict => {
            let other = context(ContextKind::PriorArg);
            let typed = context(ContextKind::InvalidSubcommand);
            if typed.is_empty() && (other.is_empty() || other == argument) {
                return text!(OptionTwice, option = argument);
            }
            if typed.is_empty() {
                return text!(OptionsConflict, option = argument, other = other);
            }
            if path.contains(&typed) {
                return text!(OptionBeforeCommand, option = other, command = typed);
            }
            text!(UnexpectedArgument, argument = typed, help = help)
        }
        // Nothing else is parsed by its own error but addresses.
        ErrorKind::ValueValidation => text!(BadAddress, option = argument, value = value),
        ErrorKind::TooManyValues => text!(ValueOfFlag, option = argument, value = value),
        ErrorKind::InvalidUtf8 => {
            text!(ArgumentNotUtf8, argument = not_utf8(arguments))
        }
        ErrorKind::InvalidSubcommand => {
            let typed = context(ContextKind::InvalidSubcommand);
            unknown_command(root, &path, typed, help)
        }
        ErrorKind::MissingSubcommand => text!(MissingCommand, help = help),
        _ => text!(BadCommandLine, help = help),
    }
}

/// How help on a command is called.
fn help_call(path: &[String]) -> String {
    match path {
        [program] => format!("{program} --help"),
        [program, commands @ ..] => format!("{program} help {}", commands.join(" ")),
        [] => String::new(),
    }
}

/// An option that the command does not have.
fn unknown_option(error: &Error, argument: &str, help: String, arguments: &[OsString]) -> Text {
    let option = whole(argument, arguments);
    match error.get(ContextKind::SuggestedArg).map(plain) {
        Some(near) => text!(UnknownOptionNear, option = option, near = near, help = help),
        None => text!(UnknownOption, option = option, help = help),
    }
}

/// A word where a command should stand, or where nothing more can.
fn unknown_command(root: &Command, path: &[String], typed: String, help: String) -> Text {
    let command = find(root, &path[1..]).unwrap_or(root);
    match nearest(&typed, shown(command).map(Command::get_name)) {
        Some(near) => text!(
            UnknownCommandNear,
            command = typed,
            near = near,
            help = help
        ),
        None if command.is_subcommand_required_set() => {
            text!(UnknownCommand, command = typed, help = help)
        }
        None => text!(UnexpectedArgument, argument = typed, help = help),
    }
}

/// The argument as typed: of `-foo`, the parser only says `-f`.
fn whole(argument: &str, arguments: &[OsString]) -> String {
    let mut typed = arguments.iter().filter_map(|typed| typed.to_str());
    let is_short = argument.len() == 2 && argument != "--";
    let whole = typed.find(|typed| is_short && typed.starts_with(argument));
    whole.unwrap_or(argument).to_owned()
}

/// The first argument that is not UTF-8, after the option that stands before it.
fn not_utf8(arguments: &[OsString]) -> String {
    let at = arguments.iter().position(|typed| typed.to_str().is_none());
    let at = at.expect("the parser found one");
    let option = at
        .checked_sub(1)
        .and_then(|before| arguments[before].to_str());
    let option = option.filter(|option| option.starts_with('-'));
    let value = arguments[at].to_string_lossy();
    let parts = option.into_iter().chain([&*value]);
    parts.collect::<Vec<_>>().join(" ")
}

fn plain(value: &ContextValue) -> String {
    match value {
        ContextValue::Strings(values) => values.join(", "),
        value => value.to_string(),
    }
}
