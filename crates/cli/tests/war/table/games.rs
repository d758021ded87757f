//! Games, from the choice to the result.

use super::server::{get, journal_path};
use super::table_client::Client;
use super::{Server, client_requests, dealt, dealt_in_version};
use crate::support::{Sandbox, replayed};
use crate::view::data;
use serde_json::{Value, json};
use std::time::Duration;

#[test]
fn two_players_play_and_the_journal_verifies() {
    let sandbox = Sandbox::new();
    let server = Server::start(&sandbox, &["--bots", "0"]);
    assert!(
        server.opening.contains("no house players"),
        "{}",
        server.opening
    );
    let [mut ann, mut bob] = dealt(&server, "double-card-game");
    for game in ["1", "2", "18446744073709551615"] {
        let (head, _) = server.get(&format!("/games/{game}/journal.json"));
        assert!(head.starts_with("HTTP/1.1 404"), "{game} is served: {head}");
        let (head, _) = server.get(&format!("/games/{game}/view"));
        assert!(head.starts_with("HTTP/1.1 404"), "{game} is shown: {head}");
    }
    ann.send(ann.decision("d", "play"));
    bob.send(bob.decision("d", "fold"));
    let (won, lost) = (ann.receive_until("result"), bob.receive_until("result"));
    let result = |heard: &[Value]| {
        let end = &heard[heard.len() - 1];
        (
            end["outcome"].clone(),
            end["delta"].clone(),
            end["balance"].clone(),
        )
    };
    assert_eq!(result(&won), (json!("won"), json!(5), json!(1005)));
    assert_eq!(result(&lost), (json!("lost"), json!(-5), json!(995)));
    assert_eq!(
        won[won.len() - 1].get("cards"),
        None,
        "folded cards are shown"
    );
    let path = journal_path(&sandbox, 1);
    let (head, journal) = server.get(&path);
    assert!(head.starts_with("HTTP/1.1 200"), "{head}");
    let (fault, printed) = replayed(journal.as_bytes());
    assert_eq!(fault, None);
    assert!(printed.contains("player 1 wins 5 tokens"), "{printed}");
    // There is one journal for all languages, since a digest covers one text.
    let (_, asked_in_polish) = server.get(&format!("{path}?lang=pl"));
    assert_eq!(asked_in_polish, journal);
    // The journal's page allows its own script, so the response header must not forbid all scripts.
    let (head, page) = server.get(&path.replace("journal.json", "view?lang=pl"));
    assert!(head.starts_with("HTTP/1.1 200"), "{head}");
    let policy = "content-security-policy: frame-ancestors 'none'\r\n";
    assert!(head.to_lowercase().contains(policy), "{head}");
    assert!(page.starts_with("<!doctype html>\n<html lang=\"pl\">"));
    assert!(page.contains("script-src 'sha256-"));
    let about: Value = serde_json::from_str(data(&page, "about")).expect("JSON");
    assert_eq!(about["rules"], "double-card-game/2");
    assert_eq!(about["verdict"], "VERIFIED");
}

/// Server and the path of the page of a game that has been played there.
fn server_with_game(sandbox: &Sandbox) -> (Server, String) {
    let server = Server::start(sandbox, &["--bots", "0", "--rate", "20"]);
    let [mut ann, mut bob] = dealt(&server, "single-card-game");
    ann.send(ann.decision("d", "fold"));
    bob.send(bob.decision("d", "fold"));
    let end = ann.receive_until("result").pop().expect("a result");
    let game = end["game_id"].as_u64().expect("a number");
    let view = journal_path(sandbox, game).replace("journal.json", "view");
    (server, view)
}

#[test]
fn browsers_reuse_the_page_of_a_game() {
    let sandbox = Sandbox::new();
    let (server, view) = server_with_game(&sandbox);
    let get = |path: &str, header: &str| get(&server.address, path, header);
    let (head, page) = get(&view, "");
    let (_, tag) = head.split_once("\r\netag: ").expect("a tag");
    let (tag, _) = tag.split_once("\r\n").expect("more headers");
    let (head, same) = get(&view, &format!("If-None-Match: {tag}\r\n"));
    assert!(head.starts_with("HTTP/1.1 304"), "{head}");
    assert_eq!(same, "");
    // The browser would apply another policy to the page that it has.
    let policy = "content-security-policy: frame-ancestors 'none'\r\n";
    assert!(head.contains(policy), "{head}");
    let (head, polish) = get(
        &format!("{view}?lang=pl"),
        &format!("If-None-Match: {tag}\r\n"),
    );
    assert!(head.starts_with("HTTP/1.1 200"), "{head}");
    assert_ne!(polish, page);
}

// An address may send 2,000 requests at once, and 1,000 a second.
#[test]
fn a_page_counts_as_many_requests_unless_it_is_in_memory() {
    let sandbox = Sandbox::new();
    let (server, view) = server_with_game(&sandbox);
    let refused = |path: &str| {
        let heads = (0..100).map(|_| server.get(path).0);
        heads
            .filter(|head| head.starts_with("HTTP/1.1 429"))
            .inspect(|head| assert!(head.contains("\r\nretry-after: 1"), "{head}"))
            .count()
    };
    assert_eq!(refused(&view), 0);
    assert_eq!(refused("/schema.json"), 0);
    let unknown = refused(&journal_path(&sandbox, 1000).replace("journal.json", "view"));
    assert!(unknown > 20, "{unknown} were refused");
}

#[test]
fn every_message_fits_the_schema() {
    for (version, path) in [
        (2, "/schema-2.json"),
        (3, "/schema-3.json"),
        (4, "/schema.json"),
    ] {
        check_messages(version, path);
    }
}

/// Checks that messages of this version of the protocol fit the schema at this path.
fn check_messages(version: u32, path: &str) {
    let sandbox = Sandbox::new();
    let server = Server::start(&sandbox, &["--bots", "0", "--decide-seconds", "1"]);
    let (_, schema) = server.get(path);
    let schema: Value = serde_json::from_str(&schema).expect("JSON");
    let [mut ann, mut bob] = dealt_in_version(&server, "single-card-game", version);
    let mut heard = vec![server.player_in_version("Zoe", version).1];
    assert_eq!(heard[0]["protocol"], version);
    ann.send(ann.decision("d", "play"));
    bob.send(bob.decision("d", "play"));
    heard.extend(ann.receive_until("decided"));
    bob.send(bob.decision("x", "maybe"));
    heard.extend(bob.receive_until("error"));
    let mut waits = server.player_in_version("Waits", version).0;
    waits.send(client_requests::double("1"));
    waits.send(json!({"type": "cancel", "id": "2", "game": "double-card-game"}));
    heard.extend(waits.receive_until("cancelled"));
    // Players who tie get new cards, and fold when time is up.
    heard.extend(ann.receive_until("result"));
    ann.send(json!({"type": "games", "id": "g", "limit": 1}));
    heard.extend(ann.receive_until("games"));
    for message in &heard {
        assert!(described(&schema, message), "{message}");
    }
    assert!(!described(&schema, &json!({"seq": 1, "type": "waiting"})));
    assert!(!described(
        &schema,
        &json!({"type": "waiting", "game": "single-card-game"})
    ));
}

/// Returns true if a server message fits the schema: it has all required fields, and only known
/// ones.
fn described(schema: &Value, message: &Value) -> bool {
    let sent = &schema["$defs"]["Sent"];
    let kinds = sent["oneOf"].as_array().expect("the kinds of messages");
    let kind = kinds
        .iter()
        .find(|kind| kind["properties"]["type"]["const"] == message["type"]);
    let Some(kind) = kind else { return false };
    let fields = message.as_object().expect("an object");
    let known = |field: &String| {
        kind["properties"].get(field).is_some() || sent["properties"].get(field).is_some()
    };
    let required = [&kind["required"], &sent["required"]];
    let mut required = required.into_iter().filter_map(Value::as_array).flatten();
    fields.keys().all(known)
        && required.all(|field| message.get(field.as_str().unwrap_or("")).is_some())
}

#[test]
fn undecided_players_fold_when_time_is_up() {
    let sandbox = Sandbox::new();
    let server = Server::start(&sandbox, &["--bots", "0", "--decide-seconds", "1"]);
    let [mut ann, mut bob] = dealt(&server, "single-card-game");
    ann.send(ann.decision("d", "play"));
    let heard = bob.receive_until("result");
    assert_eq!(heard[0]["type"], "opponent_decided");
    assert_eq!(heard[1]["type"], "decided");
    assert_eq!(heard[1]["timed_out"], true);
    assert_eq!(heard[2]["delta"], -3);
    assert_eq!(
        ann.receive_until("result").last().expect("a result")["delta"],
        3
    );
}

#[test]
fn a_lone_visitor_plays_against_the_house() {
    let sandbox = Sandbox::new();
    let server = Server::start(&sandbox, &[]);
    let mut client = Client::new(&server.address, "Ann");
    client
        .play("double-card-game", |_| true)
        .expect("a fair game");
    client
        .play("single-card-game", |_| false)
        .expect("a fair game");
    assert_eq!(client.games, 2);
    // More house players come if all are busy: each visitor already has an opponent when the next
    // one comes.
    let mut visitors = Vec::new();
    for (name, game) in ["A", "B", "C", "D"]
        .into_iter()
        .zip(["single", "double"].into_iter().cycle())
    {
        let mut visitor = server.player(name).0;
        visitor.send(client_requests::choose("1", &format!("{game}-card-game")));
        let started = visitor.receive_until("started");
        let opponent = &started[started.len() - 1]["opponent"];
        let name = opponent["name"].as_str();
        assert!(name.is_some_and(|name| name.starts_with("House ")));
        assert_eq!(opponent["house"], true);
        visitors.push(visitor);
    }
}

// The server is stopped past the deadline, and so is the table's time.
#[test]
#[ignore = "waits for the real clock: `.ci/deep clock`"]
fn a_stopped_server_folds_nobody() {
    let sandbox = Sandbox::new();
    let server = Server::start(&sandbox, &["--bots", "0", "--decide-seconds", "2"]);
    let [mut ann, mut bob] = dealt(&server, "single-card-game");
    server.signal("STOP");
    std::thread::sleep(Duration::from_millis(3500));
    ann.send(ann.decision("d", "play"));
    server.signal("CONT");
    let decided = ann.receive_until("decided").pop().expect("an answer");
    assert_eq!(decided["timed_out"], false, "{decided}");
    // Bob folds only because the time to decide runs out.
    let result = bob.receive_until("result").pop().expect("a result");
    assert_eq!(result["delta"], -3, "{result}");
}
