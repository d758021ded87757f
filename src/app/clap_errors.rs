//! The errors of the command-line parser, in the player's language.

use crate::app::cli::BadValue;
#[cfg(feature = "table")]
use crate::app::cli::NotBetween;
use crate::app::exit::Exit;
use crate::app::terminal::Terminal;
use crate::app::text::catalogue;
use crate::i18n::{Lang, Message, Text};
use clap::error::{ContextKind, ContextValue, Error, ErrorKind};
use std::ffi::OsString;

/// Tells a parse error, or prints what a flag like `--help` asks for.
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
            Text::new(Message::UNEXPECTED_ARGUMENT).with("argument", argument)
        }
        ErrorKind::UnknownArgument => {
            let option = whole(&argument, arguments);
            Text::new(Message::UNKNOWN_OPTION).with("option", option)
        }
        ErrorKind::InvalidValue if value.is_empty() => {
            Text::new(Message::MISSING_VALUE).with("option", argument)
        }
        ErrorKind::InvalidValue => Text::new(Message::BAD_VALUE)
            .with("option", argument)
            .with("value", value)
            .with("known", context(ContextKind::ValidValue)),
        ErrorKind::MissingRequiredArgument => {
            Text::new(Message::MISSING_ARGUMENT).with("argument", argument)
        }
        ErrorKind::ArgumentConflict => {
            let other = context(ContextKind::PriorArg);
            let command = context(ContextKind::InvalidSubcommand);
            if !command.is_empty() {
                return Text::new(Message::OPTION_BEFORE_COMMAND)
                    .with("option", other)
                    .with("command", command);
            }
            if other.is_empty() || other == argument {
                return Text::new(Message::OPTION_TWICE).with("option", argument);
            }
            Text::new(Message::OPTIONS_CONFLICT)
                .with("option", argument)
                .with("other", other)
        }
        #[cfg(feature = "table")]
        ErrorKind::ValueValidation => {
            let range = source.and_then(|source| source.downcast_ref::<NotBetween>());
            let text = match range {
                Some(NotBetween { least, most }) => {
                    Text::new(Message::BAD_VALUE).with("known", format!("{least}–{most}"))
                }
                // Nothing else is parsed but addresses.
                None => Text::new(Message::BAD_ADDRESS),
            };
            text.with("option", argument).with("value", value)
        }
        ErrorKind::TooManyValues => Text::new(Message::VALUE_OF_FLAG)
            .with("option", argument)
            .with("value", value),
        ErrorKind::InvalidUtf8 => {
            Text::new(Message::ARGUMENT_NOT_UTF8).with("argument", not_utf8(arguments))
        }
        ErrorKind::InvalidSubcommand => {
            let command = context(ContextKind::InvalidSubcommand);
            Text::new(Message::UNKNOWN_COMMAND).with("command", command)
        }
        _ => {
            let whole = error.to_string();
            let first = whole.lines().next().unwrap_or_default();
            let reason = first.trim_start_matches("error: ").to_owned();
            Text::new(Message::BAD_COMMAND_LINE).with("reason", reason)
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

/// The first argument that is not UTF-8, after the option that stands before it.
fn not_utf8(arguments: &[OsString]) -> String {
    let at = arguments.iter().position(|typed| typed.to_str().is_none());
    let at = at.unwrap_or_default();
    let option = at
        .checked_sub(1)
        .and_then(|before| arguments[before].to_str());
    let option = option.filter(|option| option.starts_with('-'));
    let value = arguments.get(at).map(|typed| typed.to_string_lossy());
    let parts = option.into_iter().chain(value.as_deref());
    parts.collect::<Vec<_>>().join(" ")
}

fn plain(value: &ContextValue) -> String {
    match value {
        ContextValue::Strings(values) => values.join(", "),
        value => value.to_string(),
    }
}
