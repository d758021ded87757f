//! What many rows have in common: two players who are dealt a shuffled deck.

use crate::setup::{Dealing, GameSetup};
use war::cards::Deck;
use war::rules::{Collect, Draw, OutOfCards, Parameters, Piles, Repeated};

pub(super) const fn parameters(
    face_down: u8,
    collect: Collect,
    out_of_cards: OutOfCards,
) -> Parameters {
    Parameters {
        face_down,
        collect,
        piles: Piles::One,
        out_of_cards,
        repetition: Repeated::Ends,
        draw: Draw::Top,
        limit: None,
    }
    .with_cycles_ended()
}

pub(super) fn two_players(deck: Deck, parameters: Parameters) -> GameSetup {
    GameSetup {
        parameters,
        players: 2,
        deck,
        dealing: Dealing::Shuffled,
    }
}

/// A deck of so many ranks, in suits.
pub(super) fn shaped(shape: &str) -> Deck {
    Deck::shaped(shape).unwrap_or(Deck::Small)
}
