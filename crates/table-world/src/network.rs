//! The network: what is sent over a connection, or over a link between nodes, arrives later, in order,
//! or is lost with it.

use crate::connection::{Call, Line, Link, Packet, Reply, Visit};
use crate::laws::Lawful;
use crate::player::Heard;
use crate::schedule::What;
use crate::world::World;
use war_table::server::client::Frame;

/// How long most packets take, in milliseconds.
const SOON: u64 = 40;
/// The most connections of a player.
const MOST_LINES: usize = 2;
/// The most requests of a connection that wait for their answers.
const MOST_WAITING: usize = 8;
/// How long most frames take to another node, in milliseconds.
const SOON_ELSEWHERE: u64 = 8;

impl World<'_> {
    /// Opens a connection of a player, where a node serves.
    pub(crate) fn connect(&mut self, player: usize) -> bool {
        if self.players[player].lines.len() >= MOST_LINES {
            return false;
        }
        let nodes = self.nodes.iter().enumerate();
        let serving: Vec<_> = nodes
            .filter(|(_, node)| node.serves(self.now))
            .map(|(index, _)| index)
            .collect();
        // Who was replaced and does not know it yet serves as well.
        let node = match serving[..] {
            [] => return false,
            [node] => node,
            _ => self.chance.one(&serving).copied().unwrap_or_default(),
        };
        let number = self.next_line;
        self.next_line += 1;
        let clock = self.nodes[node].clock(self.now);
        let rooms = self.options.all_rooms();
        let line = Line::new(node, player, rooms, clock);
        self.lines.insert(number, line);
        let hello = self.players[player].hello(number);
        self.send(number, Packet::Text(hello), 0);
        self.queue.plan(self.now + 1, What::Wake(number));
        true
    }

    /// Sends something to the node, which takes this much longer than usual; the result is when
    /// it arrives.
    pub(crate) fn send(&mut self, number: u64, packet: Packet, longer: u64) -> u64 {
        let soon = self.now + 1 + self.chance.below(SOON) + longer;
        let Some(line) = self.lines.get_mut(&number) else {
            return soon;
        };
        let at = line.to_node.put(packet, soon);
        self.queue.plan(at, What::AtNode(number));
        at
    }

    /// Sends something to the player.
    pub(crate) fn answer(&mut self, number: u64, packet: Packet) {
        let soon = self.now + 1 + self.chance.below(SOON);
        if let Some(line) = self.lines.get_mut(&number) {
            let at = line.to_player.put(packet, soon);
            self.queue.plan(at, What::AtPlayer(number));
        }
    }

    /// The next packet of a connection is at its node.
    pub(crate) fn at_node(&mut self, number: u64) {
        let Some(line) = self.lines.get_mut(&number) else {
            return;
        };
        if let Some(packet) = line.to_node.packets.pop_front()
            && line.to_node.is_open
        {
            line.unread.push_back(packet);
            self.read(number);
        }
    }

    /// Lets the session read what it reads now.
    pub(crate) fn read(&mut self, number: u64) {
        self.do_actions(number);
        loop {
            let Some(line) = self.lines.get_mut(&number) else {
                return;
            };
            if !line.session.reads(0) || line.route.len() >= MOST_WAITING {
                return;
            }
            let Some(packet) = line.unread.pop_front() else {
                return;
            };
            let clock = self.nodes[line.node].clock(self.now);
            let frame = match &packet {
                Packet::Text(text) => Frame::Text(text),
                Packet::Ping => Frame::Control,
            };
            line.session.receive(frame, clock);
            self.do_actions(number);
        }
    }

    /// The next packet of a connection is at its player.
    pub(crate) fn at_player(&mut self, number: u64) -> Lawful {
        let Some(line) = self.lines.get_mut(&number) else {
            return Ok(());
        };
        let packet = line.to_player.packets.pop_front();
        let Some(packet) = packet.filter(|_| line.to_player.is_open) else {
            return Ok(());
        };
        let index = line.player;
        let text = match packet {
            Packet::Ping => {
                self.send(number, Packet::Ping, 0);
                return Ok(());
            }
            Packet::Text(text) => text,
        };
        self.note("hears", number, &text);
        let player = &mut self.players[index];
        match player.hear(number, &text, &self.laws.messages)? {
            Heard::Nothing => {}
            Heard::Turn => self.think(index),
            Heard::Resume => {
                let resume = self.players[index].resume();
                self.send(number, Packet::Text(resume), 0);
                self.think(index);
            }
            Heard::Again => self.think_again(index),
            Heard::Leave => self.cut(number),
            Heard::Over => self.is_over(index)?,
        }
        Ok(())
    }

    /// Cuts a connection: what is on its way is lost, and both ends learn it later.
    pub(crate) fn cut(&mut self, number: u64) {
        let Some(line) = self.lines.get_mut(&number) else {
            return;
        };
        for pipe in [&mut line.to_node, &mut line.to_player] {
            pipe.is_open = false;
        }
        let node = self.now + self.chance.below(8_000);
        let player = self.now + self.chance.below(3_000);
        self.queue.plan(node, What::GoneAtNode(number));
        self.queue.plan(player, What::GoneAtPlayer(number));
    }

    /// The server closes a connection, or ends; its player learns it after all that was sent.
    pub(crate) fn close(&mut self, number: u64, lost: bool) {
        let Some(line) = self.lines.get_mut(&number) else {
            return;
        };
        line.to_node.is_open = false;
        line.to_player.is_open &= !lost;
        let at = line.to_player.last().max(self.now) + 1 + self.chance.below(500);
        self.queue.plan(at, What::GoneAtPlayer(number));
    }

    pub(crate) fn gone_at_player(&mut self, number: u64) {
        let Some(line) = self.lines.get_mut(&number) else {
            return;
        };
        let index = line.player;
        line.to_player.is_open = false;
        self.players[index].loses(number);
        self.forget_line(number);
        let at = self.now + self.chance.between(100, 2_000);
        self.plan_act(index, at);
    }

    /// Forgets a connection that neither end has any more.
    pub(crate) fn forget_line(&mut self, number: u64) {
        let Some(line) = self.lines.get(&number) else {
            return;
        };
        let player = &self.players[line.player];
        let is_gone = line.is_over || !self.is_shared();
        if is_gone && !line.is_known && !line.to_node.is_open && !player.lines.contains_key(&number)
        {
            self.lines.remove(&number);
        }
    }

    /// The link from a node to the owner of rooms, which may be the node itself; none where
    /// nobody answers there.
    pub(crate) fn link(&mut self, gateway: usize, owner: usize) -> Option<u64> {
        let ends = (gateway, owner);
        if let Some(link) = self.link_of.get(&ends) {
            return Some(*link);
        }
        if !self.nodes[owner].runs() {
            return None;
        }
        self.next_link += 1;
        let number = self.next_link;
        self.links.insert(number, Link::new(gateway, owner));
        self.link_of.insert(ends, number);
        Some(number)
    }

    /// How long a frame takes.
    fn takes(&mut self, is_local: bool) -> u64 {
        if is_local {
            self.chance.below(2)
        } else {
            1 + self.chance.below(SOON_ELSEWHERE)
        }
    }

    /// Sends something of a visit to the owner of its room.
    pub(crate) fn call(&mut self, number: u64, visit: u64, call: Call) {
        let is_local = self
            .links
            .get(&number)
            .is_none_or(|link| link.gateway == link.owner);
        let soon = self.now + self.takes(is_local);
        if let Some(link) = self.links.get_mut(&number).filter(|link| link.is_open) {
            let at = link.calls.put(visit, call, soon);
            self.queue.plan(at, What::AtOwner(number));
        }
    }

    /// Sends something of a visit back.
    pub(crate) fn reply(&mut self, number: u64, visit: &Visit, reply: Reply) {
        let Some(link) = visit.link else {
            return;
        };
        let is_local = self
            .links
            .get(&link)
            .is_none_or(|link| link.gateway == link.owner);
        let soon = self.now + self.takes(is_local);
        if let Some(open) = self.links.get_mut(&link).filter(|link| link.is_open) {
            let at = open.replies.put(number, reply, soon);
            self.queue.plan(at, What::AtGateway(link));
        }
    }

    /// The next frame of a link is at the owner of rooms.
    pub(crate) fn at_owner(&mut self, number: u64) {
        let Some(link) = self.links.get_mut(&number).filter(|link| link.is_open) else {
            return;
        };
        match link.calls.next() {
            Some((visit, Call::Enter(visitor))) => self.enters(visit, visitor),
            Some((visit, Call::Ask(request, age))) => self.asks(visit, request, age),
            Some((visit, Call::Leave)) => self.leaves(visit),
            None => {}
        }
    }

    /// The next frame of a link is at the node that forwards.
    pub(crate) fn at_gateway(&mut self, number: u64) {
        let Some(link) = self.links.get_mut(&number).filter(|link| link.is_open) else {
            return;
        };
        let Some((visit, reply)) = link.replies.next() else {
            return;
        };
        let (Reply::Says(to, _) | Reply::Gone(to)) = reply;
        let current = self.lines.get(&to).and_then(|line| line.visit);
        if current != Some((visit, number)) {
            return;
        }
        match reply {
            Reply::Says(_, outbound) => self.hears(to, outbound),
            Reply::Gone(_) => {
                self.lost(to);
                self.go_on(to);
            }
        }
    }

    /// A link breaks: what is on it is lost, and both ends learn it later.
    pub(crate) fn breaks(&mut self, number: u64) {
        let Some(link) = self.links.get_mut(&number) else {
            return;
        };
        if !std::mem::replace(&mut link.is_open, false) {
            return;
        }
        let owner = self.now + self.chance.below(8_000);
        let gateway = self.now + self.chance.below(3_000);
        self.queue.plan(owner, What::GoneAtOwner(number));
        self.queue.plan(gateway, What::GoneAtGateway(number));
    }

    /// A node ends, and all its links with it.
    pub(crate) fn ends_links(&mut self, index: usize) {
        let links = self.links.iter();
        let of_node = links.filter(|(_, link)| link.gateway == index || link.owner == index);
        let of_node: Vec<_> = of_node.map(|(number, _)| *number).collect();
        for number in of_node {
            self.breaks(number);
        }
        let local = (index, index);
        self.link_of.remove(&local);
        self.link_of.retain(|(gateway, _), _| *gateway != index);
    }

    /// The owner of rooms learns that a link is gone.
    pub(crate) fn gone_at_owner(&mut self, number: u64) {
        let visits = self.visits.iter();
        let over_it = visits.filter(|(_, visit)| visit.link == Some(number));
        let over_it: Vec<_> = over_it.map(|(visit, _)| *visit).collect();
        for visit in over_it {
            self.leaves(visit);
        }
        self.forget_link(number, true);
    }

    /// The node that forwards learns that a link is gone: all visits over it are lost.
    pub(crate) fn gone_at_gateway(&mut self, number: u64) {
        self.link_of.retain(|_, link| *link != number);
        let lines = self.lines.iter();
        let over_it = lines.filter(|(_, line)| !line.is_over);
        let over_it =
            over_it.filter(|(_, line)| line.visit.is_some_and(|(_, link)| link == number));
        let over_it: Vec<_> = over_it.map(|(line, _)| *line).collect();
        for line in over_it {
            self.lost(line);
            self.go_on(line);
        }
        self.forget_link(number, false);
    }

    /// Forgets a link of which both ends know that it is gone.
    fn forget_link(&mut self, number: u64, owner: bool) {
        if let Some(link) = self.links.get_mut(&number) {
            link.known[usize::from(owner)] = true;
            if link.known == [true; 2] {
                self.links.remove(&number);
            }
        }
    }

    /// Something happens to one of the links between nodes.
    pub(crate) fn any_link(&mut self) -> Option<u64> {
        let links = self.links.iter();
        let open = links.filter(|(_, link)| link.is_open && link.gateway != link.owner);
        let open: Vec<_> = open.map(|(number, _)| *number).collect();
        self.chance.one(&open).copied()
    }

    /// Whether every link between nodes works.
    pub(crate) fn links_work(&self) -> bool {
        self.links.values().all(|link| {
            let silent = link.calls.last().max(link.replies.last());
            link.is_open && silent <= self.now + 100
        })
    }
}
