//! Hostile or broken clients.

use super::{RawClient, Server, client_requests};
use crate::support::Sandbox;
use serde_json::json;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};
use tokio_tungstenite::tungstenite::Message;

#[test]
fn an_overlong_message_ends_only_its_connection() {
    let sandbox = Sandbox::new();
    let server = Server::start(&sandbox, &["--bots", "0"]);
    let mut other = server.player("Ann").0;
    let mut client = server.connect();
    client.send_raw(Message::text("x".repeat(5000)));
    assert!(client.try_receive().is_err());
    other.send(client_requests::single("1"));
    assert_eq!(other.receive()["type"], "waiting");
}

#[test]
fn a_connection_is_closed_with_the_reason() {
    let sandbox = Sandbox::new();
    let server = Server::start(&sandbox, &["--bots", "0"]);
    let mut client = server.connect();
    client.0.close(None).expect("an open connection");
    assert_eq!(client.try_receive().expect_err("the answer"), "closed None");
    let mut client = server.connect();
    assert_eq!(client.error("x".repeat(4096)), "bad_message");
    for too_long in [
        Message::text("x".repeat(4097)),
        Message::text("x".repeat(5000)),
        Message::binary(vec![0; 16_000]),
    ] {
        let mut client = server.connect();
        client.send_raw(too_long);
        let told = client.try_receive().expect_err("the end");
        assert!(told.contains("Size"), "{told}");
    }
}

// Frames that no client library would send. Each begins with flags and opcode, length, and a mask
// of zeros.
#[test]
fn a_connection_that_sends_invalid_frames_is_closed_with_the_reason() {
    let sandbox = Sandbox::new();
    let server = Server::start(&sandbox, &["--bots", "0"]);
    let frames: [(&[u8], &str); 3] = [
        (&[0x81, 0x81, 0, 0, 0, 0, 0xff], "Invalid"),
        (&[0x83, 0x80, 0, 0, 0, 0], "Protocol"),
        (&[0x82, 0xfe, 0x4e, 0x20, 0, 0, 0, 0], "Size"),
    ];
    for (frame, reason) in frames {
        let mut client = server.connect();
        client.0.get_mut().write_all(frame).expect("a connection");
        let told = client.try_receive().expect_err("the end");
        assert!(told.contains(reason), "{told}");
    }
}

#[test]
fn connections_per_player_are_limited() {
    let sandbox = Sandbox::new();
    let server = Server::start(&sandbox, &["--bots", "0"]);
    let mut first = server.player("Ann").0;
    let hello = client_requests::hello("Ann");
    let mut more: Vec<_> = (0..15)
        .map(|_| {
            let mut client = server.connect();
            client.send(hello.clone());
            assert_eq!(client.receive()["type"], "welcome");
            client
        })
        .collect();
    let mut last = server.connect();
    let other = client_requests::hello_by(&client_requests::token("Ann"), "Bob");
    assert_eq!(last.error(other), "too_many_connections");
    let store = rusqlite::Connection::open(sandbox.path("table.db")).expect("the store");
    let name: String = store
        .query_row("SELECT name FROM player", [], |row| row.get(0))
        .expect("a player");
    assert_eq!(name, "Ann", "a refused request changes the name");
    more.pop();
    let until = Instant::now() + Duration::from_secs(60);
    loop {
        last.send(hello.clone());
        if last.receive()["type"] == "welcome" {
            break;
        }
        assert!(Instant::now() < until, "nobody leaves");
    }
    first.send(client_requests::single("c"));
    assert_eq!(first.receive()["type"], "waiting");
}

#[test]
fn a_flood_is_slowed_and_then_cut_off() {
    let sandbox = Sandbox::new();
    let server = Server::start(&sandbox, &["--bots", "0", "--rate", "10"]);
    let (mut client, _) = server.player("Ann");
    let mut codes = Vec::new();
    assert_eq!(client.error(client_requests::cancel("x")), "not_waiting");
    for number in 0..400 {
        let id = number.to_string();
        let request = client_requests::cancel(&id).to_string();
        if client.0.send(Message::text(request)).is_err() {
            break;
        }
    }
    while let Ok(answer) = client.try_receive() {
        codes.push(answer["code"].as_str().expect("a code").to_owned());
    }
    assert!(codes.len() < 400, "{} answers", codes.len());
    assert!(codes.iter().any(|code| code == "too_fast"), "{codes:?}");
    let pings = Message::Ping(Vec::new().into());
    for flood in [Message::binary(vec![0; 16]), pings] {
        let (mut client, _) = server.player("Bob");
        for _ in 0..4_000 {
            client.0.write(flood.clone()).expect("an open connection");
        }
        client.0.flush().expect("an open connection");
        let told = loop {
            if let Err(told) = client.try_receive() {
                break told;
            }
        };
        assert!(told.contains("Policy"), "{told}");
    }
    server.player("Carl");
}

// Each frame has six bytes, and no message ever ends.
#[test]
fn empty_frames_count_too() {
    let sandbox = Sandbox::new();
    let server = Server::start(&sandbox, &["--bots", "0"]);
    let empty = [0x00, 0x80, 0, 0, 0, 0];
    let begin = [0x01, 0x80, 0, 0, 0, 0];
    let ping = [0x89, 0x80, 0, 0, 0, 0];
    let only_empty = [begin.to_vec(), empty.repeat(5000)].concat();
    // With pings in between, so that the server has something to handle now and then.
    let with_pings = [empty.repeat(30), ping.to_vec()].concat().repeat(20);
    let with_pings = [begin.to_vec(), with_pings].concat();
    for flood in [only_empty, with_pings] {
        let (mut client, _) = server.player("Flood");
        client.0.get_mut().write_all(&flood).expect("a connection");
        let told = client.try_receive().expect_err("the end");
        assert!(told.contains("Policy"), "{told}");
    }
    // A message in a few frames is like any other.
    let (mut client, _) = server.player("Ann");
    let request = client_requests::cancel("x").to_string();
    let (first, rest) = request.as_bytes().split_at(10);
    for (kind, part) in [(0x01, first), (0x80, rest)] {
        let length = u8::try_from(part.len()).expect("a short text");
        let frame = [&[kind, 0x80 | length, 0, 0, 0, 0], part].concat();
        client.0.get_mut().write_all(&frame).expect("a connection");
    }
    assert_eq!(client.receive()["code"], "not_waiting");
}

#[test]
fn the_sender_of_an_overlong_message_learns_the_reason() {
    let sandbox = Sandbox::new();
    let server = Server::start(&sandbox, &["--bots", "0"]);
    for length in [17_000, 70_000, 4_000_000_u64] {
        let mut client = server.connect();
        let mut frame = vec![0x82, 0xff];
        frame.extend(length.to_be_bytes());
        frame.extend([0; 4]);
        let size = usize::try_from(length).expect("a small number");
        frame.extend(vec![0; size]);
        client.0.get_mut().write_all(&frame).expect("a connection");
        let told = client.try_receive().expect_err("the end");
        assert!(told.contains("Size"), "{length} bytes: {told}");
    }
}

#[test]
fn pages_of_other_origins_may_not_connect() {
    let sandbox = Sandbox::new();
    let server = Server::start(
        &sandbox,
        &["--bots", "0", "--origin", "https://War.example:443/"],
    );
    let own = format!("http://{}", server.address);
    for (origin, allowed) in [
        (own.as_str(), true),
        ("https://war.example", true),
        ("https://evil.example", false),
        ("https://war.example.evil.example", false),
        ("null", false),
    ] {
        let opened = RawClient::open(&server.address, "/ws", &[("origin", origin)]);
        assert_eq!(opened.is_ok(), allowed, "{origin}");
    }
    server.wait_for_metric("war_table_origins_refused_total 3");
}

#[test]
fn connections_over_the_limit_are_refused_and_counted() {
    let sandbox = Sandbox::new();
    let server = Server::start(&sandbox, &["--bots", "0", "--connections", "2"]);
    let _line = server.player("Ann");
    let _second = server.connect();
    let mut third = TcpStream::connect(&server.address).expect("a connection");
    assert!(matches!(third.read(&mut [0; 1]), Ok(0) | Err(_)));
    // The operator is not kept out.
    let (head, _) = server.admin("/health");
    assert!(head.starts_with("HTTP/1.1 200"), "{head}");
    server.wait_for_metric("war_table_connections_refused_total 1");
}

#[test]
fn slow_half_open_and_excess_connections_harm_nobody() {
    let sandbox = Sandbox::new();
    let server = Server::start(
        &sandbox,
        &["--bots", "0", "--connections", "40", "--rate", "1000"],
    );
    // Clients that send half a request and nothing more occupy connections for ten seconds.
    let half: Vec<_> = (0..20)
        .map(|_| {
            let mut stream = TcpStream::connect(&server.address).expect("a connection");
            stream
                .write_all(b"GET /ws HTTP/1.1\r\nHost: localhost")
                .expect("a beginning");
            stream
        })
        .collect();
    // A client that sends requests and never reads.
    let (mut deaf, _) = server.player("Deaf");
    deaf.0.get_mut().set_nonblocking(true).expect("a socket");
    let before = server.memory();
    let until = Instant::now() + Duration::from_secs(2);
    while Instant::now() < until {
        let first = json!({"game_id": 1, "deal": 1});
        let request = client_requests::decide("1", &first, "play").to_string();
        let _ = deaf.0.send(Message::text(request));
    }
    let silent: Vec<_> = (0..40)
        .map(|_| TcpStream::connect(&server.address))
        .collect();
    let grown = server.memory().saturating_sub(before);
    assert!(grown < 20_000, "{grown} kB for a client that does not read");
    drop((half, silent, deaf));
    let until = Instant::now() + Duration::from_secs(60);
    let heard = loop {
        let opened = RawClient::open(&server.address, "/ws", &[]);
        if let Ok(mut client) = opened {
            client.send(client_requests::hello("Ann"));
            break client.receive();
        }
        assert!(Instant::now() < until, "nobody comes in any more");
    };
    assert_eq!(heard["type"], "welcome");
}
