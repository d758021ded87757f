//! Three nodes to which everything happens, while clients in another language play.

use super::nodes::Nodes;
use super::{Cluster, Database, laws};
use crate::table::foreign::{foreign, output};
use serde_json::Value;
use std::process::Child;
use std::sync::Arc;
use std::time::{Duration, Instant};
use std::{env, thread};
use war::server::rooms::LEASE;

/// How long a node is stopped: longer than its lease.
const STOPPED: Duration = Duration::from_millis(4_500);
/// What the row of the room is locked with.
const LOCK: &str = "BEGIN; SELECT FROM war.room FOR UPDATE";
/// The connections of the room's owner.
const OWNER: &str = "SELECT count(*) FROM pg_stat_activity \
                     WHERE application_name LIKE 'war room%' AND datname = current_database()";

/// What happens.
#[derive(Debug, Clone, Copy)]
enum Fault {
    /// The node that serves is killed.
    Kill,
    /// A node that stands by is killed.
    KillAnother,
    /// The node that serves is stopped, and woken when another one serves.
    Stop,
    /// The same, with the room's row locked by its transaction.
    StopInTransaction,
    /// A node that stands by is stopped and woken.
    StopAnother,
    /// The node that serves ends in good order.
    End,
    /// All connections to the database are cut.
    Cut,
    /// The database is restarted.
    Restart,
    /// The database crashes.
    Crash,
}

const FAULTS: [Fault; 9] = [
    Fault::Kill,
    Fault::KillAnother,
    Fault::Stop,
    Fault::StopInTransaction,
    Fault::StopAnother,
    Fault::End,
    Fault::Cut,
    Fault::Restart,
    Fault::Crash,
];

impl Fault {
    /// All of them, in the order of a round with this seed.
    fn shuffled(seed: u64, round: u64) -> Vec<Self> {
        let mut faults: Vec<_> = FAULTS.into_iter().enumerate().collect();
        faults.sort_by_key(|(at, _)| {
            *blake3::hash(format!("{seed} {round} {at}").as_bytes()).as_bytes()
        });
        faults.into_iter().map(|(_, fault)| fault).collect()
    }

    /// Lets it happen: how long nobody was served.
    fn happen(self, nodes: &mut Nodes) -> Duration {
        let serving = nodes.serving();
        let another = (serving + 1) % nodes.all.len();
        match self {
            Self::Kill => {
                nodes.all[serving].server.kill();
                let took = nodes.welcomed(Some(serving));
                nodes.all[serving].start_again();
                took
            }
            Self::KillAnother => {
                nodes.all[another].server.kill();
                let took = nodes.welcomed(Some(another));
                nodes.all[another].start_again();
                took
            }
            Self::Stop => {
                nodes.all[serving].server.signal("STOP");
                wake(nodes, serving, Instant::now())
            }
            Self::StopInTransaction => {
                stop_in_transaction(nodes, serving);
                wake(nodes, serving, Instant::now())
            }
            Self::StopAnother => {
                nodes.all[another].server.signal("STOP");
                wake(nodes, another, Instant::now())
            }
            Self::End => {
                nodes.all[serving].end();
                let took = handed_over(nodes, serving);
                nodes.all[serving].start_again();
                took
            }
            Self::Cut => {
                nodes.database.sql().run(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity \
                     WHERE datname = current_database() AND pid <> pg_backend_pid()",
                );
                nodes.welcomed(None)
            }
            Self::Restart => {
                nodes.database.cluster().restart("INT", 1);
                nodes.welcomed(None)
            }
            Self::Crash => {
                nodes.database.cluster().restart("QUIT", 0);
                nodes.welcomed(None)
            }
        }
    }
}

/// Stops the owner of the room while its transaction holds the room's row.
fn stop_in_transaction(nodes: &Nodes, serving: usize) {
    let (lock, sql) = (nodes.database.sql(), nodes.database.sql());
    let until = |state: &str| {
        let start = Instant::now();
        while sql.number(&format!("{OWNER} AND {state}")) == 0 {
            assert!(start.elapsed() < Duration::from_secs(2), "never {state}");
            thread::sleep(Duration::from_millis(2));
        }
    };
    lock.run(LOCK);
    until("wait_event_type = 'Lock'");
    nodes.all[serving].server.signal("STOP");
    lock.run("COMMIT");
    until("state = 'idle in transaction'");
}

/// Waits for the next node after one that ended, which hands the table over: no lease has to run
/// out.
fn handed_over(nodes: &Nodes, ended: usize) -> Duration {
    let took = nodes.welcomed(Some(ended));
    assert!(
        took < Duration::from_millis(LEASE),
        "a hand-over of {took:?}"
    );
    took
}

/// Wakes a node that was stopped, once another one serves and its lease is long over.
fn wake(nodes: &Nodes, stopped: usize, since: Instant) -> Duration {
    let took = nodes.welcomed(Some(stopped));
    thread::sleep(STOPPED.saturating_sub(since.elapsed()));
    nodes.all[stopped].server.signal("CONT");
    nodes.all[stopped].until("standing_by", "ok");
    took
}

/// The seed: that of `WAR_CHAOS_SEED`, or another one each time.
fn seed() -> u64 {
    let given = env::var("WAR_CHAOS_SEED").ok();
    let seed = given.map(|seed| seed.parse().expect("a number"));
    let seed = seed.unwrap_or_else(rand::random);
    println!("WAR_CHAOS_SEED={seed}");
    seed
}

/// Players who have ended well: what each of them has.
#[track_caller]
fn ended(mut client: Child) -> Vec<Value> {
    drop(client.stdin.take());
    let found = output(client);
    let players = found.lines().map(serde_json::from_str);
    players.collect::<Result<_, _>>().expect("players")
}

/// Checks everything once all is over.
#[track_caller]
fn judge(nodes: &Nodes, client: Child, journals: i64) {
    let players = ended(client);
    let sql = nodes.database.sql();
    laws::hold_in(&sql);
    laws::hold_for(&sql, &players);
    laws::hold_for_all(nodes, journals);
    for node in &nodes.all {
        let log = node.log();
        assert!(!log.contains("ERRO") && !log.contains("CRIT"), "{log}");
    }
}

/// Lets rounds of faults happen until as many games are settled.
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
        for fault in Fault::shuffled(seed, round) {
            thread::sleep(pause);
            let took = fault.happen(&mut nodes);
            println!("{fault:?}: {took:.1?}, {} games", settled(&nodes));
        }
        round += 1;
    }
    thread::sleep(pause);
    judge(&nodes, client, games.clamp(20, 200));
}

#[test]
#[ignore = "needs PostgreSQL and python3; `.ci/run` installs them"]
fn whatever_happens_to_nodes_and_database_nothing_is_lost() {
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
#[ignore = "needs PostgreSQL and python3; `.ci/run` installs them"]
fn an_upgrade_and_going_back_lose_no_game() {
    let mut nodes = Nodes::start(Database::new(), 2);
    let url = nodes.database.url();
    // Those who will come in the place of the two: their addresses have to be known before.
    let [mut third, mut fourth] = [(); 2].map(|()| nodes.another(&url));
    let all = [&nodes.all[0], &nodes.all[1], &third, &fourth].map(|node| &*node.server.address);
    let addresses = all.join(",");
    for node in [&mut third, &mut fourth] {
        node.end();
    }
    let client = foreign("play.py", &[&addresses, "4", "3"]);
    let mut waiting = vec![fourth, third];
    // Twice there and twice back.
    for _ in 0..4 {
        thread::sleep(Duration::from_millis(700));
        let mut new = waiting.remove(0);
        new.start_again();
        new.until("standing_by", "ok");
        nodes.all.push(new);
        let serving = nodes.serving();
        nodes.all[serving].end();
        handed_over(&nodes, serving);
        let old = nodes.all.remove(serving);
        waiting.push(old);
    }
    judge(&nodes, client, 20);
}
