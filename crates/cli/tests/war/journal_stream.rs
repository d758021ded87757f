//! `--journal -`: a game recorded on standard output.

use super::support::{Place, Run};
use std::fs::File;
use std::io::Read;
use std::process::Stdio;

/// A scenario that nobody can play.
const BAD: &str = "nothing";

#[test]
fn standard_output_has_the_bytes_that_a_file_would_have() {
    let place = Place::new();
    for game in [
        &["4", "small", "--seed", "1"][..],
        &["2", "large", "--seed", "3"],
        // What is corrected belongs to the screens, which are only hashed.
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
            let file = place.war(&[&game[..], &["--journal", "game.json"]].concat());
            let file = file.ends_with(0);
            let stream = place.war(&[&game[..], &["--journal", "-"]].concat());
            let stream = stream.ends_with(0);
            assert!(stream.stdout == place.read("game.json"), "{game:?}");
            let told = file.stderr.replace("game.json", "-");
            assert_eq!(stream.stderr, told, "{game:?}");
            let replay = place.war_reading(stream.stdout.as_bytes(), &["replay", "-q", "-"]);
            replay.ends_with(0).tells("VERIFIED");
            std::fs::remove_file(place.path("game.json")).expect("the file");
        }
    }
    assert!(!place.path("-").exists(), "a file got the name");
}

#[test]
fn nothing_but_a_journal_is_printed() {
    let place = Place::new();
    place.write("bad.json", BAD);
    for (arguments, code) in [
        (&["2"][..], 2),
        (&["nine", "tiny", "--scenario", "bad.json"], 1),
        (&["duels", "--numPlayers", "9", "--scenario", "bad.json"], 1),
        (&["4", "small", "--result", "json"], 2),
        (&["xy", "1", "--result", "json"], 2),
        (&["duels", "--seed", "1", "--result", "json"], 2),
        (&["simulate", "--game", "1:1", "--result", "json"], 2),
    ] {
        let run = place.war(&[arguments, &["--journal", "-"]].concat());
        let run = run.ends_with(code);
        assert_eq!(run.stdout, "", "{arguments:?}");
        assert_ne!(run.stderr, "", "{arguments:?}");
    }
}

#[test]
fn two_outputs_can_t_be_standard_output() {
    let place = Place::new();
    let game = ["4", "small", "--journal", "-", "--result", "json"];
    place
        .war(&game)
        .ends_with(2)
        .tells("`--journal -` and `--result`");
    let polish = [&["--lang", "pl"], &game[..]].concat();
    place
        .war(&polish)
        .ends_with(2)
        .tells("`--journal -` i `--result`");
}

#[test]
fn a_reader_who_goes_away_ends_the_game() {
    for (lang, told) in [("en", "the reader has closed"), ("pl", "odbiorca zamknął")] {
        let place = Place::new();
        let game = ["--lang", lang, "--scenario", "five_players_large"];
        let mut command = place.command(&[&game[..], &["--journal", "-"]].concat());
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the program");
        let mut start = [0; 20];
        let stdout = child.stdout.take();
        stdout
            .expect("its output")
            .read_exact(&mut start)
            .expect("a start");
        let run = Run::from(child.wait_with_output().expect("an end")).ends_with(4);
        let run = run.tells("WJ402").tells(told);
        assert!(!run.stderr.contains("digest"), "{run:#?}");
        let log = place.logs().remove(0);
        assert!(
            log.lines().last().expect("a log").contains("CRIT error"),
            "{log}"
        );
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_ends_the_game() {
    let place = Place::new();
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full");
    let mut command = place.command(&["4", "small", "--journal", "-"]);
    command.stdout(full.expect("/dev/full"));
    let run = Run::of(&mut command).ends_with(4);
    run.tells("WJ402").tells("no space left");
}

#[test]
fn only_a_file_can_be_synced() {
    let place = Place::new();
    let game = ["4", "small", "--seed", "1", "--durable", "--journal"];
    let stream = [&game[..], &["-"]].concat();
    let run = place
        .war(&stream)
        .ends_with(2)
        .tells("`--durable` needs a file");
    assert_eq!(run.stdout, "");
    let polish = [&["--lang", "pl"], &stream[..]].concat();
    place
        .war(&polish)
        .ends_with(2)
        .tells("`--durable` wymaga pliku");
    let file = File::create(place.path("redirected")).expect("a file");
    Run::of(place.command(&stream).stdout(file)).ends_with(0);
    place
        .war(&[&game[..], &["game.json"]].concat())
        .ends_with(0);
    assert!(
        place.read("redirected") == place.read("game.json"),
        "another journal"
    );
}
