//! Command-line messages that were once false or incomplete.

use super::support::{Run, Sandbox};

/// Checks that a call fails with these two lines.
#[track_caller]
fn assert_fails(arguments: &[&str], error: &str, hint: &str) {
    let run = Sandbox::new().war(arguments).exits_with(2);
    assert_eq!(run.stdout, "", "{arguments:?}");
    assert_eq!(run.stderr, format!("error: {error}\nhint: {hint}\n"));
}

#[test]
fn an_option_before_a_command_that_accepts_it() {
    let error = "option `--seed` goes after the subcommand";
    let hint = "type `war duels --seed …`";
    assert_fails(&["--seed", "5", "duels"], error, hint);
    Sandbox::new().war(&["duels", "--seed", "5"]).exits_with(0);
}

#[test]
fn an_option_before_a_command_that_does_not_accept_it() {
    let error = "`war journal check` doesn't take the option `--seed`";
    let hint = "remove it; `war help journal check` lists the options";
    assert_fails(&["--seed", "5", "journal", "check", "x"], error, hint);
}

#[test]
fn a_word_after_simulate_is_not_a_subcommand() {
    let hint = "`war help simulate` shows the usage";
    assert_fails(&["simulate", "extra"], "unexpected argument `extra`", hint);
    let arguments = ["simulate", "--games", "5", "merge", "a.json"];
    let error = "`--games <N>` can't be used with the subcommand `merge`";
    let hint = "remove it, or put it after `merge` if that subcommand takes it";
    assert_fails(&arguments, error, hint);
}

#[test]
fn a_negative_turn_is_an_invalid_turn() {
    for option in ["--turn", "--from", "--to"] {
        let run = Sandbox::new().war(&["replay", "x.json", option, "-1"]);
        run.exits_with(2)
            .reports("error: `-1` is not a valid turn\n");
    }
}

#[test]
fn a_card_that_no_deck_has_is_reported_with_the_valid_range() {
    let run = Sandbox::new()
        .war(&["simulate", "--fix", "1:99"])
        .exits_with(2);
    let run = run.reports("`1:99` is not a valid hand for `--fix`");
    run.reports("2 to 14 in the large deck, 9 to 14 in the small one");
}

#[test]
fn a_hand_suggested_by_a_hint_can_be_played() {
    let sandbox = Sandbox::new();
    let run = sandbox.war(&["simulate", "--fix", "x"]).exits_with(2);
    let (_, rest) = run.stderr.split_once("such as ").expect("an example");
    let (example, _) = rest.split_once(';').expect("its end");
    let games = ["simulate", "--games", "1", "--fix", example];
    sandbox.war(&games).exits_with(0);
    for (option, example, end) in [("--game", "1:341570", "\n"), ("--shard", "3/8", ",")] {
        let run = sandbox.war(&["simulate", "--seed", "1", option, "x"]);
        run.exits_with(2)
            .reports(&format!("such as {example}{end}"));
        let mut played = vec!["simulate", "--seed", "1", option, example];
        if option == "--shard" {
            played.extend(["--games", "8"]);
        }
        sandbox.war(&played).exits_with(0);
    }
}

#[test]
fn durable_without_a_journal_has_one_message() {
    for command in [&["4", "small"][..], &["duels"], &["xy", "1"], &["simulate"]] {
        let arguments = [command, &["--durable"]].concat();
        assert_fails(
            &arguments,
            "`--durable` needs a journal",
            "add `--journal FILE`",
        );
    }
}

#[test]
fn an_invalid_configuration_does_not_break_completions() {
    let sandbox = Sandbox::new();
    let good = sandbox.war(&["completions", "bash"]).exits_with(0);
    let mut command = sandbox.command(&["completions", "bash"]);
    let run = Run::of(command.env("WAR_CONFIG", "missing.toml")).exits_with(0);
    assert_eq!((run.stdout, run.stderr), (good.stdout, String::new()));
    let mut command = sandbox.command(&["--", "war", "jour"]);
    command
        .env("WAR_CONFIG", "missing.toml")
        .env("WAR_COMPLETE", "fish");
    let run = Run::of(&mut command).exits_with(0);
    assert!(run.stdout.starts_with("journal\t"), "{run:#?}");
}

#[test]
fn an_extra_argument_is_unexpected() {
    let hint = "`war help replay` shows the usage";
    assert_fails(&["replay", "a", "b"], "unexpected argument `b`", hint);
}

#[test]
fn hints_name_the_right_command() {
    let hint = "did you mean `--numPlayers`? `war help duels` lists the options";
    let error = "unknown option `--num-players`";
    assert_fails(&["duels", "--num-players", "3"], error, hint);
    let error = "unknown subcommand `chek`";
    let hint = "did you mean `check`? `war help journal` lists the subcommands";
    assert_fails(&["journal", "chek", "x"], error, hint);
    let error = "`seat-interleavd` is not a valid value for `--collect <ORDER>`";
    let hint = "did you mean `seat-interleaved`? possible values: seat, seat-interleaved, \
                winner-first, winner-pile, bataille, shuffled, \
                highest-first, reversed-pile, random";
    assert_fails(&["simulate", "--collect", "seat-interleavd"], error, hint);
}

#[test]
fn the_parser_s_english_messages_are_not_shown() {
    for (arguments, told) in [
        (&["journal", "--color", "never"][..], "brakuje podpolecenia"),
        (&["import", "--color", "never"], "brakuje podpolecenia"),
        (&["simulate", "--collect", "x"], "niedozwolona wartość"),
        (&["simulate", "--games", "x"], "podaj liczbę całkowitą od 1"),
        (&["man"], "brakuje argumentu: --dir <DIR>"),
        (&["replay", "x", "--quiet=yes"], "nie przyjmuje wartości"),
        (&["help", "foo"], "brak pomocy na temat `foo`"),
        (&["xy", "1", "2"], "nieoczekiwany argument `2`"),
    ] {
        let run = Sandbox::new().war(&[&["--lang", "pl"], arguments].concat());
        run.exits_with(2).reports(told);
    }
}
