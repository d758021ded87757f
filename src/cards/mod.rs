//! The vocabulary: ranks, cards, decks, dealing and the shuffle.
//!
//! Nothing here knows a game. Everything is a plain value; a source of [`Chance`] is
//! handed its seed.
//!
//! # Examples
//!
//! ```
//! use war::cards::{ChaCha8, Chance, Deck, Rank, deal};
//!
//! let mut cards = Deck::Large.cards();
//! ChaCha8::new(7).shuffle(&mut cards);
//! let hands = deal(&cards, 2);
//! assert_eq!((hands[0].len(), hands[1].len()), (26, 26));
//! assert_eq!(hands.concat().iter().filter(|&&card| card == Rank::ACE).count(), 4);
//! ```

mod card;
mod chacha8;
mod chance;
mod deck;
mod generator;
mod java_random;
mod rank;
mod suit;
mod xoshiro;

pub use card::{Card, ParseCardError};
pub use chacha8::ChaCha8;
pub use chance::{Chance, reorder, sorted};
pub use deck::{Deck, Shape, deal, deal_fixed, without};
pub use generator::{Generator, UnknownGenerator};
pub use java_random::JavaRandom;
pub use rank::Rank;
pub use suit::Suit;
pub use xoshiro::{GameNumber, ParseGameNumberError, Xoshiro256PlusPlus};
