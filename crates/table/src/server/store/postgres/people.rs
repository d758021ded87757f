//! What a batch writes of players, by column.

use super::columns::{Param, Place, Write, write};
use super::statements::Sql;
use super::values::signed;
use crate::room::{Meeting, Player, PlayerId};
use crate::server::store::TokenHash;
use crate::server::store::meeting::column;
use war::support::hex::Hex;
use war::tokens::Kind;

/// Players as they are left, in this room or in none.
#[derive(Default)]
pub(super) struct Players {
    id: Vec<i64>,
    token: Vec<Vec<u8>>,
    name: Vec<String>,
    balance: Vec<i64>,
    seq: Vec<i64>,
    house: Vec<bool>,
    name_is_fixed: Vec<bool>,
    standing: Vec<&'static str>,
    watchable: Vec<bool>,
    room: Vec<Option<i32>>,
}

impl Players {
    /// Adds a player; those who join have a token.
    pub(super) fn push(
        &mut self,
        id: PlayerId,
        player: &Player,
        room: Option<i32>,
        token: Option<&TokenHash>,
    ) {
        self.id.push(signed(id.0));
        self.token.extend(token.map(|token| token.bytes().to_vec()));
        self.name.push(player.name.as_str().to_owned());
        self.balance.push(player.balance);
        self.seq.push(signed(player.seq));
        self.house.push(player.house);
        self.name_is_fixed.push(player.name_is_fixed);
        self.standing.push(player.standing.name());
        self.watchable.push(player.watchable);
        self.room.push(room);
    }

    /// They join.
    pub(super) fn join(self) -> Option<Write> {
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
        (!is_empty).then(|| write!(Join, id, token, name, balance, seq, house, watchable, room))
    }

    /// They are changed, all of whom are of this room.
    pub(super) fn persist(self, Place { room, .. }: Place) -> Option<Write> {
        let is_empty = self.id.is_empty();
        let Self {
            id,
            name,
            balance,
            seq,
            name_is_fixed,
            standing,
            watchable,
            room: of,
            ..
        } = self;
        (!is_empty).then(|| {
            write!(
                Persist,
                room,
                id, name, balance, seq, name_is_fixed, standing, watchable, of
            )
        })
    }
}

/// Who waits.
#[derive(Default)]
pub(super) struct Waiting {
    player: Vec<i64>,
    kind: Vec<&'static str>,
    since: Vec<i64>,
    seed_hash: Vec<Option<Vec<u8>>>,
    meeting: Vec<Option<String>>,
}

impl Waiting {
    pub(super) fn push(
        &mut self,
        player: PlayerId,
        (kind, meeting): (Kind, Meeting),
        since: u64,
        seed_hash: Option<&Hex<32>>,
    ) {
        self.player.push(signed(player.0));
        self.kind.push(kind.name());
        self.since.push(signed(since));
        self.seed_hash
            .push(seed_hash.map(|hash| hash.bytes().to_vec()));
        self.meeting.push(column(meeting));
    }

    pub(super) fn write(self, Place { room, .. }: Place) -> Option<Write> {
        let is_empty = self.player.is_empty();
        let Self {
            player,
            kind,
            since,
            seed_hash,
            meeting,
        } = self;
        (!is_empty).then(|| write!(Wait, room, player, kind, since, seed_hash, meeting))
    }
}
