//! Secrets: none is printed, logged or kept, wherever a malformed one is typed.

use super::Server;
use super::raw_client::RawClient;
use crate::support::{Run, Sandbox, files_below, project};
use std::fs;
use std::io::{Read, Write};
use std::net::{Shutdown, TcpStream};
use tokio_tungstenite::tungstenite::Message;

/// Part of a password that nothing may show.
const SECRET: &str = "s3cr3tZZ";

/// Texts that are almost this one: a character is left out or replaced, or one with a meaning is
/// inserted, before the secret or right after it.
fn mutate(text: &str, secret: &str) -> Vec<String> {
    let start = text.find(secret).expect("a secret");
    let end = start + secret.len();
    let places = (0..start).chain((end < text.len()).then_some(end));
    let mutated = places.flat_map(|at| {
        let (before, after) = text.split_at(at);
        let rest = &after[1..];
        let replaced = ["", ":", "/", "@", "?", "#", "=", " ", "%", "\"", "\\", ";"]
            .map(|with| format!("{before}{with}{rest}"));
        let inserted = [":", "/", "@", "=", " "].map(|with| format!("{before}{with}{after}"));
        replaced.into_iter().chain(inserted)
    });
    let mutated: Vec<String> = mutated.collect();
    assert!(mutated.len() > 200, "only {}", mutated.len());
    mutated
}

/// Addresses of a database that are almost right, with the password in them. The host refuses
/// connections.
fn malformed_stores() -> Vec<String> {
    let mut stores = mutate(&format!("postgres://war:{SECRET}@127.0.0.1:1/war"), SECRET);
    stores.extend([
        format!("host=db user=war password={SECRET} dbname=war"),
        format!("war:{SECRET}@db/war"),
        format!("postgres://war:{SECRET}"),
        format!("sqlite:postgres://war:{SECRET}@db/war"),
        format!("sqlite:war:{SECRET}@db/war"),
        format!("postgres://127.0.0.1:1/war?password={SECRET}&pasword={SECRET}"),
        format!("postgres://127.0.0.1:1/war password={SECRET}"),
    ]);
    stores
}

/// Links that are almost those with which players take their key to another device.
fn malformed_links() -> Vec<String> {
    let mut links = mutate(&format!("http://127.0.0.1:1/#key={SECRET}abcd"), SECRET);
    links.extend([
        format!("127.0.0.1:1/#key={SECRET}"),
        format!("#key={SECRET}"),
        format!("http://127.0.0.1:1/?key={SECRET}"),
        format!("http://127.0.0.1:1/%23key={SECRET}"),
    ]);
    links
}

fn assert_hidden(sandbox: &Sandbox, store: &str, printed: &str) {
    assert!(!printed.contains(SECRET), "{store}: {printed}");
    for file in files_below(&sandbox.path(".")) {
        let name = file.display().to_string();
        assert!(!name.contains(SECRET), "{store}: {name}");
        if name.ends_with("war.toml") {
            continue;
        }
        let bytes = fs::read(&file).expect("a file");
        let text = String::from_utf8_lossy(&bytes);
        assert!(!text.contains(SECRET), "{store}: in {name}");
    }
}

const SERVE: [&str; 6] = ["serve", "--listen", "127.0.0.1:0", "--key", "k", "--no-log"];

#[test]
fn a_malformed_store_is_not_shown_wherever_it_is_typed() {
    let sandbox = Sandbox::new();
    for store in malformed_stores() {
        let option = sandbox.war(&[&SERVE[..], &["--store", &store]].concat());
        assert_hidden(&sandbox, &store, &format!("{option:?}"));
        assert_ne!(option.code, 0, "{store}");
        let moved = sandbox.war(&["table", "move", "sqlite:none.db", &store, "--key", "k"]);
        assert_hidden(&sandbox, &store, &moved.stderr);
    }
}

#[test]
fn a_malformed_store_in_the_environment_is_not_shown() {
    let sandbox = Sandbox::new();
    for store in malformed_stores() {
        let mut command = sandbox.command(&SERVE);
        command.env("WAR_TABLE_STORE", &store);
        let run = command.output().expect("a process");
        assert_hidden(&sandbox, &store, &String::from_utf8_lossy(&run.stderr));
    }
}

#[test]
fn a_malformed_store_in_the_configuration_is_not_shown() {
    let sandbox = Sandbox::new();
    for store in malformed_stores() {
        sandbox.write("war.toml", format!("[table]\nstore = \"{store}\"\n"));
        let run = sandbox.war(&SERVE);
        assert_hidden(&sandbox, &store, &run.stderr);
    }
}

#[test]
fn a_link_with_a_key_is_not_shown_wherever_an_address_or_a_file_is_typed() {
    let sandbox = Sandbox::new();
    for link in malformed_links() {
        let places: [&[&str]; 9] = [
            &["log", "verify", &link],
            &["table-load", &link],
            &["table", "players", "--admin", &link],
            &["serve", "--no-log", "--listen", &link],
            &[
                "serve",
                "--no-log",
                "--listen",
                "127.0.0.1:0",
                "--origin",
                &link,
            ],
            &[
                "serve",
                "--no-log",
                "--listen",
                "127.0.0.1:0",
                "--host",
                &link,
            ],
            &["replay", &link],
            &["journal", "check", &link],
            &["--scenario", &link],
        ];
        for arguments in places {
            // A host or an origin that is accepted would let the table run.
            let serves = arguments.contains(&"127.0.0.1:0");
            let more: &[&str] = if serves { &["--store", "none:"] } else { &[] };
            let run = sandbox.war(&[arguments, more].concat());
            assert!(!run.stderr.contains(SECRET), "{arguments:?}: {run:#?}");
            assert!(!run.stdout.contains(SECRET), "{arguments:?}: {run:#?}");
        }
    }
    // The logs of all runs.
    assert_hidden(&sandbox, "all links", "");
}

#[test]
fn a_link_with_a_key_in_the_settings_is_not_shown() {
    let sandbox = Sandbox::new();
    for link in malformed_links() {
        sandbox.write("war.toml", format!("[table]\nlisten = \"{link}\"\n"));
        let run = sandbox.war(&["serve", "--no-log", "--store", "none:"]);
        assert_hidden(&sandbox, &link, &run.stderr);
        fs::remove_file(sandbox.path("war.toml")).expect("a file");
        for variable in ["WAR_TABLE_LISTEN", "WAR_TABLE_ADMIN", "WAR_TABLE_ORIGINS"] {
            let mut command = sandbox.command(&["serve", "--no-log", "--store", "none:"]);
            let run = Run::of(command.env(variable, &link));
            assert_hidden(&sandbox, &format!("{variable} {link}"), &run.stderr);
        }
    }
}

/// The text of a secret key, typed where the name of its file belongs.
#[test]
fn a_secret_key_typed_in_place_of_its_file_is_not_shown() {
    let sandbox = Sandbox::new();
    for name in ["signer.key", "protected.key"] {
        let file = fs::read_to_string(project().join("tests/keys").join(name)).expect("a key");
        let key = file.lines().nth(1).expect("a key");
        let secret = &key[40..60];
        for arguments in [
            &["journal", "sign", "a.json", "--key", key][..],
            &["journal", "verify", "a.json", "--public-key", key],
            &["serve", "--listen", "127.0.0.1:0", "--no-log", "--key", key],
            &["table", "players", "--key", key],
        ] {
            let run = sandbox.war(arguments);
            assert_ne!(run.code, 0, "{arguments:?}");
            assert!(!run.stderr.contains(secret), "{run:#?}");
        }
    }
}

/// Part of a token that nothing may show.
const TOKEN_PART: &str = "5ec2e75ec2e7";

/// Sends a request, and ignores the answer: some requests get none.
fn send_request(address: &str, request: &str) {
    let mut stream = TcpStream::connect(address).expect("a table");
    let sent = stream.write_all(request.as_bytes());
    let ended = sent.and_then(|()| stream.shutdown(Shutdown::Write));
    let _ = ended.and_then(|()| stream.read_to_end(&mut Vec::new()));
}

#[test]
fn a_running_table_shows_logs_and_keeps_no_token_however_it_comes() {
    let sandbox = Sandbox::new();
    sandbox.write("war.toml", "[log]\nlevel = \"trace\"\n");
    let options = [
        "--bots",
        "0",
        "--rate",
        "100000",
        "--new-players",
        "1000000",
    ];
    let mut server = Server::start(&sandbox, &options);
    let token = TOKEN_PART.repeat(6)[..64].to_owned();
    let hello = format!(
        r#"{{"type":"hello","id":"h","name":"Ann","protocol":2,"watchable":false,"token":"{token}"}}"#
    );
    for hello in mutate(&hello, &token) {
        let mut client = RawClient::open(&server.address, "/ws", &[]).expect("a connection");
        // A table may close the connection after a message that it can't read.
        let _ = client.0.send(Message::text(hello));
        let _ = client.try_receive();
    }
    let proof = format!("Authorization: War-Operator {token}\r\nX-War-Challenge: {token}");
    let request = format!("POST /operator HTTP/1.1\r\nHost: a\r\n{proof}\r\n\r\n");
    let link = format!("GET /log/#key={token} HTTP/1.1\r\nHost: war.example\r\n\r\n");
    for (address, request) in [(&server.admin, &request), (&server.address, &link)] {
        for request in mutate(request, &token) {
            send_request(address, &request);
        }
    }
    server.signal("TERM");
    let (code, printed, errors) = server.outcome();
    assert_eq!(code, 0, "{errors}");
    for text in [printed, errors] {
        assert!(!text.contains(TOKEN_PART), "{text}");
    }
    assert!(sandbox.logs().concat().contains("connection"), "a log");
    for file in files_below(&sandbox.path(".")) {
        let bytes = fs::read(&file).expect("a file");
        let text = String::from_utf8_lossy(&bytes);
        assert!(!text.contains(TOKEN_PART), "in {}", file.display());
    }
}
