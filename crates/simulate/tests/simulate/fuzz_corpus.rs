//! What the fuzzer looks for exceptions to, held true of the inputs that it learned most from.
//!
//! `.ci/fuzz` looks for others with the same code.

#[allow(unreachable_pub, reason = "for the targets it is a library")]
#[path = "../../../../fuzz/src/lib.rs"]
pub(super) mod fuzz;

use crate::shared::{files, project};
use fuzz::relink::relinked;
use fuzz::{import, kernels, mutate, reader, repair, scenario};
use std::fs;
use war::journal::Verdict;

/// Checks each input that the fuzzer keeps for a target.
fn each(target: &str, check: fn(&[u8])) {
    for path in files(&format!("fuzz/corpus/{target}"), "") {
        check(&fs::read(&path).expect("an input"));
    }
}

#[test]
fn journals_read_to_a_verdict() {
    each("reader", reader::check);
}

#[test]
fn what_is_repaired_is_what_was_proven() {
    each("repair", repair::check);
}

#[test]
fn tables_import_to_games_that_print_them() {
    each("import", import::check);
}

#[test]
fn scenarios_are_what_json_says() {
    each("scenario", scenario::check);
}

#[test]
fn simulated_games_are_the_same_on_every_kernel() {
    each("kernels", kernels::check);
}

#[test]
fn a_chain_that_fits_stays_as_it_is() {
    let all = [("journals", ".json"), ("journals", ".jsonl")];
    let all = all.into_iter().chain([("journals/upgraded", ".jsonl")]);
    for path in all.flat_map(|(folder, suffix)| files(folder, suffix)) {
        let journal = fs::read(&path).expect("a journal");
        assert!(relinked(&journal) == journal, "{}", path.display());
    }
}

/// The fuzzer must get past chain and states, or it tries nothing but the parser.
#[test]
fn some_changes_lead_to_other_journals_that_are_verified() {
    let path = project().join("journals/custom_shrink.json");
    let journal = fs::read(path).expect("a journal");
    let mut verdicts = Vec::new();
    for seed in 0..400 {
        let mut room = journal.clone();
        room.resize(2 * journal.len(), 0);
        let size = mutate::mutate(&mut room, journal.len(), seed, |_, size| size);
        if room[..size] != journal {
            verdicts.push(match reader::verdict(&room[..size]) {
                Ok(_) => Verdict::Verified,
                Err(fault) => fault.verdict(),
            });
        }
    }
    for wanted in [Verdict::Verified, Verdict::Diverged, Verdict::Damaged] {
        assert!(verdicts.contains(&wanted), "{verdicts:?}");
    }
}
