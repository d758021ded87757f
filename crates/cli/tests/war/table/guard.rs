//! Admission of clients, and limits on their requests.

use super::hub::{NEW_PLAYERS, TestHub};
use super::server::{answer, get};
use super::{RawClient, Server, client_requests};
use crate::support::Sandbox;
use serde_json::{Value, json};
use std::net::TcpListener;
use std::time::{Duration, Instant};

/// Status code of a response.
fn status(response: &str) -> u16 {
    let code = response
        .split(' ')
        .nth(1)
        .and_then(|code| code.parse().ok());
    code.unwrap_or_else(|| panic!("no status: {response}"))
}

/// The `hello` of a new player.
fn visits(number: u32) -> Value {
    client_requests::hello_by(&client_requests::token(&number.to_string()), "Ann")
}

/// Connection of a client whose proxy sends this header.
fn through_proxy(server: &Server, forwarded: &str) -> RawClient {
    let headers = [("x-forwarded-for", forwarded)];
    RawClient::open(&server.address, "/ws", &headers).expect("a connection")
}

#[test]
fn new_players_per_address_and_minute_are_limited() {
    let mut table = TestHub::new(0);
    let first = table.hello(0, 0);
    let most = u64::from(2 * NEW_PLAYERS);
    for client in 1..most {
        assert_eq!(table.hello(client, client)["type"], "welcome");
    }
    let refused = table.hello(most, most);
    assert_eq!(refused["code"], "too_fast", "{refused}");
    // Returning players are admitted.
    let back = table.hello(most + 1, 0);
    assert_eq!(back["player"], first["player"]);
    let one_more = 60_000 / u64::from(NEW_PLAYERS);
    table.pass(one_more - 1);
    assert_eq!(table.hello(most + 2, most + 2)["code"], "too_fast");
    table.pass(one_more);
    assert_eq!(table.hello(most + 3, most + 3)["type"], "welcome");
}

#[test]
fn clients_can_ask_for_the_limits() {
    let sandbox = Sandbox::new();
    let server = Server::start(&sandbox, &["--rate", "7", "--new-players", "3"]);
    let (head, limits) = server.get("/limits.json");
    assert_eq!(status(&head), 200, "{head}");
    let limits: Value = serde_json::from_str(&limits).expect("JSON");
    let expected = json!({
        "messages_per_second": 7,
        "address_requests_per_second": 350,
        "new_players_per_minute": 3,
        "requests_per_hour": 1_000,
    });
    assert_eq!(limits, expected);
}

// Up to twice as many new players as the limit per minute may come at once from an address.
#[test]
fn a_trusted_proxy_s_last_entry_is_the_address() {
    let sandbox = Sandbox::new();
    let options = ["--bots", "0", "--new-players", "1"];
    let trusting = ["--trust-proxy", "X-Forwarded-For"];
    let server = Server::start(&sandbox, &[&options[..], &trusting].concat());
    let mut visitors = 0..;
    let mut says_hello = |forwarded: &str| {
        let mut client = through_proxy(&server, forwarded);
        client.send(visits(visitors.next().expect("there is no end")));
        let heard = client.receive();
        heard["code"].as_str().unwrap_or("welcome").to_owned()
    };
    for (forwarded, heard) in [
        ("192.0.2.1", "welcome"),
        ("198.51.100.1, 192.0.2.1", "welcome"),
        // Entries before the proxy's own, which the client may have sent, are ignored.
        ("198.51.100.2, 192.0.2.1", "too_fast"),
        ("192.0.2.2", "welcome"),
        ("192.0.2.1, 192.0.2.2", "welcome"),
        ("2001:db8::1", "welcome"),
        ("2001:db8::2", "welcome"),
        ("2001:db8::3", "too_fast"),
        ("2001:db8:0:1::3", "welcome"),
        // If the proxy sends no address, its own address counts as the client's.
        ("unknown", "welcome"),
        ("hidden", "welcome"),
        ("", "too_fast"),
    ] {
        assert_eq!(says_hello(forwarded), heard, "{forwarded}");
    }
}

#[test]
fn forwarded_addresses_are_ignored_without_a_trusted_proxy() {
    let sandbox = Sandbox::new();
    let server = Server::start(&sandbox, &["--bots", "0", "--new-players", "1"]);
    let said = [
        ("192.0.2.1", "welcome"),
        ("192.0.2.2", "welcome"),
        ("192.0.2.3", "error"),
    ];
    for (visitor, (forwarded, kind)) in (0..).zip(said) {
        let mut client = through_proxy(&server, forwarded);
        client.send(visits(visitor));
        assert_eq!(client.receive()["type"], kind, "{forwarded}");
    }
}

// With a rate of 1, an address may send 100 requests at once, and 50 a second.
#[test]
fn requests_are_limited_across_all_connections_of_an_address() {
    let sandbox = Sandbox::new();
    let options = [
        "--bots",
        "0",
        "--rate",
        "1",
        "--trust-proxy",
        "X-Forwarded-For",
    ];
    let server = Server::start(&sandbox, &options);
    let get = |from: &str| {
        let head = "GET /schema.json HTTP/1.1\r\nConnection: close\r\n";
        let head = format!("{head}Host: {}\r\n", server.address);
        answer(
            &server.address,
            &format!("{head}X-Forwarded-For: {from}\r\n\r\n"),
        )
    };
    let mut client = through_proxy(&server, "192.0.2.1");
    client.send(client_requests::hello("Ann"));
    assert_eq!(client.receive()["type"], "welcome");
    let refused = (0..400).map(|_| get("192.0.2.1"));
    let refused: Vec<_> = refused.filter(|response| status(response) != 200).collect();
    assert!(refused.len() > 20, "{} were refused", refused.len());
    let last = refused.last().expect("one");
    assert_eq!(status(last), 429, "{last}");
    for part in [
        "retry-after: 1\r\n",
        "nosniff",
        "default-src 'self'",
        "too many requests",
    ] {
        assert!(last.contains(part), "{part} in {last}");
    }
    let told = (0..10).map(|_| client.error(client_requests::cancel("x")));
    let told: Vec<_> = told.collect();
    assert!(told.contains(&"too_fast".to_owned()), "{told:?}");
    assert_eq!(status(&get("192.0.2.2")), 200, "others ask as they like");
}

#[test]
fn requests_for_other_hosts_are_refused() {
    let sandbox = Sandbox::new();
    let server = Server::start(&sandbox, &["--bots", "0", "--host", "War.example"]);
    let port = server.address.rsplit(':').next().expect("a port");
    let known = [
        "localhost",
        "127.0.0.1",
        "[::1]",
        "WAR.example.",
        "war.example:443",
    ];
    let with_port = [format!("localhost:{port}"), format!("127.0.0.1:{port}")];
    let known = known
        .into_iter()
        .chain(with_port.iter().map(String::as_str));
    let asked = |address: &str, version: &str, hosts: &[&str]| {
        let hosts: String = hosts
            .iter()
            .map(|host| format!("Host: {host}\r\n"))
            .collect();
        let request = format!("GET / HTTP/{version}\r\nConnection: close\r\n{hosts}\r\n");
        answer(address, &request)
    };
    for host in known {
        assert_eq!(
            status(&asked(&server.address, "1.1", &[host])),
            200,
            "{host}"
        );
    }
    let mut cases = vec![
        (("1.1", vec![]), 400),
        (("1.1", vec!["localhost", "localhost"]), 400),
        (("1.0", vec!["localhost", "localhost"]), 400),
        (("1.1", vec![""]), 400),
        (("1.1", vec!["localhost, evil.example"]), 400),
        (("1.1", vec!["user@localhost"]), 400),
        (("1.0", vec!["evil.example"]), 421),
    ];
    for foreign in [
        "evil",
        "evil.example:80",
        "192.0.2.1",
        "localhost.evil.example",
    ] {
        cases.push((("1.1", vec![foreign]), 421));
    }
    for ((version, hosts), code) in cases {
        for address in [&server.address, &server.admin] {
            let response = asked(address, version, &hosts);
            assert_eq!(status(&response), code, "{hosts:?}: {response}");
            assert!(response.contains("default-src 'self'"), "{response}");
        }
    }
    // HTTP 1.0 without a host is allowed: no browser is that old.
    assert_eq!(status(&asked(&server.address, "1.0", &[])), 200);
    let target =
        "GET http://evil.example/ HTTP/1.1\r\nConnection: close\r\nHost: localhost\r\n\r\n";
    assert_eq!(status(&answer(&server.address, target)), 421);
}

// If the name of a foreign host resolves to this machine, the origin of its pages matches the host
// of their requests.
#[test]
fn foreign_pages_cannot_reach_a_table_on_this_machine() {
    let sandbox = Sandbox::new();
    let server = Server::start(&sandbox, &["--bots", "0", "--host", "war.example"]);
    for (host, origin, opens) in [
        ("evil.example", "http://evil.example", false),
        ("evil", "http://evil", false),
        ("war.example", "http://war.example", true),
        ("war.example", "http://evil.example", false),
    ] {
        let headers = [("host", host), ("origin", origin)];
        let opened = RawClient::open(&server.address, "/ws", &headers);
        assert_eq!(opened.is_ok(), opens, "{host} {origin}");
    }
    server.wait_for_metric("war_table_hosts_refused_total 2");
}

#[test]
fn every_response_has_the_headers_of_a_page() {
    let sandbox = Sandbox::new();
    let server = Server::start(&sandbox, &["--bots", "0"]);
    let cases = [
        ("GET", "/", 200),
        ("GET", "/no_such_page", 404),
        ("GET", "/games/7/journal.json", 404),
        ("GET", "/games/seven/journal.json", 404),
        ("POST", "/", 405),
        ("GET", "/ws", 426),
    ];
    let headers = [
        "x-content-type-options: nosniff",
        "referrer-policy: no-referrer",
        "cache-control: no-cache",
    ];
    let check = |address: &str, method: &str, path: &str, code| {
        let head = format!("{method} {path} HTTP/1.1\r\nHost: localhost\r\n");
        let response = answer(address, &format!("{head}Connection: close\r\n\r\n"));
        assert_eq!(status(&response), code, "{path}: {response}");
        for header in headers {
            assert!(response.contains(header), "{header} in {response}");
        }
        // Of the page, everything is in the document.
        let source = if code == 200 && path == "/" {
            "'none'"
        } else {
            "'self'"
        };
        let policy = format!("content-security-policy: default-src {source}; ");
        assert!(response.contains(&policy), "{policy} in {response}");
    };
    for (method, path, code) in cases {
        check(&server.address, method, path, code);
    }
    check(&server.admin, "GET", "/metrics", 200);
    check(&server.admin, "GET", "/", 404);
}

#[test]
fn operators_have_a_separate_address_or_none() {
    let sandbox = Sandbox::new();
    let server = Server::start(&sandbox, &["--bots", "0"]);
    for path in ["/health", "/health/node", "/metrics"] {
        assert!(server.get(path).0.starts_with("HTTP/1.1 404"), "{path}");
        assert!(server.admin(path).0.starts_with("HTTP/1.1 200"), "{path}");
    }
    let sandbox = Sandbox::new();
    let without = Server::start(&sandbox, &["--bots", "0", "--admin", "off"]);
    assert_eq!(without.admin, "");
    assert!(without.opening.contains("health and metrics are off\n"));
    let taken = ["serve", "--listen", "127.0.0.1:0", "--admin", &server.admin];
    let refused = sandbox.war(&taken).exits_with(4);
    refused.reports("for health and metrics: the address is already in use");
    for (options, what) in [
        (["--admin", "9080"], "9080"),
        (["--peer-listen", "7000"], "7000"),
        (["--peer-listen", "127.0.0.1:0"], "is for nodes that share"),
        (["--advertise", "127.0.0.1:7000"], "is for nodes that share"),
        (
            ["--host", "war.example:80"],
            "`war.example:80` is not a valid host name",
        ),
        (
            ["--trust-proxy", "a b"],
            "`a b` is not a valid name of a header",
        ),
        (["--new-players", "0"], "0"),
    ] {
        let arguments = [&["serve", "--listen", "127.0.0.1:0"][..], &options].concat();
        sandbox.war(&arguments).exits_with(2).reports(what);
    }
}

#[test]
fn nodes_advertise_a_reachable_address() {
    let sandbox = Sandbox::new();
    let taken = TcpListener::bind("127.0.0.1:0").expect("a port");
    let taken = taken.local_addr().expect("an address").to_string();
    let cases: [(&[&str], _, _); 4] = [
        (&["--peer-listen", "0.0.0.0:0"], 2, "`0.0.0.0:0`"),
        (&["--peer-listen", "[::]:7000"], 2, "`[::]:7000`"),
        (
            &["--advertise", "127.0.0.1:7000"],
            2,
            "without `--peer-listen`",
        ),
        (&["--peer-listen", &taken], 4, "for other nodes"),
    ];
    for (options, code, what) in cases {
        // The options are checked before any database is used.
        let own = ["--store", "postgres://ann@127.0.0.1:1/war", "--key", "k"];
        let arguments = [&["serve", "--listen", "127.0.0.1:0"], &own[..], options].concat();
        sandbox.war(&arguments).exits_with(code).reports(what);
    }
}

/// Limits that the table publishes for a client with these headers.
fn published(server: &Server, headers: &str) -> Value {
    let (_, limits) = get(&server.address, "/limits.json", headers);
    serde_json::from_str(&limits).expect("JSON")
}

#[test]
fn a_client_behind_a_proxy_has_a_limited_number_of_connections() {
    let sandbox = Sandbox::new();
    let limits = [
        "--connections-per-address",
        "2",
        "--trust-proxy",
        "X-Forwarded-For",
    ];
    let server = Server::start(&sandbox, &limits);
    let open = |forwarded: &'static str| {
        RawClient::open(&server.address, "/ws", &[("x-forwarded-for", forwarded)])
    };
    let first = open("203.0.113.7").expect("a connection");
    let _second = open("203.0.113.7").expect("a connection");
    let refused = open("203.0.113.7").err().expect("too many");
    assert!(refused.contains("429"), "{refused}");
    let header = "X-Forwarded-For: 203.0.113.7\r\n";
    let (head, _) = get(&server.address, "/", header);
    assert!(head.starts_with("HTTP/1.1 429"), "{head}");
    assert!(head.contains("\r\nretry-after: 1"), "{head}");
    // Other clients of the same proxy, and the proxy itself, are not affected.
    let other = "X-Forwarded-For: 203.0.113.8\r\n";
    assert_eq!(published(&server, other)["connections_per_address"], 2);
    let _others: Vec<_> = (0..3).map(|_| server.connect()).collect();
    drop(first);
    let until = Instant::now() + Duration::from_secs(20);
    while open("203.0.113.7").is_err() {
        assert!(Instant::now() < until, "the place is never free again");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn an_unnamed_proxy_may_have_many_connections_and_is_warned_about() {
    let sandbox = Sandbox::new();
    let server = Server::start(&sandbox, &["--connections-per-address", "2"]);
    let clients: Vec<_> = (0..4)
        .map(|number| server.player(&format!("Ann {number}")))
        .collect();
    assert_eq!(published(&server, "").get("connections_per_address"), None);
    let warnings = || {
        let log = sandbox.logs().concat();
        log.matches("many connections of a private address").count()
    };
    // Another thread writes the records.
    let until = Instant::now() + Duration::from_secs(20);
    while warnings() == 0 {
        assert!(Instant::now() < until, "no warning");
        std::thread::sleep(Duration::from_millis(20));
    }
    drop(clients);
    assert_eq!(warnings(), 1);
}
