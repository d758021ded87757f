//! The book's example of a table behind a proxy.

use super::laws;
use super::nodes::{ROOMS, ask, wait_for_welcomes};
use crate::support::{Sandbox, project};
use crate::table::foreign::{foreign, output};
use crate::table::{RawClient, client_requests};
use serde_json::Value;
use std::fs::{self, Permissions};
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};
use std::{env, thread};

/// Time limit for starting the example.
const START_TIMEOUT: Duration = Duration::from_secs(60);
/// Time limit for a takeover. Its actual speed is tested elsewhere, without a proxy and other
/// programs on the machine.
const TAKEOVER: Duration = Duration::from_secs(30);
/// Time for players to reach all nodes: the proxy may have lost one for a moment.
const SPREAD_TIMEOUT: Duration = Duration::from_secs(15);

/// The example, running until it is dropped.
struct ProxyExample {
    sandbox: Sandbox,
    port: u16,
    script: Child,
}

impl ProxyExample {
    fn start() -> Self {
        let found = Command::new("sh")
            .args(["-c", "PATH=$PATH:/usr/sbin command -v haproxy"])
            .output();
        assert!(
            found.is_ok_and(|found| found.status.success()),
            "HAProxy is missing: install it (on Debian: `apt-get install haproxy`; no service of \
             it is used), or let `.ci/deep --install` do so"
        );
        let sandbox = Sandbox::new();
        // If root runs the tests, PostgreSQL runs as another user, who must reach this directory.
        fs::set_permissions(sandbox.path(""), Permissions::from_mode(0o711)).expect("rights");
        let port = free_ports();
        let war = Path::new(env!("CARGO_BIN_EXE_war"));
        let mut path = war.parent().expect("a directory").as_os_str().to_owned();
        path.push(":");
        path.push(env::var_os("PATH").unwrap_or_default());
        let script = Command::new("sh")
            .arg(project().join("docs/files/nodes/start.sh"))
            .arg(sandbox.path("table"))
            .env_clear()
            .env("PATH", path)
            .env("HOME", sandbox.path(""))
            .env("PORT", port.to_string())
            .env("WAR_TABLE_BOTS", "0")
            .env("WAR_TABLE_RATE", "1000")
            .env("WAR_TABLE_NEW_PLAYERS", "1000")
            .env("WAR_TABLE_DECIDE_SECONDS", "4")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .spawn()
            .expect("a shell");
        let example = Self {
            sandbox,
            port,
            script,
        };
        example.until_welcome(START_TIMEOUT);
        example
    }

    /// Address for players.
    fn address(&self) -> String {
        format!("127.0.0.1:{}", self.port)
    }

    /// Waits until new players are welcomed in each room.
    #[track_caller]
    fn until_welcome(&self, patience: Duration) {
        let took = wait_for_welcomes(&[&self.address()], patience);
        println!("somebody is served in each room after {took:.1?}");
        assert!(took < patience, "{took:?}");
    }

    /// Answer of a node at its operator's address.
    fn operator_answer(&self, node: usize, path: &str) -> String {
        let operator = format!("127.0.0.1:{}", usize::from(self.port) + 11 + node);
        let (_, body) = ask(&operator, path).expect("an answer");
        body
    }

    /// Value of a gauge at a node.
    fn gauge(&self, node: usize, name: &str) -> u64 {
        let told = self.operator_answer(node, "/metrics");
        let named = |line: &str| line.strip_prefix(name)?.trim().parse().ok();
        told.lines().find_map(named).expect("a gauge")
    }

    /// Waits until all nodes serve rooms.
    #[track_caller]
    fn until_all_serve(&self) {
        let start = Instant::now();
        loop {
            let rooms = self.of_all("war_table_rooms");
            let all = rooms.iter().sum::<u64>() == u64::from(ROOMS);
            if all && rooms.iter().all(|count| *count > 0) {
                return;
            }
            assert!(start.elapsed() < START_TIMEOUT, "{rooms:?}");
            thread::sleep(Duration::from_millis(100));
        }
    }

    /// Starts clients that play at all three nodes.
    #[track_caller]
    fn players_everywhere(&self) -> Child {
        let start = Instant::now();
        loop {
            let client = foreign("play.py", &[&self.address(), "3", "3"]);
            let came = Instant::now();
            while came.elapsed() < SPREAD_TIMEOUT {
                if self
                    .of_all("war_table_connections")
                    .iter()
                    .all(|count| *count > 0)
                {
                    return client;
                }
                thread::sleep(Duration::from_millis(100));
            }
            assert!(
                start.elapsed() < START_TIMEOUT,
                "the proxy leaves out a node"
            );
            output(client);
        }
    }

    /// Values of a gauge at all nodes.
    fn of_all(&self, name: &str) -> [u64; 3] {
        [0, 1, 2].map(|node| self.gauge(node, name))
    }

    /// Process id of a node.
    fn process(&self, node: usize) -> String {
        let pid = format!("table/{}/pid", ["a", "b", "c"][node]);
        self.sandbox.read(&pid).trim().to_owned()
    }
}

/// Players who connect through a proxy, and stay connected.
pub(super) struct ProxiedPlayers {
    pub(super) all: Vec<RawClient>,
}

impl ProxiedPlayers {
    /// Connects players once the proxy has a node for them.
    pub(super) fn connect(address: &str, count: usize) -> Self {
        wait_for_welcomes(&[address], START_TIMEOUT);
        let connect = |number| {
            let mut client = RawClient::open(address, "/ws", &[]).expect("a connection");
            client.send(client_requests::hello(&format!("Player {number}")));
            client.receive_until("welcome");
            client
        };
        let all = (0..count).map(connect).collect();
        Self { all }
    }

    /// Checks that each player still has the connection.
    pub(super) fn assert_all_connected(&mut self) {
        for (number, player) in self.all.iter_mut().enumerate() {
            let id = format!("x{number}");
            player.send(client_requests::cancel(&id));
            assert_eq!(player.receive()["code"], "not_waiting");
        }
    }
}

/// First of the ports for the example. They are below the range that the system uses for outgoing
/// connections, which could otherwise take one of them.
pub(super) fn free_ports() -> u16 {
    let is_free = |port: u16| TcpListener::bind(("127.0.0.1", port)).is_ok();
    let used = |first: u16| (0..=20).map(move |more| first + more);
    let ports = (10_000..32_000).step_by(21).cycle();
    let somewhere = usize::try_from(std::process::id()).expect("a number") % 1_000;
    let mut free = ports.skip(somewhere).take(1_000);
    let mut taken = TAKEN.lock().unwrap_or_else(PoisonError::into_inner);
    let found = free.find(|first| !taken.contains(first) && used(*first).all(is_free));
    let first = found.expect("free ports");
    taken.push(first);
    first
}

/// Ports of examples of this process: those of one that is starting still look free.
static TAKEN: Mutex<Vec<u16>> = Mutex::new(Vec::new());

fn signal(name: &str, pid: &str) {
    let sent = Command::new("kill").args(["-s", name, pid]).status();
    assert!(sent.expect("kill").success());
}

impl Drop for ProxyExample {
    fn drop(&mut self) {
        signal("TERM", &self.script.id().to_string());
        // The script ends only after the processes that it started.
        let _ = self.script.wait();
    }
}

#[test]
#[ignore = "needs PostgreSQL, HAProxy and python3; `.ci/deep` installs them"]
fn players_behind_the_proxy_of_the_book_stay_at_the_table() {
    let example = ProxyExample::start();
    example.until_all_serve();
    let mut client = example.players_everywhere();
    let [stopped, ended, killed] = [0, 1, 2].map(|node| example.process(node));
    signal("STOP", &stopped);
    example.until_welcome(TAKEOVER);
    thread::sleep(Duration::from_secs(1));
    signal("TERM", &ended);
    example.until_welcome(TAKEOVER);
    thread::sleep(Duration::from_secs(1));
    signal("CONT", &stopped);
    thread::sleep(Duration::from_secs(1));
    // After this, only the resumed node is left.
    signal("KILL", &killed);
    example.until_welcome(TAKEOVER);
    thread::sleep(Duration::from_secs(1));
    drop(client.stdin.take());
    let found = output(client);
    let players = found.lines().map(serde_json::from_str);
    let players: Vec<Value> = players.collect::<Result<_, _>>().expect("players");
    assert_eq!(players.len(), 6);
    // Every node had a fault, so every player lost a connection.
    for player in &players {
        assert!(player["lost"].as_u64() >= Some(1), "{player}");
    }
    let sandbox = &example.sandbox;
    let password = sandbox.read("table/password");
    let port = usize::from(example.port) + 20;
    let sql =
        super::cluster::Sql::connect(&format!("postgres://war:{password}@127.0.0.1:{port}/war"));
    laws::hold_in(&sql);
    laws::hold_for(&sql, &players);
}

#[test]
#[ignore = "needs PostgreSQL and HAProxy; `.ci/deep` installs them"]
fn short_pauses_cost_nobody_behind_the_proxy_of_the_book_a_connection() {
    let example = ProxyExample::start();
    example.until_all_serve();
    let mut players = ProxiedPlayers::connect(&example.address(), 12);
    let nodes = [0, 1, 2].map(|node| example.process(node));
    for _ in 0..3 {
        for name in ["STOP", "CONT"] {
            for node in &nodes {
                signal(name, node);
            }
            thread::sleep(Duration::from_millis(900));
        }
    }
    thread::sleep(Duration::from_secs(2));
    players.assert_all_connected();
}
