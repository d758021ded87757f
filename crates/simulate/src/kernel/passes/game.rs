//! Running games, without their cards.

use crate::game::{Ties, WarDepthCounts};
use crate::kernel::state_log::{MAX_CARDS, PackedHands, StateLog};
use war::engine::Seat;

/// Bit positions of the wars and the deeper wars in a game's counts.
const WARS_SHIFT: u32 = 20;
const DEEPER_SHIFT: u32 = 40;
/// Mask of a count.
const COUNT_MASK: u64 = (1 << WARS_SHIFT) - 1;

/// Seats of the players in a game that this kernel begins.
const DEFAULT_SEATS: [Seat; 2] = [Seat::FIRST, Seat::SECOND];

/// Maximum number of turns before a game is left to the general kernel, which keeps no log. With
/// one more pass, a count still fits into 20 bits.
pub(super) const MAX_TURNS: u64 = 1_000_000;

/// Running game, without its cards.
#[derive(Debug)]
pub(in crate::kernel) struct RunningGame {
    /// Number of cards of player 1; player 2 holds the others.
    pub(in crate::kernel) first_length: usize,
    /// Turns, wars, and wars deeper than 1, 20 bits each.
    counts: u64,
    /// Depths of the wars deeper than 2.
    deep: Vec<usize>,
    /// Number of turns played by another kernel before.
    turns_before: u64,
    /// Number of wars after which at most one player could go on.
    uncompared_wars: u64,
    seats: [Seat; 2],
    /// Number of turns after which the game stops.
    pub(super) stop_turn: u64,
    pub(in crate::kernel) log: StateLog,
}

impl Default for RunningGame {
    fn default() -> Self {
        Self {
            first_length: 0,
            counts: 0,
            deep: Vec::new(),
            turns_before: 0,
            uncompared_wars: 0,
            seats: DEFAULT_SEATS,
            stop_turn: 0,
            log: StateLog::default(),
        }
    }
}

impl RunningGame {
    /// Begins another game.
    pub(super) fn begin(&mut self, first: usize, cards: usize) {
        (self.first_length, self.counts, self.stop_turn) = (first, 0, 0);
        (self.turns_before, self.uncompared_wars, self.seats) = (0, 0, DEFAULT_SEATS);
        self.deep.clear();
        self.log.reset(cards);
    }

    /// Continues a game with this many cards that another kernel began.
    pub(super) fn resume(&mut self, resumed: &ResumedGame, cards: usize) {
        self.begin(resumed.first_length, cards);
        (self.uncompared_wars, self.seats) = (resumed.uncompared_wars, resumed.seats);
        self.turns_before = resumed.turns.into();
        self.count(self.turns_before, 0, 0);
        for &depth in &resumed.depths {
            self.count(0, 1, u64::from(depth > 1));
            self.record_deep_war(depth);
        }
    }

    /// Returns true if this kernel hasn't played a turn of the game yet.
    pub(super) const fn is_new(&self) -> bool {
        self.turns() == self.turns_before
    }

    /// Returns the seat of the first hand if `is_first`, or else of the second.
    pub(super) const fn seat(&self, is_first: bool) -> Seat {
        self.seats[if is_first { 0 } else { 1 }]
    }

    #[inline]
    pub(in crate::kernel) const fn turns(&self) -> u64 {
        self.counts & COUNT_MASK
    }

    #[inline]
    pub(in crate::kernel) const fn wars(&self) -> u64 {
        self.counts >> WARS_SHIFT & COUNT_MASK
    }

    /// Returns true if no more passes of the game are to be played.
    #[inline]
    pub(in crate::kernel) const fn is_at_stop(&self) -> bool {
        self.turns() >= self.stop_turn
    }

    /// Counts turns, the wars in these turns, and the wars that are deeper than 1.
    #[inline]
    pub(in crate::kernel) const fn count(&mut self, turns: u64, wars: u64, deeper: u64) {
        self.counts += turns + (wars << WARS_SHIFT) + (deeper << DEEPER_SHIFT);
    }

    /// Records the depth of a war that was counted as deeper than 1.
    #[cold]
    pub(in crate::kernel) fn record_deep_war(&mut self, depth: usize) {
        if depth > 2 {
            self.deep.push(depth);
        }
    }

    /// Returns the ties for the highest card. `last` is the number of ties counted by this kernel
    /// after which at most one player could go on.
    pub(super) fn ties(&self, last: u64) -> Ties {
        let deep: u64 = self.deep.iter().map(|&depth| depth as u64 - 2).sum();
        let all = self.wars() + (self.counts >> DEEPER_SHIFT) + deep;
        Ties::new(all, self.uncompared_wars + last)
    }

    /// Counts a turn with a war of this depth, or without one if the depth is 0.
    pub(in crate::kernel) fn count_turn(&mut self, depth: usize) {
        self.count(1, u64::from(depth > 0), u64::from(depth > 1));
        self.record_deep_war(depth);
    }
}

/// Wars of the games that ended.
#[derive(Default)]
pub(super) struct WarTally {
    wars: u64,
    /// Wars deeper than 1.
    deeper: u64,
    /// Wars deeper than 2.
    deepest: WarDepthCounts,
}

impl WarTally {
    pub(super) fn add(&mut self, game: &RunningGame) {
        self.wars += game.wars();
        self.deeper += game.counts >> DEEPER_SHIFT;
        for &depth in &game.deep {
            self.deepest.count(depth);
        }
    }

    pub(super) fn add_to(self, depths: &mut WarDepthCounts) {
        let rest: u64 = self.deepest.counts().iter().sum();
        depths.count_many(1, self.wars - self.deeper);
        depths.count_many(2, self.deeper - rest);
        depths.add(&self.deepest);
    }
}

/// Game that another kernel began, with two players left.
#[derive(Debug)]
pub(in crate::kernel) struct ResumedGame {
    /// Index of the game.
    pub(in crate::kernel) number: usize,
    pub(in crate::kernel) state: PackedHands,
    /// Number of cards of the player with the lower seat.
    pub(in crate::kernel) first_length: usize,
    /// Seats of the two players, in order.
    pub(in crate::kernel) seats: [Seat; 2],
    /// Number of turns played, and depths of the wars in them.
    pub(in crate::kernel) turns: u32,
    pub(in crate::kernel) depths: Vec<usize>,
    /// Number of these wars after which at most one player could go on.
    pub(in crate::kernel) uncompared_wars: u64,
}

/// Starting point of a game.
#[derive(Debug, Clone, Copy)]
pub(super) enum GameStart<'a> {
    /// Cards, dealt one at a time.
    Dealt(&'a [u8; MAX_CARDS]),
    Resumed(&'a ResumedGame),
}
