//! The commands on journals of version 2.

use super::{digest, edited, golden};
use crate::support::{Sandbox, project, reviewed};

#[test]
fn show_and_diff_support_the_additions_of_version_2() {
    let sandbox = Sandbox::new();
    for name in [
        "classic_notes.jsonl",
        "classic_notes_compact.jsonl",
        "double_card_folded.jsonl",
    ] {
        sandbox.write(name, golden(name));
    }
    sandbox.write("old.json", golden("classic_dealt_won.json"));
    let mut told = String::new();
    for arguments in [
        &["journal", "show", "classic_notes_compact.jsonl"][..],
        &[
            "--lang",
            "pl",
            "journal",
            "show",
            "classic_notes_compact.jsonl",
        ],
        &["journal", "show", "double_card_folded.jsonl"],
        &[
            "--lang",
            "pl",
            "journal",
            "show",
            "double_card_folded.jsonl",
        ],
        &[
            "journal",
            "diff",
            "classic_notes.jsonl",
            "classic_notes_compact.jsonl",
        ],
        &["journal", "diff", "old.json", "classic_notes_compact.jsonl"],
    ] {
        let run = sandbox.war(arguments);
        told += &format!(
            "$ war {}\n{}{}\n",
            arguments.join(" "),
            run.stdout,
            run.stderr
        );
    }
    reviewed("journal_lines_commands", &told);
}

#[test]
fn repair_preserves_version_form_and_notes() {
    for (name, whole) in [
        ("classic_torn.jsonl", "classic_notes_compact.jsonl"),
        ("classic_notes.jsonl", "classic_notes.jsonl"),
    ] {
        let sandbox = Sandbox::new();
        let journal = golden(name);
        sandbox.write("cut.jsonl", &journal[..1500]);
        let repair = ["journal", "repair", "cut.jsonl", "new.jsonl"];
        sandbox.war(&repair).exits_with(0);
        let (new, whole) = (sandbox.read("new.jsonl"), golden(whole));
        let kept = new.lines().count() - 1;
        assert!(kept > 3, "{new}");
        assert!(new.lines().take(kept).eq(whole.lines().take(kept)), "{new}");
        assert!(new.contains("{\"end\":{\"reason\":\"cut_off\""), "{new}");
        let run = sandbox.war(&["replay", "-q", "new.jsonl"]);
        run.exits_with(3).reports("INCOMPLETE");
    }
}

#[test]
fn repair_restores_an_end_record() {
    for name in ["classic_notes_compact.jsonl", "double_card_folded.jsonl"] {
        let sandbox = Sandbox::new();
        let journal = golden(name);
        let end = journal.find("{\"end\"").expect("an end");
        for cut in [end, end + 20] {
            sandbox.write("cut.jsonl", &journal[..cut]);
            let new = format!("{cut}.jsonl");
            sandbox
                .war(&["journal", "repair", "cut.jsonl", &new])
                .exits_with(0);
            assert_eq!(sandbox.read(&new), journal);
        }
    }
}

#[test]
fn a_truncated_upgrade_does_not_name_the_original_journal() {
    let sandbox = Sandbox::new();
    let journal = golden("custom_fixed.jsonl");
    let half = journal.lines().count() / 2;
    let half: Vec<_> = journal.lines().take(half).collect();
    sandbox.write("cut.jsonl", half.join("\n") + "\n");
    let repair = ["journal", "repair", "cut.jsonl", "new.jsonl"];
    sandbox.war(&repair).exits_with(0);
    assert!(!sandbox.read("new.jsonl").contains("upgraded_from"));
    let run = sandbox.war(&["replay", "-q", "new.jsonl"]);
    run.exits_with(3).reports("INCOMPLETE");
}

#[test]
fn a_repaired_upgrade_names_the_original_only_if_its_events_match() {
    let sandbox = Sandbox::new();
    let won = golden("upgraded/classic_one_player.jsonl");
    let torn = golden("upgraded/classic_cut_off.jsonl");
    let events = |journal: &str| journal[..journal.rfind("{\"end\"").expect("an end")].to_owned();
    let other = events(&won).replacen("[14,13,", "[13,14,", 1);
    assert_ne!(other, events(&won));
    for (number, (cut, named, code)) in [
        (events(&won), true, 0),
        (events(&torn), true, 3),
        // With other cards, a compact journal records another game that follows the rules.
        (other, false, 0),
    ]
    .into_iter()
    .enumerate()
    {
        let new = format!("{number}.jsonl");
        sandbox.write("cut.jsonl", &cut);
        sandbox
            .war(&["journal", "repair", "cut.jsonl", &new])
            .exits_with(0);
        assert_eq!(sandbox.read(&new).contains("upgraded_from"), named, "{new}");
        sandbox.war(&["replay", "-q", &new]).exits_with(code);
    }
}

#[test]
fn only_complete_journals_of_version_1_are_upgraded() {
    let sandbox = Sandbox::new();
    let golden = golden("classic_dealt_won.json");
    sandbox.write("old.json", &golden);
    sandbox.write("cut.json", &golden[..3000]);
    sandbox.write("damaged.json", golden.replace("\"turn\":3,", "\"turn\":4,"));
    let mut told = String::new();
    let upgrade = |arguments: &[&str]| sandbox.war(&[&["journal", "upgrade"], arguments].concat());
    upgrade(&["old.json", "new.jsonl"]).exits_with(0);
    let first = sandbox.read("new.jsonl");
    for (arguments, code) in [
        (&["old.json", "fresh.jsonl", "--meta", "table=7"][..], 0),
        (&["old.json", "new.jsonl"], 4),
        (&["new.jsonl", "newer.jsonl"], 1),
        (&["cut.json", "newer.jsonl"], 3),
        (&["damaged.json", "newer.jsonl"], 1),
        (&["missing.json", "newer.jsonl"], 4),
        (&["-", "newer.jsonl"], 2),
        (&["old.json", "-"], 2),
        (&["old.json", "newer.jsonl", "--meta", "table"], 2),
        (&["old.json", "nowhere/newer.jsonl"], 4),
    ] {
        for lang in ["en", "pl"] {
            if sandbox.path("fresh.jsonl").exists() && code == 0 {
                std::fs::remove_file(sandbox.path("fresh.jsonl")).expect("the file");
            }
            let run = upgrade(&[arguments, &["--lang", lang]].concat()).exits_with(code);
            told += &format!("$ {}\n{}{}", arguments.join(" "), run.stdout, run.stderr);
        }
        assert!(!sandbox.path("newer.jsonl").exists(), "{arguments:?}");
    }
    assert_eq!(sandbox.read("new.jsonl"), first, "it is never overwritten");
    assert_eq!(sandbox.read("old.json"), golden);
    reviewed("journal_lines_upgrade", &told);
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_leaves_no_partial_upgrade() {
    let sandbox = Sandbox::new();
    let old = project().join("journals/classic_dealt_won.json");
    let old = old.to_str().expect("a name");
    let upgrade = ["journal", "upgrade", old, "new.jsonl"];
    let run = crate::support::Run::of(&mut sandbox.limited(4096, &upgrade));
    run.exits_with(4).reports("WJ402");
    assert!(!sandbox.path("new.jsonl").exists());
}

#[test]
fn faults_of_version_2_are_reported_in_both_languages() {
    let sandbox = Sandbox::new();
    let full = golden("custom_fixed.jsonl");
    let with = |meta: &str| edited(&full, "\"meta\":{}", &format!("\"meta\":{meta}"));
    let many: Vec<_> = (10..75).map(|at| format!("\"{at}\":\"\"")).collect();
    let compact = golden("classic_notes_compact.jsonl");
    let long = compact.lines().nth(1).expect("a line").to_owned() + "\n";
    let mut told = String::new();
    for journal in [
        full[..300].to_owned(),
        full[..1500].to_owned(),
        full.replacen("\"version\":2,", "\"version\":2,\n", 1),
        full.replacen("\"seq\":1,", "\"seq\":1,\n", 1),
        full.replacen("\n{\"seq\":2", "{\"seq\":2", 1),
        with("{\"\":\"\"}"),
        with("{\"a\":\"\",\"a\":\"\"}"),
        with("{\"b\":\"\",\"a\":\"\"}"),
        with(&format!("{{{}}}", many.join(","))),
        with(&format!("{{\"a\":\"{}\"}}", "x".repeat(9000))),
        edited(&full, "\"upgraded_from\":\"1", "\"upgraded_from\":\"4"),
        compact.replacen(
            &long,
            &full
                .lines()
                .nth(1)
                .map(|line| line.to_owned() + "\n")
                .expect("a line"),
            1,
        ),
        full.replacen(full.lines().nth(2).expect("a line"), long.trim_end(), 1),
        compact.replacen(digest(&compact), &"0".repeat(32), 1),
        compact.clone() + "\n",
    ] {
        sandbox.write("game.jsonl", journal);
        for lang in ["en", "pl"] {
            let run = sandbox.war(&["replay", "-q", "game.jsonl", "--lang", lang]);
            told += &format!("{}{}", run.stdout, run.stderr);
        }
        told.push('\n');
    }
    reviewed("journal_lines_faults", &told);
}
