//! The card table as its players and its operator see it: real server, real connections.

#[path = "../../examples/table_client.rs"]
#[allow(dead_code, reason = "an example has parts that no test needs")]
mod table_client;

use super::support::{Place, replayed};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use table_client::Client;
use tokio_tungstenite::tungstenite::{self, Message, WebSocket};

/// A server in a place of its own, killed at the end.
pub(crate) struct Server {
    child: Child,
    pub(crate) address: String,
    pub(crate) opening: String,
}

impl Server {
    pub(crate) fn start(place: &Place, options: &[&str]) -> Self {
        Self::start_at(place, "127.0.0.1:0", options)
    }

    pub(crate) fn start_at(place: &Place, address: &str, options: &[&str]) -> Self {
        let arguments = [&["serve", "--listen", address], options].concat();
        let mut child = place
            .command(&arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the server");
        let mut lines = BufReader::new(child.stdout.take().expect("its output")).lines();
        let mut line = || lines.next().and_then(Result::ok).unwrap_or_default() + "\n";
        let opening = line() + &line();
        let address = opening
            .split("http://")
            .nth(1)
            .and_then(|rest| rest.split('/').next());
        let Some(address) = address.map(str::to_owned) else {
            let mut errors = String::new();
            let mut stderr = child.stderr.take().expect("its errors");
            stderr.read_to_string(&mut errors).expect("text");
            panic!("the table did not open: {opening}{errors}");
        };
        Self {
            child,
            address,
            opening,
        }
    }

    /// Ends the server as a crash does.
    pub(crate) fn kill(mut self) {
        self.child.kill().expect("it runs");
        self.child.wait().expect("it ends");
    }

    fn signal(&self, name: &str) {
        let pid = self.child.id().to_string();
        let sent = Command::new("kill").args(["-s", name, &pid]).status();
        assert!(sent.expect("kill").success());
    }

    /// Waits for the end, and tells how it came.
    fn end(mut self) -> (i32, String) {
        let mut errors = String::new();
        let mut stderr = self.child.stderr.take().expect("its errors");
        stderr.read_to_string(&mut errors).expect("text");
        let status = self.child.wait().expect("it ends");
        (status.code().unwrap_or(-1), errors)
    }

    /// The resident memory, in kilobytes.
    fn memory(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id()));
        let status = status.expect("Linux");
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
        let number = line.expect("a size").split_whitespace().next();
        number
            .and_then(|number| number.parse().ok())
            .expect("a number")
    }

    fn connect(&self) -> Line {
        Line::open(&self.address, "/ws", &[]).expect("a connection")
    }

    /// A connection that said `hello`.
    fn player(&self, name: &str) -> (Line, Value) {
        let mut line = self.connect();
        line.say(json!({"type": "hello", "id": "h", "name": name}));
        let welcome = line.hear();
        assert_eq!(welcome["type"], "welcome");
        (line, welcome)
    }

    /// An HTTP request: the head of the response, and its body.
    fn get(&self, path: &str) -> (String, String) {
        let mut stream = TcpStream::connect(&self.address).expect("a connection");
        write!(
            stream,
            "GET {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n",
            self.address
        )
        .expect("a request");
        let mut response = String::new();
        stream.read_to_string(&mut response).expect("a response");
        let (head, body) = response.split_once("\r\n\r\n").expect("a head");
        (head.to_owned(), body.to_owned())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A raw connection, for all that a well-behaved client does not do.
struct Line(WebSocket<TcpStream>);

impl Line {
    fn open(address: &str, path: &str, headers: &[(&'static str, &str)]) -> Result<Self, String> {
        use tungstenite::client::IntoClientRequest;
        let stream = TcpStream::connect(address).map_err(|error| error.to_string())?;
        let limit = Some(Duration::from_secs(10));
        stream.set_read_timeout(limit).expect("a timeout");
        let mut request = format!("ws://{address}{path}")
            .into_client_request()
            .expect("a URL");
        for (name, value) in headers {
            request
                .headers_mut()
                .insert(*name, value.parse().expect("a value"));
        }
        let opened = tungstenite::client(request, stream).map_err(|error| error.to_string())?;
        Ok(Self(opened.0))
    }

    fn say(&mut self, request: impl std::fmt::Display) {
        self.raw(Message::text(request.to_string()));
    }

    /// Says something that goes out with what is said next.
    fn write(&mut self, request: &Value) {
        let message = Message::text(request.to_string());
        self.0.write(message).expect("an open connection");
    }

    fn raw(&mut self, message: Message) {
        self.0.send(message).expect("an open connection");
    }

    fn hear(&mut self) -> Value {
        self.try_hear().expect("a message")
    }

    /// The next message, or what the connection says instead.
    fn try_hear(&mut self) -> Result<Value, String> {
        loop {
            match self.0.read().map_err(|error| error.to_string())? {
                Message::Text(text) => return Ok(serde_json::from_str(&text).expect("JSON")),
                Message::Close(frame) => return Err(format!("closed {frame:?}")),
                _ => {}
            }
        }
    }

    /// The messages up to one of this type.
    fn until(&mut self, kind: &str) -> Vec<Value> {
        let mut heard = Vec::new();
        loop {
            heard.push(self.hear());
            if heard[heard.len() - 1]["type"] == kind {
                return heard;
            }
        }
    }

    fn error(&mut self, request: impl std::fmt::Display) -> String {
        self.say(request);
        let answer = self.hear();
        assert_eq!(answer["type"], "error", "{answer}");
        answer["code"].as_str().expect("a code").to_owned()
    }
}

/// Two players with cards in their hands.
fn dealt(server: &Server, game: &str) -> [Line; 2] {
    let [mut ann, mut bob] = ["Ann", "Bob"].map(|name| server.player(name).0);
    for (id, line) in [&mut ann, &mut bob].into_iter().enumerate() {
        line.say(json!({"type": "choose", "id": format!("c{id}"), "game": game}));
    }
    for line in [&mut ann, &mut bob] {
        line.until("started");
        line.say(json!({"type": "seed", "id": "s", "value": "chance"}));
    }
    for line in [&mut ann, &mut bob] {
        line.until("dealt");
    }
    [ann, bob]
}

#[test]
fn two_players_play_and_the_journal_verifies() {
    let place = Place::new();
    let server = Server::start(&place, &["--bots", "0"]);
    assert!(
        server.opening.contains("no house players"),
        "{}",
        server.opening
    );
    let [mut ann, mut bob] = dealt(&server, "double-card-game");
    for game in ["1", "2", "18446744073709551615"] {
        let (head, _) = server.get(&format!("/games/{game}/journal.json"));
        assert!(head.starts_with("HTTP/1.1 404"), "{game} is told: {head}");
    }
    ann.say(json!({"type": "decide", "id": "d", "decision": "play"}));
    bob.say(json!({"type": "decide", "id": "d", "decision": "fold"}));
    let (won, lost) = (ann.until("result"), bob.until("result"));
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
    let (head, journal) = server.get("/games/1/journal.json");
    assert!(head.starts_with("HTTP/1.1 200"), "{head}");
    let (fault, printed) = replayed(journal.as_bytes());
    assert_eq!(fault, None);
    assert!(printed.contains("Ann wins 5 tokens"), "{printed}");
    let (_, polish) = server.get("/games/1/journal.json?lang=pl");
    assert!(
        replayed(polish.as_bytes())
            .1
            .contains("Ann wygrywa 5 żetonów")
    );
}

#[test]
fn every_message_fits_the_schema() {
    let place = Place::new();
    let server = Server::start(&place, &["--bots", "0", "--decide-seconds", "1"]);
    let (_, schema) = server.get("/schema.json");
    let schema: Value = serde_json::from_str(&schema).expect("JSON");
    let [mut ann, mut bob] = dealt(&server, "single-card-game");
    let mut heard = vec![server.player("Zoe").1];
    let request = json!({"type": "decide", "id": "d", "decision": "play"});
    ann.say(request.clone());
    bob.say(request.clone());
    heard.extend(ann.until("decided"));
    bob.say(json!({"type": "decide", "id": "x", "decision": "maybe"}));
    heard.extend(bob.until("error"));
    let mut waits = server.player("Waits").0;
    waits.say(json!({"type": "choose", "id": "1", "game": "double-card-game"}));
    waits.say(json!({"type": "cancel", "id": "2"}));
    heard.extend(waits.until("cancelled"));
    // Who has tied is dealt new cards, and folds them when time is up.
    heard.extend(ann.until("result"));
    for message in &heard {
        assert!(described(&schema, message), "{message}");
    }
    assert!(!described(&schema, &json!({"seq": 1, "type": "waiting"})));
    assert!(!described(
        &schema,
        &json!({"type": "waiting", "game": "single-card-game"})
    ));
}

/// Whether a message of the server has all the fields that the schema asks for, and no other.
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
fn who_does_not_decide_in_time_folds() {
    let place = Place::new();
    let server = Server::start(&place, &["--bots", "0", "--decide-seconds", "1"]);
    let [mut ann, mut bob] = dealt(&server, "single-card-game");
    ann.say(json!({"type": "decide", "id": "d", "decision": "play"}));
    let heard = bob.until("result");
    assert_eq!(heard[0]["type"], "decided");
    assert_eq!(heard[0]["timed_out"], true);
    assert_eq!(heard[1]["delta"], -3);
    assert_eq!(ann.until("result").last().expect("a result")["delta"], 3);
}

#[test]
fn a_request_counts_once_and_is_answered_again() {
    let place = Place::new();
    let server = Server::start(&place, &["--bots", "0"]);
    let (mut ann, welcome) = server.player("Ann");
    let choose = json!({"type": "choose", "id": "c", "game": "single-card-game"});
    ann.say(choose.clone());
    let first = ann.hear();
    ann.say(choose.clone());
    assert_eq!(ann.hear(), first);
    let reused = json!({"type": "choose", "id": "c", "game": "double-card-game"});
    assert_eq!(ann.error(reused), "id_reused");
    drop(ann);
    // The same on another connection, and after a crash.
    let token = welcome["token"].clone();
    let hello = json!({"type": "hello", "id": "h2", "name": "Ann", "token": token});
    let mut again = server.connect();
    again.say(hello.clone());
    assert_eq!(again.hear()["seq"], 1);
    again.say(choose.clone());
    assert_eq!(again.hear(), first);
    let address = server.address.clone();
    server.kill();
    let server = Server::start_at(&place, &address, &["--bots", "0"]);
    let mut again = server.connect();
    again.say(hello);
    again.hear();
    again.say(choose);
    assert_eq!(again.hear(), first);
}

#[test]
fn what_was_missed_comes_again_in_order_and_once() {
    let place = Place::new();
    let server = Server::start(&place, &["--bots", "0"]);
    let [mut ann, mut bob] = dealt(&server, "single-card-game");
    let (_, welcome) = server.player("Carl");
    let token = welcome["token"].clone();
    for line in [&mut ann, &mut bob] {
        line.say(json!({"type": "decide", "id": "d", "decision": "fold"}));
    }
    for line in [&mut ann, &mut bob] {
        line.until("result");
    }
    let mut carl = server.connect();
    carl.say(json!({"type": "hello", "id": "h", "name": "Carl", "token": token}));
    assert_eq!(carl.hear()["seq"], 0);
    carl.say(json!({"type": "choose", "id": "c", "game": "single-card-game"}));
    let mut heard = carl.until("waiting");
    ann.say(json!({"type": "choose", "id": "c2", "game": "single-card-game"}));
    heard.extend(carl.until("started"));
    carl.say(json!({"type": "seed", "id": "s", "value": ""}));
    assert_eq!(carl.hear()["type"], "seeded");
    drop(carl);
    ann.say(json!({"type": "seed", "id": "s2", "value": ""}));
    ann.until("dealt");
    // Another connection hears nothing before it asks, then all of it, then what is new.
    let mut carl = server.connect();
    carl.say(json!({"type": "hello", "id": "h", "name": "Carl", "token": token}));
    assert_eq!(carl.hear()["seq"], 4);
    assert_eq!(
        carl.error(json!({"type": "resume", "id": "r", "after": 5})),
        "bad_after"
    );
    carl.say(json!({"type": "resume", "id": "r", "after": 0}));
    let missed = carl.until("dealt");
    assert_eq!(missed[..2], heard);
    let seqs: Vec<_> = missed
        .iter()
        .filter_map(|message| message["seq"].as_u64())
        .collect();
    assert_eq!(seqs, [1, 2, 3, 4]);
    ann.say(json!({"type": "decide", "id": "d2", "decision": "play"}));
    carl.say(json!({"type": "decide", "id": "d", "decision": "fold"}));
    assert_eq!(carl.hear()["seq"], 5);
    assert_eq!(carl.hear()["type"], "result");
}

// All of it in one go, so that the server does it in one go.
#[test]
fn who_asks_and_leaves_at_once_loses_nothing() {
    let place = Place::new();
    let server = Server::start(&place, &["--bots", "0"]);
    let (mut line, welcome) = server.player("Ann");
    for number in 0..6 {
        let id = format!("c{number}");
        let choose = json!({"type": "choose", "id": id, "game": "single-card-game"});
        let cancel = json!({"type": "cancel", "id": format!("x{number}")});
        for request in [choose, cancel] {
            line.write(&request);
        }
    }
    line.0.close(None).expect("an open connection");
    while line.try_hear().is_ok() {}
    let token = welcome["token"].clone();
    let mut again = server.connect();
    again.say(json!({"type": "hello", "id": "h", "name": "Ann", "token": token}));
    let seq = again.hear()["seq"].as_u64().expect("a number");
    again.say(json!({"type": "resume", "id": "r", "after": 0}));
    for expected in 1..=seq {
        assert_eq!(again.hear()["seq"], expected);
    }
    again.say(json!({"type": "choose", "id": "last", "game": "single-card-game"}));
    assert_eq!(again.hear()["seq"], seq + 1);
}

#[test]
fn who_leaves_before_he_is_welcomed_is_forgotten() {
    let place = Place::new();
    let server = Server::start(&place, &["--bots", "0"]);
    for _ in 0..20 {
        let mut line = server.connect();
        line.write(&json!({"type": "hello", "id": "h", "name": "Ann"}));
        line.0.close(None).expect("an open connection");
    }
    let until = Instant::now() + Duration::from_secs(10);
    while !server.get("/health").1.contains("\"players\":0") {
        assert!(Instant::now() < until, "{}", server.get("/health").1);
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn every_request_of_a_burst_is_answered() {
    let place = Place::new();
    let server = Server::start(&place, &["--bots", "0", "--rate", "1000"]);
    let (mut line, _) = server.player("Ann");
    for number in 0..1000 {
        line.write(&json!({"type": "cancel", "id": number.to_string()}));
    }
    line.0.flush().expect("an open connection");
    for number in 0..1000 {
        assert_eq!(line.hear()["in_reply_to"], number.to_string());
    }
}

#[test]
fn a_lone_visitor_plays_with_the_house() {
    let place = Place::new();
    let server = Server::start(&place, &[]);
    let mut client = Client::new(&server.address, "Ann");
    client.play("double-card-game", |_| true);
    client.play("single-card-game", |_| false);
    assert_eq!(client.games, 2);
}

#[test]
fn bad_requests_are_answered_and_the_connection_lives_on() {
    let place = Place::new();
    let server = Server::start(&place, &["--bots", "0"]);
    let mut line = server.connect();
    for (request, code) in [
        (
            json!({"type": "choose", "id": "1", "game": "single-card-game"}),
            "hello_first",
        ),
        (
            json!({"type": "resume", "id": "1", "after": 0}),
            "hello_first",
        ),
        (
            json!({"type": "hello", "id": "1", "name": "Ann", "token": "00".repeat(32)}),
            "unknown_token",
        ),
        (
            json!({"type": "hello", "id": "1", "name": "Ann", "token": "' OR 1=1 --"}),
            "bad_message",
        ),
        (
            json!({"type": "hello", "id": "1", "name": ""}),
            "bad_message",
        ),
        (
            json!({"type": "hello", "id": "1", "name": "x".repeat(33)}),
            "bad_message",
        ),
        (
            json!({"type": "hello", "id": "1", "name": "A\u{202e}nn"}),
            "bad_message",
        ),
        (
            json!({"type": "hello", "id": "", "name": "Ann"}),
            "bad_message",
        ),
        (json!({"type": "hello", "name": "Ann"}), "bad_message"),
        (
            json!({"type": "hello", "id": "1", "name": "Ann", "balance": 9}),
            "bad_message",
        ),
        (json!({"type": "hullo", "id": "1"}), "bad_message"),
        (json!([1, 2]), "bad_message"),
        (json!(null), "bad_message"),
    ] {
        assert_eq!(line.error(request.clone()), code, "{request}");
    }
    for text in [
        "",
        "{",
        "hello",
        "{\"type\":\"hello\",\"id\":\"1\",\"id\":\"2\",\"name\":\"A\"}",
        "\u{0}",
    ] {
        line.raw(Message::text(text));
        assert_eq!(line.hear()["code"], "bad_message", "{text}");
    }
    line.raw(Message::text("[".repeat(4000)));
    assert_eq!(line.hear()["code"], "bad_message");
    line.raw(Message::binary(vec![0; 16]));
    assert_eq!(line.hear()["code"], "bad_message");
    let name = "<b>'; DROP TABLE player;--";
    line.say(json!({"type": "hello", "id": "1", "name": name}));
    assert_eq!(line.hear()["balance"], 1000);
    for (request, code) in [
        (
            json!({"type": "hello", "id": "2", "name": "Ann"}),
            "hello_again",
        ),
        (
            json!({"type": "decide", "id": "2", "decision": "play"}),
            "not_playing",
        ),
        (
            json!({"type": "seed", "id": "2", "value": "x"}),
            "not_playing",
        ),
        (
            json!({"type": "seed", "id": "2", "value": "x".repeat(65)}),
            "bad_message",
        ),
        (json!({"type": "cancel", "id": "2"}), "not_waiting"),
        (
            json!({"type": "resume", "id": "2", "after": -1}),
            "bad_message",
        ),
        (
            json!({"type": "resume", "id": "2", "after": u64::MAX}),
            "bad_after",
        ),
        (
            json!({"type": "choose", "id": "2", "game": "poker"}),
            "bad_message",
        ),
    ] {
        assert_eq!(line.error(request.clone()), code, "{request}");
    }
    line.say(json!({"type": "choose", "id": "3", "game": "single-card-game"}));
    assert_eq!(line.hear()["type"], "waiting");
    let mut other = server.player("Bob").0;
    other.say(json!({"type": "choose", "id": "1", "game": "single-card-game"}));
    assert_eq!(other.hear()["opponent"], name);
}

#[test]
fn errors_are_told_in_polish_too() {
    let place = Place::new();
    let server = Server::start(&place, &["--bots", "0"]);
    let mut line = Line::open(&server.address, "/ws?lang=pl", &[]).expect("a connection");
    line.say(json!({"type": "cancel", "id": "1"}));
    assert_eq!(line.hear()["message"], "najpierw musi być `hello`");
    for (request, told) in [
        (
            json!({"type": "hello", "id": "1", "name": ""}),
            "imię ma od 1 do 32 widocznych znaków",
        ),
        (
            json!({"type": "hello", "id": "", "name": "A"}),
            "`id` ma od 1 do 64 widocznych znaków ASCII",
        ),
        (json!({"type": "hello", "id": "1"}), "brakuje pola `name`"),
    ] {
        line.say(request);
        assert_eq!(
            line.hear()["message"],
            format!("to nie jest żądanie: {told}")
        );
    }
}

#[test]
fn a_message_that_is_too_long_ends_its_connection_alone() {
    let place = Place::new();
    let server = Server::start(&place, &["--bots", "0"]);
    let mut other = server.player("Ann").0;
    let mut line = server.connect();
    line.raw(Message::text("x".repeat(5000)));
    assert!(line.try_hear().is_err());
    other.say(json!({"type": "choose", "id": "1", "game": "single-card-game"}));
    assert_eq!(other.hear()["type"], "waiting");
}

#[test]
fn a_flood_is_slowed_and_then_cut_off() {
    let place = Place::new();
    let server = Server::start(&place, &["--bots", "0", "--rate", "10"]);
    let (mut line, _) = server.player("Ann");
    let mut codes = Vec::new();
    assert_eq!(
        line.error(json!({"type": "cancel", "id": "x"})),
        "not_waiting"
    );
    for number in 0..400 {
        let id = number.to_string();
        let request = json!({"type": "cancel", "id": id}).to_string();
        if line.0.send(Message::text(request)).is_err() {
            break;
        }
    }
    while let Ok(answer) = line.try_hear() {
        codes.push(answer["code"].as_str().expect("a code").to_owned());
    }
    assert!(codes.len() < 400, "{} answers", codes.len());
    assert_eq!(codes.last().map(String::as_str), Some("too_fast"));
    server.player("Bob");
}

#[test]
fn pages_of_other_origins_may_not_connect() {
    let place = Place::new();
    let server = Server::start(&place, &["--bots", "0", "--origin", "https://war.example"]);
    let own = format!("http://{}", server.address);
    for (origin, allowed) in [
        (own.as_str(), true),
        ("https://war.example", true),
        ("https://evil.example", false),
        ("https://war.example.evil.example", false),
        ("null", false),
    ] {
        let opened = Line::open(&server.address, "/ws", &[("origin", origin)]);
        assert_eq!(opened.is_ok(), allowed, "{origin}");
    }
}

#[test]
fn slow_half_open_and_too_many_connections_harm_nobody() {
    let place = Place::new();
    let server = Server::start(
        &place,
        &["--bots", "0", "--connections", "40", "--rate", "1000"],
    );
    // Half a request, and nothing more: they keep their places for ten seconds.
    let half: Vec<_> = (0..20)
        .map(|_| {
            let mut stream = TcpStream::connect(&server.address).expect("a connection");
            stream
                .write_all(b"GET /ws HTTP/1.1\r\nHost: x")
                .expect("a beginning");
            stream
        })
        .collect();
    // One that asks and never reads.
    let (mut deaf, _) = server.player("Deaf");
    deaf.0.get_mut().set_nonblocking(true).expect("a socket");
    let before = server.memory();
    let until = Instant::now() + Duration::from_secs(2);
    while Instant::now() < until {
        let request = json!({"type": "decide", "id": "1", "decision": "play"}).to_string();
        let _ = deaf.0.send(Message::text(request));
    }
    let silent: Vec<_> = (0..40)
        .map(|_| TcpStream::connect(&server.address))
        .collect();
    let grown = server.memory().saturating_sub(before);
    assert!(grown < 20_000, "{grown} kB for a client that does not read");
    drop((half, silent, deaf));
    let until = Instant::now() + Duration::from_secs(15);
    let heard = loop {
        let opened = Line::open(&server.address, "/ws", &[]);
        if let Ok(mut line) = opened {
            line.say(json!({"type": "hello", "id": "h", "name": "Ann"}));
            break line.hear();
        }
        assert!(Instant::now() < until, "nobody comes in any more");
    };
    assert_eq!(heard["type"], "welcome");
}

#[test]
fn health_and_metrics_tell_of_the_table() {
    let place = Place::new();
    let server = Server::start(&place, &["--bots", "0"]);
    let [mut ann, _bob] = dealt(&server, "single-card-game");
    let (head, body) = server.get("/health");
    assert!(head.starts_with("HTTP/1.1 200"), "{head}");
    let health: Value = serde_json::from_str(&body).expect("JSON");
    assert_eq!(
        health,
        json!({"status": "ok", "players": 2, "running": 1, "waiting": 0})
    );
    ann.error(json!({"type": "cancel", "id": "x"}));
    let (_, metrics) = server.get("/metrics");
    for line in [
        "war_table_connections 2",
        "war_table_games_running 1",
        "war_table_refusals_total 1",
    ] {
        assert!(
            metrics.lines().any(|known| known == line),
            "{line} in\n{metrics}"
        );
    }
}

#[test]
fn a_signal_drains_the_table() {
    let place = Place::new();
    let server = Server::start(&place, &["--bots", "0"]);
    let [mut ann, mut bob] = dealt(&server, "single-card-game");
    let (mut carl, _) = server.player("Carl");
    server.signal("TERM");
    let until = Instant::now() + Duration::from_secs(5);
    while !server.get("/health").0.starts_with("HTTP/1.1 503") {
        assert!(Instant::now() < until, "the table does not drain");
    }
    let choose = json!({"type": "choose", "id": "c", "game": "single-card-game"});
    assert_eq!(carl.error(choose), "draining");
    ann.say(json!({"type": "decide", "id": "d", "decision": "play"}));
    bob.say(json!({"type": "decide", "id": "d", "decision": "fold"}));
    assert_eq!(ann.until("result").last().expect("a result")["delta"], 3);
    bob.until("result");
    assert!(carl.try_hear().expect_err("the end").contains("closed"));
    let (code, errors) = server.end();
    assert_eq!(code, 0, "{errors}");
    assert!(errors.contains("the table closes"), "{errors}");
    let log = &place.logs()[0];
    for told in [
        "INFO open",
        "INFO joined",
        "name: Carl",
        "INFO draining",
        "INFO closed",
    ] {
        assert!(log.contains(told), "{told} in {log}");
    }
}

#[test]
fn a_store_that_can_t_be_used_is_told() {
    let place = Place::new();
    let server = Server::start(&place, &[]);
    let refused = |arguments: &[&str], code, what: &str| {
        let listen = ["serve", "--listen", "127.0.0.1:0"];
        place
            .war(&[&listen, arguments].concat())
            .ends_with(code)
            .tells(what);
    };
    refused(&[], 4, "in use by another server");
    refused(&["--lang", "pl"], 4, "używa już inny serwer");
    refused(&["--store", "postgres://localhost"], 2, "is no store");
    refused(&["--store", "sqlite:missing/table.db"], 4, "no such file");
    place.write(
        "text.db",
        "this is no database, but a text that is long enough to be read",
    );
    refused(&["--store", "sqlite:text.db"], 4, "not a database");
    let other = rusqlite::Connection::open(place.path("other.db")).expect("a database");
    other
        .execute_batch("CREATE TABLE something (x)")
        .expect("a table");
    refused(
        &["--store", "sqlite:other.db"],
        4,
        "no store of this version",
    );
    refused(&["--bots", "many"], 2, "many");
    refused(&["--store", "sqlite:"], 4, "no such file");
    let link = place.path("link.db");
    std::os::unix::fs::symlink(place.path("table.db"), link).expect("a link");
    refused(
        &["--store", "sqlite:link.db"],
        4,
        "in use by another server",
    );
    place.write("never.toml", "[table]\ndecide_seconds = 0\n");
    let never = ["--config", "never.toml"];
    refused(&never, 2, "`decide_seconds` is 0 and may be 1 to 86400");
    let taken = [
        "serve",
        "--listen",
        &server.address,
        "--store",
        "sqlite:new.db",
    ];
    place
        .war(&taken)
        .ends_with(4)
        .tells("the address is in use");
}

#[test]
fn flags_go_before_variables_and_variables_before_the_file() {
    let place = Place::new();
    place.write(
        "war.toml",
        "[table]\nlisten = \"127.0.0.1:0\"\nbots = 3\nstore = \"sqlite:file.db\"\n",
    );
    let run = |variable: Option<&str>, arguments: &[&str]| {
        let mut command = place.command(&[&["serve"], arguments].concat());
        if let Some(bots) = variable {
            command.env("WAR_TABLE_BOTS", bots);
        }
        let mut child = command.stdout(Stdio::piped()).spawn().expect("the server");
        let mut lines = BufReader::new(child.stdout.take().expect("its output")).lines();
        let second = lines.nth(1).and_then(Result::ok).unwrap_or_default();
        child.kill().expect("it runs");
        child.wait().expect("it ends");
        second
    };
    assert!(run(None, &[]).contains("sqlite:file.db, 3 house players"));
    assert!(run(Some("1"), &[]).contains("1 house player,"));
    assert!(run(Some("1"), &["--bots", "0"]).contains("no house players"));
}

// What was acknowledged is there after a crash: clients that know the schema alone rebuild
// their balances from what they heard, over any number of crashes, and the store agrees.
#[test]
fn after_random_kills_the_messages_make_the_balances_of_the_store() {
    const CLIENTS: usize = 6;
    const KILLS: u32 = 5;
    const ENOUGH: u64 = 6;
    let place = Place::new();
    let mut server = Server::start(
        &place,
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
                    client.play(game, |cards| cards.to_string().len() % 2 == index % 2);
                }
                client
            })
        };
        let threads: Vec<_> = (0..CLIENTS).map(spawn).collect();
        for kill in 0..KILLS {
            std::thread::sleep(Duration::from_millis(400 + u64::from(kill) * 137));
            let _ = server.child.kill();
            let _ = server.child.wait();
            *server = Server::start_at(
                &place,
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
    let store = rusqlite::Connection::open(place.path("table.db")).expect("the store");
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
        assert_eq!(of("balance"), client.balance, "{name}");
        assert_eq!(of("seq"), i64::try_from(client.seq).expect("few"), "{name}");
        let sent = "SELECT count(*) = max(seq) AND min(seq) = 1 FROM outbox \
                    WHERE player = (SELECT id FROM player WHERE name = ?1)";
        assert_eq!(number(sent, &name), 1, "{name} has a gap");
        let booked = "SELECT coalesce(sum(CASE WHEN credit = player.id THEN tokens ELSE -tokens END), 0) \
                      FROM ledger JOIN player ON player.id IN (debit, credit) WHERE name = ?1";
        assert_eq!(number(booked, &name), client.balance, "{name}'s ledger");
    }
    let settled = "SELECT count(*) FROM event WHERE body LIKE '%\"settled\"%' AND ?1 = ?1";
    assert!(number(settled, "") > 20);
}
