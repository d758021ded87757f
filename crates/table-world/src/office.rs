//! The visits of a room, as its owner has them.

use super::World;
use super::broken::Lawful;
use super::link::Reply;
use super::visit::Visit;
use std::net::{IpAddr, Ipv4Addr};
use war::i18n::{Catalogue, Lang};
use war_table::room::PlayerId;
use war_table::server::Address;
use war_table::server::gateway::Errand;
use war_table::server::hub::{ClientId, HubCommand, Outbound};
use war_table::server::rooms::RoomNumber;

impl World<'_> {
    /// A client enters a room, which serves it if the node has it.
    pub(super) fn enters(&mut self, number: u64, visit: Visit) {
        let (node, room, client) = (visit.node, visit.room, ClientId(number));
        if !self.nodes[node].processes.contains_key(&room) {
            self.reply(number, &visit, Reply::Gone(visit.line));
            return;
        }
        let address = address(visit.visitor);
        let catalogue = Catalogue::built_in(Lang::En);
        let command = match visit.player {
            None => HubCommand::Connect {
                client,
                address,
                may_join: true,
                catalogue,
            },
            Some(player) => HubCommand::Attach {
                client,
                address,
                catalogue,
                player,
            },
        };
        self.visits.insert(number, visit);
        self.arrives((node, room), command, 0);
    }

    /// A client asks for something that came to its node so long ago.
    pub(super) fn asks(&mut self, number: u64, errand: Errand, age: u64) {
        let client = ClientId(number);
        let Some(visit) = self.visits.get(&number) else {
            return;
        };
        let command = match errand {
            Errand::Hello(hello) => HubCommand::Hello { client, hello },
            Errand::Request(request) => HubCommand::Request { client, request },
        };
        self.arrives((visit.node, visit.room), command, age);
    }

    /// A client leaves, or its link is gone.
    pub(super) fn leaves(&mut self, number: u64) {
        let client = ClientId(number);
        if let Some(visit) = self.visits.get(&number) {
            let at = (visit.node, visit.room);
            self.arrives(at, HubCommand::Disconnect { client }, 0);
        }
    }

    /// What a room has published goes to its client.
    pub(super) fn publish(&mut self, client: ClientId, outbound: Outbound) -> Lawful {
        let Some(visit) = self.visits.get_mut(&client.0) else {
            return Ok(());
        };
        self.laws.published(visit.player, &outbound)?;
        let visit = visit.clone();
        match &outbound {
            Outbound::Welcome { player, .. } => self.is_here(client, *player),
            Outbound::Elsewhere(_) | Outbound::Released => self.disconnected(client),
            _ => {}
        }
        if self.is_shared() {
            self.reply(client.0, &visit, Reply::Says(visit.line, outbound));
        } else {
            self.hand(visit.line, outbound);
        }
        Ok(())
    }

    /// A room knows that the player of a client is there.
    pub(super) fn is_here(&mut self, client: ClientId, player: PlayerId) {
        let Some(visit) = self.visits.get_mut(&client.0) else {
            return;
        };
        visit.player = Some(player);
        let owns = self.rooms[usize::from(visit.room.0)].owner == Some(visit.node);
        if owns && !std::mem::replace(&mut visit.is_here, true) {
            let time = self.laws.time(visit.room);
            self.laws.waiting.comes(visit.room, player, time);
        }
    }

    /// A client is not known to a room any more.
    pub(super) fn disconnected(&mut self, client: ClientId) {
        let Some(visit) = self.visits.remove(&client.0) else {
            return;
        };
        let owns = self.rooms[usize::from(visit.room.0)].owner == Some(visit.node);
        if let Some(player) = visit.player.filter(|_| visit.is_here && owns) {
            self.laws.waiting.goes(visit.room, player);
        }
        if !self.is_shared()
            && let Some(line) = self.lines.get_mut(&visit.line)
        {
            line.is_known = false;
            self.forget_line(visit.line);
        }
    }

    /// A node serves a room no more: all visits end.
    pub(super) fn closes_room(&mut self, index: usize, room: RoomNumber) {
        self.note("closes", index as u64, "");
        if self.rooms[usize::from(room.0)].owner == Some(index) {
            self.laws.waiting.everybody_goes(room);
        }
        let visits = self.visits.iter();
        let of_room = visits.filter(|(_, visit)| visit.node == index && visit.room == room);
        let of_room: Vec<_> = of_room.map(|(number, _)| *number).collect();
        for number in of_room {
            if let Some(visit) = self.visits.remove(&number)
                && self.is_shared()
            {
                self.reply(number, &visit, Reply::Gone(visit.line));
            }
        }
    }

    /// A room has another owner now: who is there is counted anew.
    pub(super) fn counts_anew(&mut self, room: RoomNumber) {
        self.laws.begins(room, self.now);
        for visit in self.visits.values_mut() {
            visit.is_here &= visit.room != room;
        }
    }
}

/// Where a player comes from.
fn address(player: usize) -> Address {
    let number = u32::try_from(player).unwrap_or_default();
    IpAddr::V4(Ipv4Addr::from_bits(0x0a00_0000 | number)).into()
}
