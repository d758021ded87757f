//! The command line of a game: `war PLAYERS DECK`, `war duels` and `war xy`.

use super::journal_form::JournalForm;
use super::result::{RESULT_HELP, ResultFormat};
use super::tree::takes;
use super::values::offering;
use crate::machine::scenario_files::Source;
use clap::{Args, Command, ValueHint};
use std::ffi::OsString;
use std::path::PathBuf;
use war::i18n::{Text, text};
use war::support::digits::whole;

pub(crate) const XY_EXAMPLES: &str = "\
Examples:
  war xy 42                            play the game of seed 42
  war xy --journal game.json           pick a random seed, and record the game
  war --lang pl xy 42                  print the table in Polish";

pub(crate) const DUELS_EXAMPLES: &str = "\
Examples:
  war duels                            play the scenarios, or deal to 2 players
  war duels --numPlayers 4 --deckType large
  war duels --strategy shuffle --seed 42

A bad value is replaced by its default, and the correction is printed.
`war duels --help` prints the usage screen of this edition.";

#[derive(Debug, Args)]
pub(crate) struct Play {
    /// Number of players, 1 to 5, and deck, `small` (24 cards) or `large` (52 cards)
    #[arg(value_name = "PLAYERS DECK", num_args = 0.., allow_negative_numbers = true)]
    pub(crate) values: Vec<OsString>,
    #[command(flatten)]
    pub(crate) game: GameOptions,
}

impl Play {
    /// What is wrong with these options where they are given before the subcommand at the end of
    /// this path, which would ignore them; `root` is the program.
    pub(crate) fn misplaced(&self, root: &Command, path: &[String]) -> Option<Text> {
        let given = [
            (!self.values.is_empty(), "PLAYERS DECK"),
            (self.game.seed.is_some(), "--seed"),
            (self.game.journal.is_some(), "--journal"),
            (self.game.journal_dir.is_some(), "--journal-dir"),
            (self.game.result.is_some(), "--result"),
            (self.game.scenario.is_some(), "--scenario"),
            (self.game.scenarios.is_some(), "--scenarios"),
        ];
        let given = given
            .into_iter()
            .find_map(|(given, option)| given.then_some(option));
        let option = given.or_else(|| self.game.form.typed())?;
        let command = path[1..].join(" ");
        Some(if takes(root, path, option) {
            text!(OptionAfterCommand, option = option, command = command)
        } else {
            text!(OptionOfPlay, option = option, command = command)
        })
    }
}

/// What every dealt or scenario game takes.
#[derive(Debug, Args)]
pub(crate) struct GameOptions {
    /// Seed to deal from, 0 to 18446744073709551615 [default: a random one, printed to stderr]
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    pub(crate) seed: Option<String>,
    /// Record the game in a new file (- for standard output, in place of the screens)
    #[arg(long, value_name = "FILE", conflicts_with = "journal_dir")]
    pub(crate) journal: Option<PathBuf>,
    /// Record each scenario game in a new file in this directory
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) journal_dir: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) form: JournalForm,
    /// Scenario to play: a path, a name in any letter case, or - for standard input
    #[arg(long, value_name = "X", value_hint = ValueHint::FilePath)]
    pub(crate) scenario: Option<OsString>,
    /// Directory to look for scenarios in [default: `WAR_SCENARIOS`, else ./scenarios]
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) scenarios: Option<PathBuf>,
    #[arg(long, value_name = "FORMAT", ignore_case = true, help = "Print the result as JSON instead of the screens", long_help = RESULT_HELP)]
    pub(crate) result: Option<ResultFormat>,
}

impl GameOptions {
    /// The seed typed, if any.
    ///
    /// # Errors
    ///
    /// Why it is not a seed.
    pub(crate) fn seed(&self) -> Result<Option<u64>, Text> {
        let seed = self.seed.as_ref().map(|typed| {
            let bad = || text!(BadSeed, value = typed.as_str());
            whole(typed).ok_or_else(bad)
        });
        seed.transpose()
    }

    /// Checks that journals can be named after what is played.
    ///
    /// # Errors
    ///
    /// What is wrong with these options.
    pub(crate) fn check_journals(&self, sources: &[Source]) -> Result<(), Text> {
        let scenario = !sources.is_empty();
        let several = scenario && self.scenario.is_none();
        if several && self.result.is_some() {
            return Err(text!(ResultOfSeveral));
        }
        if several && self.journal.is_some() {
            return Err(text!(JournalOfSeveral));
        }
        if !scenario && self.journal_dir.is_some() {
            return Err(text!(JournalDirOfOne));
        }
        let recorded = self.journal.is_some() || self.journal_dir.is_some();
        self.form.format(recorded).map(drop)
    }
}

#[derive(Debug, Args)]
pub(crate) struct Duels {
    /// Number of players, 2 to 5 [default: 2]
    #[arg(long = "numPlayers", value_name = "X", allow_hyphen_values = true, add = offering(2..=5))]
    pub(crate) num_players: Option<OsString>,
    /// Deck: `small` (24 cards) or `large` (52 cards) [default: small]
    #[arg(long = "deckType", value_name = "T", allow_hyphen_values = true, add = offering(["small", "large"]))]
    pub(crate) deck_type: Option<OsString>,
    /// How cards are drawn: `default` (from the top), `shuffle` (a hand that comes back is
    /// shuffled) or `random` (any card of the hand)
    #[arg(long, value_name = "Z", allow_hyphen_values = true, add = offering(["default", "shuffle", "random"]))]
    pub(crate) strategy: Option<OsString>,
    #[command(flatten)]
    pub(crate) game: GameOptions,
}

#[derive(Debug, Args)]
pub(crate) struct Xy {
    /// Seed of the game, a signed 64-bit number [default: a random one, printed to stderr]
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
    /// Record the game in a new file (- for standard output, in place of the table)
    #[arg(long, value_name = "FILE")]
    pub(crate) journal: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) form: JournalForm,
    #[arg(long, value_name = "FORMAT", ignore_case = true, help = "Print the result as JSON instead of the screens", long_help = RESULT_HELP)]
    pub(crate) result: Option<ResultFormat>,
}
