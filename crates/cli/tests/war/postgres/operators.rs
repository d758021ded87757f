//! Operators' commands on a table in a database: at any of its nodes, or directly.

use super::Database;
use super::nodes::{Node, Nodes};
use crate::support::Run;
use crate::table::{RawClient, client_requests, dealt, game_log};
use serde_json::{Value, json};
use war_table::server::rooms::RoomCount;
use war_table_cluster::PostgresTable;

/// Database of a table with one room, whose players are numbered in order of arrival.
fn one_room() -> Database {
    let database = Database::new();
    PostgresTable::open(database.address(), Some(RoomCount::ONE)).expect("a store");
    database
}

/// `war table` with these arguments, at this node.
fn table(node: &Node, arguments: &[&str]) -> Run {
    let of = ["--admin", &node.server.admin, "--key", "table.key"];
    node.sandbox.war(&[&["table"], arguments, &of].concat())
}

/// Output of a command that succeeds.
#[track_caller]
fn printed(node: &Node, arguments: &[&str]) -> String {
    table(node, arguments).exits_with(0).stdout.clone()
}

/// Output of a command that reads the database, without a key or a node.
#[track_caller]
fn read(nodes: &Nodes, arguments: &[&str]) -> String {
    let of = ["--store", &nodes.database.url()];
    let sandbox = crate::support::Sandbox::new();
    let run = sandbox.war(&[&["table"], arguments, &of].concat());
    run.exits_with(0).stdout.clone()
}

/// Connection that sent `hello` with the token of this name, and the answer.
fn hello(node: &Node, name: &str, called: &str) -> (RawClient, Value) {
    let mut client = RawClient::open(&node.server.address, "/ws", &[]).expect("a connection");
    client.send(client_requests::hello_by(
        &client_requests::token(name),
        called,
    ));
    let answer = client.receive();
    (client, answer)
}

/// Has both players fold.
fn fold(clients: &mut [RawClient; 2]) {
    for (id, client) in ["f0", "f1"].into_iter().zip(clients.iter_mut()) {
        client.send(client.decision(id, "fold"));
    }
    for client in clients {
        client.receive_until("result");
    }
}

#[test]
#[ignore = "needs PostgreSQL; `.ci/deep` installs it"]
fn operators_actions_apply_at_every_node() {
    let mut nodes = Nodes::start(one_room(), 2);
    let serving = nodes.owner(0);
    let [serves, waits] = [&nodes.all[serving], &nodes.all[1 - serving]];
    let mut clients = dealt(&serves.server, "single-card-game");
    fold(&mut clients);
    let [mut ann, mut bob] = clients;
    let cid = hello(serves, "Cid", "Cid").1["player"].clone();
    assert_eq!([&cid], [&json!(3)]);
    let told = printed(serves, &["adjust", "1", "1_500", "--reason", "found a bug"]);
    assert_eq!(told, "player 1 (Ann) now has 2,499 tokens\n");
    let adjusted = ann.receive();
    assert_eq!(
        (&adjusted["type"], &adjusted["balance"]),
        (&json!("adjusted"), &json!(2_499))
    );
    printed(serves, &["rename", "1", "Zoë B."]);
    printed(serves, &["ban", "2"]);
    assert_eq!(bob.receive()["code"], "banned");
    printed(serves, &["forget", "3"]);
    table(serves, &["ban", "4"])
        .exits_with(1)
        .reports("there is no player 4");
    let listed = "1 Zoë B.: 2,499 tokens, free\n2 Bob: 999 tokens, banned\n\
                  3 Player 3: 1,000 tokens, forgotten\n";
    // All nodes see committed data, and only one of them may change it.
    for node in [serves, waits] {
        assert_eq!(printed(node, &["players"]), listed);
    }
    assert_eq!(read(&nodes, &["players"]), listed);
    // Any node accepts a command. The owner of the room carries the command out, once.
    let told = printed(waits, &["adjust", "1", "1", "--reason", "x"]);
    assert_eq!(told, "player 1 (Zoë B.) now has 2,500 tokens\n");
    assert_eq!(ann.receive()["balance"], 2_500);
    table(waits, &["ban", "2"])
        .exits_with(1)
        .reports("player 2 is banned already");
    let retain = ["retain", "--messages", "30d", "--events", "forever"];
    let removed = "removed 0 messages that were older than 30 days\n";
    assert_eq!(printed(waits, &retain), removed);
    printed(waits, &["adjust", "1", "-1", "--reason", "x"]);
    let left = "SELECT count(*) FROM war.inbox";
    assert_eq!(nodes.database.sql().number(left), 0);
    game_log::checkpoint(&serves.server, 2);
    let verified = read(&nodes, &["verify"]);
    let leaves = nodes.database.sql().number("SELECT count(*) FROM war.leaf");
    let counts = format!(", 3 players, 1 journal and {leaves} leaves of the log\n");
    assert!(
        verified.starts_with("VERIFIED: ") && verified.ends_with(&counts),
        "{verified}"
    );
    assert_eq!(printed(waits, &["verify"]), verified);
    nodes.all[serving].server.kill();
    // The next owner carries out the command.
    let serves = &nodes.all[1 - serving];
    let told = printed(serves, &["adjust", "1", "-99", "--reason", "x"]);
    assert_eq!(told, "player 1 (Zoë B.) now has 2,400 tokens\n");
    nodes.wait_for_welcomes(Some(serving));
    assert_eq!(hello(serves, "Bob", "Bob").1["code"], "banned");
    let (_, welcome) = hello(serves, "Ann", "Ann again");
    assert_eq!(
        (&welcome["name"], &welcome["balance"]),
        (&json!("Zoë B."), &json!(2_400))
    );
    assert_ne!(hello(serves, "Cid", "Somebody").1["player"], cid);
    printed(serves, &["ban", "2", "--lift"]);
    assert_eq!(hello(serves, "Bob", "Bob").1["type"], "welcome");
}

#[test]
#[ignore = "needs PostgreSQL; `.ci/deep` installs it"]
fn an_expired_order_is_not_carried_out() {
    let mut nodes = Nodes::start(one_room(), 2);
    let serving = nodes.owner(0);
    let (mut ann, _) = hello(&nodes.all[serving], "Ann", "Ann");
    ann.send(client_requests::choose("c", "single-card-game"));
    ann.receive_until("waiting");
    // Without the column `owner`, the other node can't take over the room of the killed node.
    nodes.all[serving].server.kill();
    let sql = nodes.database.sql();
    sql.run("ALTER TABLE war.room RENAME COLUMN owner TO lost");
    let waits = &nodes.all[1 - serving];
    let adjust = ["adjust", "1", "5", "--reason", "x"];
    table(waits, &adjust)
        .exits_with(4)
        .reports("no node serves that part of the table now: nothing was done");
    let polish = table(waits, &["ban", "1", "--lang", "pl"]);
    polish
        .exits_with(4)
        .reports("żaden węzeł nie prowadzi teraz tej części stołu");
    // A command left by a node that is gone.
    sql.run(
        "INSERT INTO war.inbox (at, ask) SELECT now() - interval '11 seconds', \
         '{\"order\":{\"ban\":{\"player\":1}}}'",
    );
    sql.run("ALTER TABLE war.room RENAME COLUMN lost TO owner");
    nodes.wait_for_welcomes(Some(serving));
    let waits = &nodes.all[1 - serving];
    printed(waits, &["rename", "1", "Zoë"]);
    assert!(printed(waits, &["players"]).starts_with("1 Zoë: 1,000 tokens, "));
}

#[test]
#[ignore = "needs PostgreSQL; `.ci/deep` installs it"]
fn a_player_s_data_are_exported_except_their_running_game() {
    let nodes = Nodes::start(one_room(), 1);
    let node = &nodes.all[0];
    let mut clients = dealt(&node.server, "single-card-game");
    fold(&mut clients);
    for (id, client) in ["e0", "e1"].into_iter().zip(&mut clients) {
        client.send(client_requests::choose(id, "double-card-game"));
    }
    for (id, client) in ["e0", "e1"].into_iter().zip(&mut clients) {
        let heard = client.receive_until("started");
        client.send(client_requests::open("t", &heard[heard.len() - 1], id));
    }
    for client in &mut clients {
        client.receive_until("dealt");
    }
    printed(node, &["adjust", "1", "5", "--reason", "{\"player\":2}"]);
    let kept: Value = serde_json::from_str(&read(&nodes, &["export", "1"])).expect("JSON");
    assert_eq!(
        (&kept["name"], &kept["balance"]),
        (&json!("Ann"), &json!(1_004))
    );
    assert_eq!(kept["token_sha256"].as_str().map(str::len), Some(64));
    let list = |of: &Value, what: &str| of[what].as_array().expect("a list").clone();
    let moved: Vec<_> = list(&kept, "ledger")
        .iter()
        .map(|entry| entry["tokens"].clone())
        .collect();
    assert_eq!(moved, [1000, -1, 5]);
    let kinds = |kept: &Value| -> Vec<String> {
        let events = list(kept, "events");
        let kind = |event: &Value| event["event"].as_object()?.keys().next().cloned();
        events.iter().filter_map(kind).collect()
    };
    let of_ann = kinds(&kept);
    let count = |of: &[String], kind: &str| of.iter().filter(|known| *known == kind).count();
    for (kind, times) in [("joined", 1), ("matched", 1), ("adjusted", 1)] {
        assert_eq!(count(&of_ann, kind), times, "{kind}: {of_ann:?}");
    }
    let seq = kept["seq"].as_u64().expect("a number");
    assert_eq!(list(&kept, "messages").len() as u64, seq);
    assert!(
        list(&kept, "answers")
            .iter()
            .any(|answer| answer["id"] == "f0")
    );
    let bob: Value = serde_json::from_str(&printed(node, &["export", "2"])).expect("JSON");
    assert_eq!(count(&kinds(&bob), "adjusted"), 0);
    table(node, &["export", "3"])
        .exits_with(1)
        .reports("there is no player 3");
}

#[test]
#[ignore = "needs PostgreSQL; `.ci/deep` installs it"]
fn a_request_for_removed_messages_is_answered_with_the_first_kept_one() {
    let nodes = Nodes::start(one_room(), 1);
    let (node, sql) = (&nodes.all[0], nodes.database.sql());
    let retain = ["retain", "--messages", "30d", "--events", "forever"];
    let removed = |count: i64| {
        let plural = if count == 1 {
            " that was"
        } else {
            "s that were"
        };
        format!("removed {count} message{plural} older than 30 days\n")
    };
    let age = "UPDATE war.outbox SET at = at - 40 * 86400000::bigint";
    let mut clients = dealt(&node.server, "single-card-game");
    sql.run(age);
    assert_eq!(printed(node, &retain), removed(0), "they play");
    fold(&mut clients);
    printed(node, &["adjust", "1", "20", "--reason", "x"]);
    let left = || sql.number("SELECT count(*) FROM war.outbox");
    // Messages are removed up to the end of a game, and this result is new.
    assert_eq!(printed(node, &retain), removed(0));
    sql.run(&format!("{age} WHERE body LIKE '%\"type\":\"result\"%'"));
    let all_but_one = removed(left() - 1);
    assert_eq!(printed(node, &retain), all_but_one);
    assert_eq!(left(), 1, "what came after the game");
    drop(clients);
    let (mut ann, welcome) = hello(node, "Ann", "Ann");
    let last = welcome["seq"].as_u64().expect("a number");
    ann.send(json!({"type": "resume", "id": "r", "after": 1}));
    let resync = json!({"seq": last - 1, "type": "resync", "first_seq": last, "balance": 999,
        "place": "free", "cards": []});
    assert_eq!(ann.receive(), resync);
    let adjusted = ann.receive();
    assert_eq!(
        (&adjusted["seq"], &adjusted["balance"]),
        (&welcome["seq"], &json!(1_019))
    );
    drop(ann);
    // If no message is left, a `resync` takes the place of the last one.
    let (mut bob, welcome) = hello(node, "Bob", "Bob");
    bob.send(json!({"type": "resume", "id": "r", "after": 0}));
    let resync = bob.receive();
    assert_eq!(
        (&resync["type"], &resync["seq"], &resync["balance"]),
        (&json!("resync"), &welcome["seq"], &json!(999))
    );
    bob.send(client_requests::single("c"));
    assert_eq!(bob.receive()["type"], "waiting");
    assert!(read(&nodes, &["verify"]).starts_with("VERIFIED"));
}

#[test]
#[ignore = "needs PostgreSQL; `.ci/deep` installs it"]
fn each_fault_of_a_database_is_found() {
    let nodes = Nodes::start(one_room(), 1);
    let (node, sql) = (&nodes.all[0], nodes.database.sql());
    let mut clients = dealt(&node.server, "single-card-game");
    fold(&mut clients);
    // Once a checkpoint with both leaves is published, both have numbers.
    game_log::checkpoint(&node.server, 2);
    let sandbox = crate::support::Sandbox::new();
    let url = nodes.database.url();
    let verified = || sandbox.war(&["table", "verify", "--store", &url]);
    verified().exits_with(0);
    let event = |kind: &str| {
        let of = format!("FROM war.event WHERE body LIKE '{{\"{kind}\"%' ORDER BY seq LIMIT 1");
        let row = &sql.rows(&format!("SELECT room || '/' || seq || '/' || part {of}"))[0];
        row.get::<_, String>(0)
    };
    let (joined, matched) = (event("joined"), event("matched"));
    let settled =
        &sql.rows("SELECT room || '/' || seq || '/' || part FROM war.ledger WHERE credit = 0")[0];
    let settled: String = settled.get(0);
    let first = "WHERE body LIKE '{\"joined\"%' AND seq = (SELECT min(seq) FROM war.event)";
    for (table, harm, fault) in [
        (
            "event",
            format!("UPDATE war.event SET body = 'no' {first}"),
            format!("event {joined} can't be read"),
        ),
        (
            "event",
            format!("DELETE FROM war.event {first}"),
            format!("event {joined} can't be read"),
        ),
        (
            "ledger",
            "DELETE FROM war.ledger WHERE credit = 0 AND debit = 1".to_owned(),
            format!("the ledger has no entry for event {settled}"),
        ),
        (
            "ledger",
            "UPDATE war.ledger SET seq = 1000000 WHERE credit = 0 AND debit = 1".to_owned(),
            format!("the ledger has no entry for event {settled}"),
        ),
        (
            "player",
            "UPDATE war.player SET balance = balance + 1 WHERE id = 2".to_owned(),
            "the balance of player 2 does not".to_owned(),
        ),
        (
            "outbox",
            "DELETE FROM war.outbox WHERE player = 1 AND seq = 2".to_owned(),
            "messages to player 1 are missing".to_owned(),
        ),
        (
            "outbox",
            "UPDATE war.outbox SET body = replace(body, '\"seq\":3', '\"seq\":4') \
             WHERE player = 2 AND seq = 3"
                .to_owned(),
            "messages to player 2 are missing or have the wrong number".to_owned(),
        ),
        (
            "settlement",
            "UPDATE war.settlement SET digest = decode(repeat('07', 16), 'hex')".to_owned(),
            "the journal of game 1 does not verify".to_owned(),
        ),
        (
            "leaf",
            "UPDATE war.leaf SET body = body || ' ' WHERE number = 0".to_owned(),
            "leaf 0 of the log".to_owned(),
        ),
        (
            "leaf",
            "DELETE FROM war.leaf WHERE number = 0".to_owned(),
            "leaf 0 of the log".to_owned(),
        ),
        (
            "event",
            "UPDATE war.event SET body = replace(body, '\"secret\":\"', '\"secret\":\"0') \
             WHERE body LIKE '{\"matched\"%'"
                .to_owned(),
            format!("event {matched} can't be read"),
        ),
    ] {
        let kept = format!("CREATE TABLE public.kept AS TABLE war.{table}");
        sql.run(&kept);
        sql.run(&harm);
        let run = verified();
        let run = run.exits_with(1).reports(&fault);
        assert!(
            run.stdout.starts_with("DAMAGED: "),
            "{harm}: {}",
            run.stdout
        );
        sql.run(&format!(
            "DELETE FROM war.{table}; INSERT INTO war.{table} SELECT * FROM public.kept; \
             DROP TABLE public.kept"
        ));
        verified().exits_with(0);
    }
}

#[test]
#[ignore = "needs PostgreSQL; `.ci/deep` installs it"]
fn an_unreadable_database_is_reported() {
    let database = Database::new();
    let sandbox = crate::support::Sandbox::new();
    let url = database.url();
    for what in [&["players"][..], &["export", "1"], &["verify"]] {
        let run = sandbox.war(&[&["table"], what, &["--store", &url]].concat());
        run.exits_with(4)
            .reports("there is no card table in the database");
    }
    let tables = "SELECT count(*) FROM pg_tables WHERE schemaname = 'war'";
    assert_eq!(database.sql().number(tables), 0, "nothing was made");
    database
        .sql()
        .run("CREATE SCHEMA war; CREATE TABLE war.horse (name text)");
    sandbox
        .war(&["table", "players", "--store", &url])
        .exits_with(4)
        .reports("is not the store of a card table");
    let polish = [
        "table",
        "players",
        "--store",
        "postgres://war@127.0.0.1:1/x",
    ];
    sandbox.war(&polish).exits_with(4).reports("can't reach");
    // Operators who change something send their command to a node, and need the table's key.
    sandbox
        .war(&["table", "ban", "1", "--store", &url])
        .exits_with(2)
        .reports("which key does the table");
}
