//! Forms of typed values, format of printed counts, and use of colors.

use super::support::{Run, Sandbox};

#[test]
fn counts_may_be_abbreviated() {
    let sandbox = Sandbox::new();
    let expected = sandbox
        .war(&[
            "simulate",
            "--seed",
            "1",
            "--games",
            "1000",
            "--max-turns",
            "3000",
        ])
        .exits_with(0)
        .stdout;
    for (games, turns) in [("1e3", "3e3"), ("1_000", "3,000"), ("1E3", "0_3_000")] {
        let arguments = [
            "simulate",
            "--seed",
            "1",
            "--games",
            games,
            "--max-turns",
            turns,
        ];
        assert_eq!(sandbox.war(&arguments).exits_with(0).stdout, expected);
    }
    for games in [
        "1,00", ",100", "1,0000", "1_0,000", "_1", "1_", "1__0", "e3", "1e", "1e-3", "1.5e3", "+1",
        " 1", "1e99",
    ] {
        let run = sandbox.war(&["simulate", "--games", games]).exits_with(2);
        run.reports("use a whole number from 1 to 1,000,000,000,000");
    }
}

#[test]
fn other_numbers_cannot_be_abbreviated() {
    let sandbox = Sandbox::new();
    for arguments in [
        &["4", "small", "--seed", "1e3"][..],
        &["simulate", "--seed", "1_000"],
        &["simulate", "--game", "1e3:1"],
        &["xy", "1e3"],
        &["enumerate", "1e1x4"],
    ] {
        sandbox.war(arguments).exits_with(2);
    }
    let run = sandbox.war(&["1e0", "small", "--seed", "1"]).exits_with(0);
    assert!(run.stdout.starts_with("Number of players set to 2"));
}

#[test]
fn values_are_accepted_in_any_letter_case() {
    let sandbox = Sandbox::new();
    let simulate = ["simulate", "--seed", "1", "--games", "10"];
    for (typed, plain) in [
        (["--rules", "Bataille"], ["--rules", "bataille"]),
        (["--collect", "WINNER-FIRST"], ["--collect", "winner-first"]),
        (["--out-of-cards", "Loses"], ["--out-of-cards", "loses"]),
        (["--kernel", "General"], ["--kernel", "general"]),
        (["--deck", "3X4"], ["--deck", "3x4"]),
        (["--lang", "PL"], ["--lang", "pl"]),
        (["--color", "Never"], ["--color", "never"]),
    ] {
        let run = |option: &[&str]| {
            sandbox
                .war(&[&simulate, option].concat())
                .exits_with(0)
                .stdout
        };
        assert_eq!(run(&typed), run(&plain), "{typed:?}");
    }
    let duels = |strategy| {
        let run = sandbox.war(&["duels", "--seed", "1", "--strategy", strategy]);
        let run = run.exits_with(0);
        assert_eq!(run.stderr, "");
        run.stdout
    };
    assert_eq!(duels("Shuffle"), duels("shuffle"));
    let run = Run::of(sandbox.command(&["replay"]).env("WAR_LANG", "Pl"));
    run.exits_with(2).reports("brakuje argumentu");
}

#[test]
fn counts_are_printed_with_separators_for_people() {
    let sandbox = Sandbox::new();
    let arguments = [
        "simulate", "--seed", "1", "--deck", "3x4", "--rules", "bataille", "--games", "12000",
        "--json", "run.json",
    ];
    let run = sandbox.war(&arguments).exits_with(0);
    let games = "games:      12,000 with seed 1, numbers 0 to 11,999\n";
    assert!(run.stdout.contains(games), "{run:#?}");
    assert!(
        sandbox.read("run.json").contains("12000"),
        "files have none"
    );
    let merge = ["--lang", "pl", "simulate", "merge", "run.json"];
    let run = sandbox.war(&merge).exits_with(0);
    assert!(run.stdout.contains("12\u{a0}000"), "{run:#?}");
    let run = sandbox.war(&[
        "--lang", "pl", "simulate", "--seed", "1", "--deck", "3x4", "--rules", "bataille",
        "--games", "9999",
    ]);
    let run = run.exits_with(0);
    assert!(
        run.stdout.contains(" 9999 "),
        "Polish has none in 4 digits: {run:#?}"
    );
    assert!(
        !run.stdout.contains('.'),
        "Polish has a decimal comma: {run:#?}"
    );
}

#[test]
fn colors_are_shown_on_request() {
    let sandbox = Sandbox::new();
    let run = |arguments: &[&str], variables: &[(&str, &str)]| {
        let mut command = sandbox.command(arguments);
        Run::of(command.envs(variables.iter().copied()))
    };
    let red = "\u{1b}[1m\u{1b}[31merror:\u{1b}[0m missing argument";
    for (arguments, variables, is_colored) in [
        (&["replay"][..], &[][..], false),
        (&["replay", "--color", "always"], &[("NO_COLOR", "1")], true),
        (&["replay"], &[("CLICOLOR_FORCE", "1")], true),
        (
            &["replay"],
            &[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")],
            false,
        ),
        (
            &["replay", "--color=never"],
            &[("CLICOLOR_FORCE", "1")],
            false,
        ),
    ] {
        let run = run(arguments, variables).exits_with(2);
        assert_eq!(run.stderr.starts_with(red), is_colored, "{run:#?}");
        assert_eq!(run.stderr.contains('\u{1b}'), is_colored, "{run:#?}");
    }
    let help = run(&["replay", "--help", "--color", "always"], &[]);
    assert!(help.exits_with(0).stdout.contains("\u{1b}["));
    let game = ["4", "small", "--seed", "1", "--journal", "game.json"];
    let game = run(&game, &[("CLICOLOR_FORCE", "1")]).exits_with(0);
    assert!(!game.stdout.contains('\u{1b}'), "screens have no colors");
    let replay = run(&["replay", "game.json", "--color", "always"], &[]).exits_with(0);
    let green = "\u{1b}[1m\u{1b}[32mVERIFIED\u{1b}[0m game.json";
    assert!(replay.stderr.contains(green), "{replay:#?}");
    assert_eq!(replay.stdout, game.stdout);
}
