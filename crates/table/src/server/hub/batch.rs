use super::hello::Hello;
use super::state::{Client, Hub, HubSettings};
use super::{
    ANSWERS_KEPT, CLOCKS_PART, GRACE, HubCommand, INVITED, Now, ON_ITS_WAY, Outbound,
    SWEEP_INTERVAL, TimedCommand, UnitOfWork,
};
use crate::protocol::{PlayerId, Request};
use crate::room::{Activity, Command, Meeting};
use crate::server::identity::Identity;
use crate::server::metrics::Metrics;
use crate::server::randomness::Randomness;
use crate::server::store::{Store, StoreError};
use slog::Logger;
use std::collections::BTreeMap;
use std::sync::Arc;
use war::tokens::Kind;

impl Hub {
    /// Opens the hub of the room in a store, seats the house, and lets the games go on.
    ///
    /// # Errors
    ///
    /// [`StoreError`] where the store fails, is damaged, or another program writes into it.
    pub fn open(
        store: &dyn Store,
        settings: HubSettings,
        randomness: Box<dyn Randomness>,
        identity: Identity,
        metrics: Arc<Metrics>,
        log: Logger,
        now: Now,
    ) -> Result<Self, StoreError> {
        let mut room = store.room(settings.timeouts)?;
        if store.is_shared() {
            room.wait_for_late(ON_ITS_WAY);
        }
        let room = (room, store.is_shared(), store.location());
        let mut hub = Self::new(room, &settings, now, randomness, identity, metrics, log);
        hub.miss_everybody(now.table);
        hub.stock_up(store)?;
        let transaction = store.begin()?.ok_or(StoreError::InUse)?;
        let mut unit = UnitOfWork::new(transaction, now);
        hub.seat_the_house(settings.house_players, &mut unit)?;
        hub.go_on(&mut unit)?;
        hub.cancel_uncommitted(&mut unit)?;
        hub.persist_touched(&mut unit)?;
        let published = unit.commit()?;
        debug_assert!(published.is_empty(), "nobody is connected yet");
        Ok(hub)
    }

    /// Does all that is asked, in the order in which it came, and all that is due by now, each
    /// at its own time.
    ///
    /// The result is still to be committed. Where that fails, or is not done, the hub is ahead
    /// of its store: it must be opened again.
    ///
    /// # Errors
    ///
    /// [`StoreError`] where the store fails; the hub must be opened again then, too.
    pub fn run<'a>(
        &mut self,
        mut unit: UnitOfWork<'a>,
        commands: impl IntoIterator<Item = TimedCommand>,
    ) -> Result<UnitOfWork<'a>, StoreError> {
        let present = unit.present();
        if self.clocks_parted(present) {
            self.go_on(&mut unit)?;
        }
        let commands = in_order(commands.into_iter().collect());
        self.asked = commands
            .iter()
            .filter(|stamped| stamped.command.is_of_a_player())
            .count();
        self.announce(&commands, &mut unit)?;
        self.look_for_arrivals(&mut unit)?;
        for TimedCommand { at, command } in commands {
            // A decision that comes when its time is up is too late.
            self.pass_time(at.min(present.table), &mut unit)?;
            unit.go_to(at.max(self.passed));
            unit.note_asked(at);
            self.handle(command, &mut unit)?;
        }
        self.pass_time(present.table, &mut unit)?;
        self.answer_late(&mut unit)?;
        self.forget_answers(&mut unit)?;
        self.persist_touched(&mut unit)?;
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
                self.clients.insert(client, connected);
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
                        ..
                    },
            } => {
                let hello = Hello {
                    id,
                    name,
                    token,
                    watchable,
                };
                self.handle_hello(client, hello, unit)
            }
            HubCommand::Request { client, request } => self.handle_request(client, &request, unit),
            HubCommand::Disconnect { client } => {
                self.disconnect(client, unit);
                Ok(())
            }
            HubCommand::Operate { client, order } => self.handle_order(client, &order, unit),
            HubCommand::Retain {
                client,
                before,
                after,
            } => {
                let removed = unit.store().forget_messages(before, after)?;
                unit.publish(client, Outbound::Retained(removed));
                Ok(())
            }
            HubCommand::Rate(rated) => unit.store().keep_ladder(&rated),
            HubCommand::Drain => {
                self.draining = true;
                let drained = self.room.step(&Command::Drain, unit.now());
                self.persist(&drained.expect("a room may always be drained"), unit)
            }
        }
    }

    /// Lets nobody wait who chose at an earlier program: they are committed to no seed.
    fn cancel_uncommitted(&mut self, unit: &mut UnitOfWork<'_>) -> Result<(), StoreError> {
        let uncommitted: Vec<_> = self.room.uncommitted().collect();
        for (player, kind) in uncommitted {
            self.gone.remove(&player);
            let cancelled = self
                .room
                .step(&Command::Cancel { player, kind }, unit.now());
            self.persist(&cancelled.expect("they wait"), unit)?;
        }
        Ok(())
    }

    fn forget_answers(&mut self, unit: &mut UnitOfWork<'_>) -> Result<(), StoreError> {
        let now = unit.now();
        if self.sweep.due <= now {
            let before = now.saturating_sub(ANSWERS_KEPT);
            let position = self.sweep.position;
            self.sweep.position = unit.store().forget_answers(before, position)?;
            self.sweep.due = now.saturating_add(SWEEP_INTERVAL);
            self.allowances.sweep(now);
        }
        Ok(())
    }
}

/// Commands in the order of their times. A client is there before all that it asks for, also what
/// came to its node before it was sent on to this room.
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
    /// When [`Hub::run`] has something to do even if nobody asks for anything.
    #[must_use]
    pub fn next_due(&self) -> u64 {
        let gone = self.given_up().map(|(_, at)| at).min();
        let called = self
            .called()
            .map(|(since, _)| since.saturating_add(self.house_after));
        let due = [self.room.next_due(), gone, called, self.next_sending()];
        let due = due.into_iter().flatten();
        due.fold(self.sweep.due, u64::min)
    }

    /// Whether players would read a deadline wrong that they were told: the table has stood
    /// still since, or the wall clock was set.
    const fn clocks_parted(&self, present: Now) -> bool {
        let expected = self.told.wall_at(present.table);
        expected.abs_diff(present.wall) >= CLOCKS_PART
    }

    /// Lets games go on after a pause, and tells those who are awaited how long they have.
    fn go_on(&mut self, unit: &mut UnitOfWork<'_>) -> Result<(), StoreError> {
        self.told = unit.present();
        let gone_on = self.room.step(&Command::GoOn, unit.now());
        self.persist(&gone_on.expect("games may always go on"), unit)
    }

    /// Does what is due by a time.
    fn pass_time(&mut self, until: u64, unit: &mut UnitOfWork<'_>) -> Result<(), StoreError> {
        self.passed = self.passed.max(until);
        let now = self.passed;
        unit.go_to(now);
        let ticked = self.room.step(&Command::Tick, now);
        self.persist(&ticked.expect("time may always pass"), unit)?;
        while let Some((since, kind)) = self.called()
            && since.saturating_add(self.house_after) <= now
        {
            self.step_in(kind, Meeting::Anyone, unit)?;
        }
        let late = self.given_up().filter(|(_, at)| *at <= now);
        let late: Vec<_> = late.map(|(player, _)| player).collect();
        for player in late {
            self.give_up(player, unit)?;
        }
        self.send_on_who_is_alone(now, unit)
    }

    /// Those who are gone while they wait, and when they wait no longer.
    fn given_up(&self) -> impl Iterator<Item = (PlayerId, u64)> {
        self.gone.iter().map(|(&player, since)| {
            let activity = self.room.player(player).map(|known| known.activity);
            let invites = matches!(activity, Some(Activity::Waiting(_, Meeting::Invitation(_))));
            (
                player,
                since.saturating_add(if invites { INVITED } else { GRACE }),
            )
        })
    }

    /// Lets whom a player would meet who chooses a game so wait no longer, if they are gone: nobody
    /// is matched with a player who has no connection.
    pub(super) fn make_way(
        &mut self,
        player: PlayerId,
        kind: Kind,
        meeting: Meeting,
        unit: &mut UnitOfWork<'_>,
    ) -> Result<(), StoreError> {
        match self.room.would_meet(player, kind, meeting) {
            Some(other) if self.is_gone(other, unit.now()) => self.give_up(other, unit),
            _ => Ok(()),
        }
    }

    /// Whether a player who waits is gone at this time.
    pub(super) fn is_gone(&self, player: PlayerId, now: u64) -> bool {
        self.gone.get(&player).is_some_and(|since| *since <= now)
    }

    /// Lets a player who is gone wait no longer.
    fn give_up(&mut self, player: PlayerId, unit: &mut UnitOfWork<'_>) -> Result<(), StoreError> {
        self.gone.remove(&player);
        self.bring_opponent_of(player, unit)?;
        let activity = self.room.player(player).map(|player| player.activity);
        // Somebody else may have come to play with them.
        let Some(Activity::Waiting(kind, _)) = activity else {
            return Ok(());
        };
        let cancelled = self
            .room
            .step(&Command::Cancel { player, kind }, unit.now());
        self.persist(&cancelled.expect("they wait"), unit)
    }
}
