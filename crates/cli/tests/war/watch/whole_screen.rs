//! The whole terminal: taken, drawn on, and given back whatever happens.

use super::terminal::{CTRL_C, CTRL_Z, END, HOME, LEFT, RIGHT, Terminal};
use super::{with, with_journal};
use crate::support::{Place, reviewed};
use std::process::Command;

/// Watches a game that stays at the deal.
fn paused(place: &Place) -> Terminal {
    let mut terminal = Terminal::start(place, &["watch", "game.json"]);
    terminal.shows("playing");
    terminal.types(&format!(" {HOME}"));
    terminal.shows("turn 0 of 19");
    terminal.shows("paused");
    terminal
}

#[test]
fn keys_go_from_turn_to_turn_and_q_gives_the_terminal_back() {
    let place = with_journal();
    let mut terminal = paused(&place);
    assert!(terminal.is_full());
    for (keys, shown) in [
        (RIGHT, "turn 1 of 19"),
        ("n", "Turn 2: war!"),
        // With Ctrl, a letter means nothing.
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
        terminal.types(keys);
        terminal.shows(shown);
    }
    terminal.quits_with_the_verdict();
}

#[test]
fn the_terminal_shows_what_is_drawn() {
    let place = with_journal();
    let mut terminal = paused(&place);
    terminal.types("n");
    terminal.shows("Turn 2: war!");
    reviewed("watch_on_a_terminal", &terminal.screen());
}

#[test]
fn turns_follow_each_other_by_themselves() {
    let place = with_journal();
    let terminal = Terminal::start(&place, &["watch", "game.json", "--speed", "100"]);
    terminal.shows("turn 19 of 19 · paused");
}

#[test]
fn a_terminal_that_changes_its_size_is_drawn_anew() {
    let place = with_journal();
    let mut terminal = paused(&place);
    terminal.resize(40, 120);
    terminal.shows("turn 0 of 19");
    let is_last = || {
        terminal
            .screen()
            .lines()
            .nth(39)
            .is_some_and(|row| row.contains("q quit"))
    };
    terminal.waits_for("keys in the last row", is_last);
    terminal.resize(20, 60);
    terminal.shows("This terminal has 60x20 characters");
    terminal.resize(24, 80);
    terminal.shows("turn 0 of 19");
    terminal.types("q");
    terminal.ends_with(0);
}

#[test]
fn a_stopped_program_leaves_the_terminal_and_comes_back() {
    let place = with_journal();
    let mut terminal = paused(&place);
    for _ in 0..2 {
        terminal.types(CTRL_Z);
        terminal.waits_until_stopped();
        terminal.is_given_back();
        terminal.signal("CONT");
        terminal.waits_for("full screen", || terminal.is_full());
        terminal.shows("turn 0 of 19");
        terminal.types(RIGHT);
        terminal.shows("turn 1 of 19");
        terminal.types(HOME);
        terminal.shows("turn 0 of 19");
    }
    // Stopped by others, it leaves the terminal, too.
    terminal.signal("TSTP");
    terminal.waits_until_stopped();
    terminal.is_given_back();
    terminal.signal("CONT");
    terminal.waits_for("full screen", || terminal.is_full());
    terminal.types("q");
    terminal.ends_with(0);
}

#[test]
fn an_interrupted_program_gives_the_terminal_back() {
    let place = with_journal();
    let mut terminal = paused(&place);
    terminal.types(CTRL_C);
    let screen = terminal.ends_with(3);
    assert!(screen.contains("error: interrupted"), "{screen}");
    for signal in ["INT", "TERM", "HUP"] {
        let terminal = paused(&place);
        terminal.signal(signal);
        terminal.ends_with(3);
    }
}

#[test]
fn a_program_ends_whose_terminal_is_gone() {
    let place = with_journal();
    let code = paused(&place).hang_up().ends();
    assert_eq!(code, Some(3));
    // One that hears of no signal ends as well, also where nothing is drawn.
    let war = env!("CARGO_BIN_EXE_war");
    let run = format!("trap '' HUP; exec {war} watch game.json");
    for is_paused in [false, true] {
        let mut command = Command::new("setsid");
        let mut terminal = Terminal::run(&place, command.args(["--ctty", "sh", "-c", &run]));
        terminal.shows("playing");
        if is_paused {
            terminal.types(" ");
            terminal.shows("paused");
        }
        assert_eq!(terminal.hang_up().ends(), Some(3));
    }
}

#[test]
fn colors_are_shown_where_they_are_wanted() {
    let place = with_journal();
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
        let terminal = Terminal::run(&place, &mut command);
        terminal.shows("playing");
        assert_eq!(
            terminal.is_colored(),
            are_wanted,
            "{variables:?} {options:?}"
        );
    }
}

#[test]
fn a_journal_that_was_cut_off_shows_what_is_intact_and_says_so() {
    let place = with("classic_cut_off.json");
    let mut terminal = Terminal::start(&place, &["watch", "game.json"]);
    terminal.shows("INCOMPLETE · classic/1");
    terminal.types(END);
    terminal.shows("paused");
    terminal.types("q");
    let screen = terminal.ends_with(3);
    assert!(screen.contains("INCOMPLETE game.json"), "{screen}");
}

#[test]
fn a_damaged_journal_is_not_shown() {
    let place = with_journal();
    let changed = place
        .read("game.json")
        .replacen("\"card\":11", "\"card\":12", 1);
    place.write("game.json", changed);
    for options in [&[][..], &["--plain"]] {
        let watch = [&["watch", "game.json"], options].concat();
        let terminal = Terminal::start(&place, &watch);
        terminal.shows("can't be watched");
        assert!(!terminal.sent().contains("\u{1b}[?1049h"), "it was shown");
        let screen = terminal.ends_with(1);
        assert!(screen.contains("DAMAGED game.json"), "{screen}");
        assert!(!screen.contains("Player1"), "{screen}");
    }
}

#[test]
fn a_dealt_game_and_a_scenario_can_be_watched() {
    let place = Place::new();
    let mut dealt = Terminal::start(&place, &["watch", "4", "small", "--seed", "1"]);
    dealt.shows("seed 1 · classic/1, 4 players, 24 cards");
    dealt.types(END);
    dealt.shows("player2 wins the");
    dealt.types("q");
    dealt.ends_with(0);
    let mut given = Terminal::start(&place, &["watch", "--scenario", "example", "--lang", "pl"]);
    given.shows("tura 0 z");
    given.types("q");
    given.ends_with(0);
    // Each of them was a game, and has its audit log.
    let logs = place.logs();
    assert_eq!(logs.len(), 2);
    assert!(logs[0].contains("seed 1"), "{}", logs[0]);
    let mut drawn = Terminal::start(&place, &["watch", "2", "small", "--no-log"]);
    drawn.shows("seed ");
    drawn.types("q");
    let screen = drawn.ends_with(0);
    assert!(screen.contains("note: "), "{screen}");
}

#[test]
fn without_a_terminal_it_says_what_to_do() {
    let place = with_journal();
    for (lang, told) in [("en", "needs a terminal"), ("pl", "wymaga terminala")] {
        let run = place
            .war(&["watch", "game.json", "--lang", lang])
            .ends_with(2);
        assert_eq!(run.stdout, "");
        run.tells(told).tells("war replay").tells("--plain");
    }
}

#[test]
fn what_makes_no_sense_is_refused() {
    let place = with_journal();
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
        let run = place.war(&watch).ends_with(2).tells(told);
        assert_eq!(run.stdout, "", "{arguments:?}");
    }
    place
        .war(&["watch", "--plain", "none.json"])
        .ends_with(4)
        .tells("none.json");
    place
        .war(&["watch", "--plain", "--scenario", "none"])
        .ends_with(1)
        .tells("none");
}
