//! The library as other programs use it: recorders, verdicts, files and events.

use super::support::{Sandbox, files};
use proptest::prelude::*;
use std::fs;
use std::io::ErrorKind;
use war::cards::{Deck, Generator, Rank, deal};
use war::engine::{Event, Seat};
use war::journal::{
    GameError, HeaderError, JournalFile, Problem, Proof, Reader, RecordedRules, Verdict,
};
use war::lang::Lang;
use war::recording::{NewGame, Recorder};
use war::replay::verify;
use war::rules::{CLASSIC, DUELS, DUELS_RANDOM, VARIANTS, Variant, XY};
use war::setup::{Correction, Setup};

const CHACHA8: Generator = Generator::ChaCha8 { seed: 1 };

fn recorded(opening: NewGame) -> Vec<u8> {
    let mut journal = Vec::new();
    let recorder = Recorder::new("test", opening, Lang::En).write_to(&mut journal);
    recorder.play().expect("memory takes every byte");
    journal
}

#[test]
fn events_serialize_as_in_every_golden_journal() {
    let mut events = 0;
    for path in files("journals", ".json") {
        let journal = fs::read(&path).expect("a journal");
        let mut reader = Reader::open(&journal[..]).expect("a header");
        if matches!(reader.header().rules, RecordedRules::Tokens(_)) {
            continue;
        }
        while let Ok(Some(entry)) = reader.next_entry() {
            let event: Event = serde_json::from_str(&entry.event).expect("an event");
            let json = serde_json::to_string(&event).expect("memory takes every byte");
            assert_eq!(json, entry.event, "{}", path.display());
            events += 1;
        }
    }
    assert!(events > 1000, "{events} events");
}

#[test]
fn events_are_read_as_strictly_as_journals() {
    for other in [
        r#"{"won":{"player":1,"player":1}}"#,
        r#"{"won":{"player":1,"by":2}}"#,
        r#"{"won":{"player":0}}"#,
        r#"{"won":{}}"#,
        r#"{"stopped":{}}"#,
        r#"{"lost":{"player":1}}"#,
        r#"{"clash":{"plays":[{"player":1,"card":0}]}}"#,
        r#"{"clash":{"plays":[{"player":1,"card":9,"index":0}]}}"#,
    ] {
        let event = serde_json::from_str::<Event>(other);
        assert!(event.is_err(), "{other}: {event:?}");
    }
}

#[test]
fn a_journal_file_must_not_exist_yet() {
    let sandbox = Sandbox::new();
    let path = sandbox.path("game.json");
    let file = JournalFile::create(&path).expect("a file");
    let opening = NewGame::shuffled(CLASSIC, Deck::Small, 4, CHACHA8).expect("a deal");
    let recorder = Recorder::new("test", opening, Lang::En)
        .write_to(file)
        .sync_every_event();
    let end = recorder.play().expect("a disk");
    let judgement = verify(fs::File::open(&path).expect("the file")).expect("it can be read");
    assert_eq!(judgement.verdict(), Verdict::Verified);
    assert_eq!(judgement.end(), Some(&end));

    let again = JournalFile::create(&path).map(drop);
    assert_eq!(
        again.map_err(|error| error.kind()),
        Err(ErrorKind::AlreadyExists)
    );
    let judgement = verify(fs::File::open(&path).expect("the file")).expect("it can be read");
    assert_eq!(judgement.verdict(), Verdict::Verified);
    let nowhere = JournalFile::create(&sandbox.path("no/game.json")).map(drop);
    assert_eq!(
        nowhere.map_err(|error| error.kind()),
        Err(ErrorKind::NotFound)
    );
}

/// Problem with an opening that is refused.
#[track_caller]
fn problem_of(opening: Result<NewGame, Problem>) -> Problem {
    opening.err().expect("a game that no journal could hold")
}

#[test]
fn a_game_that_no_verifier_would_accept_cannot_be_opened() {
    let bulk = Generator::Xoshiro256PlusPlus {
        number: "1:2".parse().expect("a game"),
    };
    let fixed =
        |seat, cards| NewGame::with_fixed_hand(CLASSIC, Deck::Small, 2, bulk, (seat, cards));
    let third = Seat::from_number(3).expect("a seat");
    let no_deck = || Problem::from(GameError::NotDeck);
    let bad_deal = || Problem::from(HeaderError::BadDeal);
    let aces = || vec![vec![Rank::ACE], vec![Rank::ACE]];
    for (refused, expected) in [
        (
            problem_of(NewGame::shuffled(XY, Deck::Small, 2, CHACHA8)),
            no_deck(),
        ),
        (
            problem_of(NewGame::shuffled(XY, Deck::Thirteen, 2, CHACHA8)),
            bad_deal(),
        ),
        (
            problem_of(NewGame::shuffled(DUELS_RANDOM, Deck::Small, 2, bulk)),
            bad_deal(),
        ),
        (problem_of(fixed(third, vec![Rank::ACE])), no_deck()),
        (
            problem_of(fixed(Seat::FIRST, vec![Rank::ACE; 5])),
            no_deck(),
        ),
        (
            problem_of(NewGame::imported(
                CLASSIC,
                Deck::Small,
                aces(),
                Box::new(()),
            )),
            no_deck(),
        ),
        (
            problem_of(NewGame::from_scenario(
                CLASSIC,
                "aces",
                aces(),
                Box::new(()),
            )),
            no_deck(),
        ),
        (
            problem_of(NewGame::from_scenario(DUELS, "a/b", aces(), Box::new(()))),
            HeaderError::BadName("a/b".to_owned()).into(),
        ),
    ] {
        assert_eq!(refused, expected);
    }
    let whole = deal(&Deck::Small.cards(), 2);
    let imported = NewGame::imported(CLASSIC, Deck::Small, whole, Box::new(()));
    assert_eq!(problem_of(imported), bad_deal());
    let six = problem_of(NewGame::shuffled(DUELS, Deck::Small, 6, CHACHA8));
    let six_of_five = GameError::PlayersOfRules {
        found: 6,
        fewest: 2,
        most: 5,
    };
    assert_eq!(six, six_of_five.into());
}

#[test]
fn corrections_that_lead_to_another_game_are_refused() {
    let opening = |players| NewGame::shuffled(CLASSIC, Deck::Small, players, CHACHA8);
    let corrections = Setup::from_typed("9", "small").corrections;
    assert!(matches!(
        corrections[..],
        [Correction::PlayersOutOfRange { set_to: 5, .. }]
    ));
    let four = opening(4).and_then(|opening| opening.with_corrections(corrections.clone()));
    assert_eq!(problem_of(four), HeaderError::BadCorrection.into());
    let five = opening(5).and_then(|opening| opening.with_corrections(corrections));
    let judgement = verify(&recorded(five.expect("a deal"))[..]).expect("memory is read");
    assert_eq!(judgement.verdict(), Verdict::Verified);
}

#[test]
fn a_verdict_states_its_proof() {
    for (name, verdict, proof) in [
        (
            "classic_dealt_won.json",
            Verdict::Verified,
            Proof::Seed(CHACHA8),
        ),
        (
            "classic_scenario_endless.json",
            Verdict::Verified,
            Proof::Journal,
        ),
        ("xy_sample.json", Verdict::Verified, Proof::Journal),
        (
            "single_card_tied.json",
            Verdict::Verified,
            Proof::Commitment,
        ),
    ] {
        let journal = fs::read(super::support::project().join("journals").join(name));
        let journal = journal.expect("a journal");
        let judgement = verify(&journal[..]).expect("memory is read");
        assert_eq!(
            (judgement.verdict(), judgement.proof()),
            (verdict, Some(proof)),
            "{name}"
        );
        assert_eq!(judgement.to_string(), "VERIFIED");
        let half = verify(&journal[..journal.len() / 2]).expect("memory is read");
        assert_eq!(half.verdict(), Verdict::Incomplete, "{name}");
        assert_eq!((half.end(), half.proof()), (None, Some(proof)), "{name}");
        let header = verify(&journal[..200]).expect("memory is read");
        assert_eq!((header.events(), header.proof()), (0, None), "{name}");
    }
}

fn any_generator() -> impl Strategy<Value = Generator> {
    prop_oneof![
        any::<u64>().prop_map(|seed| Generator::ChaCha8 { seed }),
        any::<i64>().prop_map(|seed| Generator::JavaRandom { seed }),
        any::<(u64, u64)>().prop_map(|(seed, game)| {
            let number = war::cards::GameNumber { seed, game };
            Generator::Xoshiro256PlusPlus { number }
        }),
    ]
}

fn any_rules() -> impl Strategy<Value = Variant> {
    let custom = Variant::custom(war::rules::Parameters::BATAILLE.with_turn_limit(1000));
    prop::sample::select([VARIANTS, &[custom]].concat())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(96) })]

    /// Checks that a verifier accepts the recording of any game that can be opened.
    #[test]
    fn every_opened_game_verifies(
        variant in any_rules(),
        deck in prop::sample::select(vec![Deck::Small, Deck::Large, Deck::Thirteen]),
        players in 1..=6_u8,
        generator in any_generator(),
    ) {
        if let Ok(opening) = NewGame::shuffled(variant, deck, players, generator) {
            let judgement = verify(&recorded(opening)[..]).expect("memory is read");
            prop_assert_eq!(judgement.to_string(), "VERIFIED");
            prop_assert_eq!(judgement.proof(), Some(Proof::Seed(generator)));
        }
    }
}
