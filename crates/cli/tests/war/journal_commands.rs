//! `war journal check|show|diff|repair`.

use super::journal_faults::edited;
use super::support::{Place, Run, files, reviewed};
use std::cmp::Reverse;
use std::fs;

/// Three journals: a game, the same game cut off, and another one.
fn place() -> Place {
    let place = Place::new();
    for (seed, name) in [("1", "a.json"), ("2", "b.json")] {
        place
            .war(&["4", "small", "--seed", seed, "--journal", name])
            .ends_with(0);
    }
    let cut = place.read("a.json")[..3000].to_owned();
    place.write("cut.json", cut);
    place
}

#[test]
fn check_prints_a_line_for_each_file_and_ends_with_the_worst_code() {
    let place = place();
    let both = place.war(&["journal", "check", "a.json", "b.json"]);
    assert_eq!(both.ends_with(0).stderr, "");
    let damaged = place.read("a.json").replace("\"turn\":1,", "\"turn\":2,");
    place.write("damaged.json", damaged);
    place.write("new.json", place.read("a.json").replace("/1", "/99"));
    let diverged = edited(4, "[11,10,12,13]", "[13,12,11,10]");
    place.write("diverged.json", diverged);
    let files = [
        ("cut.json", "INCOMPLETE", 3),
        ("a.json", "VERIFIED", 0),
        ("damaged.json", "DAMAGED", 1),
        ("missing.json", "UNREADABLE", 4),
        ("diverged.json", "DIVERGED", 1),
        ("new.json", "UNSUPPORTED", 5),
    ];
    let names: Vec<_> = files.iter().map(|(name, ..)| *name).collect();
    let run = place.war(&[&["journal", "check"], &names[..]].concat());
    let run = run.ends_with(1);
    assert_eq!(run.stdout.lines().count(), files.len(), "{run:#?}");
    for ((name, verdict, code), line) in files.into_iter().zip(run.stdout.lines()) {
        assert!(line.starts_with(&format!("{verdict} {name}")), "{line}");
        assert!(!run.stderr.contains(verdict), "{run:#?}");
        assert_eq!(run.stderr.contains(name), code != 0, "{name} in {run:#?}");
        let alone = place.war(&["journal", "check", name]).ends_with(code);
        assert_eq!(alone.stdout, format!("{line}\n"));
    }
    // What the two sides say stands beside the fault, and not in the list.
    assert!(run.stderr.contains("expected event:"), "{run:#?}");
    for (files, code) in [
        (["a.json", "missing.json"], 4),
        (["cut.json", "missing.json"], 4),
        (["cut.json", "damaged.json"], 1),
        (["cut.json", "new.json"], 5),
    ] {
        place
            .war(&[&["journal", "check"], &files[..]].concat())
            .ends_with(code);
    }
}

#[test]
fn show_prints_header_and_summary() {
    let place = place();
    let run = place.war(&["journal", "show", "a.json"]).ends_with(0);
    reviewed("journal_show", &run.stdout);
    let polish = place
        .war(&["--lang", "pl", "journal", "show", "a.json"])
        .ends_with(0);
    assert!(
        polish.stdout.contains("karty:    tasowanie z ziarnem 1"),
        "{polish:#?}"
    );
}

#[test]
fn diff_prints_the_first_difference() {
    let place = place();
    let same = place
        .war(&["journal", "diff", "a.json", "a.json"])
        .ends_with(0);
    assert_eq!(same.stdout, "no differences\n");
    let headers = place
        .war(&["journal", "diff", "a.json", "b.json"])
        .ends_with(1);
    assert!(
        headers.stdout.starts_with("the headers differ\na.json: {"),
        "{headers:#?}"
    );
    let journal = edited(4, "[11,10,12,13]", "[13,12,11,10]");
    place.write("c.json", journal);
    let event = place
        .war(&["journal", "diff", "a.json", "c.json"])
        .ends_with(1);
    let (difference, screens) = event.stdout.split_once("\n\n").expect("screens");
    assert_eq!(
        difference,
        "event 2 in turn 1 differs\n\
         a.json: {\"collected\":{\"player\":4,\"cards\":[11,10,12,13]}} turn 1 state 3f8052db223545b7\n\
         c.json: {\"collected\":{\"player\":4,\"cards\":[13,12,11,10]}} turn 1 state 3f8052db223545b7"
    );
    let first = place.war(&["replay", "a.json", "--turn", "1"]).stdout;
    let rest = "(what follows is not by the rules: `war replay` says more)";
    assert_eq!(
        screens,
        format!("a.json, turn 1:\n{first}\nc.json, turn 1:\n{first}{rest}\n")
    );
    let end = edited(55, "\"bytes\":5391", "\"bytes\":5392");
    place.write("d.json", end);
    let end = place
        .war(&["journal", "diff", "a.json", "d.json"])
        .ends_with(1);
    assert!(
        end.stdout.starts_with("the end records differ\n"),
        "{end:#?}"
    );
    place
        .war(&["journal", "diff", "a.json", "cut.json"])
        .ends_with(3)
        .tells("cut.json:");
}

/// Two games from the same cards by rules that differ in their first war.
fn parting() -> (Place, u32) {
    let place = Place::new();
    for face_down in ["0", "2"] {
        let name = format!("{face_down}.json");
        let game = ["simulate", "--game", "1:3", "--face-down", face_down];
        let game = [&game[..], &["--journal", &name]].concat();
        place.war(&game).ends_with(0);
    }
    let rows = place.war(&["journal", "export", "0.json"]).stdout;
    let mut rows = rows.lines();
    let war = rows
        .find(|row| row.contains("\"war\":true"))
        .expect("a war");
    let war: serde_json::Value = serde_json::from_str(war).expect("a row");
    let turn = war["turn"].as_u64().expect("a turn");
    (place, u32::try_from(turn).expect("a turn"))
}

#[test]
fn diff_shows_both_screens_of_the_turn_where_games_part() {
    let (place, turn) = parting();
    let turn_option = turn.to_string();
    let screen = |name: &str, lang: &str| {
        let run = place.war(&["replay", name, "--turn", &turn_option, "--lang", lang]);
        run.ends_with(0).stdout
    };
    for (lang, word) in [("en", "turn"), ("pl", "tura")] {
        let diff = ["journal", "diff", "0.json", "2.json", "--lang", lang];
        let run = place.war(&diff).ends_with(1);
        let (_, screens) = run.stdout.split_once("\n\n").expect("screens");
        let expected = format!(
            "0.json, {word} {turn}:\n{}\n2.json, {word} {turn}:\n{}",
            screen("0.json", lang),
            screen("2.json", lang)
        );
        assert_eq!(screens, expected);
    }
    // Standard input is read twice, too.
    let other = place.read("2.json");
    let run = place.war_reading(other.as_bytes(), &["journal", "diff", "0.json", "-"]);
    let screens = run.ends_with(1).stdout;
    assert!(screens.ends_with(&format!("-, turn {turn}:\n{}", screen("2.json", "en"))));
}

#[test]
fn diff_shows_the_screen_of_a_game_that_goes_on() {
    let place = place();
    place
        .war(&["journal", "repair", "cut.json", "short.json"])
        .ends_with(0);
    let run = place.war(&["journal", "diff", "a.json", "short.json"]);
    let run = run.ends_with(1);
    let whole = place.war(&["replay", "a.json", "--turn", "5"]).stdout;
    let shown = format!("\na.json, turn 5:\n{whole}\nshort.json, turn 5:\n");
    assert!(run.stdout.contains(&shown), "{run:#?}");
}

#[test]
fn diff_says_where_only_the_journals_differ_and_not_the_games() {
    let place = Place::new();
    for (engine, name) in [("a", "a.json"), ("b", "b.json")] {
        let game = [
            "4",
            "small",
            "--seed",
            "1",
            "--journal-version",
            "2",
            "--journal",
            name,
        ];
        let note = format!("who={engine}");
        place
            .war(&[&game[..], &["--meta", &note]].concat())
            .ends_with(0);
    }
    let run = place.war(&["journal", "diff", "a.json", "b.json"]);
    let run = run.ends_with(1);
    assert!(run.stdout.starts_with("the headers differ\n"), "{run:#?}");
    let same = "\nthe games are the same, event by event\n";
    assert!(run.stdout.ends_with(same), "{run:#?}");
}

#[test]
fn standard_input_is_read_once() {
    let place = place();
    place
        .war(&["journal", "diff", "-", "-"])
        .ends_with(2)
        .tells("only once");
    place
        .war(&["journal", "repair", "-", "new.json"])
        .ends_with(2)
        .tells("save it to a file");
    let journal = place.read("a.json");
    let run = place.war_reading(journal.as_bytes(), &["journal", "diff", "a.json", "-"]);
    assert_eq!(run.ends_with(0).stdout, "no differences\n");
    let run = place.war_reading(journal.as_bytes(), &["journal", "check", "-"]);
    assert!(run.ends_with(0).stdout.starts_with("VERIFIED -: "));
}

#[test]
fn a_journal_of_another_renderer_is_not_repaired() {
    let place = place();
    let other = edited(1, "\"renderer\":1", "\"renderer\":2");
    place.write("other.json", &other[..3000]);
    let run = place
        .war(&["journal", "repair", "other.json", "new.json"])
        .ends_with(5);
    run.tells("unknown renderer 2").tells("UNSUPPORTED");
    assert!(!place.path("new.json").exists());
}

#[test]
fn wars_without_a_reveal_are_counted() {
    let place = Place::new();
    let nines = format!("[[14],[14],[{}]]", ["9"; 22].join(","));
    place.write("wars.json", nines);
    place
        .war(&["--scenario", "wars.json", "--journal", "game.json"])
        .ends_with(0);
    let run = place.war(&["journal", "show", "game.json"]).ends_with(0);
    assert!(run.stdout.contains("wars:     2\n"), "{run:#?}");
}

#[test]
fn repair_ends_a_cut_journal_in_a_new_file() {
    let place = place();
    let before = place.read("cut.json");
    place
        .war(&["journal", "repair", "cut.json", "new.json"])
        .ends_with(0)
        .tells("new.json");
    assert_eq!(place.read("cut.json"), before);
    let new = place
        .war(&["replay", "new.json"])
        .ends_with(3)
        .tells("INCOMPLETE new.json");
    let cut = place.war(&["replay", "cut.json"]).ends_with(3);
    assert_eq!(new.stdout, cut.stdout);
    let intact = place.read("new.json").lines().count() - 1;
    assert!(
        place
            .read("a.json")
            .lines()
            .take(intact)
            .eq(place.read("new.json").lines().take(intact))
    );
}

#[test]
fn repair_leaves_everything_else_alone() {
    let place = place();
    place
        .war(&["journal", "repair", "a.json", "new.json"])
        .ends_with(1)
        .tells("was not repaired");
    place.write(
        "damaged.json",
        place.read("a.json").replace("\"turn\":1,", "\"turn\":2,"),
    );
    place
        .war(&["journal", "repair", "damaged.json", "new.json"])
        .ends_with(1);
    let header = place
        .read("a.json")
        .lines()
        .next()
        .expect("a header")
        .to_owned();
    place.write("header.json", header);
    place
        .war(&["journal", "repair", "header.json", "new.json"])
        .ends_with(1);
    assert!(!place.path("new.json").exists());
    place.write("taken.json", "mine");
    place
        .war(&["journal", "repair", "cut.json", "taken.json"])
        .ends_with(4)
        .tells("WJ401");
    place
        .war(&["journal", "repair", "cut.json", "cut.json"])
        .ends_with(4)
        .tells("WJ401");
    assert_eq!(
        fs::read_to_string(place.path("taken.json")).expect("the file"),
        "mine"
    );
}

#[test]
fn many_journals_are_told_in_the_order_given() {
    let place = Place::new();
    let mut names: Vec<_> = files("journals", ".json");
    names.sort_by_key(|path| Reverse(path.metadata().expect("a file").len()));
    names.insert(3, place.write("no_journal.json", "{}"));
    names.insert(9, place.path("missing.json"));
    let names: Vec<_> = names.iter().filter_map(|path| path.to_str()).collect();
    let alone: Vec<_> = names
        .iter()
        .map(|name| place.war(&["journal", "check", name]))
        .collect();
    let all = place.war(&[&["journal", "check"], &names[..]].concat());
    let told = |of: fn(&Run) -> &String| alone.iter().map(of).cloned().collect::<String>();
    assert_eq!(all.stdout, told(|run| &run.stdout));
    assert_eq!(all.stderr, told(|run| &run.stderr));
    assert_eq!(all.stdout.lines().count(), names.len());
    assert_eq!(all.code, 1);
}
