//! Unknown names: from a newer program if the chain holds, damage if not.

use super::{edit, golden, last_line, rechained, verdict};
use crate::support::project;
use std::fs;
use war::journal::{FaultCode, Verdict};

/// Edits that put an unknown name into a journal: the line, the text to replace, its replacement,
/// and the name.
pub(super) const UNKNOWN: [(usize, &str, &str, &str); 20] = [
    (1, "\"players\":4", "\"players\":4,\"extra\":1", "extra"),
    (1, "\"face_down\":1", "\"face_down\":1,\"suits\":4", "suits"),
    (1, "\"renderer\":1", "\"renderer\":1,\"width\":80", "width"),
    (1, "\"small\"", "\"tiny\"", "tiny"),
    (1, "\"shuffled\"", "\"mixed\"", "mixed"),
    (1, "\"seed\":\"1\"", "\"seed\":\"1\",\"cut\":2", "cut"),
    (1, "[]", "[{\"seed_missing\":{}}]", "seed_missing"),
    (2, "\"dealt\"", "\"clash\"", "hands"),
    (3, "\"seq\":1", "\"seq\":1,\"time\":2", "time"),
    (3, "\"clash\"", "\"crash\"", "crash"),
    (3, "\"plays\":[", "\"moves\":[", "moves"),
    (3, "\"card\":11", "\"card\":11,\"suit\":\"hearts\"", "suit"),
    (
        3,
        "\"clash\":{",
        "\"bank\":{\"of\":[1,-1,null,0.5,\"\u{e9}\"],",
        "bank",
    ),
    (
        4,
        "\"event\":{\"collected\"",
        "\"event\":\"paused\",\"x\":{\"y\"",
        "paused",
    ),
    (7, "\"war_round\"", "\"peace_round\"", "peace_round"),
    (
        55,
        "\"reason\":\"won\"",
        "\"reason\":\"abandoned\"",
        "abandoned",
    ),
    (
        55,
        "\"turns\":19",
        "\"turns\":19,\"points\":[1,2]",
        "points",
    ),
    (55, "\"bytes\":5391", "\"bytes\":5391,\"lines\":9", "lines"),
    (1, "\"lang\":\"en\"", "\"lang\":\"tlh\"", "tlh"),
    (
        1,
        "chacha8-fisher-yates/1",
        "chacha8-fisher-yates/2",
        "fisher-yates/2",
    ),
];

/// Journal with the first `from` on line `number` replaced, but not rechained.
pub(super) fn unchained(journal: &str, number: usize, from: &str, to: &str) -> String {
    let mut lines: Vec<_> = journal.lines().map(str::to_owned).collect();
    lines[number - 1] = lines[number - 1].replacen(from, to, 1);
    lines.join("\n") + "\n"
}

#[test]
fn an_unknown_name_from_the_recorder_is_unsupported_and_named() {
    assert_eq!(last_line(), 55);
    for (line, from, to, name) in UNKNOWN {
        let journal = edit(&golden(), line, from, to);
        let pretty = journal
            .replace(":{", " :\n  { ")
            .replace(",\"", "\t,\r\n\"");
        for journal in [journal, pretty] {
            let (code, verdict, told) = verdict(&journal);
            let found = (code, verdict);
            let expected = (Some(FaultCode::Unsupported), Verdict::Unsupported);
            assert_eq!(found, expected, "{to} on line {line}: {told}");
            assert!(told.contains(name), "{name} in {told}");
        }
    }
}

#[test]
fn a_name_that_was_edited_in_is_damage() {
    for (line, from, to, _) in UNKNOWN {
        let journal = unchained(&golden(), line, from, to);
        assert_ne!(journal, golden());
        let (code, verdict, told) = verdict(&journal);
        assert_eq!(verdict, Verdict::Damaged, "{to} on line {line}: {told}");
        let known = matches!(code, Some(FaultCode::Field | FaultCode::Chain));
        assert!(known, "{to} on line {line}: {told}");
    }
}

#[test]
fn an_unknown_name_from_the_recorder_may_be_in_a_token_game() {
    for (name, from, to) in [
        ("single_card_tied.json", "\"play\"", "\"raise\""),
        (
            "single_card_tied.json",
            "\"tied\":{}",
            "\"tied\":{\"pot\":2}",
        ),
        ("double_card_folded.json", "\"committed\":", "\"sealed\":"),
    ] {
        let golden = fs::read_to_string(project().join("journals").join(name));
        let golden = golden.expect("a journal");
        let line = golden.lines().position(|line| line.contains(from));
        let line = line.expect("the text") + 1;
        let written = verdict(edit(&golden, line, from, to));
        assert_eq!(written.1, Verdict::Unsupported, "{to}: {}", written.2);
        let edited = verdict(unchained(&golden, line, from, to));
        assert_eq!(edited.0, Some(FaultCode::Field), "{to}: {}", edited.2);
    }
}

#[test]
fn an_invalid_value_is_damage_even_if_the_recorder_wrote_it() {
    for (line, from, to) in [
        (1, "\"players\":4", "\"players\":300"),
        (1, "\"players\":4", "\"players\":\"four\""),
        (1, "\"renderer\":1", "\"renderer\":4294967296"),
        (3, "\"card\":11", "\"card\":16"),
        (3, ",\"card\":11", ""),
        (3, "\"turn\":1,", "\"turn\":1,\"turn\":1,"),
        (3, "\"clash\":{", "\"clash\":7,\"x\":{"),
        // The first fault decides.
        (
            3,
            "\"turn\":1,\"event\":{\"clash\"",
            "\"turn\":-1,\"event\":{\"crash\"",
        ),
        (55, "\"bytes\":5391", "\"bytes\":-1"),
    ] {
        let (code, verdict, told) = verdict(edit(&golden(), line, from, to));
        assert_eq!(code, Some(FaultCode::Field), "{to} on line {line}: {told}");
        assert_eq!(verdict, Verdict::Damaged);
    }
}

#[test]
fn text_between_the_records_is_in_no_chain() {
    for (from, to) in [("\"end\"", "\"fin\""), ("],\"end\"", "],\"x\":1,\"end\"")] {
        let (code, verdict, _) = verdict(golden().replace(from, to));
        assert_eq!((code, verdict), (Some(FaultCode::Field), Verdict::Damaged));
    }
}

#[test]
fn another_renderer_number_is_unsupported() {
    let nothing = blake3::hash(b"").to_hex();
    let silent = |renderer: u32, bytes: u64, digest: &str| {
        let golden = edit(
            &golden(),
            1,
            "\"renderer\":1",
            &format!("\"renderer\":{renderer}"),
        );
        let (before, console) = golden.rsplit_once("\"console\":").expect("the console");
        let (_, after) = console.split_once('}').expect("its end");
        let console = format!("{{\"bytes\":{bytes},\"blake3\":\"{digest}\"}}");
        verdict(rechained(&format!("{before}\"console\":{console}{after}")))
    };
    let verified = silent(0, 0, &nothing);
    assert_eq!(verified.1, Verdict::Verified, "{}", verified.2);
    let ones = "1".repeat(64);
    for (bytes, digest) in [(1, nothing.as_str()), (0, &ones), (5391, &ones)] {
        let found = silent(0, bytes, digest);
        assert_eq!(found.0, Some(FaultCode::Console), "{bytes}: {}", found.2);
    }
    for renderer in [2, 255, u32::MAX] {
        for digest in [nothing.as_str(), &ones] {
            let (code, verdict, told) = silent(renderer, 0, digest);
            let found = (code, verdict);
            assert_eq!(found, (Some(FaultCode::Unsupported), Verdict::Unsupported));
            assert!(told.contains(&renderer.to_string()), "{told}");
        }
    }
}
