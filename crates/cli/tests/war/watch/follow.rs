//! `war watch --follow`: a game while it is recorded.

use super::terminal::{CTRL_C, END, LEFT, Terminal};
use super::with_journal;
use crate::support::Place;
use std::fs::OpenOptions;
use std::io::Write;

/// A journal that is written in pieces.
struct Growing {
    place: Place,
    journal: String,
    written: usize,
}

impl Growing {
    /// One of which the header and this many events are written.
    fn with(events: usize) -> Self {
        let place = with_journal();
        let journal = place.read("game.json");
        place.write("game.json", "");
        let mut growing = Self {
            place,
            journal,
            written: 0,
        };
        growing.write(events + 1);
        growing
    }

    /// Writes this many more lines.
    fn write(&mut self, lines: usize) {
        let rest = &self.journal[self.written..];
        let length: usize = rest.split_inclusive('\n').take(lines).map(str::len).sum();
        let file = OpenOptions::new()
            .append(true)
            .open(self.place.path("game.json"));
        let mut file = file.expect("the journal");
        file.write_all(&rest.as_bytes()[..length]).expect("written");
        self.written += length;
    }

    fn watch(&self) -> Terminal {
        Terminal::start(&self.place, &["watch", "--follow", "game.json"])
    }
}

#[test]
fn each_turn_is_shown_as_soon_as_it_is_written() {
    let mut game = Growing::with(1);
    let mut terminal = game.watch();
    terminal.shows("turn 0 of 0 · live");
    terminal.shows("Waiting for more.");
    // The clash of the first turn, and no more of it.
    game.write(1);
    terminal.shows("turn 1 of 1 · live");
    terminal.types(LEFT);
    terminal.shows("turn 0 of 1 · paused");
    game.write(20);
    terminal.types(END);
    terminal.shows("live");
    game.write(1000);
    terminal.shows("turn 19 of 19 · paused");
    terminal.shows("player2 wins the");
    terminal.quits_with_the_verdict();
}

#[test]
fn who_leaves_before_the_end_reads_how_far_it_came() {
    for (keys, told) in [
        ("q", "INCOMPLETE game.json: 4"),
        (CTRL_C, "INCOMPLETE game.json: 4"),
    ] {
        let game = Growing::with(4);
        let mut terminal = game.watch();
        terminal.shows("live");
        terminal.types(keys);
        let screen = terminal.ends_with(3);
        assert!(screen.contains(told), "{screen}");
    }
}

#[test]
fn damage_ends_it_when_it_is_read() {
    let mut game = Growing::with(4);
    let terminal = game.watch();
    terminal.shows("live");
    game.journal = game.journal.replace("\"card\":", "\"cart\":");
    game.write(1000);
    let screen = terminal.ends_with(1);
    assert!(screen.contains("DAMAGED game.json: 4 events"), "{screen}");
    assert!(screen.contains("can't be watched"), "{screen}");
}

#[test]
fn a_journal_without_a_game_is_not_shown() {
    let place = Place::new();
    place.write("game.json", "hello");
    let terminal = Terminal::start(&place, &["watch", "--follow", "game.json"]);
    let screen = terminal.ends_with(1);
    assert!(screen.contains("WJ001"), "{screen}");
    let terminal = Terminal::start(&place, &["watch", "--follow", "none.json"]);
    let screen = terminal.ends_with(4);
    assert!(screen.contains("none.json"), "{screen}");
    // Nothing is in the file yet, and somebody has waited long enough.
    place.write("empty.json", "");
    let mut terminal = Terminal::start(&place, &["watch", "--follow", "empty.json"]);
    std::thread::sleep(std::time::Duration::from_millis(500));
    terminal.types(CTRL_C);
    terminal.ends_with(3);
}
