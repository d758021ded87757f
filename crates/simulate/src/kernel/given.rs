//! Games that are given card by card, on every kernel: all of them must agree.

use super::batch::Deals;
use super::choice::{BATCH_KERNELS, Kernel};
use super::small::Small;
use crate::game::{Depths, Played};
use war::cards::{Deck, Rank, Xoshiro256PlusPlus};
use war::engine::Seat;
use war::rules::Parameters;

/// What a kernel made of some games.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OnKernel {
    /// The kernel, by which it can be chosen: several have the same.
    pub kernel: Kernel,
    /// How the games went, in their order; `None` is for a kernel that knows more.
    pub played: Vec<Option<Played>>,
    /// The wars of the games that it played to a winner or a draw.
    pub depths: Depths,
}

/// Plays games on each kernel that plays many at a time, and these rules here.
///
/// A game is its cards in the order dealt, one at a time, the first to player 1, and what chance
/// decides after that. A simulation plays a game on one kernel alone: this shows that another one
/// would have come to the same. [`General`](super::General) plays all of them.
///
/// The result is empty where games don't have the same number of cards, from 1 to
/// [`Deck::MOST_CARDS`].
///
/// # Examples
///
/// ```
/// use war::cards::{Deck, GameNumber, Xoshiro256PlusPlus};
/// use war::rules::Parameters;
/// use war_simulate::play_on_each;
///
/// let chance = Xoshiro256PlusPlus::new(GameNumber { seed: 1, game: 0 });
/// let games = [(Deck::Small.cards(), chance)];
/// let found = play_on_each(&Parameters::BATAILLE, 2, &games);
/// let mut verdicts = found.iter().filter_map(|kernel| kernel.played[0]);
/// let first = verdicts.next().unwrap();
/// assert!(verdicts.all(|played| played == first));
/// ```
#[must_use]
pub fn play_on_each(
    parameters: &Parameters,
    players: usize,
    games: &[(Vec<Rank>, Xoshiro256PlusPlus)],
) -> Vec<OnKernel> {
    let cards = games.first().map_or(0, |(cards, _)| cards.len());
    let alike = games.iter().all(|(other, _)| other.len() == cards);
    if !alike || !(1..=Deck::MOST_CARDS).contains(&cards) {
        return Vec::new();
    }
    let chances: Vec<_> = games.iter().map(|(_, chance)| chance.clone()).collect();
    let kernels = BATCH_KERNELS
        .iter()
        .filter_map(|(kernel, make)| Some((*kernel, make(parameters, players, cards)?)));
    let play = |(kernel, mut plays): (Kernel, Box<dyn super::BatchKernel>)| {
        let room = plays.room(cards);
        let mut bytes = vec![0; games.len() * room];
        for (place, (cards, _)) in bytes.chunks_exact_mut(room).zip(games) {
            { place.iter_mut().zip(cards) }.for_each(|(place, card)| *place = card.get());
        }
        let (mut played, mut depths) = (vec![None; games.len()], Depths::default());
        let deals = Deals {
            bytes: &bytes,
            chances: &chances,
            cards,
        };
        plays.play_batch(deals, &mut played, &mut depths);
        OnKernel {
            kernel,
            played,
            depths,
        }
    };
    kernels.map(play).collect()
}

/// What the kernel of enumerations knows of a game with few cards.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Few {
    /// Who won, or nobody.
    pub winner: Option<Seat>,
    /// The number of turns.
    pub turns: u32,
    /// How many pairs of cards were put.
    pub pairs: u32,
}

/// Plays a game on the kernel that enumerations play single deals with.
///
/// The result is `None` where it can't play these rules, so many cards or ranks as far apart, and
/// where the game takes too long for it.
#[must_use]
pub fn play_few(parameters: &Parameters, hands: &[Vec<Rank>; 2]) -> Option<Few> {
    let kernel = Small::new(parameters, hands.iter().map(Vec::len).sum())?;
    let lowest = hands.iter().flatten().min()?.get();
    let from_0 = |hand: &Vec<Rank>| hand.iter().map(|card| card.get() - lowest).collect();
    let hands: [Vec<u8>; 2] = hands.each_ref().map(from_0);
    if hands.iter().flatten().any(|&card| card > 15) {
        return None;
    }
    let ended = kernel.play(&hands[0], &hands[1])?;
    Some(Few {
        winner: ended
            .winner
            .and_then(|player| Seat::all().nth(player.into())),
        turns: ended.turns,
        pairs: ended.pairs,
    })
}
