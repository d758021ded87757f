use super::{Damage, StoreError};
use crate::ladder::{HOUSE, RatedGame, Standing, Standings};
use crate::log::Hash;
use crate::protocol::{FinalAction, HandTally, LadderPeriod, PlayerId};
use crate::room::{FinishedGame, Player, RoomEvent};
use std::ops::Range;
use war::recording::Settlement;
use war::tokens::{Hand, Kind, Name};

/// Messages with their numbers.
pub type Messages = Vec<(u64, String)>;

/// Where messages to a player begin that were removed before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Gap {
    /// The number of the first message that is kept.
    pub first_seq: u64,
    /// The tokens of the player before that message.
    pub balance: i64,
}

/// The ladder as a player sees it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Ladder {
    /// Those who are shown first, in the order of their places; names are missing for the house.
    pub top: Vec<(PlayerId, Option<Name>, Standing)>,
    /// The player with their place, if they are shown.
    pub own: Option<(Option<u64>, Name, Standing)>,
}

/// Which games of a player are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Page {
    /// Whose.
    pub player: PlayerId,
    /// Before which game they ended; none for the last ones of all.
    pub before: Option<u64>,
    /// How many at most.
    pub limit: u32,
}

/// A store for those who only read it; what they see is committed and synced.
#[expect(
    clippy::missing_errors_doc,
    reason = "each of them where the store fails or is damaged"
)]
pub trait Reader: Send {
    /// Up to 100 messages after `after` to a player, in order.
    fn messages(&self, player: PlayerId, after: u64) -> Result<Messages, StoreError>;

    /// The same, and where messages in between are not kept any more, what comes in their place.
    fn resumed(&self, player: PlayerId, after: u64) -> Result<(Option<Gap>, Messages), StoreError>;

    /// A player by number; an error where nobody has it. What they are doing is not looked at.
    fn player(&self, id: PlayerId) -> Result<Player, StoreError>;

    /// The numbers of games that run and that others may watch, the last one first: this many at
    /// most. Players of the house are always watched.
    fn watchable(&self, most: u32) -> Result<Vec<u64>, StoreError>;

    /// The events of a game in order; none where it was not played.
    fn game(&self, number: u64) -> Result<Vec<RoomEvent>, StoreError>;

    /// What the journal of a game says besides its events, if that was kept.
    fn settlement(&self, game: u64) -> Result<Option<Settlement>, StoreError>;

    /// Games of a player that are over, the last one first. None where there was no such game before.
    fn games(&self, page: Page) -> Result<Vec<Past>, StoreError>;

    /// What came of a player's games, by kind and by the hand that they held.
    fn figures(&self, player: PlayerId) -> Result<Vec<HandTally>, StoreError>;

    /// The last day of the ladder that was rated.
    fn rated_day(&self) -> Result<Option<u64>, StoreError>;

    /// When the first game ended that is kept, by the wall clock.
    fn first_end(&self) -> Result<Option<u64>, StoreError>;

    /// The games of the public queue that ended in this time of the wall clock, as the ladder takes
    /// them.
    fn public_games(&self, time: Range<u64>) -> Result<Vec<RatedGame>, StoreError>;

    /// All players of the ladder.
    fn standings(&self, span: LadderPeriod) -> Result<Standings, StoreError>;

    /// The ladder as this player sees it.
    fn ladder(&self, span: LadderPeriod, player: PlayerId) -> Result<Ladder, StoreError>;

    /// The hashes of these leaves of the log, counted from 0: all of them that are there.
    fn leaf_hashes(&self, range: Range<u64>) -> Result<Vec<Hash>, StoreError>;

    /// The texts of these leaves of the log, counted from 0: all of them that are there.
    fn leaf_texts(&self, range: Range<u64>) -> Result<Vec<String>, StoreError>;
}

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
pub struct FinishedRow {
    /// Whose row it is.
    pub player: u64,
    /// When the game ended, by the wall clock.
    pub at: u64,
    /// The number of the game.
    pub game: u64,
    /// Its kind.
    pub kind: String,
    /// Whom it was played with.
    pub opponent: u64,
    /// What the player did.
    pub yours: String,
    /// What the opponent did.
    pub theirs: String,
    /// The cards of the player, where they are known.
    pub cards: Option<String>,
    /// Those of the opponent.
    pub their_cards: Option<String>,
    /// The tokens that the game moved.
    pub tokens: i64,
    /// What the player had after it.
    pub balance: i64,
    /// Whether it was one of the public queue.
    pub is_public: bool,
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
    pub fn game(self) -> Result<FinishedGame, StoreError> {
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
            yours: FinalAction::named(&self.yours)?,
            theirs: FinalAction::named(&self.theirs)?,
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

/// How many players of the ladder are shown.
pub const SHOWN: u32 = 100;

/// A game as the ladder takes it, from the row of one of its players; nothing where it comes from
/// the row of the other one as well.
#[must_use]
pub fn ladder_game(game: &FinishedGame, opponent_is_house: bool) -> Option<RatedGame> {
    if !opponent_is_house && game.opponent < game.player {
        return None;
    }
    let both_fold = game.yours.is_fold() && game.theirs.is_fold();
    let theirs = if both_fold {
        game.tokens
    } else {
        game.tokens.saturating_neg()
    };
    let opponent = if opponent_is_house {
        HOUSE
    } else {
        game.opponent
    };
    Some(RatedGame {
        number: game.game,
        kind: game.kind,
        players: [game.player, opponent],
        tokens: [game.tokens, theirs],
    })
}
