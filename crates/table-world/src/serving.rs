//! What the owner of a room does: the loop of its writer, and the visits of its clients.

use crate::connection::{Reply, Visit};
use crate::laws::{Lawful, When};
use crate::node::Taken;
use crate::schedule::What;
use crate::world::World;
use std::net::{IpAddr, Ipv4Addr};
use std::sync::atomic::Ordering;
use war::i18n::{Catalogue, Lang};
use war_table::protocol::{PlayerId, Request};
use war_table::server::Address;
use war_table::server::hub::{ClientId, HubCommand, Outbound, TimedCommand};
use war_table::server::rooms::RoomNumber;
use war_table::server::store::StoreError;

/// How long the store waits for another program that writes, in milliseconds.
const BUSY_WAIT: u64 = 400;
/// How long a commit takes longer until time stands still.
const SLACK: u64 = 1_000;
/// How long a node of several waits for its store.
const PATIENCE: u64 = 2_500;
/// The room of a table that one node has to itself.
pub(crate) const ONLY: RoomNumber = RoomNumber(0);

impl World<'_> {
    /// Whether another program writes into the store.
    pub(crate) fn is_busy(&self) -> bool {
        self.busy.load(Ordering::Relaxed)
    }

    /// Starts the server of a node, if its store lets it.
    pub(crate) fn start(&mut self, index: usize) -> Lawful {
        if self.nodes[index].runs() {
            return Ok(());
        }
        let started = self.nodes[index].start(self.now, &mut self.chance);
        if self.is_shared() {
            let round = What::Round(index, self.nodes[index].run);
            self.queue.plan(self.now, round);
            return Ok(());
        }
        self.rooms[0].owner = Some(index);
        self.laws.begins(ONLY, self.now);
        self.learn(&[], ONLY)?;
        self.note("starts", started.is_ok().into(), "");
        if started.is_err() {
            let again = self.now + self.chance.between(100, 2_000);
            self.queue.plan(again, What::Start(index));
            return Ok(());
        }
        self.rest(index, ONLY)
    }

    /// Lets the loop of a room wait for what comes.
    pub(crate) fn rest(&mut self, index: usize, room: RoomNumber) -> Lawful {
        let Some(patience) = self.nodes[index].wait(room) else {
            if self.is_shared() {
                return self.hands_over(index, room);
            }
            self.ends(index, false);
            return Ok(());
        };
        self.again(index, room, patience);
        Ok(())
    }

    /// The loop of a room goes on.
    pub(crate) fn turn(&mut self, index: usize, room: RoomNumber, turn: u64) -> Lawful {
        let node = &mut self.nodes[index];
        match node.process(room) {
            Some(process) if process.turn != turn => return Ok(()),
            Some(process) if process.batch.is_some() => return self.commit(index, room),
            Some(_) => {}
            None => return Ok(()),
        }
        if self.is_busy() && self.nodes[index].pass_wrongly(room, self.now) {
            self.again(index, room, BUSY_WAIT);
            return Ok(());
        }
        if self.has_to_wait(index, room) {
            self.again(index, room, 5);
            return Ok(());
        }
        match self.nodes[index].work(room, self.now) {
            Ok(true) => self.is_done(index, room),
            Ok(false) => self.again(index, room, BUSY_WAIT),
            Err(error) => return self.fails(index, room, &error),
        }
        Ok(())
    }

    /// A batch is done, and will be committed.
    fn is_done(&mut self, index: usize, room: RoomNumber) {
        let mut takes = self.commit_takes();
        let (now, is_shared) = (self.now, self.is_shared());
        if let Some(process) = self.nodes[index].processes.get_mut(&room) {
            if takes > PATIENCE && is_shared {
                takes = PATIENCE;
                process.times_out = true;
            }
            if takes > SLACK {
                process.stalled_until = now + takes;
            }
        }
        self.again(index, room, takes);
    }

    /// Whether another room is about to claim somebody who asks for something here: a database
    /// lets the second one wait.
    fn has_to_wait(&mut self, index: usize, room: RoomNumber) -> bool {
        if !self.is_shared() {
            return false;
        }
        let (visits, players, store) = (&self.visits, &self.players, &self.store);
        let Some(process) = self.nodes[index].processes.get_mut(&room) else {
            return false;
        };
        let mut clients = process
            .inbox
            .iter()
            .filter_map(|taken| match &taken.arrived.command {
                HubCommand::Request { client, .. } => Some(client),
                _ => None,
            });
        let is_claimed = clients.any(|client| {
            let visit = visits.get(&client.0);
            let of = |visitor: usize| players.get(visitor).and_then(|player| player.id);
            let player = visit.and_then(|visit| visit.player.or_else(|| of(visit.visitor)));
            player.is_some_and(|player| store.is_claimed(player, room))
        });
        if !is_claimed {
            process.waits_since = None;
            return false;
        }
        let since = *process.waits_since.get_or_insert(self.now);
        if self.now - since > SLACK {
            process.stalled_until = self.now + 10;
        }
        self.now - since < PATIENCE
    }

    /// The writer of a room has failed.
    fn fails(&mut self, index: usize, room: RoomNumber, error: &StoreError) -> Lawful {
        if self.is_shared() {
            return self.loses(index, room, error);
        }
        self.ends(index, true);
        Ok(())
    }

    /// Plans the next turn of a loop.
    pub(crate) fn again(&mut self, index: usize, room: RoomNumber, after: u64) {
        let turn = self.nodes[index].next_turn(room);
        let turn = What::Turn(index, room, turn);
        self.queue.plan(self.now + after, turn);
    }

    /// How long a commit takes.
    pub(crate) fn commit_takes(&mut self) -> u64 {
        if self.now >= self.slow_until {
            return 1 + self.chance.below(12);
        }
        match self.chance.below(4) {
            0 => self.chance.between(1_000, 5_000),
            _ => self.chance.between(20, 900),
        }
    }

    /// Commits a batch, and publishes it.
    fn commit(&mut self, index: usize, room: RoomNumber) -> Lawful {
        let gone = self.send_commit(index, room)?;
        let published = match self.nodes[index].learn(room, self.now) {
            Some(Ok(published)) => published,
            Some(Err(error)) => return self.fails(index, room, &error),
            None => Vec::new(),
        };
        for (client, outbound) in published {
            self.publish(client, outbound)?;
        }
        for client in gone {
            self.disconnected(client);
        }
        self.rest(index, room)
    }

    /// Sends the commit of a room, whose answer is not read yet; the result is who leaves.
    pub(crate) fn send_commit(&mut self, index: usize, room: RoomNumber) -> Lawful<Vec<ClientId>> {
        let Some((taken, in_doubt)) = self.nodes[index].commit(room) else {
            return Ok(Vec::new());
        };
        self.learn(&taken, room)?;
        let mut gone = Vec::new();
        for taken in &taken {
            match taken.arrived.command {
                HubCommand::Disconnect { client } => gone.push(client),
                HubCommand::Attach { client, player, .. } if !in_doubt => {
                    self.is_here(client, player);
                }
                _ => {}
            }
        }
        if in_doubt {
            // A former owner may be in doubt as well, of a commit that its fence forbids.
            self.rooms[usize::from(room.0)].in_doubt.extend(taken);
            self.plan_landing(room);
        }
        Ok(gone)
    }

    /// Checks what was committed, which is of this room if of one, and drops what nobody asks for
    /// any more.
    pub(crate) fn learn(&mut self, taken: &[Taken], room: RoomNumber) -> Lawful {
        let writes = self.store.watched();
        if self.is_shared() && !writes.is_empty() {
            self.rooms[usize::from(room.0)].unserved_since = self.now;
        }
        let from = taken.iter().map(|taken| taken.at).min();
        let when = When {
            from: from.unwrap_or(self.now),
            ..self.when(room)
        };
        self.note("commits", writes.len() as u64, "");
        self.laws.committed(&writes, taken, when)?;
        for game in self.laws.take_over() {
            self.store.drop_game(game);
        }
        Ok(())
    }

    /// A command is there for the loop of a room, which wakes if it waits; a client asked for it
    /// this long ago.
    pub(crate) fn arrives(&mut self, at: (usize, RoomNumber), command: HubCommand, age: u64) {
        let (index, room) = at;
        let clock = self.nodes[index].clock(self.now);
        let asked = match &command {
            HubCommand::Request { client, request } => {
                let player = self.visits.get(&client.0).and_then(|visit| visit.player);
                player.map(|player| (player, request.clone()))
            }
            _ => None,
        };
        let taken = Taken {
            arrived: TimedCommand {
                at: clock.saturating_sub(age),
                command,
            },
            at: self.now.saturating_sub(age),
            asked,
        };
        let Some(process) = self.nodes[index].processes.get_mut(&room) else {
            return;
        };
        let first = process.inbox.is_empty();
        process.inbox.push(taken);
        if first && process.waits() {
            self.again(index, room, 0);
        }
    }

    /// A client enters a room, which serves it if the node has it.
    pub(crate) fn enters(&mut self, number: u64, visit: Visit) {
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
    pub(crate) fn asks(&mut self, number: u64, request: Request, age: u64) {
        let client = ClientId(number);
        let Some(visit) = self.visits.get(&number) else {
            return;
        };
        let command = HubCommand::Request { client, request };
        self.arrives((visit.node, visit.room), command, age);
    }

    /// A client leaves, or its link is gone.
    pub(crate) fn leaves(&mut self, number: u64) {
        let client = ClientId(number);
        if let Some(visit) = self.visits.get(&number) {
            let at = (visit.node, visit.room);
            self.arrives(at, HubCommand::Disconnect { client }, 0);
        }
    }

    /// What a room has published goes to its client.
    pub(crate) fn publish(&mut self, client: ClientId, outbound: Outbound) -> Lawful {
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
    pub(crate) fn is_here(&mut self, client: ClientId, player: PlayerId) {
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
    pub(crate) fn disconnected(&mut self, client: ClientId) {
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
    pub(crate) fn closes_room(&mut self, index: usize, room: RoomNumber) {
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
    pub(crate) fn counts_anew(&mut self, room: RoomNumber) {
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
