//! The audit log: its file, its levels, its formats, and nothing lost.

use super::support::{Place, Run, project, reviewed};

/// Plays an example with this configuration, and returns its output and its log.
fn logged(level: &str, format: &str) -> (String, String) {
    let place = Place::new();
    let config = format!("[log]\nlevel = \"{level}\"\nformat = \"{format}\"\n");
    place.write("war.toml", config);
    let run = place
        .war(&["--scenario", "four_players_small", "9", "small"])
        .ends_with(0);
    assert_eq!(run.stderr, "", "the log is never on the console");
    let mut logs = place.logs();
    assert_eq!(logs.len(), 1);
    (run.stdout, logs.remove(0))
}

/// The records without their timestamps.
fn records(log: &str) -> String {
    const TIMESTAMP: usize = "2026-01-31 23:59:59.999 ".len();
    log.lines()
        .map(|line| format!("{}\n", &line[TIMESTAMP..]))
        .collect()
}

#[test]
fn each_level_holds_what_it_should() {
    for level in ["critical", "error", "warning", "info", "debug", "trace"] {
        let (_, log) = logged(level, "text");
        reviewed(&format!("audit_{level}"), &records(&log));
    }
    let fatal = records(&logged("FATAL", "text").1);
    assert_eq!(fatal, records(&logged("critical", "text").1));
    assert_eq!(fatal.lines().count(), 1);
}

#[test]
fn the_screens_can_be_recovered_from_trace_byte_for_byte() {
    let (printed, log) = logged("trace", "text");
    let lines = log
        .lines()
        .filter_map(|line| line.split_once(" TRCE screen |"));
    let recovered: String = lines.map(|(_, line)| format!("{line}\n")).collect();
    assert_eq!(recovered, printed);

    let (printed, log) = logged("trace", "json");
    let mut recovered = String::new();
    for line in log.lines() {
        let record: serde_json::Value = serde_json::from_str(line).expect("JSON");
        let message = record["msg"].as_str().expect("a message");
        if let Some(line) = message.strip_prefix("screen |") {
            recovered.push_str(line);
            recovered.push('\n');
        }
    }
    assert_eq!(recovered, printed);
}

#[test]
fn a_carriage_return_survives_the_trace() {
    let place = Place::new();
    place.write("war.toml", "[log]\nlevel = \"trace\"\n");
    let run = place.war(&["x\r", "small", "--seed", "1"]).ends_with(0);
    let log = place.logs().remove(0);
    let lines = log.split_terminator('\n');
    let lines = lines.filter_map(|line| line.split_once(" TRCE screen |"));
    let recovered: String = lines.map(|(_, line)| format!("{line}\n")).collect();
    assert_eq!(recovered, run.stdout);
}

#[test]
fn json_records_have_time_level_and_values() {
    let (_, log) = logged("error", "json");
    let last: serde_json::Value =
        serde_json::from_str(log.lines().last().expect("a record")).expect("JSON");
    assert_eq!(last["level"], "CRITICAL");
    assert_eq!(last["msg"], "won");
    assert_eq!((&last["turn"], &last["player"]), (&6.into(), &3.into()));
    assert!(
        last["ts"]
            .as_str()
            .is_some_and(|ts| ts.len() > 20 && ts.contains('T'))
    );
}

#[test]
fn the_longest_games_lose_no_record() {
    let place = Place::new();
    place.write("war.toml", "[log]\nlevel = \"trace\"\n");
    let run = place
        .war(&["--scenario", "five_players_large"])
        .ends_with(0);
    let log = place.logs().remove(0);
    let lines = log
        .lines()
        .filter_map(|line| line.split_once(" TRCE screen |"));
    let recovered: String = lines.map(|(_, line)| format!("{line}\n")).collect();
    assert!(recovered == run.stdout, "lines are missing");
    assert!(
        log.trim_end()
            .ends_with("turns #903 to #2046 repeat forever")
    );
}

#[test]
fn files_are_named_after_the_second_and_never_overwritten() {
    let place = Place::new();
    let children: Vec<_> = (0..6)
        .map(|_| {
            let mut command = place.command(&["1", "small", "--seed", "1"]);
            command
                .stdout(std::process::Stdio::null())
                .spawn()
                .expect("the program")
        })
        .collect();
    for mut child in children {
        assert!(child.wait().expect("an end").success());
    }
    let mut names: Vec<_> = std::fs::read_dir(place.path("logs"))
        .expect("logs")
        .map(|entry| {
            entry
                .expect("a file")
                .file_name()
                .into_string()
                .expect("a name")
        })
        .collect();
    names.sort();
    assert_eq!(names.len(), 6, "{names:?}");
    for name in names {
        let shape: String = name
            .chars()
            .map(|c| if c.is_ascii_digit() { '0' } else { c })
            .collect();
        let stem = shape.trim_end_matches(".log").trim_start_matches("audit_");
        let plain = stem
            .strip_suffix("_0")
            .filter(|stem| stem.len() == 19)
            .unwrap_or(stem);
        assert_eq!(plain, "0000_00_00_00_00_00", "{name}");
    }
}

#[test]
fn each_game_of_a_command_has_its_log_with_its_errors() {
    let place = Place::new();
    place.write("scenarios/ssc_a.json", "[[9]]");
    let example = project().join("scenarios/examples/ssc_one_player.json");
    let example = std::fs::read(example).expect("an example");
    place.write("scenarios/ssc_b.json", &example);
    place.write("scenarios/ssc_c.json", &example);
    place.write("war.toml", "[log]\nlevel = \"trace\"\n");
    let run = Run::of(place.command(&["2", "small"]).env_remove("WAR_SCENARIOS")).ends_with(1);
    let logs = place.logs();
    assert_eq!(logs.len(), 3);
    assert!(
        logs[0].contains("CRIT error, text: SpecialCodeFileMangledException"),
        "{}",
        logs[0]
    );
    let all = logs.concat();
    let lines = all
        .lines()
        .filter_map(|line| line.split_once(" TRCE screen |"));
    let recovered: String = lines.map(|(_, line)| format!("{line}\n")).collect();
    assert_eq!(recovered, run.stdout);
}

#[test]
fn a_game_ended_by_an_error_is_logged_to_its_last_line() {
    let place = Place::new();
    place.write("taken.json", "mine");
    place
        .war(&["4", "small", "--journal", "taken.json"])
        .ends_with(4);
    let log = place.logs().remove(0);
    assert!(
        log.trim_end()
            .lines()
            .last()
            .is_some_and(|line| line.contains("CRIT error, text: WJ401"))
    );
}

#[test]
fn a_log_that_cannot_be_written_is_one_warning() {
    let place = Place::new();
    place.write("logs", "a file where the directory should be");
    let run = place.war(&["4", "small", "--seed", "1"]).ends_with(0);
    assert_eq!(run.stderr.matches("warning: ").count(), 1, "{run:#?}");
    assert!(run.stdout.ends_with("player2 WON with 24/24 cards\n"));
}

#[test]
fn the_configuration_is_found_in_order() {
    let place = Place::new();
    for name in ["war.toml", "variable.toml", "flag.toml"] {
        place.write(name, format!("[log]\ndirectory = \"logs_of_{name}\"\n"));
    }
    let directory = |name: &str| place.path(&format!("logs_of_{name}")).exists();
    place.war(&["1", "small"]).ends_with(0);
    assert!(directory("war.toml"));
    let mut command = place.command(&["1", "small"]);
    Run::of(command.env("WAR_CONFIG", "variable.toml")).ends_with(0);
    assert!(directory("variable.toml"));
    let mut command = place.command(&["1", "small", "--config", "flag.toml"]);
    Run::of(command.env("WAR_CONFIG", "variable.toml")).ends_with(0);
    assert!(directory("flag.toml"));
    place
        .war(&["1", "small", "--config", "none.toml"])
        .ends_with(2)
        .tells("`none.toml`");
}

#[test]
fn bad_configurations_are_clear_errors() {
    let mut told = String::new();
    for config in [
        "[log]\nlevel = \"loud\"\n",
        "[log]\nlevel = 3\n",
        "[log]\nformat = \"xml\"\n",
        "[log]\ncolour = true\n",
        "[audit]\nlevel = \"info\"\n",
        "[table]\nbots = -1\n",
        "[table]\nseats = 2\n",
        "[table]\nlisten = \"localhost\"\n",
        "[log\n",
        "[log]\nlevel = \"info\"\nlevel = \"debug\"\n",
    ] {
        let place = Place::new();
        place.write("war.toml", config);
        let run = place.war(&["1", "small"]).ends_with(2);
        assert_eq!(run.stdout, "");
        told.push_str(&format!("{config}{}\n", run.stderr));
    }
    reviewed("config_errors", &told);
}
