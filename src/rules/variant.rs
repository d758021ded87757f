use super::parameters::Parameters;
use super::scenarios::Scenarios;
use crate::cards::Deck;

/// A named kind of War.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Variant {
    /// The name and version under which a journal records the rules.
    pub id: &'static str,
    /// The fewest and the most who can play.
    pub players: (u8, u8),
    /// The decks that it is played with; none stands for any.
    pub decks: &'static [Deck],
    /// Which hands made by hand can be played.
    pub scenarios: Scenarios,
    /// What a player types to set it up.
    pub typed: Typed,
    /// How its games are shown.
    pub screens: ScreenStyle,
    /// What it sets the flow to.
    pub parameters: Parameters,
}

impl Variant {
    /// The name without the version: `classic`.
    ///
    /// # Examples
    ///
    /// ```
    /// assert_eq!(war::rules::DUELS_SHUFFLE.name(), "duels-shuffle");
    /// ```
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.id.split_once('/').map_or(self.id, |(name, _)| name)
    }

    /// Whether it is an edition, and not a strategy of one that was asked for by name.
    #[must_use]
    pub fn is_an_edition(&self) -> bool {
        !matches!(self.screens, ScreenStyle::Battles { strategy: Some(_) })
    }

    /// Whether the rules are played with this deck.
    #[must_use]
    pub fn is_played_with(&self, deck: Deck) -> bool {
        self.decks.is_empty() || self.decks.contains(&deck)
    }
}

/// Which of the two values that set up a game, players and deck, are typed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Typed {
    /// None of them.
    Nothing,
    /// Both.
    Both,
    /// Either, both or none.
    Either,
}

/// The screens that show a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ScreenStyle {
    /// A screen for each turn and for each round of a war.
    Turns,
    /// A screen for each battle, and one for each duel when it is over.
    Battles {
        /// The strategy, where it was asked for by name.
        strategy: Option<&'static str>,
    },
    /// A table with a row for each round.
    Rows,
}
