//! Nodes far from their database, behind the book's proxy.

use super::nodes::Nodes;
use super::proxy::{ProxiedPlayers, free_ports};
use super::rooms::{deal, end};
use super::{Cluster, Database};
use crate::support::project;
use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::{Duration, Instant};

/// Time that data takes in one direction: half a round trip.
const DELAY: Duration = Duration::from_millis(60);

/// Relays connections to a database, with a delay while `is_far` holds; returns the port that it
/// listens on.
fn relay(database: u16, is_far: &Arc<AtomicBool>) -> u16 {
    let is_far = Arc::clone(is_far);
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = listener.local_addr().expect("an address").port();
    thread::spawn(move || {
        for node in listener.incoming() {
            let node = node.expect("a connection");
            let database = TcpStream::connect(("127.0.0.1", database));
            let Ok(database) = database else { continue };
            let clone = |stream: &TcpStream| stream.try_clone().expect("a socket");
            forward(clone(&node), clone(&database), &is_far);
            forward(database, node, &is_far);
        }
    });
    port
}

/// Forwards all data of one direction, each piece after the delay.
fn forward(mut from: TcpStream, mut to: TcpStream, is_far: &Arc<AtomicBool>) {
    let is_far = Arc::clone(is_far);
    let (sender, pieces) = mpsc::channel::<(Instant, Vec<u8>)>();
    thread::spawn(move || {
        let mut piece = [0; 8_192];
        while let Ok(length @ 1..) = from.read(&mut piece) {
            let delay = if is_far.load(Ordering::Relaxed) {
                DELAY
            } else {
                Duration::ZERO
            };
            let due = Instant::now() + delay;
            if sender.send((due, piece[..length].to_vec())).is_err() {
                return;
            }
        }
    });
    thread::spawn(move || {
        to.set_nodelay(true).expect("an option");
        for (due, piece) in pieces {
            thread::sleep(due.saturating_duration_since(Instant::now()));
            if to.write_all(&piece).is_err() {
                break;
            }
        }
        let _ = to.shutdown(Shutdown::Both);
    });
}

/// The book's proxy in front of three nodes, running until it is dropped.
struct Proxy(Child);

impl Proxy {
    fn start(nodes: &Nodes, port: u16) -> Self {
        let mut command = Command::new("sh");
        command.args(["-c", "PATH=$PATH:/usr/sbin exec haproxy -db -f \"$0\""]);
        command.arg(project().join("docs/files/nodes/haproxy.cfg"));
        command.env("PORT", port.to_string());
        for (name, node) in ["A", "B", "C"].into_iter().zip(&nodes.all) {
            let port = |address: &str| address.rsplit(':').next().expect("a port").to_owned();
            command.env(name, port(&node.server.address));
            command.env(format!("{name}_ADMIN"), port(&node.server.admin));
        }
        command.stdout(Stdio::null()).stderr(Stdio::null());
        Self(command.spawn().expect("HAProxy"))
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
#[ignore = "needs PostgreSQL and HAProxy; `.ci/deep` installs them"]
fn games_are_played_behind_the_proxy_of_the_book_far_from_the_database() {
    let database = Database::of(Arc::new(Cluster::start("")));
    let name = database.name().to_owned();
    database.sql().run(&format!(
        "CREATE ROLE ann LOGIN PASSWORD 'horse'; GRANT CREATE ON DATABASE {name} TO ann"
    ));
    let direct = database.tcp_url("ann", "horse");
    let (start, rest) = direct.rsplit_once(':').expect("a port");
    let (port, rest) = rest.split_once('/').expect("a name");
    let is_far = Arc::default();
    let relay = relay(port.parse().expect("a number"), &is_far);
    let url = format!("{start}:{relay}/{rest}");
    let nodes = Nodes::start_by(database, &url, 3);
    nodes.wait_until_shared();
    // The nodes take their rooms sooner near the database.
    is_far.store(true, Ordering::Relaxed);
    let port = free_ports();
    let _proxy = Proxy::start(&nodes, port);
    let mut players = ProxiedPlayers::connect(&format!("127.0.0.1:{port}"), 12);
    let signal_all = |name| {
        for node in &nodes.all {
            node.server.signal(name);
        }
    };
    for pair in 0..3 {
        let [ann, bob] = &mut players.all[2 * pair..][..2] else {
            unreachable!("two players")
        };
        deal([&mut *ann, &mut *bob], "single-card-game");
        end(ann, bob);
        signal_all("STOP");
        thread::sleep(Duration::from_millis(900));
        signal_all("CONT");
    }
    thread::sleep(Duration::from_secs(5));
    players.assert_all_connected();
}
