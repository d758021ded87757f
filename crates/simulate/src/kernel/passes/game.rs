//! Games in the middle of play, without their cards.

use crate::game::{Depths, Ties};
use crate::kernel::log::{Log, MOST_CARDS, State};
use war::engine::Seat;

/// Where the numbers of wars and of deeper wars begin in a game's counts.
const WARS: u32 = 20;
const DEEPER: u32 = 40;
/// The bits of the number of turns.
const TURNS: u64 = (1 << WARS) - 1;

/// Who plays a game that begins here.
const SEATS: [Seat; 2] = [Seat::FIRST, Seat::SECOND];

/// How many turns a game may take before it is left to the kernel that needs no memory: a pass
/// more still fits the bits.
pub(super) const MOST_TURNS: u64 = 1_000_000;

/// A game in the middle of play, without its cards.
#[derive(Debug)]
pub(in crate::kernel) struct Game {
    /// How many cards player 1 holds; player 2 holds the others.
    pub(in crate::kernel) first: usize,
    /// Turns, wars, and wars deeper than 1, 20 bits each.
    counts: u64,
    /// The depths of the wars deeper than 2.
    deep: Vec<usize>,
    /// How many of the turns were played before it came here.
    before: u64,
    /// After so many of the wars nobody could go on, or one player alone.
    not_compared: u64,
    seats: [Seat; 2],
    /// After how many turns it stops.
    pub(super) stop: u64,
    pub(in crate::kernel) log: Log,
}

impl Default for Game {
    fn default() -> Self {
        Self {
            first: 0,
            counts: 0,
            deep: Vec::new(),
            before: 0,
            not_compared: 0,
            seats: SEATS,
            stop: 0,
            log: Log::default(),
        }
    }
}

impl Game {
    /// Begins another game.
    pub(super) fn begin(&mut self, first: usize, cards: usize) {
        (self.first, self.counts, self.stop) = (first, 0, 0);
        (self.before, self.not_compared, self.seats) = (0, 0, SEATS);
        self.deep.clear();
        self.log.reset(cards);
    }

    /// Goes on with a game of this many cards that others began.
    pub(super) fn resume(&mut self, begun: &Begun, cards: usize) {
        self.begin(begun.first, cards);
        (self.not_compared, self.seats) = (begun.not_compared, begun.seats);
        self.before = begun.turns.into();
        self.count(self.before, 0, 0);
        for &depth in &begun.depths {
            self.count(0, 1, u64::from(depth > 1));
            self.note_deep(depth);
        }
    }

    /// Whether nothing of it was played here yet.
    pub(super) const fn is_new(&self) -> bool {
        self.turns() == self.before
    }

    /// Who holds the first hand if so, or else the second.
    pub(super) const fn seat(&self, is_first: bool) -> Seat {
        self.seats[if is_first { 0 } else { 1 }]
    }

    #[inline]
    pub(in crate::kernel) const fn turns(&self) -> u64 {
        self.counts & TURNS
    }

    #[inline]
    pub(in crate::kernel) const fn wars(&self) -> u64 {
        self.counts >> WARS & TURNS
    }

    /// Whether the game is to go no further by passes.
    #[inline]
    pub(in crate::kernel) const fn stops(&self) -> bool {
        self.turns() >= self.stop
    }

    /// Counts so many turns, so many of them wars, and so many of these deeper than 1.
    #[inline]
    pub(in crate::kernel) const fn count(&mut self, turns: u64, wars: u64, deeper: u64) {
        self.counts += turns + (wars << WARS) + (deeper << DEEPER);
    }

    /// Says of a war that was counted as deeper than 1 how deep it was.
    #[cold]
    pub(in crate::kernel) fn note_deep(&mut self, depth: usize) {
        if depth > 2 {
            self.deep.push(depth);
        }
    }

    /// How often the highest card was shared; after so many of these here nobody went on.
    pub(super) fn ties(&self, last: u64) -> Ties {
        let deep: u64 = self.deep.iter().map(|&depth| depth as u64 - 2).sum();
        let all = self.wars() + (self.counts >> DEEPER) + deep;
        Ties::but(all, self.not_compared + last)
    }

    /// Counts a turn with a war of this depth, or none of depth 0.
    pub(in crate::kernel) fn count_turn(&mut self, depth: usize) {
        self.count(1, u64::from(depth > 0), u64::from(depth > 1));
        self.note_deep(depth);
    }
}

/// The wars of the games that ended.
#[derive(Default)]
pub(super) struct Ended {
    wars: u64,
    /// Those deeper than 1.
    deeper: u64,
    /// Those deeper than 2.
    rest: Depths,
}

impl Ended {
    pub(super) fn add(&mut self, game: &Game) {
        self.wars += game.wars();
        self.deeper += game.counts >> DEEPER;
        for &depth in &game.deep {
            self.rest.count(depth);
        }
    }

    pub(super) fn flush(self, depths: &mut Depths) {
        let rest: u64 = self.rest.counts().iter().sum();
        depths.count_many(1, self.wars - self.deeper);
        depths.count_many(2, self.deeper - rest);
        depths.add(&self.rest);
    }
}

/// A game that others began, of which two players are left.
#[derive(Debug)]
pub(in crate::kernel) struct Begun {
    /// Which one of the games it is.
    pub(in crate::kernel) number: usize,
    pub(in crate::kernel) state: State,
    /// How many cards the first of the two holds.
    pub(in crate::kernel) first: usize,
    /// Who they are, in the order of seats.
    pub(in crate::kernel) seats: [Seat; 2],
    /// How many turns were played, and how deep the wars in them were.
    pub(in crate::kernel) turns: u32,
    pub(in crate::kernel) depths: Vec<usize>,
    /// After so many of these wars nobody could go on, or one player alone.
    pub(in crate::kernel) not_compared: u64,
}

/// What a game starts with.
#[derive(Debug, Clone, Copy)]
pub(super) enum Start<'a> {
    /// Cards, dealt one at a time.
    Dealt(&'a [u8; MOST_CARDS]),
    Begun(&'a Begun),
}
