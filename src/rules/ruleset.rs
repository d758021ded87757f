use super::flow::StandardRules;
use super::variant::{ScenarioLimits, Variant};
use crate::cards::Deck;
use crate::engine::{Rules, Screen, Table};
use crate::lang::Lang;
use std::fmt;
use std::str::FromStr;

/// Rules of a game of War: those of an edition, or rules that the calling program provides.
///
/// # Examples
///
/// ```
/// use war::rules::{CLASSIC, Ruleset};
///
/// let rules = Ruleset::from(CLASSIC);
/// assert_eq!((rules.id(), rules.player_range()), ("classic/1", (1, 5)));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ruleset {
    /// An edition, or custom rules made of parameters.
    Edition(Variant),
    /// Rules provided by the program.
    Program(ProgramRules),
}

impl Ruleset {
    /// Name and version that identify the rules in a journal.
    #[must_use]
    pub fn id(&self) -> &str {
        match self {
            Self::Edition(variant) => variant.id,
            Self::Program(rules) => rules.id.as_str(),
        }
    }

    /// Minimum and maximum number of players.
    #[must_use]
    pub const fn player_range(&self) -> (u8, u8) {
        match self {
            Self::Edition(variant) => variant.players,
            // A game needs at least one player.
            Self::Program(ProgramRules {
                players: (0, most), ..
            }) => (1, *most),
            Self::Program(rules) => rules.players,
        }
    }

    /// Returns `true` if ranks above the ace are allowed.
    #[must_use]
    pub const fn allows_any_rank(&self) -> bool {
        match self {
            Self::Edition(variant) => matches!(variant.scenario_limits, ScenarioLimits::AnyRank),
            Self::Program(_) => true,
        }
    }

    /// Returns `true` if the rules can be played with this deck.
    #[must_use]
    pub fn allows_deck(&self, deck: Deck) -> bool {
        match self {
            Self::Edition(variant) => variant.allows_deck(deck),
            Self::Program(rules) => rules.decks.is_empty() || rules.decks.contains(&deck),
        }
    }

    /// Limits on hand-made deals.
    #[must_use]
    pub const fn scenario_limits(&self) -> ScenarioLimits {
        match self {
            Self::Edition(variant) => variant.scenario_limits,
            Self::Program(rules) => rules.scenario_limits,
        }
    }

    /// Starts the rules for a new game.
    #[must_use]
    pub fn start(&self) -> Box<dyn Rules> {
        match self {
            Self::Edition(variant) => Box::new(StandardRules::new(variant.parameters)),
            Self::Program(rules) => (rules.start)(),
        }
    }
}

impl From<Variant> for Ruleset {
    fn from(variant: Variant) -> Self {
        Self::Edition(variant)
    }
}

impl From<ProgramRules> for Ruleset {
    fn from(rules: ProgramRules) -> Self {
        Self::Program(rules)
    }
}

/// Rules provided by a program, with everything needed to verify their journals.
///
/// Every program that has them in its [`Rulebook`] records, replays and verifies their games like
/// those of the editions. Other programs report the rules as unsupported, by their id.
///
/// If no generator made the deal, verification reads the results of chance from each recorded
/// event: the order of the cards of a [`Collected`](crate::engine::Event::Collected), of each
/// take of a [`Drawn`](crate::engine::Event::Drawn), of each hand of a
/// [`Reshuffled`](crate::engine::Event::Reshuffled), and the index of each card put. The rules
/// must draw these in the order in which they occur in the event.
///
/// # Examples
///
/// ```
/// use war::rules::{CLASSIC, CollectOrder, StandardRules, ProgramRules, Parameters, ScenarioLimits};
///
/// const HOUSE: Parameters = Parameters {
///     face_down: 3,
///     collect: CollectOrder::WinnerFirst,
///     ..CLASSIC.parameters
/// };
/// let house = ProgramRules {
///     id: "acme:house/1".parse().unwrap(),
///     players: (2, 5),
///     decks: &[],
///     scenario_limits: ScenarioLimits::Any,
///     start: || Box::new(StandardRules::new(HOUSE)),
///     screens: None,
/// };
/// assert_eq!(house.id.as_str(), "acme:house/1");
/// ```
#[derive(Debug, Clone)]
pub struct ProgramRules {
    /// Name and version that identify the rules in a journal.
    pub id: RulesId,
    /// Minimum and maximum number of players.
    pub players: (u8, u8),
    /// Decks that the rules can be played with; empty for any deck.
    pub decks: &'static [Deck],
    /// Limits on hand-made deals.
    pub scenario_limits: ScenarioLimits,
    /// Starts the rules for a new game.
    pub start: fn() -> Box<dyn Rules>,
    /// Screens, if the game prints anything. Their output is part of the rules: journals keep a
    /// digest of it, and verification compares this with the digest of the replay.
    pub screens: Option<ProgramScreenFactory>,
}

/// Function that creates the screens of a program's own rules, in a language, for a new game.
pub type ProgramScreenFactory = fn(Lang) -> Box<dyn Screen<Table>>;

/// Compares rules by their id.
impl PartialEq for ProgramRules {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id
    }
}

impl Eq for ProgramRules {}

/// The rules that a program provides in addition to the editions.
///
/// # Examples
///
/// ```
/// use war::rules::{CLASSIC, StandardRules, ProgramRules, Rulebook, ScenarioLimits};
///
/// let quick = ProgramRules {
///     id: "acme:quick/1".parse().unwrap(),
///     players: (2, 2),
///     decks: &[],
///     scenario_limits: ScenarioLimits::Any,
///     start: || Box::new(StandardRules::new(CLASSIC.parameters.with_turn_limit(10))),
///     screens: None,
/// };
/// let book = Rulebook::default().with_rules(quick);
/// assert!(book.find("acme:quick/1").is_some());
/// assert!(book.find("acme:quick/2").is_none());
/// ```
#[derive(Debug, Clone, Default)]
pub struct Rulebook(Vec<ProgramRules>);

impl Rulebook {
    /// Adds rules, which replace those with the same id.
    #[must_use]
    pub fn with_rules(mut self, rules: ProgramRules) -> Self {
        self.0.retain(|known| known.id != rules.id);
        self.0.push(rules);
        self
    }

    /// Rules with this id.
    #[must_use]
    pub fn find(&self, id: &str) -> Option<&ProgramRules> {
        self.0.iter().find(|rules| rules.id.as_str() == id)
    }
}

/// Id of rules provided by a program: `NAME:variant/N`.
///
/// The name identifies the author of the rules, and the variant the rules themselves. Both consist
/// of lower-case letters, digits and `-`. The version `N` counts from 1, and increases whenever the
/// rules decide or show a game differently, so that old journals are not judged by new rules.
///
/// # Examples
///
/// ```
/// use war::rules::RulesId;
///
/// let id: RulesId = "acme:mercy/1".parse().unwrap();
/// assert_eq!(id.to_string(), "acme:mercy/1");
/// for other in ["classic/1", "acme:mercy", "acme:mercy/0", "acme:mercy/01", "Acme:mercy/1"] {
///     assert!(other.parse::<RulesId>().is_err(), "{other}");
/// }
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RulesId(String);

/// Error for a text that is not the id of a program's own rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("expected an id such as `name:variant/1`, in lower-case letters, digits and `-`")]
pub struct ParseRulesIdError;

impl RulesId {
    /// Text of the id, as in a journal.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for RulesId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for RulesId {
    type Err = ParseRulesIdError;

    fn from_str(text: &str) -> Result<Self, ParseRulesIdError> {
        let (name, rest) = text.split_once(':').ok_or(ParseRulesIdError)?;
        let (variant, number) = rest.split_once('/').ok_or(ParseRulesIdError)?;
        if is_word(name) && is_word(variant) && is_number(number) {
            Ok(Self(text.to_owned()))
        } else {
            Err(ParseRulesIdError)
        }
    }
}

fn is_word(text: &str) -> bool {
    let fits = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    !text.is_empty() && text.bytes().all(fits)
}

/// Returns `true` for a number from 1 in its shortest form.
fn is_number(text: &str) -> bool {
    let number = text.parse::<u32>();
    number.is_ok_and(|number| number > 0 && number.to_string() == text)
}
