//! Enumerations of all deals of a small deck to two players.

use super::exact::{ExactFigures, NaturalNumber};
use super::merged::{EnumerationMethod, MergedDeals, scatter};
use super::single::DealWalk;
use crate::parallel::{ChunkResult, Monitor, fold_chunks};
use crate::run::{JoinError, check_coverage};
use crate::setup::{Dealing, GameSetup, max_turns};
use std::num::NonZero;
use std::ops::Range;
use thiserror::Error;
use war::cards::Deck;
use war::rules::{CollectOrder, OutOfCards, Parameters};

/// Maximum number of deals of an enumeration: the total turns and pairs of 10¹⁶ deals still fit
/// into 64 bits.
pub const MAX_DEALS: u64 = 10_000_000_000_000_000;

/// Minimum number of beginnings of deals that the work is split into, if the deck has that many: an
/// interruption waits until the deals of the current beginnings are played, so each beginning must
/// have few deals.
const MIN_BEGINNINGS: usize = 10_000;

/// Number of cards of a sample that are dealt in every way; the other cards are fixed.
const SAMPLE_OPEN_CARDS: usize = 6;

/// All deals of a deck into two hands. Both hands have the same size, unless the number of cards is
/// odd and player 1 gets one card more.
///
/// If the hands have the same size and the rules treat both seats alike, only one of two deals that
/// differ by swapping the players is played: the one whose first hand comes first in lexicographic
/// order.
///
/// If the rules allow it, deals that become the same game once every card has been played are
/// merged; see [`Enumeration::method`].
///
/// # Examples
///
/// ```
/// use std::num::NonZero;
/// use war::cards::Deck;
/// use war::rules::Parameters;
/// use war_simulate::Enumeration;
///
/// let deck = Deck::from_shape("2x2").unwrap();
/// let all = Enumeration::new(Parameters::BATAILLE, deck).unwrap();
/// let exact = all.play_all(NonZero::<usize>::MIN, &());
/// assert_eq!(exact.deals, all.deals());
/// ```
#[derive(Debug, Clone)]
pub struct Enumeration {
    parameters: Parameters,
    deck: Deck,
    deals: u64,
    is_symmetric: bool,
    merged: Option<MergedDeals>,
}

/// Reason why a deck can't be enumerated with some rules.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum EnumerationError {
    /// Rules with collecting orders for this number of players, not for two.
    #[error("the rules have orders for {0} players")]
    Orders(u8),
    /// Rules that depend on chance.
    #[error("the rules depend on chance")]
    Chance,
    /// Number of deals that exceeds [`MAX_DEALS`].
    #[error("there are {0} deals, more than {MAX_DEALS}")]
    TooMany(NaturalNumber),
}

impl Enumeration {
    /// Returns the enumeration of a deck with these rules.
    ///
    /// # Errors
    ///
    /// [`EnumerationError`] if the rules depend on chance or aren't for two players, or if there
    /// are too many deals.
    pub fn new(parameters: Parameters, deck: Deck) -> Result<Self, EnumerationError> {
        if let CollectOrder::BySeat(orders) = parameters.collect
            && orders.players() != 2
        {
            return Err(EnumerationError::Orders(orders.players()));
        }
        if parameters.is_left_to_chance() || parameters.out_of_cards == OutOfCards::Shrink {
            return Err(EnumerationError::Chance);
        }
        let alike = parameters.collect.treats_seats_alike()
            && parameters.out_of_cards != OutOfCards::EndOfCards;
        let is_symmetric = alike && deck.size().is_multiple_of(2);
        let counts = rank_counts(deck);
        let all = count_arrangements(&counts);
        // A deal that stays the same if the players are swapped gives both the same cards in the
        // same order.
        let even = counts.iter().all(|count| count % 2 == 0);
        let halves: Vec<_> = counts.iter().map(|count| count / 2).collect();
        let deals = match (is_symmetric, even) {
            (true, true) => all.add(&count_arrangements(&halves)).divide_by(2),
            (true, false) => all.divide_by(2),
            (false, _) => all,
        };
        let Some(count) = deals.to_u64().filter(|&deals| deals <= MAX_DEALS) else {
            return Err(EnumerationError::TooMany(deals));
        };
        Ok(Self {
            parameters,
            deck,
            deals: count,
            is_symmetric,
            merged: MergedDeals::new(&parameters, deck, count),
        })
    }

    /// Returns the same deals, played by this method or the next slower one that supports them.
    #[must_use]
    pub fn with_method(self, method: EnumerationMethod) -> Self {
        let merged = self.merged.and_then(|merged| merged.with_method(method));
        Self { merged, ..self }
    }

    /// Returns the method that plays the deals.
    #[must_use]
    pub fn method(&self) -> EnumerationMethod {
        self.merged
            .as_ref()
            .map_or(EnumerationMethod::OneByOne, MergedDeals::method)
    }

    /// Returns the number of deals that are played.
    #[must_use]
    pub const fn deals(&self) -> u64 {
        self.deals
    }

    /// Returns true if only one of two deals that differ by swapping the players is played.
    #[must_use]
    pub const fn is_symmetric(&self) -> bool {
        self.is_symmetric
    }

    /// Returns the maximum number of turns of a game, if the rules set a limit.
    #[must_use]
    pub fn max_turns(&self) -> Option<u32> {
        max_turns(&self.parameters, self.deck.size())
    }

    /// Returns the rules of the games.
    #[must_use]
    pub const fn parameters(&self) -> Parameters {
        self.parameters
    }

    /// Returns the deck that is dealt.
    #[must_use]
    pub const fn deck(&self) -> Deck {
        self.deck
    }

    /// Returns true if deals are merged. Their parts differ from the parts of deals played one by
    /// one.
    #[must_use]
    pub const fn is_merged(&self) -> bool {
        self.merged.is_some()
    }

    /// Returns the number of parts that the work is split into.
    #[must_use]
    pub fn parts(&self) -> u64 {
        let parts = match &self.merged {
            Some(merged) => merged.parts(),
            None => self.beginnings().len(),
        };
        parts as u64
    }

    /// Returns the beginnings that split the deals into parts if they are played one by one.
    #[must_use]
    pub fn beginnings(&self) -> Vec<Vec<u8>> {
        let mut beginnings = vec![Vec::new()];
        let mut length = 0;
        while beginnings.len() < MIN_BEGINNINGS && length < self.deck.size() {
            length += 1;
            let mut longer = Vec::new();
            for beginning in &beginnings {
                for (rank, count) in (0_u8..).zip(rank_counts(self.deck)) {
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

    /// Plays all deals on `jobs` threads.
    ///
    /// If the monitor stops the run, the result covers the first parts only.
    #[must_use]
    pub fn play_all(&self, jobs: NonZero<usize>, monitor: &dyn Monitor) -> ExactFigures {
        let mut sum = ExactFigures::default();
        self.play_parts(0..self.parts(), jobs, monitor, |exact| {
            sum.add(exact);
            true
        });
        sum
    }

    /// Plays a few scattered deals, different ones for each number. Their average time per deal is
    /// about the same as that of all deals.
    #[must_use]
    pub fn play_sample(&self, number: usize) -> ExactFigures {
        if let Some(merged) = &self.merged {
            return merged.play_sample(number);
        }
        let mut cards = cards(&rank_counts(self.deck));
        let sampled = cards.len().saturating_sub(SAMPLE_OPEN_CARDS);
        for at in 0..sampled {
            let other = at + scatter(number + at, cards.len() - at);
            cards.swap(at, other);
        }
        self.play(&cards[..sampled])
    }

    /// Plays these parts on `jobs` threads and passes the figures of each to `hand_out`, in order.
    ///
    /// Ends early if the monitor stops the run or `hand_out` returns false. The parts handed out by
    /// then are always the first ones.
    pub fn play_parts(
        &self,
        parts: Range<u64>,
        jobs: NonZero<usize>,
        monitor: &dyn Monitor,
        mut hand_out: impl FnMut(&ExactFigures) -> bool,
    ) {
        let beginnings = match &self.merged {
            Some(_) => Vec::new(),
            None => self.beginnings(),
        };
        let make_worker = || {
            |part: u64, should_continue: &dyn Fn() -> bool| {
                let exact = self.play_part(part, &beginnings, should_continue);
                ChunkResult {
                    games: exact.as_ref().map_or(0, |exact| exact.deals),
                    is_complete: exact.is_some(),
                    output: exact,
                }
            }
        };
        let add = |part: ChunkResult<Option<ExactFigures>>| match part.output {
            Some(exact) if !hand_out(&exact) => Err(()),
            _ => Ok(()),
        };
        // An early end is not an error: earlier parts were handed out.
        let _ = fold_chunks(jobs, monitor, parts, make_worker, add);
    }

    /// Returns the figures of a part, or `None` if the run is stopped before the end of the part.
    fn play_part(
        &self,
        part: u64,
        beginnings: &[Vec<u8>],
        should_continue: &dyn Fn() -> bool,
    ) -> Option<ExactFigures> {
        let part = usize::try_from(part).ok()?;
        if let Some(merged) = &self.merged {
            return merged.play(part, should_continue);
        }
        let exact = self.play_while(beginnings.get(part)?, should_continue);
        should_continue().then_some(exact)
    }

    /// Plays the deals that start with these cards, given as ranks counted from 0 for the lowest.
    ///
    /// The cards of a deal are those of player 1, top card first, then those of player 2. If the
    /// deck lacks these cards, there is no such deal.
    #[must_use]
    pub fn play(&self, beginning: &[u8]) -> ExactFigures {
        self.play_while(beginning, &|| true)
    }

    /// Plays these deals as [`Enumeration::play`] does until `should_continue` returns false; an
    /// unfinished deal doesn't count.
    ///
    /// `should_continue` is polled in games that aren't over quickly.
    #[must_use]
    pub fn play_while(&self, beginning: &[u8], should_continue: &dyn Fn() -> bool) -> ExactFigures {
        let mut left = rank_counts(self.deck);
        for &rank in beginning {
            match left.get_mut(usize::from(rank)) {
                Some(count) if *count > 0 => *count -= 1,
                _ => return ExactFigures::default(),
            }
        }
        let mut cards = beginning.to_vec();
        cards.resize(self.deck.size(), 0);
        let mut walk = DealWalk::new(
            &self.parameters,
            self.deck,
            self.is_symmetric,
            should_continue,
        );
        walk.deal(&mut cards, beginning.len(), &mut left);
        walk.into_figures()
    }
}

/// Returns the cards of a deck with these numbers of cards of each rank.
fn cards(counts: &[u8]) -> Vec<u8> {
    let ranks = (0_u8..).zip(counts);
    ranks
        .flat_map(|(rank, &count)| std::iter::repeat_n(rank, count.into()))
        .collect()
}

/// Returns the number of cards of each rank, the lowest first.
fn rank_counts(deck: Deck) -> Vec<u8> {
    let ranks = usize::from(deck.highest_rank() - deck.lowest_rank()) + 1;
    let suits = u8::try_from(deck.size() / ranks).expect("a deck has 255 cards at most");
    vec![suits; ranks]
}

/// Returns the number of distinct orders of cards, given the numbers of equal cards.
fn count_arrangements(counts: &[u8]) -> NaturalNumber {
    let (mut orders, mut cards) = (NaturalNumber::one(), 0_u32);
    for &count in counts {
        for place in 1..=count {
            cards += 1;
            // As in a binomial coefficient, the product is divisible at every step.
            orders = orders.multiply_by(cards).divide_by(place.into());
        }
    }
    orders
}

/// Progress of an enumeration, or of some of its parts.
///
/// # Examples
///
/// ```
/// use std::num::NonZero;
/// use war::cards::Deck;
/// use war::rules::Parameters;
/// use war_simulate::{Enumeration, EnumerationRun};
///
/// let deck = Deck::from_shape("3x2").unwrap();
/// let all = Enumeration::new(Parameters::BATAILLE, deck).unwrap();
/// let half = all.parts() / 2;
/// let halves = [0..half, half..all.parts()].map(|parts| {
///     let mut played = EnumerationRun::new(&all, parts);
///     played.play(&all, NonZero::<usize>::MIN, &(), |_| true);
///     played
/// });
/// let whole = EnumerationRun::join(&halves).unwrap();
/// assert_eq!(whole.figures.deals, all.deals());
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct EnumerationRun {
    /// Rules and deck.
    pub setup: GameSetup,
    /// True if deals are merged. Their parts differ from the parts of deals played one by one.
    pub merged: bool,
    /// Number of parts of the whole enumeration.
    pub total_parts: u64,
    /// Range of the parts covered here.
    pub parts: Range<u64>,
    /// First of these parts that hasn't been played, or their end.
    pub next: u64,
    /// Figures of the parts played.
    pub figures: ExactFigures,
}

impl EnumerationRun {
    /// Returns a run of these parts of an enumeration, before any of them is played.
    #[must_use]
    pub fn new(enumeration: &Enumeration, parts: Range<u64>) -> Self {
        Self {
            setup: GameSetup {
                parameters: enumeration.parameters(),
                players: 2,
                deck: enumeration.deck(),
                dealing: Dealing::Shuffled,
            },
            merged: enumeration.is_merged(),
            total_parts: enumeration.parts(),
            next: parts.start,
            parts,
            figures: ExactFigures::default(),
        }
    }

    /// Returns true if all of these parts are played.
    #[must_use]
    pub const fn is_complete(&self) -> bool {
        self.next == self.parts.end
    }

    /// Returns true if these are all parts of the enumeration.
    #[must_use]
    pub fn has_all_parts(&self) -> bool {
        self.parts == (0..self.total_parts)
    }

    /// Estimates the number of deals left, given that all parts together have `all` deals, and
    /// assuming that each part has the same number of deals.
    #[must_use]
    #[expect(
        clippy::cast_possible_truncation,
        reason = "some of the deals are no more than all of them"
    )]
    pub fn deals_left(&self, all: u64) -> u64 {
        let parts = self.parts.end.saturating_sub(self.next);
        (u128::from(all) * u128::from(parts) / u128::from(self.total_parts.max(1))) as u64
    }

    /// Returns true if both runs cover the same parts and split the deals in the same way, however
    /// many of the parts each has played.
    #[must_use]
    pub fn has_same_parts(&self, other: &Self) -> bool {
        (self.merged, self.total_parts, &self.parts)
            == (other.merged, other.total_parts, &other.parts)
    }

    /// Plays the remaining parts, and passes the progress to `report` after each.
    ///
    /// Ends early if the monitor stops the run or `report` returns false.
    pub fn play(
        &mut self,
        enumeration: &Enumeration,
        jobs: NonZero<usize>,
        monitor: &dyn Monitor,
        mut report: impl FnMut(&Self) -> bool,
    ) {
        let parts = self.next..self.parts.end;
        enumeration.play_parts(parts, jobs, monitor, |exact| {
            self.figures.add(exact);
            self.next += 1;
            report(self)
        });
    }

    /// Joins parts into the whole enumeration.
    ///
    /// # Errors
    ///
    /// [`JoinError`] if parts are missing, overlap or aren't complete, or if they belong to
    /// different enumerations.
    pub fn join(all: &[Self]) -> Result<Self, JoinError> {
        let Some(first) = all.first() else {
            return Err(JoinError::Missing(0, 0));
        };
        let mut joined = Self {
            parts: 0..first.total_parts,
            next: first.total_parts,
            figures: ExactFigures::default(),
            ..first.clone()
        };
        for (index, part) in all.iter().enumerate() {
            if let Some(option) = part.setup.find_differing_option(&first.setup) {
                return Err(JoinError::DifferentRules(0, index, option));
            }
            if (part.merged, part.total_parts) != (first.merged, first.total_parts) {
                return Err(JoinError::DifferentGameCount(0, index));
            }
            if !part.is_complete() {
                return Err(JoinError::Partial(index));
            }
        }
        let ranges: Vec<_> = all.iter().map(|part| part.parts.clone()).collect();
        check_coverage(&ranges, first.total_parts)?;
        for part in all {
            joined.figures.add(&part.figures);
        }
        Ok(joined)
    }
}
