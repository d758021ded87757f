//! The command line, as typed.

#[cfg(feature = "table")]
use super::config::Table;
use clap::{Args, Parser, Subcommand};
use clap_complete::Shell;
use std::ffi::OsString;
#[cfg(feature = "table")]
use std::net::SocketAddr;
#[cfg(feature = "table")]
use std::ops::RangeInclusive;
use std::path::PathBuf;

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

const REPLAY_EXAMPLES: &str = "\
Examples:
  war replay game.json                 print the game as it was printed
  war replay game.json --turn 7        print turn 7 alone
  war replay game.json --quiet         only verify
  war replay game.json --lang pl       print it in Polish
  cat game.json | war replay -         read standard input";

#[cfg(feature = "table")]
const SERVE_EXAMPLES: &str = "\
Examples:
  war serve                            open the table at http://127.0.0.1:8080/
  war serve --bots 0                   without house players
  war serve --store sqlite:/srv/t.db   keep everything in this file
  war serve --listen 0.0.0.0:8080      let other machines connect";

const XY_EXAMPLES: &str = "\
Examples:
  war xy 42                            the game of seed 42, always the same
  war xy --journal game.json           draw a seed, and record its game
  war --lang pl xy 42                  the table's words in Polish";

const JOURNAL_EXAMPLES: &str = "\
Examples:
  war journal check a.json b.json        verify, a verdict for each file
  war journal show game.json             header and summary
  war journal diff a.json b.json         the first place where two games part
  war journal repair cut.json new.json   end a journal that was cut off";

const IMPORT_EXAMPLES: &str = "\
Examples:
  war xy 42 >table.txt                        print a table
  war import xy table.txt                     make its journal, table.json
  war import xy old/*.txt --journal-dir new   many tables, journals elsewhere";

#[cfg(feature = "table")]
const TABLE_LOAD_EXAMPLES: &str = "\
Examples:
  war table-load                                   100 players, for 10 seconds
  war table-load 127.0.0.1:8081 --players 2000     another table, more players
  war table-load --players 0 --idle 10000          connections that do nothing

The exit code is 1 where a connection, a message, a seed or a balance was wrong.";

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
pub(super) struct Cli {
    #[command(flatten)]
    pub(super) common: Common,
    #[command(flatten)]
    pub(super) play: Play,
    #[command(subcommand)]
    pub(super) command: Option<Command>,
}

#[derive(Debug, Args)]
pub(super) struct Common {
    /// Language: en or pl [default: `WAR_LANG`, else en]
    #[arg(long, global = true, value_name = "LANG", help_heading = GLOBAL)]
    pub(super) lang: Option<String>,
    /// Configuration of the audit log and the card table [default: `WAR_CONFIG`, else ./war.toml
    /// if it is there]
    #[arg(long, global = true, value_name = "FILE", help_heading = GLOBAL)]
    pub(super) config: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(super) struct Play {
    /// Number of players and deck
    #[arg(value_name = "PLAYERS DECK", num_args = 0.., allow_negative_numbers = true)]
    pub(super) values: Vec<OsString>,
    #[command(flatten)]
    pub(super) game: Game,
}

/// What every dealt or scenario game takes.
#[derive(Debug, Args)]
pub(super) struct Game {
    /// Deal from this seed (0 to 18446744073709551615); without it one is drawn
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    pub(super) seed: Option<String>,
    /// Record the game in a new file
    #[arg(long, value_name = "FILE", conflicts_with = "journal_dir")]
    pub(super) journal: Option<PathBuf>,
    /// Record each scenario game in a new file of this directory
    #[arg(long, value_name = "DIR")]
    pub(super) journal_dir: Option<PathBuf>,
    /// Sync every recorded event to the disk before its screen is printed
    #[arg(long)]
    pub(super) durable: bool,
    /// Play this scenario: a path, or a name in any letter case
    #[arg(long, value_name = "X")]
    pub(super) scenario: Option<OsString>,
    /// Look for scenario files in this directory [default: `WAR_SCENARIOS`, else ./scenarios]
    #[arg(long, value_name = "DIR")]
    pub(super) scenarios: Option<PathBuf>,
}

#[derive(Debug, Subcommand)]
pub(super) enum Command {
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

/// A number that is not between these.
#[cfg(feature = "table")]
#[derive(Debug, thiserror::Error)]
#[error("not a whole number from {least} to {most}")]
pub(super) struct NotBetween {
    pub(super) least: u32,
    pub(super) most: u32,
}

/// What reads a whole number within a range.
#[cfg(feature = "table")]
fn whole(
    range: RangeInclusive<u32>,
) -> impl Fn(&str) -> Result<u32, NotBetween> + Clone + Send + Sync + 'static {
    move |typed| {
        let digits = typed.bytes().all(|byte| byte.is_ascii_digit());
        let number = typed.parse().ok().filter(|_| digits);
        let number = number.filter(|number| range.contains(number));
        number.ok_or(NotBetween {
            least: *range.start(),
            most: *range.end(),
        })
    }
}

#[cfg(feature = "table")]
#[derive(Debug, Args)]
pub(super) struct TableLoad {
    /// Where the table listens
    #[arg(value_name = "ADDRESS", default_value = "127.0.0.1:8080")]
    pub(super) address: SocketAddr,
    /// Players who play
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = whole(0..=100_000))]
    pub(super) players: u32,
    /// Players who are connected and do nothing
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = whole(0..=100_000))]
    pub(super) idle: u32,
    /// Milliseconds that a player thinks, on average, before he decides
    #[arg(long, value_name = "MILLISECONDS", default_value_t = 0, value_parser = whole(0..=600_000))]
    pub(super) think: u32,
    /// How long they play
    #[arg(long, value_name = "SECONDS", default_value_t = 10, value_parser = whole(1..=86_400))]
    pub(super) seconds: u32,
}

/// Where nothing is said here, the variable counts, then `war.toml`.
#[cfg(feature = "table")]
#[derive(Debug, Args)]
pub(super) struct Serve {
    /// Address and port to listen at [default: 127.0.0.1:8080]
    #[arg(long, value_name = "ADDRESS", env = "WAR_TABLE_LISTEN")]
    pub(super) listen: Option<SocketAddr>,
    /// Where everything is kept [default: sqlite:table.db]
    #[arg(long, value_name = "STORE", env = "WAR_TABLE_STORE")]
    pub(super) store: Option<String>,
    /// House players, who play with whoever finds no opponent [default: 2]
    #[arg(long, value_name = "N", env = "WAR_TABLE_BOTS", value_parser = whole(Table::BOTS))]
    pub(super) bots: Option<u32>,
    /// Seconds to decide; who takes longer folds [default: 30]
    #[arg(long, value_name = "SECONDS", env = "WAR_TABLE_DECIDE_SECONDS", value_parser = whole(Table::DECIDE_SECONDS))]
    pub(super) decide_seconds: Option<u32>,
    /// The most connections at a time [default: 16000]
    #[arg(long, value_name = "N", env = "WAR_TABLE_CONNECTIONS", value_parser = whole(Table::CONNECTIONS))]
    pub(super) connections: Option<u32>,
    /// The most messages of a connection in a second [default: 20]
    #[arg(long, value_name = "N", env = "WAR_TABLE_RATE", value_parser = whole(Table::RATE))]
    pub(super) rate: Option<u32>,
    /// A page of another origin that may connect, such as `https://war.example`
    #[arg(
        long = "origin",
        value_name = "ORIGIN",
        env = "WAR_TABLE_ORIGINS",
        value_delimiter = ','
    )]
    pub(super) origins: Vec<String>,
}

#[derive(Debug, Args)]
pub(super) struct Duels {
    /// Number of players: 2 to 5
    #[arg(long = "numPlayers", value_name = "X", allow_hyphen_values = true)]
    pub(super) num_players: Option<OsString>,
    /// Deck: small or large
    #[arg(long = "deckType", value_name = "T", allow_hyphen_values = true)]
    pub(super) deck_type: Option<OsString>,
    /// How cards are drawn: default, shuffle or random
    #[arg(long, value_name = "Z", allow_hyphen_values = true)]
    pub(super) strategy: Option<OsString>,
    #[command(flatten)]
    pub(super) game: Game,
    /// Print the usage screen
    #[arg(long, short = 'h')]
    pub(super) help: bool,
}

#[derive(Debug, Args)]
pub(super) struct Xy {
    /// Seed of the game (a signed 64-bit number); without it one is drawn and told
    #[arg(value_name = "SEED", allow_negative_numbers = true)]
    pub(super) seed: Option<String>,
    /// Record the game in a new file
    #[arg(long, value_name = "FILE")]
    pub(super) journal: Option<PathBuf>,
    /// Sync every recorded event to the disk before its row is printed
    #[arg(long, requires = "journal")]
    pub(super) durable: bool,
}

#[derive(Debug, Subcommand)]
pub(super) enum Import {
    /// Tables of the X/Y edition, every line of them checked
    #[command(after_help = IMPORT_EXAMPLES)]
    Xy {
        /// The tables
        #[arg(value_name = "FILE", required = true)]
        files: Vec<PathBuf>,
        /// Where the journals go, each under its table's name with `.json`
        #[arg(long, value_name = "DIR", default_value = ".")]
        journal_dir: PathBuf,
    },
}

#[derive(Debug, Args)]
pub(super) struct Replay {
    /// The journal, or - for standard input
    #[arg(value_name = "FILE")]
    pub(super) file: PathBuf,
    /// Print this turn alone (0 is the dealing)
    #[arg(long, value_name = "N", conflicts_with_all = ["from", "to"])]
    pub(super) turn: Option<String>,
    /// Print from this turn on
    #[arg(long, value_name = "N")]
    pub(super) from: Option<String>,
    /// Print up to this turn
    #[arg(long, value_name = "N")]
    pub(super) to: Option<String>,
    /// Print nothing, only verify
    #[arg(long, short)]
    pub(super) quiet: bool,
    /// Demand that the journal's final digest is this one
    #[arg(long, value_name = "HEX")]
    pub(super) expect_digest: Option<String>,
    /// Write an audit log of the replayed game
    #[arg(long)]
    pub(super) audit: bool,
}

#[derive(Debug, Subcommand)]
pub(super) enum Journal {
    /// Verify journals completely, and print a verdict for each
    Check {
        /// The journals
        #[arg(value_name = "FILE", required = true)]
        files: Vec<PathBuf>,
    },
    /// Print what a journal's header says, and how its game went
    Show {
        /// The journal
        #[arg(value_name = "FILE")]
        file: PathBuf,
    },
    /// Print the first difference of two journals
    Diff {
        /// One journal
        #[arg(value_name = "A")]
        a: PathBuf,
        /// The other journal
        #[arg(value_name = "B")]
        b: PathBuf,
    },
    /// End a journal whose recording was cut off, in a new file
    Repair {
        /// The journal that was cut off
        #[arg(value_name = "FILE")]
        file: PathBuf,
        /// The new file
        #[arg(value_name = "NEW")]
        new: PathBuf,
    },
}

const SIMULATE_EXAMPLES: &str = "\
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

const ENUMERATE_EXAMPLES: &str = "\
Examples:
  war enumerate 2x4 --rules bataille   38 deals
  war enumerate 4x4 --rules bataille   31,532,760 deals";

const LITERATURE_EXAMPLES: &str = "\
Examples:
  war literature                       all rows
  war literature --games 20000         a quick look
  war --lang pl literature --jobs 1    in Polish, on one thread";

/// What tells the rules of a simulation.
#[derive(Debug, Args)]
pub(super) struct RuleOptions {
    /// Rules to begin with: classic, duels, xy or bataille [default: classic]
    #[arg(long, value_name = "NAME")]
    pub(super) rules: Option<String>,
    /// Cards face down before each face-up card of a war: 0 to 5
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    pub(super) face_down: Option<String>,
    /// How won cards go back: seat, seat-interleaved, winner-first, winner-pile, bataille or
    /// shuffled
    #[arg(long, value_name = "ORDER")]
    pub(super) collect: Option<String>,
    /// Who runs out of cards in a war: eoc; for 2 players also loses, last-card or shrink
    #[arg(long, value_name = "RULE")]
    pub(super) out_of_cards: Option<String>,
    /// Give up a game as undecided after this many turns [default: no limit, since endless
    /// games are recognized; duels: 10 turns a card; 1000000 where wars shrink and the hands are
    /// given or the deck is `RxS`]
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    pub(super) max_turns: Option<String>,
}

/// Where figures go.
#[derive(Debug, Args)]
pub(super) struct FigureFiles {
    /// Write all figures as JSON
    #[arg(long, value_name = "FILE")]
    pub(super) json: Option<PathBuf>,
    /// Write how many games took how many turns
    #[arg(long, value_name = "FILE")]
    pub(super) csv: Option<PathBuf>,
    /// Draw the distribution of turns, who won, and how games ended
    #[arg(long, value_name = "FILE.svg")]
    pub(super) plot: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(super) struct Simulate {
    #[command(flatten)]
    pub(super) rules: RuleOptions,
    /// Number of players: 2 to 5 [default: 2]
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    pub(super) players: Option<String>,
    /// Deck: small, large, thirteen (from 1 to 13, as in X/Y), or `RxS` for R ranks and S suits
    /// [default: thirteen by the rules xy, else large]
    #[arg(long, value_name = "DECK")]
    pub(super) deck: Option<String>,
    /// Begin every game with the hands of this scenario file
    #[arg(long, value_name = "FILE", conflicts_with_all = ["fix", "deck", "players"])]
    pub(super) deal: Option<PathBuf>,
    /// Player P holds exactly these cards, in random order; the others get the rest
    #[arg(long, value_name = "P:V,V,...")]
    pub(super) fix: Option<String>,
    /// Number of games [default: 1000000]
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    pub(super) games: Option<String>,
    /// Seed of the run (0 to 18446744073709551615); without it one is drawn and told
    #[arg(long, value_name = "S", allow_hyphen_values = true)]
    pub(super) seed: Option<String>,
    /// Threads [default: one for each processor]
    #[arg(long, value_name = "J", allow_hyphen_values = true)]
    pub(super) jobs: Option<String>,
    /// Play part I of N, to be joined with the others by `war simulate merge`
    #[arg(long, value_name = "I/N", requires = "seed")]
    pub(super) shard: Option<String>,
    #[command(flatten)]
    pub(super) files: FigureFiles,
    /// Write a row for each game
    #[arg(long, value_name = "FILE")]
    pub(super) csv_games: Option<PathBuf>,
    /// Who plays: fastest, portable or general; all play the same games [default: fastest]
    #[arg(long, value_name = "KERNEL")]
    pub(super) kernel: Option<String>,
    /// Play game I of seed S on the console instead
    #[arg(long, value_name = "S:I", conflicts_with_all = ["games", "jobs", "shard", "json", "csv", "plot", "csv_games", "kernel"])]
    pub(super) game: Option<String>,
    /// Record the game in a new file
    #[arg(long, value_name = "FILE", requires = "game")]
    pub(super) journal: Option<PathBuf>,
    /// Sync every recorded event to the disk before its screen is printed
    #[arg(long, requires = "journal")]
    pub(super) durable: bool,
    #[command(subcommand)]
    pub(super) merge: Option<Merge>,
}

#[derive(Debug, Subcommand)]
pub(super) enum Merge {
    /// Join the parts of a run, which `--shard` and `--json` have made
    Merge {
        /// The parts
        #[arg(value_name = "FILE", required = true)]
        parts: Vec<PathBuf>,
        #[command(flatten)]
        files: FigureFiles,
    },
}

#[derive(Debug, Args)]
pub(super) struct Enumerate {
    /// Deck: `RxS` for R ranks and S suits, or small
    #[arg(value_name = "RxS")]
    pub(super) deck: String,
    #[command(flatten)]
    pub(super) rules: RuleOptions,
    /// Threads [default: one for each processor]
    #[arg(long, value_name = "J", allow_hyphen_values = true)]
    pub(super) jobs: Option<String>,
}

#[derive(Debug, Args)]
pub(super) struct Literature {
    /// Play so many games a row, at most [default: 100000]
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    pub(super) games: Option<String>,
    /// Threads [default: one for each processor]
    #[arg(long, value_name = "J", allow_hyphen_values = true)]
    pub(super) jobs: Option<String>,
}
