use crate::engine::{Event, Projection, Table};
use crate::journal::Judgement;
use crate::tokens::{TokenEvent, TokenGame};

/// One of the things that a replay hands out: an event, or at last the verdict.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Item {
    /// An event of a game of War, verified.
    War(Event),
    /// An event of a token game, verified.
    Tokens(TokenEvent),
    /// What the journal turned out to be. Nothing follows.
    Verdict(Judgement),
}

/// Keeps the event that it was shown.
#[derive(Default)]
pub(super) struct Keep(pub(super) Option<Item>);

impl Projection<Table> for Keep {
    fn project(&mut self, event: &Event, _: &Table, _: &mut String) {
        self.0 = Some(Item::War(event.clone()));
    }
}

impl Projection<TokenGame> for Keep {
    fn project(&mut self, event: &TokenEvent, _: &TokenGame, _: &mut String) {
        self.0 = Some(Item::Tokens(event.clone()));
    }
}
