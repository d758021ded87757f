//! What clients make of a table that cheats.

use super::proxy::Proxy;
use super::ways::Way;
use crate::support::{Place, Run};
use crate::table::table_client::{Client, Stop};
use crate::table::{Server, said};
use serde_json::Value;
use std::cell::Cell;
use war_table::protocol::Whom;

/// More games than any cheat needs to show.
const GAMES: u32 = 40;
/// How often a machine may stand still for seconds in the middle of a game.
const TRIES: u32 = 20;

/// The verdict of the example client on games with the house; nothing where all is verified.
pub(super) fn verdict(proxy: &Proxy, name: &str, games: u32) -> Result<(), String> {
    verdict_on(proxy, name, |client| {
        (0..games).try_for_each(|game| {
            // Games of both players' decisions, with as many that come to a showdown.
            client.play_with("single-card-game", Whom::House, |_| game % 3 != 0)
        })
    })
}

/// The verdict of the example client on the games that it plays so.
///
/// Where the machine stood still for so long that the table itself counted the player as too late,
/// or that the connection was lost, they see more than the cheat: another player comes then.
pub(super) fn verdict_on(
    proxy: &Proxy,
    name: &str,
    play: impl Fn(&mut Client) -> Result<(), Stop>,
) -> Result<(), String> {
    until_in_time(|| {
        let mut client = Client::new(&proxy.address, name);
        let played = play(&mut client).and_then(|()| client.finish());
        let in_time = !proxy.was_late() && client.lost == 0;
        let verdict = played.map_err(|stop| match stop {
            Stop::NotVerified(reason) => reason,
            stop => panic!("{stop}"),
        });
        (verdict, in_time)
    })
}

/// Asks again where time decided what came out; the last answer counts.
fn until_in_time<T>(ask: impl Fn() -> (T, bool)) -> T {
    let mut answers = (0..TRIES).map(|_| ask());
    let (mut answer, mut in_time) = answers.next().expect("an answer");
    while !in_time && let Some(again) = answers.next() {
        (answer, in_time) = again;
    }
    answer
}

/// Whether a client says one of these things.
fn says(said: &str, words: &str) -> bool {
    words.split('|').any(|words| said.contains(words))
}

pub(super) fn table(place: &Place, bots: &str) -> Server {
    let limits = ["--rate", "1000", "--bots", bots];
    Server::start(place, &limits)
}

#[test]
fn an_honest_table_is_verified() {
    let place = Place::new();
    let server = table(&place, "4");
    let proxy = Proxy::start(&server.address, Way::Honest);
    assert_eq!(verdict(&proxy, "Ann", 6), Ok(()));
    let run = load(&place, &proxy, "4", 2);
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

/// Puts a table under load for these seconds, or for longer until a game was played to its end in
/// time.
fn load(place: &Place, proxy: &Proxy, players: &str, seconds: u32) -> Run {
    let seconds = Cell::new(seconds);
    until_in_time(|| {
        let (before, time) = (proxy.ended(), seconds.get().to_string());
        let options = ["--players", players, "--seconds", &time, "--think", "1"];
        let run = place.war(&[&["table-load", &proxy.address], &options[..]].concat());
        seconds.set(seconds.get().saturating_mul(2).min(90));
        let played = run.code != 0 || proxy.ended() > before;
        let in_time = !proxy.was_late() && played;
        (run, in_time)
    })
}

/// Puts a table under the load of one player, who has to say one of these things.
#[track_caller]
pub(super) fn caught_by_load(place: &Place, proxy: &Proxy, seconds: u32, words: &str) {
    let run = load(place, proxy, "1", seconds);
    assert_eq!(
        run.code, 1,
        "`{words}` was not found: {}{}",
        run.stdout, run.stderr
    );
    assert!(says(&run.stderr, words), "`{words}`: {}", run.stderr);
    assert!(run.stderr.contains("NOT VERIFIED"), "{}", run.stderr);
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
                    5
                } else {
                    90
                };
                caught_by_load(place, &proxy, seconds, words);
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
    for game in 0..2 {
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
                Some("error") => assert!(is_out_of_time(&message), "{message}"),
                _ => {}
            }
        }
    }
}

/// Whether a decision was on cards that the server itself has not dealt, or something came too
/// late for the server: a slow machine makes it wait.
fn is_out_of_time(error: &Value) -> bool {
    let early = ["stale_decision", "not_playing", "decided_already"];
    let late = ["seeds_closed", "stale_seed", "too_late"];
    let code = error["code"].as_str().unwrap_or_default();
    early.contains(&code) || late.contains(&code)
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
    assert!(client.checks.finished().is_some(), "no game was played");
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
