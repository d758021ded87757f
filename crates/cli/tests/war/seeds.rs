//! The seed of a dealt game: printed if it was generated, and only then.

use super::support::{Run, Sandbox};

/// Seed printed on standard error, if any.
fn printed_seed(run: &Run) -> Option<&str> {
    let line = run
        .stderr
        .lines()
        .find_map(|line| line.strip_prefix("note: "))?;
    line.strip_prefix("the random seed is ")
}

#[test]
fn a_generated_seed_is_printed_in_every_edition_and_deals_the_same_game() {
    let sandbox = Sandbox::new();
    for game in [
        &["3", "small"][..],
        &["duels", "--numPlayers", "3", "--deckType", "large"],
        &["duels", "--strategy", "random"],
        &["xy"],
    ] {
        let drawn = sandbox.war(game).exits_with(0);
        let seed = printed_seed(&drawn).expect("a seed");
        let again = sandbox
            .war(&[game, &["--seed", seed]].concat())
            .exits_with(0);
        assert_eq!(
            (again.stdout, again.stderr),
            (drawn.stdout, String::new()),
            "{game:?}"
        );
    }
    let polish = sandbox.war(&["--lang", "pl", "xy"]);
    polish.exits_with(0).reports("uwaga: wylosowane ziarno to ");
}

#[test]
fn a_seed_used_only_by_the_strategy_is_printed() {
    let sandbox = Sandbox::new();
    sandbox.write("deck.json", "[[14,2,9],[13,9,2]]");
    let game = |strategy| {
        let scenario = ["duels", "--scenario", "deck.json", "--strategy", strategy];
        sandbox.war(&scenario).exits_with(0)
    };
    assert!(printed_seed(&game("random")).is_some());
    assert_eq!(
        printed_seed(&game("default")),
        None,
        "nothing is left to chance"
    );
}

#[test]
fn the_seed_of_the_x_y_edition_is_signed_and_may_be_given_once() {
    let sandbox = Sandbox::new();
    for seed in ["-9223372036854775808", "-5", "0", "9223372036854775807"] {
        let argument = sandbox.war(&["xy", "--", seed]).exits_with(0).stdout;
        let option = sandbox.war(&["xy", "--seed", seed]).exits_with(0).stdout;
        assert_eq!(argument, option, "{seed}");
    }
    let run = sandbox.war(&["xy", "--seed", "9223372036854775808"]);
    run.exits_with(2).reports("9223372036854775807");
    let run = sandbox.war(&["xy", "4", "--seed", "4"]).exits_with(2);
    assert_eq!(run.reports("--seed").stdout, "");
}
