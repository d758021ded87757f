//! A recorder: plays a game and writes its journal, which `war replay` takes.
//!
//! ```sh
//! cargo run --example recorder -- game.json
//! cargo run -- replay game.json
//! ```

use std::error::Error;
use std::{env, fs};
use war::cards::{Deck, Generator, deal};
use war::engine::Game;
use war::journal::{Deal, Reason};
use war::lang::Lang;
use war::recording::{Opening, Recording};
use war::rules::{CLASSIC, Flow};

/// The journal of a game with this seed, with a line on how the game ended.
pub(crate) fn record(seed: u64) -> Result<(Vec<u8>, String), Box<dyn Error>> {
    // The journal names the generator and its seed, so that a verifier can deal again.
    let generator = Generator::ChaCha8 { seed };
    let mut chance = generator.start();
    let mut cards = Deck::Small.cards();
    chance.shuffle(&mut cards);

    let opening = Opening {
        engine: concat!("recorder ", env!("CARGO_PKG_VERSION")).to_owned(),
        variant: CLASSIC,
        deal: Deal::Shuffled { generator },
        players: 4,
        deck: Deck::Small,
        corrections: Vec::new(),
    };
    // What the rules leave to chance after the deal comes from the same generator.
    let rules = Box::new(Flow::new(opening.variant.parameters));
    let game = Game::new(rules, deal(&cards, 4))?.with_chance(chance);

    // Memory is a medium as well as a file: see `war::journal::Medium` for one of your own.
    let mut journal = Vec::new();
    let recording = Recording::of_war(&opening, Lang::En).written_to(&mut journal, false);
    let end = recording.play(game)?.expect("this recording has a journal");
    let outcome = match end.reason {
        Reason::Won(seat) => format!("player {seat} won"),
        reason => format!("nobody won: {reason:?}"),
    };
    let line = format!("{outcome} in turn {}\n", end.turns);
    Ok((journal, line))
}

fn main() -> Result<(), Box<dyn Error>> {
    let (journal, line) = record(1)?;
    print!("{line}");
    if let Some(path) = env::args_os().nth(1) {
        fs::write(path, journal)?;
    }
    Ok(())
}
