//! The node's side of connections: the actions of sessions and, if nodes share the table, the
//! routing of requests to rooms.

use crate::access::{TableAccess, node_address};
use crate::connection::{FrameToOwner, Packet, Shutdown, Visit};
use crate::laws::ensure;
use crate::options::Bug;
use crate::schedule::WorldEvent;
use crate::world::World;
use std::collections::BTreeMap;
use std::time::Duration;
use war_table::protocol::{PlayerId, Request, RequestId};
use war_table::room::PlayerStatus;
use war_table::server::client::SessionAction;
use war_table::server::hub::HubDelivery;
use war_table::server::rooms::RoomNumber;
use war_table::time::whole_millis;
use war_table_cluster::PlayerLocation;
use war_table_cluster::gateway::{REQUEST_TIMEOUT, RouteStep};

/// Limit on messages read from the store at once.
const MAX_READ: usize = 100;
/// Longest time after the last failure during which requests may be answered with `unavailable`.
const RECOVERY_LIMIT: Duration = REQUEST_TIMEOUT.saturating_add(Duration::from_secs(6));

impl World<'_> {
    /// Performs the actions of a connection's session.
    pub(crate) fn perform_actions(&mut self, number: u64) {
        while let Some(connection) = self.connections.get_mut(&number)
            && let Some(action) = connection.session.next_action()
        {
            let node = connection.node;
            match action {
                SessionAction::Send(text) | SessionAction::Refuse(_, text) => {
                    self.send_to_player(number, Packet::Text(text.as_ref().to_owned()));
                }
                // No simulated client asks for counts of people.
                SessionAction::People(_) => {}
                SessionAction::Ping => self.send_to_player(number, Packet::Ping),
                SessionAction::Request(request) => self.route_request(number, request),
                SessionAction::Read { .. } if !self.nodes[node].can_reach_store() => {
                    self.close_connection_at_node(number);
                }
                SessionAction::Read { player, after } => {
                    let mut messages = self.store.messages(player, after);
                    messages.truncate(MAX_READ);
                    connection.session.replay(messages);
                }
                // No simulated client sends queries.
                SessionAction::Query(query) => {
                    let clock = self.nodes[node].clock_time(self.now);
                    connection.session.refuse_as_unavailable(query.id, clock);
                }
                SessionAction::CatchUp => {
                    let clock = self.nodes[node].clock_time(self.now);
                    connection
                        .session
                        .catch_up(connection.last_published, clock);
                }
                SessionAction::End(_) => self.close_connection_at_node(number),
            }
        }
    }

    /// Closes a connection at the node's end.
    pub(crate) fn close_connection_at_node(&mut self, number: u64) {
        self.close_connection(number, Shutdown::Graceful);
        let Some(connection) = self.connections.get_mut(&number) else {
            return;
        };
        connection.is_closed = true;
        let is_registered = connection.is_registered;
        if self.is_shared() {
            self.leave_room(number);
        } else if is_registered {
            let visits = self.visits.iter();
            let mut of_connection = visits.filter(|(_, visit)| visit.connection == number);
            if let Some((&visit, _)) = of_connection.next() {
                self.enqueue_departure(visit);
            }
        }
        self.forget_connection(number);
    }

    pub(crate) fn wake_session(&mut self, number: u64) {
        let Some(connection) = self.connections.get_mut(&number) else {
            return;
        };
        if !connection.to_node.is_open {
            return;
        }
        let clock = self.nodes[connection.node].clock_time(self.now);
        connection.session.wake(clock);
        let next = connection.session.next_wake().saturating_since(clock);
        let next = next.max(Duration::from_millis(1));
        self.queue
            .schedule(self.now + next, WorldEvent::WakeSession(number));
        self.feed_session(number);
    }

    /// Stops the server of a node and schedules its restart.
    pub(crate) fn end_node(&mut self, index: usize, shutdown: Shutdown) {
        let rooms: Vec<_> = self.nodes[index].servers.keys().copied().collect();
        for room in rooms {
            self.end_visits_to_room(index, room);
        }
        self.nodes[index].stop();
        self.break_links_of(index);
        self.close_connections(index, shutdown);
        let after = match self.rng.draw_below(10) {
            0 => self.rng.draw_millis_between(5_000, 90_000),
            _ => self.rng.draw_millis_between(100, 3_000),
        };
        self.queue
            .schedule(self.now + after, WorldEvent::StartNode(index));
    }

    /// Closes all connections of a node.
    fn close_connections(&mut self, index: usize, shutdown: Shutdown) {
        self.add_to_transcript("ends", u64::from(shutdown == Shutdown::Abrupt), "");
        let connections = self.connections.iter();
        let connections = connections.filter(|(_, connection)| connection.node == index);
        let connections: Vec<_> = connections.map(|(number, _)| *number).collect();
        for number in connections {
            let is_lost = shutdown == Shutdown::Abrupt && self.rng.draw_below(2) == 0;
            let shutdown = if is_lost {
                Shutdown::Abrupt
            } else {
                Shutdown::Graceful
            };
            if let Some(connection) = self.connections.get_mut(&number) {
                (
                    connection.is_registered,
                    connection.is_closed,
                    connection.visit,
                ) = (false, true, None);
                connection.unread.clear();
            }
            self.close_connection(number, shutdown);
        }
    }

    /// Routes a client's request to a room.
    pub(crate) fn route_request(&mut self, number: u64, request: Request) {
        if !self.is_shared() {
            return self.send_to_own_hub(number, request);
        }
        let Some(connection) = self.connections.get_mut(&number) else {
            return;
        };
        let clock = self.nodes[connection.node].clock_time(self.now);
        connection.route.enqueue(request, clock);
        self.follow_route(number);
    }

    /// Passes a request to the hub of an unshared table.
    fn send_to_own_hub(&mut self, number: u64, request: Request) {
        let Some(connection) = self.connections.get_mut(&number) else {
            return;
        };
        if !std::mem::replace(&mut connection.is_registered, true) {
            let visit = Visit {
                connection: number,
                player_index: connection.player_index,
                node: connection.node,
                room: RoomNumber(0),
                link: None,
                player_id: None,
                is_present: false,
            };
            self.admit_client(number, visit);
        }
        self.enqueue_request(number, request, Duration::ZERO);
    }

    /// Carries out the steps of a connection's route.
    pub(crate) fn follow_route(&mut self, number: u64) {
        while let Some(connection) = self
            .connections
            .get_mut(&number)
            .filter(|connection| !connection.is_closed)
            && let Some(step) = connection.route.next_step()
        {
            match step {
                RouteStep::Enter { room, player } => self.enter_room(number, room, player),
                RouteStep::Leave => self.leave_room(number),
                RouteStep::Send { request, arrived } => {
                    let clock = self.nodes[connection.node].clock_time(self.now);
                    let age = clock.saturating_since(arrived);
                    if let Some((visit, link)) = connection.visit {
                        self.send_to_owner(link, visit, FrameToOwner::Request(request, age));
                    }
                }
                RouteStep::Deliver(outbound) => self.deliver_to_session(number, outbound),
                RouteStep::Unavailable(id) => self.answer_unavailable(number, id),
            }
        }
        self.schedule_route(number);
    }

    /// Schedules the next wake-up of a connection's route.
    fn schedule_route(&mut self, number: u64) {
        let Some(connection) = self
            .connections
            .get_mut(&number)
            .filter(|connection| !connection.is_closed)
        else {
            return;
        };
        let Some(wake) = connection.route.next_wake() else {
            return;
        };
        let clock = self.nodes[connection.node].clock_time(self.now);
        let wait = wake.saturating_since(clock).max(Duration::from_millis(1));
        let at = self.now + wait;
        if connection.route_wake_at.is_none_or(|planned| at < planned) {
            connection.route_wake_at = Some(at);
            self.queue.schedule(at, WorldEvent::WakeRoute(number));
        }
    }

    /// Wakes the route of a connection, if a wake-up is due.
    pub(crate) fn wake_route(&mut self, number: u64) {
        let Some(connection) = self
            .connections
            .get_mut(&number)
            .filter(|connection| !connection.is_closed)
        else {
            return;
        };
        if connection
            .route_wake_at
            .is_some_and(|planned| planned > self.now)
        {
            return;
        }
        connection.route_wake_at = None;
        let clock = self.nodes[connection.node].clock_time(self.now);
        connection.route.wake(clock);
        self.follow_route(number);
        self.feed_session(number);
    }

    /// Sends a client to a room, on whichever node owns the room.
    fn enter_room(&mut self, number: u64, room: RoomNumber, player_id: Option<PlayerId>) {
        self.leave_room(number);
        let Some(connection) = self.connections.get(&number) else {
            return;
        };
        let (gateway, player_index) = (connection.node, connection.player_index);
        let owner = self.owner_of(gateway, room);
        let link = owner.and_then(|owner| Some((owner, self.get_or_open_link(gateway, owner)?)));
        let Some((owner, link)) = link else {
            return self.lose_visit(number);
        };
        self.next_visit += 1;
        let visit = self.next_visit;
        if let Some(connection) = self.connections.get_mut(&number) {
            connection.visit = Some((visit, link));
        }
        let visitor = Visit {
            connection: number,
            player_index,
            node: owner,
            room,
            link: Some(link),
            player_id,
            is_present: false,
        };
        self.send_to_owner(link, visit, FrameToOwner::Enter(visitor));
    }

    /// Returns the owner of a room, as far as this gateway knows.
    fn owner_of(&self, gateway: usize, room: RoomNumber) -> Option<usize> {
        let node = &self.nodes[gateway];
        if node.servers.contains_key(&room) {
            return Some(gateway);
        }
        let TableAccess::Shared(member) = &node.access else {
            return None;
        };
        let owner = member.owner(room)?;
        (0..self.nodes.len()).find(|index| node_address(*index) == *owner)
    }

    /// Ends a client's visit to a room.
    pub(crate) fn leave_room(&mut self, number: u64) {
        let connection = self.connections.get_mut(&number);
        if let Some((visit, link)) = connection.and_then(|connection| connection.visit.take()) {
            self.send_to_owner(link, visit, FrameToOwner::Leave);
        }
    }

    /// Notifies the route of a connection that its visit was lost.
    pub(crate) fn lose_visit(&mut self, number: u64) {
        let Some(connection) = self.connections.get_mut(&number) else {
            return;
        };
        let clock = self.nodes[connection.node].clock_time(self.now);
        connection.visit = None;
        connection.route.lose_room(clock);
        self.schedule_route(number);
    }

    /// Delivers a room's message to the route of a connection.
    pub(crate) fn deliver_to_route(&mut self, number: u64, outbound: HubDelivery) {
        let ignored = self.options.bug == Some(Bug::ElsewhereIgnored);
        if ignored && matches!(outbound, HubDelivery::Redirect(_)) {
            return;
        }
        let Some(connection) = self
            .connections
            .get_mut(&number)
            .filter(|connection| !connection.is_closed)
        else {
            return;
        };
        if matches!(outbound, HubDelivery::Redirect(_) | HubDelivery::Released) {
            connection.visit = None;
        }
        let clock = self.nodes[connection.node].clock_time(self.now);
        connection.route.deliver(outbound, clock);
        self.follow_route(number);
        self.feed_session(number);
    }

    /// Delivers a room's message to the session of a connection.
    pub(crate) fn deliver_to_session(&mut self, number: u64, outbound: HubDelivery) {
        let Some(connection) = self.connections.get_mut(&number) else {
            return;
        };
        match &outbound {
            HubDelivery::Welcome { player, seq, .. } => {
                connection.player_id = Some(*player);
                connection.last_published = connection.last_published.max(*seq);
            }
            HubDelivery::Push { seq, .. } => {
                connection.last_published = connection.last_published.max(*seq);
            }
            _ => {}
        }
        if !connection.to_node.is_open && !connection.to_player.is_open {
            return;
        }
        connection.session.deliver(outbound);
        self.feed_session(number);
    }

    /// Answers a request with `unavailable`, and checks that something has failed recently.
    fn answer_unavailable(&mut self, number: u64, id: RequestId) {
        self.unavailable += 1;
        let quiet = self.now.saturating_since(self.quiet_since);
        let result = ensure(
            "the table is available unless something fails",
            quiet <= RECOVERY_LIMIT,
            || {
                let quiet = whole_millis(quiet);
                format!("{id:?} after {quiet} quiet ms, at {:?}", self.now)
            },
        );
        self.deferred_result = std::mem::replace(&mut self.deferred_result, Ok(())).and(result);
        if let Some(connection) = self.connections.get_mut(&number) {
            let clock = self.nodes[connection.node].clock_time(self.now);
            connection.session.refuse_as_unavailable(id, clock);
        }
        self.feed_session(number);
    }

    /// Looks up the locations of the players connected to a node. The answer arrives later.
    pub(crate) fn look_up_locations(&mut self, index: usize) {
        let connections = self.connections.values();
        let here =
            connections.filter(|connection| connection.node == index && !connection.is_closed);
        let players: Vec<_> = here.filter_map(|connection| connection.player_id).collect();
        let Some(Ok(locations)) = self
            .cluster_member(index)
            .map(|member| member.locate(&players))
        else {
            return;
        };
        let late = match self.rng.draw_below(10) {
            0 => self.rng.draw_millis_below(300),
            _ => Duration::from_millis(1),
        };
        self.next_lookup += 1;
        self.locations.insert(self.next_lookup, locations);
        let found = WorldEvent::LocationsFound(index, self.next_lookup);
        self.queue.schedule(self.now + late, found);
    }

    /// Applies the locations that a node has looked up.
    pub(crate) fn receive_locations(&mut self, index: usize, lookup: u64) {
        let locations = self.locations.remove(&lookup).unwrap_or_default();
        let connections = self.connections.iter();
        let here =
            connections.filter(|(_, connection)| connection.node == index && !connection.is_closed);
        let here = here.filter_map(|(number, connection)| Some((*number, connection.player_id?)));
        let here: Vec<_> = here.collect();
        let locations: BTreeMap<_, _> = locations
            .into_iter()
            .map(|location| (location.player, location))
            .collect();
        for (number, player) in here {
            if let Some(location) = locations.get(&player) {
                self.update_location(number, *location);
            }
        }
    }

    /// Updates a connection with its player's location and last message.
    fn update_location(&mut self, number: u64, location: PlayerLocation) {
        let Some(connection) = self.connections.get_mut(&number) else {
            return;
        };
        if location.status != PlayerStatus::Welcome {
            connection.session.expel(location.status);
            return self.feed_session(number);
        }
        let clock = self.nodes[connection.node].clock_time(self.now);
        let earlier = std::mem::replace(&mut connection.last_stored, location.seq);
        let stays = !connection.route.update_location(location.room) && connection.visit.is_some();
        let there = if stays { earlier } else { location.seq };
        if connection.last_published < there {
            connection.last_published = there;
            connection.session.catch_up(there, clock);
        }
        self.follow_route(number);
        self.feed_session(number);
    }
}
