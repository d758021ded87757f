//! `--result json`: a single game as a JSON object.

use super::support::{Run, Sandbox, files, project};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fs;

fn result(run: &Run) -> Value {
    assert_eq!(run.stdout.lines().count(), 1, "{run:#?}");
    serde_json::from_str(&run.stdout).expect("a JSON object")
}

/// End record of a journal, parsed independently of the program.
fn end_of(journal: &str) -> Value {
    let journal: Value = serde_json::from_str(journal).expect("a journal");
    journal["end"].clone()
}

#[test]
fn the_result_of_each_edition_s_game_matches_its_journal() {
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
        let sandbox = Sandbox::new();
        let screens = sandbox.war(game).exits_with(0).stdout;
        let run = sandbox
            .war(&[game, &["--result", "json"]].concat())
            .exits_with(0);
        assert_eq!(run.stderr, "", "{game:?}");
        let alone = result(&run);
        let recorded = [game, &["--result", "JSON", "--journal", "game.json"]].concat();
        let mut found = result(&sandbox.war(&recorded).exits_with(0));
        let end = end_of(&sandbox.read("game.json"));
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
fn wars_players_and_repetition_match_the_screens() {
    let sandbox = Sandbox::new();
    let game = ["5", "large", "--seed", "6"];
    let screens = sandbox.war(&game).exits_with(0).stdout;
    let found = result(&sandbox.war(&[&game[..], &["--result", "json"]].concat()));
    // Every war's first screen contains this line, so there are as many lines as wars.
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
    let endless = result(&sandbox.war(&["--scenario", "two_players_endless", "--result", "json"]));
    let screens = sandbox.war(&["--scenario", "two_players_endless"]).stdout;
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
    let sandbox = Sandbox::new();
    for path in files("journals", ".json") {
        let name = path.to_str().expect("a name");
        let end = end_of(&fs::read_to_string(&path).expect("a journal"));
        let run = sandbox.war(&["replay", name, "--result", "json"]);
        let found = result(&run);
        assert_eq!(found["digest"], end["chain"], "{name}");
        assert_eq!(found["outcome"], end["reason"], "{name}");
        assert_eq!(found["journal"], name);
        let quiet = sandbox.war(&["replay", "--quiet", name]);
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

/// Fields of the verdict on a journal.
const VERDICT_FIELDS: [&str; 5] = ["verdict", "code", "line", "column", "proof"];

/// Result for this journal, which must be the same from `war replay` and `war journal check`.
#[track_caller]
fn result_of_both(sandbox: &Sandbox, name: &str, code: i32) -> Value {
    let replayed = sandbox.war(&["replay", name, "--result", "json"]);
    let found = result(&replayed.exits_with(code));
    let checked = sandbox.war(&["journal", "check", name, "--result", "json"]);
    assert_eq!(result(&checked.exits_with(code)), found, "{name}");
    found
}

#[test]
fn a_faulty_journal_s_result_has_verdict_code_and_location() {
    let sandbox = Sandbox::new();
    let golden =
        fs::read_to_string(project().join("journals/classic_dealt_won.json")).expect("a journal");
    let lines: Vec<_> = golden.lines().collect();
    sandbox.write("cut.json", &golden[..3000]);
    sandbox.write("no_end.json", lines[..lines.len() - 1].join("\n"));
    let repaired = ["journal", "repair", "cut.json", "repaired.json"];
    sandbox.war(&repaired).exits_with(0);
    sandbox.write(
        "damaged.json",
        golden.replacen("\"card\":11", "\"card\":12", 1),
    );
    let diverged = super::journal_faults::edited(4, "[11,10,12,13]", "[13,12,11,10]");
    sandbox.write("diverged.json", diverged);
    sandbox.write("header.json", &golden[..100]);
    sandbox.write("empty.json", "");
    sandbox.write("other.json", "[[9]]");
    sandbox.write(
        "newer.json",
        golden.replacen("\"version\":1", "\"version\":99", 1),
    );
    let column = golden[..3000].rfind('\n').map(|at| 3000 - at);
    let after = lines[lines.len() - 2].len() + 1;
    for (name, code, expected, events) in [
        (
            "damaged.json",
            1,
            json!(["DAMAGED", "WJ202", 3, 2, null]),
            1,
        ),
        (
            "diverged.json",
            1,
            json!(["DIVERGED", "WJ301", 4, 2, null]),
            2,
        ),
        (
            "cut.json",
            3,
            json!(["INCOMPLETE", "WJ101", 17, column, "seed"]),
            15,
        ),
        (
            "no_end.json",
            3,
            json!(["INCOMPLETE", "WJ102", lines.len() - 1, after, "seed"]),
            53,
        ),
        (
            "repaired.json",
            3,
            json!(["INCOMPLETE", null, null, null, "seed"]),
            15,
        ),
        (
            "header.json",
            3,
            json!(["INCOMPLETE", "WJ101", 1, 101, null]),
            0,
        ),
        (
            "newer.json",
            5,
            json!(["UNSUPPORTED", "WJ003", 1, 1, null]),
            0,
        ),
        ("other.json", 1, json!(["DAMAGED", "WJ002", 1, 1, null]), 0),
    ] {
        let found = result_of_both(&sandbox, name, code);
        let fields = VERDICT_FIELDS.map(|field| found[field].clone());
        assert_eq!(json!(fields), expected, "{name}: {found}");
        assert_eq!(found["events"], events, "{name}");
        assert_eq!(found["journal"], name);
        assert_eq!(
            found["message"].is_null(),
            name == "repaired.json",
            "{found}"
        );
        // Header fields are known if there is a header, and the end only if it was read.
        let is_begun = !["header.json", "newer.json", "other.json"].contains(&name);
        assert_eq!(found["seed"] == "1", is_begun, "{found}");
        for field in [
            "outcome",
            "turns",
            "players",
            "console",
            "digest",
            "longest_war",
        ] {
            assert_eq!(
                found[field].is_null(),
                name != "repaired.json",
                "{field}: {found}"
            );
        }
    }
    let missing = result_of_both(&sandbox, "missing.json", 4);
    assert_eq!(missing["verdict"], "UNREADABLE");
    assert_eq!(
        missing["message"], "can't read `missing.json`: no such file or directory",
        "{missing}"
    );
    let other = ["replay", "game.json", "--result", "json", "--expect-digest"];
    sandbox.write("game.json", &golden);
    let run = sandbox.war(&[&other[..], &["75beb305410a611f291a47ef8b561854"]].concat());
    let found = result(&run.exits_with(1));
    assert_eq!(
        (&found["verdict"], &found["code"]),
        (&json!("UNEXPECTED"), &json!("WJ204"))
    );
    assert_eq!(found["digest"], "65beb305410a611f291a47ef8b561854");
    assert_eq!(
        (&found["proof"], &found["line"]),
        (&json!("seed"), &json!(lines.len()))
    );
}

#[test]
fn a_check_prints_an_object_for_each_file_in_both_languages() {
    let sandbox = Sandbox::new();
    sandbox.write("bad\n.json", "[[9]]");
    let journal =
        fs::read_to_string(project().join("journals/single_card_tied.json")).expect("a journal");
    sandbox.write("tokens.json", journal);
    let files = ["tokens.json", "bad\n.json", "missing.json", "tokens.json"];
    let run = [&["journal", "check", "--result", "json"], &files[..]].concat();
    let run = sandbox.war(&run).exits_with(1);
    let lines: Vec<Value> = run
        .stdout
        .lines()
        .map(|line| serde_json::from_str(line).expect("an object"))
        .collect();
    let verdicts: Vec<_> = lines.iter().map(|line| &line["verdict"]).collect();
    assert_eq!(verdicts, ["VERIFIED", "DAMAGED", "UNREADABLE", "VERIFIED"]);
    let names: Vec<_> = lines.iter().map(|line| &line["journal"]).collect();
    assert_eq!(names, files);
    assert_eq!(lines[0]["proof"], "commitment");
    assert_eq!(lines[0], lines[3]);
    let replayed = sandbox.war(&["replay", "tokens.json", "--result", "json"]);
    assert_eq!(lines[0], result(&replayed));
    let polish = sandbox.war(&["--lang", "pl", "replay", "missing.json", "--result", "json"]);
    assert_eq!(
        result(&polish)["message"],
        "nie można odczytać `missing.json`: nie ma takiego pliku ani katalogu",
        "{polish:#?}"
    );
}

#[test]
fn a_live_game_has_no_verdict() {
    let sandbox = Sandbox::new();
    let found = result(&sandbox.war(&["xy", "1", "--result", "json"]));
    for field in VERDICT_FIELDS {
        assert_eq!(found.get(field), Some(&Value::Null), "{field}");
    }
}

#[test]
fn the_help_lists_exactly_the_existing_fields() {
    let sandbox = Sandbox::new();
    let found = result(&sandbox.war(&["xy", "1", "--result", "json"]));
    let fields: BTreeSet<_> = found
        .as_object()
        .expect("an object")
        .keys()
        .cloned()
        .collect();
    let help = Run::of(sandbox.command(&["xy", "--help"]).env("COLUMNS", "100")).stdout;
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
fn the_library_lists_exactly_the_existing_fields() {
    let sandbox = Sandbox::new();
    let found = result(&sandbox.war(&["xy", "1", "--result", "json"]));
    let source = fs::read_to_string(project().join("src/result.rs")).expect("the source");
    let rows = source
        .lines()
        .filter_map(|line| line.trim().strip_prefix("/// | `"));
    let names = rows.filter_map(|row| row.split_once("` | "));
    let listed: BTreeSet<_> = names.flat_map(|(names, _)| names.split("`, `")).collect();
    let fields = found.as_object().expect("an object").keys();
    assert_eq!(listed, fields.map(String::as_str).collect());
}

#[test]
fn only_a_single_played_game_has_a_result() {
    let sandbox = Sandbox::new();
    sandbox.write("many/ssc_a.json", "[[9]]");
    sandbox.write("many/ssc_b.json", "[[9]]");
    let run = sandbox.war(&["2", "small", "--scenarios", "many", "--result", "json"]);
    run.exits_with(2).reports("a single game");
    let run = sandbox.war(&["simulate", "--games", "5", "--result", "json"]);
    assert_eq!(run.exits_with(2).stdout, "");
    let run = sandbox
        .war(&["2", "small", "--result", "xml"])
        .exits_with(2);
    run.reports("json");
    let run = sandbox.war(&["replay", "x", "--turn", "1", "--result", "json"]);
    run.exits_with(2).reports("together");
    sandbox.write("bad.json", "[[9]]");
    let run = sandbox.war(&["--scenario", "bad.json", "--result", "json"]);
    assert_eq!(run.exits_with(1).stdout, "");
}

#[test]
fn corrections_that_no_screen_shows_are_warnings() {
    let sandbox = Sandbox::new();
    let run = sandbox.war(&["9", "small", "--seed", "1", "--result", "json"]);
    let run = run
        .exits_with(0)
        .reports("warning: Number of players corrected to 5, you provided 9");
    assert_eq!(result(&run)["players"].as_array().map(Vec::len), Some(5));
}
