//! `--result json`: one JSON object of a single game.

use super::support::{Place, Run, files};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fs;

fn result(run: &Run) -> Value {
    assert_eq!(run.stdout.lines().count(), 1, "{run:#?}");
    serde_json::from_str(&run.stdout).expect("a JSON object")
}

/// The end record of a journal, read without the program.
fn end_of(journal: &str) -> Value {
    let journal: Value = serde_json::from_str(journal).expect("a journal");
    journal["end"].clone()
}

#[test]
fn a_game_of_each_edition_has_the_result_that_its_journal_has() {
    for (game, rules, seed) in [
        (&["4", "small", "--seed", "1"][..], "classic/1", "1"),
        (
            &[
                "duels",
                "--numPlayers",
                "3",
                "--deckType",
                "small",
                "--seed",
                "5",
            ],
            "duels/1",
            "5",
        ),
        (&["xy", "-7"], "xy/1", "-7"),
        (&["simulate", "--game", "1:2"], "classic/1", "1:2"),
    ] {
        let place = Place::new();
        let screens = place.war(game).ends_with(0).stdout;
        let run = place
            .war(&[game, &["--result", "json"]].concat())
            .ends_with(0);
        assert_eq!(run.stderr, "", "{game:?}");
        let alone = result(&run);
        let recorded = [game, &["--result", "JSON", "--journal", "game.json"]].concat();
        let mut found = result(&place.war(&recorded).ends_with(0));
        let end = end_of(&place.read("game.json"));
        assert_eq!(found["journal"], "game.json");
        found["journal"] = Value::Null;
        assert_eq!(found, alone);
        for (field, expected) in [
            ("outcome", &end["reason"]),
            ("winner", &end["winner"]),
            ("turns", &end["turns"]),
            ("events", &end["events"]),
            ("console", &end["console"]),
            ("digest", &end["chain"]),
            ("rules", &json!(rules)),
            ("seed", &json!(seed)),
        ] {
            assert_eq!(&found[field], expected, "{field} of {game:?}");
        }
        assert_eq!(found["console"]["bytes"], screens.len());
    }
}

#[test]
fn wars_players_and_repetition_are_those_on_the_screens() {
    let place = Place::new();
    let game = ["5", "large", "--seed", "6"];
    let screens = place.war(&game).ends_with(0).stdout;
    let found = result(&place.war(&[&game[..], &["--result", "json"]].concat()));
    // Each war has a first screen, which shows one round.
    let wars = screens.matches("War lasted 1 rounds.").count();
    assert!(wars > 3, "{wars}");
    assert_eq!(found["wars"], wars);
    let rounds = screens.split("War lasted ").skip(1);
    let longest = rounds
        .filter_map(|rest| rest.split(' ').next()?.parse::<u32>().ok())
        .max();
    assert_eq!(found["longest_war"], longest.expect("a war"));
    let cards = found["players"].as_array().expect("players").iter();
    let cards: u64 = cards.filter_map(|player| player["cards"].as_u64()).sum();
    assert_eq!(cards, 52);
    let endless = result(&place.war(&["--scenario", "two_players_endless", "--result", "json"]));
    let screens = place.war(&["--scenario", "two_players_endless"]).stdout;
    let repeats = format!(
        "turns #{} to #{}",
        endless["repeats_from"], endless["turns"]
    );
    assert!(screens.contains(&repeats), "{repeats}");
    assert_eq!(endless["scenario"], "two_players_endless");
    assert_eq!(
        (&endless["dealt"], &endless["seed"]),
        (&json!("scenario"), &Value::Null)
    );
}

#[test]
fn every_golden_journal_has_a_result() {
    let place = Place::new();
    for path in files("journals", ".json") {
        let name = path.to_str().expect("a name");
        let end = end_of(&fs::read_to_string(&path).expect("a journal"));
        let run = place.war(&["replay", name, "--result", "json"]);
        let found = result(&run);
        assert_eq!(found["digest"], end["chain"], "{name}");
        assert_eq!(found["outcome"], end["reason"], "{name}");
        assert_eq!(found["journal"], name);
        let quiet = place.war(&["replay", "--quiet", name]);
        assert_eq!((quiet.code, quiet.stderr), (run.code, run.stderr));
        let is_of_tokens = found["dealt"] == "committed";
        assert_eq!(found["wars"].is_null(), is_of_tokens, "{name}");
        assert_eq!(
            found["players"][0]["tokens"].is_null(),
            !is_of_tokens,
            "{name}"
        );
    }
}

#[test]
fn a_journal_with_a_fault_has_no_result() {
    let place = Place::new();
    place.write(
        "cut.json",
        super::journal_faults::edited(4, "[11,10,12,13]", "[13,12,11,10]"),
    );
    let run = place
        .war(&["replay", "cut.json", "--result", "json"])
        .ends_with(1);
    assert_eq!(run.stdout, "");
}

#[test]
fn the_help_lists_exactly_the_fields_there_are() {
    let place = Place::new();
    let found = result(&place.war(&["xy", "1", "--result", "json"]));
    let fields: BTreeSet<_> = found
        .as_object()
        .expect("an object")
        .keys()
        .cloned()
        .collect();
    let help = Run::of(place.command(&["xy", "--help"]).env("COLUMNS", "100")).stdout;
    let (_, list) = help.split_once(" fields:\n").expect("the list");
    let lines = list
        .lines()
        .skip(1)
        .take_while(|line| !line.trim().is_empty());
    let lines: Vec<_> = lines.collect();
    let indent = lines[0].len() - lines[0].trim_start().len();
    let mut listed = BTreeSet::new();
    for line in lines.into_iter().map(|line| &line[indent..]) {
        let names = line.split("  ").next().unwrap_or_default();
        let names = names.split(", ").filter(|name| !name.trim().is_empty());
        listed.extend(names.map(str::to_owned));
    }
    assert_eq!(listed, fields);
}

#[test]
fn a_result_is_of_one_game_that_is_played() {
    let place = Place::new();
    place.write("many/ssc_a.json", "[[9]]");
    place.write("many/ssc_b.json", "[[9]]");
    let run = place.war(&["2", "small", "--scenarios", "many", "--result", "json"]);
    run.ends_with(2).tells("a single game");
    let run = place.war(&["simulate", "--games", "5", "--result", "json"]);
    assert_eq!(run.ends_with(2).stdout, "");
    let run = place.war(&["2", "small", "--result", "xml"]).ends_with(2);
    run.tells("json");
    let run = place.war(&["replay", "x", "--turn", "1", "--result", "json"]);
    run.ends_with(2).tells("together");
    place.write("bad.json", "[[9]]");
    let run = place.war(&["--scenario", "bad.json", "--result", "json"]);
    assert_eq!(run.ends_with(1).stdout, "");
}

#[test]
fn corrections_that_no_screen_shows_are_warnings() {
    let place = Place::new();
    let run = place.war(&["9", "small", "--seed", "1", "--result", "json"]);
    let run = run
        .ends_with(0)
        .tells("warning: Number of players corrected to 5, you provided 9");
    assert_eq!(result(&run)["players"].as_array().map(Vec::len), Some(5));
}
