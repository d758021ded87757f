//! A finished game as stores keep it: in numbers and words.

use super::{Damage, StoreError};
use crate::room::{Deed, FinishedGame, PlayerId};
use war::tokens::{Hand, Kind, Name};

/// A finished game, with what is known of the opponent now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Past {
    /// The game.
    pub game: FinishedGame,
    /// What the opponent is called.
    pub name: Name,
    /// Whether the opponent belongs to the house.
    pub house: bool,
}

/// The values of a row.
pub(super) struct FinishedRow {
    pub(super) player: u64,
    pub(super) at: u64,
    pub(super) game: u64,
    pub(super) kind: String,
    pub(super) opponent: u64,
    pub(super) yours: String,
    pub(super) theirs: String,
    pub(super) cards: Option<String>,
    pub(super) their_cards: Option<String>,
    pub(super) tokens: i64,
    pub(super) balance: i64,
    pub(super) is_public: bool,
}

impl From<&FinishedGame> for FinishedRow {
    fn from(game: &FinishedGame) -> Self {
        Self {
            player: game.player.0,
            at: game.at,
            game: game.game,
            kind: game.kind.name().to_owned(),
            opponent: game.opponent.0,
            yours: game.yours.name().to_owned(),
            theirs: game.theirs.name().to_owned(),
            cards: game.cards.as_ref().map(text),
            their_cards: game.their_cards.as_ref().map(text),
            tokens: game.tokens,
            balance: game.balance,
            is_public: game.is_public,
        }
    }
}

impl FinishedRow {
    /// The game of the row.
    ///
    /// # Errors
    ///
    /// [`Damage::Game`] where a word of it says nothing.
    pub(super) fn game(self) -> Result<FinishedGame, StoreError> {
        self.read().ok_or(Damage::Game.into())
    }

    fn read(self) -> Option<FinishedGame> {
        let hand = |text: Option<String>| text.map(|text| hand(&text)).transpose();
        Some(FinishedGame {
            player: PlayerId(self.player),
            game: self.game,
            at: self.at,
            kind: Kind::named(&self.kind)?,
            opponent: PlayerId(self.opponent),
            yours: Deed::named(&self.yours)?,
            theirs: Deed::named(&self.theirs)?,
            cards: hand(self.cards).ok()?,
            their_cards: hand(self.their_cards).ok()?,
            tokens: self.tokens,
            balance: self.balance,
            is_public: self.is_public,
        })
    }
}

/// A hand as it is kept: its cards with spaces between them.
fn text(hand: &Hand) -> String {
    let cards: Vec<_> = hand.iter().map(ToString::to_string).collect();
    cards.join(" ")
}

fn hand(text: &str) -> Result<Hand, Damage> {
    let cards = text.split(' ').map(str::parse);
    cards.collect::<Result<_, _>>().map_err(|_| Damage::Game)
}
