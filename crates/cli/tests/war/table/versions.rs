//! Versions 2 to 4 of the protocol: requests that answers name, addresses of journals, and settings.

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

/// Sends a request. Returns its answer.
fn ask(client: &mut RawClient, request: Value) -> Value {
    client.send(request);
    client.receive()
}

/// Sends `people`, which is answered after everything that was sent before. Returns the messages
/// before the answer.
fn heard_so_far(client: &mut RawClient) -> Vec<Value> {
    client.send(json!({"type": "people", "id": "p"}));
    let mut heard = client.receive_until("people");
    heard.pop();
    heard
}

#[test]
fn settings_hold_on_all_connections_of_a_player() {
    let sandbox = Sandbox::new();
    let server = Server::start(&sandbox, &["--bots", "0"]);
    let (mut ann, welcome) = server.player_in_version("Ann", 4);
    assert_eq!(
        (&welcome["name"], &welcome["watchable"]),
        (&json!("Ann"), &json!(false))
    );
    let [mut second, mut old] = [4, 3].map(|version| player(&server, "Ann", version));
    let settings = |id: &str, fields: Value| {
        let mut request = json!({"type": "settings", "id": id});
        let fields = fields.as_object().expect("fields").clone();
        request.as_object_mut().expect("fields").extend(fields);
        request
    };
    let zoe = settings("1", json!({"name": "Zoë", "watchable": true}));
    let answer = json!({"seq": 0, "type": "settings", "name": "Zoë", "watchable": true});
    let named = |id: &str| {
        let mut answer = answer.clone();
        answer["in_reply_to"] = id.into();
        answer
    };
    assert_eq!(ask(&mut ann, zoe.clone()), named("1"));
    assert_eq!(heard_so_far(&mut second), std::slice::from_ref(&answer));
    assert_eq!(heard_so_far(&mut old), [] as [Value; 0]);
    // A field that is missing stays, and nothing that changes nothing is reported.
    assert_eq!(
        ask(&mut second, settings("2", json!({"watchable": true}))),
        named("2")
    );
    assert_eq!(heard_so_far(&mut ann), [] as [Value; 0]);
    let changed = ask(&mut second, settings("3", json!({"name": "Eva"})));
    assert_eq!(
        (&changed["name"], &changed["watchable"]),
        (&json!("Eva"), &json!(true))
    );
    // A repeated request changes nothing. Its answer is the present state.
    let again = ask(&mut ann, zoe.clone());
    assert_eq!(
        again["name"], "Eva",
        "the report of the change comes first: {again}"
    );
    assert_eq!(again.get("in_reply_to"), None);
    let again = ann.receive();
    assert_eq!(
        (&again["name"], &again["in_reply_to"]),
        (&json!("Eva"), &json!("1"))
    );
    assert_eq!(
        ann.error(settings("1", json!({"name": "Uma"}))),
        "id_reused"
    );
    for wrong in [
        json!({"name": "House 1"}),
        json!({"name": null}),
        json!({"watchable": "yes"}),
        json!({"watchable": null}),
        json!({"balance": 5}),
    ] {
        assert_eq!(ann.error(settings("4", wrong)), "bad_message");
    }
    assert_eq!(old.error(settings("5", json!({}))), "old_protocol");

    // A `hello` of version 4 changes no settings, and one of an earlier version does.
    let welcome = server.player_in_version("Ann", 4).1;
    assert_eq!(
        (&welcome["name"], &welcome["watchable"]),
        (&json!("Eva"), &json!(true))
    );
    let welcome = server.player_in_version("Ann", 3).1;
    assert_eq!(
        (&welcome["name"], welcome.get("watchable")),
        (&json!("Ann"), None)
    );
    let welcome = server.player_in_version("Ann", 4).1;
    assert_eq!(
        (&welcome["name"], &welcome["watchable"]),
        (&json!("Ann"), &json!(false))
    );

    // The operator's name stays.
    let rename = ["table", "rename", "1", "Ola", "--admin", &server.admin];
    sandbox.war(&rename).exits_with(0);
    let answer = ask(
        &mut ann,
        settings("6", json!({"name": "Ida", "watchable": true})),
    );
    assert_eq!(
        (&answer["name"], &answer["watchable"]),
        (&json!("Ola"), &json!(true))
    );
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
