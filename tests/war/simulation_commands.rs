//! `war simulate`, `war enumerate` and `war literature`, as they are called.

use super::support::{Place, Run, project, reviewed};
use std::fs;
use std::io::Read;
use std::process::{Command, Stdio};

/// Rules that the fast kernels play.
const REFERENCE: [&str; 6] = [
    "--rules",
    "bataille",
    "--face-down",
    "1",
    "--collect",
    "winner-first",
];

#[test]
fn the_table_is_told_in_both_languages() {
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
            let command = [&["--lang", lang, "simulate", "--seed", "1"], arguments].concat();
            let run = Place::new().war(&command).ends_with(0);
            assert_eq!(run.stderr, "");
            told.push_str(&format!("war {}\n{}\n", command.join(" "), run.stdout));
        }
    }
    reviewed("simulation_tables", &told);
}

#[test]
fn bad_input_is_told_in_both_languages() {
    let mut told = String::new();
    for (code, arguments) in [
        (2, &["simulate", "--games", "0"][..]),
        (2, &["simulate", "--games", "-5"]),
        (2, &["simulate", "--games", "1e6"]),
        (2, &["simulate", "--players", "1"]),
        (2, &["simulate", "--players", "6"]),
        (2, &["simulate", "--players", "5", "--deck", "2x2"]),
        (
            2,
            &["simulate", "--players", "3", "--out-of-cards", "loses"],
        ),
        (2, &["simulate", "--players", "4", "--rules", "xy"]),
        (2, &["simulate", "--deck", "0x4"]),
        (2, &["simulate", "--deck", "65x1"]),
        (2, &["simulate", "--deck", "16x16"]),
        (2, &["simulate", "--deck", "huge"]),
        (2, &["simulate", "--face-down", "6"]),
        (2, &["simulate", "--collect", "random"]),
        (2, &["simulate", "--out-of-cards", "wins"]),
        (2, &["simulate", "--rules", "poker"]),
        (2, &["simulate", "--max-turns", "0"]),
        (2, &["simulate", "--jobs", "0"]),
        (2, &["simulate", "--seed", "one"]),
        (2, &["simulate", "--seed", "1", "--shard", "0/4"]),
        (2, &["simulate", "--seed", "1", "--shard", "5/4"]),
        (2, &["simulate", "--seed", "1", "--shard", "1"]),
        (
            2,
            &["simulate", "--seed", "1", "--games", "2", "--shard", "1/4"],
        ),
        (2, &["simulate", "--shard", "1/4"]),
        (2, &["simulate", "--fix", "1"]),
        (2, &["simulate", "--fix", "3:14"]),
        (2, &["simulate", "--fix", "1:14,14,14,14,14"]),
        (2, &["simulate", "--fix", "1:9", "--deck", "2x1"]),
        (2, &["simulate", "--fix", "1:13,14", "--deck", "2x1"]),
        (2, &["simulate", "--fix", "+1:14"]),
        (2, &["simulate", "--fix", "1:+14"]),
        (2, &["simulate", "--game", "1"]),
        (2, &["simulate", "--game", "1:x"]),
        (2, &["simulate", "--game", "1:2", "--seed", "3"]),
        (2, &["simulate", "--journal", "x.json"]),
        (2, &["simulate", "--kernel", "quick"]),
        (4, &["simulate", "--deal", "missing.json"]),
        (1, &["simulate", "--deal", "one.json"]),
        (
            1,
            &[
                "simulate",
                "--deal",
                "three.json",
                "--out-of-cards",
                "loses",
            ],
        ),
        (1, &["simulate", "--deal", "high.json"]),
        (1, &["simulate", "--deal", "few.json"]),
        (
            4,
            &[
                "simulate",
                "--json",
                "missing/run.json",
                "--games",
                "1000000000",
            ],
        ),
        (
            4,
            &["simulate", "--csv-games", ".", "--games", "1000000000"],
        ),
        (4, &["simulate", "merge", "missing.json"]),
        (1, &["simulate", "merge", "one.json"]),
        #[cfg(unix)]
        (1, &["simulate", "merge", "/dev/zero"]),
        (2, &["simulate", "merge"]),
        (2, &["simulate", "--json", "x.json", "merge", "one.json"]),
        (2, &["enumerate", "5x4", "--rules", "bataille"]),
        (2, &["enumerate", "large", "--rules", "bataille"]),
        (2, &["enumerate", "64x3", "--rules", "bataille"]),
        (2, &["enumerate", "3x3", "--rules", "bataille"]),
        (2, &["enumerate", "2x4", "--collect", "shuffled"]),
        (2, &["enumerate", "2x4", "--rules", "xy"]),
        (2, &["enumerate", "two"]),
        (2, &["literature", "--games", "0"]),
    ] {
        for lang in ["en", "pl"] {
            let place = Place::new();
            place.write("one.json", "[[14,2]]");
            place.write("three.json", "[[2],[3],[4]]");
            place.write("high.json", "[[65],[2]]");
            place.write("few.json", "[[14],[]]");
            let run = Run::of(place.command(arguments).env("WAR_LANG", lang));
            let run = run.ends_with(code);
            assert_eq!(run.stdout, "", "{arguments:?}");
            assert!(run.stderr.contains('\n'), "{arguments:?}");
            told.push_str(&format!("war {}\n{}\n", arguments.join(" "), run.stderr));
        }
    }
    reviewed("simulation_errors", &told);
}

#[test]
fn games_that_never_end_are_stopped() {
    let place = Place::new();
    place.write("nines.json", "[[9],[9]]");
    for arguments in [
        &["--rules", "xy", "--deck", "1x2", "--games", "1"][..],
        &["--rules", "xy", "--deck", "2x2", "--games", "4"],
        &[
            "--rules",
            "bataille",
            "--out-of-cards",
            "shrink",
            "--deck",
            "2x2",
            "--games",
            "4",
        ],
        &["--rules", "xy", "--deal", "nines.json", "--games", "1"],
    ] {
        let run = ["simulate", "--seed", "1", "--json", "run.json"];
        let run = place.war(&[&run[..], arguments].concat()).ends_with(0);
        assert!(run.stdout.contains(", 1000000 turns at most\n"), "{run:#?}");
        assert!(run.stdout.contains("\nundecided: "), "{run:#?}");
        let json = place.read("run.json");
        assert!(json.contains("\"max_turns\": 1000000,"), "{json}");
    }
    // The edition on its own deck has no limit, and keeps its name.
    let open = ["simulate", "--rules", "xy", "--game", "1:0", "--journal"];
    place.war(&[&open[..], &["xy.json"]].concat()).ends_with(0);
    assert!(place.read("xy.json").contains("\"xy/1\""));
    let small = ["small.json", "--deck", "2x4"];
    place.war(&[&open[..], &small].concat()).ends_with(0);
    assert!(place.read("small.json").contains("\"max_turns\":1000000"));
}

#[test]
fn the_limit_of_an_edition_is_not_one_that_was_asked_for() {
    let place = Place::new();
    let duels = [
        "simulate", "--rules", "duels", "--seed", "1", "--games", "40",
    ];
    let part = |shard: &str, name: &str, more: &[&str]| {
        let part = ["--shard", shard, "--json", name];
        place.war(&[&duels[..], &part, more].concat()).ends_with(0)
    };
    part("1/2", "1.json", &[]);
    part("2/2", "2.json", &[]);
    part("2/2", "other.json", &["--max-turns", "520"]);
    let merge = ["simulate", "merge", "1.json"];
    place.war(&[&merge[..], &["2.json"]].concat()).ends_with(0);
    place
        .war(&[&merge[..], &["other.json"]].concat())
        .ends_with(1)
        .tells("other rules");
}

#[test]
#[cfg(unix)]
fn an_argument_that_is_no_text_is_told() {
    use std::os::unix::ffi::OsStrExt;
    for (lang, told) in [
        ("en", "an argument is not valid UTF-8"),
        ("pl", "argument nie jest poprawnym tekstem UTF-8"),
    ] {
        let place = Place::new();
        let mut command = place.command(&["simulate", "--seed"]);
        command.arg(std::ffi::OsStr::from_bytes(b"\xff"));
        Run::of(command.env("WAR_LANG", lang))
            .ends_with(2)
            .tells(told);
    }
}

#[test]
fn a_seed_is_the_same_with_zeros_before_it() {
    let open = ["simulate", "--deck", "2x4", "--game", "1:5", "--seed"];
    let place = Place::new();
    let same = place.war(&[&open[..], &["01"]].concat()).ends_with(0);
    assert_eq!(same.stdout, place.war(&open[..5]).ends_with(0).stdout);
    place.war(&[&open[..], &["+1"]].concat()).ends_with(2);
}

/// The JSON and the rows of a run.
fn figures(place: &Place, name: &str, more: &[&str]) -> (String, String) {
    let (json, rows) = (format!("{name}.json"), format!("{name}.csv"));
    let files = ["--json", &json, "--csv-games", &rows];
    place
        .war(&[&["simulate", "--seed", "9"], more, &files[..]].concat())
        .ends_with(0);
    (place.read(&json), place.read(&rows))
}

#[test]
fn threads_kernels_and_shards_change_no_figure() {
    for rules in [
        &REFERENCE[..],
        &["--players", "3", "--deck", "small"],
        &["--rules", "xy"],
    ] {
        let place = Place::new();
        let run = |name: &str, more: &[&str]| {
            figures(&place, name, &[rules, &["--games", "3000"], more].concat())
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
        let merged = place.war(&merge).ends_with(0);
        assert_eq!(place.read("all.json"), whole.0);
        let command = [&["simulate", "--seed", "9", "--games", "3000"], rules].concat();
        assert_eq!(merged.stdout, place.war(&command).ends_with(0).stdout);
    }
}

#[test]
fn parts_that_do_not_fit_are_refused() {
    let place = Place::new();
    let part = |name: &str, more: &[&str]| {
        let part = ["simulate", "--deck", "small", "--json", name];
        place.war(&[&part[..], more].concat()).ends_with(0);
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
    part(
        "games.json",
        &["--seed", "1", "--games", "91", "--shard", "1/3"],
    );
    let changed = place
        .read("1.json")
        .replacen("\"drawn\": 0", "\"drawn\": 1", 1);
    place.write("changed.json", changed);
    let partial = place
        .read("1.json")
        .replace("\"partial\": false", "\"partial\": true");
    place.write("partial.json", partial);
    let mut told = String::new();
    for files in [
        &["1.json", "2.json"][..],
        &["2.json", "3.json"],
        &["1.json", "3.json"],
        &["1.json", "2.json", "2.json", "3.json"],
        &["half.json", "2.json", "3.json"],
        &["seed.json", "2.json", "3.json"],
        &["2.json", "rules.json", "3.json"],
        &["games.json", "2.json", "3.json"],
        &["changed.json", "2.json", "3.json"],
        &["partial.json", "2.json", "3.json"],
    ] {
        for lang in ["en", "pl"] {
            let merge = [&["--lang", lang, "simulate", "merge"], files].concat();
            let run = place.war(&[&merge[..], &["--json", "all.json"]].concat());
            let run = run.ends_with(1);
            assert!(!place.path("all.json").exists(), "{files:?}");
            told.push_str(&format!("war {}\n{}\n", merge.join(" "), run.stderr));
        }
    }
    reviewed("simulation_merges", &told);
}

#[test]
fn a_game_opened_is_the_game_of_the_run() {
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
    ] {
        let place = Place::new();
        let games = games.to_string();
        let (_, rows) = figures(&place, "run", &[rules, &["--games", &games]].concat());
        for row in rows.lines().skip(1) {
            let columns: Vec<_> = row.split(',').collect();
            let [game, verdict, winner, turns, wars, _] = columns[..] else {
                panic!("{row}");
            };
            let (number, journal) = (format!("9:{game}"), format!("{game}.json"));
            let open = ["simulate", "--game", &number, "--journal", &journal];
            let live = place.war(&[&open[..], rules].concat()).ends_with(0);
            let replay = place
                .war(&["replay", &journal])
                .ends_with(0)
                .tells("VERIFIED");
            assert_eq!(replay.stdout, live.stdout);
            let shown = place
                .war(&["journal", "show", &journal])
                .ends_with(0)
                .stdout;
            assert!(
                shown.contains(&format!("turns:    {turns}\n")),
                "{row}\n{shown}"
            );
            assert!(
                shown.contains(&format!("wars:     {wars}\n")),
                "{row}\n{shown}"
            );
            let end = fs::read_to_string(place.path(&journal)).expect("the journal");
            let end = end.lines().last().expect("an end").to_owned();
            let reason = |reason: &str| end.contains(&format!("\"reason\":\"{reason}\""));
            // The duels edition names a winner where its own limit stops a game.
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
fn an_output_is_replaced_only_when_it_is_whole() {
    let place = Place::new();
    place.write("run.json", "old");
    let refused = ["simulate", "--json", "run.json", "--csv", "missing/run.csv"];
    place.war(&refused).ends_with(4);
    assert_eq!(place.read("run.json"), "old");
    assert!(!place.path("run.json.part").exists(), "a leftover");
    place
        .war(&[
            "simulate",
            "--games",
            "10",
            "--json",
            "run.json",
            "--csv",
            "/dev/null",
        ])
        .ends_with(0);
    assert!(
        place
            .read("run.json")
            .starts_with("{\n  \"format\": \"war-simulation\"")
    );
    assert!(!place.path("run.json.part").exists(), "a leftover");
}

#[test]
fn what_lies_beside_an_output_is_left_alone() {
    let place = Place::new();
    for lang in ["en", "pl"] {
        let run = ["--lang", lang, "simulate", "--games", "1000000000000"];
        let twice = ["--json", "run.out", "--csv-games", "./run.out"];
        let run = |files: &[&str]| place.war(&[&run[..], files].concat()).ends_with(4);
        run(&twice).tells("run.out.part`");
        assert!(!place.path("run.out").exists());
        assert!(!place.path("run.out.part").exists(), "a leftover");
        place.write("run.json.part", "mine");
        run(&["--json", "run.json"]).tells("run.json.part`");
        assert_eq!(place.read("run.json.part"), "mine");
        assert!(!place.path("run.json").exists());
    }
}

#[test]
#[cfg(unix)]
fn an_output_is_put_where_its_link_leads() {
    let place = Place::new();
    place.write("run.json", "old");
    std::os::unix::fs::symlink("run.json", place.path("link.json")).expect("a link");
    let run = ["simulate", "--games", "10", "--json", "link.json"];
    place.war(&run).ends_with(0);
    assert!(place.path("link.json").is_symlink(), "the link is gone");
    assert!(place.read("run.json").contains("war-simulation"));
    // Two names of one file are one output.
    let both = ["--json", "link.json", "--csv", "run.json"];
    let both = [&["simulate", "--games", "10"], &both[..]].concat();
    place.war(&both).ends_with(4);
}

#[test]
#[cfg(unix)]
fn an_interrupted_run_tells_the_figures_so_far() {
    let place = Place::new();
    let files = ["--json", "run.json", "--csv-games", "rows.csv"];
    let run = [
        "simulate",
        "--seed",
        "1",
        "--games",
        "1000000000000",
        "--jobs",
        "2",
    ];
    let mut command = place.command(&[&run[..], &files[..]].concat());
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = command.spawn().expect("the program");
    let begun = || {
        let rows = fs::metadata(place.path("rows.csv.part"));
        rows.is_ok_and(|rows| rows.len() > 10_000)
    };
    while !begun() {
        std::thread::yield_now();
    }
    let id = child.id().to_string();
    let kill = Command::new("kill").args(["-INT", &id]).status();
    assert!(kill.expect("kill").success());
    let run = Run::from(child.wait_with_output().expect("its output")).ends_with(3);
    let run = run.tells("interrupted: these are the figures of the first ");
    let rows = place.read("rows.csv").lines().count() - 1;
    assert!(
        run.stdout
            .contains(&format!("games:      {rows} of seed 1")),
        "{run:#?}"
    );
    let json = place.read("run.json");
    assert!(json.contains("\"partial\": true"), "{json}");
    let rows = rows.to_string();
    let files = ["--games", &rows, "--csv-games", "whole.csv"];
    let whole = place.war(&[&["simulate", "--seed", "1"], &files[..]].concat());
    assert_eq!(whole.ends_with(0).stdout, run.stdout);
    assert!(
        place.read("whole.csv") == place.read("rows.csv"),
        "other rows"
    );
}

#[test]
#[cfg(unix)]
fn an_enumeration_of_two_ranks_can_be_interrupted() {
    let place = Place::new();
    let mut command = place.command(&["enumerate", "2x16", "--rules", "bataille"]);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the program");
    let mut first = [0; 6];
    let stdout = child.stdout.as_mut().expect("its output");
    stdout.read_exact(&mut first).expect("the first line");
    assert_eq!(&first, b"rules:");
    let id = child.id().to_string();
    let kill = Command::new("kill").args(["-INT", &id]).status();
    assert!(kill.expect("kill").success());
    let run = Run::from(child.wait_with_output().expect("its output")).ends_with(3);
    let run = run.tells("interrupted: these are the figures of the first ");
    assert!(run.stdout.contains("\noutcomes: "), "{run:#?}");
}

/// Under a system that starts no threads at all.
#[test]
#[cfg(target_os = "linux")]
fn threads_that_cannot_be_started_are_done_without() {
    let place = Place::new();
    let alone = |arguments: &[&str]| {
        let mut command = place.command(arguments);
        // No address space holds a stack of 2⁵⁶ bytes.
        command.env("RUST_MIN_STACK", (1_u64 << 56).to_string());
        Run::of(&mut command).ends_with(0).stdout
    };
    for arguments in [
        &["simulate", "--seed", "1", "--games", "3000", "--jobs", "4"][..],
        &["enumerate", "3x4", "--rules", "bataille", "--jobs", "4"],
    ] {
        let stdout = place.war(arguments).ends_with(0).stdout;
        assert_eq!(alone(arguments), stdout);
    }
}

#[test]
fn enumerations_meet_the_published_figures() {
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
    ] {
        for lang in ["en", "pl"] {
            let command = [&["--lang", lang, "enumerate"], arguments].concat();
            let run = Place::new().war(&command).ends_with(0);
            told.push_str(&format!("war {}\n{}\n", command.join(" "), run.stdout));
        }
    }
    assert!(told.contains("deals:    38\n"), "{told}");
    assert!(told.contains("mean 5.263158"), "{told}");
    assert!(told.contains("deals:    17370\n"), "{told}");
    assert!(told.contains("endless 360"), "{told}");
    assert!(told.contains("19 to 19 turns"), "{told}");
    assert!(told.contains("mean 9.124339, most 37"), "{told}");
    assert!(told.contains("mean 13.430100, most 54"), "{told}");
    reviewed("enumerations", &told);
}

#[test]
fn the_drawing_is_the_reviewed_one() {
    for lang in ["en", "pl"] {
        let place = Place::new();
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
        place.war(&[&run[..], &files[..]].concat()).ends_with(0);
        let drawn = place.read("plot.svg");
        if lang == "pl" {
            reviewed("plot_pl", &drawn);
            continue;
        }
        // The README shows this one, so it is a file of its own.
        let shown = project().join("tests/goldens/simulate/four_players.svg");
        let shown = fs::read_to_string(shown).expect("the README's drawing");
        assert!(shown == drawn, "the README's drawing is another");
    }
}

#[test]
fn rows_into_a_pipe_that_is_closed_end_quietly() {
    let place = Place::new();
    let rows = [
        "--deck",
        "small",
        "--games",
        "30000",
        "--csv-games",
        "/dev/stdout",
    ];
    let mut child = place
        .command(&[&["simulate", "--rules", "bataille"], &rows[..]].concat())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program");
    let mut first = [0; 5];
    let mut stdout = child.stdout.take().expect("its output");
    stdout.read_exact(&mut first).expect("a beginning");
    drop(stdout);
    let run = Run::from(child.wait_with_output().expect("its end")).ends_with(0);
    assert_eq!((&first[..], run.stderr.as_str()), (&b"game,"[..], ""));
}
