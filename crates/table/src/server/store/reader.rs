use super::{Damage, FriendLinkRecord, StoreError, StoredMessage};
use crate::daily::{Day, DayCommitment};
use crate::ladder::{HOUSE_ID, RatedGame, Standing, Standings};
use crate::log::{DAY_LEAF, Leaf, TreeHash};
use crate::protocol::{FinalAction, HandTally, LadderPeriod, PlayerId};
use crate::room::{Player, PlayerGameRecord, RoomEvent};
use crate::time::WallTime;
use std::ops::Range;
use war::recording::RecordingMetadata;
use war::support::hex::Hex;
use war::tokens::{Hand, Kind, Name};

/// Gap at the start of a player's messages, left by the deletion of old messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MessageGap {
    /// Number of the first stored message.
    pub first_seq: u64,
    /// Balance of the player before that message.
    pub balance: i64,
}

/// Ladder as shown to a player.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LadderView {
    /// Leading players, in order; the house has no name.
    pub top: Vec<(PlayerId, Option<Name>, Standing)>,
    /// The player's own rank, name and standing; the rank is missing if they have played too few
    /// games.
    pub own: Option<(Option<u64>, Name, Standing)>,
}

/// Score of the games between a player and an opponent.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Score {
    /// Number of games that the player won.
    pub won: u64,
    /// Number of games that the opponent won.
    pub lost: u64,
    /// Tokens that the player won, negative if they lost.
    pub tokens: i64,
}

/// Query for the finished games of a player.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HistoryQuery {
    /// The player.
    pub player: PlayerId,
    /// Game before which the returned games ended; `None` for the latest games.
    pub before: Option<u64>,
    /// Maximum number of games.
    pub limit: u32,
}

/// Read access to a store. All data read is committed and synced.
#[expect(
    clippy::missing_errors_doc,
    reason = "each fails if the store fails or is damaged"
)]
pub trait StoreReader: Send {
    /// Reads up to 100 messages to a player after number `after`, in order.
    fn messages(&self, player: PlayerId, after: u64) -> Result<Vec<StoredMessage>, StoreError>;

    /// Reads messages as [`messages`](Self::messages) does. If some of them have been deleted,
    /// starts with the first stored one and returns the gap as well.
    fn resume(
        &self,
        player: PlayerId,
        after: u64,
    ) -> Result<(Option<MessageGap>, Vec<StoredMessage>), StoreError>;

    /// Reads a player by number, without their activity. It is an error if there is no such player.
    fn player(&self, id: PlayerId) -> Result<Player, StoreError>;

    /// Reads a friend link, if it exists.
    fn friend_link(&self, id: Hex<8>) -> Result<Option<FriendLinkRecord>, StoreError>;

    /// Lists up to `limit` running games that others may watch, the latest first. House players can
    /// always be watched.
    fn watchable_games(&self, limit: u32) -> Result<Vec<u64>, StoreError>;

    /// Reads the events of a game in order; empty if there is no such game.
    fn game_events(&self, number: u64) -> Result<Vec<RoomEvent>, StoreError>;

    /// Reads the parts of a game's journal that don't follow from its events, if they were stored.
    fn settlement(&self, game: u64) -> Result<Option<RecordingMetadata>, StoreError>;

    /// Reads finished games of a player, the latest first. Empty if the game `before` does not
    /// exist.
    fn games(&self, page: HistoryQuery) -> Result<Vec<HistoryRow>, StoreError>;

    /// Reads the statistics of a player's games, by kind and hand.
    fn figures(&self, player: PlayerId) -> Result<Vec<HandTally>, StoreError>;

    /// Counts the games that a player won against an opponent and lost to them, and adds up the
    /// tokens that the player won. Nobody wins a game that both fold.
    fn score(&self, player: PlayerId, opponent: PlayerId) -> Result<Score, StoreError>;

    /// Counts a player's games of the public queue that ended at `since` or later, by opponent; the
    /// house is one opponent, [`HOUSE_ID`].
    fn games_since(
        &self,
        player: PlayerId,
        since: WallTime,
    ) -> Result<Vec<(PlayerId, u64)>, StoreError>;

    /// Returns the last day that the ladder has rated.
    fn rated_day(&self) -> Result<Option<u64>, StoreError>;

    /// Returns the time at which the first stored game ended.
    fn first_game_end(&self) -> Result<Option<WallTime>, StoreError>;

    /// Reads the games of the public queue that ended in this time range, for rating.
    fn public_games(&self, time: Range<WallTime>) -> Result<Vec<RatedGame>, StoreError>;

    /// Reads the standings of all players.
    fn standings(&self, span: LadderPeriod) -> Result<Standings, StoreError>;

    /// Reads the ladder as shown to this player.
    fn ladder(&self, span: LadderPeriod, player: PlayerId) -> Result<LadderView, StoreError>;

    /// Reads the hashes of these leaves of the log, counted from 0, as far as they exist.
    fn leaf_hashes(&self, range: Range<u64>) -> Result<Vec<TreeHash>, StoreError>;

    /// Reads the texts of these leaves of the log, counted from 0, as far as they exist.
    fn leaf_texts(&self, range: Range<u64>) -> Result<Vec<String>, StoreError>;

    /// Reads the first commitment to the seed of this day, with the number of its leaf.
    fn day_commitment(&self, day: Day) -> Result<Option<(u64, DayCommitment)>, StoreError>;
}

/// Returns how the texts of all leaves begin that commit to the seed of this day.
#[must_use]
pub fn day_leaf_prefix(day: Day) -> String {
    format!("{DAY_LEAF}\n{day}\n")
}

/// Parses the text of a leaf that commits to the seed of a day.
///
/// # Errors
///
/// [`Damage::Leaf`] if it is not a commitment.
pub fn parse_day_leaf(body: &str) -> Result<DayCommitment, StoreError> {
    match body.parse() {
        Ok(Leaf::Day(committed)) => Ok(committed),
        _ => Err(Damage::Leaf.into()),
    }
}

/// Finished game with the current data of the opponent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HistoryRow {
    /// The game.
    pub game: PlayerGameRecord,
    /// Name of the opponent.
    pub name: Name,
    /// `true` if the opponent belongs to the house.
    pub house: bool,
}

/// Columns of a [`Score`]: the games that the player won, those that the opponent won, and the
/// tokens that the player won.
pub const SCORE_COLUMNS: &str = "count(CASE WHEN tokens > 0 THEN 1 END), \
    count(CASE WHEN tokens < 0 AND NOT (yours IN ('fold', 'forfeit') \
                                        AND theirs IN ('fold', 'forfeit')) THEN 1 END), \
    CAST(coalesce(sum(tokens), 0) AS bigint)";

/// Row of a finished game, with the values as stored.
pub struct FinishedGameRow {
    /// Player to whom the row belongs.
    pub player: u64,
    /// End of the game.
    pub at: WallTime,
    /// Number of the game.
    pub game: u64,
    /// Kind of game.
    pub kind: String,
    /// The opponent.
    pub opponent: u64,
    /// Final action of the player.
    pub yours: String,
    /// Final action of the opponent.
    pub theirs: String,
    /// Cards of the player, if known.
    pub cards: Option<String>,
    /// Cards of the opponent, if known.
    pub their_cards: Option<String>,
    /// Tokens that the player won, negative if they lost.
    pub tokens: i64,
    /// Balance of the player after the game.
    pub balance: i64,
    /// `true` if the game came from the public queue.
    pub is_public: bool,
}

impl From<&PlayerGameRecord> for FinishedGameRow {
    fn from(game: &PlayerGameRecord) -> Self {
        Self {
            player: game.player.0,
            at: game.at,
            game: game.game,
            kind: game.kind.name().to_owned(),
            opponent: game.opponent.0,
            yours: game.yours.name().to_owned(),
            theirs: game.theirs.name().to_owned(),
            cards: game.cards.as_ref().map(hand_to_text),
            their_cards: game.their_cards.as_ref().map(hand_to_text),
            tokens: game.tokens,
            balance: game.balance,
            is_public: game.is_public,
        }
    }
}

impl FinishedGameRow {
    /// Converts the row to a game.
    ///
    /// # Errors
    ///
    /// [`Damage::Game`] if a value is invalid.
    pub fn into_game(self) -> Result<PlayerGameRecord, StoreError> {
        self.read().ok_or(Damage::Game.into())
    }

    fn read(self) -> Option<PlayerGameRecord> {
        let hand = |text: Option<String>| text.map(|text| parse_hand(&text)).transpose();
        Some(PlayerGameRecord {
            player: PlayerId(self.player),
            game: self.game,
            at: self.at,
            kind: Kind::from_name(&self.kind)?,
            opponent: PlayerId(self.opponent),
            yours: FinalAction::from_name(&self.yours)?,
            theirs: FinalAction::from_name(&self.theirs)?,
            cards: hand(self.cards).ok()?,
            their_cards: hand(self.their_cards).ok()?,
            tokens: self.tokens,
            balance: self.balance,
            is_public: self.is_public,
        })
    }
}

/// Writes a hand as stored, with spaces between the cards.
fn hand_to_text(hand: &Hand) -> String {
    let cards: Vec<_> = hand.iter().map(ToString::to_string).collect();
    cards.join(" ")
}

fn parse_hand(text: &str) -> Result<Hand, Damage> {
    let cards = text.split(' ').map(str::parse);
    cards.collect::<Result<_, _>>().map_err(|_| Damage::Game)
}

/// Number of leading players shown in the ladder.
pub const LADDER_SIZE: u32 = 100;

/// Builds the game for rating from one player's record of it. Returns `None` for one of the two
/// records of a game between people, so that the game counts once.
#[must_use]
pub fn build_rated_game(game: &PlayerGameRecord, opponent_is_house: bool) -> Option<RatedGame> {
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
        HOUSE_ID
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
