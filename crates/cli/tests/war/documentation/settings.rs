//! Configuration shown in the book, and blocks of other languages.

use super::page::Page;
use crate::journal_faults::edited;
use crate::support::{Sandbox, project};
use std::fs;

/// Allowed languages of a block. Rustdoc takes a block without a language for Rust.
const LANGUAGES: [&str; 12] = [
    "console",
    "console-all",
    "console-table",
    "console-tools",
    "console-watch",
    "json",
    "nginx",
    "python",
    "rust",
    "sh",
    "text",
    "toml",
];

fn configuration() -> String {
    let page = Page::read("docs/reference/configuration.md");
    page.blocks_in("toml").remove(0)
}

#[test]
fn the_configuration_shown_is_the_default() {
    let sandbox = Sandbox::new();
    sandbox.war(&["4", "small", "--seed", "1"]).exits_with(0);
    sandbox.write("war.toml", configuration());
    sandbox.war(&["4", "small", "--seed", "1"]).exits_with(0);
    let logs = sandbox.logs();
    let records = |log: &str| {
        log.lines()
            .map(|line| line[24..].to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(records(&logs[0]), records(&logs[1]));
}

#[test]
fn the_hint_on_a_bad_configuration_names_every_key_shown() {
    let sandbox = Sandbox::new();
    sandbox.write("war.toml", "colour = true\n");
    let run = sandbox.war(&["1", "small"]).exits_with(2);
    let config = configuration();
    let settings = config.lines().filter_map(|line| line.split_once(" = "));
    let mut count = 0;
    for (key, _) in settings {
        // A setting without a default is shown in a comment.
        let key = key.trim_start_matches("# ");
        assert!(run.stderr.contains(&format!("`{key}`")), "{key}: {run:#?}");
        count += 1;
    }
    assert!(count > 5, "{count} keys were found");
}

#[test]
fn every_configuration_shown_is_accepted() {
    for page in Page::all() {
        for block in page.blocks_in("toml") {
            // The contents of a Cargo.toml are for Cargo.
            if block.contains("[dependencies]") {
                continue;
            }
            let sandbox = Sandbox::new();
            sandbox.write("war.toml", &block);
            sandbox.war(&["1", "small"]).exits_with(0);
        }
    }
}

#[test]
fn every_block_has_a_language_and_json_blocks_are_valid() {
    for page in Page::all() {
        for block in page.blocks() {
            let language = block.language;
            assert!(LANGUAGES.contains(&language), "{}: {language}", page.name);
            if language == "json" {
                for line in block.text().lines() {
                    let parsed = serde_json::from_str::<serde_json::Value>(line);
                    assert!(parsed.is_ok(), "{}: {line}", page.name);
                }
            }
        }
    }
}

#[test]
fn ci_runs_the_two_commands_of_the_readme() {
    let script = |name: &str| fs::read_to_string(project().join(".ci").join(name)).expect(name);
    let run = script("run");
    let steps: String = ["game", "tests"].map(script).concat();
    assert!(run.contains("step game") && run.contains("step tests"));
    let commands = Page::read("README.md").blocks_in("sh").concat();
    for command in [
        "cargo run --release -- 4 small",
        "cargo test --workspace --all-features",
    ] {
        let shown = commands.lines().any(|line| line == command);
        assert!(shown, "`{command}` is not in the README");
        assert!(
            steps.contains(command),
            "`{command}` is not what lands a change"
        );
    }
}

// The edit changes the order in which cards are collected, and makes the chain fit.
#[test]
fn the_diverged_journal_shown_is_the_golden_one_edited() {
    let path = project().join("docs/files/diverged.json");
    let expected = edited(4, "[11,10,12,13]", "[13,12,11,10]");
    if std::env::var_os("UPDATE_EXAMPLES").is_some() {
        fs::write(&path, &expected).expect("the journal");
    }
    assert!(fs::read_to_string(path).expect("the journal") == expected);
}
