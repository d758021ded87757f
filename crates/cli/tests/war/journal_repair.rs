//! `war journal repair`: records that it restores, and parts that it keeps of a damaged file.

use super::journal_faults::{edit, edited};
use super::support::{Sandbox, files, project};
use std::fs;
use std::io::{self, Read};
use war::journal::ReadError;
use war::repair::{CopyError, Repair};
use war::replay::Replay;

fn golden(name: &str) -> String {
    let path = project().join("journals").join(name);
    fs::read_to_string(path).expect("a journal")
}

/// Golden journals of complete games.
fn whole_games() -> Vec<String> {
    let journals = files("journals", ".json").into_iter();
    let journals = journals.map(|path| fs::read_to_string(path).expect("a journal"));
    let whole: Vec<_> = journals
        .filter(|journal| !journal.contains("\"cut_off\""))
        .collect();
    assert!(whole.len() > 20, "{} journals", whole.len());
    whole
}

#[test]
fn a_finished_game_gets_its_end_record_back() {
    let sandbox = Sandbox::new();
    for (number, golden) in whole_games().into_iter().enumerate() {
        let events = golden.rfind("\n],\"end\"").expect("an end");
        let garbled = format!("{}],\"end\":{{\"reas", &golden[..events]);
        let zeros = format!("{}\0\0\0", &golden[..golden.len() - 40]);
        for (kind, cut) in [&golden[..events], &garbled, &zeros]
            .into_iter()
            .enumerate()
        {
            let new = format!("{number}-{kind}.json");
            sandbox.write("cut.json", cut);
            let run = sandbox.war(&["journal", "repair", "cut.json", &new]);
            run.exits_with(0).reports("end record of the whole game");
            assert!(
                sandbox.read(&new) == golden,
                "another journal than\n{golden}"
            );
        }
    }
}

#[test]
fn a_game_repaired_without_its_end_gets_it_back() {
    let sandbox = Sandbox::new();
    let (won, cut) = (
        "\"reason\":\"won\",\"winner\":2",
        "\"reason\":\"cut_off\",\"winner\":null",
    );
    sandbox.write("cut.json", edited(55, won, cut));
    sandbox.war(&["replay", "-q", "cut.json"]).exits_with(3);
    let run = sandbox.war(&["journal", "repair", "cut.json", "new.json"]);
    run.exits_with(0).reports("end record of the whole game");
    assert_eq!(sandbox.read("new.json"), golden("classic_dealt_won.json"));
    // The events of this journal end before the game does.
    sandbox.write("open.json", golden("classic_cut_off.json"));
    let run = sandbox.war(&["journal", "repair", "open.json", "other.json"]);
    run.exits_with(1).reports("was not repaired");
}

#[test]
fn repairing_a_game_that_printed_nothing_prints_nothing() {
    let sandbox = Sandbox::new();
    let silent = edited(1, "\"renderer\":1", "\"renderer\":0");
    let events = silent.rfind("\n],\"end\"").expect("an end");
    for (length, code) in [(events, 0), (events / 2, 3)] {
        sandbox.write("cut.json", &silent[..length]);
        let new = format!("{length}.json");
        let repair = ["journal", "repair", "cut.json", &new];
        sandbox.war(&repair).exits_with(0);
        sandbox.war(&["replay", "-q", &new]).exits_with(code);
        assert!(sandbox.read(&new).contains("\"console\":{\"bytes\":0,"));
    }
}

#[test]
fn zeros_at_the_end_are_repaired_like_a_cut() {
    let sandbox = Sandbox::new();
    let golden = golden("classic_dealt_won.json");
    let (cut, zeros) = (
        &golden[..3000],
        format!("{}{}", &golden[..3000], "\0".repeat(5000)),
    );
    for (name, content) in [("cut", cut), ("zeros", &zeros)] {
        sandbox.write("torn.json", content);
        let repair = ["journal", "repair", "torn.json", name];
        sandbox.war(&repair).exits_with(0).reports("`cut_off`");
    }
    assert_eq!(sandbox.read("cut"), sandbox.read("zeros"));
}

/// Output of `--salvage` for this file, and the new journal.
fn salvaged(sandbox: &Sandbox, damaged: impl AsRef<[u8]>, new: &str) -> (String, String) {
    sandbox.write("torn.json", damaged);
    sandbox.war(&["journal", "repair", "torn.json", "none.json"]);
    let run = sandbox.war(&["journal", "repair", "--salvage", "torn.json", new]);
    (run.exits_with(0).stderr, sandbox.read(new))
}

#[test]
fn proven_events_are_kept_and_the_rest_is_reported() {
    let sandbox = Sandbox::new();
    let golden = golden("classic_dealt_won.json");
    let lines: Vec<_> = golden.split_inclusive('\n').collect();
    let start = lines[..9].concat();
    sandbox.write("cut.json", &start);
    sandbox
        .war(&["journal", "repair", "cut.json", "cut_off.json"])
        .exits_with(0);
    let kept = sandbox.read("cut_off.json");
    let garbage = [0xff, 0, 7, b'{', b'"', 0];
    let other_turn = lines[9].replacen("\"turn\":", "\"turn\":1", 1);
    let forged = edit(&golden, 10, "\"turn\":", "\"turn\":1");
    for (number, rest) in [
        garbage.to_vec(),
        [&lines[9].as_bytes()[..20], &garbage, lines[10].as_bytes()].concat(),
        lines[10..].concat().into_bytes(),
        [other_turn.as_bytes(), lines[10..].concat().as_bytes()].concat(),
        // The rest fits the chain, but not the rules.
        forged.as_bytes()[start.len()..].to_vec(),
    ]
    .into_iter()
    .enumerate()
    {
        let torn = [start.as_bytes(), &rest].concat();
        let (told, new) = salvaged(&sandbox, &torn, &format!("{number}.json"));
        assert_eq!(new, kept, "{number}: {told}");
        let dropped = format!(
            "dropped: {} bytes from line 10, column 1\n",
            count(rest.len())
        );
        assert!(told.ends_with(&dropped), "{dropped}: {told}");
        assert!(told.contains(": 8 events up to turn "), "{told}");
    }
    assert!(!sandbox.path("none.json").exists());
    sandbox.war(&["replay", "-q", "0.json"]).exits_with(3);
}

/// Number as the program prints it for people.
fn count(number: usize) -> String {
    match number {
        0..1000 => number.to_string(),
        _ => format!("{},{:03}", number / 1000, number % 1000),
    }
}

#[test]
fn a_damaged_end_record_is_recomputed_from_the_events() {
    let sandbox = Sandbox::new();
    let golden = golden("classic_dealt_won.json");
    let (events, end) = golden.split_at(golden.rfind("\n],\"end\"").expect("an end") + 1);
    for (number, other) in [
        end.replace("\"turns\":19", "\"turns\":20"),
        format!("{end}more"),
        format!("{}\u{7}", &end[..30]),
    ]
    .into_iter()
    .enumerate()
    {
        let new = format!("{number}.json");
        let (told, whole) = salvaged(&sandbox, format!("{events}{other}"), &new);
        assert_eq!(whole, golden);
        let dropped = format!("dropped: {} bytes from line 55, column 1\n", other.len());
        assert!(told.ends_with(&dropped), "{told}");
    }
}

#[test]
fn nothing_is_salvaged_if_nothing_or_everything_is_proven() {
    let sandbox = Sandbox::new();
    let golden = golden("classic_dealt_won.json");
    let newer = edited(9, "\"seq\":7", "\"seq\":7,\"time\":1");
    let header = golden.replace("\"players\":4", "\"players\":5");
    for (content, code, told) in [
        (golden.as_str(), 1, "was not repaired"),
        (&newer, 5, "WJ003"),
        (&header, 1, "WJ202"),
        ("", 1, "WJ001"),
        ("\0\0", 1, "before the first event"),
    ] {
        sandbox.write("torn.json", content);
        let run = sandbox.war(&["journal", "repair", "--salvage", "torn.json", "new.json"]);
        run.exits_with(code).reports(told);
        assert!(!sandbox.path("new.json").exists(), "{told}");
    }
}

/// Input that fails after its bytes, as a disk does.
struct FailingInput<'a>(&'a [u8]);

impl Read for FailingInput<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self.0.read(buffer)? {
            0 => Err(io::Error::other("the disk is broken")),
            bytes => Ok(bytes),
        }
    }
}

#[test]
fn a_copy_that_cannot_read_all_events_again_is_an_error() {
    let golden = golden("classic_dealt_won.json");
    let cut = &golden[..golden.rfind("\n],\"end\"").expect("an end")];
    let prepare = || {
        let mut replay = Replay::open(cut.as_bytes(), None).expect("a journal");
        Repair::prepare(&mut replay).expect("a journal that was cut off")
    };
    let half = &cut.as_bytes()[..cut.len() / 2];
    let broken = Replay::open(FailingInput(half), None).expect("a header");
    let failed = prepare().copy(broken, io::sink());
    assert!(
        matches!(&failed, Err(CopyError::Unreadable(ReadError::Io(_)))),
        "{failed:?}"
    );
    let shorter = Replay::open(half, None).expect("a header");
    let failed = prepare().copy(shorter, io::sink());
    assert!(
        matches!(&failed, Err(CopyError::Unreadable(ReadError::Fault(_)))),
        "{failed:?}"
    );
}
