//! All deals of a small deck in two equal hands.

use super::game::{Conclusion, Depths};
use super::kernel::{General, Small};
use super::natural::Natural;
use super::setup::most_turns;
use crate::cards::{Deck, Rank};
use crate::parallel::{Watch, fold_in_order};
use crate::rules::{Collect, OutOfCards, Parameters};
use std::num::NonZero;
use std::ops::ControlFlow;
use thiserror::Error;

/// The most deals that are played: 10¹⁰.
pub const MOST_DEALS: u64 = 10_000_000_000;

/// How many beginnings there are at least where the deck has so many: an interruption waits for
/// those being played.
const BEGINNINGS: usize = 10_000;

/// All deals of a deck in two equal hands.
///
/// Where the rules treat both seats alike, of two deals that differ by swapping the players
/// only one is played: the one whose first hand that differs is lower.
///
/// # Examples
///
/// ```
/// use std::num::NonZero;
/// use war::cards::Deck;
/// use war::rules::Parameters;
/// use war::simulate::Enumeration;
///
/// let deck = Deck::shaped("2x2").unwrap();
/// let all = Enumeration::new(Parameters::BATAILLE, deck).unwrap();
/// let exact = all.play_all(NonZero::<usize>::MIN, &());
/// assert_eq!(exact.deals, all.deals());
/// ```
#[derive(Debug, Clone)]
pub struct Enumeration {
    parameters: Parameters,
    deck: Deck,
    deals: u64,
    swaps: bool,
}

/// Why a deck can't be enumerated by some rules.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum NotEnumerable {
    /// The deck has an odd number of cards.
    #[error("the cards can't be split into two equal hands")]
    Odd,
    /// The rules leave something to chance.
    #[error("the rules depend on chance")]
    Chance,
    /// There are this many deals.
    #[error("there are {0} deals, more than {MOST_DEALS}")]
    TooMany(Natural),
}

/// What all deals come to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Exact {
    /// The number of deals played.
    pub deals: u64,
    /// How many were won by player 1, and by player 2.
    pub won: [u64; 2],
    /// How many were drawn.
    pub drawn: u64,
    /// How many are endless.
    pub endless: u64,
    /// How many lasted as many turns as they may.
    pub undecided: u64,
    /// The sum of the turns of all finished games.
    pub turns: u64,
    /// The sum of the pairs of cards put in all finished games.
    pub pairs: u64,
    /// The most turns of a finished game.
    pub most_turns: u32,
    /// The most pairs put in a finished game.
    pub most_pairs: u64,
    /// The shortest and the longest period, or 0 where there is none.
    pub periods: (u32, u32),
}

impl Enumeration {
    /// The deals of a deck by these rules.
    ///
    /// # Errors
    ///
    /// [`NotEnumerable`], with the reason.
    pub fn new(parameters: Parameters, deck: Deck) -> Result<Self, NotEnumerable> {
        if deck.size() % 2 == 1 {
            return Err(NotEnumerable::Odd);
        }
        let chance = parameters.collect == Collect::Shuffled;
        if chance || parameters.out_of_cards == OutOfCards::Shrink {
            return Err(NotEnumerable::Chance);
        }
        let seats = matches!(parameters.collect, Collect::Seat | Collect::SeatInterleaved);
        let swaps = !seats && parameters.out_of_cards != OutOfCards::EndOfCards;
        let counts = counts(deck);
        let all = arrangements(&counts);
        // A deal that swapping does not change gives both players the same cards.
        let even = counts.iter().all(|count| count % 2 == 0);
        let halves: Vec<_> = counts.iter().map(|count| count / 2).collect();
        let deals = match (swaps, even) {
            (true, true) => all.plus(&arrangements(&halves)).divided_by(2),
            (true, false) => all.divided_by(2),
            (false, _) => all,
        };
        let Some(few) = deals.to_u64().filter(|&deals| deals <= MOST_DEALS) else {
            return Err(NotEnumerable::TooMany(deals));
        };
        Ok(Self {
            parameters,
            deck,
            deals: few,
            swaps,
        })
    }

    /// The number of deals that are played.
    #[must_use]
    pub const fn deals(&self) -> u64 {
        self.deals
    }

    /// Whether of two deals that differ by swapping the players one is played.
    #[must_use]
    pub const fn swaps(&self) -> bool {
        self.swaps
    }

    /// How many turns a game may last, where the rules set a limit.
    #[must_use]
    pub fn most_turns(&self) -> Option<u32> {
        most_turns(&self.parameters, self.deck.size())
    }

    /// The beginnings that the deals fall apart into: work that can be shared.
    #[must_use]
    pub fn beginnings(&self) -> Vec<Vec<u8>> {
        let mut beginnings = vec![Vec::new()];
        let mut length = 0;
        while beginnings.len() < BEGINNINGS && length < self.deck.size() {
            length += 1;
            let mut longer = Vec::new();
            for beginning in &beginnings {
                for (rank, count) in (0_u8..).zip(counts(self.deck)) {
                    let used = beginning.iter().filter(|&&other| other == rank);
                    if used.fold(0, |used, _| used + 1) < count {
                        longer.push([&beginning[..], &[rank]].concat());
                    }
                }
            }
            beginnings = longer;
        }
        beginnings
    }

    /// Plays all deals with so many threads.
    ///
    /// A watch that does not go on ends it after some of the deals, from the first on.
    #[must_use]
    pub fn play_all(&self, jobs: NonZero<usize>, watch: &dyn Watch) -> Exact {
        let mut sum = Exact::default();
        let beginnings = self.beginnings();
        let player = || {
            |beginning: &Vec<u8>, goes_on: &dyn Fn() -> bool| {
                let exact = self.play_while(beginning, goes_on);
                (exact, goes_on())
            }
        };
        let fold = |(exact, whole): (Exact, bool)| {
            sum.add(&exact);
            watch.counted(exact.deals);
            if whole {
                ControlFlow::Continue(())
            } else {
                ControlFlow::Break(())
            }
        };
        // Where it breaks, the sum is that of the deals up to there.
        let _ = fold_in_order(jobs, watch, beginnings.iter(), player, fold);
        sum
    }

    /// Plays the deals whose first cards are these, counted from the lowest rank as 0.
    ///
    /// The cards of a deal are those of player 1, top card first, then those of player 2. Where
    /// the deck does not have these cards, there is no such deal.
    #[must_use]
    pub fn play(&self, beginning: &[u8]) -> Exact {
        self.play_while(beginning, &|| true)
    }

    /// Plays those deals, as [`Enumeration::play`] does, until it is stopped: a deal that is
    /// begun then does not count.
    ///
    /// `goes_on` is asked in games that are not over quickly.
    #[must_use]
    pub fn play_while(&self, beginning: &[u8], goes_on: &dyn Fn() -> bool) -> Exact {
        let mut left = counts(self.deck);
        for &rank in beginning {
            match left.get_mut(usize::from(rank)) {
                Some(count) if *count > 0 => *count -= 1,
                _ => return Exact::default(),
            }
        }
        let mut cards = beginning.to_vec();
        cards.resize(self.deck.size(), 0);
        let mut walk = Walk {
            small: Small::new(&self.parameters, self.deck.size()),
            general: General::new(self.parameters),
            lowest: self.deck.lowest(),
            swaps: self.swaps,
            exact: Exact::default(),
            goes_on,
            stopped: false,
        };
        walk.deal(&mut cards, beginning.len(), &mut left);
        walk.exact
    }
}

/// How many cards of each rank the deck has, the lowest first.
fn counts(deck: Deck) -> Vec<u8> {
    let ranks = usize::from(deck.highest() - deck.lowest()) + 1;
    let suits = u8::try_from(deck.size() / ranks).expect("a deck has 255 cards at most");
    vec![suits; ranks]
}

/// In how many orders cards with these numbers of equal ones can lie.
fn arrangements(counts: &[u8]) -> Natural {
    let (mut orders, mut cards) = (Natural::one(), 0_u32);
    for &count in counts {
        for place in 1..=count {
            cards += 1;
            // Cards taken of so many: the product is divisible at every step.
            orders = orders.times(cards).divided_by(place.into());
        }
    }
    orders
}

/// A walk over deals.
struct Walk<'a> {
    small: Option<Small>,
    general: General,
    lowest: u8,
    swaps: bool,
    exact: Exact,
    goes_on: &'a dyn Fn() -> bool,
    stopped: bool,
}

impl Walk<'_> {
    /// Deals all cards from this place on in every way, and plays each deal.
    fn deal(&mut self, cards: &mut [u8], at: usize, left: &mut [u8]) {
        let half = cards.len() / 2;
        if self.stopped {
            return;
        }
        // Of two deals that differ by swapping, the lower first hand is played.
        if self.swaps && at > half && cards[half..at] < cards[..at - half] {
            return;
        }
        if at == cards.len() {
            self.play(cards);
            return;
        }
        for rank in 0..left.len() {
            if left[rank] > 0 {
                left[rank] -= 1;
                cards[at] = u8::try_from(rank).expect("a deck has 64 ranks at most");
                self.deal(cards, at + 1, left);
                left[rank] += 1;
            }
        }
    }

    fn play(&mut self, cards: &[u8]) {
        let (first, second) = cards.split_at(cards.len() / 2);
        if let Some(small) = &self.small
            && let Some(ended) = small.play(first, second)
        {
            self.exact.deals += 1;
            let verdict = ended.winner.map(usize::from);
            match verdict {
                Some(winner) => self.exact.won[winner] += 1,
                None => self.exact.drawn += 1,
            }
            self.exact.finished(ended.turns, ended.pairs.into());
            return;
        }
        let ranks = |cards: &[u8]| {
            let ranks = cards.iter().map(|card| Rank::new(card + self.lowest));
            ranks.flatten().collect::<Vec<_>>()
        };
        let hands = [ranks(first), ranks(second)];
        let (kernel, depths) = (&mut self.general, &mut Depths::default());
        let Some(counted) = kernel.play_while(&hands, &mut (), depths, self.goes_on) else {
            self.stopped = true;
            return;
        };
        self.exact.deals += 1;
        match counted.played.verdict {
            Conclusion::Won(seat) => self.exact.won[seat.index()] += 1,
            Conclusion::Drawn => self.exact.drawn += 1,
            Conclusion::Endless { period } => {
                self.exact.endless += 1;
                self.exact.periods = joined(self.exact.periods, (period, period));
                return;
            }
            Conclusion::Undecided => {
                self.exact.undecided += 1;
                return;
            }
        }
        self.exact.finished(counted.played.turns, counted.rounds);
    }
}

impl Exact {
    #[inline]
    fn finished(&mut self, turns: u32, pairs: u64) {
        self.turns += u64::from(turns);
        self.pairs += pairs;
        self.most_turns = self.most_turns.max(turns);
        self.most_pairs = self.most_pairs.max(pairs);
    }

    /// Adds what other deals come to.
    pub fn add(&mut self, other: &Self) {
        self.deals += other.deals;
        self.won[0] += other.won[0];
        self.won[1] += other.won[1];
        self.drawn += other.drawn;
        self.endless += other.endless;
        self.undecided += other.undecided;
        self.turns += other.turns;
        self.pairs += other.pairs;
        self.most_turns = self.most_turns.max(other.most_turns);
        self.most_pairs = self.most_pairs.max(other.most_pairs);
        self.periods = joined(self.periods, other.periods);
    }

    /// The number of games that were won or drawn.
    #[must_use]
    pub const fn finished_games(&self) -> u64 {
        self.won[0] + self.won[1] + self.drawn
    }
}

/// The shorter and the longer of two pairs of periods, where 0 is none.
fn joined(a: (u32, u32), b: (u32, u32)) -> (u32, u32) {
    let shorter = if a.0 == 0 || b.0 == 0 {
        a.0.max(b.0)
    } else {
        a.0.min(b.0)
    };
    (shorter, a.1.max(b.1))
}
