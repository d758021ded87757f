use crate::game::{Depths, Played};
use std::fmt::Debug;
use war::cards::Xoshiro256PlusPlus;

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
