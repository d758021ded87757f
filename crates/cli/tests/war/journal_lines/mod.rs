//! Journals of version 2: JSON Lines, full and compact.

mod bytes;
mod commands;
mod goldens;
mod options;
mod records;

use crate::support::project;
use std::fs;

/// A golden journal.
fn golden(name: &str) -> String {
    let path = project().join("journals").join(name);
    fs::read_to_string(path).expect("a journal")
}

/// Two short journals, one full and one compact.
fn short() -> [String; 2] {
    let full = golden("duels_scenario_random.jsonl");
    [full, golden("upgraded/classic_one_player.jsonl")]
}

/// Full journal with a chain that fits, computed as the book describes.
pub(crate) fn rechained(journal: &str) -> String {
    let mut last = String::new();
    let mut out = String::new();
    for line in journal.lines() {
        let (record, _) = line.rsplit_once(",\"chain\":\"").expect("a link");
        let mut hasher = blake3::Hasher::new();
        hasher.update(last.as_bytes());
        hasher.update(format!("{record}}}").as_bytes());
        last.replace_range(.., &hasher.finalize().to_hex()[..32]);
        out.push_str(&format!("{record},\"chain\":\"{last}\"}}\n"));
    }
    out
}

/// Final digest in the last line of a journal.
fn digest(journal: &str) -> &str {
    let (_, chain) = journal.rsplit_once("\"chain\":\"").expect("an end");
    &chain[..32]
}

/// Journal with the first `from` replaced, and rechained.
#[track_caller]
fn edited(journal: &str, from: &str, to: &str) -> String {
    assert!(journal.contains(from), "`{from}` is not in the journal");
    rechained(&journal.replacen(from, to, 1))
}
