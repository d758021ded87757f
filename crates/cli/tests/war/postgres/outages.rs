//! Outages of the database while nodes serve a table.

use super::nodes::{self, Node, Nodes};
use super::{Cluster, Database, laws};
use crate::table::{RawClient, client_requests};
use serde_json::Value;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

/// Maximum number of players to add until the disk is full.
const MAX_PLAYERS: u32 = 2_000;

/// Checks that a node without its store refuses players.
#[track_caller]
fn assert_refuses(node: &Node) {
    let mut client = RawClient::open(&node.server.address, "/ws", &[]).expect("a connection");
    client.send(client_requests::hello("Prober"));
    assert_eq!(client.receive()["code"], "unavailable");
}

/// Player who waits for a game.
fn waiting(node: &Node) -> RawClient {
    let mut client = RawClient::open(&node.server.address, "/ws", &[]).expect("a connection");
    client.send(client_requests::hello("Ann"));
    client.receive_until("welcome");
    client.send(client_requests::choose("c", "single-card-game"));
    client.receive_until("waiting");
    client
}

/// Reconnects Ann, checks that she is still waiting, and cancels.
fn assert_still_waiting(node: &Node) {
    let mut client = RawClient::open(&node.server.address, "/ws", &[]).expect("a connection");
    client.send(client_requests::hello("Ann"));
    assert_eq!(client.receive_until("welcome")[0]["seq"], 1);
    client.send(client_requests::cancel("x"));
    client.receive_until("cancelled");
}

/// Waits until a gauge, which is published every second, has this value.
#[track_caller]
fn wait_for_gauge(node: &Node, gauge: &str, value: i64) {
    for _ in 0..30 {
        if node.gauge(gauge) == value {
            return;
        }
        thread::sleep(Duration::from_millis(100));
    }
    panic!("{gauge} {}", node.gauge(gauge));
}

#[test]
#[ignore = "needs PostgreSQL; `.ci/deep` installs it"]
fn nodes_wait_for_a_stopped_database_and_serve_again() {
    let database = Database::of(Arc::new(Cluster::start("")));
    let nodes = Nodes::start(database, 2);
    let mut ann = waiting(&nodes.all[0]);
    let owner = &nodes.all[nodes.owner(0)];
    wait_for_gauge(owner, "war_table_players_waiting", 1);
    thread::scope(|scope| {
        let away = scope.spawn(|| nodes.database.cluster().restart("INT", 16));
        for node in &nodes.all {
            node.wait_for_health("failing", "unreachable");
            wait_for_gauge(node, "war_table_players_waiting", 0);
        }
        // Connected players are informed.
        ann.send(client_requests::cancel("away"));
        assert_eq!(ann.receive()["code"], "unavailable");
        for node in &nodes.all {
            assert_refuses(node);
        }
        away.join().expect("a restart");
    });
    nodes.wait_for_welcomes(None);
    assert_still_waiting(&nodes.all[1]);
    laws::hold_in(&nodes.database.sql());
}

#[test]
#[ignore = "needs PostgreSQL; `.ci/deep` installs it"]
fn nodes_wait_for_a_read_only_or_locked_database_and_reveal_no_password() {
    let database = Database::of(Arc::new(Cluster::start("")));
    let (sql, name) = (database.sql(), database.name().to_owned());
    sql.run(&format!(
        "CREATE ROLE ann LOGIN PASSWORD 'horse'; GRANT CREATE ON DATABASE {name} TO ann"
    ));
    let url = database.tcp_url("ann", "horse");
    let nodes = Nodes::start_by(database, &url, 2);
    // However long the outage takes, Ann stays connected, and her waiting is not cancelled.
    let _ann = waiting(&nodes.all[0]);
    let cut = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'ann'";
    for (wrong, right, word) in [
        (
            format!("ALTER DATABASE {name} SET default_transaction_read_only = on"),
            format!("ALTER DATABASE {name} RESET default_transaction_read_only"),
            "read_only",
        ),
        (
            "ALTER ROLE ann NOLOGIN".to_owned(),
            "ALTER ROLE ann LOGIN".to_owned(),
            "failed",
        ),
    ] {
        sql.run(&wrong);
        sql.run(cut);
        for node in &nodes.all {
            node.wait_for_health("failing", word);
            assert_refuses(node);
        }
        // The session that reverts the change must be allowed to write.
        sql.run(&format!("SET default_transaction_read_only = off; {right}"));
        nodes.wait_for_welcomes(None);
    }
    assert_still_waiting(&nodes.all[1]);
    for node in &nodes.all {
        let told = node.log() + &node.server.opening;
        assert!(
            told.contains("the store can't be used") && !told.contains("horse"),
            "{told}"
        );
    }
    laws::hold_in(&nodes.database.sql());
}

/// Adds players until one is not welcomed. Returns the welcomed players.
fn add_players_until_full(nodes: &Nodes) -> Vec<(String, Value)> {
    let mut players = Vec::new();
    for number in 0..MAX_PLAYERS {
        let name = format!("Player {number}");
        match welcome(nodes, &name) {
            Some(welcome) => players.push((name, welcome)),
            None => return players,
        }
    }
    panic!("the disk is never full");
}

/// Welcome of a player at one of the nodes.
fn welcome(nodes: &Nodes, name: &str) -> Option<Value> {
    let mut nodes = nodes.all.iter();
    nodes.find_map(|node| nodes::welcome(&node.server.address, name))
}

#[test]
#[ignore = "needs PostgreSQL; `.ci/deep` installs it"]
fn nodes_wait_for_a_full_database_and_lose_nothing_acknowledged() {
    let Some(cluster) = Cluster::on_small_disk() else {
        eprintln!("NOT TESTED: this system lets nobody mount a disk of their own");
        return;
    };
    let nodes = Nodes::start(Database::on_small_disk(Arc::new(cluster)), 2);
    // However long the outage takes, Ann stays connected, and her waiting is not cancelled.
    let _ann = waiting(&nodes.all[0]);
    let sql = nodes.database.sql();
    sql.run("CREATE TABLE public.filler (filling text)");
    let fill = |size: u32| {
        let filling = format!("repeat(md5(random()::text), {size})");
        while sql.tries(&format!("INSERT INTO public.filler SELECT {filling}")) {}
    };
    fill(200_000);
    fill(200);
    let players = add_players_until_full(&nodes);
    println!("{} players until the disk was full", players.len());
    let logs: String = nodes.all.iter().map(Node::log).collect();
    assert!(logs.contains("No space left on device"), "{logs}");
    // The nodes still read and write small rows. Neither takes the other's room by mistake.
    for node in &nodes.all {
        node.wait_for_health("failing", "full");
    }
    for _ in 0..20 {
        for node in &nodes.all {
            let (status, health) = node.health().expect("an answer");
            assert_eq!(
                (status, &health["store"]),
                (503, &"full".into()),
                "{health}"
            );
            assert!(health["unserved"].as_u64() >= Some(1), "{health}");
            let (head, _) = node.server.admin("/health/node");
            assert!(head.starts_with("HTTP/1.1 200"), "{head}");
        }
        thread::sleep(Duration::from_millis(100));
    }
    sql.run("DROP TABLE public.filler");
    nodes.wait_for_welcomes(None);
    for (name, told) in &players {
        let again = welcome(&nodes, name).expect("a table");
        for field in ["player", "balance"] {
            assert_eq!(again[field], told[field], "{name}");
        }
    }
    for node in &nodes.all {
        node.wait_for_health("ok", "ok");
    }
    assert_still_waiting(&nodes.all[1]);
    laws::hold_in(&nodes.database.sql());
}

// Of 16 rooms, the role has connections for some only.
#[test]
#[ignore = "needs PostgreSQL; `.ci/deep` installs it"]
fn too_few_connections_cost_some_rooms_and_take_out_no_node() {
    let database = Database::of(Arc::new(Cluster::start("")));
    let (sql, name) = (database.sql(), database.name().to_owned());
    sql.run(&format!(
        "CREATE ROLE ann LOGIN PASSWORD 'horse'; GRANT CREATE ON DATABASE {name} TO ann"
    ));
    let url = database.tcp_url("ann", "horse");
    let nodes = Nodes::start_by(database, &url, 1);
    let node = &nodes.all[0];
    nodes.wait_until_shared();
    sql.run("ALTER ROLE ann CONNECTION LIMIT 12");
    // The connections of rooms alone: those of the node stay.
    sql.run(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity \
         WHERE usename = 'ann' AND application_name LIKE 'war room %'",
    );
    node.wait_for_health("failing", "unreachable");
    let start = Instant::now();
    let served = || node.health().expect("an answer").1["rooms"].as_u64();
    while served() < Some(4) {
        assert!(start.elapsed() < Duration::from_secs(20), "{:?}", served());
        thread::sleep(Duration::from_millis(100));
    }
    let (status, health) = node.health().expect("an answer");
    assert_eq!((status, &health["status"]), (503, &"failing".into()));
    assert!(health["unserved"].as_u64() >= Some(1), "{health}");
    let (head, _) = node.server.admin("/health/node");
    assert!(head.starts_with("HTTP/1.1 200"), "{head}");
    let log = &node.sandbox.logs()[0];
    assert!(log.contains("can't take a room, room: "), "{log}");
    sql.run("ALTER ROLE ann CONNECTION LIMIT -1");
    let start = Instant::now();
    while node.health().expect("an answer").1["status"] != "ok" {
        assert!(
            start.elapsed() < Duration::from_secs(20),
            "{:?}",
            node.health()
        );
        thread::sleep(Duration::from_millis(100));
    }
    nodes.wait_for_welcomes(None);
}
