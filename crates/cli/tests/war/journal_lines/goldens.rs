//! Golden journals: recorded in version 2, or upgraded from version 1.

use super::{digest, golden, rechained};
use crate::support::{Sandbox, files};
use std::fs;

#[test]
fn golden_journals_verify() {
    let native = files("journals", ".jsonl").into_iter();
    for path in native.chain(files("journals/upgraded", ".jsonl")) {
        let path = path.to_str().expect("a name");
        let run = Sandbox::new().war(&["replay", path, "--quiet"]);
        let (code, verdict) = if path.ends_with("cut_off.jsonl") || path.ends_with("torn.jsonl") {
            (3, "INCOMPLETE")
        } else {
            (0, "VERIFIED")
        };
        run.exits_with(code).reports(verdict);
    }
}

#[test]
fn the_chain_is_computed_as_the_book_describes() {
    for name in ["classic_notes.jsonl", "xy_sample.jsonl"] {
        let golden = golden(name);
        assert_eq!(rechained(&golden), golden, "{name}");
    }
}

#[test]
fn every_journal_of_version_1_is_upgraded_byte_for_byte() {
    let olds = files("journals", ".json");
    assert_eq!(files("journals/upgraded", ".jsonl").len(), olds.len());
    for old in olds {
        let name = old.file_stem().and_then(|name| name.to_str());
        let name = name.expect("a name");
        let sandbox = Sandbox::new();
        let old = old.to_str().expect("a name");
        let upgrade = ["journal", "upgrade", old];
        let compact = [&upgrade[..], &["compact.jsonl", "--compact"]].concat();
        sandbox.war(&compact).exits_with(0).reports("compact.jsonl");
        let upgraded = sandbox.read("compact.jsonl");
        assert!(
            upgraded == golden(&format!("upgraded/{name}.jsonl")),
            "{name}"
        );
        let old = fs::read_to_string(old).expect("a journal");
        let (console, _) = old.rsplit_once("\"chain\":\"").expect("an end");
        let (header, _) = upgraded.split_once('\n').expect("a header");
        assert!(header.contains(&format!("\"upgraded_from\":\"{}\"", digest(&old))));
        let (_, console) = console.rsplit_once("\"console\":").expect("a digest");
        let console = console.trim_end_matches(',');
        assert!(upgraded.contains(console), "{name}");
        // An upgrade to a full journal has the same final digest, and the chain that the test
        // computes itself.
        sandbox
            .war(&[&upgrade[..], &["full.jsonl"]].concat())
            .exits_with(0);
        let full = sandbox.read("full.jsonl");
        assert_eq!(rechained(&full), full, "{name}");
        assert_eq!(digest(&full), digest(&upgraded), "{name}");
    }
}

#[test]
fn a_compact_journal_replays_to_the_same_bytes() {
    let sandbox = Sandbox::new();
    let game = [
        "3",
        "large",
        "--seed",
        "3",
        "--journal-version",
        "2",
        "--journal",
    ];
    let live = sandbox
        .war(&[&game[..], &["full.jsonl"]].concat())
        .exits_with(0);
    let compact = [&game[..], &["compact.jsonl", "--compact"]].concat();
    sandbox.war(&compact).exits_with(0);
    for name in ["full.jsonl", "compact.jsonl"] {
        let replay = sandbox
            .war(&["replay", name])
            .exits_with(0)
            .reports("VERIFIED");
        assert!(replay.stdout == live.stdout, "{name}");
    }
    let [full, compact] = ["full.jsonl", "compact.jsonl"].map(|name| sandbox.read(name));
    assert_eq!(digest(&full), digest(&compact));
    assert!(compact.len() * 2 < full.len());
}
