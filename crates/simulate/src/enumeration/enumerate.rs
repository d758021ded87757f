//! All deals of a small deck to two players.

use super::exact::{Exact, Natural};
use super::merged::{Merged, Method, spread};
use super::single::Walk;
use crate::parallel::{Part, Watch, play_parts};
use crate::run::{NotJoined, check_cover};
use crate::setup::{Dealing, GameSetup, most_turns};
use std::num::NonZero;
use std::ops::Range;
use thiserror::Error;
use war::cards::Deck;
use war::rules::{Collect, OutOfCards, Parameters};

/// The most deals that are played: 10¹⁶, whose turns and pairs can still be summed.
pub const MOST_DEALS: u64 = 10_000_000_000_000_000;

/// How many beginnings there are at least where the deck has so many: an interruption waits for
/// those being played.
const BEGINNINGS: usize = 10_000;

/// How many cards are left open in a sample.
const SAMPLED: usize = 6;

/// All deals of a deck in two equal hands, or where player 1 gets one card more of an odd deck.
///
/// Where the hands are equal and the rules treat both seats alike, of two deals that differ by swapping the players
/// only one is played: the one whose first hand that differs is lower.
///
/// Where the rules allow it, deals are merged that are the same game once every card was
/// played: [`Enumeration::method`] says so.
///
/// # Examples
///
/// ```
/// use std::num::NonZero;
/// use war::cards::Deck;
/// use war::rules::Parameters;
/// use war_simulate::Enumeration;
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
    merged: Option<Merged>,
}

/// Why a deck can't be enumerated by some rules.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum NotEnumerable {
    /// The rules say in which order each of this many players collects, and two play.
    #[error("the rules have orders for {0} players")]
    Orders(u8),
    /// The rules leave something to chance.
    #[error("the rules depend on chance")]
    Chance,
    /// There are this many deals.
    #[error("there are {0} deals, more than {MOST_DEALS}")]
    TooMany(Natural),
}

impl Enumeration {
    /// The deals of a deck by these rules.
    ///
    /// # Errors
    ///
    /// [`NotEnumerable`], with the reason.
    pub fn new(parameters: Parameters, deck: Deck) -> Result<Self, NotEnumerable> {
        if let Collect::BySeat(orders) = parameters.collect
            && orders.players() != 2
        {
            return Err(NotEnumerable::Orders(orders.players()));
        }
        if parameters.shuffles() || parameters.out_of_cards == OutOfCards::Shrink {
            return Err(NotEnumerable::Chance);
        }
        let alike = parameters.collect.treats_seats_alike()
            && parameters.out_of_cards != OutOfCards::EndOfCards;
        let swaps = alike && deck.size().is_multiple_of(2);
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
            merged: Merged::new(&parameters, deck, few),
        })
    }

    /// The same deals, played by this method or by the next slower one that can.
    #[must_use]
    pub fn by(self, method: Method) -> Self {
        let merged = self.merged.and_then(|merged| merged.by(method));
        Self { merged, ..self }
    }

    /// How the deals are played.
    #[must_use]
    pub fn method(&self) -> Method {
        self.merged.as_ref().map_or(Method::Single, Merged::method)
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

    /// The rules.
    #[must_use]
    pub const fn parameters(&self) -> Parameters {
        self.parameters
    }

    /// The deck.
    #[must_use]
    pub const fn deck(&self) -> Deck {
        self.deck
    }

    /// Whether deals are merged: their parts are others then.
    #[must_use]
    pub const fn is_merged(&self) -> bool {
        self.merged.is_some()
    }

    /// The number of parts that the deals fall apart into: work that can be shared.
    #[must_use]
    pub fn parts(&self) -> u64 {
        let parts = match &self.merged {
            Some(merged) => merged.parts(),
            None => self.beginnings().len(),
        };
        parts as u64
    }

    /// The beginnings that the deals fall apart into where they are played one by one.
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
    /// A watch that does not go on ends it after some of the parts, from the first on.
    #[must_use]
    pub fn play_all(&self, jobs: NonZero<usize>, watch: &dyn Watch) -> Exact {
        let mut sum = Exact::default();
        self.play_parts(0..self.parts(), jobs, watch, |exact| {
            sum.add(exact);
            true
        });
        sum
    }

    /// Plays a few deals here and there, others for each number: as long as that takes, all of
    /// them take in proportion.
    #[must_use]
    pub fn play_sample(&self, number: usize) -> Exact {
        if let Some(merged) = &self.merged {
            return merged.play_sample(number);
        }
        let mut cards = cards(&counts(self.deck));
        let sampled = cards.len().saturating_sub(SAMPLED);
        for at in 0..sampled {
            let other = at + spread(number + at, cards.len() - at);
            cards.swap(at, other);
        }
        self.play(&cards[..sampled])
    }

    /// Plays these parts with so many threads, and hands out what each comes to, in order.
    ///
    /// It ends after some of the parts, from the first on, where the watch does not go on, or
    /// `hand_out` says so.
    pub fn play_parts(
        &self,
        parts: Range<u64>,
        jobs: NonZero<usize>,
        watch: &dyn Watch,
        mut hand_out: impl FnMut(&Exact) -> bool,
    ) {
        let beginnings = match &self.merged {
            Some(_) => Vec::new(),
            None => self.beginnings(),
        };
        let player = || {
            |part: u64, goes_on: &dyn Fn() -> bool| {
                let exact = self.play_part(part, &beginnings, goes_on);
                Part {
                    games: exact.as_ref().map_or(0, |exact| exact.deals),
                    is_whole: exact.is_some(),
                    sum: exact,
                }
            }
        };
        let add = |part: Part<Option<Exact>>| match part.sum {
            Some(exact) if !hand_out(&exact) => Err(()),
            _ => Ok(()),
        };
        // Where it ends early, the parts up to there were handed out.
        let _ = play_parts(jobs, watch, parts, player, add);
    }

    /// What a part comes to, unless it is stopped before its end.
    fn play_part(
        &self,
        part: u64,
        beginnings: &[Vec<u8>],
        goes_on: &dyn Fn() -> bool,
    ) -> Option<Exact> {
        let part = usize::try_from(part).ok()?;
        if let Some(merged) = &self.merged {
            return merged.play(part, goes_on);
        }
        let exact = self.play_while(beginnings.get(part)?, goes_on);
        goes_on().then_some(exact)
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
        let mut walk = Walk::new(&self.parameters, self.deck, self.swaps, goes_on);
        walk.deal(&mut cards, beginning.len(), &mut left);
        walk.exact()
    }
}

/// The cards of a deck with so many of each rank.
fn cards(counts: &[u8]) -> Vec<u8> {
    let ranks = (0_u8..).zip(counts);
    ranks
        .flat_map(|(rank, &count)| std::iter::repeat_n(rank, count.into()))
        .collect()
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

/// An enumeration, or some of its parts: as far as they are played.
///
/// # Examples
///
/// ```
/// use std::num::NonZero;
/// use war::cards::Deck;
/// use war::rules::Parameters;
/// use war_simulate::{Enumerated, Enumeration};
///
/// let deck = Deck::shaped("3x2").unwrap();
/// let all = Enumeration::new(Parameters::BATAILLE, deck).unwrap();
/// let half = all.parts() / 2;
/// let halves = [0..half, half..all.parts()].map(|parts| {
///     let mut played = Enumerated::new(&all, parts);
///     played.play(&all, NonZero::<usize>::MIN, &(), |_| true);
///     played
/// });
/// let whole = Enumerated::joined(&halves).unwrap();
/// assert_eq!(whole.exact.deals, all.deals());
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Enumerated {
    /// The rules and the deck.
    pub rules: GameSetup,
    /// Whether deals are merged, which makes other parts than deals one by one.
    pub merged: bool,
    /// The number of parts of the whole enumeration.
    pub of: u64,
    /// Which of them these are.
    pub parts: Range<u64>,
    /// The first of them that is not played, or their end.
    pub next: u64,
    /// What those that are played come to.
    pub exact: Exact,
}

impl Enumerated {
    /// Parts of an enumeration before any of them is played.
    #[must_use]
    pub fn new(enumeration: &Enumeration, parts: Range<u64>) -> Self {
        Self {
            rules: GameSetup {
                parameters: enumeration.parameters(),
                players: 2,
                deck: enumeration.deck(),
                dealing: Dealing::Shuffled,
            },
            merged: enumeration.is_merged(),
            of: enumeration.parts(),
            next: parts.start,
            parts,
            exact: Exact::default(),
        }
    }

    /// Whether all of the parts are played.
    #[must_use]
    pub const fn is_complete(&self) -> bool {
        self.next == self.parts.end
    }

    /// Whether these are all parts of the enumeration.
    #[must_use]
    pub fn is_of_all_parts(&self) -> bool {
        self.parts == (0..self.of)
    }

    /// About how many deals are left of so many in all parts, if each had as many.
    #[must_use]
    #[expect(
        clippy::cast_possible_truncation,
        reason = "some of the deals are no more than all of them"
    )]
    pub fn deals_left(&self, all: u64) -> u64 {
        let parts = self.parts.end.saturating_sub(self.next);
        (u128::from(all) * u128::from(parts) / u128::from(self.of.max(1))) as u64
    }

    /// Whether these are the same parts, played or not, where the rules are the same.
    #[must_use]
    pub fn has_parts_of(&self, other: &Self) -> bool {
        (self.merged, self.of, &self.parts) == (other.merged, other.of, &other.parts)
    }

    /// Goes on with the parts that are not played, and shows how far it is after each.
    ///
    /// It ends where the watch does not go on, or `shown` says so.
    pub fn play(
        &mut self,
        enumeration: &Enumeration,
        jobs: NonZero<usize>,
        watch: &dyn Watch,
        mut shown: impl FnMut(&Self) -> bool,
    ) {
        let parts = self.next..self.parts.end;
        enumeration.play_parts(parts, jobs, watch, |exact| {
            self.exact.add(exact);
            self.next += 1;
            shown(self)
        });
    }

    /// Joins parts to the whole enumeration.
    ///
    /// # Errors
    ///
    /// [`NotJoined`] where they are not all of it, or not of one enumeration.
    pub fn joined(all: &[Self]) -> Result<Self, NotJoined> {
        let Some(first) = all.first() else {
            return Err(NotJoined::Missing(0, 0));
        };
        let mut joined = Self {
            parts: 0..first.of,
            next: first.of,
            exact: Exact::default(),
            ..first.clone()
        };
        for (index, part) in all.iter().enumerate() {
            if let Some(option) = part.rules.difference(&first.rules) {
                return Err(NotJoined::OtherRules(0, index, option));
            }
            if (part.merged, part.of) != (first.merged, first.of) {
                return Err(NotJoined::OtherGames(0, index));
            }
            if !part.is_complete() {
                return Err(NotJoined::Partial(index));
            }
        }
        let ranges: Vec<_> = all.iter().map(|part| part.parts.clone()).collect();
        check_cover(&ranges, first.of)?;
        for part in all {
            joined.exact.add(&part.exact);
        }
        Ok(joined)
    }
}
