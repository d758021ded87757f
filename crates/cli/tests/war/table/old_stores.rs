//! Stores of every layout there was, which are opened for ever.

use super::line::Line;
use super::{Server, dealt, said};
use crate::support::{Place, project};
use rusqlite::Connection;
use serde_json::{Value, json};
use std::fs;
use std::os::unix::fs::PermissionsExt;

/// The layouts that stores had before today's.
const VERSIONS: [u32; 5] = [1, 2, 3, 4, 5];

/// What the stores are known to hold.
fn known() -> Value {
    let path = project().join("tests/goldens/stores/known.json");
    let text = fs::read_to_string(path).expect("a file");
    serde_json::from_str(&text).expect("JSON")
}

/// A place with a store of a version.
fn with_store(version: u32) -> Place {
    let place = Place::new();
    let old = project().join(format!("tests/goldens/stores/v{version}.db"));
    fs::copy(old, place.path("table.db")).expect("a copy");
    place
}

/// A player of the store who comes back.
fn back(server: &Server, player: &Value) -> (Line, Value) {
    let mut line = server.connect();
    let [token, name] = ["token", "name"].map(|field| player[field].as_str().expect("a text"));
    line.say(said::hello_by(token, name));
    let welcome = line.hear();
    (line, welcome)
}

#[test]
fn stores_of_every_version_go_on_with_players_balances_and_games() {
    let known = known();
    // From version 3 on there are more, who play under today's rules.
    let later = |version| version >= 3;
    for version in VERSIONS {
        let place = with_store(version);
        let server = Server::start(&place, &["--bots", "0"]);
        let (_, health) = server.admin("/health");
        let running = if later(version) { 3 } else { 2 };
        let expected = format!("\"running\":{running},");
        assert!(health.contains(&expected), "{version}: {health}");
        // Who waited before has committed to no seed, and has to choose again.
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
            let (_line, welcome) = back(&server, player);
            assert_eq!(welcome["player"], player["player"], "{version}: {welcome}");
            assert_eq!(
                welcome["balance"], player["balance"],
                "{version}: {welcome}"
            );
        }
        for (game, journal) in &journals {
            let (head, body) = server.get(&format!("/games/{game}/journal.json"));
            assert!(head.starts_with("HTTP/1.1 200"), "{version}: {head}");
            assert_eq!(Some(&*body), journal.as_str(), "{version}: game {game}");
        }
        server.signal("KILL");
        let kept = place.path(&format!("table.db.v{version}.bak"));
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
        let place = with_store(version);
        let server = Server::start(&place, &["--bots", "0"]);
        let [ann, bob] = ["Ann", "Bob"].map(|name| &known["players"][name]);
        let (mut ann, welcome) = back(&server, ann);
        let (mut bob, _) = back(&server, bob);
        // Ann decided to play the king of spades before; Bob folds the three of diamonds.
        let dealt = json!({"game_id": 18, "deal": 1});
        bob.say(said::decide("now", &dealt, "fold"));
        ann.say(json!({"type": "resume", "id": "all", "after": welcome["seq"]}));
        let result = ann.until("result").pop().expect("a result");
        assert_eq!(
            (&result["game_id"], &result["delta"]),
            (&json!(18), &json!(3))
        );
        let (_, journal) = server.get("/games/18/journal.json");
        assert!(journal.contains("single-card-game/1"), "{journal}");
        place.write("game.json", &journal);
        place.war(&["replay", "game.json", "--quiet"]).ends_with(0);
    }
}

#[test]
fn games_of_old_stores_are_kept_for_their_players() {
    let known = known();
    for version in VERSIONS {
        let place = with_store(version);
        let server = Server::start(&place, &["--bots", "0"]);
        for player in known["players"].as_object().expect("some").values() {
            let (mut line, welcome) = back(&server, player);
            line.say(json!({"type": "games", "id": "g", "limit": 100}));
            let answer = line.until("games").pop().expect("an answer");
            let games = answer["games"].as_array().expect("a list");
            // From the first game to the last, tokens add up to what the ledger has.
            let mut balance = 1_000;
            for game in games.iter().rev() {
                balance += game["delta"].as_i64().expect("a number");
                assert_eq!(game["balance"], balance, "{version}: {game}");
                let (head, _) = server.get(&format!("/games/{}/journal.json", game["game_id"]));
                assert!(head.starts_with("HTTP/1.1 200"), "{version}: {head}");
            }
            assert_eq!(welcome["balance"], balance, "{version}");
            line.say(json!({"type": "figures", "id": "f"}));
            let total = &line.until("figures").pop().expect("an answer")["total"];
            assert_eq!(total["games"], games.len(), "{version}: {total}");
            assert_eq!(total["tokens"], balance - 1_000, "{version}: {total}");
        }
    }
}

#[test]
fn who_waits_in_an_old_store_waits_no_longer_and_is_told_so() {
    let known = known();
    let eve = &known["players"]["Eve"];
    assert_eq!(known["waiting"], "Eve");
    for version in [1, 2] {
        let place = with_store(version);
        let store = Connection::open(place.path("table.db")).expect("a store");
        let waiting = store.query_row("SELECT player FROM waiting", [], |row| row.get(0));
        let waiting: u64 = waiting.expect("somebody waits");
        assert_eq!(waiting, eve["player"], "{version}");
        drop(store);
        let server = Server::start(&place, &["--bots", "0"]);
        let (mut eve, welcome) = back(&server, eve);
        let after = known["players"]["Eve"]["seq"].clone();
        assert_eq!(welcome["seq"], json!(after.as_u64().expect("few") + 1));
        eve.say(json!({"type": "resume", "id": "r", "after": after}));
        assert_eq!(eve.hear()["type"], "cancelled", "{version}");
        // Nobody meets her before she chooses anew.
        let (mut cid, _) = server.player("Cid");
        cid.say(said::double("c"));
        assert_eq!(cid.hear()["type"], "waiting", "{version}");
        eve.say(said::double("anew"));
        let started = cid.until("started").pop().expect("a game");
        assert_eq!(started["opponent"]["player"], waiting, "{version}");
    }
}

#[test]
fn a_backup_of_an_open_table_is_restored() {
    let place = Place::new();
    let server = Server::start(&place, &["--bots", "0"]);
    let [mut ann, mut bob] = dealt(&server, "single-card-game");
    for line in [&mut ann, &mut bob] {
        line.say(line.decision("d0", "fold"));
    }
    let result = ann.until("result").pop().expect("a result");
    let journal = format!("/games/{}/journal.json", result["game_id"]);
    let (_, before) = server.get(&journal);
    // A game runs while the copy is made, and goes on afterwards.
    for (id, line) in [("e0", &mut ann), ("e1", &mut bob)] {
        line.say(said::choose(id, "double-card-game"));
    }
    for (id, line) in [("e0", &mut ann), ("e1", &mut bob)] {
        let heard = line.until("started");
        line.say(said::open("t", &heard[heard.len() - 1], id));
    }
    ann.until("dealt");
    let copied = place.war(&["table", "backup", "copy.db"]).ends_with(0);
    assert!(copied.stdout.contains("copy.db"), "{}", copied.stdout);
    let mode = fs::metadata(place.path("copy.db")).expect("a copy");
    assert_eq!(mode.permissions().mode() & 0o777, 0o600);
    ann.say(ann.decision("d", "play"));
    ann.until("decided");
    let copy = fs::read(place.path("copy.db")).expect("a copy");
    let again = place.war(&["table", "backup", "copy.db"]).ends_with(4);
    assert!(again.stderr.contains("already exists"), "{}", again.stderr);
    assert!(fs::read(place.path("copy.db")).expect("a copy") == copy);
    server.signal("KILL");
    drop(server);
    for beside in ["", "-wal", "-shm"] {
        fs::remove_file(place.path(&format!("table.db{beside}"))).expect("a file");
    }
    fs::rename(place.path("copy.db"), place.path("table.db")).expect("a place");
    let server = Server::start(&place, &["--bots", "0"]);
    let (_, health) = server.admin("/health");
    assert!(health.contains("\"running\":1,"), "{health}");
    let (_, after) = server.get(&journal);
    assert_eq!(after, before);
    let store = Connection::open(place.path("table.db")).expect("the store");
    let balances: i64 = store
        .query_row("SELECT sum(balance) FROM player", [], |row| row.get(0))
        .expect("a sum");
    // Both folded: each paid a token to the bank.
    assert_eq!(balances, 2 * 1000 - 2);
}

#[test]
fn a_backup_of_what_is_no_store_makes_no_file() {
    let place = Place::new();
    for (store, code) in [("sqlite:none.db", 4), ("postgres://x", 2)] {
        let run = place.war(&["table", "backup", "copy.db", "--store", store]);
        run.ends_with(code);
    }
    let database = "postgres://ann:horse@db.example/war";
    let run = place.war(&["table", "backup", "copy.db", "--store", database]);
    let run = run.ends_with(2);
    assert!(run.stderr.contains("pg_dump"), "{}", run.stderr);
    assert!(!run.stderr.contains("horse"), "{}", run.stderr);
    place.write("other.db", "");
    let other = ["table", "backup", "copy.db", "--store", "sqlite:other.db"];
    place.war(&other).ends_with(4);
    assert!(!place.path("copy.db").exists());
}

#[test]
fn a_copy_of_before_is_never_overwritten() {
    let place = with_store(2);
    place.write("table.db.v2.bak", "mine");
    drop(Server::start(&place, &["--bots", "0"]));
    let mine = fs::read_to_string(place.path("table.db.v2.bak"));
    assert_eq!(mine.expect("a file"), "mine");
    assert!(place.path("table.db.v2-2.bak").exists());
}

#[test]
fn a_store_that_can_t_be_changed_as_a_whole_stays_as_it_is() {
    let place = with_store(2);
    let store = Connection::open(place.path("table.db")).expect("the store");
    // In the way of the last table of today.
    let table = "CREATE TABLE settlement (x)";
    store.execute_batch(table).expect("a table");
    let number = |sql: &str| -> u32 {
        let number = store.query_row(sql, [], |row| row.get(0));
        number.expect("a number")
    };
    let tables = number("SELECT count(*) FROM sqlite_schema");
    place
        .war(&["serve", "--listen", "127.0.0.1:0"])
        .ends_with(4)
        .tells("can't use the store");
    assert_eq!(number("PRAGMA user_version"), 2);
    assert_eq!(number("SELECT count(*) FROM sqlite_schema"), tables);
}

#[test]
fn a_store_that_vanishes_is_noticed_before_anything_is_answered() {
    type Harm = fn(&Place);
    let deleted: Harm = |place| fs::remove_file(place.path("table.db")).expect("a file");
    let replaced: Harm = |place| {
        fs::copy(place.path("table.db"), place.path("other.db")).expect("a copy");
        fs::rename(place.path("other.db"), place.path("table.db")).expect("another");
    };
    let log_deleted: Harm = |place| fs::remove_file(place.path("table.db-wal")).expect("a file");
    for harm in [deleted, replaced, log_deleted] {
        let place = Place::new();
        let mut server = Server::start(&place, &["--bots", "0"]);
        let (mut ann, _) = server.player("Ann");
        harm(&place);
        ann.say(said::single("c"));
        assert!(ann.try_hear().is_err(), "nothing may be answered");
        let (code, _, errors) = server.outcome();
        assert_eq!(code, 4, "{errors}");
        assert!(
            errors.contains("was deleted, moved or replaced"),
            "{errors}"
        );
    }
}
