use crate::i18n::Catalogue;
use crate::setup::Correction;

/// How the cards of a game came, as far as its screens say so.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CardSource {
    /// From a shuffled deck: the screens show the dealing.
    Dealt,
    /// From a scenario of this name: the screens name it instead.
    Scenario(String),
}

/// What screens need to know of a game before its first event.
#[derive(Debug, Clone)]
pub struct Start {
    /// The language.
    pub catalogue: &'static Catalogue,
    /// How the cards came.
    pub source: CardSource,
    /// What was typed wrong, to be printed before all else.
    pub corrections: Vec<Correction>,
}
