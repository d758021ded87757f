//! Tables of every earlier version, which can always be opened.

use super::Database;
use super::nodes::Nodes;
use crate::support::{Sandbox, project};
use crate::table::{RawClient, client_requests};
use serde_json::{Value, json};
use std::fs;
use std::sync::Barrier;
use std::thread;
use war_table::protocol::PlayerId;
use war_table::server::rooms::RoomCount;
use war_table::server::store::StoreReader;
use war_table::server::store::StoredMessage;
use war_table_cluster::PostgresTable;

/// Database with tables as the first version's program wrote them: Ann and Bob have played game 1
/// and are playing game 2, and Eve waits.
fn first() -> Database {
    let database = Database::new();
    let path = project().join("tests/goldens/stores/v1.sql");
    let tables = fs::read_to_string(path).expect("a file");
    database.sql().run(&tables);
    database
}

/// Reconnects a player of these tables. Returns the connection and the welcome.
fn reconnect(nodes: &Nodes, name: &str) -> (RawClient, Value) {
    let address = &nodes.all[0].server.address;
    let mut client = RawClient::open(address, "/ws", &[]).expect("a connection");
    let token = match name {
        "Ann" => "8a5dbb16e56111df61d9a0551b541bd837257391ac519c7447fdc291aa4981a7",
        "Bob" => "7a41784637da2073940ac30edaf70a1d0717da89f6ec4c80aae6f5d54ad98b01",
        _ => "624fd936ef1ef3a9deb9771a74b6260a5091504f4768be5263f4c0ab25bea46e",
    };
    client.send(client_requests::hello_by(token, name));
    let welcome = client.receive();
    (client, welcome)
}

#[test]
#[ignore = "needs PostgreSQL; `.ci/deep` installs it"]
fn tables_of_the_first_version_keep_players_and_games() {
    let database = first();
    let url = database.url();
    let sandbox = Sandbox::new();
    sandbox
        .war(&["table", "verify", "--store", &url])
        .exits_with(4)
        .reports("is one of an older version");
    // The nodes started here sign with a different key than the nodes that wrote the tables.
    let sql = database.sql();
    sql.run("UPDATE war.about SET public_key = NULL");
    let nodes = Nodes::start(database, 2);
    assert_eq!(sql.number("SELECT version FROM war.about"), 6);
    assert_eq!(sql.number("SELECT min_version FROM war.about"), 1);
    let listed = sandbox.war(&["table", "players", "--store", &url]);
    assert_eq!(
        listed.exits_with(0).stdout,
        "1 House 1: 1,000 tokens, of the house\n2 Ann: 1,003 tokens, playing game 2\n\
         3 Bob: 997 tokens, playing game 2\n4 Eve: 1,000 tokens, waiting for single-card-game\n"
    );
    let [(mut ann, welcome), (mut bob, _)] = ["Ann", "Bob"].map(|name| reconnect(&nodes, name));
    assert_eq!(
        (&welcome["player"], &welcome["balance"], &welcome["name"]),
        (&json!(2), &json!(1_003), &json!("Ann"))
    );
    ann.send(json!({"type": "resume", "id": "all", "after": 0}));
    assert_eq!(ann.receive()["type"], "waiting");
    let deal = json!({"game_id": 2, "deal": 1});
    ann.send(client_requests::decide("a", &deal, "fold"));
    bob.send(client_requests::decide("b", &deal, "fold"));
    let result = bob.receive_until("result").pop().expect("a result");
    assert_eq!(
        (&result["game_id"], &result["balance"]),
        (&json!(2), &json!(995))
    );
    // Game 1 was added to the history by the migration, and game 2 when it ended.
    ann.receive_until("result");
    ann.send(json!({"type": "games", "id": "g", "limit": 9}));
    let answer = ann.receive_until("games").pop().expect("an answer");
    let games = answer["games"].as_array().expect("a list");
    let balances: Vec<_> = games
        .iter()
        .map(|game| (&game["game_id"], &game["balance"]))
        .collect();
    let expected = [(json!(2), json!(1_001)), (json!(1), json!(1_003))];
    let expected: Vec<_> = expected
        .iter()
        .map(|(game, balance)| (game, balance))
        .collect();
    assert_eq!(balances, expected, "{answer}");
    let verified = sandbox.war(&["table", "verify", "--store", &url]);
    let verified = &verified.exits_with(0).stdout;
    assert!(verified.starts_with("VERIFIED: "), "{verified}");
    // A message without a time is dated to the migration that added times.
    let node = &nodes.all[0];
    let retain = |expected: &str| {
        let order = ["retain", "--messages", "30d", "--events", "forever"];
        let of = ["--admin", &node.server.admin, "--key", "table.key"];
        let run = node.sandbox.war(&[&["table"][..], &order, &of].concat());
        let printed = &run.exits_with(0).stdout;
        assert!(printed.starts_with(expected), "{printed}");
    };
    retain("removed 0 messages");
    sql.run("UPDATE war.about SET dated = dated - 40 * 86400000::bigint");
    // Messages of game 1: the result is message 7 to Ann, and 6 to Bob.
    retain("removed 13 messages");
    drop((ann, bob));
}

#[test]
#[ignore = "needs PostgreSQL; `.ci/deep` installs it"]
fn old_tables_are_migrated_once_however_many_nodes_open_them() {
    let database = first();
    let (start, address) = (Barrier::new(4), database.address());
    let opened: Vec<_> = thread::scope(|scope| {
        let open = || {
            start.wait();
            PostgresTable::open(address.clone(), Some(RoomCount::ONE)).map(|table| table.id())
        };
        let opening: Vec<_> = (0..4).map(|_| scope.spawn(open)).collect();
        let opened = opening.into_iter().map(|open| open.join().expect("a node"));
        opened
            .map(|opened| opened.expect("the same table"))
            .collect()
    });
    assert!(opened.iter().all(|id| *id == opened[0]), "{opened:?}");
    let sql = database.sql();
    assert_eq!(sql.number("SELECT version FROM war.about"), 6);
    // A node of the previous version still writes the columns that it knows.
    sql.run(
        "INSERT INTO war.player (id, token, name, balance, seq, house, room) \
             VALUES (9, '\\x09', 'Old', 1000, 1, false, NULL); \
         INSERT INTO war.outbox (player, seq, body) VALUES (9, 1, '{\"seq\":1}'); \
         UPDATE war.player SET name = 'Older' WHERE id = 9",
    );
    let table = super::open_one(&database);
    let store = super::take(&table, 0, "new");
    let known = super::begin(&*store).player(PlayerId(9)).expect("a player");
    assert_eq!(known.name.as_str(), "Older");
    assert_eq!(known.status.name(), "welcome");
    let after = |seq| {
        let resumed = table.create_reader().resume(PlayerId(9), seq);
        resumed.expect("a store that works")
    };
    let old = StoredMessage {
        seq: 1,
        body: "{\"seq\":1}".to_owned(),
        in_reply_to: None,
    };
    assert_eq!(after(0), (None, vec![old]));
    assert_eq!(after(u64::MAX), (None, Vec::new()));
}
