//! Completeness of the reference: commands, codes, variables, editions.

use super::page::Page;
use crate::support::{Sandbox, project, source_folders};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

const LARGEST_README: u64 = 12_000;

#[test]
fn the_readme_is_short() {
    let length = fs::metadata(project().join("README.md"));
    let length = length.expect("the README").len();
    assert!(length <= LARGEST_README, "{length} bytes");
}

/// Commands below this one, in the order of the help, each before its own subcommands.
fn commands_below(sandbox: &Sandbox, command: &[String]) -> Vec<Vec<String>> {
    let mut arguments = vec!["help"];
    arguments.extend(command.iter().map(String::as_str));
    let help = sandbox.war(&arguments).exits_with(0).stdout;
    let listed = help.split("\nCommands:\n").nth(1).unwrap_or_default();
    let listed = listed.lines().take_while(|line| !line.is_empty());
    // A line with a deeper indent continues the line before.
    let names = listed.filter_map(|line| line.strip_prefix("  "));
    let names = names.filter_map(|line| line.split(' ').next());
    let names = names.filter(|name| !["", "help"].contains(name));
    names
        .flat_map(|name| {
            let below = [command, &[name.to_owned()]].concat();
            let mut all = vec![below.clone()];
            all.extend(commands_below(sandbox, &below));
            all
        })
        .collect()
}

/// Topics of `war help`, as the program's help names them.
fn topics(sandbox: &Sandbox) -> Vec<String> {
    let help = sandbox.war(&["--help"]).exits_with(0).stdout;
    let topics = between(&help, "`war help ", "`").into_iter();
    let topics = topics.filter(|topic| *topic != "COMMAND");
    topics.map(str::to_owned).collect()
}

#[test]
fn the_reference_lists_every_command_and_topic() {
    let page = Page::read("docs/reference/commands.md").text();
    let sandbox = Sandbox::new();
    let commands = commands_below(&sandbox, &[]);
    assert!(commands.len() > 14, "{commands:?} are few");
    let topics = topics(&sandbox);
    assert!(topics.len() > 3, "{topics:?} are few");
    for command in &commands {
        // A command that only has subcommands is listed through them.
        let is_group = commands
            .iter()
            .any(|other| other.len() > command.len() && other.starts_with(command));
        let command = command.join(" ");
        let shown = page.contains(&format!("\n| `war {command}` |"));
        assert!(shown || is_group, "`war {command}` is not listed");
    }
    for topic in topics {
        let shown = page.contains(&format!("\n| `war help {topic}` |"));
        assert!(shown, "the topic {topic} is not listed");
    }
}

#[cfg(all(feature = "table", feature = "watch"))]
#[test]
fn the_help_of_every_command_and_topic_is_frozen() {
    let sandbox = Sandbox::new();
    let commands = commands_below(&sandbox, &[]).into_iter();
    let commands = commands.map(|command| command.join(" "));
    let program = sandbox.war(&["--help"]).exits_with(0).stdout;
    let mut help = format!("$ war --help\n{program}");
    for words in commands.chain(topics(&sandbox)) {
        let arguments: Vec<_> = ["help"].into_iter().chain(words.split(' ')).collect();
        let printed = sandbox.war(&arguments).exits_with(0).stdout;
        help += &format!("\n$ war help {words}\n{printed}");
    }
    crate::shared::frozen("help.txt", &help);
}

#[test]
fn the_architecture_names_every_part() {
    let page = Page::read("docs/explanation/architecture.md").text();
    for folder in ["src", "crates", "crates/table/src"] {
        for entry in fs::read_dir(project().join(folder)).expect("the sources") {
            let path = entry.expect("an entry").path();
            let name = path.file_name().expect("a name").to_string_lossy();
            let end = if path.is_dir() { "/" } else { "" };
            let shown = page.contains(&format!("`{folder}/{name}{end}`"));
            assert!(shown || name == "lib.rs", "{folder}/{name}");
        }
    }
}

#[test]
fn every_verifier_and_the_format_know_each_edition() {
    let places = [
        "crates/viewer/src/view/verify/editions.js",
        "docs/reference/journal-format.md",
        "docs/reference/journal.schema.json",
        "fuzz/words.dict",
        "tests/verifier/rules.py",
    ];
    for file in places {
        let text = fs::read_to_string(project().join(file)).expect("a text");
        for variant in war::rules::VARIANTS {
            assert!(text.contains(variant.id), "{} is not in {file}", variant.id);
        }
    }
}

/// Texts between two others, anywhere in a text.
fn between<'a>(text: &'a str, before: &str, behind: &str) -> BTreeSet<&'a str> {
    let parts = text.split(before).skip(1);
    let parts = parts.filter_map(|part| part.split_once(behind));
    parts.map(|(found, _)| found).collect()
}

#[test]
fn the_reference_has_every_code_of_a_journal_and_no_other() {
    let code = fs::read_to_string(project().join("src/journal/problem.rs")).expect("the codes");
    let numbers = between(&code, " = ", ",\n");
    let numbers = numbers
        .iter()
        .filter_map(|number| number.parse::<u16>().ok());
    let codes: BTreeSet<_> = numbers.map(|number| format!("WJ{number:03}")).collect();
    let page = Page::read("docs/reference/exit-and-error-codes.md").text();
    let shown = between(&page, "| WJ", " |").into_iter();
    let shown: BTreeSet<_> = shown.map(|number| format!("WJ{number}")).collect();
    assert!(codes.len() > 14, "{codes:?} are few");
    assert_eq!(shown, codes);
}

#[test]
fn the_reference_has_every_exit_code_and_no_other() {
    let page = Page::read("docs/reference/exit-and-error-codes.md").text();
    let rows = page.lines().filter_map(|line| line.strip_prefix("| "));
    let codes = rows.filter_map(|row| row.split(' ').next()?.parse::<u8>().ok());
    let codes: Vec<_> = codes.collect();
    assert_eq!(codes, [0, 1, 2, 3, 4, 5, 130]);
}

#[cfg(feature = "table")]
#[test]
fn the_reference_has_every_code_of_the_card_table() {
    let schema = fs::read_to_string(project().join("crates/table/src/protocol/schema.json"))
        .expect("a schema");
    let schema: serde_json::Value = serde_json::from_str(&schema).expect("JSON");
    let codes = schema["$defs"]["Refusal"]["oneOf"].as_array();
    let codes = codes.expect("the codes").iter();
    let codes: Vec<_> = codes.filter_map(|code| code["const"].as_str()).collect();
    assert!(codes.len() > 10, "{codes:?} are few");
    let page = Page::read("docs/reference/exit-and-error-codes.md").text();
    for code in codes {
        assert!(page.contains(&format!("| `{code}` |")), "{code}");
    }
}

/// Rust files of a directory and its subdirectories, as one text.
fn sources(directory: &Path) -> String {
    let entries = fs::read_dir(directory).expect("the sources");
    let paths = entries.map(|entry| entry.expect("a file").path());
    let texts = paths.map(|path| match path.extension() {
        _ if path.is_dir() => sources(&path),
        Some(rust) if rust == "rs" => fs::read_to_string(&path).expect("a source"),
        _ => String::new(),
    });
    texts.collect()
}

#[test]
fn the_reference_has_every_environment_variable() {
    let sources: String = source_folders()
        .iter()
        .map(|folder| sources(folder))
        .collect();
    let variables = between(&sources, "\"WAR_", "\"").into_iter();
    let is_name = |name: &&str| {
        name.chars()
            .all(|letter| letter.is_ascii_uppercase() || letter == '_')
    };
    let variables: Vec<_> = variables.filter(is_name).collect();
    assert!(variables.len() > 5, "{variables:?} are few");
    let page = Page::read("docs/reference/configuration.md").text();
    for variable in variables {
        assert!(
            page.contains(&format!("| `WAR_{variable}` |")),
            "{variable}"
        );
    }
}
