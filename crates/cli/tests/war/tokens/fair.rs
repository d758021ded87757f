//! Detection of cheating servers.

use super::{SEATS, client_seed, first, golden_games, hand, journal, played, secret};
use crate::journal_faults::edit;
use crate::support::{Sandbox, project, replayed};
use Decision::Play;
use std::fs;
use war::i18n::Lang;
use war::journal::FaultCode;
use war::support::hex::Hex;
use war::tokens::{Decision, Kind, Move, Secret, TokenEvent};

// The players knew the commitment before they gave their seeds. A server that picks its seed
// afterwards has to reveal one that it did not commit to.
#[test]
fn a_seed_picked_late_is_detected() {
    let seeds = ["ann's", "bob's"].map(client_seed);
    let moves = [
        Move::Seed(SEATS(0), seeds[0].clone()),
        Move::Seed(SEATS(1), seeds[1].clone()),
        Move::Decide(SEATS(0), Play),
        Move::Decide(SEATS(1), Play),
    ];
    let told = Secret::new(Hex::new([9; 32])).commitment();
    let events = played(first(Kind::Single), 1, secret(), &moves);
    let journal = journal(first(Kind::Single), 1, told, Lang::En, &events);
    assert_eq!(
        replayed(journal.as_bytes()),
        (Some(FaultCode::Deal), String::new())
    );
    let run = Sandbox::new().war_reading(journal.as_bytes(), &["replay", "-"]);
    run.exits_with(1)
        .reports("doesn't match the commitment")
        .reports("DIVERGED");
}

#[test]
fn cards_that_do_not_follow_from_the_seeds_are_detected() {
    let moves = [
        Move::Deal,
        Move::Decide(SEATS(0), Play),
        Move::Decide(SEATS(1), Play),
    ];
    let mut events = played(first(Kind::Single), 1, secret(), &moves[..1]);
    let [_, TokenEvent::Dealt { hands }] = &mut events[..] else {
        panic!("a deal after the start");
    };
    hands[0] = hand("As");
    for made in &moves[1..] {
        let Move::Decide(seat, decision) = *made else {
            continue;
        };
        events.push(TokenEvent::Decided {
            seat,
            decision,
            timed_out: false,
        });
    }
    events.push(TokenEvent::Settled { deltas: [10, -10] });
    let journal = journal(
        first(Kind::Single),
        1,
        secret().commitment(),
        Lang::En,
        &events,
    );
    let (code, printed) = replayed(journal.as_bytes());
    assert_eq!(code, Some(FaultCode::Deal));
    assert!(printed.contains("commitment") && !printed.contains("As"));
    let run = Sandbox::new().war_reading(journal.as_bytes(), &["replay", "-", "--quiet"]);
    run.exits_with(1)
        .reports(r#"expected event: {"dealt":{"hands":[["2d"],["3h"]]}}"#);
}

#[test]
fn every_edit_of_a_token_game_is_found() {
    let goldens = golden_games();
    let game = |name: &str| {
        &goldens
            .iter()
            .find(|(known, _)| *known == name)
            .expect(name)
            .1
    };
    let showdown = game("single_card_showdown.json");
    let late = game("single_card_timed_out.json");
    let tied = game("double_card_tied.json");
    for (journal, line, from, to, code) in [
        (showdown, 1, "\"game\":7", "\"game\":8", FaultCode::Deal),
        (
            showdown,
            1,
            "\"players\":2",
            "\"players\":3",
            FaultCode::Deal,
        ),
        (showdown, 1, "\"large\"", "\"small\"", FaultCode::Deal),
        (
            showdown,
            1,
            "single-card-game/1",
            "double-card-game/1",
            FaultCode::Deal,
        ),
        (
            showdown,
            1,
            "single-card-game/1",
            "triple-card-game/1",
            FaultCode::Unsupported,
        ),
        (
            showdown,
            1,
            "/1\"}",
            "/1\",\"collect\":\"seat\"}",
            FaultCode::Field,
        ),
        (
            showdown,
            1,
            "/1\"}",
            "/1\",\"face_down\":null}",
            FaultCode::Field,
        ),
        (
            showdown,
            1,
            "hmac-sha256",
            "hmac-sha512",
            FaultCode::Unsupported,
        ),
        (
            showdown,
            1,
            "\"seed\":\"00",
            "\"seed\":\"01",
            FaultCode::Deal,
        ),
        (
            showdown,
            1,
            "\"commitment\":\"63",
            "\"commitment\":\"64",
            FaultCode::Deal,
        ),
        (showdown, 2, "Ann", " Ann", FaultCode::Field),
        (showdown, 2, "Ann", "A\\u0007n", FaultCode::Field),
        (showdown, 2, "started", "begun", FaultCode::Unsupported),
        (
            showdown,
            3,
            "\"player\":2",
            "\"player\":1",
            FaultCode::State,
        ),
        (
            showdown,
            3,
            "\"player\":2",
            "\"player\":3",
            FaultCode::Event,
        ),
        (showdown, 3, "ab 12", "ab 13", FaultCode::State),
        (showdown, 5, "\"turn\":1", "\"turn\":2", FaultCode::Event),
        (
            showdown,
            6,
            "\"player\":1",
            "\"player\":2",
            FaultCode::State,
        ),
        (showdown, 6, "\"play\"", "\"fold\"", FaultCode::State),
        (
            showdown,
            6,
            "\"timed_out\":false",
            "\"timed_out\":true",
            FaultCode::Event,
        ),
        (
            showdown,
            7,
            "\"player\":2",
            "\"player\":1",
            FaultCode::Event,
        ),
        (showdown, 8, "10,-10", "-10,10", FaultCode::Event),
        (showdown, 8, "10,-10", "20,-20", FaultCode::Event),
        (showdown, 9, "\"winner\":1", "\"winner\":2", FaultCode::End),
        (showdown, 9, "\"won\"", "\"folded\"", FaultCode::End),
        (late, 5, "\"fold\"", "\"play\"", FaultCode::Event),
        (
            tied,
            6,
            "{\"tied\":{}}",
            "{\"settled\":{\"deltas\":[20,-20]}}",
            FaultCode::Event,
        ),
    ] {
        let (found, _) = replayed(edit(journal, line, from, to).as_bytes());
        assert_eq!(found, Some(code), "line {line}: {from} to {to}");
    }
}

#[test]
fn only_token_games_have_a_commitment() {
    let war = fs::read_to_string(project().join("journals/classic_one_player.json"));
    let war = war.expect("a journal");
    let (_, tokens) = &golden_games()[0];
    let between = |text: &str, from: &str, to: &str| {
        let start = text.find(from).expect(from);
        let end = start + text[start..].find(to).expect(to);
        text[start..end].to_owned()
    };
    let deal = |text: &str| between(text, "\"deal\":", ",\"console\"");
    for (journal, other) in [(&war, tokens), (tokens, &war)] {
        let mixed = edit(journal, 1, &deal(journal), &deal(other));
        assert_eq!(replayed(mixed.as_bytes()).0, Some(FaultCode::Field));
    }
}
