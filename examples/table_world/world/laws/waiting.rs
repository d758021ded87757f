use crate::world::broken::{Lawful, law};
use std::collections::{BTreeMap, BTreeSet};
use war::room::{PlayerId, RoomEvent};
use war::server::rooms::{RoomNumber, Rooms};
use war::tokens::Kind;

/// How long somebody waits at most until they meet somebody, by the table's time: three seconds,
/// and as much as may count of a time in which the node was stopped.
const MEETS_WITHIN: u64 = 3_000 + 2_500;

/// Who waits, and who is there.
pub(crate) struct Waiting {
    /// Who chose what, and when.
    queue: BTreeMap<PlayerId, (RoomNumber, Kind, u64)>,
    /// Who was sent on to another room and has not come yet: for what, and how long they waited.
    on_their_way: BTreeMap<PlayerId, (Kind, u64)>,
    /// How many connections each player has in each room, and since when they have one.
    here: BTreeMap<(RoomNumber, PlayerId), (u32, u64)>,
    rooms: Rooms,
    /// Whether the house plays.
    house: bool,
    /// How many chose a game in a room where others of their game do not meet.
    pub(crate) apart: u64,
    /// Whether no game starts.
    pub(crate) drains: bool,
}

impl Waiting {
    pub(super) const fn new(house: bool, rooms: Rooms) -> Self {
        Self {
            queue: BTreeMap::new(),
            on_their_way: BTreeMap::new(),
            here: BTreeMap::new(),
            rooms,
            house,
            apart: 0,
            drains: false,
        }
    }

    pub(super) fn happened(&mut self, room: RoomNumber, event: &RoomEvent) -> Lawful {
        match event {
            RoomEvent::Chose {
                player, kind, at, ..
            } => {
                self.apart += u64::from(self.rooms.meeting(*kind) != room);
                let choice = (room, *kind, *at);
                let new = self.queue.insert(*player, choice).is_none();
                law("nobody waits twice", new, || player.to_string())
            }
            RoomEvent::SentOn {
                player,
                room: to,
                kind,
                waited,
                ..
            } => {
                let before = self.queue.remove(player);
                let waits = before.is_some_and(|(place, game, _)| (place, game) == (room, *kind));
                law("who is sent on was waiting", waits, || player.to_string())?;
                let meeting = self.rooms.meeting(*kind);
                let meets = room != meeting && *to == meeting.0;
                law(
                    "those who want the same game meet in one room",
                    meets,
                    || format!("{player} from {room} to {to}"),
                )?;
                self.on_their_way.insert(*player, (*kind, *waited));
                Ok(())
            }
            RoomEvent::Came {
                player, kind, at, ..
            } => {
                self.queue.insert(*player, (room, *kind, *at));
                let sent = self.on_their_way.remove(player);
                let meeting = self.rooms.meeting(*kind);
                let comes = room == meeting && sent.is_some_and(|(game, _)| game == *kind);
                law("who comes was sent on", comes, || {
                    format!("{player} to {room}")
                })
            }
            RoomEvent::Cancelled { player } => {
                let waited = self.queue.remove(player).is_some();
                law("who leaves was waiting", waited, || player.to_string())
            }
            RoomEvent::Matched(matched) => {
                let [first, second] = matched.seats;
                let waited = self.queue.remove(&first);
                // One who came from another room waited as well.
                self.queue.remove(&second);
                law(
                    "who waits longest plays first",
                    waited.is_some_and(|(place, kind, _)| (place, kind) == (room, matched.kind)),
                    || format!("{first} {waited:?}"),
                )
            }
            _ => Ok(()),
        }
    }

    /// Two who wait for the same game have met.
    pub(super) fn one_each(&self) -> Lawful {
        for kind in Kind::ALL {
            let wait = self.queue.values().filter(|(_, game, _)| *game == kind);
            let wait: Vec<_> = wait.map(|(room, ..)| *room).collect();
            let rooms: BTreeSet<_> = wait.iter().collect();
            law(
                "those who wait for a game meet",
                rooms.len() == wait.len(),
                || format!("{} wait for {} in {rooms:?}", wait.len(), kind.name()),
            )?;
        }
        Ok(())
    }

    /// A player is known to a room on one more connection.
    pub(crate) fn comes(&mut self, room: RoomNumber, player: PlayerId, time: u64) {
        let here = self.here.entry((room, player)).or_insert((0, time));
        here.0 += 1;
    }

    /// A player has a connection less.
    pub(crate) fn goes(&mut self, room: RoomNumber, player: PlayerId) {
        let key = (room, player);
        if let Some((connections, _)) = self.here.get_mut(&key) {
            *connections -= 1;
            if *connections == 0 {
                self.here.remove(&key);
            }
        }
    }

    /// The server of a room starts anew: nobody is here.
    pub(crate) fn everybody_goes(&mut self, room: RoomNumber) {
        self.here.retain(|(place, _), _| *place != room);
        self.drains = false;
    }

    /// Nobody who is here waits for long, by the room's time; and nobody at all where others of
    /// their game do not meet.
    pub(crate) fn look(&self, room: RoomNumber, time: u64) -> Lawful {
        for (player, (place, kind, since)) in &self.queue {
            let alone = *place == room && self.rooms.meeting(*kind) != room;
            let waited = time.saturating_sub(*since);
            law(
                "nobody waits apart",
                !alone || waited <= MEETS_WITHIN,
                || format!("{player} in {room} for {waited}"),
            )?;
        }
        if !self.house || self.drains {
            return Ok(());
        }
        let waiting = self.queue.iter().filter(|(_, (place, ..))| *place == room);
        for (player, (.., since)) in waiting {
            let here = self.here.get(&(room, *player));
            let since = here.map_or(time, |(_, here)| *since.max(here));
            let waited = time.saturating_sub(since);
            law("nobody waits for long", waited <= MEETS_WITHIN, || {
                format!("{player} for {waited}")
            })?;
        }
        Ok(())
    }
}
