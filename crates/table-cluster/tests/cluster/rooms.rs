//! Hubs of a table with several rooms: clients with a request in flight while their player moves.

use super::client_requests;
use super::hub::asks;
use super::hubs::{TestHub, last_messages};
use crate::postgres;
use serde_json::{Value, json};
use war_table::protocol::PlayerId;
use war_table::room::Order;
use war_table::server::hub::{ClientId, HubCommand, HubDelivery, TimedCommand};
use war_table::server::rooms::{RoomCount, RoomNumber};
use war_table::time::TableTime;
use war_table_cluster::TableStore;
use war_table_world::store::{MemoryStore, MemoryTable};

/// Matchmaking room for the single card game.
const MATCHMAKING_ROOM: usize = 0;

fn table() -> MemoryTable {
    MemoryStore::new().table_with_rooms(RoomCount::new(4).expect("rooms"))
}

fn room_of(table: &MemoryTable, player: PlayerId) -> Option<RoomNumber> {
    let found = table.locate(&[player]).expect("a store that works");
    found[0].room
}

#[test]
fn a_client_is_not_released_while_its_first_request_is_in_flight() {
    let table = table();
    let mut room = TestHub::new(postgres::take(&table, MATCHMAKING_ROOM, "a"));
    let player = room.hello(1);
    assert_eq!(room.run(vec![TestHub::attach(2, player)]), []);
    let heard = room.run(vec![asks(2, &client_requests::single("choose"))]);
    let kinds: Vec<_> = heard.iter().map(|(client, _)| *client).collect();
    assert_eq!(kinds, [ClientId(2); 2], "{heard:?}");
    assert!(matches!(heard[0].1, HubDelivery::Push { seq: 1, .. }));
    assert_eq!(heard[1].1, HubDelivery::Done);
    assert_eq!(room_of(&table, player), Some(RoomNumber(0)));
}

#[test]
fn a_request_that_reached_its_node_before_the_client_moved_is_carried_out() {
    let table = table();
    let mut room = TestHub::new(postgres::take(&table, MATCHMAKING_ROOM, "a"));
    let player = room.hello(1);
    let attached = TimedCommand {
        at: TableTime::from_millis(30),
        command: TestHub::attach(2, player),
    };
    let asked = TimedCommand {
        at: TableTime::from_millis(10),
        command: asks(2, &client_requests::single("choose")),
    };
    let heard = room.run_stamped(30, vec![attached, asked]);
    assert!(
        heard.contains(&(ClientId(2), HubDelivery::Done)),
        "{heard:?}"
    );
}

#[test]
fn a_request_in_flight_from_a_forgotten_player_ends_its_connection() {
    let table = table();
    let mut room = TestHub::new(postgres::take(&table, MATCHMAKING_ROOM, "a"));
    let player = room.hello(1);
    let forget = json!({"type": "forget", "id": "f"});
    let heard = room.ask(&[(1, player, forget.clone())]);
    assert!(
        heard.contains(&(ClientId(1), HubDelivery::Expelled)),
        "{heard:?}"
    );
    // These requests come over a connection of another node, which was not told that the player is
    // forgotten.
    for said in [
        forget,
        client_requests::single("c"),
        client_requests::cancel("x"),
    ] {
        let heard = room.ask(&[(2, player, said)]);
        assert_eq!(heard, [(ClientId(2), HubDelivery::Expelled)]);
    }
    assert_eq!(room_of(&table, player), None);
}

#[test]
fn a_wanted_rematch_is_withdrawn_when_its_player_is_banned() {
    let store = MemoryStore::new();
    let table = store.table_with_rooms(RoomCount::new(4).expect("rooms"));
    // Rematches of game 1 are arranged in room 1.
    let mut room = TestHub::new(postgres::take(&table, 1, "a"));
    let [ann, bob] = [1, 2].map(|client| room.hello(client));
    let players = [(1, ann), (2, bob)];
    let choice = |client: u64| format!("c{client}");
    let asked =
        players.map(|(client, player)| (client, player, client_requests::single(&choice(client))));
    let started = last_messages(&room.ask(&asked), "started");
    let seed = |client| client_requests::open("s", &started[&client], &choice(client));
    let asked = players.map(|(client, player)| (client, player, seed(client)));
    let dealt = last_messages(&room.ask(&asked), "dealt");
    let fold = |client| client_requests::decide("d", &dealt[&client], "fold");
    let asked = players.map(|(client, player)| (client, player, fold(client)));
    let result = &last_messages(&room.ask(&asked), "result")[&1];
    assert_eq!(result["game_id"], 1);
    let last = || {
        let stored = store.messages(bob, 0).pop().expect("a message");
        let message: Value = serde_json::from_str(&stored.body).expect("JSON");
        message["type"].clone()
    };
    let again = client_requests::choose_with("r", &json!({"rematch": 1}));
    room.ask(&[(1, ann, again)]);
    assert_eq!(last(), "rematch_wanted");
    room.run(vec![HubCommand::Order {
        client: ClientId(9),
        order: Order::Ban { player: ann },
    }]);
    assert_eq!(last(), "rematch_withdrawn");
}
