//! Runs the program: reads the command line, the environment and the configuration, dispatches to
//! the command, and turns its result into an exit code.

use crate::arguments::parsing::{error_text, find_command_path, find_option_value, parse};
use crate::command_line::{Cli, Command};
use crate::commands::completions::{
    COMPLETE_VARIABLE, CompletionRequest, render_completion_script,
};
use crate::commands::help::render_help;
use crate::commands::journal::{JournalCommand, check, diff, export, repair, show, sign, upgrade};
use crate::commands::simulate::command::simulate;
use crate::commands::simulate::{enumerate, literature};
#[cfg(feature = "table")]
use crate::commands::table::log::{self, LogCommand};
#[cfg(feature = "table")]
use crate::commands::table::{TableCommand, backup, load, move_table, operator, serve};
#[cfg(feature = "watch")]
use crate::commands::watch::command::watch;
use crate::commands::{duels, import, man, play, replay, stats, view, xy};
use crate::context::Context;
use crate::failure::{ExitStatus, Failure};
use crate::machine::audit_log::LogClock;
use crate::machine::config::Config;
use crate::machine::environment::Environment;
use crate::machine::signals::ignore_file_size_signal;
use crate::machine::terminal::{Colors, Terminal};
use anstream::ColorChoice;
use clap::CommandFactory;
use clap::error::ErrorKind;
use clap_complete::Shell;
use std::env;
use std::ffi::OsString;
use std::process::ExitCode;
use war::i18n::{Catalogue, Lang, text};

/// Runs the program with the arguments of the process.
///
/// Returns the exit code: 0 for success; 1 if a scenario, a table or a simulation part is invalid,
/// or a journal is damaged, diverges or is not the expected one; 2 for a usage error; 3 if a
/// journal is incomplete or games were interrupted; 4 if reading or writing failed; 5 if a journal
/// is of an unknown version or has unknown rules. A second interrupt ends the process at once, with
/// 130.
#[must_use]
pub fn run() -> ExitCode {
    ignore_file_size_signal();
    // The local time offset can only be read while there is a single thread.
    let clock = LogClock::read_local();
    let environment = Environment::read();
    let arguments: Vec<OsString> = env::args_os().collect();
    let mut commands = Cli::command();
    commands.build();
    if let Some(shell) = completing_shell() {
        return answer_completion(shell, arguments, &commands).into();
    }
    let path = find_command_path(&commands, &arguments);
    let is_help = |word: &OsString| word == "--help" || word == "-h";
    let mut rest = arguments.iter().skip_while(|word| *word != "duels");
    if path[1..] == ["duels"] && rest.any(is_help) {
        let mut terminal = early_terminal(&arguments, &environment);
        terminal.print_line(&text!(DuelsHelp));
        return ExitStatus::Success
            .combine_with_close(terminal.close())
            .into();
    }
    let exit = match parse(&arguments, |name| env::var_os(name)) {
        Ok(cli) => run_parsed(cli, &arguments, &path, environment, clock),
        Err(error) => {
            let mut terminal = early_terminal(&arguments, &environment);
            let exit = if !error.use_stderr() {
                terminal.print_help(&error.render());
                ExitStatus::Success
            } else if error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
                terminal.report_line(error.render().to_string().trim_end());
                ExitStatus::Usage
            } else {
                Failure::usage(error_text(&error, &commands, &arguments)).report(&mut terminal)
            };
            exit.combine_with_close(terminal.close())
        }
    };
    exit.into()
}

/// Returns true if an argument contains the password of a database. Every user of the machine can
/// see the password in the list of processes.
#[cfg(feature = "table")]
fn shows_password(arguments: &[OsString]) -> bool {
    arguments
        .iter()
        .filter_map(|argument| argument.to_str())
        .any(|argument| {
            let address = argument.strip_prefix("--store=").unwrap_or(argument);
            let address = address.parse::<war_table_cluster::DatabaseAddress>();
            address.is_ok_and(|address| address.has_password())
        })
}

#[cfg(not(feature = "table"))]
const fn shows_password(_: &[OsString]) -> bool {
    false
}

/// Shell that requests completions through the environment.
fn completing_shell() -> Option<Shell> {
    Shell::from_shell_path(env::var_os(COMPLETE_VARIABLE)?)
}

/// Prints completion candidates for a shell; nothing if the words can't be completed.
fn answer_completion(
    shell: Shell,
    arguments: Vec<OsString>,
    commands: &clap::Command,
) -> ExitStatus {
    let request = CompletionRequest::new(shell, arguments, |name| env::var(name).ok());
    let directory = env::current_dir().ok();
    let answer = request.answer(commands, directory.as_deref());
    let mut terminal = Terminal::new(Catalogue::built_in(Lang::ALL[0]), Colors::default());
    terminal.print(&answer.unwrap_or_default());
    ExitStatus::Success.combine_with_close(terminal.close())
}

fn run_parsed(
    cli: Cli,
    arguments: &[OsString],
    path: &[String],
    environment: Environment,
    clock: LogClock,
) -> ExitStatus {
    let colors = Colors::new(cli.common.color.unwrap_or(ColorChoice::Auto));
    let lang = match (cli.common.lang, environment.lang.as_deref()) {
        (Some(lang), _) => Ok(lang),
        (None, None) => Ok(Lang::ALL[0]),
        (None, Some(code)) => Lang::from_locale(code).ok_or(code),
    };
    let mut terminal = Terminal::new(Catalogue::built_in(lang.unwrap_or(Lang::ALL[0])), colors);
    if let Err(code) = lang {
        let known = Lang::ALL.map(Lang::code).join(", ");
        let text = text!(UnknownLanguage, lang = code, known = known);
        return Failure::usage(text).report(&mut terminal);
    }
    let lang_flag = cli.common.lang;
    let named = cli.common.config.as_deref();
    let named = named.or(environment.config.as_deref());
    if let Some(text) = cli.find_stream_error(named) {
        return Failure::usage(text).report(&mut terminal);
    }
    if cli.records_to_stdout() {
        terminal.out.release();
    }
    let config = match &cli.command {
        // These commands must work even if the configuration is invalid.
        Some(Command::Completions { .. } | Command::Man { .. } | Command::Help { .. }) => {
            Ok(Config::default())
        }
        _ => Config::load(named, &environment.user),
    };
    let mut config = match config {
        Ok(config) => config,
        Err(error) => return Failure::from(error).report(&mut terminal),
    };
    if cli.common.no_log {
        config.log.level = None;
    }
    if shows_password(arguments) {
        terminal.report_warning(&text!(StorePasswordVisible));
    }
    let mut context = Context {
        terminal,
        config,
        clock,
        environment,
        lang_flag,
        is_log_failure_reported: false,
    };
    let exit = match dispatch(cli, path, &mut context) {
        Ok(exit) => exit,
        Err(failure) => failure.report(&mut context.terminal),
    };
    exit.combine_with_close(context.terminal.close())
}

/// Terminal for output before the command line is parsed, or if parsing fails.
fn early_terminal(arguments: &[OsString], environment: &Environment) -> Terminal {
    let code = find_option_value(arguments, "--lang").or(environment.lang.as_deref());
    let lang = code.and_then(Lang::from_locale);
    let choice = match find_option_value(arguments, "--color")
        .map(str::to_lowercase)
        .as_deref()
    {
        Some("always") => ColorChoice::Always,
        Some("never") => ColorChoice::Never,
        _ => ColorChoice::Auto,
    };
    let lang = lang.unwrap_or(Lang::ALL[0]);
    Terminal::new(Catalogue::built_in(lang), Colors::new(choice))
}

/// Runs the command; `path` names it, as found by [`find_command_path`].
fn dispatch(cli: Cli, path: &[String], context: &mut Context) -> Result<ExitStatus, Failure> {
    let Some(command) = cli.command else {
        return play::play(&cli.play, Cli::command, context);
    };
    if let Some(text) = cli.play.find_misplaced_option_error(&Cli::command(), path) {
        return Err(Failure::usage(text));
    }
    match command {
        Command::Duels(options) => duels::play_duels(&options, context),
        Command::Xy(options) => xy::play_xy(&options, context),
        Command::Import(options) => Ok(import::import(&options, context)),
        Command::Replay(options) => replay::replay(&options, context),
        Command::View(options) => view::view(&options, context),
        #[cfg(not(feature = "watch"))]
        Command::NoWatch { .. } => Err(Failure::usage(text!(NoWatch))),
        #[cfg(feature = "watch")]
        Command::Watch(options) => watch(&options, context),
        Command::Stats(options) => stats::print_stats(&options, context),
        Command::Journal(JournalCommand::Check { files, result }) => {
            Ok(check::check(&files, result, context))
        }
        Command::Journal(JournalCommand::Show { file }) => show::show(&file, context),
        Command::Journal(JournalCommand::Diff { a, b }) => diff::diff(&a, &b, context),
        Command::Journal(JournalCommand::Repair { file, new, salvage }) => {
            repair::repair(&file, &new, salvage, context)
        }
        Command::Journal(JournalCommand::Upgrade(options)) => upgrade::upgrade(&options, context),
        Command::Journal(JournalCommand::Sign(options)) => sign::sign(&options, context),
        Command::Journal(JournalCommand::Verify(options)) => sign::verify(&options, context),
        Command::Journal(JournalCommand::Export(options)) => export::export(&options, context),
        #[cfg(not(feature = "table"))]
        Command::NoTable { .. } => Err(Failure::usage(text!(NoTable))),
        #[cfg(feature = "table")]
        Command::Serve(options) => serve::serve(&options, context),
        #[cfg(feature = "table")]
        Command::Table(TableCommand::Backup(options)) => backup::back_up(&options, context),
        #[cfg(feature = "table")]
        Command::Table(TableCommand::Move(options)) => move_table::move_table(&options, context),
        #[cfg(feature = "table")]
        Command::Table(TableCommand::Restored(options)) => {
            backup::prepare_restored_store(&options, context)
        }
        #[cfg(feature = "table")]
        Command::Table(TableCommand::Players(options)) => {
            operator::list_players(&options.table, context)
        }
        #[cfg(feature = "table")]
        Command::Table(TableCommand::Export(options)) => operator::export(&options, context),
        #[cfg(feature = "table")]
        Command::Table(TableCommand::Verify(options)) => operator::verify(&options.table, context),
        #[cfg(feature = "table")]
        Command::Table(TableCommand::Retain(options)) => operator::retain(&options, context),
        #[cfg(feature = "table")]
        Command::Table(TableCommand::Order(typed)) => {
            operator::carry_out_order(typed.order(), context)
        }
        #[cfg(feature = "table")]
        Command::TableLoad(options) => load::run_load_test(&options, context),
        #[cfg(feature = "table")]
        Command::Log(LogCommand::Verify(options)) => log::verify(&options, context),
        Command::Simulate(options) => simulate(&options, context),
        Command::Enumerate(options) => enumerate::enumerate(&options, context),
        Command::Literature(options) => Ok(literature::compare_literature(&options, context)),
        Command::Completions { shell } => {
            context.terminal.print(&render_completion_script(shell));
            Ok(ExitStatus::Success)
        }
        Command::Man { dir } => man::write_pages(&dir, &mut Cli::command(), context),
        Command::Help { words } => {
            let help = render_help(&mut Cli::command(), &words).map_err(Failure::usage)?;
            context.terminal.print_help(&help);
            Ok(ExitStatus::Success)
        }
    }
}
