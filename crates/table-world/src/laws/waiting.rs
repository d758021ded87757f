//! The laws of those who wait, and who is there.

use super::law::{Lawful, law};
use std::collections::{BTreeMap, BTreeSet};
use war::tokens::Kind;
use war_table::protocol::PlayerId;
use war_table::room::{Match, Meeting, RoomEvent};
use war_table::server::rooms::{RoomNumber, Rooms};

/// How long somebody waits at most until they meet somebody, by the table's time: three seconds,
/// and as much as may count of a time in which the node was stopped.
const MEETS_WITHIN: u64 = 3_000 + 2_500;

/// How many games are remembered.
const REMEMBERED: usize = 10_000;

/// Who waits, and who is there.
pub(crate) struct Waiting {
    /// Who chose what, when, and with whom.
    queue: BTreeMap<PlayerId, (RoomNumber, Kind, u64, Meeting)>,
    /// Who played the last games.
    met: BTreeMap<u64, [PlayerId; 2]>,
    /// The players of the house.
    of_the_house: BTreeSet<PlayerId>,
    /// Those who were forgotten.
    forgotten: BTreeSet<PlayerId>,
    /// How many games were of two who wanted to play with one another.
    pub(crate) wanted: u64,
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
            met: BTreeMap::new(),
            of_the_house: BTreeSet::new(),
            forgotten: BTreeSet::new(),
            wanted: 0,
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
            RoomEvent::Joined {
                player,
                house: true,
                ..
            } => {
                self.of_the_house.insert(*player);
                Ok(())
            }
            RoomEvent::Forgotten { player } => {
                let waits = self.queue.contains_key(player);
                law("who is forgotten waits no longer", !waits, || {
                    player.to_string()
                })?;
                let new = self.forgotten.insert(*player);
                law("nobody is forgotten twice", new, || player.to_string())
            }
            RoomEvent::Chose {
                player,
                kind,
                at,
                with,
                ..
            } => {
                let known = !self.forgotten.contains(player);
                law("who is forgotten asks for no game", known, || {
                    player.to_string()
                })?;
                let meets_elsewhere = self.rooms.meeting(*kind) != room;
                self.apart += u64::from(with.is_anyone() && meets_elsewhere);
                let place = with.filter().and_then(|whom| self.rooms.private(whom));
                law(
                    "those who want to play with one another meet in one room",
                    place.is_none_or(|place| place == room),
                    || format!("{player} in {room} for {with:?}"),
                )?;
                let choice = (room, *kind, *at, *with);
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
                let waits = before.is_some_and(|(place, game, _, with)| {
                    (place, game) == (room, *kind) && with.is_anyone()
                });
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
                self.queue
                    .insert(*player, (room, *kind, *at, Meeting::Anyone));
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
                    waited.is_some_and(|(place, kind, ..)| (place, kind) == (room, matched.kind)),
                    || format!("{first} {waited:?}"),
                )?;
                self.meets(matched, waited.map_or(Meeting::Anyone, |(.., with)| with))
            }
            _ => Ok(()),
        }
    }

    /// Those who asked for somebody have met them: the first one waited so.
    fn meets(&mut self, matched: &Match, waited: Meeting) -> Lawful {
        let [first, second] = matched.seats;
        let house = matched.seats.map(|seat| self.of_the_house.contains(&seat));
        let is_right = match matched.with {
            Meeting::Anyone => waited.is_anyone(),
            Meeting::House => waited == Meeting::House && house == [false, true],
            Meeting::Invitation(_) => waited == matched.with && house == [false; 2],
            Meeting::Rematch { game, opponent } => {
                let opponents = Meeting::Rematch {
                    game,
                    opponent: second,
                };
                let before = self.met.get(&game);
                let same =
                    before.is_none_or(|before| before.contains(&first) && before.contains(&second));
                waited == opponents && opponent == first && same
            }
        };
        self.wanted += u64::from(!matched.with.is_anyone());
        self.met.insert(matched.game, matched.seats);
        if self.met.len() > REMEMBERED {
            self.met.pop_first();
        }
        law("who asks for somebody meets them", is_right, || {
            format!(
                "{:?} by {:?}, who waited for {waited:?}",
                matched.seats, matched.with
            )
        })
    }

    /// How many were forgotten.
    pub(crate) fn forgotten(&self) -> u64 {
        self.forgotten.len() as u64
    }

    /// Two who wait for the same game have met.
    pub(super) fn one_each(&self) -> Lawful {
        for kind in Kind::ALL {
            let wait = self.queue.values();
            let wait = wait.filter(|(_, game, _, with)| *game == kind && with.is_anyone());
            let wait: Vec<_> = wait.map(|(room, ..)| *room).collect();
            let rooms: BTreeSet<_> = wait.iter().collect();
            law(
                "those who wait for a game meet",
                rooms.len() == wait.len(),
                || format!("{} wait for {} in {rooms:?}", wait.len(), kind.name()),
            )?;
        }
        let mut wanted = BTreeSet::new();
        for (player, (.., with)) in &self.queue {
            let alone = match *with {
                Meeting::Anyone => true,
                Meeting::House => false,
                Meeting::Invitation(_) => wanted.insert(*with),
                Meeting::Rematch { game, opponent } => {
                    let other = self.queue.get(&opponent).map(|(.., with)| *with);
                    let opponent = *player;
                    other != Some(Meeting::Rematch { game, opponent })
                }
            };
            law("those who want one another meet", alone, || {
                format!("{player} for {with:?}")
            })?;
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
        let anyone = self.queue.iter();
        let anyone = anyone.filter(|(_, (.., with))| with.is_anyone());
        for (player, (place, kind, since, _)) in anyone.clone() {
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
        let waiting = anyone.filter(|(_, (place, ..))| *place == room);
        for (player, (_, _, since, _)) in waiting {
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
