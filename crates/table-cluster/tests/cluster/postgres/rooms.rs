//! Helpers to open tables in a database, and to take their rooms.
#![allow(dead_code, reason = "the tests of the program need some of it, too")]

use super::Database;
use war::support::hex::Hex;
use war::tokens::Name;
use war_table::protocol::{AccessToken, PlayerId};
use war_table::room::{Player, RoomEvent};
use war_table::server::rooms::RoomCount;
use war_table::server::store::{Registration, Store, StoreError, TokenHash, Transaction};
use war_table::time::WallTime;
use war_table_cluster::leases::{NodeAddress, RoomRecord};
use war_table_cluster::{PostgresTable, TableStore};

/// Address of the node with this name.
pub(crate) fn node(name: &str) -> NodeAddress {
    NodeAddress(name.to_owned())
}

/// State of a room, as recorded in the census of a table.
pub(crate) fn room_record(table: &dyn TableStore, room: usize) -> RoomRecord {
    let census = table.census().expect("a store that works");
    census.rooms[room].clone()
}

/// Table with two rooms, in an empty database.
pub(crate) fn open(database: &Database) -> PostgresTable {
    PostgresTable::open(database.address(), RoomCount::new(2)).expect("a store")
}

/// Table with one room.
pub(crate) fn open_one(database: &Database) -> PostgresTable {
    PostgresTable::open(database.address(), Some(RoomCount::ONE)).expect("a store")
}

/// Takes a room in its current state.
pub(crate) fn take(table: &dyn TableStore, room: usize, name: &str) -> Box<dyn Store> {
    let taken = table.take(&room_record(table, room), &node(name));
    taken.expect("a store that works").expect("a free room")
}

pub(crate) fn begin(store: &dyn Store) -> Box<dyn Transaction + '_> {
    let transaction = store.begin().expect("a store that works");
    transaction.expect("nobody else writes")
}

/// Checks that an owner notices in the middle of a batch that another node has taken its room.
#[track_caller]
pub(crate) fn expect_room_lost(owner: &dyn Store, batch: Box<dyn Transaction + '_>) {
    let failed = batch.commit().err();
    assert!(matches!(failed, Some(StoreError::InDoubt(_))), "{failed:?}");
    let again = owner.begin().err();
    assert!(matches!(again, Some(StoreError::RoomLost)), "{again:?}");
}

/// Token hash of a player of these tests.
pub(crate) fn token(player: u64) -> TokenHash {
    let mut bytes = [7; 32];
    bytes[..8].copy_from_slice(&player.to_be_bytes());
    TokenHash::from_token(&AccessToken::new(Hex::new(bytes)))
}

/// New player.
pub(crate) fn player(name: &str) -> Player {
    Player::new(Name::new(name).expect("a name"), false)
}

/// Adds players to a room, and releases them at once unless `stay` is true.
pub(crate) fn join(store: &dyn Store, ids: &[u64], stay: bool) {
    let mut transaction = begin(store);
    for &id in ids {
        let (player, id, token) = (player("Ann"), PlayerId(id), token(id));
        let registration = Registration {
            id,
            player: &player,
            token,
        };
        transaction.register(&registration).expect("a player");
        let joined = RoomEvent::Joined {
            player: id,
            name: None,
            house: false,
        };
        transaction
            .record(&joined, WallTime::from_millis(1))
            .expect("an event");
        if !stay {
            transaction.release(id).expect("a player");
        }
    }
    transaction.commit().expect("a store that works");
}
