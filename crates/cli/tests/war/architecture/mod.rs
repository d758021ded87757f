//! Architecture rules: allowed dependencies between crates and between the parts of a crate.
//!
//! The checks parse the sources. `counterexamples` breaks every rule once, to show that the check
//! of that rule works.

mod counterexamples;
mod graph;
mod names;
mod source;
mod uses;
mod violation;
mod words;

use crate::support::project;
use serde_json::Value;
use source::sources_in;
use std::collections::BTreeSet;
use std::process::Command;
use uses::Uses;
use violation::{Violation, expect_none};
use words::Prose;

/// Parts or crates, each with those that it may use.
type Parts = &'static [(&'static str, &'static [&'static str])];

/// Parts of the library, each with the parts it may use.
const PARTS: Parts = &[
    ("support", &[]),
    ("cards", &["support"]),
    ("lang", &[]),
    ("i18n", &["lang", "support"]),
    ("engine", &["cards"]),
    ("rules", &["cards", "engine", "lang"]),
    ("tokens", &["cards", "engine", "support"]),
    ("scenario", &["cards", "rules", "support"]),
    ("setup", &["cards"]),
    (
        "journal",
        &[
            "cards", "engine", "lang", "rules", "setup", "support", "tokens",
        ],
    ),
    (
        "projections",
        &[
            "cards", "engine", "i18n", "rules", "setup", "support", "tokens",
        ],
    ),
    (
        "import",
        &["cards", "engine", "i18n", "projections", "rules", "support"],
    ),
    (
        "console",
        &[
            "engine",
            "i18n",
            "journal",
            "lang",
            "projections",
            "rules",
            "setup",
            "tokens",
        ],
    ),
    (
        "recording",
        &[
            "cards", "console", "engine", "journal", "lang", "rules", "setup", "support", "tokens",
        ],
    ),
    (
        "replay",
        &["console", "engine", "journal", "lang", "rules", "tokens"],
    ),
    ("repair", &["journal", "replay", "support"]),
    ("result", &["engine", "journal", "tokens"]),
    (
        "export",
        &["cards", "engine", "journal", "support", "tokens"],
    ),
    ("signing", &["journal", "replay", "support"]),
    (
        "error_messages",
        &["i18n", "import", "journal", "scenario", "support", "tokens"],
    ),
];

/// Parts of the card table, each with the parts it may use.
const TABLE_PARTS: Parts = &[
    ("time", &[]),
    ("protocol", &["time"]),
    ("room", &["protocol", "time"]),
    ("log", &["daily", "time"]),
    ("fair", &["log", "protocol", "room", "time"]),
    ("operator", &["protocol", "room"]),
    ("ladder", &["protocol", "time"]),
    ("daily", &["ladder", "time"]),
    ("load", &["fair", "log", "protocol", "room", "time"]),
    (
        "server",
        &[
            "daily", "ladder", "log", "operator", "protocol", "room", "time",
        ],
    ),
    ("error_messages", &["fair", "log"]),
];

/// Parts of the cluster crate, each with the parts it may use.
const CLUSTER_PARTS: Parts = &[
    ("inbox", &[]),
    ("leases", &[]),
    ("local_connection", &[]),
    ("directory", &["leases"]),
    ("table", &["leases"]),
    ("peers", &["leases", "local_connection"]),
    (
        "gateway",
        &["directory", "leases", "local_connection", "peers", "table"],
    ),
    ("node", &["directory", "leases", "table"]),
    ("postgres", &["inbox", "leases", "table"]),
    ("store_location", &["postgres"]),
    (
        "placement",
        &[
            "directory",
            "gateway",
            "inbox",
            "leases",
            "node",
            "peers",
            "postgres",
            "table",
        ],
    ),
];

/// Source folders whose parts are listed.
const LISTED_FOLDERS: &[(&str, Parts)] = &[
    ("src", PARTS),
    ("crates/table/src", TABLE_PARTS),
    ("crates/table-cluster/src", CLUSTER_PARTS),
];

/// Crates of the workspace, each with the crates it may use. `dev` marks a crate for tests only.
const CRATES: Parts = &[
    ("war", &[]),
    ("war-simulate", &["war"]),
    ("war-viewer", &["war"]),
    ("war-table", &["war", "war-viewer", "dev war-table-world"]),
    (
        "war-table-cluster",
        &["war", "war-table", "dev war-table-world"],
    ),
    (
        "war-table-world",
        &["war", "war-table", "war-table-cluster"],
    ),
    (
        "war-cli",
        &[
            "war",
            "war-simulate",
            "war-table",
            "war-table-cluster",
            "war-viewer",
            "dev war-table-world",
        ],
    ),
];

/// Maximum number of crates that the library alone is built from, including itself.
const MAX_CRATES: usize = 40;

/// Words that texts avoid: players are "they" and the reader is "you".
const REFUSED_WORDS: &[&str] = &["he", "his", "him", "himself", "whoever", "is told", "is no"];

/// Phrases in which a refused word is fine.
const ALLOWED_WORDS: &[&str] = &["there is no", "is no longer"];

/// Folders whose comments are checked.
const COMMENTED_FOLDERS: &[&str] = &["src", "crates", "benches", "examples"];

/// Other texts that are checked: messages, the page, and the documentation.
const TEXTS: &[&str] = &[
    "i18n",
    "crates/table/src/server/page",
    "crates/viewer/src",
    "docs",
    "README.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "SECURITY.md",
];

/// File name endings of the texts in `TEXTS`.
const TEXT_ENDINGS: &[&str] = &[".ftl", ".json", ".html", ".js", ".css", ".md"];

#[track_caller]
fn assert_none(rule: &str, violations: &[Violation]) {
    if let Err(text) = expect_none(rule, violations) {
        panic!("{text}");
    }
}

/// Standard output of `cargo` with these arguments.
fn cargo(arguments: &[&str]) -> Vec<u8> {
    let mut cargo = Command::new(env!("CARGO"));
    let command = cargo.args(arguments).args(["--locked", "--offline"]);
    command
        .current_dir(project())
        .output()
        .expect("cargo")
        .stdout
}

#[test]
fn crates_use_only_the_crates_below_them() {
    let output = cargo(&["metadata", "--no-deps", "--format-version", "1"]);
    let metadata: Value = serde_json::from_slice(&output).expect("JSON");
    let used = |package: &Value| {
        let all = package["dependencies"].as_array().expect("a list").iter();
        let own = all.filter(|used| !used["path"].is_null());
        let name = |used: &Value| {
            let kind = used["kind"].as_str().map(|kind| format!("{kind} "));
            kind.unwrap_or_default() + used["name"].as_str().expect("a name")
        };
        own.map(name).collect::<BTreeSet<_>>()
    };
    let packages = metadata["packages"].as_array().expect("packages").iter();
    let found: BTreeSet<_> = packages
        .map(|one| (one["name"].as_str(), used(one)))
        .collect();
    let named = |names: &[&str]| names.iter().map(ToString::to_string).collect();
    let expected = CRATES.iter().map(|(name, used)| (Some(*name), named(used)));
    assert_eq!(found, expected.collect());
}

#[test]
fn every_part_is_listed() {
    for &(folder, parts) in LISTED_FOLDERS {
        let sources = sources_in(&[folder]);
        let listed = parts.iter().map(|(name, _)| *name).collect();
        assert_eq!(graph::all_parts(&sources), listed);
    }
}

#[test]
fn dependencies_point_one_way() {
    for &(folder, parts) in LISTED_FOLDERS {
        let sources = sources_in(&[folder]);
        let uses = Uses::of(&sources);
        assert_none("parts", &graph::parts(&uses, parts));
        assert_none("circles", &graph::cycles(&uses));
        assert_none("back up", &graph::upward(&uses, &sources));
    }
}

#[test]
fn projections_do_not_use_each_other() {
    let uses = Uses::of(&sources_in(&["src"]));
    assert_none("projections", &graph::projections(&uses));
}

#[test]
fn texts_are_plain() {
    let sources = sources_in(COMMENTED_FOLDERS);
    let mut texts: Vec<_> = sources.iter().map(Prose::of_comments).collect();
    texts.extend(Prose::of_files(TEXTS, TEXT_ENDINGS));
    assert!(texts.len() > 300, "{} texts were found", texts.len());
    assert_none(
        "words",
        &words::refused(&texts, REFUSED_WORDS, ALLOWED_WORDS),
    );
}

#[test]
fn the_library_alone_is_small() {
    let alone = ["tree", "-p", "war", "--no-default-features"];
    let shown = ["--edges", "normal,build", "--prefix", "none", "--no-dedupe"];
    let tree = cargo(&[&alone[..], &shown].concat());
    let tree = String::from_utf8(tree).expect("names of crates");
    let crates: BTreeSet<_> = tree.lines().collect();
    assert!(crates.len() > 10, "{tree}");
    assert!(crates.len() < MAX_CRATES, "{crates:#?}");
}
