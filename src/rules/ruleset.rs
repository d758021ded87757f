use super::flow::Flow;
use super::own::OwnRules;
use super::scenarios::Scenarios;
use super::variant::Variant;
use crate::cards::Deck;
use crate::engine::Rules;

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
