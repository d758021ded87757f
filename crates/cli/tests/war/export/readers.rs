//! Exports as data tools read them, with the types that the book gives.

use super::{exported, goldens};
use crate::support::{Run, Sandbox, project};
use std::process::Command;
use war::export::COLUMNS;

#[test]
fn the_book_has_a_file_with_the_type_of_every_column() {
    let file = std::fs::read_to_string(project().join("docs/files/export_types.py"));
    let file = file.expect("the file");
    let lines = file.lines().skip_while(|line| *line != "TYPES = {").skip(1);
    let lines: Vec<_> = lines.take_while(|line| *line != "}").collect();
    let columns =
        COLUMNS.map(|column| format!("    \"{}\": \"{}\",", column.name, column.kind.name()));
    assert_eq!(lines, columns);
}

#[test]
#[ignore = "needs data tools; `.ci/deep` installs them"]
fn every_reader_keeps_the_values_of_every_format() {
    let sandbox = Sandbox::new();
    let journals = goldens(&sandbox);
    // The first has more rows than readers guess types from, and its last event alone has a value
    // in the column `repeats_from`. Small tables show what a reader guesses without neighbours.
    let games = [
        ("long.json", &["2", "large", "--seed", "2215"][..]),
        (
            "big.json",
            &["4", "small", "--seed", "12345678901234567891"],
        ),
        (
            "run.json",
            &[
                "simulate",
                "--players",
                "3",
                "--deck",
                "small",
                "--game",
                "1:30",
            ],
        ),
        ("negative.json", &["xy", "--seed", "-22"]),
    ];
    for (name, args) in games {
        sandbox
            .war(&[args, &["--no-log", "--journal", name]].concat())
            .exits_with(0);
    }
    // A name that readers take for a missing value.
    std::fs::copy(sandbox.path("run.json"), sandbox.path("NA")).expect("a copy");
    let tokens = project().join("journals/single_card_2_forfeited.json");
    let tokens = tokens.display().to_string();
    let tables = [
        ("big", vec!["big.json"]),
        ("run", vec!["run.json"]),
        ("tokens", vec![&*tokens]),
        (
            "mixed",
            vec!["long.json", "negative.json", "big.json", &tokens, "NA"],
        ),
    ];
    let tables = tables.map(|(name, files)| (name, files.into_iter().map(str::to_owned).collect()));
    for (name, files) in tables.into_iter().chain([("goldens", journals)]) {
        let files: Vec<String> = files;
        for format in ["csv", "ndjson", "parquet"] {
            let output = format!("{name}.{format}");
            exported(&sandbox, &["--format", format, "--output", &output], &files);
        }
        let script = project().join("crates/cli/tests/war/export/readers.py");
        let mut python = Command::new(project().join("target/tools-venv/bin/python"));
        python.arg(script).arg(name).current_dir(sandbox.path("."));
        python.env("PYTHONPATH", project().join("docs/files"));
        python.env("PYTHONDONTWRITEBYTECODE", "1");
        Run::of(&mut python).exits_with(0);
    }
}
