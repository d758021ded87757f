use std::collections::{BTreeMap, BTreeSet};
use war::recording::Settlement;
use war::support::hex::Hex;
use war::tokens::{Kind, TokenEvent};
use war_table::ladder::LadderUpdate;
use war_table::log::Leaf;
use war_table::protocol::PlayerId;
use war_table::room::{
    FinishedGame, Match, Meeting, NumberPool, Player, Room, RoomEvent, Timeouts,
};
use war_table::server::rooms::RoomNumber;
use war_table::server::store::{Answer, Coming, Damage, Numbered, StoreError, TokenHash};
use war_table_cluster::leases::Epoch;

/// All that was committed, as it is looked for.
#[derive(Default)]
pub(super) struct Kept {
    pub(super) players: BTreeMap<PlayerId, (Player, TokenHash)>,
    /// Whose token it is; the house comes back with none.
    pub(super) tokens: BTreeMap<TokenHash, PlayerId>,
    /// The events by their place, each with its time.
    events: BTreeMap<u64, (u64, RoomEvent)>,
    next_event: u64,
    games: BTreeMap<u64, Game>,
    next_game: u64,
    pub(super) outbox: BTreeMap<(PlayerId, u64), String>,
    /// When each message was posted: with the event before it.
    pub(super) posted: BTreeMap<(PlayerId, u64), u64>,
    /// When the last event happened.
    last_event: u64,
    /// What was answered, and at which time of which room.
    pub(super) answers: BTreeMap<(PlayerId, String), (Answer, u64, RoomNumber)>,
    /// The answers of each room by their time.
    pub(super) answered: BTreeSet<(RoomNumber, u64, PlayerId, String)>,
    leaves: BTreeMap<u64, Leaf>,
    pub(super) next_leaf: u64,
    /// The time of each room.
    times: BTreeMap<RoomNumber, u64>,
    /// Which room has claimed whom, where there are several.
    places: BTreeMap<PlayerId, RoomNumber>,
    /// Who waits, each by what they chose.
    waiting: Vec<(PlayerId, RoomEvent)>,
    /// Those who wait and were sent on to another room: for what, for how long, and committed to
    /// which seed.
    sent_on: BTreeMap<PlayerId, (Kind, u64, Hex<32>)>,
    /// Who plays in which game.
    seats: BTreeMap<PlayerId, u64>,
}

/// What belongs to a game.
#[derive(Default)]
struct Game {
    /// The places of its events.
    events: Vec<u64>,
    /// The places of its leaves.
    leaves: Vec<u64>,
    settlement: Option<Settlement>,
    /// What is kept of it for its players.
    kept: Vec<FinishedGame>,
}

impl Kept {
    /// Takes what was committed, in a room of several or in the only one.
    pub(super) fn apply(&mut self, write: Write, place: Option<RoomNumber>) {
        let room = place.unwrap_or(RoomNumber(0));
        match write {
            Write::Register(id, player, token) => {
                if !player.house {
                    self.tokens.insert(token, id);
                }
                self.players.insert(id, (player, token));
                self.places.extend(place.map(|room| (id, room)));
            }
            Write::Record(at, event) => self.record(at, event),
            Write::Append(leaf) => {
                let place = self.next_leaf;
                let game = self.games.entry(leaf.game()).or_default();
                game.leaves.push(place);
                self.leaves.insert(place, leaf);
                self.next_leaf += 1;
            }
            Write::Settle(game, settlement) => {
                self.games.entry(game).or_default().settlement = Some(settlement);
            }
            Write::Finish(game) => {
                self.games.entry(game.game).or_default().kept.push(game);
            }
            Write::Post(player, seq, body) => {
                self.outbox.insert((player, seq), body);
                self.posted.insert((player, seq), self.last_event);
            }
            Write::Answer(player, id, answer, at) => {
                self.answered.insert((room, at, player, id.clone()));
                self.answers.insert((player, id), (answer, at, room));
            }
            Write::Persist(id, player) => {
                if let Some((known, _)) = self.players.get_mut(&id) {
                    *known = player;
                }
            }
            Write::Forget(forgotten) => {
                for (player, id) in forgotten {
                    if let Some((_, at, room)) = self.answers.remove(&(player, id.clone())) {
                        self.answered.remove(&(room, at, player, id));
                    }
                }
            }
            Write::Unknow(player, token) => self.unknow(player, token),
            Write::Retain(last) => {
                for (player, last) in last {
                    self.drop_messages(player, last);
                }
            }
            Write::Time(now) => {
                self.times.insert(room, now);
            }
            Write::Claim(player) => self.places.extend(place.map(|room| (player, room))),
            Write::Release(player) => {
                self.places.remove(&player);
            }
            Write::SendOn(player, to) => {
                self.places.insert(player, to);
            }
            // It follows from the games; and what is of the row.
            Write::Rate(_) | Write::Take(..) | Write::Batch(..) | Write::HandOver(..) => {}
        }
    }

    fn record(&mut self, at: u64, event: RoomEvent) {
        match &event {
            RoomEvent::Renamed { player, name } => {
                if let Some((known, _)) = self.players.get_mut(player) {
                    known.name = name.clone();
                }
            }
            RoomEvent::Chose { player, .. } => self.waiting.push((*player, event.clone())),
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
                self.sent_on.insert(player, (kind, waited, seed_hash));
            }
            &RoomEvent::Came {
                player,
                kind,
                at,
                seed_hash,
            } => {
                self.sent_on.remove(&player);
                let chose = RoomEvent::Chose {
                    player,
                    kind,
                    at,
                    seed_hash: Some(seed_hash),
                    with: Meeting::Anyone,
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

    fn unknow(&mut self, player: PlayerId, token: TokenHash) {
        if let Some((_, known)) = self.players.get_mut(&player) {
            let gone = std::mem::replace(known, token);
            self.tokens.remove(&gone);
            self.tokens.insert(token, player);
        }
        self.drop_messages(player, u64::MAX);
        self.answers.retain(|(to, _), _| *to != player);
        self.answered.retain(|(_, _, to, _)| *to != player);
    }

    /// The events of a game, in order.
    pub(super) fn game(&self, game: u64) -> impl Iterator<Item = &RoomEvent> {
        let places = self.games.get(&game).into_iter();
        places.flat_map(|game| game.events.iter().map(|place| &self.events[place].1))
    }

    /// The place of a game's first leaf.
    pub(super) fn first_leaf(&self, game: u64) -> Option<u64> {
        self.games.get(&game)?.leaves.first().copied()
    }

    /// The time of a room.
    pub(super) fn time(&self, room: RoomNumber) -> u64 {
        self.times.get(&room).copied().unwrap_or_default()
    }

    /// Which room has claimed a player, if there are several.
    pub(super) fn place(&self, player: PlayerId) -> Option<RoomNumber> {
        self.places.get(&player).copied()
    }

    /// Whether a player waits or plays.
    pub(super) fn is_busy(&self, player: PlayerId) -> bool {
        let waits = self.waiting.iter().any(|(id, _)| *id == player);
        waits || self.sent_on.contains_key(&player) || self.seats.contains_key(&player)
    }

    /// Whether a player was sent on to this room, which has not recorded that they came.
    pub(super) fn comes(&self, player: PlayerId, room: Option<RoomNumber>) -> bool {
        self.sent_on.contains_key(&player) && self.place(player) == room
    }

    /// All of them.
    pub(super) fn coming(&self, room: Option<RoomNumber>) -> Vec<Coming> {
        let comes = |(&id, &(kind, waited, seed_hash)): (&PlayerId, &(Kind, u64, Hex<32>))| {
            let (player, _) = self.players.get(&id)?.clone();
            self.comes(id, room).then_some(Coming {
                id,
                player,
                kind,
                waited,
                seed_hash,
            })
        };
        self.sent_on.iter().filter_map(comes).collect()
    }

    /// The first number that was not given yet.
    pub(super) fn next(&self, of: Numbered) -> u64 {
        match of {
            Numbered::Players => self.players.last_key_value().map_or(1, |(id, _)| id.0 + 1),
            Numbered::Games => self.next_game.max(1),
        }
    }

    /// The room as it was after the last commit, which gives these numbers: that of several, or
    /// the only one.
    pub(super) fn room(
        &self,
        timeouts: Timeouts,
        players: NumberPool,
        games: NumberPool,
        place: Option<RoomNumber>,
    ) -> Result<Room, StoreError> {
        let mut room = Room::new(timeouts, players, games);
        let here = |id| place.is_none() || self.place(id) == place;
        for (id, (player, _)) in &self.players {
            let comes = self.sent_on.contains_key(id);
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
        for event in running.into_iter().flat_map(|game| self.game(game)) {
            room.apply(event).map_err(Damage::from)?;
        }
        Ok(room)
    }

    /// Drops a game that is over, and its leaves.
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

    /// Drops the messages to a player up to this one.
    pub(super) fn drop_messages(&mut self, player: PlayerId, last: u64) {
        let gone = self.outbox.range((player, 0)..=(player, last));
        let gone: Vec<_> = gone.map(|(key, _)| *key).collect();
        for key in gone {
            self.outbox.remove(&key);
            self.posted.remove(&key);
        }
    }

    /// A copy of all of it.
    pub(super) fn committed(&self) -> Committed {
        let settlements = self.games.iter();
        let settlements = settlements.filter_map(|(number, game)| {
            let settlement = game.settlement.clone()?;
            Some((*number, settlement))
        });
        let finished = self.games.values().flat_map(|game| &game.kept);
        let answers = self.answers.iter();
        let answers = answers.map(|(key, (answer, at, _))| (key.clone(), (*answer, *at)));
        Committed {
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

/// What a store in memory holds.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Committed {
    /// The players, with the hashes of their tokens.
    pub players: BTreeMap<PlayerId, (Player, TokenHash)>,
    /// The events in order, each with its time.
    pub events: Vec<(u64, RoomEvent)>,
    /// The messages to each player, by number.
    pub outbox: BTreeMap<(PlayerId, u64), String>,
    /// What was answered, by player and the request's `id`, and when.
    pub answers: BTreeMap<(PlayerId, String), (Answer, u64)>,
    /// The leaves of the log, in order.
    pub leaves: Vec<Leaf>,
    /// What the journals say besides their events, by game.
    pub settlements: BTreeMap<u64, Settlement>,
    /// The games that are over, for each of their players.
    pub finished: Vec<FinishedGame>,
    /// The table's time: that of its first room.
    pub time: u64,
}

/// One thing that a transaction writes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Write {
    /// A player joins.
    Register(PlayerId, Player, TokenHash),
    /// An event, and when it happened.
    Record(u64, RoomEvent),
    /// A leaf of the log.
    Append(Leaf),
    /// What the journal of a game says besides its events.
    Settle(u64, Settlement),
    /// A game that is over, for one of its players.
    Finish(FinishedGame),
    /// What the ladder has become.
    Rate(LadderUpdate),
    /// A message to a player, with its number.
    Post(PlayerId, u64, String),
    /// What a player is answered to the request of this `id`, and when.
    Answer(PlayerId, String, Answer, u64),
    /// All of a player but what they are doing.
    Persist(PlayerId, Player),
    /// Answers that are forgotten: whose, and to which `id`.
    Forget(Vec<(PlayerId, String)>),
    /// A player is forgotten: somebody else's token takes the place of theirs, and their messages
    /// and answers go.
    Unknow(PlayerId, TokenHash),
    /// Messages that are removed: to whom, and up to which number.
    Retain(BTreeMap<PlayerId, u64>),
    /// The table's time.
    Time(u64),
    /// A room claims a player, and no other one may until it lets them go.
    Claim(PlayerId),
    /// A room lets a player go.
    Release(PlayerId),
    /// A room lets another one have a player who waits.
    SendOn(PlayerId, RoomNumber),
    /// A node takes a room, in this epoch: shown to who watches a store that nodes share.
    Take(RoomNumber, Epoch),
    /// What follows is a batch of a room in this epoch, with its number; shown as well.
    Batch(RoomNumber, Epoch, u64),
    /// The owner of this epoch hands a room over; shown as well.
    HandOver(RoomNumber, Epoch),
}
