//! `--journal -`: a game recorded on standard output.

use super::support::{Run, Sandbox};
use std::fs::File;
use std::io::Read;
use std::process::Stdio;

/// Scenario that can't be played.
const BAD: &str = "nothing";

#[test]
fn standard_output_gets_the_same_bytes_as_a_file() {
    let sandbox = Sandbox::new();
    for game in [
        &["4", "small", "--seed", "1"][..],
        &["2", "large", "--seed", "3"],
        // Corrected arguments appear only on the screens, and the journal stores just a digest of
        // the screens.
        &["nine", "tiny", "--seed", "4"],
        &["--scenario", "example"],
        &[
            "duels",
            "--numPlayers",
            "3",
            "--deckType",
            "x",
            "--seed",
            "5",
        ],
        &["duels", "--scenario", "infiniteGame"],
        &["xy", "-7"],
        &["simulate", "--rules", "bataille", "--game", "1:2"],
        &["4", "small", "--seed", "1", "--journal-version", "2"],
        &["xy", "5", "--journal-version", "2", "--compact"],
    ] {
        for lang in ["en", "pl"] {
            let game = [&["--lang", lang], game].concat();
            let file = sandbox.war(&[&game[..], &["--journal", "game.json"]].concat());
            let file = file.exits_with(0);
            let stream = sandbox.war(&[&game[..], &["--journal", "-"]].concat());
            let stream = stream.exits_with(0);
            assert!(stream.stdout == sandbox.read("game.json"), "{game:?}");
            let told = file.stderr.replace("game.json", "-");
            assert_eq!(stream.stderr, told, "{game:?}");
            let replay = sandbox.war_reading(stream.stdout.as_bytes(), &["replay", "-q", "-"]);
            replay.exits_with(0).reports("VERIFIED");
            std::fs::remove_file(sandbox.path("game.json")).expect("the file");
        }
    }
    assert!(!sandbox.path("-").exists(), "a file got the name");
}

#[test]
fn only_the_journal_is_printed() {
    let sandbox = Sandbox::new();
    sandbox.write("bad.json", BAD);
    for (arguments, code) in [
        (&["2"][..], 2),
        (&["nine", "tiny", "--scenario", "bad.json"], 1),
        (&["duels", "--numPlayers", "9", "--scenario", "bad.json"], 1),
        (&["4", "small", "--result", "json"], 2),
        (&["xy", "1", "--result", "json"], 2),
        (&["duels", "--seed", "1", "--result", "json"], 2),
        (&["simulate", "--game", "1:1", "--result", "json"], 2),
    ] {
        let run = sandbox.war(&[arguments, &["--journal", "-"]].concat());
        let run = run.exits_with(code);
        assert_eq!(run.stdout, "", "{arguments:?}");
        assert_ne!(run.stderr, "", "{arguments:?}");
    }
}

#[test]
fn only_one_output_can_be_standard_output() {
    let sandbox = Sandbox::new();
    let game = ["4", "small", "--journal", "-", "--result", "json"];
    sandbox
        .war(&game)
        .exits_with(2)
        .reports("`--journal -` and `--result`");
    let polish = [&["--lang", "pl"], &game[..]].concat();
    sandbox
        .war(&polish)
        .exits_with(2)
        .reports("`--journal -` i `--result`");
}

#[test]
fn a_reader_that_closes_the_pipe_ends_the_game() {
    for (lang, told) in [("en", "the reader has closed"), ("pl", "odbiorca zamknął")] {
        let sandbox = Sandbox::new();
        let game = ["--lang", lang, "--scenario", "five_players_large"];
        let mut command = sandbox.command(&[&game[..], &["--journal", "-"]].concat());
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the program");
        let mut start = [0; 20];
        let stdout = child.stdout.take();
        stdout
            .expect("its output")
            .read_exact(&mut start)
            .expect("a start");
        let run = Run::from(child.wait_with_output().expect("an end")).exits_with(4);
        let run = run.reports("WJ402").reports(told);
        assert!(!run.stderr.contains("digest"), "{run:#?}");
        let log = sandbox.logs().remove(0);
        assert!(
            log.lines().last().expect("a log").contains("CRIT error"),
            "{log}"
        );
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_ends_the_game() {
    let sandbox = Sandbox::new();
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full");
    let mut command = sandbox.command(&["4", "small", "--journal", "-"]);
    command.stdout(full.expect("/dev/full"));
    let run = Run::of(&mut command).exits_with(4);
    run.reports("WJ402").reports("no space left");
}

#[test]
fn only_a_file_can_be_synced() {
    let sandbox = Sandbox::new();
    let game = ["4", "small", "--seed", "1", "--durable", "--journal"];
    let stream = [&game[..], &["-"]].concat();
    let run = sandbox
        .war(&stream)
        .exits_with(2)
        .reports("`--durable` needs a file");
    assert_eq!(run.stdout, "");
    let polish = [&["--lang", "pl"], &stream[..]].concat();
    sandbox
        .war(&polish)
        .exits_with(2)
        .reports("`--durable` wymaga pliku");
    let file = File::create(sandbox.path("redirected")).expect("a file");
    Run::of(sandbox.command(&stream).stdout(file)).exits_with(0);
    sandbox
        .war(&[&game[..], &["game.json"]].concat())
        .exits_with(0);
    assert!(
        sandbox.read("redirected") == sandbox.read("game.json"),
        "another journal"
    );
}
