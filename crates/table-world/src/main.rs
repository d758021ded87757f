//! Plays many games at a simulated table, in one thread and without a real clock, while the store,
//! the network, the program and the players fail in every way. Checks every law of the table.
//!
//! ```sh
//! cargo run --release -p war-table-world -- --seed 1 --games 100000
//! ```
//!
//! Runs with the same seed and options are equal. The exit code is 1 if a law is broken.

use clap::Parser;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use war_table_world::{Options, run_world};

/// Play games at a simulated table, and check that every law of the table holds
#[derive(Debug, Parser)]
struct Arguments {
    /// Seed of the world, which determines everything in a run
    #[arg(long)]
    seed: u64,
    /// Stop after this many games
    #[arg(long, conflicts_with = "minutes")]
    games: Option<u64>,
    /// Stop after this many minutes
    #[arg(long)]
    minutes: Option<u64>,
    #[command(flatten)]
    options: Options,
}

fn main() -> ExitCode {
    let Arguments {
        seed,
        games,
        minutes,
        options,
    } = Arguments::parse();
    println!("--seed {seed} {options}");
    let began = Instant::now();
    let end = minutes.map(|minutes| began + Duration::from_secs(60 * minutes));
    let max_games = games.unwrap_or(if end.is_some() { u64::MAX } else { 10_000 });
    let should_continue = |played| played < max_games && end.is_none_or(|end| Instant::now() < end);
    match run_world(seed, &options, should_continue) {
        Ok(report) => {
            println!("{report}");
            let took = began.elapsed().as_secs_f64();
            println!("{took:.1} s");
            ExitCode::SUCCESS
        }
        Err(failure) => {
            let games = failure.games + 1;
            println!("broken at {failure}");
            println!("again: --seed {seed} --games {games} {options}");
            ExitCode::FAILURE
        }
    }
}
