//! Messages about files that were false once, each with its test.

use super::support::{Place, Run};

fn configured(config: &str) -> String {
    let place = Place::new();
    place.write("war.toml", config);
    place.war(&["1", "small"]).ends_with(2).stderr
}

#[test]
fn an_error_in_a_level_names_the_levels_and_not_the_keys() {
    let told = configured("[log]\nlevel = \"loud\"\n");
    for level in [
        "off", "critical", "fatal", "error", "warning", "info", "debug", "trace",
    ] {
        assert!(told.contains(level), "{told}");
    }
    assert!(!told.contains("directory"), "{told}");
}

#[test]
fn every_setting_names_what_it_may_be() {
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
    // Of a name that is unknown, the known ones are told.
    let told = configured("[log]\ncolour = true\n");
    assert!(
        told.contains("`keep`") && !told.contains("`bots`"),
        "{told}"
    );
}

#[test]
fn an_intact_journal_of_another_game_is_not_damaged() {
    let place = Place::new();
    place
        .war(&["4", "small", "--seed", "1", "--journal", "game.json"])
        .ends_with(0);
    let digest = "65beb305410a611f291a47ef8b561854";
    let replay =
        |digest: &str| place.war(&["replay", "-q", "game.json", "--expect-digest", digest]);
    let other = replay(&digest.replace('6', "7")).ends_with(1);
    assert!(!other.stderr.contains("DAMAGED"), "{other:#?}");
    let other = other
        .tells(": WJ204 ")
        .tells("\nUNEXPECTED game.json: 53 events, 19 turns");
    assert!(other.stderr.contains(digest), "{other:#?}");
    replay(digest).ends_with(0).tells("VERIFIED");
    replay(&digest.to_uppercase())
        .ends_with(0)
        .tells("VERIFIED");
    // Damage is found before anything is compared.
    let damaged = place
        .read("game.json")
        .replacen("\"turn\":1,", "\"turn\":2,", 1);
    place.write("game.json", damaged);
    replay(&digest.replace('6', "7"))
        .ends_with(1)
        .tells("DAMAGED");
}

#[test]
fn a_scenario_file_that_is_missing_is_not_mangled() {
    let place = Place::new();
    for edition in [&[][..], &["duels"]] {
        let run = place.war(&[edition, &["--scenario", "nowhere.json"]].concat());
        let run = run
            .ends_with(1)
            .tells("can't read `nowhere.json`: no such file");
        assert!(!run.stderr.contains("Mangled"), "{run:#?}");
    }
    place.write("bad.json", "[[9]]");
    let run = place.war(&["--scenario", "bad.json"]).ends_with(1);
    run.tells("SpecialCodeFileMangledException");
}

#[test]
fn a_journal_that_exists_is_told_with_an_option_that_the_command_has() {
    let place = Place::new();
    place.write("table.txt", place.war(&["xy", "42"]).stdout);
    place.write("table.json", "mine");
    let run = place.war(&["import", "xy", "table.txt"]).ends_with(4);
    run.tells("WJ401")
        .tells("another directory with `--journal-dir`");
    place.write(
        "scenarios/ssc_a.json",
        "[[9,9,10,10,11,11,12,12,13,13,14,14,9,9,10,10,11,11,12,12,13,13,14,14]]",
    );
    place.write("journals/ssc_a.json", "mine");
    let several = [
        "2",
        "small",
        "--scenarios",
        "scenarios",
        "--journal-dir",
        "journals",
    ];
    place.war(&several).ends_with(4).tells("another directory");
    let run = place
        .war(&["2", "small", "--journal", "table.json"])
        .ends_with(4);
    assert!(!run.stderr.contains("--journal-dir"), "{run:#?}");
}

#[cfg(feature = "table")]
#[test]
fn a_table_listens_at_what_a_name_stands_for() {
    let place = Place::new();
    let table = super::table::Server::start_at(&place, "localhost:0", &[]);
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
        let run = place.war(&["serve", "--listen", address]).ends_with(2);
        run.tells("is not a valid address").tells("localhost:8080");
    }
    let run = place.war(&["serve", "--listen", "no.such.host.invalid:1"]);
    run.ends_with(4).tells("no.such.host.invalid:1");
    let run = place.war(&["table-load", "no.such.host.invalid:1"]);
    run.ends_with(4).tells("no.such.host.invalid:1");
}

#[test]
fn a_turn_that_was_not_played_is_an_error_unless_the_journal_has_one() {
    let place = Place::new();
    place
        .war(&["4", "small", "--seed", "1", "--journal", "game.json"])
        .ends_with(0);
    for option in ["--turn", "--from"] {
        let run = place
            .war(&["replay", "game.json", option, "20"])
            .ends_with(2);
        assert_eq!(run.stdout, "");
        run.tells("VERIFIED").tells("the last turn is 19");
        place
            .war(&["replay", "game.json", option, "19"])
            .ends_with(0);
    }
    place.write("cut.json", &place.read("game.json")[..3000]);
    let run = place
        .war(&["replay", "cut.json", "--turn", "99"])
        .ends_with(3);
    run.tells("INCOMPLETE").tells("the last turn is 5");
}

#[test]
fn a_wrong_value_in_a_variable_is_told_too() {
    let place = Place::new();
    let mut command = place.command(&["1", "small"]);
    let run = Run::of(command.env("WAR_CONFIG", "nowhere.toml")).ends_with(2);
    run.tells("`nowhere.toml`");
}
