//! Records a game, verifies the journal, and prints the game's result with its own projection.

use std::error::Error;
use war::cards::Generator;
use war::journal::Verdict;
use war::lang::Lang;
use war::recording::{NewGame, Recorder};
use war::replay::{Replay, WarObserver};
use war::{Deck, Event, Projection, Table, XY};

/// Prints one line for the result of a game.
#[derive(Default)]
struct Screen(String);

impl Projection<Table> for Screen {
    fn project(&mut self, event: &Event, table: &Table) {
        if let Event::Won { seat } = event {
            self.0 = format!("player {seat} won in turn {}", table.turn());
        }
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let generator = Generator::JavaRandom { seed: 42 };
    let opening = NewGame::shuffled(XY, Deck::Thirteen, 2, generator)?;
    let (mut live, mut journal) = (Screen::default(), Vec::new());
    Recorder::new("outsider 0.1.0", opening, Lang::En)
        .write_to(&mut journal)
        .with_projection(&mut live)
        .play()?;

    let mut replayed = Screen::default();
    let replay = Replay::open(&journal[..], None)?;
    let judgement = replay.verify(&mut WarObserver(&mut replayed))?;
    assert_eq!(judgement.verdict(), Verdict::Verified);
    assert_eq!(live.0, replayed.0);
    println!("{}: {} events verified", replayed.0, judgement.events());
    Ok(())
}
