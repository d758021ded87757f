//! Hubs of rooms in a database: each the part of a table that one node owns.

use super::hub::{asks, connects, identity};
use super::said;
use crate::postgres::{self, Database};
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::Arc;
use war::room::{PlayerId, Request, Timeouts};
use war::server::hub::{
    ClientId, Hello, Hub, HubCommand, HubSettings, Now, Outbound, Publication, Stamped, UnitOfWork,
};
use war::server::rooms::RoomNumber;
use war::server::store::{Reader as _, Store, StoreError};
use war::server::{Metrics, SeededRandomness};

const NOW: Now = Now { table: 1, wall: 1 };

/// A room with its hub.
struct Node {
    store: Box<dyn Store>,
    hub: Hub,
}

impl Node {
    fn new(store: Box<dyn Store>) -> Self {
        let settings = HubSettings {
            timeouts: Timeouts {
                decide: 30_000,
                seeds: 5_000,
            },
            house_players: 0,
            new_players: 100,
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

    fn run(&mut self, commands: Vec<HubCommand>) -> Vec<Publication> {
        let transaction = self.store.begin().expect("a store that works");
        let unit = UnitOfWork::new(transaction.expect("nobody else"), NOW);
        let commands = commands.into_iter();
        let commands = commands.map(|command| Stamped { at: 1, command });
        let done = self.hub.run(unit, commands).and_then(UnitOfWork::commit);
        done.expect("a store that works")
    }

    /// Lets a player come for the first time; the result is their number.
    fn hello(&mut self, client: u64) -> PlayerId {
        let token = said::token(&client.to_string());
        let hello = said::hello_by(&token, "Ann").to_string();
        let Ok(Request::Hello {
            id, name, token, ..
        }) = Request::parse(&hello)
        else {
            panic!("a hello");
        };
        let client = ClientId(client);
        let hello = HubCommand::Hello {
            client,
            hello: Hello { id, name, token },
        };
        let heard = self.run(vec![connects(client), hello]);
        let [
            (_, Outbound::Welcome { player, .. }),
            (_, Outbound::Released),
        ] = heard[..]
        else {
            panic!("{heard:?}");
        };
        player
    }

    /// What is published when players who may be in no room ask for something in one batch.
    fn ask(&mut self, asked: &[(u64, PlayerId, Value)]) -> Vec<Publication> {
        let commands = asked.iter().flat_map(|(client, player, said)| {
            let HubCommand::Connect {
                client: id,
                address,
                catalogue,
            } = connects(ClientId(*client))
            else {
                panic!("a client");
            };
            let attach = HubCommand::Attach {
                client: id,
                address,
                catalogue,
                player: *player,
            };
            [attach, asks(*client, said)]
        });
        self.run(commands.collect())
    }
}

/// The last message of a type to each client.
fn heard(published: &[Publication], kind: &str) -> BTreeMap<u64, Value> {
    let messages = published.iter().filter_map(|(client, outbound)| {
        let Outbound::Push { body, .. } = outbound else {
            return None;
        };
        let message: Value = serde_json::from_str(body).expect("JSON");
        (message["type"] == kind).then_some((client.0, message))
    });
    messages.collect()
}

#[test]
#[ignore = "needs PostgreSQL; `.ci/run` installs it"]
fn a_game_goes_on_in_the_hands_of_another_node_and_its_players_are_free_afterwards() {
    let database = Database::new();
    let (table, other) = (postgres::open(&database), postgres::open(&database));
    let mut first = Node::new(postgres::take(&table, 0, "a"));
    let mut second = Node::new(postgres::take(&other, 1, "b"));
    let players = [first.hello(1), second.hello(2)];
    let of = |client| players[usize::from(client == 2)];
    let choose = |client: u64| {
        let chosen = said::single(&format!("choose-{client}"));
        (client, of(client), chosen)
    };
    let waiting = first.ask(&[choose(1)]);
    assert_eq!(heard(&waiting, "waiting").len(), 1, "{waiting:?}");
    // A player who is in another room is sent there.
    let elsewhere = second.ask(&[choose(1)]);
    assert_eq!(
        elsewhere,
        [(ClientId(1), Outbound::Elsewhere(RoomNumber(0)))]
    );
    let started = heard(&first.ask(&[choose(2)]), "started");
    assert_eq!(started.len(), 2);
    let seed = |client: u64, id: &str| {
        let said = said::open(id, &started[&client], &format!("choose-{client}"));
        (client, of(client), said)
    };
    let dealt = heard(&first.ask(&[seed(1, "s1"), seed(2, "s2")]), "dealt");
    assert_eq!(dealt.len(), 2);
    let mut third = Node::new(postgres::take(&other, 0, "b"));
    assert!(matches!(
        first.store.begin().err(),
        Some(StoreError::Lost | StoreError::Database(_))
    ));
    let decide = |client: u64, id: &str, decision: &str| {
        let said = said::decide(id, &dealt[&client], decision);
        (client, of(client), said)
    };
    let both = [decide(1, "d1", "fold"), decide(2, "d2", "play")];
    let results = third.ask(&both);
    let deltas = heard(&results, "result");
    assert_eq!(deltas[&1]["delta"], -3, "{results:?}");
    assert_eq!(deltas[&2]["delta"], 3);
    let released = results
        .iter()
        .filter(|(_, outbound)| *outbound == Outbound::Released);
    assert_eq!(released.count(), 2);
    // Asked again, in another room, they are answered again, and nothing is done.
    let again = second.ask(&both[..1]);
    let mut answers = again.iter().filter_map(|(_, outbound)| match outbound {
        Outbound::Answer(body) => Some(body.contains("decided")),
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
    let reader = table.reader();
    assert!(reader.game(game).expect("a store that works").len() > 5);
    assert!(reader.settlement(game).expect("a store").is_some());
    let messages = reader.messages(players[0], 0).expect("a store that works");
    assert!(messages.windows(2).all(|two| two[0].0 + 1 == two[1].0));
}
