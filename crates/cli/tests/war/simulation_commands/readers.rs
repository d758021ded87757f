//! The simulator's tables as data tools read them, with the types that the book gives.

use crate::support::{Run, Sandbox, project};
use std::process::Command;

#[test]
#[ignore = "needs data tools; `.ci/deep` installs them"]
fn every_reader_keeps_the_rows_of_a_simulation() {
    let sandbox = Sandbox::new();
    // The first endless game comes after more rows than readers guess types from.
    let rules = "--deck 5x4 --collect winner-first --face-down 1 --seed 1 --games 40000";
    let mut simulate = vec!["--no-log", "simulate", "--csv-games", "games.csv"];
    simulate.extend(rules.split(' '));
    sandbox.war(&simulate).exits_with(0);
    simulate[2..4].copy_from_slice(&["--csv", "lengths.csv"]);
    sandbox
        .war(&[&simulate[..], &["--max-turns", "100"]].concat())
        .exits_with(0);
    let enumerate = "--no-log enumerate 3x4 --rules bataille --csv deals.csv";
    sandbox
        .war(&enumerate.split(' ').collect::<Vec<_>>())
        .exits_with(0);

    let script = project().join("crates/cli/tests/war/simulation_commands/readers.py");
    let mut python = Command::new(project().join("target/tools-venv/bin/python"));
    python
        .arg(script)
        .args(["games.csv", "lengths.csv", "deals.csv"])
        .current_dir(sandbox.path("."));
    Run::of(&mut python).exits_with(0);
}
