use super::flow::Flow;
use super::variant::{Scenarios, Variant};
use crate::cards::Deck;
use crate::engine::{Rules, Screen, Table};
use crate::lang::Lang;
use std::fmt;
use std::str::FromStr;

/// The rules of a game of War: those of an edition, or a program's own.
///
/// # Examples
///
/// ```
/// use war::rules::{CLASSIC, Ruleset};
///
/// let rules = Ruleset::from(CLASSIC);
/// assert_eq!((rules.id(), rules.players()), ("classic/1", (1, 5)));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ruleset {
    /// An edition, or rules put together from parameters.
    Edition(Variant),
    /// Rules that a program brings along.
    Own(OwnRules),
}

impl Ruleset {
    /// The name and version under which a journal records the rules.
    #[must_use]
    pub fn id(&self) -> &str {
        match self {
            Self::Edition(variant) => variant.id,
            Self::Own(rules) => rules.id.as_str(),
        }
    }

    /// The fewest and the most who can play.
    #[must_use]
    pub const fn players(&self) -> (u8, u8) {
        match self {
            Self::Edition(variant) => variant.players,
            // Nobody can't play.
            Self::Own(OwnRules {
                players: (0, most), ..
            }) => (1, *most),
            Self::Own(rules) => rules.players,
        }
    }

    /// Whether cards of any rank are played, and not only those up to the ace.
    #[must_use]
    pub const fn have_any_rank(&self) -> bool {
        match self {
            Self::Edition(variant) => matches!(variant.scenarios, Scenarios::AnyRank),
            Self::Own(_) => true,
        }
    }

    /// Whether the rules are played with this deck.
    #[must_use]
    pub fn is_played_with(&self, deck: Deck) -> bool {
        match self {
            Self::Edition(variant) => variant.is_played_with(deck),
            Self::Own(rules) => rules.decks.is_empty() || rules.decks.contains(&deck),
        }
    }

    /// Which hands made by hand can be played.
    #[must_use]
    pub const fn scenarios(&self) -> Scenarios {
        match self {
            Self::Edition(variant) => variant.scenarios,
            Self::Own(rules) => rules.scenarios,
        }
    }

    /// The rules at the start of a game.
    #[must_use]
    pub fn start(&self) -> Box<dyn Rules> {
        match self {
            Self::Edition(variant) => Box::new(Flow::new(variant.parameters)),
            Self::Own(rules) => (rules.start)(),
        }
    }
}

impl From<Variant> for Ruleset {
    fn from(variant: Variant) -> Self {
        Self::Edition(variant)
    }
}

impl From<OwnRules> for Ruleset {
    fn from(rules: OwnRules) -> Self {
        Self::Own(rules)
    }
}

/// Rules that a program brings along, with what a journal's verification must know of them.
///
/// Their games are recorded, replayed and verified like those of the editions, by every program
/// that has them in its [`Rulebook`]. All others say that the rules are not
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
pub type OwnScreens = fn(Lang) -> Box<dyn Screen<Table>>;

/// Rules are known by their id.
impl PartialEq for OwnRules {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id
    }
}

impl Eq for OwnRules {}

/// The rules that a program knows beside the editions: those that it brings along.
///
/// # Examples
///
/// ```
/// use war::rules::{CLASSIC, Flow, OwnRules, Rulebook, Scenarios};
///
/// let quick = OwnRules {
///     id: "acme:quick/1".parse().unwrap(),
///     players: (2, 2),
///     decks: &[],
///     scenarios: Scenarios::Any,
///     start: || Box::new(Flow::new(CLASSIC.parameters.with_limit(10))),
///     screens: None,
/// };
/// let book = Rulebook::default().with(quick);
/// assert!(book.find("acme:quick/1").is_some());
/// assert!(book.find("acme:quick/2").is_none());
/// ```
#[derive(Debug, Clone, Default)]
pub struct Rulebook(Vec<OwnRules>);

impl Rulebook {
    /// The same book with one more set of rules. Of rules with the same id, those that were
    /// registered last count.
    #[must_use]
    pub fn with(mut self, rules: OwnRules) -> Self {
        self.0.retain(|known| known.id != rules.id);
        self.0.push(rules);
        self
    }

    /// The rules with this id, if they were registered.
    #[must_use]
    pub fn find(&self, id: &str) -> Option<&OwnRules> {
        self.0.iter().find(|rules| rules.id.as_str() == id)
    }
}

/// The id under which a program other than this one names its rules: `NAME:variant/N`.
///
/// The name stands for who makes the rules, the variant for what they are. Both consist of
/// lower-case letters, digits and `-`. The number counts from 1: rules that decide, or show, a
/// game otherwise than before get the next one, so that old journals are not judged by new
/// rules.
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

/// A text is not the id of a program's own rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("expected an id such as `name:variant/1`, in lower-case letters, digits and `-`")]
pub struct ParseRulesIdError;

impl RulesId {
    /// The id as it is in a journal.
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

/// Whether a text is a number from 1, written in the shortest way.
fn is_number(text: &str) -> bool {
    let number = text.parse::<u32>();
    number.is_ok_and(|number| number > 0 && number.to_string() == text)
}
