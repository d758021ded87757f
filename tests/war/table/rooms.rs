//! Hubs of a table with several rooms: what becomes of a client whose request is on its way while
//! its player moves.

use super::hub::asks;
use super::nodes::Node;
use super::said;
use crate::postgres;
use war::room::PlayerId;
use war::server::hub::{ClientId, Outbound, Stamped};
use war::server::rooms::{RoomNumber, Rooms};
use war::server::store::{MemoryStore, MemoryTable, TableStore};

/// Where those meet who want the game with a single card.
const MEETING: usize = 0;

fn table() -> MemoryTable {
    MemoryStore::new().table_of(Rooms::new(4).expect("rooms"))
}

fn place(table: &MemoryTable, player: PlayerId) -> Option<RoomNumber> {
    let found = table.whereabouts(&[player]).expect("a store that works");
    found[0].room
}

#[test]
fn a_client_is_not_let_go_while_its_first_request_is_on_its_way() {
    let table = table();
    let mut room = Node::new(postgres::take(&table, MEETING, "a"));
    let player = room.hello(1);
    assert_eq!(room.run(vec![Node::attach(2, player)]), []);
    let heard = room.run(vec![asks(2, &said::single("choose"))]);
    let kinds: Vec<_> = heard.iter().map(|(client, _)| *client).collect();
    assert_eq!(kinds, [ClientId(2); 2], "{heard:?}");
    assert!(matches!(heard[0].1, Outbound::Push { seq: 1, .. }));
    assert_eq!(heard[1].1, Outbound::Done);
    assert_eq!(place(&table, player), Some(RoomNumber(0)));
}

#[test]
fn a_request_that_came_to_its_node_before_its_client_came_here_is_done() {
    let table = table();
    let mut room = Node::new(postgres::take(&table, MEETING, "a"));
    let player = room.hello(1);
    let attached = Stamped {
        at: 30,
        command: Node::attach(2, player),
    };
    let asked = Stamped {
        at: 10,
        command: asks(2, &said::single("choose")),
    };
    let heard = room.run_stamped(30, vec![attached, asked]);
    assert!(heard.contains(&(ClientId(2), Outbound::Done)), "{heard:?}");
}
