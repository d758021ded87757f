use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;
use war::recording::RecordingMetadata;
use war::support::hex::Hex;
use war::tokens::{Kind, TokenEvent};
use war_table::ladder::LadderUpdate;
use war_table::log::Leaf;
use war_table::protocol::PlayerId;
use war_table::room::{
    Match, NumberPool, OpponentChoice, Player, PlayerGameRecord, Room, RoomEvent, Timeouts,
};
use war_table::server::rooms::RoomNumber;
use war_table::server::store::{
    Answer, Damage, FriendLinkRecord, IncomingPlayer, Sequence, StoreError, StoredMessage,
    TokenHash,
};
use war_table::time::{TableTime, WallTime};
use war_table_cluster::leases::Epoch;

/// Committed data, indexed for lookup.
#[derive(Default)]
pub(super) struct StoreContents {
    pub(super) players: BTreeMap<PlayerId, (Player, TokenHash)>,
    /// Players by token hash, without house players.
    pub(super) tokens: BTreeMap<TokenHash, PlayerId>,
    /// Events by position, with their times.
    events: BTreeMap<u64, (WallTime, RoomEvent)>,
    next_event: u64,
    games: BTreeMap<u64, GameRecord>,
    next_game: u64,
    pub(super) outbox: BTreeMap<(PlayerId, u64), StoredMessage>,
    /// Time of each message: that of the last event recorded before the message.
    pub(super) message_times: BTreeMap<(PlayerId, u64), WallTime>,
    /// Time of the last event.
    last_event: WallTime,
    /// Answers with their time and room, by player and request.
    pub(super) answers: BTreeMap<(PlayerId, String), (Answer, TableTime, RoomNumber)>,
    /// Keys of the answers by room and time.
    pub(super) answers_by_time: BTreeSet<(RoomNumber, TableTime, PlayerId, String)>,
    leaves: BTreeMap<u64, Leaf>,
    pub(super) next_leaf: u64,
    times: BTreeMap<RoomNumber, TableTime>,
    /// Rooms that have claimed players, if there are several rooms.
    claims: BTreeMap<PlayerId, RoomNumber>,
    /// Waiting players with their choices.
    waiting: Vec<(PlayerId, RoomEvent)>,
    /// Waiting players forwarded to another room: game, waiting time and seed hash.
    forwarded: BTreeMap<PlayerId, (Kind, Duration, Hex<32>)>,
    /// Friend links, oldest first.
    pub(super) links: Vec<FriendLinkRecord>,
    /// Game of each player who is playing.
    seats: BTreeMap<PlayerId, u64>,
}

/// Data of a game.
#[derive(Default)]
struct GameRecord {
    /// Positions of the game's events.
    events: Vec<u64>,
    /// Positions of the game's leaves.
    leaves: Vec<u64>,
    settlement: Option<RecordingMetadata>,
    /// History entries of the game's players.
    history: Vec<PlayerGameRecord>,
}

impl StoreContents {
    /// Applies a committed write. `place` is the room of the write, if there are several rooms.
    pub(super) fn apply(&mut self, write: StoreWrite, place: Option<RoomNumber>) {
        let room = place.unwrap_or(RoomNumber(0));
        match write {
            StoreWrite::Register(id, player, token) => {
                if !player.house {
                    self.tokens.insert(token, id);
                }
                self.players.insert(id, (player, token));
                self.claims.extend(place.map(|room| (id, room)));
            }
            StoreWrite::Record(at, event) => self.record(at, event),
            StoreWrite::Append(leaf) => {
                let place = self.next_leaf;
                let game = self.games.entry(leaf.game()).or_default();
                game.leaves.push(place);
                self.leaves.insert(place, leaf);
                self.next_leaf += 1;
            }
            StoreWrite::SaveSettlement(game, settlement) => {
                self.games.entry(game).or_default().settlement = Some(settlement);
            }
            StoreWrite::SaveGame(game) => {
                self.games.entry(game.game).or_default().history.push(game);
            }
            StoreWrite::SaveMessage(player, message) => {
                let key = (player, message.seq);
                self.outbox.insert(key, message);
                self.message_times.insert(key, self.last_event);
            }
            StoreWrite::SaveAnswer(player, id, answer, at) => {
                self.answers_by_time.insert((room, at, player, id.clone()));
                self.answers.insert((player, id), (answer, at, room));
            }
            StoreWrite::SavePlayer(id, player) => {
                if let Some((known, _)) = self.players.get_mut(&id) {
                    *known = player;
                }
            }
            StoreWrite::DropAnswers(forgotten) => {
                for (player, id) in forgotten {
                    if let Some((_, at, room)) = self.answers.remove(&(player, id.clone())) {
                        self.answers_by_time.remove(&(room, at, player, id));
                    }
                }
            }
            StoreWrite::ForgetPlayer(player, token) => self.forget_player(player, token),
            StoreWrite::SaveLink(link) => self.links.push(link),
            StoreWrite::RemoveLink(player, id) => {
                self.links
                    .retain(|link| (link.player, link.id) != (player, id));
            }
            StoreWrite::DropMessages(last) => {
                for (player, last) in last {
                    self.drop_messages(player, last);
                }
            }
            StoreWrite::SaveTime(now) => {
                self.times.insert(room, now);
            }
            StoreWrite::Claim(player) => self.claims.extend(place.map(|room| (player, room))),
            StoreWrite::Release(player) => {
                self.claims.remove(&player);
            }
            StoreWrite::Forward(player, to) => {
                self.claims.insert(player, to);
            }
            // These are not part of the contents: the ladder can be computed from the games, and
            // ownership is kept in the rows of rooms.
            StoreWrite::SaveLadder(_)
            | StoreWrite::Take(..)
            | StoreWrite::BeginBatch(..)
            | StoreWrite::HandOver(..) => {}
        }
    }

    fn record(&mut self, at: WallTime, event: RoomEvent) {
        match &event {
            RoomEvent::Renamed { player, name } => {
                if let Some((known, _)) = self.players.get_mut(player) {
                    known.name = name.clone();
                }
            }
            RoomEvent::Chose { player, .. } => {
                self.waiting.retain(|(id, _)| id != player);
                self.waiting.push((*player, event.clone()));
            }
            RoomEvent::Cancelled { player } => {
                self.waiting.retain(|(id, _)| id != player);
            }
            &RoomEvent::SentOn {
                player,
                kind,
                waited,
                seed_hash,
                ..
            } => {
                self.waiting.retain(|(id, _)| *id != player);
                self.forwarded.insert(player, (kind, waited, seed_hash));
            }
            &RoomEvent::Came {
                player,
                kind,
                at,
                seed_hash,
            } => {
                self.forwarded.remove(&player);
                let chose = RoomEvent::Chose {
                    player,
                    kind,
                    at,
                    seed_hash: Some(seed_hash),
                    with: OpponentChoice::Anyone,
                };
                self.waiting.push((player, chose));
            }
            RoomEvent::Matched(Match { game, seats, .. }) => {
                self.waiting.retain(|(id, _)| !seats.contains(id));
                self.seats.extend(seats.map(|seat| (seat, *game)));
                self.next_game = self.next_game.max(game + 1);
            }
            RoomEvent::Played {
                seats,
                event: TokenEvent::Settled { .. },
                ..
            } => self.seats.retain(|player, _| !seats.contains(player)),
            RoomEvent::Played { .. }
            | RoomEvent::Joined { .. }
            | RoomEvent::WentOn { .. }
            | RoomEvent::Adjusted { .. }
            | RoomEvent::Banned { .. }
            | RoomEvent::Readmitted { .. }
            | RoomEvent::Forgotten { .. } => {}
        }
        self.last_event = at;
        if let Some(game) = event.game() {
            self.games
                .entry(game)
                .or_default()
                .events
                .push(self.next_event);
        }
        self.events.insert(self.next_event, (at, event));
        self.next_event += 1;
    }

    fn forget_player(&mut self, player: PlayerId, token: TokenHash) {
        if let Some((_, known)) = self.players.get_mut(&player) {
            let gone = std::mem::replace(known, token);
            self.tokens.remove(&gone);
            self.tokens.insert(token, player);
        }
        self.drop_messages(player, u64::MAX);
        self.links.retain(|link| link.player != player);
        self.answers.retain(|(to, _), _| *to != player);
        self.answers_by_time.retain(|(_, _, to, _)| *to != player);
    }

    /// Returns the events of a game, in order.
    pub(super) fn game_events(&self, game: u64) -> impl Iterator<Item = &RoomEvent> {
        let places = self.games.get(&game).into_iter();
        places.flat_map(|game| game.events.iter().map(|place| &self.events[place].1))
    }

    /// Returns the position of a game's first leaf.
    pub(super) fn first_leaf_position(&self, game: u64) -> Option<u64> {
        self.games.get(&game)?.leaves.first().copied()
    }

    /// Returns the time of a room.
    pub(super) fn time(&self, room: RoomNumber) -> TableTime {
        self.times.get(&room).copied().unwrap_or_default()
    }

    /// Returns the room that has claimed a player, if there are several rooms.
    pub(super) fn claiming_room(&self, player: PlayerId) -> Option<RoomNumber> {
        self.claims.get(&player).copied()
    }

    /// Returns true if a player waits or plays.
    pub(super) fn is_busy(&self, player: PlayerId) -> bool {
        let waits = self.waiting.iter().any(|(id, _)| *id == player);
        waits || self.forwarded.contains_key(&player) || self.seats.contains_key(&player)
    }

    /// Returns true if a player was forwarded to this room and has not arrived yet.
    pub(super) fn is_incoming(&self, player: PlayerId, room: Option<RoomNumber>) -> bool {
        self.forwarded.contains_key(&player) && self.claiming_room(player) == room
    }

    /// Returns all players forwarded to this room who have not arrived yet.
    pub(super) fn incoming_players(&self, room: Option<RoomNumber>) -> Vec<IncomingPlayer> {
        let to_coming =
            |(&id, &(kind, waited, seed_hash)): (&PlayerId, &(Kind, Duration, Hex<32>))| {
                let (player, _) = self.players.get(&id)?.clone();
                self.is_incoming(id, room).then_some(IncomingPlayer {
                    id,
                    player,
                    kind,
                    waited,
                    seed_hash,
                })
            };
        self.forwarded.iter().filter_map(to_coming).collect()
    }

    /// Returns the first unassigned number.
    pub(super) fn next_number(&self, of: Sequence) -> u64 {
        match of {
            Sequence::Players => self.players.last_key_value().map_or(1, |(id, _)| id.0 + 1),
            Sequence::Games => self.next_game.max(1),
        }
    }

    /// Restores a room as of the last commit. `place` is the room's number, if there are several
    /// rooms.
    pub(super) fn restore_room(
        &self,
        timeouts: Timeouts,
        players: NumberPool,
        games: NumberPool,
        place: Option<RoomNumber>,
    ) -> Result<Room, StoreError> {
        let mut room = Room::new(timeouts, players, games);
        let here = |id| place.is_none() || self.claiming_room(id) == place;
        for (id, (player, _)) in &self.players {
            let comes = self.forwarded.contains_key(id);
            if here(*id) && !comes && (player.house || self.is_busy(*id)) {
                room.admit(*id, player.clone());
            }
        }
        for (player, chose) in &self.waiting {
            if here(*player) {
                room.apply(chose).map_err(Damage::from)?;
            }
        }
        let seats = self.seats.iter().filter(|(player, _)| here(**player));
        let running: BTreeSet<_> = seats.map(|(_, game)| *game).collect();
        for event in running.into_iter().flat_map(|game| self.game_events(game)) {
            room.apply(event).map_err(Damage::from)?;
        }
        Ok(room)
    }

    /// Drops a settled game and its leaves.
    pub(super) fn drop_game(&mut self, game: u64) {
        let Some(game) = self.games.remove(&game) else {
            return;
        };
        for place in game.events {
            self.events.remove(&place);
        }
        for place in game.leaves {
            self.leaves.remove(&place);
        }
    }

    /// Drops the messages to a player up to this number.
    pub(super) fn drop_messages(&mut self, player: PlayerId, last: u64) {
        let gone = self.outbox.range((player, 0)..=(player, last));
        let gone: Vec<_> = gone.map(|(key, _)| *key).collect();
        for key in gone {
            self.outbox.remove(&key);
            self.message_times.remove(&key);
        }
    }

    pub(super) fn snapshot(&self) -> StoreSnapshot {
        let settlements = self.games.iter();
        let settlements = settlements.filter_map(|(number, game)| {
            let settlement = game.settlement.clone()?;
            Some((*number, settlement))
        });
        let finished = self.games.values().flat_map(|game| &game.history);
        let answers = self.answers.iter();
        let answers = answers.map(|(key, (answer, at, _))| (key.clone(), (*answer, *at)));
        StoreSnapshot {
            players: self.players.clone(),
            events: self.events.values().cloned().collect(),
            outbox: self.outbox.clone(),
            answers: answers.collect(),
            leaves: self.leaves.values().cloned().collect(),
            settlements: settlements.collect(),
            finished: finished.cloned().collect(),
            time: self.time(RoomNumber(0)),
        }
    }
}

/// Copy of the contents of a store in memory.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct StoreSnapshot {
    /// Players, with the hashes of their tokens.
    pub players: BTreeMap<PlayerId, (Player, TokenHash)>,
    /// Events in order, each with its time.
    pub events: Vec<(WallTime, RoomEvent)>,
    /// Messages by player and number.
    pub outbox: BTreeMap<(PlayerId, u64), StoredMessage>,
    /// Answers and their times, by player and `id` of the request.
    pub answers: BTreeMap<(PlayerId, String), (Answer, TableTime)>,
    /// Leaves of the log, in order.
    pub leaves: Vec<Leaf>,
    /// Journal data besides events, by game.
    pub settlements: BTreeMap<u64, RecordingMetadata>,
    /// History entries of settled games, one for each player.
    pub finished: Vec<PlayerGameRecord>,
    /// Time of the table's first room.
    pub time: TableTime,
}

/// Single write of a transaction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StoreWrite {
    /// New player, with a token hash.
    Register(PlayerId, Player, TokenHash),
    /// Event, with its time.
    Record(WallTime, RoomEvent),
    /// Leaf appended to the log.
    Append(Leaf),
    /// Settlement of a game: the data of the journal besides the events.
    SaveSettlement(u64, RecordingMetadata),
    /// History entry of a settled game for one of its players.
    SaveGame(PlayerGameRecord),
    /// Update of the ladder.
    SaveLadder(LadderUpdate),
    /// Message to a player.
    SaveMessage(PlayerId, StoredMessage),
    /// Answer to a player's request with this `id`, at this table time.
    SaveAnswer(PlayerId, String, Answer, TableTime),
    /// New state of a player, except for the activity, which is not stored.
    SavePlayer(PlayerId, Player),
    /// Removal of answers, by player and `id` of the request.
    DropAnswers(Vec<(PlayerId, String)>),
    /// Erasure of a player: this token hash replaces the player's token hash, and the player's
    /// messages, answers and friend links are dropped.
    ForgetPlayer(PlayerId, TokenHash),
    /// New friend link.
    SaveLink(FriendLinkRecord),
    /// Removal of a player's friend link with this ID.
    RemoveLink(PlayerId, Hex<8>),
    /// Removal of messages, up to a number for each player.
    DropMessages(BTreeMap<PlayerId, u64>),
    /// Table time of the room.
    SaveTime(TableTime),
    /// Claim of a room on a player, until the room releases the player.
    Claim(PlayerId),
    /// Release of a player by a room.
    Release(PlayerId),
    /// Forwarding of a waiting player to another room.
    Forward(PlayerId, RoomNumber),
    /// Takeover of a room by a node, with the new epoch. Recorded, but not applied.
    Take(RoomNumber, Epoch),
    /// Beginning of a batch of a room, with its epoch and number. Recorded, but not applied.
    BeginBatch(RoomNumber, Epoch, u64),
    /// Handover of a room by the owner of this epoch. Recorded, but not applied.
    HandOver(RoomNumber, Epoch),
}
