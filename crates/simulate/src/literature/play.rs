//! Plays the games of a literature row, and looks up the figures of these games.

use super::claim::{Figure, SourceGames, SourceRow};
use crate::enumeration::Enumeration;
use crate::figures::Estimate;
use crate::game::{GameResult, WarDepthCounts};
use crate::kernel::{GeneralKernel, Kernel};
use crate::parallel::{ChunkResult, Monitor, fold_chunks};
use crate::run::RunPlan;
use crate::setup::GameSetup;
use crate::tally::Tally;
use std::convert::Infallible;
use std::iter;
use std::num::NonZero;
use std::ops::Range;
use war::cards::{Chance, Deck, GameNumber, JavaRandom, deal};
use war::rules::XY;

/// Number of Java seeds to play per game in [`PlaySettings::games`].
const SEEDS_PER_GAME: u64 = 10;

/// Settings for playing the games of all rows.
#[derive(Debug, Clone, Copy)]
pub struct PlaySettings {
    /// Number of games for a row that doesn't set its own.
    pub games: u64,
    /// Seed of the random games.
    pub seed: u64,
    /// Number of threads.
    pub jobs: NonZero<usize>,
}

/// Lookup of the figures of a row; returns `None` for a figure that the row's games don't have.
pub type FigureLookup = Box<dyn Fn(Figure) -> Option<Estimate>>;

impl PlaySettings {
    /// Plays the games of a row; `monitor` returns the monitor for the given number of games or
    /// deals.
    ///
    /// If the monitor stops the games, only the first ones are counted.
    #[must_use]
    pub fn play_row<W: Monitor>(
        &self,
        row: &SourceRow,
        monitor: impl Fn(u64) -> W,
    ) -> FigureLookup {
        let tally = match &row.games {
            SourceGames::Enumerated(parameters, deck) => {
                let Ok(enumeration) = Enumeration::new(*parameters, *deck) else {
                    return Box::new(|_| None);
                };
                let monitor = monitor(enumeration.deals());
                let exact = enumeration.play_all(self.jobs, &monitor);
                return Box::new(move |figure| figure.exact_estimate(&exact));
            }
            SourceGames::Counted(deck) => {
                let value = share_of_sweeps(*deck) * 1e12;
                let sweeps = Estimate { value, error: 0.0 };
                return Box::new(move |figure| (figure == Figure::Sweeps).then_some(sweeps));
            }
            SourceGames::JavaSeeds(seeds) => {
                let most =
                    i64::try_from(self.games.saturating_mul(SEEDS_PER_GAME)).unwrap_or(i64::MAX);
                let played = seeds.start..seeds.end.min(most.saturating_add(1));
                let monitor = monitor(played.end.abs_diff(played.start));
                let tally = play_java_seeds(played.clone(), self.jobs, &monitor);
                // If all games of the source were played, only the rounding error of the source is
                // left.
                let same = played == *seeds;
                return Box::new(move |figure| {
                    let estimate = figure.estimate(&tally)?;
                    let error = if same { 0.0 } else { estimate.error };
                    Some(Estimate { error, ..estimate })
                });
            }
            SourceGames::Simulated(rules) => self.simulate(rules, self.games, &monitor(self.games)),
            SourceGames::Rounds(rules) => {
                let monitor = monitor(self.games);
                play_counting_rounds(rules, (self.seed, self.games), self.jobs, &monitor)
            }
            SourceGames::SingleGame(rules) => self.simulate(rules, 1, &monitor(1)),
        };
        Box::new(move |figure| figure.estimate(&tally))
    }

    fn simulate(&self, rules: &GameSetup, games: u64, monitor: &dyn Monitor) -> Tally {
        let plan = RunPlan {
            setup: rules.clone(),
            seed: self.seed,
            games,
            part: 0..games,
            kernel: Kernel::Fastest,
        };
        plan.play(self.jobs, monitor).tally
    }
}

/// Number of games in a chunk.
const CHUNK_SIZE: i64 = 1_000;

/// Plays the games with these numbers on `jobs` threads, and counts them. `make_worker` makes a
/// function for each thread, which plays and counts one game.
///
/// If the monitor stops the games, only the first ones are counted.
fn count_games<P: FnMut(i64, &mut Tally)>(
    numbers: Range<i64>,
    jobs: NonZero<usize>,
    monitor: &dyn Monitor,
    make_worker: impl Fn() -> P + Sync,
) -> Tally {
    let mut sum = Tally::default();
    let end = numbers.end;
    let starts = iter::successors(Some(numbers.start), |start| start.checked_add(CHUNK_SIZE));
    let starts = starts.take_while(|&start| start < end);
    let player = || {
        let mut play = make_worker();
        move |start: i64, _: &dyn Fn() -> bool| {
            let mut tally = Tally::default();
            for number in start..end.min(start.saturating_add(CHUNK_SIZE)) {
                play(number, &mut tally);
            }
            ChunkResult {
                games: tally.games(),
                output: tally,
                is_complete: true,
            }
        }
    };
    let add = |part: ChunkResult<Tally>| {
        sum.add(&part.output);
        Ok::<(), Infallible>(())
    };
    match fold_chunks(jobs, monitor, starts, player, add) {
        Ok(()) => sum,
    }
}

/// Plays the X/Y games of these Java seeds on `jobs` threads, and counts them. Games are numbered
/// by seed.
///
/// If the monitor stops the games, only the first seeds are counted.
#[must_use]
pub fn play_java_seeds(seeds: Range<i64>, jobs: NonZero<usize>, monitor: &dyn Monitor) -> Tally {
    count_games(seeds, jobs, monitor, || {
        let mut kernel = GeneralKernel::new(XY.parameters);
        move |seed, tally| play_java_seed(seed, &mut kernel, tally)
    })
}

fn play_java_seed(seed: i64, kernel: &mut GeneralKernel, tally: &mut Tally) {
    let (mut cards, mut chance) = (Deck::Thirteen.cards(), JavaRandom::new(seed));
    chance.shuffle(&mut cards);
    let mut depths = WarDepthCounts::default();
    if let Some(counted) = kernel.play(&deal(&cards, 2), &mut chance, &mut depths) {
        tally.depths.add(&depths);
        tally.count(seed.unsigned_abs(), &counted.result);
    }
}

/// Plays the first games of a seed with these rules on `jobs` threads, and counts the rounds of a
/// game (face up or face down) instead of its turns.
///
/// If the monitor stops the games, only the first ones are counted.
#[must_use]
pub fn play_counting_rounds(
    rules: &GameSetup,
    (seed, games): (u64, u64),
    jobs: NonZero<usize>,
    monitor: &dyn Monitor,
) -> Tally {
    let games = i64::try_from(games).unwrap_or(i64::MAX);
    count_games(0..games, jobs, monitor, || {
        let mut kernel = GeneralKernel::new(rules.parameters);
        move |game, tally| {
            let game = game.unsigned_abs();
            let mut depths = WarDepthCounts::default();
            let dealt = rules.deal(GameNumber { seed, game });
            let counted =
                dealt.and_then(|(hands, mut chance)| kernel.play(&hands, &mut chance, &mut depths));
            if let Some(counted) = counted {
                let turns = u32::try_from(counted.rounds).unwrap_or(u32::MAX);
                tally.depths.add(&depths);
                tally.count(
                    game,
                    &GameResult {
                        turns,
                        ..counted.result
                    },
                );
            }
        }
    })
}

/// Returns the share of all deals in two hands of the same size in which player 1 wins every turn
/// without a war. The share is exact except for the rounding of floats.
///
/// # Examples
///
/// ```
/// use war::cards::Deck;
/// use war_simulate::literature::share_of_sweeps;
///
/// // Of four different cards, player 2 holds the lower card of each pair in one deal of four.
/// let deck = Deck::from_shape("4x1").unwrap();
/// assert!((share_of_sweeps(deck) - 0.25).abs() < 1e-15);
/// ```
#[must_use]
pub fn share_of_sweeps(deck: Deck) -> f64 {
    let ranks = u32::from(deck.highest_rank() - deck.lowest_rank()) + 1;
    let cards = u32::try_from(deck.size()).unwrap_or(u32::MAX);
    let (suits, half) = (cards / ranks, cards / 2);
    // Number of ways to pair the cards of the ranks so far, by the number of cards that still wait
    // for a higher one.
    let mut ways = vec![1.0];
    for _ in 0..ranks {
        let mut next = vec![0.0; ways.len() + suits as usize];
        for (waiting, ways) in (0_u32..).zip(&ways) {
            let mut paired = *ways;
            for taken in 0..=suits.min(waiting) {
                next[(waiting + suits - 2 * taken) as usize] += paired;
                // One more card of this rank takes one of the waiting cards.
                let (left, rest) = (f64::from(suits - taken), f64::from(waiting - taken));
                paired *= left * rest / f64::from(taken + 1);
            }
        }
        ways = next;
    }
    // The pairs can come in any order, and each player holds one card of each pair.
    (1..=half).fold(ways[0], |share, card| share / f64::from(half + card))
}
