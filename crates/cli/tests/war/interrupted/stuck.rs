//! Games and replays that block on a write because nobody reads their output, and can still be
//! interrupted.
#![cfg(target_os = "linux")]

use super::running::RunningProgram;
use crate::support::{Run, Sandbox, project};
use std::fs;
use std::io::Read;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

/// Game whose screens and journal exceed a pipe's buffer.
const GAME: [&str; 2] = ["--scenario", "five_players_large"];

#[test]
fn an_interrupted_game_ends_although_nobody_reads_it() {
    for lang in ["en", "pl"] {
        let sandbox = Sandbox::new();
        let options = ["--journal", "game.json", "--lang", lang];
        let mut game = RunningProgram::in_pipes(&sandbox, &[&GAME[..], &options].concat());
        game.wait_until_stuck();
        game.signal("INT");
        let run = game.wait_unread().exits_with(3);
        let replay = sandbox.war(&["replay", "game.json", "--lang", lang]);
        let replay = replay.exits_with(3).reports("INCOMPLETE");
        assert!(replay.stdout.starts_with(&run.stdout), "other screens");
        assert!(replay.stdout.len() > run.stdout.len(), "it was not stuck");
        let told = if lang == "en" {
            "interrupted"
        } else {
            "przerwano"
        };
        run.reports(told);
    }
}

#[test]
fn an_interrupted_game_ends_although_nobody_reads_its_errors() {
    let sandbox = Sandbox::new();
    let war = env!("CARGO_BIN_EXE_war");
    let game = [&GAME[..], &["--journal", "game.json"]].concat().join(" ");
    let environment = sandbox.command(&[]);
    let mut command = Command::new("sh");
    command
        .args(["-c", &format!("exec {war} {game} 2>&1")])
        .current_dir(sandbox.path("."))
        .stdout(Stdio::piped());
    for (name, value) in environment.get_envs() {
        command.env(name, value.expect("a variable that is set"));
    }
    let mut game = RunningProgram::start(&mut command);
    game.wait_until_stuck();
    game.signal("INT");
    game.wait_unread().exits_with(3);
    sandbox
        .war(&["journal", "check", "game.json"])
        .exits_with(3);
    let log = sandbox.logs().remove(0);
    assert!(log.contains("CRIT cut off"), "{log}");
}

#[test]
fn a_hangup_ends_a_game_like_any_other_signal() {
    let sandbox = Sandbox::new();
    let options = ["--journal", "game.json"];
    let mut game = RunningProgram::in_pipes(&sandbox, &[&GAME[..], &options].concat());
    game.wait_until_stuck();
    game.signal("HUP");
    game.wait_unread().exits_with(3);
    sandbox
        .war(&["journal", "check", "game.json"])
        .exits_with(3);
}

#[test]
fn an_unread_journal_lacks_its_end() {
    for (lang, told) in [("en", "nobody read the journal"), ("pl", "nikt nie czytał")] {
        let sandbox = Sandbox::new();
        let options = ["--journal", "-", "--lang", lang];
        let mut game = RunningProgram::in_pipes(&sandbox, &[&GAME[..], &options].concat());
        game.wait_until_stuck();
        game.signal("INT");
        let run = game.wait_unread().exits_with(3).reports(told);
        let run = run.reports("war journal repair");
        sandbox.write("cut.json", &run.stdout);
        let repair = ["journal", "repair", "cut.json", "new.json"];
        sandbox.war(&repair).exits_with(0);
        sandbox.war(&["replay", "-q", "new.json"]).exits_with(3);
    }
}

#[test]
fn a_second_signal_ends_a_game_that_waits_for_its_reader() {
    let sandbox = Sandbox::new();
    let mut game = RunningProgram::in_pipes(&sandbox, &[&GAME[..], &["--journal", "-"]].concat());
    game.wait_until_stuck();
    let mut stdout = game.0.stdout.take().expect("its output");
    let (mut piece, mut read) = ([0; 4096], 0);
    game.signal("INT");
    let ended = loop {
        stdout.read_exact(&mut piece).expect("more of the journal");
        read += 1;
        if read == 8 {
            game.signal("INT");
        }
        sleep(Duration::from_millis(100));
        if let Some(status) = game.0.try_wait().expect("a child") {
            break status;
        }
    };
    assert_eq!(ended.code(), Some(130), "after {read} pieces");
    assert!((8..20).contains(&read), "{read} pieces");
}

#[test]
fn an_interrupted_replay_ends_although_nobody_reads_it() {
    let sandbox = Sandbox::new();
    let recorded = [&GAME[..], &["--journal", "game.json"]].concat();
    let whole = sandbox.war(&recorded).exits_with(0).stdout;
    let mut replay = RunningProgram::in_pipes(&sandbox, &["replay", "game.json"]);
    replay.wait_until_stuck();
    replay.signal("INT");
    let run = replay.wait_unread().exits_with(3);
    assert!(whole.starts_with(&run.stdout), "other screens");
    assert!(run.stdout.len() < whole.len(), "it was not stuck");
}

#[test]
fn an_interruption_ends_the_current_scenario_and_starts_no_other() {
    let scenario = project().join("scenarios/examples/ssc_five_players_large.json");
    let scenario = fs::read(scenario).expect("a scenario");
    for (lang, told) in [("en", "2 scenarios were not"), ("pl", "2 scenariuszy")] {
        let sandbox = Sandbox::new();
        for name in ["a", "b", "c"] {
            sandbox.write(&format!("games/ssc_{name}.json"), &scenario);
        }
        fs::create_dir(sandbox.path("out")).expect("a directory");
        let options = [
            "--lang",
            lang,
            "--scenarios",
            "games",
            "--journal-dir",
            "out",
        ];
        let mut games =
            RunningProgram::in_pipes(&sandbox, &[&["2", "small"], &options[..]].concat());
        games.wait_until_stuck();
        games.signal("TERM");
        games.wait_unread().exits_with(3).reports(told);
        sandbox
            .war(&["journal", "check", "out/ssc_a.json"])
            .exits_with(3);
        let journals = fs::read_dir(sandbox.path("out")).expect("journals").count();
        assert_eq!((journals, sandbox.logs().len()), (1, 1));
    }
}

#[test]
fn a_reader_that_resumes_gets_the_whole_journal() {
    let sandbox = Sandbox::new();
    let mut game = RunningProgram::in_pipes(&sandbox, &[&GAME[..], &["--journal", "-"]].concat());
    game.wait_until_stuck();
    let run: Run = game.wait().exits_with(0);
    sandbox.war(&[&GAME[..], &["--journal", "game.json"]].concat());
    assert!(run.stdout == sandbox.read("game.json"), "another journal");
}
