//! `war journal check|show|diff|repair`.

use super::journal_faults::edited;
use super::support::{Run, Sandbox, files, reviewed};
use std::cmp::Reverse;
use std::fs;

/// Three journals: a game, a truncated copy of it, and another game.
fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    for (seed, name) in [("1", "a.json"), ("2", "b.json")] {
        sandbox
            .war(&["4", "small", "--seed", seed, "--journal", name])
            .exits_with(0);
    }
    let cut = sandbox.read("a.json")[..3000].to_owned();
    sandbox.write("cut.json", cut);
    sandbox
}

#[test]
fn check_prints_a_line_for_each_file_and_ends_with_the_worst_code() {
    let sandbox = sandbox();
    let both = sandbox.war(&["journal", "check", "a.json", "b.json"]);
    assert_eq!(both.exits_with(0).stderr, "");
    let damaged = sandbox.read("a.json").replace("\"turn\":1,", "\"turn\":2,");
    sandbox.write("damaged.json", damaged);
    sandbox.write("new.json", sandbox.read("a.json").replace("/1", "/99"));
    let diverged = edited(4, "[11,10,12,13]", "[13,12,11,10]");
    sandbox.write("diverged.json", diverged);
    let files = [
        ("cut.json", "INCOMPLETE", 3),
        ("a.json", "VERIFIED", 0),
        ("damaged.json", "DAMAGED", 1),
        ("missing.json", "UNREADABLE", 4),
        ("diverged.json", "DIVERGED", 1),
        ("new.json", "UNSUPPORTED", 5),
    ];
    let names: Vec<_> = files.iter().map(|(name, ..)| *name).collect();
    let run = sandbox.war(&[&["journal", "check"], &names[..]].concat());
    let run = run.exits_with(1);
    assert_eq!(run.stdout.lines().count(), files.len(), "{run:#?}");
    for ((name, verdict, code), line) in files.into_iter().zip(run.stdout.lines()) {
        assert!(line.starts_with(&format!("{verdict} {name}")), "{line}");
        assert!(!run.stderr.contains(verdict), "{run:#?}");
        assert_eq!(run.stderr.contains(name), code != 0, "{name} in {run:#?}");
        let alone = sandbox.war(&["journal", "check", name]).exits_with(code);
        assert_eq!(alone.stdout, format!("{line}\n"));
    }
    // The recorded and the expected event of a divergence are printed on standard error, and not
    // in the list of verdicts.
    assert!(run.stderr.contains("expected event:"), "{run:#?}");
    for (files, code) in [
        (["a.json", "missing.json"], 4),
        (["cut.json", "missing.json"], 4),
        (["cut.json", "damaged.json"], 1),
        (["cut.json", "new.json"], 5),
    ] {
        sandbox
            .war(&[&["journal", "check"], &files[..]].concat())
            .exits_with(code);
    }
}

#[test]
fn show_prints_header_and_summary() {
    let sandbox = sandbox();
    let run = sandbox.war(&["journal", "show", "a.json"]).exits_with(0);
    reviewed("journal_show", &run.stdout);
    let polish = sandbox
        .war(&["--lang", "pl", "journal", "show", "a.json"])
        .exits_with(0);
    assert!(
        polish.stdout.contains("karty:    tasowanie z ziarnem 1"),
        "{polish:#?}"
    );
}

#[test]
fn diff_prints_the_first_difference() {
    let sandbox = sandbox();
    let same = sandbox
        .war(&["journal", "diff", "a.json", "a.json"])
        .exits_with(0);
    assert_eq!(same.stdout, "no differences\n");
    let headers = sandbox
        .war(&["journal", "diff", "a.json", "b.json"])
        .exits_with(1);
    assert!(
        headers.stdout.starts_with("the headers differ\na.json: {"),
        "{headers:#?}"
    );
    let journal = edited(4, "[11,10,12,13]", "[13,12,11,10]");
    sandbox.write("c.json", journal);
    let event = sandbox
        .war(&["journal", "diff", "a.json", "c.json"])
        .exits_with(1);
    let (difference, screens) = event.stdout.split_once("\n\n").expect("screens");
    assert_eq!(
        difference,
        "event 2 in turn 1 differs\n\
         a.json: {\"collected\":{\"player\":4,\"cards\":[11,10,12,13]}} turn 1 state 3f8052db223545b7\n\
         c.json: {\"collected\":{\"player\":4,\"cards\":[13,12,11,10]}} turn 1 state 3f8052db223545b7"
    );
    let first = sandbox.war(&["replay", "a.json", "--turn", "1"]).stdout;
    let rest = "(what follows is not by the rules: `war replay` says more)";
    assert_eq!(
        screens,
        format!("a.json, turn 1:\n{first}\nc.json, turn 1:\n{first}{rest}\n")
    );
    let end = edited(55, "\"bytes\":5391", "\"bytes\":5392");
    sandbox.write("d.json", end);
    let end = sandbox
        .war(&["journal", "diff", "a.json", "d.json"])
        .exits_with(1);
    assert!(
        end.stdout.starts_with("the end records differ\n"),
        "{end:#?}"
    );
    sandbox
        .war(&["journal", "diff", "a.json", "cut.json"])
        .exits_with(3)
        .reports("cut.json:");
}

/// Two games with the same cards, by rules that differ in their first war.
fn diverging_games() -> (Sandbox, u32) {
    let sandbox = Sandbox::new();
    for face_down in ["0", "2"] {
        let name = format!("{face_down}.json");
        let game = ["simulate", "--game", "1:3", "--face-down", face_down];
        let game = [&game[..], &["--journal", &name]].concat();
        sandbox.war(&game).exits_with(0);
    }
    let rows = sandbox.war(&["journal", "export", "0.json"]).stdout;
    let mut rows = rows.lines();
    let war = rows
        .find(|row| row.contains("\"war\":true"))
        .expect("a war");
    let war: serde_json::Value = serde_json::from_str(war).expect("a row");
    let turn = war["turn"].as_u64().expect("a turn");
    (sandbox, u32::try_from(turn).expect("a turn"))
}

#[test]
fn diff_shows_both_screens_of_the_turn_where_games_differ() {
    let (sandbox, turn) = diverging_games();
    let turn_option = turn.to_string();
    let screen = |name: &str, lang: &str| {
        let run = sandbox.war(&["replay", name, "--turn", &turn_option, "--lang", lang]);
        run.exits_with(0).stdout
    };
    for (lang, word) in [("en", "turn"), ("pl", "tura")] {
        let diff = ["journal", "diff", "0.json", "2.json", "--lang", lang];
        let run = sandbox.war(&diff).exits_with(1);
        let (_, screens) = run.stdout.split_once("\n\n").expect("screens");
        let expected = format!(
            "0.json, {word} {turn}:\n{}\n2.json, {word} {turn}:\n{}",
            screen("0.json", lang),
            screen("2.json", lang)
        );
        assert_eq!(screens, expected);
    }
    // Standard input is read twice, too.
    let other = sandbox.read("2.json");
    let run = sandbox.war_reading(other.as_bytes(), &["journal", "diff", "0.json", "-"]);
    let screens = run.exits_with(1).stdout;
    assert!(screens.ends_with(&format!("-, turn {turn}:\n{}", screen("2.json", "en"))));
}

#[test]
fn diff_shows_the_screen_of_the_longer_game() {
    let sandbox = sandbox();
    sandbox
        .war(&["journal", "repair", "cut.json", "short.json"])
        .exits_with(0);
    let run = sandbox.war(&["journal", "diff", "a.json", "short.json"]);
    let run = run.exits_with(1);
    let whole = sandbox.war(&["replay", "a.json", "--turn", "5"]).stdout;
    let shown = format!("\na.json, turn 5:\n{whole}\nshort.json, turn 5:\n");
    assert!(run.stdout.contains(&shown), "{run:#?}");
}

#[test]
fn diff_reports_journals_that_differ_although_their_games_do_not() {
    let sandbox = Sandbox::new();
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
        sandbox
            .war(&[&game[..], &["--meta", &note]].concat())
            .exits_with(0);
    }
    let run = sandbox.war(&["journal", "diff", "a.json", "b.json"]);
    let run = run.exits_with(1);
    assert!(run.stdout.starts_with("the headers differ\n"), "{run:#?}");
    let same = "\nthe games are the same, event by event\n";
    assert!(run.stdout.ends_with(same), "{run:#?}");
}

#[test]
fn standard_input_is_read_once() {
    let sandbox = sandbox();
    sandbox
        .war(&["journal", "diff", "-", "-"])
        .exits_with(2)
        .reports("only once");
    sandbox
        .war(&["journal", "repair", "-", "new.json"])
        .exits_with(2)
        .reports("save it to a file");
    let journal = sandbox.read("a.json");
    let run = sandbox.war_reading(journal.as_bytes(), &["journal", "diff", "a.json", "-"]);
    assert_eq!(run.exits_with(0).stdout, "no differences\n");
    let run = sandbox.war_reading(journal.as_bytes(), &["journal", "check", "-"]);
    assert!(run.exits_with(0).stdout.starts_with("VERIFIED -: "));
}

#[test]
fn a_journal_of_another_renderer_is_not_repaired() {
    let sandbox = sandbox();
    let other = edited(1, "\"renderer\":1", "\"renderer\":2");
    sandbox.write("other.json", &other[..3000]);
    let run = sandbox
        .war(&["journal", "repair", "other.json", "new.json"])
        .exits_with(5);
    run.reports("unknown renderer 2").reports("UNSUPPORTED");
    assert!(!sandbox.path("new.json").exists());
}

#[test]
fn wars_without_a_reveal_are_counted() {
    let sandbox = Sandbox::new();
    let nines = format!("[[14],[14],[{}]]", ["9"; 22].join(","));
    sandbox.write("wars.json", nines);
    sandbox
        .war(&["--scenario", "wars.json", "--journal", "game.json"])
        .exits_with(0);
    let run = sandbox.war(&["journal", "show", "game.json"]).exits_with(0);
    assert!(run.stdout.contains("wars:     2\n"), "{run:#?}");
}

#[test]
fn repair_completes_a_truncated_journal_in_a_new_file() {
    let sandbox = sandbox();
    let before = sandbox.read("cut.json");
    sandbox
        .war(&["journal", "repair", "cut.json", "new.json"])
        .exits_with(0)
        .reports("new.json");
    assert_eq!(sandbox.read("cut.json"), before);
    let new = sandbox
        .war(&["replay", "new.json"])
        .exits_with(3)
        .reports("INCOMPLETE new.json");
    let cut = sandbox.war(&["replay", "cut.json"]).exits_with(3);
    assert_eq!(new.stdout, cut.stdout);
    let intact = sandbox.read("new.json").lines().count() - 1;
    assert!(
        sandbox
            .read("a.json")
            .lines()
            .take(intact)
            .eq(sandbox.read("new.json").lines().take(intact))
    );
}

#[test]
fn repair_leaves_everything_else_alone() {
    let sandbox = sandbox();
    sandbox
        .war(&["journal", "repair", "a.json", "new.json"])
        .exits_with(1)
        .reports("was not repaired");
    sandbox.write(
        "damaged.json",
        sandbox.read("a.json").replace("\"turn\":1,", "\"turn\":2,"),
    );
    sandbox
        .war(&["journal", "repair", "damaged.json", "new.json"])
        .exits_with(1);
    let header = sandbox
        .read("a.json")
        .lines()
        .next()
        .expect("a header")
        .to_owned();
    sandbox.write("header.json", header);
    sandbox
        .war(&["journal", "repair", "header.json", "new.json"])
        .exits_with(1);
    assert!(!sandbox.path("new.json").exists());
    sandbox.write("taken.json", "mine");
    sandbox
        .war(&["journal", "repair", "cut.json", "taken.json"])
        .exits_with(4)
        .reports("WJ401");
    sandbox
        .war(&["journal", "repair", "cut.json", "cut.json"])
        .exits_with(4)
        .reports("WJ401");
    assert_eq!(
        fs::read_to_string(sandbox.path("taken.json")).expect("the file"),
        "mine"
    );
}

#[test]
fn many_journals_are_reported_in_the_order_given() {
    let sandbox = Sandbox::new();
    let mut names: Vec<_> = files("journals", ".json");
    names.sort_by_key(|path| Reverse(path.metadata().expect("a file").len()));
    names.insert(3, sandbox.write("no_journal.json", "{}"));
    names.insert(9, sandbox.path("missing.json"));
    let names: Vec<_> = names.iter().filter_map(|path| path.to_str()).collect();
    let alone: Vec<_> = names
        .iter()
        .map(|name| sandbox.war(&["journal", "check", name]))
        .collect();
    let all = sandbox.war(&[&["journal", "check"], &names[..]].concat());
    let told = |of: fn(&Run) -> &String| alone.iter().map(of).cloned().collect::<String>();
    assert_eq!(all.stdout, told(|run| &run.stdout));
    assert_eq!(all.stderr, told(|run| &run.stderr));
    assert_eq!(all.stdout.lines().count(), names.len());
    assert_eq!(all.code, 1);
}
