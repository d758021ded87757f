use super::exporter::Exporter;
use super::row::{COLUMNS, Row, Value};
use ::csv::ByteRecord;

/// The format CSV (RFC 4180), with the names of the columns in its first record.
///
/// Nothing is an empty field. The numbers of a list are joined by spaces, its texts by tabs.
///
/// # Examples
///
/// ```
/// use war::export::{Csv, Exporter};
///
/// let mut table = Vec::new();
/// Csv::default().finish(&mut table);
/// assert!(table.starts_with(b"journal,rules,seed,seq,turn,event,"));
/// ```
#[derive(Debug, Default)]
pub struct Csv {
    /// Whether the names of the columns are written.
    begun: bool,
}

impl Csv {
    fn begin(&mut self, out: &mut Vec<u8>) {
        if !self.begun {
            self.begun = true;
            write(out, &COLUMNS.iter().map(|column| column.name).collect());
        }
    }
}

impl Exporter for Csv {
    fn row(&mut self, row: &Row, out: &mut Vec<u8>) {
        self.begin(out);
        let fields = COLUMNS.iter().map(|column| field(&column.value(row)));
        write(out, &fields.collect());
    }

    fn finish(&mut self, out: &mut Vec<u8>) {
        self.begin(out);
    }
}

/// Appends a record.
fn write(out: &mut Vec<u8>, record: &ByteRecord) {
    let mut writer = ::csv::Writer::from_writer(out);
    let written = writer.write_byte_record(record);
    written.expect("memory takes every byte");
    writer.flush().expect("memory takes every byte");
}

fn field(value: &Value<'_>) -> String {
    match value {
        Value::Null => String::new(),
        Value::Text(text) => text.to_string(),
        Value::Bool(bool) => bool.to_string(),
        Value::Integer(integer) => integer.to_string(),
        Value::Integers(integers) => {
            let integers: Vec<_> = integers.iter().map(i64::to_string).collect();
            integers.join(" ")
        }
        // A name may hold spaces.
        Value::Texts(texts) => texts.join("\t"),
    }
}
