//! What the program really writes and syncs, as the C library sees it.

use crate::support::{Place, Run, project};
use std::process::{Command, Stdio};

/// A place with the library that notes what a program there writes and syncs.
struct Spied {
    place: Place,
}

impl Spied {
    fn new() -> Self {
        let place = Place::new();
        let compiled = Command::new("rustc")
            .args(["--edition", "2024", "--crate-type", "cdylib", "-o"])
            .arg(place.path("spy.so"))
            .arg(project().join("tests/war/durability/spy.rs"))
            .status()
            .expect("the compiler that built this test");
        assert!(compiled.success());
        Self { place }
    }

    /// The program, run here with its screens in the file `shown`.
    fn command(&self, arguments: &[&str]) -> Command {
        let shown = std::fs::File::create(self.place.path("shown")).expect("a file");
        let mut command = self.place.command(arguments);
        command
            .env("LD_PRELOAD", self.place.path("spy.so"))
            .env("SPY_NOTES", self.place.path("notes"))
            .stdout(shown)
            .stderr(Stdio::piped());
        command
    }

    /// What was written and synced among the journal, its directory and the screens.
    fn notes(&self) -> Vec<String> {
        let place = self.place.path(".").canonicalize().expect("a place");
        let names = [
            ("journals/game.json", "journal"),
            ("journals", "directory"),
            ("shown", "screen"),
        ];
        let short = |line: &str| {
            let (call, path) = line.split_once(' ').expect("a call and a path");
            let (_, name) = names.iter().find(|(name, _)| place.join(name) == *path)?;
            Some(format!("{call} {name}"))
        };
        self.place.read("notes").lines().filter_map(short).collect()
    }

    fn count(&self, note: &str) -> usize {
        self.notes().iter().filter(|line| *line == note).count()
    }
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
    Run::of(&mut spied.command(&game)).ends_with(0);
    let (mut unsynced, mut directory) = (false, false);
    for note in spied.notes() {
        match note.as_str() {
            "write journal" => unsynced = true,
            "sync journal" => unsynced = false,
            "sync directory" => directory = true,
            "write screen" => assert!(!unsynced && directory, "shown before it was synced"),
            other => panic!("{other}"),
        }
    }
    assert!(!unsynced, "the end is not synced");
    assert_eq!(spied.count("sync journal"), events(&spied) + 1);
    assert_eq!(spied.count("sync directory"), 1);
    assert!(spied.count("write screen") > 1, "the game is too short");
}

#[test]
fn every_journal_is_synced_at_its_end_with_its_directory() {
    let spied = Spied::new();
    std::fs::create_dir(spied.place.path("journals")).expect("a directory");
    Run::of(&mut spied.command(&GAME)).ends_with(0);
    let mut notes = spied.notes();
    notes.retain(|note| note != "write screen");
    let end = notes.iter().rposition(|note| note == "write journal");
    let end = end.expect("a journal");
    assert_eq!(notes[end + 1..], ["sync journal", "sync directory"]);
    assert_eq!(spied.count("sync journal"), 1);
    assert_eq!(spied.count("write journal"), events(&spied) + 1);
}

#[test]
fn a_game_that_cannot_be_synced_is_not_shown() {
    let spied = Spied::new();
    std::fs::create_dir(spied.place.path("journals")).expect("a directory");
    let game = [&GAME[..], &["--durable"]].concat();
    let mut command = spied.command(&game);
    Run::of(command.env("SPY_FAILS", "1"))
        .ends_with(4)
        .tells("WJ402");
    assert_eq!(spied.count("write screen"), 0);
}
