use super::harness::{
    OwnerNode, Proxy, SECRET, accept_encrypted, bind_listener, clear_links, expect_answers,
    new_peers, request, silent_log, visitor, with_timeout,
};
use crate::peers::handshake::{LinkChannel, Nonces, Role};
use crate::peers::{LinkSecret, Peers};
use slog::{Drain, KV, Key, Logger, OwnedKVList, Record, Serializer};
use std::fmt::{Arguments, Write};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use war::support::hex::Hex;
use war_table::server::Clock;
use war_table::server::rooms::RoomNumber;

/// Creates a logger, and the buffer to which the logger writes its lines.
pub(super) fn recording_log() -> (Logger, Arc<Mutex<String>>) {
    struct Lines(Arc<Mutex<String>>);
    struct Line<'a>(&'a mut String);
    impl Serializer for Line<'_> {
        fn emit_arguments(&mut self, _: Key, value: &Arguments<'_>) -> slog::Result {
            Ok(write!(self.0, "; {value}")?)
        }
    }
    impl Drain for Lines {
        type Ok = ();
        type Err = slog::Never;

        fn log(&self, record: &Record<'_>, _: &OwnedKVList) -> Result<(), slog::Never> {
            let mut lines = self.0.lock().expect("a lock");
            write!(lines, "{} {}", record.level(), record.msg()).expect("a text");
            let written = record.kv().serialize(record, &mut Line(&mut lines));
            written.expect("a text");
            lines.push('\n');
            Ok(())
        }
    }
    let lines = Arc::new(Mutex::new(String::new()));
    let log = Logger::root(Lines(Arc::clone(&lines)), slog::o!());
    (log, lines)
}

/// Waits until the log contains a text; returns the whole log.
pub(super) async fn wait_for_log(lines: &Mutex<String>, expected: &str) -> String {
    with_timeout(async {
        loop {
            let lines = lines.lock().expect("a lock").clone();
            if lines.contains(expected) {
                return lines;
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    })
    .await
}

/// Sends bytes to a node; returns the bytes received until the node closes the connection, and the
/// time taken.
async fn exchange_bytes(owner: &OwnerNode, bytes: &[u8]) -> (Vec<u8>, Duration) {
    let start = Instant::now();
    let mut stream = TcpStream::connect(&owner.address.0).await.expect("a node");
    // The node may already have closed the connection.
    let _ = stream.write_all(bytes).await;
    let mut answer = Vec::new();
    let _ = with_timeout(stream.read_to_end(&mut answer)).await;
    (answer, start.elapsed())
}

fn encode_frame(json: &str) -> Vec<u8> {
    let length = u32::try_from(json.len()).expect("a length");
    [&length.to_be_bytes(), json.as_bytes()].concat()
}

// Expected values computed with Python's hmac and hashlib.
#[test]
fn a_proof_equals_an_independent_computation() {
    let nonces = Nonces {
        dialer: Hex::new([1; 32]),
        listener: Hex::new([2; 32]),
    };
    let encrypted = LinkChannel::Encrypted([3; 32]);
    for (role, channel, expected) in [
        (
            Role::Dialer,
            LinkChannel::Clear,
            "d80b2de15b51f94845349d56b689337f092ee2f4f523ebbdfb5cd538c7bbea0e",
        ),
        (
            Role::Listener,
            LinkChannel::Clear,
            "00adbce7f6539add4294e835d32c9c10aa11b9d9230f16bb9cc9205403710cce",
        ),
        (
            Role::Dialer,
            encrypted,
            "e73f60662e15159453ed7b54d296c4e5ee11d6908876c821bf95979c7339fcf9",
        ),
        (
            Role::Listener,
            encrypted,
            "672ca802417486e092b5589e7693ffdc28f12ca533ff0031a55748ffa3d0cc00",
        ),
    ] {
        let proof = SECRET.prove(role, channel, &nonces);
        assert_eq!(proof.to_string(), expected);
        for other in [Role::Dialer, Role::Listener] {
            let accepts = SECRET.is_valid_proof(&proof, other, channel, &nonces);
            assert_eq!(accepts, other == role);
        }
        for other in [
            LinkChannel::Clear,
            encrypted,
            LinkChannel::Encrypted([4; 32]),
        ] {
            let accepts = SECRET.is_valid_proof(&proof, role, other, &nonces);
            assert_eq!(accepts, other == channel, "{other:?}");
        }
        let swapped = Nonces {
            dialer: nonces.listener,
            listener: nonces.dialer,
        };
        assert!(!SECRET.is_valid_proof(&proof, role, channel, &swapped));
        assert!(!LinkSecret::new([8; 32]).is_valid_proof(&proof, role, channel, &nonces));
    }
    assert_eq!(format!("{SECRET:?}"), "LinkSecret(..)");
}

#[tokio::test]
async fn nodes_of_other_tables_are_refused() {
    let (owner_log, _) = recording_log();
    let owner = OwnerNode::start(LinkSecret::new([8; 32]), owner_log).await;
    let mut room = owner.add_room(0);
    let (log, lines) = recording_log();
    let peers = Peers::new(SECRET, clear_links(true), Clock::start(), log);
    for _ in 0..3 {
        let entered = peers.enter(&owner.address, RoomNumber(0), visitor()).await;
        assert!(entered.is_err());
        tokio::time::sleep(Duration::from_millis(120)).await;
    }
    let lines = lines.lock().expect("a lock").clone();
    let reason = "the other node does not know the secret of this table";
    let node = &owner.address;
    assert_eq!(
        lines,
        format!("WARN can't reach a node; {reason}; {node}\n"),
        "once"
    );
    assert!(room.try_recv().is_err());
}

#[tokio::test]
async fn a_node_without_the_secret_is_refused() {
    let (log, lines) = recording_log();
    let owner = OwnerNode::start_with(SECRET, log, clear_links(true)).await;
    let mut room = owner.add_room(0);
    let nonce = "05".repeat(32);
    let greeting = encode_frame(&format!(r#"{{"version":1,"nonce":"{nonce}"}}"#));
    let enter = r#"{"enter":{"visit":1,"age":0,"room":0,"address":{"v4":1},"lang":"en"}}"#;
    let made_up = encode_frame(&format!(r#"{{"proof":"{nonce}"}}"#));
    let bytes = [greeting, made_up, encode_frame(enter)].concat();
    let (answer, took) = exchange_bytes(&owner, &bytes).await;
    assert!(took < Duration::from_secs(1), "{took:?}");
    assert!(answer.len() < 300, "only a greeting");
    // Reflection: the listener's own proof is sent back to the listener.
    let mut stream = TcpStream::connect(&owner.address.0).await.expect("a node");
    let greeting = encode_frame(&format!(r#"{{"version":1,"nonce":"{nonce}"}}"#));
    assert!(stream.write_all(&greeting).await.is_ok());
    let length = stream.read_u32().await.expect("a frame") as usize;
    let mut theirs = vec![0; length];
    assert!(stream.read_exact(&mut theirs).await.is_ok());
    let theirs: serde_json::Value = serde_json::from_slice(&theirs).expect("JSON");
    let back = encode_frame(&serde_json::json!({ "proof": theirs["proof"] }).to_string());
    assert!(
        stream
            .write_all(&[back, encode_frame(enter)].concat())
            .await
            .is_ok()
    );
    let mut rest = Vec::new();
    let _ = with_timeout(stream.read_to_end(&mut rest)).await;
    assert_eq!(rest, b"");
    assert!(room.try_recv().is_err(), "nobody came");
    let reason = "the other node does not know the secret of this table";
    let lines = wait_for_log(&lines, reason).await;
    assert_eq!(lines.matches(reason).count(), 1, "once: {lines}");
}

#[tokio::test]
async fn both_sides_refuse_another_version() {
    let (owner_log, owner_lines) = recording_log();
    let owner = OwnerNode::start_with(SECRET, owner_log, clear_links(true)).await;
    let nonce = "05".repeat(32);
    let greeting = format!(r#"{{"version":7,"nonce":"{nonce}","more":[]}}"#);
    let (answer, _) = exchange_bytes(&owner, &encode_frame(&greeting)).await;
    let answer = String::from_utf8_lossy(&answer[4..]).into_owned();
    assert!(answer.starts_with(r#"{"version":1,"nonce":""#), "{answer}");
    assert!(!answer.contains("proof"), "{answer}");
    let reason = "the other node speaks version 7 of the link, and this one version ";
    let lines = wait_for_log(&owner_lines, &format!("{reason}1")).await;
    assert!(lines.starts_with("WARN refused a node; "), "{lines}");

    let (listener, address) = bind_listener().await;
    let (log, lines) = recording_log();
    let peers = Peers::new(SECRET, clear_links(true), Clock::start(), log);
    let later = async {
        let mut stream = accept_encrypted(&listener).await.stream;
        assert!(stream.write_all(&encode_frame(&greeting)).await.is_ok());
        assert!(stream.flush().await.is_ok());
        stream
    };
    let entered = peers.enter(&address, RoomNumber(0), visitor());
    let (entered, _stream) = tokio::join!(entered, later);
    assert!(entered.is_err());
    let lines = lines.lock().expect("a lock");
    assert!(lines.contains(&format!("{reason}2")), "{lines}");
}

#[tokio::test]
async fn a_replayed_handshake_is_refused() {
    let owner = OwnerNode::start(SECRET, silent_log()).await;
    let mut room = owner.add_room(0);
    let proxy = Proxy::start(&owner.address).await;
    let (peers, clock) = new_peers();
    let connection = peers.enter(&proxy.address, RoomNumber(0), visitor()).await;
    let mut connection = connection.expect("a node");
    assert!(
        connection
            .send_request(request("a"), clock.now())
            .await
            .is_ok()
    );
    expect_answers(&mut connection, "a").await;
    while room.try_recv().is_ok() {}
    let traffic = [0, 1].map(|side| proxy.traffic[side].lock().expect("a lock").clone());
    // The traffic is replayed to the node that received it.
    exchange_bytes(&owner, &traffic[0]).await;
    assert!(room.try_recv().is_err(), "nobody came");
    // The traffic is replayed to the node that sent it.
    let (listener, address) = bind_listener().await;
    let again = async {
        let (mut stream, _) = listener.accept().await.expect("a node");
        assert!(stream.write_all(&traffic[1]).await.is_ok());
        stream
    };
    let entered = peers.enter(&address, RoomNumber(0), visitor());
    let (entered, _stream) = tokio::join!(entered, again);
    assert!(entered.is_err());
}

#[tokio::test]
#[ignore = "waits for the real clock: `.ci/deep clock`"]
async fn little_is_read_and_not_for_long_before_the_handshake() {
    let owner = OwnerNode::start(SECRET, silent_log()).await;
    // The announced frame is longer than a handshake allows.
    let (answer, took) = exchange_bytes(&owner, &[0, 0, 4, 1]).await;
    assert_eq!(
        (&answer[..], took < Duration::from_secs(1)),
        (&b""[..], true)
    );
    let (answer, took) = exchange_bytes(&owner, b"GET / HTTP/1.1\r\n\r\n").await;
    assert_eq!(
        (&answer[..], took < Duration::from_secs(1)),
        (&b""[..], true)
    );
    let (answer, took) = exchange_bytes(&owner, b"").await;
    assert_eq!(
        (&answer[..], took < Duration::from_millis(2500)),
        (&b""[..], true)
    );
    // Beyond the limit on unauthenticated connections, a connection is closed at once.
    let mut waiting = Vec::new();
    for _ in 0..64 {
        waiting.push(TcpStream::connect(&owner.address.0).await.expect("a node"));
    }
    let (_, took) = exchange_bytes(&owner, b"").await;
    assert!(took < Duration::from_millis(700), "{took:?}");
}
