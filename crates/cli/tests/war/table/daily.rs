//! The daily duel as the table serves it.

use super::Server;
use super::game_log::{leaves, verified};
use crate::support::Sandbox;
use rusqlite::{Connection, params};
use serde_json::Value;
use std::thread::sleep;
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use war::support::hex::Hex;
use war_table::daily::{Day, DayCommitment};
use war_table::log::{Leaf, hash_leaf};
use war_table::server::store::StoreSecret;
use war_table::time::WallTime;

const DAY_MS: u64 = 86_400_000;

/// The day that lies this many days ahead.
pub(crate) fn day(ahead: i64) -> Day {
    let since = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .expect("a clock");
    let now = u64::try_from(since.as_millis()).expect("a time");
    Day::of(WallTime::from_millis(
        now.saturating_add_signed(ahead * DAY_MS.cast_signed()),
    ))
}

/// A store whose table has committed to the duels of the day before yesterday and of today in time.
/// The earlier one is open at any time of the day; that of yesterday opens some minutes after
/// midnight.
pub(crate) fn with_duels(sandbox: &Sandbox) {
    with_empty_log(sandbox);
    rate(sandbox, day(-1));
    for ahead in [-2, 0] {
        commit(
            sandbox,
            day(ahead),
            day(ahead).start().as_millis() - 1,
            None,
        );
    }
}

/// A store with an empty log, of a table that has committed to nothing yet.
fn with_empty_log(sandbox: &Sandbox) {
    Server::start(sandbox, &["--bots", "0"]).kill();
    let store = Connection::open(sandbox.path("table.db")).expect("a store");
    store.execute("DELETE FROM leaf", []).expect("a store");
}

/// Notes in the store of a closed table that all days up to this one are rated.
fn rate(sandbox: &Sandbox, day: Day) {
    let store = Connection::open(sandbox.path("table.db")).expect("a store");
    let number = day.start().as_millis() / DAY_MS;
    let written = store.execute("UPDATE about SET rated = ?1", [number]);
    written.expect("a store");
}

/// Commitment of a table with this secret to the seed of a day, made at this time. Another hash may
/// stand in its place.
pub(crate) fn commitment(secret: [u8; 32], day: Day, time_ms: u64, other: Option<Hex<32>>) -> Leaf {
    let duel = StoreSecret::new(secret).daily_duel(day);
    Leaf::Day(DayCommitment {
        day,
        commitment: other.unwrap_or_else(|| duel.seed.commitment()),
        time_ms,
    })
}

/// Writes a commitment into the log of a table that is closed.
fn commit(sandbox: &Sandbox, day: Day, time_ms: u64, other: Option<Hex<32>>) {
    let store = Connection::open(sandbox.path("table.db")).expect("a store");
    let secret = store.query_row("SELECT secret FROM about", [], |row| row.get(0));
    let body = commitment(secret.expect("a secret"), day, time_ms, other).to_string();
    let (number, hash) = (leaves(sandbox).len(), hash_leaf(body.as_bytes()));
    let sql = "INSERT INTO leaf (number, hash, game, body) VALUES (?1, ?2, 0, ?3)";
    let written = store.execute(sql, params![number, hash.bytes(), body]);
    written.expect("a store");
}

/// Waits until the table has committed to the next day.
pub(crate) fn wait_for_leaves(sandbox: &Sandbox, count: usize) {
    while leaves(sandbox).len() < count {
        sleep(Duration::from_millis(20));
    }
}

fn status(server: &Server, path: &str) -> String {
    let (head, _) = server.get(path);
    head.split(' ').nth(1).expect("a status").to_owned()
}

fn json(server: &Server, path: &str) -> Value {
    let (head, body) = server.get(path);
    assert!(head.starts_with("HTTP/1.1 200"), "{path}: {head}");
    serde_json::from_str(&body).expect("JSON")
}

#[test]
fn a_new_table_commits_to_tomorrow_and_has_no_duel_today() {
    let sandbox = Sandbox::new();
    let mut server = Server::start(&sandbox, &["--bots", "0"]);
    wait_for_leaves(&sandbox, 1);
    let (_, text) = server.get("/daily.json");
    assert!(
        text.contains("there is no daily duel of this day"),
        "{text}"
    );
    let (head, _) = server.get("/daily.json?lang=pl");
    assert!(head.starts_with("HTTP/1.1 404"), "{head}");
    assert_eq!(status(&server, "/daily"), "200");
    assert_eq!(status(&server, &format!("/daily/{}.json", day(1))), "404");
    server.kill();
    let (_, _, text) = &leaves(&sandbox)[0];
    let Ok(Leaf::Day(committed)) = text.parse() else {
        panic!("{text}");
    };
    assert!(committed.is_in_time() && [day(0), day(1)].contains(&committed.day));
    // A table that starts again has committed already.
    let count = leaves(&sandbox).len();
    let server = Server::start(&sandbox, &["--bots", "0"]);
    assert_eq!(verified(&sandbox, &server, &[]).0, 0);
    sleep(Duration::from_millis(300));
    assert!(leaves(&sandbox).len() - count <= usize::from(committed.day < day(1)));
}

#[test]
fn the_seed_and_the_journals_of_a_duel_open_after_the_day() {
    let sandbox = Sandbox::new();
    with_duels(&sandbox);
    let server = Server::start(&sandbox, &["--bots", "0"]);
    wait_for_leaves(&sandbox, 3);
    let (earlier, today) = (day(-2), day(0));
    let duel = json(&server, "/daily.json");
    assert_eq!(
        (&duel["day"], &duel["rules"]),
        (&today.to_string().into(), &"daily/1".into())
    );
    assert_eq!(duel["hands"].as_array().map(Vec::len), Some(10));
    assert!(
        duel.get("seed").is_none() && duel.get("house").is_none(),
        "{duel}"
    );
    assert_eq!(duel, json(&server, &format!("/daily/{today}.json")));
    let leaf = duel["leaf"].as_u64().expect("a number");
    let (_, _, text) = &leaves(&sandbox)[usize::try_from(leaf).expect("a leaf")];
    let commitment = duel["commitment"].as_str().expect("digits");
    assert_eq!(
        *text,
        format!(
            "war-table day/1\n{today}\ndaily/1\n{commitment}\n{}\n",
            duel["time_ms"]
        )
    );
    let journal = format!("/daily/{today}/1/play/journal.json");
    assert_eq!(status(&server, &journal), "404", "the day is not over");

    let over = json(&server, &format!("/daily/{earlier}.json"));
    let seed: Hex<32> = over["seed"]
        .as_str()
        .expect("a seed")
        .parse()
        .expect("digits");
    assert_eq!(
        war::tokens::commitment(&seed).to_string(),
        over["commitment"]
    );
    assert_eq!(over["house"].as_array().map(Vec::len), Some(10));
    for (decision, hand) in [("play", 1), ("fold", 10)] {
        let path = format!("/daily/{earlier}/{hand}/{decision}/journal.json");
        let (_, journal) = server.get(&path);
        sandbox.write("journal.json", &journal);
        let commitment = over["commitment"].as_str().expect("digits");
        let replay = ["replay", "journal.json", "--expect-commitment", commitment];
        let run = sandbox.war(&replay).exits_with(0);
        assert!(run.stdout.starts_with("DAILY DUEL #"), "{run:#?}");
        let decided = format!("\"player\":1,\"decision\":\"{decision}\"");
        assert!(journal.contains(&decided), "{journal}");
    }
    for wrong in [
        format!("{earlier}/0/play"),
        format!("{earlier}/11/play"),
        format!("{earlier}/1/x"),
        "x/1/play".to_owned(),
        format!("{}/1/play", day(-3)),
    ] {
        let path = format!("/daily/{wrong}/journal.json");
        assert_eq!(status(&server, &path), "404", "{wrong}");
    }
    for wrong in ["x.json", "2026-13-01.json", &today.to_string()] {
        assert_eq!(
            status(&server, &format!("/daily/{wrong}")),
            "404",
            "{wrong}"
        );
    }
}

#[test]
fn a_day_that_was_rated_too_early_opens_when_it_is_over() {
    let sandbox = Sandbox::new();
    with_duels(&sandbox);
    rate(&sandbox, day(5));
    let server = Server::start(&sandbox, &["--bots", "0"]);
    let today = json(&server, "/daily.json");
    assert!(today.get("seed").is_none(), "{today}");
    let earlier = json(&server, &format!("/daily/{}.json", day(-2)));
    assert!(earlier["seed"].is_string(), "{earlier}");
}

#[test]
fn a_late_or_foreign_commitment_is_no_duel() {
    let sandbox = Sandbox::new();
    with_empty_log(&sandbox);
    let (yesterday, today) = (day(-1), day(0));
    commit(&sandbox, yesterday, yesterday.start().as_millis(), None);
    commit(
        &sandbox,
        today,
        today.start().as_millis() - 1,
        Some(Hex::new([7; 32])),
    );
    let server = Server::start(&sandbox, &["--bots", "0"]);
    for day in [yesterday, today] {
        assert_eq!(
            status(&server, &format!("/daily/{day}.json")),
            "404",
            "{day}"
        );
    }
    let (code, found) = verified(&sandbox, &server, &[]);
    assert_eq!((code, &found["code"]), (1, &"WL304".into()), "{found}");
}
