//! Crashes at any moment.

use super::Server;
use super::table_client::Client;
use crate::support::Sandbox;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

// Acknowledged requests survive a crash: clients written from the schema alone rebuild their
// balances from messages over any number of crashes, and the store agrees.
#[test]
fn messages_and_store_agree_on_balances_after_random_kills() {
    const CLIENTS: usize = 6;
    const KILLS: u32 = 5;
    const ENOUGH: u64 = 6;
    let sandbox = Sandbox::new();
    let mut server = Server::start(
        &sandbox,
        &["--bots", "0", "--decide-seconds", "5", "--rate", "1000"],
    );
    let address = server.address.clone();
    let stop = AtomicBool::new(false);
    let clients: Vec<Client> = std::thread::scope(|scope| {
        let server = &mut server;
        let spawn = |index: usize| {
            let (address, stop) = (&address, &stop);
            scope.spawn(move || {
                let mut client = Client::new(address, &format!("Player {index}"));
                let game = ["single-card-game", "double-card-game"][index % 2];
                while !stop.load(Ordering::Relaxed) || client.games < ENOUGH {
                    let played =
                        client.play(game, |cards| cards.to_string().len() % 2 == index % 2);
                    played.expect("a fair game");
                }
                client
            })
        };
        let threads: Vec<_> = (0..CLIENTS).map(spawn).collect();
        for kill in 0..KILLS {
            std::thread::sleep(Duration::from_millis(400 + u64::from(kill) * 137));
            server.kill();
            *server = Server::start_at(
                &sandbox,
                &address,
                &["--bots", "2", "--decide-seconds", "5", "--rate", "1000"],
            );
        }
        std::thread::sleep(Duration::from_millis(500));
        stop.store(true, Ordering::Relaxed);
        threads
            .into_iter()
            .map(|thread| thread.join().expect("a client"))
            .collect()
    });
    server.kill();
    let store = rusqlite::Connection::open(sandbox.path("table.db")).expect("the store");
    let number = |sql: &str, name: &str| -> i64 {
        store
            .query_row(sql, [name], |row| row.get(0))
            .expect("a number")
    };
    for (index, client) in clients.iter().enumerate() {
        let name = format!("Player {index}");
        let of = |what: &str| number(&format!("SELECT {what} FROM player WHERE name = ?1"), &name);
        assert_eq!(of("count(*)"), 1, "{name} came twice");
        assert!(
            client.games >= ENOUGH && client.lost >= 1,
            "{name} hardly played"
        );
        assert_eq!(of("balance"), client.checks.balance(), "{name}");
        assert_eq!(
            of("seq"),
            i64::try_from(client.checks.seq()).expect("few"),
            "{name}"
        );
        let sent = "SELECT count(*) = max(seq) AND min(seq) = 1 FROM outbox \
                    WHERE player = (SELECT id FROM player WHERE name = ?1)";
        assert_eq!(number(sent, &name), 1, "{name} has a gap");
        let booked = "SELECT coalesce(sum(CASE WHEN credit = player.id THEN tokens ELSE -tokens END), 0) \
                      FROM ledger JOIN player ON player.id IN (debit, credit) WHERE name = ?1";
        assert_eq!(
            number(booked, &name),
            client.checks.balance(),
            "{name}'s ledger"
        );
    }
    let settled = "SELECT count(*) FROM event WHERE body LIKE '%\"settled\"%' AND ?1 = ?1";
    assert!(number(settled, "") > 20);
}

#[test]
#[cfg(all(target_os = "linux", target_env = "gnu"))]
fn an_answered_request_is_on_the_disk() {
    let spied = crate::durability::SpiedSandbox::new();
    let arguments = ["serve", "--listen", "127.0.0.1:0"];
    let server = Server::run(&mut spied.command(&arguments));
    let syncs = || {
        let notes = spied.notes(&[("table.db-wal", "log")]);
        notes.iter().filter(|note| *note == "sync log").count()
    };
    let mut before = syncs();
    for name in ["Ann", "Bob", "Cid"] {
        let (_line, _) = server.player(name);
        let after = syncs();
        assert!(after > before, "{name} was welcomed before the disk was");
        before = after;
    }
}
