//! Deals, generators and draws that the rules don't allow.

use super::{edit, verdict};
use crate::support::project;
use std::fs;
use war::journal::{FaultCode, Verdict};

fn journal(name: &str) -> String {
    let path = project().join("journals").join(name);
    fs::read_to_string(path).expect("a journal")
}

/// Every kind of deal, with the generators that it may name.
const DEALS: [(&str, &str); 9] = [
    (
        "chacha8",
        "{\"shuffled\":{\"generator\":\"chacha8-fisher-yates/1\",\"seed\":\"1\"}}",
    ),
    (
        "java",
        "{\"shuffled\":{\"generator\":\"java-util-random/1\",\"seed\":\"1\"}}",
    ),
    (
        "bulk",
        "{\"shuffled\":{\"generator\":\"xoshiro256++-fisher-yates/1\",\"seed\":\"1:0\"}}",
    ),
    (
        "fixed",
        "{\"fixed\":{\"generator\":\"xoshiro256++-fisher-yates/1\",\"seed\":\"1:0\",\"player\":1,\"cards\":[14]}}",
    ),
    (
        "fixed by chacha8",
        "{\"fixed\":{\"generator\":\"chacha8-fisher-yates/1\",\"seed\":\"1\",\"player\":1,\"cards\":[14]}}",
    ),
    (
        "fixed by java",
        "{\"fixed\":{\"generator\":\"java-util-random/1\",\"seed\":\"1\",\"player\":1,\"cards\":[14]}}",
    ),
    ("scenario", "{\"scenario\":{\"name\":\"x\"}}"),
    ("imported", "{\"imported\":{}}"),
    (
        "committed",
        "{\"committed\":{\"generator\":\"hmac-sha256-chacha8-fisher-yates/1\",\"game\":1,\"commitment\":\"0000000000000000000000000000000000000000000000000000000000000000\",\"seed\":\"0000000000000000000000000000000000000000000000000000000000000000\"}}",
    ),
];

#[test]
fn a_generator_of_other_games_is_not_taken_for_a_newer_one() {
    for (name, known, other) in [
        ("classic_dealt_won.json", "chacha8", "hmac-sha256-chacha8"),
        ("single_card_tied.json", "hmac-sha256-chacha8", "chacha8"),
    ] {
        let (_, verdict, told) = verdict(edit(&journal(name), 1, known, other));
        assert_eq!(verdict, Verdict::Damaged, "{name}: {told}");
        let newer = edit(&journal(name), 1, known, "chacha20");
        assert_eq!(super::verdict(newer).1, Verdict::Unsupported, "{name}");
    }
}

#[test]
fn each_edition_has_its_own_deals() {
    let dealt = &["chacha8", "scenario", "bulk", "fixed"][..];
    for (name, allowed) in [
        ("classic_dealt_won.json", dealt),
        ("duels_corrected.json", dealt),
        ("duels_default.json", &["chacha8", "scenario"]),
        ("duels_random.json", &["chacha8", "scenario"]),
        ("duels_shuffle.json", &["chacha8", "scenario"]),
        ("xy_sample.json", &["java", "imported", "bulk", "fixed"]),
        ("custom_drawn.json", &["bulk", "fixed", "scenario"]),
        ("single_card_tied.json", &["committed"]),
    ] {
        let golden = journal(name);
        let (_, deal) = golden.split_once("\"deal\":").expect("a deal");
        let (deal, _) = deal.split_once(",\"console\"").expect("its end");
        let fits = DEALS.iter().filter(|(_, other)| {
            let journal = golden.replacen(deal, other, 1);
            let (code, verdict, told) = verdict(super::rechained(&journal));
            let refused = told.contains("this kind of deal");
            assert_eq!(refused, code == Some(FaultCode::Field), "{name}: {told}");
            assert_eq!(refused, verdict == Verdict::Damaged, "{name}: {told}");
            !refused
        });
        let mut fits: Vec<_> = fits.map(|(deal, _)| *deal).collect();
        fits.sort_unstable();
        let mut allowed = allowed.to_vec();
        allowed.sort_unstable();
        assert_eq!(fits, allowed, "{name}");
    }
}

#[test]
fn a_draw_without_a_generator_must_be_possible() {
    for (name, from, to) in [
        // The hand has no card at this index.
        (
            "duels_scenario_random.json",
            "\"card\":4,\"index\":1",
            "\"card\":4,\"index\":60000",
        ),
        // The card at this index is another one.
        (
            "duels_scenario_random.json",
            "\"card\":4,\"index\":1",
            "\"card\":9,\"index\":1",
        ),
        // Cards that are not on the table.
        ("xy_sample.json", "\"cards\":[7,8]", "\"cards\":[7,9]"),
        ("xy_sample.json", "\"cards\":[7,8]", "\"cards\":[7,8,9]"),
        ("xy_sample.json", "\"cards\":[7,8]", "\"cards\":[]"),
    ] {
        let golden = journal(name);
        let line = golden.lines().position(|line| line.contains(from));
        let line = line.expect("the event") + 1;
        let (code, verdict, told) = verdict(edit(&golden, line, from, to));
        let found = (code, verdict);
        assert_eq!(
            found,
            (Some(FaultCode::Deal), Verdict::Diverged),
            "{to}: {told}"
        );
        assert!(told.contains("a draw that can't happen"), "{told}");
        assert!(told.starts_with(&format!("{line}:2: ")), "{told}");
    }
}

#[test]
fn a_replaced_player_is_not_a_draw() {
    for (name, from, to) in [
        (
            "duels_scenario_random.json",
            "{\"player\":1,\"card\":4,\"index\":1},",
            "",
        ),
        (
            "xy_sample.json",
            "\"player\":2,\"cards\":[7,8]",
            "\"player\":1,\"cards\":[7,8]",
        ),
    ] {
        let golden = journal(name);
        let line = golden.lines().position(|line| line.contains(from));
        let line = line.expect("the event") + 1;
        let (code, _, told) = verdict(edit(&golden, line, from, to));
        assert_eq!(code, Some(FaultCode::Event), "{to}: {told}");
    }
}
