//! Players who want to play against somebody in particular.

use super::client_requests;
use super::hub::{START, TestHub, asks};
use serde_json::{Value, json};
use war::support::hex::Hex;
use war::tokens::{Kind, commitment};
use war_table::fair::{FairnessChecks, FairnessViolation};
use war_table::protocol::OpponentFilter;
use war_table::server::hub::{ClientId, HubCommand};

const CODE: &str = "0123456789abcdef0123456789abcdef";

/// Messages to a client that chooses a game of one card with this opponent.
fn choose(table: &mut TestHub, client: u64, id: &str, with: &Value) -> Vec<Value> {
    table.send(client, &client_requests::choose_with(id, with))
}

fn invite(table: &mut TestHub, client: u64, id: &str) -> Vec<Value> {
    choose(table, client, id, &json!({"invitation": CODE}))
}

fn accept(table: &mut TestHub, client: u64, id: &str) -> Vec<Value> {
    choose(table, client, id, &json!({"accept": CODE}))
}

/// Hub with this many house players, and with the players of clients 1 to 3.
fn table(house: usize) -> TestHub {
    let mut table = TestHub::new(house);
    for client in 1..=3 {
        table.hello(client, client);
    }
    table
}

/// Code of the only refusal.
fn refusal(heard: &[Value]) -> &str {
    let [error] = heard else {
        panic!("one answer, not {heard:?}");
    };
    error["code"].as_str().expect("a code")
}

/// Plays a game between clients 1 and 2, who both choose anyone and both fold. Returns the number
/// of the game.
fn play(table: &mut TestHub) -> u64 {
    let result = play_to_end(table, "fold");
    result["game_id"].as_u64().expect("a number")
}

/// Plays a game between clients 1 and 2, who both choose anyone: client 1 makes this decision, and
/// client 2 folds. Returns the result for client 2.
fn play_to_end(table: &mut TestHub, decision: &str) -> Value {
    for client in [1, 2] {
        table.choose(client, &format!("c{client}"));
    }
    for client in [1, 2] {
        let seed = table.seed(client, "s");
        table.send(client, &seed);
    }
    table.decide(1, "d", decision);
    let mut heard = table.decide(2, "d", "fold");
    let result = heard.pop().expect("a result");
    assert_eq!(result["type"], "result");
    result
}

#[test]
fn an_invitation_is_valid_for_one_person_and_one_game() {
    let mut table = table(2);
    let waits = invite(&mut table, 1, "i");
    assert_eq!(waits[0]["with"], json!({"invitation": CODE}));
    // Neither the house nor anybody else comes.
    table.pass(10_000);
    assert_eq!(table.waiting(), 1);
    let other = client_requests::choose("o", "double-card-game");
    let mut other = (other, json!({"accept": CODE}));
    other.0["with"] = other.1;
    assert_eq!(refusal(&table.send(3, &other.0)), "not_invited");
    let started = accept(&mut table, 2, "a");
    assert_eq!(started[0]["type"], "started");
    assert_eq!(started[0]["opponent"]["name"], "Player 1");
    assert_eq!(refusal(&accept(&mut table, 3, "a")), "not_invited");
    assert_eq!((table.running(), table.waiting()), (1, 0));
}

#[test]
fn an_invitation_outlives_ten_minutes_without_a_connection() {
    let mut table = table(0);
    invite(&mut table, 1, "i");
    table.disconnect(1);
    table.pass(1);
    assert_eq!(refusal(&accept(&mut table, 2, "a")), "inviter_away");
    table.pass(599_000);
    assert_eq!(refusal(&accept(&mut table, 2, "b")), "inviter_away");
    table.hello(4, 1);
    // A late copy of a refused request does not start a game that is no longer wanted.
    assert_eq!(refusal(&accept(&mut table, 2, "a")), "inviter_away");
    assert_eq!((table.running(), table.waiting()), (0, 1));
    let started = accept(&mut table, 2, "c");
    assert_eq!(started[0]["opponent"]["name"], "Player 4");
}

#[test]
fn an_invitation_ends_when_its_player_is_forgotten() {
    let mut table = table(0);
    invite(&mut table, 1, "i");
    table.disconnect(1);
    table.pass(600_000);
    table.hello(4, 1);
    assert_eq!(refusal(&accept(&mut table, 2, "a")), "not_invited");
}

#[test]
fn the_house_plays_at_once_on_request() {
    let mut table = table(1);
    // Another player waits for anyone, and must not be matched with the house player.
    table.choose(3, "w");
    let heard = choose(&mut table, 1, "h", &json!("house"));
    assert_eq!(
        (&heard[0]["type"], &heard[0]["with"]),
        (&json!("waiting"), &json!("house"))
    );
    assert_eq!(heard[1]["opponent"]["house"], true);
    let heard = choose(&mut table, 2, "h", &json!("house"));
    assert_eq!(heard[1]["opponent"]["house"], true, "another one is hired");
    assert_eq!((table.running(), table.waiting()), (2, 1));
}

#[test]
fn a_closed_house_refuses_requests() {
    let mut table = table(0);
    let heard = choose(&mut table, 1, "h", &json!("house"));
    assert_eq!(refusal(&heard), "house_closed");
    assert_eq!(table.waiting(), 0);
}

#[test]
fn the_same_two_play_again_when_both_want_to() {
    let mut table = table(0);
    let again = json!({"rematch": play(&mut table)});
    let (choice, game) = (client_requests::choose_with("r", &again), &again["rematch"]);
    let heard = table.run(vec![super::hub::asks(1, &choice)]);
    let told: Vec<_> = heard
        .iter()
        .map(|(to, message)| (*to, &message["type"], &message["game_id"]))
        .collect();
    let (waiting, wanted) = (json!("waiting"), json!("rematch_wanted"));
    assert_eq!(told, [(1, &waiting, &Value::Null), (2, &wanted, game)]);
    assert_eq!(refusal(&choose(&mut table, 3, "r", &again)), "no_rematch");
    let started = choose(&mut table, 2, "r", &again);
    assert_eq!(started[0]["opponent"]["name"], "Player 1");
}

#[test]
fn each_player_learns_the_other_s_balance() {
    let mut table = table(0);
    let result = play_to_end(&mut table, "play");
    assert_eq!(result["balance"], 997);
    table.choose(2, "again");
    let heard = table.run(vec![super::hub::asks(
        1,
        &client_requests::choose("again", "single-card-game"),
    )]);
    let told: Vec<_> = heard
        .iter()
        .map(|(to, message)| (*to, &message["type"], &message["opponent_balance"]))
        .collect();
    let (started, winner, loser) = (json!("started"), json!(1_003), json!(997));
    assert_eq!(told.len(), 2, "{told:?}");
    assert!(told.contains(&(1, &started, &loser)), "{told:?}");
    assert!(told.contains(&(2, &started, &winner)), "{told:?}");
}

#[test]
fn a_rematch_is_withdrawn_by_cancelling_or_leaving() {
    let mut table = table(0);
    let again = json!({"rematch": play(&mut table)});
    let withdrawn = |heard: &[(u64, Value)]| {
        let to_other = heard.iter().find(|(to, _)| *to == 2);
        to_other.is_some_and(|(_, message)| message["type"] == "rematch_withdrawn")
    };
    choose(&mut table, 1, "r", &again);
    assert!(withdrawn(
        &table.run(vec![super::hub::asks(1, &client_requests::cancel("x"))])
    ));
    choose(&mut table, 1, "r2", &again);
    table.disconnect(1);
    let after = table.now - START;
    assert!(!withdrawn(&table.pass(after + 14_999)));
    assert!(withdrawn(&table.pass(after + 15_000)));
}

#[test]
fn repeated_rematch_requests_without_waiting_are_too_fast() {
    let mut table = table(0);
    let again = json!({"rematch": play(&mut table)});
    for wish in 0..20 {
        let heard = choose(&mut table, 1, &format!("r{wish}"), &again);
        assert_eq!(heard[0]["type"], "waiting", "{heard:?}");
        table.send(1, &client_requests::cancel(&format!("x{wish}")));
    }
    assert_eq!(refusal(&choose(&mut table, 1, "one", &again)), "too_fast");
    let heard = choose(&mut table, 2, "other", &again);
    assert_eq!(heard[0]["type"], "waiting", "the other one may");
    let hour = table.now - START + 3_600_000;
    table.pass(hour);
    let heard = choose(&mut table, 1, "one", &again);
    assert_eq!(heard[0]["type"], "started", "{heard:?}");
}

#[test]
fn only_players_of_a_finished_game_can_play_again() {
    let mut table = table(1);
    let game = play(&mut table);
    for (client, number) in [(1, game + 1), (1, 0), (3, game)] {
        let heard = choose(
            &mut table,
            client,
            &format!("n{number}"),
            &json!({"rematch": number}),
        );
        assert_eq!(refusal(&heard), "no_rematch", "{client} {number}");
    }
    let mut double = client_requests::choose("k", "double-card-game");
    double["with"] = json!({"rematch": game});
    assert_eq!(
        refusal(&table.send(1, &double)),
        "no_rematch",
        "another kind"
    );
    // No rematch of a running game, nor of a game against the house.
    let heard = choose(&mut table, 3, "h", &json!("house"));
    let number = heard[1]["game_id"].clone();
    let heard = choose(&mut table, 1, "m", &json!({"rematch": number}));
    assert_eq!(refusal(&heard), "no_rematch");
    table.pass(5_000);
    assert_eq!(table.running(), 0, "the seed was not opened");
    let heard = choose(&mut table, 3, "p", &json!({"rematch": number}));
    assert_eq!(refusal(&heard), "no_rematch", "the house");
}

/// Checks of a player who was welcomed by a table without a key.
fn welcomed_checks() -> FairnessChecks {
    let mut checks = FairnessChecks::new();
    let welcome = json!({"seq": 0, "type": "welcome", "player": 7, "balance": 1000, "now_ms": 0,
        "protocol": 2, "in_reply_to": "1"});
    let welcome = serde_json::from_value(welcome).expect("a message");
    checks.receive(&welcome).expect("a fair welcome");
    checks
}

/// Fault that a player finds in a `started` message after asking for a game of one card with this
/// opponent.
fn fault(
    checks: &mut FairnessChecks,
    whom: OpponentFilter,
    number: u64,
    started: (&str, u64, bool),
) -> FairnessViolation {
    let (game, opponent, house) = started;
    let seed = Hex::new([1; 32]);
    checks.record_choice_of_opponent(Kind::Single, seed, whom);
    let started = json!({"seq": checks.seq() + 1, "type": "started", "game_id": number, "seat": 1,
        "game": game, "opponent": {"player": opponent, "name": "Ola", "house": house},
        "seed_hashes": [commitment(&seed), "22".repeat(32)],
        "commitment": format!("{number:064x}"), "time_ms": 1, "table": "44".repeat(16),
        "signature": "55".repeat(64), "deadline_ms": 5, "left_ms": 5});
    let started = serde_json::from_value(started).expect("a message");
    checks.receive(&started).expect_err("nothing is signed")
}

#[test]
fn a_table_that_substitutes_the_opponent_is_detected() {
    let code = Hex::new([7; 16]);
    let (single, double) = ("single-card-game", "double-card-game");
    // A start that matches the request fails a later check: it is unsigned, because the table has
    // no key.
    let (lie, honest) = (FairnessViolation::NotChosen, FairnessViolation::Unsigned);
    for (whom, game, house, expected) in [
        (OpponentFilter::House, single, true, honest),
        (OpponentFilter::House, single, false, lie),
        (OpponentFilter::House, double, true, lie),
        (OpponentFilter::Invitation(code), single, false, honest),
        (OpponentFilter::Invitation(code), single, true, lie),
        (OpponentFilter::Accept(code), single, false, honest),
        (OpponentFilter::Accept(code), single, true, lie),
        (OpponentFilter::Accept(code), double, false, lie),
        (OpponentFilter::Rematch(5), single, false, honest),
        (OpponentFilter::Rematch(5), single, true, lie),
    ] {
        let found = fault(&mut welcomed_checks(), whom, 9, (game, 8, house));
        assert_eq!(found, expected, "{whom:?} {game} {house}");
    }
}

#[test]
fn a_rematch_with_another_opponent_is_detected() {
    for (opponent, expected) in [
        (8, FairnessViolation::Unsigned),
        (6, FairnessViolation::NotChosen),
    ] {
        let mut checks = welcomed_checks();
        let invitation = OpponentFilter::Invitation(Hex::new([7; 16]));
        let first = ("single-card-game", 8, false);
        assert_eq!(
            fault(&mut checks, invitation, 5, first),
            FairnessViolation::Unsigned
        );
        let again = ("single-card-game", opponent, false);
        assert_eq!(
            fault(&mut checks, OpponentFilter::Rematch(5), 6, again),
            expected
        );
    }
}

const SECRET: &str = "00112233445566778899aabbccddeeff";

/// Friend link that the player of client 1 creates.
fn create_link(table: &mut TestHub, id: &str) -> String {
    // Computed with Python's hashlib from `SECRET`.
    let secret_hash = "a8faed6abbf35c12a4b26e40f6feb19d736d90045c83b9f9a31f638d323e6811";
    let request = json!({
        "type": "create_link", "id": id, "game": "single-card-game", "secret_hash": secret_hash
    });
    let heard = table.send(1, &request);
    let [links] = &heard[..] else {
        panic!("one answer, not {heard:?}");
    };
    assert_eq!(
        (&links["type"], &links["in_reply_to"]),
        (&json!("links"), &json!(id))
    );
    let last = links["links"].as_array().and_then(|links| links.last());
    let last = last.expect("a link");
    assert_eq!(last["game"], "single-card-game");
    last["link"].as_str().expect("an ID").to_owned()
}

/// All messages, by client, when a client chooses the game of a friend link.
fn choose_friend(
    table: &mut TestHub,
    client: u64,
    id: &str,
    (link, secret): (&str, Option<&str>),
    is_ready: bool,
) -> Vec<(u64, Value)> {
    let mut choice = client_requests::choose_with(id, &json!({"friend": link}));
    if let Some(secret) = secret {
        choice["secret"] = json!(secret);
    }
    if !is_ready {
        choice
            .as_object_mut()
            .expect("an object")
            .remove("seed_hash");
    }
    table.run(vec![asks(client, &choice)])
}

/// Client, opponent's name and presence in each message about a friend.
fn presence(heard: &[(u64, Value)]) -> Vec<(u64, &str, &str)> {
    let friends = heard
        .iter()
        .filter(|(_, message)| message["type"] == "friend");
    let told = friends.map(|(client, message)| {
        let name = message["opponent"]["name"].as_str().unwrap_or_default();
        (*client, name, message["presence"].as_str().expect("a word"))
    });
    told.collect()
}

#[test]
fn friends_see_each_other_and_play_when_both_are_ready() {
    let mut table = table(1);
    let link = create_link(&mut table, "l");
    let (inviter, guest) = ((&*link, None), (&*link, Some(SECRET)));
    let heard = choose_friend(&mut table, 1, "a", inviter, true);
    assert_eq!(heard[0].1["with"], json!({"friend": link}));
    assert_eq!(presence(&heard), [(1, "", "away")]);
    // Neither the house nor time ends the wait.
    table.pass(3_600_000);
    assert_eq!(table.waiting(), 1);
    let heard = choose_friend(&mut table, 2, "b", guest, false);
    assert_eq!(
        presence(&heard),
        [(1, "Player 2", "here"), (2, "Player 1", "ready")]
    );
    let heard = choose_friend(&mut table, 2, "c", guest, true);
    assert_eq!(
        presence(&heard),
        [(1, "Player 2", "ready"), (2, "Player 1", "ready")]
    );
    assert_eq!(table.running(), 0, "the inviter may have fallen asleep");
    let heard = choose_friend(&mut table, 1, "d", inviter, true);
    let kinds: Vec<_> = heard
        .iter()
        .map(|(client, message)| (*client, &message["type"]))
        .collect();
    assert_eq!(kinds, [(2, &json!("started")), (1, &json!("started"))]);
    let hashes = &heard[0].1["seed_hashes"];
    let fresh = ["c", "d"].map(|id| client_requests::single(id)["seed_hash"].clone());
    assert_eq!(*hashes, json!(fresh));
}

#[test]
fn a_friend_who_leaves_is_away_at_once() {
    let mut table = table(0);
    let link = create_link(&mut table, "l");
    choose_friend(&mut table, 1, "a", (&link, None), true);
    choose_friend(&mut table, 2, "b", (&link, Some(SECRET)), false);
    let heard = table.run(vec![HubCommand::Disconnect {
        client: ClientId(2),
    }]);
    assert_eq!(presence(&heard), [(1, "", "away")]);
    table.hello(4, 2);
    // The connection is new, so it has to learn who is here. Ann learned it from the `hello`.
    let heard = choose_friend(&mut table, 4, "c", (&link, Some(SECRET)), false);
    assert_eq!(presence(&heard), [(4, "Player 1", "ready")]);
    let cancel = client_requests::cancel("x");
    let heard = table.run(vec![asks(4, &cancel)]);
    assert_eq!(presence(&heard), [(1, "", "away")]);
}

#[test]
fn only_the_secret_of_a_link_that_exists_admits() {
    let mut table = table(0);
    let link = create_link(&mut table, "l");
    let other = "ffffffffffffffffffffffffffffffff";
    let code = |heard: &[(u64, Value)]| heard[0].1["code"].as_str().map(str::to_owned);
    for (id, link, secret) in [
        ("a", &*link, None),
        ("b", &*link, Some(other)),
        ("c", "ffffffffffffffff", Some(SECRET)),
    ] {
        let heard = choose_friend(&mut table, 2, id, (link, secret), true);
        assert_eq!(code(&heard).as_deref(), Some("no_link"), "{id}");
    }
    // The link of another player can't be revoked.
    for (client, left) in [(2, "waiting"), (1, "error")] {
        let revoke = json!({"type": "revoke_link", "id": "r", "link": link});
        let heard = table.send(client, &revoke);
        assert_eq!(heard[0]["links"], json!([]));
        let heard = choose_friend(
            &mut table,
            3,
            &format!("d{client}"),
            (&link, Some(SECRET)),
            true,
        );
        assert_eq!(heard[0].1["type"], left);
        table.send(3, &client_requests::cancel(&format!("e{client}")));
    }
}

#[test]
fn a_player_has_at_most_twenty_links() {
    let mut table = table(0);
    for number in 0..20 {
        create_link(&mut table, &format!("l{number}"));
    }
    // A repeated request creates no other link.
    let again = json!({
        "type": "create_link", "id": "l19", "game": "single-card-game", "secret_hash": "a8faed6abbf35c12a4b26e40f6feb19d736d90045c83b9f9a31f638d323e6811"
    });
    let heard = table.send(1, &again);
    assert_eq!(heard[0]["links"].as_array().map(Vec::len), Some(20));
    let mut more = again;
    more["id"] = json!("l20");
    assert_eq!(refusal(&table.send(1, &more)), "too_many_links");
    table.send(1, &json!({"type": "forget", "id": "f"}));
    table.hello(4, 4);
    let link = heard[0]["links"][0]["link"].as_str().expect("an ID");
    let heard = choose_friend(&mut table, 2, "g", (link, Some(SECRET)), true);
    assert_eq!(heard[0].1["code"], "no_link", "the inviter is forgotten");
}
