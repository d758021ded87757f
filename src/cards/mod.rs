//! The vocabulary: ranks, cards, decks, dealing and the shuffle.
//!
//! Nothing here knows a game. Everything is a plain value; a source of [`Chance`] is
//! handed its seed.

mod bulk;
mod card;
mod chance;
mod deck;
mod generator;
mod java;
mod rank;
pub mod shuffle;
mod suit;

pub use bulk::{Bulk, GameNumber, NoGameNumber};
pub use card::{Card, NoCard};
pub use chance::{Chance, reorder, sorted};
pub use deck::{Deck, Shape, deal, deal_fixed, without};
pub use generator::{Generator, UnknownGenerator};
pub use java::Java;
pub use rank::Rank;
pub use suit::Suit;
