//! `war journal export`: rows of every golden journal, compared with the journal's JSON.

mod expected;
#[cfg(feature = "parquet")]
mod parquet_files;
#[cfg(feature = "parquet")]
mod readers;

use super::support::{Run, Sandbox, files, project};
use expected::{expected, read};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};
use war::export::COLUMNS;

/// The golden journals, and a journal with a drawn turn, which no golden journal has.
fn goldens(sandbox: &Sandbox) -> Vec<String> {
    let drawn = sandbox.path("drawn.json").display().to_string();
    sandbox
        .war(&["xy", "22", "--no-log", "--journal", &drawn])
        .exits_with(0);
    let goldens = [".json", ".jsonl"].map(|suffix| files("journals", suffix));
    // Compact journals of version 2 omit computable values.
    let is_full = |path: &PathBuf| {
        read(path)
            .1
            .iter()
            .all(|record| record.get("seq").is_some())
    };
    let goldens = goldens.concat().into_iter().filter(is_full);
    let goldens = goldens.map(|path| path.display().to_string());
    goldens.chain([drawn]).collect()
}

/// Output of an export of these files.
fn exported(sandbox: &Sandbox, options: &[&str], files: &[String]) -> String {
    let files: Vec<_> = files.iter().map(String::as_str).collect();
    let run = sandbox.war(&[&["journal", "export"], options, &files].concat());
    assert!([0, 3].contains(&run.code), "{run:#?}");
    run.stdout
}

fn parsed(lines: &str) -> Vec<Value> {
    let rows = lines.lines().map(serde_json::from_str);
    rows.collect::<Result<_, _>>().expect("JSON")
}

#[test]
fn every_golden_journal_exports_the_rows_of_its_json() {
    let sandbox = Sandbox::new();
    let goldens = goldens(&sandbox);
    let expected: Vec<_> = goldens
        .iter()
        .flat_map(|path| expected(path.as_ref()))
        .collect();
    let rows = parsed(&exported(&sandbox, &[], &goldens));
    assert!(rows.len() > 1000, "{} rows", rows.len());
    for (row, expected) in rows.iter().zip(&expected) {
        assert_eq!(row, expected);
    }
    assert_eq!(rows.len(), expected.len());
    // Every kind of event occurs: 12 of War and 10 of token games, with one name in common.
    let kinds: BTreeSet<_> = rows.iter().map(|row| row["event"].to_string()).collect();
    assert_eq!(kinds.len(), 21, "{kinds:?}");
}

/// A value in CSV.
fn as_csv(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        Value::Array(list) => {
            let texts = list.iter().any(Value::is_string);
            let list: Vec<_> = list.iter().map(as_csv).collect();
            list.join(if texts { "\t" } else { " " })
        }
        other => other.to_string(),
    }
}

#[test]
fn seeds_of_every_kind_have_columns_of_their_own() {
    let sandbox = Sandbox::new();
    let seeds = |journal: &str| {
        let rows = parsed(&exported(&sandbox, &[], &[journal.to_owned()]));
        let names = ["seed", "game", "xy_seed", "table_seed"];
        names.map(|name| rows[0][name].clone())
    };
    let recorded = |args: &[&str]| {
        sandbox
            .war(&[args, &["--journal", "game.json"]].concat())
            .exits_with(0);
        let found = seeds("game.json");
        fs::remove_file(sandbox.path("game.json")).expect("the journal");
        found
    };
    let null = Value::Null;
    let largest = u64::MAX.to_string();
    assert_eq!(
        recorded(&["2", "small", "--seed", &largest]),
        [json!(u64::MAX), null.clone(), null.clone(), null.clone()]
    );
    let of_run = [
        "simulate",
        "--deck",
        "small",
        "--game",
        "12345678901234567891:30",
    ];
    assert_eq!(
        recorded(&of_run),
        [
            json!(12_345_678_901_234_567_891_u64),
            json!(30),
            null.clone(),
            null.clone()
        ]
    );
    assert_eq!(
        recorded(&["xy", "--seed", "-22"]),
        [null.clone(), null.clone(), json!(-22), null.clone()]
    );
    let tokens = project().join("journals/single_card_2_forfeited.json");
    let seed = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";
    let tokens = tokens.display().to_string();
    assert_eq!(
        seeds(&tokens),
        [null.clone(), null.clone(), null, json!(seed)]
    );
}

#[test]
fn csv_has_the_same_rows() {
    let sandbox = Sandbox::new();
    // A name that CSV has to quote.
    let odd = "a, \"b\".json";
    let journal = fs::read(project().join("journals/classic_dealt_won.json"));
    sandbox.write(odd, journal.expect("a journal"));
    let mut files = goldens(&sandbox);
    files.push(odd.to_owned());
    let rows = parsed(&exported(&sandbox, &[], &files));
    let table = exported(&sandbox, &["--format", "csv"], &files);
    let mut table = csv::Reader::from_reader(table.as_bytes());
    let names: Vec<_> = COLUMNS.iter().map(|column| column.name).collect();
    assert_eq!(table.headers().expect("a header"), &names);
    let records: Vec<_> = table
        .records()
        .map(|record| record.expect("a record"))
        .collect();
    assert_eq!(records.len(), rows.len());
    for (record, row) in records.iter().zip(&rows) {
        let fields: Vec<_> = names.iter().map(|name| as_csv(&row[name])).collect();
        assert_eq!(record, &fields);
    }
}

/// A golden journal, a truncated copy, and a damaged one.
fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    let journal = fs::read_to_string(project().join("journals/classic_dealt_won.json"));
    let journal = journal.expect("a journal");
    sandbox.write("cut.json", &journal[..3000]);
    sandbox.write(
        "damaged.json",
        journal.replace("\"turn\":9,", "\"turn\":8,"),
    );
    sandbox.write("whole.json", journal);
    sandbox
}

#[test]
fn an_output_file_is_created_only_if_every_journal_is_intact() {
    let sandbox = sandbox();
    sandbox.write("rows.csv", "mine");
    let export = |files: &[&str]| {
        let options = [
            "journal", "export", "--format", "csv", "--output", "rows.csv",
        ];
        sandbox.war(&[&options, files].concat())
    };
    for (files, code) in [
        (&["damaged.json"][..], 1),
        (&["whole.json", "damaged.json"], 1),
        (&["whole.json", "missing.json"], 4),
    ] {
        let run = export(files).exits_with(code);
        run.reports("`rows.csv` was not written");
        assert_eq!(sandbox.read("rows.csv"), "mine");
        let left = names(&sandbox);
        assert!(
            !left.iter().any(|name| name.starts_with("rows.csv.")),
            "{left:?}"
        );
    }
    let run = export(&["whole.json", "cut.json"]).exits_with(3);
    let run = run
        .reports("VERIFIED whole.json")
        .reports("INCOMPLETE cut.json");
    assert_eq!(run.stdout, "");
    let rows = sandbox.read("rows.csv");
    assert_eq!(rows.matches("whole.json,").count(), 53);
    assert_eq!(rows.matches("cut.json,").count(), 15);
}

#[test]
fn standard_output_gets_the_events_before_a_fault() {
    let sandbox = sandbox();
    let run = sandbox
        .war(&["journal", "export", "damaged.json"])
        .exits_with(1);
    let run = run.reports("WJ202").reports("DAMAGED damaged.json");
    let events = parsed(&run.stdout);
    let told = format!("{} events before this point are intact", events.len());
    run.reports(&told);
    assert!(events.iter().all(|row| row["turn"].as_u64() < Some(9)));
    assert!(events.len() > 10);
}

#[test]
fn standard_input_and_devices_can_be_exported() {
    let sandbox = sandbox();
    let journal = sandbox.read("whole.json");
    let run = sandbox.war_reading(journal.as_bytes(), &["journal", "export", "-"]);
    let rows = parsed(&run.exits_with(0).stdout);
    assert_eq!((rows.len(), &rows[0]["journal"]), (53, &json!("-")));
    let args = ["journal", "export", "whole.json", "--output", "/dev/full"];
    sandbox.war(&args).exits_with(4).reports("no space left");
    let args = ["journal", "export", "whole.json", "--output", "no/rows.csv"];
    sandbox.war(&args).exits_with(4);
}

#[cfg(unix)]
#[test]
fn an_interrupted_export_leaves_nothing_behind() {
    let sandbox = sandbox();
    let args = ["journal", "export", "-", "--output", "rows.ndjson"];
    let mut command = sandbox.command(&args);
    let mut program = command.stdin(Stdio::piped()).spawn().expect("the program");
    // Standard input stays open, since the export would end with its input.
    let _input = program.stdin.take();
    let is_part = |name: &str| name.starts_with("rows.ndjson.");
    let wait = Instant::now();
    while !names(&sandbox).iter().any(|name| is_part(name)) {
        assert!(
            wait.elapsed() < Duration::from_secs(30),
            "{:?}",
            names(&sandbox)
        );
        sleep(Duration::from_millis(10));
    }
    let kill = format!("kill -INT {}", program.id());
    Run::of(Command::new("sh").args(["-c", &kill])).exits_with(0);
    assert_eq!(program.wait().expect("it ends").code(), Some(3));
    let left = names(&sandbox);
    assert!(
        !left.iter().any(|name| name.starts_with("rows")),
        "{left:?}"
    );
}

/// File names in a directory.
fn names(sandbox: &Sandbox) -> Vec<String> {
    let entries = fs::read_dir(sandbox.path("")).expect("the directory");
    let names = entries.map(|entry| entry.expect("a file").file_name());
    names
        .map(|name| name.to_string_lossy().into_owned())
        .collect()
}

#[test]
fn a_journal_with_only_a_header_exports_no_rows() {
    let sandbox = sandbox();
    let header = sandbox.read("whole.json");
    let header = header.lines().next().expect("a header").to_owned();
    sandbox.write("header.json", header);
    let run = sandbox
        .war(&["journal", "export", "header.json"])
        .exits_with(3);
    assert_eq!(run.stdout, "");
    let args = ["journal", "export", "header.json", "--format", "csv"];
    let run = sandbox.war(&args).exits_with(3);
    assert_eq!(run.stdout.lines().count(), 1);
}

/// Rows of the book's table of columns: name, type, and the events with that column.
fn documented() -> Vec<[String; 3]> {
    let page = fs::read_to_string(project().join("docs/reference/export-columns.md"));
    let page = page.expect("the page");
    let page = page.split("\n## ").next().expect("the table");
    let rows = page.lines().filter(|line| line.starts_with("| `"));
    let cells = rows.map(|row| {
        let mut cells = row.trim_matches('|').split(" | ").map(str::trim);
        let mut cell = || cells.next().expect("a cell").to_owned();
        [cell().replace('`', ""), cell(), cell()]
    });
    cells.collect()
}

#[test]
fn the_book_has_every_column_with_its_type() {
    let documented = documented();
    let columns = COLUMNS.map(|column| [column.name, column.kind.name()]);
    let shown: Vec<_> = documented
        .iter()
        .map(|[name, kind, _]| [name.as_str(), kind])
        .collect();
    assert_eq!(shown, columns);
}

#[test]
fn the_book_says_which_events_have_a_column() {
    let sandbox = Sandbox::new();
    let rows = parsed(&exported(&sandbox, &[], &goldens(&sandbox)));
    let mut events: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for row in &rows {
        let event = row["event"].as_str().expect("a name");
        let columns = row.as_object().expect("a row").iter();
        let there = columns.filter(|(_, value)| !value.is_null());
        for (name, _) in there {
            events.entry(name).or_default().insert(event);
        }
    }
    for [name, _, told] in documented() {
        let found = events.remove(name.as_str()).unwrap_or_default();
        if told.starts_with("all") {
            // Seeds of one kind don't come with all events.
            let least = if told == "all" { 12 } else { 8 };
            assert!(found.len() >= least, "{name}: {found:?}");
            continue;
        }
        let told: BTreeSet<_> = told.split('`').skip(1).step_by(2).collect();
        let rare = |event: &&str| !["endless", "stopped", "war_round"].contains(event);
        let missing: Vec<_> = told.difference(&found).copied().filter(rare).collect();
        assert_eq!(missing, [""; 0], "{name}");
        assert!(
            found.is_subset(&told),
            "{name}: {found:?} are not all of {told:?}"
        );
    }
}
