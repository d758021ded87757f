//! Reading what was typed.

use clap::{CommandFactory, Error, FromArgMatches};
use std::ffi::{OsStr, OsString};

/// Reads a command line; `variable` is what the environment says. A variable of a card table
/// that is empty counts as not set.
///
/// # Errors
///
/// [`Error`] where the words make no sense, and where they ask for help or the version.
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
    Cli::from_arg_matches(&command.try_get_matches_from(arguments)?)
}

/// What an option is given, as far as that can be told of words that may make no sense.
pub(crate) fn given<'a>(arguments: &'a [OsString], option: &str) -> Option<&'a str> {
    arguments.iter().enumerate().find_map(|(index, argument)| {
        match argument.to_str()?.strip_prefix(option)? {
            "" => arguments.get(index + 1)?.to_str(),
            value => value.strip_prefix('='),
        }
    })
}
