use super::code::Verdict;
use super::digest::Printed;
use crate::engine::{Outcome, Seat, Table};
use crate::support::hex::Hex;
use crate::tokens::TokenGame;

/// What a journal says of its game after the last event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct End {
    /// Why the journal ends.
    pub reason: Reason,
    /// The number of turns played.
    pub turns: u32,
    /// The number of events recorded.
    pub events: u64,
    /// What the game printed.
    pub console: Printed,
    /// The last link of the chain, the journal's final digest.
    pub chain: Hex<16>,
}

impl End {
    /// What a journal is that ends like this, where nothing is wrong with it.
    #[must_use]
    pub const fn verdict(&self) -> Verdict {
        match self.reason {
            Reason::CutOff => Verdict::Incomplete,
            _ => Verdict::Verified,
        }
    }
}

/// Why a journal ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reason {
    /// The game was won by this player.
    Won(Seat),
    /// The game would go on for ever.
    Endless,
    /// The game was drawn.
    Drawn,
    /// The game was stopped, with this winner or none.
    Stopped(Option<Seat>),
    /// Both players of a token game folded, and nobody won.
    Folded,
    /// The recording was cut off: by an interruption, or by a crash and repaired afterwards.
    CutOff,
}

impl Reason {
    /// How the game on this table ended, or that it was cut off.
    #[must_use]
    pub(super) const fn of(table: &Table) -> Self {
        match table.outcome() {
            Some(Outcome::Won(seat)) => Self::Won(seat),
            Some(Outcome::Endless { .. }) => Self::Endless,
            Some(Outcome::Drawn) => Self::Drawn,
            Some(Outcome::Stopped(winner)) => Self::Stopped(winner),
            None => Self::CutOff,
        }
    }

    /// How this token game ended, or that it was cut off.
    #[must_use]
    pub(super) fn of_tokens(game: &TokenGame) -> Self {
        match (game.deltas(), game.winner()) {
            (None, _) => Self::CutOff,
            (Some(_), Some(seat)) => Self::Won(seat),
            (Some(_), None) => Self::Folded,
        }
    }
}
