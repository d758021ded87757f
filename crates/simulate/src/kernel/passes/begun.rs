use crate::kernel::log::{MOST_CARDS, State};
use war::engine::Seat;

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
