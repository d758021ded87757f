//! Nodes that share a table: real servers on a database that no other test uses.

use super::Database;
use crate::support::Sandbox;
use crate::table::{RawClient, Server, client_requests};
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::fs;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::thread;
use std::time::{Duration, Instant};
use war::support::hex::Hex;

/// Time limit for a takeover.
const TAKEOVER: Duration = Duration::from_secs(5);
/// Time in which a node reports its health, unless it is stopped.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(1);

/// Number of rooms of the nodes' table, which is the default.
pub(super) const ROOMS: u16 = 16;

/// Options for all nodes.
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

/// Node with the directory that it runs in.
pub(super) struct Node {
    pub(super) sandbox: Sandbox,
    pub(super) server: Server,
    url: String,
}

impl Node {
    /// Starts a node in this sandbox, with the database at this address.
    pub(super) fn start(sandbox: Sandbox, url: &str) -> Self {
        let server = start(&sandbox, url, ["127.0.0.1:0", "127.0.0.1:0"]);
        Self {
            sandbox,
            server,
            url: url.to_owned(),
        }
    }

    /// Restarts the node at the same addresses.
    pub(super) fn restart(&mut self) {
        let addresses = [&self.server.address, &self.server.admin].map(String::clone);
        let [players, operator] = &addresses;
        self.server = start(&self.sandbox, &self.url, [players, operator]);
    }

    /// Shuts the node down.
    pub(super) fn end(&mut self) {
        self.server.signal("TERM");
        let (code, errors) = self.server.end();
        assert_eq!(code, 0, "{errors}");
    }

    /// Health of the node: status of the response, and contents.
    pub(super) fn health(&self) -> Option<(u16, Value)> {
        let (head, body) = ask(&self.server.admin, "/health")?;
        let status = head.split(' ').nth(1)?.parse().ok()?;
        Some((status, serde_json::from_str(&body).ok()?))
    }

    /// Number of rooms that the node serves. 0 if the node does not answer.
    fn rooms(&self) -> u64 {
        let health = self.health();
        health.map_or(0, |(_, health)| health["rooms"].as_u64().expect("a number"))
    }

    /// Address for other nodes.
    fn peers_address(&self) -> String {
        let log = self.log();
        let own = log
            .rsplit_once("looking for rooms, node: ")
            .expect("a node")
            .1;
        let end = own.find(char::is_whitespace).unwrap_or(own.len());
        own[..end].to_owned()
    }

    /// Waits until the node's health has this status and this state of the store.
    #[track_caller]
    pub(super) fn wait_for_health(&self, status: &str, store: &str) {
        let start = Instant::now();
        loop {
            let health = self.health();
            let is =
                |(_, health): &(u16, Value)| health["status"] == status && health["store"] == store;
            if health.as_ref().is_some_and(is) {
                return;
            }
            let patience = TAKEOVER + ANSWER_TIMEOUT;
            assert!(start.elapsed() < patience, "{status} {store}: {health:?}");
            thread::sleep(Duration::from_millis(50));
        }
    }

    /// Value of a gauge in the node's metrics.
    pub(super) fn gauge(&self, name: &str) -> i64 {
        let (_, metrics) = self.server.admin("/metrics");
        let named = |line: &str| line.strip_prefix(name)?.trim().parse().ok();
        metrics.lines().find_map(named).expect("a gauge")
    }

    /// Everything that the node logged.
    pub(super) fn log(&self) -> String {
        self.sandbox.logs().concat()
    }
}

fn start(sandbox: &Sandbox, url: &str, [players, operator]: [&str; 2]) -> Server {
    let own = ["--store", url, "--admin", operator];
    Server::start_at(sandbox, players, &[&OPTIONS[..], &own].concat())
}

/// Status of a node's answer to a health check at the operator's address.
pub(super) fn health(operator: &str) -> Option<u16> {
    let (head, _) = ask(operator, "/health")?;
    head.split(' ').nth(1)?.parse().ok()
}

/// Head and body of an answer, if it comes in time.
pub(super) fn ask(address: &str, path: &str) -> Option<(String, String)> {
    let mut stream = TcpStream::connect(address).ok()?;
    stream.set_read_timeout(Some(ANSWER_TIMEOUT)).ok()?;
    let request = format!("GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).ok()?;
    let mut response = String::new();
    stream.read_to_string(&mut response).ok()?;
    let (head, body) = response.split_once("\r\n\r\n")?;
    Some((head.to_owned(), body.to_owned()))
}

/// Nodes of one table, which share a database and a key.
pub(super) struct Nodes {
    pub(super) database: Database,
    pub(super) all: Vec<Node>,
}

impl Nodes {
    pub(super) fn start(database: Database, count: usize) -> Self {
        let url = database.url();
        Self::start_by(database, &url, count)
    }

    /// Starts nodes that reach the database at this address.
    pub(super) fn start_by(database: Database, url: &str, count: usize) -> Self {
        let first = Node::start(Sandbox::new(), url);
        first.wait_for_health("ok", "ok");
        let mut nodes = Self {
            database,
            all: vec![first],
        };
        while nodes.all.len() < count {
            let node = nodes.start_another(url);
            nodes.all.push(node);
        }
        nodes
    }

    /// Starts one more node.
    pub(super) fn start_another(&self, url: &str) -> Node {
        let sandbox = Sandbox::new();
        let key = |sandbox: &Sandbox| sandbox.path("table.key");
        fs::copy(key(&self.all[0].sandbox), key(&sandbox)).expect("a key");
        let node = Node::start(sandbox, url);
        node.wait_for_health("ok", "ok");
        node
    }

    /// Index of the node that serves a room.
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

    /// Waits until all rooms are served, and no node has more than its share.
    #[track_caller]
    pub(super) fn wait_until_shared(&self) {
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

    /// Waits until new players are welcomed in each room, at any node except this one, within the
    /// time limit for a takeover. Returns the time that it took.
    #[track_caller]
    pub(super) fn wait_for_welcomes(&self, besides: Option<usize>) -> Duration {
        let nodes = self.all.iter().enumerate();
        let nodes = nodes.filter(|(at, _)| Some(*at) != besides);
        let addresses: Vec<_> = nodes.map(|(_, node)| &*node.server.address).collect();
        let took = wait_for_welcomes(&addresses, 4 * TAKEOVER);
        assert!(took < TAKEOVER, "a takeover of {took:?}");
        took
    }

    /// Addresses for players, separated by commas, as the client expects.
    pub(super) fn addresses(&self) -> String {
        let addresses = self.all.iter().map(|node| &*node.server.address);
        addresses.collect::<Vec<_>>().join(",")
    }
}

/// Waits until new players are welcomed in each room, at one of these addresses. Returns the time
/// that it took.
#[track_caller]
pub(super) fn wait_for_welcomes(addresses: &[&str], patience: Duration) -> Duration {
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

/// Name of a player whose token belongs to this room.
pub(super) fn prober(room: u16) -> String {
    let names = (0..).map(|number| format!("Prober {number}"));
    let is_at_home = |name: &String| {
        let token = client_requests::token(name).parse().expect("a token");
        let hash = Sha256::digest(Hex::<32>::bytes(&token));
        u16::from_be_bytes([hash[0], hash[1]]) % ROOMS == room
    };
    let mut here = names.filter(is_at_home);
    here.next().expect("there is no end")
}

/// Welcome of a player of this name at this address, if there is one.
pub(super) fn welcome(address: &str, name: &str) -> Option<Value> {
    let mut client = RawClient::open(address, "/ws", &[]).ok()?;
    client.try_send(client_requests::hello(name)).ok()?;
    let heard = client.try_receive().ok()?;
    (heard["type"] == "welcome").then_some(heard)
}

#[test]
#[ignore = "needs PostgreSQL; `.ci/deep` installs it"]
fn a_node_whose_address_leads_to_another_one_is_refused() {
    let mut nodes = Nodes::start(Database::new(), 1);
    let first = &nodes.all[0];
    let (address, log) = (first.peers_address(), first.log());
    let id = log
        .split("accepting links of nodes")
        .nth(1)
        .expect("a line");
    let id = id.split("id: ").nth(1).expect("an id");
    let id = id.split([',', '\n']).next().expect("an id");
    assert_eq!(id.len(), 16, "{id}");
    let (sandbox, url) = (Sandbox::new(), nodes.database.url());
    let key = first.sandbox.path("table.key");
    fs::copy(key, sandbox.path("table.key")).expect("a key");
    let own = ["--store", &url, "--key", "table.key", "--admin", "off"];
    let between = ["--peer-listen", "127.0.0.1:0", "--advertise", &address];
    let options = [own.as_slice(), &between].concat();
    let serve = [&["serve", "--listen", "127.0.0.1:0"], &options[..]].concat();
    for (lang, hint) in [("en", "give each node"), ("pl", "podaj każdemu węzłowi")] {
        let run = sandbox.war(&[&["--lang", lang], &serve[..]].concat());
        let run = run.exits_with(4);
        for part in [id, &address, hint] {
            assert!(run.stderr.contains(part), "{part}: {}", run.stderr);
        }
    }
    let count = |sql: &str| nodes.database.sql().number(sql);
    assert_eq!(count("SELECT count(*) FROM war.node"), 1);
    nodes.all[0].wait_for_health("ok", "ok");
    // Nobody else answers there any more, and the node may still be reached from elsewhere.
    nodes.all[0].end();
    let mut server = Server::start(&sandbox, &options);
    server.signal("TERM");
    let (code, errors) = server.end();
    assert_eq!(code, 0, "{errors}");
    let log = sandbox.logs().concat();
    let warning = "can't reach this node at its own address";
    assert!(log.contains(warning), "{log}");
}
