//! Nodes that share a table: real servers on a database of their own.

use super::Database;
use crate::support::Place;
use crate::table::{Line, Server, said};
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::fs;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::thread;
use std::time::{Duration, Instant};
use war::support::hex::Hex;

/// How long a takeover may take.
const TAKEOVER: Duration = Duration::from_secs(5);
/// How long a node may take to say how it is, unless it is stopped.
const TO_ANSWER: Duration = Duration::from_secs(1);

/// How many rooms their table has: as many as it gets without a choice.
pub(super) const ROOMS: u16 = 16;

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

    /// How many rooms it serves; none where it does not say.
    fn rooms(&self) -> u64 {
        let health = self.health();
        health.map_or(0, |(_, health)| health["rooms"].as_u64().expect("a number"))
    }

    /// Where other nodes reach it.
    fn peers_address(&self) -> String {
        let log = self.log();
        let own = log
            .rsplit_once("looking for rooms, node: ")
            .expect("a node")
            .1;
        let end = own.find(char::is_whitespace).unwrap_or(own.len());
        own[..end].to_owned()
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
pub(super) fn ask(address: &str, path: &str) -> Option<(String, String)> {
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
        node.until("ok", "ok");
        node
    }

    /// The node that serves a room.
    pub(super) fn owner(&self, room: u16) -> usize {
        let sql = self.database.sql();
        let start = Instant::now();
        loop {
            let owner = format!("SELECT coalesce(owner, '') FROM war.room WHERE id = {room}");
            let owner: String = sql.rows(&owner)[0].get(0);
            let owns = |node: &Node| node.peers_address() == owner;
            if let Some(owner) = self.all.iter().position(owns) {
                return owner;
            }
            assert!(start.elapsed() < 2 * TAKEOVER, "{owner:?} owns room {room}");
            thread::sleep(Duration::from_millis(20));
        }
    }

    /// Waits until all rooms are served, by no node more than its share.
    #[track_caller]
    pub(super) fn until_shared_out(&self) {
        let share = u64::from(ROOMS).div_ceil(self.all.len() as u64);
        let start = Instant::now();
        loop {
            let rooms: Vec<_> = self.all.iter().map(Node::rooms).collect();
            if rooms.iter().sum::<u64>() == u64::from(ROOMS)
                && rooms.iter().all(|own| *own <= share)
            {
                return;
            }
            assert!(start.elapsed() < 4 * TAKEOVER, "{rooms:?}");
            thread::sleep(Duration::from_millis(50));
        }
    }

    /// Waits until somebody is welcomed in each of the rooms, at nodes that are none of these, as
    /// no longer than a takeover may take: how long it took.
    #[track_caller]
    pub(super) fn welcomed(&self, besides: Option<usize>) -> Duration {
        let nodes = self.all.iter().enumerate();
        let nodes = nodes.filter(|(at, _)| Some(*at) != besides);
        let addresses: Vec<_> = nodes.map(|(_, node)| &*node.server.address).collect();
        let took = all_welcomed(&addresses, 4 * TAKEOVER);
        assert!(took < TAKEOVER, "a takeover of {took:?}");
        took
    }

    /// Where players are served, for the client.
    pub(super) fn addresses(&self) -> String {
        let addresses = self.all.iter().map(|node| &*node.server.address);
        addresses.collect::<Vec<_>>().join(",")
    }
}

/// Waits until somebody is welcomed in each of the rooms, at one of these addresses: how long it
/// took.
#[track_caller]
pub(super) fn all_welcomed(addresses: &[&str], patience: Duration) -> Duration {
    let start = Instant::now();
    let visit = |room: u16| {
        let name = prober(room);
        for address in addresses.iter().cycle().skip(usize::from(room)) {
            if welcome(address, &name).is_some() {
                return;
            }
            assert!(start.elapsed() < patience, "nobody serves room {room}");
            thread::sleep(Duration::from_millis(20));
        }
    };
    thread::scope(|scope| {
        for room in 0..ROOMS {
            scope.spawn(move || visit(room));
        }
    });
    start.elapsed()
}

/// Somebody whose token is looked up in this room.
pub(super) fn prober(room: u16) -> String {
    let names = (0..).map(|number| format!("Prober {number}"));
    let is_at_home = |name: &String| {
        let token = said::token(name).parse().expect("a token");
        let hash = Sha256::digest(Hex::<32>::bytes(&token));
        u16::from_be_bytes([hash[0], hash[1]]) % ROOMS == room
    };
    let mut here = names.filter(is_at_home);
    here.next().expect("there is no end")
}

/// What somebody of this name is welcomed with at this address; nothing where they are not.
pub(super) fn welcome(address: &str, name: &str) -> Option<Value> {
    let mut line = Line::open(address, "/ws", &[]).ok()?;
    line.try_say(said::hello(name)).ok()?;
    let heard = line.try_hear().ok()?;
    (heard["type"] == "welcome").then_some(heard)
}
