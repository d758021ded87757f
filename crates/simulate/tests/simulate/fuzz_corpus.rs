//! Properties that the fuzzer tries to break, checked with the inputs kept in its corpus.
//!
//! `.ci/fuzz` looks for new inputs with the same code.

#[allow(unreachable_pub, reason = "for the targets it is a library")]
#[path = "../../../../fuzz/src/lib.rs"]
pub(super) mod fuzz;

use crate::shared::{files, project};
use fuzz::relink::relink;
use fuzz::{import, kernels, mutate, reader, repair, scenario};
use std::fs;
use war::journal::Verdict;

/// Checks each input that the fuzzer keeps for a target.
fn check_corpus(target: &str, check: fn(&[u8])) {
    for path in files(&format!("fuzz/corpus/{target}"), "") {
        check(&fs::read(&path).expect("an input"));
    }
}

#[test]
fn every_journal_gets_a_verdict() {
    check_corpus("reader", reader::check);
}

#[test]
fn repairs_keep_what_was_proven() {
    check_corpus("repair", repair::check);
}

#[test]
fn imported_games_print_their_tables_again() {
    check_corpus("import", import::check);
}

#[test]
fn scenarios_match_their_json() {
    check_corpus("scenario", scenario::check);
}

#[test]
fn every_kernel_plays_the_same_games() {
    check_corpus("kernels", kernels::check);
}

#[test]
fn an_intact_chain_stays_unchanged() {
    let all = [("journals", ".json"), ("journals", ".jsonl")];
    let all = all.into_iter().chain([("journals/upgraded", ".jsonl")]);
    for path in all.flat_map(|(folder, suffix)| files(folder, suffix)) {
        let journal = fs::read(&path).expect("a journal");
        assert!(relink(&journal) == journal, "{}", path.display());
    }
}

/// Checks that mutated journals can still have valid hashes and states. Otherwise the fuzzer would
/// test nothing but the parser.
#[test]
fn some_mutations_give_other_verified_journals() {
    let path = project().join("journals/custom_shrink.json");
    let journal = fs::read(path).expect("a journal");
    let mut verdicts = Vec::new();
    for seed in 0..400 {
        let mut room = journal.clone();
        room.resize(2 * journal.len(), 0);
        let size = mutate::mutate(&mut room, journal.len(), seed, |_, size| size);
        if room[..size] != journal {
            verdicts.push(match reader::verify_journal(&room[..size]) {
                Ok(_) => Verdict::Verified,
                Err(fault) => fault.verdict(),
            });
        }
    }
    for wanted in [Verdict::Verified, Verdict::Diverged, Verdict::Damaged] {
        assert!(verdicts.contains(&wanted), "{verdicts:?}");
    }
}
