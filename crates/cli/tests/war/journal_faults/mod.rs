//! Everything that can happen to a journal's file, and the verdict on it.

mod bytes;
mod deals;
mod fields;
mod lines;
mod newer;
mod reports;
mod structure;
mod tails;

use crate::support::{project, replayed};
use std::fs;
use war::journal::{Fault, FaultCode, Verdict};
use war::replay::verify;

/// Short journal: 53 events of a dealt game.
fn golden() -> String {
    fs::read_to_string(project().join("journals/classic_dealt_won.json")).expect("a journal")
}

#[track_caller]
fn assert_fault(journal: impl AsRef<[u8]>, expected: FaultCode) {
    let (code, text) = replayed(journal.as_ref());
    assert_eq!(code, Some(expected));
    let whole = replayed(golden().as_bytes()).1;
    assert!(whole.starts_with(&text), "the output is not a prefix");
}

/// Fault code of a journal, its verdict, and the fault as the library shows it.
fn verdict(journal: impl AsRef<[u8]>) -> (Option<FaultCode>, Verdict, String) {
    let judgement = verify(journal.as_ref()).expect("memory is read without errors");
    let fault = judgement.fault();
    let told = fault.map(ToString::to_string).unwrap_or_default();
    (fault.map(Fault::code), judgement.verdict(), told)
}

/// Journal with a chain that fits, computed as the book describes.
fn rechained(journal: &str) -> String {
    let mut last = String::new();
    let mut out = String::new();
    for line in journal.lines() {
        let (start, rest) = line.split_once('{').expect("a record");
        let chain = rest.rfind(",\"chain\":\"").expect("a link");
        let tail = &rest[chain + 43..];
        let (before, rest) = (start, &rest[..chain]);
        let canonical = format!("{{{rest}}}");
        let mut hasher = blake3::Hasher::new();
        hasher.update(last.as_bytes()).update(canonical.as_bytes());
        last.replace_range(.., &hasher.finalize().to_hex()[..32]);
        out.push_str(&format!("{before}{{{rest},\"chain\":\"{last}\"{tail}\n"));
    }
    out
}

/// Short journal with the first `from` on line `number` (from 1) replaced, and rechained.
#[track_caller]
pub(crate) fn edited(number: usize, from: &str, to: &str) -> String {
    edit(&golden(), number, from, to)
}

/// Journal with the first `from` on line `number` (from 1) replaced, and rechained.
#[track_caller]
pub(crate) fn edit(journal: &str, number: usize, from: &str, to: &str) -> String {
    let mut lines: Vec<_> = journal.lines().map(str::to_owned).collect();
    let line = &mut lines[number - 1];
    assert!(line.contains(from), "`{from}` is not in {line}");
    *line = line.replacen(from, to, 1);
    rechained(&(lines.join("\n") + "\n"))
}

fn last_line() -> usize {
    golden().lines().count()
}

#[test]
fn rechaining_an_unedited_journal_changes_nothing() {
    assert_eq!(rechained(&golden()), golden());
}
