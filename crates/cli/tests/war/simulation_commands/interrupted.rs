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

/// Kills a run again and again, and goes on each time.
#[test]
#[cfg(unix)]
fn a_run_that_is_killed_goes_on_without_lost_or_doubled_games() {
    let sandbox = Sandbox::new();
    let run = [
        "simulate", "--seed", "1", "--games", "400000", "--jobs", "2",
    ];
    let resumed = ["--resume", "state.json", "--csv-games", "rows.csv"];
    let resumed = [&run[..], &resumed, &["--rules", "household"]].concat();
    let games = |file: &str| {
        let state: serde_json::Value =
            serde_json::from_str(&fs::read_to_string(sandbox.path(file)).ok()?).ok()?;
        state["games"].as_u64()
    };
    for kill in 0..20 {
        let saved = || {
            fs::metadata(sandbox.path("state.json"))
                .ok()?
                .modified()
                .ok()
        };
        let before = saved();
        let mut command = sandbox.command(&resumed);
        command.stdout(Stdio::null()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the program");
        if kill % 5 == 4 {
            // In good order, so that the state gets ahead: it is saved every few seconds only. The
            // program saves it first once it catches signals.
            while saved() == before {
                std::thread::yield_now();
            }
            std::thread::sleep(std::time::Duration::from_millis(20));
            let id = child.id().to_string();
            let signal = Command::new("kill").args(["-INT", &id]).status();
            assert!(signal.expect("kill").success());
            let run = Run::from(child.wait_with_output().expect("its output")).exits_with(3);
            run.reports("run the same command again");
        } else {
            std::thread::sleep(std::time::Duration::from_millis(10 * kill));
            child.kill().expect("killed");
            child.wait().expect("ended");
        }
        assert!(!sandbox.path("rows.csv").exists(), "rows of a part");
    }
    let before = games("state.json").expect("a state");
    assert!(before > 0 && before < 400_000, "{before}");
    let merged = sandbox.war(&["simulate", "merge", "state.json"]);
    merged.exits_with(1).reports("`--resume FILE`");
    let ended = sandbox.war(&resumed).exits_with(0);
    let files = ["--json", "whole.json", "--csv-games", "whole.csv"];
    let whole = [&run[..], &files, &["--rules", "household"]].concat();
    assert_eq!(sandbox.war(&whole).exits_with(0).stdout, ended.stdout);
    let same = |a: &str, b: &str| sandbox.read(a) == sandbox.read(b);
    assert!(same("state.json", "whole.json"), "other figures");
    assert!(same("rows.csv", "whole.csv"), "other rows");
    assert_eq!(unfinished(&sandbox, "rows.csv"), None);
    // Nothing is left to play.
    assert_eq!(sandbox.war(&resumed).exits_with(0).stdout, ended.stdout);
}

#[test]
fn another_run_is_not_resumed() {
    let sandbox = Sandbox::new();
    let begin = |more: &[&str]| {
        let run = ["simulate", "--games", "100", "--resume", "state.json"];
        sandbox.war(&[&run[..], more].concat())
    };
    begin(&["--seed", "7"]).exits_with(0);
    // The seed is that of the run.
    assert!(begin(&[]).exits_with(0).stdout.contains("with seed 7"));
    for (more, told) in [
        (&["--seed", "8"][..], "has another seed: 7"),
        (
            &["--rules", "bataille"],
            "different rules: `--face-down` differs",
        ),
        (&["--players", "3"], "different rules: `--players` differs"),
    ] {
        begin(more).exits_with(1).reports(told);
    }
    let part = [
        "simulate",
        "--seed",
        "7",
        "--resume",
        "state.json",
        "--games",
    ];
    for more in [
        &["101"][..],
        &["100", "--shard", "2/2"],
        &["100", "--shard", "1/2"],
    ] {
        let run = sandbox.war(&[&part[..], more].concat()).exits_with(1);
        run.reports("has other games: 0 to 99 of 100");
    }
    let rows = ["--csv-games", "rows.csv"];
    begin(&rows)
        .exits_with(1)
        .reports("doesn't have the rows of all the games");
    begin(&["--csv-games", "-"])
        .exits_with(2)
        .reports("can't take the rows");
}
