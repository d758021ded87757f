//! Time at the table: deadlines depend on the time that the table has served, whatever happens to
//! its clocks, its store and its program.

use super::hub::{START, TestHub, asks, connects, hello};
use super::server::Server;
use super::{client_requests, dealt};
use crate::support::Sandbox;
use serde_json::{Value, json};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};
use war_table::server::hub::{ClientId, HubCommand, TimedCommand, UnitOfWork};
use war_table::server::store::Store;
use war_table::server::{Arrivals, TimedHub};
use war_table::time::{Monotonic, TableTime, WallTime};

const HOUR: i64 = 3_600_000;

/// Two players, clients 1 and 2, who were dealt their cards a second after the start: they may
/// decide until 31 seconds after the start.
fn deciding() -> TestHub {
    let mut table = TestHub::new(0);
    for client in [1, 2] {
        table.hello(client, client);
        table.choose(client, "c");
    }
    table.pass(1_000);
    table.send(1, &table.seed(1, "s"));
    let heard = table.send(2, &table.seed(2, "s"));
    assert_eq!(heard[1]["type"], "dealt", "{heard:?}");
    table
}

fn decision(table: &TestHub, client: u64) -> HubCommand {
    asks(client, &table.decision(client, "d", "play"))
}

/// Messages of one type, with their recipients.
fn of_type<'a>(heard: &'a [(u64, Value)], kind: &str) -> Vec<(u64, &'a Value)> {
    let typed = heard.iter().filter(|(_, message)| message["type"] == kind);
    typed.map(|(to, message)| (*to, message)).collect()
}

#[test]
fn requests_of_a_batch_count_from_their_arrival() {
    let mut table = deciding();
    table.now = START + 60_000;
    let came = |at, client| TimedCommand {
        at: TableTime::from_millis(START + at),
        command: decision(&table, client),
    };
    // The request that came in time is the last one of the batch.
    let came = vec![came(31_000, 2), came(30_999, 1)];
    let heard = table.run_stamped(came);
    let decided = of_type(&heard, "decided");
    let timed_out = decided
        .iter()
        .map(|(to, message)| (*to, &message["timed_out"]));
    assert_eq!(
        timed_out.collect::<Vec<_>>(),
        [(1, &json!(false)), (2, &json!(true))]
    );
    let refused = of_type(&heard, "error");
    assert_eq!(
        (refused[0].0, &refused[0].1["code"]),
        (2, &json!("not_playing"))
    );
}

#[test]
fn setting_the_wall_clock_moves_no_deadline_and_players_get_its_new_time() {
    for set in [-HOUR, 24 * HOUR] {
        let mut table = deciding();
        table.ahead = set;
        let heard = table.pass(2_000);
        let heard = of_type(&heard, "clock");
        assert_eq!(heard.len(), 2, "{heard:?}");
        for (_, clock) in heard {
            assert_eq!(clock["left_ms"], 29_000);
            let shown = (START + 31_000).saturating_add_signed(set);
            assert_eq!(clock["deadline_ms"], shown);
        }
        assert_eq!(table.pass(30_999), [], "once is enough");
        assert_eq!(of_type(&table.pass(31_000), "result").len(), 2);
    }
}

#[test]
fn setting_the_wall_clock_neither_delays_draining_nor_forgets_answers() {
    let mut table = deciding();
    table.run(vec![HubCommand::Drain]);
    table.ahead = -HOUR;
    table.pass(2_000);
    table.pass(31_000);
    assert!(table.hub.is_closed());
    let mut table = TestHub::new(0);
    table.hello(1, 1);
    let first = table.choose(1, "c");
    table.send(1, &client_requests::cancel("x"));
    for ahead in [24 * HOUR, 0] {
        table.ahead = ahead;
        table.pass(table.now - START + 5_000);
        assert_eq!(table.choose(1, "c"), first);
    }
}

#[test]
fn even_a_long_outage_folds_nobody() {
    let mut table = deciding();
    table.now = START + 28_000;
    table.run(vec![decision(&table, 1)]);
    // The table's time goes on from its last commit, while the wall clock advanced by an hour.
    let mut table = TestHub::opened_after(table.store, HOUR);
    assert_eq!(table.now, START + 28_000);
    let sent = table.store.snapshot().outbox.into_values();
    let clock = sent.map(|sent| serde_json::from_str::<Value>(&sent.body).expect("JSON"));
    let clock = clock.filter(|message| message["type"] == "clock");
    let clocks: Vec<_> = clock.collect();
    assert_eq!(clocks.len(), 1, "one is awaited");
    assert_eq!(clocks[0]["left_ms"], 10_000, "time to come back");
    let shown = (START + 38_000).saturating_add_signed(HOUR);
    assert_eq!(clocks[0]["deadline_ms"], shown);
    table.pass(37_999);
    assert_eq!(table.running(), 1);
    table.pass(38_000);
    assert_eq!(table.running(), 0);
}

#[test]
fn seeds_not_opened_in_time_are_counted() {
    let timeouts = |table: &TestHub| {
        let metrics = table.metrics.to_string();
        let count = metrics
            .lines()
            .find_map(|line| line.strip_prefix("war_table_timeouts_total "));
        count.expect("a counter").to_owned()
    };
    let mut table = TestHub::new(0);
    for client in [1, 2, 3, 4] {
        table.hello(client, client);
        table.choose(client, "c");
    }
    // One of the first two players opens their seed, and neither of the others does.
    table.send(1, &table.seed(1, "s"));
    table.pass(4_999);
    assert_eq!(timeouts(&table), "0");
    table.pass(5_000);
    assert_eq!(table.running(), 0);
    assert_eq!(timeouts(&table), "3");
}

#[test]
#[ignore = "waits for the real clock: `.ci/deep clock`"]
fn a_decision_in_time_counts_however_long_the_store_stalls() {
    let sandbox = Sandbox::new();
    let server = Server::start(&sandbox, &["--bots", "0", "--decide-seconds", "4"]);
    let [mut ann, mut bob] = dealt(&server, "single-card-game");
    let other = rusqlite::Connection::open(sandbox.path("table.db")).expect("the store");
    other.execute_batch("BEGIN IMMEDIATE").expect("a lock");
    for line in [&mut ann, &mut bob] {
        line.send(line.decision("d", "play"));
    }
    std::thread::sleep(Duration::from_millis(5_500));
    other.execute_batch("COMMIT").expect("its end");
    for line in [&mut ann, &mut bob] {
        let decided = line.receive_until("decided").pop().expect("an answer");
        assert_eq!(decided["timed_out"], false, "{decided}");
    }
}

// The table's time goes on while the store is locked for less than a second.
#[test]
#[ignore = "waits for the real clock: `.ci/deep clock`"]
fn a_decision_in_time_counts_when_the_store_is_slow_at_the_deadline() {
    let sandbox = Sandbox::new();
    let server = Server::start(&sandbox, &["--bots", "0", "--decide-seconds", "2"]);
    let [mut ann, mut bob] = dealt(&server, "single-card-game");
    let since = Instant::now();
    let until = |milliseconds| {
        let left = Duration::from_millis(milliseconds).checked_sub(since.elapsed());
        std::thread::sleep(left.unwrap_or_default());
    };
    let other = rusqlite::Connection::open(sandbox.path("table.db")).expect("the store");
    until(1_250);
    other.execute_batch("BEGIN IMMEDIATE").expect("a lock");
    ann.send(ann.decision("d", "play"));
    until(2_080);
    other.execute_batch("COMMIT").expect("its end");
    for (line, timed_out) in [(&mut ann, false), (&mut bob, true)] {
        let decided = line.receive_until("decided").pop().expect("a message");
        assert_eq!(decided["timed_out"], timed_out, "{decided}");
    }
}

#[test]
#[ignore = "waits for the real clock: `.ci/deep clock`"]
fn undecided_players_get_time_after_the_store_stalls() {
    let sandbox = Sandbox::new();
    let server = Server::start(&sandbox, &["--bots", "0", "--decide-seconds", "4"]);
    let [mut ann, mut bob] = dealt(&server, "single-card-game");
    let other = rusqlite::Connection::open(sandbox.path("table.db")).expect("the store");
    other.execute_batch("BEGIN IMMEDIATE").expect("a lock");
    ann.send(ann.decision("d", "play"));
    std::thread::sleep(Duration::from_millis(5_500));
    other.execute_batch("COMMIT").expect("its end");
    let clock = bob.receive_until("clock").pop().expect("a message");
    assert_eq!(clock["left_ms"], 4_000, "{clock}");
    bob.send(bob.decision("d", "play"));
    assert_eq!(
        bob.receive_until("decided").pop().expect("an answer")["timed_out"],
        false
    );
    assert_eq!(
        ann.receive_until("decided").pop().expect("an answer")["timed_out"],
        false
    );
}

#[test]
fn undecided_players_get_time_after_the_server_crashes() {
    let sandbox = Sandbox::new();
    let options = ["--bots", "0", "--decide-seconds", "3"];
    let mut server = Server::start(&sandbox, &options);
    drop(dealt(&server, "single-card-game"));
    server.kill();
    let store = rusqlite::Connection::open(sandbox.path("table.db")).expect("the store");
    let time = store.query_row("SELECT time FROM about", [], |row| row.get(0));
    let time: u64 = time.expect("a time");
    assert!(time < 30_000, "{time}: the time that it served");
    drop(store);
    let server = Server::start(&sandbox, &options);
    let [mut ann, mut bob] = ["Ann", "Bob"].map(|name| server.player(name).0);
    for line in [&mut ann, &mut bob] {
        line.send(json!({"type": "resume", "id": "r", "after": 0}));
        line.receive_until("dealt");
        let clock = line.receive_until("clock").pop().expect("a message");
        assert_eq!(clock["left_ms"], 3_000, "{clock}");
        line.send(line.decision("d", "play"));
        let decided = line.receive_until("decided").pop().expect("an answer");
        assert_eq!(decided["timed_out"], false, "{decided}");
    }
}

// The wall clock is years ahead of the table's time.
#[test]
fn answers_are_kept_for_an_hour_of_table_time_across_a_restart() {
    let mut table = TestHub::new(0);
    table.hello(1, 1);
    let first = table.choose(1, "c");
    assert_eq!(first[0]["type"], "waiting");
    table.send(1, &client_requests::cancel("x"));
    let mut table = TestHub::opened_after(table.store, 10 * 365 * 24 * HOUR);
    table.hello(1, 1);
    // Expired answers are removed every second.
    table.pass(2_500);
    assert_eq!(table.choose(1, "c"), first);
    assert_eq!(table.waiting(), 0);
}

// A batch right after a start covers a time slightly before the start, since later requests may
// still arrive.
#[test]
fn the_stored_time_does_not_go_back_after_a_start() {
    let store = deciding().store;
    let before = store.time().expect("a store that works");
    let table = TestHub::open(store.clone(), 0, before.as_millis());
    let mut hub = TimedHub::new(table.hub, before, Monotonic::ZERO);
    let clock = Monotonic::from_millis(5);
    hub.advance(clock, Duration::from_secs(1));
    let transaction = hub.begin(&store, clock).expect("a store that works");
    let client = ClientId(3);
    let hello = hello(client, &client_requests::hello("Carl"));
    let command = |command| TimedCommand { at: clock, command };
    let commands = vec![command(connects(client)), command(hello)];
    let more = false;
    let arrivals = Arrivals { commands, more };
    let wall = WallTime::from_millis(before.as_millis());
    let unit = hub.run_batch(transaction.expect("nobody else"), arrivals, wall);
    let published = unit.and_then(UnitOfWork::commit);
    assert_eq!(published.expect("a store that works").len(), 1, "welcome");
    assert!(store.time().expect("a store that works") >= before);
}

#[test]
#[ignore = "waits for the real clock: `.ci/deep clock`"]
fn memory_of_closed_connections_is_given_back() {
    const CONNECTIONS: u32 = 4_000;
    let possible = rlimit::increase_nofile_limit(u64::from(CONNECTIONS) + 200).expect("a limit");
    assert!(possible >= u64::from(CONNECTIONS) + 200, "{possible}");
    let sandbox = Sandbox::new();
    let count = CONNECTIONS.to_string();
    let server = Server::start(
        &sandbox,
        &["--connections", &count, "--connections-per-address", &count],
    );
    let resident = || {
        // Gauges are renewed every second.
        std::thread::sleep(Duration::from_millis(1_500));
        let (_, metrics) = server.admin("/metrics");
        let value = |line: &str| {
            let bytes = line.strip_prefix("process_resident_memory_bytes ")?;
            bytes.parse::<f64>().ok()
        };
        metrics.lines().find_map(value).expect("a gauge")
    };
    let before = resident();
    let open = |_| {
        let mut stream = TcpStream::connect(&server.address).expect("a connection");
        let request = format!(
            "GET /limits.json HTTP/1.1\r\nHost: {}\r\n\r\n",
            server.address
        );
        stream.write_all(request.as_bytes()).expect("sent");
        let mut first = [0; 9];
        stream.read_exact(&mut first).expect("an answer");
        assert_eq!(&first, b"HTTP/1.1 ");
        stream
    };
    let connections: Vec<_> = (0..CONNECTIONS).map(open).collect();
    let most = resident();
    assert!(
        most > before + f64::from(CONNECTIONS) * 4_000.0,
        "{before} bytes before, {most} now"
    );
    drop(connections);
    let start = Instant::now();
    while resident() > before + (most - before) / 2.0 {
        let now = resident();
        assert!(
            start.elapsed() < Duration::from_secs(60),
            "{before} bytes before, {most} with the connections, {now} now"
        );
    }
}
