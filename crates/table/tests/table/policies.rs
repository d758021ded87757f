//! Limits of the hub: time limits, tested to the millisecond, and limits on requests.

use super::client_requests;
use super::hub::{START, TestHub, asks};
use serde_json::{Value, json};
use war::support::hex::Hex;
use war::tokens::Secret;
use war_table::protocol::{AccessToken, PlayerId};
use war_table::room::{Match, RoomEvent};
use war_table::server::hub::HubCommand;
use war_table::server::store::TokenHash;
use war_table::time::TableTime;

/// Types of messages.
fn types_of(heard: &[Value]) -> Vec<&str> {
    let types = heard.iter().map(|message| message["type"].as_str());
    types.map(|kind| kind.expect("a type")).collect()
}

/// Types of messages, with their recipients.
fn types(heard: &[(u64, Value)]) -> Vec<(u64, &str)> {
    let typed = heard.iter();
    let typed = typed.map(|(to, message)| (*to, message["type"].as_str()));
    let named = typed.map(|(to, kind)| (to, kind.expect("a type")));
    named.collect()
}

#[test]
fn an_absent_player_waits_for_15_seconds() {
    let mut table = TestHub::new(0);
    table.hello(1, 1);
    table.choose(1, "c");
    table.disconnect(1);
    table.pass(14_999);
    assert_eq!(table.waiting(), 1);
    assert_eq!(table.hub.next_due(), TableTime::from_millis(START + 15_000));
    table.pass(15_000);
    assert_eq!(table.waiting(), 0);
    let last = table.store.snapshot().outbox.into_values().last();
    assert!(last.expect("a message").body.contains("cancelled"));
}

#[test]
fn a_player_who_returns_in_time_still_waits() {
    let mut table = TestHub::new(0);
    table.hello(1, 1);
    table.choose(1, "c");
    table.disconnect(1);
    table.pass(14_999);
    assert_eq!(table.hello(2, 1)["type"], "welcome");
    table.pass(3_600_000);
    assert_eq!(table.waiting(), 1);
}

#[test]
fn nobody_is_matched_with_an_absent_player() {
    let mut table = TestHub::new(0);
    table.hello(1, 1);
    table.choose(1, "c");
    table.disconnect(1);
    table.hello(2, 2);
    table.pass(1);
    let heard = table.choose(2, "c");
    assert_eq!(heard[0]["type"], "waiting", "{heard:?}");
    assert_eq!((table.waiting(), table.running()), (1, 0));
    let last = table.store.snapshot().outbox.into_values();
    assert!(
        last.into_iter()
            .any(|message| message.body.contains("cancelled"))
    );
    table.hello(3, 1);
    assert_eq!(table.choose(3, "again")[0]["type"], "started");
}

#[test]
fn waiting_players_have_15_seconds_to_return_after_a_restart() {
    let mut table = TestHub::new(0);
    for client in [1, 2] {
        table.hello(client, client);
    }
    table.choose(1, "c");
    table.send(2, &client_requests::double("c"));
    let mut table = TestHub::open(table.store, 0, START + 60_000);
    table.hello(1, 1);
    table.pass(74_999);
    assert_eq!(table.waiting(), 2);
    table.pass(75_000);
    assert_eq!(table.waiting(), 1, "the one who came back");
}

#[test]
fn the_house_comes_after_a_second_and_a_half() {
    let mut table = TestHub::new(1);
    table.hello(1, 1);
    table.pass(1_000);
    table.choose(1, "c");
    assert_eq!(table.pass(2_499), []);
    assert_eq!(table.hub.next_due(), TableTime::from_millis(START + 2_500));
    let heard = table.pass(2_500);
    assert_eq!(types(&heard), [(1, "started")]);
    assert_eq!(heard[0].1["opponent"]["name"], "House 1");
}

#[test]
fn a_closed_house_does_not_come() {
    let mut table = TestHub::new(0);
    table.hello(1, 1);
    table.choose(1, "c");
    assert_eq!(table.pass(3_600_000), []);
    assert_eq!(table.waiting(), 1);
}

#[test]
fn the_house_does_not_play_with_absent_players() {
    let mut table = TestHub::new(1);
    table.hello(1, 1);
    table.choose(1, "c");
    table.disconnect(1);
    table.pass(1_500);
    table.pass(14_000);
    assert_eq!((table.waiting(), table.running()), (1, 0));
    // A player who comes back gets some time to cancel before the house plays.
    table.hello(2, 1);
    table.pass(15_499);
    assert_eq!((table.waiting(), table.running()), (1, 0));
    table.pass(15_500);
    assert_eq!((table.waiting(), table.running()), (0, 1));
}

#[test]
fn two_players_of_different_games_both_play_the_house() {
    let mut table = TestHub::new(1);
    for client in [1, 2] {
        table.hello(client, client);
    }
    table.choose(1, "c");
    table.send(2, &client_requests::double("c"));
    assert_eq!(types(&table.pass(1_500)), [(1, "started"), (2, "started")]);
}

/// Hub with two players, clients 1 and 2, whose game has just started.
fn started() -> TestHub {
    let mut table = TestHub::new(0);
    for client in [1, 2] {
        table.hello(client, client);
        table.choose(client, "c");
    }
    assert_eq!(table.running(), 1);
    table
}

/// Hub with two players, clients 1 and 2, who hold cards.
fn dealt() -> TestHub {
    let mut table = started();
    for client in [1, 2] {
        let seed = table.seed(client, "s");
        table.send(client, &seed);
    }
    table
}

#[test]
fn players_have_5_seconds_to_open_their_seeds() {
    let mut table = started();
    assert_eq!(
        table.hub.next_due(),
        TableTime::from_millis(START + 1_000),
        "old answers are looked for"
    );
    let seed = table.seed(1, "s");
    assert_eq!(types_of(&table.send(1, &seed)), ["seeded"]);
    assert_eq!(table.pass(4_999), []);
    let heard = table.pass(5_000);
    assert_eq!(types(&heard), [(1, "result"), (2, "result")]);
    let (won, lost) = (&heard[0].1, &heard[1].1);
    assert_eq!((&won["delta"], &lost["delta"]), (&json!(3), &json!(-3)));
    assert_eq!(won["forfeited"], json!([2]));
    assert_eq!(won["reveal"]["client_seeds"][1], Value::Null);
    assert_eq!(won.get("decisions"), None, "no cards were dealt");
}

#[test]
fn a_game_reports_the_time_left() {
    let mut table = TestHub::new(0);
    table.hello(1, 1);
    table.hello(2, 2);
    table.choose(1, "c");
    let started = &table.choose(2, "c")[0];
    let time = |message: &Value| (message["deadline_ms"].clone(), message["left_ms"].clone());
    assert_eq!(time(started), (json!(START + 5_000), json!(5_000)));
    table.now = START + 2_000;
    for client in [1, 2] {
        let seed = table.seed(client, "s");
        let heard = table.send(client, &seed);
        if client == 2 {
            assert_eq!(types_of(&heard), ["seeded", "dealt"]);
            assert_eq!(time(&heard[1]), (json!(START + 32_000), json!(30_000)));
        }
    }
}

#[test]
fn a_decision_counts_to_the_last_millisecond_before_its_deadline() {
    let mut table = dealt();
    table.now = START + 29_999;
    assert_eq!(table.decide(1, "d", "play")[0]["timed_out"], false);
    table.now = START + 30_000;
    let late = asks(2, &table.decision(2, "d", "play"));
    let heard = table.run(vec![late]);
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
fn answers_are_kept_for_an_hour() {
    let mut table = TestHub::new(0);
    table.hello(1, 1);
    let first = table.choose(1, "c");
    table.send(1, &client_requests::cancel("x"));
    table.pass(3_600_000);
    assert_eq!(table.choose(1, "c"), first);
    // Old answers are removed every second.
    table.pass(3_600_999);
    assert_eq!(table.store.snapshot().answers.len(), 2);
    table.pass(3_601_000);
    assert_eq!(table.store.snapshot().answers.len(), 0);
    assert_eq!(table.choose(1, "c")[0]["seq"], 3, "it is a new request");
}

#[test]
fn answers_to_waiting_players_are_kept_longer() {
    let mut table = TestHub::new(0);
    table.hello(1, 1);
    let first = table.choose(1, "c");
    table.pass(7_200_000);
    table.pass(7_202_000);
    assert_eq!(table.choose(1, "c"), first);
}

#[test]
fn a_request_with_a_used_id_changes_nothing() {
    let mut table = started();
    let seed = table.seed(1, "s");
    let first = table.send(1, &seed);
    let before = table.store.snapshot();
    assert_eq!(table.send(1, &seed), first);
    let mut other = seed.clone();
    other["game_id"] = json!(2);
    assert_eq!(table.send(1, &other)[0]["code"], "id_reused");
    assert_eq!(table.store.snapshot(), before);
}

// Each request is refused. Later the request would be possible, but a repetition under the same id
// is still refused.
#[test]
fn a_refusal_is_repeated_after_its_reason_is_gone() {
    let mut table = TestHub::new(0);
    for client in [1, 2] {
        table.hello(client, client);
    }
    let cancel = client_requests::cancel("early-cancel");
    assert_eq!(table.send(1, &cancel)[0]["code"], "not_waiting");
    table.choose(1, "c");
    assert_eq!(table.send(1, &cancel)[0]["code"], "not_waiting");
    assert_eq!(table.waiting(), 1);
    let choose = client_requests::single("second-choice");
    assert_eq!(table.send(1, &choose)[0]["code"], "waiting");
    let early = client_requests::open("early-seed", &json!({"game_id": 1}), "c");
    assert_eq!(table.send(1, &early)[0]["code"], "not_playing");
    table.choose(2, "c");
    assert_eq!(table.send(1, &early)[0]["code"], "not_playing");
    let early = client_requests::decide("early", &json!({"game_id": 1, "deal": 1}), "play");
    assert_eq!(table.send(1, &early)[0]["code"], "stale_decision");
    for client in [1, 2] {
        let seed = table.seed(client, "s");
        table.send(client, &seed);
    }
    assert_eq!(table.send(1, &early)[0]["code"], "stale_decision");
    let resume = json!({"type": "resume", "id": "early-resume", "after": 5});
    assert_eq!(table.send(1, &resume)[0]["code"], "bad_after");
    table.decide(1, "d", "fold");
    table.decide(2, "d", "fold");
    assert_eq!(table.running(), 0);
    assert_eq!(table.send(1, &resume)[0]["code"], "bad_after");
    assert_eq!(table.send(1, &choose)[0]["code"], "waiting");
    // Another connection, after a restart, gets the same answers.
    let mut table = TestHub::open(table.store, 0, START + 1);
    table.hello(3, 1);
    assert_eq!(table.send(3, &choose)[0]["code"], "waiting");
    assert_eq!(table.send(3, &early)[0]["code"], "stale_decision");
    assert_eq!(
        types_of(&table.send(3, &client_requests::single("new"))),
        ["waiting"]
    );
}

#[test]
fn a_refusal_independent_of_the_game_is_not_remembered() {
    let mut table = TestHub::new(0);
    table.hello(1, 1);
    table.run(vec![HubCommand::Drain]);
    assert_eq!(table.choose(1, "c")[0]["code"], "draining");
    let mut table = TestHub::open(table.store, 0, START + 1);
    table.hello(1, 1);
    assert_eq!(types_of(&table.choose(1, "c")), ["waiting"]);
}

#[test]
fn a_player_has_1000_ids_an_hour() {
    let mut table = TestHub::new(0);
    table.hello(1, 1);
    table.hello(2, 2);
    let cancel = |number: u32| client_requests::cancel(&number.to_string());
    for number in 0..1_000 {
        let answer = table.send(1, &cancel(number));
        assert_eq!(answer[0]["code"], "not_waiting", "{number}");
    }
    assert_eq!(table.send(1, &cancel(1_000))[0]["code"], "too_fast");
    let known = table.send(1, &cancel(999));
    assert_eq!(known[0]["code"], "not_waiting", "what is known is answered");
    let other = table.send(2, &cancel(0));
    assert_eq!(other[0]["code"], "not_waiting", "another player may");
    table.disconnect(1);
    table.hello(3, 1);
    assert_eq!(table.send(3, &cancel(1_000))[0]["code"], "too_fast");
    table.now = START + 3_599_999;
    assert_eq!(table.send(3, &cancel(1_000))[0]["code"], "too_fast");
    table.now = START + 3_600_000;
    assert_eq!(table.send(3, &cancel(1_000))[0]["code"], "not_waiting");
}

#[test]
fn a_player_has_16_connections_at_most() {
    let mut table = TestHub::new(0);
    for client in 1..=16 {
        assert_eq!(table.hello(client, 1)["type"], "welcome");
    }
    assert_eq!(table.hello(17, 1)["code"], "too_many_connections");
    assert_eq!(types(&table.run(vec![choice(3)])).len(), 16, "all hear it");
    table.disconnect(5);
    assert_eq!(table.hello(18, 1)["type"], "welcome");
}

fn choice(client: u64) -> HubCommand {
    asks(client, &client_requests::single("c"))
}

#[test]
fn a_request_before_hello_is_refused_and_nothing_else_happens() {
    let mut table = TestHub::new(0);
    assert_eq!(table.run(vec![choice(99)]), [], "nobody is there");
    assert_eq!(table.store.snapshot().events, []);
}

#[test]
fn one_token_is_one_player_however_often_hello_is_sent() {
    let mut table = TestHub::new(0);
    let first = table.hello(1, 1);
    // The answer was lost, and the client repeats its request.
    table.disconnect(1);
    let mut again = table.hello(2, 1);
    assert_eq!(
        again["name"], "Player 2",
        "it is the name that was said last"
    );
    again["name"] = first["name"].clone();
    assert_eq!(again, first);
    let other = table.hello(3, 2);
    assert_ne!(other["player"], first["player"]);
    let joined = table.store.snapshot().events.len();
    assert_eq!(joined, 2);
}

#[test]
fn a_draining_hub_finishes_its_games() {
    let mut table = dealt();
    table.hello(3, 3);
    table.run(vec![HubCommand::Drain]);
    assert!(table.hub.health().draining && !table.hub.is_closed());
    assert_eq!(table.choose(3, "c")[0]["code"], "draining");
    table.pass(29_999);
    assert!(!table.hub.is_closed());
    table.pass(30_000);
    assert!(table.hub.is_closed());
    assert_eq!(table.choose(1, "again")[0]["code"], "draining");
}

#[test]
fn the_house_starts_no_game_while_the_hub_drains() {
    let mut table = TestHub::new(1);
    table.hello(1, 1);
    table.choose(1, "c");
    let heard = table.run(vec![HubCommand::Drain]);
    assert_eq!(types(&heard), [(1, "draining")], "they wait no longer");
    assert_eq!(table.waiting(), 0);
    assert_eq!(table.pass(1_500), []);
    assert!(table.hub.is_closed());
}

#[test]
fn after_a_tie_new_cards_are_dealt_and_announced() {
    let mut table = started();
    let mut redealt = 0;
    for game in 0..100 {
        let mut heard = Vec::new();
        for client in [1, 2] {
            let seed = table.seed(client, &format!("s{game}"));
            heard.extend(table.run(vec![asks(client, &seed)]));
        }
        while table.running() > 0 {
            for client in [1, 2] {
                let id = format!("d{game}-{}", heard.len());
                let play = table.decision(client, &id, "play");
                heard.extend(table.run(vec![asks(client, &play)]));
            }
        }
        let count =
            |to: u64, kind: &str| types(&heard).iter().filter(|is| **is == (to, kind)).count();
        for client in [1, 2] {
            assert_eq!(count(client, "dealt"), 1, "the first deal is");
            let deals = 1 + count(client, "redealt");
            assert_eq!(count(client, "decided"), deals);
            assert_eq!(count(client, "opponent_decided"), deals);
        }
        redealt += count(1, "redealt");
        for client in [1, 2] {
            table.choose(client, &format!("c{game}"));
        }
    }
    assert!(redealt > 0, "one game in seventeen ties");
}

// Client 2 sends two decisions in one batch, as after two key presses. The first one may lead to a
// tie, and the second one must not count for the new cards.
#[test]
fn a_second_decision_in_a_batch_does_not_apply_to_the_cards_after_a_tie() {
    let mut table = started();
    let mut ties = 0;
    for game in 0..60 {
        for client in [1, 2] {
            let seed = table.seed(client, &format!("s{game}"));
            table.send(client, &seed);
        }
        let id = |kind: &str| format!("{kind}{game}");
        table.decide(1, &id("first"), "play");
        let twice = ["one", "two"].map(|kind| table.decision(2, &id(kind), "play"));
        let heard = table.run(twice.iter().map(|decide| asks(2, decide)).collect());
        let answer = heard.last().map(|(_, message)| message["code"].clone());
        if table.running() == 0 {
            assert_eq!(answer, Some(json!("not_playing")));
        } else {
            ties += 1;
            assert_eq!(answer, Some(json!("stale_decision")));
            table.decide(1, &id("new"), "fold");
            assert_eq!(table.running(), 1, "client 2 has decided on unseen cards");
            table.decide(2, &id("new"), "play");
        }
        for client in [1, 2] {
            table.choose(client, &id("c"));
        }
    }
    assert!(ties > 0, "one game in seventeen ties");
}

#[test]
fn a_returning_player_may_take_another_name_without_an_event() {
    let mut table = TestHub::new(0);
    table.hello(1, 1);
    let joined = table.store.snapshot().events;
    let named = |table: &TestHub| {
        let (player, _) = &table.store.snapshot().players[&PlayerId(1)];
        player.name.as_str().to_owned()
    };
    assert_eq!(named(&table), "Player 1");
    table.disconnect(1);
    table.hello(2, 1);
    assert_eq!(named(&table), "Player 2");
    let committed = table.store.snapshot();
    assert_eq!(committed.events, joined);
    let stored = serde_json::to_string(&joined[0].1).expect("JSON");
    assert_eq!(stored, r#"{"joined":{"player":1,"house":false}}"#);
}

#[test]
fn an_opponent_is_shown_by_their_current_name() {
    let mut table = started();
    let started = |heard: &[Value]| heard[0]["opponent"]["name"].clone();
    let again = table.send(2, &client_requests::single("c"));
    assert_eq!(started(&again), "Player 1");
    table.disconnect(1);
    table.hello(5, 1);
    let again = table.send(2, &client_requests::single("c"));
    assert_eq!(started(&again), "Player 5");
    let kept = table.store.snapshot().outbox.into_values();
    assert!(
        kept.into_iter()
            .all(|message| !message.body.contains("Player"))
    );
}

#[test]
fn secrets_are_not_printed() {
    let bytes = Hex::new([0xab; 32]);
    let token = AccessToken::new(bytes);
    assert_eq!(format!("{token:?}"), "AccessToken(..)");
    assert_eq!(
        format!("{:?}", TokenHash::from_token(&token)),
        "TokenHash(..)"
    );
    assert_eq!(format!("{:?}", Secret::new(bytes)), "Secret(..)");
    let table = started();
    let events = table.store.snapshot().events;
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
