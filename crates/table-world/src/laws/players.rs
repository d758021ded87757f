//! Laws of the data of each player: tokens, game history, messages and answers.

use super::law::{LawResult, ensure};
use crate::schedule::WorldTime;
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use war_table::protocol::{Message, NumberedMessage, PlayerId, RequestId};
use war_table::room::{Player, PlayerGameRecord};
use war_table::server::hub::{ANSWER_RETENTION, HubDelivery};
use war_table::server::rooms::RoomNumber;
use war_table::server::store::Answer;
use war_table::time::TableTime;

/// Laws of the ledger: each balance is the sum of its entries, and all balances and the bank add up
/// to zero.
#[derive(Default)]
pub(crate) struct LedgerLaws {
    balances: BTreeMap<PlayerId, i64>,
    bank: i64,
    total: i64,
    /// Number of games settled.
    pub(crate) games: u64,
}

impl LedgerLaws {
    pub(super) fn register(&mut self, id: PlayerId, player: &Player) -> LawResult {
        let opening = Player::OPENING_BALANCE;
        let begins = player.balance == opening && self.balances.insert(id, opening).is_none();
        ensure("everybody joins once, with the same tokens", begins, || {
            format!("{id} {player:?}")
        })?;
        self.bank -= opening;
        self.total += opening;
        Ok(())
    }

    pub(super) fn settle(&mut self, seats: [PlayerId; 2], deltas: [i64; 2]) {
        for (player, delta) in seats.into_iter().zip(deltas) {
            *self.balances.entry(player).or_default() += delta;
            self.total += delta;
            self.bank -= delta;
        }
        self.games += 1;
    }

    /// Checks that the stored balance of a player matches the ledger.
    pub(super) fn check_player(&self, id: PlayerId, player: &Player) -> LawResult {
        let due = self.balances.get(&id);
        ensure("the ledger adds up", due == Some(&player.balance), || {
            format!("{id} has {} and should have {due:?}", player.balance)
        })?;
        ensure("the ledger adds up", self.total + self.bank == 0, || {
            format!("players {} bank {}", self.total, self.bank)
        })
    }

    /// Returns the balance that a player must have.
    pub(crate) fn balance(&self, id: PlayerId) -> Option<i64> {
        self.balances.get(&id).copied()
    }
}

/// Laws of game history. Holds the tokens won or lost for each entry that is not written yet.
#[derive(Default)]
pub(crate) struct HistoryLaws {
    expected_entries: BTreeMap<(u64, PlayerId), i64>,
}

impl HistoryLaws {
    /// Expects a history entry for each player of a settled game, except house players.
    pub(super) fn expect_entries(
        &mut self,
        game: u64,
        seats: [PlayerId; 2],
        deltas: [i64; 2],
        is_house: impl Fn(PlayerId) -> bool,
    ) {
        let players = seats.into_iter().zip(deltas);
        let players = players.filter(|(player, _)| !is_house(*player));
        self.expected_entries
            .extend(players.map(|(player, delta)| ((game, player), delta)));
    }

    /// Checks the history entry of a game against the tokens moved and the player's balance.
    pub(super) fn check_entry(
        &mut self,
        game: &PlayerGameRecord,
        balance: Option<i64>,
    ) -> LawResult {
        let due = self.expected_entries.remove(&(game.game, game.player));
        let fits = due == Some(game.tokens) && balance == Some(game.balance);
        ensure("a game is kept as it was", fits, || {
            format!("{game:?} moved {due:?} and left {balance:?}")
        })
    }

    /// Checks that no history entry is missing at the end of a commit.
    pub(super) fn check_complete(&self) -> LawResult {
        ensure(
            "every game is kept for its players",
            self.expected_entries.is_empty(),
            || format!("{:?}", self.expected_entries),
        )
    }
}

/// Laws of the committed messages to each player.
#[derive(Default)]
pub(crate) struct MessageLaws {
    last: BTreeMap<PlayerId, u64>,
    /// Last message number of each house player. Their messages are not stored.
    house: BTreeMap<PlayerId, u64>,
    /// World time and body of each message, until it is dropped.
    written: BTreeMap<(PlayerId, u64), (WorldTime, String)>,
}

/// Fields common to all messages.
#[derive(Deserialize)]
struct MessageHeader<'a> {
    seq: u64,
    #[serde(rename = "type")]
    kind: &'a str,
}

impl MessageLaws {
    pub(super) fn register(&mut self, id: PlayerId, house: bool) -> LawResult {
        let known = if house {
            &mut self.house
        } else {
            &mut self.last
        };
        let new = known.insert(id, 0).is_none();
        ensure("everybody joins once", new, || id.to_string())
    }

    pub(super) fn record_message(
        &mut self,
        to: PlayerId,
        seq: u64,
        body: &str,
        at: WorldTime,
    ) -> LawResult {
        let last = self.last.get_mut(&to);
        let next = last.as_ref().map(|last| **last + 1);
        ensure("numbers have no gap", next == Some(seq), || {
            format!("{seq} instead of {next:?} to {to}: {body}")
        })?;
        if let Some(last) = last {
            *last = seq;
        }
        self.written.insert((to, seq), (at, body.to_owned()));
        Ok(())
    }

    /// Returns the world time at which a message was written.
    pub(crate) fn written_at(&self, player: PlayerId, seq: u64) -> Option<WorldTime> {
        self.written.get(&(player, seq)).map(|(at, _)| *at)
    }

    /// Drops the messages to a player up to this number.
    pub(crate) fn drop_until(&mut self, player: PlayerId, last: u64) {
        while let Some((key, _)) = self.written.range((player, 0)..=(player, last)).next() {
            let key = *key;
            self.written.remove(&key);
        }
    }

    fn is_dropped(&self, player: PlayerId, seq: u64) -> bool {
        let mut kept = self.written.range((player, 0)..=(player, u64::MAX));
        kept.next().is_some_and(|((_, first), _)| seq < *first)
    }

    pub(super) fn check_player(&mut self, id: PlayerId, player: &Player) -> LawResult {
        if let Some(last) = self.house.get_mut(&id) {
            let goes_on = player.seq >= *last;
            *last = player.seq;
            return ensure("no number comes again", goes_on, || {
                format!("{id} {}", player.seq)
            });
        }
        let last = self.last.get(&id);
        ensure("no number comes again", last == Some(&player.seq), || {
            format!("{id} has {} and was sent {last:?}", player.seq)
        })
    }

    pub(super) fn is_house_player(&self, id: PlayerId) -> bool {
        self.house.contains_key(&id)
    }

    /// Returns the number of the last message to a player.
    pub(crate) fn last_seq(&self, id: PlayerId) -> u64 {
        self.last.get(&id).copied().unwrap_or_default()
    }

    pub(super) fn check_published_message(
        &self,
        player: Option<PlayerId>,
        outbound: &HubDelivery,
    ) -> LawResult {
        const LAW: &str = "what is published is committed";
        match outbound {
            HubDelivery::Welcome { player, seq, .. } => {
                ensure(LAW, *seq <= self.last_seq(*player), || {
                    format!("{player} {seq} after {}", self.last_seq(*player))
                })
            }
            HubDelivery::Push { seq, body, .. } => {
                // A node that was stopped may publish messages dropped meanwhile.
                let dropped = player.is_some_and(|player| self.is_dropped(player, *seq));
                let kept = player.and_then(|player| self.written.get(&(player, *seq)));
                let same =
                    kept.is_some_and(|(_, kept)| **kept == **body || is_same_with_name(kept, body));
                ensure(LAW, same || dropped, || format!("{body} is {kept:?}"))
            }
            HubDelivery::Answer { body, .. } => {
                let numbered: Result<MessageHeader<'_>, _> = serde_json::from_str(body);
                let last = player.map_or(u64::MAX, |player| self.last_seq(player));
                let fits = numbered.is_ok_and(|sent| sent.seq <= last || sent.kind == "error");
                ensure(LAW, fits, || body.clone())
            }
            // These contain no messages, or are only for operators, who do not exist in this world.
            HubDelivery::Resumed(_)
            | HubDelivery::Done
            | HubDelivery::Redirect(_)
            | HubDelivery::Released
            | HubDelivery::OrderOutcome(_)
            | HubDelivery::MessagesPruned(_)
            | HubDelivery::Expelled => Ok(()),
        }
    }
}

/// Returns true if `sent` is `kept` with the opponent's name added.
fn is_same_with_name(kept: &str, sent: &str) -> bool {
    let read = |text: &str| serde_json::from_str::<NumberedMessage>(text).ok();
    read(kept).is_some_and(|kept| read(sent).is_some_and(|sent| strip_opponent_name(&sent) == kept))
}

/// Removes the opponent's name, which stores do not keep, from a message.
pub(crate) fn strip_opponent_name(sent: &NumberedMessage) -> NumberedMessage {
    let mut sent = sent.clone();
    if let Message::Started { opponent, .. } = &mut sent.message {
        opponent.name = None;
    }
    sent
}

/// Laws of answers to requests within the last hour.
#[derive(Default)]
pub(super) struct AnswerLaws {
    known: BTreeMap<(PlayerId, String), AnswerTime>,
    by_time: BTreeSet<(RoomNumber, TableTime, PlayerId, String)>,
}

struct AnswerTime {
    /// Room that answered, and the table time of that room.
    at: (RoomNumber, TableTime),
    /// World time of the commit.
    since: WorldTime,
}

impl AnswerLaws {
    /// Checks that a request is answered once, by messages that follow those sent before.
    pub(super) fn check_answer(
        &mut self,
        player: PlayerId,
        id: &str,
        answer: &Answer,
        at: (RoomNumber, TableTime),
        since: WorldTime,
        last: u64,
    ) -> LawResult {
        let key = (player, id.to_owned());
        let before = self.known.insert(key, AnswerTime { at, since });
        let before = before.map(|known| known.at);
        ensure("a request is done once", before.is_none(), || {
            format!("{id} of {player} at {at:?} and at {before:?}")
        })?;
        let first = answer.messages.first();
        ensure("an answer follows what was sent", first <= last + 1, || {
            format!("{answer:?} after {last}")
        })?;
        self.by_time.insert((at.0, at.1, player, id.to_owned()));
        Ok(())
    }

    /// Returns true if a request made at world time `at` has an answer, and had none when it was
    /// made.
    pub(super) fn is_answered_since(
        &self,
        player: PlayerId,
        id: &RequestId,
        at: WorldTime,
    ) -> bool {
        let known = self.known.get(&(player, id.as_str().to_owned()));
        known.is_some_and(|known| at <= known.since)
    }

    /// Drops the answers that a room may have forgotten.
    pub(super) fn drop_expired(&mut self, room: RoomNumber, now: TableTime) {
        let before = now.saturating_sub(ANSWER_RETENTION);
        let from = (room, TableTime::ZERO, PlayerId(0), String::new());
        while let Some(first) = self.by_time.range(&from..).next()
            && first.0 == room
            && first.1 < before
        {
            let first = first.clone();
            self.by_time.remove(&first);
            let (.., player, id) = first;
            self.known.remove(&(player, id));
        }
    }
}
