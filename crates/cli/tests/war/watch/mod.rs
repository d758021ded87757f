//! `war watch`: what is drawn, and what becomes of the terminal.

mod drawings;
mod follow;
mod plain;
mod terminal;
mod whole_screen;

use super::support::{Place, project};
use std::fs;

/// The journal of a game in a new place, which has 19 turns and a war in the second of them.
fn with_journal() -> Place {
    with("classic_dealt_won.json")
}

/// A place with a journal of the project, `game.json`.
fn with(journal: &str) -> Place {
    let place = Place::new();
    let bytes = fs::read(project().join("journals").join(journal)).expect("a journal");
    place.write("game.json", bytes);
    place
}
