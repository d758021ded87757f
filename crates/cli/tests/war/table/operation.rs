//! Operation of a table: health, metrics, draining, settings, store errors.

use super::server::get;
use super::{Server, client_requests, dealt};
use crate::durability::SpiedSandbox;
use crate::shared::frozen_names;
use crate::support::{Run, Sandbox};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::io::{BufRead, BufReader};
use std::os::unix::fs::PermissionsExt;
use std::process::Stdio;
use std::time::{Duration, Instant};

#[test]
fn health_and_metrics_describe_the_table() {
    let sandbox = Sandbox::new();
    let server = Server::start(&sandbox, &["--bots", "0"]);
    let [mut ann, bob] = dealt(&server, "single-card-game");
    let (head, body) = server.admin("/health");
    assert!(head.starts_with("HTTP/1.1 200"), "{head}");
    let health: Value = serde_json::from_str(&body).expect("JSON");
    assert_eq!(
        health,
        json!({"status": "ok", "store": "ok", "players": 2, "running": 1, "waiting": 0})
    );
    ann.error(client_requests::cancel("x"));
    for line in [
        "war_table_connections 2",
        "war_table_games_running 1",
        "war_table_requests_total 5",
        "war_table_refusals_total{code=\"not_waiting\"} 1",
    ] {
        server.wait_for_metric(line);
    }
    drop(bob);
    server.wait_for_metric("war_table_connections 1");
}

#[test]
fn the_metrics_describe_program_and_process() {
    let sandbox = Sandbox::new();
    let server = Server::start(&sandbox, &["--bots", "0", "--decide-seconds", "1"]);
    let [mut ann, _bob] = dealt(&server, "single-card-game");
    ann.receive_until("result");
    server.wait_for_metric("war_table_timeouts_total 2");
    server.wait_for_metric("war_table_store_errors_total 0");
    let (_, metrics) = server.admin("/metrics");
    let version = env!("CARGO_PKG_VERSION");
    let build = format!("war_table_build_info{{version=\"{version}\"}} 1");
    assert!(metrics.lines().any(|line| line == build), "{metrics}");
    for name in [
        "start_time_seconds",
        "resident_memory_bytes",
        "virtual_memory_bytes",
        "threads",
        "open_fds",
        "max_fds",
        "cpu_seconds_total",
    ] {
        let name = format!("process_{name} ");
        let value = metrics.lines().find_map(|line| line.strip_prefix(&name));
        let value: f64 = value.and_then(|value| value.parse().ok()).expect(&name);
        assert!(value > 0.0 || name.contains("cpu"), "{name}{value}");
    }
    let memory = format!("process_resident_memory_bytes {}", server.memory() * 1024);
    let digits = memory.len() - 7;
    assert!(metrics.contains(&memory[..digits]), "{memory}: {metrics}");
}

// Scrapers and alerts know these names; `crate::surface` has the others.
#[test]
fn metrics_and_health_are_frozen() {
    let sandbox = Sandbox::new();
    let server = Server::start(&sandbox, &["--bots", "0", "--decide-seconds", "1"]);
    let [mut ann, _bob] = dealt(&server, "single-card-game");
    ann.error(client_requests::cancel("x"));
    server.wait_for_metric("war_table_refusals_total{code=\"not_waiting\"} 1");
    let accept = "Accept: application/openmetrics-text; version=1.0.0\r\n";
    let (head, metrics) = get(&server.admin, "/metrics", accept);
    let kind = "content-type: application/openmetrics-text; version=1.0.0; charset=utf-8\r\n";
    assert!(head.contains(kind), "{head}");
    let (head, _) = server.admin("/metrics");
    let kind = "content-type: text/plain; version=0.0.4; charset=utf-8\r\n";
    assert!(head.contains(kind), "{head}");
    let (_, health) = server.admin("/health");
    let (_, node_health) = server.admin("/health/node");
    // The value follows the last space of a line. Comments are kept whole.
    let mut names = BTreeSet::new();
    for line in metrics.lines() {
        let (name, _) = line.rsplit_once(' ').expect("a name and a value");
        let name = name.split_once("version=").map_or(name, |(name, _)| name);
        names.insert(if line.starts_with('#') { line } else { name }.to_owned());
    }
    let digits = |c: char| if c.is_ascii_digit() { '0' } else { c };
    let health: String = health.chars().map(digits).collect();
    names.insert(health.trim_end().to_owned());
    names.insert(node_health.trim_end().to_owned());
    frozen_names("metrics.txt", names);
}

// Counters read between the two decisions would reveal that one player has already decided.
#[test]
fn neither_metrics_nor_log_reveal_the_time_of_a_decision() {
    let sandbox = Sandbox::new();
    sandbox.write("war.toml", "[log]\nlevel = \"trace\"\n");
    let server = Server::start(&sandbox, &["--bots", "0"]);
    let [mut ann, _bob] = dealt(&server, "single-card-game");
    server.wait_for_metric("war_table_games_running 1");
    let requests = |metrics: &str| {
        let line = metrics
            .lines()
            .find(|line| line.starts_with("war_table_requests_total"));
        line.map(str::to_owned).expect("a counter")
    };
    let log = sandbox.logs()[0].clone();
    // The figures are updated once a second. If no update falls between the two reads, the second
    // read must not count the request yet. One of ten attempts is enough.
    let decided = (0..10).any(|number| {
        let before = requests(&server.admin("/metrics").1);
        ann.send(ann.decision(&format!("d{number}"), "play"));
        ann.receive();
        requests(&server.admin("/metrics").1) == before
    });
    assert!(decided, "each request is counted at once");
    server.wait_for_metric("war_table_games_running 1");
    let told = sandbox.logs()[0].replace(&log, "");
    assert!(!told.contains("decide "), "{told}");
    let told = told.lines().filter(|line| !line.contains("refused"));
    let told: Vec<_> = told.collect();
    assert!(told.is_empty(), "{told:?}");
}

#[test]
fn a_signal_drains_the_table() {
    let sandbox = Sandbox::new();
    let mut server = Server::start(&sandbox, &["--bots", "0"]);
    let [mut ann, mut bob] = dealt(&server, "single-card-game");
    let (mut carl, _) = server.player("Carl");
    server.signal("TERM");
    let until = Instant::now() + Duration::from_secs(60);
    while !server.admin("/health").0.starts_with("HTTP/1.1 503") {
        assert!(Instant::now() < until, "the table does not drain");
    }
    let (head, health) = server.admin("/health/node");
    assert!(head.starts_with("HTTP/1.1 503"), "{head}");
    assert_eq!(health, "{\"status\":\"draining\"}\n");
    let choose = client_requests::single("c");
    assert_eq!(carl.error(choose), "draining");
    ann.send(ann.decision("d", "play"));
    bob.send(bob.decision("d", "fold"));
    assert_eq!(
        ann.receive_until("result").last().expect("a result")["delta"],
        3
    );
    bob.receive_until("result");
    assert!(carl.try_receive().expect_err("the end").contains("closed"));
    let (code, errors) = server.end();
    assert_eq!(code, 0, "{errors}");
    assert!(errors.contains("closing the table"), "{errors}");
    let log = &sandbox.logs()[0];
    for told in [
        "INFO open",
        "INFO joined",
        "player: 3",
        "INFO draining",
        "INFO closed",
    ] {
        assert!(log.contains(told), "{told} in {log}");
    }
}

#[test]
fn a_second_signal_stops_a_draining_table() {
    let sandbox = Sandbox::new();
    let mut server = Server::start(&sandbox, &["--bots", "0", "--decide-seconds", "600"]);
    let [mut ann, _bob] = dealt(&server, "single-card-game");
    server.signal("TERM");
    let until = Instant::now() + Duration::from_secs(60);
    while !server.admin("/health").0.starts_with("HTTP/1.1 503") {
        assert!(Instant::now() < until, "the table does not drain");
    }
    // A second signal right after the first counts as the same one, since signals may come twice.
    std::thread::sleep(Duration::from_millis(700));
    let (_, health) = server.admin("/health");
    assert!(health.contains("\"running\":1,"), "{health}");
    server.signal("TERM");
    let signalled = Instant::now();
    let (code, last, errors) = server.outcome();
    assert!(signalled.elapsed() < Duration::from_secs(20), "it waits");
    let stopped = "stopped; games in progress continue after the next start\n";
    assert_eq!((code, last.as_str()), (130, stopped), "{errors}");
    assert!(ann.try_receive().is_err());
    let log = &sandbox.logs()[0];
    assert!(log.contains("INFO stopped"), "{log}");
    let server = Server::start(&sandbox, &["--bots", "0"]);
    let (_, health) = server.admin("/health");
    assert!(
        health.contains("\"running\":1,"),
        "the game is lost: {health}"
    );
}

#[test]
fn the_table_waits_for_another_program_in_the_store() {
    let sandbox = Sandbox::new();
    let mut server = Server::start(&sandbox, &["--bots", "0"]);
    let (mut ann, _) = server.player("Ann");
    let other = rusqlite::Connection::open(sandbox.path("table.db")).expect("the store");
    let note = "CREATE TABLE IF NOT EXISTS note (x); INSERT INTO note VALUES (1)";
    other.execute_batch(note).expect("a writer");
    other.execute_batch("BEGIN IMMEDIATE").expect("a lock");
    ann.send(client_requests::single("1"));
    let until = Instant::now() + Duration::from_secs(60);
    while !sandbox.logs()[0].contains("in use by another program") {
        assert!(Instant::now() < until, "the server does not meet it");
        std::thread::sleep(Duration::from_millis(50));
    }
    let (head, health) = server.admin("/health");
    assert!(head.starts_with("HTTP/1.1 503"), "{head}");
    assert!(health.contains("\"store\":\"busy\""), "{health}");
    let (head, _) = server.admin("/health/node");
    assert!(head.starts_with("HTTP/1.1 200"), "{head}");
    other.execute_batch("COMMIT").expect("its end");
    assert_eq!(ann.receive()["type"], "waiting");
    let (head, health) = server.admin("/health");
    assert!(head.starts_with("HTTP/1.1 200"), "{head}");
    assert!(health.contains("\"store\":\"ok\""), "{health}");
    drop(other);
    // After an orderly shutdown, everything is in the one file, which nobody else may read.
    server.signal("TERM");
    assert_eq!(server.end().0, 0);
    let beside = std::fs::metadata(sandbox.path("table.db-wal"));
    assert!(beside.is_err_and(|error| error.kind() == std::io::ErrorKind::NotFound));
    let mode = std::fs::metadata(sandbox.path("table.db")).expect("the store");
    assert_eq!(mode.permissions().mode() & 0o777, 0o600);
}

#[test]
fn an_old_readable_store_is_made_private() {
    let sandbox = Sandbox::new();
    drop(Server::start(&sandbox, &["--bots", "0"]));
    let path = sandbox.path("table.db");
    let mode = |path| std::fs::metadata(path).expect("the store").permissions();
    let mut open = mode(&path);
    open.set_mode(0o644);
    std::fs::set_permissions(&path, open).expect("its owner");
    let mut server = Server::start(&sandbox, &["--bots", "0"]);
    assert_eq!(mode(&path).mode() & 0o777, 0o600);
    server.signal("TERM");
    let (code, errors) = server.end();
    assert_eq!(code, 0, "{errors}");
    assert!(errors.contains("other users could read"), "{errors}");
}

#[test]
fn a_signal_at_startup_shuts_down_in_order_too() {
    for _ in 0..10 {
        let sandbox = Sandbox::new();
        let mut server = Server::start(&sandbox, &[]);
        server.signal("TERM");
        let (code, errors) = server.end();
        assert_eq!(code, 0, "{errors}");
    }
}

#[test]
fn a_file_system_without_locks_or_shared_memory_is_not_a_store_in_use() {
    for refused in ["flock", "fcntl", "mmap"] {
        let spied = SpiedSandbox::new();
        let mut command = spied.command(&["serve", "--listen", "127.0.0.1:0"]);
        let run = Run::of(command.env("SPY_REFUSES", refused)).exits_with(4);
        run.reports("can't use the store `sqlite:table.db`: its file system can't lock files")
            .reports("hint: put the store on a local disk");
    }
}

#[test]
fn a_store_that_another_program_has_locked_is_in_use() {
    let sandbox = Sandbox::new();
    let mut server = Server::start(&sandbox, &[]);
    server.signal("TERM");
    assert_eq!(server.end().0, 0);
    let other = rusqlite::Connection::open(sandbox.path("table.db")).expect("a database");
    let exclusive = "PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE";
    other.execute_batch(exclusive).expect("a lock");
    sandbox
        .war(&["serve", "--listen", "127.0.0.1:0"])
        .exits_with(4)
        .reports("already used by a server, by another `war table`, or by another program");
}

#[test]
fn an_unusable_store_is_reported() {
    let sandbox = Sandbox::new();
    let server = Server::start(&sandbox, &[]);
    let refused = |arguments: &[&str], code, what: &str| {
        let listen = ["serve", "--listen", "127.0.0.1:0"];
        sandbox
            .war(&[&listen, arguments].concat())
            .exits_with(code)
            .reports(what);
    };
    refused(&[], 4, "already used by a server");
    refused(&["--lang", "pl"], 4, "używa już serwer");
    refused(
        &["--store", "mysql://ann:horse@db"],
        2,
        "the store is neither `sqlite:FILE` nor the address of a database",
    );
    for store in ["sqlite:", "sqlite:-", "sqlite::memory:"] {
        refused(
            &["--store", store],
            2,
            "no name of a file follows `sqlite:`",
        );
    }
    refused(&["--store", "sqlite:missing/table.db"], 4, "no such file");
    sandbox.write(
        "text.db",
        "this is not a database, but a text that is long enough to be read",
    );
    refused(
        &["--store", "sqlite:text.db"],
        4,
        "not the store of a card table",
    );
    let other = rusqlite::Connection::open(sandbox.path("other.db")).expect("a database");
    other
        .execute_batch("CREATE TABLE something (x)")
        .expect("a table");
    refused(
        &["--store", "sqlite:other.db"],
        4,
        "not the store of a card table",
    );
    refused(&["--bots", "many"], 2, "many");
    refused(
        &["--origin", "https://war.example:99999"],
        2,
        "`https://war.example:99999` is not a valid origin",
    );
    let link = sandbox.path("link.db");
    std::os::unix::fs::symlink(sandbox.path("table.db"), link).expect("a link");
    refused(
        &["--store", "sqlite:link.db"],
        4,
        "already used by a server",
    );
    sandbox.write("never.toml", "[table]\ndecide_seconds = 0\n");
    let never = ["--config", "never.toml"];
    refused(
        &never,
        2,
        "`decide_seconds` is 0, but it must be from 1 to 86,400",
    );
    let taken = [
        "serve",
        "--listen",
        &server.address,
        "--store",
        "sqlite:new.db",
    ];
    sandbox
        .war(&taken)
        .exits_with(4)
        .reports("the address is already in use");
    drop(server);
    let store = rusqlite::Connection::open(sandbox.path("table.db")).expect("the store");
    store
        .pragma_update(None, "user_version", 1000)
        .expect("a mark");
    refused(&[], 4, "was created by a newer version");
}

#[test]
fn flags_override_variables_and_variables_override_the_file() {
    let sandbox = Sandbox::new();
    sandbox.write(
        "war.toml",
        "[table]\nlisten = \"127.0.0.1:0\"\nbots = 3\nstore = \"sqlite:file.db\"\n",
    );
    let run = |variable: Option<&str>, arguments: &[&str]| {
        let mut command = sandbox.command(&[&["serve"], arguments].concat());
        if let Some(bots) = variable {
            command.env("WAR_TABLE_BOTS", bots);
        }
        let mut child = command.stdout(Stdio::piped()).spawn().expect("the server");
        let mut lines = BufReader::new(child.stdout.take().expect("its output")).lines();
        let second = lines.nth(1).and_then(Result::ok).unwrap_or_default();
        child.kill().expect("it runs");
        child.wait().expect("it ends");
        second
    };
    assert!(run(None, &[]).contains("sqlite:file.db, 3 house players"));
    assert!(run(Some("1"), &[]).contains("1 house player,"));
    assert!(run(Some(""), &[]).contains("3 house players"));
    assert!(run(Some("1"), &["--bots", "0"]).contains("no house players"));
}
