//! Special scenario codes: where they are looked for, and every way to be bad.

use super::support::{Place, Run, reviewed};

const GOOD: &str = "[[14],[9,9,9,9,10,10,10,10,11,11,11,11,12,12,12,12,13,13,13,13,14,14,14]]";
const SEPARATOR: &str = "=========\n\n\n";

/// Plays the scenario files of `scenarios/`.
fn play(place: &Place) -> Run {
    Run::of(place.command(&["4", "small"]).env_remove("WAR_SCENARIOS"))
}

#[test]
fn any_scenario_file_replaces_the_dealing() {
    let place = Place::new();
    place.write("scenarios/ssc_player1_winS_In_7_MoVeS.json", GOOD);
    let run = play(&place).ends_with(0).tells("instead of dealing cards");
    let opening = "special scenario code: PLAYER1 WINS IN 7 MOVES\nWAR, 2 players, SMALL deck, ";
    assert!(run.stdout.starts_with(opening), "{run:#?}");
}

#[test]
fn several_are_played_in_byte_order_with_a_separator_between() {
    let place = Place::new();
    for name in ["ssc_b.json", "ssc_Z.json", "ssc_.json", "ssc_a b.json"] {
        place.write(&format!("scenarios/{name}"), GOOD);
    }
    place.write("scenarios/examples/ssc_not_searched.json", GOOD);
    for other in [
        "ssc_x.JSON",
        "SSC_x.json",
        "ssc.json",
        "war_x.json",
        "ssc_x.json~",
    ] {
        place.write(&format!("scenarios/{other}"), GOOD);
    }
    let run = play(&place).ends_with(0);
    let alone = |code: &str| {
        let game = play_alone(&place);
        game.replacen("CODE", code, 1)
    };
    let expected = ["", "Z", "A B", "B"].map(alone).join(SEPARATOR);
    assert_eq!(run.stdout, expected);
}

/// The game of [`GOOD`], with CODE for its code.
fn play_alone(place: &Place) -> String {
    place.write("elsewhere/ssc_code.json", GOOD);
    let path = place.path("elsewhere/ssc_code.json");
    place
        .war(&["--scenario", path.to_str().expect("a name")])
        .ends_with(0)
        .stdout
}

#[test]
fn a_bad_file_is_reported_and_the_next_one_played() {
    let place = Place::new();
    place.write("scenarios/ssc_a.json", GOOD);
    place.write("scenarios/ssc_b.json", "[[9]]");
    place.write("scenarios/ssc_c.json", "[[9]");
    place.write("scenarios/ssc_d.json", GOOD);
    std::fs::create_dir(place.path("scenarios/ssc_e.json")).expect("a directory");
    let run = play(&place).ends_with(1);
    assert_eq!(run.stdout.matches("special scenario code: ").count(), 2);
    assert_eq!(run.stdout.matches(&SEPARATOR.repeat(3)).count(), 0);
    let errors: Vec<_> = run
        .stderr
        .lines()
        .filter(|line| line.starts_with("error: "))
        .collect();
    assert_eq!(errors.len(), 3, "{run:#?}");
    assert!(errors[0].contains("SpecialCodeFileMangledException: scenarios/ssc_b.json: "));
    assert!(errors[1].contains("scenarios/ssc_c.json: invalid JSON: line 1, column 5: "));
    assert!(errors[2].contains("scenarios/ssc_e.json") && errors[2].contains("directory"));
}

#[test]
fn where_all_are_bad_nothing_is_dealt() {
    let place = Place::new();
    place.write("scenarios/ssc_a.json", "[]");
    assert_eq!(play(&place).ends_with(1).stdout, "");
    let run = Run::of(place.command(&["7", "small"]).env_remove("WAR_SCENARIOS")).ends_with(1);
    assert_eq!(
        run.stdout,
        "Number of players corrected to 5, you provided 7\n"
    );
}

#[test]
fn the_directory_is_asked_for_in_order() {
    let place = Place::new();
    for directory in ["scenarios", "variable", "flag"] {
        place.write(&format!("{directory}/ssc_{directory}.json"), GOOD);
    }
    let code = |command: &mut std::process::Command| {
        let run = Run::of(command).ends_with(0);
        run.stdout.lines().next().unwrap_or_default().to_owned()
    };
    let mut flag = place.command(&["2", "small", "--scenarios", "flag"]);
    assert_eq!(
        code(flag.env("WAR_SCENARIOS", "variable")),
        "special scenario code: FLAG"
    );
    let mut variable = place.command(&["2", "small"]);
    assert_eq!(
        code(variable.env("WAR_SCENARIOS", "variable")),
        "special scenario code: VARIABLE"
    );
    let mut default = place.command(&["2", "small"]);
    assert_eq!(
        code(default.env("WAR_SCENARIOS", "")),
        "special scenario code: SCENARIOS"
    );
    place
        .war(&["2", "small", "--scenarios", "nowhere"])
        .ends_with(2)
        .tells("`nowhere`");
    let mut missing = place.command(&["2", "small", "--seed", "1"]);
    Run::of(missing.env("WAR_SCENARIOS", "nowhere"))
        .ends_with(0)
        .tells("`WAR_SCENARIOS` is set to");
}

#[test]
fn one_scenario_is_played_by_name_or_path() {
    let place = Place::new();
    place.write("scenarios/ssc_Mine.json", GOOD);
    place.write("other.json", GOOD);
    let code = |wanted: &str| {
        let mut command = place.command(&["--scenario", wanted]);
        let run = Run::of(command.env_remove("WAR_SCENARIOS")).ends_with(0);
        run.stdout.lines().next().unwrap_or_default().to_owned()
    };
    for wanted in ["mine", "MINE", "ssc_mine", "./scenarios/ssc_Mine.json"] {
        assert_eq!(code(wanted), "special scenario code: MINE");
    }
    assert_eq!(code("other.json"), "special scenario code: OTHER");
    assert_eq!(
        code("one_out_two_go_on"),
        "special scenario code: ONE OUT TWO GO ON"
    );
    // The place that comes first goes first, whatever the letter case.
    place.write("scenarios/ssc_Example.json", GOOD);
    place.write("scenarios/examples/ssc_mine.json", "[[9]]");
    for wanted in ["example", "mine"] {
        let mut command = place.command(&["--scenario", wanted]);
        let run = Run::of(command.env_remove("WAR_SCENARIOS")).ends_with(0);
        assert!(run.stdout.contains("WAR, 2 players"), "{}", run.stdout);
    }
    place
        .war(&["--scenario", "none"])
        .ends_with(1)
        .tells("unknown scenario `none`")
        .tells("example");
    place
        .war(&["--scenario", "none.json"])
        .ends_with(1)
        .tells("can't read `none.json`: no such file");
    place.war(&["--scenario", "mine", "4"]).ends_with(2);
}

#[test]
fn a_seed_has_no_effect_on_a_scenario() {
    let place = Place::new();
    let seeded = place
        .war(&["--scenario", "example", "--seed", "5"])
        .ends_with(0);
    let seeded = seeded.tells("`--seed` has no effect");
    assert_eq!(seeded.stdout, place.war(&["--scenario", "example"]).stdout);
}

#[test]
fn odd_cards_are_played_and_warned_of_in_the_log() {
    let place = Place::new();
    let nines = format!("[[{}],[3,14]]", ["9"; 22].join(","));
    place.write("odd.json", nines);
    let run = place.war(&["--scenario", "odd.json"]).ends_with(0);
    assert_eq!(run.stderr, "");
    let log = &place.logs()[0];
    assert!(
        log.contains("WARN odd cards, file: odd.json, found: 22 cards of value 9\n"),
        "{log}"
    );
    assert!(log.contains("WARN odd cards, file: odd.json, found: value 3 in a deck of 24\n"));
}

#[test]
fn every_kind_of_bad_file_has_its_error() {
    let row = |cards: usize| format!("[{}]", vec!["9"; cards].join(","));
    let rows = |rows: usize| format!("[{}]", vec![row(4); rows].join(","));
    let with = |cell: &str| format!("[[{},{cell}]]", vec!["9"; 23].join(","));
    let bad: Vec<(&str, Vec<u8>)> = vec![
        ("empty", b"".to_vec()),
        ("ends after a line", b"[[9],\n[9,\n".to_vec()),
        ("control character", b"[[\"a\x01b\"]]".to_vec()),
        ("line end in a text", b"[[\"\n\"]]".to_vec()),
        ("single quotes", b"[['9']]".to_vec()),
        ("a text of one strange character", "[\"\u{85}\"]".into()),
        (
            "a flat list of 24",
            format!("[{}]", vec!["9"; 24].join(",")).into_bytes(),
        ),
        ("only white space", b" \n\n".to_vec()),
        ("unclosed", b"[[9,10]".to_vec()),
        ("no comma", b"[[9 10]]".to_vec()),
        ("trailing comma", b"[[9,]]".to_vec()),
        ("two documents", b"[[9]] [[9]]".to_vec()),
        ("byte-order mark", b"\xef\xbb\xbf[[9]]".to_vec()),
        ("bad utf-8", b"[[9],\n [\"\xff\"]]".to_vec()),
        ("utf-16", b"[\0[\09\0]\0]\0".to_vec()),
        ("an object", b"{\"players\":[[9]]}".to_vec()),
        ("a number", b"24".to_vec()),
        ("null", b"null".to_vec()),
        ("a flat list", b"[9,10,11]".to_vec()),
        ("text in a row", with("\"ace\"").into_bytes()),
        ("a fraction", with("9.5").into_bytes()),
        ("a float", with("9.0").into_bytes()),
        ("an exponent", with("1e1").into_bytes()),
        ("null in a row", with("null").into_bytes()),
        ("a list in a row", with("[9]").into_bytes()),
        (
            "nested deep",
            format!("[[{}{}]]", "[".repeat(300), "]".repeat(300)).into_bytes(),
        ),
        ("a one", with("1").into_bytes()),
        ("a fifteen", with("15").into_bytes()),
        ("negative", with("-9").into_bytes()),
        ("huge", with("99999999999999999999999").into_bytes()),
        ("no player", b"[]".to_vec()),
        ("no card", b"[[],[]]".to_vec()),
        ("six players", rows(6).into_bytes()),
        ("too few", format!("[{}]", row(23)).into_bytes()),
        ("between", format!("[{}]", row(25)).into_bytes()),
        ("too many", format!("[{}]", row(53)).into_bytes()),
        (
            "too large",
            [b" ".repeat(1 << 24), b"[[9]]".to_vec()].concat(),
        ),
    ];
    let place = Place::new();
    let mut told = String::new();
    for (name, content) in bad {
        place.write("bad.json", content);
        for lang in ["en", "pl"] {
            let run = place
                .war(&["--lang", lang, "--scenario", "bad.json"])
                .ends_with(1);
            assert_eq!(run.stdout, "", "{name} prints");
            told.push_str(&format!("{name}\n{}\n", run.stderr));
        }
    }
    reviewed("scenario_errors", &told);
}
