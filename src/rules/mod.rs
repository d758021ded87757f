//! The rules: one flow of play with its parameters, and a small file for each variant.

mod classic;
mod collect;
mod custom;
mod duels;
mod flow;
mod parameters;
pub mod setup;
mod stopped;
mod xy;

pub use classic::CLASSIC;
pub use custom::CUSTOM;
pub use duels::{DUELS, DUELS_DEFAULT, DUELS_RANDOM, DUELS_SHUFFLE};
pub use flow::Flow;
pub use parameters::{Collect, Draw, Limit, OutOfCards, Parameters, Repeated};
pub use stopped::{Holding, winner_when_stopped};
pub use xy::XY;

use crate::cards::{Deck, Rank};

/// A named kind of War.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Variant {
    /// The name and version under which a journal records the rules.
    pub id: &'static str,
    /// The fewest and the most who can play.
    pub players: (u8, u8),
    /// The decks that it is played with; none stands for any.
    pub decks: &'static [Deck],
    /// Which hands made by hand can be played.
    pub scenarios: Scenarios,
    /// What it sets the flow to.
    pub parameters: Parameters,
}

impl Variant {
    /// Whether the rules are played with this deck.
    #[must_use]
    pub fn is_played_with(&self, deck: Deck) -> bool {
        self.decks.is_empty() || self.decks.contains(&deck)
    }
}

/// Every variant that has a name of its own.
pub const VARIANTS: &[Variant] = &[
    CLASSIC,
    XY,
    DUELS,
    DUELS_DEFAULT,
    DUELS_SHUFFLE,
    DUELS_RANDOM,
];

/// Which hands made by hand can be played.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scenarios {
    /// As many cards as a deck has, from 2 to the ace.
    Decks,
    /// Any number of cards up to 10,000, from 1 to the ace.
    Any,
    /// Any number of cards from 2 to [`Deck::MOST_CARDS`], of any rank.
    AnyRank,
}

impl Scenarios {
    /// The most cards of a scenario of any size.
    pub const MOST_CARDS: usize = 10_000;

    /// The deck that hands of a scenario count as, or `None` where they can't be played.
    ///
    /// Hands of any size count as the small deck up to 24 cards, and as the large one above.
    #[must_use]
    pub fn deck(self, hands: &[Vec<Rank>]) -> Option<Deck> {
        let total = hands.iter().map(Vec::len).sum();
        let lowest = hands.iter().flatten().min()?.get();
        match self {
            Self::Decks => Deck::of_size(total).filter(|_| lowest >= Deck::Large.lowest()),
            Self::Any if total > Self::MOST_CARDS => None,
            Self::AnyRank if !(2..=Deck::MOST_CARDS).contains(&total) => None,
            Self::Any | Self::AnyRank if total <= Deck::Small.size() => Some(Deck::Small),
            Self::Any | Self::AnyRank => Some(Deck::Large),
        }
    }
}
