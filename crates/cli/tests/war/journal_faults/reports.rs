//! Reports of faults.

use super::{edit, edited, golden, last_line};
use crate::support::{Run, Sandbox, project, reviewed};
use std::collections::BTreeMap;
use std::fs;

/// Golden journal of this name, edited on a line and rechained.
#[track_caller]
fn edited_of(name: &str, line: usize, from: &str, to: &str) -> String {
    let golden = fs::read_to_string(project().join("journals").join(name));
    edit(&golden.expect("a journal"), line, from, to)
}

/// Journal with sorted fields, as `jq -S` prints it.
fn sorted(journal: &str) -> String {
    let fields: BTreeMap<String, serde_json::Value> = serde_json::from_str(journal).expect("JSON");
    serde_json::to_string(&fields).expect("JSON")
}

/// Journals with one fault of each kind.
fn faulty() -> Vec<String> {
    let golden = golden();
    let end = last_line();
    vec![
        String::new(),
        format!("\u{feff}{golden}"),
        "hello".to_owned(),
        format!("{{\"format\":\"{}", "x".repeat(3 << 20)),
        golden.replacen(
            "{\"seq\":1",
            &format!("{{\"x\":\"{}\"}}{{\"seq\":1", "x".repeat(2 << 20)),
            1,
        ),
        golden.replacen("\"deck\":\"small\"", "\"deck\":1e400", 1),
        "[[9,10],[11]]".to_owned(),
        edited(1, "\"version\":1", "\"version\":3"),
        edited(1, "classic/1", "chess/1"),
        edited(1, "chacha8-fisher-yates/1", "dice"),
        golden[..100].to_owned(),
        golden[..3000].to_owned(),
        golden[..golden.len() - 20].to_owned(),
        golden.replacen("\"turn\":1", "\"turn\":x", 1),
        edited(1, "\"players\":4,", ""),
        edited(1, "\"players\":4", "\"players\":4,\"extra\":1"),
        edited(3, "\"turn\":1,", "\"turn\":1,\"turn\":1,"),
        edited(3, "\"clash\"", "\"crash\""),
        edited(3, "\"card\":11", "\"card\":\"ace\""),
        edited(3, "\"card\":11", "\"card\":15"),
        edited(3, "{\"player\":1,\"card\":11}", "[1,11]"),
        edited(1, "\"seed\":\"1\"", "\"seed\":\"one\""),
        edited(1, "\"lang\":\"en\"", "\"lang\":\"xx\""),
        edited(
            1,
            "\"corrections\":[]",
            "\"corrections\":[{\"players_unparseable\":{\"provided\":\"x\"}}]",
        ),
        edited(1, "\"renderer\":1", "\"renderer\":255"),
        edited(3, "\"seq\":1", "\"seq\":1,\"time\":7"),
        edited(
            1,
            "{\"shuffled\":{\"generator\":\"chacha8-fisher-yates/1\",\"seed\":\"1\"}}",
            "{\"imported\":{}}",
        ),
        edited_of("xy_sample.json", 4, "[7,8]", "[7,9]"),
        sorted(&golden),
        edited(3, "\"seq\":1", "\"seq\":2"),
        golden.replacen("war 0.1.0", "war 0.1.1", 1),
        golden.replacen("\"card\":11", "\"card\":12", 1),
        golden.replacen("\"turns\":19", "\"turns\":18", 1),
        edited(end, "\"turns\":19", "\"turns\":18"),
        edited(end, "\"winner\":2", "\"winner\":null"),
        format!("{golden}x"),
        edited(
            2,
            "\"dealt\":{\"hands\":[[11,14,14,13,12,9],",
            "\"dealt\":{\"hands\":[",
        ),
        edited(1, "\"seed\":\"1\"", "\"seed\":\"2\""),
        edited(
            1,
            "{\"shuffled\":{\"generator\":\"chacha8-fisher-yates/1\",\"seed\":\"1\"}},",
            "{\"scenario\":{\"name\":\"x\"}},",
        )
        .replace("\"deck\":\"small\"", "\"deck\":\"large\""),
        edited(3, "\"turn\":1", "\"turn\":2"),
        edited(3, "\"card\":11", "\"card\":12"),
        edited(
            end - 1,
            "\"won\":{\"player\":2}",
            "\"endless\":{\"from\":1,\"to\":19}",
        ),
        edited(2, "\"state\":\"b", "\"state\":\"a"),
        edited(end, "\"bytes\":5391", "\"bytes\":5390"),
        edited_of("single_card_tied.json", 2, "\"Ann\"", "\" Ann\""),
        edited_of("single_card_2_showdown.json", 2, "[12,7]", "[12,12]"),
        edited_of("single_card_2_showdown.json", 3, ":\"01", ":\"02"),
        edited_of(
            "single_card_2_showdown.json",
            3,
            "\"player\":1",
            "\"player\":3",
        ),
        edited_of("custom_shrink.json", 1, "\"5:2\"", "\"5-2\""),
        edit(
            &edited_of("custom_fixed.json", 1, "\"players\":2", "\"players\":3"),
            2,
            "[14,14,9]]",
            "[14,14],[9]]",
        ),
        edited_of("xy_seed_42.json", 1, "\"42\"", "\"x\""),
        edited_of(
            "custom_drawn.json",
            1,
            "\"seed\":\"5:0\"",
            "\"seed\":\"5:1\"",
        ),
    ]
}

#[test]
fn every_fault_is_reported_in_both_languages() {
    let sandbox = Sandbox::new();
    let mut told = String::new();
    for journal in faulty() {
        sandbox.write("game.json", journal);
        for lang in ["en", "pl"] {
            let mut command = sandbox.command(&["replay", "--quiet", "game.json"]);
            let run = Run::of(command.env("WAR_LANG", lang));
            assert!([1, 3, 5].contains(&run.code), "{run:#?}");
            told.push_str(&run.stderr);
        }
        told.push('\n');
    }
    reviewed("journal_faults", &told);
}
