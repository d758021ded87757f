//! House players, and the hub's store and log while they play.

use super::hub::{START, TestHub};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use war_table::protocol::PlayerId;
use war_table::time::TableTime;
use war_table_world::store::MemoryStore;

/// Names of the house players in the store, by number.
fn house(table: &TestHub) -> Vec<String> {
    let players = table.store.snapshot().players.into_values();
    let house = players.filter(|(player, _)| player.house);
    house
        .map(|(player, _)| player.name.as_str().to_owned())
        .collect()
}

/// Plays a game of the only visitor, client 1, against the house. Returns all messages to the
/// visitor.
fn play(table: &mut TestHub, number: u64) -> Vec<Value> {
    let begun = table.now - START;
    let mut heard = table.choose(1, &format!("c{number}"));
    let more = table.pass(begun + 1_500);
    heard.extend(more.into_iter().map(|(_, message)| message));
    let seed = table.seed(1, &format!("s{number}"));
    heard.extend(table.send(1, &seed));
    // Cards that tie are dealt again.
    while heard.last().expect("a message")["type"] != "result" {
        let id = format!("d{number}-{}", heard.len());
        heard.extend(table.decide(1, &id, "play"));
    }
    assert_eq!(heard.last().expect("a message")["type"], "result");
    heard
}

#[test]
fn the_house_joins_at_the_start() {
    let table = TestHub::new(3);
    assert_eq!(house(&table), ["House 1", "House 2", "House 3"]);
    assert_eq!(
        table.hub.next_due(),
        TableTime::from_millis(START + 1_000),
        "old answers are looked for"
    );
    let table = TestHub::open(table.store, 2, START);
    assert_eq!(house(&table).len(), 3, "they are there already");
    let table = TestHub::open(table.store, 5, START);
    assert_eq!(house(&table)[3..], ["House 4", "House 5"]);
    assert_eq!(table.hub.health().players, 0, "nobody is connected");
}

#[test]
fn a_visitor_plays_against_the_house_again_and_again() {
    let mut table = TestHub::new(1);
    table.hello(1, 1);
    let mut balance = 1_000;
    for number in 0..8 {
        let heard = play(&mut table, number);
        let house = json!({"player": 1, "name": "House 1", "house": true});
        assert_eq!(heard[1]["opponent"], house);
        let result = heard.last().expect("a result");
        balance += result["delta"].as_i64().expect("tokens");
        assert_eq!(result["balance"], balance);
    }
    assert_eq!(house(&table), ["House 1"], "nobody else was needed");
    let games = table.metrics.to_string();
    assert!(games.contains("war_table_games_total 8\n"), "{games}");
}

#[test]
fn house_players_of_an_earlier_run_do_not_play_if_disabled() {
    let mut table = TestHub::open(TestHub::new(2).store, 0, START);
    assert_eq!(house(&table).len(), 2);
    table.hello(1, 1);
    table.choose(1, "c");
    assert_eq!(table.pass(60_000), []);
    assert_eq!((table.waiting(), table.running()), (1, 0));
}

#[test]
fn the_house_does_not_play_against_absent_players() {
    let mut table = TestHub::new(1);
    table.hello(1, 1);
    table.choose(1, "c");
    table.disconnect(1);
    assert_eq!(table.pass(10_000), []);
    assert_eq!((table.waiting(), table.running()), (1, 0));
    table.hello(2, 1);
    let heard = table.pass(11_500);
    assert_eq!(heard[0].1["type"], "started", "{heard:?}");
}

#[test]
fn players_data_are_stored_and_messages_to_the_house_are_not() {
    let mut table = TestHub::new(1);
    table.hello(1, 1);
    let visitor = PlayerId(2);
    let heard = play(&mut table, 0);
    let kept = table.store.snapshot();
    let bodies: Vec<Value> = kept
        .outbox
        .iter()
        .map(|((player, _), message)| {
            assert_eq!(*player, visitor);
            serde_json::from_str(&message.body).expect("JSON")
        })
        .collect();
    // Messages are stored without names.
    let unnamed = heard.iter().map(|message| {
        let mut message = message.clone();
        if let Some(opponent) = message.get_mut("opponent").and_then(Value::as_object_mut) {
            assert!(opponent.remove("name").is_some());
        }
        message
    });
    assert_eq!(bodies, unnamed.collect::<Vec<_>>());
    let known = kept.players.get(&visitor).map(|(player, _)| player.clone());
    let known = known.expect("a player");
    assert_eq!(known.seq, bodies.len() as u64);
    let balance = heard.last().expect("a result")["balance"].clone();
    assert_eq!(balance, known.balance);
    let sum: i64 = kept
        .players
        .values()
        .map(|(player, _)| player.balance)
        .sum();
    assert_eq!(sum, 2_000, "what one loses the other wins");
    let mut table = TestHub::open(table.store, 1, START + 60_000);
    let welcome = table.hello(1, 1);
    assert_eq!(welcome["balance"], balance);
    assert_eq!(welcome["seq"], bodies.len() as u64);
}

/// Log in memory: each record as its message and its values.
#[derive(Clone, Default)]
struct MemoryLog(Arc<Mutex<Vec<String>>>);

impl slog::Drain for MemoryLog {
    type Ok = ();
    type Err = slog::Never;

    fn log(&self, record: &slog::Record<'_>, _: &slog::OwnedKVList) -> Result<(), slog::Never> {
        let mut values = Values::default();
        let fits = slog::KV::serialize(&record.kv(), record, &mut values);
        fits.expect("values that can be written");
        let line = format!("{} {:?}", record.msg(), values.0);
        self.0.lock().expect("one test").push(line);
        Ok(())
    }
}

#[derive(Default)]
struct Values(BTreeMap<&'static str, String>);

impl slog::Serializer for Values {
    fn emit_arguments(&mut self, key: slog::Key, value: &std::fmt::Arguments<'_>) -> slog::Result {
        self.0.insert(key, value.to_string());
        Ok(())
    }
}

#[test]
fn the_log_mentions_players_and_games_but_not_cards() {
    let kept = MemoryLog::default();
    let log = slog::Logger::root(kept.clone(), slog::o!());
    let mut table = TestHub::logged(MemoryStore::new(), 1, START, log);
    table.hello(1, 1);
    let heard = play(&mut table, 0);
    let won = heard.last().expect("a result")["delta"].as_i64();
    let deltas = [won.expect("tokens"), -won.expect("tokens")];
    let lines = kept.0.lock().expect("one test");
    let expected = [
        r#"joined {"house": "true", "player": "1"}"#.to_owned(),
        r#"joined {"house": "false", "player": "2"}"#.to_owned(),
        r#"started {"game": "1", "kind": "single-card-game", "player1": "2", "player2": "1"}"#
            .to_owned(),
        format!(
            r#"settled {{"game": "1", "player1": "{}", "player2": "{}"}}"#,
            deltas[0], deltas[1]
        ),
    ];
    assert_eq!(*lines, expected);
}
