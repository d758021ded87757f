//! The direction of dependencies, and the core's freedom from side effects.

use super::support::project;
use std::fs;
use std::path::Path;

/// Each part of the library with the parts it may use.
const MAY_USE: &[(&str, &[&str])] = &[
    ("digits", &[]),
    ("hex", &[]),
    ("cards", &["digits"]),
    ("excerpt", &[]),
    ("fields", &["excerpt"]),
    ("lang", &[]),
    // Its macro `text!` stands at the root of the library, as all macros do.
    ("i18n", &["excerpt", "lang", "text"]),
    ("engine", &["cards"]),
    ("rules", &["cards", "engine"]),
    ("tokens", &["cards", "engine", "hex"]),
    ("room", &["cards", "engine", "hex", "i18n", "tokens"]),
    ("scenario", &["cards", "excerpt", "rules"]),
    ("setup", &["cards"]),
    (
        "journal",
        &[
            "cards", "engine", "fields", "hex", "lang", "rules", "setup", "tokens",
        ],
    ),
    (
        "projections",
        &["cards", "engine", "hex", "i18n", "rules", "setup", "tokens"],
    ),
    (
        "import",
        &["cards", "engine", "excerpt", "i18n", "projections", "rules"],
    ),
    (
        "recording",
        &[
            "cards",
            "engine",
            "i18n",
            "journal",
            "projections",
            "rules",
            "setup",
            "tokens",
        ],
    ),
    (
        "replay",
        &[
            "engine",
            "i18n",
            "journal",
            "projections",
            "recording",
            "tokens",
        ],
    ),
    ("simulate", &["cards", "engine", "rules"]),
];

/// What has no place outside of `app`: files, clocks, sockets, printing, chance, and
/// maps whose order changes from run to run.
const SIDE_EFFECTS: &[&str] = &[
    "std::fs",
    "std::net",
    "std::env",
    "std::process",
    "std::thread",
    "std::time",
    "time::",
    "println!",
    "eprintln!",
    "print!",
    "stdout",
    "stderr",
    "stdin",
    "HashMap",
    "HashSet",
    "rand::random",
    "rand::rng",
    "ThreadRng",
    "StdRng",
    "SmallRng",
    ".shuffle(&mut rng",
];

fn sources(path: &Path) -> Vec<(String, String)> {
    if path.is_file() {
        let text = fs::read_to_string(path).expect("a source");
        return vec![(path.display().to_string(), text)];
    }
    let entries = fs::read_dir(path).expect("a part of the library");
    entries
        .flat_map(|entry| sources(&entry.expect("a file").path()))
        .collect()
}

/// The code of a part, without comments.
fn part(name: &str) -> Vec<(String, String)> {
    let root = project().join("src").join(name);
    let path = if root.is_dir() {
        root
    } else {
        root.with_extension("rs")
    };
    let code = |text: String| {
        let lines = text
            .lines()
            .filter(|line| !line.trim_start().starts_with("//"));
        lines.collect::<Vec<_>>().join("\n")
    };
    let sources = sources(&path).into_iter();
    sources.map(|(path, text)| (path, code(text))).collect()
}

#[test]
fn every_part_is_listed() {
    let mut parts: Vec<_> = fs::read_dir(project().join("src"))
        .expect("the sources")
        .map(|entry| entry.expect("a file").path())
        .map(|path| {
            path.file_stem()
                .expect("a name")
                .to_string_lossy()
                .into_owned()
        })
        .filter(|name| !["main", "lib", "app"].contains(&name.as_str()))
        .collect();
    parts.sort();
    let mut listed: Vec<_> = MAY_USE.iter().map(|(name, _)| (*name).to_owned()).collect();
    listed.sort();
    assert_eq!(parts, listed);
}

#[test]
fn dependencies_point_one_way() {
    for (name, allowed) in MAY_USE {
        for (path, code) in part(name) {
            assert!(
                !code.contains("crate::{"),
                "{path}: import from one part at a time"
            );
            for used in code.split("crate::").skip(1) {
                let used = used.split(|c: char| !c.is_ascii_alphanumeric()).next();
                let used = used.unwrap_or_default();
                assert!(
                    used == *name || allowed.contains(&used),
                    "{path}: `{name}` must not use `{used}`"
                );
            }
        }
    }
}

#[test]
fn projections_do_not_know_each_other() {
    for (path, code) in part("projections/screens") {
        assert!(!code.contains("audit"), "{path} uses the audit");
    }
    for (path, code) in part("projections/audit") {
        assert!(!code.contains("screens::"), "{path} uses the screens");
    }
}

#[test]
fn only_the_app_has_side_effects() {
    for (name, _) in MAY_USE {
        for (path, code) in part(name) {
            for group in code.split("std::{").skip(1) {
                let group = group.split('}').next().unwrap_or_default();
                for banned in ["fs", "net", "env", "process", "thread", "time"] {
                    let mut names = group
                        .split([',', ' ', '\n'])
                        .map(|name| name.split(':').next());
                    assert!(
                        !names.any(|name| name == Some(banned)),
                        "{path} uses std::{banned}"
                    );
                }
            }
            for effect in SIDE_EFFECTS {
                assert!(!code.contains(effect), "{path} has `{effect}`");
            }
        }
    }
}
