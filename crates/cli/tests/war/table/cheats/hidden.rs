//! Clients at a table that hides something, or shows two histories.

use super::cheat::Cheat;
use super::clients::{caught_by_load, table, verdict, verdict_on};
use super::proxy::Proxy;
use super::silent;
use crate::support::Sandbox;
use crate::table::table_client::Client;
use std::time::Duration;

/// Cheats that only the log reveals, with their reports.
const IN_THE_LOG: [(Cheat, &str); 2] = [
    (
        Cheat::HidesGame,
        "the log doesn't have the beginning of game",
    ),
    (Cheat::OtherEnd, "the log has a different end of game"),
];

#[test]
fn omissions_from_the_log_are_detected() {
    let sandbox = Sandbox::new();
    let server = table(&sandbox, "4");
    std::thread::scope(|scope| {
        for (cheat, words) in IN_THE_LOG {
            let (address, sandbox) = (&server.address, &sandbox);
            scope.spawn(move || {
                let proxy = Proxy::start(address, cheat);
                let found = verdict(&proxy, "Ann", 1).expect_err("a cheat");
                assert!(found.contains(words), "{cheat:?}: {found}");
            });
            scope.spawn(move || {
                let proxy = Proxy::start(address, cheat);
                caught_by_load(sandbox, &proxy, 2, words);
            });
        }
    });
}

#[test]
fn a_hidden_forfeit_is_detected() {
    let words = "the result says that somebody forfeited, and its seeds or cards say otherwise";
    let sandbox = Sandbox::new();
    let server = table(&sandbox, "0");
    let proxy = Proxy::start(&server.address, Cheat::HidesForfeit);
    let _silent = silent(&server);
    let found = verdict_on(&proxy, "Ann", |client| {
        client.play("single-card-game", |_| true)
    });
    assert_eq!(found, Err(words.to_owned()));
}

#[test]
fn a_hidden_forfeit_is_detected_under_load() {
    let sandbox = Sandbox::new();
    let server = table(&sandbox, "0");
    let proxy = Proxy::start(&server.address, Cheat::HidesForfeit);
    let _silent = silent(&server);
    let words = "and its seeds or cards say otherwise";
    caught_by_load(&sandbox, &proxy, 8, words);
}

#[test]
fn a_log_that_changes_is_detected_under_load() {
    let sandbox = Sandbox::new();
    let server = table(&sandbox, "2");
    let proxy = Proxy::start(&server.address, Cheat::Honest);
    assert_eq!(verdict(&proxy, "Ann", 1), Ok(()));
    let shown = || proxy.ledger.lock().expect("a log").shown;
    let before = shown();
    std::thread::scope(|scope| {
        let (sandbox, proxy) = (&sandbox, &proxy);
        let words = "the beginning of the log is not the one that you saw";
        scope.spawn(move || caught_by_load(sandbox, proxy, 3, words));
        while shown() == before {
            std::thread::sleep(Duration::from_millis(10));
        }
        proxy.ledger.lock().expect("a log").rewrite();
    });
}

// Neither player alone sees anything wrong, but their checkpoints contradict each other.
#[test]
fn two_histories_are_detected_when_players_compare() {
    let sandbox = Sandbox::new();
    let server = table(&sandbox, "4");
    let [one, other] = [(); 2].map(|()| Proxy::start(&server.address, Cheat::Honest));
    for (proxy, file) in [(&one, "ann"), (&other, "bob")] {
        let mut client = Client::new(&proxy.address, file);
        client.set_checkpoint_file(sandbox.path(file));
        client
            .play("single-card-game", |_| true)
            .expect("a fair game");
        client.wait_for_log().expect("a fair log");
    }
    let compare = |proxy: &Proxy, file| {
        let log = format!("http://{}/log", proxy.address);
        sandbox.war(&["log", "verify", &log, "--with", file])
    };
    compare(&one, "ann").exits_with(0);
    let run = compare(&one, "bob").exits_with(1);
    run.reports("the beginning of the log is not the one that you saw");
}

#[test]
fn a_rewritten_history_is_detected() {
    let sandbox = Sandbox::new();
    let server = table(&sandbox, "2");
    let proxy = Proxy::start(&server.address, Cheat::Honest);
    let mut client = Client::new(&proxy.address, "Ann");
    client.set_checkpoint_file(sandbox.path("checkpoint"));
    client
        .play("single-card-game", |_| true)
        .expect("a fair game");
    client.wait_for_log().expect("a fair log");
    proxy.ledger.lock().expect("a log").rewrite();
    let found = client.check_log().expect_err("another history").to_string();
    assert!(
        found.contains("are not those of the earlier checkpoint"),
        "{found}"
    );
    // A player who returns on another day still has the checkpoint in a file.
    let mut again = Client::new(&proxy.address, "Ann again");
    again.set_checkpoint_file(sandbox.path("checkpoint"));
    let found = again.play("single-card-game", |_| true);
    let found = found.expect_err("another history").to_string();
    assert!(
        found.contains("are not those of the earlier checkpoint"),
        "{found}"
    );
}
