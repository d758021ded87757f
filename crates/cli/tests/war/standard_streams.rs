//! `-`: standard input or output, or a clear refusal.

use super::support::{Place, files};
use std::fs;

const HANDS: &str = "[[9,9,10,10,14,14,11,10],[9,9,11,11,11,12,13,14],[14,10,12,12,12,13,13,13]]";

#[test]
fn every_file_that_is_read_once_may_be_standard_input() {
    let place = Place::new();
    let journal = fs::read(&files("journals", "xy_seed_42.json")[0]).expect("a journal");
    let table = place.war(&["xy", "42"]).ends_with(0).stdout;
    let part = ["simulate", "--games", "4", "--seed", "1", "--json", "-"];
    let part = place.war(&part).ends_with(0).stdout;
    place.write("journal.json", &journal);
    for (arguments, input) in [
        (&["replay", "-", "--quiet"][..], &journal[..]),
        (&["journal", "check", "journal.json", "-"], &journal),
        (&["journal", "show", "-"], &journal),
        (&["journal", "diff", "-", "journal.json"], &journal),
        (&["import", "xy", "-"], table.as_bytes()),
        (&["simulate", "merge", "-"], part.as_bytes()),
        (
            &["simulate", "--deal", "-", "--games", "2"],
            HANDS.as_bytes(),
        ),
        (&["--scenario", "-"], HANDS.as_bytes()),
        (&["duels", "--scenario", "-"], HANDS.as_bytes()),
        (
            &["--config", "-", "1", "small"],
            b"[log]\nlevel = \"off\"\n",
        ),
    ] {
        let run = place.war_reading(input, arguments).ends_with(0);
        let empty = place.war_reading(b"\xff", arguments);
        assert_ne!(empty.code, run.code, "{arguments:?} does not read it");
    }
}

#[test]
fn what_is_called_after_its_file_is_called_stdin() {
    let place = Place::new();
    let played = place.war_reading(HANDS.as_bytes(), &["--scenario", "-"]);
    let first = played.stdout.lines().next();
    assert_eq!(first, Some("special scenario code: STDIN"));
    let table = place.war(&["xy", "42"]).stdout;
    place.war_reading(table.as_bytes(), &["import", "xy", "-"]);
    place.war(&["replay", "-q", "stdin.json"]).ends_with(0);
}

#[test]
fn a_stream_where_none_can_be_is_refused_with_the_option_s_name() {
    let place = Place::new();
    place.write("cut.json", "{");
    for (arguments, option) in [
        (&["2", "small", "--journal-dir", "-"][..], "`--journal-dir`"),
        (&["2", "small", "--scenarios", "-"], "`--scenarios`"),
        (
            &["import", "xy", "x", "--journal-dir", "-"],
            "`--journal-dir`",
        ),
        (&["journal", "repair", "cut.json", "-"], "`NEW`"),
        (&["journal", "repair", "-", "new.json"], "save it to a file"),
        (&["journal", "check", "-", "-"], "only once"),
        (&["journal", "diff", "-", "-"], "only once"),
        (&["replay", "-", "--config", "-"], "only once"),
        (&["simulate", "merge", "-", "-"], "only once"),
        (&["simulate", "--json", "-", "--csv", "-"], "two outputs"),
    ] {
        let run = place.war(arguments).ends_with(2).tells(option);
        assert_eq!(run.stdout, "", "{arguments:?}");
    }
    assert!(!place.path("-").exists(), "a file got the name");
}

#[test]
fn an_output_on_standard_output_has_it_for_itself() {
    let place = Place::new();
    for option in ["--json", "--csv", "--csv-games", "--plot"] {
        let run = ["simulate", "--games", "50", "--seed", "3", option];
        let file = place.war(&[&run[..], &["file"]].concat()).ends_with(0);
        assert!(
            file.stdout.contains("with seed 3"),
            "the summary is printed"
        );
        let stream = place.war(&[&run[..], &["-"]].concat()).ends_with(0);
        assert_eq!(stream.stdout, place.read("file"), "{option}");
        assert_eq!(stream.stderr, "");
    }
    let run = place.war(&["simulate", "--games", "5", "--json", "-"]);
    let run = run.ends_with(0).tells("the random seed is ");
    let figures: serde_json::Value = serde_json::from_str(&run.stdout).expect("JSON alone");
    let told = run
        .stderr
        .lines()
        .next()
        .and_then(|line| line.split(' ').next_back());
    let seed = figures["seed"].to_string();
    assert_eq!(told, Some(seed.trim_matches('"')));
}
