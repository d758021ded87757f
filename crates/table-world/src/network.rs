//! The network: packets of connections and frames of links arrive later and in order, or are lost
//! with their connection or link.

use crate::connection::{
    Connection, FrameToGateway, FrameToOwner, Link, LinkEnd, Packet, Shutdown, Visit,
};
use crate::laws::LawResult;
use crate::player::Reaction;
use crate::schedule::WorldEvent;
use crate::schedule::WorldTime;
use crate::world::World;
use std::time::Duration;

/// Longest usual delay of a packet.
const PACKET_DELAY: Duration = Duration::from_millis(40);
/// Limit on connections of a player.
const MAX_CONNECTIONS: usize = 2;
/// Limit on unanswered requests of a connection.
const MAX_PENDING: usize = 8;
/// Longest usual delay of a frame to another node.
const FRAME_DELAY: Duration = Duration::from_millis(8);

impl World<'_> {
    /// Connects a player to a running node. Returns false if no node is reachable, or if the player
    /// has enough connections.
    pub(crate) fn connect(&mut self, player: usize) -> bool {
        if self.players[player].connections.len() >= MAX_CONNECTIONS {
            return false;
        }
        let nodes = self.nodes.iter().enumerate();
        let serving: Vec<_> = nodes
            .filter(|(_, node)| node.is_reachable(self.now))
            .map(|(index, _)| index)
            .collect();
        // A node that does not know yet that others have taken its rooms accepts connections too.
        let node = match serving[..] {
            [] => return false,
            [node] => node,
            _ => self.rng.pick(&serving).copied().unwrap_or_default(),
        };
        let number = self.next_connection;
        self.next_connection += 1;
        let clock = self.nodes[node].clock_time(self.now);
        let rooms = self.options.room_count();
        let connection = Connection::new(node, player, rooms, clock);
        self.connections.insert(number, connection);
        let hello = self.players[player].build_hello(number);
        self.send_to_node(number, Packet::Text(hello), Duration::ZERO);
        self.queue.schedule(
            self.now + Duration::from_millis(1),
            WorldEvent::WakeSession(number),
        );
        true
    }

    /// Sends a packet to the node with an extra delay. Returns the arrival time of the packet.
    pub(crate) fn send_to_node(
        &mut self,
        number: u64,
        packet: Packet,
        longer: Duration,
    ) -> WorldTime {
        let soon = self.now + self.rng.draw_delay(PACKET_DELAY) + longer;
        let Some(connection) = self.connections.get_mut(&number) else {
            return soon;
        };
        let at = connection.to_node.put(packet, soon);
        self.queue.schedule(at, WorldEvent::PacketAtNode(number));
        at
    }

    /// Sends a packet to the player.
    pub(crate) fn send_to_player(&mut self, number: u64, packet: Packet) {
        let soon = self.now + self.rng.draw_delay(PACKET_DELAY);
        if let Some(connection) = self.connections.get_mut(&number) {
            let at = connection.to_player.put(packet, soon);
            self.queue.schedule(at, WorldEvent::PacketAtPlayer(number));
        }
    }

    /// Delivers the next packet of a connection to its node.
    pub(crate) fn deliver_to_node(&mut self, number: u64) {
        let Some(connection) = self.connections.get_mut(&number) else {
            return;
        };
        if let Some(packet) = connection.to_node.packets.pop_front()
            && connection.to_node.is_open
        {
            connection.unread.push_back(packet);
            self.feed_session(number);
        }
    }

    /// Feeds arrived packets to a session while it accepts them.
    pub(crate) fn feed_session(&mut self, number: u64) {
        self.perform_actions(number);
        loop {
            let Some(connection) = self.connections.get_mut(&number) else {
                return;
            };
            if !connection.session.should_read(0)
                || connection.route.pending_requests() >= MAX_PENDING
            {
                return;
            }
            let Some(packet) = connection.unread.pop_front() else {
                return;
            };
            let clock = self.nodes[connection.node].clock_time(self.now);
            match &packet {
                Packet::Text(text) => connection.session.receive_text(text, clock),
                Packet::Ping => connection.session.receive_control(clock),
            }
            self.perform_actions(number);
        }
    }

    /// Delivers the next packet of a connection to its player.
    pub(crate) fn deliver_to_player(&mut self, number: u64) -> LawResult {
        let Some(connection) = self.connections.get_mut(&number) else {
            return Ok(());
        };
        let packet = connection.to_player.packets.pop_front();
        let Some(packet) = packet.filter(|_| connection.to_player.is_open) else {
            return Ok(());
        };
        let index = connection.player_index;
        let text = match packet {
            Packet::Ping => {
                self.send_to_node(number, Packet::Ping, Duration::ZERO);
                return Ok(());
            }
            Packet::Text(text) => text,
        };
        self.add_to_transcript("hears", number, &text);
        let player = &mut self.players[index];
        match player.receive(number, &text, &self.laws.messages)? {
            Reaction::Nothing => {}
            Reaction::Act => self.schedule_thinking(index),
            Reaction::Resume => {
                let resume = self.players[index].build_resume();
                self.send_to_node(number, Packet::Text(resume), Duration::ZERO);
                self.schedule_thinking(index);
            }
            Reaction::Retry => self.schedule_retry(index),
            Reaction::Disconnect => self.break_connection(number),
            Reaction::FinishGame => self.finish_game(index)?,
        }
        Ok(())
    }

    /// Breaks a connection: packets under way are lost, and each end finds out later.
    pub(crate) fn break_connection(&mut self, number: u64) {
        let Some(connection) = self.connections.get_mut(&number) else {
            return;
        };
        for pipe in [&mut connection.to_node, &mut connection.to_player] {
            pipe.is_open = false;
        }
        let node = self.now + self.rng.draw_millis_below(8_000);
        let player = self.now + self.rng.draw_millis_below(3_000);
        self.queue
            .schedule(node, WorldEvent::ConnectionLostAtNode(number));
        self.queue
            .schedule(player, WorldEvent::ConnectionLostAtPlayer(number));
    }

    /// Closes a connection from the server's end. On a graceful shutdown the player first receives
    /// all packets under way.
    pub(crate) fn close_connection(&mut self, number: u64, shutdown: Shutdown) {
        let Some(connection) = self.connections.get_mut(&number) else {
            return;
        };
        connection.to_node.is_open = false;
        connection.to_player.is_open &= shutdown == Shutdown::Graceful;
        let at = connection.to_player.last_arrival().max(self.now)
            + self.rng.draw_millis_between(1, 500);
        self.queue
            .schedule(at, WorldEvent::ConnectionLostAtPlayer(number));
    }

    pub(crate) fn lose_connection_at_player(&mut self, number: u64) {
        let Some(connection) = self.connections.get_mut(&number) else {
            return;
        };
        let index = connection.player_index;
        connection.to_player.is_open = false;
        self.players[index].lose_connection(number);
        self.forget_connection(number);
        let at = self.now + self.rng.draw_millis_between(100, 2_000);
        self.schedule_action(index, at);
    }

    /// Forgets a connection that both ends have dropped.
    pub(crate) fn forget_connection(&mut self, number: u64) {
        let Some(connection) = self.connections.get(&number) else {
            return;
        };
        let player = &self.players[connection.player_index];
        let is_gone = connection.is_closed || !self.is_shared();
        if is_gone
            && !connection.is_registered
            && !connection.to_node.is_open
            && !player.connections.contains_key(&number)
        {
            self.connections.remove(&number);
        }
    }

    /// Returns the link from a gateway to an owner of rooms, which may be the same node. Opens the
    /// link if needed; returns `None` if the owner is down.
    pub(crate) fn get_or_open_link(&mut self, gateway: usize, owner: usize) -> Option<u64> {
        let ends = (gateway, owner);
        if let Some(link) = self.current_links.get(&ends) {
            return Some(*link);
        }
        if !self.nodes[owner].is_running() {
            return None;
        }
        self.next_link += 1;
        let number = self.next_link;
        self.links.insert(number, Link::new(gateway, owner));
        self.current_links.insert(ends, number);
        Some(number)
    }

    /// Draws the delay of a frame.
    fn draw_frame_delay(&mut self, is_local: bool) -> Duration {
        if is_local {
            self.rng.draw_millis_below(2)
        } else {
            self.rng.draw_delay(FRAME_DELAY)
        }
    }

    /// Sends a frame of a visit to the owner of its room.
    pub(crate) fn send_to_owner(&mut self, number: u64, visit: u64, call: FrameToOwner) {
        let is_local = self
            .links
            .get(&number)
            .is_none_or(|link| link.gateway == link.owner);
        let soon = self.now + self.draw_frame_delay(is_local);
        if let Some(link) = self.links.get_mut(&number).filter(|link| link.is_open) {
            let at = link.to_owner.put(visit, call, soon);
            self.queue.schedule(at, WorldEvent::FrameAtOwner(number));
        }
    }

    /// Sends a frame of a visit back to the gateway of the visit.
    pub(crate) fn send_to_gateway(&mut self, number: u64, visit: &Visit, reply: FrameToGateway) {
        let Some(link) = visit.link else {
            return;
        };
        let is_local = self
            .links
            .get(&link)
            .is_none_or(|link| link.gateway == link.owner);
        let soon = self.now + self.draw_frame_delay(is_local);
        if let Some(open) = self.links.get_mut(&link).filter(|link| link.is_open) {
            let at = open.to_gateway.put(number, reply, soon);
            self.queue.schedule(at, WorldEvent::FrameAtGateway(link));
        }
    }

    /// Delivers the next frame of a link to the owner of rooms.
    pub(crate) fn deliver_to_owner(&mut self, number: u64) {
        let Some(link) = self.links.get_mut(&number).filter(|link| link.is_open) else {
            return;
        };
        match link.to_owner.pop() {
            Some((visit, FrameToOwner::Enter(visitor))) => self.admit_client(visit, visitor),
            Some((visit, FrameToOwner::Request(request, age))) => {
                self.enqueue_request(visit, request, age);
            }
            Some((visit, FrameToOwner::Leave)) => self.enqueue_departure(visit),
            None => {}
        }
    }

    /// Delivers the next frame of a link to its gateway.
    pub(crate) fn deliver_to_gateway(&mut self, number: u64) {
        let Some(link) = self.links.get_mut(&number).filter(|link| link.is_open) else {
            return;
        };
        let Some((visit, reply)) = link.to_gateway.pop() else {
            return;
        };
        let (FrameToGateway::Deliver(to, _) | FrameToGateway::NotOwner(to)) = reply;
        let current = self
            .connections
            .get(&to)
            .and_then(|connection| connection.visit);
        if current != Some((visit, number)) {
            return;
        }
        match reply {
            FrameToGateway::Deliver(_, outbound) => self.deliver_to_route(to, outbound),
            FrameToGateway::NotOwner(_) => {
                self.lose_visit(to);
                self.follow_route(to);
            }
        }
    }

    /// Breaks a link: frames under way are lost, and each end finds out later.
    pub(crate) fn break_link(&mut self, number: u64) {
        let Some(link) = self.links.get_mut(&number) else {
            return;
        };
        if !std::mem::replace(&mut link.is_open, false) {
            return;
        }
        let owner = self.now + self.rng.draw_millis_below(8_000);
        let gateway = self.now + self.rng.draw_millis_below(3_000);
        self.queue
            .schedule(owner, WorldEvent::LinkLostAtOwner(number));
        self.queue
            .schedule(gateway, WorldEvent::LinkLostAtGateway(number));
    }

    /// Breaks all links of a node that stops.
    pub(crate) fn break_links_of(&mut self, index: usize) {
        let links = self.links.iter();
        let of_node = links.filter(|(_, link)| link.gateway == index || link.owner == index);
        let of_node: Vec<_> = of_node.map(|(number, _)| *number).collect();
        for number in of_node {
            self.break_link(number);
        }
        let local = (index, index);
        self.current_links.remove(&local);
        self.current_links
            .retain(|(gateway, _), _| *gateway != index);
    }

    /// Ends all visits over a broken link, at the owner of rooms.
    pub(crate) fn lose_link_at_owner(&mut self, number: u64) {
        let visits = self.visits.iter();
        let over_it = visits.filter(|(_, visit)| visit.link == Some(number));
        let over_it: Vec<_> = over_it.map(|(visit, _)| *visit).collect();
        for visit in over_it {
            self.enqueue_departure(visit);
        }
        self.forget_link(number, LinkEnd::Owner);
    }

    /// Notifies the routes of all connections with visits over a broken link, at its gateway.
    pub(crate) fn lose_link_at_gateway(&mut self, number: u64) {
        self.current_links.retain(|_, link| *link != number);
        let connections = self.connections.iter();
        let over_it = connections.filter(|(_, connection)| !connection.is_closed);
        let over_it = over_it
            .filter(|(_, connection)| connection.visit.is_some_and(|(_, link)| link == number));
        let over_it: Vec<_> = over_it.map(|(connection, _)| *connection).collect();
        for connection in over_it {
            self.lose_visit(connection);
            self.follow_route(connection);
        }
        self.forget_link(number, LinkEnd::Gateway);
    }

    /// Forgets a broken link once both ends know of the loss.
    fn forget_link(&mut self, number: u64, end: LinkEnd) {
        if let Some(link) = self.links.get_mut(&number) {
            link.is_loss_known[end as usize] = true;
            if link.is_loss_known == [true; 2] {
                self.links.remove(&number);
            }
        }
    }

    /// Picks a random open link between two nodes.
    pub(crate) fn pick_link(&mut self) -> Option<u64> {
        let links = self.links.iter();
        let open = links.filter(|(_, link)| link.is_open && link.gateway != link.owner);
        let open: Vec<_> = open.map(|(number, _)| *number).collect();
        self.rng.pick(&open).copied()
    }

    /// Returns true if every link works.
    pub(crate) fn has_working_links(&self) -> bool {
        self.links.values().all(|link| {
            let silent = link
                .to_owner
                .last_arrival()
                .max(link.to_gateway.last_arrival());
            link.is_open && silent <= self.now + Duration::from_millis(100)
        })
    }
}
