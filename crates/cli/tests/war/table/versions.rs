//! Versions 2 and 3 of the protocol: requests that answers name, and addresses of journals.

use super::server::journal_path;
use super::spectators::{begin, sit_down, watch};
use super::{RawClient, Server, client_requests};
use crate::support::Sandbox;
use serde_json::{Value, json};

/// Player who connects in this version of the protocol.
fn player(server: &Server, name: &str, version: u32) -> RawClient {
    server.player_in_version(name, version).0
}

/// The requests that messages of these types answer.
fn answered(heard: &[Value], types: &[&str]) -> Vec<Value> {
    let of_types = heard
        .iter()
        .filter(|message| types.contains(&message["type"].as_str().unwrap_or_default()));
    let requests = of_types.map(|message| message["in_reply_to"].clone());
    requests.filter(|request| !request.is_null()).collect()
}

const ANSWERS: [&str; 5] = ["waiting", "started", "cancelled", "seeded", "decided"];

/// Plays a game in which both fold. Returns all messages to each player.
fn play(ann: &mut RawClient, bob: &mut RawClient) -> [Vec<Value>; 2] {
    let mut heard = [Vec::new(), Vec::new()];
    ann.send(client_requests::choose("c0", "single-card-game"));
    heard[0].extend(ann.receive_until("waiting"));
    bob.send(client_requests::choose("c1", "single-card-game"));
    for (seat, client) in [&mut *ann, &mut *bob].into_iter().enumerate() {
        let mut started = client.receive_until("started");
        let opening = started.last().expect("a game");
        client.send(client_requests::open("s", opening, &format!("c{seat}")));
        heard[seat].append(&mut started);
    }
    for (seat, client) in [&mut *ann, &mut *bob].into_iter().enumerate() {
        heard[seat].extend(client.receive_until("dealt"));
    }
    for client in [&mut *ann, &mut *bob] {
        client.send(client.decision("d", "fold"));
    }
    for (seat, client) in [ann, bob].into_iter().enumerate() {
        heard[seat].extend(client.receive_until("result"));
    }
    heard
}

#[test]
fn answers_name_their_requests_in_version_3() {
    let sandbox = Sandbox::new();
    let server = Server::start(&sandbox, &["--bots", "0"]);
    let (mut ann, mut bob) = (player(&server, "Ann", 3), player(&server, "Bob", 2));
    ann.send(client_requests::choose("early", "single-card-game"));
    ann.receive_until("waiting");
    ann.send(client_requests::cancel("none"));
    let cancelled = ann.receive_until("cancelled");
    assert_eq!(answered(&cancelled, &ANSWERS), ["none"]);
    let [to_ann, to_bob] = play(&mut ann, &mut bob);
    assert_eq!(answered(&to_ann, &ANSWERS), ["c0", "s", "d"]);
    for message in &to_bob {
        assert_eq!(message.get("in_reply_to"), None, "{message}");
        assert_eq!(message.get("journal"), None, "{message}");
    }
    // A repeated request gets the same answer, with its old number.
    let first = to_ann.iter().find(|message| message["type"] == "decided");
    ann.send(ann.decision("d", "fold"));
    assert_eq!(Some(&ann.receive()), first);

    // The store keeps the requests for players who ask for the messages again, in either version.
    let all = json!({"type": "resume", "id": "all", "after": 0});
    for (name, requests) in [
        ("Ann", &["early", "none", "c0", "s", "d"][..]),
        ("Bob", &["c1", "s", "d"]),
    ] {
        let mut again = player(&server, name, 3);
        again.send(&all);
        let heard = again.receive_until("result");
        assert_eq!(answered(&heard, &ANSWERS), requests, "{name}");
        let mut old = player(&server, name, 2);
        old.send(&all);
        let old = old.receive_until("result");
        assert_eq!(old.len(), heard.len());
        for (mut new, old) in heard.into_iter().zip(old) {
            let fields = new.as_object_mut().expect("fields");
            fields.retain(|field, _| !["in_reply_to", "journal"].contains(&field.as_str()));
            assert_eq!(new, old);
        }
    }
}

/// Status line of each file of a game at this address.
fn statuses(server: &Server, address: &str) -> Vec<String> {
    let files = ["journal.json", "journal.json.minisig", "view"];
    let status = |file| {
        let (head, _) = server.get(&format!("/games/{address}/{file}"));
        head.split(' ').nth(1).unwrap_or_default().to_owned()
    };
    files.map(status).to_vec()
}

#[test]
fn a_private_game_is_found_by_its_address_alone() {
    let sandbox = Sandbox::new();
    let server = Server::start(&sandbox, &["--bots", "0"]);
    let (mut ann, mut bob) = (player(&server, "Ann", 3), player(&server, "Bob", 3));
    let [to_ann, to_bob] = play(&mut ann, &mut bob);
    let address = |heard: &[Value]| heard.last().expect("a result")["journal"].clone();
    assert_eq!(address(&to_ann), address(&to_bob));
    let address = address(&to_ann).as_str().expect("an address").to_owned();
    assert_eq!(
        journal_path(&sandbox, 1),
        format!("/games/{address}/journal.json")
    );
    ann.send(json!({"type": "games", "id": "g", "limit": 1}));
    let games = ann.receive_until("games").pop().expect("an answer");
    assert_eq!(games["games"][0]["journal"], address);
    bob = player(&server, "Bob", 2);
    bob.send(json!({"type": "games", "id": "g", "limit": 1}));
    let games = bob.receive_until("games").pop().expect("an answer");
    assert_eq!(games["games"][0].get("journal"), None);

    assert_eq!(statuses(&server, &address), ["200"; 3]);
    let (number, key) = address.split_once('-').expect("two parts");
    let other_key = if key.starts_with('0') { "1" } else { "0" };
    let missing = server.get("/games/7/journal.json").1;
    for wrong in [
        number.to_owned(),
        format!("01-{key}"),
        format!("2-{key}"),
        format!("1-{other_key}{}", &key[1..]),
        format!("1-{}", &key[1..]),
        key.to_owned(),
        "7".to_owned(),
        "seven".to_owned(),
    ] {
        assert_eq!(statuses(&server, &wrong), ["404"; 3], "{wrong}");
        let (_, body) = server.get(&format!("/games/{wrong}/journal.json"));
        assert_eq!(body, missing, "{wrong}");
    }
}

#[test]
fn a_game_that_both_players_let_others_watch_is_found_by_its_number() {
    let sandbox = Sandbox::new();
    let server = Server::start(&sandbox, &["--bots", "0"]);
    let mut ann = sit_down(server.connect(), "Ann", true);
    let mut bob = sit_down(server.connect(), "Bob", true);
    let mut cid = player(&server, "Cid", 3);
    let (game, _) = begin([&mut ann, &mut bob], "one", "single-card-game");
    assert_eq!(
        watch(&mut cid, Some(&game))[0].get("journal"),
        None,
        "it is running"
    );
    assert_eq!(statuses(&server, "1"), ["404"; 3]);
    for client in [&mut ann, &mut bob] {
        client.send(client.decision("d", "fold"));
        client.receive_until("result");
    }
    assert_eq!(statuses(&server, "1"), ["200"; 3]);
    let address = watch(&mut cid, Some(&game))[0]["journal"].clone();
    let address = address.as_str().expect("an address");
    assert_eq!(statuses(&server, address), ["200"; 3]);
    // Bob changes the setting.
    sit_down(server.connect(), "Bob", false);
    assert_eq!(statuses(&server, "1"), ["404"; 3]);
    assert_eq!(statuses(&server, address), ["200"; 3]);
}
