//! A table that moves from a file to a database, and back.

use super::cluster::Sql;
use super::nodes::health;
use super::{Database, laws};
use crate::support::Place;
use crate::table::{Line, Server, logged, said};
use rusqlite::Connection;
use serde_json::Value;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// What is the same for every server of these tests.
const OPTIONS: [&str; 4] = ["--bots", "0", "--key", "table.db.key"];

pub(super) fn serve(place: &Place, store: &str) -> Server {
    let server = Server::start(place, &[&OPTIONS[..], &["--store", store]].concat());
    // A node serves once it has taken the room.
    until(|| health(&server.admin) == Some(200));
    server
}

/// Opens a table that can't be opened; `says` is part of the reason.
fn serve_refused(place: &Place, store: &str, options: &[&str], says: &str) {
    let listen = ["serve", "--listen", "127.0.0.1:0", "--store", store];
    let run = place.war(&[&listen[..], options].concat());
    run.ends_with(4).tells(says);
}

/// What a store holds, as SQL that both kinds of stores know finds it: each row in a line.
const HELD: [(&str, &str); 8] = [
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
        "SELECT line FROM (SELECT player, player || ' ' || kind || ' ' || since{later:waiting} || ' ' || \
         {hex:seed_hash} AS line FROM waiting UNION ALL SELECT player, player || ' ' || game \
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

/// What is held, and the events of each game in order, besides those of no game.
fn held(
    ask: impl Fn(&str) -> Vec<String>,
    hex: [&str; 2],
    order: &str,
) -> Vec<(String, Vec<String>)> {
    let is_file = order == "id";
    let with = |sql: &str| {
        // In a room its own time counts.
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
    let mut held: Vec<_> = HELD
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

fn held_in_file(place: &Place, file: &str) -> Vec<(String, Vec<String>)> {
    let store = Connection::open(place.path(file)).expect("a store");
    let ask = |sql: &str| {
        let mut statement = store
            .prepare(sql)
            .unwrap_or_else(|error| panic!("{sql}: {error}"));
        let rows = statement.query_map([], |row| row.get(0)).expect("rows");
        rows.collect::<Result<_, _>>().expect("texts")
    };
    held(ask, ["lower(hex(", "))"], "id")
}

fn held_in_database(sql: &Sql) -> Vec<(String, Vec<String>)> {
    sql.run("SET search_path = war");
    let ask = |text: &str| {
        let rows = sql.rows(text);
        rows.iter().map(|row| row.get(0)).collect()
    };
    held(ask, ["encode(", ", 'hex')"], "room, seq, part")
}

#[track_caller]
fn same(before: &[(String, Vec<String>)], after: &[(String, Vec<String>)]) {
    for ((what, before), (_, after)) in before.iter().zip(after) {
        let differs = before
            .iter()
            .zip(after)
            .find(|(before, after)| before != after);
        assert_eq!(differs, None, "{what}");
        assert_eq!(before.len(), after.len(), "{what}");
    }
}

/// Comes back, and hears all that was ever said: what it was, without the welcome.
fn hears_all(server: &Server, name: &str) -> (Line, Vec<Value>) {
    let mut line = Line::open(&server.address, "/ws", &[]).expect("a connection");
    line.say(said::hello(name));
    let welcome = line.hear();
    let seq = welcome["seq"].as_u64().expect("a number");
    line.say(serde_json::json!({"type": "resume", "id": "r", "after": 0}));
    let heard = (0..seq).map(|_| line.hear()).collect();
    (line, heard)
}

/// What was said, without the clock that follows a start.
fn without_clock(heard: &[Value]) -> Vec<Value> {
    let timeless = heard.iter().filter(|message| message["type"] != "clock");
    timeless.cloned().collect()
}

/// A table in a file, with games that are over, one that runs, and somebody who waits.
fn table_in_file(place: &Place) -> (Vec<Value>, Value) {
    let mut server = serve(place, "sqlite:table.db");
    let mut players = ["Ann", "Bob"].map(|name| server.player(name).0);
    for game in ["one", "two", "three"] {
        logged::play(&mut players, game);
    }
    // One that runs, in which Ann has decided.
    let [mut ann, mut bob] = players;
    for line in [&mut ann, &mut bob] {
        line.say(said::choose("four", "double-card-game"));
    }
    for line in [&mut ann, &mut bob] {
        let started = line.until("started").pop().expect("a game");
        line.say(said::open("four-seed", &started, "four"));
    }
    let dealt = ann.until("dealt").pop().expect("cards");
    ann.say(said::decide("four-fold", &dealt, "fold"));
    ann.until("decided");
    let dealt = bob.until("dealt").pop().expect("cards");
    let mut cid = server.player("Cid").0;
    cid.say(said::choose("five", "single-card-game"));
    cid.until("waiting");
    let (_, heard) = hears_all(&server, "Ann");
    server.kill();
    (heard, dealt)
}

#[test]
#[ignore = "needs PostgreSQL; `.ci/deep` installs it"]
fn a_table_moves_to_a_database_and_back_with_all_that_is_in_it() {
    let (place, database) = (Place::new(), Database::new());
    let (heard, dealt) = table_in_file(&place);
    let (sql, url) = (database.sql(), database.url());
    let before = held_in_file(&place, "table.db");
    let moves = ["table", "move", "sqlite:table.db", &url];
    let run = place.war(&moves).ends_with(0);
    assert!(
        run.stdout.contains("3 players, 1 game in progress"),
        "{}",
        run.stdout
    );
    same(&before, &held_in_database(&sql));

    // The old one is marked, for this command too, and for earlier programs.
    for arguments in [
        &["serve", "--listen", "127.0.0.1:0"][..],
        &moves,
        &["table", "backup", "copy.db"],
    ] {
        for (lang, says) in [("en", "was moved to"), ("pl", "przeniesiono do")] {
            let run = place
                .war(&[&["--lang", lang][..], arguments].concat())
                .ends_with(4);
            assert!(run.stderr.contains(says), "{}", run.stderr);
        }
    }
    let store = Connection::open(place.path("table.db")).expect("a store");
    let version: u32 = store
        .pragma_query_value(None, "user_version", |row| row.get(0))
        .expect("it");
    assert!(version > 1000, "a version that nobody knows");
    drop(store);

    // The players are who they were, hear what they heard, and go on with their game.
    let mut server = serve(&place, &url);
    let (mut ann, all) = hears_all(&server, "Ann");
    assert_eq!(
        without_clock(&all)[..heard.len()],
        without_clock(&heard)[..]
    );
    let (mut bob, _) = hears_all(&server, "Bob");
    // A request that was answered is answered again, and done no second time.
    bob.say(said::decide("four-fold", &dealt, "fold"));
    bob.until("result");
    ann.until("result");
    // Who waited still does, once they are back.
    let (mut cid, _) = hears_all(&server, "Cid");
    let mut dan = server.player("Dan").0;
    dan.say(said::choose("six", "single-card-game"));
    for (line, choice) in [(&mut cid, "five"), (&mut dan, "six")] {
        let started = line.until("started").pop().expect("a game");
        line.say(said::open("seed", &started, choice));
    }
    for line in [&mut cid, &mut dan] {
        let dealt = line.until("dealt").pop().expect("cards");
        line.say(said::decide("fold", &dealt, "fold"));
    }
    dan.until("result");
    let mut players = [ann, bob];
    logged::play(&mut players, "seven");
    place.write("seen.txt", logged::checkpoint(&server, 12));
    let (code, result) = logged::verified(&place, &server, &[]);
    assert_eq!((code, &result["games"]), (0, &6.into()), "{result}");
    server.signal("TERM");
    server.end();
    laws::hold_in(&sql);

    // And back.
    let back = ["table", "move", &url, "sqlite:back.db"];
    let before = held_in_database(&sql);
    place.war(&back).ends_with(0).tells("");
    same(&before, &held_in_file(&place, "back.db"));
    assert!(!place.path("back.db.moving").exists());
    let key = ["--key", "table.db.key"];
    serve_refused(&place, &url, &key, "was moved to");
    // Another key is not the table's.
    let other_key = "is not the key of the table";
    serve_refused(&place, "sqlite:back.db", &[], other_key);
    let server = serve(&place, "sqlite:back.db");
    let (code, result) = logged::verified(&place, &server, &["--with", "seen.txt"]);
    assert_eq!(code, 0, "{result}");
    let mut players = ["Ann", "Bob"].map(|name| hears_all(&server, name).0);
    logged::play(&mut players, "eight");
    logged::checkpoint(&server, 14);
}

#[test]
#[ignore = "needs PostgreSQL; `.ci/deep` installs it"]
fn a_player_between_rooms_and_one_who_is_banned_move_as_they_are() {
    let (place, database) = (Place::new(), Database::new());
    let (sql, url) = (database.sql(), database.url());
    table_in_file(&place);
    let server = serve(&place, "sqlite:table.db");
    let eve = server.player("Eve").1["player"].to_string();
    let admin = ["--admin", &server.admin, "--key", "table.db.key"];
    let run = place.war(&[&["table", "ban", &eve], &admin[..]].concat());
    run.ends_with(0);
    drop(server);
    let moves = |from: &str, to: &str| place.war(&["table", "move", from, to]).ends_with(0);
    moves("sqlite:table.db", &url);
    let banned =
        format!("SELECT count(*) FROM war.player WHERE standing = 'banned' AND id = {eve}");
    assert_eq!(sql.number(&banned), 1);
    // What a room leaves behind that has sent Cid on, after 700 milliseconds: the room that they
    // go to has not taken them in.
    sql.run(
        "UPDATE war.room SET time = 10000000 WHERE id = 5; UPDATE war.waiting SET since = 700;
         UPDATE war.player SET room = 5 WHERE id IN (SELECT player FROM war.waiting)",
    );
    moves(&url, "sqlite:back.db");
    let store = Connection::open(place.path("back.db")).expect("a store");
    let waiting = "SELECT name, since FROM waiting JOIN player ON id = player";
    let waiting: (String, i64) = store
        .query_row(waiting, [], |row| Ok((row.get(0)?, row.get(1)?)))
        .expect("one who waits");
    assert_eq!(waiting, ("Cid".to_owned(), 10_000_000 - 700));
    drop(store);
    let server = serve(&place, "sqlite:back.db");
    let mut line = Line::open(&server.address, "/ws", &[]).expect("a connection");
    line.say(said::hello("Eve"));
    assert_eq!(line.hear()["code"], "banned");
    let (mut cid, _) = hears_all(&server, "Cid");
    let mut dan = server.player("Dan").0;
    dan.say(said::choose("six", "single-card-game"));
    let started = [&mut cid, &mut dan].map(|line| line.until("started").pop());
    let games = started.map(|started| started.expect("a game")["game_id"].clone());
    assert_eq!(games[0], games[1]);
}

/// Adds so many players of the house who have been told something.
fn enlarge(place: &Place, players: u32) {
    let mut server = serve(place, "sqlite:table.db");
    server.kill();
    let store = Connection::open(place.path("table.db")).expect("a store");
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
fn a_move_that_is_killed_or_interrupted_changes_nothing_and_is_done_again() {
    let (place, database) = (Place::new(), Database::new());
    table_in_file(&place);
    enlarge(&place, 20_000);
    let before = held_in_file(&place, "table.db");
    let (sql, url) = (database.sql(), database.url());
    let there = ["table", "move", "sqlite:table.db", &url];
    let made = || sql.number("SELECT count(*) FROM pg_namespace WHERE nspname = 'war'");
    let busy = "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'war table move' \
                AND datname = current_database() AND query LIKE 'INSERT INTO outbox%'";
    for signal in ["KILL", "INT"] {
        let mut command = place.command(&there);
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
        same(&before, &held_in_file(&place, "table.db"));
    }
    // It can still be served, and does move.
    serve(&place, "sqlite:table.db").kill();
    let before = held_in_file(&place, "table.db");
    place.war(&there).ends_with(0);
    same(&before, &held_in_database(&sql));

    let back = ["table", "move", &url, "sqlite:back.db"];
    let mut child = place.command(&back).spawn().expect("the program");
    until(|| fs::metadata(place.path("back.db.moving")).is_ok_and(|file| file.len() > 2 << 20));
    kill(child.id(), "KILL");
    child.wait().expect("it ends");
    assert!(!place.path("back.db").exists());
    let before = held_in_database(&sql);
    until(|| {
        sql.number(
            "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'war table move'",
        ) == 0
    });
    place.war(&back).ends_with(0);
    same(&before, &held_in_file(&place, "back.db"));
    assert!(!place.path("back.db.moving").exists());
}

// As if it was killed between the marks and the new store, or right after.
#[test]
#[ignore = "needs PostgreSQL; `.ci/deep` installs it"]
fn a_move_that_was_killed_at_its_end_is_finished() {
    let (place, database) = (Place::new(), Database::new());
    table_in_file(&place);
    let (sql, url) = (database.sql(), database.url());
    let shown = database.address().to_string();
    let before = held_in_file(&place, "table.db");
    let there = ["table", "move", "sqlite:table.db", &url];
    let half = || {
        let store = Connection::open(place.path("table.db")).expect("a store");
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
        place
            .war(&["--lang", lang, "serve", "--listen", "127.0.0.1:0"])
            .ends_with(4)
            .tells(says);
    }
    let other = Database::new();
    place
        .war(&["table", "move", "sqlite:table.db", &other.url()])
        .ends_with(4)
        .tells("is moving to");
    place.war(&there).ends_with(0);
    same(&before, &held_in_database(&sql));
    half();
    let run = place.war(&there).ends_with(0);
    assert!(run.stdout.contains("had already arrived"), "{}", run.stdout);
    place.war(&there).ends_with(4).tells("was moved to");

    let back = ["table", "move", &url, "sqlite:back.db"];
    let file = place.path("back.db");
    sql.run(&format!(
        "CREATE TABLE war.note (name text PRIMARY KEY, value text NOT NULL);
         INSERT INTO war.note VALUES ('leaving', 'sqlite:{}');
         UPDATE war.about SET min_version = 2147483647",
        file.display()
    ));
    serve_refused(&place, &url, &["--key", "table.db.key"], "is moving to");
    place.war(&back).ends_with(0);
    same(&before, &held_in_file(&place, "back.db"));
    sql.run("DELETE FROM war.note WHERE name = 'moved'");
    let run = place.war(&back).ends_with(0);
    assert!(run.stdout.contains("had already arrived"), "{}", run.stdout);
}

#[test]
#[ignore = "needs PostgreSQL; `.ci/deep` installs it"]
fn a_move_that_can_t_be_is_refused_and_changes_nothing() {
    let (place, database) = (Place::new(), Database::new());
    let (sql, url) = (database.sql(), database.url());
    let moves = |from: &str, to: &str, code: i32, says: [&str; 2]| {
        for (lang, says) in ["en", "pl"].into_iter().zip(says) {
            let run = place
                .war(&["--lang", lang, "table", "move", from, to])
                .ends_with(code);
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
    assert!(!place.path("none.db").exists());
    table_in_file(&place);
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
        ["is not a valid store", "nie jest poprawną"],
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
    // A table is there already, or something else.
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
    // It is being served.
    let server = serve(&place, "sqlite:table.db");
    moves(
        "sqlite:table.db",
        &url,
        4,
        ["already used by a server", "używa już serwer"],
    );
    drop(server);
    // A balance is wrong.
    let store = Connection::open(place.path("table.db")).expect("a store");
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
    place
        .war(&["table", "move", "sqlite:table.db", &url])
        .ends_with(0);
    place.write("there.db", "something");
    moves(
        &url,
        "sqlite:there.db",
        4,
        ["already something", "już coś jest"],
    );
    assert_eq!(place.read("there.db"), "something");
    // A node serves it; one that was killed does so no longer.
    let mut server = serve(&place, &url);
    until(|| health(&server.admin) == Some(200));
    moves(
        &url,
        "sqlite:back.db",
        4,
        ["already used by a server", "używa już serwer"],
    );
    server.kill();
    place
        .war(&["table", "move", &url, "sqlite:back.db"])
        .ends_with(0);
}

// Each of these left a table that nobody could serve any more, or not as the one that it was.
#[test]
#[ignore = "needs PostgreSQL; `.ci/deep` installs it"]
fn a_move_that_could_not_end_well_does_not_begin() {
    let (place, database) = (Place::new(), Database::new());
    let (sql, url) = (database.sql(), database.url());
    serve(&place, &url).kill();
    let before = held_in_database(&sql);
    let moves = |from: &str, to: &str, says: &str| {
        let run = place.war(&["table", "move", from, to]);
        assert!(run.code != 0 && run.stderr.contains(says), "{run:#?}");
    };
    moves(&url, "sqlite:", "`sqlite:` is not a file");
    // The name that the new file has until it is whole belongs to somebody else.
    let in_the_way = "back.db.moving` is in the way";
    place.write("back.db.moving", "notes of a move by hand");
    moves(&url, "sqlite:back.db", in_the_way);
    assert_eq!(place.read("back.db.moving"), "notes of a move by hand");
    fs::remove_file(place.path("back.db.moving")).expect("a file");
    fs::create_dir(place.path("back.db.moving")).expect("a directory");
    moves(&url, "sqlite:back.db", in_the_way);
    fs::remove_dir(place.path("back.db.moving")).expect("a directory");
    // The next version has added what this one would leave behind.
    sql.run("UPDATE war.about SET version = version + 1");
    moves(&url, "sqlite:back.db", "created by a newer version");
    let restored = ["table", "restored", "--store", &url];
    place
        .war(&restored)
        .ends_with(4)
        .tells("created by a newer version");
    sql.run("UPDATE war.about SET version = version - 1");
    assert!(!place.path("back.db").exists());
    same(&before, &held_in_database(&sql));
    // What an earlier attempt left is nobody else's to read, whatever it was before.
    place.write("back.db.moving", "");
    let rights = || fs::metadata(place.path("back.db")).map(|file| file.permissions().mode());
    place
        .war(&["table", "move", &url, "sqlite:back.db"])
        .ends_with(0);
    assert_eq!(rights().expect("a file") & 0o777, 0o600);
    // It has the key of its nodes, and another table's is another one.
    let other_place = Place::new();
    serve(&other_place, "sqlite:table.db").kill();
    fs::copy(other_place.path("table.db.key"), place.path("other.key")).expect("a key");
    let target = Database::new();
    let wrong = [
        "table",
        "move",
        "sqlite:back.db",
        &target.url(),
        "--key",
        "other.key",
    ];
    place
        .war(&wrong)
        .ends_with(4)
        .tells("`other.key` is not the key of the table in `sqlite:");
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
    place.war(&right).ends_with(0);
}

// It was stopped while another one moved the table: it must not serve what is left behind.
#[test]
#[ignore = "needs PostgreSQL; `.ci/deep` installs it"]
fn a_node_that_wakes_up_after_a_move_ends() {
    let (place, database) = (Place::new(), Database::new());
    let url = database.url();
    let mut server = serve(&place, &url);
    server.player("Ann");
    server.signal("STOP");
    // It does not hear that its connections are cut, and its lease has to end.
    until(|| place.war(&["table", "move", &url, "sqlite:back.db"]).code == 0);
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
