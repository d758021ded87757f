//! A database restored to a point in time, by the book's procedure.

use super::moves::{serve, until};
use super::nodes::health;
use super::{Cluster, Database};
use crate::support::{Sandbox, project};
use crate::table::{Server, client_requests, game_log, restored};
use serde_json::json;
use std::sync::Arc;
use std::thread::{scope, sleep};
use std::time::Duration;

/// Cluster that archives all its writes. The archive command must not contain spaces, at which the
/// options are split.
fn with_archive() -> (Arc<Cluster>, Database) {
    let archive = "mkdir${IFS}-p${IFS}../archive&&cp${IFS}%p${IFS}../archive/%f";
    let options = format!("-c archive_mode=on -c archive_command={archive}");
    let cluster = Arc::new(Cluster::start(&options));
    let database = Database::of(Arc::clone(&cluster));
    (cluster, database)
}

/// Stops the server, replaces its data by the backup, and starts it again.
fn restore(cluster: &Cluster, moment: &str) {
    let script = project().join("docs/files/nodes/restore.sh");
    let script = std::fs::read_to_string(script).expect("a script");
    scope(|scope| {
        let started = scope.spawn(|| cluster.restart("INT", 4));
        until(|| !cluster.path("data/postmaster.pid").exists());
        let [data, backup, archive] =
            ["data", "backups/base", "archive"].map(|at| cluster.path(at));
        let words = [&data, &backup, &archive].map(|path| path.display().to_string());
        cluster.run_with(&script, &[&words[0], &words[1], &words[2], moment]);
        started.join().expect("it starts");
    });
}

#[test]
#[ignore = "needs PostgreSQL; `.ci/deep` installs it"]
fn a_restored_table_goes_on_and_all_players_are_notified() {
    let (cluster, database) = with_archive();
    let (sandbox, url) = (Sandbox::new(), database.url());
    let mut server = serve(&sandbox, &url);
    let mut seats = ["Ann", "Bob"].map(|name| server.player(name).0);
    game_log::play(&mut seats, "one");
    cluster.run(&format!(
        "pg_basebackup -h $PWD -p {} -U war -D backups/base --checkpoint=fast",
        cluster.port()
    ));
    let (kept, _) = game_log::play(&mut seats, "two");
    // A running game, whose seeds become known only afterwards.
    for line in &mut seats {
        line.send(client_requests::choose("three", "single-card-game"));
    }
    for line in &mut seats {
        line.receive_until("started");
    }
    sandbox.write("before.txt", game_log::checkpoint(&server, 5));
    let sql = database.sql();
    let moment = sql.rows("SELECT clock_timestamp()::text");
    let moment: String = moment[0].get(0);
    sleep(Duration::from_secs(1));
    for line in &mut seats {
        line.receive_until("result");
    }
    let (lost, result) = game_log::play(&mut seats, "four");
    let heard = result["seq"].as_u64().expect("a number");
    let (_, dan) = server.player("Dan");
    let written = sql.rows("SELECT pg_walfile_name(pg_switch_wal())");
    let written: String = written[0].get(0);
    until(|| cluster.path(&format!("archive/{written}")).exists());
    let command = ["table", "restored", "--store", &url];
    let run = sandbox.war(&command).exits_with(4);
    assert!(
        run.stderr.contains("already used by a server"),
        "{}",
        run.stderr
    );
    drop(sql);
    // A node that keeps running notices that data it has seen are gone.
    let mut other = Server::start(&sandbox, &["--key", "table.db.key", "--store", &url]);
    until(|| health(&other.admin) == Some(200));
    sleep(Duration::from_secs(1));
    server.kill();
    restore(&cluster, &moment);
    let (code, _, errors) = other.outcome();
    assert_eq!(code, 4, "{errors}");
    assert!(errors.contains("gone back in time"), "{errors}");

    let sql = database.sql();
    until(|| sql.number("SELECT pg_is_in_recovery()::int") == 0);
    assert_eq!(
        sql.number("SELECT count(*) FROM war.settlement"),
        2,
        "two games are over"
    );
    let leaves = sql.number("SELECT count(*) FROM war.leaf");
    let run = sandbox.war(&command).exits_with(0);
    let told = format!("{leaves} leaves: 2 players will hear of it, 1 game in progress");
    assert!(run.stdout.contains(&told), "{}", run.stdout);
    let server = serve(&sandbox, &url);
    let balance = |name: &str| {
        sql.number(&format!(
            "SELECT sum(CASE WHEN credit = id THEN tokens ELSE -tokens END) FROM war.ledger \
         JOIN war.player ON id IN (debit, credit) WHERE name = '{name}'"
        ))
    };
    // Players who know of lost messages, and players who don't.
    for name in ["Ann", "Bob"] {
        restored::check_notified(&server, name, &[0, 5, heard], balance(name));
    }
    let mut seats = ["Ann", "Bob"].map(|name| restored::reconnect(&server, name, heard).0);
    let (again, _) = game_log::play(&mut seats, "five");
    assert!(
        again["game_id"].as_u64() > lost["game_id"].as_u64(),
        "a number twice"
    );
    assert!(
        server.player("Eve").1["player"].as_u64() > dan["player"].as_u64(),
        "a number twice"
    );
    assert_ne!(again["table"], kept["table"]);
    game_log::checkpoint(&server, 8);
    let (code, found) = game_log::verified(&sandbox, &server, &[]);
    assert_eq!(
        (code, &found["games"], &found["ended"]),
        (0, &json!(4), &json!(4)),
        "{found}"
    );
    let (code, found) = game_log::verified(&sandbox, &server, &["--with", "before.txt"]);
    assert_eq!(
        (code, found["verdict"].as_str()),
        (1, Some("UNEXPECTED")),
        "{found}"
    );
}
