//! The shape of the code: which part of a crate may use which, and which crate which.
//!
//! The rules are read from parsed sources. Each of them has seen sources made up to break it,
//! in `made_up`.

mod graph;
mod made_up;
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
use violation::{Violation, judge};
use words::Prose;

/// Parts, each with those that it may use.
type Parts = &'static [(&'static str, &'static [&'static str])];

/// Each part of the library with the parts it may use.
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
        "wording",
        &["i18n", "import", "journal", "scenario", "support", "tokens"],
    ),
];

/// Each part of the card table with the parts it may use.
const TABLE_PARTS: Parts = &[
    ("protocol", &[]),
    ("room", &["protocol"]),
    ("log", &[]),
    ("fair", &["log", "protocol", "room"]),
    ("operator", &["protocol", "room"]),
    ("ladder", &["protocol"]),
    ("load", &["fair", "log", "protocol", "room"]),
    ("server", &["ladder", "log", "operator", "protocol", "room"]),
    ("wording", &["fair", "log"]),
];

/// Each part of what only several nodes need with the parts it may use.
const CLUSTER_PARTS: Parts = &[
    ("inbox", &[]),
    ("leases", &[]),
    ("visit", &[]),
    ("directory", &["leases"]),
    ("table", &["leases"]),
    ("peers", &["leases", "visit"]),
    (
        "gateway",
        &["directory", "leases", "peers", "table", "visit"],
    ),
    ("node", &["directory", "leases", "table"]),
    ("postgres", &["inbox", "leases", "table"]),
    ("place", &["postgres"]),
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

/// The folders whose parts are listed.
const LISTED: &[(&str, Parts)] = &[
    ("src", PARTS),
    ("crates/table/src", TABLE_PARTS),
    ("crates/table-cluster/src", CLUSTER_PARTS),
];

/// Each crate of the workspace with those it may use; the simulated world is for tests.
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

/// The most crates that the library alone is built from, itself among them.
const MOST_CRATES: usize = 40;

/// Words that texts do without: players are "they", the reader is "you", and things are said
/// plainly.
const REFUSED_WORDS: &[&str] = &["he", "his", "him", "himself", "whoever", "is told", "is no"];

/// Where such words are plain after all.
const ALLOWED_WORDS: &[&str] = &["there is no", "is no longer"];

/// The folders whose comments are read.
const COMMENTED: &[&str] = &["src", "crates", "benches", "examples"];

/// Other texts: messages, the page, and the documentation.
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

/// What the names of these texts end with.
const TEXT_ENDS: &[&str] = &[".ftl", ".json", ".html", ".js", ".css", ".md"];

#[track_caller]
fn holds(rule: &str, violations: &[Violation]) {
    if let Err(text) = judge(rule, violations) {
        panic!("{text}");
    }
}

/// What `cargo` says with these arguments.
fn cargo(arguments: &[&str]) -> Vec<u8> {
    let mut cargo = Command::new(env!("CARGO"));
    let said = cargo.args(arguments).args(["--locked", "--offline"]);
    said.current_dir(project()).output().expect("cargo").stdout
}

#[test]
fn crates_use_those_below_them() {
    let said = cargo(&["metadata", "--no-deps", "--format-version", "1"]);
    let metadata: Value = serde_json::from_slice(&said).expect("JSON");
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
    for &(folder, parts) in LISTED {
        let sources = sources_in(&[folder]);
        let listed = parts.iter().map(|(name, _)| *name).collect();
        assert_eq!(graph::all_parts(&sources), listed);
    }
}

#[test]
fn dependencies_point_one_way() {
    for &(folder, parts) in LISTED {
        let sources = sources_in(&[folder]);
        let uses = Uses::of(&sources);
        holds("parts", &graph::parts(&uses, parts));
        holds("circles", &graph::circles(&uses));
        holds("back up", &graph::back_up(&uses, &sources));
    }
}

#[test]
fn projections_do_not_know_each_other() {
    let uses = Uses::of(&sources_in(&["src"]));
    holds("projections", &graph::projections(&uses));
}

#[test]
fn texts_are_plain() {
    let sources = sources_in(COMMENTED);
    let mut texts: Vec<_> = sources.iter().map(Prose::of_comments).collect();
    texts.extend(Prose::of_files(TEXTS, TEXT_ENDS));
    assert!(texts.len() > 300, "{} texts were found", texts.len());
    holds(
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
    assert!(crates.len() < MOST_CRATES, "{crates:#?}");
}
