//! Configuration and environment: what counts, in which order.

use super::support::{Place, Run};
use std::process::Command;

/// The program plays a game with a seed.
fn game(place: &Place) -> Command {
    place.command(&["1", "small", "--seed", "1"])
}

/// The names of the logs in a directory of the place.
fn logs_in(place: &Place, directory: &str) -> Vec<String> {
    let Ok(entries) = std::fs::read_dir(place.path(directory)) else {
        return Vec::new();
    };
    let names = entries.map(|entry| entry.expect("a file").file_name());
    let mut names: Vec<_> = names
        .map(|name| name.into_string().expect("a name"))
        .collect();
    names.sort();
    names
}

#[test]
fn no_log_is_written_where_none_is_wanted() {
    let place = Place::new();
    let run = Run::of(game(&place).arg("--no-log")).ends_with(0);
    assert_eq!(
        (run.stderr.as_str(), place.path("logs").exists()),
        ("", false)
    );
    place.write("war.toml", "[log]\nlevel = \"OFF\"\n");
    Run::of(&mut game(&place)).ends_with(0);
    assert!(!place.path("logs").exists());
    place.write("war.toml", "[log]\nlevel = \"trace\"\n");
    Run::of(game(&place).arg("--no-log")).ends_with(0);
    assert!(
        !place.path("logs").exists(),
        "the flag goes before the file"
    );
    Run::of(&mut game(&place)).ends_with(0);
    assert_eq!(logs_in(&place, "logs").len(), 1);
}

#[test]
fn the_log_s_directory_may_begin_with_the_user_s_own() {
    for (directory, state, expected) in [
        ("~/logs of mine", None, "home/logs of mine"),
        ("~", None, "home"),
        ("$XDG_STATE_HOME/war", Some("state"), "state/war"),
        ("${XDG_STATE_HOME}", Some("state"), "state"),
        ("$XDG_STATE_HOME/war", None, "home/.local/state/war"),
        ("a/~", None, "a/~"),
    ] {
        let place = Place::new();
        place.write("war.toml", format!("[log]\ndirectory = \"{directory}\"\n"));
        let mut command = game(&place);
        command.env("HOME", place.path("home"));
        command.envs(state.map(|state| ("XDG_STATE_HOME", place.path(state))));
        Run::of(&mut command).ends_with(0);
        let logs = logs_in(&place, expected);
        let logs = logs.iter().filter(|name| name.starts_with("audit_"));
        assert_eq!(logs.count(), 1, "{directory}");
    }
    let place = Place::new();
    place.write("war.toml", "[log]\ndirectory = \"~/logs\"\n");
    let run = Run::of(game(&place).env_remove("HOME")).ends_with(2);
    run.tells("`HOME` is not set");
}

#[test]
fn a_relative_directory_of_the_user_is_ignored() {
    let place = Place::new();
    place.write("war.toml", "[log]\ndirectory = \"$XDG_STATE_HOME\"\n");
    Run::of(game(&place).env("XDG_STATE_HOME", "state")).ends_with(0);
    assert!(place.path(".local/state").exists() && !place.path("state").exists());
}

#[test]
fn logs_are_kept_for_ever_unless_a_number_is_given() {
    let place = Place::new();
    let old: Vec<_> = (1..=4)
        .map(|day| format!("audit_2020_01_0{day}_00_00_00.log"))
        .chain(["audit_2020_01_04_00_00_00_2.log".to_owned()])
        .collect();
    let others = [
        "audit.log",
        "audit_2020_01_01_00_00_00.log.gz",
        "audit_2020_01_01_00_00_00_1.log",
        "notes.txt",
    ];
    for name in old.iter().map(String::as_str).chain(others) {
        place.write(&format!("logs/{name}"), "old");
    }
    Run::of(&mut game(&place)).ends_with(0);
    assert_eq!(logs_in(&place, "logs").len(), old.len() + others.len() + 1);
    place.write("war.toml", "[log]\nkeep = 3\n");
    Run::of(&mut game(&place)).ends_with(0);
    let mut left = logs_in(&place, "logs");
    left.retain(|name| !others.contains(&name.as_str()));
    // This game's, the one of the game before, and the latest of the old ones.
    assert_eq!(left.len(), 3, "{left:?}");
    assert_eq!(left[0], "audit_2020_01_04_00_00_00_2.log");
    let others_left = logs_in(&place, "logs").len() - left.len();
    assert_eq!(others_left, others.len(), "only audit logs are removed");
}

#[test]
fn the_help_says_how_long_logs_are_kept() {
    let place = Place::new();
    let help = Run::of(place.command(&["--help"]).env("COLUMNS", "400"))
        .ends_with(0)
        .stdout;
    for part in [
        "--no-log",
        "never deleted",
        "`keep = 50`",
        "`level = \"off\"`",
        "war/war.toml",
    ] {
        assert!(help.contains(part), "{part} in {help}");
    }
}

#[test]
fn the_user_s_configuration_lies_under_the_project_s() {
    let place = Place::new();
    let own = "[log]\ndirectory = \"own\"\nlevel = \"trace\"\n";
    place.write(".config/war/war.toml", own);
    Run::of(&mut game(&place)).ends_with(0);
    assert_eq!(logs_in(&place, "own").len(), 1);
    // The project says the directory, and nothing of the level.
    place.write("war.toml", "[log]\ndirectory = \"project\"\n");
    Run::of(&mut game(&place)).ends_with(0);
    let logs = logs_in(&place, "project");
    let log = place.read(&format!("project/{}", logs[0]));
    assert!(log.contains(" TRCE "), "{log}");
    assert_eq!(logs_in(&place, "own").len(), 1);
    // A directory for configurations goes before the one in the home.
    place.write(
        "xdg/war/war.toml",
        "[log]\nlevel = \"critical\"\ndirectory = \"xdg_logs\"\n",
    );
    let mut command = game(&place);
    Run::of(command.env("XDG_CONFIG_HOME", place.path("xdg"))).ends_with(0);
    let logs = logs_in(&place, "project");
    let log = place.read(&format!("project/{}", logs[1]));
    assert_eq!(log.lines().count(), 1, "{log}");
}

#[test]
fn a_fault_of_the_user_s_configuration_names_its_file() {
    let place = Place::new();
    place.write(".config/war/war.toml", "[log]\nlevel = \"loud\"\n");
    let run = Run::of(&mut game(&place)).ends_with(2);
    run.tells(".config/war/war.toml:2:9: ");
    // Nobody has files below a home that is a file.
    let mut command = game(&place);
    Run::of(command.env("HOME", "/dev/null")).ends_with(0);
}

#[test]
fn the_language_is_that_of_the_variable_and_never_of_the_locale() {
    let place = Place::new();
    let first = |variable: &str, value: &str| {
        let run = Run::of(game(&place).env(variable, value)).ends_with(0);
        run.stdout
            .lines()
            .next()
            .map(str::to_owned)
            .expect("a screen")
    };
    let english = first("LANG", "pl_PL.UTF-8");
    assert!(english.starts_with("WAR, "), "{english}");
    for locale in ["LC_ALL", "LC_MESSAGES", "LANGUAGE"] {
        assert_eq!(first(locale, "pl_PL.UTF-8"), english, "{locale}");
    }
    let polish = first("WAR_LANG", "pl");
    assert_ne!(polish, english);
    for value in ["pl_PL.UTF-8", "pl_PL", "pl_PL@euro", "PL", "pl.UTF-8"] {
        assert_eq!(first("WAR_LANG", value), polish, "{value}");
    }
    for value in ["", "en_GB.UTF-8", "C", "C.UTF-8", "POSIX"] {
        assert_eq!(first("WAR_LANG", value), english, "{value}");
    }
    let run = Run::of(game(&place).env("WAR_LANG", "de_DE.UTF-8")).ends_with(2);
    run.tells("de_DE.UTF-8");
}
