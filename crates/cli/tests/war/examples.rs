//! The examples for users of the library, which `.ci/package` builds outside the package.

use super::support::{Sandbox, dealt, files, project, reviewed, written};
use std::fs;
use war::cards::{Deck, Generator};
use war::journal::{Deal, RecordedRules};
use war::rules::CLASSIC;

#[path = "../../../../examples/house_rules.rs"]
#[allow(dead_code, reason = "an example's `main` is for those who run it")]
mod house_rules;
#[path = "../../../../examples/lead_changes.rs"]
#[allow(dead_code, reason = "an example's `main` is for those who run it")]
mod lead_changes;
#[path = "../../../../examples/recorder.rs"]
#[allow(dead_code, reason = "an example's `main` is for those who run it")]
mod recorder;
#[path = "../../../simulate/examples/simulation.rs"]
#[allow(dead_code, reason = "an example's `main` is for those who run it")]
mod simulation;
#[path = "../../../../examples/verifier.rs"]
#[allow(dead_code, reason = "an example's `main` is for those who run it")]
mod verifier;

/// Compares the example's count of lead changes with the screens, which are independent of it.
#[test]
fn a_projection_s_count_matches_the_screens() {
    let sandbox = Sandbox::new();
    let told = |seed: u64| {
        let game = sandbox.war(&["2", "large", "--seed", &seed.to_string()]);
        let screens = game.exits_with(0).stdout;
        let leaders = screens.lines().filter(|line| line.contains(" leads with "));
        let mut leaders: Vec<_> = leaders.map(|line| line.contains("player1")).collect();
        leaders.dedup();
        let changes = leaders.len() - 1;
        format!("seed {seed}: the lead changed {changes} times\n")
    };
    let told: String = (1..=5).map(told).collect();
    assert_eq!(lead_changes::report().expect("games"), told);
}

#[test]
fn house_rules_end_the_same_deal_differently() {
    reviewed(
        "example_house_rules",
        &house_rules::report().expect("games"),
    );
}

#[test]
fn a_simulated_game_is_opened_as_events() {
    reviewed("example_simulation", &simulation::report().expect("games"));
}

#[test]
fn the_program_verifies_the_recorder_s_journal() {
    let mut journal = Vec::new();
    let line = recorder::record(1, &mut journal).expect("a game");
    // This is the game of the README's first example.
    assert_eq!(line, "player 2 won in turn 19");
    let sandbox = Sandbox::new();
    sandbox.write("game.json", &journal);
    let replay = sandbox.war(&["replay", "--quiet", "game.json"]);
    replay.exits_with(0).reports("VERIFIED");
    assert_eq!(
        verifier::describe_verdict(&journal[..]),
        "VERIFIED: 19 turns by the rules, cards from seed 1"
    );
}

#[test]
fn the_verifier_reports_where_a_journal_breaks_the_rules() {
    let mut journal = Vec::new();
    recorder::record(1, &mut journal).expect("a game");
    let half = verifier::describe_verdict(&journal[..journal.len() / 2]);
    assert!(half.starts_with("INCOMPLETE at "), "{half}");
    let journal = String::from_utf8(journal).expect("a journal is text");
    let other = journal.replacen("\"won\":{\"player\":2}", "\"won\":{\"player\":1}", 1);
    assert_ne!(other, journal);
    let damaged = verifier::describe_verdict(other.as_bytes());
    assert!(damaged.starts_with("DAMAGED at "), "{damaged}");
}

/// Checks a journal that the library recorded without screens: the game is verified by the rules,
/// but there is no console digest to compare.
#[test]
fn a_game_that_printed_nothing_verifies() {
    let generator = Generator::ChaCha8 { seed: 1 };
    let (rules, deal) = (CLASSIC.into(), Deal::Shuffled { generator });
    let rules = RecordedRules::War { rules, deal };
    let journal = written(rules, Deck::Small, dealt(Deck::Small, 4, 1));

    assert_eq!(
        verifier::describe_verdict(&journal[..]),
        "VERIFIED: 19 turns by the rules, cards from seed 1"
    );
    let sandbox = Sandbox::new();
    sandbox.write("game.json", journal);
    let replay = sandbox.war(&["replay", "game.json"]).exits_with(0);
    let replay = replay.reports("VERIFIED").reports("console digest");
    assert_eq!(
        replay.stdout,
        sandbox.war(&["4", "small", "--seed", "1"]).stdout
    );
}

#[test]
fn every_example_is_built_outside_the_package() {
    let script = fs::read_to_string(project().join(".ci/package")).expect("the script");
    let deep = fs::read_to_string(project().join(".ci/deep")).expect("the script");
    assert!(deep.contains("\nstep package "), "{deep}");
    for path in files("examples", ".rs") {
        let name = path.file_stem().expect("a name").to_string_lossy();
        assert!(script.contains(&*name), "{name}");
    }
}
