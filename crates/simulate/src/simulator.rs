use super::game::{Conclusion, Depths, Played};
use super::kernel::{BatchKernel, Deals, General, Kernel};
use super::setup::{Dealing, GameSetup};
use super::tally::Tally;
use std::array;
use std::ops::Range;
use war::cards::{GameNumber, Rank, Xoshiro256PlusPlus};

/// Plays the games of a simulation with the fastest kernel that can.
///
/// # Examples
///
/// ```
/// use war::cards::Deck;
/// use war::rules::Parameters;
/// use war_simulate::{Dealing, GameSetup, Kernel, Simulator, Tally};
///
/// let rules = GameSetup {
///     parameters: Parameters::BATAILLE,
///     players: 2,
///     deck: Deck::Small,
///     dealing: Dealing::Shuffled,
/// };
/// let mut simulator = Simulator::new(rules, Kernel::Portable);
/// let (mut tally, mut turns) = (Tally::default(), 0);
/// simulator.play(1, 0..100, &mut tally, |_, game| turns += game.turns);
/// assert_eq!(tally.games(), 100);
/// assert!(turns > 1_000);
/// ```
#[derive(Debug)]
pub struct Simulator {
    rules: GameSetup,
    general: General,
    kernel: Kernel,
    /// What plays many games at a time, if anything can.
    fast: Option<Box<dyn BatchKernel>>,
    /// The ranks of the deck, in its order.
    deck: Vec<u8>,
    /// The games that are dealt at a time.
    dealt: Vec<u8>,
    /// Their generators, after the deal.
    chances: Vec<Xoshiro256PlusPlus>,
    /// How many games the fast kernel left to the general one.
    left_to_general: u64,
}

/// How many games are dealt at a time.
const BATCH: usize = 256;

/// How many games are shuffled together, so that the processor works on one while another waits.
const TOGETHER: usize = 4;

/// Games to play one after the other, and who hears of them.
struct Batch<'a, Each> {
    seed: u64,
    games: Range<u64>,
    tally: &'a mut Tally,
    /// Gets each game that was played, in order.
    each: &'a mut Each,
    /// Asked whether to go on, in games that no fast kernel plays.
    goes_on: &'a dyn Fn() -> bool,
}

/// Shuffles so many cards of each of these games.
fn shuffle<'a>(
    mut games: impl Iterator<Item = &'a mut [u8]>,
    chances: &mut [Xoshiro256PlusPlus],
    cards: usize,
) {
    let (together, rest) = chances.as_chunks_mut::<TOGETHER>();
    for chances in together {
        let all: [_; TOGETHER] = array::from_fn(|_| games.next().unwrap_or_default());
        Xoshiro256PlusPlus::shuffle_together(chances.each_mut(), all, cards);
    }
    for (chance, game) in rest.iter_mut().zip(games) {
        chance.shuffle_any(&mut game[..cards]);
    }
}

impl Simulator {
    /// A simulator of these rules.
    #[must_use]
    pub fn new(rules: GameSetup, kernel: Kernel) -> Self {
        let deck: Vec<_> = rules.deck.cards().into_iter().map(Rank::get).collect();
        let fast = if rules.dealing == Dealing::Shuffled {
            kernel.batch_kernel(&rules.parameters, rules.players.into(), deck.len())
        } else {
            None
        };
        let (kernel, fast) = fast.map_or((Kernel::General, None), |(kernel, fast)| {
            (kernel, Some(fast))
        });
        let room = fast.as_ref().map_or(0, |fast| fast.room(deck.len()));
        Self {
            general: General::new(rules.parameters),
            kernel,
            fast,
            dealt: vec![0; BATCH * room],
            chances: Vec::with_capacity(BATCH),
            left_to_general: 0,
            deck,
            rules,
        }
    }

    /// The kernel that plays, which is never [`Kernel::Fastest`].
    #[must_use]
    pub fn kernel(&self) -> Kernel {
        self.kernel
    }

    /// How many games a fast kernel has left to the one that knows every rule, for they took it
    /// too long.
    #[must_use]
    pub const fn left_to_general(&self) -> u64 {
        self.left_to_general
    }

    /// Plays these games of a seed, counts them, and hands out each of them in order.
    pub fn play(
        &mut self,
        seed: u64,
        games: Range<u64>,
        tally: &mut Tally,
        each: impl FnMut(u64, &Played),
    ) {
        self.play_while(seed, games, tally, each, &|| true);
    }

    /// Plays these games, as [`Simulator::play`] does, until it is stopped: the result is how
    /// many were played, and a game that was begun is none of them.
    ///
    /// `goes_on` is asked in games that no fast kernel plays, also in the middle of long ones.
    /// Where the rules deal no hands that can be played, the first game stops.
    pub fn play_while(
        &mut self,
        seed: u64,
        games: Range<u64>,
        tally: &mut Tally,
        mut each: impl FnMut(u64, &Played),
        goes_on: &dyn Fn() -> bool,
    ) -> u64 {
        let mut from = games.start;
        while from < games.end {
            let to = games.end.min(from.saturating_add(BATCH as u64));
            let played = self.play_batch(Batch {
                seed,
                games: from..to,
                tally,
                each: &mut each,
                goes_on,
            });
            from += played;
            if from < to {
                break;
            }
        }
        from - games.start
    }

    /// Plays a batch: how many of its games, up to the one that was stopped.
    fn play_batch(&mut self, batch: Batch<'_, impl FnMut(u64, &Played)>) -> u64 {
        let Batch {
            seed,
            games,
            tally,
            each,
            goes_on,
        } = batch;
        let mut played = [None; BATCH];
        let mut depths = self.play_at_once(seed, games.clone(), &mut played);
        let mut end = games.end;
        for (game, found) in games.clone().zip(played) {
            let general = || self.general(GameNumber { seed, game }, tally, goes_on);
            let Some(found) = found.or_else(general) else {
                // The wars of the games behind this one are counted already.
                depths = self.play_at_once(seed, games.start..game, &mut played);
                end = game;
                break;
            };
            tally.count(game, &found);
            each(game, &found);
        }
        tally.depths.add(&depths);
        end - games.start
    }

    /// Deals these games, and plays those that can be played many at a time: the result is the
    /// wars of these, by depth.
    fn play_at_once(
        &mut self,
        seed: u64,
        games: Range<u64>,
        played: &mut [Option<Played>; BATCH],
    ) -> Depths {
        let mut depths = Depths::default();
        let Some(fast) = &mut self.fast else {
            return depths;
        };
        let (size, room) = (self.deck.len(), fast.room(self.deck.len()));
        let numbers = games.map(|game| GameNumber { seed, game });
        self.chances.clear();
        self.chances.extend(numbers.map(Xoshiro256PlusPlus::new));
        let count = self.chances.len();
        let bytes = &mut self.dealt[..count * room];
        for cards in bytes.chunks_exact_mut(room) {
            cards[..size].copy_from_slice(&self.deck);
        }
        shuffle(bytes.chunks_exact_mut(room), &mut self.chances, size);
        let deals = Deals {
            bytes: &self.dealt[..count * room],
            chances: &self.chances,
            cards: size,
        };
        fast.play_batch(deals, &mut played[..count], &mut depths);
        depths
    }

    /// Plays a game with the kernel that knows every rule, unless it is stopped.
    #[inline(never)]
    fn general(
        &mut self,
        number: GameNumber,
        tally: &mut Tally,
        goes_on: &dyn Fn() -> bool,
    ) -> Option<Played> {
        let (hands, mut chance) = self.rules.deal(number)?;
        let mut depths = Depths::default();
        let kernel = &mut self.general;
        let counted = kernel.play_while(&hands, &mut chance, &mut depths, goes_on)?;
        let played = counted.played;
        if matches!(played.verdict, Conclusion::Won(_) | Conclusion::Drawn) {
            tally.depths.add(&depths);
        }
        self.left_to_general += u64::from(self.fast.is_some());
        Some(played)
    }
}
