//! Nodes that share a table: real servers on a database of their own.

use super::Database;
use crate::support::Place;
use crate::table::{Line, Server, said};
use serde_json::Value;
use std::fs;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::thread;
use std::time::{Duration, Instant};

/// How long a takeover may take.
const TAKEOVER: Duration = Duration::from_secs(5);
/// How long a node may take to say how it is, unless it is stopped.
const TO_ANSWER: Duration = Duration::from_secs(1);

/// What is the same for all nodes.
const OPTIONS: [&str; 10] = [
    "--bots",
    "0",
    "--decide-seconds",
    "4",
    "--rate",
    "1000",
    "--new-players",
    "1000",
    "--key",
    "table.key",
];

/// A node and the directory that it runs in.
pub(super) struct Node {
    pub(super) place: Place,
    pub(super) server: Server,
    url: String,
}

impl Node {
    /// Starts a node in a directory of its own.
    pub(super) fn start(place: Place, url: &str) -> Self {
        let server = start(&place, url, ["127.0.0.1:0", "127.0.0.1:0"]);
        Self {
            place,
            server,
            url: url.to_owned(),
        }
    }

    /// Starts it again at the same addresses.
    pub(super) fn start_again(&mut self) {
        let addresses = [&self.server.address, &self.server.admin].map(String::clone);
        let [players, operator] = &addresses;
        self.server = start(&self.place, &self.url, [players, operator]);
    }

    /// Ends it in good order.
    pub(super) fn end(&mut self) {
        self.server.signal("TERM");
        let (code, errors) = self.server.end();
        assert_eq!(code, 0, "{errors}");
    }

    /// How it says that it is: the status of the response, and what it holds.
    pub(super) fn health(&self) -> Option<(u16, Value)> {
        let (head, body) = ask(&self.server.admin, "/health")?;
        let status = head.split(' ').nth(1)?.parse().ok()?;
        Some((status, serde_json::from_str(&body).ok()?))
    }

    /// Waits until its health has these words.
    #[track_caller]
    pub(super) fn until(&self, status: &str, store: &str) {
        let start = Instant::now();
        loop {
            let health = self.health();
            let is =
                |(_, health): &(u16, Value)| health["status"] == status && health["store"] == store;
            if health.as_ref().is_some_and(is) {
                return;
            }
            let patience = TAKEOVER + TO_ANSWER;
            assert!(start.elapsed() < patience, "{status} {store}: {health:?}");
            thread::sleep(Duration::from_millis(50));
        }
    }

    /// What its operator reads of a gauge.
    pub(super) fn gauge(&self, name: &str) -> i64 {
        let (_, metrics) = self.server.admin("/metrics");
        let named = |line: &str| line.strip_prefix(name)?.trim().parse().ok();
        metrics.lines().find_map(named).expect("a gauge")
    }

    /// All that it wrote for its operator.
    pub(super) fn log(&self) -> String {
        self.place.logs().concat()
    }
}

fn start(place: &Place, url: &str, [players, operator]: [&str; 2]) -> Server {
    let own = ["--store", url, "--admin", operator];
    Server::start_at(place, players, &[&OPTIONS[..], &own].concat())
}

/// The status of what the operator's address answers on its node's health.
pub(super) fn health(operator: &str) -> Option<u16> {
    let (head, _) = ask(operator, "/health")?;
    head.split(' ').nth(1)?.parse().ok()
}

/// What is answered in time: the head and the body.
fn ask(address: &str, path: &str) -> Option<(String, String)> {
    let mut stream = TcpStream::connect(address).ok()?;
    stream.set_read_timeout(Some(TO_ANSWER)).ok()?;
    let request = format!("GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).ok()?;
    let mut response = String::new();
    stream.read_to_string(&mut response).ok()?;
    let (head, body) = response.split_once("\r\n\r\n")?;
    Some((head.to_owned(), body.to_owned()))
}

/// Some nodes with one key.
pub(super) struct Nodes {
    pub(super) database: Database,
    pub(super) all: Vec<Node>,
}

impl Nodes {
    pub(super) fn start(database: Database, count: usize) -> Self {
        let url = database.url();
        Self::start_by(database, &url, count)
    }

    /// Starts nodes that reach the database by this address.
    pub(super) fn start_by(database: Database, url: &str, count: usize) -> Self {
        let first = Node::start(Place::new(), url);
        first.until("ok", "ok");
        let mut nodes = Self {
            database,
            all: vec![first],
        };
        while nodes.all.len() < count {
            let node = nodes.another(url);
            nodes.all.push(node);
        }
        nodes
    }

    /// A node more.
    pub(super) fn another(&self, url: &str) -> Node {
        let place = Place::new();
        let key = |place: &Place| place.path("table.key");
        fs::copy(key(&self.all[0].place), key(&place)).expect("a key");
        let node = Node::start(place, url);
        node.until("standing_by", "ok");
        node
    }

    /// The node that serves.
    pub(super) fn serving(&self) -> usize {
        let start = Instant::now();
        loop {
            let serves = |node: &Node| node.health().is_some_and(|(status, _)| status == 200);
            let serving: Vec<_> = (0..self.all.len())
                .filter(|at| serves(&self.all[*at]))
                .collect();
            if let [serving] = serving[..] {
                return serving;
            }
            assert!(start.elapsed() < 2 * TAKEOVER, "{serving:?} serve");
            thread::sleep(Duration::from_millis(20));
        }
    }

    /// Waits until somebody is welcomed by a node that is none of these, as no longer than a
    /// takeover may take: how long it took.
    #[track_caller]
    pub(super) fn welcomed(&self, besides: Option<usize>) -> Duration {
        let start = Instant::now();
        loop {
            for (at, node) in self.all.iter().enumerate() {
                if Some(at) != besides && welcomes(&node.server.address) {
                    let took = start.elapsed();
                    assert!(took < TAKEOVER, "a takeover of {took:?}");
                    return took;
                }
            }
            assert!(start.elapsed() < 4 * TAKEOVER, "nobody takes over");
            thread::sleep(Duration::from_millis(20));
        }
    }

    /// Where players are served, for the client.
    pub(super) fn addresses(&self) -> String {
        let addresses = self.all.iter().map(|node| &*node.server.address);
        addresses.collect::<Vec<_>>().join(",")
    }
}

/// Whether somebody who comes to this address is welcomed.
pub(super) fn welcomes(address: &str) -> bool {
    let Ok(mut line) = Line::open(address, "/ws", &[]) else {
        return false;
    };
    line.try_say(said::hello("Prober")).is_ok()
        && line
            .try_hear()
            .is_ok_and(|heard| heard["type"] == "welcome")
}
