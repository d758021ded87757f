//! The errors of the command-line parser, in the player's language.

use super::exit::Exit;
use super::terminal::Terminal;
use super::words;
use crate::i18n::{Lang, Message, Text};
use clap::error::{ContextKind, ContextValue, Error, ErrorKind};
use std::ffi::OsString;

/// Tells a parse error, or prints what a flag like `--help` asks for.
pub(super) fn report(error: &Error, arguments: &[OsString], lang: Lang) -> Exit {
    let mut terminal = Terminal::new(words(lang));
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
        ErrorKind::InvalidUtf8 => Text::new(Message::ARGUMENT_NOT_UTF8),
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

fn plain(value: &ContextValue) -> String {
    match value {
        ContextValue::Strings(values) => values.join(", "),
        value => value.to_string(),
    }
}
