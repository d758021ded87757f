//! Figures of runs, played whole or in parts, and single games of these runs.

use super::REFERENCE;
use crate::support::{Sandbox, project, reviewed};
use std::fs;
use war::cards::Deck;
use war::engine::Seat;
use war::i18n::{Catalogue, Lang};
use war::rules::Parameters;
use war_simulate::{Conclusion, Dealing, GameResult, GameSetup, Tally, Ties};

#[test]
fn the_table_is_printed_in_both_languages() {
    let mut told = String::new();
    for arguments in [
        &["--games", "500"][..],
        &["--players", "3", "--deck", "small", "--games", "500"],
        &["--rules", "bataille", "--deck", "3x4", "--games", "500"],
        &["--rules", "duels", "--games", "20"],
        &["--rules", "xy", "--games", "20", "--max-turns", "100"],
        &[
            "--fix",
            "2:14,14,14,14",
            "--games",
            "100",
            "--collect",
            "shuffled",
        ],
    ] {
        for lang in ["en", "pl"] {
            // The fastest kernel depends on the processor.
            let kernel = [
                "--lang", lang, "simulate", "--seed", "1", "--kernel", "portable",
            ];
            let command = [&kernel[..], arguments].concat();
            let run = Sandbox::new().war(&command).exits_with(0);
            assert_eq!(run.stderr, "");
            told.push_str(&format!("war {}\n{}\n", command.join(" "), run.stdout));
        }
    }
    reviewed("simulation_tables", &told);
}

#[test]
fn a_single_turn_and_a_single_game_are_counted_as_one() {
    let sandbox = Sandbox::new();
    let simulate = ["simulate", "--deck", "2x1", "--seed", "1", "--games", "5"];
    let simulate = [&simulate[..], &["--max-turns", "1"]].concat();
    let enumerate = vec!["enumerate", "2x1", "--rules", "bataille"];
    for (lang, command, told) in [
        ("en", &simulate, "out of cards eoc, at most 1 turn\n"),
        ("en", &simulate, "\nlongest:    1 turn, --game 1:"),
        ("pl", &simulate, "brak kart: eoc, najwyżej 1 tura\n"),
        ("pl", &simulate, "\nnajdłuższa:        1 tura, --game 1:"),
        ("en", &enumerate, "\nturns:    1 in 1 finished game, mean"),
        (
            "pl",
            &enumerate,
            "\ntury:     1 w 1 ukończonej grze, średnio",
        ),
    ] {
        let run = sandbox.war(&[&["--lang", lang], &command[..]].concat());
        let run = run.exits_with(0);
        assert!(run.stdout.contains(told), "{told}: {run:#?}");
    }
}

/// JSON and rows of a run.
fn figures(sandbox: &Sandbox, name: &str, more: &[&str]) -> (String, String) {
    let (json, rows) = (format!("{name}.json"), format!("{name}.csv"));
    let files = ["--json", &json, "--csv-games", &rows];
    sandbox
        .war(&[&["simulate", "--seed", "9"], more, &files[..]].concat())
        .exits_with(0);
    (sandbox.read(&json), sandbox.read(&rows))
}

#[test]
fn threads_kernels_and_shards_do_not_change_the_figures() {
    for rules in [
        &REFERENCE[..],
        &["--players", "3", "--deck", "small"],
        &["--rules", "xy"],
        &["--piles", "two", "--deck", "small"],
    ] {
        let sandbox = Sandbox::new();
        let run = |name: &str, more: &[&str]| {
            figures(
                &sandbox,
                name,
                &[rules, &["--games", "3000"], more].concat(),
            )
        };
        let whole = run("whole", &["--jobs", "1"]);
        assert_eq!(run("two", &["--jobs", "2"]), whole);
        assert_eq!(run("portable", &["--kernel", "portable"]), whole);
        assert_eq!(
            run("general", &["--kernel", "general", "--jobs", "3"]),
            whole
        );
        let mut rows = whole.1.lines().next().expect("a heading").to_owned() + "\n";
        for shard in ["1/3", "2/3", "3/3"] {
            let (_, part) = run(&shard[..1], &["--shard", shard]);
            rows.extend(part.lines().skip(1).map(|row| format!("{row}\n")));
        }
        assert_eq!(rows, whole.1);
        let merge = [
            "simulate", "merge", "3.json", "1.json", "2.json", "--json", "all.json",
        ];
        let merged = sandbox.war(&merge).exits_with(0);
        assert_eq!(sandbox.read("all.json"), whole.0);
        let command = [&["simulate", "--seed", "9", "--games", "3000"], rules].concat();
        let table = sandbox.war(&command).exits_with(0).stdout;
        // The parts may have been played by different kernels.
        let lines = table.split_inclusive('\n');
        let rest: String = { lines }
            .filter(|line| !line.starts_with("kernel: "))
            .collect();
        assert_eq!(merged.stdout, rest);
        assert_ne!(table, rest);
    }
}

#[test]
fn parts_that_do_not_belong_together_are_refused() {
    let sandbox = Sandbox::new();
    let part = |name: &str, more: &[&str]| {
        let part = ["simulate", "--deck", "small", "--json", name];
        sandbox.war(&[&part[..], more].concat()).exits_with(0);
    };
    for shard in ["1", "2", "3"] {
        let (name, shard) = (format!("{shard}.json"), format!("{shard}/3"));
        part(&name, &["--seed", "1", "--games", "90", "--shard", &shard]);
    }
    part(
        "half.json",
        &["--seed", "1", "--games", "90", "--shard", "1/2"],
    );
    part(
        "seed.json",
        &["--seed", "2", "--games", "90", "--shard", "1/3"],
    );
    part(
        "rules.json",
        &[
            "--seed",
            "1",
            "--games",
            "90",
            "--shard",
            "1/3",
            "--face-down",
            "2",
        ],
    );
    let piles = ["--games", "90", "--shard", "1/3", "--piles", "two-turned"];
    part("piles.json", &[&["--seed", "1"], &piles[..]].concat());
    part(
        "games.json",
        &["--seed", "1", "--games", "91", "--shard", "1/3"],
    );
    let changed = sandbox
        .read("1.json")
        .replacen("\"drawn\": 0", "\"drawn\": 1", 1);
    sandbox.write("changed.json", changed);
    let edit = |name: &str, key: &str, value: &str| {
        let json = sandbox.read("1.json");
        let start = json.rfind(&format!("\"{key}\": ")).expect("the key") + key.len() + 4;
        let end = start + json[start..].find(['\n', ',']).expect("an end of line");
        sandbox.write(name, [&json[..start], value, &json[end..]].concat());
    };
    edit("version.json", "version", "1");
    edit("generator.json", "generator", "\"dice/1\"");
    edit("longest.json", "longest", "30");
    edit("shortest.json", "shortest", "null");
    edit("periods.json", "min", "1000000");
    let mut told = String::new();
    for files in [
        &["1.json", "2.json"][..],
        &["2.json", "3.json"],
        &["1.json", "3.json"],
        &["1.json", "2.json", "2.json", "3.json"],
        &["half.json", "2.json", "3.json"],
        &["piles.json", "2.json", "3.json"],
        &["seed.json", "2.json", "3.json"],
        &["2.json", "rules.json", "3.json"],
        &["games.json", "2.json", "3.json"],
        &["changed.json", "2.json", "3.json"],
        &["version.json", "2.json", "3.json"],
        &["generator.json", "2.json", "3.json"],
        &["longest.json", "2.json", "3.json"],
        &["shortest.json", "2.json", "3.json"],
        &["periods.json", "2.json", "3.json"],
    ] {
        for lang in ["en", "pl"] {
            let merge = [&["--lang", lang, "simulate", "merge"], files].concat();
            let run = sandbox.war(&[&merge[..], &["--json", "all.json"]].concat());
            let run = run.exits_with(1);
            assert!(!sandbox.path("all.json").exists(), "{files:?}");
            told.push_str(&format!("war {}\n{}\n", merge.join(" "), run.stderr));
        }
    }
    reviewed("simulation_merges", &told);
}

#[test]
fn a_row_describes_the_deal() {
    let sandbox = Sandbox::new();
    sandbox.write("dealt.json", "[[14,14,9],[13,2,14]]");
    let rows = |more: &[&str]| {
        let run = ["simulate", "--seed", "3", "--csv-games", "rows.csv"];
        sandbox.war(&[&run[..], more].concat()).exits_with(0);
        sandbox.read("rows.csv")
    };
    let dealt = [
        "--deal",
        "dealt.json",
        "--games",
        "1",
        "--rules",
        "bataille",
    ];
    let columns = ["--columns", "strength,ACES,kings,aces"];
    let dealt = rows(&[&dealt[..], &columns].concat());
    let (heading, row) = dealt.split_once('\n').expect("two rows");
    assert!(heading.ends_with(",period,strength1,strength2,aces1,aces2,kings1,kings2"));
    assert!(row.ends_with(",37,29,2,1,0,1\n"), "{row}");
    let columns = ["--columns", "aces,strength", "--columns", "aces"];
    let game = ["--players", "3", "--deck", "small", "--games", "40"];
    let many = rows(&[&game[..], &columns].concat());
    for row in many.lines().skip(1) {
        let numbers: Vec<u32> = row
            .split(',')
            .skip(6)
            .map(|n| n.parse().expect("a number"))
            .collect();
        let [aces, strengths] = [&numbers[..3], &numbers[3..]].map(|all| all.iter().sum());
        // Four of each rank from 9 to 14.
        assert_eq!((aces, strengths), (4, 276), "{row}");
    }
    assert_eq!(many.lines().count(), 41);
    let run = ["simulate", "--games", "1", "--columns", "aces"];
    sandbox.war(&run).exits_with(2).reports("--csv-games");
}

#[test]
fn a_result_does_not_replace_a_part() {
    let sandbox = Sandbox::new();
    let part = ["simulate", "--seed", "1", "--games", "9", "--deck", "small"];
    sandbox
        .war(&[&part[..], &["--json", "1.json"]].concat())
        .exits_with(0);
    let before = sandbox.read("1.json");
    for (lang, told) in [("en", "is one of the parts"), ("pl", "to jedna z części")] {
        let merge = ["--lang", lang, "simulate", "merge", "1.json"];
        for output in [["--json", "./1.json"], ["--csv", "1.json"]] {
            let run = sandbox.war(&[&merge[..], &output].concat()).exits_with(2);
            run.reports(told);
            assert_eq!(sandbox.read("1.json"), before);
        }
    }
}

#[test]
fn hands_are_compared_by_contents_and_not_by_file_name() {
    let sandbox = Sandbox::new();
    for (name, hands) in [
        ("a", "[[14,2,3],[5]]"),
        ("b", "[[14, 2, 3], [5]]"),
        ("c", "[[14],[5]]"),
    ] {
        sandbox.write(&format!("{name}.json"), hands);
    }
    let part = |deal: &str, shard: &str, name: &str| {
        let part = ["simulate", "--seed", "1", "--games", "2", "--deal", deal];
        let part = [&part[..], &["--shard", shard, "--json", name]].concat();
        sandbox.war(&part).exits_with(0);
    };
    part("a.json", "1/2", "1.json");
    part("b.json", "2/2", "2.json");
    part("c.json", "2/2", "3.json");
    let merge = ["simulate", "merge", "1.json"];
    sandbox
        .war(&[&merge[..], &["2.json"]].concat())
        .exits_with(0);
    sandbox
        .war(&[&merge[..], &["3.json"]].concat())
        .exits_with(1)
        .reports("`--deal, --fix` differs");
}

#[test]
fn a_single_game_claims_no_precision() {
    let sandbox = Sandbox::new();
    let part = |shard: &str| {
        let json = format!("{}.json", &shard[..1]);
        let run = ["simulate", "--seed", "1", "--games", "2", "--deck", "small"];
        let run = [&run[..], &["--rules", "bataille", "--face-down", "1"]].concat();
        let files = ["--shard", shard, "--json", &json, "--plot", "plot.svg"];
        sandbox.war(&[&run[..], &files].concat()).exits_with(0)
    };
    let run = part("1/2");
    assert!(!run.stdout.contains('±'), "{run:#?}");
    assert!(run.stdout.contains("standard deviation -\n"), "{run:#?}");
    assert!(!sandbox.read("plot.svg").contains('±'));
    let json = sandbox.read("1.json");
    assert!(json.contains("\"sd\": null,\n    \"se\": null"), "{json}");
    part("2/2");
    // Parts of the first version lack sums of squares, from which errors are computed.
    sandbox.write("1.json", json.replace("\"version\": 2", "\"version\": 1"));
    let merge = ["simulate", "merge", "1.json", "2.json"];
    let run = sandbox.war(&merge).exits_with(1);
    run.reports("part of version 1");
    sandbox.write("1.json", json);
    let run = sandbox.war(&merge).exits_with(0);
    assert!(run.stdout.contains('±'), "{run:#?}");
}

#[test]
fn few_games_claim_no_more_precision_than_they_have() {
    let sandbox = Sandbox::new();
    let run = |games| {
        let run = ["simulate", "--seed", "1", "--rules", "bataille", "--games"];
        sandbox
            .war(&[&run[..], &[games]].concat())
            .exits_with(0)
            .stdout
    };
    let (two, nineteen) = (run("2"), run("19"));
    // With two games, a share of zero gets no upper bound, and the standard deviation no error.
    assert!(two.contains("\nendless:    0.000%\n"), "{two}");
    let sd = two.split("deviation ").nth(1).expect("a deviation");
    assert!(!sd.lines().next().expect("a line").contains('±'), "{two}");
    // With 19 games, the quantiles at 50% and 95% have errors, but those at 5% and 99% do not.
    let quantiles = nineteen.lines().find(|line| line.starts_with("quantiles:"));
    let quantiles: Vec<_> = quantiles.expect("quantiles").split(", ").collect();
    let errors = quantiles.iter().map(|quantile| quantile.contains('±'));
    assert_eq!(errors.collect::<Vec<_>>(), [false, true, true, false]);
}

#[test]
fn cards_of_any_value_are_played_in_order() {
    let sandbox = Sandbox::new();
    let huge = "1000000000000000000000000000000";
    let any = format!("[[65,-7,{huge},0],[-70,65,0,-{huge}]]");
    sandbox.write("any/cards.json", any);
    sandbox.write("dense/cards.json", "[[5,3,6,4],[2,5,4,1]]");
    let game = |file: &str| {
        let game = ["simulate", "--deal", file, "--out-of-cards", "loses"];
        let game = [&game[..], &["--face-down", "0", "--game", "1:0"]].concat();
        sandbox.war(&game).exits_with(0).stdout
    };
    assert_eq!(game("any/cards.json"), game("dense/cards.json"));
    let games = [
        "simulate",
        "--games",
        "3",
        "--seed",
        "1",
        "--deal",
        "any/cards.json",
    ];
    let json = [&games[..], &["--json", "any.run"]].concat();
    sandbox.war(&json).exits_with(0);
    assert!(
        sandbox
            .read("any.run")
            .contains("\"hands\": [\n          [\n            5,")
    );
}

#[test]
fn a_drawing_is_labelled() {
    let sandbox = Sandbox::new();
    let drawn = |more: &[&str]| {
        let run = ["simulate", "--seed", "1", "--plot", "plot.svg"];
        sandbox.war(&[&run[..], more].concat()).exits_with(0);
        sandbox.read("plot.svg")
    };
    let one = drawn(&["--games", "1", "--rules", "bataille", "--deck", "2x4"]);
    assert!(one.contains(">1 game of seed 1<"), "{one}");
    assert!(!one.contains("left out") && !one.contains("NaN"), "{one}");
    assert!(one.contains(">100.0<"), "{one}");
    let fixed = ["--fix", "2:14,14,14,14", "--max-turns", "500"];
    let fixed = drawn(&[&["--games", "99"], &fixed[..]].concat());
    let title =
        "large deck with 14 14 14 14 for player2, 1 face down, seat, eoc, at most 500 turns<";
    assert!(fixed.contains(title), "{fixed}");
    sandbox.write("nines.json", "[[9],[9]]");
    let none = drawn(&["--rules", "xy", "--deal", "nines.json", "--games", "5"]);
    assert!(none.contains(">no games finished<"), "{none}");
    assert!(!none.contains("NaN"), "{none}");
}

// No run has such figures, but a file may contain anything.
#[test]
fn extreme_figures_are_drawn_but_refused_as_a_part() {
    let mut tally = Tally::default();
    for (game, turns) in [u32::MAX, u32::MAX - 105, 1 << 31].into_iter().enumerate() {
        let conclusion = Conclusion::Won(Seat::FIRST);
        let played = GameResult {
            conclusion,
            turns,
            wars: 0,
            ties: Ties::default(),
        };
        tally.count(game as u64, &played);
    }
    let run = war_simulate::Run {
        setup: GameSetup {
            parameters: Parameters::BATAILLE,
            players: 2,
            deck: Deck::from_shape("13x4").expect("a shape"),
            dealing: Dealing::Shuffled,
        },
        seed: 1,
        games: 3,
        part: 0..3,
        partial: false,
        tally,
    };
    let drawing = war_simulate::plot::draw_run(&run, Catalogue::built_in(Lang::En));
    assert!(drawing.contains("4294967295"));
    let json = run.to_json();
    let many = json.replace(
        "4294967295,\n      1",
        "4294967295,\n      9007199254740993",
    );
    let many = many.replace("1,\n      0\n", "9007199254740993,\n      0\n");
    assert_ne!(many, json);
    // The games in `json` are longer than those of its seed, and `many` has too many of them.
    let sandbox = Sandbox::new();
    for part in [json, many] {
        sandbox.write("part.json", part);
        sandbox
            .war(&["simulate", "merge", "part.json"])
            .exits_with(1);
    }
}

#[test]
fn an_opened_game_is_the_game_of_the_run() {
    let games = 12;
    for rules in [
        &REFERENCE[..],
        &["--players", "4", "--deck", "small"],
        &["--rules", "xy"],
        &["--rules", "duels", "--players", "3", "--deck", "small"],
        &[
            "--rules",
            "bataille",
            "--deck",
            "52x1",
            "--max-turns",
            "300",
        ],
        &[
            "--deck",
            "4x4",
            "--out-of-cards",
            "last-card",
            "--collect",
            "bataille",
        ],
        &[
            "--deck",
            "2x9",
            "--out-of-cards",
            "shrink",
            "--max-turns",
            "500",
        ],
        &["--fix", "2:14,14,14,14", "--rules", "xy", "--deck", "large"],
        &["--rules", "bataille", "--collect", "highest-first"],
        &["--rules", "household"],
        &["--collect", "reversed-pile", "--face-down", "3"],
        &["--collect", "random", "--deck", "small"],
        &["--collect", "seat,RANDOM,winner-first", "--players", "3"],
        &["--piles", "two", "--deck", "small", "--players", "4"],
        &["--piles", "Two-Turned", "--collect", "bataille"],
    ] {
        let sandbox = Sandbox::new();
        let games = games.to_string();
        let (_, rows) = figures(&sandbox, "run", &[rules, &["--games", &games]].concat());
        for row in rows.lines().skip(1) {
            let columns: Vec<_> = row.split(',').collect();
            let [game, verdict, winner, turns, wars, _] = columns[..] else {
                panic!("{row}");
            };
            let (number, journal) = (format!("9:{game}"), format!("{game}.json"));
            let open = ["simulate", "--game", &number, "--journal", &journal];
            let live = sandbox.war(&[&open[..], rules].concat()).exits_with(0);
            let replay = sandbox
                .war(&["replay", &journal])
                .exits_with(0)
                .reports("VERIFIED");
            assert_eq!(replay.stdout, live.stdout);
            let shown = sandbox
                .war(&["journal", "show", &journal])
                .exits_with(0)
                .stdout
                .replace(',', "");
            assert!(
                shown.contains(&format!("turns:    {turns}\n")),
                "{row}\n{shown}"
            );
            assert!(
                shown.contains(&format!("wars:     {wars}\n")),
                "{row}\n{shown}"
            );
            let end = fs::read_to_string(sandbox.path(&journal)).expect("the journal");
            let end = end.lines().last().expect("an end").to_owned();
            let reason = |reason: &str| end.contains(&format!("\"reason\":\"{reason}\""));
            // The duels edition names a winner if its own limit stops a game.
            let own_limit = rules.contains(&"duels");
            let stopped = verdict == "undecided" || own_limit && verdict == "won";
            assert!(
                reason(verdict) || stopped && reason("stopped"),
                "{row}\n{end}"
            );
            if own_limit && verdict == "undecided" {
                assert!(end.contains("\"winner\":null"), "{row}\n{end}");
            }
            let named = format!("\"winner\":{winner},");
            assert!(winner.is_empty() || end.contains(&named), "{row}\n{end}");
        }
    }
}

#[test]
fn enumerations_match_the_published_figures() {
    let mut told = String::new();
    for arguments in [
        &["2x4", "--rules", "bataille"][..],
        &["3x4", "--rules", "bataille"],
        &[
            "2x4",
            "--rules",
            "bataille",
            "--collect",
            "winner-first",
            "--face-down",
            "1",
        ],
        &["2x5", "--out-of-cards", "loses"],
        &["6x1", "--collect", "winner-first", "--max-turns", "12"],
        &["2x4", "--rules", "duels"],
    ] {
        for lang in ["en", "pl"] {
            let command = [&["--lang", lang, "enumerate"], arguments].concat();
            let run = Sandbox::new().war(&command).exits_with(0);
            // The processor's features don't matter here.
            let stdout = run
                .stdout
                .replace("avx512", "portable")
                .replace("avx2", "portable");
            told.push_str(&format!("war {}\n{stdout}\n", command.join(" ")));
        }
    }
    assert!(told.contains("deals:    38\n"), "{told}");
    assert!(told.contains("mean 5.263158"), "{told}");
    assert!(told.contains("deals:    17,370\n"), "{told}");
    assert!(told.contains("endless 360"), "{told}");
    assert!(told.contains("periods:  19 turns (360 deals)"), "{told}");
    assert!(told.contains("mean 9.124339, most 37"), "{told}");
    assert!(told.contains("mean 13.430100, most 54"), "{told}");
    reviewed("enumerations", &told);
}

#[test]
fn the_drawing_matches_the_reviewed_one() {
    for lang in ["en", "pl"] {
        let sandbox = Sandbox::new();
        let run = [
            "--lang",
            lang,
            "simulate",
            "--players",
            "4",
            "--deck",
            "large",
        ];
        let files = ["--games", "20000", "--seed", "1", "--plot", "plot.svg"];
        sandbox.war(&[&run[..], &files[..]].concat()).exits_with(0);
        let drawn = sandbox.read("plot.svg");
        if lang == "pl" {
            reviewed("plot_pl", &drawn);
            continue;
        }
        // People look at this picture, so it is kept as a separate file.
        let shown = project().join("tests/goldens/simulate/four_players.svg");
        let shown = fs::read_to_string(shown).expect("the drawing");
        assert!(shown == drawn, "the drawing is another");
    }
}
