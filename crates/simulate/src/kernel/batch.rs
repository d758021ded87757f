//! What kernels for batches of games share: how they are called, and what they need to know of rules
//! that leave nothing to chance.

use crate::game::{Depths, Played};
use crate::setup::most_turns;
use std::fmt::Debug;
use war::cards::Xoshiro256PlusPlus;
use war::rules::{Collect, Draw, Limit, OutOfCards, Parameters, Piles, Repeated};

/// A kernel that plays many games at a time, of players who were dealt a shuffled deck.
///
/// To add one, implement this in a file of its own, and name it in the list of
/// [`Kernel`](super::Kernel).
pub(crate) trait BatchKernel: Debug + Send {
    /// How many bytes each game of this many cards takes among the [`Deals`].
    fn room(&self, cards: usize) -> usize {
        cards
    }

    /// Plays games to their ends, and counts their wars by depth.
    ///
    /// `played` gets a result for each game; `None` says that nothing is known of a game yet, and
    /// nothing of it was counted: another kernel has to play it.
    fn play_batch(&mut self, deals: Deals<'_>, played: &mut [Option<Played>], depths: &mut Depths);
}

/// Games to play: for each the cards in the order dealt, as ranks, the first to player 1.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Deals<'a> {
    /// The games one after the other, each with as much room as the kernel asks for.
    pub(crate) bytes: &'a [u8],
    /// The generator of each game, after the deal.
    pub(crate) chances: &'a [Xoshiro256PlusPlus],
    /// How many cards each of them has, at most as many as it has room for.
    pub(crate) cards: usize,
}

/// Rules that leave nothing to chance.
#[derive(Debug, Clone, Copy)]
pub(super) struct Certain {
    /// How many pairs further the cards of a war are compared.
    pub(super) step: usize,
    pub(super) order: Order,
    pub(super) out_of_cards: OutOfCards,
    /// How many turns a game may last, where there is a limit.
    pub(super) limit: Option<u32>,
    /// Whether a player may win when the limit is reached.
    pub(super) names_winner: bool,
    /// Whether hands that come back end the game.
    pub(super) ends_when_repeated: bool,
}

/// In which order the cards of a turn go under the winner's hand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Order {
    /// Whether the winner's card goes before the other one, or that of player 1.
    pub(super) winner_first: bool,
    pub(super) war: WarOrder,
}

/// In which order the pairs of a war go back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum WarOrder {
    /// As they were put.
    PairByPair,
    /// The last one first.
    Backwards,
    /// All cards that go first in their pairs, then all others.
    HandByHand,
}

impl Certain {
    /// What these rules say for games with this many cards, unless they leave something to
    /// chance, have two piles, or let games go on for ever.
    pub(super) fn new(parameters: &Parameters, cards: usize) -> Option<Self> {
        let ends_when_repeated = match parameters.repetition {
            Repeated::Ends => true,
            Repeated::GoesOn => false,
            Repeated::Reshuffled => return None,
        };
        let limit = most_turns(parameters, cards);
        let chance = parameters.out_of_cards == OutOfCards::Shrink || parameters.draw != Draw::Top;
        let is_one = parameters.piles == Piles::One;
        if chance || !is_one || (limit.is_none() && !ends_when_repeated) {
            return None;
        }
        Some(Self {
            step: usize::from(parameters.face_down) + 1,
            order: Order::of(parameters.collect)?,
            out_of_cards: parameters.out_of_cards,
            limit,
            names_winner: matches!(parameters.limit, Some(Limit::TurnsPerCard(_))),
            ends_when_repeated,
        })
    }
}

impl Order {
    fn of(collect: Collect) -> Option<Self> {
        let (winner_first, war) = match collect {
            Collect::Seat => (false, WarOrder::HandByHand),
            Collect::SeatInterleaved => (false, WarOrder::PairByPair),
            Collect::WinnerFirst => (true, WarOrder::PairByPair),
            Collect::WinnerPile => (true, WarOrder::HandByHand),
            Collect::Bataille => (true, WarOrder::Backwards),
            // By their ranks, by chance, from the last player on, or by the winner.
            Collect::HighestFirst
            | Collect::Shuffled
            | Collect::ReversedPile
            | Collect::Random
            | Collect::BySeat(_) => return None,
        };
        Some(Self { winner_first, war })
    }
}

impl WarOrder {
    /// Where the card at this place of a war of so many pairs comes from: from those that go
    /// first in their pairs (0) or from the others (1), and from which pair.
    pub(super) const fn source(self, place: usize, pairs: usize) -> (usize, usize) {
        match self {
            Self::PairByPair => (place % 2, place / 2),
            Self::Backwards => (place % 2, pairs - 1 - place / 2),
            Self::HandByHand => (place / pairs, place % pairs),
        }
    }
}
