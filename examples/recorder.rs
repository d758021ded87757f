//! A recorder: plays a game and writes its journal, which `war replay` can read.
//!
//! ```sh
//! cargo run --example recorder -- game.json
//! cargo run -- replay game.json
//! ```

use std::env;
use std::error::Error;
use war::cards::Generator;
use war::journal::{GameEndReason, JournalFile, Medium};
use war::lang::Lang;
use war::recording::{NewGame, Recorder};
use war::{CLASSIC, Deck};

/// Records a game with this seed, and describes its outcome.
pub(crate) fn record(seed: u64, medium: impl Medium) -> Result<String, Box<dyn Error>> {
    // The journal names the generator and its seed, so that a verifier can repeat the deal.
    let generator = Generator::ChaCha8 { seed };
    let opening = NewGame::shuffled(CLASSIC, Deck::Small, 4, generator)?;
    let engine = concat!("recorder ", env!("CARGO_PKG_VERSION"));

    let end = Recorder::new(engine, opening, Lang::En)
        .write_to(medium)
        .play()?;
    let outcome = match end.reason {
        GameEndReason::Won(seat) => format!("player {seat} won"),
        reason => format!("nobody won: {reason:?}"),
    };
    Ok(format!("{outcome} in turn {}", end.turns))
}

fn main() -> Result<(), Box<dyn Error>> {
    let line = match env::args_os().nth(1) {
        // Each event is written to the new file before anything else sees it.
        Some(path) => record(1, JournalFile::create(path.as_ref())?)?,
        // Without a file, the journal is kept in memory.
        None => record(1, Vec::new())?,
    };
    println!("{line}");
    Ok(())
}
