//! Files that are not a card table's store, or can't be read as one: each is reported for what it
//! is, and left unchanged.

use crate::support::{Run, Sandbox, project};
use rusqlite::Connection;
use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;

/// Database that is never contacted: the source of a move is checked first.
const DATABASE: &str = "postgres://war@127.0.0.1:1/war";

/// Every command that opens a store.
fn commands(store: &str) -> [Vec<&str>; 4] {
    [
        vec!["serve", "--listen", "127.0.0.1:0", "--store", store],
        vec!["table", "restored", "--store", store],
        vec!["table", "move", store, DATABASE],
        vec!["table", "backup", "copy.db", "--store", store],
    ]
}

/// Store of the current layout that nobody uses.
fn store(sandbox: &Sandbox, name: &str) -> PathBuf {
    let path = sandbox.path(name);
    fs::copy(project().join("tests/goldens/stores/v4.db"), &path).expect("a copy");
    let log = ["table", "restored", "--store", &format!("sqlite:{name}")].map(str::to_owned);
    sandbox
        .war(&log.each_ref().map(String::as_str))
        .exits_with(0);
    path
}

/// Names, contents and modes of the files in a sandbox. Empty files that `SQLite` creates beside a
/// database it reads don't count.
fn entries(sandbox: &Sandbox) -> Vec<(String, Vec<u8>, u32)> {
    let entries = fs::read_dir(sandbox.path(".")).expect("a directory");
    let mut all: Vec<_> = entries
        .map(|entry| {
            let path = entry.expect("a file").path();
            let name = path.file_name().expect("a name").to_string_lossy();
            let mode = path.metadata().expect("a file").permissions().mode();
            (name.into_owned(), fs::read(&path).unwrap_or_default(), mode)
        })
        .collect();
    let counts = |name: &str, bytes: &[u8]| {
        !(name.ends_with("-shm") || name.ends_with("-wal") && bytes.is_empty())
    };
    all.retain(|(name, bytes, _)| counts(name, bytes));
    all.sort();
    all
}

/// Checks the messages of these commands in both languages, and that they change nothing.
fn assert_refused(sandbox: &Sandbox, commands: &[Vec<&str>], says: [&str; 2]) {
    for command in commands {
        for (lang, says) in ["en", "pl"].into_iter().zip(says) {
            let before = entries(sandbox);
            let run: Run = sandbox.war(&[&["--lang", lang], &command[..]].concat());
            assert!(run.stderr.contains(says), "{command:?}: {}", run.stderr);
            assert_eq!(run.code, 4, "{command:?}");
            assert!(
                entries(sandbox) == before,
                "{command:?}: something was changed"
            );
        }
    }
}

#[test]
fn a_file_of_another_program_is_left_unchanged() {
    let sandbox = Sandbox::new();
    sandbox.write(
        "text.db",
        "a text of somebody else, and not a database\n".repeat(9),
    );
    let other = Connection::open(sandbox.path("other.db")).expect("a database");
    other
        .execute_batch("CREATE TABLE horse (name)")
        .expect("a table");
    drop(other);
    for name in ["text.db", "other.db"] {
        fs::set_permissions(sandbox.path(name), Permissions::from_mode(0o644)).expect("a mode");
        assert_refused(
            &sandbox,
            &commands(&format!("sqlite:{name}")),
            [
                "not the store of a card table",
                "nie jest bazą danych stołu",
            ],
        );
    }
}

#[test]
fn a_store_of_a_newer_version_is_left_unchanged() {
    let sandbox = Sandbox::new();
    let path = store(&sandbox, "newer.db");
    let newer = Connection::open(&path).expect("a store");
    newer
        .pragma_update(None, "user_version", 99)
        .expect("a version");
    newer.close().expect("it closes");
    fs::set_permissions(&path, Permissions::from_mode(0o644)).expect("a mode");
    let says = ["created by a newer version", "utworzyła nowsza wersja"];
    assert_refused(&sandbox, &commands("sqlite:newer.db"), says);
}

// A leftover of an unfinished copy must not pass for a table without players.
#[test]
fn an_empty_file_is_not_a_store() {
    let sandbox = Sandbox::new();
    sandbox.write("table.db", "");
    let [_, restored, moved, _] = commands("sqlite:table.db");
    let says = ["the file is empty", "plik jest pusty"];
    assert_refused(&sandbox, &[restored, moved], says);
    let none = ["no such file", "nie ma takiego pliku"];
    let [_, restored, moved, copied] = commands("sqlite:none.db");
    assert_refused(&sandbox, &[restored, moved, copied], none);
}

#[test]
fn a_truncated_store_is_damaged() {
    let sandbox = Sandbox::new();
    let path = store(&sandbox, "table.db");
    let bytes = fs::read(&path).expect("a store");
    fs::write(&path, &bytes[..20_000]).expect("a file");
    let [_, restored, moved, copied] = commands("sqlite:table.db");
    let says = ["can't be used: a file with pages", "nie można użyć danych"];
    assert_refused(&sandbox, &[restored, moved, copied], says);
}

#[test]
fn a_directory_is_not_a_store() {
    let sandbox = Sandbox::new();
    fs::create_dir(sandbox.path("table.db")).expect("a directory");
    let says = ["is a directory", "to jest katalog"];
    assert_refused(&sandbox, &commands("sqlite:table.db"), says);
}

#[test]
fn a_file_beside_the_store_that_cannot_be_opened_is_named() {
    let sandbox = Sandbox::new();
    store(&sandbox, "table.db");
    fs::create_dir(sandbox.path("table.db-wal")).expect("a directory");
    let says = [
        "one that belongs to it (`-wal`, `-shm`), can't be opened: ",
        "(`-wal`, `-shm`): ",
    ];
    assert_refused(&sandbox, &commands("sqlite:table.db"), says);
}

#[test]
fn a_store_is_made_private_before_it_is_used() {
    let sandbox = Sandbox::new();
    let path = store(&sandbox, "table.db");
    fs::set_permissions(&path, Permissions::from_mode(0o644)).expect("a mode");
    sandbox.war(&["table", "restored"]).exits_with(0);
    let mode = path.metadata().expect("a file").permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
}
