//! Tables of every version there was, which are opened for ever.

use super::Database;
use super::nodes::Nodes;
use crate::support::{Place, project};
use crate::table::{Line, said};
use serde_json::{Value, json};
use std::fs;
use std::sync::Barrier;
use std::thread;
use war_table::protocol::PlayerId;
use war_table::server::rooms::Rooms;
use war_table::server::store::Reader;
use war_table_cluster::PostgresTable;

/// A database with the tables of the first version as its program wrote them: Ann and Bob have
/// played game 1 and play game 2, and Eve waits.
fn first() -> Database {
    let database = Database::new();
    let path = project().join("tests/goldens/stores/v1.sql");
    let tables = fs::read_to_string(path).expect("a file");
    database.sql().run(&tables);
    database
}

/// A player of these tables who comes back: their token, and the answer.
fn back(nodes: &Nodes, name: &str) -> (Line, Value) {
    let address = &nodes.all[0].server.address;
    let mut line = Line::open(address, "/ws", &[]).expect("a connection");
    let token = match name {
        "Ann" => "8a5dbb16e56111df61d9a0551b541bd837257391ac519c7447fdc291aa4981a7",
        "Bob" => "7a41784637da2073940ac30edaf70a1d0717da89f6ec4c80aae6f5d54ad98b01",
        _ => "624fd936ef1ef3a9deb9771a74b6260a5091504f4768be5263f4c0ab25bea46e",
    };
    line.say(said::hello_by(token, name));
    let welcome = line.hear();
    (line, welcome)
}

#[test]
#[ignore = "needs PostgreSQL; `.ci/deep` installs it"]
fn tables_of_the_first_version_go_on_with_players_and_games() {
    let database = first();
    let url = database.url();
    let place = Place::new();
    place
        .war(&["table", "verify", "--store", &url])
        .ends_with(4)
        .tells("is one of an older version");
    // Another key signs for these nodes than for those of then.
    let sql = database.sql();
    sql.run("UPDATE war.about SET public_key = NULL");
    let nodes = Nodes::start(database, 2);
    assert_eq!(sql.number("SELECT version FROM war.about"), 4);
    assert_eq!(sql.number("SELECT min_version FROM war.about"), 1);
    let listed = place.war(&["table", "players", "--store", &url]);
    assert_eq!(
        listed.ends_with(0).stdout,
        "1 House 1: 1,000 tokens, of the house\n2 Ann: 1,003 tokens, playing game 2\n\
         3 Bob: 997 tokens, playing game 2\n4 Eve: 1,000 tokens, waiting for single-card-game\n"
    );
    let [(mut ann, welcome), (mut bob, _)] = ["Ann", "Bob"].map(|name| back(&nodes, name));
    assert_eq!(
        (&welcome["player"], &welcome["balance"], &welcome["name"]),
        (&json!(2), &json!(1_003), &json!("Ann"))
    );
    ann.say(json!({"type": "resume", "id": "all", "after": 0}));
    assert_eq!(ann.hear()["type"], "waiting");
    let deal = json!({"game_id": 2, "deal": 1});
    ann.say(said::decide("a", &deal, "fold"));
    bob.say(said::decide("b", &deal, "fold"));
    let result = bob.until("result").pop().expect("a result");
    assert_eq!(
        (&result["game_id"], &result["balance"]),
        (&json!(2), &json!(995))
    );
    // Game 1 was kept when the tables grew, and game 2 when it was over.
    ann.until("result");
    ann.say(json!({"type": "games", "id": "g", "limit": 9}));
    let answer = ann.until("games").pop().expect("an answer");
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
    let verified = place.war(&["table", "verify", "--store", &url]);
    let verified = &verified.ends_with(0).stdout;
    assert!(verified.starts_with("VERIFIED: "), "{verified}");
    // A message without a time is as old as the step.
    let node = &nodes.all[0];
    let retain = |expected: &str| {
        let order = ["retain", "--messages", "30d", "--events", "forever"];
        let of = ["--admin", &node.server.admin, "--key", "table.key"];
        let run = node.place.war(&[&["table"][..], &order, &of].concat());
        let printed = &run.ends_with(0).stdout;
        assert!(printed.starts_with(expected), "{printed}");
    };
    retain("removed 0 messages");
    sql.run("UPDATE war.about SET dated = dated - 40 * 86400000::bigint");
    // Those of game 1: the result is message 7 to Ann, and 6 to Bob.
    retain("removed 13 messages");
    drop((ann, bob));
}

#[test]
#[ignore = "needs PostgreSQL; `.ci/deep` installs it"]
fn old_tables_grow_once_however_many_nodes_open_them() {
    let database = first();
    let (start, address) = (Barrier::new(4), database.address());
    let opened: Vec<_> = thread::scope(|scope| {
        let open = || {
            start.wait();
            PostgresTable::open(address.clone(), Some(Rooms::ONE)).map(|table| table.id())
        };
        let opening: Vec<_> = (0..4).map(|_| scope.spawn(open)).collect();
        let opened = opening.into_iter().map(|open| open.join().expect("a node"));
        opened
            .map(|opened| opened.expect("the same table"))
            .collect()
    });
    assert!(opened.iter().all(|id| *id == opened[0]), "{opened:?}");
    let sql = database.sql();
    assert_eq!(sql.number("SELECT version FROM war.about"), 4);
    // A node of the version before goes on writing what it knows of.
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
    assert_eq!(known.standing.name(), "welcome");
    let after = |seq| {
        let resumed = table.reader().resumed(PlayerId(9), seq);
        resumed.expect("a store that works")
    };
    assert_eq!(after(0), (None, vec![(1, "{\"seq\":1}".to_owned())]));
    assert_eq!(after(u64::MAX), (None, Vec::new()));
}
