//! What the server's program does: the loop of the writer of each room.

use super::World;
use super::broken::Lawful;
use super::laws::When;
use super::process::Taken;
use super::queue::What;
use std::sync::atomic::Ordering;
use war_table::server::Arrived;
use war_table::server::hub::{ClientId, HubCommand};
use war_table::server::rooms::RoomNumber;
use war_table::server::store::StoreError;

/// How long the store waits for another program that writes, in milliseconds.
const BUSY_WAIT: u64 = 400;
/// How long a commit takes longer until time stands still.
const SLACK: u64 = 1_000;
/// How long a node of several waits for its store.
const PATIENCE: u64 = 2_500;
/// The room of a table that one node has to itself.
pub(super) const ONLY: RoomNumber = RoomNumber(0);

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
    pub(super) fn rest(&mut self, index: usize, room: RoomNumber) -> Lawful {
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
    pub(super) fn turn(&mut self, index: usize, room: RoomNumber, turn: u64) -> Lawful {
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
                HubCommand::Request { client, .. } | HubCommand::Hello { client, .. } => {
                    Some(client)
                }
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
    pub(super) fn again(&mut self, index: usize, room: RoomNumber, after: u64) {
        let turn = self.nodes[index].next_turn(room);
        let turn = What::Turn(index, room, turn);
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
    pub(super) fn send_commit(&mut self, index: usize, room: RoomNumber) -> Lawful<Vec<ClientId>> {
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
    pub(super) fn learn(&mut self, taken: &[Taken], room: RoomNumber) -> Lawful {
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
    pub(super) fn arrives(&mut self, at: (usize, RoomNumber), command: HubCommand, age: u64) {
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
            arrived: Arrived {
                clock: clock.saturating_sub(age),
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
}
