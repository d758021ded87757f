//! Runs on many machines: the tasks of a Slurm job array, and parts in a directory.

use crate::support::{Run, Sandbox, reviewed};
use std::fs;

const SMALL: [&str; 7] = [
    "simulate", "--deck", "small", "--seed", "1", "--games", "90",
];

/// Task of a job array: its number, then the first and last number, step and count of all tasks.
type Task = [&'static str; 5];

const VARIABLES: Task = [
    "SLURM_ARRAY_TASK_ID",
    "SLURM_ARRAY_TASK_MIN",
    "SLURM_ARRAY_TASK_MAX",
    "SLURM_ARRAY_TASK_STEP",
    "SLURM_ARRAY_TASK_COUNT",
];

/// Plays as this task of a job array. A variable without a value is not set.
fn as_task(sandbox: &Sandbox, arguments: &[&str], task: Task) -> Run {
    let mut command = sandbox.command(arguments);
    for (variable, value) in VARIABLES.into_iter().zip(task) {
        command.env_remove(variable);
        if !value.is_empty() {
            command.env(variable, value);
        }
    }
    Run::of(&mut command)
}

#[test]
fn each_task_of_a_job_array_plays_its_part() {
    let sandbox = Sandbox::new();
    let auto = [&SMALL[..], &["--shard", "auto"]].concat();
    for (shard, task) in [
        ("1/3", ["1", "1", "3", "1", "3"]),
        ("3/3", ["3", "1", "3", "1", "3"]),
        ("1/4", ["0", "0", "3", "1", "4"]),
        ("3/4", ["9", "5", "11", "2", "4"]),
    ] {
        let run = as_task(&sandbox, &auto, task).exits_with(0);
        let named = [&SMALL[..], &["--shard", shard]].concat();
        assert_eq!(
            run.stdout,
            sandbox.war(&named).exits_with(0).stdout,
            "{task:?}"
        );
    }
    let deals = ["enumerate", "3x4", "--shard"];
    let run = as_task(
        &sandbox,
        &[&deals[..], &["AUTO"]].concat(),
        ["2", "1", "2", "1", "2"],
    );
    let named = sandbox.war(&[&deals[..], &["2/2"]].concat()).exits_with(0);
    assert_eq!(run.exits_with(0).stdout, named.stdout);
}

#[test]
fn nonsensical_variables_are_reported() {
    let sandbox = Sandbox::new();
    let mut told = String::new();
    for task in [
        [""; 5],
        ["2", "1", "3", "1", ""],
        ["2", "1", "3", "", "3"],
        ["two", "1", "3", "1", "3"],
        ["2", "1", "-3", "1", "3"],
        // The array of the tasks 1, 2 and 7, which has a gap.
        ["2", "1", "7", "1", "3"],
        ["4", "1", "3", "1", "3"],
        ["0", "1", "3", "1", "3"],
        ["2", "1", "5", "2", "3"],
        ["1", "1", "3", "0", "3"],
        ["1", "3", "1", "1", "3"],
        ["0", "0", "4294967295", "1", "4294967295"],
        // Only task 2 of an array was submitted again.
        ["2", "2", "2", "1", "1"],
    ] {
        for lang in ["en", "pl"] {
            let auto = [&["--lang", lang][..], &SMALL, &["--shard", "auto"]].concat();
            let run = as_task(&sandbox, &auto, task).exits_with(2);
            assert_eq!(run.stdout, "", "{task:?}");
            told.push_str(&format!("{}\n{}\n", task.join(" "), run.stderr));
        }
    }
    reviewed("slurm_errors", &told);
    let auto = ["enumerate", "3x4", "--shard", "auto"];
    let run = as_task(&sandbox, &auto, [""; 5]).exits_with(2);
    run.reports("`SLURM_ARRAY_TASK_ID` isn't set");
}

/// Three parts of a run in the directory `parts`, and the figures of the whole run.
fn parts() -> (Sandbox, String) {
    let sandbox = Sandbox::new();
    fs::create_dir(sandbox.path("parts")).expect("a directory");
    for part in ["1", "2", "3"] {
        let (shard, file) = (format!("{part}/3"), format!("parts/{part}.json"));
        let part = ["--shard", &shard, "--json", &file];
        sandbox.war(&[&SMALL[..], &part].concat()).exits_with(0);
    }
    sandbox
        .war(&[&SMALL[..], &["--json", "whole.json"]].concat())
        .exits_with(0);
    let whole = sandbox.read("whole.json");
    (sandbox, whole)
}

#[test]
fn all_parts_of_a_directory_are_joined() {
    let (sandbox, whole) = parts();
    // Output that jobs print beside their parts is ignored, and so is a truncated part.
    sandbox.write("parts/slurm-7_1.out", "rules: ...");
    sandbox.write("parts/4.json.part", "{");
    let merge = ["simulate", "merge", "parts", "--json"];
    sandbox
        .war(&[&merge[..], &["joined.json"]].concat())
        .exits_with(0);
    assert_eq!(sandbox.read("joined.json"), whole);
    let inside = [&merge[..], &["parts/3.json"]].concat();
    sandbox
        .war(&inside)
        .exits_with(2)
        .reports("is one of the parts");
    // A directory can be combined with files.
    fs::rename(sandbox.path("parts/2.json"), sandbox.path("2.json")).expect("a file");
    let both = [
        "simulate",
        "merge",
        "parts",
        "2.json",
        "--json",
        "both.json",
    ];
    sandbox.war(&both).exits_with(0);
    assert_eq!(sandbox.read("both.json"), whole);
}

#[test]
fn a_directory_without_exactly_the_parts_is_refused() {
    let mut told = String::new();
    let edited = |part: &str| part.replacen("\"drawn\": 0", "\"drawn\": 1", 1);
    let cut = |part: &str| part[..part.len() / 2].to_owned();
    let other = [
        "--seed", "1", "--games", "90", "--deck", "2x4", "--shard", "2/3",
    ];
    for (what, change) in [
        ("missing", None),
        ("twice", Some(("4.json", "1.json", None))),
        (
            "cut",
            Some(("2.json", "2.json", Some(&cut as &dyn Fn(&str) -> String))),
        ),
        ("edited", Some(("2.json", "2.json", Some(&edited)))),
        ("other rules", Some(("2.json", "../other.json", None))),
        (
            "something else",
            Some(("package.json", "2.json", Some(&|_| "{}".to_owned()))),
        ),
    ] {
        let (sandbox, _) = parts();
        let part = [&["simulate"][..], &other, &["--json", "other.json"]].concat();
        sandbox.war(&part).exits_with(0);
        match change {
            None => fs::remove_file(sandbox.path("parts/2.json")).expect("a part"),
            Some((to, from, change)) => {
                let part = sandbox.read(&format!("parts/{from}"));
                let changed = change.map_or(part.clone(), |change| change(&part));
                assert!(change.is_none() || changed != part);
                sandbox.write(&format!("parts/{to}"), changed);
            }
        }
        for lang in ["en", "pl"] {
            let run = sandbox.war(&["--lang", lang, "simulate", "merge", "parts"]);
            let run = run.exits_with(1);
            assert_eq!(run.stdout, "", "{what}");
            told.push_str(&format!("{what}\n{}\n", run.stderr));
        }
    }
    let sandbox = Sandbox::new();
    fs::create_dir(sandbox.path("parts")).expect("a directory");
    sandbox.write("parts/1.txt", "");
    for lang in ["en", "pl"] {
        let run = sandbox.war(&["--lang", lang, "simulate", "merge", "parts"]);
        told.push_str(&format!("empty\n{}\n", run.exits_with(1).stderr));
    }
    reviewed("simulation_merged_directories", &told);
}

#[test]
fn parts_of_an_enumeration_are_joined_from_a_directory() {
    let sandbox = Sandbox::new();
    fs::create_dir(sandbox.path("parts")).expect("a directory");
    let merge = ["enumerate", "merge", "parts"];
    sandbox.war(&merge).exits_with(1).reports("no parts");
    for part in ["1", "2"] {
        let (shard, file) = (format!("{part}/2"), format!("parts/{part}.json"));
        let part = ["enumerate", "3x4", "--shard", &shard, "--json", &file];
        sandbox.war(&part).exits_with(0);
    }
    sandbox
        .war(&[&merge[..], &["--json", "joined.json"]].concat())
        .exits_with(0);
    sandbox
        .war(&["enumerate", "3x4", "--json", "whole.json"])
        .exits_with(0);
    assert_eq!(sandbox.read("joined.json"), sandbox.read("whole.json"));
    fs::remove_file(sandbox.path("parts/1.json")).expect("a part");
    sandbox.war(&merge).exits_with(1).reports("are missing");
}
