//! The audit log: its file, levels and formats. No record is lost.

use super::support::{Run, Sandbox, project, reviewed};

/// Plays an example with this configuration, and returns its output and its log.
fn logged(level: &str, format: &str) -> (String, String) {
    let sandbox = Sandbox::new();
    let config = format!("[log]\nlevel = \"{level}\"\nformat = \"{format}\"\n");
    sandbox.write("war.toml", config);
    let run = sandbox
        .war(&["--scenario", "four_players_small", "9", "small"])
        .exits_with(0);
    assert_eq!(run.stderr, "", "the log is never on the console");
    let mut logs = sandbox.logs();
    assert_eq!(logs.len(), 1);
    (run.stdout, logs.remove(0))
}

/// Records without their timestamps.
fn records(log: &str) -> String {
    const TIMESTAMP: usize = "2026-01-31 23:59:59.999 ".len();
    log.lines()
        .map(|line| format!("{}\n", &line[TIMESTAMP..]))
        .collect()
}

#[test]
fn each_level_has_its_records() {
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
    let sandbox = Sandbox::new();
    sandbox.write("war.toml", "[log]\nlevel = \"trace\"\n");
    let run = sandbox.war(&["x\r", "small", "--seed", "1"]).exits_with(0);
    let log = sandbox.logs().remove(0);
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
    let sandbox = Sandbox::new();
    sandbox.write("war.toml", "[log]\nlevel = \"trace\"\n");
    let run = sandbox
        .war(&["--scenario", "five_players_large"])
        .exits_with(0);
    let log = sandbox.logs().remove(0);
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
fn log_files_are_named_by_second_and_never_overwritten() {
    let sandbox = Sandbox::new();
    let children: Vec<_> = (0..6)
        .map(|_| {
            let mut command = sandbox.command(&["1", "small", "--seed", "1"]);
            command
                .stdout(std::process::Stdio::null())
                .spawn()
                .expect("the program")
        })
        .collect();
    for mut child in children {
        assert!(child.wait().expect("an end").success());
    }
    let mut names: Vec<_> = std::fs::read_dir(sandbox.path("logs"))
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
fn each_game_of_a_command_logs_its_own_errors() {
    let sandbox = Sandbox::new();
    sandbox.write("scenarios/ssc_a.json", "[[9]]");
    let example = project().join("scenarios/examples/ssc_one_player.json");
    let example = std::fs::read(example).expect("an example");
    sandbox.write("scenarios/ssc_b.json", &example);
    sandbox.write("scenarios/ssc_c.json", &example);
    sandbox.write("war.toml", "[log]\nlevel = \"trace\"\n");
    let run = Run::of(sandbox.command(&["2", "small"]).env_remove("WAR_SCENARIOS")).exits_with(1);
    let logs = sandbox.logs();
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
    let sandbox = Sandbox::new();
    sandbox.write("taken.json", "mine");
    sandbox
        .war(&["4", "small", "--journal", "taken.json"])
        .exits_with(4);
    let log = sandbox.logs().remove(0);
    assert!(
        log.trim_end()
            .lines()
            .last()
            .is_some_and(|line| line.contains("CRIT error, text: WJ401"))
    );
}

#[test]
fn a_log_that_cannot_be_written_causes_one_warning() {
    let sandbox = Sandbox::new();
    sandbox.write("logs", "a file where the directory should be");
    let run = sandbox.war(&["4", "small", "--seed", "1"]).exits_with(0);
    assert_eq!(run.stderr.matches("warning: ").count(), 1, "{run:#?}");
    assert!(run.stdout.ends_with("player2 WON with 24/24 cards\n"));
}

#[test]
fn configuration_files_are_searched_in_order() {
    let sandbox = Sandbox::new();
    for name in ["war.toml", "variable.toml", "flag.toml"] {
        sandbox.write(name, format!("[log]\ndirectory = \"logs_of_{name}\"\n"));
    }
    let directory = |name: &str| sandbox.path(&format!("logs_of_{name}")).exists();
    sandbox.war(&["1", "small"]).exits_with(0);
    assert!(directory("war.toml"));
    let mut command = sandbox.command(&["1", "small"]);
    Run::of(command.env("WAR_CONFIG", "variable.toml")).exits_with(0);
    assert!(directory("variable.toml"));
    let mut command = sandbox.command(&["1", "small", "--config", "flag.toml"]);
    Run::of(command.env("WAR_CONFIG", "variable.toml")).exits_with(0);
    assert!(directory("flag.toml"));
    sandbox
        .war(&["1", "small", "--config", "none.toml"])
        .exits_with(2)
        .reports("`none.toml`");
}

#[test]
fn an_invalid_configuration_is_a_clear_error() {
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
        let sandbox = Sandbox::new();
        sandbox.write("war.toml", config);
        let run = sandbox.war(&["1", "small"]).exits_with(2);
        assert_eq!(run.stdout, "");
        told.push_str(&format!("{config}{}\n", run.stderr));
    }
    reviewed("config_errors", &told);
}
