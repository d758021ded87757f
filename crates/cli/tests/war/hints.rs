//! Hints on journals and numbers: each can be followed, and helps.

use super::support::{Sandbox, files_below, project};
use std::fs;
use std::process::Command;

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

/// The commands that a hint names, without its backticks; a quoted name may contain backticks.
fn commands(hint: &str) -> Vec<&str> {
    let mut rest = hint;
    let mut commands = Vec::new();
    while let Some(start) = rest.find("`war ") {
        let text = &rest[start + 1..];
        let ends = text.match_indices('`').map(|(end, _)| end);
        let is_whole = |end: &usize| shlex::split(&text[..*end]).is_some();
        let end = ends.into_iter().find(is_whole).expect("a whole command");
        commands.push(&text[..end]);
        rest = &text[end + 1..];
    }
    commands
}

#[test]
fn a_pasted_hint_replays_a_journal_of_any_name() {
    let sandbox = Sandbox::new();
    for name in [
        "my game.json",
        "it's.json",
        "a$HOME.json",
        "x;touch pwned;.json",
        "-y.json",
        "`touch pwned`.json",
        "\"double\" \\.json",
        "!!~*?[a]#.json",
        "żółw.json",
    ] {
        let journal = format!("--journal={name}");
        let game = ["2", "small", "--seed", "1", &journal];
        let run = sandbox.war(&game).exits_with(0);
        let hint = run.stderr.lines().find(|line| line.starts_with("hint: "));
        let commands = commands(hint.expect("a hint"));
        let [command] = commands[..] else {
            panic!("one command: {run:#?}");
        };
        let script = format!("war() {{ \"$WAR\" \"$@\"; }}; {command} --quiet");
        let mut shell = Command::new("sh");
        shell.args(["-c", &script]).current_dir(sandbox.path("."));
        shell.env("WAR", env!("CARGO_BIN_EXE_war"));
        let replayed = shell.output().expect("a shell");
        assert!(replayed.status.success(), "{command}: {replayed:?}");
    }
    assert!(!sandbox.path("pwned").exists(), "a file name was run");
}

#[test]
fn a_name_that_can_not_be_pasted_gets_no_hint() {
    let sandbox = Sandbox::new();
    for name in ["a\nb.json", "a\u{1b}[2Jb.json", "a\u{202e}b.json"] {
        let game = ["2", "small", "--seed", "1", "--journal", name];
        let run = sandbox.war(&game).exits_with(0).reports("recorded");
        assert!(!run.stderr.contains("hint: "), "{run:#?}");
    }
}

#[test]
fn every_command_in_a_recorded_hint_is_one_that_a_shell_reads() {
    let mut found = 0;
    for snapshot in files_below(&project().join("snapshots")) {
        let text = fs::read_to_string(&snapshot).expect("a snapshot");
        for line in text.lines() {
            let hint = ["hint: ", "wskazówka: "].map(|label| line.strip_prefix(label));
            for command in hint.into_iter().flatten().flat_map(commands) {
                let words = shlex::split(command).expect("words");
                let joined = shlex::try_join(words.iter().map(String::as_str)).expect("text");
                // An ellipsis stands for a value that the user chooses.
                let joined = joined.replace("'…'", "…");
                assert_eq!(joined, command, "{}", snapshot.display());
                found += 1;
            }
        }
    }
    assert!(found > 20, "only {found} commands");
}

#[test]
fn the_book_and_the_hint_name_the_same_command() {
    let book = fs::read_to_string(project().join("docs/guides/journals.md")).expect("the book");
    assert!(book.contains("tail -n +1 -f game.json | war replay -"));
}
