//! Unusable table keys: a command that is given such a key creates and changes nothing.

use super::Server;
use crate::support::{Sandbox, project, reviewed};
use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

/// Entry at a path where a key is expected.
enum PathEntry {
    File(String, u32),
    Directory(u32),
    Nothing,
}

/// Files that are not valid keys, by name.
fn unusable() -> [(&'static str, PathEntry); 9] {
    let key = |name: &str| {
        let path = project().join("tests/keys").join(name);
        fs::read_to_string(path).expect("a key")
    };
    let signer = key("signer.key");
    let cut = signer[..signer.len() - 20].to_owned();
    [
        ("none/table.key", PathEntry::Nothing),
        (
            "text.key",
            PathEntry::File("this is no key\n".to_owned(), 0o600),
        ),
        ("cut.key", PathEntry::File(cut, 0o600)),
        ("public.key", PathEntry::File(key("signer.pub"), 0o600)),
        ("empty.key", PathEntry::File(String::new(), 0o600)),
        (
            "protected.key",
            PathEntry::File(key("protected.key"), 0o600),
        ),
        ("shared.key", PathEntry::File(signer, 0o644)),
        ("directory", PathEntry::Directory(0o755)),
        ("private_directory", PathEntry::Directory(0o700)),
    ]
}

fn put(path: &Path, found: &PathEntry) {
    let mode = match found {
        PathEntry::File(content, mode) => {
            fs::write(path, content).expect("a file");
            *mode
        }
        PathEntry::Directory(mode) => {
            fs::create_dir(path).expect("a directory");
            *mode
        }
        PathEntry::Nothing => return,
    };
    fs::set_permissions(path, Permissions::from_mode(mode)).expect("its owner");
}

/// Files and directories of a sandbox, with the contents of the files.
fn entries(sandbox: &Sandbox) -> Vec<(String, Vec<u8>)> {
    let entries = fs::read_dir(sandbox.path("")).expect("a directory");
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
fn an_unusable_key_is_reported_and_nothing_is_created() {
    let mut told = String::new();
    for (name, found) in unusable() {
        for lang in ["en", "pl"] {
            let sandbox = Sandbox::new();
            put(&sandbox.path(name), &found);
            let before = entries(&sandbox);
            let serve = ["serve", "--listen", "127.0.0.1:0", "--lang", lang];
            let run = sandbox.war(&[&serve[..], &["--key", name]].concat());
            assert!(run.stderr.contains(&format!("`{name}`")), "{run:#?}");
            assert_eq!(run.stdout, "");
            told.push_str(&format!("{} {}", run.code, run.stderr));
            assert!(entries(&sandbox) == before, "{name}: something was made");
        }
    }
    reviewed("table_key_errors", &told);
}

#[test]
fn an_unusable_key_leaves_a_store_unchanged() {
    let sandbox = Sandbox::new();
    let mut server = Server::start(&sandbox, &["--bots", "0"]);
    server.player("Ann");
    server.signal("TERM");
    server.end();
    // If the store's own key is damaged, no other takes its place.
    let serve = ["serve", "--listen", "127.0.0.1:0"];
    fs::write(sandbox.path("table.db.key"), "spoilt").expect("a file");
    let before = entries(&sandbox);
    sandbox
        .war(&serve)
        .exits_with(2)
        .reports("the table's key `table.db.key` is not a secret key");
    assert!(entries(&sandbox) == before, "something was changed");
    // A key set in the configuration file is checked as well.
    sandbox.write("war.toml", "[table]\nkey = \"none/a.key\"\n");
    sandbox.war(&serve).exits_with(4).reports("`none/a.key`");
}

#[test]
fn no_key_is_created_for_a_store_that_cannot_be_read() {
    let sandbox = Sandbox::new();
    // A link to itself can't be followed, not even by root.
    std::os::unix::fs::symlink("table.db", sandbox.path("table.db")).expect("a link");
    let run = sandbox.war(&["serve", "--listen", "127.0.0.1:0"]);
    run.exits_with(4).reports("symbolic links");
    assert!(!sandbox.path("table.db.key").exists());
}

#[test]
fn no_key_is_created_for_a_copy_that_is_not_confirmed() {
    let sandbox = Sandbox::new();
    drop(Server::start(&sandbox, &["--bots", "0"]));
    sandbox.war(&["table", "backup", "copy.db"]).exits_with(0);
    let serve = [
        "serve",
        "--listen",
        "127.0.0.1:0",
        "--store",
        "sqlite:copy.db",
    ];
    sandbox
        .war(&serve)
        .exits_with(4)
        .reports("may lack games that were played since");
    assert!(!sandbox.path("copy.db.key").exists());
}

#[test]
fn a_key_from_standard_input_is_refused_and_nothing_is_created() {
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
        let sandbox = Sandbox::new();
        let before = entries(&sandbox);
        let run = sandbox.war(arguments).exits_with(2);
        run.reports("`--key` needs a file and can't be `-`");
        assert!(entries(&sandbox) == before, "{arguments:?}");
    }
}

// Such a setting is the same as `--key -`, which would wait for somebody to type a key.
#[test]
fn a_setting_cannot_name_standard_input_as_the_key() {
    for (typed, shown) in [("-", "\"-\""), ("", "\"\"")] {
        let sandbox = Sandbox::new();
        sandbox.write("war.toml", format!("[table]\nkey = \"{typed}\"\n"));
        let before = entries(&sandbox);
        for arguments in [
            &["serve", "--listen", "127.0.0.1:0"][..],
            &["table", "players"],
        ] {
            let found = format!("war.toml:2:7: {shown} is not a valid value for this field");
            let run = sandbox.war(arguments).exits_with(2).reports(&found);
            run.reports("a file called `-` is \"./-\"");
            assert!(entries(&sandbox) == before, "{arguments:?}");
        }
    }
}
