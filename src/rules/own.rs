use super::rules_id::RulesId;
use super::scenarios::Scenarios;
use crate::cards::Deck;
use crate::engine::{Projection, Rules, Table};
use crate::lang::Lang;

/// Rules that a program brings along, with what a journal's verification must know of them.
///
/// Their games are recorded, replayed and verified like those of the editions, by every program
/// that has them in its [`Rulebook`](super::Rulebook). All others say that the rules are not
/// supported, and name them.
///
/// In a deal that no generator made, what the rules leave to chance is read from the recorded
/// event: the order of the cards of a [`Collected`](crate::engine::Event::Collected), of each
/// take of a [`Drawn`](crate::engine::Event::Drawn), of each hand of a
/// [`Reshuffled`](crate::engine::Event::Reshuffled), and the index of each card put. The rules
/// must ask for these in the order in which the event has them.
///
/// # Examples
///
/// ```
/// use war::rules::{CLASSIC, Collect, Flow, OwnRules, Parameters, Scenarios};
///
/// const HOUSE: Parameters = Parameters {
///     face_down: 3,
///     collect: Collect::WinnerFirst,
///     ..CLASSIC.parameters
/// };
/// let house = OwnRules {
///     id: "acme:house/1".parse().unwrap(),
///     players: (2, 5),
///     decks: &[],
///     scenarios: Scenarios::Any,
///     start: || Box::new(Flow::new(HOUSE)),
///     screens: None,
/// };
/// assert_eq!(house.id.as_str(), "acme:house/1");
/// ```
#[derive(Debug, Clone)]
pub struct OwnRules {
    /// The name and version under which a journal records the rules.
    pub id: RulesId,
    /// The fewest and the most who can play.
    pub players: (u8, u8),
    /// The decks that they are played with; none stands for any.
    pub decks: &'static [Deck],
    /// Which hands made by hand can be played.
    pub scenarios: Scenarios,
    /// The rules at the start of a game.
    pub start: fn() -> Box<dyn Rules>,
    /// The screens that print a game in a language, where it prints anything. What they print
    /// counts as part of the rules: it is digested and compared.
    pub screens: Option<OwnScreens>,
}

/// The screens of a program's own rules at the start of a game.
pub type OwnScreens = fn(Lang) -> Box<dyn Projection<Table>>;

/// Rules are known by their id.
impl PartialEq for OwnRules {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id
    }
}

impl Eq for OwnRules {}
