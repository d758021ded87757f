//! The hub's policies: who waits for how long, to the millisecond.

use super::hub::{START, TestHub, asks};
use serde_json::{Value, json};
use war::hex::Hex;
use war::room::{AccessToken, Match, RoomEvent};
use war::server::hub::HubCommand;
use war::server::store::TokenHash;
use war::tokens::Secret;

/// The types of messages, with who hears them.
fn types(heard: &[(u64, Value)]) -> Vec<(u64, &str)> {
    let typed = heard.iter();
    let typed = typed.map(|(to, message)| (*to, message["type"].as_str()));
    let named = typed.map(|(to, kind)| (to, kind.expect("a type")));
    named.collect()
}

#[test]
fn a_player_who_is_gone_waits_for_15_seconds() {
    let mut table = TestHub::new(0);
    table.hello(1, None);
    table.choose(1, "c");
    table.disconnect(1);
    table.pass(14_999);
    assert_eq!(table.waiting(), 1);
    assert_eq!(table.hub.next_due(), START + 15_000);
    table.pass(15_000);
    assert_eq!(table.waiting(), 0);
    let last = table.store.committed().outbox.into_values().last();
    assert!(last.expect("a message").contains("cancelled"));
}

#[test]
fn a_player_who_comes_back_in_time_waits_on() {
    let mut table = TestHub::new(0);
    let welcome = table.hello(1, None);
    table.choose(1, "c");
    table.disconnect(1);
    table.pass(14_999);
    assert_eq!(table.hello(2, Some(&welcome["token"]))["type"], "welcome");
    table.pass(3_600_000);
    assert_eq!(table.waiting(), 1);
}

#[test]
fn players_who_wait_have_15_seconds_to_come_back_after_a_restart() {
    let mut table = TestHub::new(0);
    let welcome = [1, 2].map(|client| table.hello(client, None));
    let double = json!({"type": "choose", "id": "c", "game": "double-card-game"});
    table.choose(1, "c");
    table.say(2, &double);
    let mut table = TestHub::open(table.store, 0, START + 60_000);
    table.hello(1, Some(&welcome[0]["token"]));
    table.pass(74_999);
    assert_eq!(table.waiting(), 2);
    table.pass(75_000);
    assert_eq!(table.waiting(), 1, "the one who came back");
}

#[test]
fn the_house_comes_after_a_second_and_a_half() {
    let mut table = TestHub::new(1);
    table.hello(1, None);
    table.pass(1_000);
    table.choose(1, "c");
    assert_eq!(table.pass(2_499), []);
    assert_eq!(table.hub.next_due(), START + 2_500);
    let heard = table.pass(2_500);
    assert_eq!(types(&heard), [(1, "started")]);
    assert_eq!(heard[0].1["opponent"], "House 1");
}

#[test]
fn the_house_does_not_come_where_it_is_closed() {
    let mut table = TestHub::new(0);
    table.hello(1, None);
    table.choose(1, "c");
    assert_eq!(table.pass(3_600_000), []);
    assert_eq!(table.waiting(), 1);
}

#[test]
fn the_house_does_not_play_with_players_who_are_gone() {
    let mut table = TestHub::new(1);
    let welcome = table.hello(1, None);
    table.choose(1, "c");
    table.disconnect(1);
    table.pass(1_500);
    table.pass(14_000);
    assert_eq!((table.waiting(), table.running()), (1, 0));
    // Those who come back get the time to say that they wait no longer.
    table.hello(2, Some(&welcome["token"]));
    table.pass(15_499);
    assert_eq!((table.waiting(), table.running()), (1, 0));
    table.pass(15_500);
    assert_eq!((table.waiting(), table.running()), (0, 1));
}

#[test]
fn two_who_want_different_games_both_meet_the_house() {
    let mut table = TestHub::new(1);
    for client in [1, 2] {
        table.hello(client, None);
    }
    table.choose(1, "c");
    let double = json!({"type": "choose", "id": "c", "game": "double-card-game"});
    table.say(2, &double);
    assert_eq!(types(&table.pass(1_500)), [(1, "started"), (2, "started")]);
}

/// Two players, clients 1 and 2, whose game has just started.
fn started() -> TestHub {
    let mut table = TestHub::new(0);
    for client in [1, 2] {
        table.hello(client, None);
        table.choose(client, "c");
    }
    assert_eq!(table.running(), 1);
    table
}

#[test]
fn cards_are_dealt_a_second_after_the_start() {
    let mut table = started();
    assert_eq!(table.hub.next_due(), START + 1_000);
    assert_eq!(table.pass(999), []);
    let heard = table.pass(1_000);
    assert_eq!(types(&heard), [(1, "dealt"), (2, "dealt")]);
    assert_eq!(heard[0].1["deadline_ms"], START + 31_000);
}

#[test]
fn a_decision_counts_to_the_last_millisecond_before_its_deadline() {
    let mut table = started();
    table.pass(1_000);
    table.now = START + 30_999;
    let play = json!({"type": "decide", "id": "d", "decision": "play"});
    assert_eq!(table.say(1, &play)[0]["timed_out"], false);
    table.now = START + 31_000;
    let heard = table.run(vec![asks(2, &play)]);
    let to = |client, at: usize| {
        let mut to = heard.iter().filter(|(to, _)| *to == client);
        to.nth(at).map(|(_, message)| message).expect("a message")
    };
    assert_eq!(to(2, 0)["timed_out"], true);
    assert_eq!(to(2, 1)["delta"], -3);
    assert_eq!(to(2, 2)["code"], "not_playing", "it comes too late");
    assert_eq!(to(1, 0)["delta"], 3);
}

#[test]
fn answers_are_known_for_an_hour() {
    let mut table = TestHub::new(0);
    table.hello(1, None);
    let first = table.choose(1, "c");
    table.say(1, &json!({"type": "cancel", "id": "x"}));
    table.pass(3_600_000);
    assert_eq!(table.choose(1, "c"), first);
    // Old ones are looked for every second.
    table.pass(3_600_999);
    assert_eq!(table.store.committed().answers.len(), 2);
    table.pass(3_601_000);
    assert_eq!(table.store.committed().answers.len(), 0);
    assert_eq!(table.choose(1, "c")[0]["seq"], 3, "it is a new request");
}

#[test]
fn answers_to_players_who_wait_are_known_for_longer() {
    let mut table = TestHub::new(0);
    table.hello(1, None);
    let first = table.choose(1, "c");
    table.pass(7_200_000);
    table.pass(7_202_000);
    assert_eq!(table.choose(1, "c"), first);
}

#[test]
fn a_request_with_an_id_that_was_used_changes_nothing() {
    let mut table = started();
    let seed = json!({"type": "seed", "id": "s", "value": "chance"});
    let first = table.say(1, &seed);
    let before = table.store.committed();
    assert_eq!(table.say(1, &seed), first);
    let other = json!({"type": "seed", "id": "s", "value": "other"});
    assert_eq!(table.say(1, &other)[0]["code"], "id_reused");
    let another = json!({"type": "seed", "id": "t", "value": "chance"});
    assert_eq!(table.say(1, &another)[0]["code"], "seeded_already");
    assert_eq!(table.store.committed(), before);
}

#[test]
fn a_player_has_16_connections_at_most() {
    let mut table = TestHub::new(0);
    let token = table.hello(1, None)["token"].clone();
    for client in 2..=16 {
        assert_eq!(table.hello(client, Some(&token))["type"], "welcome");
    }
    assert_eq!(
        table.hello(17, Some(&token))["code"],
        "too_many_connections"
    );
    assert_eq!(types(&table.run(vec![choice(3)])).len(), 16, "all hear it");
    table.disconnect(5);
    assert_eq!(table.hello(18, Some(&token))["type"], "welcome");
}

fn choice(client: u64) -> HubCommand {
    let choose = json!({"type": "choose", "id": "c", "game": "single-card-game"});
    asks(client, &choose)
}

#[test]
fn a_request_before_hello_is_refused_and_nothing_else_happens() {
    let mut table = TestHub::new(0);
    let unknown = "00".repeat(32);
    let refused = table.hello(1, Some(&json!(unknown)));
    assert_eq!(refused["code"], "unknown_token");
    assert_eq!(table.choose(1, "c")[0]["code"], "hello_first");
    assert_eq!(table.run(vec![choice(99)]), [], "nobody is there");
    assert_eq!(table.store.committed().events, []);
}

#[test]
fn a_drained_hub_plays_its_games_to_the_end() {
    let mut table = started();
    table.hello(3, None);
    table.run(vec![HubCommand::Drain]);
    assert!(table.hub.health().draining && !table.hub.is_closed());
    assert_eq!(table.choose(3, "c")[0]["code"], "draining");
    table.pass(1_000);
    table.pass(30_999);
    assert!(!table.hub.is_closed());
    table.pass(31_000);
    assert!(table.hub.is_closed());
    assert_eq!(table.choose(1, "again")[0]["code"], "draining");
}

#[test]
fn the_house_starts_no_game_while_the_hub_drains() {
    let mut table = TestHub::new(1);
    table.hello(1, None);
    table.choose(1, "c");
    table.run(vec![HubCommand::Drain]);
    assert_eq!(table.pass(1_500), []);
    assert!(table.hub.is_closed());
}

#[test]
fn cards_that_tie_are_dealt_again_and_told_so() {
    let mut table = started();
    let mut redealt = 0;
    for game in 0..100 {
        let mut heard = table.pass(table.now - START + 1_000);
        while table.running() > 0 {
            for client in [1, 2] {
                let id = format!("d{game}-{}", heard.len());
                heard.extend(table.run(vec![asks(
                    client,
                    &json!({"type": "decide", "id": id, "decision": "play"}),
                )]));
            }
        }
        let count =
            |to: u64, kind: &str| types(&heard).iter().filter(|is| **is == (to, kind)).count();
        for client in [1, 2] {
            assert_eq!(count(client, "dealt"), 1, "the first deal is");
            assert_eq!(count(client, "decided"), 1 + count(client, "redealt"));
        }
        redealt += count(1, "redealt");
        for client in [1, 2] {
            table.choose(client, &format!("c{game}"));
        }
    }
    assert!(redealt > 0, "one game in seventeen ties");
}

#[test]
fn a_player_who_comes_back_may_take_another_name() {
    let mut table = TestHub::new(0);
    let token = table.hello(1, None)["token"].clone();
    let joined = table.store.committed().events;
    table.disconnect(1);
    table.hello(1, Some(&token));
    assert_eq!(
        table.store.committed().events,
        joined,
        "it is the same name"
    );
    table.hello(2, Some(&token));
    let events = table.store.committed().events;
    let [(_, RoomEvent::Renamed { player, name })] = &events[joined.len()..] else {
        panic!("a new name: {events:?}");
    };
    assert_eq!((player.0, name.as_str()), (1, "Player 2"));
}

#[test]
fn secrets_are_not_printed() {
    let bytes = Hex::new([0xab; 32]);
    let token = AccessToken::new(bytes);
    assert_eq!(format!("{token:?}"), "AccessToken(..)");
    assert_eq!(format!("{:?}", TokenHash::of(&token)), "TokenHash(..)");
    assert_eq!(format!("{:?}", Secret::new(bytes)), "Secret(..)");
    let table = started();
    let events = table.store.committed().events;
    let matched = events.iter().find_map(|(_, event)| match event {
        RoomEvent::Matched(Match { secret, .. }) => Some((event, secret.reveal().to_string())),
        _ => None,
    });
    let (event, secret) = matched.expect("a game");
    assert!(!format!("{event:?}").contains(&secret));
    let stored = serde_json::to_value(event).expect("JSON");
    assert_eq!(
        stored["matched"]["secret"], secret,
        "but the store needs it"
    );
}
