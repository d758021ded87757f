//! Habits of a good command line: help, hints, errors in both languages.

use super::support::{Place, Run, reviewed};

#[test]
fn help_shows_examples_and_the_environment() {
    let run = Place::new().war(&["--help"]).ends_with(0);
    for part in [
        "Examples:",
        "war replay game.json",
        "WAR_LANG",
        "Exit codes:",
        "--seed",
    ] {
        assert!(run.stdout.contains(part), "{part} in {}", run.stdout);
    }
    assert_eq!(run.stderr, "");
    for command in [
        &["replay"][..],
        &["journal"],
        &["journal", "repair"],
        &["completions"],
    ] {
        let run = Place::new()
            .war(&[command, &["--help"]].concat())
            .ends_with(0);
        assert!(run.stdout.contains("Usage: war"), "{run:#?}");
    }
}

#[test]
fn version_is_the_package_s() {
    let run = Place::new().war(&["--version"]).ends_with(0);
    assert_eq!(run.stdout, concat!("war ", env!("CARGO_PKG_VERSION"), "\n"));
}

#[test]
fn completions_and_manual_page_are_printed() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let run = Place::new().war(&["completions", shell]).ends_with(0);
        assert!(run.stdout.contains("replay"), "{shell}");
    }
    let run = Place::new().war(&["man"]).ends_with(0);
    assert!(run.stdout.contains(".TH war 1"), "{}", run.stdout);
}

#[test]
fn a_word_that_is_nearly_a_command_plays_with_a_hint() {
    let run = Place::new()
        .war(&["replai", "x"])
        .ends_with(0)
        .tells("`war replay`");
    assert!(
        run.stdout
            .starts_with("Values were corrected to 2 players on a SMALL deck\n")
    );
    for (word, command) in [("XY", "xy"), ("Duels", "duels"), ("halp", "help")] {
        let run = Place::new().war(&[word, "small"]).ends_with(0);
        run.tells(&format!("`war {command}`"));
    }
    let run = Place::new().war(&["4", "replay"]).ends_with(0);
    assert_eq!(run.stderr, "");
    assert!(
        run.stdout
            .starts_with("Deck set to SMALL, you provided unrecognized value: replay\n")
    );
}

#[test]
fn command_line_errors_are_told_in_both_languages() {
    let mut told = String::new();
    for arguments in [
        &["-foo", "small"][..],
        &["--foo"],
        &["4", "small", "--seed"],
        &["4", "small", "--seed", "-5"],
        &["4", "small", "--seed", "+5"],
        &["4", "small", "--seed", "18446744073709551616"],
        &["4", "small", "--seed", "1", "--seed", "2"],
        &["4", "small", "--journal", "a", "--journal-dir", "b"],
        &["--seed", "1", "replay", "x.json"],
        &["replay"],
        &["replay", "x.json", "y.json"],
        &["replay", "x.json", "--turn", "1", "--to", "2"],
        &["journal", "chek", "x.json"],
        &["completions", "tcsh"],
    ] {
        for lang in ["en", "pl"] {
            let place = Place::new();
            let run = Run::of(place.command(arguments).env("WAR_LANG", lang)).ends_with(2);
            assert_eq!(run.stdout, "", "{arguments:?}");
            told.push_str(&format!("war {}\n{}\n", arguments.join(" "), run.stderr));
        }
    }
    reviewed("command_line_errors", &told);
}

#[test]
fn an_unknown_language_is_an_error() {
    let place = Place::new();
    place
        .war(&["--lang", "fr", "4", "small"])
        .ends_with(2)
        .tells("known languages: en, pl");
    let run = Run::of(place.command(&["4", "small"]).env("WAR_LANG", "fr"));
    run.ends_with(2).tells("unknown language `fr`");
    let run = Run::of(
        place
            .command(&["4", "small", "--seed", "1"])
            .env("WAR_LANG", ""),
    );
    run.ends_with(0);
    let mut command = place.command(&["--lang", "en", "4", "small"]);
    let run = Run::of(command.env("WAR_LANG", "pl")).ends_with(0);
    assert!(
        run.stdout.starts_with("WAR, "),
        "the flag goes before the environment"
    );
}

#[cfg(not(feature = "table"))]
#[test]
fn a_program_without_the_card_table_says_how_to_build_it() {
    let place = Place::new();
    for arguments in [&["serve", "--bots", "0"][..], &["table-load"]] {
        place.war(arguments).ends_with(2).tells("--features table");
    }
    let polish = place.war(&["--lang", "pl", "serve"]).ends_with(2);
    polish.tells("bez stołu karcianego");
}
