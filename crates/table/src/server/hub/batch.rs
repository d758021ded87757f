use super::connections::Client;
use super::hello::HelloRequest;
use super::settings::HubSettings;
use super::state::Hub;
use super::{CurrentTime, HubCommand, HubDelivery, TimedCommand, UnitOfWork};
use crate::protocol::Request;
use crate::room::{Command, OpponentChoice};
use crate::server::identity::Identity;
use crate::server::metrics::Metrics;
use crate::server::randomness::Randomness;
use crate::server::store::{Store, StoreError};
use crate::time::TableTime;
use slog::Logger;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;
use war::tokens::Kind;

/// Grace period after a deadline at a table with several rooms: decisions made in time may be on
/// their way from another node.
pub const DECISION_GRACE: Duration = Duration::from_secs(1);
/// Drift of the wall clock against the announced deadlines at which the deadlines are sent again.
pub const MAX_CLOCK_DRIFT: Duration = Duration::from_millis(500);

impl Hub {
    /// Opens the hub of a store's room, adds house players, and extends the deadlines of its games.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the store fails, is damaged, or another program writes into it.
    pub fn open(
        store: &dyn Store,
        settings: HubSettings,
        randomness: Box<dyn Randomness>,
        identity: Identity,
        metrics: Arc<Metrics>,
        log: Logger,
        now: CurrentTime,
    ) -> Result<Self, StoreError> {
        let mut room = store.room(settings.timeouts)?;
        if store.is_shared() {
            room.set_grace(DECISION_GRACE);
        }
        let room = (room, store.is_shared(), store.position());
        let mut hub = Self::new(room, &settings, now, randomness, identity, metrics, log);
        hub.mark_all_absent(now.table);
        hub.reserve_numbers(store)?;
        let transaction = store.begin()?.ok_or(StoreError::InUse)?;
        let mut unit = UnitOfWork::new(transaction, now);
        hub.ensure_house_players(settings.house_players, &mut unit)?;
        hub.extend_deadlines(&mut unit)?;
        hub.cancel_waits_without_seed_hash(&mut unit)?;
        hub.persist_touched_players(&mut unit)?;
        let published = unit.commit()?;
        debug_assert!(published.is_empty(), "nobody is connected yet");
        Ok(hub)
    }

    /// Carries out commands in order of arrival, and everything due by now, each at its own time.
    ///
    /// The result has yet to be committed. Without the commit, the hub is ahead of its store and
    /// must be opened again.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the store fails; the hub must be opened again then, too.
    pub fn run<'a>(
        &mut self,
        mut unit: UnitOfWork<'a>,
        commands: impl IntoIterator<Item = TimedCommand>,
    ) -> Result<UnitOfWork<'a>, StoreError> {
        let present = unit.current_time();
        if self.has_clock_drift(present) {
            self.extend_deadlines(&mut unit)?;
        }
        let commands = in_order(commands.into_iter().collect());
        self.matchmaking.requests = commands
            .iter()
            .filter(|stamped| stamped.command.is_player_request())
            .count();
        self.prefetch(&commands, &mut unit)?;
        self.poll_incoming_players(&mut unit)?;
        for TimedCommand { at, command } in commands {
            // Everything due comes before the command, since a decision exactly at its deadline is
            // too late.
            self.run_due(at.min(present.table), &mut unit)?;
            unit.set_now(at.max(self.run_until));
            unit.set_arrival_time(at);
            self.handle(command, &mut unit)?;
        }
        self.run_due(present.table, &mut unit)?;
        self.answer_deferred_requests(&mut unit)?;
        self.answers.sweep(&mut unit)?;
        self.publish_friends(&mut unit)?;
        self.persist_touched_players(&mut unit)?;
        Ok(unit)
    }

    fn handle(&mut self, command: HubCommand, unit: &mut UnitOfWork<'_>) -> Result<(), StoreError> {
        match command {
            HubCommand::Connect {
                client,
                address,
                may_join,
                catalogue,
            } => {
                let connected = Client {
                    address,
                    may_join,
                    catalogue,
                    player: None,
                };
                self.connections.add(client, connected);
                Ok(())
            }
            HubCommand::Attach {
                client,
                address,
                catalogue,
                player,
            } => {
                let player = Some(player);
                let attached = Client {
                    address,
                    may_join: false,
                    catalogue,
                    player,
                };
                self.attach(client, attached, unit);
                Ok(())
            }
            HubCommand::Request {
                client,
                request:
                    Request::Hello {
                        id,
                        name,
                        token,
                        watchable,
                        protocol,
                    },
            } => {
                let hello = HelloRequest {
                    id,
                    name,
                    token,
                    watchable,
                    protocol,
                };
                self.handle_hello(client, hello, unit)
            }
            HubCommand::Request { client, request } => self.handle_request(client, &request, unit),
            HubCommand::Disconnect { client } => {
                self.disconnect(client, unit);
                Ok(())
            }
            HubCommand::Order { client, order } => self.handle_order(client, &order, unit),
            HubCommand::PruneMessages {
                client,
                before,
                after,
            } => {
                let removed = unit.transaction_mut().prune_messages(before, after)?;
                unit.publish(client, HubDelivery::MessagesPruned(removed));
                Ok(())
            }
            HubCommand::CommitDay(day) => self.commit_day(day, unit),
            HubCommand::Rate(rated) => unit.transaction_mut().save_ladder(&rated),
            HubCommand::Drain => {
                self.draining = true;
                let drained = self.room.step(&Command::Drain, unit.now());
                self.persist(&drained.expect("a room may always be drained"), None, unit)
            }
        }
    }

    /// Cancels the waits of players who chose a game under an earlier version of the program, and
    /// therefore committed to no seed.
    fn cancel_waits_without_seed_hash(
        &mut self,
        unit: &mut UnitOfWork<'_>,
    ) -> Result<(), StoreError> {
        let uncommitted: Vec<_> = self.room.players_without_seed_hash().collect();
        for (player, kind) in uncommitted {
            self.presence.drop_absence(player);
            let cancelled = self
                .room
                .step(&Command::Cancel { player, kind }, unit.now());
            self.persist(&cancelled.expect("they wait"), None, unit)?;
        }
        Ok(())
    }
}

/// Sorts commands by time. A client's connection comes before all of its requests, even those that
/// reached the client's node before the client was forwarded to this room.
fn in_order(mut commands: Vec<TimedCommand>) -> Vec<TimedCommand> {
    let mut asked = BTreeMap::new();
    for TimedCommand { at, command } in &commands {
        if let HubCommand::Request { client, .. } = command {
            let first = asked.entry(*client).or_insert(*at);
            *first = (*first).min(*at);
        }
    }
    for TimedCommand { at, command } in &mut commands {
        if let HubCommand::Connect { client, .. } | HubCommand::Attach { client, .. } = command
            && let Some(first) = asked.get(client)
        {
            *at = (*at).min(*first);
        }
    }
    commands.sort_by_key(|stamped| stamped.at);
    commands
}

impl Hub {
    /// Next time at which [`Hub::run`] has something to do even without commands.
    #[must_use]
    pub fn next_due(&self) -> TableTime {
        let absence = self.presence.deadlines(&self.room).map(|(_, at)| at).min();
        let house = self.next_house_game().map(|(at, _)| at);
        let matchmaking = if self.is_shared {
            self.matchmaking.next_due(&self.room)
        } else {
            None
        };
        let due = [self.room.next_due(), absence, house, matchmaking];
        due.into_iter()
            .flatten()
            .fold(self.answers.next_sweep, TableTime::min)
    }

    /// Time at which the house is to join a game next, and the kind of the game.
    fn next_house_game(&self) -> Option<(TableTime, Kind)> {
        if self.draining {
            return None;
        }
        self.matchmaking.next_house_game(&self.room, &self.presence)
    }

    /// Returns whether announced deadlines no longer match the wall clock: the table stood still,
    /// or the clock was set.
    fn has_clock_drift(&self, present: CurrentTime) -> bool {
        let expected = self.deadlines_sent_at.wall_time_at(present.table);
        expected.abs_diff(present.wall) >= MAX_CLOCK_DRIFT
    }

    /// Extends the deadlines of games after a pause, and sends them to the players.
    fn extend_deadlines(&mut self, unit: &mut UnitOfWork<'_>) -> Result<(), StoreError> {
        self.deadlines_sent_at = unit.current_time();
        let gone_on = self.room.step(&Command::ExtendDeadlines, unit.now());
        self.persist(&gone_on.expect("games may always go on"), None, unit)
    }

    /// Does everything due by a time.
    fn run_due(&mut self, until: TableTime, unit: &mut UnitOfWork<'_>) -> Result<(), StoreError> {
        self.run_until = self.run_until.max(until);
        let now = self.run_until;
        unit.set_now(now);
        let ticked = self.room.step(&Command::Tick, now);
        self.persist(&ticked.expect("time may always pass"), None, unit)?;
        while let Some((_, kind)) = self.next_house_game().filter(|(due, _)| *due <= now) {
            self.match_with_house(kind, OpponentChoice::Anyone, unit)?;
        }
        let deadlines = self.presence.deadlines(&self.room);
        let absent: Vec<_> = deadlines.filter(|(_, at)| *at <= now).collect();
        for (player, _) in absent {
            self.cancel_absent_wait(player, unit)?;
        }
        self.forward_lone_players(now, unit)
    }
}
