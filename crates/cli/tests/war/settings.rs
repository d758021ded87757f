//! Configuration and environment, and their precedence.

use super::support::{Run, Sandbox};
use std::process::Command;

/// Command that plays a game with a seed.
fn game(sandbox: &Sandbox) -> Command {
    sandbox.command(&["1", "small", "--seed", "1"])
}

/// Names of the logs in a directory of the sandbox.
fn logs_in(sandbox: &Sandbox, directory: &str) -> Vec<String> {
    let Ok(entries) = std::fs::read_dir(sandbox.path(directory)) else {
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
fn no_log_is_written_if_logging_is_off() {
    let sandbox = Sandbox::new();
    let run = Run::of(game(&sandbox).arg("--no-log")).exits_with(0);
    assert_eq!(
        (run.stderr.as_str(), sandbox.path("logs").exists()),
        ("", false)
    );
    sandbox.write("war.toml", "[log]\nlevel = \"OFF\"\n");
    Run::of(&mut game(&sandbox)).exits_with(0);
    assert!(!sandbox.path("logs").exists());
    sandbox.write("war.toml", "[log]\nlevel = \"trace\"\n");
    Run::of(game(&sandbox).arg("--no-log")).exits_with(0);
    assert!(
        !sandbox.path("logs").exists(),
        "the flag goes before the file"
    );
    Run::of(&mut game(&sandbox)).exits_with(0);
    assert_eq!(logs_in(&sandbox, "logs").len(), 1);
}

#[test]
fn the_log_directory_may_begin_with_the_home_directory() {
    for (directory, state, expected) in [
        ("~/logs of mine", None, "home/logs of mine"),
        ("~", None, "home"),
        ("$XDG_STATE_HOME/war", Some("state"), "state/war"),
        ("${XDG_STATE_HOME}", Some("state"), "state"),
        ("$XDG_STATE_HOME/war", None, "home/.local/state/war"),
        ("a/~", None, "a/~"),
    ] {
        let sandbox = Sandbox::new();
        sandbox.write("war.toml", format!("[log]\ndirectory = \"{directory}\"\n"));
        let mut command = game(&sandbox);
        command.env("HOME", sandbox.path("home"));
        command.envs(state.map(|state| ("XDG_STATE_HOME", sandbox.path(state))));
        Run::of(&mut command).exits_with(0);
        let logs = logs_in(&sandbox, expected);
        let logs = logs.iter().filter(|name| name.starts_with("audit_"));
        assert_eq!(logs.count(), 1, "{directory}");
    }
    let sandbox = Sandbox::new();
    sandbox.write("war.toml", "[log]\ndirectory = \"~/logs\"\n");
    let run = Run::of(game(&sandbox).env_remove("HOME")).exits_with(2);
    run.reports("`HOME` is not set");
}

#[test]
fn a_relative_user_directory_is_ignored() {
    let sandbox = Sandbox::new();
    sandbox.write("war.toml", "[log]\ndirectory = \"$XDG_STATE_HOME\"\n");
    Run::of(game(&sandbox).env("XDG_STATE_HOME", "state")).exits_with(0);
    assert!(sandbox.path(".local/state").exists() && !sandbox.path("state").exists());
}

#[test]
fn logs_are_kept_forever_unless_a_number_is_given() {
    let sandbox = Sandbox::new();
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
        sandbox.write(&format!("logs/{name}"), "old");
    }
    Run::of(&mut game(&sandbox)).exits_with(0);
    assert_eq!(
        logs_in(&sandbox, "logs").len(),
        old.len() + others.len() + 1
    );
    sandbox.write("war.toml", "[log]\nkeep = 3\n");
    Run::of(&mut game(&sandbox)).exits_with(0);
    let mut left = logs_in(&sandbox, "logs");
    left.retain(|name| !others.contains(&name.as_str()));
    // Logs of this game and of the one before, and the latest of the old ones.
    assert_eq!(left.len(), 3, "{left:?}");
    assert_eq!(left[0], "audit_2020_01_04_00_00_00_2.log");
    let others_left = logs_in(&sandbox, "logs").len() - left.len();
    assert_eq!(others_left, others.len(), "only audit logs are removed");
}

#[test]
fn the_help_says_how_long_logs_are_kept() {
    let sandbox = Sandbox::new();
    let help = Run::of(sandbox.command(&["--help"]).env("COLUMNS", "400"))
        .exits_with(0)
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
fn the_project_s_configuration_overrides_the_user_s() {
    let sandbox = Sandbox::new();
    let own = "[log]\ndirectory = \"own\"\nlevel = \"trace\"\n";
    sandbox.write(".config/war/war.toml", own);
    Run::of(&mut game(&sandbox)).exits_with(0);
    assert_eq!(logs_in(&sandbox, "own").len(), 1);
    // The project sets the directory, but not the level.
    sandbox.write("war.toml", "[log]\ndirectory = \"project\"\n");
    Run::of(&mut game(&sandbox)).exits_with(0);
    let logs = logs_in(&sandbox, "project");
    let log = sandbox.read(&format!("project/{}", logs[0]));
    assert!(log.contains(" TRCE "), "{log}");
    assert_eq!(logs_in(&sandbox, "own").len(), 1);
    // The configuration directory takes precedence over the home directory.
    sandbox.write(
        "xdg/war/war.toml",
        "[log]\nlevel = \"critical\"\ndirectory = \"xdg_logs\"\n",
    );
    let mut command = game(&sandbox);
    Run::of(command.env("XDG_CONFIG_HOME", sandbox.path("xdg"))).exits_with(0);
    let logs = logs_in(&sandbox, "project");
    let log = sandbox.read(&format!("project/{}", logs[1]));
    assert_eq!(log.lines().count(), 1, "{log}");
}

#[test]
fn an_error_in_the_user_s_configuration_names_its_file() {
    let sandbox = Sandbox::new();
    sandbox.write(".config/war/war.toml", "[log]\nlevel = \"loud\"\n");
    let run = Run::of(&mut game(&sandbox)).exits_with(2);
    run.reports(".config/war/war.toml:2:9: ");
    // No files exist below a home that is a file.
    let mut command = game(&sandbox);
    Run::of(command.env("HOME", "/dev/null")).exits_with(0);
}

#[test]
fn the_language_comes_from_the_variable_and_never_from_the_locale() {
    let sandbox = Sandbox::new();
    let first = |variable: &str, value: &str| {
        let run = Run::of(game(&sandbox).env(variable, value)).exits_with(0);
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
    let run = Run::of(game(&sandbox).env("WAR_LANG", "de_DE.UTF-8")).exits_with(2);
    run.reports("de_DE.UTF-8");
}
