//! Windows: names of files, line ends, consoles. `.ci/windows` runs these tests in wine.
#![cfg(windows)]

use super::support::{Run, Sandbox, project};
use std::os::windows::process::CommandExt;
use std::process::Command;

const GAME: [&str; 4] = ["4", "small", "--seed", "1"];

/// The sandbox's directory with a drive letter.
fn absolute(sandbox: &Sandbox, name: &str) -> String {
    let path = std::path::absolute(sandbox.path(name)).expect("a path");
    let path = path.into_os_string().into_string().expect("a name");
    assert_eq!(path.get(1..3), Some(":\\"), "{path}");
    path
}

#[test]
fn spaces_backslashes_drives_and_other_letters_lead_to_files() {
    let sandbox = Sandbox::new();
    sandbox.write("a b/żółw/empty", "");
    let with_drive = absolute(&sandbox, "a b\\żółw\\c d.json");
    let names = [
        "game.json",
        "a b\\game.json",
        "a b/żółw\\gra ♠.json",
        ".\\a b\\..\\other.json",
        &with_drive,
    ];
    for name in names {
        let recorded = sandbox.war(&[&GAME[..], &["--journal", name]].concat());
        let screens = recorded.exits_with(0).stdout;
        let replay = sandbox.war(&["replay", name]).exits_with(0);
        assert_eq!(replay.reports("VERIFIED").stdout, screens, "{name}");
        let json = name.replace(".json", " figures.json");
        let simulate = ["simulate", "--games", "10", "--seed", "1", "--json", &json];
        sandbox.war(&simulate).exits_with(0);
        assert!(sandbox.read(&json).starts_with("{\n"), "{json}");
        let page = name.replace(".json", ".html");
        sandbox.war(&["view", name, "-o", &page]).exits_with(0);
        assert!(sandbox.read(&page).starts_with("<!doctype html>"), "{page}");
    }
}

// Windows finds a device in every directory, with every ending, and would write the file there.
#[test]
fn names_of_devices_are_refused_as_outputs() {
    let sandbox = Sandbox::new();
    sandbox.write("a b/empty", "");
    sandbox
        .war(&[&GAME[..], &["--journal", "game.json"]].concat())
        .exits_with(0);
    for device in ["NUL", "con", "nul.json", "a b\\Aux.tar.gz", ".\\COM1"] {
        let outputs: [&[&str]; 6] = [
            &["4", "small", "--journal", device],
            &["simulate", "--games", "10", "--json", device],
            &["simulate", "--games", "10", "--csv-games", device],
            &["journal", "export", "game.json", "--output", device],
            &["view", "game.json", "-o", device],
            &["man", "--dir", device],
        ];
        for arguments in outputs {
            let run = sandbox.war(arguments).exits_with(4);
            let expected = format!(
                "error: can't write `{device}`: Windows reserves this name for a device\nhint: \
                 choose another name; an ending such as `.txt` does not help\n"
            );
            assert!(run.stderr.ends_with(&expected), "{arguments:?}: {run:?}");
        }
        let run = sandbox.war(&["4", "small", "--journal", device, "--lang", "pl"]);
        let expected = "system Windows rezerwuje tę nazwę dla urządzenia";
        run.exits_with(4).reports(expected);
    }
    // Other names that only look alike are files.
    for file in ["null.json", "console.json", "com10.json"] {
        let simulate = ["simulate", "--games", "10", "--json", file];
        sandbox.war(&simulate).exits_with(0);
        assert!(sandbox.path(file).is_file(), "{file}");
    }
}

#[test]
fn what_can_not_be_written_is_named_as_it_was_given() {
    let sandbox = Sandbox::new();
    sandbox.write("a b/empty", "");
    for (output, reason) in [
        ("a b", "is a directory"),
        ("none\\file.json", "no such file or directory"),
    ] {
        let simulate = ["simulate", "--games", "10", "--json", output];
        let run = sandbox.war(&simulate).exits_with(4);
        assert!(!run.stderr.contains("\\\\?\\"), "{run:?}");
        let run = run.reports(output);
        run.reports(&format!("`: {reason}"));
    }
    // A directory in which even an administrator can't create files.
    let simulate = ["simulate", "--games", "10", "--json", "Z:\\proc\\a.json"];
    let run = sandbox.war(&simulate).exits_with(4);
    run.reports("can't write `Z:\\proc\\a.json`: ");
}

#[test]
fn a_scenario_with_windows_line_ends_plays_the_same_game() {
    let sandbox = Sandbox::new();
    let example = project().join("scenarios/examples/ssc_example.json");
    let unix = std::fs::read_to_string(example).expect("a scenario");
    let windows = unix.replace('\n', "\r\n");
    let [unix, windows] = [("unix", unix), ("windows", windows)].map(|(directory, text)| {
        let file = format!("{directory}/ssc_example.json");
        sandbox.write(&file, text);
        sandbox.war(&["--scenario", &file]).exits_with(0).stdout
    });
    assert!(unix.contains(" WON with 24/24 cards"), "{unix}");
    assert_eq!(unix, windows);
    // Lines are counted alike.
    for (end, name) in [("\n", "unix"), ("\r\n", "windows")] {
        let bad = format!("{name}/ssc_bad.json");
        sandbox.write(&bad, ["[", "[9, 10],", "[12, x]", "]"].join(end));
        let run = sandbox.war(&["--scenario", &bad]).exits_with(1);
        run.reports("line 3, column 6");
    }
}

#[test]
fn colors_can_be_forced_and_forbidden() {
    let sandbox = Sandbox::new();
    for (color, is_colored) in [("always", true), ("never", false), ("auto", false)] {
        let run = sandbox.war(&["replay", "none.json", "--color", color]);
        assert_eq!(run.stderr.contains('\u{1b}'), is_colored, "{run:?}");
    }
}

/// Command that runs the program in a console of its own, and sends it Ctrl-C after three seconds.
fn interrupted(sandbox: &Sandbox, arguments: &str) -> Command {
    const CREATE_NO_WINDOW: u32 = 0x0800_0000;
    let helper = std::env::var("WAR_INTERRUPT").expect("the variable that `.ci/windows` sets");
    let mut command = Command::new(helper);
    command
        .args(["3000", env!("CARGO_BIN_EXE_war")])
        .args(arguments.split(' '))
        .current_dir(sandbox.path(""))
        .creation_flags(CREATE_NO_WINDOW);
    command
}

#[test]
#[ignore = "needs a program that `.ci/windows` builds"]
fn ctrl_c_ends_a_simulation_with_its_files_whole() {
    let sandbox = Sandbox::new();
    let simulate = "simulate --games 1e9 --seed 1 --json run.json --csv-games games.csv";
    let run = Run::of(&mut interrupted(&sandbox, simulate)).exits_with(3);
    let json: serde_json::Value = serde_json::from_str(&sandbox.read("run.json")).expect("JSON");
    let rows = sandbox.read("games.csv");
    let games = rows.lines().count() - 1;
    assert!(games > 0 && rows.ends_with('\n'), "{run:?}");
    assert_eq!(json["games"].as_u64(), u64::try_from(games).ok());
    let entries = std::fs::read_dir(sandbox.path("")).expect("a directory");
    let names = entries.map(|entry| entry.expect("an entry").file_name());
    let names: Vec<_> = names
        .map(|name| name.into_string().expect("a name"))
        .collect();
    assert!(
        !names.iter().any(|name| name.ends_with(".part")),
        "{names:?}"
    );
}
