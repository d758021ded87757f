//! Health of a table, as the threads that serve its rooms last reported it.

use super::hub::Health;
use super::rooms::RoomNumber;
use super::store::StoreError;
use crate::time::Monotonic;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Time without a turn after which a room counts as unserved: a room turns once a second, and the
/// answers of a database have a shorter time limit.
const SERVING_TIMEOUT: Duration = Duration::from_secs(3);

/// Time without a turn after which a server counts as hung. A thread that waits for a database turns
/// earlier, since its answers have a time limit.
const HUNG_AFTER: Duration = Duration::from_secs(10);

/// Health of a table as far as a server knows it.
///
/// The threads that serve rooms write it, and health checks read it, so that a check waits neither
/// for a store nor for a room.
#[derive(Default)]
pub struct TableHealth(Mutex<State>);

#[derive(Default)]
struct State {
    is_draining: bool,
    /// `true` if no room can be served by this server any more, because of an error that lasts.
    is_shut_out: bool,
    /// Last turn of the loop that takes rooms, if there is one.
    turned_at: Option<Monotonic>,
    /// Number of rooms of the table; `None` before the rooms are known.
    rooms: Option<u16>,
    /// Rooms that other nodes serve, or are about to take.
    elsewhere: BTreeSet<RoomNumber>,
    /// Rooms of this server.
    here: BTreeMap<RoomNumber, RoomReport>,
    /// Rooms that this server could not take or serve, and that nobody has served since.
    failures: BTreeMap<RoomNumber, RoomFailure>,
    /// Code of the error with which the last reading of rooms and nodes has failed.
    census_failure: Option<&'static str>,
}

/// Last report of a room.
struct RoomReport {
    health: Health,
    at: Monotonic,
    /// `true` while another program writes into the store.
    is_busy: bool,
}

/// Last failure of a room.
struct RoomFailure {
    code: &'static str,
    at: Monotonic,
}

/// Health of a table at one moment: what players get.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct HealthSummary {
    /// `ok`, `failing` or `draining`.
    pub(super) status: &'static str,
    /// State of the store: `ok`, `busy`, or the code of the error because of which rooms are
    /// unserved.
    pub(super) store: &'static str,
    /// Sum over the rooms of this server.
    pub(super) sum: Health,
    /// Number of rooms of this server.
    pub(super) rooms: usize,
    /// Number of rooms that nobody serves.
    pub(super) unserved: usize,
}

impl TableHealth {
    /// Records that the server starts no more games and ends soon.
    pub(super) fn record_drain(&self) {
        self.state().is_draining = true;
    }

    /// Records that this server can't serve rooms any more, and ends soon.
    pub fn record_shut_out(&self) {
        self.state().is_shut_out = true;
    }

    /// Records that the loop that takes rooms is at work.
    pub fn record_turn(&self, now: Monotonic) {
        self.state().turned_at = Some(now);
    }

    /// Records the number of rooms of the table, and the rooms that other nodes serve or are about
    /// to take.
    pub fn record_census(&self, rooms: u16, elsewhere: BTreeSet<RoomNumber>) {
        let mut state = self.state();
        state.rooms = Some(rooms);
        state.failures.retain(|room, _| !elsewhere.contains(room));
        state.elsewhere = elsewhere;
        state.census_failure = None;
    }

    /// Records that rooms and nodes could not be read. `elsewhere` holds the rooms that other nodes
    /// still serve, as far as this one knows.
    pub fn record_census_failure(&self, error: &StoreError, elsewhere: BTreeSet<RoomNumber>) {
        let mut state = self.state();
        state.elsewhere = elsewhere;
        state.census_failure = Some(error.code());
    }

    /// Records that this server has taken or loaded a room, which has yet to commit a batch.
    pub fn record_room(&self, room: RoomNumber, health: Health, now: Monotonic) {
        let report = RoomReport {
            health,
            at: now,
            is_busy: false,
        };
        self.state().here.insert(room, report);
    }

    /// Records that a room of this server has committed a batch.
    pub(super) fn record_commit(&self, room: RoomNumber, health: Health, now: Monotonic) {
        self.record_room(room, health, now);
        self.state().failures.remove(&room);
    }

    /// Records that a room waits for another program that writes into the store.
    pub(super) fn record_busy(&self, room: RoomNumber, now: Monotonic) {
        if let Some(report) = self.state().here.get_mut(&room) {
            (report.at, report.is_busy) = (now, true);
        }
    }

    /// Records that a room has ended. Another node is about to take it.
    pub fn record_end(&self, room: RoomNumber) {
        let mut state = self.state();
        state.here.remove(&room);
        state.elsewhere.insert(room);
    }

    /// Records that a room could not be taken or served.
    pub fn record_failure(&self, room: RoomNumber, error: &StoreError, now: Monotonic) {
        if matches!(error, StoreError::RoomLost) {
            return self.record_end(room);
        }
        let mut state = self.state();
        state.here.remove(&room);
        state.elsewhere.remove(&room);
        let code = error.code();
        state.failures.insert(room, RoomFailure { code, at: now });
    }

    /// Summary at this time.
    pub(super) fn summary(&self, now: Monotonic) -> HealthSummary {
        let state = self.state();
        let all = (0..state.rooms.unwrap_or_default()).map(RoomNumber);
        let unserved = all.filter(|room| !state.is_served(*room, now)).count();
        let is_busy = state.here.values().any(|report| report.is_busy);
        let latest = state.failures.values().max_by_key(|failure| failure.at);
        let failure = state.census_failure.or(latest.map(|failure| failure.code));
        let works = state.rooms.is_some() && unserved == 0 && failure.is_none() && !is_busy;
        HealthSummary {
            status: match works {
                _ if state.is_draining => "draining",
                true => "ok",
                false => "failing",
            },
            store: failure.unwrap_or(if is_busy { "busy" } else { "ok" }),
            sum: state
                .here
                .values()
                .fold(Health::default(), |sum, report| sum.add(report.health)),
            rooms: state.here.len(),
            unserved,
        }
    }

    /// Health of this server alone: `ok`, `draining`, `shut_out` or `hung`. No fault of the store,
    /// which all nodes share, changes it.
    pub(super) fn node_status(&self, now: Monotonic) -> &'static str {
        let state = self.state();
        let mut turns = state
            .here
            .values()
            .map(|report| report.at)
            .chain(state.turned_at);
        if state.is_draining {
            "draining"
        } else if state.is_shut_out {
            "shut_out"
        } else if turns.any(|at| now.saturating_since(at) >= HUNG_AFTER) {
            "hung"
        } else {
            "ok"
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // Every change is a single step, so the state is sound even after a panic.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn is_served(&self, room: RoomNumber, now: Monotonic) -> bool {
        let is_turning = |report: &RoomReport| now.saturating_since(report.at) < SERVING_TIMEOUT;
        !self.failures.contains_key(&room)
            && (self.elsewhere.contains(&room) || self.here.get(&room).is_some_and(is_turning))
    }
}

#[cfg(test)]
mod tests {
    use super::{HUNG_AFTER, HealthSummary, SERVING_TIMEOUT, TableHealth};
    use crate::server::hub::Health;
    use crate::server::rooms::RoomNumber;
    use crate::server::store::StoreError;
    use crate::time::Monotonic;
    use std::collections::BTreeSet;
    use std::time::Duration;

    const START: Monotonic = Monotonic::from_millis(5_000);
    const FIRST: RoomNumber = RoomNumber(0);
    const SECOND: RoomNumber = RoomNumber(1);
    const THIRD: RoomNumber = RoomNumber(2);

    fn full() -> StoreError {
        StoreError::Full("no space left".into())
    }

    /// A table of three rooms, of which this server serves the first two, with one player each.
    fn table() -> TableHealth {
        let health = TableHealth::default();
        health.record_census(3, BTreeSet::from([THIRD]));
        for room in [FIRST, SECOND] {
            health.record_room(room, Health::default(), START);
            commit(&health, room, START);
        }
        health
    }

    fn commit(health: &TableHealth, room: RoomNumber, now: Monotonic) {
        let players = Health {
            players: 1,
            ..Health::default()
        };
        health.record_commit(room, players, now);
    }

    /// Status, state of the store, and number of unserved rooms.
    fn words(health: &TableHealth, now: Monotonic) -> (&'static str, &'static str, usize) {
        let HealthSummary {
            status,
            store,
            unserved,
            ..
        } = health.summary(now);
        (status, store, unserved)
    }

    #[test]
    fn a_table_with_an_owner_of_each_room_works() {
        let health = table();
        let summary = health.summary(START);
        assert_eq!(words(&health, START), ("ok", "ok", 0));
        assert_eq!((summary.rooms, summary.sum.players), (2, 2));
        health.record_drain();
        assert_eq!(words(&health, START), ("draining", "ok", 0));
    }

    #[test]
    fn a_server_that_knows_no_rooms_yet_fails() {
        let health = TableHealth::default();
        assert_eq!(words(&health, START), ("failing", "ok", 0));
        health.record_census(2, BTreeSet::new());
        assert_eq!(words(&health, START), ("failing", "ok", 2));
    }

    // Reading rooms and nodes proves nothing, nor does a batch of another room.
    #[test]
    fn a_room_that_failed_counts_until_it_commits_again() {
        let health = table();
        health.record_failure(SECOND, &full(), START);
        health.record_census(3, BTreeSet::from([THIRD]));
        commit(&health, FIRST, START);
        health.record_room(SECOND, Health::default(), START);
        assert_eq!(words(&health, START), ("failing", "full", 1));
        commit(&health, SECOND, START);
        assert_eq!(words(&health, START), ("ok", "ok", 0));
    }

    #[test]
    fn a_room_that_failed_works_if_another_node_serves_it() {
        let health = table();
        health.record_failure(SECOND, &full(), START);
        health.record_census(3, BTreeSet::from([SECOND, THIRD]));
        assert_eq!(words(&health, START), ("ok", "ok", 0));
    }

    #[test]
    fn a_room_whose_owner_is_gone_is_unserved() {
        let health = table();
        health.record_census(3, BTreeSet::new());
        assert_eq!(words(&health, START), ("failing", "ok", 1));
    }

    #[test]
    fn a_room_that_is_handed_over_or_lost_to_another_node_is_no_failure() {
        let health = table();
        health.record_end(FIRST);
        health.record_failure(SECOND, &StoreError::RoomLost, START);
        assert_eq!(words(&health, START), ("ok", "ok", 0));
        health.record_census(3, BTreeSet::from([THIRD]));
        assert_eq!(words(&health, START), ("failing", "ok", 2));
    }

    #[test]
    fn a_room_that_hangs_is_unserved() {
        let health = table();
        let late = START.saturating_add(SERVING_TIMEOUT);
        assert_eq!(
            words(&health, late.saturating_sub(Duration::from_millis(1))),
            ("ok", "ok", 0)
        );
        commit(&health, FIRST, late);
        assert_eq!(words(&health, late), ("failing", "ok", 1));
    }

    #[test]
    fn a_node_is_hung_once_a_thread_has_not_turned_for_some_seconds() {
        let health = table();
        health.record_turn(START);
        let late = START.saturating_add(HUNG_AFTER);
        let soon = late.saturating_sub(Duration::from_millis(1));
        assert_eq!(health.node_status(soon), "ok");
        commit(&health, FIRST, late);
        health.record_busy(SECOND, late);
        assert_eq!(health.node_status(late), "hung", "its loop has not turned");
        health.record_turn(late);
        assert_eq!(health.node_status(late), "ok");
        commit(&health, FIRST, late.saturating_add(HUNG_AFTER));
        health.record_turn(late.saturating_add(HUNG_AFTER));
        let status = health.node_status(late.saturating_add(HUNG_AFTER));
        assert_eq!(status, "hung", "a room has not turned");
    }

    #[test]
    fn only_faults_of_its_own_concern_a_node() {
        let health = table();
        health.record_failure(FIRST, &full(), START);
        health.record_census_failure(&full(), BTreeSet::new());
        assert_eq!(words(&health, START), ("failing", "full", 2));
        assert_eq!(health.node_status(START), "ok");
        health.record_shut_out();
        assert_eq!(health.node_status(START), "shut_out");
        health.record_drain();
        assert_eq!(health.node_status(START), "draining");
    }

    #[test]
    fn a_store_in_use_by_another_program_is_busy() {
        let health = table();
        health.record_busy(FIRST, START);
        assert_eq!(words(&health, START), ("failing", "busy", 0));
        commit(&health, FIRST, START);
        assert_eq!(words(&health, START), ("ok", "ok", 0));
    }

    #[test]
    fn a_store_that_can_t_be_read_fails_until_it_can() {
        let health = table();
        let error = StoreError::Unreachable("refused".into());
        health.record_census_failure(&error, BTreeSet::from([THIRD]));
        assert_eq!(words(&health, START), ("failing", "unreachable", 0));
        health.record_census_failure(&error, BTreeSet::new());
        assert_eq!(words(&health, START), ("failing", "unreachable", 1));
        health.record_census(3, BTreeSet::from([THIRD]));
        assert_eq!(words(&health, START), ("ok", "ok", 0));
    }
}
