//! Ownership of a room: only the room's owner writes, only in the owner's epoch, and each batch
//! only once.

use super::{Database, begin, expect_room_lost, join, node, open, player, room_record, take};
use std::collections::BTreeSet;
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};
use war_table::protocol::PlayerId;
use war_table::room::PlayerStatus;
use war_table::server::rooms::RoomNumber;
use war_table::server::store::{
    Claim, Damage, PrefetchKeys, Sequence, Store, StoreError, StoreReader,
};
use war_table::time::TableTime;
use war_table::time::WallTime;
use war_table_cluster::leases::{Epoch, LEASE_DURATION};
use war_table_cluster::{PlayerLocation, PostgresReader, PostgresTable, TableStore};

fn ids(players: impl IntoIterator<Item = u64>) -> BTreeSet<PlayerId> {
    players.into_iter().map(PlayerId).collect()
}

/// Location of a player without messages.
const fn location(player: u64, room: Option<RoomNumber>) -> PlayerLocation {
    PlayerLocation {
        player: PlayerId(player),
        seq: 0,
        room,
        status: PlayerStatus::Welcome,
    }
}

/// Cuts the connections of rooms, as the network or an operator may.
fn cut(database: &Database) {
    database.sql().run(
        "SELECT pg_terminate_backend(pid, 1000) FROM pg_stat_activity \
         WHERE application_name LIKE 'war room%' AND datname = current_database()",
    );
}

#[test]
#[ignore = "needs PostgreSQL; `.ci/deep` installs it"]
fn a_room_is_taken_only_in_the_state_seen_and_by_one_node() {
    let database = Database::new();
    let table = open(&database);
    let free = room_record(&table, 1);
    assert_eq!((free.owner.as_ref(), free.epoch), (None, Epoch(0)));
    let taken = thread::scope(|scope| {
        let take = |name| table.take(&free, &node(name)).expect("a store").is_some();
        let nodes = ["a", "b", "c"].map(|name| scope.spawn(move || take(name)));
        nodes.map(|node| node.join().expect("a node"))
    });
    assert_eq!(taken.iter().filter(|taken| **taken).count(), 1, "{taken:?}");
    let owned = room_record(&table, 1);
    assert_eq!(owned.epoch, Epoch(1));
    assert!(owned.owner.is_some() && owned.beat > free.beat);
    assert_eq!(room_record(&table, 0).owner, None, "the other room is free");
}

#[test]
#[ignore = "needs PostgreSQL; `.ci/deep` installs it"]
fn an_owner_keeps_its_room_by_heartbeats_until_it_hands_over() {
    let database = Database::new();
    let table = open(&database);
    let room = take(&table, 0, "a");
    let seen = room_record(&table, 0);
    begin(&*room).commit().expect("an empty batch");
    assert!(room_record(&table, 0).beat > seen.beat);
    assert!(table.take(&seen, &node("b")).expect("a store").is_none());
    begin(&*room).commit().expect("it is still the owner");
    room.close().expect("a store");
    let left = room_record(&table, 0);
    assert_eq!((left.owner.as_ref(), left.epoch), (None, Epoch(1)));
    let next = take(&table, 0, "b");
    assert_eq!(room_record(&table, 0).owner, Some(node("b")));
    begin(&*next).commit().expect("the next owner");
}

#[test]
#[ignore = "needs PostgreSQL; `.ci/deep` installs it"]
fn an_owner_asleep_in_a_transaction_loses_its_room_and_commits_nothing() {
    let database = Database::new();
    let (table, other) = (open(&database), open(&database));
    let slow = take(&table, 0, "a");
    let seen = room_record(&other, 0);
    let mut transaction = begin(&*slow);
    let joins = player("Ann");
    transaction
        .save_player(PlayerId(1), &joins)
        .expect("it is kept until the commit");
    let start = Instant::now();
    let fast = other.take(&seen, &node("b")).expect("a store");
    let fast = fast.expect("nobody has shown that they are there");
    assert!(start.elapsed() < Duration::from_secs(3));
    join(&*fast, &[2], true);
    expect_room_lost(&*slow, transaction);
    join(&*fast, &[3], true);
    let sql = database.sql();
    let epochs = "SELECT count(*) FROM war.batch WHERE epoch = ";
    assert_eq!(sql.number(&format!("{epochs} 1")), 0);
    assert_eq!(sql.number(&format!("{epochs} 2")), 2);
}

#[test]
#[ignore = "needs PostgreSQL; `.ci/deep` installs it"]
fn a_silent_database_is_waited_for_no_longer_than_a_lease() {
    let database = Database::new();
    let room = take(&open(&database), 0, "a");
    let pid = database
        .sql()
        .number("SELECT pid FROM war.room WHERE id = 0");
    let signal = |name: &str| {
        let sent = Command::new("kill").args([name, &pid.to_string()]).status();
        assert!(sent.expect("a signal").success());
    };
    let transaction = begin(&*room);
    signal("-STOP");
    let start = Instant::now();
    let failed = transaction.commit().err();
    let again = room.begin().err();
    let waited = start.elapsed();
    signal("-CONT");
    assert!(matches!(failed, Some(StoreError::InDoubt(_))), "{failed:?}");
    assert!(matches!(again, Some(StoreError::RoomLost)), "{again:?}");
    assert!(waited < LEASE_DURATION, "{waited:?}");
}

#[test]
#[ignore = "needs PostgreSQL; `.ci/deep` installs it"]
fn an_owner_that_wakes_late_is_fenced() {
    let database = Database::new();
    let table = open(&database);
    let slow = take(&table, 0, "a");
    // The owner's connection stays open, like that of a node whose network was cut.
    database
        .sql()
        .run("UPDATE war.room SET epoch = 2, owner = 'b', beat = beat + 1 WHERE id = 0");
    let failed = slow.begin().err();
    assert!(matches!(failed, Some(StoreError::RoomLost)), "{failed:?}");
}

#[test]
#[ignore = "needs PostgreSQL; `.ci/deep` installs it"]
fn nothing_is_committed_in_an_epoch_with_a_commit_in_doubt() {
    let database = Database::new();
    let table = open(&database);
    let room = take(&table, 0, "a");
    join(&*room, &[1], true);
    let transaction = begin(&*room);
    cut(&database);
    let failed = transaction.commit().err();
    assert!(matches!(failed, Some(StoreError::InDoubt(_))), "{failed:?}");
    assert!(matches!(room.begin().err(), Some(StoreError::RoomLost)));
    let room = take(&table, 0, "a");
    assert_eq!(room_record(&table, 0).epoch, Epoch(2));
    join(&*room, &[2], true);
}

#[test]
#[ignore = "needs PostgreSQL; `.ci/deep` installs it"]
fn a_store_that_went_back_in_time_is_detected() {
    let database = Database::new();
    let table = open(&database);
    let sql = database.sql();
    for lower in ["next_seq = next_seq - 1", "epoch = epoch - 1"] {
        let room = take(&table, 0, "a");
        join(&*room, &[], true);
        join(&*room, &[], true);
        sql.run(&format!("UPDATE war.room SET {lower} WHERE id = 0"));
        let failed = room.begin().err();
        assert!(
            matches!(failed, Some(StoreError::StaleCopy)),
            "{lower}: {failed:?}"
        );
        // The node also refuses to take a room with a lower epoch or sequence number than it has
        // seen.
        let failed = table.take(&room_record(&table, 0), &node("a")).err();
        assert!(
            matches!(failed, Some(StoreError::StaleCopy)),
            "{lower}: {failed:?}"
        );
        sql.run("UPDATE war.room SET next_seq = 100 * (epoch + 1), epoch = epoch + 10");
    }
}

#[test]
#[ignore = "needs PostgreSQL; `.ci/deep` installs it"]
fn a_node_that_sleeps_across_a_restore_changes_and_signs_nothing_afterwards() {
    let database = Database::new();
    let table = open(&database);
    let reader = table.create_reader();
    let room = take(&table, 0, "a");
    join(&*room, &[1], true);
    let now = WallTime::from_millis(1);
    PostgresTable::prepare_restored(&database.address(), now).expect("a store that nobody serves");
    let is_noticed = |failed: Option<StoreError>| {
        assert!(
            matches!(failed, Some(StoreError::TableReplaced)),
            "{failed:?}"
        );
    };
    is_noticed(room.begin().err());
    is_noticed(
        table
            .take(&room_record(&open(&database), 0), &node("a"))
            .err(),
    );
    is_noticed(table.census().err());
    let leaves = |reader: &PostgresReader| reader.leaf_hashes(0..9).expect("a store").len();
    assert_eq!(
        leaves(&open(&database).create_reader()),
        1,
        "where it goes on from"
    );
    assert_eq!(leaves(&reader), 0, "nothing to sign under the former name");
}

#[test]
#[ignore = "needs PostgreSQL; `.ci/deep` installs it"]
fn a_batch_already_written_by_another_node_is_fatal() {
    let database = Database::new();
    let table = open(&database);
    let room = take(&table, 0, "a");
    let sql = "INSERT INTO war.batch SELECT 0, next_seq, epoch, 0 FROM war.room WHERE id = 0";
    database.sql().run(sql);
    let mut transaction = begin(&*room);
    transaction
        .record(
            &war_table::room::RoomEvent::WentOn {
                game: 1,
                due: TableTime::from_millis(1),
            },
            WallTime::from_millis(1),
        )
        .expect("an event");
    let failed = transaction.commit().err();
    assert!(
        matches!(failed, Some(StoreError::DuplicateBatch)),
        "{failed:?}"
    );
    assert!(matches!(room.begin().err(), Some(StoreError::RoomLost)));
    assert_eq!(database.sql().number("SELECT count(*) FROM war.event"), 0);
}

#[test]
#[ignore = "needs PostgreSQL; `.ci/deep` installs it"]
fn no_number_is_assigned_twice() {
    let database = Database::new();
    let table = open(&database);
    let rooms = [take(&table, 0, "a"), take(&table, 1, "b")];
    let mut given: Vec<_> = thread::scope(|scope| {
        let take = |room: Box<dyn Store>| {
            let blocks = (0..20).map(|_| room.reserve_numbers(Sequence::Games).expect("a store"));
            blocks.collect::<Vec<_>>()
        };
        let nodes = rooms.map(|room| scope.spawn(move || take(room)));
        let blocks = nodes.into_iter().flat_map(|node| node.join().expect("it"));
        blocks.collect()
    });
    given.sort_by_key(|block| block.start);
    assert_eq!((given[0].start, given.len()), (1, 40));
    for (block, next) in given.iter().zip(&given[1..]) {
        assert!(!block.is_empty());
        assert_eq!(block.end, next.start);
    }
}

#[test]
#[ignore = "needs PostgreSQL; `.ci/deep` installs it"]
fn a_player_belongs_to_one_room_and_only_that_room_changes_them() {
    let database = Database::new();
    let table = open(&database);
    let [one, two] = [take(&table, 0, "a"), take(&table, 1, "b")];
    join(&*one, &[1, 2], false);
    join(&*one, &[3], true);
    let mut transaction = begin(&*one);
    let claims = transaction.claim(&ids([1, 3])).expect("claims");
    let ours: Vec<_> = claims.iter().map(|(id, claim)| (id.0, claim)).collect();
    assert!(
        matches!(
            ours[..],
            [(1 | 3, Claim::Granted(_)), (1 | 3, Claim::Granted(_))]
        ),
        "{claims:?}"
    );
    transaction.commit().expect("a store");
    let mut transaction = begin(&*two);
    let mut claims = transaction.claim(&ids([1, 2])).expect("claims");
    claims.sort_by_key(|(id, _)| *id);
    assert_eq!(claims[0].1, Claim::Denied(RoomNumber(0)));
    assert!(matches!(claims[1].1, Claim::Granted(_)));
    transaction
        .save_player(PlayerId(2), &player("Bea"))
        .expect("it");
    transaction.release(PlayerId(2)).expect("a player");
    transaction.commit().expect("a store");
    let mut transaction = begin(&*two);
    transaction
        .save_player(PlayerId(1), &player("Eve"))
        .expect("it");
    let failed = transaction.commit().err();
    assert!(
        matches!(failed, Some(StoreError::Damaged(Damage::Player))),
        "{failed:?}"
    );
    let places = [1, 2, 3, 4].map(PlayerId);
    assert_eq!(
        table.locate(&places).expect("a store"),
        [
            location(1, Some(RoomNumber(0))),
            location(2, None),
            location(3, Some(RoomNumber(0))),
        ]
    );
    // A player who is released and claimed again in one batch keeps the changes made in that batch.
    let mut transaction = begin(&*two);
    transaction.claim(&ids([2])).expect("claims");
    transaction
        .save_player(PlayerId(2), &player("Cleo"))
        .expect("it");
    transaction.release(PlayerId(2)).expect("a player");
    let again = transaction.claim(&ids([2])).expect("claims");
    assert!(matches!(&again[0].1, Claim::Granted(claimed) if claimed.name.as_str() == "Cleo"));
    transaction.release(PlayerId(2)).expect("a player");
    transaction.commit().expect("a store");
    // A player who was prefetched but not claimed is released at the commit.
    let mut transaction = begin(&*two);
    let wanted = PrefetchKeys {
        players: ids([2, 3]),
        ..PrefetchKeys::default()
    };
    transaction.prefetch(&wanted).expect("a store");
    let claims = transaction.claim(&ids([3])).expect("claims");
    assert_eq!(claims, [(PlayerId(3), Claim::Denied(RoomNumber(0)))]);
    transaction.commit().expect("a store");
    let two = table.locate(&[PlayerId(2)]).expect("a store");
    assert_eq!(two, [location(2, None)]);
    let name = |id| {
        table
            .create_reader()
            .player(PlayerId(id))
            .expect("a player")
            .name
    };
    assert_eq!(
        [1, 2].map(|id| name(id).as_str().to_owned()),
        ["Ann", "Cleo"]
    );
}

#[test]
#[ignore = "needs PostgreSQL; `.ci/deep` installs it"]
fn rooms_that_claim_the_same_players_at_once_get_each_of_them_once() {
    let database = Database::new();
    let table = open(&database);
    let [one, two] = [take(&table, 0, "a"), take(&table, 1, "b")];
    join(&*one, &(1..=40).collect::<Vec<_>>(), false);
    let claimed = thread::scope(|scope| {
        let claim = |room: Box<dyn Store>| {
            let mut ours = 0;
            for first in 1..=20 {
                let mut transaction = begin(&*room);
                let claims = transaction.claim(&ids(first..first + 20)).expect("claims");
                ours = claims
                    .iter()
                    .filter(|(_, claim)| matches!(claim, Claim::Granted(_)))
                    .count();
                assert_eq!(claims.len(), 20);
                transaction.commit().expect("a store");
            }
            (room, ours)
        };
        let nodes = [one, two].map(|room| scope.spawn(move || claim(room)));
        nodes.map(|node| node.join().expect("a node").1)
    });
    assert_eq!(
        claimed[0] + claimed[1],
        20,
        "of those claimed last: {claimed:?}"
    );
    let of_none = "SELECT count(*) FROM war.player WHERE room IS NULL";
    assert_eq!(
        database.sql().number(of_none),
        1,
        "the last was not asked for"
    );
}
