//! Operators' commands at a running table, and protection from everybody else.

use super::raw_client::RawClient;
use super::server::answer;
use super::{Server, client_requests, dealt, game_log};
use crate::support::{Run, Sandbox};
use rusqlite::Connection;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;
use std::{fs, thread};

/// `war table` with these arguments, for this server.
fn table(sandbox: &Sandbox, server: &Server, arguments: &[&str]) -> Run {
    sandbox.war(&[&["table"], arguments, &["--admin", &server.admin]].concat())
}

/// Output of a command that succeeds.
#[track_caller]
fn printed(sandbox: &Sandbox, server: &Server, arguments: &[&str]) -> String {
    table(sandbox, server, arguments)
        .exits_with(0)
        .stdout
        .clone()
}

fn number(sandbox: &Sandbox, sql: &str) -> i64 {
    let store = Connection::open(sandbox.path("table.db")).expect("the store");
    let number = store.query_row(sql, [], |row| row.get(0));
    number.expect("a number")
}

/// Connection that sent `hello` as this player, and the answer.
fn hello(server: &Server, name: &str, called: &str) -> (RawClient, Value) {
    let mut client = server.connect();
    client.send(client_requests::hello_by(
        &client_requests::token(name),
        called,
    ));
    let answer = client.receive();
    (client, answer)
}

#[test]
fn an_adjustment_is_in_the_ledger_and_announced_to_the_player() {
    let sandbox = Sandbox::new();
    let server = Server::start(&sandbox, &["--bots", "1"]);
    let (mut ann, _) = server.player("Ann");
    let adjust = ["adjust", "2", "1_500", "--reason", "found a bug"];
    let told = printed(&sandbox, &server, &adjust);
    assert_eq!(told, "player 2 (Ann) now has 2,500 tokens\n");
    let heard = ann.receive();
    let adjusted = json!({"seq": 1, "type": "adjusted", "tokens": 1500, "balance": 2500,
        "reason": "found a bug"});
    assert_eq!(heard, adjusted);
    drop(ann);
    let taken = printed(
        &sandbox,
        &server,
        &["adjust", "2", "-2501", "--reason", "ż"],
    );
    assert_eq!(taken, "player 2 (Ann) now has -1 token\n");
    // Messages that came while the player was away are there when they return.
    let (mut ann, welcome) = hello(&server, "Ann", "Ann");
    assert_eq!(
        (&welcome["balance"], &welcome["seq"]),
        (&json!(-1), &json!(2))
    );
    ann.send(json!({"type": "resume", "id": "r", "after": 1}));
    assert_eq!(ann.receive()["reason"], "ż");
    let ledger = "SELECT group_concat(debit || '>' || credit || ':' || tokens, ' ') FROM \
                  (SELECT * FROM ledger WHERE 2 IN (debit, credit) ORDER BY id)";
    let store = Connection::open(sandbox.path("table.db")).expect("the store");
    let entries: String = store.query_row(ledger, [], |row| row.get(0)).expect("text");
    assert_eq!(entries, "0>2:1000 0>2:1500 2>0:2501");
    let listed = printed(&sandbox, &server, &["players"]);
    assert_eq!(
        listed,
        "1 House 1: 1,000 tokens, of the house\n2 Ann: -1 token, free\n"
    );
}

#[test]
fn tokens_granted_during_a_game_count_in_its_result() {
    let sandbox = Sandbox::new();
    let server = Server::start(&sandbox, &["--bots", "0"]);
    let [mut ann, mut bob] = dealt(&server, "single-card-game");
    printed(&sandbox, &server, &["adjust", "1", "50", "--reason", "x"]);
    assert_eq!(ann.receive()["balance"], 1050);
    ann.send(ann.decision("d", "play"));
    bob.send(bob.decision("d", "fold"));
    let result = ann.receive_until("result").pop().expect("a result");
    assert_eq!(
        (&result["delta"], &result["balance"]),
        (&json!(3), &json!(1053))
    );
}

#[test]
fn banned_players_are_refused_until_they_are_unbanned() {
    let sandbox = Sandbox::new();
    let server = Server::start(&sandbox, &["--bots", "0"]);
    let (mut ann, _) = server.player("Ann");
    ann.send(client_requests::single("c"));
    assert_eq!(ann.receive()["type"], "waiting");
    let told = printed(&sandbox, &server, &["ban", "1"]);
    assert_eq!(told, "player 1 (Ann) is banned\n");
    assert_eq!(ann.receive()["type"], "cancelled");
    let error = ann.receive();
    assert_eq!(
        (&error["type"], &error["code"]),
        (&json!("error"), &json!("banned"))
    );
    assert_eq!(error["message"], "you are banned from this table");
    assert_eq!(error["in_reply_to"], Value::Null);
    let closed = ann.try_receive().expect_err("the end");
    assert!(closed.contains("Policy"), "{closed}");
    assert!(server.admin("/health").1.contains("\"waiting\":0"));
    let (_, refused) = hello(&server, "Ann", "Ann");
    assert_eq!(refused["code"], "banned");
    let again = table(&sandbox, &server, &["ban", "1"]);
    again.exits_with(1).reports("player 1 is banned already");
    let listed = printed(&sandbox, &server, &["players"]);
    assert_eq!(listed, "1 Ann: 1,000 tokens, banned\n");
    // A ban outlives the program.
    server.signal("KILL");
    drop(server);
    let server = Server::start(&sandbox, &["--bots", "0"]);
    assert_eq!(hello(&server, "Ann", "Ann").1["code"], "banned");
    let may_come = printed(&sandbox, &server, &["ban", "1", "--lift"]);
    assert_eq!(may_come, "player 1 (Ann) may come again\n");
    assert_eq!(hello(&server, "Ann", "Ann").1["type"], "welcome");
    let again = table(&sandbox, &server, &["ban", "1", "--lift"]);
    again.exits_with(1).reports("player 1 is not banned");
}

// A ban doesn't end a running game at once, since the opponent has done nothing wrong.
#[test]
fn a_game_of_a_banned_player_ends_by_its_deadline() {
    let sandbox = Sandbox::new();
    let server = Server::start(&sandbox, &["--bots", "0", "--decide-seconds", "3"]);
    let [mut ann, mut bob] = dealt(&server, "single-card-game");
    printed(&sandbox, &server, &["ban", "1"]);
    assert_eq!(ann.receive()["code"], "banned");
    assert!(ann.try_receive().is_err());
    bob.send(bob.decision("d", "play"));
    let result = bob.receive_until("result").pop().expect("a result");
    assert_eq!(
        (&result["outcome"], &result["delta"]),
        (&json!("won"), &json!(3))
    );
    assert_eq!(
        number(&sandbox, "SELECT balance FROM player WHERE id = 1"),
        997
    );
}

#[test]
fn a_name_set_by_an_operator_is_permanent() {
    let sandbox = Sandbox::new();
    let server = Server::start(&sandbox, &["--bots", "0"]);
    let (mut ann, _) = server.player("Ann");
    let told = printed(&sandbox, &server, &["rename", "1", "Zoë B."]);
    assert_eq!(told, "player 1 is now called Zoë B., and can't change it\n");
    hello(&server, "Ann", "Ann again");
    let (mut bob, _) = server.player("Bob");
    ann.send(client_requests::single("c0"));
    bob.send(client_requests::single("c1"));
    let started = bob.receive_until("started").pop().expect("a game");
    assert_eq!(started["opponent"]["name"], "Zoë B.");
}

#[test]
fn forgotten_players_leave_only_a_number() {
    let sandbox = Sandbox::new();
    let server = Server::start(&sandbox, &["--bots", "0"]);
    let (mut ann, _) = server.player("Ann Unique");
    ann.send(client_requests::single("c"));
    ann.receive();
    let told = printed(&sandbox, &server, &["forget", "1"]);
    assert_eq!(
        told,
        "player 1 is forgotten: name, token and messages are gone\n"
    );
    assert_eq!(ann.receive()["type"], "cancelled");
    assert!(ann.try_receive().is_err(), "the connection is closed");
    let (_, refused) = hello(&server, "Ann Unique", "Somebody");
    assert_eq!(refused["type"], "error", "{refused}");
    let listed = printed(&sandbox, &server, &["players"]);
    assert_eq!(listed, "1 Player 1: 1,000 tokens, forgotten\n");
    let kept = "SELECT (SELECT count(*) FROM outbox WHERE player = 1) + (SELECT count(*) FROM \
                request WHERE player = 1)";
    assert_eq!(number(&sandbox, kept), 0);
    assert_eq!(number(&sandbox, "SELECT sum(tokens) FROM ledger"), 1000);
    for arguments in [
        &["forget", "1"][..],
        &["ban", "1"],
        &["rename", "1", "Ann"],
        &["adjust", "1", "1", "--reason", "x"],
    ] {
        let again = table(&sandbox, &server, arguments);
        again.exits_with(1).reports("player 1 was forgotten");
    }
}

#[test]
fn the_file_contains_no_name_of_forgotten_players() {
    let sandbox = Sandbox::new();
    let mut server = Server::start(&sandbox, &["--bots", "0", "--rate", "1000"]);
    let (mut ann, _) = server.player("Ann Unique");
    // Each round writes another version of the player's row. All rounds together write enough
    // messages to fill some pages.
    for round in 0..40 {
        ann.send(client_requests::single(&format!("c{round}")));
        ann.receive_until("waiting");
        ann.send(client_requests::cancel(&format!("x{round}")));
        ann.receive_until("cancelled");
    }
    printed(&sandbox, &server, &["rename", "1", "Ann Second"]);
    printed(&sandbox, &server, &["adjust", "1", "7", "--reason", "gift"]);
    printed(&sandbox, &server, &["forget", "1"]);
    server.signal("TERM");
    assert_eq!(server.end().0, 0);
    let file = std::fs::read(sandbox.path("table.db")).expect("a store");
    let holds = |what: &[u8]| file.windows(what.len()).any(|found| found == what);
    assert!(holds(b"Player 1"), "the row is there");
    assert!(!holds(b"Ann Unique") && !holds(b"Ann Second"), "a name");
    let waiting: &[u8] = br#""type":"waiting""#;
    assert!(!holds(waiting), "a message");
}

#[test]
fn impossible_commands_are_refused() {
    let sandbox = Sandbox::new();
    let server = Server::start(&sandbox, &["--bots", "1"]);
    server.player("Ann");
    let refused = |arguments: &[&str], code, what: &str| {
        table(&sandbox, &server, arguments)
            .exits_with(code)
            .reports(what);
    };
    refused(&["ban", "3"], 1, "there is no player 3");
    refused(
        &["ban", "9007199254740991"],
        1,
        "there is no player 9007199254740991",
    );
    refused(&["ban", "0"], 2, "`0` is not a valid value");
    refused(&["ban", "Ann"], 2, "`Ann` is not a valid value");
    for house in [
        &["ban", "1"][..],
        &["forget", "1"],
        &["rename", "1", "Ann"],
        &["adjust", "1", "1", "--reason", "x"],
    ] {
        refused(house, 1, "player 1 belongs to the house");
    }
    for tokens in ["0", "-0", "1000000001", "-1e10", "many", "1.5", "--5"] {
        let adjust = ["adjust", "2", tokens, "--reason", "x"];
        table(&sandbox, &server, &adjust).exits_with(2);
    }
    refused(&["adjust", "2", "5"], 2, "--reason");
    let long = "ż".repeat(201);
    for reason in ["", " ", "two\nlines", &long] {
        let adjust = ["adjust", "2", "5", "--reason", reason];
        refused(&adjust, 2, "a reason must have 1 to 200 characters");
    }
    for name in ["House 7", "H0use 1", " Ann", "", "..."] {
        refused(&["rename", "2", name], 2, "can't be the name of a player");
    }
    let listed = printed(&sandbox, &server, &["players", "--lang", "pl"]);
    assert_eq!(
        listed,
        "1 House 1: 1000 żetonów, komputer\n2 Ann: 1000 żetonów, bez gry\n"
    );
}

#[test]
fn an_unreachable_table_is_reported() {
    let sandbox = Sandbox::new();
    let mut server = Server::start(&sandbox, &["--bots", "0"]);
    let admin = server.admin.clone();
    let players = ["table", "players", "--admin", &admin];
    let keyed = |key| [&players[..], &["--key", key]].concat();
    sandbox
        .war(&keyed("none.key"))
        .exits_with(4)
        .reports("there is no key of a table at `none.key`");
    let other = Sandbox::new();
    drop(Server::start(&other, &["--bots", "0"]));
    fs::copy(other.path("table.db.key"), sandbox.path("other.key")).expect("a key");
    sandbox
        .war(&keyed("other.key"))
        .exits_with(2)
        .reports(&format!(
            "the table at `http://{admin}/operator` has another key than `other.key`"
        ));
    // There is no operator's page at the players' address.
    let wrong = ["table", "players", "--admin", &server.address];
    sandbox.war(&wrong).exits_with(4).reports(&format!(
        "what answers at `http://{}/operator` is not a card table",
        server.address
    ));
    sandbox
        .war(&["table", "players", "--admin", "off"])
        .exits_with(2)
        .reports("is `off`");
    server.kill();
    sandbox
        .war(&players)
        .exits_with(4)
        .reports("no table answers at")
        .reports("connection refused");
}

/// Address of a table that gives a challenge, and then never answers.
fn silent() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("an address").to_string();
    thread::spawn(move || {
        for connection in listener.incoming() {
            let connection = connection.expect("a connection");
            let mut reader = BufReader::new(&connection);
            let lines = reader.by_ref().lines().map_while(Result::ok);
            let head: Vec<_> = lines.take_while(|line| !line.is_empty()).collect();
            // Bytes that nobody reads would reset the connection.
            let length = head.iter().find_map(|line| {
                let line = line.to_ascii_lowercase();
                line.strip_prefix("content-length:")?.trim().parse().ok()
            });
            let body = reader.read_exact(&mut vec![0; length.unwrap_or(0)]);
            body.expect("the body that the head announces");
            if head.first().is_some_and(|line| line.starts_with("GET ")) {
                let body = "0".repeat(64);
                let head = "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 64\r\n\r\n";
                // Fails if the client does not wait for the challenge, and then no request follows.
                let _ = (&connection).write_all([head, &body].concat().as_bytes());
            }
        }
    });
    address
}

/// Reason of a client whose connection is closed before the answer.
const CLOSED: &str = "disconnected";

#[test]
fn only_commands_that_change_something_have_an_unknown_outcome() {
    let sandbox = Sandbox::new();
    drop(Server::start(&sandbox, &["--bots", "0"]));
    let admin = silent();
    let asked = |what: &[&str], lang: &str| {
        let of = ["--admin", &admin, "--lang", lang];
        sandbox.war(&[&["table"], what, &of].concat()).exits_with(4)
    };
    for reads in [&["players"][..], &["export", "1"], &["verify"]] {
        let silent = format!("the table at `http://{admin}/operator` can't answer now");
        let run = asked(reads, "en").reports(&silent).reports(CLOSED);
        assert!(!run.stderr.contains("may have done"), "{}", run.stderr);
        asked(reads, "pl").reports("nie może teraz odpowiedzieć");
    }
    let retain = ["retain", "--messages", "30d", "--events", "forever"];
    for changes in [&["ban", "1"][..], &retain] {
        // The table closed the connection without an answer.
        asked(changes, "en")
            .reports("it may have done what you asked for: ")
            .reports(CLOSED);
        asked(changes, "pl").reports("polecenie mogło zostać wykonane: ");
    }
}

/// Status of the table's answer to a request with these headers.
fn status(server: &Server, headers: &str, body: &str) -> String {
    let (admin, length) = (&server.admin, body.len());
    let request = format!(
        "POST /operator HTTP/1.1\r\nHost: {admin}\r\nConnection: close\r\n\
         Content-Length: {length}\r\n{headers}\r\n{body}"
    );
    let answer = answer(admin, &request);
    answer.split(' ').nth(1).expect("a status").to_owned()
}

#[test]
fn commands_require_the_key_and_cannot_be_replayed() {
    let sandbox = Sandbox::new();
    let mut server = Server::start(&sandbox, &["--bots", "0"]);
    server.player("Ann");
    let body = r#"{"order":{"ban":{"player":1}}}"#;
    let json = "Content-Type: application/json\r\n";
    let file = fs::read_to_string(sandbox.path("table.db.key")).expect("a key");
    let key = war::signing::TableKey::parse_file(&file).expect("a key");
    let proven = |challenge: &str, body: &str| {
        let parsed = challenge.parse().expect("a challenge");
        let proof = war_table::operator::compute_proof(&key, &parsed, body.as_bytes());
        format!("X-War-Challenge: {challenge}\r\nAuthorization: War-Operator {proof}\r\n")
    };
    let (_, challenge) = server.admin("/operator");
    let right = proven(&challenge, body);
    assert_eq!(status(&server, json, body), "401");
    assert_eq!(
        status(&server, &right, body),
        "415",
        "a page could send this"
    );
    let old = proven(&"0".repeat(64), body);
    assert_eq!(status(&server, &format!("{json}{old}"), body), "409");
    let other = r#"{"order":{"ban":{"player":2}}}"#;
    assert_eq!(status(&server, &format!("{json}{right}"), other), "401");
    let nothing = proven(&challenge, "{}");
    assert_eq!(status(&server, &format!("{json}{nothing}"), "{}"), "400");
    let (_, fresh) = server.admin("/operator");
    assert_ne!(challenge, fresh, "a challenge is taken once");
    let right = proven(&fresh, body);
    assert_eq!(
        hello(&server, "Ann", "Ann").1["type"],
        "welcome",
        "nothing was done"
    );
    assert_eq!(status(&server, &format!("{json}{right}"), body), "200");
    assert_eq!(status(&server, &format!("{json}{right}"), body), "409");
    assert_eq!(hello(&server, "Ann", "Ann").1["code"], "banned");
    // Another thread writes the log, which is complete only after the server has ended.
    server.signal("TERM");
    let (code, errors) = server.end();
    assert_eq!(code, 0, "{errors}");
    let log = &sandbox.logs()[0];
    assert!(
        log.contains("not an operator") && log.contains("INFO banned"),
        "{log}"
    );
}

/// Ann and Bob, after one finished game and in a running one.
fn with_games(server: &Server) -> [RawClient; 2] {
    let [mut ann, mut bob] = dealt(server, "single-card-game");
    for client in [&mut ann, &mut bob] {
        client.send(client.decision("d0", "fold"));
    }
    for (id, client) in [("e0", &mut ann), ("e1", &mut bob)] {
        client.receive_until("result");
        client.send(client_requests::choose(id, "double-card-game"));
    }
    for (id, client) in [("e0", &mut ann), ("e1", &mut bob)] {
        let heard = client.receive_until("started");
        client.send(client_requests::open("t", &heard[heard.len() - 1], id));
    }
    for client in [&mut ann, &mut bob] {
        client.receive_until("dealt");
    }
    [ann, bob]
}

#[test]
fn a_valid_store_verifies_while_games_run() {
    let sandbox = Sandbox::new();
    let server = Server::start(&sandbox, &["--bots", "1"]);
    let _players = with_games(&server);
    for arguments in [
        &["adjust", "2", "-70", "--reason", "x"][..],
        &["ban", "2"],
        &["forget", "3"],
    ] {
        printed(&sandbox, &server, arguments);
    }
    let told = printed(&sandbox, &server, &["verify"]);
    assert!(told.starts_with("VERIFIED: "), "{told}");
    let leaves = game_log::leaves(&sandbox).len();
    let counts = format!(", 3 players, 1 journal and {leaves} leaves of the log\n");
    assert!(told.ends_with(&counts), "{told}");
}

#[test]
fn stores_of_every_version_verify() {
    for version in 1..=5 {
        let sandbox = Sandbox::new();
        let old = format!("tests/goldens/stores/v{version}.db");
        let old = crate::support::project().join(old);
        fs::copy(old, sandbox.path("table.db")).expect("a copy");
        let server = Server::start(&sandbox, &["--bots", "0"]);
        let told = printed(&sandbox, &server, &["verify"]);
        assert!(told.starts_with("VERIFIED: "), "{version}: {told}");
    }
}

#[test]
fn each_fault_of_a_store_is_found() {
    for (harm, fault) in [
        (
            "UPDATE event SET body = 'no' WHERE id = 2",
            "event 2 can't be read",
        ),
        (
            "UPDATE ledger SET tokens = 2 WHERE tokens = 1 AND debit = 1",
            "the ledger has no entry for event",
        ),
        (
            "DELETE FROM ledger WHERE id = 1",
            "the ledger has no entry for event 1",
        ),
        (
            "INSERT INTO ledger (event, debit, credit, tokens) VALUES (1, 1, 2, 5)",
            "the ledger has no entry for event 1",
        ),
        (
            "UPDATE player SET balance = balance + 1 WHERE id = 2",
            "the balance of player 2 does not",
        ),
        (
            "DELETE FROM outbox WHERE player = 1 AND seq = 3",
            "messages to player 1 are missing",
        ),
        (
            "DELETE FROM outbox WHERE player = 1 AND seq = (SELECT max(seq) FROM outbox \
             WHERE player = 1)",
            "messages to player 1 are missing",
        ),
        (
            "UPDATE outbox SET body = '{\"seq\":7}' WHERE player = 2 AND seq = 1",
            "messages to player 2 are missing",
        ),
        (
            "UPDATE settlement SET digest = zeroblob(16)",
            "the journal of game 1 does not verify",
        ),
        (
            "UPDATE event SET body = replace(body, '\"fold\"', '\"play\"')",
            "the journal of game 1 does not verify",
        ),
        (
            "UPDATE leaf SET body = replace(body, 'war-table', 'our-table') WHERE number = 1",
            "leaf 1 of the log",
        ),
        (
            "UPDATE leaf SET hash = zeroblob(32) WHERE number = 2",
            "leaf 2 of the log",
        ),
        ("DELETE FROM leaf WHERE number = 1", "leaf 0 of the log"),
        // Daily duels follow from the secret.
        ("UPDATE about SET secret = randomblob(32)", "of the log"),
        (
            "DELETE FROM finished WHERE player = 2",
            "the players' record of game 1 is missing",
        ),
        (
            "UPDATE finished SET theirs = 'play' WHERE player = 1",
            "the players' record of game 1 is missing",
        ),
        (
            "UPDATE finished SET cards = 'no' WHERE player = 1",
            "the players' record of game 1 is missing",
        ),
        (
            "UPDATE finished SET balance = balance + 1 WHERE player = 2",
            "the figures of player 2's games",
        ),
        (
            "UPDATE figure SET folded = 0 WHERE player = 1",
            "the figures of player 1's games",
        ),
    ] {
        let sandbox = Sandbox::new();
        let server = Server::start(&sandbox, &["--bots", "0"]);
        let _players = with_games(&server);
        let store = Connection::open(sandbox.path("table.db")).expect("the store");
        store.execute_batch(harm).expect(harm);
        let run = table(&sandbox, &server, &["verify"]);
        let run = run.exits_with(1).reports(fault);
        assert!(
            run.stdout.starts_with("DAMAGED: "),
            "{harm}: {}",
            run.stdout
        );
    }
}

#[test]
fn an_export_has_all_data_of_a_player_except_cards_of_a_running_game() {
    let sandbox = Sandbox::new();
    let server = Server::start(&sandbox, &["--bots", "0"]);
    let _players = with_games(&server);
    printed(&sandbox, &server, &["adjust", "1", "5", "--reason", "ż"]);
    let told = printed(&sandbox, &server, &["export", "1"]);
    let kept: Value = serde_json::from_str(&told).expect("JSON");
    for (field, value) in [
        ("format", json!("war-table-player")),
        ("player", json!(1)),
        ("name", json!("Ann")),
        ("balance", json!(1004)),
        ("standing", json!("welcome")),
    ] {
        assert_eq!(kept[field], value, "{field}");
    }
    let entries = kept["ledger"].as_array().expect("a list");
    let moved: Vec<_> = entries.iter().map(|entry| &entry["tokens"]).collect();
    assert_eq!(moved, [1000, -1, 5]);
    let events = kept["events"].as_array().expect("a list");
    let games: Vec<_> = events
        .iter()
        .filter_map(|event| event["event"]["matched"]["game"].as_u64())
        .collect();
    assert_eq!(games, [1], "the other game runs");
    assert!(
        events
            .iter()
            .any(|event| event["event"]["adjusted"]["tokens"] == 5)
    );
    assert!(
        events
            .iter()
            .all(|event| event["event"]["joined"]["player"] != 2)
    );
    let messages = kept["messages"].as_array().expect("a list");
    assert_eq!(
        messages.len() as u64,
        kept["seq"].as_u64().expect("a number")
    );
    assert_eq!(messages[messages.len() - 1]["reason"], "ż");
    let games = kept["games"].as_array().expect("a list");
    assert_eq!((games.len(), &games[0]["balance"]), (1, &json!(999)));
    let answers = kept["answers"].as_array().expect("a list");
    assert!(answers.iter().any(|answer| answer["id"] == "d0"));
    let unknown = table(&sandbox, &server, &["export", "3"]);
    unknown.exits_with(1).reports("there is no player 3");
}

/// Makes the messages in a sandbox up to this number 40 days older.
fn age(sandbox: &Sandbox, until: u64) {
    let store = Connection::open(sandbox.path("table.db")).expect("the store");
    let sql = "UPDATE outbox SET at = at - 40 * 86400000 WHERE seq <= ?1";
    store.execute(sql, [until]).expect("messages");
}

#[test]
fn a_request_for_removed_messages_is_answered_with_the_first_kept_one() {
    let sandbox = Sandbox::new();
    let server = Server::start(&sandbox, &["--bots", "0"]);
    let [mut ann, mut bob] = with_games(&server);
    printed(&sandbox, &server, &["adjust", "1", "20", "--reason", "x"]);
    let retain = ["retain", "--messages", "30d", "--events", "forever"];
    let none = "removed 0 messages that were older than 30 days\n";
    age(&sandbox, 1_000);
    assert_eq!(printed(&sandbox, &server, &retain), none, "they play");
    for client in [&mut ann, &mut bob] {
        client.send(client.decision("d1", "fold"));
    }
    for client in [&mut ann, &mut bob] {
        client.receive_until("result");
    }
    // A removal ends with the end of a game or a wait. The messages that are old below include the
    // first two after the end of the first game, which are kept all the same.
    let [over, other] = [1, 2].map(|player| {
        let of = format!("player = {player} AND body LIKE '%\"result\"%'");
        number(&sandbox, &format!("SELECT min(seq) FROM outbox WHERE {of}"))
    });
    let expected = over + other;
    let fresh = "UPDATE outbox SET at = (SELECT max(at) FROM outbox)";
    let store = Connection::open(sandbox.path("table.db")).expect("the store");
    store.execute_batch(fresh).expect("messages");
    let ends = u64::try_from(over).expect("a number") + 2;
    age(&sandbox, ends);
    let told = format!("removed {expected} messages that were older than 30 days\n");
    assert_eq!(printed(&sandbox, &server, &retain), told);
    assert_eq!(printed(&sandbox, &server, &retain), none);
    assert!(printed(&sandbox, &server, &["verify"]).starts_with("VERIFIED"));
    drop((ann, bob));
    let (mut ann, welcome) = hello(&server, "Ann", "Ann");
    ann.send(json!({"type": "resume", "id": "r", "after": 1}));
    let first = number(&sandbox, "SELECT min(seq) FROM outbox WHERE player = 1");
    let resync = json!({"seq": first - 1, "type": "resync", "first_seq": first, "balance": 999,
        "place": "free", "cards": []});
    assert_eq!(ann.receive(), resync);
    let heard = ann.receive_until("result");
    assert_eq!(heard[0]["seq"], first);
    let last = &heard[heard.len() - 1];
    assert_eq!(
        (&last["seq"], &last["balance"]),
        (&welcome["seq"], &welcome["balance"])
    );
    // If no message is left, a `resync` takes the place of the last one.
    age(&sandbox, 1_000);
    printed(&sandbox, &server, &retain);
    assert_eq!(number(&sandbox, "SELECT count(*) FROM outbox"), 0);
    let (mut ann, welcome) = hello(&server, "Ann", "Ann");
    ann.send(json!({"type": "resume", "id": "all", "after": 0}));
    let resync = ann.receive();
    assert_eq!(resync["type"], "resync");
    assert_eq!(
        (&resync["seq"], &resync["balance"]),
        (&welcome["seq"], &welcome["balance"])
    );
    ann.send(client_requests::single("c"));
    assert_eq!(ann.receive()["type"], "waiting");
    assert!(printed(&sandbox, &server, &["verify"]).starts_with("VERIFIED"));
    for messages in ["0d", "30", "d", "forever", "-1d"] {
        let retain = ["retain", "--messages", messages, "--events", "forever"];
        table(&sandbox, &server, &retain).exits_with(2);
    }
    let events = ["retain", "--messages", "30d", "--events", "30d"];
    table(&sandbox, &server, &events).exits_with(2);
}

#[test]
fn the_table_s_address_in_the_environment_leads_to_the_operator_s() {
    let sandbox = Sandbox::new();
    drop(Server::start(&sandbox, &[]));
    for (listen, admin) in [
        ("127.0.0.1:1", "127.0.0.1:1001"),
        ("127.0.0.1:65535", "127.0.0.1:64535"),
    ] {
        let mut command = sandbox.command(&["table", "players"]);
        let run = Run::of(command.env("WAR_TABLE_LISTEN", listen)).exits_with(4);
        run.reports(&format!("no table answers at `http://{admin}/"));
    }
    let mut command = sandbox.command(&["table", "players"]);
    let run = Run::of(command.env("WAR_TABLE_LISTEN", "nowhere")).exits_with(2);
    run.reports("WAR_TABLE_LISTEN");
}
