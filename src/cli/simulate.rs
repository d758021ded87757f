//! The command line of `war simulate`, `war enumerate` and `war literature`.

use super::result::{RESULT_HELP, ResultFormat};
use super::values::{
    FixedHand, NamedRules, collect, deck, game, kernel, out_of_cards, rules, seed, shard, within,
};
use crate::cards::{Deck, GameNumber};
use crate::rules::{Collect, OutOfCards};
use crate::simulate::{Kernel, Shard};
use clap::{Args, Subcommand};
use std::num::NonZero;
use std::path::PathBuf;
use std::thread::available_parallelism;

/// The most games of a run.
const MOST_GAMES: u64 = 1_000_000_000_000;
/// The most threads.
const MOST_JOBS: NonZero<usize> = NonZero::new(1_024).expect("a number");

pub(crate) const SIMULATE_EXAMPLES: &str = "\
Examples:
  war simulate --games 1000000 --seed 1
      the classic edition, 2 players, 52 cards
  war simulate --players 4 --deck small --games 100000
      another table
  war simulate --rules bataille --face-down 1 --games 1000
      named rules, one parameter changed
  war simulate --game 1:341570 --journal long.json
      open a game of a run, and record it
  war simulate --seed 1 --games 1000000 --shard 3/8 --json 3.json
      play an eighth of a run
  war simulate merge *.json --plot run.svg
      join the parts";

pub(crate) const ENUMERATE_EXAMPLES: &str = "\
Examples:
  war enumerate 2x4 --rules bataille   38 deals
  war enumerate 4x4 --rules bataille   31,532,760 deals";

pub(crate) const LITERATURE_EXAMPLES: &str = "\
Examples:
  war literature                       all rows
  war literature --games 20000         a quick look
  war --lang pl literature --jobs 1    in Polish, on one thread";

/// The rules of a simulation.
#[derive(Debug, Args)]
pub(crate) struct RuleOptions {
    /// Rules to begin with: classic, duels, xy or bataille [default: classic]
    #[arg(long, value_name = "NAME", value_parser = rules)]
    pub(crate) rules: Option<NamedRules>,
    /// Cards face down before each face-up card of a war: 0 to 5
    #[arg(long, value_name = "N", allow_hyphen_values = true, value_parser = within(0..=5_u8))]
    pub(crate) face_down: Option<u8>,
    /// How won cards go back: seat, seat-interleaved, winner-first, winner-pile, bataille or
    /// shuffled
    #[arg(long, value_name = "ORDER", value_parser = collect)]
    pub(crate) collect: Option<Collect>,
    /// Who runs out of cards in a war: eoc; for 2 players also loses, last-card or shrink
    #[arg(long, value_name = "RULE", value_parser = out_of_cards)]
    pub(crate) out_of_cards: Option<OutOfCards>,
    /// Give up a game as undecided after this many turns [default: no limit, since endless
    /// games are recognized; duels: 10 turns a card; 1000000 where wars shrink and the hands are
    /// given or the deck is `RxS`]
    #[arg(long, value_name = "N", allow_hyphen_values = true, value_parser = within(1..=u32::MAX))]
    pub(crate) max_turns: Option<u32>,
}

/// How many threads play.
#[derive(Debug, Args)]
pub(crate) struct Jobs {
    /// Threads [default: one for each processor]
    #[arg(long, value_name = "J", allow_hyphen_values = true, value_parser = within(NonZero::<usize>::MIN..=MOST_JOBS))]
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
    /// Write all figures as JSON (- for standard output, in place of the summary)
    #[arg(long, value_name = "FILE")]
    pub(crate) json: Option<PathBuf>,
    /// Write how many games took how many turns (- for standard output)
    #[arg(long, value_name = "FILE")]
    pub(crate) csv: Option<PathBuf>,
    /// Draw the distribution of turns, who won, and how games ended (- for standard output)
    #[arg(long, value_name = "FILE.svg")]
    pub(crate) plot: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct Simulate {
    #[command(flatten)]
    pub(crate) rules: RuleOptions,
    /// Number of players: 2 to 5 [default: 2]
    #[arg(long, value_name = "N", allow_hyphen_values = true, value_parser = within(2..=5_u8))]
    pub(crate) players: Option<u8>,
    /// Deck: small, large, thirteen (from 1 to 13, as in X/Y), or `RxS` for R ranks and S suits
    /// [default: thirteen by the rules xy, else large]
    #[arg(long, value_name = "DECK", value_parser = deck)]
    pub(crate) deck: Option<Deck>,
    /// Begin every game with the hands of this scenario file (- for standard input)
    #[arg(long, value_name = "FILE", conflicts_with_all = ["fix", "deck", "players"])]
    pub(crate) deal: Option<PathBuf>,
    /// Player P holds exactly these cards, in random order; the others get the rest
    #[arg(long, value_name = "P:V,V,...")]
    pub(crate) fix: Option<FixedHand>,
    /// Number of games [default: 1000000]
    #[arg(long, value_name = "N", allow_hyphen_values = true, value_parser = within(1..=MOST_GAMES))]
    pub(crate) games: Option<u64>,
    /// Seed of the run (0 to 18446744073709551615); without it one is drawn and told
    #[arg(long, value_name = "S", allow_hyphen_values = true, value_parser = seed)]
    pub(crate) seed: Option<u64>,
    #[command(flatten)]
    pub(crate) jobs: Jobs,
    /// Play part I of N, to be joined with the others by `war simulate merge`
    #[arg(long, value_name = "I/N", requires = "seed", value_parser = shard)]
    pub(crate) shard: Option<Shard>,
    #[command(flatten)]
    pub(crate) files: FigureFiles,
    /// Write a row for each game (- for standard output)
    #[arg(long, value_name = "FILE")]
    pub(crate) csv_games: Option<PathBuf>,
    /// Who plays: fastest, portable or general; all play the same games [default: fastest]
    #[arg(long, value_name = "KERNEL", value_parser = kernel)]
    pub(crate) kernel: Option<Kernel>,
    /// Play game I of seed S on the console instead
    #[arg(long, value_name = "S:I", conflicts_with_all = ["games", "jobs", "shard", "json", "csv", "plot", "csv_games", "kernel"], value_parser = game)]
    pub(crate) game: Option<GameNumber>,
    /// Record the game in a new file
    #[arg(long, value_name = "FILE", requires = "game")]
    pub(crate) journal: Option<PathBuf>,
    /// Sync every recorded event to the disk before its screen is printed
    #[arg(long, requires = "journal")]
    pub(crate) durable: bool,
    #[arg(long, value_name = "FORMAT", ignore_case = true, requires = "game", help = "Print the result as JSON instead of the screens", long_help = RESULT_HELP)]
    pub(crate) result: Option<ResultFormat>,
    #[command(subcommand)]
    pub(crate) merge: Option<Merge>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Merge {
    /// Join the parts of a run, which `--shard` and `--json` have made
    Merge {
        /// The parts, one of which may be - for standard input
        #[arg(value_name = "FILE", required = true)]
        parts: Vec<PathBuf>,
        #[command(flatten)]
        files: FigureFiles,
    },
}

#[derive(Debug, Args)]
pub(crate) struct Enumerate {
    /// Deck: `RxS` for R ranks and S suits, or small
    #[arg(value_name = "RxS", value_parser = deck)]
    pub(crate) deck: Deck,
    #[command(flatten)]
    pub(crate) rules: RuleOptions,
    #[command(flatten)]
    pub(crate) jobs: Jobs,
}

#[derive(Debug, Args)]
pub(crate) struct Literature {
    /// Play so many games a row, at most [default: 100000]
    #[arg(long, value_name = "N", allow_hyphen_values = true, value_parser = within(1..=MOST_GAMES))]
    pub(crate) games: Option<u64>,
    #[command(flatten)]
    pub(crate) jobs: Jobs,
}
