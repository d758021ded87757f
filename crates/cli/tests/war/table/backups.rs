//! Backups that can't be completed, and tables restored from an old backup.

use super::Server;
use super::disks::on_small_disk;
use super::game_log::{checkpoint, play, players, verified};
use crate::durability::SpiedSandbox;
use crate::support::{Run, Sandbox};
use rusqlite::Connection;
use std::fs;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Store of this many megabytes, and its contents.
fn with_large_store(megabytes: u32) -> (Sandbox, Vec<u8>) {
    let sandbox = Sandbox::new();
    let mut server = Server::start(&sandbox, &["--bots", "0"]);
    server.signal("TERM");
    server.end();
    let store = Connection::open(sandbox.path("table.db")).expect("the store");
    let sql = "INSERT INTO outbox (player, seq, body) VALUES (1, ?1, hex(zeroblob(500000)))";
    for number in 1..=megabytes {
        store.execute(sql, [number]).expect("a message");
    }
    drop(store);
    let bytes = fs::read(sandbox.path("table.db")).expect("the store");
    (sandbox, bytes)
}

fn is_untouched(sandbox: &Sandbox, store: &[u8]) {
    let now = fs::read(sandbox.path("table.db")).expect("the store");
    assert!(now == store, "the store has changed");
}

#[test]
fn a_backup_is_on_the_disk_before_it_is_reported() {
    let spied = SpiedSandbox::new();
    let mut server = Server::start(&spied.sandbox, &["--bots", "0"]);
    server.kill();
    Run::of(&mut spied.command(&["table", "backup", "copy.db"])).exits_with(0);
    let notes = spied.notes(&[("copy.db", "copy"), ("", "directory")]);
    let last = |note: &str| notes.iter().rposition(|line| line == note);
    assert!(last("write copy").is_some(), "{notes:?}");
    assert!(last("sync copy") > last("write copy"), "{notes:?}");
    assert!(last("sync directory") > last("sync copy"), "{notes:?}");
}

#[test]
fn a_backup_on_a_full_disk_leaves_nothing_behind() {
    let (sandbox, store) = with_large_store(6);
    let backup = ["table", "backup", "disk/copy.db"];
    let Some(mut command) = on_small_disk(&sandbox, &backup) else {
        return;
    };
    Run::of(&mut command)
        .exits_with(4)
        .reports("can't write the backup `disk/copy.db`: no space left on the device");
    let left = fs::read_dir(sandbox.path("kept")).expect("a directory");
    assert_eq!(left.count(), 0, "something is left behind");
    is_untouched(&sandbox, &store);
}

#[test]
fn a_backup_over_the_file_size_limit_leaves_nothing_behind() {
    let (sandbox, store) = with_large_store(6);
    let mut command = sandbox.limited(3 << 20, &["table", "backup", "copy.db"]);
    Run::of(&mut command)
        .exits_with(4)
        .reports("can't write the backup `copy.db`: the file would exceed the size limit");
    assert!(!sandbox.path("copy.db").exists());
    assert!(!sandbox.path("copy.db-journal").exists());
    is_untouched(&sandbox, &store);
}

#[test]
fn an_interrupted_backup_leaves_nothing_behind() {
    let (sandbox, store) = with_large_store(64);
    let mut command = sandbox.command(&["table", "backup", "copy.db"]);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = command.spawn().expect("the program");
    let signal = |name: &str| {
        let pid = child.id().to_string();
        Run::of(Command::new("kill").args(["-s", name, &pid])).exits_with(0);
    };
    let until = Instant::now() + Duration::from_secs(60);
    while !sandbox.path("copy.db").exists() {
        assert!(Instant::now() < until, "nothing is copied");
        std::thread::sleep(Duration::from_millis(1));
    }
    // The program is stopped until Ctrl-C has arrived, so that it can't finish earlier.
    for name in ["STOP", "INT", "CONT"] {
        signal(name);
    }
    let run = Run::from(child.wait_with_output().expect("its output"));
    assert_eq!(run.stdout, "");
    run.exits_with(3)
        .reports("interrupted: `copy.db` was not made");
    for left in ["copy.db", "copy.db-journal"] {
        assert!(!sandbox.path(left).exists(), "{left}");
    }
    is_untouched(&sandbox, &store);
}

// A table restored from a backup has forgotten games, and can't hide the loss.
#[test]
fn players_who_keep_their_checkpoint_detect_a_restored_backup() {
    let sandbox = Sandbox::new();
    let mut server = Server::start(&sandbox, &["--bots", "0"]);
    let mut seats = players(&server);
    play(&mut seats, "one");
    sandbox.war(&["table", "backup", "copy.db"]).exits_with(0);
    play(&mut seats, "two");
    sandbox.write("seen.txt", checkpoint(&server, 4));
    server.kill();
    for beside in ["", "-wal", "-shm"] {
        fs::remove_file(sandbox.path(&format!("table.db{beside}"))).expect("a file");
    }
    fs::rename(sandbox.path("copy.db"), sandbox.path("table.db")).expect("a place");
    // The operator claims that nobody played since.
    sandbox
        .war(&["table", "restored", "--unchanged"])
        .exits_with(0);
    let server = Server::start(&sandbox, &["--bots", "0"]);
    let keeps = ["--with", "seen.txt"];
    let expect = |code: &str| {
        let (exit, result) = verified(&sandbox, &server, &keeps);
        assert_eq!((exit, result["verdict"].as_str()), (1, Some("UNEXPECTED")));
        assert_eq!(result["code"], code, "{result}");
        // A client that saw none of the lost games finds nothing wrong.
        assert_eq!(verified(&sandbox, &server, &[]).0, 0);
    };
    expect("WL207");
    let mut seats = players(&server);
    for (game, leaves) in [("three", 4), ("four", 6)] {
        play(&mut seats, game);
        checkpoint(&server, leaves);
        expect("WL208");
    }
}
