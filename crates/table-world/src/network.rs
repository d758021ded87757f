//! The connections: what is sent arrives later, in order, or is lost with its connection.

use super::World;
use super::broken::Lawful;
use super::line::{Line, Packet};
use super::player::Heard;
use super::queue::What;
use war_table::server::client::Frame;

/// How long most packets take, in milliseconds.
const SOON: u64 = 40;
/// The most connections of a player.
const MOST_LINES: usize = 2;
/// The most errands of a connection that wait for their answers.
const MOST_WAITING: usize = 8;

impl World<'_> {
    /// Opens a connection of a player, where a node serves.
    pub(super) fn connect(&mut self, player: usize) -> bool {
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
    pub(super) fn send(&mut self, number: u64, packet: Packet, longer: u64) -> u64 {
        let soon = self.now + 1 + self.chance.below(SOON) + longer;
        let Some(line) = self.lines.get_mut(&number) else {
            return soon;
        };
        let at = line.to_node.put(packet, soon);
        self.queue.plan(at, What::AtNode(number));
        at
    }

    /// Sends something to the player.
    pub(super) fn answer(&mut self, number: u64, packet: Packet) {
        let soon = self.now + 1 + self.chance.below(SOON);
        if let Some(line) = self.lines.get_mut(&number) {
            let at = line.to_player.put(packet, soon);
            self.queue.plan(at, What::AtPlayer(number));
        }
    }

    /// The next packet of a connection is at its node.
    pub(super) fn at_node(&mut self, number: u64) {
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
    pub(super) fn read(&mut self, number: u64) {
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
    pub(super) fn at_player(&mut self, number: u64) -> Lawful {
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
    pub(super) fn cut(&mut self, number: u64) {
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
    pub(super) fn close(&mut self, number: u64, lost: bool) {
        let Some(line) = self.lines.get_mut(&number) else {
            return;
        };
        line.to_node.is_open = false;
        line.to_player.is_open &= !lost;
        let at = line.to_player.last().max(self.now) + 1 + self.chance.below(500);
        self.queue.plan(at, What::GoneAtPlayer(number));
    }

    pub(super) fn gone_at_player(&mut self, number: u64) {
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
    pub(super) fn forget_line(&mut self, number: u64) {
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
}
