//! Players of a transaction: cached reads, and rows to write, by column.

use super::statements::{BatchKey, BatchWrite, Param, StatementName, batch_write, to_i64};
use std::collections::BTreeMap;
use war::support::hex::Hex;
use war::tokens::Kind;
use war_table::protocol::PlayerId;
use war_table::room::{Activity, OpponentChoice, Player};
use war_table::server::rooms::RoomNumber;
use war_table::server::store::rows::encode_opponent;
use war_table::server::store::{Answer, Claim, TokenHash};

/// Rows of players, by column.
#[derive(Default)]
struct PlayerRows {
    id: Vec<i64>,
    token: Vec<Vec<u8>>,
    name: Vec<String>,
    balance: Vec<i64>,
    seq: Vec<i64>,
    house: Vec<bool>,
    name_is_fixed: Vec<bool>,
    status: Vec<&'static str>,
    watchable: Vec<bool>,
    room: Vec<Option<i32>>,
}

impl PlayerRows {
    /// Adds a player; only new players have a token.
    pub(super) fn push(
        &mut self,
        id: PlayerId,
        player: &Player,
        room: Option<i32>,
        token: Option<&TokenHash>,
    ) {
        self.id.push(to_i64(id.0));
        self.token.extend(token.map(|token| token.bytes().to_vec()));
        self.name.push(player.name.as_str().to_owned());
        self.balance.push(player.balance);
        self.seq.push(to_i64(player.seq));
        self.house.push(player.house);
        self.name_is_fixed.push(player.name_is_fixed);
        self.status.push(player.status.name());
        self.watchable.push(player.watchable);
        self.room.push(room);
    }

    /// Write that inserts the players as new ones.
    pub(super) fn into_insert(self) -> Option<BatchWrite> {
        let is_empty = self.id.is_empty();
        let Self {
            id,
            token,
            name,
            balance,
            seq,
            house,
            watchable,
            room,
            ..
        } = self;
        (!is_empty).then(|| {
            batch_write!(
                InsertPlayers,
                id,
                token,
                name,
                balance,
                seq,
                house,
                watchable,
                room
            )
        })
    }

    /// Write that updates the players, all of whom must belong to this room.
    pub(super) fn into_update(self, BatchKey { room, .. }: BatchKey) -> Option<BatchWrite> {
        let is_empty = self.id.is_empty();
        let Self {
            id,
            name,
            balance,
            seq,
            name_is_fixed,
            status,
            watchable,
            room: of,
            ..
        } = self;
        (!is_empty).then(|| {
            batch_write!(
                UpdatePlayers,
                room,
                id,
                name,
                balance,
                seq,
                name_is_fixed,
                status,
                watchable,
                of
            )
        })
    }
}

/// Rows of waiting players, by column.
#[derive(Default)]
pub(super) struct WaitingRows {
    player: Vec<i64>,
    kind: Vec<&'static str>,
    since: Vec<i64>,
    seed_hash: Vec<Option<Vec<u8>>>,
    meeting: Vec<Option<String>>,
}

impl WaitingRows {
    pub(super) fn push(
        &mut self,
        player: PlayerId,
        (kind, meeting): (Kind, OpponentChoice),
        since: u64,
        seed_hash: Option<&Hex<32>>,
    ) {
        self.player.push(to_i64(player.0));
        self.kind.push(kind.name());
        self.since.push(to_i64(since));
        self.seed_hash
            .push(seed_hash.map(|hash| hash.bytes().to_vec()));
        self.meeting.push(encode_opponent(meeting));
    }

    pub(super) fn into_write(self, BatchKey { room, .. }: BatchKey) -> Option<BatchWrite> {
        let is_empty = self.player.is_empty();
        let Self {
            player,
            kind,
            since,
            seed_hash,
            meeting,
        } = self;
        (!is_empty)
            .then(|| batch_write!(InsertWaiting, room, player, kind, since, seed_hash, meeting))
    }
}

/// Room that owns a player, as far as a transaction knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ownership {
    /// Unknown: the player was read without a claim.
    Unknown,
    /// This room.
    Owned,
    /// This room, for which this transaction has claimed the player before any command needed the
    /// claim.
    Reserved,
    /// This room until the commit, then none.
    Released,
    /// This room until the commit, then another.
    Forwarded(RoomNumber),
    /// This room: another room has forwarded the player, who has not been added yet.
    Arriving,
    /// Another room.
    OtherRoom(RoomNumber),
}

/// Cached state of a player.
pub(super) struct CachedPlayer {
    pub(super) player: Player,
    pub(super) ownership: Ownership,
    changed: bool,
    /// Token hash of a new player.
    token: Option<TokenHash>,
}

impl CachedPlayer {
    /// Creates the state of a player read from the database.
    pub(super) const fn from_stored(player: Player, ownership: Ownership) -> Self {
        Self {
            player,
            ownership,
            changed: false,
            token: None,
        }
    }

    /// Creates the state of a new player.
    pub(super) fn new(player: &Player, token: TokenHash) -> Self {
        let mut joining = Self::from_stored(player.clone(), Ownership::Owned);
        joining.set(player);
        joining.token = Some(token);
        joining
    }

    /// Sets the state to write.
    pub(super) fn set(&mut self, player: &Player) {
        self.player = Player {
            activity: Activity::Free,
            ..player.clone()
        };
        self.changed = true;
    }

    /// Replaces the token hash of a new player by that of a forgotten player; returns false if the
    /// player is not new.
    pub(super) fn forget_token_if_new(&mut self) -> bool {
        self.token = self.token.map(|token| token.of_forgotten_player());
        self.token.is_some()
    }

    /// Releases the player from this room.
    pub(super) const fn release(&mut self) {
        self.ownership = Ownership::Released;
        self.changed = true;
    }

    /// Hands the player over to another room.
    pub(super) const fn forward(&mut self, to: RoomNumber) {
        self.ownership = Ownership::Forwarded(to);
        self.changed = true;
    }

    /// Claims the player for this room if possible; returns `None` if the owner is unknown.
    pub(super) fn claim(&mut self) -> Option<Claim> {
        match self.ownership {
            Ownership::Unknown => None,
            Ownership::OtherRoom(room) | Ownership::Forwarded(room) => Some(Claim::Denied(room)),
            Ownership::Arriving => Some(Claim::Incoming),
            // Until this transaction commits, no other room can claim a player whom it has
            // released.
            Ownership::Owned | Ownership::Reserved | Ownership::Released => {
                self.ownership = Ownership::Owned;
                Some(Claim::Granted(self.player.clone()))
            }
        }
    }

    /// True if the player must be written: the player has changed, or was claimed in advance and
    /// has to be released.
    fn is_written(&self) -> bool {
        self.changed || self.ownership == Ownership::Reserved
    }
}

/// Cache of a transaction's reads.
#[derive(Default)]
pub(super) struct TransactionCache {
    pub(super) players: BTreeMap<PlayerId, CachedPlayer>,
    /// Players by token; `None` if no player has the token.
    pub(super) tokens: BTreeMap<TokenHash, Option<PlayerId>>,
    /// Answers by player and request; `None` if there is no answer.
    pub(super) answers: BTreeMap<(PlayerId, String), Option<Answer>>,
}

impl TransactionCache {
    /// Claims a player; returns `None` if their owner is unknown.
    pub(super) fn claim(&mut self, id: PlayerId) -> Option<Claim> {
        self.players.get_mut(&id)?.claim()
    }

    /// Replaces the token of a forgotten player, and drops the answers.
    pub(super) fn forget(&mut self, player: PlayerId) {
        let found = self.tokens.iter().find(|(_, id)| **id == Some(player));
        if let Some(token) = found.map(|(token, _)| *token) {
            self.tokens.insert(token, None);
            self.tokens
                .insert(token.of_forgotten_player(), Some(player));
        }
        for ((to, _), found) in &mut self.answers {
            found.take_if(|_| *to == player);
        }
    }

    /// True if the owner of a player is known.
    pub(super) fn has_known_owner(&self, id: PlayerId) -> bool {
        let known = self.players.get(&id);
        known.is_some_and(|known| known.ownership != Ownership::Unknown)
    }

    /// True if any player was changed.
    pub(super) fn has_changes(&self) -> bool {
        self.players.values().any(|known| known.changed)
    }

    /// Builds the writes of the new players and of the changed ones.
    pub(super) fn build_writes(&self, key: BatchKey) -> [Option<BatchWrite>; 2] {
        let (mut joining, mut changed) = (PlayerRows::default(), PlayerRows::default());
        for (id, known) in self.players.iter().filter(|(_, known)| known.is_written()) {
            let room = match known.ownership {
                Ownership::Reserved | Ownership::Released => None,
                Ownership::Forwarded(to) => Some(i32::from(to.0)),
                _ => Some(key.room),
            };
            let token = known.token.as_ref();
            let rows = if token.is_some() {
                &mut joining
            } else {
                &mut changed
            };
            rows.push(*id, &known.player, room, token);
        }
        [joining.into_insert(), changed.into_update(key)]
    }
}
