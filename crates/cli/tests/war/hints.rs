//! Hints on journals and numbers: each can be followed, and helps.

use super::support::{Sandbox, project};
use std::fs;

/// Options for both forms of a journal of version 2, and for version 1.
const FORMS: [(&str, &[&str]); 3] = [
    ("game.json", &[]),
    ("full.jsonl", &["--journal-version", "2"]),
    ("compact.jsonl", &["--journal-version", "2", "--compact"]),
];

/// Sandbox with the same game in each form.
fn recorded() -> Sandbox {
    let sandbox = Sandbox::new();
    for (name, form) in FORMS {
        let game = ["4", "small", "--seed", "1", "--journal", name];
        sandbox.war(&[&game, form].concat()).exits_with(0);
    }
    sandbox
}

fn lines(journal: &str) -> Vec<&str> {
    journal.split_inclusive('\n').collect()
}

#[test]
fn a_change_to_a_compact_journal_is_not_located_at_a_line() {
    let sandbox = recorded();
    let game = ["4", "small", "--seed", "1", "--journal", "other.jsonl"];
    let noted = ["--journal-version", "2", "--compact", "--meta", "a=b"];
    sandbox.war(&[&game[..], &noted].concat()).exits_with(0);
    let (one, other) = (sandbox.read("compact.jsonl"), sandbox.read("other.jsonl"));
    let (one, mut spliced) = (lines(&one), lines(&other));
    // The events are the same, but the end was not made for this header.
    let last = spliced.len() - 1;
    spliced[last] = one[last];
    sandbox.write("spliced.jsonl", spliced.concat());
    let run = sandbox
        .war(&["replay", "-q", "spliced.jsonl"])
        .exits_with(1);
    run.reports(": WJ202 ").reports("any line before");
    let polish = ["--lang", "pl", "replay", "-q", "spliced.jsonl"];
    sandbox
        .war(&polish)
        .exits_with(1)
        .reports("dowolnym wierszu");
    // Each event of a full journal has its own link.
    let full = sandbox.read("full.jsonl");
    sandbox.write("full.jsonl", full.replace("\"turns\":19", "\"turns\":18"));
    let run = sandbox.war(&["replay", "-q", "full.jsonl"]).exits_with(1);
    run.reports("; the end record was changed");
}

#[test]
fn salvaging_is_suggested_if_it_keeps_something() {
    let sandbox = recorded();
    for (name, _) in FORMS {
        let journal = sandbox.read(name);
        let lines = lines(&journal);
        for garbage in [
            "{\"seq\":15,garbage\n",
            "\u{1}\u{fffd}x\u{7f}\n\n",
            "[]\n",
            "{\"seq\":15,\"turn\":1,\"turn\":1}\n",
        ] {
            sandbox.write("torn", lines[..16].concat() + garbage);
            let run = sandbox.war(&["replay", "-q", "torn"]);
            let told = format!("{name} with {garbage:?}: {run:#?}");
            assert_eq!(run.code, 1, "{told}");
            assert!(run.stderr.contains("repair --salvage"), "{told}");
            let salvage = ["journal", "repair", "--salvage", "torn", "kept"];
            sandbox.war(&salvage).exits_with(0).reports(": 15 events ");
            fs::remove_file(sandbox.path("kept")).expect("what was kept");
        }
        // Nothing can be salvaged from a header.
        sandbox.write("torn", format!("{}x", &journal[..200]));
        let run = sandbox.war(&["replay", "-q", "torn"]);
        assert!(!run.stderr.contains("--salvage"), "{run:#?}");
    }
}

#[test]
fn a_journal_without_its_beginning_is_reported() {
    let sandbox = recorded();
    for (name, _) in FORMS {
        let journal = sandbox.read(name);
        let lines = lines(&journal);
        for first in [1, 2, 30, lines.len() - 1] {
            let rest = lines[first..].concat();
            let run = sandbox.war_reading(rest.as_bytes(), &["replay", "-q", "-"]);
            let told = format!("{name} from line {first}: {run:#?}");
            assert_eq!(run.code, 1, "{told}");
            assert!(run.stderr.contains("the beginning"), "{told}");
            assert!(run.stderr.contains("`tail -n +1 -f FILE |"), "{told}");
            let polish = ["--lang", "pl", "replay", "-q", "-"];
            let run = sandbox.war_reading(rest.as_bytes(), &polish);
            run.exits_with(1).reports("brakuje początku");
        }
    }
    for other in [
        ",1",
        "]",
        "],\"end\"",
        "{\"seq\":1}\n",
        "{\"event\":1,\"user\":2}\n",
        "{\"end\":1}\n",
    ] {
        let run = sandbox.war_reading(other.as_bytes(), &["replay", "-q", "-"]);
        let run = run.exits_with(1);
        assert!(!run.stderr.contains("beginning"), "{other}: {run:#?}");
    }
}

#[test]
fn ranges_have_separators() {
    let sandbox = Sandbox::new();
    for (lang, range) in [
        ("en", "from 1 to 1,000,000,000,000\n"),
        ("pl", "od 1 do 1\u{a0}000\u{a0}000\u{a0}000\u{a0}000\n"),
    ] {
        let run = sandbox.war(&["--lang", lang, "simulate", "--games", "0"]);
        run.exits_with(2).reports(range);
    }
    let run = sandbox.war(&["simulate", "--jobs", "0"]).exits_with(2);
    run.reports("from 1 to 1,024\n");
    sandbox.write("war.toml", "[log]\nkeep = 0\n");
    let run = sandbox.war(&["1", "small"]).exits_with(2);
    run.reports("from 1 to 1,000,000\n");
}

#[test]
fn a_typed_line_break_does_not_break_a_message() {
    let sandbox = Sandbox::new();
    for (arguments, shown) in [
        (
            &["a\nb", "small", "--seed", "1", "--result", "json"][..],
            "a␊b",
        ),
        (&["simulate", "--deck", "a\nb"], "`a␊b`"),
        (&["4", "small", "--seed", "a\nb"], "`a␊b`"),
        (
            &["--lang", "pl", "repla\ny", "small", "--seed", "1"],
            "repla␊y",
        ),
    ] {
        let run = sandbox.war(arguments).reports(shown);
        let labels = [
            "warning: ",
            "error: ",
            "hint: ",
            "note: ",
            "uwaga: ",
            "wskazówka: ",
        ];
        let labelled = |line: &str| labels.iter().any(|label| line.starts_with(label));
        assert!(run.stderr.lines().all(labelled), "{run:#?}");
    }
}

#[test]
fn the_book_and_the_hint_name_the_same_command() {
    let book = fs::read_to_string(project().join("docs/guides/journals.md")).expect("the book");
    assert!(book.contains("tail -n +1 -f game.json | war replay -"));
}
