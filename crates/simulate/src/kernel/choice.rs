//! The list of kernels, the choice of one of them, and games that are given to all of them.

#[cfg(target_arch = "x86_64")]
use super::avx512::Avx512;
use super::batch::{BatchKernel, Certain, Deals};
use super::pair::Pair;
use super::passes::{Machine, Passes};
use super::portable::Portable;
use super::several::Several;
use super::shuffling::Shuffling;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
use super::simd128::Simd128;
use super::small::Small;
use crate::game::{Depths, Played};
use war::cards::{Deck, Rank, Xoshiro256PlusPlus};
use war::engine::Seat;
use war::rules::Parameters;

/// Which kernel plays. All of them play the same games.
///
/// A kernel that can't play the rules, or not on this machine, leaves them to the next one: see
/// [`Plan::playing_kernel`](crate::Plan::playing_kernel).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kernel {
    /// The fastest that can play the rules here.
    Fastest,
    /// The one for processors with AVX-512 VBMI2.
    Avx512,
    /// The one for vectors of 16 bytes: x86-64 with SSSE3 and POPCNT, and 64-bit ARM.
    Simd128,
    /// The fastest in portable code.
    Portable,
    /// The one that knows every rule.
    General,
}

/// Makes a kernel for games of these rules with so many players and cards, if it can play them here.
type Make = fn(&Parameters, usize, usize) -> Option<Box<dyn BatchKernel>>;

/// The kernels that play many games at a time, the fastest first. Each says itself which rules
/// it plays where; what none of them plays is for the general one.
const BATCH_KERNELS: &[(Kernel, Make)] = &[
    #[cfg(target_arch = "x86_64")]
    (Kernel::Avx512, |rules, players, cards| {
        passes(Avx512::new, rules, players, cards)
    }),
    #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
    (Kernel::Simd128, |rules, players, cards| {
        passes(Simd128::new, rules, players, cards)
    }),
    (Kernel::Portable, |rules, players, cards| {
        boxed(two(players).and_then(|()| Pair::new(rules, cards)))
    }),
    (Kernel::Portable, |rules, players, cards| {
        boxed(two(players).and_then(|()| Shuffling::new(rules, cards)))
    }),
    (Kernel::Portable, |rules, players, cards| {
        let machine = |rules: &Certain, cards| Some(Portable::new(rules, cards));
        passes(machine, rules, players, cards)
    }),
];

/// A kernel that plays passes of two players, also where more begin.
fn passes<M: Machine + 'static>(
    machine: impl FnOnce(&Certain, usize) -> Option<M>,
    rules: &Parameters,
    players: usize,
    cards: usize,
) -> Option<Box<dyn BatchKernel>> {
    let passes = Passes::new(machine, rules, cards);
    if players == 2 {
        boxed(passes)
    } else {
        boxed(Several::new(passes, rules, players, cards))
    }
}

/// Something where there are two players.
fn two(players: usize) -> Option<()> {
    (players == 2).then_some(())
}

fn boxed<K: BatchKernel + 'static>(kernel: Option<K>) -> Option<Box<dyn BatchKernel>> {
    kernel.map(|kernel| Box::new(kernel) as Box<dyn BatchKernel>)
}

impl Kernel {
    /// Every choice: the fastest first, each of the others slower than the one before.
    pub const ALL: [Self; 5] = [
        Self::Fastest,
        Self::Avx512,
        Self::Simd128,
        Self::Portable,
        Self::General,
    ];

    /// The name, as typed.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Fastest => "fastest",
            Self::Avx512 => "avx512",
            Self::Simd128 => "simd128",
            Self::Portable => "portable",
            Self::General => "general",
        }
    }

    /// The kernel of this choice, or else the fastest of the slower ones, that can play games of
    /// these rules with so many players and cards many at a time, if any can.
    pub(crate) fn batch_kernel(
        self,
        rules: &Parameters,
        players: usize,
        cards: usize,
    ) -> Option<(Self, Box<dyn BatchKernel>)> {
        let mut chosen = BATCH_KERNELS
            .iter()
            .filter(|(kernel, _)| self.allows(*kernel));
        chosen.find_map(|(kernel, make)| Some((*kernel, make(rules, players, cards)?)))
    }

    /// Whether a kernel may play where this one was chosen: only if it is slower, or the same.
    fn allows(self, kernel: Self) -> bool {
        let place = |wanted| Self::ALL.iter().position(|kernel| *kernel == wanted);
        place(kernel) >= place(self)
    }
}

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
