//! Games that are recorded.

use super::running::Running;
use crate::support::Place;
use serde_json::Value;
use std::fs::File;
use std::process::Stdio;

/// A game that takes seconds.
const LONG: [&str; 4] = ["2", "large", "--seed", "2215"];

/// The records of a journal without those that end it: what was written before an interruption.
fn events(journal: &str) -> &str {
    let end = journal.find("],\"end\":").expect("an end record");
    &journal[..end]
}

/// The end record of a journal, read without the program.
fn end(journal: &str) -> Value {
    let journal: Value = serde_json::from_str(journal).expect("a JSON document");
    journal["end"].clone()
}

/// The lines of an audit log without their times.
fn untimed(log: &str) -> Vec<&str> {
    let lines = log
        .lines()
        .map(|line| &line["2026-01-01 00:00:00.000 ".len()..]);
    lines.collect()
}

#[test]
fn an_interrupted_game_ends_its_journal_itself() {
    for (signal, lang, bytes) in [
        ("INT", "en", 1),
        ("TERM", "pl", 70_000),
        ("HUP", "en", 400_000),
        ("INT", "pl", 1_500_000),
        ("TERM", "en", 6_000_000),
    ] {
        let place = Place::new();
        let recorded = [&["--lang", lang], &LONG[..], &["--journal", "game.json"]].concat();
        let mut command = place.command(&recorded);
        let shown = File::create(place.path("shown")).expect("a file");
        let mut game = Running::start(command.stdout(shown).stderr(Stdio::piped()));
        game.wait_for(&place, "game.json", bytes);
        game.signal(signal);
        let told = if lang == "en" {
            "interrupted in turn"
        } else {
            "przerwano w turze"
        };
        let run = game.ends().ends_with(3).tells(told);
        assert!(!run.stderr.contains("repair"), "{run:#?}");
        let (journal, shown) = (place.read("game.json"), place.read("shown"));
        let end = end(&journal);
        assert_eq!(end["reason"], "cut_off");
        let digest = end["chain"].as_str().expect("a digest");
        assert!(run.stderr.contains(digest), "{run:#?}");
        // What the recorded events print, as a journal without an end says that holds no digest.
        place.write("events.json", events(&journal));
        let printed = place.war(&["replay", "events.json"]).ends_with(3).stdout;
        let hash = blake3::hash(printed.as_bytes()).to_hex();
        assert_eq!(end["console"]["blake3"], hash.as_str());
        assert_eq!(end["console"]["bytes"], printed.len());
        assert!(
            shown == printed,
            "the screens are not those of the recorded events"
        );
        let replay = place.war(&["replay", "game.json", "--audit"]).ends_with(3);
        assert!(replay.stdout == printed, "other screens");
        let repair = ["journal", "repair", "game.json", "new.json"];
        assert!(
            place.war(&repair).code != 0,
            "there was something to repair"
        );
        let logs = place.logs();
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
fn an_interrupted_game_ends_a_journal_of_version_2_too() {
    for form in [
        &["--journal-version", "2"][..],
        &["--journal-version", "2", "--compact", "--meta", "table=7"],
    ] {
        let place = Place::new();
        let recorded = [&LONG[..], &["--journal", "game.jsonl"], form].concat();
        let mut command = place.command(&recorded);
        let shown = File::create(place.path("shown")).expect("a file");
        let mut game = Running::start(command.stdout(shown).stderr(Stdio::piped()));
        game.wait_for(&place, "game.jsonl", 100_000);
        game.signal("INT");
        game.ends().ends_with(3).tells("interrupted in turn");
        let journal = place.read("game.jsonl");
        assert!(journal.ends_with("}\n"), "the last line is not whole");
        let end: Value =
            serde_json::from_str(journal.lines().last().expect("lines")).expect("a JSON object");
        assert_eq!(end["end"]["reason"], "cut_off");
        let events = journal.lines().count() - 2;
        assert_eq!(end["end"]["events"], events);
        let replay = place.war(&["replay", "game.jsonl"]).ends_with(3);
        let shown = place.read("shown");
        assert!(replay.stdout == shown, "other screens");
        let hash = blake3::hash(shown.as_bytes()).to_hex();
        assert_eq!(end["end"]["console"]["blake3"], hash.as_str());
    }
}

#[test]
fn what_an_interrupted_game_recorded_is_the_beginning_of_the_whole_game() {
    let place = Place::new();
    let game = ["--scenario", "five_players_large", "--journal"];
    place
        .war(&[&game[..], &["whole.json"]].concat())
        .ends_with(0);
    let whole = place.read("whole.json");
    let mut cut_off = 0;
    for bytes in (1..8).map(|eighths| whole.len() as u64 * eighths / 8) {
        let mut command = place.command(&[&game[..], &["game.json"]].concat());
        let mut game = Running::start(command.stdout(Stdio::null()).stderr(Stdio::null()));
        game.wait_for(&place, "game.json", bytes);
        // Twice, as to a process and to its group: that is one request.
        game.signal("INT");
        game.signal("INT");
        let code = game.ends().code;
        let journal = place.read("game.json");
        assert!(whole.starts_with(events(&journal)), "other events");
        assert_eq!(code == 3, journal != whole, "{code}");
        cut_off += i32::from(code == 3);
        std::fs::remove_file(place.path("game.json")).expect("the file");
    }
    assert!(cut_off > 0, "no game was interrupted in the middle");
}

#[test]
fn the_result_of_an_interrupted_game_is_that_of_its_journal() {
    let place = Place::new();
    let options = ["--result", "json", "--journal", "game.json"];
    let mut game = Running::in_pipes(&place, &[&LONG[..], &options].concat());
    game.wait_for(&place, "game.json", 300_000);
    game.signal("INT");
    let run = game.ends().ends_with(3);
    let mut result: Value = serde_json::from_str(&run.stdout).expect("a JSON object");
    let end = end(&place.read("game.json"));
    assert_eq!(result["outcome"], "cut_off");
    assert_eq!(result["digest"], end["chain"]);
    assert_eq!(result["console"], end["console"]);
    let replay = place.war(&["replay", "game.json", "--result", "json"]);
    let replay = replay.ends_with(3).stdout;
    let replay: Value = serde_json::from_str(&replay).expect("a JSON object");
    assert_eq!(replay["verdict"], "INCOMPLETE");
    // A game that was just played needs no verdict.
    for field in ["verdict", "proof"] {
        result[field] = replay[field].clone();
    }
    assert_eq!(replay, result);
}

#[test]
#[cfg(unix)]
fn a_game_without_a_journal_is_ended_by_the_signal() {
    use std::os::unix::process::ExitStatusExt;
    let place = Place::new();
    let mut game = Running::in_pipes(&place, &LONG);
    let mut start = [0; 20];
    let stdout = game.0.stdout.as_mut().expect("its output");
    std::io::Read::read_exact(stdout, &mut start).expect("a start");
    game.signal("TERM");
    let ended = game.0.wait_with_output().expect("an end");
    assert_eq!(ended.status.signal(), Some(15));
}

#[test]
#[cfg(unix)]
fn a_game_that_should_outlive_its_terminal_goes_on() {
    let place = Place::new();
    let war = env!("CARGO_BIN_EXE_war");
    let game = "--scenario five_players_large --journal game.json";
    let ignoring = format!("trap '' HUP; exec {war} {game} >shown");
    let environment = place.command(&[]);
    let mut command = std::process::Command::new("sh");
    command.args(["-c", &ignoring]).current_dir(place.path("."));
    for (name, value) in environment.get_envs() {
        command.env(name, value.expect("a variable that is set"));
    }
    let mut game = Running::start(&mut command);
    game.wait_for(&place, "game.json", 1);
    game.signal("HUP");
    game.ends().ends_with(0);
    place.war(&["replay", "-q", "game.json"]).ends_with(0);
}
