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

/// Two short journals: a full one and a compact one.
fn short() -> [String; 2] {
    let full = golden("duels_scenario_random.jsonl");
    [full, golden("upgraded/classic_one_player.jsonl")]
}

/// A full journal with its chain made to fit, as the book says it is computed.
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

/// The final digest of a journal, as its last line has it.
fn digest(journal: &str) -> &str {
    let (_, chain) = journal.rsplit_once("\"chain\":\"").expect("an end");
    &chain[..32]
}

/// A journal with the first `from` edited, and rechained.
#[track_caller]
fn edited(journal: &str, from: &str, to: &str) -> String {
    assert!(journal.contains(from), "`{from}` is not in the journal");
    rechained(&journal.replacen(from, to, 1))
}
