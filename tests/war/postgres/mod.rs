//! The store that several nodes share, on a real PostgreSQL.

mod chaos;
mod cluster;
mod figures;
mod laws;
mod nodes;
mod opening;
mod outages;
mod ownership;
mod proxy;
mod refused;
mod settings;

pub(crate) use cluster::{Cluster, Database};

use war::hex::Hex;
use war::room::{AccessToken, Player, PlayerId, RoomEvent};
use war::server::rooms::{NodeAddress, RoomSight, Rooms};
use war::server::store::{PostgresTable, Registration, Store, TableStore, TokenHash, Transaction};
use war::tokens::Name;

/// A node of these tests, by name.
pub(crate) fn node(name: &str) -> NodeAddress {
    NodeAddress(name.to_owned())
}

/// How a table shows a room.
pub(crate) fn sight(table: &dyn TableStore, room: usize) -> RoomSight {
    let census = table.census().expect("a store that works");
    census.rooms[room].clone()
}

/// A table with two rooms, in a database that is empty.
pub(crate) fn open(database: &Database) -> PostgresTable {
    PostgresTable::open(database.address(), Rooms::new(2)).expect("a store")
}

/// Takes a room as it is now.
pub(crate) fn take(table: &dyn TableStore, room: usize, name: &str) -> Box<dyn Store> {
    let taken = table.take(&sight(table, room), &node(name));
    taken.expect("a store that works").expect("a free room")
}

pub(crate) fn begin(store: &dyn Store) -> Box<dyn Transaction + '_> {
    let transaction = store.begin().expect("a store that works");
    transaction.expect("nobody else writes")
}

/// The access token of a player of these tests.
pub(crate) fn token(player: u64) -> TokenHash {
    let mut bytes = [7; 32];
    bytes[..8].copy_from_slice(&player.to_be_bytes());
    TokenHash::of(&AccessToken::new(Hex::new(bytes)))
}

/// A player who has just come.
pub(crate) fn player(name: &str) -> Player {
    Player::new(Name::new(name).expect("a name"), false)
}

/// Lets players join a room, and go out of it at once where they are not to stay.
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
        transaction.record(&joined, 1).expect("an event");
        if !stay {
            transaction.release(id).expect("a player");
        }
    }
    transaction.commit().expect("a store that works");
}
