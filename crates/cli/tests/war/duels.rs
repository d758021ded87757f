//! The duels edition: screens, arguments, scenario files and strategies.

use super::support::{Run, Sandbox, files, project, replayed, reviewed};
use std::fs;
use std::process::Command;
use war::cards::{ChaCha8, Chance, Rank};

const SEPARATOR: &str = "=========\n\n\n";

#[test]
fn goldens_are_reproduced_byte_for_byte_live_and_replayed() {
    for scenario in files("tests/goldens/duels", ".json") {
        let expected = fs::read_to_string(scenario.with_extension("txt")).expect("the golden");
        let path = scenario.to_str().expect("a name");
        Sandbox::new().prints_and_replays(&["duels", "--scenario", path], &expected);
    }
}

#[test]
fn screens_are_reviewed_in_both_languages() {
    insta::glob!(project(), "scenarios/examples/war_*.json", |path| {
        let scenario = path.to_str().expect("a name");
        for lang in ["en", "pl"] {
            let arguments = ["--lang", lang, "duels", "--scenario", scenario];
            let run = Sandbox::new().war(&arguments).exits_with(0);
            reviewed(
                &format!("duels_{lang}"),
                &super::screens::kinds(&run.stdout),
            );
        }
    });
}

#[test]
fn dealt_games_are_reviewed_in_both_languages() {
    for lang in ["en", "pl"] {
        for (name, arguments) in [
            ("given", &["--numPlayers", "3", "--deckType", "LARGE"][..]),
            ("one_given", &["--deckType", "small"]),
            ("corrected", &["--numPlayers", "-5", "--deckType", "small"]),
            ("both_bad", &["--numPlayers", "x", "--deckType", "huge"]),
            (
                "random",
                &[
                    "--numPlayers",
                    "2",
                    "--deckType",
                    "small",
                    "--strategy",
                    "random",
                ],
            ),
        ] {
            let arguments = [&["--lang", lang, "duels", "--seed", "5"], arguments].concat();
            let run = Sandbox::new().war(&arguments).exits_with(0);
            let kinds = super::screens::kinds(&run.stdout);
            reviewed(&format!("duels_dealt_{name}_{lang}"), &kinds);
        }
    }
}

#[test]
fn one_corrected_value_shows_usage_and_plays_on() {
    let sandbox = Sandbox::new();
    let usage = sandbox.war(&["duels", "--help"]).exits_with(0).stdout;
    let dealt = sandbox.war(&[
        "duels",
        "--numPlayers",
        "2",
        "--deckType",
        "small",
        "--seed",
        "1",
    ]);
    for arguments in [&["--numPlayers", "2"][..], &["--deckType", "small"]] {
        let run = sandbox
            .war(&[&["duels", "--seed", "1"], arguments].concat())
            .exits_with(0);
        assert_eq!(run.stdout, format!("{usage}{SEPARATOR}{}", dealt.stdout));
    }
    let run = sandbox.war(&[
        "duels",
        "--numPlayers",
        "1",
        "--deckType",
        "small",
        "--seed",
        "1",
    ]);
    let line = "Number of players corrected to 2, you provided 1\n";
    assert_eq!(
        run.exits_with(0).stdout,
        format!("{line}{usage}{SEPARATOR}{}", dealt.stdout)
    );
    let run = sandbox.war(&["duels", "--seed", "1"]).exits_with(0);
    assert_eq!((run.stdout, run.stderr), (dealt.stdout, String::new()));
}

#[test]
fn corrections_and_usage_are_in_the_journal() {
    for arguments in [
        &["--numPlayers", "9"][..],
        &["--deckType", "huge"],
        &["--numPlayers", "x", "--deckType", "y"],
        &["--numPlayers", "4", "--deckType", "y"],
    ] {
        let sandbox = Sandbox::new();
        let arguments = [&["duels", "--journal", "game.json"], arguments].concat();
        let live = sandbox.war(&arguments).exits_with(0);
        let replay = sandbox
            .war(&["replay", "game.json"])
            .exits_with(0)
            .reports("VERIFIED");
        assert_eq!(live.stdout, replay.stdout);
    }
}

#[test]
fn help_prints_the_usage_screen_whatever_the_other_arguments() {
    let usage = Sandbox::new()
        .war(&["duels", "--help"])
        .exits_with(0)
        .stdout;
    assert!(usage.starts_with("Usage:\n"));
    for arguments in [
        &["duels", "--numPlayers", "9", "--help"][..],
        &["duels", "--unknown", "--help"],
        &["duels", "-h", "--seed", "x"],
        &["--lang", "en", "duels", "--nothing", "--help"],
        &["duels", "--lang", "xx", "--help"],
        &["duels", "--config", "missing.toml", "--help"],
        &["duels", "--numPlayers", "3", "--deckType", "--help"],
        &["duels", "--strategy", "--help"],
        &["--seed", "4", "duels", "--help"],
        &["duels", "--", "--help"],
    ] {
        assert_eq!(
            Sandbox::new().war(arguments).exits_with(0).stdout,
            usage,
            "{arguments:?}"
        );
    }
    let polish = Sandbox::new()
        .war(&["--lang", "pl", "duels", "--help"])
        .exits_with(0);
    assert!(polish.stdout.starts_with("Użycie:\n"));
}

/// Plays duels with the scenario files in `scenarios/`.
fn play(sandbox: &Sandbox, arguments: &[&str]) -> Run {
    let arguments = [&["duels"], arguments].concat();
    Run::of(sandbox.command(&arguments).env_remove("WAR_SCENARIOS"))
}

#[test]
fn scenario_files_are_listed_and_played_in_byte_order() {
    let sandbox = Sandbox::new();
    for (name, content) in [
        ("war_deadSimpleGame.json", "[[3],[2]]"),
        ("war_illegalSyntax.json", "[[3],[2]"),
        ("war_Three.json", "[[3],[4],[2]]"),
        ("war_one.json", "[[3]]"),
        ("war_six.json", "[[1],[1],[1],[1],[1],[1]]"),
        ("war_no_cards.json", "[[],[]]"),
        ("war_zero.json", "[[0],[2]]"),
        ("war_fifteen.json", "[[15],[2]]"),
        ("ssc_other.json", "[[3],[2]]"),
    ] {
        sandbox.write(&format!("scenarios/{name}"), content);
    }
    let many = format!("[[{}],[2]]", vec!["3"; 10_000].join(","));
    sandbox.write("scenarios/war_many.json", many);
    let run = play(&sandbox, &[]).exits_with(1);
    reviewed(
        "duels_listing",
        &format!("{}---\n{}", run.stdout, run.stderr),
    );
    let dealt = play(
        &sandbox,
        &["--numPlayers", "2", "--deckType", "small", "--seed", "1"],
    );
    assert!(
        dealt
            .exits_with(0)
            .stdout
            .starts_with("WAR, 2 players, SMALL deck, DEALING\n")
    );
    let named = play(&sandbox, &["--scenario", "three"]).exits_with(0);
    assert!(named.stdout.starts_with("Scenario: Three\n"));
}

#[test]
fn a_named_scenario_is_played_after_notes_about_the_values() {
    let sandbox = Sandbox::new();
    let usage = sandbox.war(&["duels", "--help"]).exits_with(0).stdout;
    let named = ["duels", "--scenario", "three_players"];
    let alone = sandbox.war(&named).exits_with(0);
    assert_eq!(alone.stderr, "");
    for (values, corrections) in [
        (&["--numPlayers", "2", "--deckType", "small"][..], ""),
        (&["--numPlayers", "2"], &format!("{usage}{SEPARATOR}")),
        (
            &["--numPlayers", "7", "--deckType", "large"],
            &format!("Number of players corrected to 5, you provided 7\n{usage}{SEPARATOR}"),
        ),
    ] {
        let recorded = ["--journal", "game.json"];
        let sandbox = Sandbox::new();
        let run = sandbox.war(&[&named[..], values, &recorded].concat());
        let expected = format!("{corrections}{}", alone.stdout);
        assert_eq!(run.exits_with(0).stdout, expected);
        let replayed = sandbox.war(&["replay", "game.json"]).reports("VERIFIED");
        assert_eq!(replayed.exits_with(0).stdout, expected);
    }
    let seeded = sandbox.war(&[&named[..], &["--seed", "5"]].concat());
    seeded.exits_with(0).reports("`--seed` has no effect");
    let random = ["--seed", "5", "--strategy", "random"];
    let random = sandbox.war(&[&named[..], &random].concat()).exits_with(0);
    assert_eq!(random.stderr, "");
}

#[test]
fn ten_thousand_cards_are_played() {
    let sandbox = Sandbox::new();
    let many = format!("[[{}],[2]]", vec!["3"; 9_999].join(","));
    sandbox.write("many.json", many);
    let run = sandbox.war(&["duels", "--scenario", "many.json", "--journal", "game.json"]);
    let run = run.exits_with(0);
    assert!(
        run.stdout
            .ends_with("LARGE deck, player1 WON with 10000/10000 cards\n")
    );
    sandbox
        .war(&["replay", "-q", "game.json"])
        .exits_with(0)
        .reports("VERIFIED");
}

#[test]
fn every_strategy_replays_exactly_and_from_its_seed() {
    for strategy in ["default", "shuffle", "random"] {
        let sandbox = Sandbox::new();
        let game = |name: &str| {
            let deal = [
                "duels",
                "--numPlayers",
                "4",
                "--deckType",
                "small",
                "--seed",
                "9",
            ];
            let rest = ["--strategy", strategy, "--journal", name];
            sandbox
                .war(&[&deal[..], &rest].concat())
                .exits_with(0)
                .stdout
        };
        let live = game("a.json");
        assert_eq!(live, game("b.json"), "{strategy}");
        assert_eq!(sandbox.read("a.json"), sandbox.read("b.json"), "{strategy}");
        let header = format!("SMALL deck, {}, ", strategy.to_uppercase());
        assert!(live.contains(&header), "{strategy}");
        let replay = sandbox.war(&["replay", "a.json"]).exits_with(0);
        assert_eq!(replay.stdout, live);
        // A scenario names no generator, so a replay accepts the random results as recorded.
        let example = project().join("scenarios/examples/war_infiniteGame.json");
        let example = example.to_str().expect("a name");
        let scenario = [
            "duels",
            "--scenario",
            example,
            "--strategy",
            strategy,
            "--journal",
            "c.json",
        ];
        let live = sandbox.war(&scenario).exits_with(0);
        let replay = sandbox.war(&["replay", "c.json"]).exits_with(0);
        assert_eq!(replay.stdout, live.stdout);
    }
}

#[test]
fn an_unknown_strategy_becomes_the_default() {
    let sandbox = Sandbox::new();
    let game = |strategy: &str| {
        let deal = [
            "duels",
            "--numPlayers",
            "2",
            "--deckType",
            "small",
            "--seed",
            "9",
        ];
        sandbox
            .war(&[&deal[..], &["--strategy", strategy]].concat())
            .exits_with(0)
    };
    let unknown = game("cunning").reports("unknown strategy `cunning`");
    assert_eq!(unknown.stdout, game("default").stdout);
    assert_eq!(game("default").stderr, "");
}

#[test]
fn a_card_drawn_from_another_position_than_recorded_is_found() {
    let sandbox = Sandbox::new();
    let deal = [
        "duels",
        "--numPlayers",
        "2",
        "--deckType",
        "small",
        "--seed",
        "9",
    ];
    let rest = ["--strategy", "random", "--journal", "game.json"];
    sandbox.war(&[&deal[..], &rest].concat()).exits_with(0);
    let journal = sandbox.read("game.json");
    let line = journal
        .lines()
        .position(|line| line.contains("\"index\":"))
        .expect("a draw");
    let index = journal
        .lines()
        .nth(line)
        .and_then(|line| line.split("\"index\":").nth(1));
    let index: String = index
        .expect("an index")
        .chars()
        .take_while(char::is_ascii_digit)
        .collect();
    for other in ["0", "null", "99"] {
        let (from, to) = (format!("\"index\":{index}"), format!("\"index\":{other}"));
        let edited = super::journal_faults::edit(&journal, line + 1, &from, &to);
        assert!(replayed(edited.as_bytes()).0.is_some(), "index {other}");
    }
}

#[test]
fn a_long_game_of_ten_thousand_cards_needs_little_memory() {
    let sandbox = Sandbox::new();
    let ranks = (2..=14).filter_map(Rank::new).cycle();
    let mut cards: Vec<_> = ranks.take(10_000).collect();
    ChaCha8::new(1).shuffle(&mut cards);
    let cards: Vec<_> = cards.into_iter().map(Rank::get).collect();
    let hands = [&cards[..5_000], &cards[5_000..]];
    sandbox.write("many.json", format!("{hands:?}"));
    // `head` reads some 6,500 battles. `ulimit` limits the program's memory, in KiB.
    let line = format!(
        "ulimit -d 51200; {} duels --strategy shuffle --seed 1 --scenario many.json | head -c 1000000",
        env!("CARGO_BIN_EXE_war")
    );
    let mut command = Command::new("sh");
    command.args(["-c", &line]).current_dir(sandbox.path("."));
    let run = Run::of(command.env_clear()).exits_with(0);
    assert_eq!(run.stdout.len(), 1_000_000, "{}", run.stderr);
}

// Worked out by hand: 9 10 against 10 9 becomes 10 9 against 9 10 after two battles, and 9 10
// against 10 9 again after four.
#[test]
fn repeated_hands_are_shuffled_before_the_next_battle() {
    let sandbox = Sandbox::new();
    sandbox.write("two.json", "[[9,10],[10,9]]");
    for (strategy, shuffled_after) in [("shuffle", Some("4")), ("default", None)] {
        let journal = format!("{strategy}_journal.json");
        let arguments = ["duels", "--strategy", strategy, "--scenario", "two.json"];
        let recorded = [&arguments[..], &["--seed", "1", "--journal", &journal]].concat();
        sandbox.war(&recorded).exits_with(0);
        let journal = sandbox.read(&journal);
        let mut lines = journal.lines();
        let line = lines.find(|line| line.contains("\"reshuffled\""));
        let turn = line.and_then(|line| line.split("\"turn\":").nth(1)?.split(',').next());
        assert_eq!(turn, shuffled_after, "{strategy}");
    }
}

#[test]
fn players_and_deck_may_be_given_as_in_the_classic_edition() {
    let sandbox = Sandbox::new();
    let duels = |values: &[&str]| {
        let seed = ["--seed", "1", "--no-log"];
        sandbox.war(&[&["duels"], values, &seed].concat())
    };
    for (values, start) in [
        (&["2", "large"][..], "WAR, 2 players, LARGE deck, DEALING\n"),
        (&["+3", "LaRGE"], "WAR, 3 players, LARGE deck, DEALING\n"),
        (&["5", "small"], "WAR, 5 players, SMALL deck, DEALING\n"),
        (
            &["-5", "small"],
            "Number of players corrected to 2, you provided -5\n",
        ),
        (
            &["small", "4"],
            "Values were corrected to 2 players on a SMALL deck\n",
        ),
        (
            &["3", "--deckType", "large"],
            "WAR, 3 players, LARGE deck, DEALING\n",
        ),
    ] {
        let run = duels(values).exits_with(0);
        assert!(run.stdout.starts_with(start), "{values:?}: {run:#?}");
        assert_eq!(run.stderr, "", "{values:?}");
    }
    duels(&["2", "large", "x"]).exits_with(2).reports("`x`");
    let run = duels(&["2", "--numPlayers", "3"]).exits_with(2);
    run.reports("`--numPlayers <X>`");
}
