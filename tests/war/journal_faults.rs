//! Everything that can happen to a journal's file, and what the verdict is.

use super::support::{Place, files, project, replayed, reviewed};
use std::fs;
use std::io::{self, Read};
use war::journal::Code;

/// A short journal: 53 events of a dealt game.
fn golden() -> String {
    fs::read_to_string(project().join("journals/classic_dealt_won.json")).expect("a journal")
}

#[track_caller]
fn found(journal: impl AsRef<[u8]>, expected: Code) {
    let (code, text) = replayed(journal.as_ref());
    assert_eq!(code, Some(expected));
    let whole = replayed(golden().as_bytes()).1;
    assert!(whole.starts_with(&text), "the output is no prefix");
}

/// The journal with its chain made to fit, as the README says it is computed.
fn rechained(journal: &str) -> String {
    let mut last = String::new();
    let mut out = String::new();
    for line in journal.lines() {
        let (start, rest) = line.split_once('{').expect("a record");
        let chain = rest.rfind(",\"chain\":\"").expect("a link");
        let tail = &rest[chain + 43..];
        let (before, rest) = (start, &rest[..chain]);
        let canonical = format!("{{{rest}}}");
        let mut hasher = blake3::Hasher::new();
        hasher.update(last.as_bytes()).update(canonical.as_bytes());
        last.replace_range(.., &hasher.finalize().to_hex()[..32]);
        out.push_str(&format!("{before}{{{rest},\"chain\":\"{last}\"{tail}\n"));
    }
    out
}

/// The short journal with the first `from` on line `number` (from 1) edited, and rechained.
#[track_caller]
pub(crate) fn edited(number: usize, from: &str, to: &str) -> String {
    edit(&golden(), number, from, to)
}

/// A journal with the first `from` on line `number` (from 1) edited, and rechained.
#[track_caller]
pub(crate) fn edit(journal: &str, number: usize, from: &str, to: &str) -> String {
    let mut lines: Vec<_> = journal.lines().map(str::to_owned).collect();
    let line = &mut lines[number - 1];
    assert!(line.contains(from), "`{from}` is not in {line}");
    *line = line.replacen(from, to, 1);
    rechained(&(lines.join("\n") + "\n"))
}

fn last_line() -> usize {
    golden().lines().count()
}

#[test]
fn rechaining_what_was_not_edited_changes_nothing() {
    assert_eq!(rechained(&golden()), golden());
}

#[test]
fn a_file_cut_off_anywhere_is_incomplete() {
    let golden = golden();
    let events = golden.find("\"events\":[").expect("the events") + 10;
    let end = golden.find("\n],").expect("the end") + 1;
    let (_, whole) = replayed(golden.as_bytes());
    for length in 0..golden.len() {
        let (code, text) = replayed(&golden.as_bytes()[..length]);
        match length {
            0 => assert_eq!(code, Some(Code::NotJson)),
            _ if length < events => assert_eq!(code, Some(Code::CutOff), "{length} bytes"),
            _ if length < golden.len() - 1 => {
                let known = matches!(code, Some(Code::CutOff | Code::NoEnd));
                assert!(known, "{length} bytes: {code:?}");
                assert!(
                    length < end || code == Some(Code::NoEnd),
                    "{length} bytes: {code:?}"
                );
            }
            // Only the last line end is missing.
            _ => assert_eq!(code, None),
        }
        assert!(
            whole.starts_with(&text),
            "{length} bytes print something else"
        );
    }
}

#[test]
fn every_flipped_bit_is_found() {
    for name in ["classic_one_player.json", "classic_scenario_all_out.json"] {
        let golden = fs::read(project().join("journals").join(name)).expect("a journal");
        let (_, whole) = replayed(&golden[..]);
        for at in 0..golden.len() {
            for bit in 0..8 {
                let mut flipped = golden.clone();
                flipped[at] ^= 1 << bit;
                let (code, text) = replayed(&flipped[..]);
                let code =
                    code.unwrap_or_else(|| panic!("{name}: bit {bit} of byte {at} is missed"));
                let incomplete = matches!(code, Code::CutOff | Code::NoEnd);
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
                white || !matches!(code, None | Some(Code::CutOff | Code::NoEnd)),
                "{at} {bit}"
            );
        }
    }
}

#[test]
fn lines_deleted_doubled_swapped_or_spliced_are_found() {
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
            let incomplete = matches!(code, Some(Code::CutOff | Code::NoEnd));
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
    found(reordered(2, 3), Code::Sequence);
    found(reordered(9, 4), Code::Sequence);
    let mut spliced = lines.clone();
    spliced[5] = foreign[5];
    found(spliced.join("\n"), Code::Chain);
}

#[test]
fn each_edited_field_is_found_though_the_chain_fits() {
    let end = last_line();
    for (line, from, to, code) in [
        (
            1,
            "\"format\":\"war-journal\"",
            "\"format\":\"chess\"",
            Code::NoJournal,
        ),
        (1, "\"version\":1", "\"version\":2", Code::Version),
        (1, "\"version\":1", "\"version\":0", Code::Version),
        (1, "\"version\":1", "\"version\":\"1\"", Code::Field),
        (
            1,
            "\"id\":\"classic/1\"",
            "\"id\":\"classic/2\"",
            Code::Version,
        ),
        (1, "\"face_down\":1", "\"face_down\":2", Code::Version),
        (
            1,
            "\"collect\":\"seat\"",
            "\"collect\":\"pile\"",
            Code::Version,
        ),
        (
            1,
            "\"out_of_cards\":\"eoc\"",
            "\"out_of_cards\":\"loses\"",
            Code::Version,
        ),
        (1, "\"players\":4", "\"players\":3", Code::Deal),
        (1, "\"deck\":\"small\"", "\"deck\":\"large\"", Code::Deal),
        (1, "\"deck\":\"small\"", "\"deck\":\"tiny\"", Code::Field),
        (1, "chacha8-fisher-yates/1", "dice", Code::Version),
        (1, "\"seed\":\"1\"", "\"seed\":\"2\"", Code::Deal),
        (1, "\"seed\":\"1\"", "\"seed\":\"+1\"", Code::Field),
        (1, "\"renderer\":1", "\"renderer\":-1", Code::Field),
        (1, "\"lang\":\"en\"", "\"lang\":\"pl\"", Code::Console),
        (1, "\"lang\":\"en\"", "\"lang\":\"xx\"", Code::Field),
        (
            1,
            "\"corrections\":[]",
            "\"corrections\":[{\"players_out_of_range\":{\"provided\":\"9\"}}]",
            Code::Field,
        ),
        (3, "{\"player\":1,\"card\":11}", "[1,11]", Code::Field),
        (
            end,
            "\"console\":{\"bytes\":5391,",
            "\"console\":{\"bytes\":5391.0,",
            Code::Field,
        ),
        (
            1,
            "\"corrections\":[]",
            "\"corrections\":[{\"players_out_of_range\":{\"provided\":\"3\"}}]",
            Code::Field,
        ),
        (2, "[11,14,", "[14,11,", Code::Deal),
        (2, "\"dealt\"", "\"clash\"", Code::Field),
        (2, "\"turn\":0", "\"turn\":1", Code::Event),
        (2, "\"state\":\"b", "\"state\":\"a", Code::State),
        (3, "\"seq\":1", "\"seq\":2", Code::Sequence),
        (3, "\"turn\":1", "\"turn\":2", Code::Event),
        (3, "\"player\":1", "\"player\":2", Code::Event),
        (3, "\"player\":1", "\"player\":0", Code::Field),
        (3, "\"card\":11", "\"card\":12", Code::Event),
        (3, "\"card\":11", "\"card\":15", Code::Field),
        (3, "\"card\":11", "\"card\":11.0", Code::Field),
        (4, "\"player\":4", "\"player\":1", Code::Event),
        (4, "[11,10,12,13]", "[10,11,12,13]", Code::Event),
        (4, "[11,10,12,13]", "[11,10,12]", Code::Event),
        (7, "\"round\":2", "\"round\":3", Code::Event),
        (
            end - 1,
            "\"won\":{\"player\":2}",
            "\"won\":{\"player\":1}",
            Code::Event,
        ),
        (
            end - 1,
            "\"won\":{\"player\":2}",
            "\"endless\":{\"from\":1,\"to\":19}",
            Code::Event,
        ),
        (
            end,
            "\"reason\":\"won\"",
            "\"reason\":\"endless\"",
            Code::End,
        ),
        (end, "\"winner\":2", "\"winner\":1", Code::End),
        (end, "\"winner\":2", "\"winner\":null", Code::End),
        (end, "\"turns\":19", "\"turns\":20", Code::End),
        (end, "\"events\":53", "\"events\":54", Code::End),
        (end, "\"bytes\":5391", "\"bytes\":5390", Code::Console),
        (end, "\"blake3\":\"0", "\"blake3\":\"1", Code::Console),
    ] {
        let (found, text) = replayed(edited(line, from, to).as_bytes());
        assert_eq!(found, Some(code), "{from} -> {to} on line {line}");
        if code != Code::Console {
            assert!(
                replayed(golden().as_bytes()).1.starts_with(&text),
                "{from} -> {to}"
            );
        }
    }
}

#[test]
fn who_recorded_and_who_printed_may_differ() {
    for (from, to) in [
        ("war 0.1.0", "war 9.9.9"),
        ("\"renderer\":1", "\"renderer\":2"),
    ] {
        assert_eq!(
            replayed(edited(1, from, to).as_bytes()).0,
            None,
            "{from} -> {to}"
        );
    }
}

#[test]
fn unknown_missing_and_duplicate_fields_are_found() {
    let end = last_line();
    for (line, from, to) in [
        (1, "\"players\":4", "\"players\":4,\"players\":4"),
        (1, "\"players\":4", "\"players\":4,\"extra\":1"),
        (1, "\"players\":4,", ""),
        (1, "\"id\":\"classic/1\",", ""),
        (1, "\"renderer\":1,", "\"renderer\":1,\"renderer\":1,"),
        (3, "\"seq\":1,", ""),
        (3, "\"turn\":1,", "\"turn\":1,\"turn\":1,"),
        (3, "\"card\":11", "\"card\":11,\"suit\":1"),
        (3, "\"clash\"", "\"crash\""),
        (end, "\"winner\":2,", ""),
        (end, "\"turns\":19,", "\"turns\":19,\"time\":1,"),
    ] {
        found(edited(line, from, to), Code::Field);
    }
    let golden = golden();
    found(golden.replace("\"end\"", "\"fin\""), Code::Field);
    found(
        golden.replace("\"events\":[", "\"happenings\":["),
        Code::Field,
    );
    found(
        golden.replace("],\"end\"", "],\"x\":1,\"end\""),
        Code::Field,
    );
    let no_events = golden
        .lines()
        .next()
        .expect("a header")
        .replace(",\"events\":[", "}");
    found(no_events, Code::Field);
}

#[test]
fn lists_are_no_objects() {
    let golden = golden();
    for (from, to) in [
        ("{\"player\":1,\"card\":11}", "[1,11]"),
        ("\"won\":{\"player\":2}", "\"won\":[2]"),
        (
            "\"console\":{\"renderer\":1,\"lang\":\"en\",\"corrections\":[]}",
            "\"console\":[1,\"en\",[]]",
        ),
    ] {
        assert!(golden.contains(from), "{from}");
        found(golden.replacen(from, to, 1), Code::Field);
    }
}

#[test]
fn what_was_closed_was_not_cut_off() {
    let golden = golden();
    let (events, _) = golden.split_once(",\"end\":").expect("an end");
    found(format!("{events}}}"), Code::NoEnd);
    found(format!("{events}}} more"), Code::End);
    found(
        format!(
            "{},\"end\":1}}",
            golden.trim_end().strip_suffix('}').expect("an end")
        ),
        Code::Field,
    );
    for start in [
        "{",
        "{\"format\":\"war-jour",
        "{ \"format\" : \"war-journal\" , \"version\"",
    ] {
        found(start, Code::CutOff);
    }
    for start in [
        "{\"name\":\"package\",\"dep",
        "{\"format\":\"chess\",",
        "{\"x",
    ] {
        found(start, Code::NoJournal);
    }
    found(
        "{\"format\":\"war-journal\",\"version\":1,\"engine\":7,",
        Code::Field,
    );
}

#[test]
fn the_longest_arguments_make_a_readable_header() {
    let place = Place::new();
    let long = "\u{1}".repeat(120_000);
    place
        .war(&[&long, &long, "--seed", "1", "--journal", "game.json"])
        .ends_with(0);
    place
        .war(&["replay", "-q", "game.json"])
        .ends_with(0)
        .tells("VERIFIED");
}

/// A journal with each kind of fault.
fn faulty() -> Vec<String> {
    let golden = golden();
    let end = last_line();
    vec![
        String::new(),
        format!("\u{feff}{golden}"),
        "hello".to_owned(),
        "[[9,10],[11]]".to_owned(),
        edited(1, "\"version\":1", "\"version\":2"),
        edited(1, "classic/1", "chess/1"),
        edited(1, "chacha8-fisher-yates/1", "dice"),
        golden[..100].to_owned(),
        golden[..3000].to_owned(),
        golden[..golden.len() - 20].to_owned(),
        golden.replacen("\"turn\":1", "\"turn\":x", 1),
        edited(1, "\"players\":4,", ""),
        edited(1, "\"players\":4", "\"players\":4,\"extra\":1"),
        edited(3, "\"turn\":1,", "\"turn\":1,\"turn\":1,"),
        edited(3, "\"clash\"", "\"crash\""),
        edited(3, "\"card\":11", "\"card\":\"ace\""),
        edited(3, "\"card\":11", "\"card\":15"),
        edited(3, "{\"player\":1,\"card\":11}", "[1,11]"),
        edited(1, "\"seed\":\"1\"", "\"seed\":\"one\""),
        edited(1, "\"lang\":\"en\"", "\"lang\":\"xx\""),
        edited(
            1,
            "\"corrections\":[]",
            "\"corrections\":[{\"players_unparseable\":{\"provided\":\"x\"}}]",
        ),
        edited(3, "\"seq\":1", "\"seq\":2"),
        golden.replacen("war 0.1.0", "war 0.1.1", 1),
        golden.replacen("\"card\":11", "\"card\":12", 1),
        golden.replacen("\"turns\":19", "\"turns\":18", 1),
        edited(end, "\"turns\":19", "\"turns\":18"),
        edited(end, "\"winner\":2", "\"winner\":null"),
        format!("{golden}x"),
        edited(
            2,
            "\"dealt\":{\"hands\":[[11,14,14,13,12,9],",
            "\"dealt\":{\"hands\":[",
        ),
        edited(1, "\"seed\":\"1\"", "\"seed\":\"2\""),
        edited(
            1,
            "{\"shuffled\":{\"generator\":\"chacha8-fisher-yates/1\",\"seed\":\"1\"}},",
            "{\"scenario\":{\"name\":\"x\"}},",
        )
        .replace("\"deck\":\"small\"", "\"deck\":\"large\""),
        edited(3, "\"turn\":1", "\"turn\":2"),
        edited(3, "\"card\":11", "\"card\":12"),
        edited(
            end - 1,
            "\"won\":{\"player\":2}",
            "\"endless\":{\"from\":1,\"to\":19}",
        ),
        edited(2, "\"state\":\"b", "\"state\":\"a"),
        edited(end, "\"bytes\":5391", "\"bytes\":5390"),
    ]
}

#[test]
fn every_fault_is_told_in_both_languages() {
    let place = Place::new();
    let mut told = String::new();
    for journal in faulty() {
        place.write("game.json", journal);
        for lang in ["en", "pl"] {
            let mut command = place.command(&["replay", "--quiet", "game.json"]);
            let run = super::support::Run::of(command.env("WAR_LANG", lang));
            assert!([1, 3, 5].contains(&run.code), "{run:#?}");
            told.push_str(&run.stderr);
        }
        told.push('\n');
    }
    reviewed("journal_faults", &told);
}

#[test]
fn a_broken_link_is_found_at_its_record() {
    let golden = golden();
    let first = golden.find("\"chain\":\"").expect("a link") + 9;
    for at in [first, golden.rfind("\"chain\":\"").expect("a link") + 9] {
        let mut bytes = golden.clone().into_bytes();
        bytes[at] = if bytes[at] == b'0' { b'1' } else { b'0' };
        found(bytes, Code::Chain);
    }
    found(
        golden.replace("\"engine\":\"war", "\"engine\":\"raw"),
        Code::Chain,
    );
}

#[test]
fn what_is_no_journal_is_called_what_it_is() {
    let golden = golden();
    found("", Code::NotJson);
    found(" \n", Code::NotJson);
    found(format!("\u{feff}{golden}"), Code::NotJson);
    found("hello", Code::NotJson);
    found(b"\x7fELF\x02\x01\x01\0\0\0", Code::NotJson);
    let utf16: Vec<u8> = golden.encode_utf16().flat_map(u16::to_le_bytes).collect();
    found(&utf16, Code::NotJson);
    found([&[0xff, 0xfe], &utf16[..]].concat(), Code::NotJson);
    found("{}", Code::NoJournal);
    found("[[9,10],[11]]", Code::NoJournal);
    found("42", Code::NoJournal);
    found("{\"name\":\"war\",\"events\":[]}", Code::NoJournal);
    found(format!("{golden}{golden}"), Code::End);
    found(format!("{golden}x"), Code::End);
    found(
        golden.replacen("\"turn\":1", "\"turn\":\0", 1),
        Code::NotJson,
    );
    let mut bad_utf8 = golden.clone().into_bytes();
    bad_utf8[60] = 0xc3;
    found(bad_utf8, Code::NotJson);
    let deep = format!("{}{}", "[".repeat(200), "]".repeat(200));
    found(
        golden.replacen("{\"seq\":0", &format!("{deep}{{\"seq\":0"), 1),
        Code::Field,
    );
    found(
        golden.replacen("\"players\":4", &format!("\"players\":{deep}"), 1),
        Code::Field,
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

/// Bytes without end, of which few may be read.
struct Endless {
    start: &'static [u8],
    byte: u8,
    left: usize,
}

impl Read for Endless {
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
    let left = 4 << 20;
    for (start, byte) in [
        (&b"{\"format\":\""[..], b'a'),
        (b"{\"players\":", b'1'),
        (b"{\"players\":[", b' '),
        (b"", b' '),
        (b"[", b','),
    ] {
        let (code, _) = replayed(Endless { start, byte, left });
        assert_eq!(
            code,
            Some(Code::Field),
            "{}",
            String::from_utf8_lossy(start)
        );
    }
}

#[test]
fn golden_journals_of_every_version_verify() {
    for path in files("journals", ".json") {
        let path = path.to_str().expect("a name");
        let run = Place::new().war(&["replay", path, "--quiet"]);
        let (code, verdict) = if path.ends_with("cut_off.json") {
            (3, "INCOMPLETE")
        } else {
            (0, "VERIFIED")
        };
        let run = run.ends_with(code).tells(verdict);
        assert_eq!(run.stdout, "", "{path} prints though quiet");
    }
}
