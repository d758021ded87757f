//! Laws of matchmaking and presence.

use super::law::{LawResult, ensure};
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;
use war::tokens::Kind;
use war_table::protocol::PlayerId;
use war_table::room::{Match, OpponentChoice, RoomEvent};
use war_table::server::rooms::{RoomCount, RoomNumber};
use war_table::time::{TableTime, whole_millis};

/// Longest wait for an opponent by the table's time: three seconds, plus the time for which a node
/// may be stopped while the room still counts as served.
const MAX_WAIT: Duration = Duration::from_millis(3_000 + 2_500);

/// Limit on games remembered.
const MAX_REMEMBERED: usize = 10_000;

/// Laws of waiting players, with the players present in each room.
pub(crate) struct MatchmakingLaws {
    /// Choice of each waiting player: room, game, start of the wait, and opponent.
    queue: BTreeMap<PlayerId, (RoomNumber, Kind, TableTime, OpponentChoice)>,
    /// Players of the last games.
    game_players: BTreeMap<u64, [PlayerId; 2]>,
    /// House players.
    house_players: BTreeSet<PlayerId>,
    forgotten: BTreeSet<PlayerId>,
    /// Number of games between players who chose each other.
    pub(crate) chosen_opponent_games: u64,
    /// Game and waiting time of players forwarded to a room where they have not arrived.
    forwarded: BTreeMap<PlayerId, (Kind, Duration)>,
    /// Number of connections of each player in each room, and the table time at which the first of
    /// them began.
    present: BTreeMap<(RoomNumber, PlayerId), (u32, TableTime)>,
    rooms: RoomCount,
    /// True if there are house players.
    has_house: bool,
    /// Number of choices made outside the matchmaking room of the game.
    pub(crate) misplaced_choices: u64,
    /// True while the table is draining, so that no new game starts.
    pub(crate) is_draining: bool,
}

impl MatchmakingLaws {
    pub(super) const fn new(has_house: bool, rooms: RoomCount) -> Self {
        Self {
            queue: BTreeMap::new(),
            game_players: BTreeMap::new(),
            house_players: BTreeSet::new(),
            forgotten: BTreeSet::new(),
            chosen_opponent_games: 0,
            forwarded: BTreeMap::new(),
            present: BTreeMap::new(),
            rooms,
            has_house,
            misplaced_choices: 0,
            is_draining: false,
        }
    }

    pub(super) fn apply(&mut self, room: RoomNumber, event: &RoomEvent) -> LawResult {
        match event {
            RoomEvent::Joined {
                player,
                house: true,
                ..
            } => {
                self.house_players.insert(*player);
                Ok(())
            }
            RoomEvent::Forgotten { player } => {
                let waits = self.queue.contains_key(player);
                ensure("who is forgotten waits no longer", !waits, || {
                    player.to_string()
                })?;
                let new = self.forgotten.insert(*player);
                ensure("nobody is forgotten twice", new, || player.to_string())
            }
            RoomEvent::Chose {
                player,
                kind,
                at,
                with,
                ..
            } => {
                let known = !self.forgotten.contains(player);
                ensure("who is forgotten asks for no game", known, || {
                    player.to_string()
                })?;
                let meets_elsewhere = self.rooms.matchmaking_room(*kind) != room;
                self.misplaced_choices += u64::from(with.is_anyone() && meets_elsewhere);
                let place = with
                    .to_filter()
                    .and_then(|whom| self.rooms.private_room(whom));
                ensure(
                    "those who want to play with one another meet in one room",
                    place.is_none_or(|place| place == room),
                    || format!("{player} in {room} for {with:?}"),
                )?;
                let choice = (room, *kind, *at, *with);
                let before = self.queue.insert(*player, choice);
                let may_wait = before.is_none_or(|(.., before)| {
                    before == *with && matches!(with, OpponentChoice::Friend { .. })
                });
                ensure("nobody waits twice", may_wait, || player.to_string())
            }
            RoomEvent::SentOn {
                player,
                room: to,
                kind,
                waited,
                ..
            } => {
                let before = self.queue.remove(player);
                let waits = before.is_some_and(|(place, game, _, with)| {
                    (place, game) == (room, *kind) && with.is_anyone()
                });
                ensure("who is sent on was waiting", waits, || player.to_string())?;
                let meeting = self.rooms.matchmaking_room(*kind);
                let meets = room != meeting && *to == meeting.0;
                ensure(
                    "those who want the same game meet in one room",
                    meets,
                    || format!("{player} from {room} to {to}"),
                )?;
                self.forwarded.insert(*player, (*kind, *waited));
                Ok(())
            }
            RoomEvent::Came {
                player, kind, at, ..
            } => {
                self.queue
                    .insert(*player, (room, *kind, *at, OpponentChoice::Anyone));
                let sent = self.forwarded.remove(player);
                let meeting = self.rooms.matchmaking_room(*kind);
                let comes = room == meeting && sent.is_some_and(|(game, _)| game == *kind);
                ensure("who comes was sent on", comes, || {
                    format!("{player} to {room}")
                })
            }
            RoomEvent::Cancelled { player } => {
                let waited = self.queue.remove(player).is_some();
                ensure("who leaves was waiting", waited, || player.to_string())
            }
            RoomEvent::Matched(matched) => {
                let [first, second] = matched.seats;
                let waited = self.queue.remove(&first);
                // The second player is also in the queue if that player waited in another room.
                self.queue.remove(&second);
                ensure(
                    "who waits longest plays first",
                    waited.is_some_and(|(place, kind, ..)| (place, kind) == (room, matched.kind)),
                    || format!("{first} {waited:?}"),
                )?;
                self.check_opponents(
                    matched,
                    waited.map_or(OpponentChoice::Anyone, |(.., with)| with),
                )
            }
            _ => Ok(()),
        }
    }

    /// Checks that players who chose an opponent got that opponent. `waited` is the choice of the
    /// player who waited.
    fn check_opponents(&mut self, matched: &Match, waited: OpponentChoice) -> LawResult {
        let [first, second] = matched.seats;
        let house = matched.seats.map(|seat| self.house_players.contains(&seat));
        let is_right = match matched.with {
            OpponentChoice::Anyone => waited.is_anyone(),
            OpponentChoice::House => waited == OpponentChoice::House && house == [false, true],
            OpponentChoice::Invitation(_) => waited == matched.with && house == [false; 2],
            OpponentChoice::Rematch { game, opponent } => {
                let opponents = OpponentChoice::Rematch {
                    game,
                    opponent: second,
                };
                let before = self.game_players.get(&game);
                let same =
                    before.is_none_or(|before| before.contains(&first) && before.contains(&second));
                waited == opponents && opponent == first && same
            }
            OpponentChoice::Friend { inviter, .. } => {
                waited == matched.with && (first == inviter) != (second == inviter)
            }
        };
        self.chosen_opponent_games += u64::from(!matched.with.is_anyone());
        self.game_players.insert(matched.game, matched.seats);
        if self.game_players.len() > MAX_REMEMBERED {
            self.game_players.pop_first();
        }
        ensure("who asks for somebody meets them", is_right, || {
            format!(
                "{:?} by {:?}, who waited for {waited:?}",
                matched.seats, matched.with
            )
        })
    }

    /// Returns the number of forgotten players.
    pub(crate) fn forgotten_count(&self) -> u64 {
        self.forgotten.len() as u64
    }

    /// Checks that no two players wait who could play each other.
    pub(super) fn check_pairs(&self) -> LawResult {
        for kind in Kind::ALL {
            let wait = self.queue.values();
            let wait = wait.filter(|(_, game, _, with)| *game == kind && with.is_anyone());
            let wait: Vec<_> = wait.map(|(room, ..)| *room).collect();
            let rooms: BTreeSet<_> = wait.iter().collect();
            ensure(
                "those who wait for a game meet",
                rooms.len() == wait.len(),
                || format!("{} wait for {} in {rooms:?}", wait.len(), kind.name()),
            )?;
        }
        let mut wanted = BTreeSet::new();
        for (player, (.., with)) in &self.queue {
            let alone = match *with {
                // Friends wait until both are ready.
                OpponentChoice::Anyone | OpponentChoice::Friend { .. } => true,
                OpponentChoice::House => false,
                OpponentChoice::Invitation(_) => wanted.insert(*with),
                OpponentChoice::Rematch { game, opponent } => {
                    let other = self.queue.get(&opponent).map(|(.., with)| *with);
                    let opponent = *player;
                    other != Some(OpponentChoice::Rematch { game, opponent })
                }
            };
            ensure("those who want one another meet", alone, || {
                format!("{player} for {with:?}")
            })?;
        }
        Ok(())
    }

    /// Adds a connection of a player to a room.
    pub(crate) fn add_connection(&mut self, room: RoomNumber, player: PlayerId, time: TableTime) {
        let here = self.present.entry((room, player)).or_insert((0, time));
        here.0 += 1;
    }

    /// Removes a connection of a player from a room.
    pub(crate) fn remove_connection(&mut self, room: RoomNumber, player: PlayerId) {
        let key = (room, player);
        if let Some((connections, _)) = self.present.get_mut(&key) {
            *connections -= 1;
            if *connections == 0 {
                self.present.remove(&key);
            }
        }
    }

    /// Removes all connections from a room whose server starts anew.
    pub(crate) fn clear_room(&mut self, room: RoomNumber) {
        self.present.retain(|(place, _), _| *place != room);
        self.is_draining = false;
    }

    /// Checks that no connected player waits too long by the time of the room, and that no player
    /// waits too long outside the matchmaking room of their game.
    pub(crate) fn check_waits(&self, room: RoomNumber, time: TableTime) -> LawResult {
        let anyone = self.queue.iter();
        let anyone = anyone.filter(|(_, (.., with))| with.is_anyone());
        for (player, (place, kind, since, _)) in anyone.clone() {
            let alone = *place == room && self.rooms.matchmaking_room(*kind) != room;
            let waited = time.saturating_since(*since);
            ensure("nobody waits apart", !alone || waited <= MAX_WAIT, || {
                format!("{player} in {room} for {}", whole_millis(waited))
            })?;
        }
        if !self.has_house || self.is_draining {
            return Ok(());
        }
        let waiting = anyone.filter(|(_, (place, ..))| *place == room);
        for (player, (_, _, since, _)) in waiting {
            let here = self.present.get(&(room, *player));
            let since = here.map_or(time, |(_, here)| *since.max(here));
            let waited = time.saturating_since(since);
            ensure("nobody waits for long", waited <= MAX_WAIT, || {
                format!("{player} for {}", whole_millis(waited))
            })?;
        }
        Ok(())
    }
}
