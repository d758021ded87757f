use crate::engine::{self, Table};
use crate::tokens::{self, TokenGame};

/// An event as journals record it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    /// Of a game of War.
    War(engine::Event),
    /// Of a token game.
    Tokens(tokens::TokenEvent),
}

/// An event together with its game as it is after it.
#[derive(Debug, Clone, Copy)]
pub enum Moment<'a> {
    /// Of a game of War.
    War(&'a engine::Event, &'a Table),
    /// Of a token game.
    Tokens(&'a tokens::TokenEvent, &'a TokenGame),
}

impl Moment<'_> {
    /// The turn that the event belongs to: of a token game, the number of the deal.
    #[must_use]
    pub const fn turn(self) -> u32 {
        match self {
            Self::War(_, table) => table.turn(),
            Self::Tokens(_, game) => game.deals(),
        }
    }
}

impl<'a> From<(&'a engine::Event, &'a Table)> for Moment<'a> {
    fn from((event, table): (&'a engine::Event, &'a Table)) -> Self {
        Self::War(event, table)
    }
}

impl<'a> From<(&'a tokens::TokenEvent, &'a TokenGame)> for Moment<'a> {
    fn from((event, game): (&'a tokens::TokenEvent, &'a TokenGame)) -> Self {
        Self::Tokens(event, game)
    }
}
