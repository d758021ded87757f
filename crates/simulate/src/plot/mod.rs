//! Drawings: the figures of a run (how long games are, who wins, how games end), and the cards
//! that everybody holds in the course of one game.

mod course;
mod drawing;
mod svg;

pub use course::{chart, draw_course};
pub use drawing::{dealt, draw, rest, rest_text};
