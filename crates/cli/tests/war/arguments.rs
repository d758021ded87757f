//! The two parameters of a game, and the correction of invalid ones.

use super::support::Sandbox;

/// Lines before the first screen, and the first line of that screen.
#[track_caller]
fn corrected(players: &str, deck: &str) -> (String, String) {
    let run = Sandbox::new()
        .war(&["--seed", "1", "--", players, deck])
        .exits_with(0);
    let at = run.stdout.find("WAR, ").expect("a screen");
    let header = run.stdout[at..].lines().next().expect("its header");
    (run.stdout[..at].to_owned(), header.to_owned())
}

#[track_caller]
fn check(players: &str, deck: &str, correction: &str, game: &str) {
    let (found, header) = corrected(players, deck);
    assert_eq!(found, correction);
    assert_eq!(header, format!("WAR, {game} deck, DEALING"));
}

#[test]
fn valid_values_print_no_correction() {
    for (players, number) in [("1", 1), ("2", 2), ("5", 5), ("+3", 3), ("0004", 4)] {
        check(players, "small", "", &format!("{number} players, SMALL"));
    }
    for deck in ["large", "LARGE", "LaRgE"] {
        check("2", deck, "", "2 players, LARGE");
    }
}

#[test]
fn numbers_out_of_range_are_clamped() {
    let typed = ["0", "-0", "-5", "6", "1231241431", "-99999999999999999999"];
    let many = "9".repeat(40);
    for players in typed.into_iter().chain([many.as_str()]) {
        let number = if players.starts_with(['0', '-']) {
            1
        } else {
            5
        };
        let line = format!("Number of players corrected to {number}, you provided {players}\n");
        check(players, "large", &line, &format!("{number} players, LARGE"));
    }
}

#[test]
fn a_player_count_that_is_not_a_number_becomes_two() {
    for players in [
        " 4 ", "4.0", "+", "-", "", "four", "٤", "+-4", "4x", "-5.0", "1e1",
    ] {
        let line =
            format!("Number of players set to 2, you provided unparseable input {players}\n");
        check(players, "LARGE", &line, "2 players, LARGE");
    }
}

#[test]
fn an_unknown_deck_becomes_the_small_one() {
    for deck in ["foo", "", "smal", " small", "Łarge"] {
        let line = format!("Deck set to SMALL, you provided unrecognized value: {deck}\n");
        check("4", deck, &line, "4 players, SMALL");
    }
}

#[test]
fn two_invalid_values_are_corrected_on_one_line() {
    let line = "Values were corrected to 2 players on a SMALL deck\n";
    for (players, deck) in [("7", "foo"), ("x", ""), ("", ""), ("-1", "medium")] {
        check(players, deck, line, "2 players, SMALL");
    }
}

#[test]
fn negative_numbers_need_no_separator() {
    for (players, line) in [
        ("-5", "Number of players corrected to 1, you provided -5\n"),
        (
            "-5.0",
            "Number of players set to 2, you provided unparseable input -5.0\n",
        ),
    ] {
        let run = Sandbox::new().war(&[players, "small"]).exits_with(0);
        assert!(run.stdout.starts_with(line), "{run:#?}");
    }
}

#[test]
fn corrections_come_before_a_scenario_too() {
    let run = Sandbox::new()
        .war(&["--scenario", "example", "7", "foo"])
        .exits_with(0);
    let opening = "Values were corrected to 2 players on a SMALL deck\n\
                   special scenario code: EXAMPLE\n\
                   WAR, 3 players, SMALL deck, turn #1 - DRAW with 8/24 cards\n";
    assert!(run.stdout.starts_with(opening), "{run:#?}");
}
