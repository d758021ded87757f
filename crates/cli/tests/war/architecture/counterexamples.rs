//! Sources that break each rule, to show that no check is blind.

use super::graph;
use super::source::Source;
use super::uses::Uses;
use super::violation::{Violation, expect_none};
use super::words::{self, Prose};

/// Parses pairs of a path and a text.
fn parse(files: &[(&str, &str)]) -> Vec<Source> {
    files
        .iter()
        .map(|(path, text)| Source::new(path, text))
        .collect()
}

fn names(violations: &[Violation]) -> Vec<&str> {
    violations.iter().map(|found| found.what.as_str()).collect()
}

fn details(violations: &[Violation]) -> Vec<&str> {
    violations
        .iter()
        .map(|found| found.detail.as_str())
        .collect()
}

#[test]
fn a_use_of_an_unlisted_part_is_found_in_every_form() {
    let allowed = "use crate::cards::Rank;\nuse std::fmt;\n// crate::app::run\n";
    for code in [
        "use crate::app::run;",
        "use crate::app;",
        "use crate::{app::run as start, cards::Rank};",
        "fn f() { crate::app::run(); }",
        "fn f() { assert!(1 == crate::app::run()); }",
        "fn f() { loop { vec![super::app::run::<u8>()]; } }",
        "struct S { #[serde(with = \"crate::app::run\")] field: u8 }",
        "impl crate::app::Runs for S {}",
        "mod inner { use super::super::app::run; }",
    ] {
        let sources = parse(&[
            ("src/lib.rs", "mod app; mod cards; mod engine;"),
            ("src/app/mod.rs", "pub fn run() {}\npub trait Runs {}"),
            ("src/cards/mod.rs", "pub struct Rank;"),
            ("src/engine.rs", &format!("{allowed}{code}")),
        ]);
        let uses = Uses::of(&sources);
        let may_use: &[(&str, &[&str])] = &[("cards", &[]), ("engine", &["cards"])];
        let found = graph::parts(&uses, may_use);
        assert_eq!(names(&found), ["engine -> app"], "{code}");
        assert_eq!(details(&found), ["src/engine.rs:4"], "{code}");
        assert_eq!(graph::all_parts(&sources).len(), 3);
    }
}

#[test]
fn a_cycle_of_files_is_found_through_re_exports_and_aliases() {
    for (way_back, line) in [
        ("use crate::a::three::Three;", 1),
        ("use crate::a::Three;", 1),
        ("use super::Three;", 1),
        ("use super::three;\nfn f() { three::Three::new(); }", 2),
        ("use crate::a::Four;", 1),
        ("use crate::a::all::Five;", 1),
        ("fn f() {\n    super::Three;\n}", 2),
    ] {
        let sources = parse(&[
            ("src/lib.rs", "mod a;"),
            (
                "src/a/mod.rs",
                "mod all;\nmod one;\nmod two;\nmod three;\npub use three::Three;\n\
                 pub use three::Three as Four;",
            ),
            ("src/a/all.rs", "pub use super::three::*;"),
            ("src/a/one.rs", way_back),
            ("src/a/two.rs", "use super::one::One;"),
            (
                "src/a/three.rs",
                "use super::two::Two;\npub struct Three;\npub struct Five;",
            ),
        ]);
        let found = graph::cycles(&Uses::of(&sources));
        let files = ["src/a/one.rs", "src/a/three.rs", "src/a/two.rs"];
        assert_eq!(names(&found), files, "{way_back}");
        let round = format!("src/a/one.rs:{line} -> src/a/three.rs:1 -> src/a/two.rs:1");
        assert_eq!(found[0].detail, round, "{way_back}");
        assert_eq!(graph::upward(&Uses::of(&sources), &sources), []);
    }
}

#[test]
fn files_with_one_way_uses_have_no_cycle() {
    let sources = parse(&[
        ("src/lib.rs", "mod a;"),
        (
            "src/a/mod.rs",
            "mod one; mod two; pub use one::One; pub use two::Two;",
        ),
        (
            "src/a/one.rs",
            "use super::two;\nfn f() { two::Two::new() }",
        ),
        (
            "src/a/two.rs",
            "pub struct Two;\nimpl Two { fn new() -> Self { Self } }",
        ),
    ]);
    assert_eq!(graph::cycles(&Uses::of(&sources)), []);
}

#[test]
fn an_import_from_a_parent_folder_is_found() {
    for (code, above) in [
        ("use super::Item;", "src/a/b/mod.rs"),
        ("use crate::a::b::Item;", "src/a/b/mod.rs"),
        ("use crate::a::Shared;", "src/a/mod.rs"),
        ("fn f() { super::super::Shared; }", "src/a/mod.rs"),
        ("use super::*;", "src/a/b/mod.rs"),
        ("use crate::VERSION;", "src/lib.rs"),
    ] {
        let sources = parse(&[
            ("src/lib.rs", "mod a;\nconst VERSION: u8 = 1;"),
            ("src/a/mod.rs", "mod b;\nstruct Shared;"),
            ("src/a/b/mod.rs", "mod c;\nstruct Item;"),
            ("src/a/b/c.rs", code),
        ]);
        let found = graph::upward(&Uses::of(&sources), &sources);
        let what = format!("src/a/b/c.rs -> {above}");
        assert_eq!(names(&found), [what], "{code}");
    }
}

#[test]
fn uses_in_tests_do_not_count() {
    let sources = parse(&[
        ("src/lib.rs", "mod a;"),
        (
            "src/a/mod.rs",
            "mod b; #[cfg(test)] mod tests; struct Item;",
        ),
        (
            "src/a/b.rs",
            "#[cfg(test)]\nmod tests { use super::super::Item; fn f() { std::fs::read(1); } }",
        ),
        ("src/a/tests.rs", "use super::Item;"),
        (
            "src/a/fake.rs",
            "#[cfg(test)] struct Clock { now: std::time::Instant }\n\
             #[cfg(test)] const ITEM: super::Item = 1;",
        ),
    ]);
    let uses = Uses::of(&sources);
    assert_eq!(graph::upward(&uses, &sources), []);
}

#[test]
fn projections_that_use_each_other_are_found() {
    let sources = parse(&[
        ("src/lib.rs", "mod projections;"),
        ("src/projections/mod.rs", "mod audit; mod screens;"),
        ("src/projections/audit.rs", "use super::screens::xy::Row;"),
        ("src/projections/screens/mod.rs", "mod xy; mod seats;"),
        (
            "src/projections/screens/xy.rs",
            "use super::seats::Seats; pub struct Row;",
        ),
        ("src/projections/screens/seats.rs", "pub struct Seats;"),
    ]);
    let found = graph::projections(&Uses::of(&sources));
    let what = "src/projections/audit.rs -> src/projections/screens/xy.rs";
    assert_eq!(names(&found), [what]);
}

#[test]
fn refused_words_are_found_in_comments_only() {
    for (text, line) in [
        ("\n// What he plays.\nfn f() {}", Some(2)),
        ("/// Himself: a player.\nfn f() {}", Some(1)),
        ("fn f() {\n    g(); // his own\n}", Some(2)),
        ("/* one\n * for him\n */\nfn f() {}", Some(2)),
        ("//! Whoever reads.\n", Some(1)),
        ("// The table is\n// told it.\n", Some(1)),
        (
            "// There is no card, it is no longer here, and this\n// is no card.\n",
            Some(2),
        ),
        (
            "fn f() { he(\"his // hand\"); }\n// the shell, this and hint\n",
            None,
        ),
    ] {
        let sources = parse(&[("src/a.rs", text)]);
        let texts: Vec<_> = sources.iter().map(Prose::of_comments).collect();
        let found = words::refused(&texts, super::REFUSED_WORDS, super::ALLOWED_WORDS);
        let lines: Vec<_> = found.iter().map(|found| &found.detail[..10]).collect();
        let expected = line.map(|line| format!("src/a.rs:{line}"));
        assert_eq!(lines, Vec::from_iter(expected), "{text}");
    }
}

#[test]
fn refused_words_are_found_in_texts() {
    let text = Prose::new("i18n/a.ftl", "one = it is no\ntwo = there is no two\n");
    let found = words::refused(&[text], super::REFUSED_WORDS, super::ALLOWED_WORDS);
    assert_eq!(details(&found), ["i18n/a.ftl:1: `is no`"]);
}

#[test]
fn a_violation_is_reported_with_its_location() {
    assert_eq!(expect_none("rule", &[]), Ok(()));
    let refused = expect_none("rule", &[Violation::new("src/a.rs", "src/a.rs:1")]);
    assert!(refused.is_err_and(|text| text.contains("rule") && text.contains("src/a.rs:1")));
}
