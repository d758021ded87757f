//! The program around the core: command line, files, clock and terminal.
//!
//! This is the only place with side effects. [`run`] reads the command line and the
//! environment, composes the parts, and says how the program ends.

mod audit_log;
mod check;
mod clap_errors;
mod cli;
mod config;
mod diff;
mod duels;
mod enumerate;
mod exit;
mod import;
mod journal_file;
mod literature;
mod play;
mod progress;
mod repair;
mod replay;
mod scenario_games;
mod scenarios;
#[cfg(feature = "table")]
mod serve;
mod session;
mod show;
mod simulate;
#[cfg(feature = "table")]
mod table_load;
mod terminal;
mod verdict;
mod xy;

use audit_log::Clock;
use clap::{CommandFactory, FromArgMatches};
use cli::{Cli, Command, Journal};
use config::Config;
use exit::{Exit, Failure};
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
#[cfg(unix)]
use std::sync::{Arc, atomic::AtomicBool};
use std::time::Duration;
use terminal::Terminal;

use crate::i18n::{Catalogue, Lang, Message, Text};

/// What the environment says, where a flag does not.
#[derive(Debug, Default)]
struct Environment {
    lang: Option<String>,
    config: Option<PathBuf>,
    scenarios: Option<PathBuf>,
}

impl Environment {
    fn read() -> Self {
        let variable = |name| std::env::var_os(name).filter(|value| !value.is_empty());
        Self {
            lang: variable("WAR_LANG").map(|lang| lang.to_string_lossy().into_owned()),
            config: variable("WAR_CONFIG").map(PathBuf::from),
            scenarios: variable("WAR_SCENARIOS").map(PathBuf::from),
        }
    }
}

/// How soon after the first a signal is still the same one: sent to a process and to its group,
/// it comes twice.
const SAME_SIGNAL: Duration = Duration::from_millis(500);

/// What every command has at hand.
struct Context {
    terminal: Terminal,
    config: Config,
    clock: Clock,
    environment: Environment,
    /// The language asked for by a flag.
    lang_flag: Option<Lang>,
    /// Whether a failing audit log was told already.
    log_failed: bool,
}

impl Context {
    /// Tells of an audit log that can't be written, once.
    fn warn_of_log(&mut self, error: &io::Error) {
        if std::mem::replace(&mut self.log_failed, true) {
            return;
        }
        let text = Text::new(Message::LOG_FAILED)
            .with("directory", display(&self.config.log.directory))
            .with("reason", exit::io_text(error));
        self.terminal.warning(&text);
    }
}

/// Runs the program with the arguments of the process.
///
/// The result is the exit code: 0 played or verified, 1 a scenario, a table or a part is bad,
/// or a journal damaged or another one, 2 usage, 3 a journal is incomplete or the games were
/// interrupted, 4 input or output failed, 5 a journal is of an unknown version or has unknown
/// rules. Whoever interrupts twice ends the process at once, with 130.
#[must_use]
pub fn run() -> ExitCode {
    survive_file_limits();
    // The local offset can only be known while there is one thread.
    let clock = Clock::local();
    let environment = Environment::read();
    let arguments: Vec<OsString> = std::env::args_os().collect();
    if asks_for_duels_help(&arguments) {
        let lang = early_language(&arguments, &environment);
        let mut terminal = Terminal::new(words(lang));
        terminal.print_line(&Text::new(Message::DUELS_USAGE));
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

/// Lets a write beyond the largest file allowed fail as every other write does: by itself the
/// signal that comes with it ends the program without a word.
fn survive_file_limits() {
    #[cfg(unix)]
    {
        let arrived = Arc::new(AtomicBool::new(false));
        // Where no handler can be set, the program ends as it always did.
        let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, arrived);
    }
}

fn with_language(cli: Cli, environment: Environment, clock: Clock) -> Exit {
    let flag = cli.common.lang.as_deref();
    let lang = match flag.or(environment.lang.as_deref()) {
        None => Some(Lang::ALL[0]),
        Some(code) => Lang::from_code(code),
    };
    let mut terminal = Terminal::new(words(lang.unwrap_or(Lang::ALL[0])));
    let Some(lang) = lang else {
        let code = flag.or(environment.lang.as_deref()).unwrap_or_default();
        let known = Lang::ALL.map(Lang::code).join(", ");
        let text = Text::new(Message::UNKNOWN_LANGUAGE).with("lang", code);
        return terminal.failure(&Failure::usage(text.with("known", known)));
    };
    let lang_flag = cli.common.lang.is_some().then_some(lang);
    let config = cli.common.config.as_deref();
    let config = match Config::load(config.or(environment.config.as_deref())) {
        Ok(config) => config,
        Err(failure) => return terminal.failure(&failure),
    };
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

fn dispatch(cli: Cli, context: &mut Context) -> Result<Exit, Failure> {
    let Some(command) = cli.command else {
        return play::play(&cli.play, context);
    };
    cli.play.refuse_with_command()?;
    match command {
        Command::Duels(options) => duels::duels(&options, context),
        Command::Xy(options) => xy::xy(&options, context),
        Command::Import(options) => Ok(import::import(&options, context)),
        Command::Replay(options) => replay::replay(&options, context),
        Command::Journal(Journal::Check { files }) => Ok(check::check(&files, context)),
        Command::Journal(Journal::Show { file }) => show::show(&file, context),
        Command::Journal(Journal::Diff { a, b }) => diff::diff(&a, &b, context),
        Command::Journal(Journal::Repair { file, new }) => repair::repair(&file, &new, context),
        #[cfg(not(feature = "table"))]
        Command::NoTable { .. } => Err(Failure::usage(Text::new(Message::NO_TABLE))),
        #[cfg(feature = "table")]
        Command::Serve(options) => serve::serve(&options, context),
        #[cfg(feature = "table")]
        Command::TableLoad(options) => table_load::table_load(&options, context),
        Command::Simulate(options) => simulate::simulate(&options, context),
        Command::Enumerate(options) => enumerate::enumerate(&options, context),
        Command::Literature(options) => literature::literature(&options, context),
        Command::Completions { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut Cli::command(), "war", &mut script);
            context.terminal.print(&String::from_utf8_lossy(&script));
            Ok(Exit::Success)
        }
        Command::Man => {
            context.terminal.print(&manual());
            Ok(Exit::Success)
        }
    }
}

/// The manual page, with a section for each subcommand.
fn manual() -> String {
    let mut page = Vec::new();
    let mut command = Cli::command();
    command.build();
    let mut commands = vec![command];
    while let Some(command) = commands.pop() {
        let shown = command
            .get_subcommands()
            .filter(|command| command.get_name() != "help");
        commands.extend(shown.cloned());
        let rendered = clap_mangen::Man::new(command).render(&mut page);
        rendered.expect("memory takes every byte");
    }
    String::from_utf8_lossy(&page).into_owned()
}

fn words(lang: Lang) -> &'static Catalogue {
    Catalogue::of(lang).expect("the built-in catalogues are tested")
}

/// The language to tell a command-line error in, when the line could not be parsed.
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
    code.and_then(Lang::from_code).unwrap_or(Lang::ALL[0])
}

/// Whether the line is `war duels` with `--help`, which counts whatever else is given.
fn asks_for_duels_help(arguments: &[OsString]) -> bool {
    let mut words = arguments
        .iter()
        .skip(1)
        .filter_map(|argument| argument.to_str());
    let mut commands = Cli::command();
    commands.build();
    let command = words.find(|word| commands.find_subcommand(word).is_some());
    command == Some("duels") && words.any(|word| word == "--help" || word == "-h")
}

/// A text as the log has it.
fn english(text: &Text) -> String {
    words(Lang::En).text(text)
}

/// A path as a message names it: on one line, whatever it holds.
fn display(path: &Path) -> String {
    on_one_line(&path.display().to_string())
}

/// A text that came from outside, without the characters that steer a terminal.
fn on_one_line(text: &str) -> String {
    let visible = |c: char| if c.is_control() { '\u{fffd}' } else { c };
    text.chars().map(visible).collect()
}
