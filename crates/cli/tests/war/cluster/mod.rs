//! Runs distributed by other programs: a real Slurm job array, and GNU parallel, with the book's
//! scripts.

mod slurm;

use crate::support::{Run, Sandbox, project};
use slurm::Slurm;
use std::env;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

/// Time limit for a run. Only a safeguard: Slurm starts tasks seconds after they are submitted.
const PLAY_TIMEOUT: Duration = Duration::from_secs(180);

const RUN: [&str; 5] = ["simulate", "--seed", "1", "--games", "2000"];

/// Program that finds `war` and the book's scripts, and plays fewer games than they say.
fn command(sandbox: &Sandbox, program: &str) -> Command {
    let war = Path::new(env!("CARGO_BIN_EXE_war"))
        .parent()
        .expect("a directory");
    let path = env::var("PATH").expect("a path");
    let mut command = Command::new(program);
    command
        .current_dir(sandbox.path("."))
        .env("PATH", format!("{}:{path}", war.display()))
        .env("HOME", sandbox.path("."))
        .env("GAMES", "2000");
    command
}

fn script(name: &str) -> String {
    let script = project().join("docs/files").join(name);
    script.to_str().expect("a path in UTF-8").to_owned()
}

/// Checks that the figures of a joined run are those of the same run on one machine.
fn assert_is_whole(sandbox: &Sandbox, rules: &[&str]) {
    let merge = ["simulate", "merge", "parts", "--json", "joined.json"];
    sandbox.war(&merge).exits_with(0);
    sandbox
        .war(&[&RUN[..], rules, &["--json", "whole.json"]].concat())
        .exits_with(0);
    assert_eq!(sandbox.read("joined.json"), sandbox.read("whole.json"));
}

/// Number of complete parts in the sandbox.
fn parts(sandbox: &Sandbox) -> usize {
    let files = fs::read_dir(sandbox.path("parts")).into_iter().flatten();
    let paths = files.map(|file| file.expect("a file").path());
    paths
        .filter(|path| path.extension().is_some_and(|end| end == "json"))
        .filter(|path| {
            fs::read_to_string(path).is_ok_and(|json| json.contains("\"partial\": false"))
        })
        .count()
}

/// Submits the book's script with these options.
fn submit(slurm: &Slurm, sandbox: &Sandbox, options: &[&str]) {
    let mut submit = command(sandbox, "sbatch");
    submit.args(options).arg(script("slurm.sh"));
    Run::of(slurm.configured(&mut submit)).exits_with(0);
}

/// Waits until this condition on the submitted job is true.
fn wait_until(slurm: &Slurm, is_done: impl Fn() -> bool) {
    let start = Instant::now();
    while !is_done() {
        assert!(start.elapsed() < PLAY_TIMEOUT, "{}", slurm.logs());
        thread::sleep(Duration::from_millis(50));
    }
}

#[test]
#[ignore = "needs slurm-wlm; `.ci/deep` installs it"]
fn a_slurm_job_array_plays_a_run_and_one_with_gaps_is_refused() {
    let (sandbox, other) = (Sandbox::new(), Sandbox::new());
    let slurm = Slurm::start();
    // As in the script, except for the task numbers: they don't begin with 1, and have gaps.
    submit(&slurm, &sandbox, &["--array=3-9:2"]);
    submit(&slurm, &other, &["--array=1,3,7", "--output=%a.out"]);
    wait_until(&slurm, || parts(&sandbox) == 4);
    assert_is_whole(&sandbox, &[]);
    for task in ["1", "3", "7"] {
        let out = other.path(&format!("{task}.out"));
        let said = || fs::read_to_string(&out).unwrap_or_default();
        wait_until(&slurm, || said().contains("hint: "));
        let error = format!("can't count task {task} in a Slurm job array of 3 tasks from 1 to 7");
        assert!(said().contains(&error), "{}", said());
    }
    assert_eq!(parts(&other), 0);
}

#[test]
#[ignore = "needs GNU parallel; `.ci/deep` installs it"]
fn gnu_parallel_plays_a_run() {
    let sandbox = Sandbox::new();
    let mut shell = command(&sandbox, "sh");
    let rules = ["--rules", "household"];
    let shell = shell.arg(script("parallel.sh")).args(rules);
    let run = Run::of(shell.env("PARTS", "5")).exits_with(0);
    assert_eq!(parts(&sandbox), 5);
    assert_is_whole(&sandbox, &rules);
    let games = "games:      2,000 with seed 1, numbers 0 to 1,999";
    assert!(run.stdout.contains(games), "{run:#?}");
}
