//! `war watch --plain`: the ordinary screens, one after the other.

use super::terminal::{CTRL_C, Terminal};
use super::{with, with_journal};
use crate::support::Place;
use std::time::{Duration, Instant};

#[test]
fn the_screens_are_those_of_a_replay() {
    for journal in [
        "classic_dealt_won.json",
        "classic_cut_off.json",
        "duels_random.json",
        "xy_sample.json",
        "double_card_2_tied.json",
    ] {
        let place = with(journal);
        let replay = place.war(&["replay", "game.json"]);
        for follow in [&[][..], &["--follow"]] {
            // A journal that was cut off would be waited for.
            if !follow.is_empty() && replay.code != 0 {
                continue;
            }
            let watch = ["watch", "--plain", "--speed", "1000", "game.json"];
            let run = place.war(&[&watch, follow].concat()).ends_with(replay.code);
            assert!(run.stdout == replay.stdout, "{journal}");
            assert_eq!(run.stderr, replay.stderr, "{journal}");
        }
    }
}

#[test]
fn a_game_that_is_dealt_prints_what_it_always_prints() {
    let place = Place::new();
    let game = ["4", "small", "--seed", "1", "--no-log"];
    let dealt = place.war(&game).ends_with(0);
    let watch = ["watch", "--plain", "--speed", "1000"];
    let run = place.war(&[&watch[..], &game].concat()).ends_with(0);
    assert_eq!(run.stdout, dealt.stdout);
    let game = ["--scenario", "example", "--no-log"];
    let played = place.war(&game).ends_with(0);
    let run = place.war(&[&watch[..], &game].concat()).ends_with(0);
    assert_eq!(run.stdout, played.stdout);
}

#[test]
fn turns_are_apart_in_time() {
    let place = with_journal();
    let since = Instant::now();
    place
        .war(&["watch", "--plain", "--speed", "20", "game.json"])
        .ends_with(0);
    // The deal and 19 turns, 50 milliseconds each but for the last one.
    assert!(since.elapsed() >= Duration::from_millis(19 * 50));
}

#[test]
fn standard_input_can_be_watched() {
    let place = with_journal();
    let journal = place.read("game.json");
    let replay = place.war(&["replay", "game.json"]).ends_with(0);
    let watch = ["watch", "--plain", "--speed", "1000", "-"];
    let run = place.war_reading(journal.as_bytes(), &watch).ends_with(0);
    assert_eq!(run.stdout, replay.stdout);
    run.tells("VERIFIED -");
}

#[test]
fn on_a_terminal_a_turn_a_second_is_printed_until_somebody_interrupts() {
    let place = with_journal();
    let mut terminal = Terminal::start(&place, &["watch", "--plain", "game.json"]);
    terminal.shows("turn #1");
    assert!(!terminal.is_full());
    assert!(
        !terminal.screen().contains("turn #3"),
        "{}",
        terminal.screen()
    );
    terminal.types(CTRL_C);
    let screen = terminal.ends_with(3);
    assert!(screen.contains("interrupted"), "{screen}");
}
