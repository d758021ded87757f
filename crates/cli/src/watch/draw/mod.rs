//! The picture of a game on a terminal, from top to bottom: a title, what happens, the players, the
//! chart with its line of turns, and the keys.

mod cards;
mod chart;
mod picture;
mod seats;
mod style;

pub use picture::Picture;
