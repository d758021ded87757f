//! Facts that players noted about a game, checked against its journal.

use super::SEEDS;
use super::goldens::golden_games;
use crate::support::{Run, Sandbox, project};
use serde_json::Value;

const COMMITMENT: &str = "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd";

/// Replays a golden journal with these expectations.
fn replay(name: &str, expectations: &[&str]) -> Run {
    let sandbox = Sandbox::new();
    let mut games = golden_games().into_iter();
    let (_, journal) = games.find(|(known, _)| *known == name).expect(name);
    sandbox.write("game.json", journal);
    sandbox.war(&[&["replay", "-q", "game.json"], expectations].concat())
}

fn seed(seat: usize, seed: usize) -> String {
    format!("{seat}:{}", SEEDS[seed - 1])
}

#[test]
fn the_noted_game_is_verified() {
    let (one, two) = (seed(1, 1).to_ascii_uppercase(), seed(2, 2));
    let expectations = ["--expect-commitment", COMMITMENT, "--expect-game", "7"];
    let seeds = ["--expect-seed", &one, "--expect-seed", &two];
    replay(
        "single_card_2_showdown.json",
        &[expectations, seeds].concat(),
    )
    .exits_with(0)
    .reports("VERIFIED");
    replay("single_card_showdown.json", &expectations).exits_with(0);
}

#[test]
fn another_game_is_unexpected() {
    let other = "0".repeat(64);
    let (wrong, late) = (seed(1, 2), seed(2, 2));
    for (name, option, value, told) in [
        (
            "single_card_2_showdown.json",
            "--expect-commitment",
            &*other,
            "the commitment of the table is 630d",
        ),
        (
            "single_card_2_showdown.json",
            "--expect-game",
            "8",
            "this is game 7, expected game 8",
        ),
        (
            "single_card_2_showdown.json",
            "--expect-seed",
            &wrong,
            "the seed opened at seat 1 is 0101",
        ),
        (
            "single_card_2_forfeited.json",
            "--expect-seed",
            &late,
            "no seed was opened at seat 2",
        ),
        (
            "single_card_showdown.json",
            "--expect-seed",
            &late,
            "the players gave texts as seeds",
        ),
        (
            "single_card_showdown.json",
            "--expect-game",
            "18446744073709551615",
            "this is game 7",
        ),
    ] {
        let run = replay(name, &[option, value]).exits_with(1);
        run.reports(&format!("game.json:1:1: WJ206 {told}"))
            .reports("UNEXPECTED");
    }
    // The seed expected at seat 1 is right, and the one at seat 2 is wrong.
    replay(
        "single_card_2_showdown.json",
        &["--expect-seed", &seed(1, 1), "--expect-seed", &seed(2, 1)],
    )
    .exits_with(1)
    .reports("the seed opened at seat 2 is 0202");
    let run = Sandbox::new();
    let golden =
        std::fs::read(project().join("journals/classic_one_player.json")).expect("a journal");
    run.war_reading(&golden, &["replay", "-q", "-", "--expect-game", "1"])
        .exits_with(1)
        .reports("WJ206 this is not a token game")
        .reports("UNEXPECTED");
}

#[test]
fn a_fault_of_the_journal_takes_precedence() {
    let sandbox = Sandbox::new();
    let (_, journal) = &golden_games()[0];
    sandbox.write("game.json", journal.replacen("Ann", "Eve", 1));
    sandbox
        .war(&["replay", "-q", "game.json", "--expect-game", "8"])
        .exits_with(1)
        .reports("WJ202")
        .reports("DAMAGED");
}

#[test]
fn an_unexpected_game_has_a_result_in_both_languages() {
    for (lang, told) in [
        ("en", "this is game 7, expected game 8"),
        ("pl", "to gra 7, oczekiwano gry 8"),
    ] {
        let expectations = ["--lang", lang, "--expect-game", "8", "--result", "json"];
        let mut expectations = expectations.to_vec();
        let sandbox = Sandbox::new();
        let mut games = golden_games().into_iter();
        let (_, journal) = games
            .find(|(name, _)| *name == "single_card_2_showdown.json")
            .expect("a game");
        sandbox.write("game.json", journal);
        let mut arguments = vec!["replay", "game.json"];
        arguments.append(&mut expectations);
        let run = sandbox.war(&arguments).exits_with(1);
        let result: Value = serde_json::from_str(&run.stdout).expect("an object");
        assert_eq!(result["verdict"], "UNEXPECTED");
        assert_eq!(result["code"], "WJ206");
        assert_eq!(result["message"], told);
        assert_eq!(result["players"][0]["number"], 12);
        assert_eq!(result["players"][1]["number"], 7);
        assert_eq!(result["players"][0].get("name"), None);
    }
}

#[test]
fn invalid_values_of_these_options_are_refused() {
    let (third, short) = (seed(3, 1), "1:0101");
    for (option, value, told) in [
        (
            "--expect-commitment",
            "630d",
            "`630d` is not a valid commitment",
        ),
        (
            "--expect-game",
            "-1",
            "`-1` is not a valid number of a game",
        ),
        (
            "--expect-game",
            "18446744073709551616",
            "is not a valid number of a game",
        ),
        ("--expect-seed", &*third, "is not a valid seat with a seed"),
        (
            "--expect-seed",
            short,
            "`1:0101` is not a valid seat with a seed",
        ),
        (
            "--expect-seed",
            "heads",
            "`heads` is not a valid seat with a seed",
        ),
    ] {
        replay("single_card_2_showdown.json", &[option, value])
            .exits_with(2)
            .reports(told);
    }
}
