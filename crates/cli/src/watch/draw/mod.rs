//! Draws a game on a terminal, from top to bottom: title, events of the turn, players, chart with
//! its timeline, keys.

mod cards;
mod chart;
mod picture;
mod seats;
mod style;

pub use picture::PlaybackWidget;
