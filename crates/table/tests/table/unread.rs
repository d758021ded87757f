//! Limits on the stored messages to an absent player.

use super::hub::TestHub;
use serde_json::Value;
use war_table::protocol::PlayerId;

/// Types of the messages to the first player with numbers above `after`.
fn unread(table: &TestHub, after: u64) -> Vec<String> {
    let outbox = table.store.snapshot().outbox;
    let first = PlayerId(1);
    let unread = outbox.range((first, after + 1)..=(first, u64::MAX));
    let types = unread.map(|(_, stored)| {
        let message: Value = serde_json::from_str(&stored.body).expect("JSON");
        message["type"].as_str().expect("a type").to_owned()
    });
    types.collect()
}

fn last(table: &TestHub) -> u64 {
    let outbox = table.store.snapshot().outbox;
    let of_first = outbox.range((PlayerId(1), 0)..=(PlayerId(1), u64::MAX));
    of_first.last().map_or(0, |((_, seq), _)| *seq)
}

/// Plays a game between two clients, who both fold.
fn play(table: &mut TestHub, clients: [u64; 2], id: &str) {
    for client in clients {
        table.choose(client, id);
    }
    for client in clients {
        table.send(client, &table.seed(client, &format!("{id}s")));
    }
    for client in clients {
        table.decide(client, &format!("{id}d"), "fold");
    }
    assert_eq!(table.running(), 0);
}

/// Stages at which a player leaves, with the types of the messages that are stored from then on.
const STAGES: [(&str, &[&str]); 5] = [
    ("waiting", &["cancelled"]),
    ("started", &["result"]),
    ("opened", &["result"]),
    ("dealt", &["opponent_decided", "decided", "result"]),
    ("decided", &["opponent_decided", "result"]),
];

/// Table whose first player has reached this stage, and is about to leave.
fn absent_player(stage: usize) -> TestHub {
    let mut table = TestHub::new(0);
    for client in 1..=3 {
        table.hello(client, client);
    }
    table.choose(1, "c");
    if stage > 0 {
        table.choose(2, "c");
    }
    if stage > 1 {
        table.send(1, &table.seed(1, "s"));
    }
    if stage > 2 {
        table.send(2, &table.seed(2, "s"));
    }
    if stage > 3 {
        table.decide(1, "d", "fold");
    }
    table
}

#[test]
fn an_absent_player_gets_the_rest_of_one_game_and_no_more() {
    for (stage, (name, expected)) in STAGES.into_iter().enumerate() {
        let mut table = absent_player(stage);
        let seen = last(&table);
        table.disconnect(1);
        if stage > 2 {
            table.decide(2, "d", "fold");
        }
        // Long enough for the hand to be folded, or for the wait to be cancelled.
        table.pass(60_000);
        assert_eq!((table.running(), table.waiting()), (0, 0), "{name}");
        assert_eq!(unread(&table, seen), expected, "{name}");
        for number in 0..20 {
            play(&mut table, [2, 3], &format!("c{number}"));
            table.pass(61_000 + number * 3_600_000);
        }
        assert_eq!(unread(&table, seen), expected, "{name}");
    }
}
