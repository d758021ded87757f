//! Forged journals by version 2 of the rules, each with the location and code of its fault.

use super::goldens::golden_games;
use super::{SEATS, SEEDS, journal, opening, played, secret};
use crate::journal_faults::edit;
use crate::journal_lines::rechained;
use crate::support::Sandbox;
use Decision::{Fold, Play};
use war::i18n::Lang;
use war::journal::{FaultCode, Verdict};
use war::replay::verify;
use war::support::hex::Hex;
use war::tokens::{Decision, Kind, Move, TokenEvent, TokenRules, commitment};

const RULES: TokenRules = TokenRules::current(Kind::Single);

/// Line and code of a journal's fault.
fn found(journal: &str) -> Option<(u64, FaultCode)> {
    let judgement = verify(journal.as_bytes()).expect("memory is read without errors");
    judgement.fault().map(|fault| (fault.at.line, fault.code()))
}

/// Journal with the same records in version 2 of the format.
fn as_lines(journal: &str) -> String {
    let (header, rest) = journal.split_once(",\"chain\":").expect("a header");
    let header = header.replacen("\"version\":1", "\"version\":2", 1);
    let (first, rest) = rest.split_once(",\"events\":[\n").expect("events");
    let (events, end) = rest.split_once("\n],\"end\":").expect("an end");
    let (end, chain) = end.trim_end().rsplit_once(",\"chain\":").expect("a link");
    let events = events.replace("\n,", "\n");
    let chain = chain.trim_end_matches('}');
    let header = format!("{header},\"meta\":{{}},\"chain\":{first}}}");
    rechained(&format!(
        "{header}\n{events}\n{{\"end\":{end}}},\"chain\":{chain}}}\n"
    ))
}

/// Checks that a journal has this fault in both versions of the format.
#[track_caller]
fn assert_refused(journal: &str, line: u64, code: FaultCode, what: &str) {
    assert_eq!(found(journal), Some((line, code)), "{what}");
    assert_eq!(
        found(&as_lines(journal)),
        Some((line, code)),
        "{what}, lines"
    );
}

fn forfeit(seat: usize) -> TokenEvent {
    TokenEvent::Forfeited { seat: SEATS(seat) }
}

fn decide(seat: usize, decision: Decision) -> TokenEvent {
    TokenEvent::Decided {
        seat: SEATS(seat),
        decision,
        timed_out: false,
    }
}

const fn settle(one: i64, two: i64) -> TokenEvent {
    let deltas = [one, two];
    TokenEvent::Settled { deltas }
}

/// Game won at the showdown: 6c against 4s.
fn showdown() -> Vec<TokenEvent> {
    let moves = [
        Move::Open(SEATS(0), SEEDS[0]),
        Move::Open(SEATS(1), SEEDS[1]),
        Move::Decide(SEATS(0), Play),
        Move::Decide(SEATS(1), Play),
    ];
    played(RULES, 7, secret(), &moves)
}

/// Journal of these events, with correct states and links.
fn of_events(events: &[TokenEvent]) -> String {
    journal(RULES, 7, secret().commitment(), Lang::En, events)
}

#[test]
fn an_unforged_journal_verifies_in_both_versions() {
    let journal = of_events(&showdown());
    assert_eq!(found(&journal), None);
    assert_eq!(found(&as_lines(&journal)), None);
}

#[test]
fn an_exchanged_seed_is_reported() {
    let mut events = showdown();
    let other = Hex::new([9; 32]);
    events[2] = TokenEvent::Opened {
        seat: SEATS(1),
        seed: other,
    };
    let journal = of_events(&events);
    assert_refused(&journal, 4, FaultCode::Deal, "another seed");
    let run = Sandbox::new().war_reading(journal.as_bytes(), &["replay", "-", "--quiet"]);
    run.exits_with(1)
        .reports(":4:2: WJ303 the seed opened at seat 2 doesn't match the seed hash given before")
        .reports("DIVERGED");
    // Seed hashes that are exchanged afterwards are detected, too.
    let hashes = [commitment(&SEEDS[1]), commitment(&SEEDS[0])];
    let mut events = showdown();
    events[0] = TokenEvent::Committed {
        players: [12, 7],
        seed_hashes: hashes,
    };
    assert_refused(
        &of_events(&events),
        3,
        FaultCode::Deal,
        "the hashes exchanged",
    );
}

#[test]
fn events_in_another_order_are_refused_at_the_first_wrong_one() {
    let start = opening(RULES);
    let [_, one, two, dealt, ..] = &showdown()[..] else {
        panic!("a game");
    };
    let (one, two, dealt) = (one.clone(), two.clone(), dealt.clone());
    for (events, line, what) in [
        (vec![one.clone(), one.clone()], 4, "a seed opened twice"),
        (vec![one.clone(), forfeit(0)], 4, "forfeited after opening"),
        (vec![forfeit(0), one.clone()], 4, "opened after forfeiting"),
        (vec![forfeit(0), forfeit(0)], 4, "forfeited twice"),
        (vec![dealt.clone()], 3, "dealt before any seed"),
        (vec![one.clone(), dealt.clone()], 4, "dealt with one seed"),
        (
            vec![one.clone(), forfeit(1), dealt.clone()],
            5,
            "dealt after a forfeit",
        ),
        (vec![start.clone()], 3, "committed twice"),
        (
            vec![one.clone(), settle(3, -3)],
            4,
            "settled while a seed is awaited",
        ),
        (
            vec![one.clone(), two.clone(), forfeit(1)],
            5,
            "forfeited when both opened",
        ),
        (
            vec![one.clone(), two.clone(), settle(-1, -1)],
            5,
            "settled without a deal",
        ),
        (
            vec![one.clone(), two.clone(), dealt.clone(), forfeit(1)],
            6,
            "forfeited after the deal",
        ),
        (
            vec![one.clone(), two.clone(), dealt.clone(), one.clone()],
            6,
            "opened after the deal",
        ),
        (
            vec![one.clone(), two.clone(), dealt.clone(), dealt],
            6,
            "dealt twice",
        ),
        (
            vec![one.clone(), decide(0, Fold)],
            4,
            "decided before the deal",
        ),
        (
            vec![one.clone(), TokenEvent::Tied],
            4,
            "tied before the deal",
        ),
        (
            vec![one.clone(), forfeit(1), settle(-3, 3)],
            5,
            "the one who forfeited wins",
        ),
        (
            vec![one.clone(), forfeit(1), settle(10, -10)],
            5,
            "the stakes of a showdown",
        ),
        (
            vec![one, forfeit(1), settle(-1, -1)],
            5,
            "one forfeited, both fold",
        ),
        (
            vec![forfeit(1), forfeit(0), settle(3, -3)],
            5,
            "both forfeited, one wins",
        ),
    ] {
        let events = [vec![start.clone()], events].concat();
        assert_refused(&of_events(&events), line, FaultCode::Event, what);
    }
}

#[test]
fn other_cards_and_another_commitment_are_refused() {
    let mut events = showdown();
    let TokenEvent::Dealt { hands } = &mut events[3] else {
        panic!("a deal");
    };
    hands.reverse();
    assert_refused(
        &of_events(&events),
        5,
        FaultCode::Deal,
        "the hands exchanged",
    );
    let told = commitment(&Hex::new([9; 32]));
    let committed = journal(RULES, 7, told, Lang::En, &showdown());
    assert_refused(&committed, 2, FaultCode::Deal, "another commitment");
    let other = journal(RULES, 8, secret().commitment(), Lang::En, &showdown());
    assert_refused(&other, 5, FaultCode::Deal, "another number of the game");
}

#[test]
fn versions_of_the_rules_are_not_mixed() {
    let [second, first] = ["single_card_2_showdown.json", "single_card_showdown.json"].map(game);
    let started = r#"{"started":{"players":["Ann","Bob"]}}"#;
    let seeded = r#"{"seeded":{"player":1,"value":"x"}}"#;
    let event = |journal: &str, line: usize| {
        let line = journal.lines().nth(line - 1).expect("a line");
        let (_, event) = line.split_once("\"event\":").expect("an event");
        let (event, _) = event.split_once(",\"state\"").expect("a state");
        event.to_owned()
    };
    for (journal, line, from, to, code) in [
        (
            &second,
            2,
            event(&second, 2),
            started.to_owned(),
            FaultCode::Deal,
        ),
        (
            &second,
            3,
            event(&second, 3),
            seeded.to_owned(),
            FaultCode::Event,
        ),
        (
            &first,
            2,
            event(&first, 2),
            event(&second, 2),
            FaultCode::Deal,
        ),
        (
            &first,
            3,
            event(&first, 3),
            event(&second, 3),
            FaultCode::Event,
        ),
    ] {
        let number = u64::try_from(line).expect("a line");
        assert_refused(&edit(journal, line, &from, &to), number, code, &to);
    }
    for (journal, from, to) in [(&second, "game/2", "game/1"), (&first, "game/1", "game/2")] {
        assert_refused(&edit(journal, 1, from, to), 2, FaultCode::Deal, to);
    }
    let run = edit(&second, 1, "game/2", "game/3");
    assert_refused(&run, 1, FaultCode::Unsupported, "rules of a newer version");
    let parameter = edit(&second, 1, "/2\"}", "/2\",\"face_down\":1}");
    assert_refused(&parameter, 1, FaultCode::Field, "a parameter");
}

/// Golden journal of this name.
fn game(name: &str) -> String {
    let mut games = golden_games().into_iter();
    games.find(|(known, _)| *known == name).expect(name).1
}

#[test]
fn invalid_player_numbers_and_seeds_are_damage() {
    let journal = game("single_card_2_showdown.json");
    let changes = [
        (2, "[12,7]", "[0,7]"),
        (2, "[12,7]", "[12,0]"),
        (2, "[12,7]", "[12,12]"),
        (2, "[12,7]", "[12,9007199254740992]"),
        (2, "[12,7]", "[12,18446744073709551616]"),
        (2, "[12,7]", "[-12,7]"),
        (2, "[12,7]", "[12.0,7]"),
        (2, "[12,7]", "[\"12\",7]"),
        (2, "[12,7]", "[12]"),
        (2, "[12,7]", "[12,7,1]"),
        (2, "[12,7]", "[\"Ann\",\"Bob\"]"),
        (2, "[12,7]", "[12,null]"),
        (2, "\"72cd", "\"72CD"),
        (2, "\"72cd", "\"72c"),
        (2, "\"72cd", "\"72cdd"),
        (
            2,
            ",\"75",
            ",\"75877bb41d393b5fb8455ce60ecd8dda001d06316496b14dfa7f895656eeca4a\",\"75",
        ),
        (3, "\"0101", "\"010"),
        (3, "\"0101", "\"0g01"),
        (3, "\"player\":1", "\"player\":0"),
        (3, "\"player\":1", "\"player\":null"),
    ];
    for (line, from, to) in changes {
        let edited = edit(&journal, line, from, to);
        let line = u64::try_from(line).expect("a line");
        assert_refused(&edited, line, FaultCode::Field, to);
        let verdict = verify(edited.as_bytes()).expect("memory").verdict();
        assert_eq!(verdict, Verdict::Damaged, "{to}");
    }
    for player in ["3", "255"] {
        let edited = edit(&journal, 3, "\"player\":1", &format!("\"player\":{player}"));
        assert_refused(&edited, 3, FaultCode::Event, "a seat of neither");
    }
    let highest = edit(&journal, 2, "[12,7]", "[9007199254740991,1]");
    assert_eq!(
        found(&highest).map(|(_, code)| code),
        Some(FaultCode::Console)
    );
    let run = Sandbox::new();
    for (lang, told) in [
        ("en", "two different whole numbers"),
        ("pl", "dwie różne liczby"),
    ] {
        let twice = edit(&journal, 2, "[12,7]", "[12,12]");
        let arguments = ["--lang", lang, "replay", "-", "--quiet"];
        run.war_reading(twice.as_bytes(), &arguments)
            .exits_with(1)
            .reports(":2:")
            .reports("WJ103")
            .reports(told)
            .reports("9007199254740991");
    }
    let newer = edit(&journal, 3, "\"opened\"", "\"shown\"");
    assert_refused(
        &newer,
        3,
        FaultCode::Unsupported,
        "an unknown event, recorded so",
    );
}
