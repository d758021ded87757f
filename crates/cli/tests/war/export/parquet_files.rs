//! Exports as Parquet, read back.

use super::{exported, goldens, parsed};
use crate::support::{Run, Sandbox, project};
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::Field;
use serde_json::{Value, json};
use std::fs;

fn as_json(field: &Field) -> Value {
    match field {
        Field::Null => Value::Null,
        Field::Bool(bool) => json!(bool),
        Field::Long(number) => json!(number),
        Field::ULong(number) => json!(number),
        Field::Str(text) => json!(text),
        Field::ListInternal(list) => list.elements().iter().map(as_json).collect(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn parquet_has_the_same_rows() {
    let sandbox = Sandbox::new();
    let goldens = goldens(&sandbox);
    let rows = parsed(&exported(&sandbox, &[], &goldens));
    let options = ["--format", "Parquet", "--output", "rows.parquet"];
    assert_eq!(exported(&sandbox, &options, &goldens), "");
    let file = fs::File::open(sandbox.path("rows.parquet")).expect("the file");
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
fn a_damaged_journal_exports_no_parquet_file() {
    let sandbox = Sandbox::new();
    let journal = fs::read_to_string(project().join("journals/classic_dealt_won.json"));
    let damaged = journal
        .expect("a journal")
        .replace("\"turn\":9,", "\"turn\":8,");
    sandbox.write("damaged.json", damaged);
    let args = ["journal", "export", "damaged.json", "--format", "parquet"];
    let run = Run::of(&mut sandbox.command(&args)).exits_with(1);
    // A file without its footer is not a valid table.
    assert!(!run.stdout.ends_with("PAR1"), "{run:#?}");
}
