//! Buffered writes of a transaction, which are sent together with the commit.

use super::finished::FinishedGameRows;
use super::ladder;
use super::players::WaitingRows;
use super::statements::{
    AnswerRows, BatchKey, BatchWrite, EventRows, LeafRows, MessageRows, Param, SettlementRows,
    StatementName, TransferRows, batch_write, to_i64,
};
use std::collections::{BTreeMap, BTreeSet};
use war::recording::RecordingMetadata;
use war::support::hex::Hex;
use war::tokens::{Kind, TokenEvent};
use war_table::ladder::LadderUpdate;
use war_table::log::Leaf;
use war_table::protocol::{PlayerId, RequestId};
use war_table::room::{Match, OpponentChoice, PlayerGameRecord, RoomEvent};
use war_table::server::store::compute_transfers;
use war_table::server::store::{Answer, AnswerRecord, MessageRange, StoredMessage};
use war_table::time::{TableTime, WallTime, whole_millis};

/// Rows that a batch writes, other than players. Some rows are indexed for lookup.
#[derive(Default)]
pub(super) struct Batch {
    /// True once anything has been written.
    pub(super) has_writes: bool,
    /// Time of the last recorded event.
    at: WallTime,
    events: EventRows,
    transfers: TransferRows,
    leaves: LeafRows,
    settlements: SettlementRows,
    games: FinishedGameRows,
    ladder_update: Option<LadderUpdate>,
    /// Messages by player and number.
    pub(super) messages: BTreeMap<(PlayerId, u64), StoredMessage>,
    /// Events by game.
    pub(super) game_events: BTreeMap<u64, Vec<RoomEvent>>,
    /// Games for which a leaf was appended.
    pub(super) logged_games: BTreeSet<u64>,
    /// Answers and their times, by player and request.
    answers: BTreeMap<(PlayerId, String), (Answer, TableTime)>,
    /// Players whose rows in `waiting` are removed.
    no_longer_waiting: BTreeSet<PlayerId>,
    waiting: BTreeMap<PlayerId, (Kind, OpponentChoice, u64, Option<Hex<32>>)>,
    /// Players whose rows in `seat` are removed.
    no_longer_seated: BTreeSet<PlayerId>,
    seats: BTreeMap<PlayerId, u64>,
}

impl Batch {
    pub(super) fn record(&mut self, event: &RoomEvent, at: WallTime) {
        self.has_writes = true;
        self.at = at;
        let part = self.events.push(event, at);
        for transfer in compute_transfers(event) {
            self.transfers.push(part, &transfer);
        }
        if let Some(game) = event.game() {
            self.game_events
                .entry(game)
                .or_default()
                .push(event.clone());
        }
        match event {
            &RoomEvent::Chose {
                player,
                kind,
                at,
                seed_hash,
                with,
            } => {
                // A player who waits for a friend may choose the game again.
                if matches!(with, OpponentChoice::Friend { .. }) {
                    self.stop_waiting(player);
                }
                self.waiting
                    .insert(player, (kind, with, at.as_millis(), seed_hash));
            }
            &RoomEvent::SentOn {
                player,
                kind,
                waited,
                seed_hash,
                ..
            } => self.wait_for_anyone(player, kind, whole_millis(waited), seed_hash),
            &RoomEvent::Came {
                player,
                kind,
                at,
                seed_hash,
            } => self.wait_for_anyone(player, kind, at.as_millis(), seed_hash),
            RoomEvent::Cancelled { player } => self.stop_waiting(*player),
            RoomEvent::Matched(Match { game, seats, .. }) => {
                for seat in seats {
                    self.stop_waiting(*seat);
                }
                self.seats.extend(seats.map(|seat| (seat, *game)));
            }
            RoomEvent::Played {
                seats,
                event: TokenEvent::Settled { .. },
                ..
            } => {
                for seat in seats {
                    self.seats.remove(seat);
                    self.no_longer_seated.insert(*seat);
                }
            }
            _ => {}
        }
    }

    /// Replaces the `waiting` row of a player who accepts any opponent. `since` is the value of the
    /// column with that name: a table time, or the length of the wait if the player is forwarded to
    /// another room.
    fn wait_for_anyone(&mut self, player: PlayerId, kind: Kind, since: u64, seed_hash: Hex<32>) {
        self.stop_waiting(player);
        let row = (kind, OpponentChoice::Anyone, since, Some(seed_hash));
        self.waiting.insert(player, row);
    }

    fn stop_waiting(&mut self, player: PlayerId) {
        self.waiting.remove(&player);
        self.no_longer_waiting.insert(player);
    }

    pub(super) fn append(&mut self, leaf: &Leaf) {
        self.has_writes = true;
        self.logged_games.insert(leaf.game());
        self.leaves.push(leaf);
    }

    pub(super) fn save_settlement(&mut self, game: u64, settlement: &RecordingMetadata) {
        self.has_writes = true;
        self.settlements.push(game, settlement);
    }

    pub(super) fn save_game(&mut self, game: &PlayerGameRecord) {
        self.has_writes = true;
        self.games.push(game);
    }

    pub(super) fn save_ladder(&mut self, rated: &LadderUpdate) {
        self.has_writes = true;
        self.ladder_update = Some(rated.clone());
    }

    pub(super) fn save_message(&mut self, to: PlayerId, message: &StoredMessage) {
        self.has_writes = true;
        self.messages.insert((to, message.seq), message.clone());
    }

    pub(super) fn save_answer(&mut self, kept: &AnswerRecord<'_>) {
        self.has_writes = true;
        let key = (kept.player, kept.request.as_str().to_owned());
        self.answers.insert(key, (kept.answer, kept.at));
    }

    /// Answer of this batch to a player's request.
    pub(super) fn answer(&self, player: PlayerId, id: &RequestId) -> Option<Answer> {
        let key = (player, id.as_str().to_owned());
        let answered = self.answers.get(&key);
        answered.map(|(answer, _)| *answer)
    }

    /// Drops the messages and answers of a forgotten player.
    pub(super) fn forget(&mut self, player: PlayerId) {
        self.has_writes = true;
        self.messages.retain(|(to, _), _| *to != player);
        self.answers.retain(|(to, _), _| *to != player);
    }

    /// Messages of this batch to a player.
    pub(super) fn messages(
        &self,
        player: PlayerId,
        range: MessageRange,
    ) -> impl Iterator<Item = StoredMessage> {
        let has = move |seq: u64| (range.first()..=range.last()).contains(&seq);
        let posted = self.messages.range((player, 0)..=(player, u64::MAX));
        let posted = posted.filter(move |((_, seq), _)| has(*seq));
        posted.map(|(_, message)| message.clone())
    }

    /// Writes of the batch in order of execution: removals precede insertions into the same table.
    pub(super) fn into_writes(self, key: BatchKey, epoch: i64, time: TableTime) -> Vec<BatchWrite> {
        let BatchKey { room, seq } = key;
        let mut messages = MessageRows::default();
        for ((to, _), message) in self.messages {
            messages.push(to, message);
        }
        let mut answers = AnswerRows::default();
        for ((player, request), (answer, at)) in self.answers {
            answers.push(player, request, answer, at);
        }
        let mut waiting = WaitingRows::default();
        for (player, (kind, meeting, since, seed_hash)) in &self.waiting {
            waiting.push(*player, (*kind, *meeting), *since, seed_hash.as_ref());
        }
        let (seated, games_of): (Vec<_>, Vec<_>) = self.seats.into_iter().unzip();
        let seated = numbers(seated);
        let seat_games: Vec<i64> = games_of.into_iter().map(to_i64).collect();
        let is_seated = !seated.is_empty();
        let [games, tallies] = self.games.into_writes();
        let writes = [
            Some(batch_write!(
                InsertBatch,
                room,
                seq,
                epoch,
                to_i64(self.at.as_millis())
            )),
            self.events.into_write(key),
            self.transfers.into_write(key),
            messages.into_write(self.at),
            answers.into_write(key),
            delete_rows(StatementName::DeleteWaiting, self.no_longer_waiting),
            waiting.into_write(key),
            delete_rows(StatementName::DeleteSeats, self.no_longer_seated),
            is_seated.then(|| batch_write!(InsertSeats, room, seated, seat_games)),
            self.leaves.into_write(key),
            self.settlements.into_write(),
            games,
            tallies,
            Some(batch_write!(SetTime, room, to_i64(time.as_millis()))),
        ];
        let rated = self
            .ladder_update
            .iter()
            .flat_map(ladder::build_ladder_writes);
        writes.into_iter().flatten().chain(rated).collect()
    }
}

/// Creates a write that removes the rows of these players; `None` if there are no players.
fn delete_rows(statement: StatementName, players: BTreeSet<PlayerId>) -> Option<BatchWrite> {
    let players = numbers(players);
    let is_empty = players.is_empty();
    let params: Vec<Param> = vec![Box::new(players)];
    (!is_empty).then_some(BatchWrite { statement, params })
}

fn numbers(players: impl IntoIterator<Item = PlayerId>) -> Vec<i64> {
    players.into_iter().map(|id| to_i64(id.0)).collect()
}
