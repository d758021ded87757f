//! Journals of version 2, converted from journals of version 1 independently of the program.

use super::{golden, newer, verdict};
use crate::support::{Sandbox, files};
use std::fs;
use war::journal::{FaultCode, Verdict};

/// Converts a journal of version 1 to version 2, and computes new links. `compact` omits fields
/// that follow from the events.
pub(crate) fn of_version_2(journal: &str, compact: bool) -> String {
    let mut last = String::new();
    let mut out = String::new();
    for line in journal.lines() {
        let (_, record) = line.split_once('{').expect("a record");
        let (fields, _) = record.rsplit_once(",\"chain\":\"").expect("a link");
        let canonical = if line.starts_with(']') {
            format!("{{\"end\":{{{fields}}}}}")
        } else if last.is_empty() {
            let fields = fields.replacen("\"version\":1", "\"version\":2", 1);
            format!("{{{fields},\"meta\":{{}}}}")
        } else {
            format!("{{{fields}}}")
        };
        let hash = blake3::hash(format!("{last}{canonical}").as_bytes());
        last.replace_range(.., &hash.to_hex()[..32]);
        let linked = canonical.strip_suffix('}').expect("an object");
        let event = canonical.find("\"event\":").filter(|_| compact);
        match event.zip(canonical.rfind(",\"state\":")) {
            Some((start, end)) => out.push_str(&format!("{{{}}}\n", &canonical[start..end])),
            None => out.push_str(&format!("{linked},\"chain\":\"{last}\"}}\n")),
        }
    }
    out
}

#[test]
fn converted_journals_verify() {
    for path in files("journals", ".json") {
        let golden = fs::read_to_string(&path).expect("a journal");
        for compact in [false, true] {
            let (code, verdict, told) = verdict(of_version_2(&golden, compact));
            assert_eq!(code, None, "{} {compact}: {told}", path.display());
            assert_ne!(verdict, Verdict::Damaged);
        }
    }
}

#[test]
fn an_unknown_name_from_the_recorder_is_unsupported() {
    for (line, from, to, name) in newer::UNKNOWN {
        let journal = newer::unchained(&golden(), line, from, to);
        for compact in [false, true] {
            let (code, verdict, told) = verdict(of_version_2(&journal, compact));
            let found = (code, verdict);
            let expected = match line {
                1 | 55 => (Some(FaultCode::Unsupported), Verdict::Unsupported),
                _ if !compact => (Some(FaultCode::Unsupported), Verdict::Unsupported),
                // A compact line omits the fields other than the event, but the chain still covers
                // their values.
                _ if to.starts_with("\"seq\"") => (Some(FaultCode::Chain), Verdict::Damaged),
                // A compact event has no link that could confirm an unknown name.
                _ => (Some(FaultCode::Field), Verdict::Damaged),
            };
            assert_eq!(found, expected, "{to} on line {line}, {compact}: {told}");
            assert!(
                code == Some(FaultCode::Chain) || told.contains(name),
                "{told}"
            );
        }
    }
}

#[test]
fn a_name_that_was_edited_in_is_damage() {
    for (line, from, to, _) in newer::UNKNOWN {
        for compact in [false, true] {
            let journal = of_version_2(&golden(), compact);
            let edited = newer::unchained(&journal, line, from, to);
            if edited == journal {
                assert!(compact && line > 1, "{from} on line {line}");
                continue;
            }
            let (code, verdict, told) = verdict(edited);
            assert_eq!(verdict, Verdict::Damaged, "{to} on line {line}: {told}");
            let known = matches!(code, Some(FaultCode::Field | FaultCode::Chain));
            assert!(known, "{to} on line {line}: {told}");
        }
    }
}

#[test]
fn trailing_zeros_count_as_truncation() {
    for compact in [false, true] {
        let journal = of_version_2(&golden(), compact);
        for length in (1..journal.len() - 1).step_by(7) {
            let zeros = [&journal.as_bytes()[..length], &vec![0; 70_000]].concat();
            let (_, verdict, told) = verdict(&zeros);
            assert_eq!(verdict, Verdict::Incomplete, "{length} bytes: {told}");
        }
        // The end record is complete, so the zeros are data after the end.
        for whole in [&journal, journal.trim_end()] {
            assert_eq!(verdict(format!("{whole}\0\0")).0, Some(FaultCode::End));
        }
    }
}

#[test]
fn a_finished_game_gets_its_end_record_back() {
    let sandbox = Sandbox::new();
    for compact in [false, true] {
        let journal = of_version_2(&golden(), compact);
        let end = journal.find("{\"end\"").expect("an end");
        let torn = [
            journal[..end].to_owned(),
            journal[..end + 9].to_owned(),
            format!("{}\0\0", &journal[..end]),
            format!("{}\0", &journal[..journal.len() - 2]),
        ];
        for (number, cut) in torn.into_iter().enumerate() {
            let new = format!("{compact}{number}.json");
            sandbox.write("cut.json", cut);
            let run = sandbox.war(&["journal", "repair", "cut.json", &new]);
            run.exits_with(0).reports("end record of the whole game");
            assert_eq!(sandbox.read(&new), journal);
        }
    }
}

#[test]
fn proven_events_are_kept_and_the_rest_is_reported() {
    let sandbox = Sandbox::new();
    for compact in [false, true] {
        let journal = of_version_2(&golden(), compact);
        let lines: Vec<_> = journal.split_inclusive('\n').collect();
        let (start, rest) = (lines[..9].concat(), lines[10..].concat());
        sandbox.write("cut.json", &start);
        let kept = format!("{compact}.json");
        let repair = ["journal", "repair", "cut.json", &kept];
        sandbox.war(&repair).exits_with(0);
        sandbox.write("torn.json", format!("{start}garbage\n{rest}"));
        let new = format!("{compact}-salvaged.json");
        let torn = ["journal", "repair", "torn.json", &new];
        sandbox.war(&torn).exits_with(1).reports("was not repaired");
        let run = sandbox.war(&[&torn[..], &["--salvage"]].concat());
        run.exits_with(0).reports("from line 10, column 1\n");
        assert_eq!(sandbox.read(&new), sandbox.read(&kept));
    }
}

#[test]
fn compact_events_are_not_salvaged_if_their_chain_breaks() {
    let sandbox = Sandbox::new();
    let journal = of_version_2(&golden(), true);
    let other = journal.replacen("war 0.1.0", "war 0.1.1", 1);
    let other = of_version_2(&golden(), true)
        .lines()
        .skip(1)
        .fold(first_line(&other), |all, line| all + line + "\n");
    sandbox.write("torn.json", other);
    let salvage = ["journal", "repair", "--salvage", "torn.json", "new.json"];
    sandbox.war(&salvage).exits_with(1).reports("WJ202");
    assert!(!sandbox.path("new.json").exists());
}

/// Header of a journal, with its own link.
fn first_line(journal: &str) -> String {
    let header = journal.lines().next().expect("a header");
    let (fields, _) = header.rsplit_once(",\"chain\":\"").expect("a link");
    let link = blake3::hash(format!("{fields}}}").as_bytes()).to_hex();
    format!("{fields},\"chain\":\"{}\"}}\n", &link[..32])
}
