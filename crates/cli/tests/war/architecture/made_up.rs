//! Sources made up to break each rule: a check that finds nothing in them checks nothing.

use super::source::Source;
use super::uses::Uses;
use super::violation::{Violation, judge};
use super::words::{self, Prose};
use super::{graph, purity, text};

/// Sources from pairs of a path and a text.
fn made_up(files: &[(&str, &str)]) -> Vec<Source> {
    files
        .iter()
        .map(|(path, text)| Source::new(path, text))
        .collect()
}

fn whats(violations: &[Violation]) -> Vec<&str> {
    violations.iter().map(|found| found.what.as_str()).collect()
}

fn details(violations: &[Violation]) -> Vec<&str> {
    violations
        .iter()
        .map(|found| found.detail.as_str())
        .collect()
}

#[test]
fn a_part_that_is_not_listed_is_found_wherever_it_is_named() {
    let allowed = "use crate::cards::Rank;\nuse std::fmt;\n// crate::app::run\n";
    for naming in [
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
        let sources = made_up(&[
            ("src/lib.rs", "mod app; mod cards; mod engine;"),
            ("src/app/mod.rs", "pub fn run() {}\npub trait Runs {}"),
            ("src/cards/mod.rs", "pub struct Rank;"),
            ("src/engine.rs", &format!("{allowed}{naming}")),
        ]);
        let uses = Uses::of(&sources);
        let may_use: &[(&str, &[&str])] = &[("cards", &[]), ("engine", &["cards"])];
        let found = graph::parts(&uses, may_use);
        assert_eq!(whats(&found), ["engine -> app"], "{naming}");
        assert_eq!(details(&found), ["src/engine.rs:4"], "{naming}");
        assert_eq!(graph::all_parts(&sources).len(), 3);
    }
}

#[test]
fn a_circle_of_files_is_found_through_re_exports_and_aliases() {
    for (way_back, line) in [
        ("use crate::a::three::Three;", 1),
        ("use crate::a::Three;", 1),
        ("use super::Three;", 1),
        ("use super::three;\nfn f() { three::Three::new(); }", 2),
        ("use crate::a::Four;", 1),
        ("use crate::a::all::Five;", 1),
        ("fn f() {\n    super::Three;\n}", 2),
    ] {
        let sources = made_up(&[
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
        let found = graph::circles(&Uses::of(&sources));
        let files = ["src/a/one.rs", "src/a/three.rs", "src/a/two.rs"];
        assert_eq!(whats(&found), files, "{way_back}");
        let round = format!("src/a/one.rs:{line} -> src/a/three.rs:1 -> src/a/two.rs:1");
        assert_eq!(found[0].detail, round, "{way_back}");
        assert_eq!(graph::back_up(&Uses::of(&sources), &sources), []);
    }
}

#[test]
fn files_that_point_one_way_make_no_circle() {
    let sources = made_up(&[
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
    assert_eq!(graph::circles(&Uses::of(&sources)), []);
}

#[test]
fn an_import_back_up_is_found() {
    for (naming, above) in [
        ("use super::Item;", "src/a/b/mod.rs"),
        ("use crate::a::b::Item;", "src/a/b/mod.rs"),
        ("use crate::a::Shared;", "src/a/mod.rs"),
        ("fn f() { super::super::Shared; }", "src/a/mod.rs"),
        ("use super::*;", "src/a/b/mod.rs"),
        ("use crate::VERSION;", "src/lib.rs"),
    ] {
        let sources = made_up(&[
            ("src/lib.rs", "mod a;\nconst VERSION: u8 = 1;"),
            ("src/a/mod.rs", "mod b;\nstruct Shared;"),
            ("src/a/b/mod.rs", "mod c;\nstruct Item;"),
            ("src/a/b/c.rs", naming),
        ]);
        let found = graph::back_up(&Uses::of(&sources), &sources);
        let what = format!("src/a/b/c.rs -> {above}");
        assert_eq!(whats(&found), [what], "{naming}");
    }
}

#[test]
fn what_only_tests_use_does_not_count() {
    let sources = made_up(&[
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
    assert_eq!(graph::back_up(&uses, &sources), []);
    assert_eq!(purity::side_effects(&uses, &[]), []);
}

#[test]
fn projections_that_know_each_other_are_found() {
    let sources = made_up(&[
        ("src/lib.rs", "mod projections;"),
        (
            "src/projections/mod.rs",
            "mod audit; mod fold; mod screens;",
        ),
        ("src/projections/fold.rs", "pub trait Fold {}"),
        (
            "src/projections/audit.rs",
            "use super::fold::Fold; use super::screens::xy::Row;",
        ),
        ("src/projections/screens/mod.rs", "mod xy; mod seats;"),
        (
            "src/projections/screens/xy.rs",
            "use super::seats::Seats; pub struct Row;",
        ),
        ("src/projections/screens/seats.rs", "pub struct Seats;"),
    ]);
    let found = graph::projections(&Uses::of(&sources), &["fold"]);
    let what = "src/projections/audit.rs -> src/projections/screens/xy.rs";
    assert_eq!(whats(&found), [what]);
}

#[test]
fn side_effects_are_found_by_their_full_names() {
    for (code, effect) in [
        ("use std::fs;", "std::fs"),
        ("use std::{fmt, fs::File};", "std::fs"),
        ("use std::time::{Duration, Instant};", "std::time::Instant"),
        ("use std::io;\nfn f() { io::stdout(); }", "std::io::stdout"),
        (
            "use std::io::{self as io};\nfn f() { vec![io::stderr()]; }",
            "std::io::stderr",
        ),
        ("use std as s;\nfn f() { s::env::var(\"A\"); }", "std::env"),
        ("fn f() { std::thread::sleep(1); }", "std::thread"),
        ("fn f() { println!(\"{}\", 1); }", "println!"),
        ("fn f() { vec![{ std::eprint!(\"\"); }]; }", "eprint!"),
        ("use std::collections::HashMap;", "HashMap"),
        ("use hashbrown::HashSet;", "HashSet"),
        ("fn f(map: std::collections::HashMap<u8, u8>) {}", "HashMap"),
        ("fn f() { time::OffsetDateTime::now_utc(); }", "time"),
        ("use rand::seq::SliceRandom;", "rand::seq"),
        ("fn f() { rand::random(); }", "rand::random"),
    ] {
        let sources = made_up(&[("src/lib.rs", "mod a;"), ("src/a.rs", code)]);
        let found = purity::side_effects(&Uses::of(&sources), &[]);
        assert_eq!(whats(&found), [format!("src/a.rs: {effect}")], "{code}");
        let uses = Uses::of(&sources);
        for place in ["src/a.rs", "src"] {
            assert_eq!(purity::side_effects(&uses, &[(place, &[])]), []);
            assert_eq!(purity::side_effects(&uses, &[(place, &[effect])]), []);
        }
        assert_eq!(purity::side_effects(&uses, &[("src/a", &[])]).len(), 1);
        assert_eq!(
            purity::side_effects(&uses, &[("src", &["std::net"])]).len(),
            1
        );
    }
}

#[test]
fn what_only_looks_like_a_side_effect_is_allowed() {
    let code = "use crate::time::Turn;\nuse std::time::Duration;\nuse std::io::Write;\n\
                // println!(\"std::fs\")\nfn f() { g(\"std::fs\"); time::Turn::new(); }\n\
                mod time { pub struct Turn; }";
    let sources = made_up(&[
        ("src/lib.rs", "mod a; mod time;"),
        ("src/time.rs", "pub struct Turn;"),
        ("src/a.rs", code),
    ]);
    assert_eq!(purity::side_effects(&Uses::of(&sources), &[]), []);
}

#[test]
fn long_files_and_large_folders_are_found() {
    let long = "// line\n".repeat(7);
    let sources = made_up(&[("src/a/one.rs", &long), ("src/a/two.rs", "// line\n")]);
    let found = text::long_files(&sources, 6);
    assert_eq!(whats(&found), ["src/a/one.rs"]);
    assert_eq!(text::long_files(&sources, 7), []);
    assert_eq!(whats(&text::large_folder(&sources, "src/a", 8)), ["src/a"]);
    assert_eq!(text::large_folder(&sources, "src/a", 9), []);
    assert_eq!(text::large_folder(&sources, "src/b", 1), []);
}

#[test]
fn repeated_lines_are_found_however_they_are_spaced() {
    let body = |names: &[&str], between: &str| {
        let call = |name: &&str| format!("    {name}();\n{between}");
        let calls: String = names.iter().map(call).collect();
        format!("fn f() {{\n{calls}}}\n")
    };
    let six = ["a", "b", "c", "d", "e", "g"];
    let seven = ["a", "b", "c", "d", "e", "g", "h"];
    let one = ("src/one.rs", body(&seven, ""));
    let cases = [
        (
            body(&seven, "\n// why\n"),
            Some("src/one.rs:1 and src/two.rs:1"),
        ),
        (
            body(&six, "").replace("fn f", "fn other"),
            Some("src/one.rs:2 and src/two.rs:2"),
        ),
        (body(&six[1..], "").replace("fn f", "fn other"), None),
        (body(&["a", "b", "c", "x", "d", "e", "g"], ""), None),
    ];
    for (two, expected) in cases {
        let sources = made_up(&[(one.0, &one.1), ("src/two.rs", &two)]);
        let found = text::repeated(&sources);
        assert_eq!(details(&found), Vec::from_iter(expected), "{two}");
    }
    let twice = format!("{}{}", one.1, body(&six, "").replace("fn f", "fn other"));
    let found = text::repeated(&made_up(&[("src/one.rs", &twice)]));
    assert_eq!(details(&found), ["src/one.rs:2 and src/one.rs:11"]);
}

#[test]
fn imports_and_attributes_may_be_repeated() {
    let same = "use a::{\n    b1,\n    b2,\n    b3,\n    b4,\n    b5,\n};\n#[derive(\n    A,\n    \
                B,\n    C,\n    D,\n    E,\n    F\n)]\n";
    let one = format!("{same}struct One;\n");
    let two = format!("{same}struct Two;\n");
    let sources = made_up(&[("src/one.rs", &one), ("src/two.rs", &two)]);
    assert_eq!(text::repeated(&sources), []);
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
        let sources = made_up(&[("src/a.rs", text)]);
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
fn a_violation_is_refused_with_where_it_is() {
    assert_eq!(judge("rule", &[]), Ok(()));
    let refused = judge("rule", &[Violation::new("src/a.rs", "src/a.rs:1")]);
    assert!(refused.is_err_and(|text| text.contains("rule") && text.contains("src/a.rs:1")));
}
