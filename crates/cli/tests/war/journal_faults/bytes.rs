//! Faults of the bytes: cuts, flipped bits, lines in wrong places, files that are not journals.

use super::{assert_fault, golden};
use crate::support::{Sandbox, files, project, replayed};
use std::fs;
use std::io::{self, Read};
use war::journal::FaultCode;

#[test]
fn a_file_cut_off_anywhere_is_incomplete() {
    let golden = golden();
    let events = golden.find("\"events\":[").expect("the events") + 10;
    let end = golden.find("\n],").expect("the end") + 1;
    let (_, whole) = replayed(golden.as_bytes());
    for length in 0..golden.len() {
        let (code, text) = replayed(&golden.as_bytes()[..length]);
        match length {
            0 => assert_eq!(code, Some(FaultCode::NotJson)),
            _ if length < events => assert_eq!(code, Some(FaultCode::CutOff), "{length} bytes"),
            _ if length < golden.len() - 1 => {
                let known = matches!(code, Some(FaultCode::CutOff | FaultCode::NoEnd));
                assert!(known, "{length} bytes: {code:?}");
                assert!(
                    length < end || code == Some(FaultCode::NoEnd),
                    "{length} bytes: {code:?}"
                );
            }
            // Only the last line feed is missing.
            _ => assert_eq!(code, None),
        }
        assert!(
            whole.starts_with(&text),
            "{length} bytes print something else"
        );
    }
}

#[test]
fn a_token_journal_cut_off_anywhere_is_incomplete() {
    for name in [
        "single_card_tied.json",
        "double_card_folded.json",
        "single_card_2_showdown.json",
        "double_card_2_both_forfeited.json",
    ] {
        let golden = fs::read(project().join("journals").join(name)).expect("a journal");
        for length in 1..golden.len() - 1 {
            let (code, _) = replayed(&golden[..length]);
            let cut = matches!(code, Some(FaultCode::CutOff | FaultCode::NoEnd));
            assert!(cut, "{length} bytes of {name}: {code:?}");
        }
    }
}

#[test]
fn every_flipped_bit_is_found() {
    for name in [
        "classic_one_player.json",
        "classic_scenario_all_out.json",
        "single_card_tied.json",
        "single_card_2_forfeited.json",
    ] {
        let golden = fs::read(project().join("journals").join(name)).expect("a journal");
        let (_, whole) = replayed(&golden[..]);
        for at in 0..golden.len() {
            for bit in 0..8 {
                let mut flipped = golden.clone();
                flipped[at] ^= 1 << bit;
                let (code, text) = replayed(&flipped[..]);
                let code =
                    code.unwrap_or_else(|| panic!("{name}: bit {bit} of byte {at} is missed"));
                let incomplete = matches!(code, FaultCode::CutOff | FaultCode::NoEnd);
                assert!(
                    !incomplete,
                    "{name}: bit {bit} of byte {at} looks like a cut"
                );
                assert!(
                    whole.starts_with(&text),
                    "{name}: bit {bit} of byte {at} prints more"
                );
            }
        }
    }
}

#[test]
fn a_flipped_bit_does_not_look_like_a_cut_without_the_last_line_end() {
    let golden = golden();
    let golden = golden.trim_end();
    for at in golden.len() - 40..golden.len() {
        for bit in 0..8 {
            let mut flipped = golden.to_owned().into_bytes();
            flipped[at] ^= 1 << bit;
            let (code, _) = replayed(&flipped[..]);
            let white = at == golden.len() - 1 && flipped[at].is_ascii_whitespace();
            assert!(
                white || !matches!(code, None | Some(FaultCode::CutOff | FaultCode::NoEnd)),
                "{at} {bit}"
            );
        }
    }
}

#[test]
fn deleted_doubled_swapped_or_spliced_lines_are_found() {
    let golden = golden();
    let other = fs::read_to_string(project().join("journals/classic_scenario_endless.json"));
    let other = other.expect("another journal");
    let lines: Vec<_> = golden.lines().collect();
    let foreign: Vec<_> = other.lines().collect();
    for at in 0..lines.len() {
        let mut deleted = lines.clone();
        deleted.remove(at);
        let mut doubled = lines.clone();
        doubled.insert(at, lines[at]);
        let mut swapped = lines.clone();
        swapped.swap(at, (at + 1) % lines.len());
        let mut spliced = lines.clone();
        spliced[at] = foreign[at];
        for (changed, how) in [
            (deleted, "deleted"),
            (doubled, "doubled"),
            (swapped, "swapped"),
            (spliced, "spliced"),
        ] {
            let (code, _) = replayed(changed.join("\n").as_bytes());
            let cut = how == "deleted" && at == lines.len() - 1;
            let incomplete = matches!(code, Some(FaultCode::CutOff | FaultCode::NoEnd));
            assert!(
                code.is_some() && cut == incomplete,
                "line {} {how}: {code:?}",
                at + 1
            );
        }
    }
    let reordered = |first: usize, second: usize| {
        let mut lines = lines.clone();
        lines.swap(first, second);
        lines.join("\n")
    };
    assert_fault(reordered(2, 3), FaultCode::Sequence);
    assert_fault(reordered(9, 4), FaultCode::Sequence);
    let mut spliced = lines.clone();
    spliced[5] = foreign[5];
    assert_fault(spliced.join("\n"), FaultCode::Chain);
}

#[test]
fn a_closed_journal_is_not_called_cut_off() {
    let golden = golden();
    let (events, _) = golden.split_once(",\"end\":").expect("an end");
    assert_fault(format!("{events}}}"), FaultCode::NoEnd);
    assert_fault(format!("{events}}} more"), FaultCode::End);
    assert_fault(
        format!(
            "{},\"end\":1}}",
            golden.trim_end().strip_suffix('}').expect("an end")
        ),
        FaultCode::Field,
    );
    for start in [
        "{",
        "{\"format\":\"war-jour",
        "{ \"format\" : \"war-journal\" , \"version\"",
    ] {
        assert_fault(start, FaultCode::CutOff);
    }
    for start in [
        "{\"name\":\"package\",\"dep",
        "{\"format\":\"chess\",",
        "{\"x",
    ] {
        assert_fault(start, FaultCode::NotJournal);
    }
    assert_fault(
        "{\"format\":\"war-journal\",\"version\":1,\"engine\":7,",
        FaultCode::Field,
    );
}

#[test]
fn a_cut_header_of_another_program_is_unsupported() {
    for fields in [
        "\"version\":3,\"new\":",
        "\"version\":3,\"rules\":[",
        "\"version\":1,\"rules\":{\"id\":\"poker/1\"},\"eng",
    ] {
        assert_fault(
            format!("{{\"format\":\"war-journal\",{fields}"),
            FaultCode::Unsupported,
        );
    }
    for fields in ["\"version\":1", "\"version\":3"] {
        // The cut may have removed digits of the version.
        assert_fault(
            format!("{{\"format\":\"war-journal\",{fields}"),
            FaultCode::CutOff,
        );
    }
}

#[test]
fn a_broken_link_is_found_at_its_record() {
    let golden = golden();
    let first = golden.find("\"chain\":\"").expect("a link") + 9;
    for at in [first, golden.rfind("\"chain\":\"").expect("a link") + 9] {
        let mut bytes = golden.clone().into_bytes();
        bytes[at] = if bytes[at] == b'0' { b'1' } else { b'0' };
        assert_fault(bytes, FaultCode::Chain);
    }
    assert_fault(
        golden.replace("\"engine\":\"war", "\"engine\":\"raw"),
        FaultCode::Chain,
    );
}

#[test]
fn a_file_that_is_not_a_journal_is_named_for_what_it_is() {
    let golden = golden();
    assert_fault("", FaultCode::NotJson);
    assert_fault(" \n", FaultCode::NotJson);
    assert_fault(format!("\u{feff}{golden}"), FaultCode::NotJson);
    assert_fault("hello", FaultCode::NotJson);
    assert_fault(b"\x7fELF\x02\x01\x01\0\0\0", FaultCode::NotJson);
    let utf16: Vec<u8> = golden.encode_utf16().flat_map(u16::to_le_bytes).collect();
    assert_fault(&utf16, FaultCode::NotJson);
    assert_fault([&[0xff, 0xfe], &utf16[..]].concat(), FaultCode::NotJson);
    assert_fault("{}", FaultCode::NotJournal);
    assert_fault("[[9,10],[11]]", FaultCode::NotJournal);
    assert_fault("42", FaultCode::NotJournal);
    assert_fault("{\"name\":\"war\",\"events\":[]}", FaultCode::NotJournal);
    assert_fault(format!("{golden}{golden}"), FaultCode::End);
    assert_fault(format!("{golden}x"), FaultCode::End);
    assert_fault(
        golden.replacen("\"turn\":1", "\"turn\":\0", 1),
        FaultCode::NotJson,
    );
    let mut bad_utf8 = golden.clone().into_bytes();
    bad_utf8[60] = 0xc3;
    assert_fault(bad_utf8, FaultCode::NotJson);
    let deep = format!("{}{}", "[".repeat(200), "]".repeat(200));
    assert_fault(
        golden.replacen("{\"seq\":0", &format!("{deep}{{\"seq\":0"), 1),
        FaultCode::Field,
    );
    assert_fault(
        golden.replacen("\"players\":4", &format!("\"players\":{deep}"), 1),
        FaultCode::Field,
    );
}

#[test]
fn copies_with_other_white_space_verify() {
    let golden = golden();
    let pretty = golden
        .replace('{', "{\n  ")
        .replace(',', " ,\r\n\t")
        .replace("\":", "\" : ");
    assert_eq!(replayed(pretty.as_bytes()).0, None);
    assert_eq!(replayed(golden.replace('\n', "\r\n").as_bytes()).0, None);
    assert_eq!(replayed(golden.replace('\n', "").as_bytes()).0, None);
    assert_eq!(replayed(golden.trim_end().as_bytes()).0, None);
}

#[test]
fn copies_with_much_white_space_verify() {
    let golden = golden();
    for place in [
        "{\"format\"",
        "\"players\":4",
        "4,\"deck\"",
        "{\"seq\":0",
        ",{\"seq\":1",
        "\"end\"",
    ] {
        let at = golden.find(place).expect("a place");
        let (before, after) = golden.as_bytes().split_at(at);
        let white = io::repeat(b' ').take(8 << 20);
        assert_eq!(
            replayed(before.chain(white).chain(after)).0,
            None,
            "{place}"
        );
    }
}

#[test]
fn copies_with_escapes_verify() {
    let name = |name: &str| {
        let tokens = fs::read_to_string(project().join("journals/single_card_tied.json"));
        let tokens = tokens.expect("a journal");
        assert!(tokens.contains("[\"Ann\""), "the first player");
        let tokens = super::edit(&tokens, 2, "[\"Ann\"", &format!("[\"{name}\""));
        let (code, _) = replayed(tokens.as_bytes());
        assert_eq!(
            code,
            Some(FaultCode::Console),
            "another name prints another game"
        );
        tokens
    };
    let brackets = name("A{[");
    for (golden, from, to) in [
        (golden(), "\"events\"", "\"\\u0065vents\""),
        (golden(), "\"clash\"", "\"cl\\u0061sh\""),
        (brackets.clone(), "A{[", "A\\u007b\\u005B"),
        (brackets, "A{[", "A\\u007B["),
    ] {
        let expected = replayed(golden.as_bytes());
        let escaped = golden.replacen(from, to, 1);
        assert_ne!(escaped, golden);
        assert_eq!(replayed(escaped.as_bytes()), expected, "{to}");
    }
}

/// Endless input, of which only a little may be read.
struct EndlessInput {
    start: &'static [u8],
    byte: u8,
    left: usize,
}

impl Read for EndlessInput {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if !self.start.is_empty() {
            return self.start.read(buffer);
        }
        self.left = self
            .left
            .checked_sub(buffer.len())
            .expect("no reading without end");
        buffer.fill(self.byte);
        Ok(buffer.len())
    }
}

#[test]
fn a_line_of_100_mb_is_refused_early() {
    let (few, zeros) = (4 << 20, 20 << 20);
    for (start, byte, left, expected) in [
        (&b"{\"format\":\""[..], b'a', few, FaultCode::Field),
        (b"{\"players\":", b'1', few, FaultCode::Field),
        (b"{\"players\":[", b' ', few, FaultCode::Field),
        (b"[", b',', few, FaultCode::NotJson),
        // A cut followed by zeros is noticed where the zeros end.
        (b"", 0, zeros, FaultCode::NotJson),
        (b"{\"players\":", 0, zeros, FaultCode::NotJson),
    ] {
        let (code, _) = replayed(EndlessInput { start, byte, left });
        assert_eq!(code, Some(expected), "{}", String::from_utf8_lossy(start));
    }
}

#[test]
fn golden_journals_of_every_version_verify() {
    for path in files("journals", ".json") {
        let path = path.to_str().expect("a name");
        let run = Sandbox::new().war(&["replay", path, "--quiet"]);
        let (code, verdict) = if path.ends_with("cut_off.json") {
            (3, "INCOMPLETE")
        } else {
            (0, "VERIFIED")
        };
        let run = run.exits_with(code).reports(verdict);
        assert_eq!(run.stdout, "", "{path} prints though quiet");
    }
}
