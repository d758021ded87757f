//! Moving a table from a file to a database, and back.

use super::cluster::Sql;
use super::nodes::health;
use super::{Database, laws};
use crate::support::Sandbox;
use crate::table::{RawClient, Server, client_requests, game_log};
use rusqlite::Connection;
use serde_json::Value;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// Options for every server of these tests.
const OPTIONS: [&str; 4] = ["--bots", "0", "--key", "table.db.key"];

pub(super) fn serve(sandbox: &Sandbox, store: &str) -> Server {
    let server = Server::start(sandbox, &[&OPTIONS[..], &["--store", store]].concat());
    // A node is ready once it has taken the room.
    until(|| health(&server.admin) == Some(200));
    server
}

/// Tries to open a table, and checks the reason for the failure.
fn serve_refused(sandbox: &Sandbox, store: &str, options: &[&str], says: &str) {
    let listen = ["serve", "--listen", "127.0.0.1:0", "--store", store];
    let run = sandbox.war(&[&listen[..], options].concat());
    run.exits_with(4).reports(says);
}

/// Queries for the contents of a store, for both kinds of stores. Each row becomes a line.
const CONTENTS: [(&str, &str); 8] = [
    (
        "players",
        "SELECT id || ' ' || name || ' ' || balance || ' ' || seq || ' ' || cast(house AS int) \
         || ' ' || cast(name_is_fixed AS int) || ' ' || standing || ' ' || first_seq \
         || ' ' || cast(watchable AS int) \
         FROM player ORDER BY id",
    ),
    (
        "tokens",
        "SELECT hex || '' FROM (SELECT id, {hex:token} AS hex FROM player) AS t ORDER BY id",
    ),
    (
        "messages",
        "SELECT player || ' ' || seq || ' ' || coalesce(at, 0) || ' ' || body FROM outbox \
         ORDER BY player, seq",
    ),
    (
        "answers",
        "SELECT player || ' ' || id || ' ' || at{later:request} || ' ' || {hex:digest} || ' ' || first || ' ' \
         || last || ' ' || coalesce(refusal, '-') FROM request ORDER BY player, id",
    ),
    (
        "who waits or plays",
        "SELECT client FROM (SELECT player, player || ' ' || kind || ' ' || since{later:waiting} || ' ' || \
         {hex:seed_hash} AS client FROM waiting UNION ALL SELECT player, player || ' ' || game \
         FROM seat) AS there ORDER BY player",
    ),
    (
        "the log",
        "SELECT number || ' ' || game || ' ' || {hex:hash} || ' ' || body FROM leaf ORDER BY number",
    ),
    (
        "settlements",
        "SELECT game || ' ' || engine || ' ' || lang || ' ' || renderer || ' ' || printed || ' ' \
         || {hex:blake3} || ' ' || {hex:digest} FROM settlement ORDER BY game",
    ),
    (
        "the ledger",
        "SELECT debit || ' ' || credit || ' ' || sum(tokens) || ' ' || count(*) FROM ledger \
         GROUP BY debit, credit ORDER BY debit, credit",
    ),
];

/// Contents of a store, with the events of each game in order after those outside games.
fn contents(
    ask: impl Fn(&str) -> Vec<String>,
    hex: [&str; 2],
    order: &str,
) -> Vec<(String, Vec<String>)> {
    let is_file = order == "id";
    let with = |sql: &str| {
        // Times in a room are relative to the time of the room.
        let mut sql = sql.to_owned();
        for table in ["request", "waiting"] {
            let later = format!(
                " + (SELECT max(time) FROM room) - (SELECT time FROM room WHERE id = {table}.room)"
            );
            let later = if is_file { "" } else { &later };
            sql = sql.replace(&format!("{{later:{table}}}"), later);
        }
        let mut parts = sql.split("{hex:");
        let mut whole = parts.next().expect("a part").to_owned();
        for part in parts {
            let (column, rest) = part.split_once('}').expect("a column");
            whole += &[hex[0], column, hex[1], rest].concat();
        }
        whole
    };
    let mut held: Vec<_> = CONTENTS
        .iter()
        .map(|(what, sql)| ((*what).to_owned(), ask(&with(sql))))
        .collect();
    let events =
        format!("SELECT at || ' ' || coalesce(game, 0) || ' ' || body FROM event ORDER BY {order}");
    held.push(("events".to_owned(), ask(&events)));
    let about = if is_file {
        "SELECT id || ' ' || time || ' ' || dated FROM about"
    } else {
        "SELECT id || ' ' || (SELECT max(time) FROM room) || ' ' || dated FROM about"
    };
    held.push(("the table".to_owned(), ask(about)));
    held
}

fn contents_of_file(sandbox: &Sandbox, file: &str) -> Vec<(String, Vec<String>)> {
    let store = Connection::open(sandbox.path(file)).expect("a store");
    let ask = |sql: &str| {
        let mut statement = store
            .prepare(sql)
            .unwrap_or_else(|error| panic!("{sql}: {error}"));
        let rows = statement.query_map([], |row| row.get(0)).expect("rows");
        rows.collect::<Result<_, _>>().expect("texts")
    };
    contents(ask, ["lower(hex(", "))"], "id")
}

fn contents_of_database(sql: &Sql) -> Vec<(String, Vec<String>)> {
    sql.run("SET search_path = war");
    let ask = |text: &str| {
        let rows = sql.rows(text);
        rows.iter().map(|row| row.get(0)).collect()
    };
    contents(ask, ["encode(", ", 'hex')"], "room, seq, part")
}

#[track_caller]
fn assert_same(before: &[(String, Vec<String>)], after: &[(String, Vec<String>)]) {
    for ((what, before), (_, after)) in before.iter().zip(after) {
        let differs = before
            .iter()
            .zip(after)
            .find(|(before, after)| before != after);
        assert_eq!(differs, None, "{what}");
        assert_eq!(before.len(), after.len(), "{what}");
    }
}

/// Reconnects and receives all messages so far. Returns them without the welcome.
fn receive_all(server: &Server, name: &str) -> (RawClient, Vec<Value>) {
    let mut client = RawClient::open(&server.address, "/ws", &[]).expect("a connection");
    client.send(client_requests::hello(name));
    let welcome = client.receive();
    let seq = welcome["seq"].as_u64().expect("a number");
    client.send(serde_json::json!({"type": "resume", "id": "r", "after": 0}));
    let heard = (0..seq).map(|_| client.receive()).collect();
    (client, heard)
}

/// Messages, except for the `clock` message that follows a restart.
fn without_clock(heard: &[Value]) -> Vec<Value> {
    let timeless = heard.iter().filter(|message| message["type"] != "clock");
    timeless.cloned().collect()
}

/// Table in a file, with finished games, a running one, and a waiting player.
fn table_in_file(sandbox: &Sandbox) -> (Vec<Value>, Value) {
    let mut server = serve(sandbox, "sqlite:table.db");
    let mut players = ["Ann", "Bob"].map(|name| server.player(name).0);
    for game in ["one", "two", "three"] {
        game_log::play(&mut players, game);
    }
    // A running game, in which Ann has decided.
    let [mut ann, mut bob] = players;
    for client in [&mut ann, &mut bob] {
        client.send(client_requests::choose("four", "double-card-game"));
    }
    for client in [&mut ann, &mut bob] {
        let started = client.receive_until("started").pop().expect("a game");
        client.send(client_requests::open("four-seed", &started, "four"));
    }
    let dealt = ann.receive_until("dealt").pop().expect("cards");
    ann.send(client_requests::decide("four-fold", &dealt, "fold"));
    ann.receive_until("decided");
    let dealt = bob.receive_until("dealt").pop().expect("cards");
    let mut cid = server.player("Cid").0;
    cid.send(client_requests::choose("five", "single-card-game"));
    cid.receive_until("waiting");
    let (_, heard) = receive_all(&server, "Ann");
    server.kill();
    (heard, dealt)
}

#[test]
#[ignore = "needs PostgreSQL; `.ci/deep` installs it"]
fn a_table_moves_to_a_database_and_back_with_all_its_contents() {
    let (sandbox, database) = (Sandbox::new(), Database::new());
    let (heard, dealt) = table_in_file(&sandbox);
    let (sql, url) = (database.sql(), database.url());
    let before = contents_of_file(&sandbox, "table.db");
    let moves = ["table", "move", "sqlite:table.db", &url];
    let run = sandbox.war(&moves).exits_with(0);
    assert!(
        run.stdout.contains("3 players, 1 game in progress"),
        "{}",
        run.stdout
    );
    assert_same(&before, &contents_of_database(&sql));

    // The old store is marked as moved, which this program reports and earlier programs refuse.
    for arguments in [
        &["serve", "--listen", "127.0.0.1:0"][..],
        &moves,
        &["table", "backup", "copy.db"],
    ] {
        for (lang, says) in [("en", "was moved to"), ("pl", "przeniesiono do")] {
            let run = sandbox
                .war(&[&["--lang", lang][..], arguments].concat())
                .exits_with(4);
            assert!(run.stderr.contains(says), "{}", run.stderr);
        }
    }
    let store = Connection::open(sandbox.path("table.db")).expect("a store");
    let version: u32 = store
        .pragma_query_value(None, "user_version", |row| row.get(0))
        .expect("it");
    assert!(version > 1000, "a version that nobody knows");
    drop(store);

    // The players are the same, receive the same messages, and go on with their game.
    let mut server = serve(&sandbox, &url);
    let (mut ann, all) = receive_all(&server, "Ann");
    assert_eq!(
        without_clock(&all)[..heard.len()],
        without_clock(&heard)[..]
    );
    let (mut bob, _) = receive_all(&server, "Bob");
    // A request that was answered gets the same answer, and has no further effect.
    bob.send(client_requests::decide("four-fold", &dealt, "fold"));
    bob.receive_until("result");
    ann.receive_until("result");
    // A waiting player still waits after reconnecting.
    let (mut cid, _) = receive_all(&server, "Cid");
    let mut dan = server.player("Dan").0;
    dan.send(client_requests::choose("six", "single-card-game"));
    for (client, choice) in [(&mut cid, "five"), (&mut dan, "six")] {
        let started = client.receive_until("started").pop().expect("a game");
        client.send(client_requests::open("seed", &started, choice));
    }
    for client in [&mut cid, &mut dan] {
        let dealt = client.receive_until("dealt").pop().expect("cards");
        client.send(client_requests::decide("fold", &dealt, "fold"));
    }
    dan.receive_until("result");
    let mut players = [ann, bob];
    game_log::play(&mut players, "seven");
    sandbox.write("seen.txt", game_log::checkpoint(&server, 12));
    let (code, result) = game_log::verified(&sandbox, &server, &[]);
    assert_eq!((code, &result["games"]), (0, &6.into()), "{result}");
    server.signal("TERM");
    server.end();
    laws::hold_in(&sql);

    // The table moves back again.
    let back = ["table", "move", &url, "sqlite:back.db"];
    let before = contents_of_database(&sql);
    sandbox.war(&back).exits_with(0).reports("");
    assert_same(&before, &contents_of_file(&sandbox, "back.db"));
    assert!(!sandbox.path("back.db.moving").exists());
    let key = ["--key", "table.db.key"];
    serve_refused(&sandbox, &url, &key, "was moved to");
    // Without `--key`, the server looks for the table's key in `back.db.key`.
    let other_key = "is not the key of the table";
    serve_refused(&sandbox, "sqlite:back.db", &[], other_key);
    let server = serve(&sandbox, "sqlite:back.db");
    let (code, result) = game_log::verified(&sandbox, &server, &["--with", "seen.txt"]);
    assert_eq!(code, 0, "{result}");
    let mut players = ["Ann", "Bob"].map(|name| receive_all(&server, name).0);
    game_log::play(&mut players, "eight");
    game_log::checkpoint(&server, 14);
}

#[test]
#[ignore = "needs PostgreSQL; `.ci/deep` installs it"]
fn a_player_between_rooms_and_a_banned_player_move_unchanged() {
    let (sandbox, database) = (Sandbox::new(), Database::new());
    let (sql, url) = (database.sql(), database.url());
    table_in_file(&sandbox);
    let server = serve(&sandbox, "sqlite:table.db");
    let eve = server.player("Eve").1["player"].to_string();
    let admin = ["--admin", &server.admin, "--key", "table.db.key"];
    let run = sandbox.war(&[&["table", "ban", &eve], &admin[..]].concat());
    run.exits_with(0);
    drop(server);
    let moves = |from: &str, to: &str| sandbox.war(&["table", "move", from, to]).exits_with(0);
    moves("sqlite:table.db", &url);
    let banned =
        format!("SELECT count(*) FROM war.player WHERE standing = 'banned' AND id = {eve}");
    assert_eq!(sql.number(&banned), 1);
    // The database is as if a room had redirected Cid after a wait of 700 milliseconds, to a room
    // that has not accepted Cid yet.
    sql.run(
        "UPDATE war.room SET time = 10000000 WHERE id = 5; UPDATE war.waiting SET since = 700;
         UPDATE war.player SET room = 5 WHERE id IN (SELECT player FROM war.waiting)",
    );
    moves(&url, "sqlite:back.db");
    let store = Connection::open(sandbox.path("back.db")).expect("a store");
    let waiting = "SELECT name, since FROM waiting JOIN player ON id = player";
    let waiting: (String, i64) = store
        .query_row(waiting, [], |row| Ok((row.get(0)?, row.get(1)?)))
        .expect("one who waits");
    assert_eq!(waiting, ("Cid".to_owned(), 10_000_000 - 700));
    drop(store);
    let server = serve(&sandbox, "sqlite:back.db");
    let mut client = RawClient::open(&server.address, "/ws", &[]).expect("a connection");
    client.send(client_requests::hello("Eve"));
    assert_eq!(client.receive()["code"], "banned");
    let (mut cid, _) = receive_all(&server, "Cid");
    let mut dan = server.player("Dan").0;
    dan.send(client_requests::choose("six", "single-card-game"));
    let started = [&mut cid, &mut dan].map(|client| client.receive_until("started").pop());
    let games = started.map(|started| started.expect("a game")["game_id"].clone());
    assert_eq!(games[0], games[1]);
}

/// Adds this many house players with messages.
fn enlarge(sandbox: &Sandbox, players: u32) {
    let mut server = serve(sandbox, "sqlite:table.db");
    server.kill();
    let store = Connection::open(sandbox.path("table.db")).expect("a store");
    store
        .execute_batch(&format!(
            "WITH RECURSIVE n (n) AS (SELECT 1000 UNION ALL SELECT n + 1 FROM n WHERE n < 999 + {players})
             INSERT INTO player (id, token, name, balance, seq, house)
                 SELECT n, randomblob(32), 'Extra', 0, 3, 0 FROM n;
             INSERT INTO outbox (player, seq, body) SELECT player.id, value, hex(randomblob(200))
             FROM player, json_each('[1, 2, 3]') WHERE name = 'Extra';"
        ))
        .expect("a larger store");
}

#[test]
#[ignore = "needs PostgreSQL; `.ci/deep` installs it"]
fn a_killed_or_interrupted_move_changes_nothing_and_can_be_repeated() {
    let (sandbox, database) = (Sandbox::new(), Database::new());
    table_in_file(&sandbox);
    enlarge(&sandbox, 20_000);
    let before = contents_of_file(&sandbox, "table.db");
    let (sql, url) = (database.sql(), database.url());
    let there = ["table", "move", "sqlite:table.db", &url];
    let made = || sql.number("SELECT count(*) FROM pg_namespace WHERE nspname = 'war'");
    let busy = "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'war table move' \
                AND datname = current_database() AND query LIKE 'INSERT INTO outbox%'";
    for signal in ["KILL", "INT"] {
        let mut command = sandbox.command(&there);
        let mut child = command.stderr(Stdio::piped()).spawn().expect("the program");
        until(|| sql.number(busy) > 0);
        kill(child.id(), signal);
        let code = child.wait().expect("it ends").code();
        assert_eq!(code, (signal == "INT").then_some(3));
        until(|| {
            sql.number(
                "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'war table move'",
            ) == 0
        });
        assert_eq!(made(), 0, "nothing is there");
        assert_same(&before, &contents_of_file(&sandbox, "table.db"));
    }
    // The store can still be served, and then be moved.
    serve(&sandbox, "sqlite:table.db").kill();
    let before = contents_of_file(&sandbox, "table.db");
    sandbox.war(&there).exits_with(0);
    assert_same(&before, &contents_of_database(&sql));

    let back = ["table", "move", &url, "sqlite:back.db"];
    let mut child = sandbox.command(&back).spawn().expect("the program");
    until(|| fs::metadata(sandbox.path("back.db.moving")).is_ok_and(|file| file.len() > 2 << 20));
    kill(child.id(), "KILL");
    child.wait().expect("it ends");
    assert!(!sandbox.path("back.db").exists());
    let before = contents_of_database(&sql);
    until(|| {
        sql.number(
            "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'war table move'",
        ) == 0
    });
    sandbox.war(&back).exits_with(0);
    assert_same(&before, &contents_of_file(&sandbox, "back.db"));
    assert!(!sandbox.path("back.db.moving").exists());
}

// Each move is left as if it was killed after it marked the old store: before the new store was
// complete, or right afterwards.
#[test]
#[ignore = "needs PostgreSQL; `.ci/deep` installs it"]
fn a_move_killed_at_its_end_can_be_finished() {
    let (sandbox, database) = (Sandbox::new(), Database::new());
    table_in_file(&sandbox);
    let (sql, url) = (database.sql(), database.url());
    let shown = database.address().to_string();
    let before = contents_of_file(&sandbox, "table.db");
    let there = ["table", "move", "sqlite:table.db", &url];
    let half = || {
        let store = Connection::open(sandbox.path("table.db")).expect("a store");
        let version: u32 = store
            .pragma_query_value(None, "user_version", |row| row.get(0))
            .expect("it");
        let marked = format!(
            "CREATE TABLE IF NOT EXISTS note (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
             DELETE FROM note; INSERT INTO note VALUES ('leaving', '{shown}');
             PRAGMA user_version = {};",
            version % 1_000_000 + 1_000_000
        );
        store.execute_batch(&marked).expect("a mark");
    };
    half();
    for (lang, says) in [("en", "is moving to"), ("pl", "jest przenoszony do")] {
        sandbox
            .war(&["--lang", lang, "serve", "--listen", "127.0.0.1:0"])
            .exits_with(4)
            .reports(says);
    }
    let other = Database::new();
    sandbox
        .war(&["table", "move", "sqlite:table.db", &other.url()])
        .exits_with(4)
        .reports("is moving to");
    sandbox.war(&there).exits_with(0);
    assert_same(&before, &contents_of_database(&sql));
    half();
    let run = sandbox.war(&there).exits_with(0);
    assert!(run.stdout.contains("had already arrived"), "{}", run.stdout);
    sandbox.war(&there).exits_with(4).reports("was moved to");

    let back = ["table", "move", &url, "sqlite:back.db"];
    let file = sandbox.path("back.db");
    sql.run(&format!(
        "CREATE TABLE war.note (name text PRIMARY KEY, value text NOT NULL);
         INSERT INTO war.note VALUES ('leaving', 'sqlite:{}');
         UPDATE war.about SET min_version = 2147483647",
        file.display()
    ));
    serve_refused(&sandbox, &url, &["--key", "table.db.key"], "is moving to");
    sandbox.war(&back).exits_with(0);
    assert_same(&before, &contents_of_file(&sandbox, "back.db"));
    sql.run("DELETE FROM war.note WHERE name = 'moved'");
    let run = sandbox.war(&back).exits_with(0);
    assert!(run.stdout.contains("had already arrived"), "{}", run.stdout);
}

#[test]
#[ignore = "needs PostgreSQL; `.ci/deep` installs it"]
fn an_impossible_move_is_refused_and_changes_nothing() {
    let (sandbox, database) = (Sandbox::new(), Database::new());
    let (sql, url) = (database.sql(), database.url());
    let moves = |from: &str, to: &str, code: i32, says: [&str; 2]| {
        for (lang, says) in ["en", "pl"].into_iter().zip(says) {
            let run = sandbox
                .war(&["--lang", lang, "table", "move", from, to])
                .exits_with(code);
            assert!(run.stderr.contains(says), "{}", run.stderr);
            assert!(!run.stderr.contains("horse"), "{}", run.stderr);
        }
    };
    moves(
        "sqlite:none.db",
        &url,
        4,
        ["can't use the store", "nie można użyć"],
    );
    assert!(!sandbox.path("none.db").exists());
    table_in_file(&sandbox);
    moves(
        "sqlite:table.db",
        "sqlite:other.db",
        2,
        ["from a file to a database", "z pliku"],
    );
    moves(&url, &url, 2, ["from a file to a database", "z pliku"]);
    moves(
        "sqlite:table.db",
        "table.db",
        2,
        ["neither `sqlite:FILE` nor", "ani `sqlite:PLIK`, ani"],
    );
    moves(
        "sqlite:table.db",
        "postgres://ann:horse@127.0.0.1:1/war",
        4,
        ["can't reach", "nie można połączyć"],
    );
    moves(
        "sqlite:table.db",
        &database.tcp_url("ann", "horse"),
        4,
        ["refused", "odmówiła"],
    );
    moves(
        &url,
        "sqlite:other.db",
        4,
        ["there is no card table", "nie ma stołu"],
    );
    assert_eq!(
        sql.number("SELECT count(*) FROM pg_namespace WHERE nspname = 'war'"),
        0
    );
    // The target already contains a table, or something else.
    let full = Database::new();
    super::open(&full);
    moves(
        "sqlite:table.db",
        &full.url(),
        4,
        ["already something", "już coś jest"],
    );
    full.sql()
        .run("DROP SCHEMA war CASCADE; CREATE SCHEMA war; CREATE TABLE war.horses (a int)");
    moves(
        "sqlite:table.db",
        &full.url(),
        4,
        ["already something", "już coś jest"],
    );
    // The table is being served.
    let server = serve(&sandbox, "sqlite:table.db");
    moves(
        "sqlite:table.db",
        &url,
        4,
        ["already used by a server", "używa już serwer"],
    );
    drop(server);
    // A balance is wrong.
    let store = Connection::open(sandbox.path("table.db")).expect("a store");
    store
        .execute("UPDATE player SET balance = balance + 1 WHERE id = 1", [])
        .expect("it");
    moves(
        "sqlite:table.db",
        &url,
        4,
        ["not what the ledger says", "nie zgadza się z księgą"],
    );
    store
        .execute("UPDATE player SET balance = balance - 1 WHERE id = 1", [])
        .expect("it");
    drop(store);
    sandbox
        .war(&["table", "move", "sqlite:table.db", &url])
        .exits_with(0);
    sandbox.write("there.db", "something");
    moves(
        &url,
        "sqlite:there.db",
        4,
        ["already something", "już coś jest"],
    );
    assert_eq!(sandbox.read("there.db"), "something");
    // A node serves the table. A killed node no longer counts.
    let mut server = serve(&sandbox, &url);
    until(|| health(&server.admin) == Some(200));
    moves(
        &url,
        "sqlite:back.db",
        4,
        ["already used by a server", "używa już serwer"],
    );
    server.kill();
    sandbox
        .war(&["table", "move", &url, "sqlite:back.db"])
        .exits_with(0);
}

// Each of these moves once left a table that could not be served any more, or only in part.
#[test]
#[ignore = "needs PostgreSQL; `.ci/deep` installs it"]
fn a_move_that_could_not_complete_does_not_begin() {
    let (sandbox, database) = (Sandbox::new(), Database::new());
    let (sql, url) = (database.sql(), database.url());
    serve(&sandbox, &url).kill();
    let before = contents_of_database(&sql);
    let moves = |from: &str, to: &str, says: &str| {
        let run = sandbox.war(&["table", "move", from, to]);
        assert!(run.code != 0 && run.stderr.contains(says), "{run:#?}");
    };
    moves(&url, "sqlite:", "no name of a file follows `sqlite:`");
    // The temporary name of the new file is taken.
    let in_the_way = "back.db.moving` is in the way";
    sandbox.write("back.db.moving", "notes of a move by hand");
    moves(&url, "sqlite:back.db", in_the_way);
    assert_eq!(sandbox.read("back.db.moving"), "notes of a move by hand");
    fs::remove_file(sandbox.path("back.db.moving")).expect("a file");
    fs::create_dir(sandbox.path("back.db.moving")).expect("a directory");
    moves(&url, "sqlite:back.db", in_the_way);
    fs::remove_dir(sandbox.path("back.db.moving")).expect("a directory");
    // The next version has added data that this one would leave behind.
    sql.run("UPDATE war.about SET version = version + 1");
    moves(&url, "sqlite:back.db", "created by a newer version");
    let restored = ["table", "restored", "--store", &url];
    sandbox
        .war(&restored)
        .exits_with(4)
        .reports("created by a newer version");
    sql.run("UPDATE war.about SET version = version - 1");
    assert!(!sandbox.path("back.db").exists());
    assert_same(&before, &contents_of_database(&sql));
    // A file left by an earlier attempt becomes private, whatever its permissions were.
    sandbox.write("back.db.moving", "");
    let rights = || fs::metadata(sandbox.path("back.db")).map(|file| file.permissions().mode());
    sandbox
        .war(&["table", "move", &url, "sqlite:back.db"])
        .exits_with(0);
    assert_eq!(rights().expect("a file") & 0o777, 0o600);
    // The key of a different table is refused: the store's own key is already recorded.
    let other_place = Sandbox::new();
    serve(&other_place, "sqlite:table.db").kill();
    fs::copy(other_place.path("table.db.key"), sandbox.path("other.key")).expect("a key");
    let target = Database::new();
    let wrong = [
        "table",
        "move",
        "sqlite:back.db",
        &target.url(),
        "--key",
        "other.key",
    ];
    sandbox
        .war(&wrong)
        .exits_with(4)
        .reports("`other.key` is not the key of the table in `sqlite:");
    let made = "SELECT count(*) FROM pg_namespace WHERE nspname = 'war'";
    assert_eq!(target.sql().number(made), 0);
    let right = [
        "table",
        "move",
        "sqlite:back.db",
        &target.url(),
        "--key",
        "table.db.key",
    ];
    sandbox.war(&right).exits_with(0);
}

// A node that was stopped while its table was moved must not serve the database left behind.
#[test]
#[ignore = "needs PostgreSQL; `.ci/deep` installs it"]
fn a_node_resumed_after_a_move_shuts_down() {
    let (sandbox, database) = (Sandbox::new(), Database::new());
    let url = database.url();
    let mut server = serve(&sandbox, &url);
    server.player("Ann");
    server.signal("STOP");
    // The stopped node does not notice that its connections are cut, and its lease has to run out.
    until(|| sandbox.war(&["table", "move", &url, "sqlite:back.db"]).code == 0);
    server.signal("CONT");
    let (code, _, errors) = server.outcome();
    assert_eq!(code, 4, "{errors}");
    assert!(errors.contains("moved"), "{errors}");
}

fn kill(pid: u32, signal: &str) {
    let sent = Command::new("kill")
        .args(["-s", signal, &pid.to_string()])
        .status();
    assert!(sent.expect("kill").success());
}

#[track_caller]
pub(super) fn until(is: impl Fn() -> bool) {
    let start = Instant::now();
    while !is() {
        assert!(
            start.elapsed() < Duration::from_secs(30),
            "it does not come"
        );
        sleep(Duration::from_millis(2));
    }
}
