//! Tables of the X/Y edition: one that is imported is a game that prints it.

use super::reader;
use war::cards::Deck;
use war::engine::{Event, Game, Projection, Table};
use war::import::{Imported, import_xy};
use war::journal::Deal;
use war::recording::{Opening, Recording};
use war::rules::{Flow, XY};

/// Imports a table.
///
/// The journal of the game is verified, and the game prints a table from which the same game is
/// imported.
pub fn check(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let game = match import_xy(&text) {
        Ok(game) => game,
        Err(refused) => {
            let lines = text.lines().count().max(1);
            assert!((1..=lines).contains(&refused.line), "{refused}");
            return;
        }
    };
    let (journal, printed) = recorded(game.clone());
    reader::verdict(&journal[..]).expect("an imported game is verified");
    assert_eq!(import_xy(&printed), Ok(game), "imported again");
}

/// Records an imported game: its journal, and what it prints.
fn recorded(game: Imported) -> (Vec<u8>, String) {
    let opening = Opening {
        engine: "fuzz".to_owned(),
        variant: XY,
        deal: Deal::Imported,
        players: XY.players.1,
        deck: Deck::Thirteen,
        corrections: Vec::new(),
    };
    let (mut journal, mut printed) = (Vec::new(), String::new());
    let recording = Recording::of_war(&opening, game.lang)
        .written_to(&mut journal, false)
        .with(Transcript(&mut printed));
    let rules = Box::new(Flow::new(XY.parameters));
    let played = Game::new(rules, game.hands.clone()).expect("a table has a whole deck");
    let played = recording.play(played.with_chance(Box::new(game)));
    played.expect("memory takes every byte");
    (journal, printed)
}

/// Keeps what a game prints.
struct Transcript<'a>(&'a mut String);

impl Projection<Table> for Transcript<'_> {
    fn project(&mut self, _: &Event, _: &Table, out: &mut String) {
        self.0.push_str(out);
    }
}
