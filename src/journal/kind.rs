use super::{Reason, v1};
use crate::engine::{State, Table};
use crate::tokens::TokenGame;

/// A kind of game that journals record: War, whose state is a [`Table`], and the games of the
/// card table, whose state is a [`TokenGame`].
///
/// Nothing outside of this library can be recorded: the format would have no form for it.
pub trait Journaled: State + Clone + v1::Form {
    /// How the game ended, or that it was cut off.
    fn reason(&self) -> Reason;
}

impl Journaled for Table {
    fn reason(&self) -> Reason {
        Reason::of(self)
    }
}

impl Journaled for TokenGame {
    fn reason(&self) -> Reason {
        Reason::of_tokens(self)
    }
}
