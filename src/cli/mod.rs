//! The command line, as typed.

mod journals;
mod result;
mod simulate;
mod streams;
#[cfg(feature = "table")]
mod table;
mod values;

pub(crate) use journals::{Import, Journal, Replay};
pub(crate) use result::ResultFormat;
pub(crate) use simulate::{Enumerate, FigureFiles, Literature, Merge, RuleOptions, Simulate};
#[cfg(feature = "table")]
pub(crate) use table::{NotBetween, Serve, TableLoad};
pub(crate) use values::{BadValue, FixedHand, NamedRules};

use crate::i18n::Text;
use clap::{Args, Parser, Subcommand};
use clap_complete::Shell;
use journals::{IMPORT_EXAMPLES, JOURNAL_EXAMPLES, REPLAY_EXAMPLES};
use result::RESULT_HELP;
use simulate::{ENUMERATE_EXAMPLES, LITERATURE_EXAMPLES, SIMULATE_EXAMPLES};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use streams::Files;
#[cfg(feature = "table")]
use table::{SERVE_EXAMPLES, TABLE_LOAD_EXAMPLES};

/// Where an option stands that every command takes: behind the command's own.
const GLOBAL: &str = "Global options";

const EXAMPLES: &str = "\
Examples:
  war 4 small                          play a game of 4 players on 24 cards
  war 2 large --seed 42                deal the same game again
  war 4 small --journal game.json      record the game
  war replay game.json                 print the game again, and verify it
  war --scenario example               play a scenario of the program's own
  war journal check journals/*.json    verify many journals

PLAYERS is 1 to 5, DECK is small (24 cards) or large (52 cards), in any letter
case. Anything else is corrected, and the correction is printed.

Exit codes:
  0    played, or VERIFIED
  1    a bad scenario, table or part; journals that differ; DAMAGED or DIVERGED
  2    usage
  3    INCOMPLETE, or interrupted by Ctrl-C
  4    input or output failed
  5    UNSUPPORTED
  130  interrupted a second time";

const USAGE: &str = "\
war [OPTIONS] PLAYERS DECK
       war [OPTIONS] --scenario X
       war COMMAND";

const XY_EXAMPLES: &str = "\
Examples:
  war xy 42                            the game of seed 42, always the same
  war xy --journal game.json           draw a seed, and record its game
  war --lang pl xy 42                  the table's catalogue in Polish";

const COMPLETIONS_EXAMPLES: &str = "\
Examples:
  war completions bash >~/.local/share/bash-completion/completions/war
  war completions zsh >~/.zfunc/_war
  war completions fish >~/.config/fish/completions/war.fish";

const MAN_EXAMPLES: &str = "\
Examples:
  war man >war.1     keep it
  man ./war.1        read it";

/// Play the card game War: 1 to 5 computer players, every game replayable.
#[derive(Debug, Parser)]
#[command(name = "war", version, after_help = EXAMPLES, override_usage = USAGE)]
pub(crate) struct Cli {
    #[command(flatten)]
    pub(crate) common: Common,
    #[command(flatten)]
    pub(crate) play: Play,
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
}

#[derive(Debug, Args)]
pub(crate) struct Common {
    /// Language: en or pl [default: `WAR_LANG`, else en]
    #[arg(long, global = true, value_name = "LANG", help_heading = GLOBAL)]
    pub(crate) lang: Option<String>,
    /// Configuration of the audit log and the card table [default: `WAR_CONFIG`, else ./war.toml
    /// if it is there]
    ///
    /// Settings that this file does not have are taken from your own configuration,
    /// `$XDG_CONFIG_HOME/war/war.toml` (else `~/.config/war/war.toml`). `-` reads standard input.
    #[arg(long, global = true, value_name = "FILE", help_heading = GLOBAL)]
    pub(crate) config: Option<PathBuf>,
    /// Do not write an audit log
    ///
    /// Each game writes an audit log, `logs/audit_*.log`. Audit logs are never deleted unless you
    /// ask for it: `keep = 50` in the section `[log]` of the configuration keeps the newest 50.
    /// There, `level = "off"` writes none, and `directory` may begin with `~` or
    /// `$XDG_STATE_HOME`.
    #[arg(long, global = true, help_heading = GLOBAL)]
    pub(crate) no_log: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Play {
    /// Number of players and deck
    #[arg(value_name = "PLAYERS DECK", num_args = 0.., allow_negative_numbers = true)]
    pub(crate) values: Vec<OsString>,
    #[command(flatten)]
    pub(crate) game: GameOptions,
}

/// What every dealt or scenario game takes.
#[derive(Debug, Args)]
pub(crate) struct GameOptions {
    /// Seed of the deal (0 to 18446744073709551615); if you omit it, a random one is chosen and
    /// printed to stderr
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    pub(crate) seed: Option<String>,
    /// Record the game in a new file
    #[arg(long, value_name = "FILE", conflicts_with = "journal_dir")]
    pub(crate) journal: Option<PathBuf>,
    /// Record each scenario game in a new file of this directory
    #[arg(long, value_name = "DIR")]
    pub(crate) journal_dir: Option<PathBuf>,
    /// Sync every recorded event to the disk before its screen is printed
    #[arg(long)]
    pub(crate) durable: bool,
    /// Play this scenario: a path, - for standard input, or a name in any letter case
    #[arg(long, value_name = "X")]
    pub(crate) scenario: Option<OsString>,
    /// Look for scenario files in this directory [default: `WAR_SCENARIOS`, else ./scenarios]
    #[arg(long, value_name = "DIR")]
    pub(crate) scenarios: Option<PathBuf>,
    #[arg(long, value_name = "FORMAT", ignore_case = true, help = "Print the result as JSON instead of the screens", long_help = RESULT_HELP)]
    pub(crate) result: Option<ResultFormat>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Play the duels edition: battles, and duels shown by their conclusion
    #[command(disable_help_flag = true)]
    Duels(Duels),
    /// Play the X/Y edition: two players, three cards face down, one row a round
    #[command(after_help = XY_EXAMPLES)]
    Xy(Xy),
    /// Make journals of games that were printed elsewhere
    #[command(subcommand, after_help = IMPORT_EXAMPLES)]
    Import(Import),
    /// Print a recorded game again, and prove that it was played by the rules
    #[command(after_help = REPLAY_EXAMPLES)]
    Replay(Replay),
    /// Check, show, compare and repair journals
    #[command(subcommand, after_help = JOURNAL_EXAMPLES)]
    Journal(Journal),
    /// Open the card table: this program was built without it
    #[cfg(not(feature = "table"))]
    #[command(
        name = "serve",
        alias = "table-load",
        hide = true,
        disable_help_flag = true
    )]
    NoTable {
        /// Whatever was asked of it
        #[arg(num_args = 0.., trailing_var_arg = true, allow_hyphen_values = true)]
        rest: Vec<OsString>,
    },
    /// Open the card table: a page, a WebSocket, and a store that forgets nothing
    #[cfg(feature = "table")]
    #[command(after_help = SERVE_EXAMPLES)]
    Serve(Serve),
    /// Let many players play at a card table at once, and check every message
    #[cfg(feature = "table")]
    #[command(after_help = TABLE_LOAD_EXAMPLES)]
    TableLoad(TableLoad),
    /// Play many games of any rules, and count how they end
    #[command(after_help = SIMULATE_EXAMPLES, args_conflicts_with_subcommands = true)]
    Simulate(Box<Simulate>),
    /// Play all deals of a small deck
    #[command(after_help = ENUMERATE_EXAMPLES)]
    Enumerate(Enumerate),
    /// Play what others have published, and compare
    #[command(after_help = LITERATURE_EXAMPLES)]
    Literature(Literature),
    /// Print the completions for a shell
    #[command(after_help = COMPLETIONS_EXAMPLES)]
    Completions {
        /// The shell
        shell: Shell,
    },
    /// Print the manual page
    #[command(after_help = MAN_EXAMPLES)]
    Man,
}

#[derive(Debug, Args)]
pub(crate) struct Duels {
    /// Number of players: 2 to 5
    #[arg(long = "numPlayers", value_name = "X", allow_hyphen_values = true)]
    pub(crate) num_players: Option<OsString>,
    /// Deck: small or large
    #[arg(long = "deckType", value_name = "T", allow_hyphen_values = true)]
    pub(crate) deck_type: Option<OsString>,
    /// How cards are drawn: default, shuffle or random
    #[arg(long, value_name = "Z", allow_hyphen_values = true)]
    pub(crate) strategy: Option<OsString>,
    #[command(flatten)]
    pub(crate) game: GameOptions,
    /// Print the usage screen
    #[arg(long, short = 'h')]
    pub(crate) help: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Xy {
    /// Seed of the game (a signed 64-bit number); if you omit it, a random one is chosen and
    /// printed to stderr
    #[arg(value_name = "SEED", allow_negative_numbers = true)]
    pub(crate) argument: Option<String>,
    /// Seed of the game, as in the other editions
    #[arg(
        long,
        value_name = "N",
        allow_hyphen_values = true,
        conflicts_with = "argument"
    )]
    pub(crate) seed: Option<String>,
    /// Record the game in a new file
    #[arg(long, value_name = "FILE")]
    pub(crate) journal: Option<PathBuf>,
    /// Sync every recorded event to the disk before its row is printed
    #[arg(long, requires = "journal")]
    pub(crate) durable: bool,
    #[arg(long, value_name = "FORMAT", ignore_case = true, help = "Print the result as JSON instead of the screens", long_help = RESULT_HELP)]
    pub(crate) result: Option<ResultFormat>,
}

impl Cli {
    /// What is wrong with a `-` on the command line, where it stands for standard input or
    /// output and can't; `config` is the configuration that is read.
    pub(crate) fn misused_stream(&self, config: Option<&Path>) -> Option<Text> {
        let mut files = Files::default();
        files.inputs.extend(config);
        self.play.game.name_files(&mut files);
        match &self.command {
            Some(Command::Duels(options)) => options.game.name_files(&mut files),
            Some(Command::Xy(options)) => files.add_journal(options.journal.as_ref()),
            Some(Command::Import(Import::Xy {
                files: tables,
                journal_dir,
            })) => {
                files.add_inputs(tables);
                files.add_directory("--journal-dir", Some(journal_dir));
            }
            Some(Command::Replay(options)) => files.inputs.push(&options.file),
            Some(Command::Journal(command)) => files.add_journals(command),
            Some(Command::Simulate(options)) => {
                files.inputs.extend(options.deal.as_deref());
                files.add_journal(options.journal.as_ref());
                if let Some(Merge::Merge { parts, .. }) = &options.merge {
                    files.add_inputs(parts);
                }
            }
            _ => {}
        }
        files.misused_stream()
    }
}

impl GameOptions {
    fn name_files<'a>(&'a self, files: &mut Files<'a>) {
        files.inputs.extend(self.scenario.as_deref().map(Path::new));
        files.add_journal(self.journal.as_ref());
        files.add_directory("--journal-dir", self.journal_dir.as_ref());
        files.add_directory("--scenarios", self.scenarios.as_ref());
    }
}
