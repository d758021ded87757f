//! `war journal export`: the rows of every golden journal, compared with what its JSON says.

use super::support::{Place, files, project};
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use war::export::COLUMNS;

/// The columns that a journal's own JSON has for an event, in the words of the book.
struct Expected {
    header: Value,
    hands: Vec<usize>,
    table: usize,
}

impl Expected {
    fn new(header: Value) -> Self {
        Self {
            header,
            hands: Vec::new(),
            table: 0,
        }
    }

    fn is_of_tokens(&self) -> bool {
        self.header["deal"].get("committed").is_some()
    }

    /// The row of a record.
    fn row(&mut self, journal: &str, record: &Value) -> Value {
        let event = record["event"].as_object().expect("an event");
        let (name, fields) = event.iter().next().expect("its name");
        let mut row: Map<String, Value> = COLUMNS
            .iter()
            .map(|column| (column.name.to_owned(), Value::Null))
            .collect();
        let mut set = |name: &str, value: Value| {
            let old = row.insert(name.to_owned(), value);
            assert_eq!(old, Some(Value::Null), "{name} is a column, set once");
        };
        set("journal", json!(journal));
        set("rules", self.header["rules"]["id"].clone());
        let deal = self.header["deal"].as_object().expect("a deal");
        set(
            "seed",
            deal.values().next().expect("a deal")["seed"].clone(),
        );
        for name in ["seq", "turn", "state"] {
            set(name, record[name].clone());
        }
        set("event", json!(name));
        let cards = moved_cards(fields);
        self.moved(name, &cards);
        let of_one = |name: &str| fields.get(name).cloned();
        match name.as_str() {
            "clash" => {
                let ranks: Vec<_> = cards.iter().map(|card| rank(&card.1)).collect();
                let highest = ranks.iter().max();
                let shared = ranks.iter().filter(|rank| Some(*rank) == highest).count() > 1;
                set("war", json!(shared));
            }
            "war_round" => set("round", fields["round"].clone()),
            "won" => set("winner", fields["player"].clone()),
            "stopped" => set("winner", fields["winner"].clone()),
            "endless" => set("repeats_from", fields["from"].clone()),
            "started" => set("names", fields["players"].clone()),
            "settled" => {
                set("deltas", fields["deltas"].clone());
                let deltas = fields["deltas"].as_array().expect("a list");
                let winner = deltas.iter().position(|delta| delta.as_i64() > Some(0));
                set("winner", json!(winner.map(|index| index + 1)));
            }
            _ => {}
        }
        if name != "won" {
            set("player", of_one("player").unwrap_or_default());
        }
        set("step", of_one("step").unwrap_or_default());
        set("decision", of_one("decision").unwrap_or_default());
        set("timed_out", of_one("timed_out").unwrap_or_default());
        set("client_seed", of_one("value").unwrap_or_default());
        if !cards.is_empty() {
            let players = cards.iter().map(|(player, _, _)| json!(player));
            set("players", players.collect());
            let ranks = cards.iter().map(|(_, card, _)| json!(rank(card)));
            set("cards", ranks.collect());
            if self.is_of_tokens() {
                let suit = |card: &Value| json!(&card.as_str().expect("a card")[1..]);
                set(
                    "suits",
                    cards.iter().map(|(_, card, _)| suit(card)).collect(),
                );
            }
            if fields.get("plays").is_some() {
                let indexes = cards.iter().map(|(_, _, index)| json!(index));
                set("indexes", indexes.collect());
            }
        }
        set("hand_sizes", json!(self.hands));
        if !self.is_of_tokens() {
            set("on_table", json!(self.table));
        }
        row.into()
    }

    /// Counts the cards of hands and table on.
    fn moved(&mut self, event: &str, cards: &[(usize, Value, usize)]) {
        let of = |player: usize| cards.iter().filter(|card| card.0 == player).count();
        match event {
            "dealt" => {
                let players = number(&self.header["players"]);
                self.hands = (1..=players).map(of).collect();
            }
            "started" | "tied" => self.hands = vec![0, 0],
            "clash" | "face_down" | "war_round" => {
                for (player, _, _) in cards {
                    self.hands[player - 1] -= 1;
                }
                self.table += cards.len();
            }
            "collected" | "drawn" => {
                for (player, _, _) in cards {
                    self.hands[player - 1] += 1;
                }
                self.table = 0;
            }
            _ => {}
        }
    }
}

/// The player, the card and its index for each card of an event.
fn moved_cards(fields: &Value) -> Vec<(usize, Value, usize)> {
    let lists = |name: &str| fields[name].as_array().cloned().unwrap_or_default();
    let mut cards = Vec::new();
    for (index, hand) in lists("hands").iter().enumerate() {
        let hand = hand.as_array().expect("a hand").iter();
        cards.extend(hand.map(|card| (index + 1, card.clone(), 0)));
    }
    for play in lists("plays") {
        let index = number(&play["index"]);
        cards.push((number(&play["player"]), play["card"].clone(), index));
    }
    for take in lists("takes") {
        let taken = take["cards"].as_array().expect("cards").iter();
        cards.extend(taken.map(|card| (number(&take["player"]), card.clone(), 0)));
    }
    let player = number(&fields["player"]);
    cards.extend(lists("cards").into_iter().map(|card| (player, card, 0)));
    cards
}

/// A number, or 0 where there is none.
fn number(value: &Value) -> usize {
    let number = value.as_u64().unwrap_or_default();
    usize::try_from(number).expect("a small number")
}

/// The rank of a card, a number or a text such as `Jc`.
fn rank(card: &Value) -> usize {
    card.as_str().map_or_else(
        || number(card),
        |card| 2 + "23456789TJQKA".find(&card[..1]).expect("a rank"),
    )
}

/// The header and the records of a journal: one document in version 1, and a line each in
/// version 2.
fn read(path: &Path) -> (Value, Vec<Value>) {
    let text = fs::read_to_string(path).expect("a journal");
    if let Ok(journal) = serde_json::from_str::<Value>(&text) {
        let events = journal["events"].as_array().expect("events").clone();
        return (journal, events);
    }
    let mut records = parsed(&text);
    let header = records.remove(0);
    records.retain(|record| record.get("event").is_some());
    (header, records)
}

/// The rows that a journal's own JSON makes.
fn expected(path: &Path) -> Vec<Value> {
    let (header, records) = read(path);
    let mut expected = Expected::new(header);
    let name = path.display().to_string();
    let rows = records.iter().map(|record| expected.row(&name, record));
    rows.collect()
}

/// The golden journals, and one with a drawn turn, which none of them has.
fn goldens(place: &Place) -> Vec<String> {
    let drawn = place.path("drawn.json").display().to_string();
    place
        .war(&["xy", "22", "--no-log", "--journal", &drawn])
        .ends_with(0);
    // Those in the short form of version 2 leave out what can be computed.
    let is_full = |path: &PathBuf| {
        read(path)
            .1
            .iter()
            .all(|record| record.get("seq").is_some())
    };
    let goldens = files("journals", ".json").into_iter().filter(is_full);
    let goldens = goldens.map(|path| path.display().to_string());
    goldens.chain([drawn]).collect()
}

/// What an export of these files prints.
fn exported(place: &Place, options: &[&str], files: &[String]) -> String {
    let files: Vec<_> = files.iter().map(String::as_str).collect();
    let run = place.war(&[&["journal", "export"], options, &files].concat());
    assert!([0, 3].contains(&run.code), "{run:#?}");
    run.stdout
}

fn parsed(lines: &str) -> Vec<Value> {
    let rows = lines.lines().map(serde_json::from_str);
    rows.collect::<Result<_, _>>().expect("JSON")
}

#[test]
fn every_golden_journal_has_the_rows_that_its_json_says() {
    let place = Place::new();
    let goldens = goldens(&place);
    let expected: Vec<_> = goldens
        .iter()
        .flat_map(|path| expected(path.as_ref()))
        .collect();
    let rows = parsed(&exported(&place, &[], &goldens));
    assert!(rows.len() > 1000, "{} rows", rows.len());
    for (row, expected) in rows.iter().zip(&expected) {
        assert_eq!(row, expected);
    }
    assert_eq!(rows.len(), expected.len());
    // Every kind of event is among them: 12 of War and 6 of token games, with one name in common.
    let kinds: BTreeSet<_> = rows.iter().map(|row| row["event"].to_string()).collect();
    assert_eq!(kinds.len(), 17, "{kinds:?}");
}

/// A value as CSV has it.
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
fn csv_has_the_same_rows() {
    let place = Place::new();
    // A name that CSV has to quote.
    let odd = "a, \"b\".json";
    let journal = fs::read(project().join("journals/classic_dealt_won.json"));
    place.write(odd, journal.expect("a journal"));
    let mut files = goldens(&place);
    files.push(odd.to_owned());
    let rows = parsed(&exported(&place, &[], &files));
    let table = exported(&place, &["--format", "csv"], &files);
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

#[cfg(feature = "parquet")]
mod parquet_files {
    use super::*;
    use parquet::file::reader::{FileReader, SerializedFileReader};
    use parquet::record::Field;

    fn as_json(field: &Field) -> Value {
        match field {
            Field::Null => Value::Null,
            Field::Bool(bool) => json!(bool),
            Field::Long(number) => json!(number),
            Field::Str(text) => json!(text),
            Field::ListInternal(list) => list.elements().iter().map(as_json).collect(),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn parquet_has_the_same_rows() {
        let place = Place::new();
        let goldens = goldens(&place);
        let rows = parsed(&exported(&place, &[], &goldens));
        let options = ["--format", "Parquet", "--output", "rows.parquet"];
        assert_eq!(exported(&place, &options, &goldens), "");
        let file = fs::File::open(place.path("rows.parquet")).expect("the file");
        let file = SerializedFileReader::new(file).expect("a Parquet file");
        let found = file.get_row_iter(None).expect("its rows");
        let found = found.map(|row| {
            let row = row.expect("a row");
            let fields = row.get_column_iter();
            Value::Object(
                fields
                    .map(|(name, field)| (name.clone(), as_json(field)))
                    .collect(),
            )
        });
        let found: Vec<_> = found.collect();
        assert_eq!(found.len(), rows.len());
        for (found, row) in found.iter().zip(&rows) {
            assert_eq!(found, row);
        }
    }

    #[test]
    fn a_damaged_journal_makes_no_parquet_file() {
        let place = Place::new();
        let journal = fs::read_to_string(project().join("journals/classic_dealt_won.json"));
        let damaged = journal
            .expect("a journal")
            .replace("\"turn\":9,", "\"turn\":8,");
        place.write("damaged.json", damaged);
        let args = ["journal", "export", "damaged.json", "--format", "parquet"];
        let run = crate::support::Run::of(&mut place.command(&args)).ends_with(1);
        // Without its end nobody takes it for a table.
        assert!(!run.stdout.ends_with("PAR1"), "{run:#?}");
    }
}

/// A golden journal, the same cut off, and the same damaged.
fn place() -> Place {
    let place = Place::new();
    let journal = fs::read_to_string(project().join("journals/classic_dealt_won.json"));
    let journal = journal.expect("a journal");
    place.write("cut.json", &journal[..3000]);
    place.write(
        "damaged.json",
        journal.replace("\"turn\":9,", "\"turn\":8,"),
    );
    place.write("whole.json", journal);
    place
}

#[test]
fn a_file_appears_only_if_every_journal_is_intact() {
    let place = place();
    place.write("rows.csv", "mine");
    let export = |files: &[&str]| {
        let options = [
            "journal", "export", "--format", "csv", "--output", "rows.csv",
        ];
        place.war(&[&options, files].concat())
    };
    for (files, code) in [
        (&["damaged.json"][..], 1),
        (&["whole.json", "damaged.json"], 1),
        (&["whole.json", "missing.json"], 4),
    ] {
        let run = export(files).ends_with(code);
        run.tells("`rows.csv` was not written");
        assert_eq!(place.read("rows.csv"), "mine");
        let left = fs::read_dir(place.path("")).expect("the directory");
        let parts = left.filter(|file| {
            let name = file.as_ref().expect("a file").file_name();
            name.to_string_lossy().ends_with(".part")
        });
        assert_eq!(parts.count(), 0, "{files:?}");
    }
    let run = export(&["whole.json", "cut.json"]).ends_with(3);
    let run = run
        .tells("VERIFIED whole.json")
        .tells("INCOMPLETE cut.json");
    assert_eq!(run.stdout, "");
    let rows = place.read("rows.csv");
    assert_eq!(rows.matches("whole.json,").count(), 53);
    assert_eq!(rows.matches("cut.json,").count(), 15);
}

#[test]
fn standard_output_gets_the_events_before_a_fault() {
    let place = place();
    let run = place
        .war(&["journal", "export", "damaged.json"])
        .ends_with(1);
    let run = run.tells("WJ202").tells("DAMAGED damaged.json");
    let events = parsed(&run.stdout);
    let told = format!("{} events before this point are intact", events.len());
    run.tells(&told);
    assert!(events.iter().all(|row| row["turn"].as_u64() < Some(9)));
    assert!(events.len() > 10);
}

#[test]
fn standard_input_and_a_device_are_files_too() {
    let place = place();
    let journal = place.read("whole.json");
    let run = place.war_reading(journal.as_bytes(), &["journal", "export", "-"]);
    let rows = parsed(&run.ends_with(0).stdout);
    assert_eq!((rows.len(), &rows[0]["journal"]), (53, &json!("-")));
    let args = ["journal", "export", "whole.json", "--output", "/dev/full"];
    place.war(&args).ends_with(4).tells("no space left");
    let args = ["journal", "export", "whole.json", "--output", "no/rows.csv"];
    place.war(&args).ends_with(4);
}

#[test]
fn nothing_but_a_header_is_a_table_of_no_rows() {
    let place = place();
    let header = place.read("whole.json");
    let header = header.lines().next().expect("a header").to_owned();
    place.write("header.json", header);
    let run = place
        .war(&["journal", "export", "header.json"])
        .ends_with(3);
    assert_eq!(run.stdout, "");
    let args = ["journal", "export", "header.json", "--format", "csv"];
    let run = place.war(&args).ends_with(3);
    assert_eq!(run.stdout.lines().count(), 1);
}

/// The rows of the book's table of columns: name, type, and the events that have it.
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
    let place = Place::new();
    let rows = parsed(&exported(&place, &[], &goldens(&place)));
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
            assert!(found.len() > 11, "{name}: {found:?}");
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
