//! Records a game, verifies the journal, and prints what happened on a screen of its own.

use std::error::Error;
use war::cards::{Deck, Generator, deal};
use war::engine::{Event, Game, Projection, Table};
use war::journal::Deal;
use war::lang::Lang;
use war::recording::{Opening, Recording};
use war::replay::{Replay, WarOnly};
use war::rules::{Flow, XY};

/// One line for the result of a game.
#[derive(Default)]
struct Screen(String);

impl Projection<Table> for Screen {
    fn project(&mut self, event: &Event, table: &Table, _: &mut String) {
        if let Event::Won { seat } = event {
            self.0 = format!("player {seat} won in turn {}", table.turn());
        }
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let generator = Generator::JavaRandom { seed: 42 };
    let mut chance = generator.start();
    let mut cards = Deck::Thirteen.cards();
    chance.shuffle(&mut cards);
    let opening = Opening {
        engine: "outsider 0.1.0".to_owned(),
        variant: XY,
        deal: Deal::Shuffled { generator },
        players: 2,
        deck: Deck::Thirteen,
        corrections: Vec::new(),
    };
    let rules = Box::new(Flow::new(XY.parameters));
    let game = Game::new(rules, deal(&cards, 2))?.with_chance(chance);
    let (mut live, mut journal) = (Screen::default(), Vec::new());
    Recording::of_war(&opening, Lang::En)
        .written_to(&mut journal, false)
        .with(&mut live)
        .play(game)?;

    let mut replayed = Screen::default();
    let mut replay = Replay::open(&journal[..], None)?;
    while replay.event(&mut WarOnly(&mut replayed))? {}
    let end = replay.end()?;
    assert_eq!(live.0, replayed.0);
    println!("{}: {} events verified", replayed.0, end.events);
    Ok(())
}
