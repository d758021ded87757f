//! Drawings: the figures of a run (how long games are, who wins, how games end), and the cards
//! that everybody holds in the course of one game.

mod axis;
mod chart;
mod course;
mod drawing;
mod rules;
mod svg;

pub use chart::chart;
pub use course::draw_course;
pub use drawing::draw;
pub use rules::{dealt, rest, rest_text};
