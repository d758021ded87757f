//! Ranks, cards, decks, dealing and shuffling.
//!
//! Nothing here depends on the rules of a game. Everything is a plain value, and every source of
//! [`Chance`] is created from a seed.
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
mod chance;
mod deck;
mod generator;
mod xoshiro;

pub use card::{Card, ParseCardError, Rank, Suit};
pub use chance::{Chance, reorder_if_same_cards, sort_cards};
pub use deck::{Deck, DeckShape, deal, deal_with_fixed_hand, remove_cards};
pub use generator::{ChaCha8, Generator, JavaRandom, UnknownGenerator};
pub use xoshiro::{GameNumber, ParseGameNumberError, Xoshiro256PlusPlus};
