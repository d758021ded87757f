//! What the program really writes and syncs, as the C library sees it.

use super::spied::Spied;
use crate::support::Run;
use std::process::Command;

/// The program, run with its screens in the file `shown`.
fn showing(spied: &Spied, arguments: &[&str]) -> Command {
    let shown = std::fs::File::create(spied.place.path("shown")).expect("a file");
    let mut command = spied.command(arguments);
    command.stdout(shown);
    command
}

/// What was written and synced of the journal, its directory and the screens.
fn notes(spied: &Spied) -> Vec<String> {
    spied.notes(&[
        ("journals/game.json", "journal"),
        ("journals", "directory"),
        ("shown", "screen"),
    ])
}

fn count(spied: &Spied, note: &str) -> usize {
    notes(spied).iter().filter(|line| *line == note).count()
}

/// A game whose screens are too long to wait in memory for its end.
const GAME: [&str; 4] = [
    "--scenario",
    "five_players_large",
    "--journal",
    "journals/game.json",
];

/// The events of that game, as its journal says.
fn events(spied: &Spied) -> usize {
    let journal = spied.place.read("journals/game.json");
    journal.matches("{\"seq\":").count()
}

#[test]
fn a_durable_game_is_on_the_disk_before_it_is_on_the_screen() {
    let spied = Spied::new();
    std::fs::create_dir(spied.place.path("journals")).expect("a directory");
    let game = [&GAME[..], &["--durable"]].concat();
    Run::of(&mut showing(&spied, &game)).ends_with(0);
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
    let spied = Spied::new();
    std::fs::create_dir(spied.place.path("journals")).expect("a directory");
    Run::of(&mut showing(&spied, &GAME)).ends_with(0);
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
    let spied = Spied::new();
    std::fs::create_dir(spied.place.path("journals")).expect("a directory");
    let game = [&GAME[..], &["--durable"]].concat();
    let mut command = showing(&spied, &game);
    Run::of(command.env("SPY_FAILS", "1"))
        .ends_with(4)
        .tells("WJ402");
    assert_eq!(count(&spied, "write screen"), 0);
}

/// Standard output is the journal, redirected to the file where `showing` has the screens.
#[test]
fn a_durable_journal_on_standard_output_is_synced_where_that_is_a_file() {
    for (durable, syncs) in [(true, None), (false, Some(1))] {
        let spied = Spied::new();
        std::fs::create_dir(spied.place.path("journals")).expect("a directory");
        let game = ["--scenario", "five_players_large", "--journal", "-"];
        let durable = ["--durable"].into_iter().filter(|_| durable);
        let game: Vec<_> = game.into_iter().chain(durable).collect();
        Run::of(&mut showing(&spied, &game)).ends_with(0);
        let events = spied.place.read("shown").matches("{\"seq\":").count();
        assert!(events > 1000, "{events} events");
        assert_eq!(count(&spied, "sync screen"), syncs.unwrap_or(events + 1));
        assert_eq!(count(&spied, "sync journal"), 0);
    }
}
