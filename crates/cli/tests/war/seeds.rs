//! The seed of a dealt game: told where it was drawn, and only there.

use super::support::{Place, Run};

/// The seed that standard error tells, if any.
fn told(run: &Run) -> Option<&str> {
    let line = run
        .stderr
        .lines()
        .find_map(|line| line.strip_prefix("note: "))?;
    line.strip_prefix("the random seed is ")
}

#[test]
fn a_drawn_seed_is_told_in_every_edition_and_deals_the_same_game() {
    let place = Place::new();
    for game in [
        &["3", "small"][..],
        &["duels", "--numPlayers", "3", "--deckType", "large"],
        &["duels", "--strategy", "random"],
        &["xy"],
    ] {
        let drawn = place.war(game).ends_with(0);
        let seed = told(&drawn).expect("a seed");
        let again = place.war(&[game, &["--seed", seed]].concat()).ends_with(0);
        assert_eq!(
            (again.stdout, again.stderr),
            (drawn.stdout, String::new()),
            "{game:?}"
        );
    }
    let polish = place.war(&["--lang", "pl", "xy"]);
    polish.ends_with(0).tells("uwaga: wylosowane ziarno to ");
}

#[test]
fn a_seed_is_told_where_only_the_strategy_uses_it() {
    let place = Place::new();
    place.write("deck.json", "[[14,2,9],[13,9,2]]");
    let game = |strategy| {
        let scenario = ["duels", "--scenario", "deck.json", "--strategy", strategy];
        place.war(&scenario).ends_with(0)
    };
    assert!(told(&game("random")).is_some());
    assert_eq!(told(&game("default")), None, "nothing is left to chance");
}

#[test]
fn the_seed_of_the_x_y_edition_is_signed_and_given_once() {
    let place = Place::new();
    for seed in ["-9223372036854775808", "-5", "0", "9223372036854775807"] {
        let argument = place.war(&["xy", "--", seed]).ends_with(0).stdout;
        let option = place.war(&["xy", "--seed", seed]).ends_with(0).stdout;
        assert_eq!(argument, option, "{seed}");
    }
    let run = place.war(&["xy", "--seed", "9223372036854775808"]);
    run.ends_with(2).tells("9223372036854775807");
    let run = place.war(&["xy", "4", "--seed", "4"]).ends_with(2);
    assert_eq!(run.tells("--seed").stdout, "");
}
