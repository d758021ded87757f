//! Journals of token games: golden, shown, cut off, repaired.

use super::golden_games;
use crate::support::{Place, project, replayed, reviewed};
use std::fs;
use war::journal::Code;

#[test]
fn golden_journals_are_written_to_the_byte() {
    for (name, journal) in golden_games() {
        let golden = fs::read_to_string(project().join("journals").join(name));
        assert_eq!(golden.expect(name), journal, "{name}");
    }
}

#[test]
fn screens_of_token_games() {
    for lang in ["en", "pl"] {
        let mut screens = String::new();
        for (name, journal) in golden_games() {
            let run =
                Place::new().war_reading(journal.as_bytes(), &["--lang", lang, "replay", "-"]);
            let run = run.ends_with(0).tells("VERIFIED");
            screens += &format!("--- {name}\n{}{}", run.stdout, run.stderr);
        }
        reviewed(&format!("tokens_{lang}"), &screens);
    }
}

#[test]
fn commands_on_journals_of_token_games() {
    let place = Place::new();
    for (name, journal) in golden_games() {
        place.write(name, journal);
    }
    let names = ["single_card_tied.json", "double_card_tied.json"];
    let mut printed = String::new();
    for arguments in [
        &["journal", "show", names[0]][..],
        &["journal", "diff", names[0], names[1]],
        &["replay", names[0], "--turn", "2"],
        &["replay", names[0], "--quiet", "--audit"],
    ] {
        let run = place.war(arguments);
        printed += &format!(
            "$ war {}\n{}{}",
            arguments.join(" "),
            run.stdout,
            run.stderr
        );
    }
    let log = &place.logs()[0];
    let told = log
        .lines()
        .map(|line| line.split_once(' ').map_or(line, |(_, told)| told));
    let told: Vec<_> = told
        .map(|line| &line[line.find("INFO").or(line.find("CRIT")).unwrap_or(0)..])
        .collect();
    reviewed(
        "tokens_commands",
        &format!("{printed}--- log\n{}\n", told.join("\n")),
    );
}

#[test]
fn a_cut_off_token_game_is_incomplete_wherever_it_is_cut() {
    let (_, journal) = &golden_games()[0];
    let events = journal.find("\"events\":[").expect("the events") + 10;
    for length in events..journal.len() - 1 {
        let (code, _) = replayed(&journal.as_bytes()[..length]);
        let known = matches!(code, Some(Code::CutOff | Code::NoEnd));
        assert!(known, "{length} bytes: {code:?}");
    }
}

#[test]
fn a_cut_off_token_game_is_repaired() {
    let place = Place::new();
    let (_, journal) = &golden_games()[1];
    place.write("cut.json", &journal.as_bytes()[..journal.len() * 2 / 3]);
    place
        .war(&["journal", "repair", "cut.json", "new.json"])
        .ends_with(0);
    place
        .war(&["replay", "new.json"])
        .ends_with(3)
        .tells("INCOMPLETE");
}
