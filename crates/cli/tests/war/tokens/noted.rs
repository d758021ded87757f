//! What players noted of a game is demanded of its journal.

use super::SEEDS;
use super::goldens::golden_games;
use crate::support::{Place, Run, project};
use serde_json::Value;

const COMMITMENT: &str = "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd";

/// Replays a golden journal with these demands.
fn replay(name: &str, demands: &[&str]) -> Run {
    let place = Place::new();
    let mut games = golden_games().into_iter();
    let (_, journal) = games.find(|(known, _)| *known == name).expect(name);
    place.write("game.json", journal);
    place.war(&[&["replay", "-q", "game.json"], demands].concat())
}

fn seed(seat: usize, seed: usize) -> String {
    format!("{seat}:{}", SEEDS[seed - 1])
}

#[test]
fn the_game_that_was_noted_is_verified() {
    let (one, two) = (seed(1, 1).to_ascii_uppercase(), seed(2, 2));
    let demands = ["--expect-commitment", COMMITMENT, "--expect-game", "7"];
    let seeds = ["--expect-seed", &one, "--expect-seed", &two];
    replay("single_card_2_showdown.json", &[demands, seeds].concat())
        .ends_with(0)
        .tells("VERIFIED");
    replay("single_card_showdown.json", &demands).ends_with(0);
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
        let run = replay(name, &[option, value]).ends_with(1);
        run.tells(&format!("game.json:1:1: WJ206 {told}"))
            .tells("UNEXPECTED");
    }
    // One seed too many is demanded.
    replay(
        "single_card_2_showdown.json",
        &["--expect-seed", &seed(1, 1), "--expect-seed", &seed(2, 1)],
    )
    .ends_with(1)
    .tells("the seed opened at seat 2 is 0202");
    let run = Place::new();
    let golden =
        std::fs::read(project().join("journals/classic_one_player.json")).expect("a journal");
    run.war_reading(&golden, &["replay", "-q", "-", "--expect-game", "1"])
        .ends_with(1)
        .tells("WJ206 this is not a token game")
        .tells("UNEXPECTED");
}

#[test]
fn what_is_wrong_with_the_journal_weighs_more() {
    let place = Place::new();
    let (_, journal) = &golden_games()[0];
    place.write("game.json", journal.replacen("Ann", "Eve", 1));
    place
        .war(&["replay", "-q", "game.json", "--expect-game", "8"])
        .ends_with(1)
        .tells("WJ202")
        .tells("DAMAGED");
}

#[test]
fn an_unexpected_game_has_a_result_in_both_languages() {
    for (lang, told) in [
        ("en", "this is game 7, expected game 8"),
        ("pl", "to gra 7, oczekiwano gry 8"),
    ] {
        let demands = ["--lang", lang, "--expect-game", "8", "--result", "json"];
        let mut demands = demands.to_vec();
        let place = Place::new();
        let mut games = golden_games().into_iter();
        let (_, journal) = games
            .find(|(name, _)| *name == "single_card_2_showdown.json")
            .expect("a game");
        place.write("game.json", journal);
        let mut arguments = vec!["replay", "game.json"];
        arguments.append(&mut demands);
        let run = place.war(&arguments).ends_with(1);
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
fn what_is_no_value_of_these_options_is_refused() {
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
            .ends_with(2)
            .tells(told);
    }
}
