use super::{ClientSeed, Decision};
use crate::engine::Seat;
use crate::support::hex::Hex;

/// What moves a game on from outside of its rules.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Move {
    /// A player of version 1 adds a seed.
    Seed(Seat, ClientSeed),
    /// The time for seeds is over in a game of version 1.
    Deal,
    /// A player of version 2 opens the seed that they are committed to.
    Open(Seat, Hex<32>),
    /// A player decides.
    Decide(Seat, Decision),
    /// The time to decide is over for this player, or before the deal the time to open a seed.
    TimeOut(Seat),
}

/// Why a move can't be made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// The cards are dealt, or the seed was due before; or these rules take no such seeds.
    #[error("no seed is taken any more")]
    SeedsClosed,
    /// The player is committed to another seed.
    #[error("the seed is not the one that the player is committed to")]
    WrongSeed,
    /// The player gave a seed before.
    #[error("a seed was already given")]
    SeededAlready,
    /// No cards are dealt.
    #[error("no cards are dealt")]
    NotDealt,
    /// The player decided before.
    #[error("the decision was already made")]
    DecidedAlready,
    /// The game is over.
    #[error("the game is over")]
    Over,
    /// Two play, and this is a seat of neither.
    #[error("nobody plays at this seat")]
    NoSuchSeat,
}
