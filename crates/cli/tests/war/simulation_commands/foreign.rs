//! Comparison with a program that was written from the documentation alone and plays the same
//! games.

use crate::support::{Sandbox, project};
use std::process::Command;

/// Options of runs: rules, and enough games for a different reading of the rules to show.
const RULES: [&str; 54] = [
    "--deck small --games 100",
    "--deck small --players 3 --games 100",
    "--deck small --players 4 --games 100",
    "--deck small --players 5 --games 100",
    "--deck large --games 5",
    "--deck large --players 5 --games 10",
    "--rules duels --deck small --players 3 --games 100",
    "--rules duels --deck small --games 100 --max-turns 60",
    "--rules xy --games 60",
    "--rules bataille --deck 4x4 --games 200",
    "--rules bataille --deck 5x3 --games 200",
    "--rules bataille --games 30 --max-turns 300",
    "--rules bataille --collect winner-first --face-down 1 --games 80",
    "--rules bataille --deck 16x1 --games 100",
    "--deck small --players 4 --collect winner-first --face-down 2 --games 100",
    "--deck small --players 5 --collect winner-pile --face-down 3 --games 100",
    "--deck small --players 3 --collect seat-interleaved --games 100",
    "--deck small --players 4 --collect bataille --games 100",
    "--deck small --players 5 --collect shuffled --face-down 5 --games 100",
    "--deck small --out-of-cards last-card --face-down 3 --games 100",
    "--deck small --out-of-cards last-card --collect winner-first --face-down 3 --games 100",
    "--deck small --out-of-cards last-card --collect bataille --face-down 5 --games 100",
    "--deck 2x9 --out-of-cards last-card --collect winner-pile --face-down 2 --games 100",
    "--deck 2x9 --out-of-cards shrink --collect seat --max-turns 500 --games 100",
    "--deck 2x9 --out-of-cards shrink --collect winner-first --max-turns 500 --games 100",
    "--deck small --out-of-cards loses --face-down 4 --collect shuffled --games 100",
    "--rules bataille --fix 2:14,13,14 --deck small --games 100",
    "--players 4 --fix 3:14,14 --collect shuffled --deck small --games 100",
    "--rules bataille --deck 5x4 --collect highest-first --games 100",
    "--deck small --players 4 --collect highest-first --face-down 2 --games 100",
    "--deck small --out-of-cards last-card --collect highest-first --face-down 3 --games 60",
    "--deck small --collect reversed-pile --face-down 3 --out-of-cards last-card --games 100",
    "--deck 2x9 --collect reversed-pile --face-down 2 --out-of-cards loses --games 100",
    "--deck 3x8 --players 5 --collect reversed-pile --face-down 2 --games 100",
    "--deck small --collect random --face-down 2 --out-of-cards loses --games 100",
    "--deck 3x8 --players 4 --collect random --games 100",
    "--deck 1x9 --players 3 --collect random --games 20",
    "--deck small --collect seat,winner-first --games 100",
    "--deck 3x8 --players 3 --collect bataille,random,reversed-pile --games 100",
    "--deck small --players 5 --collect seat,bataille,winner-pile,seat,highest-first --games 60",
    "--deck 2x9 --collect shuffled,seat --out-of-cards shrink --max-turns 500 --games 60",
    "--rules household --games 1000",
    "--piles two --rules bataille --deck 5x4 --games 100",
    "--piles two --deck small --players 5 --face-down 3 --games 100",
    "--piles two --deck 3x8 --players 3 --collect random,seat,shuffled --games 60",
    "--piles two --deck small --out-of-cards last-card --face-down 5 --games 100",
    "--piles two --deck 2x9 --out-of-cards shrink --max-turns 500 --games 100",
    "--piles two --rules duels --deck small --games 60",
    "--piles two-turned --rules bataille --deck 4x4 --games 200",
    "--piles two-turned --deck small --players 4 --face-down 2 --games 100",
    "--piles two-turned --deck small --out-of-cards last-card --collect winner-first --games 100",
    "--piles two-turned --deck 2x9 --out-of-cards shrink --face-down 2 --max-turns 500 --games 100",
    "--piles two-turned --deck 3x8 --collect winner-pile,random --out-of-cards loses --games 60",
    "--piles two-turned --deck 1x9 --players 3 --games 20",
];

#[test]
#[ignore = "needs python3"]
fn the_documented_rules_are_complete() {
    let sandbox = Sandbox::new();
    let mut endings = String::new();
    for rules in RULES {
        let options = ["--seed", "7"].into_iter().chain(rules.split(' '));
        let options: Vec<_> = options.collect();
        let simulate = ["simulate", "--csv-games", "-"];
        let ours = sandbox
            .war(&[&simulate[..], &options].concat())
            .exits_with(0);
        let theirs = Command::new("python3")
            // Leaves no caches in the source folders.
            .arg("-B")
            .arg(project().join("tests/foreign/simulate.py"))
            .args(&options)
            .output()
            .expect("python3");
        let theirs = String::from_utf8(theirs.stdout).expect("text");
        let rows = ours.stdout.lines().zip(theirs.lines());
        for (ours, theirs) in rows {
            assert_eq!(ours, theirs, "{rules}");
        }
        assert_eq!(ours.stdout.len(), theirs.len(), "{rules}");
        endings.push_str(&theirs);
    }
    for ending in [",won,", ",drawn,", ",endless,", ",undecided,"] {
        assert!(endings.matches(ending).count() > 10, "few end {ending}");
    }
}
