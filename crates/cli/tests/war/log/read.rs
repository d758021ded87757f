//! Sources of a log, and the output about it.

use super::test_log::{BEGINNING, HOUR, KEY, TestLog, end, start, verify};
use crate::support::{Sandbox, project};
use serde_json::Value;
use std::fs;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{SystemTime, UNIX_EPOCH};

/// SHA-256 of the table's public key, computed by `sha256sum`.
const FINGERPRINT: &str = "b6122592c488c81501b8be99b9cea82b6287610bab68061200a99f22435dacbc";

/// Serves the files of a directory, and `status` for missing ones. Returns the address.
pub(super) fn served(directory: PathBuf, status: &'static str) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("an address");
    thread::spawn(move || {
        for stream in listener.incoming() {
            // Fails if the client has seen enough and has disconnected.
            let _ = answer(stream.expect("a connection"), &directory, status);
        }
    });
    format!("http://{address}/log/")
}

/// Answers one request with a file of the directory, or with `status` if it is missing.
pub(super) fn answer(
    mut stream: impl Read + Write,
    directory: &Path,
    status: &str,
) -> io::Result<()> {
    let mut lines = BufReader::new(&mut stream).lines();
    let request = lines.next().ok_or(io::ErrorKind::UnexpectedEof)??;
    lines
        .map_while(Result::ok)
        .take_while(|line| !line.is_empty())
        .for_each(drop);
    let path = request.split(' ').nth(1).expect("a path");
    let (status, body) = match fs::read(directory.join(&path[1..])) {
        Ok(body) => ("200 OK", body),
        Err(_) => (status, Vec::new()),
    };
    let length = body.len();
    let head =
        format!("HTTP/1.1 {status}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n");
    stream.write_all(head.as_bytes())?;
    stream.write_all(&body)?;
    stream.flush()
}

#[test]
fn a_log_is_verified_in_a_directory_and_where_it_is_served() {
    let (sandbox, log) = (Sandbox::new(), TestLog::games(300));
    log.write(&sandbox);
    sandbox.write("seen", log.with(|leaves| leaves.truncate(257)).checkpoint());
    let run = verify(&sandbox, &["--with", "seen"]).exits_with(0);
    let verified = format!(
        "VERIFIED log: 600 leaves, 300 games, all ended, signed with key {KEY}\n\
         SHA-256 of the key: {FINGERPRINT}\n\
         It contains the earlier log with 257 leaves.\n"
    );
    assert_eq!((run.stdout, run.stderr), (verified.clone(), String::new()));
    let address = served(sandbox.path(""), "404 Not Found");
    let run = sandbox
        .war(&["log", "verify", &address, "--with", "seen"])
        .exits_with(0);
    let place_of = format!("VERIFIED {address}: ");
    assert_eq!(run.stdout, verified.replace("VERIFIED log: ", &place_of));
    let polish = verify(&sandbox, &["--with", "seen", "--lang", "pl"]).exits_with(0);
    let expected = format!(
        "VERIFIED log: 600 liści, 300 gier, wszystkie zakończone, podpisano kluczem {KEY}\n\
         SHA-256 klucza: {FINGERPRINT}\n\
         Zawiera wcześniejszy rejestr, 257 liści.\n"
    );
    assert_eq!(polish.stdout, expected);
}

#[test]
fn an_empty_log_is_valid() {
    let sandbox = Sandbox::new();
    TestLog::games(0).write(&sandbox);
    let run = verify(&sandbox, &[]).exits_with(0);
    assert!(
        run.stdout.starts_with("VERIFIED log: 0 leaves, 0 games, "),
        "{run:#?}"
    );
    sandbox.write("seen", TestLog::games(0).checkpoint());
    TestLog::games(1).write(&sandbox);
    verify(&sandbox, &["--with", "seen"]).exits_with(0);
}

#[test]
fn the_age_of_a_served_log_depends_on_the_clock() {
    // A copy is judged at the time of its last leaf, but the table's own log at the current time,
    // at which the end of the game is overdue.
    let sandbox = Sandbox::new();
    TestLog::of([start(5, BEGINNING - 30 * 24 * HOUR)]).write(&sandbox);
    verify(&sandbox, &[]).exits_with(0);
    let address = served(sandbox.path(""), "404 Not Found");
    let run = sandbox.war(&["log", "verify", &address]).exits_with(1);
    assert!(
        run.stderr.contains("WL303 game 5, which began in leaf 0"),
        "{run:#?}"
    );
    let since = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .expect("after 1970");
    let now = u64::try_from(since.as_millis()).expect("a time");
    TestLog::of([start(5, now - 23 * HOUR)]).write(&sandbox);
    sandbox.war(&["log", "verify", &address]).exits_with(0);
}

#[test]
fn the_result_is_an_object_for_programs() {
    let (sandbox, log) = (Sandbox::new(), TestLog::games(2));
    log.write(&sandbox);
    sandbox.write("seen", log.with(|leaves| leaves.truncate(2)).checkpoint());
    let result = |options: &[&str], exit| -> Value {
        let run = verify(&sandbox, &[&["--result", "json"], options].concat()).exits_with(exit);
        serde_json::from_str(&run.stdout).expect("one object")
    };
    let found = result(&["--with", "seen"], 0);
    let expected = serde_json::json!({
        "format": "war-log-result",
        "version": 1,
        "log": "log",
        "table": "07070707070707070707070707070707",
        "size": 4,
        "root": found["root"],
        "key": KEY,
        "fingerprint": FINGERPRINT,
        "with": 2,
        "leaves": 4,
        "games": 2,
        "ended": 2,
        "verdict": "VERIFIED",
        "code": null,
        "leaf": null,
        "message": null,
        "faults": 0,
    });
    assert_eq!(found, expected);
    assert_eq!(found["root"].as_str().map(str::len), Some(64));
    let time = BEGINNING + 30 * HOUR;
    TestLog::of([start(1, BEGINNING), end(9, time), end(9, time)]).write(&sandbox);
    let found = result(&[], 1);
    assert_eq!(
        (&found["verdict"], &found["code"]),
        (&"DIVERGED".into(), &"WL302".into())
    );
    assert_eq!((&found["leaf"], &found["faults"]), (&1.into(), &3.into()));
    assert_eq!(found["message"], "leaf 1 ends game 9, which never began");
    // The size of a log without a signed checkpoint is not reported.
    sandbox.write("log/checkpoint", "nothing\n");
    let found = result(&[], 1);
    assert_eq!(
        (&found["size"], &found["verdict"]),
        (&Value::Null, &"DAMAGED".into())
    );
}

#[test]
fn an_unreadable_log_gets_no_verdict() {
    let (sandbox, log) = (Sandbox::new(), TestLog::games(1));
    log.write(&sandbox);
    for (lang, hint) in [("en", "check the address"), ("pl", "sprawdź adres")] {
        let refused = ["--lang", lang, "log", "verify", "http://127.0.0.1:1/log"];
        let run = sandbox.war(&refused).exits_with(4);
        run.reports("`http://127.0.0.1:1/log/key`").reports(hint);
    }
    let run = sandbox.war(&["log", "verify", "nowhere"]).exits_with(4);
    assert!(run.stderr.contains("`nowhere`"), "{run:#?}");
    sandbox
        .war(&["log", "verify", "log/checkpoint"])
        .exits_with(4);
    let address = served(sandbox.path("elsewhere"), "500 Internal Server Error");
    let run = sandbox.war(&["log", "verify", &address]).exits_with(4);
    assert!(run.stderr.contains("HTTP 500"), "{run:#?}");
    // A server that answers without TLS is not the one requested.
    let clear = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = format!("https://{}/log", clear.local_addr().expect("an address"));
    thread::spawn(move || {
        let (mut stream, _) = clear.accept().expect("a connection");
        stream.write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n")
    });
    let run = sandbox.war(&["log", "verify", &address]).exits_with(4);
    let run = run.reports("the server didn't answer in TLS");
    assert!(run.stderr.contains("https://"), "{run:#?}");
    assert!(!run.stderr.contains("panicked"), "{run:#?}");
    let closed = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = format!("http://{}/log", closed.local_addr().expect("an address"));
    drop(closed);
    let run = sandbox.war(&["log", "verify", &address]).exits_with(4);
    assert!(run.stderr.contains(&address), "{run:#?}");
    assert_eq!(run.stdout, "");
}

#[test]
fn keys_and_earlier_checkpoints_must_be_valid() {
    let (sandbox, log) = (Sandbox::new(), TestLog::games(1));
    log.write(&sandbox);
    let public = project().join("tests/keys/signer.pub");
    let public = public.to_str().expect("a path");
    verify(&sandbox, &["--key", public]).exits_with(0);
    let key = fs::read_to_string(public).expect("a key");
    let key = key.lines().nth(1).expect("a key");
    verify(&sandbox, &["--key", key]).exits_with(0);
    verify(&sandbox, &["--key", "log/checkpoint"]).exits_with(2);
    sandbox.write("seen", "nothing\n");
    let run = verify(&sandbox, &["--with", "seen"]).exits_with(2);
    let told = format!("`seen` is not a checkpoint that was signed with key {KEY}");
    assert!(run.stderr.contains(&told), "{run:#?}");
    sandbox.write("seen", log.signed_anew().checkpoint());
    verify(&sandbox, &["--with", "seen"]).exits_with(2);
    verify(&sandbox, &["--with", "nowhere"]).exits_with(4);
    let checkpoint = log.checkpoint();
    let run = sandbox.war_reading(
        checkpoint.as_bytes(),
        &["log", "verify", "log", "--with", "-"],
    );
    run.exits_with(0);
    fs::remove_file(sandbox.path("log/key")).expect("a file");
    let run = verify(&sandbox, &[]).exits_with(2);
    assert!(
        run.stderr
            .contains("`log` doesn't have the key of its table"),
        "{run:#?}"
    );
    verify(&sandbox, &["--key", key]).exits_with(0);
}
