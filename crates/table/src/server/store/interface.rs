use super::StoreError;
use crate::ladder::LadderUpdate;
use crate::log::{Leaf, TableId};
use crate::protocol::{AccessToken, FriendLink, PlayerId, Refusal, RequestId};
use crate::room::{Player, PlayerGameRecord, Room, RoomEvent, Timeouts};
use crate::server::rooms::{RoomNumber, RoomPosition};
use crate::time::{TableTime, WallTime};
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;
use std::fmt;
use std::ops::Range;
use std::time::Duration;
use war::recording::RecordingMetadata;
use war::support::hex::Hex;
use war::tokens::Kind;

/// Storage of one room of a table, as its hub uses it.
///
/// All reads and writes may fail with a [`StoreError`]. After a failed transaction the hub is ahead
/// of its store and must be opened again.
pub trait Store: Send {
    /// Loads the room as of the last commit, with at least the house players and all players who
    /// wait or play.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the store fails or is damaged.
    fn room(&self, timeouts: Timeouts) -> Result<Room, StoreError>;

    /// Returns the table's ID, generated at random when its store was created or restored.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the store fails or is damaged.
    fn id(&self) -> Result<TableId, StoreError>;

    /// Returns the table's time at the last commit that wrote anything.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the store fails or is damaged.
    fn time(&self) -> Result<TableTime, StoreError>;

    /// Returns true if several nodes share the table, so that players may be in other rooms.
    /// Players who neither wait nor play are then in no room.
    fn is_shared(&self) -> bool;

    /// Returns the position of this room among the rooms of the table.
    fn position(&self) -> RoomPosition {
        RoomPosition::ONLY_ROOM
    }

    /// Reserves a block of numbers for this room alone. Unused numbers are never reserved again.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the store fails.
    fn reserve_numbers(&self, of: Sequence) -> Result<Range<u64>, StoreError>;

    /// Begins a transaction, which is rolled back if dropped.
    ///
    /// Returns `None` while another program writes to the store.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the store fails, and [`StoreError::RoomLost`] if another node owns the
    /// room by now.
    fn begin(&self) -> Result<Option<Box<dyn Transaction + '_>>, StoreError>;

    /// Closes the store cleanly. In a table with several nodes, this hands the room over.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the store fails.
    fn close(self: Box<Self>) -> Result<(), StoreError>;
}

/// Reads and writes for a batch of commands, committed together or not at all. Reads see this
/// transaction's own writes.
#[expect(clippy::missing_errors_doc, reason = "said once, at `Store`")]
pub trait Transaction {
    /// Loads the data of these keys in one go. This is only an optimization: other keys can be read
    /// as well.
    fn prefetch(&mut self, keys: &PrefetchKeys) -> Result<(), StoreError>;

    /// Claims players for this room until they are released. Only one room at a time may change a
    /// player's data.
    ///
    /// Returns each player once.
    fn claim(&mut self, players: &BTreeSet<PlayerId>)
    -> Result<Vec<(PlayerId, Claim)>, StoreError>;

    /// Lets other rooms claim a player after the commit.
    fn release(&mut self, player: PlayerId) -> Result<(), StoreError>;

    /// Hands a waiting player over to another room, which finds them in
    /// [`incoming`](Self::incoming) after the commit.
    fn forward(&mut self, player: PlayerId, to: RoomNumber) -> Result<(), StoreError>;

    /// Returns the players that other rooms have forwarded to this one, unless this room has
    /// already recorded their arrival.
    fn incoming(&self) -> Result<Vec<IncomingPlayer>, StoreError>;

    /// Returns a player of any room.
    fn player(&self, id: PlayerId) -> Result<Player, StoreError>;

    /// Finds the player with this token. House players are never found.
    fn player_with_token(&self, token: &TokenHash) -> Result<Option<PlayerId>, StoreError>;

    /// Returns the stored answer to a player's request.
    fn answer(&self, player: PlayerId, id: &RequestId) -> Result<Option<Answer>, StoreError>;

    /// Returns messages to a player, in order.
    fn messages(
        &self,
        player: PlayerId,
        range: MessageRange,
    ) -> Result<Vec<StoredMessage>, StoreError>;

    /// Returns a friend link, if it exists.
    fn friend_link(&self, id: Hex<8>) -> Result<Option<FriendLinkRecord>, StoreError>;

    /// Returns the friend links of a player, oldest first.
    fn friend_links(&self, player: PlayerId) -> Result<Vec<FriendLinkRecord>, StoreError>;

    /// Inserts a friend link.
    fn save_friend_link(&mut self, link: &FriendLinkRecord) -> Result<(), StoreError>;

    /// Deletes a friend link of a player, if it exists.
    fn remove_friend_link(&mut self, player: PlayerId, id: Hex<8>) -> Result<(), StoreError>;

    /// Returns false while nodes of an earlier version serve the table. They can't read the events
    /// of games with friends, nor the leaves of daily duels.
    fn is_upgraded(&self) -> Result<bool, StoreError>;

    /// Returns the events of a game in order; empty if there is no such game.
    fn game_events(&self, game: u64) -> Result<Vec<RoomEvent>, StoreError>;

    /// Returns the position of a game's first leaf in the log, if it has one.
    fn first_leaf(&self, game: u64) -> Result<Option<LeafPosition>, StoreError>;

    /// Erases a player: replaces the hash of the player's token by that of a [forgotten
    /// player](TokenHash::of_forgotten_player), and deletes all messages and answers to the player,
    /// and the player's friend links.
    /// The rest of the data does not identify anybody.
    fn erase(&mut self, player: PlayerId) -> Result<(), StoreError>;

    /// Deletes messages older than `before`, except those to players who wait or play. For each
    /// player, the last message deleted is one that ended a game or a wait. Each call handles a
    /// limited number of players after `after`, so that nobody notices a delay. A message is as old
    /// as the last event recorded before it.
    fn prune_messages(
        &mut self,
        before: WallTime,
        after: PlayerId,
    ) -> Result<PruneProgress, StoreError>;

    /// Inserts a new player.
    fn register(&mut self, registration: &Registration<'_>) -> Result<(), StoreError>;

    /// Appends an event, and updates the ledger and the lists of players who wait or play. `at` is
    /// the time of the event.
    fn record(&mut self, event: &RoomEvent, at: WallTime) -> Result<(), StoreError>;

    /// Appends a leaf to the log.
    fn append(&mut self, leaf: &Leaf) -> Result<LeafPosition, StoreError>;

    /// Saves the parts of a game's journal that don't follow from its events.
    fn save_settlement(
        &mut self,
        game: u64,
        settlement: &RecordingMetadata,
    ) -> Result<(), StoreError>;

    /// Saves a finished game for one of its players, and adds it to their statistics. The last
    /// event of the game must have been recorded. If the day of the game's end has already been
    /// rated, the ladder is reset.
    fn save_game(&mut self, game: &PlayerGameRecord) -> Result<(), StoreError>;

    /// Saves an update of the ladder, unless the ladder has changed since the update was computed.
    fn save_ladder(&mut self, rated: &LadderUpdate) -> Result<(), StoreError>;

    /// Saves a message to a player.
    fn save_message(&mut self, to: PlayerId, message: &StoredMessage) -> Result<(), StoreError>;

    /// Saves the answer to a player's request.
    fn save_answer(&mut self, kept: &AnswerRecord<'_>) -> Result<(), StoreError>;

    /// Saves a player except for their current activity.
    fn save_player(&mut self, id: PlayerId, player: &Player) -> Result<(), StoreError>;

    /// Deletes answers older than `before`, except those to players who wait or play. Each call
    /// looks at a limited number of answers after `after`, so that nobody notices a delay.
    ///
    /// Returns the position for the next call; `None` means the beginning.
    fn prune_answers(
        &mut self,
        before: TableTime,
        after: Option<SweepPosition>,
    ) -> Result<Option<SweepPosition>, StoreError>;

    /// Saves the table's time if this transaction has written anything else.
    fn save_time(&mut self, now: TableTime) -> Result<(), StoreError>;

    /// Commits durably: when this returns, nothing can be lost any more.
    fn commit(self: Box<Self>) -> Result<(), StoreError>;
}

/// Friend link as stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FriendLinkRecord {
    /// ID of the link.
    pub id: Hex<8>,
    /// Player who made the link.
    pub player: PlayerId,
    /// Kind of game.
    pub kind: Kind,
    /// SHA-256 of the link's secret.
    pub secret_hash: Hex<32>,
}

impl FriendLinkRecord {
    /// Converts the link for messages.
    #[must_use]
    pub const fn to_message(&self) -> FriendLink {
        FriendLink {
            link: self.id,
            game: self.kind,
            secret_hash: self.secret_hash,
        }
    }
}

/// Message to a player as stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredMessage {
    /// Number of the message.
    pub seq: u64,
    /// JSON of the message in version 2 of the protocol.
    pub body: String,
    /// The `id` of the request that the message answers, which version 3 adds to the message.
    pub in_reply_to: Option<RequestId>,
}

/// Progress of deleting old messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PruneProgress {
    /// Number of messages deleted.
    pub messages: u64,
    /// Last player handled; `None` if all players are done.
    pub next: Option<PlayerId>,
}

/// Sequence of numbers that a store assigns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Sequence {
    /// Numbers of players.
    Players,
    /// Numbers of games.
    Games,
}

/// Keys that a batch of commands is going to read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PrefetchKeys {
    /// Tokens of players who sign in.
    pub tokens: BTreeSet<TokenHash>,
    /// Players who send requests.
    pub players: BTreeSet<PlayerId>,
    /// Requests, any of which may have been answered before.
    pub requests: Vec<(PlayerId, RequestId)>,
}

/// Outcome of claiming a player for a room.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Claim {
    /// Player of this room, in this state.
    Granted(Player),
    /// Player forwarded by another room to this one, which has yet to receive the player.
    Incoming,
    /// Player of this other room.
    Denied(RoomNumber),
}

/// Waiting player forwarded from another room.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IncomingPlayer {
    /// Number of the player.
    pub id: PlayerId,
    /// State of the player.
    pub player: Player,
    /// Kind of game that the player waits for.
    pub kind: Kind,
    /// Time that the player had waited when forwarded.
    pub waited: Duration,
    /// Hash of the seed that the player is committed to.
    pub seed_hash: Hex<32>,
}

/// Position of a leaf in the log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LeafPosition {
    /// Number of the leaf, from 0.
    Assigned(u64),
    /// Number that is assigned after the commit.
    Pending,
}

/// New player to insert.
#[derive(Debug, Clone, Copy)]
pub struct Registration<'a> {
    /// Number of the player.
    pub id: PlayerId,
    /// Name and other data of the player.
    pub player: &'a Player,
    /// Hash of the player's token.
    pub token: TokenHash,
}

/// Answer to save, so that a repeated request is answered the same way.
#[derive(Debug, Clone, Copy)]
pub struct AnswerRecord<'a> {
    /// Player who sent the request.
    pub player: PlayerId,
    /// The `id` of the request.
    pub request: &'a RequestId,
    /// Answer to the request.
    pub answer: Answer,
    /// Time of the answer.
    pub at: TableTime,
}

/// Position of a sweep for old answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SweepPosition(pub i64);

/// Answer to a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Answer {
    /// Digest that distinguishes the request from others with the same `id`.
    pub digest: Hex<16>,
    /// Messages that the player got in reply.
    pub messages: MessageRange,
    /// Reason for the refusal, if the request was refused.
    pub refusal: Option<Refusal>,
}

/// Range of consecutive messages to a player; may be empty.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MessageRange {
    first: u64,
    last: u64,
}

impl MessageRange {
    /// Creates the range from the first number to the last, both included.
    #[must_use]
    pub const fn new(first: u64, last: u64) -> Self {
        Self { first, last }
    }

    /// Creates the range that starts after `before` and ends with `last`.
    #[must_use]
    pub const fn new_after(before: u64, last: u64) -> Self {
        let first = before.saturating_add(1);
        Self { first, last }
    }

    /// Number of the first message.
    #[must_use]
    pub const fn first(self) -> u64 {
        self.first
    }

    /// Number of the last message.
    #[must_use]
    pub const fn last(self) -> u64 {
        self.last
    }
}

/// Hash of an access token. Stores hold no tokens, so that nobody who reads a store can act for a
/// player.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct TokenHash([u8; 32]);

impl TokenHash {
    /// Hashes a token with SHA-256.
    #[must_use]
    pub fn from_token(token: &AccessToken) -> Self {
        Self(Sha256::digest(token.reveal().bytes()).into())
    }

    /// Hash under which a store keeps this token once its player was forgotten.
    ///
    /// It differs from the hash of the token, so that programs of earlier versions, which know no
    /// forgotten tokens, don't find the player.
    #[must_use]
    pub fn of_forgotten_player(&self) -> Self {
        let hash = Sha256::new()
            .chain_update(Self::FORGOTTEN)
            .chain_update(self.0);
        Self(hash.finalize().into())
    }

    /// Prefix of a token hash in the hash of a forgotten player's token.
    const FORGOTTEN: &str = "war-table forgotten/1\n";

    /// Creates a hash from its bytes, as a store holds them.
    #[must_use]
    pub const fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// Bytes of the hash.
    #[must_use]
    pub const fn bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

impl fmt::Debug for TokenHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("TokenHash(..)")
    }
}

#[cfg(test)]
mod tests {
    use super::TokenHash;
    use crate::protocol::AccessToken;
    use war::support::hex::Hex;

    // Computed with Python's hashlib.
    #[test]
    fn forgotten_tokens_have_a_hash_of_their_own() {
        let token = TokenHash::from_token(&AccessToken::new(Hex::new([7; 32])));
        let forgotten = Hex::<32>::new(*token.of_forgotten_player().bytes());
        assert_eq!(
            forgotten.to_string(),
            "308059c5ff1e80cd627ec9628adfaf4d6e8588dbff6ef91ddb1b1cca59a21236"
        );
    }
}
