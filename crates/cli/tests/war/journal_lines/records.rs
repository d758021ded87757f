//! Faults in the contents of records.

use super::{edited, golden, rechained, short};
use crate::support::replayed;
use war::journal::FaultCode;

#[track_caller]
fn assert_fault(journal: &str, expected: impl Into<Option<FaultCode>>) {
    assert_eq!(replayed(journal.as_bytes()).0, expected.into());
}

#[test]
fn only_valid_notes_are_accepted() {
    let journal = golden("custom_fixed.jsonl");
    let with = |meta: &str| edited(&journal, "\"meta\":{}", &format!("\"meta\":{meta}"));
    let many = |count: usize| {
        let notes: Vec<_> = (0..count).map(|at| format!("\"{at:02}\":\"\"")).collect();
        with(&format!("{{{}}}", notes.join(",")))
    };
    let long = |bytes: usize| with(&format!("{{\"a\":\"{}\"}}", "x".repeat(bytes - 8)));
    for sound in [
        with("{}"),
        with("{\"a\":\"\"}"),
        with("{\"Z\":\"1\",\"a\":\"2\",\"aa\":\"\\n\\\"\",\"ä\":\"3\"}"),
        many(64),
        long(8192),
    ] {
        // The digest in `upgraded_from` is that of the original journal, and doesn't depend on the
        // notes.
        assert_fault(&sound, None);
    }
    for broken in [
        with("{\"\":\"1\"}"),
        with("{\"a\":1}"),
        with("{\"a\":null}"),
        with("{\"a\":{}}"),
        with("[]"),
        with("null"),
        with("{\"b\":\"1\",\"a\":\"2\"}"),
        with("{\"a\":\"1\",\"a\":\"1\"}"),
        with("{\"ä\":\"1\",\"z\":\"2\"}"),
        with("{\"a\":\"\\ud800\"}"),
        many(65),
        long(8193),
        edited(&journal, "\"meta\":{},", ""),
    ] {
        let code = replayed(broken.as_bytes()).0;
        let is_known = matches!(code, Some(FaultCode::Field | FaultCode::NotJson));
        assert!(is_known, "{code:?} of {broken}");
    }
    let unchained = journal.replacen("\"meta\":{}", "\"meta\":{\"a\":\"1\"}", 1);
    assert_fault(&unchained, FaultCode::Chain);
}

#[test]
fn an_upgraded_journal_must_match_the_digest_it_names() {
    for name in ["custom_fixed.jsonl", "double_card_folded.jsonl"] {
        let journal = golden(name);
        let named = journal.find("\"upgraded_from\":\"").expect("a digest") + 17;
        let digest = &journal[named..named + 32];
        assert_fault(&edited(&journal, digest, &"0".repeat(32)), FaultCode::End);
        assert_fault(
            &edited(&journal, &digest[..31], &digest[1..]),
            FaultCode::End,
        );
        let field = format!(",\"upgraded_from\":\"{digest}\"");
        assert_fault(&edited(&journal, &field, ""), None);
        assert_fault(
            &edited(&journal, &field, ",\"upgraded_from\":null"),
            FaultCode::Field,
        );
        assert_fault(&edited(&journal, digest, &digest[1..]), FaultCode::Field);
    }
}

#[test]
fn all_events_have_the_form_of_the_first() {
    let [full, compact] = ["classic_notes.jsonl", "classic_notes_compact.jsonl"].map(golden);
    let (full, compact): (Vec<_>, Vec<_>) = (full.lines().collect(), compact.lines().collect());
    for at in 2..full.len() - 1 {
        for (one, other) in [(&full, &compact), (&compact, &full)] {
            let mut mixed = one.clone();
            mixed[at] = other[at];
            assert_fault(&(mixed.join("\n") + "\n"), FaultCode::Field);
        }
    }
    // The first event alone decides the form, so a later event without a link is a fault.
    let mut first = compact;
    first[1] = full[1];
    assert_fault(&(first.join("\n") + "\n"), FaultCode::Field);
    let unlinked = full[2]
        .rsplit_once(",\"chain\"")
        .expect("a link")
        .0
        .to_owned()
        + "}";
    let mut lines = full;
    lines[2] = &unlinked;
    assert_fault(&(lines.join("\n") + "\n"), FaultCode::Field);
}

#[test]
fn fields_must_have_their_types() {
    let [full, compact] = short();
    for (from, to, expected) in [
        ("\"version\":2", "\"version\":3", FaultCode::Unsupported),
        ("\"version\":2", "\"version\":1", FaultCode::Unsupported),
        ("\"seq\":1", "\"seq\":2", FaultCode::Sequence),
        ("\"seq\":1", "\"seq\":1,\"new\":1", FaultCode::Unsupported),
        ("\"seq\":1", "\"seq\":1,\"seq\":1", FaultCode::Field),
        (
            "\"meta\":{}",
            "\"new\":1,\"meta\":{}",
            FaultCode::Unsupported,
        ),
        ("\"events\":7", "\"events\":8", FaultCode::End),
        (
            "\"events\":7",
            "\"new\":1,\"events\":7",
            FaultCode::Unsupported,
        ),
        ("{\"end\":", "{\"new\":1,\"end\":", FaultCode::Unsupported),
        ("\"state\":\"", "\"state\":\"00", FaultCode::Field),
        ("\"turn\":1", "\"turn\":2", FaultCode::Event),
    ] {
        assert_fault(&edited(&full, from, to), expected);
    }
    for (from, to, expected) in [
        ("{\"event\":", "{\"new\":1,\"event\":", FaultCode::Field),
        ("\"events\":2", "\"events\":3", FaultCode::Chain),
        (
            "\"won\":{\"player\":1}",
            "\"won\":{\"player\":2}",
            FaultCode::Event,
        ),
        ("\"won\":{\"player\":1}", "\"won\":[1]", FaultCode::Field),
        ("\"won\"", "\"wins\"", FaultCode::Field),
    ] {
        assert!(compact.contains(from), "`{from}` is not in the journal");
        assert_fault(&compact.replacen(from, to, 1), expected);
    }
}

#[test]
fn the_order_of_fields_does_not_matter() {
    let [full, _] = short();
    let turned: String = full
        .lines()
        .map(|line| {
            let (record, chain) = line.rsplit_once(",\"chain\":").expect("a link");
            let chain = chain.strip_suffix('}').expect("an object");
            format!("{{\"chain\":{chain},{}}}\n", &record[1..])
        })
        .collect();
    assert_fault(&turned, None);
    assert_eq!(rechained(&full), full);
}

#[test]
fn random_results_are_part_of_a_compact_chain() {
    // No generator deals this game, so another order of the cards follows the rules too.
    let journal = golden("upgraded/duels_scenario_random.jsonl");
    let at = journal.find("\"collected\"").expect("a pot");
    let (start, rest) = journal.split_at(at);
    let cards = rest.find("\"cards\":[").expect("cards") + 9;
    let end = cards + rest[cards..].find(']').expect("a list");
    let mut pot: Vec<_> = rest[cards..end].split(',').collect();
    pot.reverse();
    let changed = format!("{start}{}{}{}", &rest[..cards], pot.join(","), &rest[end..]);
    assert_ne!(changed, journal);
    let code = replayed(changed.as_bytes()).0;
    assert!(
        matches!(code, Some(FaultCode::Chain | FaultCode::Event)),
        "{code:?}"
    );
}
