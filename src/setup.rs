//! Typed values for the number of players and the deck, corrected where they are wrong.

use crate::cards::Deck;
use std::ops::RangeInclusive;

/// Number of players and deck of a game, with the corrections made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Setup {
    /// The number of players, 1 to 5.
    pub players: u8,
    /// The deck of the game.
    pub deck: Deck,
    /// The corrections, players before deck.
    pub corrections: Vec<Correction>,
}

/// Correction of a typed value, with the original text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Correction {
    /// Two invalid values; the game has 2 players and a SMALL deck.
    Both {
        /// The text typed for the number of players.
        players: String,
        /// The text typed for the deck.
        deck: String,
    },
    /// Number of players that was too small or too large.
    PlayersOutOfRange {
        /// The corrected number of players.
        set_to: u8,
        /// The text typed.
        provided: String,
    },
    /// Text that was not a number of players, replaced by 2.
    PlayersUnparseable {
        /// The text typed.
        provided: String,
    },
    /// Missing number of players, replaced by 2; the deck was given.
    PlayersMissing,
    /// Missing deck, replaced by SMALL; the number of players was given.
    DeckMissing,
    /// Deck that was neither small nor large, replaced by SMALL.
    DeckUnrecognized {
        /// The text typed.
        provided: String,
    },
}

impl Correction {
    /// The typed text that the message about this correction repeats, if it repeats any.
    pub const fn typed_text_mut(&mut self) -> Option<&mut String> {
        match self {
            Self::PlayersOutOfRange { provided, .. }
            | Self::PlayersUnparseable { provided }
            | Self::DeckUnrecognized { provided } => Some(provided),
            Self::Both { .. } | Self::PlayersMissing | Self::DeckMissing => None,
        }
    }
}

/// Allowed numbers of players in the classic edition.
pub const PLAYER_RANGE: RangeInclusive<u8> = 1..=5;
const DEFAULT_PLAYERS: u8 = 2;
const DEFAULT_DECK: Deck = Deck::Small;

impl Setup {
    /// The setup for two typed values.
    ///
    /// Whole numbers can have any length and a sign, and deck names any letter case. All else is
    /// corrected.
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
        Self::from_options(Some(players), Some(deck), PLAYER_RANGE)
    }

    /// The setup for two typed values, each of which can be left out.
    ///
    /// `range` is the allowed number of players. If only one value is left out, it becomes the
    /// default, with a correction. Without values, the setup is the default, 2 players and the
    /// small deck, without corrections.
    ///
    /// # Examples
    ///
    /// ```
    /// use war::setup::{Correction, PLAYER_RANGE, Setup};
    ///
    /// let setup = Setup::from_options(Some("3"), None, PLAYER_RANGE);
    /// assert_eq!(setup.corrections, [Correction::DeckMissing]);
    /// let setup = Setup::from_options(None, None, PLAYER_RANGE);
    /// assert_eq!((setup.players, setup.corrections.len()), (2, 0));
    /// ```
    #[must_use]
    pub fn from_options(
        players: Option<&str>,
        deck: Option<&str>,
        range: RangeInclusive<u8>,
    ) -> Self {
        let named = deck.and_then(Deck::from_name);
        let number = players.map(|typed| (typed, clamp(typed, range)));
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

/// Parses a number of players and clamps it to the range. The flag is true if this changed the
/// number.
fn clamp(typed: &str, range: RangeInclusive<u8>) -> Option<(u8, bool)> {
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
        // A number that doesn't fit into 8 bits is above the maximum anyway.
        digits => digits.parse().unwrap_or(u8::MAX),
    };
    let nearest = number.clamp(*range.start(), *range.end());
    Some((nearest, nearest != number))
}
