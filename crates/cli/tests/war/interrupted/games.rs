//! Games that are interrupted while they are played or recorded.

use super::running::RunningProgram;
use crate::support::Sandbox;
use serde_json::Value;
use std::fs::File;
use std::process::Stdio;

/// Game that takes seconds.
const LONG_GAME: [&str; 4] = ["2", "large", "--seed", "2215"];

/// Records of a journal that were written before an interruption: all but the end record.
fn events(journal: &str) -> &str {
    let end = journal.find("],\"end\":").expect("an end record");
    &journal[..end]
}

/// End record of a journal, parsed independently of the program.
fn end(journal: &str) -> Value {
    let journal: Value = serde_json::from_str(journal).expect("a JSON document");
    journal["end"].clone()
}

/// Lines of an audit log without their times.
fn untimed(log: &str) -> Vec<&str> {
    let lines = log
        .lines()
        .map(|line| &line["2026-01-01 00:00:00.000 ".len()..]);
    lines.collect()
}

#[test]
fn an_interrupted_game_completes_its_journal() {
    for (signal, lang, bytes) in [
        ("INT", "en", 1),
        ("TERM", "pl", 70_000),
        ("HUP", "en", 400_000),
        ("INT", "pl", 1_500_000),
        ("TERM", "en", 6_000_000),
    ] {
        let sandbox = Sandbox::new();
        let recorded = [
            &["--lang", lang],
            &LONG_GAME[..],
            &["--journal", "game.json"],
        ]
        .concat();
        let mut command = sandbox.command(&recorded);
        let shown = File::create(sandbox.path("shown")).expect("a file");
        let mut game = RunningProgram::start(command.stdout(shown).stderr(Stdio::piped()));
        game.wait_for(&sandbox, "game.json", bytes);
        game.signal(signal);
        let told = if lang == "en" {
            "interrupted in turn"
        } else {
            "przerwano w turze"
        };
        let run = game.wait().exits_with(3).reports(told);
        assert!(!run.stderr.contains("repair"), "{run:#?}");
        let (journal, shown) = (sandbox.read("game.json"), sandbox.read("shown"));
        let end = end(&journal);
        assert_eq!(end["reason"], "cut_off");
        let digest = end["chain"].as_str().expect("a digest");
        assert!(run.stderr.contains(digest), "{run:#?}");
        // The console digest covers the output of the recorded events, which a replay of the
        // journal without its end record prints.
        sandbox.write("events.json", events(&journal));
        let printed = sandbox.war(&["replay", "events.json"]).exits_with(3).stdout;
        let hash = blake3::hash(printed.as_bytes()).to_hex();
        assert_eq!(end["console"]["blake3"], hash.as_str());
        assert_eq!(end["console"]["bytes"], printed.len());
        assert!(
            shown == printed,
            "the screens are not those of the recorded events"
        );
        let replay = sandbox
            .war(&["replay", "game.json", "--audit"])
            .exits_with(3);
        assert!(replay.stdout == printed, "other screens");
        let repair = ["journal", "repair", "game.json", "new.json"];
        assert!(
            sandbox.war(&repair).code != 0,
            "there was something to repair"
        );
        let logs = sandbox.logs();
        let [live, replayed] = &logs[..] else {
            panic!("{} logs", logs.len());
        };
        let (live, replayed) = (untimed(live), untimed(replayed));
        let turn = end["turns"].to_string();
        let (last, live) = live.split_last().expect("a log");
        assert_eq!(*last, format!("CRIT cut off, turn: {turn}"));
        assert!(live[1..] == replayed, "events are missing in the log");
    }
}

#[test]
fn an_interrupted_game_completes_a_journal_of_version_2() {
    for form in [
        &["--journal-version", "2"][..],
        &["--journal-version", "2", "--compact", "--meta", "table=7"],
    ] {
        let sandbox = Sandbox::new();
        let recorded = [&LONG_GAME[..], &["--journal", "game.jsonl"], form].concat();
        let mut command = sandbox.command(&recorded);
        let shown = File::create(sandbox.path("shown")).expect("a file");
        let mut game = RunningProgram::start(command.stdout(shown).stderr(Stdio::piped()));
        game.wait_for(&sandbox, "game.jsonl", 100_000);
        game.signal("INT");
        game.wait().exits_with(3).reports("interrupted in turn");
        let journal = sandbox.read("game.jsonl");
        assert!(journal.ends_with("}\n"), "the last line is not whole");
        let end: Value =
            serde_json::from_str(journal.lines().last().expect("lines")).expect("a JSON object");
        assert_eq!(end["end"]["reason"], "cut_off");
        let events = journal.lines().count() - 2;
        assert_eq!(end["end"]["events"], events);
        let replay = sandbox.war(&["replay", "game.jsonl"]).exits_with(3);
        let shown = sandbox.read("shown");
        assert!(replay.stdout == shown, "other screens");
        let hash = blake3::hash(shown.as_bytes()).to_hex();
        assert_eq!(end["end"]["console"]["blake3"], hash.as_str());
    }
}

#[test]
fn an_interrupted_journal_is_the_beginning_of_the_whole_one() {
    let sandbox = Sandbox::new();
    let game = ["--scenario", "five_players_large", "--journal"];
    sandbox
        .war(&[&game[..], &["whole.json"]].concat())
        .exits_with(0);
    let whole = sandbox.read("whole.json");
    let mut cut_off = 0;
    for bytes in (1..8).map(|eighths| whole.len() as u64 * eighths / 8) {
        let mut command = sandbox.command(&[&game[..], &["game.json"]].concat());
        let mut game = RunningProgram::start(command.stdout(Stdio::null()).stderr(Stdio::null()));
        game.wait_for(&sandbox, "game.json", bytes);
        // A signal to a process and to its group arrives twice, and counts as one request.
        game.signal("INT");
        game.signal("INT");
        let code = game.wait().code;
        let journal = sandbox.read("game.json");
        assert!(whole.starts_with(events(&journal)), "other events");
        assert_eq!(code == 3, journal != whole, "{code}");
        cut_off += i32::from(code == 3);
        std::fs::remove_file(sandbox.path("game.json")).expect("the file");
    }
    assert!(cut_off > 0, "no game was interrupted in the middle");
}

#[test]
fn the_result_of_an_interrupted_game_matches_its_journal() {
    let sandbox = Sandbox::new();
    let options = ["--result", "json", "--journal", "game.json"];
    let mut game = RunningProgram::in_pipes(&sandbox, &[&LONG_GAME[..], &options].concat());
    game.wait_for(&sandbox, "game.json", 300_000);
    game.signal("INT");
    let run = game.wait().exits_with(3);
    let mut result: Value = serde_json::from_str(&run.stdout).expect("a JSON object");
    let end = end(&sandbox.read("game.json"));
    assert_eq!(result["outcome"], "cut_off");
    assert_eq!(result["digest"], end["chain"]);
    assert_eq!(result["console"], end["console"]);
    let replay = sandbox.war(&["replay", "game.json", "--result", "json"]);
    let replay = replay.exits_with(3).stdout;
    let replay: Value = serde_json::from_str(&replay).expect("a JSON object");
    assert_eq!(replay["verdict"], "INCOMPLETE");
    // The result of a game that was just played has no verdict and no proof.
    for field in ["verdict", "proof"] {
        result[field] = replay[field].clone();
    }
    assert_eq!(replay, result);
}

#[test]
#[cfg(unix)]
fn a_game_without_a_journal_is_ended_by_the_signal() {
    use std::os::unix::process::ExitStatusExt;
    let sandbox = Sandbox::new();
    let mut game = RunningProgram::in_pipes(&sandbox, &LONG_GAME);
    let mut start = [0; 20];
    let stdout = game.0.stdout.as_mut().expect("its output");
    std::io::Read::read_exact(stdout, &mut start).expect("a start");
    game.signal("TERM");
    let ended = game.0.wait_with_output().expect("an end");
    assert_eq!(ended.status.signal(), Some(15));
}

#[test]
#[cfg(unix)]
fn a_game_under_nohup_outlives_its_terminal() {
    let sandbox = Sandbox::new();
    let war = env!("CARGO_BIN_EXE_war");
    let game = "--scenario five_players_large --journal game.json";
    let ignoring = format!("trap '' HUP; exec {war} {game} >shown");
    let environment = sandbox.command(&[]);
    let mut command = std::process::Command::new("sh");
    command
        .args(["-c", &ignoring])
        .current_dir(sandbox.path("."));
    for (name, value) in environment.get_envs() {
        command.env(name, value.expect("a variable that is set"));
    }
    let mut game = RunningProgram::start(&mut command);
    game.wait_for(&sandbox, "game.json", 1);
    game.signal("HUP");
    game.wait().exits_with(0);
    sandbox.war(&["replay", "-q", "game.json"]).exits_with(0);
}
