//! Tables of the X/Y edition printed elsewhere: imported if they can have been played.

use super::support::{Place, project, record_by, replayed, reviewed};
use std::fs;
use war::cards::{Chance, Deck, Java, deal};
use war::i18n::{Catalogue, Lang};
use war::import::{Imported, import_xy};
use war::journal::Deal;
use war::projections::screens::Edition;
use war::rules::XY;

fn sample() -> String {
    fs::read_to_string(project().join("tests/goldens/import/xy_sample.txt")).expect("a table")
}

fn english() -> &'static Catalogue {
    Catalogue::of(Lang::En).expect("a catalogue")
}

/// The table of a seed.
fn table(seed: i64) -> String {
    let (mut cards, mut java) = (Deck::Thirteen.cards(), Java::new(seed));
    java.shuffle(&mut cards);
    let game = (Deck::Thirteen, deal(&cards, 2), Deal::Imported);
    let mut printed = String::new();
    let edition = Edition::of(&XY);
    let recorded = record_by(edition, Vec::new(), game, Box::new(java), &mut printed);
    recorded.expect("memory takes all");
    printed
}

/// Records an imported game: its journal, and what it prints.
fn recorded(game: Imported) -> (Vec<u8>, String) {
    let (mut journal, mut printed) = (Vec::new(), String::new());
    let setup = (Deck::Thirteen, game.hands.clone(), Deal::Imported);
    let edition = Edition::of(&XY);
    let result = record_by(edition, &mut journal, setup, Box::new(game), &mut printed);
    result.expect("memory takes all");
    (journal, printed)
}

#[test]
fn the_sample_game_replays_to_its_text_byte_for_byte() {
    let place = Place::new();
    place.write("sample.txt", sample());
    place
        .war(&["import", "xy", "sample.txt"])
        .ends_with(0)
        .tells("128 events recorded");
    let golden = fs::read_to_string(project().join("journals/xy_sample.json"));
    assert_eq!(place.read("sample.json"), golden.expect("the journal"));
    assert_eq!(
        place.war(&["replay", "sample.json"]).ends_with(0).stdout,
        sample()
    );
    let again = place.war(&["import", "xy", "sample.txt"]).ends_with(4);
    assert!(
        again.stderr.contains("WJ401"),
        "a journal is never overwritten"
    );
}

#[test]
fn a_thousand_tables_import_and_replay_byte_for_byte() {
    for seed in 0..1000 {
        let text = table(seed);
        let game =
            import_xy(&text, english()).unwrap_or_else(|refused| panic!("{seed}: {refused:?}"));
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
fn a_thousand_tables_with_a_digit_changed_are_refused_or_were_playable() {
    let mut refused = 0;
    let mut chance = Java::new(1);
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
        let at = digits[chance.below(u32::try_from(digits.len()).expect("few")) as usize];
        text[at] =
            b'0' + (text[at] - b'0' + 1 + u8::try_from(chance.below(9)).expect("small")) % 10;
        let line = text[..at].split(|&byte| byte == b'\n').count();
        let text = String::from_utf8(text).expect("ASCII");
        match import_xy(&text, english()) {
            Ok(game) => {
                assert!(
                    recorded(game).1 == text,
                    "seed {seed} prints something else"
                );
            }
            // Up to the line that is named, the changed table could have been printed.
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
    // Another card of that rank is missing then, unless it was never played.
    assert!(refused > 900, "{refused} refused");
}

#[test]
fn sizes_bars_numbers_and_winners_are_refused_at_their_line() {
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
        let refused = import_xy(&table.join("\n"), english()).expect_err(from);
        assert_eq!(refused.line, number, "{from} -> {to}");
    }
}

#[test]
fn other_forms_of_the_table_are_read() {
    let sample = sample();
    let game = import_xy(&sample, english()).expect("a table");
    let header = sample.replacen(
        "winner, or War[size]  cards",
        "winner,  or  War[size] cards",
        1,
    );
    assert_ne!(header, sample);
    let newer = sample.lines().map(|line| {
        line.strip_prefix(' ')
            .unwrap_or(line)
            .replacen("WINNER :", "FINAL :", 1)
            + "\n"
    });
    let newer = format!("seed: 5\ndeck: 01 02 03\n{}", newer.collect::<String>());
    let colours = sample
        .replace("X=", "\u{1b}[34mX=")
        .replace("=Y", "\u{1b}[0m=Y");
    for text in [
        header,
        newer,
        colours,
        sample.replace('\n', "\r\n"),
        format!("\n{sample}\n\n"),
    ] {
        assert_eq!(import_xy(&text, english()), Ok(game.clone()), "{text}");
    }
}

#[test]
fn a_table_in_polish_is_read_in_polish() {
    let place = Place::new();
    let table = place.war(&["--lang", "pl", "xy", "14"]).ends_with(0).stdout;
    place.write("polish.txt", &table);
    place
        .war(&["--lang", "pl", "import", "xy", "polish.txt"])
        .ends_with(0);
    assert_eq!(
        place.war(&["replay", "polish.json"]).ends_with(0).stdout,
        table
    );
}

#[test]
fn what_is_no_table_is_refused_and_the_next_file_goes_on() {
    let place = Place::new();
    let sample = sample();
    let line = |number: usize| sample.lines().nth(number - 1).expect("a line");
    place.write("prose.txt", "Once upon a time\n");
    place.write("empty.txt", "");
    place.write("cut.txt", &sample[..2000]);
    place.write(
        "short.txt",
        sample.lines().take(10).collect::<Vec<_>>().join("\n"),
    );
    place.write("after.txt", format!("{sample}{}\n", line(54)));
    place.write("pair.txt", sample.replacen("X>01|02<Y", "X>01<Y", 1));
    place.write("rank.txt", sample.replacen("X>01|02<Y", "X>14|02<Y", 1));
    place.write("war.txt", sample.replacen(" X>04|09<Y --> Y", "", 1));
    place.write("card.txt", sample.replacen("X>03|09<Y", "X>03|08<Y", 1));
    place.write("size.txt", sample.replacen("[24]", "[23]", 1));
    place.write("binary.txt", b"\xff\xfe\0\x01");
    place.write("good.txt", &sample);
    let mut told = String::new();
    for lang in ["en", "pl"] {
        let mut command = place.command(&[
            "import",
            "xy",
            "prose.txt",
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
        fs::create_dir(place.path(lang)).expect("a directory");
        let run = super::support::Run::of(command.env("WAR_LANG", lang)).ends_with(1);
        told.push_str(&run.stderr);
        assert!(place.path(&format!("{lang}/good.json")).exists());
        assert_eq!(fs::read_dir(place.path(lang)).expect("journals").count(), 1);
    }
    reviewed("import_errors", &told);
}
