//! A row for each game, as comma-separated values.

use super::game::{Conclusion, Played};
use std::fmt::Write;

/// The first row of a file with a row for each game.
pub const ROWS: &str = "game,verdict,winner,turns,wars,period\n";

/// Appends the row of a game.
pub(super) fn append(out: &mut String, game: u64, played: &Played) {
    let (turns, wars) = (played.turns, played.wars);
    let written = match played.verdict {
        Conclusion::Won(seat) => writeln!(out, "{game},won,{seat},{turns},{wars},"),
        Conclusion::Drawn => writeln!(out, "{game},drawn,,{turns},{wars},"),
        Conclusion::Endless { period } => writeln!(out, "{game},endless,,{turns},{wars},{period}"),
        Conclusion::Undecided => writeln!(out, "{game},undecided,,{turns},{wars},"),
    };
    written.expect("memory takes every byte");
}
