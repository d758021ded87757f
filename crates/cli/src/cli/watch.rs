//! The command line of `war watch`.

use super::journal_form::JournalForm;
use super::play::GameOptions;
use super::values;
use crate::watch::Pace;
use clap::{Args, ValueHint};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use war::i18n::{Text, text};
use war::setup::Setup;

pub(super) const WATCH_USAGE: &str = "\
war watch [OPTIONS] FILE
       war watch [OPTIONS] PLAYERS DECK
       war watch [OPTIONS] --scenario X";

pub(super) const WATCH_EXAMPLES: &str = "\
Examples:
  war watch game.json                  watch a recorded game
  war watch 4 small --seed 1           deal a game, and watch it
  war watch --scenario example         watch a game of given hands
  war watch --follow game.json         watch a game while it is recorded
  war watch --plain game.json          print its screens, a turn a second

Space pauses, the arrows step, + and - change the speed, n goes to the next war,
/ to a turn, ? explains all keys, and q quits. Colors follow `--color` and
NO_COLOR. The terminal needs 80 columns and 24 rows.

A journal is verified first, and the verdict goes to standard error at the end.
A game is shown only if its journal is VERIFIED or INCOMPLETE.";

#[derive(Debug, Args)]
#[command(override_usage = WATCH_USAGE)]
pub(crate) struct Watch {
    /// Journal to watch, or - for standard input; or the number of players, 1 to 5, and the deck,
    /// `small` or `large`, to deal a game
    #[arg(value_name = "FILE|PLAYERS DECK", num_args = 0.., allow_negative_numbers = true, value_hint = ValueHint::FilePath)]
    values: Vec<OsString>,
    /// Seed to deal from, 0 to 18446744073709551615 [default: a random one, printed to stderr]
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    seed: Option<String>,
    /// Scenario to watch: a path, a name in any letter case, or - for standard input
    #[arg(long, value_name = "X", value_hint = ValueHint::FilePath)]
    scenario: Option<OsString>,
    /// Directory to look for scenarios in [default: `WAR_SCENARIOS`, else ./scenarios]
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    scenarios: Option<PathBuf>,
    /// Watch a game while it is being recorded: show each turn as soon as it is written
    #[arg(long)]
    pub(crate) follow: bool,
    /// Print the screens of the game one after the other, as for a screen reader
    #[arg(long)]
    pub(crate) plain: bool,
    /// Turns a second at the start [default: 1]
    #[arg(long, value_name = "TURNS", value_parser = values::pace())]
    speed: Option<Pace>,
}

/// What is to be watched.
pub(crate) enum Watched<'a> {
    /// A recorded game, or one that is being recorded.
    Journal(&'a Path),
    /// A game that is dealt.
    Dealt(Setup),
    /// A game of given hands.
    Scenario,
}

impl Watch {
    /// What is to be watched.
    ///
    /// # Errors
    ///
    /// What is wrong with what was typed.
    pub(crate) fn watched(&self) -> Result<Watched<'_>, Text> {
        let watched = match (&self.values[..], &self.scenario) {
            ([], Some(_)) => Watched::Scenario,
            ([file], None) => Watched::Journal(Path::new(file)),
            ([players, deck], None) => Watched::Dealt(Setup::from_typed(
                &players.to_string_lossy(),
                &deck.to_string_lossy(),
            )),
            _ => return Err(text!(WatchWhat)),
        };
        match watched {
            Watched::Dealt(_) | Watched::Scenario if self.follow => Err(text!(WatchFollowsFile)),
            Watched::Journal(_) if self.seed.is_some() => Err(text!(WatchSeedOfFile)),
            watched => Ok(watched),
        }
    }

    /// How fast turns follow each other.
    pub(crate) fn pace(&self) -> Pace {
        self.speed.unwrap_or_default()
    }

    /// The options of a game that is recorded nowhere.
    pub(crate) fn game(&self) -> GameOptions {
        GameOptions {
            seed: self.seed.clone(),
            journal: None,
            journal_dir: None,
            form: JournalForm::default(),
            scenario: self.scenario.clone(),
            scenarios: self.scenarios.clone(),
            result: None,
        }
    }

    /// The journal and the scenario, each of which may be standard input.
    pub(super) fn inputs(&self) -> impl Iterator<Item = &Path> {
        let journal = match &self.values[..] {
            [file] => Some(file),
            _ => None,
        };
        journal.into_iter().chain(&self.scenario).map(Path::new)
    }

    /// The directory of scenarios.
    pub(super) const fn directory(&self) -> Option<&PathBuf> {
        self.scenarios.as_ref()
    }
}
