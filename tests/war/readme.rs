//! The README's examples, run as they are written there.

use super::journal_faults::edited;
use super::support::{Place, Run, project};
#[cfg(feature = "table")]
use super::table::Server;
use std::fs;
use std::path::Path;
use std::process::Command;

fn readme() -> String {
    fs::read_to_string(project().join("README.md")).expect("the README")
}

/// The fenced blocks of a language.
fn blocks(language: &str) -> Vec<String> {
    let readme = readme();
    let fence = format!("```{language}\n");
    let blocks = readme.split(&fence).skip(1);
    let blocks = blocks.map(|block| block.split("```").next().unwrap_or_default().to_owned());
    blocks.collect()
}

/// The commands of a console block, each with the output that it should have.
fn commands(block: &str) -> Vec<(String, String)> {
    let mut commands: Vec<(String, String)> = Vec::new();
    for line in block.lines() {
        if let Some(command) = line.strip_prefix("$ ") {
            commands.push((command.to_owned(), String::new()));
            continue;
        }
        let (command, output) = commands.last_mut().expect("a command comes first");
        match line.strip_prefix("> ") {
            Some(more) if output.is_empty() => *command = format!("{command}\n{more}"),
            _ => output.push_str(&format!("{line}\n")),
        }
    }
    commands
}

/// Whether the output is this one, where a line `...` stands for any lines.
fn fits(output: &str, expected: &str) -> bool {
    let mut parts = expected.split("...\n");
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = output.strip_prefix(first) else {
        return false;
    };
    let parts: Vec<_> = parts.collect();
    let Some((last, middle)) = parts.split_last() else {
        return rest.is_empty();
    };
    for part in middle {
        let Some(at) = rest.find(part) else {
            return false;
        };
        rest = &rest[at + part.len()..];
    }
    rest.ends_with(last)
}

fn shell(place: &Place, command: &str) -> Run {
    let binary = Path::new(env!("CARGO_BIN_EXE_war"));
    let directory = binary.parent().expect("its directory").display();
    let path = std::env::var("PATH").unwrap_or_default();
    let mut shell = Command::new("sh");
    shell
        .args(["-c", &format!("exec 2>&1; {command}")])
        .current_dir(place.path("."))
        .env_clear()
        .env("PATH", format!("{directory}:{path}"))
        .env("WAR_SCENARIOS", "no_scenarios");
    Run::of(&mut shell)
}

#[test]
fn every_example_prints_what_the_readme_says() {
    let place = Place::new();
    place.write("diverged.json", edited(4, "[11,10,12,13]", "[13,12,11,10]"));
    let showdown = fs::read(project().join("journals/single_card_showdown.json"));
    place.write("shown.json", showdown.expect("a journal"));
    let mut count = 0;
    for (command, expected) in blocks("console").iter().flat_map(|block| commands(block)) {
        let output = shell(&place, &command).stdout;
        assert!(
            fits(&output, &expected),
            "$ {command}\n{output}\nexpected:\n{expected}"
        );
        count += 1;
    }
    assert!(count > 20, "{count} commands were found");
}

// A free port replaces the one that the README shows.
#[cfg(feature = "table")]
#[test]
fn every_example_of_the_card_table_prints_what_the_readme_says() {
    const SHOWN: &str = "127.0.0.1:8080";
    let place = Place::new();
    let mut server = None;
    let mut count = 0;
    for (command, expected) in blocks("console table")
        .iter()
        .flat_map(|block| commands(block))
    {
        let output = if let Some(options) = command.strip_prefix("war serve") {
            let options: Vec<_> = options.split_whitespace().collect();
            let started = server.insert(Server::start(&place, &options));
            started.opening.replace(&started.address, SHOWN)
        } else {
            let address = &server.as_ref().expect("a table is open").address;
            shell(&place, &command.replace(SHOWN, address)).stdout
        };
        assert!(
            fits(&output, &expected),
            "$ {command}\n{output}\nexpected:\n{expected}"
        );
        count += 1;
    }
    assert!(count > 1, "{count} commands were found");
}

#[test]
fn the_configuration_shown_is_the_default() {
    let config = blocks("toml").remove(0);
    let place = Place::new();
    place.war(&["4", "small", "--seed", "1"]).ends_with(0);
    place.write("war.toml", config);
    place.war(&["4", "small", "--seed", "1"]).ends_with(0);
    let logs = place.logs();
    let records = |log: &str| {
        log.lines()
            .map(|line| line[24..].to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(records(&logs[0]), records(&logs[1]));
}

#[test]
fn the_hint_on_a_bad_configuration_names_every_key_shown() {
    let place = Place::new();
    place.write("war.toml", "colour = true\n");
    let run = place.war(&["1", "small"]).ends_with(2);
    let config = blocks("toml").remove(0);
    let settings = config.lines().filter_map(|line| line.split_once(" = "));
    let mut count = 0;
    for (key, _) in settings {
        assert!(run.stderr.contains(&format!("`{key}`")), "{key}: {run:#?}");
        count += 1;
    }
    assert!(count > 5, "{count} keys were found");
}

#[test]
fn what_lands_a_change_runs_the_two_commands() {
    let script = |name: &str| fs::read_to_string(project().join(".ci").join(name)).expect(name);
    let run = script("run");
    let steps: String = ["game", "test"].map(script).concat();
    assert!(run.contains("step game") && run.contains("step test"));
    let commands = blocks("sh").concat();
    assert_eq!(commands.lines().count(), 2);
    for command in commands.lines() {
        assert!(
            steps.contains(command),
            "`{command}` is not what lands a change"
        );
    }
}

#[test]
fn every_error_code_is_in_the_readme() {
    use war::journal::Code;
    let readme = readme();
    for code in [
        Code::NotJson,
        Code::NoJournal,
        Code::Version,
        Code::CutOff,
        Code::NoEnd,
        Code::Field,
        Code::Sequence,
        Code::Chain,
        Code::End,
        Code::Digest,
        Code::Event,
        Code::State,
        Code::Deal,
        Code::Console,
        Code::Create,
        Code::Write,
    ] {
        assert!(readme.contains(&format!("| {code} |")), "{code}");
    }
}
