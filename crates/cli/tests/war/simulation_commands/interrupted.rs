//! Simulations and enumerations that are interrupted.

use super::unfinished;
use crate::support::{Run, Sandbox};
use std::fs;
use std::io::Read;
use std::process::{Command, Stdio};

#[test]
#[cfg(unix)]
fn an_interrupted_run_prints_the_figures_so_far() {
    let sandbox = Sandbox::new();
    let files = ["--json", "run.json", "--csv-games", "rows.csv"];
    let run = [
        "simulate",
        "--seed",
        "1",
        "--games",
        "1000000000000",
        "--jobs",
        "2",
    ];
    let mut command = sandbox.command(&[&run[..], &files[..]].concat());
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = command.spawn().expect("the program");
    let begun = || {
        let rows = unfinished(&sandbox, "rows.csv").map(fs::metadata);
        rows.is_some_and(|rows| rows.is_ok_and(|rows| rows.len() > 10_000))
    };
    while !begun() {
        std::thread::yield_now();
    }
    let id = child.id().to_string();
    let kill = Command::new("kill").args(["-INT", &id]).status();
    assert!(kill.expect("kill").success());
    let run = Run::from(child.wait_with_output().expect("its output")).exits_with(3);
    let run = run.reports("interrupted: results of the first ");
    let rows = sandbox.read("rows.csv").lines().count() - 1;
    // The printed count has thousands separators.
    let told = run.stdout.replace(',', "");
    let counted = format!("games:      {rows} with seed 1");
    assert!(told.contains(&counted), "{run:#?}");
    let json = sandbox.read("run.json");
    assert!(json.contains("\"partial\": true"), "{json}");
    let rows = rows.to_string();
    let files = ["--games", &rows, "--csv-games", "whole.csv"];
    let whole = sandbox.war(&[&["simulate", "--seed", "1"], &files[..]].concat());
    assert_eq!(whole.exits_with(0).stdout, run.stdout);
    assert!(
        sandbox.read("whole.csv") == sandbox.read("rows.csv"),
        "other rows"
    );
}

#[test]
#[cfg(unix)]
fn a_run_with_endless_games_can_be_interrupted() {
    let sandbox = Sandbox::new();
    let long = ["--deck", "31x8", "--face-down", "0"];
    let order = ["--collect", "seat-interleaved", "--json", "run.json"];
    let run = ["simulate", "--seed", "1", "--jobs", "2"];
    for (signal, lang, told, games) in [
        ("-INT", "en", "no games finished", "none with seed 1"),
        ("-TERM", "pl", "żadna gra się nie", "żadnej z ziarnem 1"),
    ] {
        let mut command = sandbox.command(&[&run[..], &long, &order].concat());
        command.env("WAR_LANG", lang);
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the program");
        while unfinished(&sandbox, "run.json").is_none() {
            let ended = child.try_wait().expect("the program");
            assert_eq!(ended, None, "it ends by itself");
            std::thread::yield_now();
        }
        // The file exists before the first game starts, so the run gets some more time.
        std::thread::sleep(std::time::Duration::from_millis(500));
        // A signal to a process and to its group arrives twice, and counts as one request.
        let kill = format!("kill {signal} {0}; kill {signal} {0}", child.id());
        let kill = Command::new("sh").args(["-c", &kill]).status();
        assert!(kill.expect("kill").success());
        let run = Run::from(child.wait_with_output().expect("its output")).exits_with(3);
        let run = run.reports(told);
        assert!(run.stdout.contains(games), "{run:#?}");
        assert!(sandbox.read("run.json").contains("\"partial\": true"));
        std::fs::remove_file(sandbox.path("run.json")).expect("the file");
    }
}

/// Interrupts a program that can't end by itself, because nobody reads the pipe that it writes to.
#[test]
#[cfg(target_os = "linux")]
fn a_second_interruption_leaves_no_unfinished_file() {
    let sandbox = Sandbox::new();
    let run = ["simulate", "--games", "1000000000000", "--jobs", "1"];
    let files = ["--json", "run.json", "--csv-games", "/dev/stdout"];
    let mut command = sandbox.command(&[&run[..], &files].concat());
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the program");
    let id = child.id().to_string();
    let stat = format!("/proc/{id}/stat");
    let mut waits = 0;
    while waits < 50 {
        std::thread::sleep(std::time::Duration::from_millis(5));
        let stat = fs::read_to_string(&stat).expect("a process");
        waits = if stat.contains(") S ") { waits + 1 } else { 0 };
    }
    assert!(
        unfinished(&sandbox, "run.json").is_some(),
        "nothing is written"
    );
    let ended = loop {
        let kill = Command::new("kill").args(["-INT", &id]).status();
        assert!(kill.expect("kill").success());
        std::thread::sleep(std::time::Duration::from_millis(20));
        if let Some(ended) = child.try_wait().expect("a child") {
            break ended;
        }
    };
    assert_eq!(ended.code(), Some(130));
    assert_eq!(unfinished(&sandbox, "run.json"), None);
    assert!(
        !sandbox.path("run.json").exists(),
        "a file that is not whole"
    );
}

#[test]
#[cfg(unix)]
fn an_enumeration_of_two_ranks_can_be_interrupted() {
    let sandbox = Sandbox::new();
    let mut command = sandbox.command(&["enumerate", "2x16", "--rules", "bataille", "--yes"]);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the program");
    let mut first = [0; 6];
    let stdout = child.stdout.as_mut().expect("its output");
    stdout.read_exact(&mut first).expect("the first line");
    assert_eq!(&first, b"rules:");
    let id = child.id().to_string();
    let kill = Command::new("kill").args(["-INT", &id]).status();
    assert!(kill.expect("kill").success());
    let run = Run::from(child.wait_with_output().expect("its output")).exits_with(3);
    let run = run.reports(" of 300,546,630 deals");
    assert!(run.stdout.contains("\nplayed:   "), "{run:#?}");
    assert!(run.stdout.contains("\noutcomes: "), "{run:#?}");
}
