//! The errors of the command-line parser, in the player's language.

use crate::app::exit::Exit;
use crate::app::terminal::Terminal;
use crate::app::text::catalogue;
use crate::cli::BadValue;
#[cfg(feature = "table")]
use crate::cli::NotBetween;
use crate::i18n::{Lang, Text, text};
use clap::error::{ContextKind, ContextValue, Error, ErrorKind};
use std::ffi::OsString;

/// Reports a parse error, or prints what a flag like `--help` asks for.
pub(crate) fn report(error: &Error, arguments: &[OsString], lang: Lang) -> Exit {
    let mut terminal = Terminal::new(catalogue(lang));
    if !error.use_stderr() {
        terminal.print(&error.render().to_string());
        return terminal.close(Exit::Success);
    }
    if error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        terminal.say(error.render().to_string().trim_end());
    } else {
        terminal.error(&text(error, arguments));
    }
    terminal.close(Exit::Usage)
}

fn text(error: &Error, arguments: &[OsString]) -> Text {
    let context = |kind| error.get(kind).map(plain).unwrap_or_default();
    let argument = context(ContextKind::InvalidArg);
    let value = context(ContextKind::InvalidValue);
    let source = std::error::Error::source(error);
    if let Some(bad) = source.and_then(|source| source.downcast_ref::<BadValue>()) {
        return bad.text(&argument, value);
    }
    match error.kind() {
        ErrorKind::UnknownArgument if !argument.starts_with('-') => {
            text!(UnexpectedArgument, argument = argument)
        }
        ErrorKind::UnknownArgument => {
            let option = whole(&argument, arguments);
            text!(UnknownOption, option = option)
        }
        ErrorKind::InvalidValue if value.is_empty() => {
            text!(MissingValue, option = argument)
        }
        ErrorKind::InvalidValue => text!(
            BadValue,
            option = argument,
            value = value,
            known = context(ContextKind::ValidValue)
        ),
        ErrorKind::MissingRequiredArgument => {
            text!(MissingArgument, argument = argument)
        }
        ErrorKind::ArgumentConflict => {
            let other = context(ContextKind::PriorArg);
            let command = context(ContextKind::InvalidSubcommand);
            if !command.is_empty() {
                return text!(OptionBeforeCommand, option = other, command = command);
            }
            if other.is_empty() || other == argument {
                return text!(OptionTwice, option = argument);
            }
            text!(OptionsConflict, option = argument, other = other)
        }
        #[cfg(feature = "table")]
        ErrorKind::ValueValidation => {
            let range = source.and_then(|source| source.downcast_ref::<NotBetween>());
            match range {
                Some(NotBetween { least, most }) => text!(
                    BadValue,
                    option = argument,
                    value = value,
                    known = format!("{least}–{most}")
                ),
                // Nothing else is parsed but addresses.
                None => text!(BadAddress, option = argument, value = value),
            }
        }
        ErrorKind::TooManyValues => text!(ValueOfFlag, option = argument, value = value),
        ErrorKind::InvalidUtf8 => {
            text!(ArgumentNotUtf8, argument = not_utf8(arguments))
        }
        ErrorKind::InvalidSubcommand => {
            let command = context(ContextKind::InvalidSubcommand);
            text!(UnknownCommand, command = command)
        }
        _ => {
            let whole = error.to_string();
            let first = whole.lines().next().unwrap_or_default();
            let reason = first.trim_start_matches("error: ").to_owned();
            text!(BadCommandLine, reason = reason)
        }
    }
}

/// The argument as typed: of `-foo`, the parser only says `-f`.
fn whole(argument: &str, arguments: &[OsString]) -> String {
    let mut typed = arguments.iter().filter_map(|typed| typed.to_str());
    let is_short = argument.len() == 2 && argument != "--";
    let whole = typed.find(|typed| is_short && typed.starts_with(argument));
    whole.unwrap_or(argument).to_owned()
}

/// The first argument that is not UTF-8, after the option before it.
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
