//! Messages about files, each of which was once false.

use super::support::{Run, Sandbox};

fn configured(config: &str) -> String {
    let sandbox = Sandbox::new();
    sandbox.write("war.toml", config);
    sandbox.war(&["1", "small"]).exits_with(2).stderr
}

#[test]
fn an_invalid_level_lists_the_levels_and_not_the_keys() {
    let told = configured("[log]\nlevel = \"loud\"\n");
    for level in [
        "off", "critical", "fatal", "error", "warning", "info", "debug", "trace",
    ] {
        assert!(told.contains(level), "{told}");
    }
    assert!(!told.contains("directory"), "{told}");
}

#[test]
fn every_setting_lists_its_allowed_values() {
    for (config, allowed) in [
        ("[log]\nlevel = 3\n", "critical"),
        ("[log]\nformat = \"xml\"\n", "text, json"),
        ("log.format = 1\n", "text, json"),
        ("log = { keep = 0 }\n", "from 1 to 1,000,000"),
        ("[log]\nkeep = \"x\"\n", "from 1 to 1,000,000"),
        ("[log]\ndirectory = \"$HOME/x\"\n", "`$XDG_STATE_HOME`"),
        ("[log]\ndirectory = \"\"\n", "`~`"),
        #[cfg(feature = "table")]
        ("[table]\nbots = -1\n", "from 0 to 10,000"),
        #[cfg(feature = "table")]
        ("[table]\nlisten = \"localhost\"\n", "localhost:8080"),
    ] {
        let told = configured(config);
        assert!(told.contains(allowed), "{config}{told}");
        assert!(told.starts_with("error: war.toml:"), "{told}");
    }
    // For an unknown name, the known ones are listed.
    let told = configured("[log]\ncolour = true\n");
    assert!(
        told.contains("`keep`") && !told.contains("`bots`"),
        "{told}"
    );
}

#[test]
fn an_intact_journal_of_another_game_is_not_damaged() {
    let sandbox = Sandbox::new();
    sandbox
        .war(&["4", "small", "--seed", "1", "--journal", "game.json"])
        .exits_with(0);
    let digest = "65beb305410a611f291a47ef8b561854";
    let replay =
        |digest: &str| sandbox.war(&["replay", "-q", "game.json", "--expect-digest", digest]);
    let other = replay(&digest.replace('6', "7")).exits_with(1);
    assert!(!other.stderr.contains("DAMAGED"), "{other:#?}");
    let other = other
        .reports(": WJ204 ")
        .reports("\nUNEXPECTED game.json: 53 events, 19 turns");
    assert!(other.stderr.contains(digest), "{other:#?}");
    replay(digest).exits_with(0).reports("VERIFIED");
    replay(&digest.to_uppercase())
        .exits_with(0)
        .reports("VERIFIED");
    // Damage is found before anything is compared.
    let damaged = sandbox
        .read("game.json")
        .replacen("\"turn\":1,", "\"turn\":2,", 1);
    sandbox.write("game.json", damaged);
    replay(&digest.replace('6', "7"))
        .exits_with(1)
        .reports("DAMAGED");
}

#[test]
fn a_scenario_file_that_is_missing_is_not_mangled() {
    let sandbox = Sandbox::new();
    for edition in [&[][..], &["duels"]] {
        let run = sandbox.war(&[edition, &["--scenario", "nowhere.json"]].concat());
        let run = run
            .exits_with(1)
            .reports("can't read `nowhere.json`: no such file");
        assert!(!run.stderr.contains("Mangled"), "{run:#?}");
    }
    sandbox.write("bad.json", "[[9]]");
    let run = sandbox.war(&["--scenario", "bad.json"]).exits_with(1);
    run.reports("SpecialCodeFileMangledException");
}

#[test]
fn an_existing_journal_is_reported_with_an_option_of_the_command() {
    let sandbox = Sandbox::new();
    sandbox.write("table.txt", sandbox.war(&["xy", "42"]).stdout);
    sandbox.write("table.json", "mine");
    let run = sandbox.war(&["import", "xy", "table.txt"]).exits_with(4);
    run.reports("WJ401")
        .reports("another directory with `--journal-dir`");
    sandbox.write(
        "scenarios/ssc_a.json",
        "[[9,9,10,10,11,11,12,12,13,13,14,14,9,9,10,10,11,11,12,12,13,13,14,14]]",
    );
    sandbox.write("journals/ssc_a.json", "mine");
    let several = [
        "2",
        "small",
        "--scenarios",
        "scenarios",
        "--journal-dir",
        "journals",
    ];
    sandbox
        .war(&several)
        .exits_with(4)
        .reports("another directory");
    let run = sandbox
        .war(&["2", "small", "--journal", "table.json"])
        .exits_with(4);
    assert!(!run.stderr.contains("--journal-dir"), "{run:#?}");
}

#[cfg(feature = "table")]
#[test]
fn a_table_listens_at_the_address_of_a_name() {
    let sandbox = Sandbox::new();
    let table = super::table::Server::start_at(&sandbox, "localhost:0", &[]);
    assert!(table.address.starts_with("localhost:"), "{}", table.address);
    let health = ureq::get(format!("http://{}/", table.address)).call();
    assert_eq!(health.expect("the page").status(), 200);
    for address in [
        "localhost",
        "localhost:x",
        ":8080",
        "a b:1",
        "::1:1",
        "localhost:65536",
    ] {
        let run = sandbox.war(&["serve", "--listen", address]).exits_with(2);
        run.reports("is not a valid address")
            .reports("localhost:8080");
    }
    let run = sandbox.war(&["serve", "--listen", "no.such.host.invalid:1"]);
    run.exits_with(4).reports("no.such.host.invalid:1");
    let run = sandbox.war(&["table-load", "no.such.host.invalid:1"]);
    run.exits_with(4).reports("no.such.host.invalid:1");
}

#[test]
fn an_unplayed_turn_is_an_error_unless_the_journal_has_a_fault() {
    let sandbox = Sandbox::new();
    sandbox
        .war(&["4", "small", "--seed", "1", "--journal", "game.json"])
        .exits_with(0);
    for option in ["--turn", "--from"] {
        let run = sandbox
            .war(&["replay", "game.json", option, "20"])
            .exits_with(2);
        assert_eq!(run.stdout, "");
        run.reports("VERIFIED").reports("the last turn is 19");
        sandbox
            .war(&["replay", "game.json", option, "19"])
            .exits_with(0);
    }
    sandbox.write("cut.json", &sandbox.read("game.json")[..3000]);
    let run = sandbox
        .war(&["replay", "cut.json", "--turn", "99"])
        .exits_with(3);
    run.reports("INCOMPLETE").reports("the last turn is 5");
}

#[test]
fn an_invalid_value_in_a_variable_is_reported_too() {
    let sandbox = Sandbox::new();
    let mut command = sandbox.command(&["1", "small"]);
    let run = Run::of(command.env("WAR_CONFIG", "nowhere.toml")).exits_with(2);
    run.reports("`nowhere.toml`");
}
