//! The shape of the code: what may use what, what has side effects, how long a file is.
//!
//! The rules are read from parsed sources. Each of them has seen sources made up to break it,
//! in `made_up`.

mod graph;
mod made_up;
mod names;
mod purity;
mod source;
mod text;
mod uses;
mod violation;
mod words;

use source::{sources, sources_in};
use uses::Uses;
use violation::{Violation, judge};
use words::Prose;

/// Each part of the library with the parts it may use. `app` may use them all.
const MAY_USE: &[(&str, &[&str])] = &[
    ("digits", &[]),
    ("hex", &[]),
    ("redacted", &[]),
    ("visible", &[]),
    ("cards", &["digits"]),
    ("drawings", &[]),
    ("excerpt", &[]),
    ("fields", &["excerpt"]),
    ("lang", &[]),
    ("i18n", &["fields", "lang"]),
    ("engine", &["cards"]),
    ("rules", &["cards", "engine", "lang"]),
    ("tokens", &["cards", "engine", "hex", "redacted", "visible"]),
    (
        "room",
        &["cards", "engine", "fields", "hex", "redacted", "tokens"],
    ),
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
            "cards", "console", "engine", "hex", "journal", "lang", "rules", "setup", "tokens",
        ],
    ),
    (
        "replay",
        &["console", "engine", "journal", "lang", "rules", "tokens"],
    ),
    ("repair", &["hex", "journal", "replay"]),
    ("result", &["engine", "journal", "tokens"]),
    ("export", &["cards", "engine", "hex", "journal", "tokens"]),
    ("signing", &["hex", "journal", "redacted", "replay"]),
    ("log", &["hex", "journal"]),
    (
        "watch",
        &[
            "cards",
            "engine",
            "i18n",
            "journal",
            "projections",
            "tokens",
            "visible",
        ],
    ),
    (
        "view",
        &[
            "cards",
            "drawings",
            "engine",
            "journal",
            "lang",
            "projections",
            "tokens",
        ],
    ),
    ("parallel", &[]),
    (
        "simulate",
        &["cards", "digits", "engine", "parallel", "rules", "scenario"],
    ),
    ("plot", &["i18n", "projections", "simulate"]),
    (
        "cli",
        &[
            "cards", "digits", "engine", "export", "host", "hex", "i18n", "journal", "room",
            "rules", "setup", "simulate", "tokens", "visible", "watch",
        ],
    ),
    (
        "host",
        &[
            "console",
            "digits",
            "engine",
            "export",
            "fields",
            "hex",
            "i18n",
            "journal",
            "lang",
            "log",
            "operator",
            "projections",
            "replay",
            "result",
            "room",
            "scenario",
            "setup",
            "signing",
            "simulate",
            "tokens",
            "view",
            "visible",
            "watch",
        ],
    ),
    (
        "wording",
        &[
            "excerpt",
            "fair",
            "hex",
            "i18n",
            "import",
            "journal",
            "load",
            "log",
            "operator",
            "plot",
            "projections",
            "replay",
            "room",
            "result",
            "scenario",
            "server",
            "simulate",
            "tokens",
            "visible",
        ],
    ),
    (
        "fair",
        &[
            "cards", "engine", "hex", "journal", "log", "replay", "room", "tokens",
        ],
    ),
    ("operator", &["hex", "room", "signing", "tokens"]),
    ("ladder", &["room", "tokens"]),
    ("load", &["cards", "fair", "hex", "log", "room", "tokens"]),
    (
        "server",
        &[
            "digits",
            "drawings",
            "hex",
            "i18n",
            "journal",
            "ladder",
            "log",
            "operator",
            "projections",
            "recording",
            "redacted",
            "replay",
            "room",
            "signing",
            "tokens",
            "view",
        ],
    ),
];

/// What may have side effects, and which; no effect named means all of them.
const MAY_TOUCH: &[(&str, &[&str])] = &[
    ("src/app", &[]),
    ("src/host", &[]),
    // Addresses as typed, and how many threads there may be.
    ("src/cli", &["std::net", "std::thread"]),
    // The files that journals are written to.
    ("src/journal/file.rs", &["std::fs"]),
    ("src/parallel.rs", &["std::thread"]),
    ("crates/table/src/load", &[]),
    // Where the server meets the world outside of it; its other files are as pure as the core.
    ("crates/table/src/server/client/connection.rs", &[]),
    ("crates/table/src/server/client/looking.rs", &["tokio"]),
    ("crates/table/src/server/client/socket.rs", &[]),
    ("crates/table/src/server/client/way.rs", &["tokio"]),
    ("crates/table/src/server/clock.rs", &[]),
    ("crates/table/src/server/directory.rs", &["tokio"]),
    ("crates/table/src/server/gateway", &["tokio"]),
    // Addresses as they are sent.
    ("crates/table/src/server/host.rs", &["std::net"]),
    ("crates/table/src/server/http", &[]),
    ("crates/table/src/server/limits/address.rs", &["std::net"]),
    ("crates/table/src/server/gateway/visit.rs", &["tokio"]),
    (
        "crates/table/src/server/listeners.rs",
        &["std::net", "tokio"],
    ),
    ("crates/table/src/server/mailbox.rs", &["tokio"]),
    ("crates/table/src/server/metrics.rs", &[]),
    ("crates/table/src/server/peers", &["tokio"]),
    ("crates/table/src/server/process.rs", &[]),
    ("crates/table/src/server/randomness.rs", &[]),
    ("crates/table/src/server/running.rs", &[]),
    ("crates/table/src/server/shared.rs", &["tokio"]),
    ("crates/table/src/server/store/postgres", &[]),
    ("crates/table/src/server/store/sqlite", &[]),
    ("crates/table/src/server/keeper.rs", &["tokio"]),
    ("crates/table/src/server/lookout.rs", &[]),
    ("crates/table/src/server/rater.rs", &[]),
    ("crates/table/src/server/node.rs", &[]),
    ("crates/table/src/server/node", &[]),
    ("crates/table/src/server/writer.rs", &[]),
];

/// The modules among the projections that all of them may use.
const SHARED_BY_PROJECTIONS: &[&str] = &[];

/// The lines that `src/app` stays under.
const APP_LINES: usize = 4000;

/// The most lines of a file.
const MOST_LINES: usize = 400;

/// The most crates that the library alone is built from, itself among them.
const MOST_CRATES: usize = 40;

/// Words that texts do without: players are "they", the reader is "you", and things are said
/// plainly.
const REFUSED_WORDS: &[&str] = &["he", "his", "him", "himself", "whoever", "is told", "is no"];

/// Where such words are plain after all.
const ALLOWED_WORDS: &[&str] = &["there is no", "is no longer"];

/// The folders whose comments are read.
const COMMENTED: &[&str] = &["src", "tests", "benches", "examples"];

/// Other texts: messages, the page, and the documentation.
const TEXTS: &[&str] = &[
    "i18n",
    "crates/viewer/src/drawings",
    "crates/viewer/src/view",
    "crates/table/src/server/page",
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

#[test]
fn every_part_is_listed() {
    let sources = sources();
    let listed = MAY_USE.iter().map(|(name, _)| *name);
    let listed = listed.chain(["app"]).collect();
    assert_eq!(graph::all_parts(&sources), listed);
}

#[test]
fn dependencies_point_one_way() {
    let uses = Uses::of(&sources());
    holds("parts", &graph::parts(&uses, MAY_USE));
}

#[test]
fn no_file_uses_itself_through_others() {
    let uses = Uses::of(&sources());
    holds("circles", &graph::circles(&uses));
}

#[test]
fn no_file_uses_a_folder_that_it_lies_in() {
    let sources = sources();
    let uses = Uses::of(&sources);
    holds("back up", &graph::back_up(&uses, &sources));
}

#[test]
fn projections_do_not_know_each_other() {
    let uses = Uses::of(&sources());
    let found = graph::projections(&uses, SHARED_BY_PROJECTIONS);
    holds("projections", &found);
}

#[test]
fn the_core_has_no_side_effects() {
    let uses = Uses::of(&sources());
    holds("side effects", &purity::side_effects(&uses, MAY_TOUCH));
}

#[test]
fn the_app_stays_small() {
    let found = text::large_folder(&sources(), "src/app", APP_LINES);
    holds("small app", &found);
}

#[test]
fn files_stay_short() {
    holds("long files", &text::long_files(&sources(), MOST_LINES));
}

#[test]
fn nothing_is_written_twice() {
    holds("repeated", &text::repeated(&sources()));
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
    let tree = std::process::Command::new(env!("CARGO"))
        .args(["tree", "--locked", "--offline", "--no-default-features"])
        .args(["--edges", "normal,build", "--prefix", "none", "--no-dedupe"])
        .current_dir(crate::support::project())
        .output()
        .expect("cargo");
    let tree = String::from_utf8(tree.stdout).expect("names of crates");
    let crates: std::collections::BTreeSet<_> = tree.lines().collect();
    assert!(crates.len() > 10, "{tree}");
    assert!(crates.len() < MOST_CRATES, "{crates:#?}");
}
