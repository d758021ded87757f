//! Runs that others spread: a real Slurm job array, and GNU parallel, with the book's scripts.

mod slurm;

use crate::support::{Place, Run, project};
use slurm::Slurm;
use std::env;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

/// A guard only: Slurm starts tasks seconds after they are submitted.
const TO_PLAY: Duration = Duration::from_secs(180);

const RUN: [&str; 5] = ["simulate", "--seed", "1", "--games", "2000"];

/// A program that finds `war` and the scripts of the book, and plays fewer games than they say.
fn command(place: &Place, program: &str) -> Command {
    let war = Path::new(env!("CARGO_BIN_EXE_war"))
        .parent()
        .expect("a directory");
    let path = env::var("PATH").expect("a path");
    let mut command = Command::new(program);
    command
        .current_dir(place.path("."))
        .env("PATH", format!("{}:{path}", war.display()))
        .env("HOME", place.path("."))
        .env("GAMES", "2000");
    command
}

fn script(name: &str) -> String {
    let script = project().join("docs/files").join(name);
    script.to_str().expect("a path in UTF-8").to_owned()
}

/// The figures of a run that was joined, and those of the same run on one machine.
fn assert_is_whole(place: &Place) {
    let merge = ["simulate", "merge", "parts", "--json", "joined.json"];
    place.war(&merge).ends_with(0);
    place
        .war(&[&RUN[..], &["--json", "whole.json"]].concat())
        .ends_with(0);
    assert_eq!(place.read("joined.json"), place.read("whole.json"));
}

/// The parts that are there.
fn parts(place: &Place) -> usize {
    let files = fs::read_dir(place.path("parts")).into_iter().flatten();
    let names = files.map(|file| file.expect("a file").file_name());
    names
        .filter(|name| name.to_string_lossy().ends_with(".json"))
        .count()
}

/// Submits the book's script with these options.
fn submit(slurm: &Slurm, place: &Place, options: &[&str]) {
    let mut submit = command(place, "sbatch");
    submit.args(options).arg(script("slurm.sh"));
    Run::of(slurm.configured(&mut submit)).ends_with(0);
}

/// Waits until something has come of what was submitted.
fn wait_until(slurm: &Slurm, is_done: impl Fn() -> bool) {
    let start = Instant::now();
    while !is_done() {
        assert!(start.elapsed() < TO_PLAY, "{}", slurm.said());
        thread::sleep(Duration::from_millis(50));
    }
}

#[test]
#[ignore = "needs slurm-wlm; `.ci/deep` installs it"]
fn a_slurm_job_array_plays_a_run_and_one_with_gaps_is_refused() {
    let (place, other) = (Place::new(), Place::new());
    let slurm = Slurm::start();
    // As in the script, but for the tasks: they don't begin with 1, nor follow each other.
    submit(&slurm, &place, &["--array=3-9:2"]);
    submit(&slurm, &other, &["--array=1,3,7", "--output=%a.out"]);
    wait_until(&slurm, || parts(&place) == 4);
    assert_is_whole(&place);
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
    let place = Place::new();
    let mut shell = command(&place, "sh");
    let run = Run::of(shell.arg(script("parallel.sh")).env("PARTS", "5")).ends_with(0);
    assert_eq!(parts(&place), 5);
    assert_is_whole(&place);
    let games = "games:      2,000 with seed 1, numbers 0 to 1,999";
    assert!(run.stdout.contains(games), "{run:#?}");
}
