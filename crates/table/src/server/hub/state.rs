use super::allowance::Allowances;
use super::strategy::House;
use super::{ClientId, Load, Now, SWEEP_INTERVAL};
use crate::room::{Activity, PlayerId, Refusal, Request, Room, Timeouts};
use crate::server::identity::Identity;
use crate::server::limits::{Address, Allowance, Buckets};
use crate::server::metrics::Metrics;
use crate::server::randomness::Randomness;
use crate::server::rooms::Location;
use crate::server::store::SweepPosition;
use slog::Logger;
use std::collections::BTreeMap;
use std::sync::Arc;
use war::i18n::Catalogue;

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
    pub(super) allowances: Allowances,
    pub(super) sweep: Sweep,
    /// What came too late, and is not answered yet.
    pub(super) late: Vec<Late>,
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
pub(super) struct Late {
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
            allowances: Allowances::default(),
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
