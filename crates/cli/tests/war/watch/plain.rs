//! `war watch --plain`: the ordinary screens, one after the other.

use super::terminal::{CTRL_C, Terminal};
use super::{with, with_journal};
use crate::support::Sandbox;
use std::time::{Duration, Instant};

#[test]
fn the_screens_match_a_replay() {
    for journal in [
        "classic_dealt_won.json",
        "classic_cut_off.json",
        "duels_random.json",
        "xy_sample.json",
        "double_card_2_tied.json",
    ] {
        let sandbox = with(journal);
        let replay = sandbox.war(&["replay", "game.json"]);
        for follow in [&[][..], &["--follow"]] {
            // `--follow` would wait for the rest of a truncated journal.
            if !follow.is_empty() && replay.code != 0 {
                continue;
            }
            let watch = ["watch", "--plain", "--speed", "1000", "game.json"];
            let run = sandbox
                .war(&[&watch, follow].concat())
                .exits_with(replay.code);
            assert!(run.stdout == replay.stdout, "{journal}");
            assert_eq!(run.stderr, replay.stderr, "{journal}");
        }
    }
}

#[test]
fn a_dealt_game_prints_its_usual_screens() {
    let sandbox = Sandbox::new();
    let game = ["4", "small", "--seed", "1", "--no-log"];
    let dealt = sandbox.war(&game).exits_with(0);
    let watch = ["watch", "--plain", "--speed", "1000"];
    let run = sandbox.war(&[&watch[..], &game].concat()).exits_with(0);
    assert_eq!(run.stdout, dealt.stdout);
    let game = ["--scenario", "example", "--no-log"];
    let played = sandbox.war(&game).exits_with(0);
    let run = sandbox.war(&[&watch[..], &game].concat()).exits_with(0);
    assert_eq!(run.stdout, played.stdout);
}

#[test]
fn turns_are_printed_at_intervals() {
    let sandbox = with_journal();
    let since = Instant::now();
    sandbox
        .war(&["watch", "--plain", "--speed", "20", "game.json"])
        .exits_with(0);
    // The deal and 19 turns, 50 milliseconds each except for the last.
    assert!(since.elapsed() >= Duration::from_millis(19 * 50));
}

#[test]
fn standard_input_can_be_watched() {
    let sandbox = with_journal();
    let journal = sandbox.read("game.json");
    let replay = sandbox.war(&["replay", "game.json"]).exits_with(0);
    let watch = ["watch", "--plain", "--speed", "1000", "-"];
    let run = sandbox
        .war_reading(journal.as_bytes(), &watch)
        .exits_with(0);
    assert_eq!(run.stdout, replay.stdout);
    run.reports("VERIFIED -");
}

#[test]
fn a_terminal_gets_a_turn_a_second_until_interrupted() {
    let sandbox = with_journal();
    let mut terminal = Terminal::start(&sandbox, &["watch", "--plain", "game.json"]);
    terminal.wait_for_text("turn #1");
    assert!(!terminal.is_full());
    assert!(
        !terminal.screen().contains("turn #3"),
        "{}",
        terminal.screen()
    );
    terminal.type_keys(CTRL_C);
    let screen = terminal.exits_with(3);
    assert!(screen.contains("interrupted"), "{screen}");
}
