//! Hints on journals and numbers: what they name can be done, and helps.

use super::support::{Place, project};
use std::fs;

/// The two forms of a journal of version 2 of one game, and that of version 1.
const FORMS: [(&str, &[&str]); 3] = [
    ("game.json", &[]),
    ("full.jsonl", &["--journal-version", "2"]),
    ("compact.jsonl", &["--journal-version", "2", "--compact"]),
];

/// The same game in each form.
fn recorded() -> Place {
    let place = Place::new();
    for (name, form) in FORMS {
        let game = ["4", "small", "--seed", "1", "--journal", name];
        place.war(&[&game, form].concat()).ends_with(0);
    }
    place
}

fn lines(journal: &str) -> Vec<&str> {
    journal.split_inclusive('\n').collect()
}

#[test]
fn a_compact_journal_may_have_been_changed_in_any_line() {
    let place = recorded();
    let game = ["4", "small", "--seed", "1", "--journal", "other.jsonl"];
    let noted = ["--journal-version", "2", "--compact", "--meta", "a=b"];
    place.war(&[&game[..], &noted].concat()).ends_with(0);
    let (one, other) = (place.read("compact.jsonl"), place.read("other.jsonl"));
    let (one, mut spliced) = (lines(&one), lines(&other));
    // The events are the same, and the header is not the one that the end was made for.
    let last = spliced.len() - 1;
    spliced[last] = one[last];
    place.write("spliced.jsonl", spliced.concat());
    let run = place.war(&["replay", "-q", "spliced.jsonl"]).ends_with(1);
    run.tells(": WJ202 ").tells("any line before");
    let polish = ["--lang", "pl", "replay", "-q", "spliced.jsonl"];
    place.war(&polish).ends_with(1).tells("dowolnym wierszu");
    // Each event of a full one has a link of its own.
    let full = place.read("full.jsonl");
    place.write("full.jsonl", full.replace("\"turns\":19", "\"turns\":18"));
    let run = place.war(&["replay", "-q", "full.jsonl"]).ends_with(1);
    run.tells("; the end record was changed");
}

#[test]
fn salvaging_is_named_where_it_keeps_something() {
    let place = recorded();
    for (name, _) in FORMS {
        let journal = place.read(name);
        let lines = lines(&journal);
        for garbage in [
            "{\"seq\":15,garbage\n",
            "\u{1}\u{fffd}x\u{7f}\n\n",
            "[]\n",
            "{\"seq\":15,\"turn\":1,\"turn\":1}\n",
        ] {
            place.write("torn", lines[..16].concat() + garbage);
            let run = place.war(&["replay", "-q", "torn"]);
            let told = format!("{name} with {garbage:?}: {run:#?}");
            assert_eq!(run.code, 1, "{told}");
            assert!(run.stderr.contains("repair --salvage"), "{told}");
            let salvage = ["journal", "repair", "--salvage", "torn", "kept"];
            place.war(&salvage).ends_with(0).tells(": 15 events ");
            fs::remove_file(place.path("kept")).expect("what was kept");
        }
        // Nothing is kept of a header.
        place.write("torn", format!("{}x", &journal[..200]));
        let run = place.war(&["replay", "-q", "torn"]);
        assert!(!run.stderr.contains("--salvage"), "{run:#?}");
    }
}

#[test]
fn a_journal_without_its_beginning_is_told() {
    let place = recorded();
    for (name, _) in FORMS {
        let journal = place.read(name);
        let lines = lines(&journal);
        for first in [1, 2, 30, lines.len() - 1] {
            let rest = lines[first..].concat();
            let run = place.war_reading(rest.as_bytes(), &["replay", "-q", "-"]);
            let told = format!("{name} from line {first}: {run:#?}");
            assert_eq!(run.code, 1, "{told}");
            assert!(run.stderr.contains("the beginning"), "{told}");
            assert!(run.stderr.contains("`tail -n +1 -f FILE |"), "{told}");
            let polish = ["--lang", "pl", "replay", "-q", "-"];
            let run = place.war_reading(rest.as_bytes(), &polish);
            run.ends_with(1).tells("brakuje początku");
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
        let run = place.war_reading(other.as_bytes(), &["replay", "-q", "-"]);
        let run = run.ends_with(1);
        assert!(!run.stderr.contains("beginning"), "{other}: {run:#?}");
    }
}

#[test]
fn ranges_have_separators() {
    let place = Place::new();
    for (lang, range) in [
        ("en", "from 1 to 1,000,000,000,000\n"),
        ("pl", "od 1 do 1\u{a0}000\u{a0}000\u{a0}000\u{a0}000\n"),
    ] {
        let run = place.war(&["--lang", lang, "simulate", "--games", "0"]);
        run.ends_with(2).tells(range);
    }
    let run = place.war(&["simulate", "--jobs", "0"]).ends_with(2);
    run.tells("from 1 to 1,024\n");
    place.write("war.toml", "[log]\nkeep = 0\n");
    let run = place.war(&["1", "small"]).ends_with(2);
    run.tells("from 1 to 1,000,000\n");
}

#[test]
fn a_line_end_that_was_typed_breaks_no_line() {
    let place = Place::new();
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
        let run = place.war(arguments).tells(shown);
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
fn the_book_names_the_tail_that_the_hint_names() {
    let book = fs::read_to_string(project().join("docs/guides/journals.md")).expect("the book");
    assert!(book.contains("tail -n +1 -f game.json | war replay -"));
}
