//! The program's actual writes and syncs, observed below the C library.

use super::spied_sandbox::SpiedSandbox;
use crate::support::Run;
use std::process::Command;

/// Runs the program with its screens in the file `shown`.
fn showing(spied: &SpiedSandbox, arguments: &[&str]) -> Command {
    let shown = std::fs::File::create(spied.sandbox.path("shown")).expect("a file");
    let mut command = spied.command(arguments);
    command.stdout(shown);
    command
}

/// Writes and syncs of the journal, its directory and the screens.
fn notes(spied: &SpiedSandbox) -> Vec<String> {
    spied.notes(&[
        ("journals/game.json", "journal"),
        ("journals", "directory"),
        ("shown", "screen"),
    ])
}

fn count(spied: &SpiedSandbox, note: &str) -> usize {
    notes(spied).iter().filter(|line| *line == note).count()
}

/// Game whose screens are too long to be buffered until its end.
const GAME: [&str; 4] = [
    "--scenario",
    "five_players_large",
    "--journal",
    "journals/game.json",
];

/// Number of events in the journal of [`GAME`].
fn events(spied: &SpiedSandbox) -> usize {
    let journal = spied.sandbox.read("journals/game.json");
    journal.matches("{\"seq\":").count()
}

#[test]
fn a_durable_game_is_on_the_disk_before_it_is_on_the_screen() {
    let spied = SpiedSandbox::new();
    std::fs::create_dir(spied.sandbox.path("journals")).expect("a directory");
    let game = [&GAME[..], &["--durable"]].concat();
    Run::of(&mut showing(&spied, &game)).exits_with(0);
    let (mut unsynced, mut directory) = (false, false);
    for note in notes(&spied) {
        match note.as_str() {
            "write journal" => unsynced = true,
            "sync journal" => unsynced = false,
            "sync directory" => directory = true,
            "write screen" => assert!(!unsynced && directory, "shown before it was synced"),
            other => panic!("{other}"),
        }
    }
    assert!(!unsynced, "the end is not synced");
    assert_eq!(count(&spied, "sync journal"), events(&spied) + 1);
    assert_eq!(count(&spied, "sync directory"), 1);
    assert!(count(&spied, "write screen") > 1, "the game is too short");
}

#[test]
fn every_journal_is_synced_at_its_end_with_its_directory() {
    let spied = SpiedSandbox::new();
    std::fs::create_dir(spied.sandbox.path("journals")).expect("a directory");
    Run::of(&mut showing(&spied, &GAME)).exits_with(0);
    let mut notes = notes(&spied);
    notes.retain(|note| note != "write screen");
    let end = notes.iter().rposition(|note| note == "write journal");
    let end = end.expect("a journal");
    assert_eq!(notes[end + 1..], ["sync journal", "sync directory"]);
    assert_eq!(count(&spied, "sync journal"), 1);
    assert_eq!(count(&spied, "write journal"), events(&spied) + 1);
}

#[test]
fn a_game_that_cannot_be_synced_is_not_shown() {
    let spied = SpiedSandbox::new();
    std::fs::create_dir(spied.sandbox.path("journals")).expect("a directory");
    let game = [&GAME[..], &["--durable"]].concat();
    let mut command = showing(&spied, &game);
    Run::of(command.env("SPY_FAILS", "1"))
        .exits_with(4)
        .reports("WJ402");
    assert_eq!(count(&spied, "write screen"), 0);
}

/// Journal on standard output, which `showing` redirects to its file for screens.
#[test]
fn a_durable_journal_on_standard_output_is_synced_if_that_is_a_file() {
    for (durable, syncs) in [(true, None), (false, Some(1))] {
        let spied = SpiedSandbox::new();
        std::fs::create_dir(spied.sandbox.path("journals")).expect("a directory");
        let game = ["--scenario", "five_players_large", "--journal", "-"];
        let durable = ["--durable"].into_iter().filter(|_| durable);
        let game: Vec<_> = game.into_iter().chain(durable).collect();
        Run::of(&mut showing(&spied, &game)).exits_with(0);
        let events = spied.sandbox.read("shown").matches("{\"seq\":").count();
        assert!(events > 1000, "{events} events");
        assert_eq!(count(&spied, "sync screen"), syncs.unwrap_or(events + 1));
        assert_eq!(count(&spied, "sync journal"), 0);
    }
}
