//! Faults of single fields, in a chain that fits.

use super::{assert_fault, edit, edited, golden, last_line};
use crate::support::{Sandbox, dealt, project, replayed, written};
use std::fs;
use war::cards::{Deck, Generator};
use war::journal::{Deal, FaultCode, GameError, RecordedRules};
use war::recording::NewGame;
use war::rules::CLASSIC;

#[test]
fn each_edited_field_is_found_although_the_chain_fits() {
    let end = last_line();
    for (line, from, to, code) in [
        (
            1,
            "\"format\":\"war-journal\"",
            "\"format\":\"chess\"",
            FaultCode::NotJournal,
        ),
        (1, "\"version\":1", "\"version\":3", FaultCode::Unsupported),
        (1, "\"version\":1", "\"version\":0", FaultCode::Unsupported),
        (1, "\"version\":1", "\"version\":\"1\"", FaultCode::Field),
        (
            1,
            "\"id\":\"classic/1\"",
            "\"id\":\"classic/2\"",
            FaultCode::Unsupported,
        ),
        (
            1,
            "\"face_down\":1",
            "\"face_down\":2",
            FaultCode::Unsupported,
        ),
        (
            1,
            "\"collect\":\"seat\"",
            "\"collect\":\"pile\"",
            FaultCode::Unsupported,
        ),
        (
            1,
            "\"out_of_cards\":\"eoc\"",
            "\"out_of_cards\":\"loses\"",
            FaultCode::Unsupported,
        ),
        (1, "\"players\":4", "\"players\":3", FaultCode::Deal),
        (
            1,
            "\"deck\":\"small\"",
            "\"deck\":\"large\"",
            FaultCode::Deal,
        ),
        (
            1,
            "\"deck\":\"small\"",
            "\"deck\":\"tiny\"",
            FaultCode::Unsupported,
        ),
        (1, "chacha8-fisher-yates/1", "dice", FaultCode::Unsupported),
        (1, "\"seed\":\"1\"", "\"seed\":\"2\"", FaultCode::Deal),
        (1, "\"seed\":\"1\"", "\"seed\":\"+1\"", FaultCode::Field),
        (1, "\"renderer\":1", "\"renderer\":-1", FaultCode::Field),
        (1, "\"lang\":\"en\"", "\"lang\":\"pl\"", FaultCode::Console),
        (
            1,
            "\"lang\":\"en\"",
            "\"lang\":\"xx\"",
            FaultCode::Unsupported,
        ),
        (
            1,
            "\"corrections\":[]",
            "\"corrections\":[{\"players_out_of_range\":{\"provided\":\"9\"}}]",
            FaultCode::Field,
        ),
        (3, "{\"player\":1,\"card\":11}", "[1,11]", FaultCode::Field),
        (
            end,
            "\"console\":{\"bytes\":5391,",
            "\"console\":{\"bytes\":5391.0,",
            FaultCode::Field,
        ),
        (
            1,
            "\"corrections\":[]",
            "\"corrections\":[{\"players_out_of_range\":{\"provided\":\"3\"}}]",
            FaultCode::Field,
        ),
        (2, "[11,14,", "[14,11,", FaultCode::Deal),
        (2, "\"dealt\"", "\"clash\"", FaultCode::Unsupported),
        (2, "\"turn\":0", "\"turn\":1", FaultCode::Event),
        (2, "\"state\":\"b", "\"state\":\"a", FaultCode::State),
        (3, "\"seq\":1", "\"seq\":2", FaultCode::Sequence),
        (3, "\"turn\":1", "\"turn\":2", FaultCode::Event),
        (3, "\"player\":1", "\"player\":2", FaultCode::Event),
        (3, "\"player\":1", "\"player\":0", FaultCode::Field),
        (3, "\"card\":11", "\"card\":12", FaultCode::Event),
        (3, "\"card\":11", "\"card\":15", FaultCode::Field),
        (3, "\"card\":11", "\"card\":11.0", FaultCode::Field),
        (4, "\"player\":4", "\"player\":1", FaultCode::Event),
        (4, "[11,10,12,13]", "[10,11,12,13]", FaultCode::Event),
        (4, "[11,10,12,13]", "[11,10,12]", FaultCode::Event),
        (7, "\"round\":2", "\"round\":3", FaultCode::Event),
        (
            end - 1,
            "\"won\":{\"player\":2}",
            "\"won\":{\"player\":1}",
            FaultCode::Event,
        ),
        (
            end - 1,
            "\"won\":{\"player\":2}",
            "\"endless\":{\"from\":1,\"to\":19}",
            FaultCode::Event,
        ),
        (
            end,
            "\"reason\":\"won\"",
            "\"reason\":\"endless\"",
            FaultCode::End,
        ),
        (end, "\"winner\":2", "\"winner\":1", FaultCode::End),
        (end, "\"winner\":2", "\"winner\":null", FaultCode::End),
        (end, "\"turns\":19", "\"turns\":20", FaultCode::End),
        (end, "\"events\":53", "\"events\":54", FaultCode::End),
        (end, "\"bytes\":5391", "\"bytes\":5390", FaultCode::Console),
        (end, "\"blake3\":\"0", "\"blake3\":\"1", FaultCode::Console),
    ] {
        let (found, text) = replayed(edited(line, from, to).as_bytes());
        assert_eq!(found, Some(code), "{from} -> {to} on line {line}");
        if code != FaultCode::Console {
            assert!(
                replayed(golden().as_bytes()).1.starts_with(&text),
                "{from} -> {to}"
            );
        }
    }
}

#[test]
fn the_recorder_may_differ() {
    let journal = edited(1, "war 0.1.0", "war 9.9.9");
    assert_eq!(replayed(journal.as_bytes()).0, None);
}

#[test]
fn missing_and_duplicate_fields_are_found() {
    let end = last_line();
    for (line, from, to) in [
        (1, "\"players\":4", "\"players\":4,\"players\":4"),
        (1, "\"players\":4,", ""),
        (1, "\"id\":\"classic/1\",", ""),
        (1, "\"renderer\":1,", "\"renderer\":1,\"renderer\":1,"),
        (3, "\"seq\":1,", ""),
        (3, "\"turn\":1,", "\"turn\":1,\"turn\":1,"),
        (end, "\"winner\":2,", ""),
    ] {
        assert_fault(edited(line, from, to), FaultCode::Field);
    }
    let golden = golden();
    assert_fault(
        golden.replace("\"events\":[", "\"happenings\":["),
        FaultCode::Field,
    );
    let no_events = golden
        .lines()
        .next()
        .expect("a header")
        .replace(",\"events\":[", "}");
    assert_fault(no_events, FaultCode::Field);
}

#[test]
fn wrongly_typed_values_are_not_reported_as_invalid_json() {
    let golden = golden();
    for (from, to) in [
        ("\"clash\":{", "\"won\":{\"player\":1},\"clash\":{"),
        (
            "\"deal\":{\"shuffled\":{\"generator\":\"chacha8-fisher-yates/1\",\"seed\":\"1\"}}",
            "\"deal\":null",
        ),
        ("\"corrections\":[]", "\"corrections\":[[[]]]"),
        ("\"players\":4", "\"players\":1e400"),
        ("\"engine\":\"war 0.1.0\"", "\"engine\":\"\\ud800\""),
        ("\"end\"", "\"\\ud800\""),
        ("\"card\":11", "\"card\":1e400"),
    ] {
        assert!(golden.contains(from), "{from}");
        assert_fault(golden.replacen(from, to, 1), FaultCode::Field);
    }
    for (from, to) in [
        ("\"players\":4", "\"players\":04"),
        ("\"engine\":\"war 0.1.0\"", "\"engine\":\"\\x\""),
        ("\"card\":11", "\"card\":1.e4"),
    ] {
        assert_fault(golden.replacen(from, to, 1), FaultCode::NotJson);
    }
}

#[test]
fn unknown_rules_are_reported_before_their_parameters() {
    for rules in [
        "\"id\":\"poker/1\"",
        "\"id\":\"poker/1\",\"suits\":4",
        "\"suits\":null,\"id\":\"poker/1\"",
    ] {
        let known =
            "\"id\":\"classic/1\",\"face_down\":1,\"collect\":\"seat\",\"out_of_cards\":\"eoc\"";
        assert_fault(edited(1, known, rules), FaultCode::Unsupported);
    }
}

/// Fault code of a golden journal with `from` in its header replaced, and rechained.
#[track_caller]
fn header_of(name: &str, from: &str, to: &str) -> Option<FaultCode> {
    let golden = fs::read_to_string(project().join("journals").join(name));
    let journal = edit(&golden.expect("a journal"), 1, from, to);
    replayed(journal.as_bytes()).0
}

#[test]
fn only_values_that_an_edition_corrects_are_corrections() {
    let none = "\"corrections\":[]";
    let missing = "\"corrections\":[{\"deck_missing\":{}}]";
    let unknown = "\"corrections\":[{\"deck_unrecognized\":{\"provided\":\"tiny\"}}]";
    let players = "\"corrections\":[{\"players_missing\":{}}]";
    for (name, corrections) in [
        ("xy_sample.json", players),
        ("single_card_tied.json", players),
        ("custom_drawn.json", players),
        ("custom_fixed.json", players),
        ("classic_scenario_endless.json", players),
        ("classic_scenario_endless.json", missing),
        ("classic_dealt_won.json", missing),
    ] {
        let found = header_of(name, none, corrections);
        assert_eq!(found, Some(FaultCode::Field), "{name}: {corrections}");
    }
    // These editions show corrections on their screens.
    for (name, corrections) in [
        ("classic_dealt_won.json", unknown),
        ("duels_default.json", missing),
    ] {
        let found = header_of(name, none, corrections);
        assert_ne!(found, Some(FaultCode::Field), "{name}: {corrections}");
    }
}

#[test]
fn custom_rules_have_at_most_five_face_down_cards() {
    let edited = |number: &str| {
        let number = format!("\"face_down\":{number}");
        header_of("custom_shrink.json", "\"face_down\":2", &number)
    };
    assert_ne!(edited("5"), Some(FaultCode::Unsupported));
    assert_eq!(edited("6"), Some(FaultCode::Unsupported));
    assert_eq!(edited("255"), Some(FaultCode::Unsupported));
}

#[test]
fn custom_rules_may_let_hands_repeat() {
    let (ends, goes_on) = ("\"repetition\":\"ends\"", "\"repetition\":\"goes-on\"");
    let found = header_of("custom_shrink.json", ends, goes_on);
    assert_ne!(found, Some(FaultCode::Unsupported));
    let found = header_of("custom_shrink.json", ends, "\"repetition\":\"goes on\"");
    assert_eq!(found, Some(FaultCode::Unsupported));
}

#[test]
fn cards_that_do_not_match_the_header_s_deck_are_found() {
    let (small, large) = ("\"deck\":\"small\"", "\"deck\":\"large\"");
    let found = header_of("classic_scenario_endless.json", small, large);
    assert_eq!(found, Some(FaultCode::Deal));
    let imported = fs::read_to_string(project().join("journals/xy_sample.json"));
    let imported = imported.expect("a journal");
    let hand = imported.split("[[").nth(1).expect("a deal");
    let (first, _) = hand.split_once(',').expect("cards");
    let other = if first == "2" { "3" } else { "2" };
    let edited = edit(&imported, 2, &format!("[[{first},"), &format!("[[{other},"));
    assert_eq!(replayed(edited.as_bytes()).0, Some(FaultCode::Deal));
    // The classic edition does not have this deck, so even a correct deal is a fault.
    let deck = Deck::parse("2x4").expect("a deck");
    let generator = Generator::ChaCha8 { seed: 1 };
    let opening = NewGame::shuffled(CLASSIC, deck, 2, generator);
    assert_eq!(opening.err(), Some(GameError::NotDeck.into()));
    let (rules, deal) = (CLASSIC.into(), Deal::Shuffled { generator });
    let journal = written(RecordedRules::War { rules, deal }, deck, dealt(deck, 2, 1));
    assert_eq!(replayed(&journal[..]).0, Some(FaultCode::Deal));
}

#[test]
fn a_scenario_has_the_name_of_a_file() {
    let named = |name: &str| {
        let deal = format!("{{\"scenario\":{{\"name\":\"{name}\"}}}},\"console\"");
        let golden = fs::read_to_string(project().join("journals/classic_scenario_endless.json"));
        let golden = golden.expect("a journal");
        let (_, old) = golden.split_once("\"deal\":").expect("the deal");
        let (old, _) = old.split_once("\"console\"").expect("the console");
        header_of(
            "classic_scenario_endless.json",
            &format!("{old}\"console\""),
            &deal,
        )
    };
    for name in ["a/b", "\\u0000", "/"] {
        assert_eq!(named(name), Some(FaultCode::Field), "{name}");
    }
    for name in ["other", "a\\u001bb", "a b"] {
        assert_eq!(named(name), Some(FaultCode::Console), "{name}");
    }
}

#[test]
fn header_texts_are_shown_without_terminal_control_characters() {
    let sandbox = Sandbox::new();
    let engine = "\"war \\u001b[2J\\u0007\\n0.1.0";
    sandbox.write("game.json", edited(1, "\"war 0.1.0", engine));
    let run = sandbox.war(&["journal", "show", "game.json"]).exits_with(0);
    assert!(
        run.stdout.contains("war \u{fffd}[2J\u{fffd}\u{fffd}0.1.0"),
        "{run:#?}"
    );
    let long = format!("\"{}", "x".repeat(500_000));
    sandbox.write("game.json", edited(1, "\"war 0.1.0", &long));
    let run = sandbox.war(&["journal", "show", "game.json"]).exits_with(0);
    assert!(run.stdout.len() < 2000, "{} bytes", run.stdout.len());
}

#[test]
fn long_findings_are_shortened() {
    let sandbox = Sandbox::new();
    let long = "x".repeat(500_000);
    let field = format!("\"players\":4,\"{long}\":1");
    let word = format!("\"players\":\"{long}\"");
    let id = format!("\"id\":\"{long}\"");
    for (line, from, to) in [
        (1, "\"players\":4", &field),
        (1, "\"players\":4", &word),
        (1, "\"id\":\"classic/1\"", &id),
        (1, "\"lang\":\"en", &format!("\"lang\":\"{long}")),
        (1, "\"seed\":\"1", &format!("\"seed\":\"{long}")),
        (1, "chacha8", &long),
        (3, "\"clash\"", &format!("\"{long}\"")),
        (last_line(), "\"end\"", &format!("\"{long}\"")),
        (
            4,
            "[11,10,12,13]",
            &format!("[{}11]", "11,".repeat(100_000)),
        ),
    ] {
        sandbox.write("game.json", edited(line, from, to));
        let run = sandbox.war(&["replay", "-q", "game.json"]);
        assert!([1, 5].contains(&run.code), "{}", run.code);
        let bound = if line == 4 { 10_000 } else { 1000 };
        assert!(
            run.stderr.len() < bound,
            "{from}: {} bytes",
            run.stderr.len()
        );
    }
}

#[test]
fn lists_are_not_objects() {
    let golden = golden();
    for (from, to) in [
        ("{\"player\":1,\"card\":11}", "[1,11]"),
        ("\"won\":{\"player\":2}", "\"won\":[2]"),
        (
            "\"console\":{\"renderer\":1,\"lang\":\"en\",\"corrections\":[]}",
            "\"console\":[1,\"en\",[]]",
        ),
    ] {
        assert!(golden.contains(from), "{from}");
        assert_fault(golden.replacen(from, to, 1), FaultCode::Field);
    }
}

#[test]
fn the_longest_arguments_make_a_readable_header() {
    let sandbox = Sandbox::new();
    let long = "\u{1}".repeat(120_000);
    sandbox
        .war(&[&long, &long, "--seed", "1", "--journal", "game.json"])
        .exits_with(0);
    sandbox
        .war(&["replay", "-q", "game.json"])
        .exits_with(0)
        .reports("VERIFIED");
}
