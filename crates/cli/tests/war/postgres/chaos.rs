//! Random faults of three nodes and their database, while clients in another language play.

use super::nodes::{Node, Nodes};
use super::{Cluster, Database, laws};
use crate::table::foreign::{foreign, output};
use serde_json::Value;
use std::process::Child;
use std::sync::Arc;
use std::time::{Duration, Instant};
use std::{env, thread};
use war_table_cluster::leases::LEASE_DURATION;

/// Time for which a node is stopped: longer than its lease.
const STOP_TIME: Duration = Duration::from_millis(4_500);
/// Rooms for matchmaking, one for each kind of game.
const MATCHMAKING_ROOMS: [u16; 2] = [0, 1];

/// Fault to inject. A fault of a node concerns the owner of a room with games.
#[derive(Debug, Clone, Copy)]
enum Fault {
    /// Kills the node.
    Kill,
    /// Stops the node, and resumes it once others serve its rooms.
    Stop,
    /// Like `Stop`, but while a transaction of the node locks the room's row.
    StopInTransaction,
    /// Shuts the node down.
    End,
    /// Starts another node, and shuts it down once it serves its share of the rooms.
    Join,
    /// Cuts all connections to the database.
    Cut,
    /// Restarts the database.
    Restart,
    /// Crashes the database.
    Crash,
}

const FAULTS: [Fault; 8] = [
    Fault::Kill,
    Fault::Stop,
    Fault::StopInTransaction,
    Fault::End,
    Fault::Join,
    Fault::Cut,
    Fault::Restart,
    Fault::Crash,
];

impl Fault {
    /// All faults in the order of a round with this seed, and the rooms that they concern.
    fn shuffled(seed: u64, round: u64) -> Vec<(Self, u16)> {
        let drawn = |at: usize| *blake3::hash(format!("{seed} {round} {at}").as_bytes()).as_bytes();
        let faults = FAULTS.into_iter().enumerate();
        let mut faults: Vec<_> = faults.map(|(at, fault)| (drawn(at), fault)).collect();
        faults.sort_by_key(|(drawn, _)| *drawn);
        let room =
            |drawn: [u8; 32]| MATCHMAKING_ROOMS[usize::from(drawn[0]) % MATCHMAKING_ROOMS.len()];
        let faults = faults.into_iter();
        faults.map(|(drawn, fault)| (fault, room(drawn))).collect()
    }

    /// Injects the fault. Returns the time until all rooms were served again.
    fn inject(self, nodes: &mut Nodes, room: u16) -> Duration {
        let owner = nodes.owner(room);
        match self {
            Self::Kill => {
                nodes.all[owner].server.kill();
                let took = nodes.wait_for_welcomes(Some(owner));
                nodes.all[owner].restart();
                took
            }
            Self::Stop => {
                nodes.all[owner].server.signal("STOP");
                wake(nodes, owner, Instant::now())
            }
            Self::StopInTransaction => {
                stop_in_transaction(nodes, owner, room);
                wake(nodes, owner, Instant::now())
            }
            Self::End => {
                nodes.all[owner].end();
                let took = handed_over(nodes, Some(owner));
                nodes.all[owner].restart();
                took
            }
            Self::Join => join(nodes),
            Self::Cut => {
                nodes.database.sql().run(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity \
                     WHERE datname = current_database() AND pid <> pg_backend_pid()",
                );
                nodes.wait_for_welcomes(None)
            }
            Self::Restart => {
                nodes.database.cluster().restart("INT", 1);
                nodes.wait_for_welcomes(None)
            }
            Self::Crash => {
                nodes.database.cluster().restart("QUIT", 0);
                nodes.wait_for_welcomes(None)
            }
        }
    }
}

/// Stops the owner of a room while its transaction holds the room's row.
fn stop_in_transaction(nodes: &Nodes, owner: usize, room: u16) {
    let (lock, sql) = (nodes.database.sql(), nodes.database.sql());
    let until = |state: &str| {
        let start = Instant::now();
        let count = format!(
            "SELECT count(*) FROM pg_stat_activity JOIN war.room USING (pid) \
             WHERE id = {room} AND {state}"
        );
        while sql.number(&count) == 0 {
            assert!(start.elapsed() < Duration::from_secs(2), "never {state}");
            thread::sleep(Duration::from_millis(2));
        }
    };
    lock.run(&format!(
        "BEGIN; SELECT FROM war.room WHERE id = {room} FOR UPDATE"
    ));
    until("wait_event_type = 'Lock'");
    nodes.all[owner].server.signal("STOP");
    lock.run("COMMIT");
    until("state = 'idle in transaction'");
}

/// Adds a node, and shuts it down once the rooms are shared. Returns the time until all rooms were
/// served again.
fn join(nodes: &mut Nodes) -> Duration {
    let joined = nodes.start_another(&nodes.database.url());
    nodes.all.push(joined);
    nodes.wait_until_shared();
    let mut joined = nodes.all.pop().expect("the node that has joined");
    joined.end();
    let took = handed_over(nodes, None);
    assert_healthy(&joined);
    took
}

/// Waits until the others have taken over from a node that was shut down. The node handed its rooms
/// over, so no lease has to run out.
fn handed_over(nodes: &Nodes, ended: Option<usize>) -> Duration {
    let took = nodes.wait_for_welcomes(ended);
    assert!(took < LEASE_DURATION, "a hand-over of {took:?}");
    took
}

/// Resumes a stopped node once others serve its rooms and its leases are long over.
fn wake(nodes: &Nodes, stopped: usize, since: Instant) -> Duration {
    let took = nodes.wait_for_welcomes(Some(stopped));
    thread::sleep(STOP_TIME.saturating_sub(since.elapsed()));
    nodes.all[stopped].server.signal("CONT");
    nodes.all[stopped].wait_for_health("ok", "ok");
    took
}

/// Seed from `WAR_CHAOS_SEED`, or else a new one each time.
fn seed() -> u64 {
    let given = env::var("WAR_CHAOS_SEED").ok();
    let seed = given.map(|seed| seed.parse().expect("a number"));
    let seed = seed.unwrap_or_else(rand::random);
    println!("WAR_CHAOS_SEED={seed}");
    seed
}

/// Balances of all players of a client that has exited successfully.
#[track_caller]
fn ended(mut client: Child) -> Vec<Value> {
    drop(client.stdin.take());
    let found = output(client);
    let players = found.lines().map(serde_json::from_str);
    players.collect::<Result<_, _>>().expect("players")
}

/// Checks the store, what players received, the log, the journals, and the nodes at the end.
#[track_caller]
fn judge(nodes: &Nodes, client: Child, journals: i64) {
    let players = ended(client);
    let sql = nodes.database.sql();
    laws::hold_in(&sql);
    laws::hold_for(&sql, &players);
    laws::hold_for_all(nodes, journals);
    nodes.all.iter().for_each(assert_healthy);
}

/// Checks that a node logged no errors.
#[track_caller]
fn assert_healthy(node: &Node) {
    let log = node.log();
    assert!(!log.contains("ERRO") && !log.contains("CRIT"), "{log}");
}

/// Injects rounds of faults until this many games are settled.
fn endure(pairs: &str, games: i64, pause: Duration) {
    let seed = seed();
    let database = Database::of(Arc::new(Cluster::start("")));
    let mut nodes = Nodes::start(database, 3);
    let client = foreign("play.py", &[&nodes.addresses(), pairs, "3"]);
    let settled = |nodes: &Nodes| {
        let sql = nodes.database.sql();
        sql.number("SELECT count(*) FROM war.settlement")
    };
    let mut round = 0;
    while round == 0 || settled(&nodes) < games {
        for (fault, room) in Fault::shuffled(seed, round) {
            thread::sleep(pause);
            let took = fault.inject(&mut nodes, room);
            let games = settled(&nodes);
            println!("{fault:?} of room {room}: {took:.1?}, {games} games");
        }
        round += 1;
    }
    thread::sleep(pause);
    judge(&nodes, client, games.clamp(20, 200));
}

#[test]
#[ignore = "needs PostgreSQL and python3; `.ci/deep` installs them"]
fn nothing_is_lost_whatever_happens_to_nodes_and_database() {
    endure("4", 0, Duration::from_millis(700));
}

#[test]
#[ignore = "takes an hour: `WAR_CHAOS_GAMES=10000` runs it, see CONTRIBUTING.md"]
fn ten_thousand_games_survive_everything() {
    let Ok(games) = env::var("WAR_CHAOS_GAMES") else {
        return;
    };
    endure(
        "40",
        games.parse().expect("a number"),
        Duration::from_secs(3),
    );
}

#[test]
#[ignore = "needs PostgreSQL and python3; `.ci/deep` installs them"]
fn upgrading_and_downgrading_lose_no_game() {
    let mut nodes = Nodes::start(Database::new(), 2);
    let url = nodes.database.url();
    // Nodes that will replace the first two. Their addresses have to be known in advance.
    let [mut third, mut fourth] = [(); 2].map(|()| nodes.start_another(&url));
    let all = [&nodes.all[0], &nodes.all[1], &third, &fourth].map(|node| &*node.server.address);
    let addresses = all.join(",");
    for node in [&mut third, &mut fourth] {
        node.end();
    }
    let client = foreign("play.py", &[&addresses, "4", "3"]);
    let mut waiting = vec![fourth, third];
    // Both nodes are replaced by the new ones, one at a time, and then the other way round.
    for _ in 0..4 {
        thread::sleep(Duration::from_millis(700));
        let mut new = waiting.remove(0);
        new.restart();
        new.wait_for_health("ok", "ok");
        nodes.all.push(new);
        nodes.wait_until_shared();
        let mut old = nodes.all.remove(0);
        old.end();
        handed_over(&nodes, None);
        waiting.push(old);
    }
    waiting.iter().for_each(assert_healthy);
    judge(&nodes, client, 20);
}
