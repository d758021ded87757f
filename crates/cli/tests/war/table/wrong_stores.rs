//! Files that are not the store of a card table, or can't be read as one: each is named for what it
//! is, and stays as it was.

use crate::support::{Place, Run, project};
use rusqlite::Connection;
use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;

/// A database that is not asked: what is moved is looked at first.
const DATABASE: &str = "postgres://war@127.0.0.1:1/war";

/// All that opens a store.
fn commands(store: &str) -> [Vec<&str>; 4] {
    [
        vec!["serve", "--listen", "127.0.0.1:0", "--store", store],
        vec!["table", "restored", "--store", store],
        vec!["table", "move", store, DATABASE],
        vec!["table", "backup", "copy.db", "--store", store],
    ]
}

/// A store of today's layout that nobody uses.
fn store(place: &Place, name: &str) -> PathBuf {
    let path = place.path(name);
    fs::copy(project().join("tests/goldens/stores/v4.db"), &path).expect("a copy");
    let log = ["table", "restored", "--store", &format!("sqlite:{name}")].map(str::to_owned);
    place.war(&log.each_ref().map(String::as_str)).ends_with(0);
    path
}

/// What is in a place: names, contents and modes. What `SQLite` puts beside a file that is read, and
/// nothing is in, does not count.
fn all(place: &Place) -> Vec<(String, Vec<u8>, u32)> {
    let entries = fs::read_dir(place.path(".")).expect("a directory");
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

/// What these commands say in both languages, where nothing may come of them.
fn refused(place: &Place, commands: &[Vec<&str>], says: [&str; 2]) {
    for command in commands {
        for (lang, says) in ["en", "pl"].into_iter().zip(says) {
            let before = all(place);
            let run: Run = place.war(&[&["--lang", lang], &command[..]].concat());
            assert!(run.stderr.contains(says), "{command:?}: {}", run.stderr);
            assert_eq!(run.code, 4, "{command:?}");
            assert!(all(place) == before, "{command:?}: something was changed");
        }
    }
}

#[test]
fn a_file_of_another_program_stays_as_it_was() {
    let place = Place::new();
    place.write(
        "text.db",
        "a text of somebody else, and not a database\n".repeat(9),
    );
    let other = Connection::open(place.path("other.db")).expect("a database");
    other
        .execute_batch("CREATE TABLE horse (name)")
        .expect("a table");
    drop(other);
    for name in ["text.db", "other.db"] {
        fs::set_permissions(place.path(name), Permissions::from_mode(0o644)).expect("a mode");
        refused(
            &place,
            &commands(&format!("sqlite:{name}")),
            [
                "not the store of a card table",
                "nie jest bazą danych stołu",
            ],
        );
    }
}

#[test]
fn a_store_of_a_newer_version_stays_as_it_was() {
    let place = Place::new();
    let path = store(&place, "newer.db");
    let newer = Connection::open(&path).expect("a store");
    newer
        .pragma_update(None, "user_version", 99)
        .expect("a version");
    newer.close().expect("it closes");
    fs::set_permissions(&path, Permissions::from_mode(0o644)).expect("a mode");
    let says = ["created by a newer version", "utworzyła nowsza wersja"];
    refused(&place, &commands("sqlite:newer.db"), says);
}

// What a copy has become that nobody could finish is not a table without players.
#[test]
fn nothing_goes_on_from_an_empty_file() {
    let place = Place::new();
    place.write("table.db", "");
    let [_, restored, moved, _] = commands("sqlite:table.db");
    let says = ["the file is empty", "plik jest pusty"];
    refused(&place, &[restored, moved], says);
    let none = ["no such file", "nie ma takiego pliku"];
    let [_, restored, moved, copied] = commands("sqlite:none.db");
    refused(&place, &[restored, moved, copied], none);
}

#[test]
fn a_store_that_is_cut_off_is_damaged() {
    let place = Place::new();
    let path = store(&place, "table.db");
    let bytes = fs::read(&path).expect("a store");
    fs::write(&path, &bytes[..20_000]).expect("a file");
    let [_, restored, moved, copied] = commands("sqlite:table.db");
    let says = ["can't be used: a file with pages", "nie można użyć danych"];
    refused(&place, &[restored, moved, copied], says);
}

#[test]
fn a_directory_is_not_a_store() {
    let place = Place::new();
    fs::create_dir(place.path("table.db")).expect("a directory");
    let says = ["is a directory", "to jest katalog"];
    refused(&place, &commands("sqlite:table.db"), says);
}

#[test]
fn what_others_could_read_is_taken_from_them_before_it_goes_on() {
    let place = Place::new();
    let path = store(&place, "table.db");
    fs::set_permissions(&path, Permissions::from_mode(0o644)).expect("a mode");
    place.war(&["table", "restored"]).ends_with(0);
    let mode = path.metadata().expect("a file").permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
}
