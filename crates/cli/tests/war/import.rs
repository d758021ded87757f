//! Imported tables of the X/Y edition, printed by other programs: valid if they are playable.

use super::support::{Sandbox, project, record_by, replayed, reviewed};
use std::fs;
use war::cards::{Chance, Deck, JavaRandom, deal};
use war::import::{ImportedGame, import_xy};
use war::journal::Deal;
use war::rules::XY;

fn sample() -> String {
    fs::read_to_string(project().join("tests/goldens/import/xy_sample.txt")).expect("a table")
}

/// Table of a seed.
fn table(seed: i64) -> String {
    let (mut cards, mut java) = (Deck::Thirteen.cards(), JavaRandom::new(seed));
    java.shuffle(&mut cards);
    let game = (Deck::Thirteen, deal(&cards, 2), Deal::Imported);
    let mut printed = String::new();
    let recorded = record_by(XY, Vec::new(), game, Box::new(java), &mut printed);
    recorded.expect("memory takes all");
    printed
}

/// Journal of an imported game, and its printed output.
fn recorded(game: ImportedGame) -> (Vec<u8>, String) {
    let (mut journal, mut printed) = (Vec::new(), String::new());
    let setup = (Deck::Thirteen, game.hands.clone(), Deal::Imported);
    let result = record_by(XY, &mut journal, setup, Box::new(game), &mut printed);
    result.expect("memory takes all");
    (journal, printed)
}

#[test]
fn the_sample_game_replays_byte_for_byte() {
    let sandbox = Sandbox::new();
    sandbox.write("sample.txt", sample());
    sandbox
        .war(&["import", "xy", "sample.txt"])
        .exits_with(0)
        .reports("128 events recorded");
    let golden = fs::read_to_string(project().join("journals/xy_sample.json"));
    assert_eq!(sandbox.read("sample.json"), golden.expect("the journal"));
    assert_eq!(
        sandbox.war(&["replay", "sample.json"]).exits_with(0).stdout,
        sample()
    );
    let again = sandbox.war(&["import", "xy", "sample.txt"]).exits_with(4);
    assert!(
        again.stderr.contains("WJ401"),
        "a journal is never overwritten"
    );
}

#[test]
fn a_thousand_tables_import_and_replay_byte_for_byte() {
    for seed in 0..1000 {
        let text = table(seed);
        let game = import_xy(&text).unwrap_or_else(|refused| panic!("{seed}: {refused:?}"));
        let (journal, printed) = recorded(game);
        assert!(printed == text, "seed {seed} prints something else");
        let (fault, replay) = replayed(&journal[..]);
        assert!(
            fault.is_none() && replay == text,
            "seed {seed} replays to something else"
        );
    }
}

#[test]
fn a_thousand_tables_with_a_changed_digit_are_refused_or_playable() {
    let mut refused = 0;
    let mut chance = JavaRandom::new(1);
    for seed in 0..1000 {
        let mut text = table(seed).into_bytes();
        let header = text
            .iter()
            .enumerate()
            .filter(|(_, byte)| **byte == b'\n')
            .nth(1);
        let start = header.expect("two header lines").0;
        let digits: Vec<_> = (start..text.len())
            .filter(|&at| text[at].is_ascii_digit())
            .collect();
        let at = digits[chance.draw_below(u32::try_from(digits.len()).expect("few")) as usize];
        text[at] =
            b'0' + (text[at] - b'0' + 1 + u8::try_from(chance.draw_below(9)).expect("small")) % 10;
        let line = text[..at].split(|&byte| byte == b'\n').count();
        let text = String::from_utf8(text).expect("ASCII");
        match import_xy(&text) {
            Ok(game) => {
                assert!(
                    recorded(game).1 == text,
                    "seed {seed} prints something else"
                );
            }
            // The lines before the change are valid, so the fault is on the changed line or later.
            Err(error) => {
                assert!(
                    error.line >= line,
                    "seed {seed}: line {} of {line}",
                    error.line
                );
                refused += 1;
            }
        }
    }
    // Most changes are noticed: a changed card uses up one of its new rank, which a later row then
    // lacks unless that card was never played.
    assert!(refused > 900, "{refused} refused");
}

#[test]
fn wrong_sizes_bars_numbers_and_winners_are_refused_at_their_line() {
    let sample = sample();
    let lines: Vec<_> = sample.lines().collect();
    for (number, from, to) in [
        (3, "     1 :", "     2 :"),
        (4, "[25]", "[24]"),
        (5, "| *", "|* "),
        (4, "--> Y", "--> X"),
        (8, "W[3]", "W[2]"),
        (8, "X>04|09<Y --> Y", "X>04|09<Y --> X"),
        (8, " X>04|09<Y", ""),
        (9, "X>05|04<Y", "X>05|04<Y X>05|04<Y"),
        (10, "X>07", "X>14"),
        (10, "X>07|02", "X>07"),
        (53, "W[2]", "W[3]"),
        (54, "WINNER", "LOSER"),
        (54, "X!        --> X", "       !Y --> Y"),
    ] {
        let changed = lines[number - 1].replacen(from, to, 1);
        assert_ne!(changed, lines[number - 1], "{from} on line {number}");
        let mut table = lines.clone();
        table[number - 1] = &changed;
        let refused = import_xy(&table.join("\n")).expect_err(from);
        assert_eq!(refused.line, number, "{from} -> {to}");
    }
}

#[test]
fn other_forms_of_the_table_are_accepted() {
    let sample = sample();
    let game = import_xy(&sample).expect("a table");
    let header = sample.replacen(
        "winner, or War[size]  cards",
        "winner,  or  War[size] cards",
        1,
    );
    assert_ne!(header, sample);
    let newer = header
        .replacen("ROUND#", "ROUND", 1)
        .replacen("------", "-----", 1)
        .replacen("WINNER", "FINAL", 1)
        .replace("\n ", "\n");
    let mixed = sample
        .replacen("WINNER :", "FINAL :", 1)
        .replace("\n ", "\n");
    let indented = sample.lines().map(|line| format!("    {line}\n"));
    let colours = sample
        .replace("X=", "\u{1b}[34mX=")
        .replace("=Y", "\u{1b}[0m=Y");
    for text in [
        format!("random seed: 5\n{header}"),
        format!("seed: 5\ndeck: 01 02 03\n{newer}"),
        header,
        newer,
        mixed,
        colours,
        format!("\u{feff}{sample}"),
        indented.collect(),
        sample.replace('\n', "\r\n"),
        format!("\n{sample}\n\n"),
    ] {
        assert_eq!(import_xy(&text), Ok(game.clone()), "{text}");
    }
}

#[test]
fn the_header_is_checked_like_every_other_line() {
    let sample = sample();
    let lines: Vec<_> = sample.lines().collect();
    let refused = |lines: &[&str]| import_xy(&lines.join("\n")).expect_err("refused").line;
    assert_eq!(refused(&lines[1..]), 1, "no header");
    assert_eq!(refused(&lines[2..]), 1, "only rows");
    assert_eq!(refused(&[&lines[..1], &lines[2..]].concat()), 2, "no rule");
    assert_eq!(
        refused(&[&lines[..2], &lines[..]].concat()),
        3,
        "two headers"
    );
    assert_eq!(
        refused(&[&lines[..1], &lines[..]].concat()),
        2,
        "two headers"
    );
    assert_eq!(
        refused(&[&lines[..], &lines[..]].concat()),
        55,
        "two tables"
    );
    for (number, from, to) in [(1, "ROUND#", "ROUND# "), (1, "...", ""), (2, "->", ">")] {
        let changed = lines[number - 1].replacen(from, to, 1);
        let mut table = lines.clone();
        table[number - 1] = &changed;
        assert_eq!(refused(&table), number, "{from} -> {to}");
    }
}

#[test]
fn the_header_sets_the_language_and_the_flag_that_of_messages() {
    let sandbox = Sandbox::new();
    for (lang, other, seed) in [("pl", "en", "14"), ("en", "pl", "15")] {
        let run = sandbox.war(&["--lang", lang, "xy", seed]).exits_with(0);
        for flag in [lang, other] {
            let table = format!("{lang}.{flag}.txt");
            sandbox.write(&table, &run.stdout);
            sandbox
                .war(&["--lang", flag, "import", "xy", &table])
                .exits_with(0);
            let journal = format!("{lang}.{flag}.json");
            let replay = sandbox.war(&["replay", &journal]).exits_with(0);
            assert_eq!(replay.stdout, run.stdout);
        }
    }
}

#[test]
fn long_findings_are_shortened_and_an_overlong_file_is_refused() {
    let sandbox = Sandbox::new();
    let row = "x".repeat(20_000_000);
    sandbox.write("row.txt", format!("{}{row}\n", sample()));
    sandbox.write("header.txt", &row);
    sandbox.write("long.txt", "\n".repeat((64 << 20) + 1));
    let files = ["row.txt", "header.txt", "long.txt"];
    for file in files {
        let run = sandbox.war(&["import", "xy", file]).exits_with(1);
        assert!(run.stderr.len() < 2000, "{file}: {}", run.stderr.len());
    }
    sandbox.war(&["import", "xy", "long.txt"]).reports("64 MiB");
}

#[cfg(target_os = "linux")]
#[test]
fn a_journal_that_cannot_be_written_is_removed() {
    use super::support::Run;
    let sandbox = Sandbox::new();
    sandbox.write("sample.txt", sample());
    let mut command = sandbox.limited(3000, &["import", "xy", "sample.txt"]);
    Run::of(&mut command).exits_with(4).reports("WJ402");
    assert!(!sandbox.path("sample.json").exists());
    sandbox.war(&["import", "xy", "sample.txt"]).exits_with(0);
}

#[test]
fn a_file_that_is_not_a_table_is_refused_and_the_next_one_imported() {
    let sandbox = Sandbox::new();
    let sample = sample();
    let line = |number: usize| sample.lines().nth(number - 1).expect("a line");
    sandbox.write("prose.txt", "Once upon a time\n");
    sandbox.write("early.txt", sample.replacen(line(20), line(54), 1));
    sandbox.write("empty.txt", "");
    sandbox.write("cut.txt", &sample[..2000]);
    sandbox.write(
        "short.txt",
        sample.lines().take(10).collect::<Vec<_>>().join("\n"),
    );
    sandbox.write("after.txt", format!("{sample}{}\n", line(54)));
    sandbox.write("pair.txt", sample.replacen("X>01|02<Y", "X>01<Y", 1));
    sandbox.write("rank.txt", sample.replacen("X>01|02<Y", "X>14|02<Y", 1));
    sandbox.write("war.txt", sample.replacen(" X>04|09<Y --> Y", "", 1));
    sandbox.write("card.txt", sample.replacen("X>03|09<Y", "X>03|08<Y", 1));
    sandbox.write("size.txt", sample.replacen("[24]", "[23]", 1));
    sandbox.write("binary.txt", b"\xff\xfe\0\x01");
    sandbox.write("good.txt", &sample);
    let mut told = String::new();
    for lang in ["en", "pl"] {
        let mut command = sandbox.command(&[
            "import",
            "xy",
            "prose.txt",
            "early.txt",
            "empty.txt",
            "cut.txt",
            "short.txt",
            "after.txt",
            "pair.txt",
            "rank.txt",
            "war.txt",
            "card.txt",
            "size.txt",
            "binary.txt",
            "missing.txt",
            ".",
            "good.txt",
            "--journal-dir",
            lang,
        ]);
        fs::create_dir(sandbox.path(lang)).expect("a directory");
        let run = super::support::Run::of(command.env("WAR_LANG", lang)).exits_with(1);
        told.push_str(&run.stderr);
        assert!(sandbox.path(&format!("{lang}/good.json")).exists());
        assert_eq!(
            fs::read_dir(sandbox.path(lang)).expect("journals").count(),
            1
        );
    }
    reviewed("import_errors", &told);
}
