//! A table with several rooms at one node, as its players see it: a real server and real
//! connections.

use super::nodes::prober;
use super::{Cluster, Database, laws};
use crate::support::{Place, replayed};
use crate::table::{Line, Server, said};
use serde_json::{Value, json};
use std::fs;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

/// How soon a log has to show each leaf.
const LOGGED_WITHIN: Duration = Duration::from_secs(10);
/// How soon nodes have their shares: a lease, and a look for each room that is handed over.
const SHARED_OUT: Duration = Duration::from_secs(10);

/// The only node of a table.
struct Node {
    server: Server,
    place: Place,
}

impl Node {
    fn start(database: &Database, options: &[&str]) -> Self {
        let node = Self::start_at(Place::new(), database, options);
        node.until("ok", 16);
        node
    }

    fn start_at(place: Place, database: &Database, options: &[&str]) -> Self {
        let url = database.url();
        let store = ["--store", &url, "--key", "table.key", "--rate", "1000"];
        let server = Server::start(&place, &[&store[..], options].concat());
        Self { server, place }
    }

    fn health(&self) -> Value {
        serde_json::from_str(&self.server.admin("/health").1).expect("JSON")
    }

    /// Waits until it is so, and serves so many rooms.
    #[track_caller]
    fn until(&self, status: &str, rooms: u16) {
        let start = Instant::now();
        loop {
            let health = self.health();
            if health["status"] == status && health["rooms"] == rooms {
                return;
            }
            assert!(start.elapsed() < SHARED_OUT, "{health}");
            thread::sleep(Duration::from_millis(20));
        }
    }
}

/// Two players with cards in their hands.
fn dealt(server: &Server, names: [&str; 2], game: &str) -> [Line; 2] {
    let mut lines = names.map(|name| server.player(name).0);
    for (id, line) in ["c0", "c1"].into_iter().zip(&mut lines) {
        line.say(said::choose(id, game));
    }
    for (id, line) in ["c0", "c1"].into_iter().zip(&mut lines) {
        let heard = line.until("started");
        line.say(said::open("s", &heard[heard.len() - 1], id));
    }
    for line in &mut lines {
        line.until("dealt");
    }
    lines
}

impl Drop for Node {
    fn drop(&mut self) {
        if thread::panicking() {
            eprintln!("{}\n{}", self.health(), self.place.logs().concat());
        }
    }
}

/// Both play, and Bob folds: what each of them hears up to the result.
fn end(ann: &mut Line, bob: &mut Line) -> [Vec<Value>; 2] {
    ann.say(ann.decision("d", "play"));
    bob.say(bob.decision("d", "fold"));
    [ann.until("result"), bob.until("result")]
}

/// Whether these are all messages to a player, in order, from this one on.
#[track_caller]
fn are_all(heard: &[Value], first: u64) {
    let numbers: Vec<_> = heard
        .iter()
        .map(|message| message["seq"].as_u64())
        .collect();
    let expected = (first..).map(Some).take(heard.len());
    assert_eq!(numbers, expected.collect::<Vec<_>>(), "{heard:#?}");
}

#[test]
#[ignore = "needs PostgreSQL; `.ci/deep` installs it"]
fn games_of_both_kinds_are_played_in_rooms_of_their_own() {
    let database = Database::new();
    let node = Node::start(&database, &["--bots", "0"]);
    let sql = database.sql();
    let evenings = [
        (["Ann", "Bob"], "single-card-game"),
        (["Carl", "Dora"], "double-card-game"),
    ];
    for (number, (names, game)) in (1..).zip(evenings) {
        let [mut ann, mut bob] = dealt(&node.server, names, game);
        let [won, lost] = end(&mut ann, &mut bob);
        let (won, lost) = (&won[won.len() - 1], &lost[lost.len() - 1]);
        assert_eq!([&won["outcome"], &lost["outcome"]], ["won", "lost"]);
        let path = format!("/games/{}/journal.json", won["game_id"]);
        let (head, journal) = node.server.get(&path);
        assert!(head.starts_with("HTTP/1.1 200"), "{head}");
        assert_eq!(replayed(journal.as_bytes()).0, None);
        let rooms = "SELECT count(DISTINCT room) FROM war.event WHERE game IS NOT NULL";
        assert_eq!(sql.number(rooms), number, "the kinds meet apart");
    }
    let start = Instant::now();
    while sql.number("SELECT count(*) FROM war.leaf WHERE number IS NOT NULL") < 4 {
        assert!(start.elapsed() < LOGGED_WITHIN, "a leaf has no number");
        thread::sleep(Duration::from_millis(50));
    }
    laws::hold_in(&sql);
    let free = "SELECT count(*) FROM war.player WHERE room IS NULL";
    assert_eq!(sql.number(free), 4, "who does not play is in no room");
}

#[test]
#[ignore = "needs PostgreSQL; `.ci/deep` installs it"]
fn all_devices_of_a_player_follow_them_and_miss_nothing() {
    let database = Database::new();
    let node = Node::start(&database, &["--bots", "0"]);
    let [(mut ann, _), (mut bob, _)] = ["Ann", "Bob"].map(|name| node.server.player(name));
    // It said hello before anything happened, and is in no room.
    let (mut idle, welcome) = node.server.player("Ann");
    assert_eq!(welcome["seq"], 0);
    idle.say(json!({"type": "resume", "id": "r", "after": 0}));
    ann.say(said::choose("c0", "double-card-game"));
    ann.until("waiting");
    assert_eq!(idle.hear()["type"], "waiting");
    // It comes while they wait.
    let (mut late, welcome) = node.server.player("Ann");
    assert_eq!(welcome["seq"], 1);
    late.say(json!({"type": "resume", "id": "r", "after": 0}));
    bob.say(said::choose("c1", "double-card-game"));
    let started = bob.until("started");
    bob.say(said::open("s", &started[0], "c1"));
    let started = ann.until("started");
    drop(ann);
    late.say(said::open("s", &started[0], "c0"));
    let mut heard = late.until("dealt");
    bob.until("dealt");
    // It comes while they play.
    let (mut again, welcome) = node.server.player("Ann");
    let seq = welcome["seq"].as_u64().expect("a number");
    again.say(json!({"type": "resume", "id": "r", "after": 1}));
    are_all(&again.until("dealt"), 2);
    let [more, _] = end(&mut late, &mut bob);
    heard.extend(more);
    are_all(&heard, 1);
    are_all(&idle.until("result"), 2);
    are_all(&again.until("result"), seq + 1);
    laws::hold_in(&database.sql());
}

#[test]
#[ignore = "needs PostgreSQL; `.ci/deep` installs it"]
fn a_new_player_who_comes_twice_at_once_is_one_player() {
    let database = Database::new();
    let node = Node::start(&database, &["--bots", "0"]);
    let names: Vec<_> = (0..20).map(|number| format!("Player {number}")).collect();
    let mut lines: Vec<_> = names
        .iter()
        .map(|_| [(); 2].map(|()| node.server.connect()))
        .collect();
    for (name, twice) in names.iter().zip(&mut lines) {
        for line in twice {
            line.say(said::hello(name));
        }
    }
    for twice in &mut lines {
        let [one, other] = twice.each_mut().map(Line::hear);
        assert_eq!(
            [&one["type"], &other["type"]],
            ["welcome", "welcome"],
            "{one} {other}"
        );
        assert_eq!(one["player"], other["player"]);
    }
    let count = "SELECT count(*) FROM war.player";
    assert_eq!(database.sql().number(count), 20);
}

// Twice as many as in a minute may come at once. Each of these is looked up in another room.
#[test]
#[ignore = "needs PostgreSQL; `.ci/deep` installs it"]
fn only_so_many_new_players_come_from_an_address_whatever_their_rooms() {
    let database = Database::new();
    let node = Node::start(&database, &["--bots", "0", "--new-players", "1"]);
    let welcomes = |room| {
        let mut line = node.server.connect();
        line.say(said::hello(&prober(room)));
        let heard = line.hear();
        heard["code"].as_str().unwrap_or("welcome").to_owned()
    };
    assert_eq!(welcomes(0), "welcome");
    for _ in 0..3 {
        assert_eq!(welcomes(0), "welcome", "who comes back is not new");
    }
    assert_eq!(welcomes(1), "welcome");
    for room in 2..5 {
        assert_eq!(welcomes(room), "too_fast", "{room}");
    }
    assert_eq!([welcomes(0), welcomes(1)], ["welcome", "welcome"]);
    let players = "SELECT count(*) FROM war.player";
    assert_eq!(database.sql().number(players), 2);
}

#[test]
#[ignore = "needs PostgreSQL; `.ci/deep` installs it"]
fn a_house_player_is_where_people_meet() {
    let database = Database::new();
    let node = Node::start(&database, &["--bots", "1"]);
    let sql = database.sql();
    let house = "SELECT count(*) FROM war.player WHERE house AND room IN (0, 1)";
    assert_eq!(sql.number(house), 2, "one for each kind of game");
    let mut ann = node.server.player("Ann").0;
    for (number, game) in (1..).zip(["single-card-game", "double-card-game"]) {
        let id = format!("c{number}");
        ann.say(said::choose(&id, game));
        let started = ann.until("started");
        let opponent = &started[started.len() - 1]["opponent"];
        assert_eq!(opponent["house"], true, "{opponent}");
        ann.say(said::open(
            &format!("s{number}"),
            &started[started.len() - 1],
            &id,
        ));
        ann.until("dealt");
        ann.say(ann.decision(&format!("d{number}"), "fold"));
        ann.until("result");
    }
    assert_eq!(sql.number("SELECT count(*) FROM war.player WHERE house"), 2);
}

// Sixteen is as many as may wait for their answers, so that a client may say more than that.
#[test]
#[ignore = "needs PostgreSQL; `.ci/deep` installs it"]
fn every_request_of_a_burst_is_answered_in_order() {
    let database = Database::new();
    let node = Node::start(&database, &["--bots", "0"]);
    let (mut line, _) = node.server.player("Ann");
    for number in 0..50 {
        line.say(said::cancel(&number.to_string()));
    }
    for number in 0..50 {
        let answer = line.hear();
        assert_eq!(answer["code"], "not_waiting", "{answer}");
        assert_eq!(answer["in_reply_to"], number.to_string());
    }
}

#[test]
#[ignore = "needs PostgreSQL; `.ci/deep` installs it"]
fn players_hear_that_the_table_is_not_there_now_and_it_recovers_by_itself() {
    let database = Database::of(Arc::new(Cluster::start("")));
    let node = Node::start(&database, &["--bots", "0"]);
    let (mut ann, _) = node.server.player("Ann");
    let mut bob = node.server.connect();
    thread::scope(|scope| {
        let away = scope.spawn(|| database.cluster().restart("INT", 7));
        node.until("failing", 0);
        ann.say(said::choose("c0", "double-card-game"));
        bob.say(said::hello("Bob"));
        for line in [&mut ann, &mut bob] {
            let answer = line.hear();
            assert_eq!(answer["code"], "unavailable", "{answer}");
        }
        away.join().expect("a restart");
    });
    node.until("ok", 16);
    // What was not done is asked again on the same connection.
    bob.say(said::hello("Bob"));
    bob.until("welcome");
    ann.say(said::choose("c0", "double-card-game"));
    ann.until("waiting");
    bob.say(said::choose("c1", "double-card-game"));
    bob.until("started");
    ann.until("started");
}

#[test]
#[ignore = "needs PostgreSQL; `.ci/deep` installs it"]
fn a_node_that_ends_hands_its_rooms_over_with_their_games() {
    let database = Database::new();
    let mut node = Node::start(&database, &["--bots", "0"]);
    let [ann, bob] = dealt(&node.server, ["Ann", "Bob"], "double-card-game");
    node.server.signal("TERM");
    assert_eq!(node.server.end().0, 0);
    let sql = database.sql();
    for none in ["room WHERE owner IS NOT NULL", "node"] {
        assert_eq!(
            sql.number(&format!("SELECT count(*) FROM war.{none}")),
            0,
            "{none}"
        );
    }
    drop((ann, bob));
    let (url, options) = (database.url(), ["--key", "table.key", "--bots", "0"]);
    let options = [&["--store", &url][..], &options].concat();
    node.server = Server::start(&node.place, &options);
    node.until("ok", 16);
    let [mut ann, mut bob] = ["Ann", "Bob"].map(|name| node.server.player(name).0);
    for line in [&mut ann, &mut bob] {
        line.say(json!({"type": "resume", "id": "r", "after": 0}));
        line.until("dealt");
    }
    end(&mut ann, &mut bob);
    laws::hold_in(&sql);
}

#[test]
#[ignore = "needs PostgreSQL; `.ci/deep` installs it"]
fn nodes_share_the_rooms_out() {
    let database = Database::new();
    let first = Node::start(&database, &["--bots", "0"]);
    let place = Place::new();
    let key = |place: &Place| place.path("table.key");
    fs::copy(key(&first.place), key(&place)).expect("a key");
    let mut second = Node::start_at(place, &database, &["--bots", "0"]);
    for node in [&first, &second] {
        node.until("ok", 8);
    }
    second.server.signal("TERM");
    assert_eq!(second.server.end().0, 0);
    first.until("ok", 16);
    laws::hold_in(&database.sql());
}
