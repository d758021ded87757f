//! Requests of the example client: games against particular opponents, past games, and more.

use super::Server;
use super::table_client::{Client, StopReason};
use crate::support::Sandbox;
use serde_json::{Value, json};
use std::thread;
use std::time::Duration;
use war::support::hex::Hex;
use war_table::protocol::OpponentFilter;

const GAME: &str = "single-card-game";

/// Plays against a particular opponent, once they are there.
fn play_with(client: &mut Client, whom: OpponentFilter, plays: bool) {
    loop {
        match client.play_with(GAME, whom, |_| plays) {
            Err(StopReason::Refused(code)) if code == "not_invited" => {
                thread::sleep(Duration::from_millis(60));
            }
            played => return played.expect("a fair game"),
        }
    }
}

fn last_game(client: &Client) -> u64 {
    let finished = client
        .checks
        .last_finished_game()
        .expect("a game that is over");
    finished.start.game
}

#[test]
fn the_example_client_supports_every_request() {
    let sandbox = Sandbox::new();
    let server = Server::start(&sandbox, &["--bots", "1"]);
    let code = Hex::new([7; 16]);
    let client = |name: &str| {
        let mut client = Client::new(&server.address, name);
        client.allow_watching();
        client
    };
    let [mut ann, mut bob] = ["Ann", "Bob"].map(client);
    let bob = thread::spawn(move || {
        play_with(&mut bob, OpponentFilter::Accept(code), false);
        let again = OpponentFilter::Rematch(last_game(&bob));
        play_with(&mut bob, again, false);
        bob
    });
    play_with(&mut ann, OpponentFilter::Invitation(code), true);
    let first = last_game(&ann);
    play_with(&mut ann, OpponentFilter::Rematch(first), true);
    let bob = bob.join().expect("two games");
    play_with(&mut ann, OpponentFilter::House, false);
    let unknown = ann.play_with(GAME, OpponentFilter::Rematch(first + 100), |_| true);
    assert!(matches!(unknown, Err(StopReason::Refused(code)) if code == "no_rematch"));

    let ask = |client: &mut Client, request: Value| client.ask(request).expect("an answer");
    let games = json!({"type": "games", "limit": 10});
    let past = ask(&mut ann, games.clone());
    let past = past["games"].as_array().expect("a list");
    let seen = past.iter().map(|game| {
        let is_public = &game["public"];
        (&game["opponent"]["house"], &game["yours"], is_public)
    });
    let (yes, no) = (json!(true), json!(false));
    let (play, fold) = (json!("play"), json!("fold"));
    let with_bob = (&no, &play, &no);
    assert_eq!(
        seen.collect::<Vec<_>>(),
        [(&yes, &fold, &no), with_bob, with_bob]
    );
    let watched = ask(&mut ann, json!({"type": "watch", "game_id": first}));
    assert_eq!(watched["games"][0]["result"]["deltas"][0], 3, "{watched}");
    let people = ask(&mut ann, json!({"type": "people"}));
    assert_eq!(people["type"], "people");
    let ladder = ask(&mut ann, json!({"type": "ladder", "span": "ever"}));
    assert_eq!(ladder["top"], json!([]));

    bob.forget().expect("to be forgotten");
    // Ann returns from elsewhere, with only the token.
    let mut elsewhere = client("Ann");
    elsewhere.resume_as(ann.token());
    let figures = ask(&mut elsewhere, json!({"type": "figures"}));
    assert_eq!(figures["total"]["games"], 3, "{figures}");
    let past = ask(&mut elsewhere, games);
    let called = format!("Player {}", past["games"][2]["opponent"]["player"]);
    assert_eq!(past["games"][2]["opponent"]["name"], called, "{past}");
}
