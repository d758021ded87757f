//! Help, its topics, and the manual pages.

#[cfg(feature = "table")]
use super::support::project;
use super::support::{Run, Sandbox};
#[cfg(feature = "table")]
use std::collections::BTreeSet;
use std::fs;
use std::process::Command;

#[test]
fn every_enumerated_value_is_explained() {
    let help = Sandbox::new()
        .war(&["simulate", "--help"])
        .exits_with(0)
        .stdout;
    for (value, meaning) in [
        ("classic", "One card face down"),
        ("winner-pile", "All of the winner's cards"),
        ("last-card", "Their last card counts"),
        ("portable", "The fastest that runs on every machine"),
        ("pl", "Polish"),
        ("never", "Never"),
    ] {
        let says = |line: &str| {
            let line = line.trim_start().strip_prefix("- ").unwrap_or_default();
            let said = line.split_once(':');
            said.is_some_and(|(name, text)| name == value && text.trim().starts_with(meaning))
        };
        assert!(help.lines().any(says), "{value} in {help}");
    }
    assert!(help.contains("Simulation engine to use"), "{help}");
}

#[test]
fn help_explains_commands_and_topics() {
    let sandbox = Sandbox::new();
    for (words, text) in [
        (&["rules"][..], "14 is an ace"),
        (&["SCENARIOS"], "ssc_*.json"),
        (&["journals"], "UNSUPPORTED"),
        (&["environment"], "WAR_LANG"),
        (&["journal", "check"], "Usage: war journal check"),
        (&["duels"], "--strategy <Z>"),
        (&[], "Usage: war [OPTIONS] PLAYERS DECK"),
    ] {
        let run = sandbox.war(&[&["help"], words].concat()).exits_with(0);
        assert!(run.stdout.contains(text), "{text} in {run:#?}");
        let longest = run.stdout.lines().map(|line| line.chars().count()).max();
        assert!(longest <= Some(100), "{words:?}");
    }
    let run = sandbox.war(&["help", "journal", "chek"]).exits_with(2);
    run.reports("did you mean `check`?");
    let run = sandbox.war(&["help", "scenario"]).exits_with(2);
    run.reports("did you mean `scenarios`?");
}

#[test]
fn short_help_fits_on_a_screen_and_names_the_long_one() {
    let sandbox = Sandbox::new();
    let short = sandbox.war(&["-h"]).exits_with(0).stdout;
    assert!(short.lines().count() <= 42, "{short}");
    for shown in ["  replay ", "`war --help` lists all options", "--version"] {
        assert!(short.contains(shown), "{shown} in {short}");
    }
    // The options stay in the long help, and in the short help of each command.
    for arguments in [&["--help"][..], &["replay", "-h"]] {
        let help = sandbox.war(arguments).exits_with(0).stdout;
        assert!(help.contains("--lang <LANG>"), "{help}");
    }
}

#[test]
fn help_needs_no_configuration() {
    let sandbox = Sandbox::new();
    sandbox.write("war.toml", "nonsense");
    for arguments in [&["help", "rules"][..], &["man", "--dir", "pages"]] {
        sandbox.war(arguments).exits_with(0);
    }
}

/// Manual pages, written to a directory of the sandbox.
fn pages(sandbox: &Sandbox) -> Vec<(String, String)> {
    let run = sandbox.war(&["man", "--dir", "new/pages"]).exits_with(0);
    let entries = fs::read_dir(sandbox.path("new/pages")).expect("the pages");
    let mut pages: Vec<_> = entries
        .map(|entry| {
            let path = entry.expect("a page").path();
            let name = path.file_name().expect("its name").to_string_lossy();
            (name.into_owned(), fs::read_to_string(&path).expect("text"))
        })
        .collect();
    pages.sort();
    run.reports(&format!("{} manual pages", pages.len()));
    pages
}

#[test]
fn every_command_has_a_manual_page() {
    let pages = pages(&Sandbox::new());
    let names: Vec<_> = pages.iter().map(|(name, _)| name.as_str()).collect();
    for name in [
        "war.1",
        "war-simulate.1",
        "war-simulate-merge.1",
        "war-journal-check.1",
        "war-import-xy.1",
        "war-completions.1",
        "war-rules.7",
        "war-environment.7",
    ] {
        assert!(names.contains(&name), "{name} in {names:?}");
    }
    assert_eq!(names.contains(&"war-serve.1"), cfg!(feature = "table"));
    assert_eq!(names.contains(&"war-watch.1"), cfg!(feature = "watch"));
    for (name, page) in &pages {
        if !name.ends_with(".1") {
            continue;
        }
        let sections = [
            "SYNOPSIS",
            "ENVIRONMENT",
            "FILES",
            "EXIT STATUS",
            "EXAMPLES",
        ];
        for section in sections {
            let heading = format!(".SH {section}\n");
            let quoted = format!(".SH \"{section}\"\n");
            let at = page.find(&heading).or_else(|| page.find(&quoted));
            assert!(at.is_some(), "{section} in {name}: {page}");
        }
        let examples = page.split("EXAMPLES\n.nf\n").nth(1).unwrap_or_default();
        assert!(
            examples.starts_with("  war ") || examples.starts_with("  cat "),
            "{name}"
        );
    }
}

// `tests/surface/help.txt` contains the help of every command.
#[cfg(feature = "table")]
#[test]
fn help_on_the_environment_names_every_variable_of_an_option() {
    let told = Sandbox::new().war(&["help", "environment"]).exits_with(0);
    let is_named = |variable: &&str| {
        let mut words = told.stdout.split(|letter: char| !is_of_a_name(letter));
        words.any(|word| word == *variable)
    };
    let help = project().join("tests/surface/help.txt");
    let help = fs::read_to_string(help).expect("the help");
    let variables = help.split("[env: ").skip(1);
    let variables = variables.filter_map(|rest| rest.split('=').next());
    let variables: BTreeSet<_> = variables.collect();
    assert!(variables.len() > 10, "{variables:?}");
    let missing: Vec<_> = variables.iter().filter(|name| !is_named(name)).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

#[cfg(feature = "table")]
fn is_of_a_name(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || letter == '_'
}

#[test]
fn an_unwritable_page_is_an_error() {
    let sandbox = Sandbox::new();
    sandbox.write("pages", "a file");
    let run = sandbox.war(&["man", "--dir", "pages"]).exits_with(4);
    run.reports("`pages`");
}

#[test]
#[ignore = "needs mandoc; `.ci/deep` installs it"]
fn manual_pages_cause_no_warnings() {
    let sandbox = Sandbox::new();
    for (name, _) in pages(&sandbox) {
        let mut lint = Command::new("mandoc");
        lint.arg("-Tlint")
            .arg(sandbox.path("new/pages").join(&name));
        let run = Run::of(&mut lint).exits_with(0);
        assert_eq!(
            (run.stdout.as_str(), run.stderr.as_str()),
            ("", ""),
            "{name}"
        );
    }
}
