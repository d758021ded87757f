//! Operators' actions on players, at a table in memory whose time the test controls.

use super::hub::TestHub;
use serde_json::json;
use war_table::protocol::{PlayerId, Reason};
use war_table::room::{Activity, Order, PlayerStatus};
use war_table::server::hub::{ClientId, HubCommand};

/// Carries out an operator's order at once. Returns the messages with their recipients.
fn operate(table: &mut TestHub, order: Order) -> Vec<(u64, serde_json::Value)> {
    let client = ClientId(1_000);
    table.run(vec![HubCommand::Order { client, order }])
}

/// Hub with two players, clients 1 and 2, who hold cards.
fn dealt() -> TestHub {
    let mut table = TestHub::new(0);
    for client in [1, 2] {
        table.hello(client, client);
        table.choose(client, &format!("c{client}"));
    }
    for client in [1, 2] {
        let seed = table.seed(client, "s");
        table.send(client, &seed);
    }
    table
}

#[test]
fn a_banned_player_folds_when_their_time_is_up_and_not_before() {
    let mut table = dealt();
    let player = PlayerId(1);
    let heard = operate(&mut table, Order::Ban { player });
    assert_eq!((heard.len(), heard[0].0), (1, 1), "nobody else hears of it");
    assert_eq!(heard[0].1["code"], "banned");
    assert_eq!(table.hello(3, 1)["code"], "banned");
    let play = table.decision(2, "d", "play");
    table.send(2, &play);
    table.pass(29_999);
    assert_eq!(table.running(), 1);
    table.pass(30_000);
    assert_eq!(table.running(), 0);
    let committed = table.store.snapshot();
    let balances = [1, 2].map(|id| committed.players[&PlayerId(id)].0.balance);
    assert_eq!(balances, [997, 1003]);
    operate(&mut table, Order::Readmit { player });
    assert_eq!(table.hello(4, 1)["balance"], 997);
}

#[test]
fn a_waiting_player_who_is_banned_or_forgotten_is_not_matched() {
    for forgotten in [false, true] {
        let mut table = TestHub::new(0);
        table.hello(1, 1);
        table.choose(1, "c1");
        let player = PlayerId(1);
        let (order, standing) = if forgotten {
            (Order::Forget { player }, PlayerStatus::Forgotten)
        } else {
            (Order::Ban { player }, PlayerStatus::Banned)
        };
        assert_eq!(operate(&mut table, order)[0].1["type"], "cancelled");
        assert_eq!(table.waiting(), 0);
        let committed = table.store.snapshot();
        let (known, _) = &committed.players[&player];
        assert_eq!((known.status, known.activity), (standing, Activity::Free));
        table.hello(2, 2);
        assert_eq!(table.choose(2, "c2")[0]["type"], "waiting");
        // The end of the old connection changes nothing for the player who waits.
        table.disconnect(1);
        assert_eq!(table.waiting(), 1);
    }
}

#[test]
fn granted_tokens_are_announced_on_every_connection_of_the_player_only() {
    let mut table = TestHub::new(0);
    for (client, player) in [(1, 1), (2, 1), (3, 2)] {
        table.hello(client, player);
    }
    let adjust = Order::Adjust {
        player: PlayerId(1),
        tokens: -1_001,
        reason: Reason::try_from("x".to_owned()).expect("a reason"),
    };
    let adjusted = json!({"seq": 1, "type": "adjusted", "tokens": -1001, "balance": -1,
        "reason": "x"});
    let heard = operate(&mut table, adjust);
    assert_eq!(heard, [(1, adjusted.clone()), (2, adjusted)]);
}
