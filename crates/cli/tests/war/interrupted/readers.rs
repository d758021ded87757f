//! Commands that are interrupted while they read a journal or wait for a log.
#![cfg(target_os = "linux")]

use super::running::RunningProgram;
use crate::support::{Sandbox, project};
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

const GAME: [&str; 4] = ["--scenario", "five_players_large", "--journal", "game.json"];

#[test]
fn an_interrupted_check_says_so_and_ends_with_3() {
    let sandbox = Sandbox::new();
    sandbox.war(&GAME).exits_with(0);
    let journals = vec!["game.json"; 1000];
    for (lang, told) in [("en", "interrupted: "), ("pl", "przerwano: ")] {
        let check = [&["--lang", lang, "journal", "check"], &journals[..]].concat();
        let mut check = RunningProgram::in_pipes(&sandbox, &check);
        check.wait_until_signals_are_caught();
        sleep(Duration::from_millis(100));
        check.signal("INT");
        let run = check.wait().exits_with(3).reports(told);
        let mut lines = run.stdout.lines();
        assert!(lines.all(|line| line.starts_with("VERIFIED game.json")));
        assert!(run.stdout.lines().count() < journals.len());
    }
}

#[test]
fn a_replay_waiting_for_input_can_be_interrupted() {
    for (lang, told) in [("en", "interrupted"), ("pl", "przerwano")] {
        let sandbox = Sandbox::new();
        let mut command = sandbox.command(&["--lang", lang, "replay", "-"]);
        command.stdin(Stdio::piped()).stderr(Stdio::piped());
        let mut replay = RunningProgram::start(&mut command);
        replay.wait_until_signals_are_caught();
        replay.signal("INT");
        replay.wait_unread().exits_with(3).reports(told);
    }
}

/// Interrupts the program while it waits for a server that accepts the connection and never
/// answers.
#[cfg(feature = "table")]
#[test]
fn waiting_for_a_log_can_be_interrupted() {
    let silent = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = format!("http://{}/log", silent.local_addr().expect("an address"));
    let sandbox = Sandbox::new();
    let mut verify = RunningProgram::in_pipes(&sandbox, &["log", "verify", &address]);
    verify.wait_until_signals_are_caught();
    verify.signal("INT");
    verify.wait().exits_with(3).reports("interrupted");
}

/// Runs the program with these arguments on a terminal, with a journal at `slow` that comes slowly
/// enough for a progress bar, and interrupts the program. Returns the output after the bar.
#[track_caller]
fn behind_the_bar(sandbox: &Sandbox, run: &str) -> String {
    sandbox.war(&GAME).exits_with(0);
    let journal = fs::read(sandbox.path("game.json")).expect("a journal");
    let made = Command::new("mkfifo").arg(sandbox.path("slow")).status();
    assert!(made.expect("mkfifo").success());
    let war = env!("CARGO_BIN_EXE_war");
    sandbox.write("run", format!("echo $$ >id; exec {war} {run}"));
    let environment = sandbox.command(&[]);
    let mut command = Command::new("script");
    command
        .args(["-qec", "sh run", "/dev/null"])
        .current_dir(sandbox.path("."))
        .stdin(Stdio::null())
        .stdout(Stdio::piped());
    for (name, value) in environment.get_envs() {
        command.env(name, value.expect("a variable that is set"));
    }
    let terminal = RunningProgram::start(&mut command);
    let slow = OpenOptions::new().write(true).open(sandbox.path("slow"));
    let mut slow = slow.expect("the pipe");
    for piece in journal[..200_000].chunks(2_000) {
        slow.write_all(piece).expect("a reader");
        sleep(Duration::from_millis(25));
    }
    let id = sandbox.read("id");
    let sent = Command::new("kill").args(["-s", "INT", id.trim()]).status();
    assert!(sent.expect("kill").success());
    let run = terminal.wait().exits_with(3);
    let (bar, rest) = run.stdout.rsplit_once("\x1b[2K").expect("a bar");
    assert!(bar.contains("KiB"), "there was no bar: {bar:?}");
    rest.trim_start_matches('\r').to_owned()
}

#[test]
#[ignore = "waits for the real clock: `.ci/deep clock`"]
fn an_interrupted_replay_clears_its_progress_bar() {
    let rest = behind_the_bar(&Sandbox::new(), "replay -q - <slow");
    assert!(rest.starts_with("interrupted"), "{rest:?}");
}

#[test]
#[ignore = "waits for the real clock: `.ci/deep clock`"]
fn other_interrupted_commands_clear_their_progress_bar() {
    for run in ["journal show - <slow", "journal diff game.json - <slow"] {
        let sandbox = Sandbox::new();
        let rest = behind_the_bar(&sandbox, run);
        assert!(rest.starts_with("interrupted"), "{run}: {rest:?}");
    }
}

/// Journal that takes a while to read.
fn long_journal() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.war(&GAME).exits_with(0);
    let game = ["simulate", "--game", "1:341570", "--journal", "long.json"];
    sandbox.war(&game).exits_with(0);
    sandbox
}

#[test]
fn an_interrupted_command_writes_nothing_and_ends_with_3() {
    let sandbox = long_journal();
    sandbox.write(
        "war.key",
        fs::read(project().join("tests/keys/signer.key")).expect("a key"),
    );
    for command in [
        &["journal", "repair", "long.json", "new"][..],
        &["journal", "upgrade", "long.json", "new"],
        &[
            "journal",
            "sign",
            "--key",
            "war.key",
            "long.json",
            "long.json",
        ],
        &["journal", "show", "long.json"],
        &["journal", "diff", "long.json", "long.json"],
    ] {
        for (lang, told) in [("en", "interrupted"), ("pl", "przerwano")] {
            let arguments = [&["--lang", lang], command].concat();
            let mut running = RunningProgram::in_pipes(&sandbox, &arguments);
            running.wait_until_signals_are_caught();
            running.signal("INT");
            let run = running.wait().exits_with(3).reports(told);
            assert!(!sandbox.path("new").exists(), "{command:?}");
            assert!(!sandbox.path("long.json.minisig").exists(), "{command:?}");
            // Even with several files, the interruption is reported once.
            let lines = run.stderr.lines().filter(|line| line.contains(told));
            assert_eq!(lines.count(), 1, "{run:#?}");
            assert!(run.stderr.lines().count() <= 2, "{run:#?}");
        }
    }
}
