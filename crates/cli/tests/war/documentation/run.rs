//! Runs every example of README and book.
//!
//! The examples of a page run one after the other in a directory for that page. With
//! `UPDATE_EXAMPLES=1` the pages are rewritten with the current output. Examples with other tools
//! run if these are installed.

use super::example::{Example, examples};
use super::page::Page;
use crate::support::{Run, Sandbox, project};
#[cfg(feature = "table")]
use crate::table::Server;
use std::path::Path;
use std::process::Command;
use std::thread;

/// Language of examples that need a build with the card table. `war serve` opens the table on a
/// free port, and the pages show the port of `SHOWN`.
const TABLE: &str = "console-table";
#[cfg(feature = "table")]
const SHOWN: &str = "127.0.0.1:8080";
#[cfg(feature = "table")]
const SHOWN_TO_OPERATORS: &str = "127.0.0.1:9080";

/// Languages of examples that need a build with `war watch`, or one with every command.
const WATCH: &str = "console-watch";
const ALL: &str = "console-all";

/// Language of examples that need minisign, jq, or the tools of `.ci/deep --install tools`.
const TOOLS: &str = "console-tools";

/// Number that the pages show in place of the number of a new key.
const SHOWN_KEY: &str = "6447C41A8B7C4B36";

/// Runs a page's examples.
struct Session {
    sandbox: Sandbox,
    #[cfg(feature = "table")]
    server: Option<Server>,
}

impl Session {
    fn new() -> Self {
        let sandbox = Sandbox::new();
        for directory in ["journals", "docs"] {
            let target = project().join(directory);
            std::os::unix::fs::symlink(target, sandbox.path(directory)).expect("a link");
        }
        Self {
            sandbox,
            #[cfg(feature = "table")]
            server: None,
        }
    }

    /// Standard output and standard error of a command.
    fn run(&mut self, command: &str) -> String {
        #[cfg(feature = "table")]
        {
            if let Some(options) = command.strip_prefix("war serve") {
                let options: Vec<_> = options.split_whitespace().collect();
                let server = self.server.insert(Server::start(&self.sandbox, &options));
                let opening = server.opening.replace(&server.address, SHOWN);
                return opening.replace(&server.admin, SHOWN_TO_OPERATORS);
            }
            if let Some(server) = &self.server {
                let output = self.shell(&command.replace(SHOWN, &server.address));
                return output.replace(&server.address, SHOWN);
            }
        }
        self.shell(command)
    }

    fn shell(&self, command: &str) -> String {
        let binary = Path::new(env!("CARGO_BIN_EXE_war"));
        let directory = binary.parent().expect("its directory").display();
        let path = std::env::var("PATH").unwrap_or_default();
        let tools = project().join("target/tools-venv/bin");
        let mut shell = Command::new("sh");
        shell
            .args(["-c", &format!("exec 2>&1; {command}")])
            .current_dir(self.sandbox.path("."))
            .env_clear()
            .env("PATH", format!("{directory}:{}:{path}", tools.display()))
            .env("HOME", self.sandbox.path("."))
            .env("TZ", "UTC");
        with_shown_kernel(&with_shown_key(&Run::of(&mut shell).stdout))
    }
}

/// Replaces the number of every key by the one shown.
fn with_shown_key(output: &str) -> String {
    let mut parts = output.split(" key ");
    let mut shown = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let number = part.get(..SHOWN_KEY.len());
        let is_number = |text: &str| text.bytes().all(|digit| digit.is_ascii_hexdigit());
        let rest = number.filter(|text| is_number(text)).map_or(0, str::len);
        let key = if rest == 0 { "" } else { SHOWN_KEY };
        shown += &format!(" key {key}{}", &part[rest..]);
    }
    shown
}

/// Replaces the name of this processor's kernel by the one shown.
fn with_shown_kernel(output: &str) -> String {
    let shown = "kernel:     avx512\n";
    ["simd128", "portable"]
        .iter()
        .fold(output.to_owned(), |output, kernel| {
            output.replace(&format!("kernel:     {kernel}\n"), shown)
        })
}

/// Examples of a page that this build can run, either those with other tools or the rest.
fn examples_of(page: &Page, tools: bool) -> Vec<Example> {
    let runs = |language| match language {
        TABLE => cfg!(feature = "table"),
        WATCH => cfg!(feature = "watch"),
        ALL => cfg!(all(feature = "table", feature = "watch")),
        TOOLS => tools,
        language => language == "console",
    };
    let blocks = page.blocks().into_iter();
    let blocks = blocks.filter(|block| runs(block.language));
    blocks.flat_map(|block| examples(&block)).collect()
}

/// Runs a page's examples, and returns descriptions of those with a different output.
fn checked(page: &Page, tools: bool) -> Vec<String> {
    let mut session = Session::new();
    let mut wrong = Vec::new();
    for example in examples_of(page, tools) {
        let output = session.run(&example.command);
        if !example.fits(&output) {
            let (page, command) = (&page.name, &example.command);
            let shown = example.shown.join("\n");
            wrong.push(format!("{page}: $ {command}\n{output}\nshown:\n{shown}\n"));
        }
    }
    wrong
}

/// Runs a page's examples, and updates the output shown.
fn renew(page: &mut Page, tools: bool) {
    let mut session = Session::new();
    let renewed = examples_of(page, tools).into_iter().map(|example| {
        let output = session.run(&example.command);
        let lines = if example.fits(&output) {
            example.shown
        } else {
            example.renewed(&output)
        };
        (example.lines, lines)
    });
    // Backwards, so that earlier positions stay valid.
    let renewed: Vec<_> = renewed.collect();
    for (range, lines) in renewed.into_iter().rev() {
        page.lines.splice(range, lines);
    }
    page.write();
}

/// Checks the examples of these pages, or updates them.
#[track_caller]
fn check(mut pages: Vec<Page>, tools: bool) {
    if std::env::var_os("UPDATE_EXAMPLES").is_some() {
        for page in &mut pages {
            renew(page, tools);
        }
        return;
    }
    let wrong: Vec<String> = thread::scope(|scope| {
        let runs = pages.iter();
        let runs = runs.map(|page| scope.spawn(move || checked(page, tools)));
        let runs: Vec<_> = runs.collect();
        let ends = runs.into_iter().map(|run| run.join().expect("it runs"));
        ends.flatten().collect()
    });
    assert!(
        wrong.is_empty(),
        "{}\n`UPDATE_EXAMPLES=1` shows what is printed now",
        wrong.join("\n")
    );
}

#[test]
fn every_example_prints_the_output_shown() {
    let pages = Page::all();
    let count = pages.iter().map(|page| examples_of(page, false).len());
    let count: usize = count.sum();
    assert!(count > 50, "{count} examples were found");
    check(pages, false);
}

#[test]
#[ignore = "needs minisign, jq and data tools; `.ci/deep` installs them"]
fn every_example_with_other_tools_prints_the_output_shown() {
    let mut pages = Page::all();
    pages.retain(|page| !page.blocks_in(TOOLS).is_empty());
    assert!(pages.len() > 1, "{} pages were found", pages.len());
    check(pages, true);
}

/// Example that shows these lines.
fn showing(shown: &[&str]) -> Example {
    Example {
        command: "war".to_owned(),
        shown: shown.iter().map(|&line| line.to_owned()).collect(),
        lines: 0..0,
    }
}

#[test]
fn an_ellipsis_matches_any_lines() {
    for (shown, output, fits) in [
        (&["a", "b"][..], "a\nb\n", true),
        (&["a", "b"], "a\n", false),
        (&["a"], "a\nb\n", false),
        (&[], "a\n", false),
        (&["a", "...", "d"], "a\nb\nc\nd\n", true),
        (&["a", "...", "d"], "a\nd\n", true),
        (&["a", "...", "a"], "a\n", false),
        (&["...", "b", "...", "d"], "a\nb\nc\nd\n", true),
        (&["...", "c", "...", "b", "..."], "a\nb\nc\nd\n", false),
    ] {
        assert_eq!(showing(shown).fits(output), fits, "{shown:?} {output:?}");
    }
}

#[test]
fn an_update_keeps_ellipses() {
    let example = showing(&["game 1", "...", "player 2 won", "digest 12ab", "..."]);
    let output = "game 1\nturn 1\nturn 2\nplayer 2 has won\ndigest 34cd\nhint: more\n";
    let renewed = ["game 1", "...", "player 2 has won", "digest 34cd", "..."];
    assert_eq!(example.renewed(output), renewed);
    let example = showing(&["rules: 2", "games: 500"]);
    let renewed = ["rules: 2", "seed: 1", "games: 500"];
    assert_eq!(example.renewed("rules: 2\nseed: 1\ngames: 500\n"), renewed);
    assert_eq!(example.renewed("rules: 2\n"), ["rules: 2"]);
}
