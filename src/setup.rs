//! What a player may type for a game, and what becomes of it when it is wrong.

use crate::cards::Deck;
use std::ops::RangeInclusive;

/// The number of players and the deck of a game, corrected where they had to be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Setup {
    /// The number of players, 1 to 5.
    pub players: u8,
    /// The deck.
    pub deck: Deck,
    /// What was corrected, players before deck.
    pub corrections: Vec<Correction>,
}

/// A value that was typed wrong, as it was typed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Correction {
    /// Both values were bad: the game is 2 players on a SMALL deck.
    Both {
        /// What was typed for the number of players.
        players: String,
        /// What was typed for the deck.
        deck: String,
    },
    /// The number of players was too small or too large.
    PlayersOutOfRange {
        /// The number of players it was corrected to.
        set_to: u8,
        /// What was typed.
        provided: String,
    },
    /// The number of players was not a number, and became 2.
    PlayersUnparseable {
        /// What was typed.
        provided: String,
    },
    /// The number of players was left out though the deck was not, and became 2.
    PlayersMissing,
    /// The deck was left out though the number of players was not, and became SMALL.
    DeckMissing,
    /// The deck was neither small nor large, and became SMALL.
    DeckUnrecognized {
        /// What was typed.
        provided: String,
    },
}

impl Correction {
    /// What was typed, where the line about the correction repeats it.
    pub const fn typed_mut(&mut self) -> Option<&mut String> {
        match self {
            Self::PlayersOutOfRange { provided, .. }
            | Self::PlayersUnparseable { provided }
            | Self::DeckUnrecognized { provided } => Some(provided),
            Self::Both { .. } | Self::PlayersMissing | Self::DeckMissing => None,
        }
    }
}

/// How many may play the classic edition.
pub const PLAYERS: RangeInclusive<u8> = 1..=5;
const DEFAULT_PLAYERS: u8 = 2;
const DEFAULT_DECK: Deck = Deck::Small;

impl Setup {
    /// The setup that these two typed values mean.
    ///
    /// Whole numbers of any length are numbers, with or without a sign; deck names
    /// are known in any letter case; everything else is corrected.
    ///
    /// # Examples
    ///
    /// ```
    /// use war::{cards::Deck, setup::Setup};
    ///
    /// let setup = Setup::from_typed("1231241431", "LaRgE");
    /// assert_eq!((setup.players, setup.deck), (5, Deck::Large));
    /// assert_eq!(setup.corrections.len(), 1);
    /// ```
    #[must_use]
    pub fn from_typed(players: &str, deck: &str) -> Self {
        Self::from_options(Some(players), Some(deck), PLAYERS)
    }

    /// The setup that these values mean, where each may be left out.
    ///
    /// `range` is how many may play. One value without the other is corrected; none of
    /// them is the default, 2 players on the small deck.
    ///
    /// # Examples
    ///
    /// ```
    /// use war::setup::{Correction, PLAYERS, Setup};
    ///
    /// let setup = Setup::from_options(Some("3"), None, PLAYERS);
    /// assert_eq!(setup.corrections, [Correction::DeckMissing]);
    /// let setup = Setup::from_options(None, None, PLAYERS);
    /// assert_eq!((setup.players, setup.corrections.len()), (2, 0));
    /// ```
    #[must_use]
    pub fn from_options(
        players: Option<&str>,
        deck: Option<&str>,
        range: RangeInclusive<u8>,
    ) -> Self {
        let named = deck.and_then(Deck::named);
        let number = players.map(|typed| (typed, clamped(typed, range)));
        let bad_deck = deck.filter(|_| named.is_none());
        let bad_players = number.filter(|(_, number)| !matches!(number, Some((_, false))));
        if let (Some((players, _)), Some(deck)) = (bad_players, bad_deck) {
            let (players, deck) = (players.to_owned(), deck.to_owned());
            return Self {
                players: DEFAULT_PLAYERS,
                deck: DEFAULT_DECK,
                corrections: vec![Correction::Both { players, deck }],
            };
        }
        let (mut set_to, mut corrections) = (DEFAULT_PLAYERS, Vec::new());
        match number {
            None if deck.is_some() => corrections.push(Correction::PlayersMissing),
            None => {}
            Some((_, Some((number, false)))) => set_to = number,
            Some((typed, Some((number, true)))) => {
                set_to = number;
                let provided = typed.to_owned();
                corrections.push(Correction::PlayersOutOfRange { set_to, provided });
            }
            Some((typed, None)) => {
                let provided = typed.to_owned();
                corrections.push(Correction::PlayersUnparseable { provided });
            }
        }
        match bad_deck {
            Some(provided) => {
                let provided = provided.to_owned();
                corrections.push(Correction::DeckUnrecognized { provided });
            }
            None if deck.is_none() && players.is_some() => {
                corrections.push(Correction::DeckMissing);
            }
            None => {}
        }
        Self {
            players: set_to,
            deck: named.unwrap_or(DEFAULT_DECK),
            corrections,
        }
    }
}

/// The number of players nearest to the one typed, and whether it had to be moved.
fn clamped(typed: &str, range: RangeInclusive<u8>) -> Option<(u8, bool)> {
    let (negative, digits) = match typed.strip_prefix(['+', '-']) {
        Some(digits) => (typed.starts_with('-'), digits),
        None => (false, typed),
    };
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let number = match digits.trim_start_matches('0') {
        "" => 0,
        _ if negative => 0,
        // What does not fit is far above the most players there can be.
        digits => digits.parse().unwrap_or(u8::MAX),
    };
    let nearest = number.clamp(*range.start(), *range.end());
    Some((nearest, nearest != number))
}
