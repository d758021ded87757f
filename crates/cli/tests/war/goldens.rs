//! Games printed by an independent program: the same bytes, live and replayed.

use super::support::{Sandbox, files};
use std::fs;

#[test]
fn classic_goldens_are_reproduced_byte_for_byte() {
    for scenario in files("tests/goldens/classic", ".json") {
        let expected = fs::read_to_string(scenario.with_extension("txt")).expect("the golden");
        let path = scenario.to_str().expect("a name");
        Sandbox::new().prints_and_replays(&["--scenario", path], &expected);
    }
}

#[test]
fn shipped_examples_match_the_goldens() {
    for scenario in files("tests/goldens/classic", ".json") {
        let expected = fs::read_to_string(scenario.with_extension("txt")).expect("the golden");
        let name = scenario
            .file_stem()
            .and_then(|name| name.to_str())
            .expect("a name");
        let name = name.trim_start_matches("ssc_");
        let run = Sandbox::new().war(&["--scenario", name]).exits_with(0);
        assert!(
            run.stdout == expected,
            "the example {name} prints something else"
        );
    }
}

#[test]
fn usage_is_printed_verbatim() {
    let expected = fs::read_to_string(super::support::project().join("tests/goldens/usage.txt"));
    let expected = expected.expect("the golden");
    for (arguments, last) in [
        (&[][..], "Other commands: war duels, "),
        (&["4"], "Other commands: war duels, "),
        (&["4", "small", "x"], "Other commands: war duels, "),
        (&["--seed", "1"], "Other commands: war duels, "),
        (&["sim"], "Did you mean: war simulate"),
        (
            &["Simulation", "100", "games"],
            "Did you mean: war simulate",
        ),
        (&["play"], "Did you mean: war 4 small"),
        (&["plya", "4", "small"], "Did you mean: war 4 small"),
        (&["version"], "Did you mean: war --version"),
        (&["rules"], "Did you mean: war help rules"),
        (&["scenario"], "Did you mean: war help scenarios"),
        (&["repaly"], "Did you mean: war replay"),
        (&["journals", "check", "x"], "Did you mean: war journal"),
    ] {
        let run = Sandbox::new().war(arguments).exits_with(2);
        assert_eq!(run.stdout, expected);
        let lines: Vec<_> = run.stderr.lines().collect();
        assert_eq!(lines.len(), 5, "{run:#?}");
        assert_eq!(lines[0], "With this build, type: war PLAYERS DECK");
        assert!(lines[1].starts_with("    war 4 small "), "{run:#?}");
        assert!(
            lines[2].starts_with("    war 2 large --seed 42 "),
            "{run:#?}"
        );
        assert!(lines[3].ends_with(": war --help"), "{run:#?}");
        assert!(lines[4].starts_with(last), "{last} in {run:#?}");
    }
}

#[test]
fn a_command_named_on_the_usage_screen_works() {
    let sandbox = Sandbox::new();
    for command in [
        "4 small",
        "2 large --seed 42",
        "--help",
        "--version",
        "help rules",
    ] {
        let words: Vec<_> = command.split(' ').collect();
        sandbox.war(&words).exits_with(0);
    }
    for command in ["duels", "xy", "replay", "view", "simulate"] {
        sandbox.war(&[command, "--help"]).exits_with(0);
    }
}
