//! Tables of the X/Y edition: one that is imported is a game that prints it.

use super::reader;
use war::cards::Deck;
use war::engine::{Event, Projection, Table};
use war::import::{Imported, import_xy};
use war::recording::{Opening, Recorder};
use war::rules::XY;

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
    let (lang, hands) = (game.lang, game.hands.clone());
    let opening = Opening::imported(XY, Deck::Thirteen, hands, Box::new(game));
    let opening = opening.expect("a table has a whole deck");
    let (mut journal, mut printed) = (Vec::new(), String::new());
    let recorder = Recorder::new("fuzz", opening, lang)
        .written_to(&mut journal, false)
        .with(Transcript(&mut printed));
    recorder.play().expect("memory takes every byte");
    (journal, printed)
}

/// Keeps what a game prints.
struct Transcript<'a>(&'a mut String);

impl Projection<Table> for Transcript<'_> {
    fn project(&mut self, _: &Event, _: &Table) {}

    fn printed(&mut self, text: &str, _: &Table) {
        self.0.push_str(text);
    }
}
