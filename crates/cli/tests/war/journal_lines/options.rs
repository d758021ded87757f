//! `--journal-version`, `--compact` and `--meta`.

use crate::support::{Sandbox, reviewed};

#[test]
fn invalid_options_are_refused_before_the_game_begins() {
    let sandbox = Sandbox::new();
    let long = format!("a={}", "x".repeat(8192));
    let many: Vec<_> = (0..65).map(|at| format!("{at}=")).collect();
    let many: Vec<_> = many.iter().flat_map(|note| ["--meta", note]).collect();
    let two = [
        "xy",
        "1",
        "--journal",
        "game.jsonl",
        "--journal-version",
        "2",
    ];
    let mut told = String::new();
    for (arguments, shown) in [
        (
            &["xy", "1", "--journal", "game.jsonl", "--meta", "a=b"][..],
            6,
        ),
        (&["xy", "1", "--journal", "game.jsonl", "--compact"], 5),
        (
            &[
                "xy",
                "1",
                "--journal",
                "game.jsonl",
                "--journal-version",
                "1",
                "--compact",
            ],
            7,
        ),
        (
            &[
                "xy",
                "1",
                "--journal",
                "game.jsonl",
                "--journal-version",
                "3",
            ],
            6,
        ),
        (&["xy", "1", "--journal-version", "2"], 4),
        (&["4", "small", "--compact"], 3),
        (&["duels", "--numPlayers", "2", "--meta", "a=b"], 5),
        (&["simulate", "--game", "1:2", "--journal-version", "2"], 5),
        (&["--compact", "duels"], 2),
        (&[&two[..], &["--meta", "a"]].concat(), 8),
        (&[&two[..], &["--meta", "=a"]].concat(), 8),
        (
            &[&two[..], &["--meta", "a=1", "--meta", "a=2"]].concat(),
            10,
        ),
        (&[&two[..], &["--meta", &long]].concat(), 6),
        (&[&two[..], &many].concat(), 6),
    ] {
        told += &format!("$ war {}\n", arguments[..shown].join(" "));
        for lang in ["en", "pl"] {
            let run = sandbox
                .war(&[&["--lang", lang], arguments].concat())
                .exits_with(2);
            assert_eq!(run.stdout, "", "{arguments:?}");
            told += &run.stderr;
        }
        assert!(!sandbox.path("game.jsonl").exists(), "{arguments:?}");
    }
    reviewed("journal_lines_options", &told);
}

#[test]
fn every_recording_command_writes_version_2() {
    let sandbox = Sandbox::new();
    sandbox.write("scenarios/ssc_a.json", "{\"hands\":[[9],[10]]}");
    sandbox.write("journals/.keep", "");
    let options = ["--journal-version", "2", "--meta", "a=b=c", "--compact"];
    for arguments in [
        &["2", "small", "--seed", "1", "--journal", "classic.jsonl"][..],
        &["xy", "1", "--journal", "xy.jsonl"],
        &[
            "duels",
            "--numPlayers",
            "2",
            "--seed",
            "1",
            "--journal",
            "duels.jsonl",
        ],
        &["simulate", "--game", "1:2", "--journal", "simulated.jsonl"],
        &["--scenario", "example", "--journal-dir", "journals"],
    ] {
        sandbox.war(&[arguments, &options].concat()).exits_with(0);
    }
    for name in [
        "classic.jsonl",
        "xy.jsonl",
        "duels.jsonl",
        "simulated.jsonl",
        "journals/ssc_example.json",
    ] {
        let journal = sandbox.read(name);
        let (header, rest) = journal.split_once('\n').expect("a header");
        assert!(header.contains("\"version\":2"), "{header}");
        assert!(
            header.contains("\"meta\":{\"a\":\"b=c\"},\"chain\""),
            "{header}"
        );
        assert!(rest.starts_with("{\"event\":{\"dealt\""), "{name}");
        sandbox.war(&["replay", "-q", name]).exits_with(0);
    }
}

#[test]
fn version_1_is_the_default() {
    let sandbox = Sandbox::new();
    let game = ["2", "small", "--seed", "1", "--journal"];
    sandbox
        .war(&[&game[..], &["default.json"]].concat())
        .exits_with(0);
    let one = ["one.json", "--journal-version", "1"];
    sandbox.war(&[&game[..], &one].concat()).exits_with(0);
    assert_eq!(sandbox.read("default.json"), sandbox.read("one.json"));
    assert!(sandbox.read("one.json").contains("\"version\":1"));
}
