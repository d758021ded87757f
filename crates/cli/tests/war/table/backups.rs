//! Copies of a store that can't be finished, and tables that go on from an old one.

use super::Server;
use super::disks::on_small_disk;
use super::logged::{checkpoint, play, players, verified};
use crate::durability::Spied;
use crate::support::{Place, Run};
use rusqlite::Connection;
use std::fs;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// A store that takes so many megabytes, and its bytes.
fn with_large_store(megabytes: u32) -> (Place, Vec<u8>) {
    let place = Place::new();
    let mut server = Server::start(&place, &["--bots", "0"]);
    server.signal("TERM");
    server.end();
    let store = Connection::open(place.path("table.db")).expect("the store");
    let sql = "INSERT INTO outbox (player, seq, body) VALUES (1, ?1, hex(zeroblob(500000)))";
    for number in 1..=megabytes {
        store.execute(sql, [number]).expect("a message");
    }
    drop(store);
    let bytes = fs::read(place.path("table.db")).expect("the store");
    (place, bytes)
}

fn is_untouched(place: &Place, store: &[u8]) {
    let now = fs::read(place.path("table.db")).expect("the store");
    assert!(now == store, "the store has changed");
}

#[test]
fn a_backup_is_on_the_disk_before_it_is_reported() {
    let spied = Spied::new();
    let mut server = Server::start(&spied.place, &["--bots", "0"]);
    server.kill();
    Run::of(&mut spied.command(&["table", "backup", "copy.db"])).ends_with(0);
    let notes = spied.notes(&[("copy.db", "copy"), ("", "directory")]);
    let last = |note: &str| notes.iter().rposition(|line| line == note);
    assert!(last("write copy").is_some(), "{notes:?}");
    assert!(last("sync copy") > last("write copy"), "{notes:?}");
    assert!(last("sync directory") > last("sync copy"), "{notes:?}");
}

#[test]
fn a_backup_that_finds_no_room_leaves_nothing_behind() {
    let (place, store) = with_large_store(6);
    let backup = ["table", "backup", "disk/copy.db"];
    let Some(mut command) = on_small_disk(&place, &backup) else {
        return;
    };
    Run::of(&mut command)
        .ends_with(4)
        .tells("can't write the backup `disk/copy.db`: no space left on the device");
    let left = fs::read_dir(place.path("kept")).expect("a directory");
    assert_eq!(left.count(), 0, "something is left behind");
    is_untouched(&place, &store);
}

#[test]
fn a_backup_that_would_get_too_large_leaves_nothing_behind() {
    let (place, store) = with_large_store(6);
    let mut command = place.limited(3 << 20, &["table", "backup", "copy.db"]);
    Run::of(&mut command)
        .ends_with(4)
        .tells("can't write the backup `copy.db`: the file would exceed the size limit");
    assert!(!place.path("copy.db").exists());
    assert!(!place.path("copy.db-journal").exists());
    is_untouched(&place, &store);
}

#[test]
fn a_backup_that_is_interrupted_leaves_nothing_behind() {
    let (place, store) = with_large_store(64);
    let mut command = place.command(&["table", "backup", "copy.db"]);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = command.spawn().expect("the program");
    let signal = |name: &str| {
        let pid = child.id().to_string();
        Run::of(Command::new("kill").args(["-s", name, &pid])).ends_with(0);
    };
    let until = Instant::now() + Duration::from_secs(60);
    while !place.path("copy.db").exists() {
        assert!(Instant::now() < until, "nothing is copied");
        std::thread::sleep(Duration::from_millis(1));
    }
    // It stands still until Ctrl-C has come, so that it can't be through before.
    for name in ["STOP", "INT", "CONT"] {
        signal(name);
    }
    let run = Run::from(child.wait_with_output().expect("its output"));
    assert_eq!(run.stdout, "");
    run.ends_with(3)
        .tells("interrupted: `copy.db` was not made");
    for left in ["copy.db", "copy.db-journal"] {
        assert!(!place.path(left).exists(), "{left}");
    }
    is_untouched(&place, &store);
}

// A table that goes on from a backup has forgotten games, and can't hide it.
#[test]
fn players_who_keep_their_checkpoint_find_out_that_a_backup_was_restored() {
    let place = Place::new();
    let mut server = Server::start(&place, &["--bots", "0"]);
    let mut seats = players(&server);
    play(&mut seats, "one");
    place.war(&["table", "backup", "copy.db"]).ends_with(0);
    play(&mut seats, "two");
    place.write("seen.txt", checkpoint(&server, 4));
    server.kill();
    for beside in ["", "-wal", "-shm"] {
        fs::remove_file(place.path(&format!("table.db{beside}"))).expect("a file");
    }
    fs::rename(place.path("copy.db"), place.path("table.db")).expect("a place");
    let server = Server::start(&place, &["--bots", "0"]);
    let keeps = ["--with", "seen.txt"];
    let expect = |code: &str| {
        let (exit, result) = verified(&place, &server, &keeps);
        assert_eq!((exit, result["verdict"].as_str()), (1, Some("UNEXPECTED")));
        assert_eq!(result["code"], code, "{result}");
        // Who has seen nothing of it finds nothing.
        assert_eq!(verified(&place, &server, &[]).0, 0);
    };
    expect("WL207");
    let mut seats = players(&server);
    for (game, leaves) in [("three", 4), ("four", 6)] {
        play(&mut seats, game);
        checkpoint(&server, leaves);
        expect("WL208");
    }
}
