//! Clients at a cheating table.

use super::cheat::Cheat;
use super::proxy::Proxy;
use crate::support::{Run, Sandbox};
use crate::table::table_client::{Client, StopReason};
use crate::table::{Server, client_requests};
use serde_json::Value;
use std::cell::Cell;
use war_table::protocol::OpponentFilter;

/// Number of games, more than any cheat needs to become visible.
const GAMES: u32 = 40;
/// Maximum number of attempts, as a machine may stall for seconds in the middle of a game.
const TRIES: u32 = 20;

/// Verdict of the example client on games against the house. `Ok` if everything is verified.
pub(super) fn verdict(proxy: &Proxy, name: &str, games: u32) -> Result<(), String> {
    verdict_on(proxy, name, |client| {
        (0..games).try_for_each(|game| {
            // Both decisions occur, and many games come to a showdown.
            client.play_with("single-card-game", OpponentFilter::House, |_| game % 3 != 0)
        })
    })
}

/// Verdict of the example client on the games played by `play`.
///
/// If the machine stalls so long that the table itself counts the player as too late, or the
/// connection is lost, the client sees more than the cheat. In these cases another client tries
/// again.
pub(super) fn verdict_on(
    proxy: &Proxy,
    name: &str,
    play: impl Fn(&mut Client) -> Result<(), StopReason>,
) -> Result<(), String> {
    until_in_time(|| {
        let mut client = Client::new(&proxy.address, name);
        let played = play(&mut client).and_then(|()| client.wait_for_log());
        let in_time = !proxy.was_late() && client.lost == 0;
        let verdict = played.map_err(|stop| match stop {
            StopReason::NotVerified(reason) => reason,
            stop => panic!("{stop}"),
        });
        (verdict, in_time)
    })
}

/// Repeats an attempt that timing interfered with. The last answer counts.
fn until_in_time<T>(ask: impl Fn() -> (T, bool)) -> T {
    let mut answers = (0..TRIES).map(|_| ask());
    let (mut answer, mut in_time) = answers.next().expect("an answer");
    while !in_time && let Some(again) = answers.next() {
        (answer, in_time) = again;
    }
    answer
}

/// Returns true if a text contains one of the alternatives, which `|` separates.
fn mentions(said: &str, words: &str) -> bool {
    words.split('|').any(|words| said.contains(words))
}

pub(super) fn table(sandbox: &Sandbox, bots: &str) -> Server {
    let limits = ["--rate", "1000", "--bots", bots];
    Server::start(sandbox, &limits)
}

#[test]
fn an_honest_table_is_verified() {
    let sandbox = Sandbox::new();
    let server = table(&sandbox, "4");
    let proxy = Proxy::start(&server.address, Cheat::Honest);
    assert_eq!(verdict(&proxy, "Ann", 6), Ok(()));
    let run = load(&sandbox, &proxy, "4", 2);
    assert_eq!((run.code, run.stderr.as_str()), (0, ""), "{}", run.stdout);
}

#[test]
fn the_example_client_detects_every_cheat() {
    let sandbox = Sandbox::new();
    let server = table(&sandbox, "4");
    std::thread::scope(|scope| {
        for (index, (cheat, words)) in Cheat::REVEALED.into_iter().enumerate() {
            let address = &server.address;
            scope.spawn(move || {
                let proxy = Proxy::start(address, cheat);
                let found = verdict(&proxy, &format!("Player {index}"), GAMES);
                let reason = found.expect_err(&format!("{cheat:?} was not found"));
                assert!(mentions(&reason, words), "{cheat:?}: {reason}");
            });
        }
    });
}

/// Runs the load driver for this many seconds, or longer, until a game was played to its end in
/// time.
fn load(sandbox: &Sandbox, proxy: &Proxy, players: &str, seconds: u32) -> Run {
    let seconds = Cell::new(seconds);
    until_in_time(|| {
        let (before, time) = (proxy.ended(), seconds.get().to_string());
        let options = ["--players", players, "--seconds", &time, "--think", "1"];
        let run = sandbox.war(&[&["table-load", &proxy.address], &options[..]].concat());
        seconds.set(seconds.get().saturating_mul(2).min(90));
        let played = run.code != 0 || proxy.ended() > before;
        let in_time = !proxy.was_late() && played;
        (run, in_time)
    })
}

/// Runs the load driver with one player, and checks that it reports one of these texts, which `|`
/// separates.
#[track_caller]
pub(super) fn caught_by_load(sandbox: &Sandbox, proxy: &Proxy, seconds: u32, words: &str) {
    let run = load(sandbox, proxy, "1", seconds);
    assert_eq!(
        run.code, 1,
        "`{words}` was not found: {}{}",
        run.stdout, run.stderr
    );
    assert!(mentions(&run.stderr, words), "`{words}`: {}", run.stderr);
    assert!(run.stderr.contains("NOT VERIFIED"), "{}", run.stderr);
    if words.contains("balance") {
        // The accusation comes with the message whose balance is wrong.
        assert!(run.stderr.contains("\"type\":\"result\""), "{}", run.stderr);
    }
}

#[test]
fn the_load_driver_detects_every_cheat() {
    let sandbox = Sandbox::new();
    let server = table(&sandbox, "4");
    std::thread::scope(|scope| {
        for (cheat, words) in Cheat::REVEALED {
            let (address, sandbox) = (&server.address, &sandbox);
            scope.spawn(move || {
                let proxy = Proxy::start(address, cheat);
                // The driver ends with the first cheat in a message. Signatures and the log are
                // checked at the end.
                let in_the_end = ["signature", "of game"]
                    .iter()
                    .any(|end| words.ends_with(end));
                let seconds = if in_the_end && !words.contains('|') {
                    5
                } else {
                    90
                };
                caught_by_load(sandbox, &proxy, seconds, words);
            });
        }
    });
}

// Without checks, all these games look fair: a trusting client plays on.
#[test]
fn a_client_without_checks_notices_nothing() {
    let sandbox = Sandbox::new();
    let server = table(&sandbox, "4");
    std::thread::scope(|scope| {
        for (index, (cheat, _)) in Cheat::REVEALED.into_iter().enumerate() {
            let address = &server.address;
            scope.spawn(move || {
                let proxy = Proxy::start(address, cheat);
                believe(&proxy.address, &format!("Player{index}"));
            });
        }
    });
}

/// Plays some games without any checks.
fn believe(address: &str, name: &str) {
    let mut client =
        crate::table::raw_client::RawClient::open(address, "/ws", &[]).expect("a connection");
    let mut hello = client_requests::hello(name);
    hello["protocol"] = 3.into();
    client.send(hello);
    for game in 0..2 {
        let choice = format!("{name}-{game}");
        client.send(client_requests::single(&choice));
        let mut seq = 0;
        loop {
            let message: Value = client.receive();
            let now = message["seq"].as_u64().expect("a number");
            let next = seq + u64::from(message["type"] != "error");
            assert!(seq == 0 || now == next, "{message}");
            seq = now;
            let id = format!("{name}-{game}-{seq}");
            match message["type"].as_str() {
                Some("started") => client.send(client_requests::open(&id, &message, &choice)),
                Some("dealt" | "redealt") => {
                    client.send(client_requests::decide(&id, &message, "play"));
                }
                Some("result") => break,
                Some("error") => assert!(is_out_of_time(&message), "{message}"),
                _ => {}
            }
        }
    }
}

/// Returns true if the error concerns cards that the server itself has not dealt, or a request that
/// was too late because a slow machine delayed it.
fn is_out_of_time(error: &Value) -> bool {
    let early = ["stale_decision", "not_playing", "decided_already"];
    let late = ["seeds_closed", "stale_seed", "too_late"];
    let code = error["code"].as_str().unwrap_or_default();
    early.contains(&code) || late.contains(&code)
}

// Without a proxy: the real log, signed with the real key.
#[test]
fn the_real_table_is_verified() {
    let sandbox = Sandbox::new();
    let server = table(&sandbox, "4");
    let mut client = Client::new(&server.address, "Ann");
    client.set_checkpoint_file(sandbox.path("checkpoint"));
    client
        .play("double-card-game", |_| true)
        .expect("a fair game");
    client.wait_for_log().expect("a fair log");
    assert!(
        client.checks.table_and_key().is_some(),
        "the table signs nothing"
    );
    assert!(
        client.checks.last_finished_game().is_some(),
        "no game was played"
    );
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
    let run = sandbox.war(&load);
    assert_eq!((run.code, run.stderr.as_str()), (0, ""), "{}", run.stdout);
}
