//! Tables of `docs/guides/how-long.md`, compared with fewer games of another seed.
//!
//! A table follows the command that makes its rows. A heading that is an option is added to that
//! command, with the value in the row.

use super::page::Page;
use crate::support::Sandbox;
use serde_json::Value;

/// Seed of the games below. The page's figures are of seed 1. Both were chosen before any game was
/// played.
const SEED: &str = "1000";

/// Maximum distance of two figures, in standard errors of their difference.
const MAX_ERRORS: f64 = 4.0;

/// Row of a table.
struct Row {
    /// Command without seed and number of games.
    command: Vec<String>,
    /// Number of games on the page.
    games: u64,
    /// Headings that aren't options, and their cells.
    figures: Vec<(String, String)>,
}

/// Figure with its standard error; a figure without one is a quantile, and rounded to whole turns.
struct Figure {
    value: f64,
    error: Option<f64>,
}

impl Row {
    /// Returns true if a thousand games of this row take seconds in a build for development.
    fn is_slow(&self) -> bool {
        let slow = ["shrink", "seat", "seat-interleaved", "two-turned"];
        self.command
            .iter()
            .any(|word| slow.contains(&word.as_str()))
    }
}

/// Cells of a table's line, without the marks of code.
fn cells(line: &str) -> Vec<String> {
    let cells = line.trim_matches('|').split('|');
    cells
        .map(|cell| cell.trim().trim_matches('`').to_owned())
        .collect()
}

/// Removes an option from a command, and returns its value.
fn take_option(command: &mut Vec<String>, option: &str) -> Option<String> {
    let at = command.iter().position(|word| word == option)?;
    command.drain(at..at + 2).nth(1)
}

/// Rows of the tables that follow a command.
fn rows(page: &Page) -> Vec<Row> {
    let mut rows = Vec::new();
    for block in page.blocks() {
        let text = block.text();
        let Some(command) = text.trim().strip_prefix("war simulate ") else {
            continue;
        };
        let after = page.lines[block.lines.end + 1..].iter();
        let lines = after.skip_while(|line| line.is_empty());
        let mut lines = lines.take_while(|line| line.starts_with('|'));
        let Some(headings) = lines.next().map(|line| cells(line)) else {
            continue;
        };
        for line in lines.skip(1) {
            let mut words: Vec<_> = command.split(' ').map(str::to_owned).collect();
            let cells = headings.iter().cloned().zip(cells(line));
            let (options, figures): (Vec<_>, _) =
                cells.partition(|(heading, _)| heading.starts_with("--"));
            words.extend(options.into_iter().flat_map(<[String; 2]>::from));
            assert_eq!(take_option(&mut words, "--seed").as_deref(), Some("1"));
            let games = take_option(&mut words, "--games").expect("a number of games");
            rows.push(Row {
                command: words,
                games: games.parse().expect("a number of games"),
                figures,
            });
        }
    }
    rows
}

fn number(text: &str) -> f64 {
    text.replace(',', "").parse().expect(text)
}

fn shown(cell: &str) -> Figure {
    match cell.split_once(" ± ") {
        Some((value, error)) => Figure {
            value: number(value),
            error: Some(number(error)),
        },
        None => Figure {
            value: number(cell),
            error: None,
        },
    }
}

fn float(value: &Value) -> f64 {
    value.as_f64().expect("a number")
}

/// Compares a figure of the page with that of a run; `None` if they agree.
fn compare(heading: &str, cell: &str, run: &Value) -> Option<String> {
    let games = float(&run["games"]);
    if heading == "endless %" {
        let endless = float(&run["outcomes"]["endless"]);
        let never = cell == "0" || cell.starts_with('<');
        let page = if never {
            0.0
        } else {
            shown(cell).value / 100.0
        };
        let error = (page * (1.0 - page) / games).sqrt();
        let page_error = if never {
            0.0
        } else {
            shown(cell).error? / 100.0
        };
        let apart = (endless / games - page).abs();
        let agrees = apart <= MAX_ERRORS * error.hypot(page_error);
        return (!agrees).then(|| format!("{cell}, but {endless} of {games} games are endless"));
    }
    if let "2.5%" | "97.5%" = heading {
        return compare_quantile(heading, cell, run);
    }
    let (ours, error) = match heading {
        "turns" => (&run["turns"]["mean"], &run["turns"]["se"]),
        "pairs" => (&run["pairs"]["mean"], &run["pairs"]["se"]),
        "median" => (&run["turns"]["median"], &run["turns"]["median_se"]),
        "95%" => (&run["turns"]["p95"], &run["turns"]["p95_se"]),
        _ => panic!("no figure is called `{heading}`"),
    };
    let page = shown(cell);
    // A quantile is a whole number of turns.
    let rounding = if page.error.is_some() { 0.0 } else { 1.0 };
    let error = float(error).hypot(page.error.unwrap_or(0.0));
    let apart = (float(ours) - page.value).abs();
    let agrees = apart <= MAX_ERRORS * error + rounding;
    (!agrees).then(|| format!("{cell}, but now {ours}, at most {MAX_ERRORS} * {error:.3} apart"))
}

/// Compares a quantile of the page with a run's histogram: its rank may differ by a few standard
/// errors. The page's own error is small beside that.
fn compare_quantile(heading: &str, cell: &str, run: &Value) -> Option<String> {
    let share = number(heading.trim_end_matches('%')) / 100.0;
    let page = shown(cell).value;
    let (mut games, mut shorter, mut not_longer) = (0.0, 0.0, 0.0);
    for bin in run["histogram"].as_array().expect("a histogram") {
        let (turns, count) = (float(&bin[0]), float(&bin[1]));
        games += count;
        shorter += if turns < page { count } else { 0.0 };
        not_longer += if turns <= page { count } else { 0.0 };
    }
    let margin = MAX_ERRORS * (share * (1.0 - share) / games).sqrt();
    let agrees = shorter / games <= share + margin && not_longer / games >= share - margin;
    (!agrees).then(|| format!("{cell}, but {shorter} of {games} games are shorter"))
}

/// Plays a row, and returns the figures that differ.
fn differences(row: &Row, games: u64) -> Vec<String> {
    let games = games.to_string();
    let mut arguments = vec!["simulate"];
    arguments.extend(row.command.iter().map(String::as_str));
    arguments.extend(["--seed", SEED, "--games", &games, "--json", "-"]);
    let played = Sandbox::new().war(&arguments).exits_with(0);
    let run: Value = serde_json::from_str(&played.stdout).expect("JSON");
    let compared = row.figures.iter().filter_map(|(heading, cell)| {
        let difference = compare(heading, cell, &run)?;
        Some(format!("{}: {heading} {difference}", row.command.join(" ")))
    });
    compared.collect()
}

#[track_caller]
fn check(rows: &[Row], games: u64) {
    let differing: Vec<_> = rows
        .iter()
        .flat_map(|row| differences(row, games))
        .collect();
    assert!(differing.is_empty(), "{}", differing.join("\n"));
}

#[test]
fn how_long_games_last_is_the_same_in_other_games() {
    let mut rows = rows(&Page::read("docs/guides/how-long.md"));
    rows.retain(|row| !row.is_slow());
    assert!(rows.len() > 15, "{} rows", rows.len());
    check(&rows, 8_000);
}

#[test]
#[ignore = "takes a minute in a release build: `.ci/deep lengths`"]
fn how_long_games_last_is_the_same_in_many_other_games() {
    let rows = rows(&Page::read("docs/guides/how-long.md"));
    assert!(rows.len() > 40, "{} rows", rows.len());
    let (slow, fast): (Vec<_>, Vec<_>) = rows.into_iter().partition(Row::is_slow);
    check(&fast, 200_000);
    check(&slow, 20_000);
}

// The page says so, in place of rows of their own.
#[test]
fn some_rules_for_running_out_of_cards_end_games_alike() {
    let played = |face_down, rule| {
        let options = ["simulate", "--seed", SEED, "--games", "2000", "--csv", "-"];
        let rules = ["--collect", "winner-first", "--face-down", face_down];
        let rule = ["--out-of-cards", rule];
        let arguments = [&options[..], &rules, &rule].concat();
        Sandbox::new().war(&arguments).exits_with(0).stdout
    };
    for face_down in ["0", "1", "3"] {
        assert_eq!(played(face_down, "eoc"), played(face_down, "loses"));
    }
    assert_eq!(played("0", "last-card"), played("0", "loses"));
    assert_ne!(played("3", "last-card"), played("3", "loses"));
}

#[test]
fn the_page_begins_with_the_answer() {
    let page = Page::read("docs/guides/how-long.md");
    let answer = &rows(&page)[0];
    assert!(answer.games >= 100_000_000, "{} games", answer.games);
    let cell = |heading: &str| {
        let mut figures = answer.figures.iter();
        &figures.find(|known| known.0 == heading).expect(heading).1
    };
    let (low, high) = (cell("2.5%"), cell("97.5%"));
    let beginning = page.lines[2..4].join(" ");
    for shown in [
        format!("A game of War lasts {} turns on average", cell("turns")),
        format!("Half of the games last at most {} turns", cell("median")),
        format!("95% of them take {low} to {high}."),
    ] {
        assert!(beginning.contains(&shown), "{shown}: {beginning}");
    }
}
