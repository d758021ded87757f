//! What clients make of a table that cheats.

use super::proxy::Proxy;
use super::ways::Way;
use crate::support::Place;
use crate::table::table_client::{Client, Stop};
use crate::table::{Server, said};
use serde_json::{Value, json};

/// More games than any cheat needs to show.
const GAMES: u32 = 40;

/// What the example client says in the end; nothing where all is verified.
fn verdict(proxy: &Proxy, name: &str, games: u32) -> Result<(), String> {
    let mut client = Client::new(&proxy.address, name);
    let played = (0..games).try_for_each(|game| {
        // Games of both players' decisions, with as many that come to a showdown.
        client.play("single-card-game", |_| game % 3 != 0)
    });
    let played = played.and_then(|()| client.finish());
    played.map_err(|stop| match stop {
        Stop::NotVerified(reason) => reason,
        Stop::Lost(error) => panic!("{error}"),
    })
}

/// Whether a client says one of these things.
fn says(said: &str, words: &str) -> bool {
    words.split('|').any(|words| said.contains(words))
}

fn table(place: &Place, bots: &str) -> Server {
    let limits = ["--rate", "1000", "--bots", bots];
    Server::start(place, &limits)
}

#[test]
fn an_honest_table_is_verified() {
    let place = Place::new();
    let server = table(&place, "4");
    let proxy = Proxy::start(&server.address, Way::Honest);
    assert_eq!(verdict(&proxy, "Ann", 6), Ok(()));
    let load = [
        "table-load",
        &proxy.address,
        "--players",
        "4",
        "--seconds",
        "2",
        "--think",
        "1",
    ];
    let run = place.war(&load);
    assert_eq!((run.code, run.stderr.as_str()), (0, ""), "{}", run.stdout);
}

#[test]
fn the_example_client_finds_every_cheat() {
    let place = Place::new();
    let server = table(&place, "4");
    std::thread::scope(|scope| {
        for (index, (way, words)) in Way::TOLD.into_iter().enumerate() {
            let address = &server.address;
            scope.spawn(move || {
                let proxy = Proxy::start(address, way);
                let found = verdict(&proxy, &format!("Player {index}"), GAMES);
                let reason = found.expect_err(&format!("{way:?} was not found"));
                assert!(says(&reason, words), "{way:?}: {reason}");
            });
        }
    });
}

#[test]
fn the_load_driver_finds_every_cheat() {
    let place = Place::new();
    let server = table(&place, "4");
    std::thread::scope(|scope| {
        for (way, words) in Way::TOLD {
            let (address, place) = (&server.address, &place);
            scope.spawn(move || {
                let proxy = Proxy::start(address, way);
                // It ends with the first cheat in a message, and looks at signatures and the log
                // in the end.
                let in_the_end = ["signature", "of game"]
                    .iter()
                    .any(|end| words.ends_with(end));
                let seconds = if in_the_end && !words.contains('|') {
                    "5"
                } else {
                    "90"
                };
                let options = ["--players", "1", "--seconds", seconds, "--think", "1"];
                let run = place.war(&[&["table-load", &proxy.address], &options[..]].concat());
                assert_eq!(
                    run.code, 1,
                    "{way:?} was not found: {}{}",
                    run.stdout, run.stderr
                );
                assert!(says(&run.stderr, words), "{way:?}: {}", run.stderr);
                assert!(run.stderr.contains("NOT VERIFIED"), "{}", run.stderr);
            });
        }
    });
}

// Without the checks every one of these games looks like a game: a client that believes what it
// hears plays on.
#[test]
fn a_client_that_believes_everything_finds_nothing() {
    let place = Place::new();
    let server = table(&place, "4");
    std::thread::scope(|scope| {
        for (index, (way, _)) in Way::TOLD.into_iter().enumerate() {
            let address = &server.address;
            scope.spawn(move || {
                let proxy = Proxy::start(address, way);
                believe(&proxy.address, &format!("Player{index}"));
            });
        }
    });
}

/// Plays some games, and asks nothing.
fn believe(address: &str, name: &str) {
    let mut line = crate::table::line::Line::open(address, "/ws", &[]).expect("a connection");
    line.say(said::hello(name));
    for game in 0..3 {
        let choice = format!("{name}-{game}");
        line.say(said::single(&choice));
        let mut seq = 0;
        loop {
            let message: Value = line.hear();
            let now = message["seq"].as_u64().expect("a number");
            let next = seq + u64::from(message["type"] != "error");
            assert!(seq == 0 || now == next, "{message}");
            seq = now;
            let id = format!("{name}-{game}-{seq}");
            match message["type"].as_str() {
                Some("started") => line.say(said::open(&id, &message, &choice)),
                Some("dealt" | "redealt") => line.say(said::decide(&id, &message, "play")),
                Some("result") => break,
                Some("error") => assert!(comes_too_early(&message), "{message}"),
                _ => {}
            }
        }
    }
}

/// Whether a decision was on cards that the server itself has not dealt.
fn comes_too_early(error: &Value) -> bool {
    let code = error["code"].as_str().unwrap_or_default();
    ["stale_decision", "not_playing", "decided_already"].contains(&code)
}

#[test]
fn a_game_that_is_hidden_from_the_log_is_found() {
    let place = Place::new();
    let server = table(&place, "2");
    let proxy = Proxy::start(&server.address, Way::HidesGame);
    let found = verdict(&proxy, "Ann", 1).expect_err("a hidden game");
    assert!(
        found.contains("the log doesn't have the beginning of game"),
        "{found}"
    );
}

#[test]
fn an_end_that_is_not_that_of_the_journal_is_found() {
    let place = Place::new();
    let server = table(&place, "2");
    let proxy = Proxy::start(&server.address, Way::OtherEnd);
    let found = verdict(&proxy, "Ann", 1).expect_err("another end");
    assert!(found.contains("another end of game"), "{found}");
}

// Without a proxy: the real log, signed with the real key.
#[test]
fn the_table_itself_is_verified() {
    let place = Place::new();
    let server = table(&place, "4");
    let mut client = Client::new(&server.address, "Ann");
    client.keep(place.path("checkpoint"));
    client
        .play("double-card-game", |_| true)
        .expect("a fair game");
    client.finish().expect("a fair log");
    assert!(client.checks.table().is_some(), "the table signs nothing");
    let finished = client.checks.finished().expect("a game");
    assert!(finished.end().is_some(), "the table tells no end");
    let load = [
        "table-load",
        &server.address,
        "--players",
        "4",
        "--seconds",
        "2",
        "--think",
        "20",
    ];
    let run = place.war(&load);
    assert_eq!((run.code, run.stderr.as_str()), (0, ""), "{}", run.stdout);
}

#[test]
fn a_forfeit_that_is_hidden_is_found() {
    let place = Place::new();
    let server = table(&place, "0");
    let mut silent = server.player("Silent").0;
    silent.say(json!(said::single("c")));
    let proxy = Proxy::start(&server.address, Way::HidesForfeit);
    let found = verdict(&proxy, "Ann", 1);
    let words = "who forfeited doesn't match the seeds that were opened";
    assert_eq!(found, Err(words.to_owned()));
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
