//! Hubs of rooms, as the nodes of a table run them.

use super::client_requests;
use super::hub::{asks, connects, identity};
use crate::postgres::{self, Database};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::thread::sleep;
use std::time::Duration;
use war_table::protocol::{PlayerId, Request};
use war_table::room::Timeouts;
use war_table::server::hub::{
    ClientId, CurrentTime, DECISION_GRACE, DEFAULT_FULL_LOAD, DEFAULT_HOUSE_DELAY, Hub, HubCommand,
    HubDelivery, HubSettings, INCOMING_POLL_INTERVAL, LONE_WAIT, TimedCommand, UnitOfWork,
};
use war_table::server::rooms::{RoomCount, RoomNumber};
use war_table::server::store::{Store, StoreError, StoreReader as _};
use war_table::server::{Metrics, SeededRandomness};
use war_table::time::{TableTime, WallTime, whole_millis};
use war_table_cluster::{PostgresTable, TableStore as _};
use war_table_world::store::MemoryStore;

const NOW: CurrentTime = CurrentTime {
    table: TableTime::from_millis(1),
    wall: WallTime::from_millis(1),
};

/// Hub of a room, and the room's store.
pub(super) struct TestHub {
    store: Box<dyn Store>,
    hub: Hub,
}

impl TestHub {
    pub(super) fn new(store: Box<dyn Store>) -> Self {
        let settings = HubSettings {
            timeouts: Timeouts {
                decide: Duration::from_secs(30),
                seeds: Duration::from_secs(5),
            },
            house_players: 0,
            house_delay: DEFAULT_HOUSE_DELAY,
            new_players: 1_000,
            full_load: DEFAULT_FULL_LOAD,
        };
        let hub = Hub::open(
            &*store,
            settings,
            Box::new(SeededRandomness::new(7)),
            identity(),
            Arc::new(Metrics::new()),
            slog::Logger::root(slog::Discard, slog::o!()),
            NOW,
        );
        let hub = hub.expect("a store that works");
        Self { store, hub }
    }

    pub(super) fn run(&mut self, commands: Vec<HubCommand>) -> Vec<(ClientId, HubDelivery)> {
        self.run_at(1, commands)
    }

    /// Runs commands at this table time, in milliseconds.
    fn run_at(&mut self, table: u64, commands: Vec<HubCommand>) -> Vec<(ClientId, HubDelivery)> {
        let commands = commands.into_iter();
        let at = TableTime::from_millis(table);
        let commands = commands.map(|command| TimedCommand { at, command });
        self.run_stamped(table, commands.collect())
    }

    pub(super) fn run_stamped(
        &mut self,
        table: u64,
        commands: Vec<TimedCommand>,
    ) -> Vec<(ClientId, HubDelivery)> {
        let transaction = self.store.begin().expect("a store that works");
        let now = CurrentTime {
            table: TableTime::from_millis(table),
            wall: WallTime::from_millis(table),
        };
        let unit = UnitOfWork::new(transaction.expect("nobody else"), now);
        let done = self.hub.run(unit, commands).and_then(UnitOfWork::commit);
        done.expect("a store that works")
    }

    /// Adds a new player, and returns the player's number.
    pub(super) fn hello(&mut self, client: u64) -> PlayerId {
        let token = client_requests::token(&client.to_string());
        let hello = client_requests::hello_by(&token, "Ann").to_string();
        let client = ClientId(client);
        let request = Request::parse(&hello).expect("a hello");
        let hello = HubCommand::Request { client, request };
        let heard = self.run(vec![connects(client), hello]);
        let [
            (_, HubDelivery::Welcome { player, .. }),
            (_, HubDelivery::Done),
            (_, HubDelivery::Released),
        ] = heard[..]
        else {
            panic!("{heard:?}");
        };
        player
    }

    /// Runs a batch of requests from players who may be in no room; returns the publications.
    pub(super) fn ask(&mut self, asked: &[(u64, PlayerId, Value)]) -> Vec<(ClientId, HubDelivery)> {
        let commands = asked
            .iter()
            .flat_map(|(client, player, said)| self::attach_and_ask(*client, *player, said));
        self.run(commands.collect())
    }

    /// Command that attaches a client whose player is known.
    pub(super) fn attach(client: u64, player: PlayerId) -> HubCommand {
        let HubCommand::Connect {
            client,
            address,
            catalogue,
            ..
        } = connects(ClientId(client))
        else {
            panic!("a client");
        };
        HubCommand::Attach {
            client,
            address,
            catalogue,
            player,
        }
    }
}

/// Commands that attach a client whose player is known, and send a request.
fn attach_and_ask(client: u64, player: PlayerId, said: &Value) -> [HubCommand; 2] {
    [TestHub::attach(client, player), asks(client, said)]
}

/// Last message of a type to each client.
pub(super) fn last_messages(
    published: &[(ClientId, HubDelivery)],
    kind: &str,
) -> BTreeMap<u64, Value> {
    let messages = published.iter().filter_map(|(client, outbound)| {
        let HubDelivery::Push { body, .. } = outbound else {
            return None;
        };
        let message: Value = serde_json::from_str(body).expect("JSON");
        (message["type"] == kind).then_some((client.0, message))
    });
    messages.collect()
}

/// Table time, in milliseconds, by which the players of clients 1 and 2 have to open their seeds.
const SEEDS_DUE: u64 = 5_001;

/// Room in memory in which two players have started a game, with the first player and their request
/// to open the seed.
fn started() -> (TestHub, PlayerId, Value) {
    let mut node = TestHub::new(postgres::take(&MemoryStore::new().table(), 0, "a"));
    let players = [node.hello(1), node.hello(2)];
    let choose = |client: u64, player| {
        (
            client,
            player,
            client_requests::single(&format!("choose-{client}")),
        )
    };
    let started = node.ask(&[choose(1, players[0]), choose(2, players[1])]);
    let started = last_messages(&started, "started");
    let seed = client_requests::open("seed", &started[&1], "choose-1");
    (node, players[0], seed)
}

/// Refusals among the publications, by client.
fn refusals(published: &[(ClientId, HubDelivery)]) -> Vec<(u64, Value)> {
    let answers = published.iter().filter_map(|(client, outbound)| {
        let HubDelivery::Answer { body, .. } = outbound else {
            return None;
        };
        let answer: Value = serde_json::from_str(body).expect("JSON");
        (answer["type"] == "error").then(|| (client.0, answer["code"].clone()))
    });
    answers.collect()
}

// A player who gets no answer repeats the request through another node, and the first copy may
// arrive last.
#[test]
fn a_request_in_time_counts_even_behind_its_late_copy() {
    let (mut node, player, seed) = started();
    let at = |at, command| TimedCommand {
        at: TableTime::from_millis(at),
        command,
    };
    let copy = attach_and_ask(3, player, &seed).map(|command| at(SEEDS_DUE + 5, command));
    let nothing = node.run_stamped(SEEDS_DUE + 10, copy.to_vec());
    assert_eq!(nothing, [], "the same may be on its way");
    let first = vec![at(SEEDS_DUE - 100, asks(1, &seed))];
    let granted = node.run_stamped(SEEDS_DUE + 20, first);
    let seeded = last_messages(&granted, "seeded");
    assert_eq!(seeded.keys().collect::<Vec<_>>(), [&1, &3], "{granted:?}");
    assert_eq!(refusals(&granted), []);
    let done = granted
        .iter()
        .filter(|(_, done)| *done == HubDelivery::Done);
    let done: Vec<_> = done.map(|(client, _)| client.0).collect();
    assert_eq!(done, [1, 3], "the copy is answered as well");
}

#[test]
fn a_late_request_is_refused_after_the_deadline_is_processed() {
    let (mut node, _, seed) = started();
    let late = node.run_at(SEEDS_DUE, vec![asks(1, &seed)]);
    assert_eq!(late, []);
    assert_eq!(
        node.run_at(SEEDS_DUE + whole_millis(DECISION_GRACE) - 1, Vec::new()),
        []
    );
    let decided = node.run_at(SEEDS_DUE + whole_millis(DECISION_GRACE), Vec::new());
    assert_eq!(last_messages(&decided, "result").len(), 2, "{decided:?}");
    assert_eq!(refusals(&decided), [(1, "seeds_closed".into())]);
}

#[test]
#[ignore = "needs PostgreSQL; `.ci/deep` installs it"]
fn a_game_continues_at_another_node_and_its_players_are_free_afterwards() {
    let database = Database::new();
    let (table, other) = (postgres::open(&database), postgres::open(&database));
    let mut first = TestHub::new(postgres::take(&table, 0, "a"));
    let mut second = TestHub::new(postgres::take(&other, 1, "b"));
    let players = [first.hello(1), second.hello(2)];
    let of = |client| players[usize::from(client == 2)];
    let choose = |client: u64| {
        let chosen = client_requests::single(&format!("choose-{client}"));
        (client, of(client), chosen)
    };
    let waiting = first.ask(&[choose(1)]);
    assert_eq!(last_messages(&waiting, "waiting").len(), 1, "{waiting:?}");
    // A player who is in another room is redirected there.
    let elsewhere = second.ask(&[choose(1)]);
    assert_eq!(
        elsewhere,
        [(ClientId(1), HubDelivery::Redirect(RoomNumber(0)))]
    );
    let started = last_messages(&first.ask(&[choose(2)]), "started");
    assert_eq!(started.len(), 2);
    let seed = |client: u64, id: &str| {
        let said = client_requests::open(id, &started[&client], &format!("choose-{client}"));
        (client, of(client), said)
    };
    let dealt = last_messages(&first.ask(&[seed(1, "s1"), seed(2, "s2")]), "dealt");
    assert_eq!(dealt.len(), 2);
    let mut third = TestHub::new(postgres::take(&other, 0, "b"));
    assert!(matches!(
        first.store.begin().err(),
        Some(StoreError::RoomLost | StoreError::Database(_))
    ));
    let decide = |client: u64, id: &str, decision: &str| {
        let said = client_requests::decide(id, &dealt[&client], decision);
        (client, of(client), said)
    };
    let both = [decide(1, "d1", "fold"), decide(2, "d2", "play")];
    let results = third.ask(&both);
    let deltas = last_messages(&results, "result");
    assert_eq!(deltas[&1]["delta"], -3, "{results:?}");
    assert_eq!(deltas[&2]["delta"], 3);
    let released = results
        .iter()
        .filter(|(_, outbound)| *outbound == HubDelivery::Released);
    assert_eq!(released.count(), 2);
    // A repeated request is answered in another room too, and has no further effect.
    let again = second.ask(&both[..1]);
    let mut answers = again.iter().filter_map(|(_, outbound)| match outbound {
        HubDelivery::Answer { body, .. } => Some(body.contains("decided")),
        _ => None,
    });
    assert_eq!(answers.next_back(), Some(true), "{again:?}");
    let sql = database.sql();
    for (count, expected) in [
        ("SELECT count(*) FROM war.player WHERE room IS NULL", 2),
        ("SELECT count(*) FROM war.seat", 0),
        ("SELECT count(*) FROM war.waiting", 0),
        ("SELECT count(*) FROM war.settlement", 1),
        ("SELECT count(*) FROM war.leaf", 2),
        ("SELECT min(balance) FROM war.player", 997),
        ("SELECT max(balance) FROM war.player", 1003),
        (
            "SELECT count(*) FROM war.player WHERE balance <> (SELECT \
             sum(CASE WHEN credit = player.id THEN tokens ELSE -tokens END) \
             FROM war.ledger WHERE player.id IN (credit, debit))",
            0,
        ),
        (
            "SELECT count(*) FROM war.player WHERE seq <> (SELECT count(*) \
             FROM war.outbox WHERE outbox.player = player.id)",
            0,
        ),
    ] {
        assert_eq!(sql.number(count), expected, "{count}");
    }
    let game = deltas[&1]["game_id"].as_u64().expect("a number");
    let reader = table.create_reader();
    assert!(reader.game_events(game).expect("a store that works").len() > 5);
    assert!(reader.settlement(game).expect("a store").is_some());
    let messages = reader.messages(players[0], 0).expect("a store that works");
    assert!(messages.windows(2).all(|two| two[0].seq + 1 == two[1].seq));
}

// Everyone who wants to play with a single card is matched in room 0.
#[test]
#[ignore = "needs PostgreSQL; `.ci/deep` installs it"]
fn a_player_waiting_alone_is_forwarded_to_the_matchmaking_room() {
    let database = Database::new();
    let table = postgres::open(&database);
    let mut meeting = TestHub::new(postgres::take(&table, 0, "a"));
    let mut other = TestHub::new(postgres::take(&table, 1, "b"));
    let players = [other.hello(1), meeting.hello(2)];
    let choose = |client: u64, player| {
        (
            client,
            player,
            client_requests::single(&format!("c{client}")),
        )
    };
    let waiting = other.ask(&[choose(1, players[0])]);
    assert_eq!(last_messages(&waiting, "waiting").len(), 1, "{waiting:?}");
    assert_eq!(
        other.run_at(1 + whole_millis(LONE_WAIT) - 1, Vec::new()),
        [],
        "not for long enough"
    );
    let sent = other.run_at(1 + whole_millis(LONE_WAIT), Vec::new());
    assert_eq!(sent, [(ClientId(1), HubDelivery::Redirect(RoomNumber(0)))]);
    let locations = table.locate(&players[..1]).expect("a store that works");
    assert_eq!(locations[0].room, Some(RoomNumber(0)));
    // After both rooms get new owners, only the matchmaking room loads the forwarded player.
    other = TestHub::new(postgres::take(&table, 1, "c"));
    meeting = TestHub::new(postgres::take(&table, 0, "c"));
    let (client, player, said) = choose(2, players[1]);
    let asked = attach_and_ask(client, player, &said).to_vec();
    let met = meeting.run_at(whole_millis(INCOMING_POLL_INTERVAL) + 1, asked);
    let started = last_messages(&met, "started");
    assert_eq!(started.keys().copied().collect::<Vec<_>>(), [2], "{met:?}");
    let reader = table.create_reader();
    let messages = reader.messages(players[0], 0).expect("a store that works");
    let started = messages.last().expect("a message");
    assert!(started.body.contains(r#""type":"started""#), "{messages:?}");
    assert!(
        started.body.contains(r#""seat":1"#),
        "who waited sits at seat 1"
    );
    assert_eq!(
        other.run_at(2 * whole_millis(LONE_WAIT), Vec::new()),
        [],
        "they are gone there"
    );
    let sql = database.sql();
    assert_eq!(sql.number("SELECT count(*) FROM war.waiting"), 0);
    assert_eq!(
        sql.number("SELECT count(*) FROM war.seat WHERE room = 0"),
        2
    );
    assert_eq!(
        sql.number("SELECT count(*) FROM war.player WHERE room = 0"),
        2
    );
}

#[test]
#[ignore = "needs PostgreSQL; `.ci/deep` installs it"]
fn a_forwarded_player_may_send_requests_before_being_expected() {
    let database = Database::new();
    let table = postgres::open(&database);
    let mut meeting = TestHub::new(postgres::take(&table, 0, "a"));
    let mut other = TestHub::new(postgres::take(&table, 1, "b"));
    let player = other.hello(1);
    other.ask(&[(1, player, client_requests::single("c"))]);
    other.run_at(1 + whole_millis(LONE_WAIT), Vec::new());
    let cancelled = meeting.ask(&[(1, player, client_requests::cancel("x"))]);
    assert_eq!(
        last_messages(&cancelled, "cancelled").len(),
        1,
        "{cancelled:?}"
    );
    let sql = database.sql();
    assert_eq!(sql.number("SELECT count(*) FROM war.waiting"), 0);
    assert_eq!(
        sql.number("SELECT count(*) FROM war.player WHERE room IS NULL"),
        1
    );
}

#[test]
#[ignore = "needs PostgreSQL; `.ci/deep` installs it"]
fn a_full_and_busy_room_forwards_waiting_players_in_pairs() {
    let database = Database::new();
    let table = PostgresTable::open(database.address(), RoomCount::new(3)).expect("a store");
    let mut meeting = TestHub::new(postgres::take(&table, 0, "a"));
    let players: Vec<_> = (0..2 * DEFAULT_FULL_LOAD.games as u64 + 7)
        .map(|client| (client, meeting.hello(client)))
        .collect();
    let (playing, coming) = players.split_at(2 * DEFAULT_FULL_LOAD.games);
    let (early, late) = coming.split_at(2);
    let choose =
        |&(client, player): &(u64, PlayerId)| (client, player, client_requests::single("c"));
    let asked: Vec<_> = playing.iter().map(choose).collect();
    let started = meeting.ask(&asked);
    assert_eq!(
        last_messages(&started, "started").len(),
        2 * DEFAULT_FULL_LOAD.games
    );
    let asked: Vec<_> = early.iter().map(choose).collect();
    let started = meeting.ask(&asked);
    assert_eq!(
        last_messages(&started, "started").len(),
        2,
        "it is full, not busy"
    );
    let again = playing.iter().take(DEFAULT_FULL_LOAD.requests - late.len());
    let again = again.map(|&(client, _)| asks(client, &client_requests::single("c")));
    let late = late.iter().flat_map(|player| {
        let (client, player, said) = choose(player);
        self::attach_and_ask(client, player, &said)
    });
    let heard = meeting.run(late.chain(again).collect());
    let rooms = heard.into_iter().map(|(_, outbound)| outbound);
    let sent_on = rooms.filter(|outbound| matches!(outbound, HubDelivery::Redirect(_)));
    let expected = [1, 1, 2, 2, 1].map(|room| HubDelivery::Redirect(RoomNumber(room)));
    assert_eq!(sent_on.collect::<Vec<_>>(), expected);
}

#[test]
#[ignore = "needs PostgreSQL; `.ci/deep` installs it"]
fn friends_meet_in_the_room_of_their_invitation_from_any_room() {
    let database = Database::new();
    let table = postgres::open(&database);
    let mut meeting = TestHub::new(postgres::take(&table, 0, "a"));
    let mut friends = TestHub::new(postgres::take(&table, 1, "b"));
    let players = [meeting.hello(1), friends.hello(2)];
    let code = "0001".to_owned() + &"0".repeat(28);
    let invite = client_requests::choose_with("i", &json!({"invitation": code}));
    let accept = client_requests::choose_with("a", &json!({"accept": code}));
    let invite = [(1, players[0], invite)];
    let sent = meeting.ask(&invite);
    assert_eq!(sent, [(ClientId(1), HubDelivery::Redirect(RoomNumber(1)))]);
    let waiting = friends.ask(&invite);
    assert_eq!(last_messages(&waiting, "waiting").len(), 1, "{waiting:?}");
    // A player waiting for anyone would have been forwarded to matchmaking by now.
    assert_eq!(
        friends.run_at(1 + 2 * whole_millis(LONE_WAIT), Vec::new()),
        []
    );
    let started = friends.ask(&[(2, players[1], accept)]);
    assert_eq!(last_messages(&started, "started").len(), 2, "{started:?}");
}

#[test]
#[ignore = "needs PostgreSQL; `.ci/deep` installs it"]
fn friends_meet_in_the_room_of_their_link_from_any_room() {
    let database = Database::new();
    let table = postgres::open(&database);
    let [mut first, second] = [0, 1].map(|room| TestHub::new(postgres::take(&table, room, "a")));
    let inviter = first.hello(1);
    let create = json!({
        "type": "create_link", "id": "l", "game": "single-card-game",
        // Computed with Python's hashlib from 16 zeros.
        "secret_hash": "374708fff7719dd5979ec875d56cd2286f6d3cf7ec317a3b25632aab28ec37bb"
    });
    let created = first.ask(&[(1, inviter, create)]);
    let HubDelivery::Answer { body, .. } = &created[0].1 else {
        panic!("{created:?}");
    };
    let links: Value = serde_json::from_str(body).expect("JSON");
    let link = links["links"][0]["link"]
        .as_str()
        .expect("an ID")
        .to_owned();
    let choose = |id: &str, is_inviter: bool| {
        let mut choice = client_requests::choose_with(id, &json!({"friend": link}));
        if !is_inviter {
            choice["secret"] = json!("0".repeat(32));
        }
        choice
    };
    // The first four digits of a link name its room.
    let room = u16::from_str_radix(&link[..4], 16).expect("digits") % 2;
    let [mut meeting, mut elsewhere] = match room {
        0 => [first, second],
        _ => [second, first],
    };
    let guest = elsewhere.hello(2);
    let asked = [(2, guest, choose("g", false))];
    let sent = elsewhere.ask(&asked);
    assert_eq!(
        sent,
        [(ClientId(2), HubDelivery::Redirect(RoomNumber(room)))]
    );
    let waiting = meeting.ask(&asked);
    assert_eq!(last_messages(&waiting, "waiting").len(), 1, "{waiting:?}");
    // The inviter answers a friend who is ready.
    let started = meeting.ask(&[(1, inviter, choose("i", true))]);
    assert_eq!(last_messages(&started, "started").len(), 2, "{started:?}");
}

// A database table that has grown since its last ANALYZE must not be read in full for each batch.
#[test]
#[ignore = "needs PostgreSQL; `.ci/deep` installs it"]
fn the_queries_of_a_batch_use_indexes() {
    let database = Database::new();
    let table = postgres::open(&database);
    let sql = database.sql();
    sql.run(
        "INSERT INTO war.request (player, id, at, room, digest, first, last)
         SELECT player, 'a', 0, 9, '', 1, 1 FROM generate_series(100000, 120000) AS player",
    );
    let mut meeting = TestHub::new(postgres::take(&table, 0, "a"));
    let players: Vec<_> = (0..60)
        .map(|client| (client, meeting.hello(client)))
        .collect();
    for name in ["a", "b"] {
        let choose =
            |&(client, player): &(u64, PlayerId)| (client, player, client_requests::single(name));
        let asked: Vec<_> = players.iter().map(choose).collect();
        meeting.ask(&asked);
    }
    // The database counts a connection's reads when the connection closes, at the latest.
    drop(meeting);
    let count = |what| {
        sql.number(&format!(
            "SELECT {what} FROM pg_stat_user_tables WHERE relname = 'request'"
        ))
    };
    for _ in 0..600 {
        if count("sum(idx_scan)::bigint") > 0 {
            break;
        }
        sleep(Duration::from_millis(100));
    }
    assert!(count("sum(idx_scan)::bigint") > 0, "answers are looked for");
    assert_eq!(
        count("sum(seq_scan)::bigint"),
        0,
        "never in the whole table"
    );
}
