//! Games and replays whose output nobody takes: a write waits for its reader, whatever comes.
#![cfg(target_os = "linux")]

use super::running::Running;
use crate::support::{Place, Run, project};
use std::fs;
use std::io::Read;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

/// A game whose screens and journal are longer than a pipe.
const GAME: [&str; 2] = ["--scenario", "five_players_large"];

#[test]
fn a_reader_who_takes_nothing_does_not_hold_an_interrupted_game() {
    for lang in ["en", "pl"] {
        let place = Place::new();
        let options = ["--journal", "game.json", "--lang", lang];
        let mut game = Running::in_pipes(&place, &[&GAME[..], &options].concat());
        game.wait_until_stuck();
        game.signal("INT");
        let run = game.ends_unread().ends_with(3);
        let replay = place.war(&["replay", "game.json", "--lang", lang]);
        let replay = replay.ends_with(3).tells("INCOMPLETE");
        assert!(replay.stdout.starts_with(&run.stdout), "other screens");
        assert!(replay.stdout.len() > run.stdout.len(), "it was not stuck");
        let told = if lang == "en" {
            "interrupted"
        } else {
            "przerwano"
        };
        run.tells(told);
    }
}

#[test]
fn errors_that_nobody_reads_do_not_hold_it_either() {
    let place = Place::new();
    let war = env!("CARGO_BIN_EXE_war");
    let game = [&GAME[..], &["--journal", "game.json"]].concat().join(" ");
    let environment = place.command(&[]);
    let mut command = Command::new("sh");
    command
        .args(["-c", &format!("exec {war} {game} 2>&1")])
        .current_dir(place.path("."))
        .stdout(Stdio::piped());
    for (name, value) in environment.get_envs() {
        command.env(name, value.expect("a variable that is set"));
    }
    let mut game = Running::start(&mut command);
    game.wait_until_stuck();
    game.signal("INT");
    game.ends_unread().ends_with(3);
    place.war(&["journal", "check", "game.json"]).ends_with(3);
    let log = place.logs().remove(0);
    assert!(log.contains("CRIT cut off"), "{log}");
}

#[test]
fn a_hangup_ends_it_like_every_other_signal() {
    let place = Place::new();
    let options = ["--journal", "game.json"];
    let mut game = Running::in_pipes(&place, &[&GAME[..], &options].concat());
    game.wait_until_stuck();
    game.signal("HUP");
    game.ends_unread().ends_with(3);
    place.war(&["journal", "check", "game.json"]).ends_with(3);
}

#[test]
fn the_end_of_a_journal_that_nobody_reads_is_missing() {
    for (lang, told) in [("en", "nobody read the journal"), ("pl", "nikt nie czytał")] {
        let place = Place::new();
        let options = ["--journal", "-", "--lang", lang];
        let mut game = Running::in_pipes(&place, &[&GAME[..], &options].concat());
        game.wait_until_stuck();
        game.signal("INT");
        let run = game.ends_unread().ends_with(3).tells(told);
        let run = run.tells("war journal repair");
        place.write("cut.json", &run.stdout);
        let repair = ["journal", "repair", "cut.json", "new.json"];
        place.war(&repair).ends_with(0);
        place.war(&["replay", "-q", "new.json"]).ends_with(3);
    }
}

#[test]
fn a_second_signal_ends_a_game_whose_slow_reader_is_waited_for() {
    let place = Place::new();
    let mut game = Running::in_pipes(&place, &[&GAME[..], &["--journal", "-"]].concat());
    game.wait_until_stuck();
    let mut stdout = game.0.stdout.take().expect("its output");
    let (mut piece, mut read) = ([0; 4096], 0);
    game.signal("INT");
    let ended = loop {
        stdout.read_exact(&mut piece).expect("more of the journal");
        read += 1;
        if read == 8 {
            game.signal("INT");
        }
        sleep(Duration::from_millis(100));
        if let Some(status) = game.0.try_wait().expect("a child") {
            break status;
        }
    };
    assert_eq!(ended.code(), Some(130), "after {read} pieces");
    assert!((8..20).contains(&read), "{read} pieces");
}

#[test]
fn an_interrupted_replay_ends_too_though_nobody_takes_its_screens() {
    let place = Place::new();
    let recorded = [&GAME[..], &["--journal", "game.json"]].concat();
    let whole = place.war(&recorded).ends_with(0).stdout;
    let mut replay = Running::in_pipes(&place, &["replay", "game.json"]);
    replay.wait_until_stuck();
    replay.signal("INT");
    let run = replay.ends_unread().ends_with(3);
    assert!(whole.starts_with(&run.stdout), "other screens");
    assert!(run.stdout.len() < whole.len(), "it was not stuck");
}

#[test]
fn of_many_scenarios_the_one_being_played_is_ended_and_no_other_begun() {
    let scenario = project().join("scenarios/examples/ssc_five_players_large.json");
    let scenario = fs::read(scenario).expect("a scenario");
    for (lang, told) in [("en", "2 scenarios were not"), ("pl", "2 scenariuszy")] {
        let place = Place::new();
        for name in ["a", "b", "c"] {
            place.write(&format!("games/ssc_{name}.json"), &scenario);
        }
        fs::create_dir(place.path("out")).expect("a directory");
        let options = [
            "--lang",
            lang,
            "--scenarios",
            "games",
            "--journal-dir",
            "out",
        ];
        let mut games = Running::in_pipes(&place, &[&["2", "small"], &options[..]].concat());
        games.wait_until_stuck();
        games.signal("TERM");
        games.ends_unread().ends_with(3).tells(told);
        place
            .war(&["journal", "check", "out/ssc_a.json"])
            .ends_with(3);
        let journals = fs::read_dir(place.path("out")).expect("journals").count();
        assert_eq!((journals, place.logs().len()), (1, 1));
    }
}

#[test]
fn a_reader_who_comes_back_gets_the_whole_journal() {
    let place = Place::new();
    let mut game = Running::in_pipes(&place, &[&GAME[..], &["--journal", "-"]].concat());
    game.wait_until_stuck();
    let run: Run = game.ends().ends_with(0);
    place.war(&[&GAME[..], &["--journal", "game.json"]].concat());
    assert!(run.stdout == place.read("game.json"), "another journal");
}
