//! Keys that a table can't sign with: nothing else is made or changed then.

use super::Server;
use crate::support::{Place, project, reviewed};
use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

/// What stands at a place where a key is looked for.
enum Found {
    File(String, u32),
    Directory(u32),
    Nothing,
}

/// Files that are no key, by name.
fn unusable() -> [(&'static str, Found); 9] {
    let key = |name: &str| {
        let path = project().join("tests/keys").join(name);
        fs::read_to_string(path).expect("a key")
    };
    let signer = key("signer.key");
    let cut = signer[..signer.len() - 20].to_owned();
    [
        ("none/table.key", Found::Nothing),
        (
            "text.key",
            Found::File("this is no key\n".to_owned(), 0o600),
        ),
        ("cut.key", Found::File(cut, 0o600)),
        ("public.key", Found::File(key("signer.pub"), 0o600)),
        ("empty.key", Found::File(String::new(), 0o600)),
        ("protected.key", Found::File(key("protected.key"), 0o600)),
        ("shared.key", Found::File(signer, 0o644)),
        ("directory", Found::Directory(0o755)),
        ("private_directory", Found::Directory(0o700)),
    ]
}

fn put(path: &Path, found: &Found) {
    let mode = match found {
        Found::File(content, mode) => {
            fs::write(path, content).expect("a file");
            *mode
        }
        Found::Directory(mode) => {
            fs::create_dir(path).expect("a directory");
            *mode
        }
        Found::Nothing => return,
    };
    fs::set_permissions(path, Permissions::from_mode(mode)).expect("its owner");
}

/// The files and directories of a place, and what the files hold.
fn all(place: &Place) -> Vec<(String, Vec<u8>)> {
    let entries = fs::read_dir(place.path("")).expect("a directory");
    let mut all: Vec<_> = entries
        .map(|entry| {
            let path = entry.expect("a file").path();
            let name = path.file_name().expect("a name").to_string_lossy();
            (name.into_owned(), fs::read(&path).unwrap_or_default())
        })
        .collect();
    all.sort();
    all
}

#[test]
fn a_key_that_can_t_be_used_is_reported_and_nothing_is_made() {
    let mut told = String::new();
    for (name, found) in unusable() {
        for lang in ["en", "pl"] {
            let place = Place::new();
            put(&place.path(name), &found);
            let before = all(&place);
            let serve = ["serve", "--listen", "127.0.0.1:0", "--lang", lang];
            let run = place.war(&[&serve[..], &["--key", name]].concat());
            assert!(run.stderr.contains(&format!("`{name}`")), "{run:#?}");
            assert_eq!(run.stdout, "");
            told.push_str(&format!("{} {}", run.code, run.stderr));
            assert!(all(&place) == before, "{name}: something was made");
        }
    }
    reviewed("table_key_errors", &told);
}

#[test]
fn a_key_that_can_t_be_used_leaves_a_store_as_it_is() {
    let place = Place::new();
    let mut server = Server::start(&place, &["--bots", "0"]);
    server.player("Ann");
    server.signal("TERM");
    server.end();
    // Where the key of the store itself is spoilt, no other one takes its place.
    let serve = ["serve", "--listen", "127.0.0.1:0"];
    fs::write(place.path("table.db.key"), "spoilt").expect("a file");
    let before = all(&place);
    place
        .war(&serve)
        .ends_with(2)
        .tells("the table's key `table.db.key` is not a secret key");
    assert!(all(&place) == before, "something was changed");
    // The setting in the file is the same one.
    place.write("war.toml", "[table]\nkey = \"none/a.key\"\n");
    place.war(&serve).ends_with(4).tells("`none/a.key`");
}

#[test]
fn a_key_from_standard_input_is_refused_and_nothing_is_made() {
    let database = "postgres://war@127.0.0.1:1/war";
    for arguments in [
        &["serve", "--key", "-"][..],
        &["serve", "--store", database, "--key", "-"],
        &["table", "move", "sqlite:table.db", database, "--key", "-"],
        &["table", "players", "--key", "-"],
        &["table", "adjust", "7", "100", "--reason", "x", "--key", "-"],
        &["table", "rename", "7", "Ann", "--key", "-"],
        &["table", "ban", "7", "--key", "-"],
        &["table", "forget", "7", "--key", "-"],
        &["table", "export", "7", "--key", "-"],
        &["table", "verify", "--key", "-"],
        &[
            "table",
            "retain",
            "--messages",
            "1d",
            "--events",
            "forever",
            "--key",
            "-",
        ],
    ] {
        let place = Place::new();
        let before = all(&place);
        let run = place.war(arguments).ends_with(2);
        run.tells("`--key` needs a file and can't be `-`");
        assert!(all(&place) == before, "{arguments:?}");
    }
}

// The same as `--key -`, which would wait for somebody to type a key.
#[test]
fn a_setting_can_t_name_standard_input_as_the_key() {
    for (typed, shown) in [("-", "\"-\""), ("", "\"\"")] {
        let place = Place::new();
        place.write("war.toml", format!("[table]\nkey = \"{typed}\"\n"));
        let before = all(&place);
        for arguments in [
            &["serve", "--listen", "127.0.0.1:0"][..],
            &["table", "players"],
        ] {
            let found = format!("war.toml:2:7: {shown} is not a valid value for this field");
            let run = place.war(arguments).ends_with(2).tells(&found);
            run.tells("a file called `-` is \"./-\"");
            assert!(all(&place) == before, "{arguments:?}");
        }
    }
}
