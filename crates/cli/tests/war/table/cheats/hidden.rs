//! What clients make of a table that hides something, or shows two histories.

use super::clients::{caught_by_load, table, verdict, verdict_on};
use super::proxy::Proxy;
use super::silent;
use super::ways::Way;
use crate::support::Place;
use crate::table::table_client::Client;
use std::time::Duration;

/// What only the log shows, and what is said of it.
const IN_THE_LOG: [(Way, &str); 2] = [
    (Way::HidesGame, "the log doesn't have the beginning of game"),
    (Way::OtherEnd, "the log has a different end of game"),
];

#[test]
fn what_is_not_in_the_log_is_found() {
    let place = Place::new();
    let server = table(&place, "4");
    std::thread::scope(|scope| {
        for (way, words) in IN_THE_LOG {
            let (address, place) = (&server.address, &place);
            scope.spawn(move || {
                let proxy = Proxy::start(address, way);
                let found = verdict(&proxy, "Ann", 1).expect_err("a cheat");
                assert!(found.contains(words), "{way:?}: {found}");
            });
            scope.spawn(move || {
                let proxy = Proxy::start(address, way);
                caught_by_load(place, &proxy, 2, words);
            });
        }
    });
}

#[test]
fn a_forfeit_that_is_hidden_is_found() {
    let words = "who forfeited doesn't match the seeds that were opened";
    let place = Place::new();
    let server = table(&place, "0");
    let proxy = Proxy::start(&server.address, Way::HidesForfeit);
    let _silent = silent(&server);
    let found = verdict_on(&proxy, "Ann", |client| {
        client.play("single-card-game", |_| true)
    });
    assert_eq!(found, Err(words.to_owned()));
}

#[test]
fn a_forfeit_that_is_hidden_is_found_under_load() {
    let place = Place::new();
    let server = table(&place, "0");
    let proxy = Proxy::start(&server.address, Way::HidesForfeit);
    let _silent = silent(&server);
    let words = "and its seeds or cards say otherwise";
    caught_by_load(&place, &proxy, 8, words);
}

#[test]
fn a_log_that_changes_under_load_is_found() {
    let place = Place::new();
    let server = table(&place, "2");
    let proxy = Proxy::start(&server.address, Way::Honest);
    assert_eq!(verdict(&proxy, "Ann", 1), Ok(()));
    let shown = || proxy.ledger.lock().expect("a log").shown;
    let before = shown();
    std::thread::scope(|scope| {
        let (place, proxy) = (&place, &proxy);
        let words = "the beginning of the log is not the one that you saw";
        scope.spawn(move || caught_by_load(place, proxy, 3, words));
        while shown() == before {
            std::thread::sleep(Duration::from_millis(10));
        }
        proxy.ledger.lock().expect("a log").rewrite();
    });
}

// Each of the two sees nothing wrong alone: they compare.
#[test]
fn two_histories_are_found_when_players_compare() {
    let place = Place::new();
    let server = table(&place, "4");
    let [one, other] = [(); 2].map(|()| Proxy::start(&server.address, Way::Honest));
    for (proxy, file) in [(&one, "ann"), (&other, "bob")] {
        let mut client = Client::new(&proxy.address, file);
        client.keep(place.path(file));
        client
            .play("single-card-game", |_| true)
            .expect("a fair game");
        client.finish().expect("a fair log");
    }
    let compare = |proxy: &Proxy, file| {
        let log = format!("http://{}/log", proxy.address);
        place.war(&["log", "verify", &log, "--with", file])
    };
    compare(&one, "ann").ends_with(0);
    let run = compare(&one, "bob").ends_with(1);
    run.tells("the beginning of the log is not the one that you saw");
}

#[test]
fn another_history_than_before_is_found() {
    let place = Place::new();
    let server = table(&place, "2");
    let proxy = Proxy::start(&server.address, Way::Honest);
    let mut client = Client::new(&proxy.address, "Ann");
    client.keep(place.path("checkpoint"));
    client
        .play("single-card-game", |_| true)
        .expect("a fair game");
    client.finish().expect("a fair log");
    proxy.ledger.lock().expect("a log").rewrite();
    let found = client.check_log().expect_err("another history").to_string();
    assert!(
        found.contains("are not those of the earlier checkpoint"),
        "{found}"
    );
    // Who comes back on another day has the checkpoint in the file.
    let mut again = Client::new(&proxy.address, "Ann again");
    again.keep(place.path("checkpoint"));
    let found = again.play("single-card-game", |_| true);
    let found = found.expect_err("another history").to_string();
    assert!(
        found.contains("are not those of the earlier checkpoint"),
        "{found}"
    );
}
