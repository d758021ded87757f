//! Import of X/Y tables: an imported game prints a table that imports as the same game.

use super::reader;
use war::cards::Deck;
use war::engine::{Event, Projection, Table};
use war::import::{ImportedGame, import_xy};
use war::recording::{NewGame, Recorder};
use war::rules::XY;

/// Checks the import of a table.
///
/// The journal of the imported game must verify, and the table that it prints must import as the
/// same game.
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
    let (journal, printed) = record(game.clone());
    reader::verify_journal(&journal[..]).expect("an imported game is verified");
    assert_eq!(import_xy(&printed), Ok(game), "imported again");
}

/// Records an imported game, and returns its journal and its printed text.
fn record(game: ImportedGame) -> (Vec<u8>, String) {
    let (lang, hands) = (game.lang, game.hands.clone());
    let opening = NewGame::imported(XY, Deck::Thirteen, hands, Box::new(game));
    let opening = opening.expect("a table has a whole deck");
    let (mut journal, mut printed) = (Vec::new(), String::new());
    let recorder = Recorder::new("fuzz", opening, lang)
        .write_to(&mut journal)
        .with_projection(Transcript(&mut printed));
    recorder.play().expect("memory takes every byte");
    (journal, printed)
}

/// Collects the printed text of a game.
struct Transcript<'a>(&'a mut String);

impl Projection<Table> for Transcript<'_> {
    fn project(&mut self, _: &Event, _: &Table) {}

    fn project_text(&mut self, text: &str, _: &Table) {
        self.0.push_str(text);
    }
}
