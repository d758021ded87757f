//! Interface of the kernels that play batches of games, and the form of the rules that they use.

use crate::game::{GameResult, WarDepthCounts};
use crate::setup::max_turns;
use std::fmt::Debug;
use war::cards::Xoshiro256PlusPlus;
use war::rules::{
    CardChoice, CollectOrder, OutOfCards, Parameters, Piles, RepetitionRule, TurnLimit,
};

/// Kernel that plays many games at a time, each dealt from a shuffled deck.
///
/// To add a kernel, implement this trait in a new file, and add the kernel to the list of
/// [`Kernel`](super::Kernel).
pub(crate) trait BatchKernel: Debug + Send {
    /// Returns the number of bytes that each game with this many cards takes in [`DealtGames`].
    fn bytes_per_game(&self, cards: usize) -> usize {
        cards
    }

    /// Plays games to their ends and counts their wars by depth.
    ///
    /// `played` gets a result for each game. `None` means that the result isn't known and nothing
    /// was counted: another kernel has to play the game.
    fn play_batch(
        &mut self,
        deals: DealtGames<'_>,
        played: &mut [Option<GameResult>],
        depths: &mut WarDepthCounts,
    );
}

/// Games to play: the ranks of each game's cards in the order dealt, the first card to player 1.
#[derive(Debug, Clone, Copy)]
pub(crate) struct DealtGames<'a> {
    /// Games in sequence, each as many bytes as the kernel asks for.
    pub(crate) bytes: &'a [u8],
    /// Generator of each game, in its state after the deal.
    pub(crate) chances: &'a [Xoshiro256PlusPlus],
    /// Number of cards in each game, at most the number of bytes per game.
    pub(crate) cards: usize,
}

/// Rules that leave nothing to chance, in the form that kernels use.
#[derive(Debug, Clone, Copy)]
pub(super) struct DeterministicRules {
    /// Number of pairs from one comparison of a war to the next.
    pub(super) step: usize,
    pub(super) order: KernelCollectOrder,
    pub(super) out_of_cards: OutOfCards,
    /// Maximum number of turns of a game, if there is a limit.
    pub(super) limit: Option<u32>,
    /// True if a player may win when the limit is reached.
    pub(super) names_winner: bool,
    /// True if repeated hands end the game.
    pub(super) ends_when_repeated: bool,
}

/// Order in which the cards of a turn go under the winner's hand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct KernelCollectOrder {
    /// True if the winner's card goes first, false if player 1's card does.
    pub(super) winner_first: bool,
    pub(super) war: WarOrder,
}

/// Order in which the pairs of a war go under the winner's hand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum WarOrder {
    /// Pairs in the order put.
    PairByPair,
    /// Pairs in reverse order, the last one first.
    Backwards,
    /// All first cards of the pairs, then all others.
    HandByHand,
}

impl DeterministicRules {
    /// Returns the rules for games with this many cards, or `None` if they depend on chance, have
    /// two piles, or let games go on for ever.
    pub(super) fn new(parameters: &Parameters, cards: usize) -> Option<Self> {
        let ends_when_repeated = match parameters.repetition {
            RepetitionRule::Ends => true,
            RepetitionRule::GoesOn => false,
            RepetitionRule::Reshuffled => return None,
        };
        let limit = max_turns(parameters, cards);
        let chance = parameters.out_of_cards == OutOfCards::Shrink
            || parameters.card_choice != CardChoice::Top;
        let is_one = parameters.piles == Piles::One;
        if chance || !is_one || (limit.is_none() && !ends_when_repeated) {
            return None;
        }
        Some(Self {
            step: usize::from(parameters.face_down) + 1,
            order: KernelCollectOrder::from_collect(parameters.collect)?,
            out_of_cards: parameters.out_of_cards,
            limit,
            names_winner: matches!(parameters.limit, Some(TurnLimit::TurnsPerCard(_))),
            ends_when_repeated,
        })
    }
}

impl KernelCollectOrder {
    pub(super) fn from_collect(collect: CollectOrder) -> Option<Self> {
        let (winner_first, war) = match collect {
            CollectOrder::Seat => (false, WarOrder::HandByHand),
            CollectOrder::SeatInterleaved => (false, WarOrder::PairByPair),
            CollectOrder::WinnerFirst => (true, WarOrder::PairByPair),
            CollectOrder::WinnerPile => (true, WarOrder::HandByHand),
            CollectOrder::Bataille => (true, WarOrder::Backwards),
            // These orders depend on ranks, on chance or on the winner, or begin with the last
            // player.
            CollectOrder::HighestFirst
            | CollectOrder::Shuffled
            | CollectOrder::ReversedPile
            | CollectOrder::Random
            | CollectOrder::BySeat(_) => return None,
        };
        Some(Self { winner_first, war })
    }
}

impl WarOrder {
    /// Returns the source of the card at this place of a war with this many pairs: whether it is
    /// the first (0) or the other (1) of its pair, and the index of the pair.
    pub(super) const fn source(self, place: usize, pairs: usize) -> (usize, usize) {
        match self {
            Self::PairByPair => (place % 2, place / 2),
            Self::Backwards => (place % 2, pairs - 1 - place / 2),
            Self::HandByHand => (place / pairs, place % pairs),
        }
    }
}
