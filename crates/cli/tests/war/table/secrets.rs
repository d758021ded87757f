//! Secrets: none is printed, logged or kept, wherever a malformed one is typed.

use crate::support::{Sandbox, files_below};
use std::fs;

/// Part of a password that nothing may show.
const SECRET: &str = "s3cr3tZZ";

/// Addresses of a database that are almost right, with the password in them.
///
/// In most of them, one character before the host is left out or replaced, or a character with a
/// meaning is inserted. The host refuses connections.
fn malformed_stores() -> Vec<String> {
    let address = format!("postgres://war:{SECRET}@127.0.0.1:1/war");
    let secret = address.find(SECRET).expect("a password");
    let places = (0..secret).chain([secret + SECRET.len()]);
    let mutated = places.flat_map(|at| {
        let (before, after) = address.split_at(at);
        let rest = &after[1..];
        let replaced = ["", ":", "/", "@", "?", "#", "=", " ", "%", "\"", "\\", ";"]
            .map(|with| format!("{before}{with}{rest}"));
        let inserted = [":", "/", "@", "=", " "].map(|with| format!("{before}{with}{after}"));
        replaced.into_iter().chain(inserted)
    });
    let stores: Vec<String> = mutated
        .chain([
            format!("host=db user=war password={SECRET} dbname=war"),
            format!("war:{SECRET}@db/war"),
            format!("postgres://war:{SECRET}"),
            format!("sqlite:postgres://war:{SECRET}@db/war"),
            format!("sqlite:war:{SECRET}@db/war"),
            format!("postgres://127.0.0.1:1/war?password={SECRET}&pasword={SECRET}"),
            format!("postgres://127.0.0.1:1/war password={SECRET}"),
        ])
        .collect();
    assert!(stores.len() > 200, "only {}", stores.len());
    stores
}

fn assert_hidden(sandbox: &Sandbox, store: &str, printed: &str) {
    assert!(!printed.contains(SECRET), "{store}: {printed}");
    for file in files_below(&sandbox.path(".")) {
        let name = file.display().to_string();
        assert!(!name.contains(SECRET), "{store}: {name}");
        if name.ends_with("war.toml") {
            continue;
        }
        let bytes = fs::read(&file).expect("a file");
        let text = String::from_utf8_lossy(&bytes);
        assert!(!text.contains(SECRET), "{store}: in {name}");
    }
}

const SERVE: [&str; 6] = ["serve", "--listen", "127.0.0.1:0", "--key", "k", "--no-log"];

#[test]
fn a_malformed_store_is_not_shown_wherever_it_is_typed() {
    let sandbox = Sandbox::new();
    for store in malformed_stores() {
        let option = sandbox.war(&[&SERVE[..], &["--store", &store]].concat());
        assert_hidden(&sandbox, &store, &format!("{option:?}"));
        assert_ne!(option.code, 0, "{store}");
        let moved = sandbox.war(&["table", "move", "sqlite:none.db", &store, "--key", "k"]);
        assert_hidden(&sandbox, &store, &moved.stderr);
    }
}

#[test]
fn a_malformed_store_in_the_environment_is_not_shown() {
    let sandbox = Sandbox::new();
    for store in malformed_stores() {
        let mut command = sandbox.command(&SERVE);
        command.env("WAR_TABLE_STORE", &store);
        let run = command.output().expect("a process");
        assert_hidden(&sandbox, &store, &String::from_utf8_lossy(&run.stderr));
    }
}

#[test]
fn a_malformed_store_in_the_configuration_is_not_shown() {
    let sandbox = Sandbox::new();
    for store in malformed_stores() {
        sandbox.write("war.toml", format!("[table]\nstore = \"{store}\"\n"));
        let run = sandbox.war(&SERVE);
        assert_hidden(&sandbox, &store, &run.stderr);
    }
}
