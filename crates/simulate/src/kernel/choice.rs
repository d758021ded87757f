//! List of the kernels, choice of a kernel for given rules, and comparison of all kernels on the
//! same games.

#[cfg(target_arch = "x86_64")]
use super::avx512::Avx512Machine;
use super::batch::{BatchKernel, DealtGames, DeterministicRules};
use super::multiplayer::MultiplayerKernel;
use super::pair::PairKernel;
use super::passes::{Machine, PassKernel};
use super::portable::PortableMachine;
use super::shuffle::ShuffleKernel;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
use super::simd128::Simd128Machine;
use super::small::SmallKernel;
use super::two_piles::TwoPileKernel;
use crate::game::{GameResult, WarDepthCounts};
use war::cards::{Deck, Rank, Xoshiro256PlusPlus};
use war::engine::Seat;
use war::rules::Parameters;

/// Kernel of a simulation. All kernels play the same games.
///
/// A kernel that can't play the rules, or can't run on this machine, leaves the games to the next
/// slower one; see [`RunPlan::choose_kernel`](crate::RunPlan::choose_kernel).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kernel {
    /// The fastest kernel that can play the rules on this machine.
    Fastest,
    /// Kernel for processors with AVX-512 VBMI2.
    Avx512,
    /// Kernel for vectors of 16 bytes: x86-64 with SSSE3 and POPCNT, and 64-bit ARM.
    Simd128,
    /// The fastest kernel in portable code.
    Portable,
    /// The kernel that supports every rule.
    General,
}

/// Constructor of a kernel for games with these rules, players and cards. Returns `None` if the
/// kernel can't play these games on this machine.
type MakeKernel = fn(&Parameters, usize, usize) -> Option<Box<dyn BatchKernel>>;

/// Kernels that play many games at a time, the fastest first. Each decides which rules it plays on
/// which machine; the general kernel plays the rest.
const BATCH_KERNELS: &[(Kernel, MakeKernel)] = &[
    #[cfg(target_arch = "x86_64")]
    (Kernel::Avx512, |rules, players, cards| {
        pass_kernel(Avx512Machine::new, rules, players, cards)
    }),
    #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
    (Kernel::Simd128, |rules, players, cards| {
        pass_kernel(Simd128Machine::new, rules, players, cards)
    }),
    (Kernel::Portable, |rules, players, cards| {
        box_kernel(require_two(players).and_then(|()| PairKernel::new(rules, cards)))
    }),
    (Kernel::Portable, |rules, players, cards| {
        box_kernel(require_two(players).and_then(|()| ShuffleKernel::new(rules, cards)))
    }),
    (Kernel::Portable, |rules, players, cards| {
        box_kernel(require_two(players).and_then(|()| TwoPileKernel::new(rules, cards)))
    }),
    (Kernel::Portable, |rules, players, cards| {
        let machine = |rules: &DeterministicRules, cards| Some(PortableMachine::new(rules, cards));
        pass_kernel(machine, rules, players, cards)
    }),
];

/// Returns a kernel that plays passes (see `passes`) as soon as only two players are left.
fn pass_kernel<M: Machine + 'static>(
    machine: impl FnOnce(&DeterministicRules, usize) -> Option<M>,
    rules: &Parameters,
    players: usize,
    cards: usize,
) -> Option<Box<dyn BatchKernel>> {
    let passes = PassKernel::new(machine, rules, cards);
    if players == 2 {
        box_kernel(passes)
    } else {
        box_kernel(MultiplayerKernel::new(passes, rules, players, cards))
    }
}

/// Returns `Some` if there are exactly two players, for use with `?` and `and_then`.
fn require_two(players: usize) -> Option<()> {
    (players == 2).then_some(())
}

fn box_kernel<K: BatchKernel + 'static>(kernel: Option<K>) -> Option<Box<dyn BatchKernel>> {
    kernel.map(|kernel| Box::new(kernel) as Box<dyn BatchKernel>)
}

impl Kernel {
    /// All choices, the fastest first.
    pub const ALL: [Self; 5] = [
        Self::Fastest,
        Self::Avx512,
        Self::Simd128,
        Self::Portable,
        Self::General,
    ];

    /// Returns the name, as typed on the command line.
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

    /// Returns the fastest kernel that this choice allows and that can play many games with these
    /// rules, players and cards at a time, or `None` if there is none.
    pub(crate) fn create_batch_kernel(
        self,
        rules: &Parameters,
        players: usize,
        cards: usize,
    ) -> Option<(Self, Box<dyn BatchKernel>)> {
        let mut chosen = BATCH_KERNELS
            .iter()
            .filter(|(kernel, _)| self.may_use(*kernel));
        chosen.find_map(|(kernel, make)| Some((*kernel, make(rules, players, cards)?)))
    }

    /// Returns true if `kernel` may play when `self` was chosen: only if `kernel` is the same or
    /// slower.
    fn may_use(self, kernel: Self) -> bool {
        let place = |wanted| Self::ALL.iter().position(|kernel| *kernel == wanted);
        place(kernel) >= place(self)
    }
}

/// Results of some games on one kernel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KernelResults {
    /// Value that selects the kernel; several kernels share one value.
    pub kernel: Kernel,
    /// Results of the games, in order; `None` if another kernel has to play the game.
    pub results: Vec<Option<GameResult>>,
    /// Wars of the games that the kernel played to a winner or a draw.
    pub depths: WarDepthCounts,
}

/// Plays games on each kernel that plays many at a time with these rules on this machine.
///
/// A game consists of its cards in the order dealt, one at a time, the first to player 1, and the
/// generator for later chance. A simulation plays a game on one kernel only; this function can show
/// that the other kernels give the same result. [`GeneralKernel`](super::GeneralKernel) can play
/// all of these games.
///
/// The result is empty unless all games have the same number of cards, from 1 to
/// [`Deck::MAX_CARDS`].
///
/// # Examples
///
/// ```
/// use war::cards::{Deck, GameNumber, Xoshiro256PlusPlus};
/// use war::rules::Parameters;
/// use war_simulate::play_on_each_kernel;
///
/// let chance = Xoshiro256PlusPlus::new(GameNumber { seed: 1, game: 0 });
/// let games = [(Deck::Small.cards(), chance)];
/// let found = play_on_each_kernel(&Parameters::BATAILLE, 2, &games);
/// let mut verdicts = found.iter().filter_map(|kernel| kernel.results[0]);
/// let first = verdicts.next().unwrap();
/// assert!(verdicts.all(|played| played == first));
/// ```
#[must_use]
pub fn play_on_each_kernel(
    parameters: &Parameters,
    players: usize,
    games: &[(Vec<Rank>, Xoshiro256PlusPlus)],
) -> Vec<KernelResults> {
    let cards = games.first().map_or(0, |(cards, _)| cards.len());
    let alike = games.iter().all(|(other, _)| other.len() == cards);
    if !alike || !(1..=Deck::MAX_CARDS).contains(&cards) {
        return Vec::new();
    }
    let chances: Vec<_> = games.iter().map(|(_, chance)| chance.clone()).collect();
    let kernels = BATCH_KERNELS
        .iter()
        .filter_map(|(kernel, make)| Some((*kernel, make(parameters, players, cards)?)));
    let play = |(kernel, mut plays): (Kernel, Box<dyn super::BatchKernel>)| {
        let room = plays.bytes_per_game(cards);
        let mut bytes = vec![0; games.len() * room];
        for (place, (cards, _)) in bytes.chunks_exact_mut(room).zip(games) {
            { place.iter_mut().zip(cards) }.for_each(|(place, card)| *place = card.get());
        }
        let (mut results, mut depths) = (vec![None; games.len()], WarDepthCounts::default());
        let deals = DealtGames {
            bytes: &bytes,
            chances: &chances,
            cards,
        };
        plays.play_batch(deals, &mut results, &mut depths);
        KernelResults {
            kernel,
            results,
            depths,
        }
    };
    kernels.map(play).collect()
}

/// Result of a game with few cards on the kernel for enumerations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SmallKernelResult {
    /// Winner; `None` if the game was drawn.
    pub winner: Option<Seat>,
    /// Number of turns.
    pub turns: u32,
    /// Number of pairs of cards played.
    pub pairs: u32,
}

/// Plays a game on the kernel that enumerations use for single deals.
///
/// Returns `None` if the kernel can't play these rules, this many cards or ranks so far apart, or
/// if the game is too long for the kernel.
#[must_use]
pub fn play_on_small_kernel(
    parameters: &Parameters,
    hands: &[Vec<Rank>; 2],
) -> Option<SmallKernelResult> {
    let kernel = SmallKernel::new(parameters, hands.iter().map(Vec::len).sum())?;
    let lowest = hands.iter().flatten().min()?.get();
    let from_0 = |hand: &Vec<Rank>| hand.iter().map(|card| card.get() - lowest).collect();
    let hands: [Vec<u8>; 2] = hands.each_ref().map(from_0);
    if hands.iter().flatten().any(|&card| card > 15) {
        return None;
    }
    let ended = kernel.play(&hands[0], &hands[1])?;
    Some(SmallKernelResult {
        winner: ended
            .winner
            .and_then(|player| Seat::all().nth(player.into())),
        turns: ended.turns,
        pairs: ended.pairs,
    })
}
