//! Faults of the bytes: cuts, flipped bits, lines in wrong places.

use super::{golden, short};
use crate::support::replayed;
use war::journal::FaultCode;

#[test]
fn a_file_cut_off_anywhere_is_incomplete() {
    for journal in short() {
        let (_, whole) = replayed(journal.as_bytes());
        for length in 1..journal.len() - 1 {
            let (code, text) = replayed(&journal.as_bytes()[..length]);
            let cut = matches!(code, Some(FaultCode::CutOff | FaultCode::NoEnd));
            assert!(cut, "{length} bytes: {code:?}");
            assert!(
                whole.starts_with(&text),
                "{length} bytes print something else"
            );
        }
        // Only the last line feed is missing.
        assert_eq!(replayed(journal.trim_end().as_bytes()).0, None);
    }
}

#[test]
fn data_after_the_last_line_feed_was_cut_off() {
    for journal in short() {
        let lines: Vec<_> = journal.split_inclusive('\n').collect();
        for whole in 1..lines.len() {
            let sound = lines[..whole].concat().into_bytes();
            let long = vec![b'['; 3 << 20];
            for rest in [
                &b""[..],
                b"\0\0\0",
                b"\xff\xfe{",
                b"{}",
                b"]]]",
                b"{\"seq\":1}x",
                b"\0\0x\0",
                b"\r",
                &long,
            ] {
                let (code, _) = replayed(&[&sound[..], rest].concat()[..]);
                let cut = matches!(code, Some(FaultCode::CutOff | FaultCode::NoEnd));
                let rest = rest[..rest.len().min(9)].escape_ascii();
                assert!(cut, "{rest} behind line {whole}: {code:?}");
            }
        }
        // A wrong end record without its line feed counts as torn, and not as the end.
        let end = lines[lines.len() - 1];
        let torn = journal.replace(
            end,
            &end.trim_end().replacen("\"turns\":", "\"turns\":1", 1),
        );
        assert_eq!(replayed(torn.as_bytes()).0, Some(FaultCode::NoEnd));
        let zeros = [journal.trim_end().as_bytes(), &[0; 9]].concat();
        assert_eq!(replayed(&zeros[..]).0, Some(FaultCode::End));
    }
}

#[test]
fn a_header_without_its_line_feed_was_cut_off() {
    let [journal, _] = short();
    let (header, _) = journal.split_once('\n').expect("a header");
    for rest in [&b""[..], b"\xff]]}", b" }", b"\0", b"{\"seq\":0}"] {
        let torn = [&header.as_bytes()[..40], rest].concat();
        assert_eq!(replayed(&torn[..]).0, Some(FaultCode::CutOff));
        let torn = [header.as_bytes(), rest].concat();
        assert_eq!(replayed(&torn[..]).0, Some(FaultCode::CutOff));
    }
}

#[test]
fn a_line_with_a_line_feed_was_written_in_full() {
    for journal in short() {
        let lines: Vec<_> = journal.split_inclusive('\n').collect();
        for whole in 1..lines.len() {
            let sound = lines[..whole].concat().into_bytes();
            for (rest, expected) in [
                (&b"\n"[..], FaultCode::Field),
                (b"{\n", FaultCode::Field),
                (b"\0\n", FaultCode::NotJson),
                (b"\xff\xfe{\n", FaultCode::NotJson),
                (b"[]\n", FaultCode::Field),
                (b"{}\n", FaultCode::Field),
            ] {
                let (code, _) = replayed(&[&sound[..], rest].concat()[..]);
                let rest = rest.escape_ascii();
                assert_eq!(code, Some(expected), "{rest} behind line {whole}");
            }
            let long = [&sound[..], &vec![b' '; (1 << 20) + 1], b"\n"].concat();
            assert_eq!(replayed(&long[..]).0, Some(FaultCode::Field));
            let deep = [&sound[..], &[b'['; 65], b"\n"].concat();
            assert_eq!(replayed(&deep[..]).0, Some(FaultCode::Field));
        }
    }
}

#[test]
fn every_flipped_bit_is_found() {
    for journal in short() {
        let (_, whole) = replayed(journal.as_bytes());
        for at in 0..journal.len() {
            for bit in 0..8 {
                let mut flipped = journal.clone().into_bytes();
                flipped[at] ^= 1 << bit;
                let (code, text) = replayed(&flipped[..]);
                let code = code.unwrap_or_else(|| panic!("bit {bit} of byte {at} is missed"));
                let incomplete = matches!(code, FaultCode::CutOff | FaultCode::NoEnd);
                let is_last = at == journal.len() - 1;
                assert_eq!(incomplete, is_last, "bit {bit} of byte {at}: {code}");
                assert!(
                    whole.starts_with(&text),
                    "bit {bit} of byte {at} prints more"
                );
            }
        }
    }
}

#[test]
fn deleted_doubled_swapped_or_spliced_lines_are_found() {
    for (name, other) in [
        ("classic_notes.jsonl", "custom_fixed.jsonl"),
        (
            "classic_notes_compact.jsonl",
            "upgraded/classic_dealt_won.jsonl",
        ),
    ] {
        let (journal, other) = (golden(name), golden(other));
        let lines: Vec<_> = journal.split_inclusive('\n').collect();
        let foreign: Vec<_> = other.split_inclusive('\n').collect();
        for at in 0..lines.len() {
            let next = (at + 1) % lines.len();
            let mut deleted = lines.clone();
            deleted.remove(at);
            let mut doubled = lines.clone();
            doubled.insert(at, lines[at]);
            let mut swapped = lines.clone();
            swapped.swap(at, next);
            let mut spliced = lines.clone();
            spliced[at] = foreign[at.min(foreign.len() - 1)];
            for (changed, how) in [
                (deleted, "deleted"),
                (doubled, "doubled"),
                (swapped, "swapped"),
                (spliced, "spliced"),
            ] {
                let changed = changed.concat();
                // Both compact journals record the same game, so a spliced line may change nothing.
                if changed == journal {
                    continue;
                }
                let (code, _) = replayed(changed.as_bytes());
                let cut = how == "deleted" && next == 0;
                let incomplete = matches!(code, Some(FaultCode::CutOff | FaultCode::NoEnd));
                let place = format!("line {} of {name} {how}: {code:?}", at + 1);
                assert!(code.is_some() && cut == incomplete, "{place}");
            }
        }
    }
}

#[test]
fn white_space_is_allowed_only_within_a_line() {
    for journal in short() {
        let wide = journal.replace("{\"", "{ \t\"").replace("}\n", "} \r\n");
        assert_eq!(replayed(wide.as_bytes()).0, None);
        let empty = journal.replacen('\n', "\n\n", 1);
        assert_eq!(replayed(empty.as_bytes()).0, Some(FaultCode::Field));
        for more in ["\n", " ", "x", "\0", "{}\n"] {
            let more = journal.clone() + more;
            assert_eq!(replayed(more.as_bytes()).0, Some(FaultCode::End));
        }
        // One record on two lines, and two records on one line.
        for (from, to) in [(",", ",\n"), ("}\n{", "}{"), ("}\n{", "} {")] {
            let lines = journal.replacen(from, to, 1);
            assert_eq!(
                replayed(lines.as_bytes()).0,
                Some(FaultCode::Field),
                "{to:?}"
            );
        }
        let (start, end) = journal.rsplit_once("\"events\"").expect("an end");
        let lines = format!("{start}\n\"events\"{end}");
        assert_eq!(replayed(lines.as_bytes()).0, Some(FaultCode::Field));
    }
}
