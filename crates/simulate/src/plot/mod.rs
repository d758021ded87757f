//! Drawings of the figures of a run (lengths of games, winners, outcomes), and of the cards that
//! each player holds in the course of a game.

mod course;
mod drawing;
mod svg;

pub use course::{chart, draw_course};
pub use drawing::{dealt, draw, rest, rest_text};
