//! The grammar of the command line, with the commands in the order of the help.

use crate::arguments::journal::ResultFormat;
use crate::arguments::values;
use crate::commands::completions::COMPLETIONS_EXAMPLES;
use crate::commands::duels::{DUELS_EXAMPLES, DuelsArgs};
use crate::commands::games::GameOptions;
use crate::commands::help::HELP_EXAMPLES;
use crate::commands::import::{IMPORT_EXAMPLES, ImportCommand};
use crate::commands::journal::upgrade::UpgradeArgs;
use crate::commands::journal::{JOURNAL_EXAMPLES, JournalCommand};
use crate::commands::man::MAN_EXAMPLES;
use crate::commands::play::PlayArgs;
use crate::commands::replay::{REPLAY_EXAMPLES, ReplayArgs};
use crate::commands::simulate::command::{MergeCommand, SIMULATE_EXAMPLES, SimulateArgs};
use crate::commands::simulate::enumerate::{
    ENUMERATE_EXAMPLES, EnumerateArgs, MergeEnumerationCommand,
};
use crate::commands::simulate::literature::{LITERATURE_EXAMPLES, LiteratureArgs};
use crate::commands::stats::{STATS_EXAMPLES, StatsArgs};
#[cfg(feature = "table")]
use crate::commands::table::load::{TABLE_LOAD_EXAMPLES, TableLoadArgs};
#[cfg(feature = "table")]
use crate::commands::table::log::{LOG_EXAMPLES, LogCommand};
#[cfg(feature = "table")]
use crate::commands::table::serve::{SERVE_EXAMPLES, ServeArgs};
#[cfg(feature = "table")]
use crate::commands::table::{TABLE_EXAMPLES, TableCommand};
use crate::commands::view::{VIEW_EXAMPLES, ViewArgs};
#[cfg(feature = "watch")]
use crate::commands::watch::command::{WATCH_EXAMPLES, WatchArgs};
use crate::commands::xy::{XY_EXAMPLES, XyArgs};
use crate::machine::input::is_standard_stream;
use anstream::ColorChoice;
use clap::{Args, Parser, Subcommand, ValueHint};
use clap_complete::Shell;
#[cfg(not(all(feature = "table", feature = "watch")))]
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use war::i18n::{Lang, Text, text};

/// Heading of the options that every command takes; help lists them last.
const GLOBAL_HEADING: &str = "Global options";

/// End of the short help.
const SHORT_EXAMPLES: &str = "\
Examples:
  war 4 small                          deal to 4 players from 24 cards
  war 2 large --seed 42                play the game of seed 42
  war 4 small --journal game.json      record the game
  war replay game.json                 print it again, and verify it

`war --help` lists all options and the exit codes; `war help COMMAND` explains
a command, and `war help help` names the topics.";

/// End of the long help.
const EXAMPLES: &str = "\
Examples:
  war 4 small                          deal to 4 players from 24 cards
  war 2 large --seed 42                play the game of seed 42
  war 4 small --journal game.json      record the game
  war replay game.json                 print it again, and verify it
  war --scenario example               play a scenario of the program
  war journal check journals/*.json    verify many journals

If PLAYERS or DECK is not valid, it is corrected and the correction is printed.
If you omit the seed, a random one is chosen; the journal and the log keep it.

`war help COMMAND` explains a command, `war help rules`, `war help scenarios`,
`war help journals` and `war help environment` explain the rest.

Exit codes:
  0    the game was played, or the journal is VERIFIED
  1    an invalid scenario, table or simulation part; the journals differ; DAMAGED, DIVERGED
       or UNEXPECTED
  2    the command line or the configuration is wrong
  3    INCOMPLETE, or interrupted by Ctrl-C
  4    reading or writing failed
  5    UNSUPPORTED
  130  interrupted a second time";

const USAGE: &str = "\
war [OPTIONS] PLAYERS DECK
       war [OPTIONS] --scenario X
       war COMMAND";

/// Play the card game War: 1 to 5 computer players, and every game can be replayed
#[derive(Debug, Parser)]
#[command(name = "war", version, after_help = SHORT_EXAMPLES, after_long_help = EXAMPLES, override_usage = USAGE, disable_help_subcommand = true)]
pub(crate) struct Cli {
    #[command(flatten)]
    pub(crate) common: GlobalOptions,
    #[command(flatten)]
    pub(crate) play: PlayArgs,
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
}

#[derive(Debug, Args)]
pub(crate) struct GlobalOptions {
    /// Language of screens and messages [default: `WAR_LANG`, else en]
    #[arg(long, global = true, value_name = "LANG", help_heading = GLOBAL_HEADING, ignore_case = true, value_parser = values::lang_parser())]
    pub(crate) lang: Option<Lang>,
    /// When to color help, verdicts and errors [default: auto]
    #[arg(long, global = true, value_name = "WHEN", help_heading = GLOBAL_HEADING, ignore_case = true, value_parser = values::color_parser())]
    pub(crate) color: Option<ColorChoice>,
    /// Configuration of the audit log and the card table [default: `WAR_CONFIG`, else ./war.toml
    /// if it exists]
    ///
    /// Settings that this file does not have are taken from your own configuration,
    /// `$XDG_CONFIG_HOME/war/war.toml` (else `~/.config/war/war.toml`). `-` reads standard input.
    #[arg(long, global = true, value_name = "FILE", help_heading = GLOBAL_HEADING)]
    pub(crate) config: Option<PathBuf>,
    /// Do not write an audit log
    ///
    /// Each game writes an audit log, `logs/audit_*.log`. Audit logs are never deleted unless you
    /// ask for it: `keep = 50` in the section `[log]` of the configuration keeps the newest 50.
    /// There, `level = "off"` writes none, and `directory` may begin with `~` or
    /// `$XDG_STATE_HOME`.
    #[arg(long, global = true, help_heading = GLOBAL_HEADING)]
    pub(crate) no_log: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Play the duels edition: up to 5 players, a screen for each battle and each duel
    #[command(after_help = DUELS_EXAMPLES)]
    Duels(DuelsArgs),
    /// Play the X/Y edition: 2 players, three cards face down, a row for each round
    #[command(after_help = XY_EXAMPLES)]
    Xy(XyArgs),
    /// Make journals of games that another program printed
    #[command(subcommand, after_help = IMPORT_EXAMPLES)]
    Import(ImportCommand),
    /// Print a recorded game again, and verify that it was played by the rules
    #[command(after_help = REPLAY_EXAMPLES)]
    Replay(ReplayArgs),
    /// Make a page that plays a recorded game, and open it in the browser
    #[command(after_help = VIEW_EXAMPLES)]
    View(ViewArgs),
    /// Watch a game in the terminal; this program was built without it
    #[cfg(not(feature = "watch"))]
    #[command(name = "watch", hide = true, disable_help_flag = true)]
    NoWatch {
        /// What was typed after it
        #[arg(num_args = 0.., trailing_var_arg = true, allow_hyphen_values = true)]
        rest: Vec<OsString>,
    },
    /// Watch a game in the terminal, turn by turn
    #[cfg(feature = "watch")]
    #[command(after_help = WATCH_EXAMPLES)]
    Watch(WatchArgs),
    /// Print the figures of a recorded game, with a chart of everyone's cards
    #[command(after_help = STATS_EXAMPLES)]
    Stats(StatsArgs),
    /// Check, show, compare, repair, upgrade, sign and export journals
    #[command(subcommand, after_help = JOURNAL_EXAMPLES)]
    Journal(JournalCommand),
    /// Serve the card table; this program was built without it
    #[cfg(not(feature = "table"))]
    #[command(
        name = "serve",
        aliases = ["table", "table-load", "log"],
        hide = true,
        disable_help_flag = true
    )]
    NoTable {
        /// What was typed after it
        #[arg(num_args = 0.., trailing_var_arg = true, allow_hyphen_values = true)]
        rest: Vec<OsString>,
    },
    /// Serve the card table, where people play in their browsers
    #[cfg(feature = "table")]
    #[command(after_help = SERVE_EXAMPLES)]
    Serve(ServeArgs),
    /// Look after a card table
    #[cfg(feature = "table")]
    #[command(subcommand, after_help = TABLE_EXAMPLES)]
    Table(TableCommand),
    /// Test a card table with many players at once, checking every message
    #[cfg(feature = "table")]
    #[command(after_help = TABLE_LOAD_EXAMPLES)]
    TableLoad(TableLoadArgs),
    /// Verify the log of a card table
    #[cfg(feature = "table")]
    #[command(subcommand, after_help = LOG_EXAMPLES)]
    Log(LogCommand),
    /// Play many games by any rules, and print statistics
    #[command(after_help = SIMULATE_EXAMPLES, args_conflicts_with_subcommands = true)]
    Simulate(Box<SimulateArgs>),
    /// Play every possible deal of a small deck
    #[command(after_help = ENUMERATE_EXAMPLES, args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
    Enumerate(Box<EnumerateArgs>),
    /// Compare simulations with figures that others have published
    #[command(after_help = LITERATURE_EXAMPLES)]
    Literature(LiteratureArgs),
    /// Print the completion script for a shell
    #[command(after_help = COMPLETIONS_EXAMPLES)]
    Completions {
        /// Shell to complete commands in
        #[arg(ignore_case = true, value_parser = values::shell_parser())]
        shell: Shell,
    },
    /// Write manual pages, one for each command
    #[command(after_help = MAN_EXAMPLES)]
    Man {
        /// Directory for the pages, created if it does not exist
        #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
        dir: PathBuf,
    },
    /// Explain a command or a topic
    #[command(after_help = HELP_EXAMPLES)]
    Help {
        /// Command, or one of the topics rules, scenarios, journals and environment
        #[arg(value_name = "COMMAND|TOPIC")]
        words: Vec<String>,
    },
}

impl Cli {
    /// Returns an error if `-` is used for a file that can't be standard input or output; `config`
    /// is the configuration file to read.
    pub(crate) fn find_stream_error(&self, config: Option<&Path>) -> Option<Text> {
        let mut files = self.files();
        files.inputs.extend(config);
        files.find_stream_error()
    }

    /// Returns true if a game is recorded to standard output, which must then carry nothing else.
    pub(crate) fn records_to_stdout(&self) -> bool {
        self.files().records_to_stdout()
    }

    fn files(&self) -> NamedFiles<'_> {
        let mut files = NamedFiles::default();
        self.play.game.add_files_to(&mut files);
        match &self.command {
            Some(Command::Duels(options)) => options.game.add_files_to(&mut files),
            Some(Command::Xy(options)) => {
                files.add_game(options.journal.as_ref(), options.result);
            }
            Some(Command::Import(ImportCommand::Xy {
                files: tables,
                journal_dir,
            })) => {
                files.add_inputs(tables);
                files.add_directory("--journal-dir", Some(journal_dir));
            }
            Some(Command::Replay(options)) => files.add_replay(options),
            Some(Command::View(options)) => files.inputs.push(&options.file),
            #[cfg(feature = "watch")]
            Some(Command::Watch(options)) => {
                files.inputs.extend(options.inputs());
                files.add_directory("--scenarios", options.directory());
            }
            Some(Command::Stats(options)) => files.inputs.push(&options.file),
            Some(Command::Journal(command)) => files.add_journals(command),
            Some(Command::Simulate(options)) => {
                files.inputs.extend(options.deal.as_deref());
                files.add_game(options.journal.as_ref(), options.result);
                if let Some(MergeCommand::Merge { parts, .. }) = &options.merge {
                    files.add_inputs(parts);
                }
            }
            Some(Command::Enumerate(options)) => {
                files.add_resume_file(options.resume.as_deref());
                if let Some(MergeEnumerationCommand::Merge { parts, .. }) = &options.merge {
                    files.add_inputs(parts);
                }
            }
            #[cfg(feature = "table")]
            Some(Command::Log(LogCommand::Verify(options))) => {
                files.add_directory("URL|DIR", Some(&options.log));
                files.inputs.extend(options.with.as_deref());
                files.inputs.extend(options.key.as_ref().map(Path::new));
            }
            #[cfg(feature = "table")]
            Some(Command::Serve(options)) => files.add_regular_file("--key", options.key.as_ref()),
            #[cfg(feature = "table")]
            Some(Command::Table(command)) => command.add_files_to(&mut files),
            Some(Command::Man { dir }) => files.add_directory("--dir", Some(dir)),
            _ => {}
        }
        files
    }
}

impl GameOptions {
    fn add_files_to<'a>(&'a self, files: &mut NamedFiles<'a>) {
        files.inputs.extend(self.scenario.as_deref().map(Path::new));
        files.add_game(self.journal.as_ref(), self.result);
        files.add_directory("--journal-dir", self.journal_dir.as_ref());
        files.add_directory("--scenarios", self.scenarios.as_ref());
    }
}

/// Files named on the command line.
#[derive(Default)]
struct NamedFiles<'a> {
    /// Files that are read once, from start to end.
    inputs: Vec<&'a Path>,
    /// Files that can't be standard input or output, with the options that name them.
    regular_files: Vec<(&'static str, &'a Path)>,
    /// Journal in which a game is recorded.
    journal: Option<&'a Path>,
    prints_result: bool,
    /// Directories, with the options that name them.
    directories: Vec<(&'static str, &'a Path)>,
}

impl<'a> NamedFiles<'a> {
    /// Returns an error if one of the files is `-` but can't be standard input or output.
    fn find_stream_error(&self) -> Option<Text> {
        let standard = |(_, path): &&(&str, &Path)| is_standard_stream(path);
        if let Some((option, _)) = self.regular_files.iter().find(standard) {
            return Some(text!(NotStandardFile, option = *option));
        }
        if let Some((option, _)) = self.directories.iter().find(standard) {
            return Some(text!(NotStandardDirectory, option = *option));
        }
        if self.records_to_stdout() && self.prints_result {
            return Some(text!(JournalAndResult));
        }
        let inputs = self.inputs.iter().filter(|path| is_standard_stream(path));
        (inputs.count() > 1).then(|| text!(StandardInputTwice))
    }

    fn add_inputs(&mut self, paths: &'a [PathBuf]) {
        self.inputs.extend(paths.iter().map(PathBuf::as_path));
    }

    fn records_to_stdout(&self) -> bool {
        self.journal.is_some_and(is_standard_stream)
    }

    /// Adds the journal of a game, and records whether its result is printed.
    fn add_game(&mut self, journal: Option<&'a PathBuf>, result: Option<ResultFormat>) {
        self.journal = self.journal.or(journal.map(PathBuf::as_path));
        self.prints_result |= result.is_some();
    }

    /// Adds a file that can't be standard input or output.
    #[cfg(feature = "table")]
    fn add_regular_file(&mut self, option: &'static str, file: Option<&'a PathBuf>) {
        let file = file.map(PathBuf::as_path);
        self.regular_files.extend(file.map(|path| (option, path)));
    }

    /// Adds a file that is read and later overwritten.
    fn add_resume_file(&mut self, file: Option<&'a Path>) {
        self.regular_files
            .extend(file.map(|file| ("--resume", file)));
    }

    fn add_directory(&mut self, option: &'static str, directory: Option<&'a PathBuf>) {
        let directory = directory.map(PathBuf::as_path);
        self.directories
            .extend(directory.map(|path| (option, path)));
    }

    /// Adds a journal to replay; one with a detached signature can't be standard input.
    fn add_replay(&mut self, options: &'a ReplayArgs) {
        match &options.public_key {
            Some(key) => {
                self.inputs.push(Path::new(key));
                self.regular_files.push(("FILE", &options.file));
            }
            None => self.inputs.push(&options.file),
        }
    }

    fn add_journals(&mut self, command: &'a JournalCommand) {
        match command {
            JournalCommand::Check { files, .. } => self.add_inputs(files),
            JournalCommand::Show { file } => self.inputs.push(file),
            JournalCommand::Diff { a, b } => self.inputs.extend([a.as_path(), b.as_path()]),
            // FILE and OLD are left out: the commands themselves report an input that is a pipe.
            JournalCommand::Repair { new, .. }
            | JournalCommand::Upgrade(UpgradeArgs { new, .. }) => {
                self.regular_files.push(("NEW", new));
            }
            JournalCommand::Sign(options) => {
                self.inputs.push(&options.key);
                self.add_signed_journals(&options.files);
            }
            JournalCommand::Verify(options) => {
                self.inputs.push(Path::new(&options.public_key));
                self.add_signed_journals(&options.files);
            }
            JournalCommand::Export(options) => self.add_inputs(&options.files),
        }
    }

    /// Adds journals with a detached signature.
    fn add_signed_journals(&mut self, journals: &'a [PathBuf]) {
        let journals = journals.iter().map(|path| ("FILE", path.as_path()));
        self.regular_files.extend(journals);
    }
}

#[cfg(feature = "table")]
impl TableCommand {
    /// Adds the files that can't be standard input or output.
    fn add_files_to<'a>(&'a self, files: &mut NamedFiles<'a>) {
        let key = match self {
            Self::Backup(options) => return files.add_regular_file("FILE", Some(&options.file)),
            Self::Restored(_) => return,
            Self::Move(options) => &options.key,
            Self::Players(options) => &options.table.key,
            Self::Order(ordering) => &ordering.order().1.key,
            Self::Export(options) => &options.table.key,
            Self::Retain(options) => &options.table.key,
            Self::Verify(options) => &options.table.key,
        };
        files.add_regular_file("--key", key.as_ref());
    }
}
