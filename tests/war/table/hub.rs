//! A hub with a store in memory and a clock that the test moves.

use serde_json::{Value, json};
use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;
use war::i18n::{Catalogue, Lang};
use war::room::{Request, Timeouts};
use war::server::hub::{
    ClientId, Hello, Hub, HubCommand, HubSettings, Now, Outbound, Stamped, UnitOfWork,
};
use war::server::store::{MemoryStore, Store};
use war::server::{Metrics, SeededRandomness};

/// The time at which these hubs are opened.
pub(super) const START: u64 = 1_700_000_000_000;

/// How many new players of an address may come to these hubs in a minute.
pub(super) const NEW_PLAYERS: u32 = 100;

pub(super) struct TestHub {
    pub(super) store: MemoryStore,
    pub(super) hub: Hub,
    pub(super) metrics: Arc<Metrics>,
    pub(super) now: u64,
    /// How far the wall clock is ahead of the table's time.
    pub(super) ahead: i64,
}

impl TestHub {
    pub(super) fn new(house_players: usize) -> Self {
        Self::open(MemoryStore::new(), house_players, START)
    }

    pub(super) fn open(store: MemoryStore, house_players: usize, now: u64) -> Self {
        let log = slog::Logger::root(slog::Discard, slog::o!());
        Self::logged(store, house_players, now, log)
    }

    /// A hub of a store, opened when the wall clock is so far ahead of the table's time.
    pub(super) fn opened_after(store: MemoryStore, ahead: i64) -> Self {
        let table = store.time().expect("a store that works");
        let wall = table.saturating_add_signed(ahead);
        let log = slog::Logger::root(slog::Discard, slog::o!());
        let mut opened = Self::at(store, 0, Now { table, wall }, log);
        opened.ahead = ahead;
        opened
    }

    /// A hub that writes its log there.
    pub(super) fn logged(
        store: MemoryStore,
        house_players: usize,
        now: u64,
        log: slog::Logger,
    ) -> Self {
        Self::at(store, house_players, self::now(now), log)
    }

    fn at(store: MemoryStore, house_players: usize, now: Now, log: slog::Logger) -> Self {
        let settings = HubSettings {
            timeouts: Timeouts {
                decide: 30_000,
                seeds: 1_000,
            },
            house_players,
            new_players: NEW_PLAYERS,
        };
        let metrics = Arc::new(Metrics::new());
        let hub = Hub::open(
            &store,
            settings,
            Box::new(SeededRandomness::new(7)),
            Arc::clone(&metrics),
            log,
            now,
        );
        let hub = hub.expect("a store that works");
        Self {
            store,
            hub,
            metrics,
            now: now.table,
            ahead: 0,
        }
    }

    /// What is published of these commands: who hears which message.
    pub(super) fn run(&mut self, commands: Vec<HubCommand>) -> Vec<(u64, Value)> {
        let at = self.now;
        let stamp = |command| Stamped { at, command };
        self.run_stamped(commands.into_iter().map(stamp).collect())
    }

    /// What is published of these commands, which came before now.
    pub(super) fn run_stamped(&mut self, commands: Vec<Stamped>) -> Vec<(u64, Value)> {
        let transaction = self.store.begin().expect("a store that works");
        let table = self.now;
        let wall = table.saturating_add_signed(self.ahead);
        let unit = UnitOfWork::new(transaction.expect("nobody else"), Now { table, wall });
        let published = self.hub.run(unit, commands).expect("a store that works");
        let heard = |(client, outbound): (ClientId, Outbound)| {
            let body: &str = match &outbound {
                Outbound::Push { body, .. } => body,
                Outbound::Welcome { body, .. } | Outbound::Answer(body) => body,
            };
            (client.0, serde_json::from_str(body).expect("JSON"))
        };
        published.into_iter().map(heard).collect()
    }

    /// Does what is due at a time after the start.
    pub(super) fn pass(&mut self, after: u64) -> Vec<(u64, Value)> {
        self.now = START + after;
        self.run(Vec::new())
    }

    /// Connects a client, and returns what it hears after `hello`.
    pub(super) fn hello(&mut self, client: u64, token: Option<&Value>) -> Value {
        let mut hello = json!({"type": "hello", "id": "h", "name": format!("Player {client}")});
        if let Some(token) = token {
            hello["token"] = token.clone();
        }
        let Request::Hello { id, name, token } = request(&hello) else {
            panic!("a hello");
        };
        let client = ClientId(client);
        let mut heard = self.run(vec![
            connects(client),
            HubCommand::Hello {
                client,
                hello: Hello { id, name, token },
            },
        ]);
        heard.pop().expect("an answer").1
    }

    /// What a client hears after a request.
    pub(super) fn say(&mut self, client: u64, said: &Value) -> Vec<Value> {
        let heard = self.run(vec![asks(client, said)]);
        let to_it = heard.into_iter().filter(|(to, _)| *to == client);
        to_it.map(|(_, message)| message).collect()
    }

    pub(super) fn choose(&mut self, client: u64, id: &str) -> Vec<Value> {
        let choose = json!({"type": "choose", "id": id, "game": "single-card-game"});
        self.say(client, &choose)
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

/// A time of the table at which the wall clock shows the same.
fn now(now: u64) -> Now {
    let (table, wall) = (now, now);
    Now { table, wall }
}

/// A client on this machine comes.
pub(super) fn connects(client: ClientId) -> HubCommand {
    HubCommand::Connect {
        client,
        address: IpAddr::from(Ipv4Addr::LOCALHOST).into(),
        catalogue: Catalogue::of(Lang::En).expect("a catalogue"),
    }
}

/// A request as a command.
pub(super) fn asks(client: u64, said: &Value) -> HubCommand {
    HubCommand::Request {
        client: ClientId(client),
        request: request(said),
    }
}

fn request(said: &Value) -> Request {
    Request::parse(&said.to_string()).expect("a request")
}
