//! The picture of a game on a terminal, from top to bottom: a title, what happens, the players, the
//! chart with its line of turns, and the keys.

mod cards;
mod chart;
mod deals;
mod layers;
mod line;
mod look;
mod palette;
mod picture;
mod seat;
mod seats;
mod title;
mod turns;

pub use picture::Picture;
