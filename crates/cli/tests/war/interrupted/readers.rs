//! Journals that are read.
#![cfg(target_os = "linux")]

use super::running::Running;
use crate::support::{Place, project};
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

const GAME: [&str; 4] = ["--scenario", "five_players_large", "--journal", "game.json"];

#[test]
fn an_interrupted_check_says_so_and_ends_with_3() {
    let place = Place::new();
    place.war(&GAME).ends_with(0);
    let journals = vec!["game.json"; 1000];
    for (lang, told) in [("en", "interrupted: "), ("pl", "przerwano: ")] {
        let check = [&["--lang", lang, "journal", "check"], &journals[..]].concat();
        let mut check = Running::in_pipes(&place, &check);
        check.wait_until_it_listens();
        sleep(Duration::from_millis(100));
        check.signal("INT");
        let run = check.ends().ends_with(3).tells(told);
        let mut lines = run.stdout.lines();
        assert!(lines.all(|line| line.starts_with("VERIFIED game.json")));
        assert!(run.stdout.lines().count() < journals.len());
    }
}

#[test]
fn a_replay_that_waits_for_its_input_can_be_interrupted() {
    for (lang, told) in [("en", "interrupted"), ("pl", "przerwano")] {
        let place = Place::new();
        let mut command = place.command(&["--lang", lang, "replay", "-"]);
        command.stdin(Stdio::piped()).stderr(Stdio::piped());
        let mut replay = Running::start(&mut command);
        replay.wait_until_it_listens();
        replay.signal("INT");
        replay.ends_unread().ends_with(3).tells(told);
    }
}

/// The log of a table that takes the connection and never answers.
#[cfg(feature = "table")]
#[test]
fn a_log_that_is_waited_for_can_be_interrupted() {
    let silent = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = format!("http://{}/log", silent.local_addr().expect("an address"));
    let place = Place::new();
    let mut verify = Running::in_pipes(&place, &["log", "verify", &address]);
    verify.wait_until_it_listens();
    verify.signal("INT");
    verify.ends().ends_with(3).tells("interrupted");
}

/// Runs this on a terminal of its own, with a journal at `slow` that comes so slowly that there is
/// a bar, and interrupts it: what comes behind the bar.
#[track_caller]
fn behind_the_bar(place: &Place, run: &str) -> String {
    place.war(&GAME).ends_with(0);
    let journal = fs::read(place.path("game.json")).expect("a journal");
    let made = Command::new("mkfifo").arg(place.path("slow")).status();
    assert!(made.expect("mkfifo").success());
    let war = env!("CARGO_BIN_EXE_war");
    place.write("run", format!("echo $$ >id; exec {war} {run}"));
    let environment = place.command(&[]);
    let mut command = Command::new("script");
    command
        .args(["-qec", "sh run", "/dev/null"])
        .current_dir(place.path("."))
        .stdin(Stdio::null())
        .stdout(Stdio::piped());
    for (name, value) in environment.get_envs() {
        command.env(name, value.expect("a variable that is set"));
    }
    let terminal = Running::start(&mut command);
    let slow = OpenOptions::new().write(true).open(place.path("slow"));
    let mut slow = slow.expect("the pipe");
    for piece in journal[..200_000].chunks(2_000) {
        slow.write_all(piece).expect("a reader");
        sleep(Duration::from_millis(25));
    }
    let id = place.read("id");
    let sent = Command::new("kill").args(["-s", "INT", id.trim()]).status();
    assert!(sent.expect("kill").success());
    let run = terminal.ends().ends_with(3);
    let (bar, rest) = run.stdout.rsplit_once("\x1b[2K").expect("a bar");
    assert!(bar.contains("KiB"), "there was no bar: {bar:?}");
    rest.trim_start_matches('\r').to_owned()
}

#[test]
#[ignore = "waits for the real clock: `.ci/deep clock`"]
fn an_interrupted_replay_takes_its_bar_off_the_terminal() {
    let rest = behind_the_bar(&Place::new(), "replay -q - <slow");
    assert!(rest.starts_with("interrupted"), "{rest:?}");
}

#[test]
#[ignore = "waits for the real clock: `.ci/deep clock`"]
fn other_commands_take_their_bar_off_the_terminal_too() {
    for run in ["journal show - <slow", "journal diff game.json - <slow"] {
        let place = Place::new();
        let rest = behind_the_bar(&place, run);
        assert!(rest.starts_with("interrupted"), "{run}: {rest:?}");
    }
}

/// A journal that takes long enough to be read.
fn long_journal() -> Place {
    let place = Place::new();
    place.war(&GAME).ends_with(0);
    let game = ["simulate", "--game", "1:341570", "--journal", "long.json"];
    place.war(&game).ends_with(0);
    place
}

#[test]
fn an_interrupted_command_makes_nothing_and_ends_with_3() {
    let place = long_journal();
    place.write(
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
            let mut running = Running::in_pipes(&place, &arguments);
            running.wait_until_it_listens();
            running.signal("INT");
            let run = running.ends().ends_with(3).tells(told);
            assert!(!place.path("new").exists(), "{command:?}");
            assert!(!place.path("long.json.minisig").exists(), "{command:?}");
            // Nothing else is said, and of several files once.
            let lines = run.stderr.lines().filter(|line| line.contains(told));
            assert_eq!(lines.count(), 1, "{run:#?}");
            assert!(run.stderr.lines().count() <= 2, "{run:#?}");
        }
    }
}
