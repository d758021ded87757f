//! A hub with an in-memory store and a clock that the test controls.
#![allow(dead_code, reason = "the tests of the program need some of it, too")]

use super::client_requests;
use serde_json::Value;
use std::collections::BTreeMap;
use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;
use std::time::Duration;
use war::i18n::{Catalogue, Lang};
use war::signing::TableKey;
use war_table::protocol::Request;
use war_table::room::Timeouts;
use war_table::server::hub::{
    ClientId, CurrentTime, DEFAULT_FULL_LOAD, Hub, HubCommand, HubDelivery, HubSettings,
    TimedCommand, UnitOfWork,
};
use war_table::server::store::Store;
use war_table::server::{Identity, Metrics, SeededRandomness};
use war_table::time::{TableTime, WallTime};
use war_table_world::store::MemoryStore;

/// Time at which test hubs are opened, in milliseconds.
pub(super) const START: u64 = 1_700_000_000_000;

/// Maximum number of new players per address and minute at test hubs.
pub(super) const NEW_PLAYERS: u32 = 100;

pub(super) struct TestHub {
    pub(super) store: MemoryStore,
    pub(super) hub: Hub,
    pub(super) metrics: Arc<Metrics>,
    pub(super) now: u64,
    /// Lead of the wall clock over the table's time, in milliseconds.
    pub(super) ahead: i64,
    /// Last `started` message to each client.
    started: BTreeMap<u64, Value>,
    /// Last message with cards to each client.
    dealt: BTreeMap<u64, Value>,
    /// Last choice of each client.
    chosen: BTreeMap<u64, String>,
}

/// Identity of the tables in memory.
pub(super) fn identity() -> Identity {
    let key = TableKey::parse_file(include_str!("../../../../tests/keys/signer.key"));
    Identity {
        engine: "test",
        table: MemoryStore::ID,
        key: Arc::new(key.expect("a key")),
        secret: MemoryStore::SECRET,
    }
}

impl TestHub {
    pub(super) fn new(house_players: usize) -> Self {
        Self::open(MemoryStore::new(), house_players, START)
    }

    pub(super) fn open(store: MemoryStore, house_players: usize, now: u64) -> Self {
        let log = slog::Logger::root(slog::Discard, slog::o!());
        Self::logged(store, house_players, now, log)
    }

    /// Hub of a store, opened while the wall clock is `ahead` of the table's time, in milliseconds.
    pub(super) fn opened_after(store: MemoryStore, ahead: i64) -> Self {
        let now = store.time().expect("a store that works").as_millis();
        let log = slog::Logger::root(slog::Discard, slog::o!());
        let mut opened = Self::at(store, 0, shown(now, ahead), log);
        opened.ahead = ahead;
        opened
    }

    /// Hub that writes to this log.
    pub(super) fn logged(
        store: MemoryStore,
        house_players: usize,
        now: u64,
        log: slog::Logger,
    ) -> Self {
        Self::at(store, house_players, shown(now, 0), log)
    }

    fn at(store: MemoryStore, house_players: usize, now: CurrentTime, log: slog::Logger) -> Self {
        let settings = HubSettings {
            timeouts: Timeouts {
                decide: Duration::from_secs(30),
                seeds: Duration::from_secs(5),
            },
            house_players,
            house_delay: Duration::from_millis(1_500),
            new_players: NEW_PLAYERS,
            full_load: DEFAULT_FULL_LOAD,
        };
        let metrics = Arc::new(Metrics::new());
        let hub = Hub::open(
            &store,
            settings,
            Box::new(SeededRandomness::new(7)),
            identity(),
            Arc::clone(&metrics),
            log,
            now,
        );
        let hub = hub.expect("a store that works");
        Self {
            store,
            hub,
            metrics,
            now: now.table.as_millis(),
            ahead: 0,
            started: BTreeMap::new(),
            dealt: BTreeMap::new(),
            chosen: BTreeMap::new(),
        }
    }

    /// Runs these commands, and returns the published messages with their recipients.
    pub(super) fn run(&mut self, commands: Vec<HubCommand>) -> Vec<(u64, Value)> {
        let at = TableTime::from_millis(self.now);
        let stamp = |command| TimedCommand { at, command };
        self.run_stamped(commands.into_iter().map(stamp).collect())
    }

    /// Runs these commands, each of which has the time at which it arrived. Returns the published
    /// messages with their recipients.
    pub(super) fn run_stamped(&mut self, commands: Vec<TimedCommand>) -> Vec<(u64, Value)> {
        let transaction = self.store.begin().expect("a store that works");
        let now = shown(self.now, self.ahead);
        let unit = UnitOfWork::new(transaction.expect("nobody else"), now);
        let worked = self.hub.run(unit, commands).and_then(UnitOfWork::commit);
        let published = worked.expect("a store that works");
        let heard = |(client, outbound): (ClientId, HubDelivery)| {
            let body: &str = match &outbound {
                HubDelivery::Push { body, .. } => body,
                HubDelivery::Welcome { body, .. } | HubDelivery::Answer { body, .. } => body,
                HubDelivery::Resumed(_)
                | HubDelivery::Done
                | HubDelivery::Redirect(_)
                | HubDelivery::Released
                | HubDelivery::OrderOutcome(_)
                | HubDelivery::MessagesPruned(_)
                | HubDelivery::Expelled => return None,
            };
            Some((client.0, serde_json::from_str(body).expect("JSON")))
        };
        let heard: Vec<(u64, Value)> = published.into_iter().filter_map(heard).collect();
        for (client, message) in &heard {
            match message["type"].as_str() {
                Some("started") => self.started.insert(*client, message.clone()),
                Some("dealt" | "redealt") => self.dealt.insert(*client, message.clone()),
                _ => None,
            };
        }
        heard
    }

    /// Moves the time to `after` milliseconds after the start, runs everything due by then, and
    /// returns the published messages with their recipients.
    pub(super) fn pass(&mut self, after: u64) -> Vec<(u64, Value)> {
        self.now = START + after;
        self.run(Vec::new())
    }

    /// Connects a client, sends `hello` with the token of a player, and returns the answer.
    pub(super) fn hello(&mut self, client: u64, player: u64) -> Value {
        let token = client_requests::token(&player.to_string());
        let said = client_requests::hello_by(&token, &format!("Player {client}"));
        let client = ClientId(client);
        let mut heard = self.run(vec![connects(client), hello(client, &said)]);
        heard.pop().expect("an answer").1
    }

    /// Sends a client's request, and returns the messages to that client.
    pub(super) fn send(&mut self, client: u64, said: &Value) -> Vec<Value> {
        let heard = self.run(vec![asks(client, said)]);
        let to_it = heard.into_iter().filter(|(to, _)| *to == client);
        to_it.map(|(_, message)| message).collect()
    }

    pub(super) fn choose(&mut self, client: u64, id: &str) -> Vec<Value> {
        self.chosen.insert(client, id.to_owned());
        self.send(client, &client_requests::single(id))
    }

    /// Request that opens a client's seed in the game that has started.
    pub(super) fn seed(&self, client: u64, id: &str) -> Value {
        client_requests::open(id, &self.started[&client], &self.chosen[&client])
    }

    /// Request by which a client decides on the cards it saw last.
    pub(super) fn decision(&self, client: u64, id: &str, decision: &str) -> Value {
        client_requests::decide(id, &self.dealt[&client], decision)
    }

    /// Sends a client's decision on the cards it saw last, and returns the messages to that client.
    pub(super) fn decide(&mut self, client: u64, id: &str, decision: &str) -> Vec<Value> {
        self.send(client, &self.decision(client, id, decision))
    }

    pub(super) fn disconnect(&mut self, client: u64) {
        let client = ClientId(client);
        self.run(vec![HubCommand::Disconnect { client }]);
    }

    pub(super) fn waiting(&self) -> usize {
        self.hub.health().waiting
    }

    pub(super) fn running(&self) -> usize {
        self.hub.health().running
    }
}

/// Time of the table, and a wall clock that is `ahead` of it; both in milliseconds.
fn shown(table: u64, ahead: i64) -> CurrentTime {
    CurrentTime {
        table: TableTime::from_millis(table),
        wall: WallTime::from_millis(table.saturating_add_signed(ahead)),
    }
}

/// Command that connects a client on this machine.
pub(super) fn connects(client: ClientId) -> HubCommand {
    HubCommand::Connect {
        client,
        address: IpAddr::from(Ipv4Addr::LOCALHOST).into(),
        may_join: true,
        catalogue: Catalogue::built_in(Lang::En),
    }
}

/// A client's hello, as a command.
pub(super) fn hello(client: ClientId, said: &Value) -> HubCommand {
    let request = request(said);
    assert!(matches!(request, Request::Hello { .. }), "{request:?}");
    HubCommand::Request { client, request }
}

/// A client's request, as a command.
pub(super) fn asks(client: u64, said: &Value) -> HubCommand {
    HubCommand::Request {
        client: ClientId(client),
        request: request(said),
    }
}

fn request(said: &Value) -> Request {
    Request::parse(&said.to_string()).expect("a request")
}
