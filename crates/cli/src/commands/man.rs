//! `war man`: writes manual pages.

use super::help::{
    ENVIRONMENT_VARIABLES, EXIT_CODES, HELP_TOPICS, HelpBlock, HelpTopic, PROGRAM_FILES,
};
use crate::arguments::parsing::visible_commands;
use crate::context::Context;
use crate::failure::{ExitStatus, Failure, unwritable_failure};
use crate::machine::text::path_text;
use clap::Command;
use clap_mangen::Man;
use clap_mangen::roff::{Inline, Roff, bold, roman};
use std::path::Path;
use std::{fs, io};
use war::i18n::text;
use war::support::device_names::refuse_device_name;

pub(crate) const MAN_EXAMPLES: &str = "\
Examples:
  war man --dir pages                  write all pages there
  man ./pages/war-simulate.1           read one of them";

/// Writes a page for each command and topic to a directory, and reports their number.
pub(crate) fn write_pages(
    directory: &Path,
    root: &mut Command,
    context: &mut Context,
) -> Result<ExitStatus, Failure> {
    let pages = pages(root).expect("memory takes every byte");
    let created = refuse_device_name(directory).and_then(|()| fs::create_dir_all(directory));
    let written = created.map_err(|error| (directory.to_owned(), error));
    let written = written.and_then(|()| {
        pages.iter().try_for_each(|(name, page)| {
            let path = directory.join(name);
            fs::write(&path, page).map_err(|error| (path, error))
        })
    });
    written.map_err(|(path, error)| unwritable_failure(&path, &error))?;
    let text = text!(
        PagesWritten,
        pages = pages.len(),
        directory = path_text(directory)
    );
    context.terminal.report_note(&text);
    Ok(ExitStatus::Success)
}

/// Date of the pages.
const DATE: &str = "2026-11-22";

/// Program and version, as the footer names them.
const SOURCE: &str = concat!("war ", env!("CARGO_PKG_VERSION"));

/// Title of the manual that the pages belong to.
const MANUAL: &str = "War manual";

/// All pages with their file names.
fn pages(root: &mut Command) -> io::Result<Vec<(String, Vec<u8>)>> {
    root.build();
    let mut pages = Vec::new();
    let mut commands = vec![(root.clone(), String::new())];
    while let Some((command, examples)) = commands.pop() {
        let after = command.get_after_long_help().or(command.get_after_help());
        let after = after.map(ToString::to_string);
        let after = after.unwrap_or(examples);
        for subcommand in visible_commands(&command).filter(|command| command.get_name() != "help")
        {
            let examples = examples_of(subcommand, &after);
            commands.push((subcommand.clone(), examples));
        }
        let name = page_name(&command);
        pages.push((format!("{name}.1"), page(command, &name, &after)?));
    }
    for topic in &HELP_TOPICS {
        pages.push((format!("war-{}.7", topic.name), topic_page(topic)));
    }
    Ok(pages)
}

/// Name of a command's page: `war-journal-check`.
fn page_name(command: &Command) -> String {
    let called = command.get_bin_name().unwrap_or(command.get_name());
    called.replace(' ', "-")
}

/// Selects the examples that call this command.
fn examples_of(command: &Command, examples: &str) -> String {
    let called = format!("  {} ", command.get_bin_name().unwrap_or_default());
    let lines = examples.lines().filter(|line| line.starts_with(&called));
    lines.fold("Examples:".to_owned(), |text, line| text + "\n" + line)
}

/// Page of a command; `after` is the last part of its help.
fn page(mut command: Command, name: &str, after: &str) -> io::Result<Vec<u8>> {
    let is_root = name == "war";
    let has_commands = visible_commands(&command).next().is_some();
    let mut usage = Roff::new();
    add_heading(&mut usage, "SYNOPSIS");
    let called = command.render_usage().to_string();
    add_code(&mut usage, called.trim_start_matches("Usage: "));
    let mut page = Vec::new();
    let man = Man::new(command.disable_help_subcommand(true))
        .title(name.to_uppercase())
        .date(DATE)
        .source(SOURCE)
        .manual(MANUAL);
    man.render_title(&mut page)?;
    man.render_name_section(&mut page)?;
    usage.to_writer(&mut page)?;
    man.render_description_section(&mut page)?;
    let mut remarks = Roff::new();
    let paragraphs = after.split("\n\n").skip(1);
    for words in paragraphs.filter(|words| !words.starts_with("Exit codes")) {
        add_paragraph(&mut remarks, words);
    }
    remarks.to_writer(&mut page)?;
    man.render_options_section(&mut page)?;
    if has_commands {
        man.render_subcommands_section(&mut page)?;
    }
    let mut roff = Roff::new();
    add_heading(&mut roff, "ENVIRONMENT");
    add_list(&mut roff, ENVIRONMENT_VARIABLES);
    add_heading(&mut roff, "FILES");
    add_list(&mut roff, PROGRAM_FILES);
    add_heading(&mut roff, "EXIT STATUS");
    add_list(&mut roff, EXIT_CODES);
    add_heading(&mut roff, "EXAMPLES");
    let examples = after.split("\n\n").next().unwrap_or_default();
    let lines: Vec<_> = examples.lines().skip(1).collect();
    add_code(&mut roff, &lines.join("\n"));
    add_heading(&mut roff, "SEE ALSO");
    let topics = HELP_TOPICS
        .iter()
        .map(|topic| format!("war-{}(7)", topic.name));
    let program = (!is_root).then(|| "war(1)".to_owned());
    let others: Vec<_> = program.into_iter().chain(topics).collect();
    roff.text([roman(others.join(", "))]);
    roff.to_writer(&mut page)?;
    Ok(tidy(&page))
}

/// Page of a topic.
fn topic_page(topic: &HelpTopic) -> Vec<u8> {
    let name = format!("war-{}", topic.name);
    let mut roff = Roff::new();
    let title = name.to_uppercase();
    roff.control("TH", [&*title, "7", DATE, SOURCE, MANUAL]);
    add_heading(&mut roff, "NAME");
    roff.text([roman(format!("{name} - {}", topic.title))]);
    add_heading(&mut roff, "DESCRIPTION");
    for (index, block) in topic.blocks.iter().enumerate() {
        match block {
            HelpBlock::Text(words) if index == 0 => {
                roff.text([roman(words.replace('\n', " "))]);
            }
            HelpBlock::Text(words) => add_paragraph(&mut roff, words),
            HelpBlock::Code(lines) => {
                roff.control("PP", []);
                add_code(&mut roff, lines);
            }
            HelpBlock::List(entries) => add_list(&mut roff, entries),
        }
    }
    add_heading(&mut roff, "SEE ALSO");
    roff.text([roman("war(1)")]);
    tidy(roff.render().as_bytes())
}

fn add_heading(roff: &mut Roff, heading: &str) {
    roff.control("SH", [heading]);
}

/// Adds a paragraph that follows another paragraph.
fn add_paragraph(roff: &mut Roff, words: &str) {
    roff.control("PP", []);
    roff.text([roman(words.replace('\n', " "))]);
}

/// Adds terms with indented explanations.
fn add_list(roff: &mut Roff, entries: &[(&str, &str)]) {
    for (name, meaning) in entries {
        roff.control("TP", []);
        roff.text([bold(*name)]);
        roff.text([roman(*meaning)]);
    }
}

/// Adds preformatted lines.
fn add_code(roff: &mut Roff, lines: &str) {
    roff.control("nf", []);
    for line in lines.lines() {
        roff.text([Inline::Roman(line.to_owned())]);
    }
    roff.control("fi", []);
}

/// Removes constructs that linters of manual pages object to: repeated definitions, breaks around
/// empty lines, trailing spaces, and long lines.
fn tidy(page: &[u8]) -> Vec<u8> {
    let page = String::from_utf8_lossy(page);
    let mut tidy = String::with_capacity(page.len());
    let mut is_filled = true;
    for (index, line) in page.lines().map(str::trim_end).enumerate() {
        let is_definition = line.starts_with(".ie") || line.starts_with(".el");
        if line == ".br" || is_definition && index > 1 {
            continue;
        }
        is_filled = (is_filled || line == ".fi") && line != ".nf";
        if is_filled && !line.starts_with('.') {
            wrap(line, &mut tidy);
        } else {
            tidy.push_str(line);
        }
        tidy.push('\n');
    }
    tidy.into_bytes()
}

/// Appends a line of words, wrapped at 80 bytes.
fn wrap(line: &str, out: &mut String) {
    const WIDTH: usize = 80;
    let mut width = 0;
    for word in line.split(' ') {
        if width > 0 && width + word.len() >= WIDTH {
            out.push('\n');
            if word.starts_with(['.', '\'']) {
                // At the start of a line, roff would take the word for a request.
                out.push_str("\\&");
            }
            width = 0;
        } else if width > 0 {
            out.push(' ');
        }
        out.push_str(word);
        width += word.len() + 1;
    }
}
