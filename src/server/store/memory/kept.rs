use super::{Committed, Write};
use crate::hex::Hex;
use crate::log::Leaf;
use crate::recording::Settlement;
use crate::room::{Match, Numbers, Player, PlayerId, Room, RoomEvent, Timeouts};
use crate::server::store::{Answer, Damage, Numbered, StoreError, TokenHash};
use crate::tokens::{Kind, TokenEvent};
use std::collections::{BTreeMap, BTreeSet};

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
    pub(super) answers: BTreeMap<(PlayerId, String), (Answer, u64)>,
    /// The answers by their time.
    pub(super) answered: BTreeSet<(u64, PlayerId, String)>,
    leaves: BTreeMap<u64, Leaf>,
    pub(super) next_leaf: u64,
    pub(super) time: u64,
    /// Who waits for what, since when, and committed to which seed.
    waiting: Vec<(PlayerId, Kind, u64, Option<Hex<32>>)>,
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
}

impl Kept {
    /// Takes what was committed.
    pub(super) fn apply(&mut self, write: Write) {
        match write {
            Write::Register(id, player, token) => {
                if !player.house {
                    self.tokens.insert(token, id);
                }
                self.players.insert(id, (player, token));
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
            Write::Post(player, seq, body) => {
                self.outbox.insert((player, seq), body);
            }
            Write::Answer(player, id, answer, at) => {
                self.answered.insert((at, player, id.clone()));
                self.answers.insert((player, id), (answer, at));
            }
            Write::Persist(id, player) => {
                if let Some((known, _)) = self.players.get_mut(&id) {
                    *known = player;
                }
            }
            Write::Forget(forgotten) => {
                for (player, id) in forgotten {
                    if let Some((_, at)) = self.answers.remove(&(player, id.clone())) {
                        self.answered.remove(&(at, player, id));
                    }
                }
            }
            Write::Time(now) => self.time = now,
            // Of the row.
            Write::Take(_) | Write::Batch(..) | Write::HandOver(_) => {}
        }
    }

    fn record(&mut self, at: u64, event: RoomEvent) {
        match &event {
            RoomEvent::Renamed { player, name } => {
                if let Some((known, _)) = self.players.get_mut(player) {
                    known.name = name.clone();
                }
            }
            &RoomEvent::Chose {
                player,
                kind,
                at,
                seed_hash,
            } => self.waiting.push((player, kind, at, seed_hash)),
            RoomEvent::Cancelled { player } => self.waiting.retain(|(id, ..)| id != player),
            RoomEvent::Matched(Match { game, seats, .. }) => {
                self.waiting.retain(|(id, ..)| *id != seats[0]);
                self.seats.extend(seats.map(|seat| (seat, *game)));
                self.next_game = self.next_game.max(game + 1);
            }
            RoomEvent::Played {
                seats,
                event: TokenEvent::Settled { .. },
                ..
            } => self.seats.retain(|player, _| !seats.contains(player)),
            RoomEvent::Played { .. } | RoomEvent::Joined { .. } | RoomEvent::WentOn { .. } => {}
        }
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

    /// The events of a game, in order.
    pub(super) fn game(&self, game: u64) -> impl Iterator<Item = &RoomEvent> {
        let places = self.games.get(&game).into_iter();
        places.flat_map(|game| game.events.iter().map(|place| &self.events[place].1))
    }

    /// The place of a game's first leaf.
    pub(super) fn first_leaf(&self, game: u64) -> Option<u64> {
        self.games.get(&game)?.leaves.first().copied()
    }

    /// Whether a player waits or plays.
    pub(super) fn is_busy(&self, player: PlayerId) -> bool {
        let waits = self.waiting.iter().any(|(id, ..)| *id == player);
        waits || self.seats.contains_key(&player)
    }

    /// The first number that was not given yet.
    pub(super) fn next(&self, of: Numbered) -> u64 {
        match of {
            Numbered::Players => self.players.last_key_value().map_or(1, |(id, _)| id.0 + 1),
            Numbered::Games => self.next_game.max(1),
        }
    }

    /// The room as it was after the last commit, which gives these numbers.
    pub(super) fn room(
        &self,
        timeouts: Timeouts,
        players: Numbers,
        games: Numbers,
    ) -> Result<Room, StoreError> {
        let mut room = Room::new(timeouts, players, games);
        let here = |id| self.is_busy(id);
        for (id, (player, _)) in &self.players {
            if player.house || here(*id) {
                room.admit(*id, player.clone());
            }
        }
        for &(player, kind, at, seed_hash) in &self.waiting {
            let chose = RoomEvent::Chose {
                player,
                kind,
                at,
                seed_hash,
            };
            room.apply(&chose).map_err(Damage::from)?;
        }
        let running: BTreeSet<_> = self.seats.values().copied().collect();
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
        }
    }

    /// A copy of all of it.
    pub(super) fn committed(&self) -> Committed {
        let settlements = self.games.iter();
        let settlements = settlements.filter_map(|(number, game)| {
            let settlement = game.settlement.clone()?;
            Some((*number, settlement))
        });
        Committed {
            players: self.players.clone(),
            events: self.events.values().cloned().collect(),
            outbox: self.outbox.clone(),
            answers: self.answers.clone(),
            leaves: self.leaves.values().cloned().collect(),
            settlements: settlements.collect(),
            time: self.time,
        }
    }
}
