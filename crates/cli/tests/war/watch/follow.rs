//! `war watch --follow`: a game while it is recorded.

use super::terminal::{CTRL_C, END, LEFT, Terminal};
use super::with_journal;
use crate::support::Sandbox;
use std::fs::OpenOptions;
use std::io::Write;

/// Journal that is written in pieces.
struct GrowingJournal {
    sandbox: Sandbox,
    journal: String,
    written: usize,
}

impl GrowingJournal {
    /// Journal whose header and first events have been written.
    fn with(events: usize) -> Self {
        let sandbox = with_journal();
        let journal = sandbox.read("game.json");
        sandbox.write("game.json", "");
        let mut growing = Self {
            sandbox,
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
            .open(self.sandbox.path("game.json"));
        let mut file = file.expect("the journal");
        file.write_all(&rest.as_bytes()[..length]).expect("written");
        self.written += length;
    }

    fn watch(&self) -> Terminal {
        Terminal::start(&self.sandbox, &["watch", "--follow", "game.json"])
    }
}

#[test]
fn each_turn_is_shown_as_soon_as_it_is_written() {
    let mut game = GrowingJournal::with(1);
    let mut terminal = game.watch();
    terminal.wait_for_text("turn 0 of 0 · live");
    terminal.wait_for_text("Waiting for more.");
    // The clash of the first turn, and no more.
    game.write(1);
    terminal.wait_for_text("turn 1 of 1 · live");
    terminal.type_keys(LEFT);
    terminal.wait_for_text("turn 0 of 1 · paused");
    game.write(20);
    terminal.type_keys(END);
    terminal.wait_for_text("live");
    game.write(1000);
    terminal.wait_for_text("turn 19 of 19 · paused");
    terminal.wait_for_text("player2 wins the");
    terminal.quit_with_verdict();
}

#[test]
fn quitting_early_reports_how_far_the_game_was_read() {
    for (keys, told) in [
        ("q", "INCOMPLETE game.json: 4"),
        (CTRL_C, "INCOMPLETE game.json: 4"),
    ] {
        let game = GrowingJournal::with(4);
        let mut terminal = game.watch();
        terminal.wait_for_text("live");
        terminal.type_keys(keys);
        let screen = terminal.exits_with(3);
        assert!(screen.contains(told), "{screen}");
    }
}

#[test]
fn damage_ends_the_display_once_it_is_read() {
    let mut game = GrowingJournal::with(4);
    let terminal = game.watch();
    terminal.wait_for_text("live");
    game.journal = game.journal.replace("\"card\":", "\"cart\":");
    game.write(1000);
    let screen = terminal.exits_with(1);
    assert!(screen.contains("DAMAGED game.json: 4 events"), "{screen}");
    assert!(screen.contains("can't be watched"), "{screen}");
}

#[test]
fn a_journal_without_a_game_is_not_shown() {
    let sandbox = Sandbox::new();
    sandbox.write("game.json", "hello");
    let terminal = Terminal::start(&sandbox, &["watch", "--follow", "game.json"]);
    let screen = terminal.exits_with(1);
    assert!(screen.contains("WJ001"), "{screen}");
    let terminal = Terminal::start(&sandbox, &["watch", "--follow", "none.json"]);
    let screen = terminal.exits_with(4);
    assert!(screen.contains("none.json"), "{screen}");
    // The file is still empty, and the user has waited long enough.
    sandbox.write("empty.json", "");
    let mut terminal = Terminal::start(&sandbox, &["watch", "--follow", "empty.json"]);
    std::thread::sleep(std::time::Duration::from_millis(500));
    terminal.type_keys(CTRL_C);
    terminal.exits_with(3);
}
