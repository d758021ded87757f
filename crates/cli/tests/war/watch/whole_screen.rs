//! The whole terminal: taken over, drawn on, and restored whatever happens.

use super::terminal::{CTRL_C, CTRL_Z, END, HOME, LEFT, RIGHT, Terminal};
use super::{with, with_journal};
use crate::support::{Sandbox, reviewed};
use std::process::Command;

/// Watches a game, paused at the deal.
fn paused(sandbox: &Sandbox) -> Terminal {
    let mut terminal = Terminal::start(sandbox, &["watch", "game.json"]);
    terminal.wait_for_text("playing");
    terminal.type_keys(&format!(" {HOME}"));
    terminal.wait_for_text("turn 0 of 19");
    terminal.wait_for_text("paused");
    terminal
}

#[test]
fn keys_move_between_turns_and_q_restores_the_terminal() {
    let sandbox = with_journal();
    let mut terminal = paused(&sandbox);
    assert!(terminal.is_full());
    for (keys, shown) in [
        (RIGHT, "turn 1 of 19"),
        ("n", "Turn 2: war!"),
        // With Ctrl, a letter has no effect.
        ("\u{e}\u{11}", "Turn 2: war!"),
        (RIGHT, "turn 3 of 19"),
        (END, "player2 wins the"),
        (LEFT, "turn 18 of 19"),
        ("/7", "Go to turn: 7_"),
        ("\r", "turn 7 of 19"),
        ("+", "paused, 2/s"),
        ("--", "paused, 0.5/s"),
        ("?", "ten turns back or forward"),
        ("x", "turn 7 of 19"),
    ] {
        terminal.type_keys(keys);
        terminal.wait_for_text(shown);
    }
    terminal.quit_with_verdict();
}

#[test]
fn the_terminal_shows_the_drawing() {
    let sandbox = with_journal();
    let mut terminal = paused(&sandbox);
    terminal.type_keys("n");
    terminal.wait_for_text("Turn 2: war!");
    reviewed("watch_on_a_terminal", &terminal.screen());
}

#[test]
fn turns_advance_automatically() {
    let sandbox = with_journal();
    let terminal = Terminal::start(&sandbox, &["watch", "game.json", "--speed", "100"]);
    terminal.wait_for_text("turn 19 of 19 · paused");
}

#[test]
fn a_resized_terminal_is_redrawn() {
    let sandbox = with_journal();
    let mut terminal = paused(&sandbox);
    terminal.resize(40, 120);
    terminal.wait_for_text("turn 0 of 19");
    let is_last = || {
        terminal
            .screen()
            .lines()
            .nth(39)
            .is_some_and(|row| row.contains("q quit"))
    };
    terminal.wait_until("keys in the last row", is_last);
    terminal.resize(20, 60);
    terminal.wait_for_text("This terminal has 60x20 characters");
    terminal.resize(24, 80);
    terminal.wait_for_text("turn 0 of 19");
    terminal.type_keys("q");
    terminal.exits_with(0);
}

#[test]
fn a_stopped_program_restores_the_terminal_and_resumes() {
    let sandbox = with_journal();
    let mut terminal = paused(&sandbox);
    for _ in 0..2 {
        terminal.type_keys(CTRL_Z);
        terminal.wait_until_stopped();
        terminal.assert_restored();
        terminal.signal("CONT");
        terminal.wait_until("full screen", || terminal.is_full());
        terminal.wait_for_text("turn 0 of 19");
        terminal.type_keys(RIGHT);
        terminal.wait_for_text("turn 1 of 19");
        terminal.type_keys(HOME);
        terminal.wait_for_text("turn 0 of 19");
    }
    // The program also restores the terminal when another process stops the program.
    terminal.signal("TSTP");
    terminal.wait_until_stopped();
    terminal.assert_restored();
    terminal.signal("CONT");
    terminal.wait_until("full screen", || terminal.is_full());
    terminal.type_keys("q");
    terminal.exits_with(0);
}

#[test]
fn an_interrupted_program_restores_the_terminal() {
    let sandbox = with_journal();
    let mut terminal = paused(&sandbox);
    terminal.type_keys(CTRL_C);
    let screen = terminal.exits_with(3);
    assert!(screen.contains("error: interrupted"), "{screen}");
    for signal in ["INT", "TERM", "HUP"] {
        let terminal = paused(&sandbox);
        terminal.signal(signal);
        terminal.exits_with(3);
    }
}

#[test]
fn a_program_ends_when_its_terminal_is_gone() {
    let sandbox = with_journal();
    let code = paused(&sandbox).hang_up().wait();
    assert_eq!(code, Some(3));
    // A program that ignores the hangup signal ends as well, even if it is paused.
    let war = env!("CARGO_BIN_EXE_war");
    let run = format!("trap '' HUP; exec {war} watch game.json");
    for is_paused in [false, true] {
        let mut command = Command::new("setsid");
        let mut terminal = Terminal::run(&sandbox, command.args(["--ctty", "sh", "-c", &run]));
        terminal.wait_for_text("playing");
        if is_paused {
            terminal.type_keys(" ");
            terminal.wait_for_text("paused");
        }
        assert_eq!(terminal.hang_up().wait(), Some(3));
    }
}

#[test]
fn colors_are_shown_if_wanted() {
    let sandbox = with_journal();
    for (variables, options, are_wanted) in [
        (&[][..], &[][..], true),
        (&[("NO_COLOR", "1")], &[], false),
        (&[], &["--color", "never"], false),
        (&[("NO_COLOR", "1")], &["--color", "always"], true),
    ] {
        let mut command = Command::new("setsid");
        command.arg("--ctty").arg(env!("CARGO_BIN_EXE_war"));
        command.args(["watch", "game.json"]).args(options);
        command.envs(variables.iter().copied());
        let terminal = Terminal::run(&sandbox, &mut command);
        terminal.wait_for_text("playing");
        assert_eq!(
            terminal.is_colored(),
            are_wanted,
            "{variables:?} {options:?}"
        );
    }
}

#[test]
fn a_truncated_journal_shows_its_intact_part_and_a_notice() {
    let sandbox = with("classic_cut_off.json");
    let mut terminal = Terminal::start(&sandbox, &["watch", "game.json"]);
    terminal.wait_for_text("INCOMPLETE · classic/1");
    terminal.type_keys(END);
    terminal.wait_for_text("paused");
    terminal.type_keys("q");
    let screen = terminal.exits_with(3);
    assert!(screen.contains("INCOMPLETE game.json"), "{screen}");
}

#[test]
fn a_damaged_journal_is_not_shown() {
    let sandbox = with_journal();
    let changed = sandbox
        .read("game.json")
        .replacen("\"card\":11", "\"card\":12", 1);
    sandbox.write("game.json", changed);
    for options in [&[][..], &["--plain"]] {
        let watch = [&["watch", "game.json"], options].concat();
        let terminal = Terminal::start(&sandbox, &watch);
        terminal.wait_for_text("can't be watched");
        assert!(!terminal.sent().contains("\u{1b}[?1049h"), "it was shown");
        let screen = terminal.exits_with(1);
        assert!(screen.contains("DAMAGED game.json"), "{screen}");
        assert!(!screen.contains("Player1"), "{screen}");
    }
}

#[test]
fn a_dealt_game_and_a_scenario_can_be_watched() {
    let sandbox = Sandbox::new();
    let mut dealt = Terminal::start(&sandbox, &["watch", "4", "small", "--seed", "1"]);
    dealt.wait_for_text("seed 1 · classic/1, 4 players, 24 cards");
    dealt.type_keys(END);
    dealt.wait_for_text("player2 wins the");
    dealt.type_keys("q");
    dealt.exits_with(0);
    let mut given = Terminal::start(
        &sandbox,
        &["watch", "--scenario", "example", "--lang", "pl"],
    );
    given.wait_for_text("tura 0 z");
    given.type_keys("q");
    given.exits_with(0);
    // Each run was a game with its own audit log.
    let logs = sandbox.logs();
    assert_eq!(logs.len(), 2);
    assert!(logs[0].contains("seed 1"), "{}", logs[0]);
    let mut drawn = Terminal::start(&sandbox, &["watch", "2", "small", "--no-log"]);
    drawn.wait_for_text("seed ");
    drawn.type_keys("q");
    let screen = drawn.exits_with(0);
    assert!(screen.contains("note: "), "{screen}");
}

#[test]
fn without_a_terminal_a_hint_is_printed() {
    let sandbox = with_journal();
    for (lang, told) in [("en", "needs a terminal"), ("pl", "wymaga terminala")] {
        let run = sandbox
            .war(&["watch", "game.json", "--lang", lang])
            .exits_with(2);
        assert_eq!(run.stdout, "");
        run.reports(told).reports("war replay").reports("--plain");
    }
}

#[test]
fn nonsensical_arguments_are_refused() {
    let sandbox = with_journal();
    for (arguments, told) in [
        (&[][..], "needs a journal, or PLAYERS and DECK"),
        (
            &["4", "small", "large"],
            "needs a journal, or PLAYERS and DECK",
        ),
        (&["game.json", "--scenario", "example"], "needs a journal"),
        (&["--follow", "4", "small"], "`--follow` needs the journal"),
        (
            &["--follow", "--scenario", "example"],
            "`--follow` needs the journal",
        ),
        (
            &["game.json", "--seed", "1"],
            "`--seed` needs PLAYERS and DECK",
        ),
        (&["4", "small", "--seed", "x"], "seed"),
        (&["game.json", "--speed", "3"], "--speed"),
    ] {
        let watch = [&["watch", "--plain"], arguments].concat();
        let run = sandbox.war(&watch).exits_with(2).reports(told);
        assert_eq!(run.stdout, "", "{arguments:?}");
    }
    sandbox
        .war(&["watch", "--plain", "none.json"])
        .exits_with(4)
        .reports("none.json");
    sandbox
        .war(&["watch", "--plain", "--scenario", "none"])
        .exits_with(1)
        .reports("none");
}

#[test]
fn corrections_are_shown_with_the_deal() {
    let sandbox = Sandbox::new();
    let mut terminal = Terminal::start(&sandbox, &["watch", "small", "4", "--seed", "1"]);
    terminal.wait_for_text("playing");
    terminal.type_keys(&format!(" {HOME}"));
    terminal.wait_for_text("turn 0 of");
    terminal.wait_for_text("Values were corrected to 2 players on a SMALL");
    assert!(terminal.is_full());
    terminal.type_keys(RIGHT);
    terminal.wait_for_text("turn 1 of");
    assert!(!terminal.screen().contains("corrected"));
    terminal.type_keys("q");
    terminal.exits_with(0);
}
