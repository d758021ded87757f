//! Owners of rooms: the loops of their servers, and the visits of their clients.

use crate::connection::{FrameToGateway, Shutdown, Visit};
use crate::laws::{LawResult, Moment};
use crate::node::ReceivedCommand;
use crate::schedule::WorldEvent;
use crate::world::World;
use std::net::{IpAddr, Ipv4Addr};
use std::sync::atomic::Ordering;
use std::time::Duration;
use war::i18n::{Catalogue, Lang};
use war_table::protocol::{PlayerId, Request};
use war_table::server::ClientAddress;
use war_table::server::hub::{ClientId, HubCommand, HubDelivery, TimedCommand};
use war_table::server::rooms::RoomNumber;
use war_table::server::store::StoreError;

/// Time that the store waits for another program to finish writing.
const STORE_LOCK_WAIT: Duration = Duration::from_millis(400);
/// Duration of a commit beyond which the time of the room stands still.
const SLOW_COMMIT: Duration = Duration::from_secs(1);
/// Time that a node waits for a shared store.
const STORE_TIMEOUT: Duration = Duration::from_millis(2_500);
/// The room of an unshared table.
pub(crate) const ONLY_ROOM: RoomNumber = RoomNumber(0);

impl World<'_> {
    /// Returns true while another program writes to the store.
    pub(crate) fn is_store_busy(&self) -> bool {
        self.busy.load(Ordering::Relaxed)
    }

    /// Starts the server of a node, if the store can be opened.
    pub(crate) fn start_node(&mut self, index: usize) -> LawResult {
        if self.nodes[index].is_running() {
            return Ok(());
        }
        let started = self.nodes[index].start(self.now, &mut self.rng);
        if self.is_shared() {
            let check = WorldEvent::LeaseCheck(index, self.nodes[index].run_number);
            self.queue.schedule(self.now, check);
            return Ok(());
        }
        self.rooms[0].owner = Some(index);
        self.laws.reset_room(ONLY_ROOM, self.now);
        self.check_commits(&[], ONLY_ROOM)?;
        self.add_to_transcript("starts", started.is_ok().into(), "");
        if started.is_err() {
            let again = self.now + self.rng.draw_millis_between(100, 2_000);
            self.queue.schedule(again, WorldEvent::StartNode(index));
            return Ok(());
        }
        self.wait_for_commands(index, ONLY_ROOM)
    }

    /// Lets the loop of a room wait for commands, or ends the loop.
    pub(crate) fn wait_for_commands(&mut self, index: usize, room: RoomNumber) -> LawResult {
        let Some(patience) = self.nodes[index].plan_wait(room) else {
            if self.is_shared() {
                return self.hand_over_room(index, room);
            }
            self.end_node(index, Shutdown::Graceful);
            return Ok(());
        };
        self.schedule_turn(index, room, patience);
        Ok(())
    }

    /// Runs a turn of a room's loop, unless the turn is outdated.
    pub(crate) fn run_turn(&mut self, index: usize, room: RoomNumber, turn: u64) -> LawResult {
        let node = &mut self.nodes[index];
        match node.server(room) {
            Some(server) if server.turn != turn => return Ok(()),
            Some(server) if server.batch.is_some() => return self.commit_batch(index, room),
            Some(_) => {}
            None => return Ok(()),
        }
        if self.is_store_busy() && self.nodes[index].apply_busy_time_bug(room, self.now) {
            self.schedule_turn(index, room, STORE_LOCK_WAIT);
            return Ok(());
        }
        if self.must_wait_for_claim(index, room) {
            self.schedule_turn(index, room, Duration::from_millis(5));
            return Ok(());
        }
        match self.nodes[index].process_batch(room, self.now) {
            Ok(true) => self.schedule_commit(index, room),
            Ok(false) => self.schedule_turn(index, room, STORE_LOCK_WAIT),
            Err(error) => return self.handle_server_failure(index, room, &error),
        }
        Ok(())
    }

    /// Schedules the commit of a finished batch.
    fn schedule_commit(&mut self, index: usize, room: RoomNumber) {
        let mut duration = self.draw_commit_duration();
        let (now, is_shared) = (self.now, self.is_shared());
        if let Some(server) = self.nodes[index].servers.get_mut(&room) {
            if duration > STORE_TIMEOUT && is_shared {
                duration = STORE_TIMEOUT;
                server.is_commit_slow = true;
            }
            if duration > SLOW_COMMIT {
                server.stalled_until = now + duration;
            }
        }
        self.schedule_turn(index, room, duration);
    }

    /// Returns true while another room is about to claim a player with a request in the inbox of
    /// this room. A database makes the second claim wait.
    fn must_wait_for_claim(&mut self, index: usize, room: RoomNumber) -> bool {
        if !self.is_shared() {
            return false;
        }
        let (visits, players, store) = (&self.visits, &self.players, &self.store);
        let Some(server) = self.nodes[index].servers.get_mut(&room) else {
            return false;
        };
        let mut clients =
            server
                .inbox
                .iter()
                .filter_map(|received| match &received.timed.command {
                    HubCommand::Request { client, .. } => Some(client),
                    _ => None,
                });
        let is_claimed = clients.any(|client| {
            let visit = visits.get(&client.0);
            let of = |visitor: usize| players.get(visitor).and_then(|player| player.id);
            let player = visit.and_then(|visit| visit.player_id.or_else(|| of(visit.player_index)));
            player.is_some_and(|player| store.is_claimed_by_other_room(player, room))
        });
        if !is_claimed {
            server.waiting_since = None;
            return false;
        }
        let since = *server.waiting_since.get_or_insert(self.now);
        if self.now.saturating_since(since) > SLOW_COMMIT {
            server.stalled_until = self.now + Duration::from_millis(10);
        }
        self.now.saturating_since(since) < STORE_TIMEOUT
    }

    /// Handles a failure of a room's server.
    fn handle_server_failure(
        &mut self,
        index: usize,
        room: RoomNumber,
        error: &StoreError,
    ) -> LawResult {
        if self.is_shared() {
            return self.handle_store_failure(index, room, error);
        }
        self.end_node(index, Shutdown::Abrupt);
        Ok(())
    }

    /// Schedules the next turn of a room's loop.
    pub(crate) fn schedule_turn(&mut self, index: usize, room: RoomNumber, after: Duration) {
        let turn = self.nodes[index].begin_turn(room);
        let turn = WorldEvent::RoomTurn(index, room, turn);
        self.queue.schedule(self.now + after, turn);
    }

    /// Draws the duration of a commit.
    pub(crate) fn draw_commit_duration(&mut self) -> Duration {
        if self.now >= self.slow_until {
            return self.rng.draw_millis_between(1, 12);
        }
        match self.rng.draw_below(4) {
            0 => self.rng.draw_millis_between(1_000, 5_000),
            _ => self.rng.draw_millis_between(20, 900),
        }
    }

    /// Commits a batch and publishes its messages.
    fn commit_batch(&mut self, index: usize, room: RoomNumber) -> LawResult {
        let gone = self.send_commit(index, room)?;
        let published = match self.nodes[index].take_reply(room, self.now) {
            Some(Ok(published)) => published,
            Some(Err(error)) => return self.handle_server_failure(index, room, &error),
            None => Vec::new(),
        };
        for (client, outbound) in published {
            self.publish(client, outbound)?;
        }
        for client in gone {
            self.end_visit(client);
        }
        self.wait_for_commands(index, room)
    }

    /// Sends the commit of a room and leaves the reply unread. Returns the clients that leave.
    pub(crate) fn send_commit(
        &mut self,
        index: usize,
        room: RoomNumber,
    ) -> LawResult<Vec<ClientId>> {
        let Some((received, in_doubt)) = self.nodes[index].send_commit(room) else {
            return Ok(Vec::new());
        };
        self.check_commits(&received, room)?;
        let mut gone = Vec::new();
        for received in &received {
            match received.timed.command {
                HubCommand::Disconnect { client } => gone.push(client),
                HubCommand::Attach { client, player, .. } if !in_doubt => {
                    self.record_presence(client, player);
                }
                _ => {}
            }
        }
        if in_doubt {
            // Extends the list, since a former owner of the room may have a commit in doubt too,
            // which the fence will reject.
            self.rooms[usize::from(room.0)].in_doubt.extend(received);
            self.schedule_commit_outcome(room);
        }
        Ok(gone)
    }

    /// Checks the commits since the last call, and drops the settled games from the store.
    pub(crate) fn check_commits(
        &mut self,
        received: &[ReceivedCommand],
        room: RoomNumber,
    ) -> LawResult {
        let writes = self.store.take_writes();
        if self.is_shared() && !writes.is_empty() {
            self.rooms[usize::from(room.0)].unserved_since = self.now;
        }
        let from = received.iter().map(|received| received.at).min();
        let moment = Moment {
            first_arrival: from.unwrap_or(self.now),
            ..self.moment(room)
        };
        self.add_to_transcript("commits", writes.len() as u64, "");
        self.laws.check_commit(&writes, received, moment)?;
        for game in self.laws.take_settled_games() {
            self.store.drop_game(game);
        }
        Ok(())
    }

    /// Adds a command to the inbox of a room and wakes the room's loop. `age` is the time since the
    /// command reached the node of the client.
    pub(crate) fn enqueue_command(
        &mut self,
        at: (usize, RoomNumber),
        command: HubCommand,
        age: Duration,
    ) {
        let (index, room) = at;
        let clock = self.nodes[index].clock_time(self.now);
        let request = match &command {
            HubCommand::Request { client, request } => {
                let player = self.visits.get(&client.0).and_then(|visit| visit.player_id);
                player.map(|player| (player, request.clone()))
            }
            _ => None,
        };
        let received = ReceivedCommand {
            timed: TimedCommand {
                at: clock.saturating_sub(age),
                command,
            },
            at: self.now.saturating_sub(age),
            request,
        };
        let Some(server) = self.nodes[index].servers.get_mut(&room) else {
            return;
        };
        let first = server.inbox.is_empty();
        server.inbox.push(received);
        if first && server.is_waiting() {
            self.schedule_turn(index, room, Duration::ZERO);
        }
    }

    /// Lets a client enter a room, or rejects it if the node does not own the room.
    pub(crate) fn admit_client(&mut self, number: u64, visit: Visit) {
        let (node, room, client) = (visit.node, visit.room, ClientId(number));
        if !self.nodes[node].servers.contains_key(&room) {
            self.send_to_gateway(number, &visit, FrameToGateway::NotOwner(visit.connection));
            return;
        }
        let address = player_address(visit.player_index);
        let catalogue = Catalogue::built_in(Lang::En);
        let command = match visit.player_id {
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
        self.enqueue_command((node, room), command, Duration::ZERO);
    }

    /// Enqueues a request of a client; `age` is the time since the request reached the node of the
    /// client.
    pub(crate) fn enqueue_request(&mut self, number: u64, request: Request, age: Duration) {
        let client = ClientId(number);
        let Some(visit) = self.visits.get(&number) else {
            return;
        };
        let command = HubCommand::Request { client, request };
        self.enqueue_command((visit.node, visit.room), command, age);
    }

    /// Enqueues the departure of a client that left or whose link broke.
    pub(crate) fn enqueue_departure(&mut self, number: u64) {
        let client = ClientId(number);
        if let Some(visit) = self.visits.get(&number) {
            let at = (visit.node, visit.room);
            self.enqueue_command(at, HubCommand::Disconnect { client }, Duration::ZERO);
        }
    }

    /// Sends a published message to its client.
    pub(crate) fn publish(&mut self, client: ClientId, outbound: HubDelivery) -> LawResult {
        let Some(visit) = self.visits.get_mut(&client.0) else {
            return Ok(());
        };
        self.laws
            .check_published_message(visit.player_id, &outbound)?;
        let visit = visit.clone();
        match &outbound {
            HubDelivery::Welcome { player, .. } => self.record_presence(client, *player),
            HubDelivery::Redirect(_) | HubDelivery::Released => self.end_visit(client),
            _ => {}
        }
        if self.is_shared() {
            self.send_to_gateway(
                client.0,
                &visit,
                FrameToGateway::Deliver(visit.connection, outbound),
            );
        } else {
            self.deliver_to_session(visit.connection, outbound);
        }
        Ok(())
    }

    /// Records that a client's player is present in a room.
    pub(crate) fn record_presence(&mut self, client: ClientId, player: PlayerId) {
        let Some(visit) = self.visits.get_mut(&client.0) else {
            return;
        };
        visit.player_id = Some(player);
        let owns = self.rooms[usize::from(visit.room.0)].owner == Some(visit.node);
        if owns && !std::mem::replace(&mut visit.is_present, true) {
            let time = self.laws.time(visit.room);
            self.laws
                .matchmaking
                .add_connection(visit.room, player, time);
        }
    }

    /// Removes a visit that the room has ended.
    pub(crate) fn end_visit(&mut self, client: ClientId) {
        let Some(visit) = self.visits.remove(&client.0) else {
            return;
        };
        let owns = self.rooms[usize::from(visit.room.0)].owner == Some(visit.node);
        if let Some(player) = visit.player_id.filter(|_| visit.is_present && owns) {
            self.laws.matchmaking.remove_connection(visit.room, player);
        }
        if !self.is_shared()
            && let Some(connection) = self.connections.get_mut(&visit.connection)
        {
            connection.is_registered = false;
            self.forget_connection(visit.connection);
        }
    }

    /// Ends all visits to a room that a node no longer serves.
    pub(crate) fn end_visits_to_room(&mut self, index: usize, room: RoomNumber) {
        self.add_to_transcript("closes", index as u64, "");
        if self.rooms[usize::from(room.0)].owner == Some(index) {
            self.laws.matchmaking.clear_room(room);
        }
        let visits = self.visits.iter();
        let of_room = visits.filter(|(_, visit)| visit.node == index && visit.room == room);
        let of_room: Vec<_> = of_room.map(|(number, _)| *number).collect();
        for number in of_room {
            if let Some(visit) = self.visits.remove(&number)
                && self.is_shared()
            {
                self.send_to_gateway(number, &visit, FrameToGateway::NotOwner(visit.connection));
            }
        }
    }

    /// Resets the presence of players in a room that has a new owner.
    pub(crate) fn reset_presence(&mut self, room: RoomNumber) {
        self.laws.reset_room(room, self.now);
        for visit in self.visits.values_mut() {
            visit.is_present &= visit.room != room;
        }
    }
}

/// Returns the IP address from which a player connects.
fn player_address(player: usize) -> ClientAddress {
    let number = u32::try_from(player).unwrap_or_default();
    IpAddr::V4(Ipv4Addr::from_bits(0x0a00_0000 | number)).into()
}
