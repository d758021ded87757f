//! Parses the command line, and turns the parser's errors into messages.

use super::values::BadValue;
use clap::error::{ContextKind, ContextValue, Error, ErrorKind};
use clap::{Command, CommandFactory, FromArgMatches};
use std::ffi::{OsStr, OsString};
use war::i18n::{Text, text};

/// Parses a command line; `variable` looks up an environment variable. For the commands of the card
/// table, an empty variable counts as not set.
///
/// # Errors
///
/// [`Error`] if the arguments are invalid, or ask for help or the version.
pub(crate) fn parse<Cli: CommandFactory + FromArgMatches>(
    arguments: &[OsString],
    variable: impl Fn(&OsStr) -> Option<OsString>,
) -> Result<Cli, Error> {
    let empty = |arg: &clap::Arg| {
        let value = arg.get_env().and_then(&variable);
        value.is_some_and(|value| value.is_empty())
    };
    let set = |arg: clap::Arg| if empty(&arg) { arg.env(None) } else { arg };
    let command = Cli::command().mut_subcommand("serve", |serve| serve.mut_args(set));
    #[cfg(feature = "table")]
    let command = command.mut_subcommand("table", |table| {
        table.mut_subcommands(|command| command.mut_args(set))
    });
    let command = shorten_help(command);
    Cli::from_arg_matches(&command.try_get_matches_from(arguments)?)
}

/// Leaves the options out of the program's short help, so that its commands fit on a screen.
fn shorten_help(mut root: Command) -> Command {
    // Commands take their copies of the global options when they are built: those stay as they are.
    root.build();
    root.mut_args(|arg| {
        let is_shown = arg.is_positional() || ["help", "version"].contains(&arg.get_id().as_str());
        arg.hide_short_help(!is_shown)
    })
}

/// Finds the value of an option in arguments that may be invalid.
pub(crate) fn find_option_value<'a>(arguments: &'a [OsString], option: &str) -> Option<&'a str> {
    arguments.iter().enumerate().find_map(|(index, argument)| {
        match argument.to_str()?.strip_prefix(option)? {
            "" => arguments.get(index + 1)?.to_str(),
            value => value.strip_prefix('='),
        }
    })
}

/// Finds the names of the commands in these arguments: the program, then each subcommand.
///
/// The value of an option can't be told from a command: any word that names a subcommand of the
/// current command counts as that subcommand.
pub(crate) fn find_command_path(root: &Command, arguments: &[OsString]) -> Vec<String> {
    let mut command = root;
    let mut path = vec![root.get_name().to_owned()];
    for word in arguments.iter().skip(1).filter_map(|word| word.to_str()) {
        if let Some(next) = command.find_subcommand(word) {
            path.push(next.get_name().to_owned());
            command = next;
        }
    }
    path
}

/// Finds a command by its path; each word is a subcommand of the word before.
pub(crate) fn find_command<'a>(root: &'a Command, words: &[String]) -> Option<&'a Command> {
    words.iter().try_fold(root, |command, word| {
        command.find_subcommand(word.to_ascii_lowercase())
    })
}

/// Commands that are not hidden, in the order of the help.
pub(crate) fn visible_commands(command: &Command) -> impl Iterator<Item = &Command> {
    let commands = command.get_subcommands();
    commands.filter(|command| !command.is_hide_set())
}

/// Finds the name most similar to a mistyped one, if any is similar enough, or starts with it.
pub(crate) fn find_nearest_name<'a>(
    typed: &str,
    names: impl Iterator<Item = &'a str>,
) -> Option<&'a str> {
    const MIN_SIMILARITY: f64 = 0.8;
    /// Fewest characters that stand for a longer name.
    const MIN_START: usize = 3;
    let typed = typed.to_lowercase();
    let is_start = |name: &str| typed.len() >= MIN_START && name.starts_with(&typed);
    names
        .map(|name| (strsim::jaro(&typed, name), name))
        .filter(|(likeness, name)| *likeness > MIN_SIMILARITY || is_start(name))
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, name)| name)
}

/// Words that are tried as commands, with what to type instead.
const OTHER_WORDS: [(&str, &str); 5] = [
    ("environment", "war help environment"),
    ("play", "war 4 small"),
    ("rules", "war help rules"),
    ("scenarios", "war help scenarios"),
    ("version", "war --version"),
];

/// Finds what to type instead of a word that is not a command, if the word resembles one.
pub(crate) fn find_nearest_command(root: &Command, word: &str) -> Option<String> {
    let commands = visible_commands(root).map(Command::get_name);
    let others = OTHER_WORDS.iter().map(|(other, _)| *other);
    let near = find_nearest_name(word, commands.chain(others))?;
    let instead = OTHER_WORDS.iter().find(|(other, _)| *other == near);
    Some(match instead {
        Some((_, line)) => (*line).to_owned(),
        None => format!("war {near}"),
    })
}

/// Returns true if the command at the end of this path takes this option.
pub(crate) fn has_option(root: &Command, path: &[String], option: &str) -> bool {
    let command = find_command(root, path.get(1..).unwrap_or_default());
    let mut options = command.into_iter().flat_map(Command::get_opts);
    options.any(|known| known.get_long() == option.strip_prefix("--"))
}

/// Describes why these arguments are invalid; the first of them is the program.
pub(crate) fn error_text(error: &Error, root: &Command, arguments: &[OsString]) -> Text {
    let context = |kind| error.get(kind).map(context_text).unwrap_or_default();
    let argument = context(ContextKind::InvalidArg);
    let value = context(ContextKind::InvalidValue);
    let path = find_command_path(root, arguments);
    let help = help_command(&path);
    let source = std::error::Error::source(error);
    if let Some(bad) = source.and_then(|source| source.downcast_ref::<BadValue>()) {
        return bad.text(&argument, value);
    }
    match error.kind() {
        ErrorKind::UnknownArgument if !argument.starts_with('-') => {
            text!(UnexpectedArgument, argument = argument, help = help)
        }
        ErrorKind::UnknownArgument => match first_word(arguments) {
            // An option of a command whose name was mistyped.
            Some(word) if path.len() == 1 => match find_nearest_command(root, word) {
                Some(near) => {
                    text!(UnknownCommandNear, command = word, near = near, help = help)
                }
                None => unknown_option(error, &argument, help, arguments),
            },
            _ => unknown_option(error, &argument, help, arguments),
        },
        ErrorKind::InvalidValue if value.is_empty() => {
            text!(MissingValue, option = argument, help = help)
        }
        ErrorKind::InvalidValue => {
            let known = context(ContextKind::ValidValue);
            match error.get(ContextKind::SuggestedValue).map(context_text) {
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
        // Only the parser of addresses fails with another error than `BadValue`.
        ErrorKind::ValueValidation => text!(BadAddress, option = argument, value = value),
        ErrorKind::TooManyValues => text!(ValueOfFlag, option = argument, value = value),
        ErrorKind::InvalidUtf8 => {
            text!(ArgumentNotUtf8, argument = first_not_utf8(arguments))
        }
        ErrorKind::InvalidSubcommand => {
            let typed = context(ContextKind::InvalidSubcommand);
            unknown_command(root, &path, typed, help)
        }
        ErrorKind::MissingSubcommand => text!(MissingCommand, help = help),
        _ => text!(BadCommandLine, help = help),
    }
}

/// Command that prints the help of a command.
fn help_command(path: &[String]) -> String {
    match path {
        [program] => format!("{program} --help"),
        [program, commands @ ..] => format!("{program} help {}", commands.join(" ")),
        [] => String::new(),
    }
}

fn unknown_option(error: &Error, argument: &str, help: String, arguments: &[OsString]) -> Text {
    let option = as_typed(argument, arguments);
    match error.get(ContextKind::SuggestedArg).map(context_text) {
        Some(near) => text!(UnknownOptionNear, option = option, near = near, help = help),
        None => text!(UnknownOption, option = option, help = help),
    }
}

/// Error for an unknown word in place of a command, or after the last argument.
fn unknown_command(root: &Command, path: &[String], typed: String, help: String) -> Text {
    let command = find_command(root, &path[1..]).unwrap_or(root);
    match find_nearest_name(&typed, visible_commands(command).map(Command::get_name)) {
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

/// Word right after the program's name, where a command belongs.
fn first_word(arguments: &[OsString]) -> Option<&str> {
    let first = arguments.get(1)?.to_str()?;
    Some(first).filter(|word| !word.starts_with('-'))
}

/// Returns the argument as typed: for `-foo`, the parser reports only `-f`.
fn as_typed(argument: &str, arguments: &[OsString]) -> String {
    let mut typed = arguments.iter().filter_map(|typed| typed.to_str());
    let is_short = argument.len() == 2 && argument != "--";
    let whole = typed.find(|typed| is_short && typed.starts_with(argument));
    whole.unwrap_or(argument).to_owned()
}

/// First argument that is not UTF-8, with the option before it.
fn first_not_utf8(arguments: &[OsString]) -> String {
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

fn context_text(value: &ContextValue) -> String {
    match value {
        ContextValue::Strings(values) => values.join(", "),
        value => value.to_string(),
    }
}
