//! Command line conventions: help, hints, and errors in both languages.

use super::support::{Run, Sandbox, reviewed};

#[test]
fn help_shows_examples_and_the_environment() {
    let run = Sandbox::new().war(&["--help"]).exits_with(0);
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
        let run = Sandbox::new()
            .war(&[command, &["--help"]].concat())
            .exits_with(0);
        assert!(run.stdout.contains("Usage: war"), "{run:#?}");
    }
}

#[test]
fn every_help_ends_with_the_global_options_and_whole_examples() {
    let mut commands = vec![
        &[][..],
        &["xy"],
        &["import"],
        &["import", "xy"],
        &["replay"],
        &["journal"],
        &["simulate"],
        &["enumerate"],
        &["literature"],
        &["completions"],
        &["man"],
        &["help"],
        &["simulate", "merge"],
    ];
    if cfg!(feature = "table") {
        commands.extend([&["serve"][..], &["table", "backup"], &["table-load"]]);
    }
    if cfg!(feature = "watch") {
        commands.push(&["watch"]);
    }
    let sandbox = Sandbox::new();
    for command in commands {
        let mut command = sandbox.command(&[command, &["--help"]].concat());
        let help = Run::of(command.env("COLUMNS", "80")).exits_with(0).stdout;
        let (own, global) = help.split_once("\nGlobal options:\n").expect(&help);
        let (global, examples) = global.split_once("\nExamples:\n").expect(&help);
        for option in ["--lang <LANG>", "--config <FILE>"] {
            assert!(global.contains(option) && !own.contains(option), "{help}");
        }
        let examples: Vec<_> = examples
            .lines()
            .take_while(|line| !line.is_empty())
            .collect();
        assert!(examples.len() > 1, "{help}");
        for line in examples {
            let whole = ["  war ", "  cat ", "  man ", "      "];
            assert!(whole.iter().any(|start| line.starts_with(start)), "{help}");
        }
    }
}

#[test]
fn the_version_is_that_of_the_package() {
    let run = Sandbox::new().war(&["--version"]).exits_with(0);
    assert_eq!(run.stdout, concat!("war ", env!("CARGO_PKG_VERSION"), "\n"));
}

#[test]
fn a_misspelled_command_plays_a_game_with_a_hint() {
    let run = Sandbox::new()
        .war(&["replai", "x"])
        .exits_with(0)
        .reports("`war replay`");
    assert!(
        run.stdout
            .starts_with("Values were corrected to 2 players on a SMALL deck\n")
    );
    for (word, command) in [("XY", "xy"), ("Duels", "duels"), ("halp", "help")] {
        let run = Sandbox::new().war(&[word, "small"]).exits_with(0);
        run.reports(&format!("`war {command}`"));
    }
    for (word, instead) in [("sim", "war simulate"), ("play", "war 4 small")] {
        let run = Sandbox::new().war(&[word, "small"]).exits_with(0);
        run.reports(&format!("hint: did you mean `{instead}`?"));
    }
    // No option of the game has this name, so no game is played.
    let run = Sandbox::new().war(&["sim", "--games", "5"]).exits_with(2);
    run.reports("hint: did you mean `war simulate`?");
    let run = Sandbox::new()
        .war(&["4", "replay", "--seed", "1"])
        .exits_with(0);
    assert_eq!(run.stderr, "");
    assert!(
        run.stdout
            .starts_with("Deck set to SMALL, you provided unrecognized value: replay\n")
    );
}

#[test]
fn command_line_errors_are_in_both_languages() {
    let mut told = String::new();
    for arguments in [
        &["-foo", "small"][..],
        &["--foo"],
        &["4", "small", "--seed"],
        &["4", "small", "--seed", "-5"],
        &["4", "small", "--seed", "+5"],
        &["4", "small", "--seed", "18446744073709551616"],
        &["4", "small", "--seed", "1", "--seed", "2"],
        &["4", "small", "--durable=yes"],
        &["4", "small", "--journal", "a", "--journal-dir", "b"],
        &["--seed", "1", "replay", "x.json"],
        &["replay"],
        &["replay", "x.json", "y.json"],
        &["replay", "x.json", "--turn", "1", "--to", "2"],
        &["journal", "chek", "x.json"],
        &["completions", "tcsh"],
    ] {
        for lang in ["en", "pl"] {
            let sandbox = Sandbox::new();
            let run = Run::of(sandbox.command(arguments).env("WAR_LANG", lang)).exits_with(2);
            assert_eq!(run.stdout, "", "{arguments:?}");
            told.push_str(&format!("war {}\n{}\n", arguments.join(" "), run.stderr));
        }
    }
    reviewed("command_line_errors", &told);
}

#[cfg(feature = "table")]
#[test]
fn invalid_values_for_the_card_table_are_refused_with_the_allowed_ones() {
    let sandbox = Sandbox::new();
    for (arguments, option, known) in [
        (["serve", "--bots", "x"], "--bots <N>", "0–10,000"),
        (["serve", "--bots", "10001"], "--bots <N>", "0–10,000"),
        (
            ["serve", "--decide-seconds", "0"],
            "--decide-seconds <SECONDS>",
            "1–86,400",
        ),
        (
            ["serve", "--connections", "+5"],
            "--connections <N>",
            "1–1,000,000",
        ),
        (
            ["table-load", "--players", "100001"],
            "--players <N>",
            "0–100,000",
        ),
    ] {
        let value = arguments[2];
        let (least, most) = known.split_once('–').expect("a range");
        let run = sandbox.war(&arguments).exits_with(2);
        let told = format!("error: `{value}` is not a valid value for `{option}`\n");
        assert_eq!(
            run.stderr,
            format!("{told}hint: use a whole number from {least} to {most}\n")
        );
        let run = sandbox.war(&[&["--lang", "pl"], &arguments[..]].concat());
        let told = format!("błąd: `{value}` to niedozwolona wartość opcji `{option}`\n");
        // Polish separates thousands with a space.
        let [least, most] = [least, most].map(|end| end.replace(',', "\u{a0}"));
        let told = format!("{told}wskazówka: podaj liczbę całkowitą od {least} do {most}\n");
        assert_eq!(run.exits_with(2).stderr, told);
    }
    let mut serve = sandbox.command(&["serve"]);
    let run = Run::of(serve.env("WAR_TABLE_BOTS", "x").env("WAR_LANG", "pl"));
    run.exits_with(2)
        .reports("podaj liczbę całkowitą od 0 do 10\u{a0}000");
    for arguments in [
        &["serve", "--listen", "localhost"][..],
        &["table-load", "localhost"],
    ] {
        let run = sandbox.war(arguments).exits_with(2);
        run.reports("`localhost` is not a valid address for")
            .reports("localhost:8080");
        let run = sandbox
            .war(&[&["--lang", "pl"], arguments].concat())
            .exits_with(2);
        run.reports("`localhost` nie jest poprawnym adresem dla");
    }
}

#[test]
fn an_unknown_language_is_an_error() {
    let sandbox = Sandbox::new();
    sandbox
        .war(&["--lang", "fr", "4", "small"])
        .exits_with(2)
        .reports("possible values: en, pl");
    let run = Run::of(sandbox.command(&["4", "small"]).env("WAR_LANG", "fr"));
    run.exits_with(2).reports("unknown language `fr`");
    let run = Run::of(
        sandbox
            .command(&["4", "small", "--seed", "1"])
            .env("WAR_LANG", ""),
    );
    run.exits_with(0);
    let mut command = sandbox.command(&["--lang", "en", "4", "small"]);
    let run = Run::of(command.env("WAR_LANG", "pl")).exits_with(0);
    assert!(
        run.stdout.starts_with("WAR, "),
        "the flag goes before the environment"
    );
}

#[cfg(not(feature = "watch"))]
#[test]
fn a_program_without_watch_says_how_to_build_it() {
    let sandbox = Sandbox::new();
    for arguments in [
        &["watch"][..],
        &["watch", "game.json"],
        &["watch", "--help"],
    ] {
        sandbox
            .war(arguments)
            .exits_with(2)
            .reports("--features watch");
    }
    let polish = sandbox.war(&["--lang", "pl", "watch"]).exits_with(2);
    polish.reports("bez `war watch`");
}

#[cfg(not(feature = "table"))]
#[test]
fn a_program_without_the_card_table_says_how_to_build_it() {
    let sandbox = Sandbox::new();
    for arguments in [&["serve", "--bots", "0"][..], &["table-load"]] {
        sandbox
            .war(arguments)
            .exits_with(2)
            .reports("--features table");
    }
    let polish = sandbox.war(&["--lang", "pl", "serve"]).exits_with(2);
    polish.reports("bez stołu karcianego");
}
