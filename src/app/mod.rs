//! The program around the core: command line, files, clock and terminal.
//!
//! This is the only place with side effects. [`run`] reads the command line and the
//! environment, composes the parts, and says how the program ends.

mod clap_errors;
mod commands;
mod context;
mod dispatch;
mod exit;
mod messages;
mod scenario_games;
mod session;
mod terminal;
mod text;
mod verdict;

use crate::cli::Cli;
use crate::host::audit_log::Clock;
use crate::host::config::Config;
use crate::host::environment::Environment;
use crate::host::signals::survive_file_limits;
use crate::i18n::{Lang, text};
use clap::{CommandFactory, FromArgMatches};
use context::Context;
use dispatch::dispatch;
use exit::{Exit, Failure};
use std::ffi::OsString;
use std::process::ExitCode;
use terminal::Terminal;
use text::catalogue;

/// Runs the program with the arguments of the process.
///
/// The result is the exit code: 0 played or verified, 1 a scenario, a table or a part is bad,
/// or a journal damaged or another one, 2 usage, 3 a journal is incomplete or the games were
/// interrupted, 4 input or output failed, 5 a journal is of an unknown version or has unknown
/// rules. A second interrupt ends the process at once, with 130.
#[must_use]
pub fn run() -> ExitCode {
    survive_file_limits();
    // The local offset can only be known while there is one thread.
    let clock = Clock::local();
    let environment = Environment::read();
    let arguments: Vec<OsString> = std::env::args_os().collect();
    if asks_for_duels_help(&arguments) {
        let lang = early_language(&arguments, &environment);
        let mut terminal = Terminal::new(catalogue(lang));
        terminal.print_line(&text!(DuelsUsage));
        return terminal.close(Exit::Success).into();
    }
    let exit = match parse(&arguments) {
        Ok(cli) => with_language(cli, environment, clock),
        Err(error) => {
            let lang = early_language(&arguments, &environment);
            clap_errors::report(&error, &arguments, lang)
        }
    };
    exit.into()
}

/// Reads the command line. A variable of `war serve` that is empty counts as not set.
fn parse(arguments: &[OsString]) -> Result<Cli, clap::Error> {
    let empty = |arg: &clap::Arg| {
        let variable = arg.get_env().and_then(std::env::var_os);
        variable.is_some_and(|value| value.is_empty())
    };
    let set = |arg: clap::Arg| if empty(&arg) { arg.env(None) } else { arg };
    let command = Cli::command().mut_subcommand("serve", |serve| serve.mut_args(set));
    Cli::from_arg_matches(&command.try_get_matches_from(arguments)?)
}

fn with_language(cli: Cli, environment: Environment, clock: Clock) -> Exit {
    let flag = cli.common.lang.as_deref();
    let lang = match flag.or(environment.lang.as_deref()) {
        None => Ok(Lang::ALL[0]),
        Some(code) => Lang::from_locale(code).ok_or(code),
    };
    let mut terminal = Terminal::new(catalogue(lang.unwrap_or(Lang::ALL[0])));
    let lang = match lang {
        Ok(lang) => lang,
        Err(code) => {
            let known = Lang::ALL.map(Lang::code).join(", ");
            let text = text!(UnknownLanguage, lang = code, known = known);
            return terminal.failure(&Failure::usage(text));
        }
    };
    let lang_flag = cli.common.lang.is_some().then_some(lang);
    let named = cli.common.config.as_deref();
    let named = named.or(environment.config.as_deref());
    if let Some(text) = cli.misused_stream(named) {
        return terminal.failure(&Failure::usage(text));
    }
    let mut config = match Config::load(named, &environment.home) {
        Ok(config) => config,
        Err(error) => return terminal.failure(&error.into()),
    };
    if cli.common.no_log {
        config.log.level = None;
    }
    let mut context = Context {
        terminal,
        config,
        clock,
        environment,
        lang_flag,
        log_failed: false,
    };
    let exit = match dispatch(cli, &mut context) {
        Ok(exit) => exit,
        Err(failure) => context.terminal.failure(&failure),
    };
    context.terminal.close(exit)
}

/// The language for a command-line error, when the line could not be parsed.
fn early_language(arguments: &[OsString], environment: &Environment) -> Lang {
    let flag = arguments.iter().enumerate().find_map(|(index, argument)| {
        let argument = argument.to_str()?;
        match argument.strip_prefix("--lang") {
            Some("") => arguments.get(index + 1)?.to_str(),
            Some(rest) => rest.strip_prefix('='),
            None => None,
        }
    });
    let code = flag.or(environment.lang.as_deref());
    code.and_then(Lang::from_locale).unwrap_or(Lang::ALL[0])
}

/// Whether the line is `war duels` with `--help`, which counts whatever else is given.
fn asks_for_duels_help(arguments: &[OsString]) -> bool {
    let mut catalogue = arguments
        .iter()
        .skip(1)
        .filter_map(|argument| argument.to_str());
    let mut commands = Cli::command();
    commands.build();
    let command = catalogue.find(|word| commands.find_subcommand(word).is_some());
    command == Some("duels") && catalogue.any(|word| word == "--help" || word == "-h")
}
