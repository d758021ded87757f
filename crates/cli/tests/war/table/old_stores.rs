//! Stores of every earlier layout, which can always be opened.

use super::raw_client::RawClient;
use super::server::journal_path;
use super::{Server, client_requests, dealt};
use crate::support::{Sandbox, project};
use rusqlite::Connection;
use serde_json::{Value, json};
use std::fs;
use std::os::unix::fs::PermissionsExt;

/// Layouts before the current one.
const VERSIONS: [u32; 5] = [1, 2, 3, 4, 5];

/// Known contents of the stores.
fn known() -> Value {
    let path = project().join("tests/goldens/stores/known.json");
    let text = fs::read_to_string(path).expect("a file");
    serde_json::from_str(&text).expect("JSON")
}

/// Sandbox with a store of this version.
fn with_store(version: u32) -> Sandbox {
    let sandbox = Sandbox::new();
    let old = project().join(format!("tests/goldens/stores/v{version}.db"));
    fs::copy(old, sandbox.path("table.db")).expect("a copy");
    sandbox
}

/// Reconnects a player of the store.
fn reconnect(server: &Server, player: &Value) -> (RawClient, Value) {
    let mut client = server.connect();
    let [token, name] = ["token", "name"].map(|field| player[field].as_str().expect("a text"));
    client.send(client_requests::hello_by(token, name));
    let welcome = client.receive();
    (client, welcome)
}

#[test]
fn stores_of_every_version_keep_players_balances_and_games() {
    let known = known();
    // From version 3 on, there are more players, who play by the current rules.
    let later = |version| version >= 3;
    for version in VERSIONS {
        let sandbox = with_store(version);
        let server = Server::start(&sandbox, &["--bots", "0"]);
        let (_, health) = server.admin("/health");
        let running = if later(version) { 3 } else { 2 };
        let expected = format!("\"running\":{running},");
        assert!(health.contains(&expected), "{version}: {health}");
        // Players who waited in old versions have not committed to a seed, and must choose again.
        let expected = format!("\"waiting\":{}", u32::from(later(version)));
        assert!(health.contains(&expected), "{version}: {health}");
        let all = |part: &Value, what: &str| part[what].as_object().expect("some").clone();
        let mut players = all(&known, "players");
        let mut journals = all(&known, "journals");
        if later(version) {
            players.extend(all(&known["later"], "players"));
            journals.extend(all(&known["later"], "journals"));
        }
        if version >= 4 {
            players.extend(all(&known["latest"], "players"));
        }
        for player in players.values() {
            let (_line, welcome) = reconnect(&server, player);
            assert_eq!(welcome["player"], player["player"], "{version}: {welcome}");
            assert_eq!(
                welcome["balance"], player["balance"],
                "{version}: {welcome}"
            );
        }
        for (game, journal) in &journals {
            let (head, body) = server.get(&journal_path(&sandbox, game.parse().expect("a number")));
            assert!(head.starts_with("HTTP/1.1 200"), "{version}: {head}");
            assert_eq!(Some(&*body), journal.as_str(), "{version}: game {game}");
        }
        server.signal("KILL");
        let kept = sandbox.path(&format!("table.db.v{version}.bak"));
        let kept = Connection::open(kept).expect("a copy of before");
        let layout: u32 = kept
            .pragma_query_value(None, "user_version", |row| row.get(0))
            .expect("a number");
        assert_eq!(layout, version);
    }
}

#[test]
fn a_running_game_of_an_old_store_ends_under_its_rules() {
    let known = known();
    for version in VERSIONS {
        let sandbox = with_store(version);
        let server = Server::start(&sandbox, &["--bots", "0"]);
        let [ann, bob] = ["Ann", "Bob"].map(|name| &known["players"][name]);
        let (mut ann, welcome) = reconnect(&server, ann);
        let (mut bob, _) = reconnect(&server, bob);
        // Ann has decided to play the king of spades. Bob folds the three of diamonds.
        let dealt = json!({"game_id": 18, "deal": 1});
        bob.send(client_requests::decide("now", &dealt, "fold"));
        ann.send(json!({"type": "resume", "id": "all", "after": welcome["seq"]}));
        let result = ann.receive_until("result").pop().expect("a result");
        assert_eq!(
            (&result["game_id"], &result["delta"]),
            (&json!(18), &json!(3))
        );
        let (_, journal) = server.get(&journal_path(&sandbox, 18));
        assert!(journal.contains("single-card-game/1"), "{journal}");
        sandbox.write("game.json", &journal);
        sandbox
            .war(&["replay", "game.json", "--quiet"])
            .exits_with(0);
    }
}

#[test]
fn games_of_old_stores_remain_in_their_players_history() {
    let known = known();
    for version in VERSIONS {
        let sandbox = with_store(version);
        let server = Server::start(&sandbox, &["--bots", "0"]);
        for player in known["players"].as_object().expect("some").values() {
            let (mut client, welcome) = reconnect(&server, player);
            client.send(json!({"type": "games", "id": "g", "limit": 100}));
            let answer = client.receive_until("games").pop().expect("an answer");
            let games = answer["games"].as_array().expect("a list");
            // From the first game to the last, balances match the ledger.
            let mut balance = 1_000;
            for game in games.iter().rev() {
                balance += game["delta"].as_i64().expect("a number");
                assert_eq!(game["balance"], balance, "{version}: {game}");
                let number = game["game_id"].as_u64().expect("a number");
                let (head, _) = server.get(&journal_path(&sandbox, number));
                assert!(head.starts_with("HTTP/1.1 200"), "{version}: {head}");
            }
            assert_eq!(welcome["balance"], balance, "{version}");
            client.send(json!({"type": "figures", "id": "f"}));
            let total = &client.receive_until("figures").pop().expect("an answer")["total"];
            assert_eq!(total["games"], games.len(), "{version}: {total}");
            assert_eq!(total["tokens"], balance - 1_000, "{version}: {total}");
        }
    }
}

#[test]
fn players_waiting_in_an_old_store_are_notified_that_they_no_longer_wait() {
    let known = known();
    let eve = &known["players"]["Eve"];
    assert_eq!(known["waiting"], "Eve");
    for version in [1, 2] {
        let sandbox = with_store(version);
        let store = Connection::open(sandbox.path("table.db")).expect("a store");
        let waiting = store.query_row("SELECT player FROM waiting", [], |row| row.get(0));
        let waiting: u64 = waiting.expect("somebody waits");
        assert_eq!(waiting, eve["player"], "{version}");
        drop(store);
        let server = Server::start(&sandbox, &["--bots", "0"]);
        let (mut eve, welcome) = reconnect(&server, eve);
        let after = known["players"]["Eve"]["seq"].clone();
        assert_eq!(welcome["seq"], json!(after.as_u64().expect("few") + 1));
        eve.send(json!({"type": "resume", "id": "r", "after": after}));
        assert_eq!(eve.receive()["type"], "cancelled", "{version}");
        // Nobody is matched with Eve before she chooses again.
        let (mut cid, _) = server.player("Cid");
        cid.send(client_requests::double("c"));
        assert_eq!(cid.receive()["type"], "waiting", "{version}");
        eve.send(client_requests::double("anew"));
        let started = cid.receive_until("started").pop().expect("a game");
        assert_eq!(started["opponent"]["player"], waiting, "{version}");
    }
}

#[test]
fn a_backup_of_an_open_table_is_restored() {
    let sandbox = Sandbox::new();
    let server = Server::start(&sandbox, &["--bots", "0"]);
    let [mut ann, mut bob] = dealt(&server, "single-card-game");
    for client in [&mut ann, &mut bob] {
        client.send(client.decision("d0", "fold"));
    }
    let result = ann.receive_until("result").pop().expect("a result");
    let journal = journal_path(&sandbox, result["game_id"].as_u64().expect("a number"));
    let (_, before) = server.get(&journal);
    // A game runs while the copy is made, and goes on afterwards.
    for (id, client) in [("e0", &mut ann), ("e1", &mut bob)] {
        client.send(client_requests::choose(id, "double-card-game"));
    }
    for (id, client) in [("e0", &mut ann), ("e1", &mut bob)] {
        let heard = client.receive_until("started");
        client.send(client_requests::open("t", &heard[heard.len() - 1], id));
    }
    ann.receive_until("dealt");
    let copied = sandbox.war(&["table", "backup", "copy.db"]).exits_with(0);
    assert!(copied.stdout.contains("copy.db"), "{}", copied.stdout);
    let mode = fs::metadata(sandbox.path("copy.db")).expect("a copy");
    assert_eq!(mode.permissions().mode() & 0o777, 0o600);
    ann.send(ann.decision("d", "play"));
    ann.receive_until("decided");
    let copy = fs::read(sandbox.path("copy.db")).expect("a copy");
    let again = sandbox.war(&["table", "backup", "copy.db"]).exits_with(4);
    assert!(again.stderr.contains("already exists"), "{}", again.stderr);
    assert!(fs::read(sandbox.path("copy.db")).expect("a copy") == copy);
    server.signal("KILL");
    drop(server);
    for beside in ["", "-wal", "-shm"] {
        fs::remove_file(sandbox.path(&format!("table.db{beside}"))).expect("a file");
    }
    fs::rename(sandbox.path("copy.db"), sandbox.path("table.db")).expect("a place");
    for (lang, says) in [
        ("en", "may lack games"),
        ("pl", "brakować późniejszych gier"),
    ] {
        let serve = ["--lang", lang, "serve", "--listen", "127.0.0.1:0"];
        let run = sandbox.war(&serve).exits_with(4);
        assert!(run.stderr.contains(says), "{}", run.stderr);
        let hint = "`war table restored --store sqlite:table.db --unchanged`";
        assert!(run.stderr.contains(hint), "{}", run.stderr);
    }
    let confirm = ["table", "restored", "--unchanged"];
    let confirmed = sandbox.war(&confirm).exits_with(0);
    assert!(
        confirmed.stdout.contains("goes on as it was"),
        "{}",
        confirmed.stdout
    );
    let server = Server::start(&sandbox, &["--bots", "0"]);
    let (_, health) = server.admin("/health");
    assert!(health.contains("\"running\":1,"), "{health}");
    let (_, after) = server.get(&journal);
    assert_eq!(after, before);
    let store = Connection::open(sandbox.path("table.db")).expect("the store");
    let balances: i64 = store
        .query_row("SELECT sum(balance) FROM player", [], |row| row.get(0))
        .expect("a sum");
    // Both folded, so each paid a token to the bank.
    assert_eq!(balances, 2 * 1000 - 2);
}

#[test]
fn a_backup_of_an_invalid_store_creates_no_file() {
    let sandbox = Sandbox::new();
    for (store, code) in [("sqlite:none.db", 4), ("postgres://x", 2)] {
        let run = sandbox.war(&["table", "backup", "copy.db", "--store", store]);
        run.exits_with(code);
    }
    let database = "postgres://ann:horse@db.example/war";
    let run = sandbox.war(&["table", "backup", "copy.db", "--store", database]);
    let run = run.exits_with(2);
    assert!(run.stderr.contains("pg_dump"), "{}", run.stderr);
    assert!(!run.stderr.contains("horse"), "{}", run.stderr);
    sandbox.write("other.db", "");
    let other = ["table", "backup", "copy.db", "--store", "sqlite:other.db"];
    sandbox.war(&other).exits_with(4);
    assert!(!sandbox.path("copy.db").exists());
}

#[test]
fn an_earlier_copy_is_never_overwritten() {
    let sandbox = with_store(2);
    sandbox.write("table.db.v2.bak", "mine");
    drop(Server::start(&sandbox, &["--bots", "0"]));
    let mine = fs::read_to_string(sandbox.path("table.db.v2.bak"));
    assert_eq!(mine.expect("a file"), "mine");
    assert!(sandbox.path("table.db.v2-2.bak").exists());
}

#[test]
fn a_failed_migration_leaves_the_store_unchanged() {
    let sandbox = with_store(2);
    let store = Connection::open(sandbox.path("table.db")).expect("the store");
    // Blocks the creation of the last table of the current layout.
    let table = "CREATE TABLE settlement (x)";
    store.execute_batch(table).expect("a table");
    let number = |sql: &str| -> u32 {
        let number = store.query_row(sql, [], |row| row.get(0));
        number.expect("a number")
    };
    let tables = number("SELECT count(*) FROM sqlite_schema");
    sandbox
        .war(&["serve", "--listen", "127.0.0.1:0"])
        .exits_with(4)
        .reports("can't use the store");
    assert_eq!(number("PRAGMA user_version"), 2);
    assert_eq!(number("SELECT count(*) FROM sqlite_schema"), tables);
}

#[test]
fn a_vanished_store_is_noticed_before_any_answer() {
    type Harm = fn(&Sandbox);
    let deleted: Harm = |sandbox| fs::remove_file(sandbox.path("table.db")).expect("a file");
    let replaced: Harm = |sandbox| {
        fs::copy(sandbox.path("table.db"), sandbox.path("other.db")).expect("a copy");
        fs::rename(sandbox.path("other.db"), sandbox.path("table.db")).expect("another");
    };
    let log_deleted: Harm =
        |sandbox| fs::remove_file(sandbox.path("table.db-wal")).expect("a file");
    for harm in [deleted, replaced, log_deleted] {
        let sandbox = Sandbox::new();
        let mut server = Server::start(&sandbox, &["--bots", "0"]);
        let (mut ann, _) = server.player("Ann");
        harm(&sandbox);
        ann.send(client_requests::single("c"));
        assert!(ann.try_receive().is_err(), "nothing may be answered");
        let (code, _, errors) = server.outcome();
        assert_eq!(code, 4, "{errors}");
        assert!(
            errors.contains("was deleted, moved or replaced"),
            "{errors}"
        );
    }
}
