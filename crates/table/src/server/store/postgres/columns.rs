//! What a batch writes, by table and column, as it is sent.

use super::statements::Sql;
use super::values::signed;
use crate::log::{Leaf, leaf_hash};
use crate::room::{PlayerId, RoomEvent};
use crate::server::store::Answer;
use crate::server::store::ledger::Transfer;
use tokio_postgres::types::ToSql;
use war::recording::Settlement;

/// A parameter of a statement: often a column of rows.
pub(super) type Param = Box<dyn ToSql + Sync>;

/// A statement of a batch.
pub(super) struct Write {
    pub(super) sql: Sql,
    pub(super) params: Vec<Param>,
}

/// Where the rows of a batch belong.
#[derive(Clone, Copy)]
pub(super) struct Place {
    pub(super) room: i32,
    pub(super) seq: i64,
}

/// A write of this statement, with each of these as a parameter.
macro_rules! write {
    ($sql:ident, $($param:expr),+) => {
        Write {
            sql: Sql::$sql,
            params: vec![$(Box::new($param) as Param),+],
        }
    };
}
pub(super) use write;

/// The number of the next row of a batch.
fn next_part(parts: &[i32]) -> i32 {
    i32::try_from(parts.len()).unwrap_or(i32::MAX)
}

/// Events, in order.
#[derive(Default)]
pub(super) struct Events {
    part: Vec<i32>,
    at: Vec<i64>,
    game: Vec<Option<i64>>,
    body: Vec<String>,
}

impl Events {
    /// Adds an event; the result is its number in the batch.
    pub(super) fn push(&mut self, event: &RoomEvent, at: u64) -> i32 {
        let part = next_part(&self.part);
        self.part.push(part);
        self.at.push(signed(at));
        self.game.push(event.game().map(signed));
        let body = serde_json::to_string(event).expect("events are plain values");
        self.body.push(body);
        part
    }

    pub(super) fn write(self, Place { room, seq }: Place) -> Option<Write> {
        let is_empty = self.part.is_empty();
        (!is_empty).then(|| write!(Events, room, seq, self.part, self.at, self.game, self.body))
    }
}

/// What events change in the ledger.
#[derive(Default)]
pub(super) struct Transfers {
    part: Vec<i32>,
    debit: Vec<i64>,
    credit: Vec<i64>,
    tokens: Vec<i64>,
}

impl Transfers {
    pub(super) fn push(&mut self, part: i32, transfer: &Transfer) {
        self.part.push(part);
        self.debit.push(signed(transfer.debit.0));
        self.credit.push(signed(transfer.credit.0));
        self.tokens.push(transfer.tokens);
    }

    pub(super) fn write(self, Place { room, seq }: Place) -> Option<Write> {
        let is_empty = self.part.is_empty();
        let Self {
            part,
            debit,
            credit,
            tokens,
        } = self;
        (!is_empty).then(|| write!(Transfers, room, seq, part, debit, credit, tokens))
    }
}

/// Messages to players.
#[derive(Default)]
pub(super) struct Messages {
    to: Vec<i64>,
    seq: Vec<i64>,
    body: Vec<String>,
}

impl Messages {
    pub(super) fn push(&mut self, to: PlayerId, seq: u64, body: String) {
        self.to.push(signed(to.0));
        self.seq.push(signed(seq));
        self.body.push(body);
    }

    /// They are posted; `at` is when what they tell of happened.
    pub(super) fn write(self, at: u64) -> Option<Write> {
        let is_empty = self.to.is_empty();
        (!is_empty).then(|| write!(Post, signed(at), self.to, self.seq, self.body))
    }
}

/// What players are answered to their requests.
#[derive(Default)]
pub(super) struct Answers {
    player: Vec<i64>,
    request: Vec<String>,
    at: Vec<i64>,
    digest: Vec<Vec<u8>>,
    first: Vec<i64>,
    last: Vec<i64>,
    refusal: Vec<Option<String>>,
}

impl Answers {
    pub(super) fn push(&mut self, player: PlayerId, request: String, answer: Answer, at: u64) {
        let Answer {
            digest,
            messages,
            refusal,
        } = answer;
        self.player.push(signed(player.0));
        self.request.push(request);
        self.at.push(signed(at));
        self.digest.push(digest.bytes().to_vec());
        self.first.push(signed(messages.first()));
        self.last.push(signed(messages.last()));
        self.refusal
            .push(refusal.map(|refusal| refusal.to_string()));
    }

    pub(super) fn write(self, Place { room, .. }: Place) -> Option<Write> {
        let is_empty = self.player.is_empty();
        let Self {
            player,
            request,
            at,
            digest,
            first,
            last,
            refusal,
        } = self;
        (!is_empty).then(|| {
            write!(
                KeepAnswers,
                room,
                player, request, at, digest, first, last, refusal
            )
        })
    }
}

/// Leaves of the log.
#[derive(Default)]
pub(super) struct Leaves {
    part: Vec<i32>,
    game: Vec<i64>,
    hash: Vec<Vec<u8>>,
    body: Vec<String>,
}

impl Leaves {
    pub(super) fn push(&mut self, leaf: &Leaf) {
        let body = leaf.to_string();
        self.part.push(next_part(&self.part));
        self.game.push(signed(leaf.game()));
        self.hash.push(leaf_hash(body.as_bytes()).bytes().to_vec());
        self.body.push(body);
    }

    pub(super) fn write(self, Place { room, seq }: Place) -> Option<Write> {
        let is_empty = self.part.is_empty();
        (!is_empty).then(|| {
            write!(
                Leaves,
                room,
                seq, self.part, self.game, self.hash, self.body
            )
        })
    }
}

/// What the journals of games say besides their events.
#[derive(Default)]
pub(super) struct Settlements {
    game: Vec<i64>,
    engine: Vec<String>,
    lang: Vec<String>,
    renderer: Vec<i64>,
    printed: Vec<i64>,
    blake3: Vec<Vec<u8>>,
    digest: Vec<Vec<u8>>,
}

impl Settlements {
    pub(super) fn push(&mut self, game: u64, settlement: &Settlement) {
        self.game.push(signed(game));
        self.engine.push(settlement.engine.clone());
        self.lang.push(settlement.lang.code().to_owned());
        self.renderer.push(i64::from(settlement.renderer));
        self.printed.push(signed(settlement.printed.bytes));
        self.blake3.push(settlement.printed.blake3.bytes().to_vec());
        self.digest.push(settlement.digest.bytes().to_vec());
    }

    pub(super) fn write(self) -> Option<Write> {
        let is_empty = self.game.is_empty();
        let Self {
            game,
            engine,
            lang,
            renderer,
            printed,
            blake3,
            digest,
        } = self;
        (!is_empty).then(|| {
            write!(
                Settle,
                game,
                engine, lang, renderer, printed, blake3, digest
            )
        })
    }
}
