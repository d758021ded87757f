//! Journals of token games: golden, shown, cut off, repaired.

use super::golden_games;
use crate::support::{Sandbox, project, replayed, reviewed};
use std::fs;
use war::journal::FaultCode;

#[test]
fn golden_journals_are_reproduced_byte_for_byte() {
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
                Sandbox::new().war_reading(journal.as_bytes(), &["--lang", lang, "replay", "-"]);
            let run = run.exits_with(0).reports("VERIFIED");
            screens += &format!("--- {name}\n{}{}", run.stdout, run.stderr);
        }
        reviewed(&format!("tokens_{lang}"), &screens);
    }
}

#[test]
fn commands_on_journals_of_token_games() {
    let sandbox = Sandbox::new();
    for (name, journal) in golden_games() {
        sandbox.write(name, journal);
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
        let run = sandbox.war(arguments);
        printed += &format!(
            "$ war {}\n{}{}",
            arguments.join(" "),
            run.stdout,
            run.stderr
        );
    }
    let log = &sandbox.logs().concat();
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
fn a_token_game_cut_off_anywhere_is_incomplete() {
    let (_, journal) = &golden_games()[0];
    let events = journal.find("\"events\":[").expect("the events") + 10;
    for length in events..journal.len() - 1 {
        let (code, _) = replayed(&journal.as_bytes()[..length]);
        let known = matches!(code, Some(FaultCode::CutOff | FaultCode::NoEnd));
        assert!(known, "{length} bytes: {code:?}");
    }
}

#[test]
fn a_cut_off_token_game_is_repaired() {
    let sandbox = Sandbox::new();
    for (name, journal) in golden_games() {
        let events = journal.find("\"events\":[").expect("the events") + 1;
        let cut = events + (journal.len() - events) / 2;
        let [file, new] = [format!("cut_{name}"), format!("new_{name}")];
        sandbox.write(&file, &journal.as_bytes()[..cut]);
        sandbox
            .war(&["journal", "repair", &file, &new])
            .exits_with(0);
        sandbox
            .war(&["replay", &new])
            .exits_with(3)
            .reports("INCOMPLETE");
        // Without its last line, a finished game gets the same end record again.
        let (whole, _) = journal.rsplit_once("\n]").expect("an end");
        let [file, new] = [format!("open_{name}"), format!("whole_{name}")];
        sandbox.write(&file, format!("{whole}\n"));
        sandbox
            .war(&["journal", "repair", &file, &new])
            .exits_with(0);
        assert_eq!(sandbox.read(&new), journal, "{name}");
    }
}
