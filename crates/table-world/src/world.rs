//! The world: its contents, the dispatch of its events, and the service times of its rooms.

use crate::access::{ClusterMember, TableAccess};
use crate::connection::{Connection, Link, Visit};
use crate::incidents;
use crate::laws::{LawResult, Laws, Moment, ensure};
use crate::node::{Node, ReceivedCommand};
use crate::options::Options;
use crate::player::WorldPlayer;
use crate::schedule::WorldTime;
use crate::schedule::{Clocks, EventQueue, Incident, Rng, WorldEvent};
use crate::store::MemoryStore;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use war_table::server::rooms::RoomNumber;
use war_table::server::store::Store;
use war_table::time::whole_millis;
use war_table_cluster::PlayerLocation;

/// Interval between checks of laws with deadlines.
const DEADLINE_CHECK_INTERVAL: Duration = Duration::from_secs(1);
/// Longest time until a free room is taken by a node that could serve it.
const TAKEOVER_LIMIT: Duration = Duration::from_secs(5);
/// Longest time until a node stops serving a room that another node has taken, counted from when
/// the node can find out. The node's last commit may be slow, and a wait for another room's claim
/// may follow.
const STEP_BACK_LIMIT: Duration = Duration::from_secs(4);
/// Longest wait for an answer while nothing fails.
const ANSWER_LIMIT: Duration = Duration::from_secs(60);

/// A table with everything around it.
pub(crate) struct World<'s> {
    pub(crate) options: Options,
    /// Time of the world. No simulated part can read it.
    pub(crate) now: WorldTime,
    /// Number of events handled.
    pub(crate) steps: u64,
    pub(crate) queue: EventQueue,
    pub(crate) rng: Rng,
    pub(crate) store: MemoryStore,
    /// True while another program writes to the store.
    pub(crate) busy: Arc<AtomicBool>,
    pub(crate) slow_until: WorldTime,
    pub(crate) nodes: Vec<Node<'s>>,
    pub(crate) rooms: Vec<RoomService>,
    /// Number of times that a room was taken.
    pub(crate) takeovers: u64,
    pub(crate) connections: BTreeMap<u64, Connection>,
    pub(crate) next_connection: u64,
    /// Visits known to the owners of rooms.
    pub(crate) visits: BTreeMap<u64, Visit>,
    pub(crate) next_visit: u64,
    pub(crate) links: BTreeMap<u64, Link>,
    pub(crate) next_link: u64,
    /// Current link from each gateway to each owner.
    pub(crate) current_links: BTreeMap<(usize, usize), u64>,
    /// Results of location lookups that the nodes have not received yet, by number of the lookup.
    pub(crate) locations: BTreeMap<u64, Vec<PlayerLocation>>,
    pub(crate) next_lookup: u64,
    /// Time since which nothing has failed.
    pub(crate) quiet_since: WorldTime,
    /// Number of requests answered with `unavailable`.
    pub(crate) unavailable: u64,
    /// Result of checks in methods that can't return a result themselves.
    pub(crate) deferred_result: LawResult,
    pub(crate) players: Vec<WorldPlayer>,
    pub(crate) next_player: u64,
    pub(crate) laws: Laws,
    /// True once the run is ending and no more failures are injected.
    pub(crate) is_winding_down: bool,
    pub(crate) transcript: blake3::Hasher,
    /// Number of incidents by kind.
    pub(crate) incident_counts: BTreeMap<&'static str, u64>,
}

/// Service state of a room, as the world sees it.
#[derive(Default)]
pub(crate) struct RoomService {
    /// Node that took the room last.
    pub(crate) owner: Option<usize>,
    /// Commands of a batch whose commit is in doubt.
    pub(crate) in_doubt: Vec<ReceivedCommand>,
    /// Last time at which the room was served, or something kept all nodes from serving it.
    pub(crate) unserved_since: WorldTime,
    pub(crate) taken_at: WorldTime,
    /// True while the room is served.
    pub(crate) is_open: bool,
    pub(crate) service_time: Duration,
    starts: u32,
}

impl<'s> World<'s> {
    /// Creates the world of a seed around `store`. `served` is the store that the server of an
    /// unshared table sees.
    pub(crate) fn new(
        seed: u64,
        options: Options,
        store: &MemoryStore,
        served: &'s dyn Store,
    ) -> Self {
        let laws = Laws::new(
            options.replayed,
            Rng::from_seed(seed, "laws"),
            options.house > 0,
            options.room_count(),
        );
        let laws = if options.nodes > 1 {
            laws.with_claims()
        } else {
            laws
        };
        let busy = Arc::new(AtomicBool::new(false));
        if options.nodes == 1 {
            incidents::inject_store_faults(store, &options, &busy, Rng::from_seed(seed, "store"));
        }
        let node = |number| {
            let access = if options.nodes == 1 {
                TableAccess::Standalone(served)
            } else {
                let member = ClusterMember::new(
                    number,
                    store.table_with_rooms(options.room_count()),
                    options.bug,
                );
                TableAccess::Shared(Box::new(member))
            };
            let node = Node::new(access, Clocks::new(number), &options);
            let rng = Rng::from_seed(seed, &format!("store of {number}"));
            incidents::inject_node_faults(&node, &options, &busy, rng);
            node
        };
        let nodes = (0..options.nodes).map(node).collect();
        let mut world = Self {
            now: WorldTime::ZERO,
            steps: 0,
            queue: EventQueue::default(),
            rng: Rng::from_seed(seed, "world"),
            store: store.clone(),
            busy,
            slow_until: WorldTime::ZERO,
            nodes,
            rooms: options
                .room_count()
                .room_numbers()
                .map(|_| RoomService::default())
                .collect(),
            takeovers: 0,
            connections: BTreeMap::new(),
            next_connection: 1,
            visits: BTreeMap::new(),
            next_visit: 0,
            links: BTreeMap::new(),
            next_link: 0,
            current_links: BTreeMap::new(),
            locations: BTreeMap::new(),
            next_lookup: 0,
            quiet_since: WorldTime::ZERO,
            unavailable: 0,
            deferred_result: Ok(()),
            players: Vec::new(),
            next_player: 1,
            laws,
            is_winding_down: false,
            transcript: blake3::Hasher::new(),
            incident_counts: BTreeMap::new(),
            options,
        };
        world.set_up();
        world
    }

    fn set_up(&mut self) {
        self.store.start_recording_writes();
        self.queue
            .schedule(WorldTime::ZERO, WorldEvent::DeadlineCheck);
        for incident in Incident::STORE_INCIDENTS {
            self.schedule_incident(incident);
        }
        for node in 0..self.nodes.len() {
            self.queue
                .schedule(WorldTime::ZERO, WorldEvent::StartNode(node));
            for incident in Incident::node_incidents(node) {
                self.schedule_incident(incident);
            }
            if self.is_shared() {
                self.schedule_incident(Incident::StoreCut(node));
            }
        }
        if self.is_shared() {
            for incident in Incident::LINK_INCIDENTS {
                self.schedule_incident(incident);
            }
        }
        for index in 0..self.options.players {
            let player = self.new_player();
            self.players.push(player);
            let at = WorldTime::ZERO + self.rng.draw_millis_below(5_000);
            self.schedule_action(index, at);
        }
    }

    /// Returns true if several nodes share the table.
    pub(crate) const fn is_shared(&self) -> bool {
        self.options.nodes > 1
    }

    pub(crate) fn new_player(&mut self) -> WorldPlayer {
        let number = self.next_player;
        self.next_player += 1;
        WorldPlayer::new(number, &mut self.rng)
    }

    /// Handles the next event.
    pub(crate) fn step(&mut self) -> LawResult {
        let Some((at, event)) = self.queue.pop() else {
            return Ok(());
        };
        self.steps += 1;
        let at = at.max(self.now);
        self.add_service_time(at.saturating_since(self.now));
        self.now = at;
        self.handle(event)?;
        std::mem::replace(&mut self.deferred_result, Ok(()))?;
        self.update_service();
        if self.is_shared() {
            self.check_nodes()?;
        }
        Ok(())
    }

    /// Checks the laws with deadlines.
    fn check_deadlines(&mut self) -> LawResult {
        self.queue.schedule(
            self.now + DEADLINE_CHECK_INTERVAL,
            WorldEvent::DeadlineCheck,
        );
        self.laws.games.check_deadlines(|room| self.moment(room))?;
        for room in self.options.room_count().room_numbers() {
            if self.rooms[usize::from(room.0)].is_open {
                self.laws
                    .matchmaking
                    .check_waits(room, self.laws.time(room))?;
            }
        }
        self.check_players()
    }

    /// Adds an entry to the transcript of the run.
    pub(crate) fn add_to_transcript(&mut self, what: &str, of: u64, said: &str) {
        self.transcript.update(&self.now.as_millis().to_le_bytes());
        self.transcript.update(what.as_bytes());
        self.transcript.update(&of.to_le_bytes());
        self.transcript.update(said.as_bytes());
    }
}

impl World<'_> {
    /// Handles an event now, or later if its node is stopped.
    pub(crate) fn handle(&mut self, event: WorldEvent) -> LawResult {
        if let Some(until) = self.stopped_until(event) {
            self.queue.schedule(until, event);
            return Ok(());
        }
        match event {
            WorldEvent::PacketAtPlayer(connection) => return self.deliver_to_player(connection),
            WorldEvent::RoomTurn(node, room, turn) => return self.run_turn(node, room, turn),
            WorldEvent::LeaseCheck(node, run) => return self.check_leases(node, run),
            WorldEvent::TakeRoom(node, room, run) => return self.take_room(node, room, run),
            WorldEvent::LocationsFound(node, lookup) => self.receive_locations(node, lookup),
            WorldEvent::StartNode(node) => return self.start_node(node),
            WorldEvent::IncidentStart(incident) => return self.start_incident(incident),
            WorldEvent::DeadlineCheck => return self.check_deadlines(),
            WorldEvent::CommitOutcome(room) => return self.resolve_commit(room),
            WorldEvent::IdleTimeout(node, room, turn) => {
                self.end_idle_transaction(node, room, turn);
            }
            WorldEvent::WakeRoute(connection) => self.wake_route(connection),
            WorldEvent::FrameAtOwner(link) => self.deliver_to_owner(link),
            WorldEvent::FrameAtGateway(link) => self.deliver_to_gateway(link),
            WorldEvent::LinkLostAtOwner(link) => self.lose_link_at_owner(link),
            WorldEvent::LinkLostAtGateway(link) => self.lose_link_at_gateway(link),
            WorldEvent::PacketAtNode(connection) => self.deliver_to_node(connection),
            WorldEvent::ConnectionLostAtNode(connection) => {
                self.close_connection_at_node(connection);
            }
            WorldEvent::ConnectionLostAtPlayer(connection) => {
                self.lose_connection_at_player(connection);
            }
            WorldEvent::WakeSession(connection) => self.wake_session(connection),
            WorldEvent::PlayerAction(player) => self.perform_player_action(player),
            WorldEvent::IncidentEnd(incident) => self.end_incident(incident),
        }
        Ok(())
    }

    /// Returns the time until which the node of an event is stopped, if the node is stopped.
    fn stopped_until(&self, event: WorldEvent) -> Option<WorldTime> {
        let node = match event {
            WorldEvent::PacketAtNode(connection)
            | WorldEvent::ConnectionLostAtNode(connection)
            | WorldEvent::WakeSession(connection)
            | WorldEvent::WakeRoute(connection) => self.connections.get(&connection)?.node,
            WorldEvent::FrameAtOwner(link) | WorldEvent::LinkLostAtOwner(link) => {
                self.links.get(&link)?.owner
            }
            WorldEvent::FrameAtGateway(link) | WorldEvent::LinkLostAtGateway(link) => {
                self.links.get(&link)?.gateway
            }
            WorldEvent::RoomTurn(node, ..)
            | WorldEvent::StartNode(node)
            | WorldEvent::LeaseCheck(node, _)
            | WorldEvent::TakeRoom(node, ..)
            | WorldEvent::LocationsFound(node, _) => node,
            _ => return None,
        };
        let until = self.nodes[node].stopped_until;
        (until > self.now).then_some(until)
    }

    /// Returns the current moment for a commit of a room.
    pub(crate) fn moment(&self, room: RoomNumber) -> Moment {
        let served = &self.rooms[usize::from(room.0)];
        Moment {
            now: self.now,
            first_arrival: self.now,
            room,
            served: served.service_time,
            starts: served.starts,
        }
    }

    /// Adds a duration to the service time of every room that is being served.
    pub(crate) fn add_service_time(&mut self, passed: Duration) {
        for served in self.rooms.iter_mut().filter(|room| room.is_open) {
            served.service_time += passed;
        }
    }

    /// Updates which rooms are being served.
    pub(crate) fn update_service(&mut self) {
        let (now, is_busy) = (self.now, self.is_store_busy());
        for (room, served) in (0..).map(RoomNumber).zip(&mut self.rooms) {
            let owner = served.owner.map(|owner| &self.nodes[owner]);
            let serves = |node: &Node<'_>| {
                let server = node.server(room);
                let works = server.is_some_and(|server| server.stalled_until <= now);
                works && node.stopped_until <= now && node.can_reach_store()
            };
            let is_served = owner.is_some_and(serves) && !is_busy;
            served.starts += u32::from(is_served && !served.is_open);
            served.is_open = is_served;
        }
    }

    /// Checks that free rooms are taken in time, and that nodes stop serving rooms that others have
    /// taken.
    pub(crate) fn check_nodes(&mut self) -> LawResult {
        let now = self.now;
        let works = !self.is_store_busy() && self.slow_until <= now;
        let all_served = self.rooms.iter().all(|room| room.is_open);
        let mut is_quiet = works && all_served && self.has_working_links();
        for room in self.rooms.iter_mut().filter(|room| room.is_open || !works) {
            room.unserved_since = now;
        }
        for (index, node) in self.nodes.iter_mut().enumerate() {
            let stopped = node.stopped_until > now;
            if !works
                || stopped
                || !node.is_running()
                || !node.can_reach_store()
                || node.take_failure()
            {
                node.able_since = now;
                is_quiet &= works;
                is_quiet &= !stopped && node.is_running() && node.can_reach_store();
            }
            for room in node.servers.keys() {
                let served = &self.rooms[usize::from(room.0)];
                if served.owner == Some(index) {
                    continue;
                }
                let waited = now.saturating_since(node.able_since.max(served.taken_at));
                ensure(
                    "who was replaced learns it",
                    waited <= STEP_BACK_LIMIT,
                    || {
                        let waited = whole_millis(waited);
                        format!("node {index} not for {waited} ms, at {now:?}")
                    },
                )?;
                node.replaced_until = now;
            }
        }
        if !is_quiet {
            self.quiet_since = now;
        }
        let able_since = |node: &Node<'_>| node.able_since.max(node.replaced_until);
        let able_since = self.nodes.iter().map(able_since).min().unwrap_or(now);
        for (room, served) in self.rooms.iter().enumerate() {
            let waited = now.saturating_since(able_since.max(served.unserved_since));
            ensure("somebody takes over", waited <= TAKEOVER_LIMIT, || {
                let waited = whole_millis(waited);
                format!("nobody takes room {room} for {waited} ms, at {now:?}")
            })?;
        }
        Ok(())
    }

    /// Checks that requests are answered while nothing fails.
    pub(crate) fn check_players(&self) -> LawResult {
        if !self.is_shared() {
            return Ok(());
        }
        for player in &self.players {
            let pending = player
                .pending
                .as_ref()
                .filter(|_| player.away_until < self.now);
            let since = pending.map_or(self.now, |pending| pending.first_sent_at);
            let since = since.max(player.away_until).max(self.quiet_since);
            let waited = self.now.saturating_since(since);
            ensure("every request is answered", waited <= ANSWER_LIMIT, || {
                format!(
                    "{:?} for {} ms, at {:?}",
                    player.id,
                    whole_millis(waited),
                    self.now
                )
            })?;
        }
        Ok(())
    }
}
