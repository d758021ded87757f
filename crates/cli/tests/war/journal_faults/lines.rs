//! Journals of version 2, made by this file alone from journals of version 1.

use super::{golden, newer, verdict};
use crate::support::{Place, files};
use std::fs;
use war::journal::{Code, Verdict};

/// A journal of version 2 with the records of this one of version 1, whose links do not count;
/// `compact` leaves out what follows from the events.
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
fn journals_made_here_verify() {
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
fn a_name_that_its_recorder_wrote_is_unsupported() {
    for (line, from, to, name) in newer::UNKNOWN {
        let journal = newer::unchained(&golden(), line, from, to);
        for compact in [false, true] {
            let (code, verdict, told) = verdict(of_version_2(&journal, compact));
            let found = (code, verdict);
            let expected = match line {
                1 | 55 => (Some(Code::Version), Verdict::Unsupported),
                _ if !compact => (Some(Code::Version), Verdict::Unsupported),
                // What stands beside the event is left out, but the chain covers it.
                _ if to.starts_with("\"seq\"") => (Some(Code::Chain), Verdict::Damaged),
                // No link is written with an event alone.
                _ => (Some(Code::Field), Verdict::Damaged),
            };
            assert_eq!(found, expected, "{to} on line {line}, {compact}: {told}");
            assert!(code == Some(Code::Chain) || told.contains(name), "{told}");
        }
    }
}

#[test]
fn a_name_that_came_later_is_damage() {
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
            let known = matches!(code, Some(Code::Field | Code::Chain));
            assert!(known, "{to} on line {line}: {told}");
        }
    }
}

#[test]
fn zeros_to_the_end_are_cut_off() {
    for compact in [false, true] {
        let journal = of_version_2(&golden(), compact);
        for length in (1..journal.len() - 1).step_by(7) {
            let zeros = [&journal.as_bytes()[..length], &vec![0; 70_000]].concat();
            let (_, verdict, told) = verdict(&zeros);
            assert_eq!(verdict, Verdict::Incomplete, "{length} bytes: {told}");
        }
        // The end record lacks nothing.
        for whole in [&journal, journal.trim_end()] {
            assert_eq!(verdict(format!("{whole}\0\0")).0, Some(Code::End));
        }
    }
}

#[test]
fn a_game_that_is_over_gets_its_end_record_back() {
    let place = Place::new();
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
            place.write("cut.json", cut);
            let run = place.war(&["journal", "repair", "cut.json", &new]);
            run.ends_with(0).tells("end record of the whole game");
            assert_eq!(place.read(&new), journal);
        }
    }
}

#[test]
fn what_is_proven_is_kept_and_the_rest_is_told() {
    let place = Place::new();
    for compact in [false, true] {
        let journal = of_version_2(&golden(), compact);
        let lines: Vec<_> = journal.split_inclusive('\n').collect();
        let (start, rest) = (lines[..9].concat(), lines[10..].concat());
        place.write("cut.json", &start);
        let kept = format!("{compact}.json");
        let repair = ["journal", "repair", "cut.json", &kept];
        place.war(&repair).ends_with(0);
        place.write("torn.json", format!("{start}garbage\n{rest}"));
        let new = format!("{compact}-salvaged.json");
        let torn = ["journal", "repair", "torn.json", &new];
        place.war(&torn).ends_with(1).tells("was not repaired");
        let run = place.war(&[&torn[..], &["--salvage"]].concat());
        run.ends_with(0).tells("from line 10, column 1\n");
        assert_eq!(place.read(&new), place.read(&kept));
    }
}

#[test]
fn events_alone_are_not_salvaged_where_their_chain_breaks() {
    let place = Place::new();
    let journal = of_version_2(&golden(), true);
    let other = journal.replacen("war 0.1.0", "war 0.1.1", 1);
    let other = of_version_2(&golden(), true)
        .lines()
        .skip(1)
        .fold(first_line(&other), |all, line| all + line + "\n");
    place.write("torn.json", other);
    let salvage = ["journal", "repair", "--salvage", "torn.json", "new.json"];
    place.war(&salvage).ends_with(1).tells("WJ202");
    assert!(!place.path("new.json").exists());
}

/// The header of a journal with its own link.
fn first_line(journal: &str) -> String {
    let header = journal.lines().next().expect("a header");
    let (fields, _) = header.rsplit_once(",\"chain\":\"").expect("a link");
    let link = blake3::hash(format!("{fields}}}").as_bytes()).to_hex();
    format!("{fields},\"chain\":\"{}\"}}\n", &link[..32])
}
