//! Completions that a shell offers while a command line is typed.

mod shells;

use super::support::{Run, Sandbox};

/// Completions of the last of these words, each with its description.
fn described(words: &[&str]) -> Vec<(String, String)> {
    let sandbox = Sandbox::new();
    sandbox.write("game.json", "");
    let mut command = sandbox.command(&["--", "war"]);
    let run = Run::of(command.args(words).env("WAR_COMPLETE", "fish")).exits_with(0);
    assert_eq!(run.stderr, "", "{words:?}");
    let lines = run.stdout.lines();
    let pairs = lines.map(|line| line.split_once('\t').unwrap_or((line, "")));
    pairs
        .map(|(value, meaning)| (value.to_owned(), meaning.to_owned()))
        .collect()
}

/// Completions of the last of these words.
fn offered(words: &[&str]) -> Vec<String> {
    let described = described(words).into_iter();
    described.map(|(value, _)| value).collect()
}

#[test]
fn values_of_every_option_are_offered() {
    for (words, values) in [
        (&["--lang", ""][..], &["en", "pl"][..]),
        (&["xy", "--lang="], &["--lang=en", "--lang=pl"]),
        (&["--color", ""], &["auto", "always", "never"]),
        (&["duels", "--numPlayers", ""], &["2", "3", "4", "5"]),
        (&["duels", "--deckType", ""], &["small", "large"]),
        (
            &["duels", "--strategy", ""],
            &["default", "shuffle", "random"],
        ),
        (
            &["simulate", "--rules", ""],
            &["classic", "duels", "xy", "bataille", "household"],
        ),
        (
            &["simulate", "--collect", "s"],
            &["seat", "seat-interleaved", "shuffled"],
        ),
        (
            &["enumerate", "--out-of-cards", ""],
            &["eoc", "loses", "last-card", "shrink"],
        ),
        (
            &["simulate", "--kernel", ""],
            &["fastest", "avx512", "simd128", "portable", "general"],
        ),
        (&["simulate", "--players", ""], &["2", "3", "4", "5"]),
        (
            &["simulate", "--face-down", ""],
            &["0", "1", "2", "3", "4", "5"],
        ),
        (&["simulate", "--deck", "s"], &["small"]),
        (&["completions", "z"], &["zsh"]),
        (&["--scenario", "ga"], &["game.json"]),
        (&["simulate", "--deal", "g"], &["game.json"]),
        (&["--journal-dir", "no"], &["no_scenarios/"]),
    ] {
        assert_eq!(offered(words), values, "{words:?}");
    }
    let collect = described(&["simulate", "--collect", "winner-f"]);
    assert_eq!(collect[0].1, "Round by round, the winner's card first");
}

#[test]
fn commands_are_offered_at_every_depth() {
    for (words, commands) in [
        (&["jour"][..], &["journal"][..]),
        (&["journal", "re"], &["repair"]),
        (&["simulate", "me"], &["merge"]),
        (&["import", "x"], &["xy"]),
        (&["help", "jour"], &["journal", "journals"]),
        (&["help", "journal", "c"], &["check"]),
        (&["help", "env"], &["environment"]),
    ] {
        assert_eq!(offered(words), commands, "{words:?}");
    }
}

#[test]
fn players_and_deck_are_offered_and_no_command_after_them() {
    let first = offered(&[""]);
    for word in ["1", "5", "replay", "--seed"] {
        assert!(first.contains(&word.to_owned()), "{first:?}");
    }
    for words in [
        &["4", ""][..],
        &["--seed", "7", "4", ""],
        &["4", "--seed", "7", ""],
    ] {
        let second = offered(words);
        assert_eq!(second[..2], ["small", "large"], "{words:?}");
        assert!(second.contains(&"--journal".to_owned()), "{second:?}");
        assert!(!second.contains(&"replay".to_owned()), "{second:?}");
    }
    assert!(
        offered(&["4", "small", ""])
            .iter()
            .all(|word| word.starts_with('-'))
    );
}

#[test]
fn commands_missing_from_this_build_are_not_offered() {
    let known = if cfg!(feature = "table") {
        vec!["serve"]
    } else {
        vec![]
    };
    assert_eq!(offered(&["serv"]), known);
    assert_eq!(offered(&["help", "serv"]), known);
    let watch = if cfg!(feature = "watch") {
        vec!["watch"]
    } else {
        vec![]
    };
    assert_eq!(offered(&["wat"]), watch);
}

#[test]
fn every_shell_gets_a_script_in_any_letter_case() {
    for shell in ["bash", "ZSH", "Fish", "PowerShell", "elvish"] {
        let run = Sandbox::new().war(&["completions", shell]).exits_with(0);
        assert!(run.stdout.contains("WAR_COMPLETE"), "{shell}: {run:#?}");
    }
}
