//! Scenarios: where they are looked for, and every way in which they can be invalid.

use super::support::{Run, Sandbox, reviewed};

const GOOD: &str = "[[14],[9,9,9,9,10,10,10,10,11,11,11,11,12,12,12,12,13,13,13,13,14,14,14]]";
const SEPARATOR: &str = "=========\n\n\n";

/// Plays the scenario files in `scenarios/`.
fn play(sandbox: &Sandbox) -> Run {
    Run::of(sandbox.command(&["4", "small"]).env_remove("WAR_SCENARIOS"))
}

#[test]
fn any_scenario_file_replaces_the_deal() {
    let sandbox = Sandbox::new();
    sandbox.write("scenarios/ssc_player1_winS_In_7_MoVeS.json", GOOD);
    let run = play(&sandbox)
        .exits_with(0)
        .reports("instead of dealing cards");
    let opening = "special scenario code: PLAYER1 WINS IN 7 MOVES\nWAR, 2 players, SMALL deck, ";
    assert!(run.stdout.starts_with(opening), "{run:#?}");
}

#[test]
fn several_scenarios_are_played_in_byte_order_with_separators() {
    let sandbox = Sandbox::new();
    for name in ["ssc_b.json", "ssc_Z.json", "ssc_.json", "ssc_a b.json"] {
        sandbox.write(&format!("scenarios/{name}"), GOOD);
    }
    sandbox.write("scenarios/examples/ssc_not_searched.json", GOOD);
    for other in [
        "ssc_x.JSON",
        "SSC_x.json",
        "ssc.json",
        "war_x.json",
        "ssc_x.json~",
    ] {
        sandbox.write(&format!("scenarios/{other}"), GOOD);
    }
    let run = play(&sandbox).exits_with(0);
    let alone = |code: &str| {
        let game = play_alone(&sandbox);
        game.replacen("CODE", code, 1)
    };
    let expected = ["", "Z", "A B", "B"].map(alone).join(SEPARATOR);
    assert_eq!(run.stdout, expected);
}

/// Output of the game of [`GOOD`] from the file `ssc_code.json`, which the output calls `CODE`.
fn play_alone(sandbox: &Sandbox) -> String {
    sandbox.write("elsewhere/ssc_code.json", GOOD);
    let path = sandbox.path("elsewhere/ssc_code.json");
    sandbox
        .war(&["--scenario", path.to_str().expect("a name")])
        .exits_with(0)
        .stdout
}

#[test]
fn an_invalid_file_is_reported_and_the_next_one_played() {
    let sandbox = Sandbox::new();
    sandbox.write("scenarios/ssc_a.json", GOOD);
    sandbox.write("scenarios/ssc_b.json", "[[9]]");
    sandbox.write("scenarios/ssc_c.json", "[[9]");
    sandbox.write("scenarios/ssc_d.json", GOOD);
    std::fs::create_dir(sandbox.path("scenarios/ssc_e.json")).expect("a directory");
    let run = play(&sandbox).exits_with(1);
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
fn nothing_is_dealt_if_all_files_are_invalid() {
    let sandbox = Sandbox::new();
    sandbox.write("scenarios/ssc_a.json", "[]");
    assert_eq!(play(&sandbox).exits_with(1).stdout, "");
    let run = Run::of(sandbox.command(&["7", "small"]).env_remove("WAR_SCENARIOS")).exits_with(1);
    assert_eq!(
        run.stdout,
        "Number of players corrected to 5, you provided 7\n"
    );
}

#[test]
fn directories_are_searched_in_order() {
    let sandbox = Sandbox::new();
    for directory in ["scenarios", "variable", "flag"] {
        sandbox.write(&format!("{directory}/ssc_{directory}.json"), GOOD);
    }
    let code = |command: &mut std::process::Command| {
        let run = Run::of(command).exits_with(0);
        run.stdout.lines().next().unwrap_or_default().to_owned()
    };
    let mut flag = sandbox.command(&["2", "small", "--scenarios", "flag"]);
    assert_eq!(
        code(flag.env("WAR_SCENARIOS", "variable")),
        "special scenario code: FLAG"
    );
    let mut variable = sandbox.command(&["2", "small"]);
    assert_eq!(
        code(variable.env("WAR_SCENARIOS", "variable")),
        "special scenario code: VARIABLE"
    );
    let mut default = sandbox.command(&["2", "small"]);
    assert_eq!(
        code(default.env("WAR_SCENARIOS", "")),
        "special scenario code: SCENARIOS"
    );
    sandbox
        .war(&["2", "small", "--scenarios", "nowhere"])
        .exits_with(2)
        .reports("`nowhere`");
    let mut missing = sandbox.command(&["2", "small", "--seed", "1"]);
    Run::of(missing.env("WAR_SCENARIOS", "nowhere"))
        .exits_with(0)
        .reports("`WAR_SCENARIOS` is set to");
}

#[cfg(unix)]
#[test]
fn a_directory_that_cannot_be_read_is_not_missing() {
    use std::os::unix::fs::symlink;
    let sandbox = Sandbox::new();
    // A link to itself fails for every user, and a permission only for some.
    symlink("loop", sandbox.path("loop")).expect("a link");
    let refused = |run: Run, directory: &str| {
        let run = run.exits_with(4);
        assert_eq!(run.stdout, "");
        run.reports(&format!("can't read `{directory}`: "))
            .reports("symbolic links");
    };
    let game = ["2", "small", "--seed", "1"];
    let option = [&game[..], &["--scenarios", "loop"]].concat();
    refused(sandbox.war(&option), "loop");
    let mut variable = sandbox.command(&game);
    refused(Run::of(variable.env("WAR_SCENARIOS", "loop")), "loop");
    symlink("scenarios", sandbox.path("scenarios")).expect("a link");
    let mut default = sandbox.command(&game);
    refused(Run::of(default.env_remove("WAR_SCENARIOS")), "scenarios");
    std::fs::create_dir(sandbox.path("mine")).expect("a directory");
    symlink("examples", sandbox.path("mine/examples")).expect("a link");
    let named = ["--scenarios", "mine", "--scenario", "example"];
    refused(sandbox.war(&named), "mine/examples");
}

#[test]
fn a_scenario_is_selected_by_name_or_path() {
    let sandbox = Sandbox::new();
    sandbox.write("scenarios/ssc_Mine.json", GOOD);
    sandbox.write("other.json", GOOD);
    let code = |wanted: &str| {
        let mut command = sandbox.command(&["--scenario", wanted]);
        let run = Run::of(command.env_remove("WAR_SCENARIOS")).exits_with(0);
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
    // `scenarios/` takes precedence over `scenarios/examples/` and the embedded scenarios, whatever
    // the letter case.
    sandbox.write("scenarios/ssc_Example.json", GOOD);
    sandbox.write("scenarios/examples/ssc_mine.json", "[[9]]");
    for wanted in ["example", "mine"] {
        let mut command = sandbox.command(&["--scenario", wanted]);
        let run = Run::of(command.env_remove("WAR_SCENARIOS")).exits_with(0);
        assert!(run.stdout.contains("WAR, 2 players"), "{}", run.stdout);
    }
    sandbox
        .war(&["--scenario", "none"])
        .exits_with(1)
        .reports("unknown scenario `none`")
        .reports("example");
    sandbox
        .war(&["--scenario", "none.json"])
        .exits_with(1)
        .reports("can't read `none.json`: no such file");
    sandbox.war(&["--scenario", "mine", "4"]).exits_with(2);
}

#[test]
fn a_seed_has_no_effect_on_a_scenario() {
    let sandbox = Sandbox::new();
    let seeded = sandbox
        .war(&["--scenario", "example", "--seed", "5"])
        .exits_with(0);
    let seeded = seeded.reports("`--seed` has no effect");
    assert_eq!(
        seeded.stdout,
        sandbox.war(&["--scenario", "example"]).stdout
    );
}

#[test]
fn unusual_cards_are_played_with_a_warning_in_the_log() {
    let sandbox = Sandbox::new();
    let nines = format!("[[{}],[3,14]]", ["9"; 22].join(","));
    sandbox.write("odd.json", nines);
    let run = sandbox.war(&["--scenario", "odd.json"]).exits_with(0);
    assert_eq!(run.stderr, "");
    let log = &sandbox.logs()[0];
    assert!(
        log.contains("WARN odd cards, file: odd.json, found: 22 cards of value 9\n"),
        "{log}"
    );
    assert!(log.contains("WARN odd cards, file: odd.json, found: value 3 in a deck of 24\n"));
}

#[test]
fn every_kind_of_invalid_file_has_its_error() {
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
    let sandbox = Sandbox::new();
    let mut told = String::new();
    for (name, content) in bad {
        sandbox.write("bad.json", content);
        for lang in ["en", "pl"] {
            let run = sandbox
                .war(&["--lang", lang, "--scenario", "bad.json"])
                .exits_with(1);
            assert_eq!(run.stdout, "", "{name} prints");
            told.push_str(&format!("{name}\n{}\n", run.stderr));
        }
    }
    reviewed("scenario_errors", &told);
}
