//! A database that can't be used for a while, under nodes that serve.

use super::nodes::{self, Node, Nodes};
use super::{Cluster, Database, laws};
use crate::table::{Line, said};
use serde_json::Value;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

/// The most players who come until a disk is full.
const MANY: u32 = 2_000;

/// What a node answers that can't use its store, to who wants to play.
#[track_caller]
fn sends_away(node: &Node) {
    let mut line = Line::open(&node.server.address, "/ws", &[]).expect("a connection");
    line.say(said::hello("Prober"));
    assert_eq!(line.hear()["code"], "unavailable");
}

/// Somebody who waits for a game.
fn waiting(node: &Node) -> Line {
    let mut line = Line::open(&node.server.address, "/ws", &[]).expect("a connection");
    line.say(said::hello("Ann"));
    line.until("welcome");
    line.say(said::choose("c", "single-card-game"));
    line.until("waiting");
    line
}

/// Ann comes back, still waits, and stops it.
fn has_waited(node: &Node) {
    let mut line = Line::open(&node.server.address, "/ws", &[]).expect("a connection");
    line.say(said::hello("Ann"));
    assert_eq!(line.until("welcome")[0]["seq"], 1);
    line.say(said::cancel("x"));
    line.until("cancelled");
}

/// Waits until a gauge, which is published once a second, is this.
#[track_caller]
fn shows(node: &Node, gauge: &str, value: i64) {
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
fn nodes_wait_for_a_database_that_is_away_and_serve_again() {
    let database = Database::of(Arc::new(Cluster::start("")));
    let nodes = Nodes::start(database, 2);
    let mut ann = waiting(&nodes.all[0]);
    let owner = &nodes.all[nodes.owner(0)];
    shows(owner, "war_table_players_waiting", 1);
    thread::scope(|scope| {
        let away = scope.spawn(|| nodes.database.cluster().restart("INT", 16));
        for node in &nodes.all {
            node.until("failing", "unreachable");
            shows(node, "war_table_players_waiting", 0);
        }
        // Who is connected is not left in the dark.
        ann.say(said::cancel("away"));
        assert_eq!(ann.hear()["code"], "unavailable");
        for node in &nodes.all {
            sends_away(node);
        }
        away.join().expect("a restart");
    });
    nodes.welcomed(None);
    has_waited(&nodes.all[1]);
    laws::hold_in(&nodes.database.sql());
}

#[test]
#[ignore = "needs PostgreSQL; `.ci/deep` installs it"]
fn nodes_wait_for_a_database_that_takes_no_changes_or_no_users_and_tell_no_password() {
    let database = Database::of(Arc::new(Cluster::start("")));
    let (sql, name) = (database.sql(), database.name().to_owned());
    sql.run(&format!(
        "CREATE ROLE ann LOGIN PASSWORD 'horse'; GRANT CREATE ON DATABASE {name} TO ann"
    ));
    let url = database.tcp_url("ann", "horse");
    let nodes = Nodes::start_by(database, &url, 2);
    // However long it takes, she is there, and nobody lets her wait no more.
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
            node.until("failing", word);
            sends_away(node);
        }
        // Who changed that has to be let change it back.
        sql.run(&format!("SET default_transaction_read_only = off; {right}"));
        nodes.welcomed(None);
    }
    has_waited(&nodes.all[1]);
    for node in &nodes.all {
        let told = node.log() + &node.server.opening;
        assert!(
            told.contains("the store can't be used") && !told.contains("horse"),
            "{told}"
        );
    }
    laws::hold_in(&nodes.database.sql());
}

/// Who came until nobody was welcomed any more.
fn come(nodes: &Nodes) -> Vec<(String, Value)> {
    let mut come = Vec::new();
    for number in 0..MANY {
        let name = format!("Player {number}");
        match welcome(nodes, &name) {
            Some(welcome) => come.push((name, welcome)),
            None => return come,
        }
    }
    panic!("the disk is never full");
}

/// What somebody is welcomed with at one of the nodes.
fn welcome(nodes: &Nodes, name: &str) -> Option<Value> {
    let mut nodes = nodes.all.iter();
    nodes.find_map(|node| nodes::welcome(&node.server.address, name))
}

#[test]
#[ignore = "needs PostgreSQL; `.ci/deep` installs it"]
fn nodes_wait_for_a_database_that_is_full_and_nothing_answered_is_lost() {
    let Some(cluster) = Cluster::on_small_disk() else {
        eprintln!("NOT TESTED: this system lets nobody mount a disk of their own");
        return;
    };
    let nodes = Nodes::start(Database::on_small_disk(Arc::new(cluster)), 2);
    // However long it takes, she is there, and nobody lets her wait no more.
    let _ann = waiting(&nodes.all[0]);
    let sql = nodes.database.sql();
    sql.run("CREATE TABLE public.filler (filling text)");
    let fill = |size: u32| {
        let filling = format!("repeat(md5(random()::text), {size})");
        while sql.tries(&format!("INSERT INTO public.filler SELECT {filling}")) {}
    };
    fill(200_000);
    fill(200);
    let come = come(&nodes);
    println!("{} players until the disk was full", come.len());
    let logs: String = nodes.all.iter().map(Node::log).collect();
    assert!(logs.contains("No space left on device"), "{logs}");
    sql.run("DROP TABLE public.filler");
    nodes.welcomed(None);
    for (name, told) in &come {
        let again = welcome(&nodes, name).expect("a table");
        for field in ["player", "balance"] {
            assert_eq!(again[field], told[field], "{name}");
        }
    }
    has_waited(&nodes.all[1]);
    laws::hold_in(&nodes.database.sql());
}
