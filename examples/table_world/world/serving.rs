//! What the server's program does: the loop of its writer, and its connections.

use super::World;
use super::broken::Lawful;
use super::laws::When;
use super::line::Packet;
use super::node::Taken;
use super::queue::What;
use std::net::{IpAddr, Ipv4Addr};
use std::sync::atomic::Ordering;
use war::i18n::{Catalogue, Lang};
use war::server::client::Action;
use war::server::hub::{ClientId, HubCommand, Outbound};
use war::server::store::StoreError;
use war::server::{Address, Arrived};

/// How long the store waits for another program that writes, in milliseconds.
const BUSY_WAIT: u64 = 400;
/// How long a commit takes longer until time stands still.
const SLACK: u64 = 1_000;
/// How long a node of several waits for its store.
const PATIENCE: u64 = 2_500;
/// The most messages that are read from the store at a time.
const MOST_READ: usize = 100;

impl World<'_> {
    /// Whether another program writes into the store.
    pub(super) fn is_busy(&self) -> bool {
        self.busy.load(Ordering::Relaxed)
    }

    /// Starts the server of a node, if its store lets it.
    pub(super) fn start(&mut self, index: usize) -> Lawful {
        if self.nodes[index].runs() {
            return Ok(());
        }
        let started = self.nodes[index].start(self.now, &mut self.chance);
        if self.is_shared() {
            self.again(index, 0);
            return Ok(());
        }
        self.owner = Some(index);
        self.laws.begins(self.now);
        self.learn(&[])?;
        self.note("starts", started.is_ok().into(), "");
        if started.is_err() {
            let again = self.now + self.chance.between(100, 2_000);
            self.queue.plan(again, What::Start(index));
            return Ok(());
        }
        self.rest(index)
    }

    /// Lets the loop of a node wait for what comes.
    pub(super) fn rest(&mut self, index: usize) -> Lawful {
        let node = &mut self.nodes[index];
        node.turn += 1;
        let Some(patience) = node.wait() else {
            if self.is_shared() {
                return self.leaves(index);
            }
            self.ends(index, false);
            return Ok(());
        };
        let turn = What::Turn(index, node.turn);
        self.queue.plan(self.now + patience, turn);
        Ok(())
    }

    /// The loop of a node goes on.
    pub(super) fn turn(&mut self, index: usize, turn: u64) -> Lawful {
        let node = &mut self.nodes[index];
        if node.turn != turn {
            return Ok(());
        }
        match &node.process {
            None if node.runs() => return self.stand_by(index),
            Some(process) if process.batch.is_some() => return self.commit(index),
            _ => {}
        }
        if self.is_busy() && self.nodes[index].pass_wrongly(self.now) {
            self.again(index, BUSY_WAIT);
            return Ok(());
        }
        match self.nodes[index].work(self.now) {
            Ok(true) => {
                let mut takes = self.commit_takes();
                if takes > PATIENCE && self.is_shared() {
                    takes = PATIENCE;
                    self.nodes[index].times_out();
                }
                if takes > SLACK {
                    self.nodes[index].stalled_until = self.now + takes;
                }
                self.again(index, takes);
            }
            Ok(false) => self.again(index, BUSY_WAIT),
            Err(error) => return self.fails(index, &error),
        }
        Ok(())
    }

    /// The writer of a node has failed.
    fn fails(&mut self, index: usize, error: &StoreError) -> Lawful {
        if self.is_shared() {
            return self.loses(index, error);
        }
        self.ends(index, true);
        Ok(())
    }

    /// Plans the next turn of a loop.
    pub(super) fn again(&mut self, index: usize, after: u64) {
        let node = &mut self.nodes[index];
        node.turn += 1;
        let turn = What::Turn(index, node.turn);
        self.queue.plan(self.now + after, turn);
    }

    /// How long a commit takes.
    pub(super) fn commit_takes(&mut self) -> u64 {
        if self.now >= self.slow_until {
            return 1 + self.chance.below(12);
        }
        match self.chance.below(4) {
            0 => self.chance.between(1_000, 5_000),
            _ => self.chance.between(20, 900),
        }
    }

    /// Commits a batch, and publishes it.
    fn commit(&mut self, index: usize) -> Lawful {
        let gone = self.send_commit(index)?;
        let published = match self.nodes[index].learn(self.now) {
            Some(Ok(published)) => published,
            Some(Err(error)) => return self.fails(index, &error),
            None => Vec::new(),
        };
        for (client, outbound) in published {
            self.publish(client, outbound)?;
        }
        for client in gone {
            self.disconnected(client);
        }
        self.rest(index)
    }

    /// Sends the commit of a batch, and checks what it wrote; the result is who is gone after it.
    pub(super) fn send_commit(&mut self, index: usize) -> Lawful<Vec<ClientId>> {
        let Some((taken, in_doubt)) = self.nodes[index].commit() else {
            return Ok(Vec::new());
        };
        self.learn(&taken)?;
        let gone = taken
            .iter()
            .filter_map(|taken| match taken.arrived.command {
                HubCommand::Disconnect { client } => Some(client),
                _ => None,
            });
        let gone = gone.collect();
        if in_doubt {
            self.in_doubt = taken;
            self.plan_landing();
        }
        Ok(gone)
    }

    /// Checks what was committed, and drops what nobody asks for any more.
    pub(super) fn learn(&mut self, taken: &[Taken]) -> Lawful {
        let writes = self.store.watched();
        if self.is_shared() && !writes.is_empty() {
            self.unserved_since = self.now;
        }
        let from = taken.iter().map(|taken| taken.at).min();
        let when = When {
            from: from.unwrap_or(self.now),
            ..self.when()
        };
        self.note("commits", writes.len() as u64, "");
        self.laws.committed(&writes, taken, when)?;
        for game in self.laws.take_over() {
            self.store.drop_game(game);
        }
        Ok(())
    }

    /// A client is not known to the hub any more.
    fn disconnected(&mut self, client: ClientId) {
        let Some(line) = self.lines.get_mut(&client.0) else {
            return;
        };
        let was_known = std::mem::take(&mut line.is_known);
        let counts = was_known && self.owner == Some(line.node);
        if let Some(player) = line.is_welcome.take().filter(|_| counts) {
            self.laws.waiting.goes(player);
        }
        self.forget_line(client.0);
    }

    fn publish(&mut self, client: ClientId, outbound: Outbound) -> Lawful {
        let Some(line) = self.lines.get_mut(&client.0) else {
            return Ok(());
        };
        self.laws.published(line.is_welcome, &outbound)?;
        match &outbound {
            Outbound::Welcome { player, seq, .. } => {
                line.is_welcome = Some(*player);
                line.latest = line.latest.max(*seq);
                if self.owner == Some(line.node) {
                    self.laws.waiting.comes(*player, self.laws.time());
                }
            }
            Outbound::Push { seq, .. } => line.latest = line.latest.max(*seq),
            _ => {}
        }
        if !line.to_node.is_open && !line.to_player.is_open {
            return Ok(());
        }
        line.session.deliver(outbound);
        self.read(client.0);
        Ok(())
    }

    /// Does what the session of a connection decides.
    pub(super) fn do_actions(&mut self, number: u64) {
        while let Some(line) = self.lines.get_mut(&number)
            && let Some(action) = line.session.next_action()
        {
            let (client, node) = (ClientId(number), line.node);
            let clock = self.nodes[node].clock(self.now);
            match action {
                Action::Send(text) | Action::Refuse(_, text) => {
                    self.answer(number, Packet::Text(text.as_ref().to_owned()));
                }
                Action::Ping => self.answer(number, Packet::Ping),
                Action::Hello(hello) => {
                    if !std::mem::replace(&mut line.is_known, true) {
                        let address = address(line.player);
                        let catalogue = Catalogue::built_in(Lang::En);
                        let command = HubCommand::Connect {
                            client,
                            address,
                            catalogue,
                        };
                        self.arrives(node, command);
                    }
                    self.arrives(node, HubCommand::Hello { client, hello });
                }
                Action::Request(request) => {
                    self.arrives(node, HubCommand::Request { client, request });
                }
                Action::Read { .. } if !self.nodes[node].reaches() => self.hang_up(number),
                Action::Read { player, after } => {
                    let mut messages = self.store.messages(player, after);
                    messages.truncate(MOST_READ);
                    line.session.replay(messages);
                }
                Action::CatchUp => line.session.catch_up(line.latest, clock),
                Action::End(_) => self.hang_up(number),
            }
        }
    }

    /// The node ends a connection, or learns that it is gone.
    pub(super) fn hang_up(&mut self, number: u64) {
        self.close(number, false);
        let Some(line) = self.lines.get(&number) else {
            return;
        };
        let (node, client) = (line.node, ClientId(number));
        if line.is_known {
            self.arrives(node, HubCommand::Disconnect { client });
        }
    }

    /// A command is there for a node's loop, which wakes if it waits.
    pub(super) fn arrives(&mut self, index: usize, command: HubCommand) {
        let clock = self.nodes[index].clock(self.now);
        let asked = match &command {
            HubCommand::Request { client, request } => {
                let line = self.lines.get(&client.0);
                let player = line.and_then(|line| line.is_welcome);
                player.map(|player| (player, request.clone()))
            }
            _ => None,
        };
        let arrived = Arrived { clock, command };
        let taken = Taken {
            asked,
            ..Taken::new(arrived, self.now)
        };
        let node = &mut self.nodes[index];
        let Some(process) = &mut node.process else {
            return;
        };
        let first = process.inbox.is_empty();
        process.inbox.push(taken);
        if first && node.waits() {
            node.turn += 1;
            let turn = What::Turn(index, node.turn);
            self.queue.plan(self.now, turn);
        }
    }

    /// Wakes the session of a connection.
    pub(super) fn wake(&mut self, number: u64) {
        let Some(line) = self.lines.get_mut(&number) else {
            return;
        };
        if !line.to_node.is_open {
            return;
        }
        let clock = self.nodes[line.node].clock(self.now);
        line.session.wake(clock);
        let next = line.session.next_wake().saturating_sub(clock).max(1);
        self.queue.plan(self.now + next, What::Wake(number));
        self.read(number);
    }

    /// The server of a node ends: in order where it is drained, or as it failed or was killed.
    pub(super) fn ends(&mut self, index: usize, lost: bool) {
        self.closes(index, lost);
        let node = &mut self.nodes[index];
        node.process = None;
        node.turn += 1;
        if let Some(post) = self.shared(index) {
            post.dies();
        }
        let after = match self.chance.below(10) {
            0 => self.chance.between(5_000, 90_000),
            _ => self.chance.between(100, 3_000),
        };
        self.queue.plan(self.now + after, What::Start(index));
    }

    /// All connections of a node end, as it serves no more.
    pub(super) fn closes(&mut self, index: usize, lost: bool) {
        self.note("ends", lost.into(), "");
        if self.owner == Some(index) {
            self.laws.waiting.everybody_goes();
        }
        let lines = self.lines.iter();
        let lines = lines.filter(|(_, line)| line.node == index);
        let lines: Vec<_> = lines.map(|(number, _)| *number).collect();
        for number in lines {
            let lost = lost && self.chance.below(2) == 0;
            if let Some(line) = self.lines.get_mut(&number) {
                (line.is_known, line.is_welcome) = (false, None);
                line.unread.clear();
            }
            self.close(number, lost);
        }
    }
}

/// Where a player comes from.
fn address(player: usize) -> Address {
    let number = u32::try_from(player).unwrap_or_default();
    IpAddr::V4(Ipv4Addr::from_bits(0x0a00_0000 | number)).into()
}
