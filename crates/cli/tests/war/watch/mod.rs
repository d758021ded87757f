//! `war watch`: its drawings, and its handling of the terminal.

mod drawings;
mod follow;
mod plain;
mod terminal;
mod whole_screen;

use super::support::{Sandbox, project};
use std::fs;

/// Sandbox with the journal of a game of 19 turns, with a war in the second.
fn with_journal() -> Sandbox {
    with("classic_dealt_won.json")
}

/// Sandbox with a journal of the project as `game.json`.
fn with(journal: &str) -> Sandbox {
    let sandbox = Sandbox::new();
    let bytes = fs::read(project().join("journals").join(journal)).expect("a journal");
    sandbox.write("game.json", bytes);
    sandbox
}
