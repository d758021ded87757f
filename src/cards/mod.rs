//! The vocabulary: ranks, decks, dealing and the shuffle.
//!
//! Nothing here knows a game. Everything is a plain value; the one source of
//! chance, [`shuffle::Seeded`], is handed its seed.

mod deck;
mod rank;
pub mod shuffle;

pub use deck::{Deck, deal};
pub use rank::Rank;
