use super::{ClientId, Now};
use crate::protocol::{PlayerId, Refusal, Request};
use crate::room::{Activity, Room, Timeouts};
use crate::server::identity::Identity;
use crate::server::limits::{Address, Allowance, Buckets};
use crate::server::metrics::Metrics;
use crate::server::randomness::Randomness;
use crate::server::rooms::Location;
use crate::server::store::SweepPosition;
use slog::Logger;
use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};
use war::i18n::Catalogue;
use war::tokens::equilibrium::Strategy;
use war::tokens::{Decision, Hand, Kind};

/// What an operator chooses of a hub.
#[derive(Debug, Clone, Copy)]
pub struct HubSettings {
    /// How long games wait.
    pub timeouts: Timeouts,
    /// How many house players there are at least; with none the house does not play.
    pub house_players: usize,
    /// How long a player waits for an opponent until the house steps in, in milliseconds.
    pub house_after: u64,
    /// The most new players of an address in a minute.
    pub new_players: u32,
    /// From how much on those who want to play may be sent on to another room.
    pub full: Load,
}

/// The room, and who is connected to it.
pub struct Hub {
    pub(super) room: Room,
    pub(super) house: House,
    /// Whether the house plays; its players of an earlier run end their games otherwise.
    pub(super) house_is_open: bool,
    /// How long a player waits until it steps in.
    pub(super) house_after: u64,
    pub(super) clients: BTreeMap<ClientId, Client>,
    /// The clients of each player who is connected.
    pub(super) connections: BTreeMap<PlayerId, Vec<ClientId>>,
    /// The players who wait and are gone, and since when.
    pub(super) gone: BTreeMap<PlayerId, u64>,
    /// The players who came back while they waited, and when.
    pub(super) back: BTreeMap<PlayerId, u64>,
    /// How many more requests of each player can be kept.
    pub(super) allowances: RequestQuota,
    pub(super) sweep: Sweep,
    /// What came too late, and is not answered yet.
    pub(super) late: Vec<DeferredRequest>,
    /// The time up to which all has happened that was due.
    pub(super) passed: u64,
    /// What players know of the clocks: what time it was when they were last told.
    pub(super) told: Now,
    /// How many new players of each address may still come, where no gateway counts them.
    pub(super) newcomers: Buckets,
    pub(super) draining: bool,
    /// Whether players who neither wait nor play belong to no room.
    pub(super) is_shared: bool,
    pub(super) location: Location,
    /// From how much on others are sent on to rooms that are opened under load.
    pub(super) full: Load,
    /// How many were sent on to them.
    pub(super) sent_on: u64,
    /// How much players ask for in the batch that is done.
    pub(super) asked: usize,
    /// When it was looked last for players whom other rooms have sent on.
    pub(super) looked: u64,
    pub(super) randomness: Box<dyn Randomness>,
    pub(super) identity: Identity,
    pub(super) metrics: Arc<Metrics>,
    pub(super) log: Logger,
}

/// A client that is connected.
pub(super) struct Client {
    pub(super) address: Address,
    /// Whether it may be a new player, as far as its gateway counts.
    pub(super) may_join: bool,
    pub(super) catalogue: &'static Catalogue,
    /// Its player, once it is known.
    pub(super) player: Option<PlayerId>,
}

/// When answers are forgotten the next time, and where to go on.
pub(super) struct Sweep {
    pub(super) due: u64,
    pub(super) position: Option<SweepPosition>,
}

/// A request that came too late, and is not answered before time has decided: the answer to its
/// `id` is kept, and would refuse the same request that came in time and is on its way.
pub(super) struct DeferredRequest {
    pub(super) client: ClientId,
    pub(super) request: Request,
    /// Why it will be refused.
    pub(super) refusal: Refusal,
    /// When it was asked for.
    pub(super) asked: u64,
}

impl Hub {
    /// A hub of a room in which nobody is connected.
    pub(super) fn new(
        (room, is_shared, location): (Room, bool, Location),
        settings: &HubSettings,
        now: Now,
        randomness: Box<dyn Randomness>,
        identity: Identity,
        metrics: Arc<Metrics>,
        log: Logger,
    ) -> Self {
        Self {
            room,
            house: House::new(),
            house_is_open: settings.house_players > 0,
            house_after: settings.house_after,
            newcomers: Buckets::new(Allowance::per_minute(settings.new_players)),
            clients: BTreeMap::new(),
            connections: BTreeMap::new(),
            gone: BTreeMap::new(),
            back: BTreeMap::new(),
            allowances: RequestQuota::default(),
            sweep: Sweep {
                due: now.table.saturating_add(SWEEP_INTERVAL),
                position: None,
            },
            late: Vec::new(),
            passed: now.table,
            told: now,
            draining: false,
            is_shared,
            location,
            full: settings.full,
            sent_on: 0,
            asked: 0,
            looked: now.table,
            randomness,
            identity,
            metrics,
            log,
        }
    }

    /// Counts the players who wait as gone from now on: nobody is connected yet.
    pub(super) fn miss_everybody(&mut self, now: u64) {
        let waits = |activity| matches!(activity, Activity::Waiting(..));
        let players = self.room.players();
        let waiting = players.filter(|(_, player)| waits(player.activity));
        self.gone = waiting.map(|(id, _)| (id, now)).collect();
    }

    /// Whether the hub was drained, and the last game is over.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        self.draining && self.room.running() == 0
    }
}

// How long the hub waits for what, in milliseconds, and how much it allows.

/// How long a player who waits for an opponent may be gone before waiting no longer.
pub const GRACE: u64 = 15_000;
/// The same of one who invited somebody: they may send the link by another app, which takes the
/// connection away on some phones.
pub const INVITED: u64 = 600_000;
/// How long a player waits for an opponent until the house steps in, unless an operator chooses
/// otherwise.
pub const HOUSE_AFTER: u64 = 5_000;
/// How long nobody folds, once time is up, at a table that nodes share: what players did in time may
/// be on its way from another node.
pub const ON_ITS_WAY: u64 = 1_000;
/// How much a room does before those who want to play may be sent on to another one.
pub const FULL: Load = Load {
    games: 256,
    asked: 512,
};
/// How long a player waits alone in a room that was opened under load until they are sent on to
/// where all meet.
pub const ALONE: u64 = 1_000;
/// How often it is looked for players who were sent on.
pub const ARRIVALS: u64 = 250;
/// How long the clients of a player who was sent on may take to follow until the player counts as
/// gone.
pub const FOLLOWED: u64 = 1_000;
/// How long an answer is kept at least.
pub const ANSWERS_KEPT: u64 = 3_600_000;
/// How often answers that are too old are forgotten.
pub const SWEEP_INTERVAL: u64 = 1_000;
/// How far a deadline that players were told may be off the wall clock until they are told
/// anew.
pub const CLOCKS_PART: u64 = 500;
/// The most requests of a player that are kept in an hour: each `id` once.
pub const MOST_REQUESTS: u32 = 1_000;
/// The most rematches that a player may want and then not want any more, in an hour.
pub const MOST_WITHDRAWN: u32 = 20;
/// How many connections a player may have: each gets all messages.
pub const MOST_CONNECTIONS_A_PLAYER: usize = 16;

/// How much a room does at a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Load {
    /// How many games run in it.
    pub games: usize,
    /// How much it is asked for at once, too: a batch that is larger costs no less for each
    /// request, and takes longer.
    pub asked: usize,
}

/// How many requests of each player are kept, so that their memory is bounded.
#[derive(Debug, Default)]
pub(super) struct RequestQuota(BTreeMap<PlayerId, Hour>);

/// The requests of a player in an hour.
#[derive(Debug)]
struct Hour {
    since: u64,
    requests: u32,
    /// How often a rematch was not wanted any more: each tells somebody twice, who may be gone.
    withdrawn: u32,
}

impl RequestQuota {
    /// Whether one more request of this player can be kept.
    pub(super) fn has_room(&self, player: PlayerId, now: u64) -> bool {
        let hour = self.0.get(&player).filter(|hour| !hour.is_over(now));
        hour.is_none_or(|hour| hour.requests < MOST_REQUESTS)
    }

    /// Whether this player may want one more rematch.
    pub(super) fn has_wish(&self, player: PlayerId, now: u64) -> bool {
        let hour = self.0.get(&player).filter(|hour| !hour.is_over(now));
        hour.is_none_or(|hour| hour.withdrawn < MOST_WITHDRAWN)
    }

    /// Counts a request that is kept.
    pub(super) fn count(&mut self, player: PlayerId, now: u64) {
        self.hour(player, now).requests += 1;
    }

    /// Counts a rematch that is not wanted any more.
    pub(super) fn withdraw(&mut self, player: PlayerId, now: u64) {
        self.hour(player, now).withdrawn += 1;
    }

    fn hour(&mut self, player: PlayerId, now: u64) -> &mut Hour {
        let new = || Hour {
            since: now,
            requests: 0,
            withdrawn: 0,
        };
        let hour = self.0.entry(player).or_insert_with(new);
        if hour.is_over(now) {
            *hour = new();
        }
        hour
    }

    /// Forgets the hours that are over.
    pub(super) fn sweep(&mut self, now: u64) {
        self.0.retain(|_, hour| !hour.is_over(now));
    }
}

impl Hour {
    const fn is_over(&self, now: u64) -> bool {
        self.since.saturating_add(ANSWERS_KEPT) <= now
    }
}

/// The equilibrium of each game, computed once for all hubs.
static EQUILIBRIA: LazyLock<[Strategy; 2]> = LazyLock::new(|| Kind::ALL.map(Strategy::equilibrium));

/// How the house plays: the equilibrium of each game.
pub(super) struct House(&'static [Strategy; 2]);

impl House {
    pub(super) fn new() -> Self {
        Self(&EQUILIBRIA)
    }

    /// What the house does with a hand; `chance` is evenly spread over all its values.
    pub(super) fn decide(&self, kind: Kind, hand: &Hand, chance: u32) -> Decision {
        let plays = self.0[kind as usize].plays(hand);
        if f64::from(chance) < plays * (f64::from(u32::MAX) + 1.0) {
            Decision::Play
        } else {
            Decision::Fold
        }
    }
}

/// How a hub is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Health {
    /// Players who are connected.
    pub players: usize,
    /// Players who wait for an opponent.
    pub waiting: usize,
    /// Those of them who wait for anyone, by kind of game.
    pub waiting_for: [usize; 2],
    /// Games that run.
    pub running: usize,
    /// Whether no game starts any more.
    pub draining: bool,
}

impl Health {
    /// How two rooms are, taken together.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self {
            players: self.players + other.players,
            waiting: self.waiting + other.waiting,
            waiting_for: [
                self.waiting_for[0] + other.waiting_for[0],
                self.waiting_for[1] + other.waiting_for[1],
            ],
            running: self.running + other.running,
            draining: self.draining || other.draining,
        }
    }
}

impl Hub {
    /// How the hub is.
    #[must_use]
    pub fn health(&self) -> Health {
        Health {
            players: self.connections.len(),
            waiting: self.room.waiting(),
            waiting_for: Kind::ALL.map(|kind| self.room.waiting_for(kind)),
            running: self.room.running(),
            draining: self.draining,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::House;
    use war::tokens::{Decision, Kind};

    // Here the equilibrium leaves nothing to chance: what is never played is not played by the
    // lowest chance, and what is always played is by the highest.
    #[test]
    fn the_house_plays_as_often_as_the_equilibrium_says() {
        let house = House::new();
        for (card, decision) in [("2c", Decision::Fold), ("Ac", Decision::Play)] {
            let hand = vec![card.parse().expect("a card")];
            for chance in [0, 1, 1 << 31, u32::MAX - 1, u32::MAX] {
                let decided = house.decide(Kind::Single, &hand, chance);
                assert_eq!(decided, decision, "{card} {chance}");
            }
        }
    }
}
