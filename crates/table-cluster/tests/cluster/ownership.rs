//! Ownership of a room in an in-memory store: only the room's owner writes, only in the owner's
//! epoch, and each batch only once. `postgres::ownership` tests the same for a database.

use crate::postgres::{begin, expect_room_lost, join, node};
use std::time::Duration;
use war_table::protocol::PlayerId;
use war_table::room::{RoomEvent, Timeouts};
use war_table::server::Headcount;
use war_table::server::rooms::RoomNumber;
use war_table::server::store::{Sequence, Store, StoreError, Transaction};
use war_table::time::TableTime;
use war_table::time::WallTime;
use war_table_cluster::TableStore;
use war_table_cluster::leases::{Epoch, RoomRecord};
use war_table_world::store::{CommitOutcome, Fault, MemoryStore, MemoryTable, StoreCall};

/// State of the only room.
fn room_record(table: &MemoryTable) -> RoomRecord {
    crate::postgres::room_record(table, 0)
}

/// Takes the room.
fn take(table: &MemoryTable, name: &str) -> Box<dyn Store> {
    crate::postgres::take(table, 0, name)
}

/// Injects this fault into all calls of one kind.
fn fail(table: &MemoryTable, call: StoreCall, fault: Fault) {
    table.inject_faults(move |asked| (asked == call).then_some(fault));
}

/// Writes an event, and 7 ms as the table time.
fn writes(transaction: &mut dyn Transaction) {
    let event = RoomEvent::WentOn {
        game: 1,
        due: TableTime::from_millis(1),
    };
    transaction
        .record(&event, WallTime::from_millis(1))
        .expect("an event");
    transaction
        .save_time(TableTime::from_millis(7))
        .expect("a time");
}

fn joined(store: &MemoryStore) -> Vec<PlayerId> {
    store.snapshot().players.into_keys().collect()
}

#[test]
fn a_room_is_taken_only_in_the_state_seen_and_by_one_node() {
    let table = MemoryStore::new().table();
    let free = room_record(&table);
    assert_eq!((free.owner.as_ref(), free.epoch), (None, Epoch(0)));
    let taken = ["a", "b", "c"].map(|name| table.take(&free, &node(name)).expect("a store"));
    assert_eq!(taken.map(|taken| taken.is_some()), [true, false, false]);
    let owned = room_record(&table);
    assert_eq!((owned.owner, owned.epoch), (Some(node("a")), Epoch(1)));
    assert!(owned.beat > free.beat);
}

#[test]
fn an_owner_keeps_its_room_by_heartbeats_until_it_hands_over() {
    let table = MemoryStore::new().table();
    let room = take(&table, "a");
    let seen = room_record(&table);
    begin(&*room).commit().expect("an empty batch");
    assert!(room_record(&table).beat > seen.beat);
    assert!(table.take(&seen, &node("b")).expect("a store").is_none());
    begin(&*room).commit().expect("it is still the owner");
    room.close().expect("a store");
    let left = room_record(&table);
    assert_eq!((left.owner, left.epoch), (None, Epoch(1)));
    let next = take(&table, "b");
    assert_eq!(room_record(&table).owner, Some(node("b")));
    begin(&*next).commit().expect("the next owner");
}

#[test]
fn an_owner_asleep_in_a_transaction_loses_its_room_and_commits_nothing() {
    let store = MemoryStore::new();
    let (table, other) = (store.table(), store.table());
    let slow = take(&table, "a");
    let mut transaction = begin(&*slow);
    writes(&mut *transaction);
    let fast = take(&other, "b");
    join(&*fast, &[2], true);
    expect_room_lost(&*slow, transaction);
    join(&*fast, &[3], true);
    assert_eq!(joined(&store), [2, 3].map(PlayerId));
    assert_eq!(store.snapshot().time, TableTime::ZERO);
}

#[test]
fn an_owner_that_wakes_late_is_fenced_and_its_shutdown_changes_nothing() {
    let store = MemoryStore::new();
    let slow = take(&store.table(), "a");
    let fast = take(&store.table(), "b");
    let failed = slow.begin().err();
    assert!(matches!(failed, Some(StoreError::RoomLost)), "{failed:?}");
    slow.close().expect("a store");
    join(&*fast, &[1], true);
    assert_eq!(room_record(&store.table()).owner, Some(node("b")));
}

#[test]
fn nothing_is_committed_in_an_epoch_with_a_commit_in_doubt() {
    for (fault, done) in [
        (Fault::LostReply, true),
        (Fault::Cut, false),
        (Fault::InDoubt, false),
    ] {
        let store = MemoryStore::new();
        let table = store.table();
        let room = take(&table, "a");
        join(&*room, &[1], true);
        fail(&table, StoreCall::Commit, fault);
        let mut transaction = begin(&*room);
        writes(&mut *transaction);
        let failed = transaction.commit().err();
        assert!(matches!(failed, Some(StoreError::InDoubt(_))), "{failed:?}");
        assert_eq!(
            store.snapshot().time == TableTime::from_millis(7),
            done,
            "{fault:?}"
        );
        table.clear_faults();
        let again = room.begin().err();
        assert!(matches!(again, Some(StoreError::RoomLost)), "{again:?}");
        assert!(!store.resolve_commit(RoomNumber(0), CommitOutcome::Dropped));
        let room = take(&table, "a");
        assert_eq!(room_record(&table).epoch, Epoch(2));
        join(&*room, &[2], true);
    }
}

#[test]
fn a_commit_in_progress_completes_before_the_room_can_be_taken() {
    let store = MemoryStore::new();
    let (table, other) = (store.table(), store.table());
    let room = take(&table, "a");
    fail(&table, StoreCall::Commit, Fault::InDoubt);
    let seen = room_record(&table);
    let mut transaction = begin(&*room);
    writes(&mut *transaction);
    assert!(transaction.commit().is_err());
    assert_eq!(store.snapshot().time, TableTime::ZERO);
    let taken = other.take(&seen, &node("b")).expect("a store");
    assert!(taken.is_none(), "it has beaten since");
    assert_eq!(store.snapshot().time, TableTime::from_millis(7));
    assert_eq!(
        take(&other, "b").time().expect("a store"),
        TableTime::from_millis(7)
    );
}

#[test]
fn a_batch_already_written_by_another_node_is_fatal() {
    let store = MemoryStore::new();
    let table = store.table();
    let slow = take(&table, "a");
    join(&*take(&store.table(), "b"), &[1], true);
    fail(&table, StoreCall::Begin, Fault::Unfenced);
    let mut transaction = begin(&*slow);
    writes(&mut *transaction);
    let failed = transaction.commit().err();
    assert!(
        matches!(failed, Some(StoreError::DuplicateBatch)),
        "{failed:?}"
    );
    table.clear_faults();
    assert!(matches!(slow.begin().err(), Some(StoreError::RoomLost)));
    assert_eq!(store.snapshot().time, TableTime::ZERO);
}

#[test]
fn only_a_disconnected_node_notices_the_disconnection() {
    let store = MemoryStore::new();
    let (table, other) = (store.table(), store.table());
    let room = take(&table, "a");
    table.inject_faults(|_| Some(Fault::Cut));
    let unreachable = |error: Option<StoreError>| {
        assert!(
            matches!(error, Some(StoreError::Unreachable(_))),
            "{error:?}"
        );
    };
    unreachable(room.begin().err());
    unreachable(table.census().err());
    unreachable(table.record_beat(&node("a"), Headcount::default()).err());
    unreachable(table.take(&room_record(&other), &node("a")).err());
    unreachable(room.close().err());
    assert_eq!(room_record(&other).owner, Some(node("a")));
    take(&other, "b");
}

#[test]
fn no_number_is_assigned_twice() {
    let store = MemoryStore::new();
    let rooms = ["a", "b"].map(|name| take(&store.table(), name));
    let mut last = 0;
    for room in rooms.iter().cycle().take(8) {
        let block = room.reserve_numbers(Sequence::Games).expect("a store");
        assert_eq!(block.start, last + 1);
        last = block.end - 1;
    }
    let timeouts = Timeouts {
        decide: Duration::from_millis(1),
        seeds: Duration::from_millis(1),
    };
    rooms[1].room(timeouts).expect("a room");
    let players = rooms[1]
        .reserve_numbers(Sequence::Players)
        .expect("a store");
    assert!(players.start > 1, "the room has the first ones");
}
