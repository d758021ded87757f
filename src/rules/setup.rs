//! What a player may type for a game, and what becomes of it when it is wrong.

use crate::cards::Deck;

/// The number of players and the deck of a game, corrected where they had to be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Setup {
    /// The number of players, 1 to 5.
    pub players: u8,
    /// The deck.
    pub deck: Deck,
    /// What was corrected: none or one.
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
    /// The number of players was no number, and became 2.
    PlayersUnparseable {
        /// What was typed.
        provided: String,
    },
    /// The deck was neither small nor large, and became SMALL.
    DeckUnrecognized {
        /// What was typed.
        provided: String,
    },
}

/// How many may play the classic edition.
pub const PLAYERS: std::ops::RangeInclusive<u8> = 1..=5;
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
    /// use war::{cards::Deck, rules::setup::Setup};
    ///
    /// let setup = Setup::from_typed("1231241431", "LaRgE");
    /// assert_eq!((setup.players, setup.deck), (5, Deck::Large));
    /// assert_eq!(setup.corrections.len(), 1);
    /// ```
    #[must_use]
    pub fn from_typed(players: &str, deck: &str) -> Self {
        let provided = || players.to_owned();
        let (number, bad_players) = match clamped(players) {
            None => {
                let provided = provided();
                let correction = Correction::PlayersUnparseable { provided };
                (DEFAULT_PLAYERS, Some(correction))
            }
            Some((set_to, true)) => {
                let provided = provided();
                let correction = Correction::PlayersOutOfRange { set_to, provided };
                (set_to, Some(correction))
            }
            Some((number, false)) => (number, None),
        };
        let (corrections, players, deck) = match (bad_players, Deck::named(deck)) {
            (correction, Some(deck)) => (correction, number, deck),
            (None, None) => {
                let provided = deck.to_owned();
                let correction = Correction::DeckUnrecognized { provided };
                (Some(correction), number, DEFAULT_DECK)
            }
            (Some(_), None) => {
                let (players, deck) = (provided(), deck.to_owned());
                let correction = Correction::Both { players, deck };
                (Some(correction), DEFAULT_PLAYERS, DEFAULT_DECK)
            }
        };
        Self {
            players,
            deck,
            corrections: corrections.into_iter().collect(),
        }
    }
}

/// The number of players nearest to the one typed, and whether it had to be moved.
fn clamped(typed: &str) -> Option<(u8, bool)> {
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
    let nearest = number.clamp(*PLAYERS.start(), *PLAYERS.end());
    Some((nearest, nearest != number))
}
