//! The rules: one flow of play with its parameters, and a small file for each variant.

mod classic;
mod flow;
pub mod setup;
mod xy;

pub use classic::CLASSIC;
pub use flow::{Collect, Flow, OutOfCards, Parameters, Repeated};
pub use xy::XY;

use crate::cards::Deck;

/// A named kind of War.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Variant {
    /// The name and version under which a journal records the rules.
    pub id: &'static str,
    /// The fewest and the most who can play.
    pub players: (u8, u8),
    /// The decks that it is played with.
    pub decks: &'static [Deck],
    /// What it sets the flow to.
    pub parameters: Parameters,
}

/// Every variant whose games can be replayed.
pub const VARIANTS: &[Variant] = &[CLASSIC, XY];
