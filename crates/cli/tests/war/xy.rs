//! Games of the X/Y edition, whose output matches the original program's byte for byte.

use super::support::{Sandbox, files, project, replayed, reviewed};
use std::fs;
use war::cards::{Chance, JavaRandom};
use war::journal::FaultCode;

#[test]
fn goldens_are_reproduced_byte_for_byte_live_and_replayed() {
    for golden in files("tests/goldens/xy", ".txt") {
        let seed = golden
            .file_stem()
            .and_then(|name| name.to_str())
            .expect("a seed");
        let expected = fs::read_to_string(&golden).expect("the golden");
        Sandbox::new().prints_and_replays(&["xy", seed], &expected);
    }
}

#[test]
fn the_longest_game_and_the_deepest_war_are_played() {
    let longest = Sandbox::new().war(&["xy", "16037"]).exits_with(0);
    assert_eq!(longest.stdout.lines().count(), 2 + 2714 + 1);
    let deepest = Sandbox::new().war(&["xy", "558140"]).exits_with(0);
    let row = deepest.stdout.lines().nth(5).expect("the fourth round");
    assert_eq!(row.matches("--> W[3]").count(), 6);
}

#[test]
fn only_the_low_48_bits_of_a_seed_matter() {
    let sandbox = Sandbox::new();
    let game = |seed: i64| sandbox.war(&["xy", &seed.to_string()]).exits_with(0).stdout;
    assert_eq!(game(5), game(5 + (1 << 48)));
    assert_ne!(game(5), game(6));
}

// The numbers were printed by `java.util.Random` itself.
#[test]
fn the_generator_matches_java() {
    for (seed, six, fifty_two, sixteen) in [
        (0, [0, 4, 1, 5, 5], [9, 7, 41, 3, 42], 11),
        (-1, [5, 5, 3, 5, 2], [22, 37, 38, 9, 11], 4),
        (
            186_643_064_605_892,
            [5, 5, 0, 5, 1],
            [35, 36, 28, 11, 25],
            15,
        ),
    ] {
        let mut java = JavaRandom::new(seed);
        assert_eq!([(); 5].map(|()| java.draw_below(6)), six, "seed {seed}");
        assert_eq!(
            [(); 5].map(|()| java.draw_below(52)),
            fifty_two,
            "seed {seed}"
        );
        assert_eq!(JavaRandom::new(seed).draw_below(16), sixteen, "seed {seed}");
    }
    // A bound that rejects half of all draws.
    let mut java = JavaRandom::new(7);
    let draws = [(); 4].map(|()| java.draw_below((1 << 30) + 1));
    assert_eq!(draws, [20_678_044, 747_989_380, 1_053_566_254, 755_731_200]);
}

#[test]
fn invalid_seeds_are_reported_in_both_languages() {
    let mut told = String::new();
    for seed in [
        "x",
        "",
        "1.0",
        "+5",
        "9223372036854775808",
        "-9223372036854775809",
        "--5",
    ] {
        for lang in ["en", "pl"] {
            let run = Sandbox::new()
                .war(&["--lang", lang, "xy", "--", seed])
                .exits_with(2);
            assert_eq!(run.stdout, "");
            told.push_str(&run.stderr);
        }
    }
    reviewed("xy_seed_errors", &told);
}

#[test]
fn tables_are_reviewed_in_both_languages() {
    // Seed 14 has a draw, and seed 558140 the deepest war.
    for (seed, lang) in [
        ("14", "en"),
        ("14", "pl"),
        ("558140", "en"),
        ("558140", "pl"),
    ] {
        let run = Sandbox::new()
            .war(&["--lang", lang, "xy", seed])
            .exits_with(0);
        let lines: Vec<_> = run.stdout.lines().collect();
        let shown: Vec<_> = lines
            .iter()
            .enumerate()
            .filter(|(index, line)| *index < 4 || line.contains("W[") || *index + 2 > lines.len())
            .map(|(_, line)| *line)
            .collect();
        reviewed(&format!("xy_{seed}_{lang}"), &shown.join("\n"));
        assert!(
            lines.iter().all(|line| !line.ends_with(' ')),
            "a line ends in a space"
        );
    }
}

#[test]
fn another_order_of_captured_cards_contradicts_the_generator() {
    let sandbox = Sandbox::new();
    sandbox
        .war(&["xy", "42", "--journal", "game.json"])
        .exits_with(0);
    let journal = sandbox.read("game.json");
    let line = journal
        .lines()
        .position(|line| line.contains("\"collected\""))
        .expect("one");
    let cards = journal
        .lines()
        .nth(line)
        .and_then(|line| line.split("\"cards\":[").nth(1));
    let cards = cards
        .and_then(|cards| cards.split(']').next())
        .expect("the cards");
    let (first, second) = cards.split_once(',').expect("two cards");
    let swapped =
        super::journal_faults::edit(&journal, line + 1, cards, &format!("{second},{first}"));
    let (code, text) = replayed(swapped.as_bytes());
    assert_eq!(code, Some(FaultCode::Deal));
    assert!(sandbox.war(&["xy", "42"]).stdout.starts_with(&text));
}

#[test]
fn the_golden_journal_of_the_edition_is_reproduced() {
    let path = project().join("journals/xy_seed_42.json");
    let run = Sandbox::new()
        .war(&["replay", path.to_str().expect("a name")])
        .exits_with(0);
    let golden = fs::read_to_string(project().join("tests/goldens/xy/42.txt"));
    assert_eq!(run.stdout, golden.expect("the golden"));
}
