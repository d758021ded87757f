//! What a transaction has written so far: all of it is sent together with the commit.

use super::finished::Games;
use super::ladder;
use super::people::Waiting;
use super::statements::{
    Answers, Events, Leaves, Messages, Param, Place, Settlements, Sql, Transfers, Write, signed,
    write,
};
use std::collections::{BTreeMap, BTreeSet};
use war::recording::Settlement;
use war::support::hex::Hex;
use war::tokens::{Kind, TokenEvent};
use war_table::ladder::LadderUpdate;
use war_table::log::Leaf;
use war_table::protocol::{PlayerId, RequestId};
use war_table::room::{FinishedGame, Match, Meeting, RoomEvent};
use war_table::server::store::transfers;
use war_table::server::store::{Answer, KeptAnswer, MessageRange};

/// The rows of a batch that are not players, and what can be found among them.
#[derive(Default)]
pub(super) struct Batch {
    /// Whether anything is written.
    pub(super) wrote: bool,
    /// When something was recorded last, by the wall clock.
    at: u64,
    events: Events,
    transfers: Transfers,
    leaves: Leaves,
    settlements: Settlements,
    games: Games,
    rated: Option<LadderUpdate>,
    /// The messages, by player and number.
    pub(super) posted: BTreeMap<(PlayerId, u64), String>,
    /// The events of games.
    pub(super) played: BTreeMap<u64, Vec<RoomEvent>>,
    /// The games that have got a leaf.
    pub(super) logged: BTreeSet<u64>,
    /// What is answered and when, by player and request.
    answered: BTreeMap<(PlayerId, String), (Answer, u64)>,
    /// Those who wait no longer, of those who waited before.
    stopped: BTreeSet<PlayerId>,
    waiting: BTreeMap<PlayerId, (Kind, Meeting, u64, Option<Hex<32>>)>,
    /// Those who play no longer, of those who played before.
    stood_up: BTreeSet<PlayerId>,
    seats: BTreeMap<PlayerId, u64>,
}

impl Batch {
    pub(super) fn record(&mut self, event: &RoomEvent, at: u64) {
        self.wrote = true;
        self.at = at;
        let part = self.events.push(event, at);
        for transfer in transfers(event) {
            self.transfers.push(part, &transfer);
        }
        if let Some(game) = event.game() {
            self.played.entry(game).or_default().push(event.clone());
        }
        match event {
            &RoomEvent::Chose {
                player,
                kind,
                at,
                seed_hash,
                with,
            } => {
                self.waiting.insert(player, (kind, with, at, seed_hash));
            }
            &RoomEvent::SentOn {
                player,
                kind,
                waited: since,
                seed_hash,
                ..
            }
            | &RoomEvent::Came {
                player,
                kind,
                at: since,
                seed_hash,
            } => {
                self.stop_waiting(player);
                let waits = (kind, Meeting::Anyone, since, Some(seed_hash));
                self.waiting.insert(player, waits);
            }
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
                    self.stood_up.insert(*seat);
                }
            }
            _ => {}
        }
    }

    fn stop_waiting(&mut self, player: PlayerId) {
        self.waiting.remove(&player);
        self.stopped.insert(player);
    }

    pub(super) fn append(&mut self, leaf: &Leaf) {
        self.wrote = true;
        self.logged.insert(leaf.game());
        self.leaves.push(leaf);
    }

    pub(super) fn keep_settlement(&mut self, game: u64, settlement: &Settlement) {
        self.wrote = true;
        self.settlements.push(game, settlement);
    }

    pub(super) fn keep_game(&mut self, game: &FinishedGame) {
        self.wrote = true;
        self.games.push(game);
    }

    pub(super) fn keep_ladder(&mut self, rated: &LadderUpdate) {
        self.wrote = true;
        self.rated = Some(rated.clone());
    }

    pub(super) fn post(&mut self, to: PlayerId, seq: u64, body: &str) {
        self.wrote = true;
        self.posted.insert((to, seq), body.to_owned());
    }

    pub(super) fn keep_answer(&mut self, kept: &KeptAnswer<'_>) {
        self.wrote = true;
        let key = (kept.player, kept.request.as_str().to_owned());
        self.answered.insert(key, (kept.answer, kept.at));
    }

    /// What a player is answered by this batch.
    pub(super) fn answer(&self, player: PlayerId, id: &RequestId) -> Option<Answer> {
        let key = (player, id.as_str().to_owned());
        let answered = self.answered.get(&key);
        answered.map(|(answer, _)| *answer)
    }

    /// Drops what this batch has for a player who is forgotten.
    pub(super) fn forget(&mut self, player: PlayerId) {
        self.wrote = true;
        self.posted.retain(|(to, _), _| *to != player);
        self.answered.retain(|(to, _), _| *to != player);
    }

    /// The messages that this batch posts to a player.
    pub(super) fn messages(
        &self,
        player: PlayerId,
        range: MessageRange,
    ) -> impl Iterator<Item = (u64, String)> {
        let has = move |seq: u64| (range.first()..=range.last()).contains(&seq);
        let posted = self.posted.range((player, 0)..=(player, u64::MAX));
        let posted = posted.filter(move |((_, seq), _)| has(*seq));
        posted.map(|((_, seq), body)| (*seq, body.clone()))
    }

    /// All that is written, in order: what a batch removes may be there again.
    pub(super) fn writes(self, place: Place, epoch: i64, time: u64) -> Vec<Write> {
        let Place { room, seq } = place;
        let mut messages = Messages::default();
        for ((to, seq), body) in self.posted {
            messages.push(to, seq, body);
        }
        let mut answers = Answers::default();
        for ((player, request), (answer, at)) in self.answered {
            answers.push(player, request, answer, at);
        }
        let mut waiting = Waiting::default();
        for (player, (kind, meeting, since, seed_hash)) in &self.waiting {
            waiting.push(*player, (*kind, *meeting), *since, seed_hash.as_ref());
        }
        let (sat, games): (Vec<_>, Vec<_>) = self.seats.into_iter().unzip();
        let sat = numbers(sat);
        let games: Vec<i64> = games.into_iter().map(signed).collect();
        let is_seated = !sat.is_empty();
        let [games_over, figures] = self.games.write();
        let writes = [
            Some(write!(Batch, room, seq, epoch, signed(self.at))),
            self.events.write(place),
            self.transfers.write(place),
            messages.write(self.at),
            answers.write(place),
            remove(Sql::StopWaiting, self.stopped),
            waiting.write(place),
            remove(Sql::StandUp, self.stood_up),
            is_seated.then(|| write!(SitDown, room, sat, games)),
            self.leaves.write(place),
            self.settlements.write(),
            games_over,
            figures,
            Some(write!(Time, room, signed(time))),
        ];
        let rated = self.rated.iter().flat_map(ladder::writes);
        writes.into_iter().flatten().chain(rated).collect()
    }
}

/// Removes the rows of some players, if there are any.
fn remove(sql: Sql, players: BTreeSet<PlayerId>) -> Option<Write> {
    let players = numbers(players);
    let is_empty = players.is_empty();
    let params: Vec<Param> = vec![Box::new(players)];
    (!is_empty).then_some(Write { sql, params })
}

fn numbers(players: impl IntoIterator<Item = PlayerId>) -> Vec<i64> {
    players.into_iter().map(|id| signed(id.0)).collect()
}
