//! One or more screens of each kind, in both languages, for review.

use super::support::{Sandbox, project, reviewed};
use std::collections::BTreeSet;

const SEPARATOR: &str = "=========\n\n\n";

/// The screens that differ from all earlier ones by more than numbers.
pub(crate) fn kinds(printed: &str) -> String {
    let mut seen = BTreeSet::new();
    let new = |screen: &&str| {
        let shape: String = screen.chars().filter(|c| !c.is_ascii_digit()).collect();
        seen.insert(shape)
    };
    let screens: Vec<_> = printed.split_inclusive(SEPARATOR).filter(new).collect();
    screens.concat()
}

fn snapshot(name: &str, lang: &str, arguments: &[&str]) {
    let arguments = [&["--lang", lang], arguments].concat();
    let run = Sandbox::new().war(&arguments).exits_with(0);
    reviewed(&format!("{name}_{lang}"), &kinds(&run.stdout));
}

#[test]
fn scenarios() {
    insta::glob!(project(), "scenarios/examples/ssc_*.json", |path| {
        let scenario = path.to_str().expect("a name");
        for lang in ["en", "pl"] {
            snapshot("classic", lang, &["--scenario", scenario]);
        }
    });
}

#[test]
fn dealings() {
    for lang in ["en", "pl"] {
        snapshot("dealing_one_player", lang, &["1", "small", "--seed", "1"]);
        snapshot("dealing_corrected", lang, &["9", "large", "--seed", "3"]);
        snapshot("dealing_unparseable", lang, &["x", "small", "--seed", "2"]);
        snapshot("dealing_unknown_deck", lang, &["3", "huge", "--seed", "1"]);
        snapshot(
            "dealing_both_corrected",
            lang,
            &["0", "huge", "--seed", "1"],
        );
    }
}

#[test]
fn usage() {
    for lang in ["en", "pl"] {
        let run = Sandbox::new().war(&["--lang", lang]).exits_with(2);
        reviewed(&format!("usage_{lang}"), &(run.stdout + &run.stderr));
    }
}
