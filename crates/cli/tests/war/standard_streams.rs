//! `-`: standard input or output, or a clear refusal.

use super::support::{Sandbox, files};
use std::fs;
use std::process::Stdio;
use std::thread::sleep;
use std::time::Duration;

const HANDS: &str = "[[9,9,10,10,14,14,11,10],[9,9,11,11,11,12,13,14],[14,10,12,12,12,13,13,13]]";

#[test]
fn every_file_that_is_read_once_may_be_standard_input() {
    let sandbox = Sandbox::new();
    let journal = fs::read(&files("journals", "xy_seed_42.json")[0]).expect("a journal");
    let table = sandbox.war(&["xy", "42"]).exits_with(0).stdout;
    let part = ["simulate", "--games", "4", "--seed", "1", "--json", "-"];
    let part = sandbox.war(&part).exits_with(0).stdout;
    sandbox.write("journal.json", &journal);
    for (arguments, input) in [
        (&["replay", "-", "--quiet"][..], &journal[..]),
        (&["journal", "check", "journal.json", "-"], &journal),
        (&["journal", "show", "-"], &journal),
        (&["journal", "diff", "-", "journal.json"], &journal),
        (&["import", "xy", "-"], table.as_bytes()),
        (&["simulate", "merge", "-"], part.as_bytes()),
        (
            &["simulate", "--deal", "-", "--games", "2"],
            HANDS.as_bytes(),
        ),
        (&["--scenario", "-"], HANDS.as_bytes()),
        (&["duels", "--scenario", "-"], HANDS.as_bytes()),
        (
            &["--config", "-", "1", "small"],
            b"[log]\nlevel = \"off\"\n",
        ),
    ] {
        let run = sandbox.war_reading(input, arguments).exits_with(0);
        let empty = sandbox.war_reading(b"\xff", arguments);
        assert_ne!(empty.code, run.code, "{arguments:?} does not read it");
    }
}

#[test]
fn results_named_after_their_file_are_named_stdin() {
    let sandbox = Sandbox::new();
    let played = sandbox.war_reading(HANDS.as_bytes(), &["--scenario", "-"]);
    let first = played.stdout.lines().next();
    assert_eq!(first, Some("special scenario code: STDIN"));
    let table = sandbox.war(&["xy", "42"]).stdout;
    sandbox.war_reading(table.as_bytes(), &["import", "xy", "-"]);
    sandbox.war(&["replay", "-q", "stdin.json"]).exits_with(0);
}

#[test]
fn an_unsupported_stream_is_refused_with_the_option_s_name() {
    let sandbox = Sandbox::new();
    sandbox.write("cut.json", "{");
    for (arguments, option) in [
        (&["2", "small", "--journal-dir", "-"][..], "`--journal-dir`"),
        (&["2", "small", "--scenarios", "-"], "`--scenarios`"),
        (
            &["import", "xy", "x", "--journal-dir", "-"],
            "`--journal-dir`",
        ),
        (&["journal", "repair", "cut.json", "-"], "`NEW`"),
        (&["journal", "repair", "-", "new.json"], "save it to a file"),
        (&["journal", "check", "-", "-"], "only once"),
        (&["journal", "diff", "-", "-"], "only once"),
        (&["replay", "-", "--config", "-"], "only once"),
        (&["simulate", "merge", "-", "-"], "only once"),
        (&["simulate", "--json", "-", "--csv", "-"], "two outputs"),
    ] {
        let run = sandbox.war(arguments).exits_with(2).reports(option);
        assert_eq!(run.stdout, "", "{arguments:?}");
    }
    assert!(!sandbox.path("-").exists(), "a file got the name");
}

#[test]
fn an_output_on_standard_output_is_the_only_one() {
    let sandbox = Sandbox::new();
    for option in ["--json", "--csv", "--csv-games", "--plot"] {
        let run = ["simulate", "--games", "50", "--seed", "3", option];
        let file = sandbox.war(&[&run[..], &["file"]].concat()).exits_with(0);
        assert!(
            file.stdout.contains("with seed 3"),
            "the summary is printed"
        );
        let stream = sandbox.war(&[&run[..], &["-"]].concat()).exits_with(0);
        assert_eq!(stream.stdout, sandbox.read("file"), "{option}");
        assert_eq!(stream.stderr, "");
    }
    let run = sandbox.war(&["simulate", "--games", "5", "--json", "-"]);
    let run = run.exits_with(0).reports("the random seed is ");
    let figures: serde_json::Value = serde_json::from_str(&run.stdout).expect("JSON alone");
    let told = run
        .stderr
        .lines()
        .next()
        .and_then(|line| line.split(' ').next_back());
    let seed = figures["seed"].to_string();
    assert_eq!(told, Some(seed.trim_matches('"')));
}

#[test]
fn the_literature_ends_once_nobody_reads_it() {
    let sandbox = Sandbox::new();
    // This many games take days, so the program can only end because its output is closed.
    let mut command = sandbox.command(&["literature", "--games", "1000000000000"]);
    let mut program = command.stdout(Stdio::piped()).spawn().expect("a process");
    drop(program.stdout.take());
    let ended = (0..300).find_map(|_| {
        sleep(Duration::from_millis(100));
        program.try_wait().expect("a child")
    });
    program.kill().expect("a child");
    assert!(ended.expect("an end within 30 seconds").success());
}
