use super::StoreError;
use crate::ladder::LadderUpdate;
use crate::log::{Leaf, TableId};
use crate::protocol::{AccessToken, AddressedMessage, PlayerId, Refusal, RequestId};
use crate::room::{FinishedGame, Player, Room, RoomEvent, Timeouts};
use crate::server::rooms::{Location, RoomNumber};
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;
use std::fmt;
use std::ops::Range;
use war::recording::Settlement;
use war::support::hex::Hex;
use war::tokens::Kind;

/// What a hub needs of a store: one room of a table.
///
/// All reads and writes may fail with a [`StoreError`]; a hub whose transaction failed is
/// ahead of its store, and must be opened again.
pub trait Store: Send {
    /// The room as it was after the last commit. In it are at least the house players, the
    /// players who wait, and those who play.
    ///
    /// # Errors
    ///
    /// [`StoreError`] where the store fails or is damaged.
    fn room(&self, timeouts: Timeouts) -> Result<Room, StoreError>;

    /// The table's number, drawn when its store was made.
    ///
    /// # Errors
    ///
    /// [`StoreError`] where the store fails or is damaged.
    fn id(&self) -> Result<TableId, StoreError>;

    /// The table's time at the last commit that wrote anything.
    ///
    /// # Errors
    ///
    /// [`StoreError`] where the store fails or is damaged.
    fn time(&self) -> Result<u64, StoreError>;

    /// Whether several nodes share the table, and players may be in other rooms. Those who
    /// neither wait nor play are in no room then.
    fn is_shared(&self) -> bool;

    /// Which room of the table this is; the only one, unless the table has several.
    fn location(&self) -> Location {
        Location::ONLY
    }

    /// Numbers that nobody else gives, and that are given up for good.
    ///
    /// # Errors
    ///
    /// [`StoreError`] where the store fails.
    fn block(&self, of: Numbered) -> Result<Range<u64>, StoreError>;

    /// Begins a transaction; one that is dropped changes nothing.
    ///
    /// The result is `None` while another program writes into the store.
    ///
    /// # Errors
    ///
    /// [`StoreError`] where the store fails, and [`StoreError::Lost`] where the room has another
    /// owner by now.
    fn begin(&self) -> Result<Option<Box<dyn Transaction + '_>>, StoreError>;

    /// Ends the store in order; a room of a table with several nodes is handed over.
    ///
    /// # Errors
    ///
    /// [`StoreError`] where the store fails.
    fn close(self: Box<Self>) -> Result<(), StoreError>;
}

/// What is written for a batch of commands: all of it, or nothing. Reads see what this
/// transaction has written.
#[expect(clippy::missing_errors_doc, reason = "said once, at `Store`")]
pub trait Transaction {
    /// Says what will be asked for, so that it can be found at once: what is not announced is
    /// found as well.
    fn prepare(&mut self, wanted: &Wanted) -> Result<(), StoreError>;

    /// Claims players for this room until they are released: only one room at a time may change
    /// what is theirs.
    ///
    /// The result has each of them once.
    fn claim(&mut self, players: &BTreeSet<PlayerId>)
    -> Result<Vec<(PlayerId, Claim)>, StoreError>;

    /// Lets other rooms claim a player, once this is committed.
    fn release(&mut self, player: PlayerId) -> Result<(), StoreError>;

    /// Lets another room have a player who waits and was sent on to it, once this is committed:
    /// it finds them among those who are [`coming`](Self::coming).
    fn send_on(&mut self, player: PlayerId, to: RoomNumber) -> Result<(), StoreError>;

    /// Those whom other rooms have sent on to this one, and of whom it has not recorded yet that
    /// they came.
    fn coming(&self) -> Result<Vec<Coming>, StoreError>;

    /// A player by number, in whatever room they are.
    fn player(&self, id: PlayerId) -> Result<Player, StoreError>;

    /// The number of the player who has this token, if it is a player who is not of the house.
    fn player_with_token(&self, token: &TokenHash) -> Result<Option<PlayerId>, StoreError>;

    /// What a player was answered to a request.
    fn answer(&self, player: PlayerId, id: &RequestId) -> Result<Option<Answer>, StoreError>;

    /// Messages to a player with their numbers, in order.
    fn messages(
        &self,
        player: PlayerId,
        range: MessageRange,
    ) -> Result<Vec<(u64, String)>, StoreError>;

    /// The events of a game in order; none where it was not played.
    fn game(&self, game: u64) -> Result<Vec<RoomEvent>, StoreError>;

    /// The place of a game's first leaf in the log, if it has one.
    fn first_leaf(&self, game: u64) -> Result<Option<LeafPlace>, StoreError>;

    /// Takes the token of a player away, and puts one in its place that nobody has; the messages
    /// to them and the answers go, and what else is left of them names nobody.
    fn forget(&mut self, player: PlayerId, token: TokenHash) -> Result<(), StoreError>;

    /// Removes messages from before this time of the wall clock, up to the end of a game, but
    /// none to players who wait or play: of as many players behind `after` as take no time that
    /// others would notice. A message is as old as the event that was recorded last before it.
    fn forget_messages(&mut self, before: u64, after: PlayerId) -> Result<Removed, StoreError>;

    /// Adds a player who joins.
    fn register(&mut self, registration: &Registration<'_>) -> Result<(), StoreError>;

    /// Appends an event, with what it changes in the ledger and among the players who wait
    /// or play; `at` is what the wall clock shows.
    fn record(&mut self, event: &RoomEvent, at: u64) -> Result<(), StoreError>;

    /// Appends a leaf to the log.
    fn append(&mut self, leaf: &Leaf) -> Result<LeafPlace, StoreError>;

    /// Keeps what the journal of a game says besides its events.
    fn keep_settlement(&mut self, game: u64, settlement: &Settlement) -> Result<(), StoreError>;

    /// Keeps a game that is over for one of its players, and adds it to their figures. Its last event
    /// was recorded before. Where its day was rated before, the ladder is to be rated anew.
    fn keep_game(&mut self, game: &FinishedGame) -> Result<(), StoreError>;

    /// Keeps what the ladder has become, unless it has become something else meanwhile.
    fn keep_ladder(&mut self, rated: &LadderUpdate) -> Result<(), StoreError>;

    /// Keeps a message to a player; `body` is what is sent.
    fn post(&mut self, notice: &AddressedMessage, body: &str) -> Result<(), StoreError>;

    /// Keeps what a player is answered to a request.
    fn keep_answer(&mut self, kept: &KeptAnswer<'_>) -> Result<(), StoreError>;

    /// Keeps all of a player but what they are doing: the name and whether it is fixed, the
    /// balance, the number of the last message, and whether they may come.
    fn persist(&mut self, id: PlayerId, player: &Player) -> Result<(), StoreError>;

    /// Forgets answers from before this time, but not those to players who wait or play: as
    /// many behind `after` as take no time that others would notice.
    ///
    /// The result is where to go on; `None` is the beginning.
    fn forget_answers(
        &mut self,
        before: u64,
        after: Option<SweepPosition>,
    ) -> Result<Option<SweepPosition>, StoreError>;

    /// Keeps the table's time, unless nothing else was written.
    fn keep_time(&mut self, now: u64) -> Result<(), StoreError>;

    /// Makes it all true: it can't be lost any more when this returns.
    fn commit(self: Box<Self>) -> Result<(), StoreError>;
}

/// How many messages were removed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Removed {
    /// How many.
    pub messages: u64,
    /// The last player who was looked at, unless those were all.
    pub next: Option<PlayerId>,
}

/// What is numbered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Numbered {
    /// New players.
    Players,
    /// New games.
    Games,
}

/// What a batch will ask a transaction for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Wanted {
    /// The tokens of players who come.
    pub tokens: BTreeSet<TokenHash>,
    /// The players who ask for something.
    pub players: BTreeSet<PlayerId>,
    /// Whether they asked for it before.
    pub requests: Vec<(PlayerId, RequestId)>,
}

/// Whose a player is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Claim {
    /// This room's now: the player as they were left.
    Ours(Player),
    /// This room's since another one has sent them on: they are still to be received.
    Coming,
    /// Another room's.
    Elsewhere(RoomNumber),
}

/// A player who waits, and comes from another room.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Coming {
    /// Their number.
    pub id: PlayerId,
    /// The player as they were left.
    pub player: Player,
    /// The game that they chose.
    pub kind: Kind,
    /// How long they had waited when they were sent on, in milliseconds.
    pub waited: u64,
    /// What they are committed to.
    pub seed_hash: Hex<32>,
}

/// Where a leaf of the log is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LeafPlace {
    /// At this number, from 0.
    At(u64),
    /// It gets its number once it is committed.
    Later,
}

/// A player who joins.
#[derive(Debug, Clone, Copy)]
pub struct Registration<'a> {
    /// Their number.
    pub id: PlayerId,
    /// Their name and what else is known of them.
    pub player: &'a Player,
    /// The hash of the token that they come back with.
    pub token: TokenHash,
}

/// An answer to keep, so that the same request is answered the same way again.
#[derive(Debug, Clone, Copy)]
pub struct KeptAnswer<'a> {
    /// Who made the request.
    pub player: PlayerId,
    /// The `id` of the request.
    pub request: &'a RequestId,
    /// What was answered.
    pub answer: Answer,
    /// When, in the table's time.
    pub at: u64,
}

/// How far a sweep for old answers has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SweepPosition(pub i64);

/// What was answered to a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Answer {
    /// What tells the request from others of its `id`.
    pub digest: Hex<16>,
    /// The messages that the player got for it.
    pub messages: MessageRange,
    /// Why it was not granted, where it was not.
    pub refusal: Option<Refusal>,
}

/// Messages to a player that follow one another; there may be none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MessageRange {
    first: u64,
    last: u64,
}

impl MessageRange {
    /// From the first number to the last.
    #[must_use]
    pub const fn new(first: u64, last: u64) -> Self {
        Self { first, last }
    }

    /// Those behind one number, up to another.
    #[must_use]
    pub const fn after(before: u64, last: u64) -> Self {
        let first = before.saturating_add(1);
        Self { first, last }
    }

    /// The number of the first one.
    #[must_use]
    pub const fn first(self) -> u64 {
        self.first
    }

    /// The number of the last one.
    #[must_use]
    pub const fn last(self) -> u64 {
        self.last
    }
}

/// An access token as stores know it: nobody can act for a player by reading the store.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct TokenHash([u8; 32]);

impl TokenHash {
    /// The hash of a token: the SHA-256 of its bytes.
    #[must_use]
    pub fn of(token: &AccessToken) -> Self {
        Self(Sha256::digest(token.reveal().bytes()).into())
    }

    /// The bytes.
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
