//! The command line of `war simulate`, `war enumerate` and `war literature`.

use super::journal_form::JournalForm;
use super::result::{RESULT_HELP, ResultFormat};
use super::values::{
    TypedShard, collect, column, deck, game, hand, kernel, offering, out_of_cards, piles, rules,
    seed, shard, within,
};
use crate::machine::input::is_standard;
use clap::builder::TypedValueParser;
use clap::{ArgAction, Args, Subcommand};
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::thread::available_parallelism;
use war::cards::{Deck, GameNumber};
use war::rules::{Collect, OutOfCards, Piles};
use war_simulate::simulate::{Column, FixedHand, Kernel, NamedRules};

/// The most games of a run.
const MOST_GAMES: u64 = 1_000_000_000_000;
/// The fewest games of a row of the literature: fewer have no standard error of every figure.
const FEWEST_GAMES: u64 = 100;
/// The most threads.
const MOST_JOBS: usize = 1_024;

pub(crate) const SIMULATE_EXAMPLES: &str = "\
Examples:
  war simulate --games 1e6 --seed 1
      play the classic edition a million times
  war simulate --players 4 --deck small --games 100_000
      with 4 players and 24 cards
  war simulate --rules bataille --face-down 1 --games 1000
      by named rules, with one of them changed
  war simulate --game 1:341570 --journal long.json
      print one game of a run, and record it
  war simulate --game 1:341570 --view
      look at it in the browser
  war simulate --seed 1 --games 1e6 --shard 3/8 --json 3.json
      play an eighth of a run
  war simulate merge parts --plot run.svg
      join the parts of a run in a directory";

pub(crate) const MERGE_EXAMPLES: &str = "\
Examples:
  war simulate merge 1.json 2.json            print the figures of the run
  war simulate merge parts                    join all parts in a directory
  war simulate merge *.json --json run.json   also keep them in a file";

pub(crate) const ENUMERATE_EXAMPLES: &str = "\
Examples:
  war enumerate 2x4 --rules bataille   38 deals
  war enumerate 4x4 --rules bataille   31,532,760 deals
  war enumerate 16x1 --rules bataille --resume 16x1.json --yes
      save the state; after an interruption, the same command goes on
  war enumerate 5x4 --rules bataille --shard 3/8 --json 3.json
      play an eighth of the deals
  war enumerate merge parts
      join the parts in a directory";

pub(crate) const MERGE_ENUMERATION_EXAMPLES: &str = "\
Examples:
  war enumerate merge 1.json 2.json            print the figures of all deals
  war enumerate merge *.json --json all.json   also keep them in a file";

pub(crate) const LITERATURE_EXAMPLES: &str = "\
Examples:
  war literature                       compare everything
  war literature --games 20000         have a quick look
  war --lang pl literature --jobs 1    print it in Polish, using one thread";

/// The rules of a simulation.
#[derive(Debug, Args)]
pub(crate) struct RuleOptions {
    /// Rules to start from [default: classic]
    #[arg(long, value_name = "NAME", ignore_case = true, value_parser = rules())]
    pub(crate) rules: Option<NamedRules>,
    /// Cards each player puts face down in a war before the next one face up: 0 to 5
    #[arg(long, value_name = "N", allow_hyphen_values = true, value_parser = within(0..=5_u8), add = offering(0..=5))]
    pub(crate) face_down: Option<u8>,
    /// Order in which won cards go under the winner's hand, or one for each player: seat,shuffled
    #[arg(long, value_name = "ORDER", ignore_case = true, value_delimiter = ',', action = ArgAction::Set, value_parser = collect())]
    pub(crate) collect: Option<Vec<Collect>>,
    /// Where won cards go: under the hand, or on a second pile
    #[arg(long, value_name = "PILES", ignore_case = true, value_parser = piles())]
    pub(crate) piles: Option<Piles>,
    /// What happens to players who run out of cards in a war
    #[arg(long, value_name = "RULE", ignore_case = true, value_parser = out_of_cards())]
    pub(crate) out_of_cards: Option<OutOfCards>,
    /// Turns after which a game counts as undecided
    ///
    /// By default there is no limit, because endless games are recognized. The rules `duels`
    /// allow 10 turns a card. If wars shrink and the hands are given or the deck is `RxS`, the
    /// limit is 1000000.
    #[arg(long, value_name = "N", allow_hyphen_values = true, value_parser = within(1..=u32::MAX))]
    pub(crate) max_turns: Option<u32>,
}

/// How many threads to use.
#[derive(Debug, Args)]
pub(crate) struct Jobs {
    /// Threads to use [default: one for each processor]
    #[arg(long, value_name = "J", allow_hyphen_values = true, value_parser = within(1..=MOST_JOBS).try_map(NonZero::try_from))]
    jobs: Option<NonZero<usize>>,
}

impl Jobs {
    /// The number: one for each processor, unless it was typed.
    pub(crate) fn number(&self) -> NonZero<usize> {
        let processors = || available_parallelism().unwrap_or(NonZero::<usize>::MIN);
        self.jobs.unwrap_or_else(processors)
    }
}

/// Where figures go.
#[derive(Debug, Args)]
pub(crate) struct FigureFiles {
    /// Write all figures to this JSON file (- for standard output, in place of the summary)
    #[arg(long, value_name = "FILE")]
    pub(crate) json: Option<PathBuf>,
    /// Write the number of games of each length to this CSV file (- for standard output)
    #[arg(long, value_name = "FILE")]
    pub(crate) csv: Option<PathBuf>,
    /// Draw game lengths, winners and endings in this SVG file (- for standard output)
    #[arg(long, value_name = "FILE.svg")]
    pub(crate) plot: Option<PathBuf>,
}

impl FigureFiles {
    /// All of them.
    pub(crate) fn all(&self) -> [Option<&Path>; 3] {
        [&self.json, &self.csv, &self.plot].map(Option::as_deref)
    }

    /// Whether one of the files, these or another one, is standard output: nothing else is
    /// printed there.
    pub(crate) fn take_output(&self, other: Option<&Path>) -> bool {
        let mut all = self.all().into_iter().chain([other]).flatten();
        all.any(is_standard)
    }
}

#[derive(Debug, Args)]
pub(crate) struct Simulate {
    #[command(flatten)]
    pub(crate) rules: RuleOptions,
    /// Number of players, 2 to 5 [default: 2]
    #[arg(long, value_name = "N", allow_hyphen_values = true, value_parser = within(2..=5_u8), add = offering(2..=5))]
    pub(crate) players: Option<u8>,
    /// Deck to play with [default: thirteen by the rules `xy`, else large]
    ///
    /// `small` has 24 cards from 9 to 14, `large` 52 cards from 2 to 14, `thirteen` 52 cards from
    /// 1 to 13. `RxS`, such as 13x4, has R ranks in S suits: 2 to 255 cards of 64 ranks at most.
    #[arg(long, value_name = "DECK", value_parser = deck, add = offering(["small", "large", "thirteen", "13x4"]))]
    pub(crate) deck: Option<Deck>,
    /// Scenario file whose hands start every game (- for standard input)
    #[arg(long, value_name = "FILE", conflicts_with_all = ["fix", "deck", "players"])]
    pub(crate) deal: Option<PathBuf>,
    /// Cards that player P starts with, in random order; the others get the rest
    #[arg(long, value_name = "P:V,V,...", value_parser = hand)]
    pub(crate) fix: Option<FixedHand>,
    /// Number of games to play [default: 1000000]
    #[arg(long, value_name = "N", allow_hyphen_values = true, value_parser = within(1..=MOST_GAMES))]
    pub(crate) games: Option<u64>,
    /// Seed of the run, 0 to 18446744073709551615 [default: a random one, printed with the figures]
    #[arg(long, value_name = "S", allow_hyphen_values = true, value_parser = seed)]
    pub(crate) seed: Option<u64>,
    #[command(flatten)]
    pub(crate) jobs: Jobs,
    /// Play only part I of N, or that of the task in a Slurm job array (auto)
    ///
    /// `war simulate merge` joins the parts.
    #[arg(long, value_name = "I/N", requires = "seed", value_parser = shard, add = offering(["auto"]))]
    pub(crate) shard: Option<TypedShard>,
    #[command(flatten)]
    pub(crate) files: FigureFiles,
    /// Write a row for each game to this CSV file (- for standard output)
    #[arg(long, value_name = "FILE")]
    pub(crate) csv_games: Option<PathBuf>,
    /// What else each row says of the hands dealt, by player: aces,kings,strength
    #[arg(long, value_name = "COLUMN,...", ignore_case = true, value_delimiter = ',', requires = "csv_games", value_parser = column())]
    pub(crate) columns: Vec<Column>,
    /// Simulation engine to use; the results are the same [default: fastest]
    #[arg(long, value_name = "KERNEL", ignore_case = true, value_parser = kernel())]
    pub(crate) kernel: Option<Kernel>,
    /// Print game I of seed S instead
    #[arg(long, value_name = "S:I", conflicts_with_all = ["games", "jobs", "shard", "json", "csv", "plot", "csv_games", "columns", "kernel"], value_parser = game)]
    pub(crate) game: Option<GameNumber>,
    /// Open the game as a page in the browser, in place of the screens
    #[arg(long, requires = "game", conflicts_with_all = ["journal", "result"])]
    pub(crate) view: bool,
    /// Record the game in a new file (- for standard output, in place of the screens)
    #[arg(long, value_name = "FILE")]
    pub(crate) journal: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) form: JournalForm,
    #[arg(long, value_name = "FORMAT", ignore_case = true, requires = "game", help = "Print the result as JSON instead of the screens", long_help = RESULT_HELP)]
    pub(crate) result: Option<ResultFormat>,
    #[command(subcommand)]
    pub(crate) merge: Option<Merge>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Merge {
    /// Join the parts of a run, made with `--shard` and `--json`
    #[command(after_help = MERGE_EXAMPLES)]
    Merge {
        /// Parts to join: files, directories of files ending in .json, or - for standard input
        #[arg(value_name = "FILE", required = true)]
        parts: Vec<PathBuf>,
        #[command(flatten)]
        files: FigureFiles,
    },
}

#[derive(Debug, Args)]
pub(crate) struct Enumerate {
    /// Deck to play with: `RxS` for R ranks in S suits
    #[arg(value_name = "RxS", required = true, value_parser = deck, add = offering(["2x4", "3x4", "4x4", "5x4"]))]
    pub(crate) deck: Option<Deck>,
    #[command(flatten)]
    pub(crate) rules: RuleOptions,
    #[command(flatten)]
    pub(crate) jobs: Jobs,
    /// Play only part I of N, or that of the task in a Slurm job array (auto)
    ///
    /// `war enumerate merge` joins the parts.
    #[arg(long, value_name = "I/N", value_parser = shard, add = offering(["auto"]))]
    pub(crate) shard: Option<TypedShard>,
    /// Save the state in this file every minute, and go on from there if it exists
    #[arg(long, value_name = "FILE")]
    pub(crate) resume: Option<PathBuf>,
    /// Go on even if it takes long
    #[arg(long)]
    pub(crate) yes: bool,
    #[command(flatten)]
    pub(crate) files: ExactFiles,
    #[command(subcommand)]
    pub(crate) merge: Option<MergeEnumeration>,
}

/// Where exact figures go.
#[derive(Debug, Args)]
pub(crate) struct ExactFiles {
    /// Write all figures to this JSON file (- for standard output, in place of the summary)
    #[arg(long, value_name = "FILE")]
    pub(crate) json: Option<PathBuf>,
    /// Write the number of deals of each length to this CSV file (- for standard output)
    #[arg(long, value_name = "FILE")]
    pub(crate) csv: Option<PathBuf>,
}

impl ExactFiles {
    /// All of them.
    pub(crate) fn all(&self) -> [Option<&Path>; 2] {
        [&self.json, &self.csv].map(Option::as_deref)
    }

    /// Whether one of them is standard output: nothing else is printed there.
    pub(crate) fn take_output(&self) -> bool {
        self.all().into_iter().flatten().any(is_standard)
    }
}

#[derive(Debug, Subcommand)]
pub(crate) enum MergeEnumeration {
    /// Join the parts of an enumeration, made with `--shard` and `--json` or `--resume`
    #[command(after_help = MERGE_ENUMERATION_EXAMPLES)]
    Merge {
        /// Parts to join: files, directories of files ending in .json, or - for standard input
        #[arg(value_name = "FILE", required = true)]
        parts: Vec<PathBuf>,
        #[command(flatten)]
        files: ExactFiles,
    },
}

#[derive(Debug, Args)]
pub(crate) struct Literature {
    /// Most games to play for each row [default: 100000]
    #[arg(long, value_name = "N", allow_hyphen_values = true, value_parser = within(FEWEST_GAMES..=MOST_GAMES))]
    pub(crate) games: Option<u64>,
    #[command(flatten)]
    pub(crate) jobs: Jobs,
}
