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
        &["journal", "show", "single_card_2_forfeited.json"],
        &[
            "journal",
            "diff",
            "single_card_2_showdown.json",
            "single_card_2_forfeited.json",
        ],
        &["replay", "single_card_2_forfeited.json", "--turn", "0"],
        &["replay", "single_card_2_forfeited.json", "-q", "--audit"],
        &[
            "replay",
            "double_card_2_both_forfeited.json",
            "--result",
            "json",
        ],
        &[
            "journal",
            "export",
            "single_card_2_forfeited.json",
            "--format",
            "csv",
        ],
    ] {
        let run = place.war(arguments);
        printed += &format!(
            "$ war {}\n{}{}",
            arguments.join(" "),
            run.stdout,
            run.stderr
        );
    }
    let log = &place.logs().concat();
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
    for (name, journal) in golden_games() {
        let events = journal.find("\"events\":[").expect("the events") + 1;
        let cut = events + (journal.len() - events) / 2;
        let [file, new] = [format!("cut_{name}"), format!("new_{name}")];
        place.write(&file, &journal.as_bytes()[..cut]);
        place.war(&["journal", "repair", &file, &new]).ends_with(0);
        place
            .war(&["replay", &new])
            .ends_with(3)
            .tells("INCOMPLETE");
        // Without its last line, a game that is over gets the same end record again.
        let (whole, _) = journal.rsplit_once("\n]").expect("an end");
        let [file, new] = [format!("open_{name}"), format!("whole_{name}")];
        place.write(&file, format!("{whole}\n"));
        place.war(&["journal", "repair", &file, &new]).ends_with(0);
        assert_eq!(place.read(&new), journal, "{name}");
    }
}
