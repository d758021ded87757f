use super::exporter::Exporter;
use super::row::{COLUMNS, CellValue, EventRow};
use ::csv::ByteRecord;

/// CSV (RFC 4180), with the names of the columns in the first record.
///
/// A missing value is an empty field. Numbers in a list are joined by spaces, texts by tabs.
///
/// # Examples
///
/// ```
/// use war::export::{Csv, Exporter};
///
/// let mut table = Vec::new();
/// Csv::default().finish(&mut table);
/// assert!(table.starts_with(b"journal,rules,seed,game,xy_seed,table_seed,seq,"));
/// ```
#[derive(Debug, Default)]
pub struct Csv {
    /// True once the names of the columns are written.
    has_header: bool,
}

impl Csv {
    fn write_header(&mut self, out: &mut Vec<u8>) {
        if !self.has_header {
            self.has_header = true;
            write(out, &COLUMNS.iter().map(|column| column.name).collect());
        }
    }
}

impl Exporter for Csv {
    fn write_row(&mut self, row: &EventRow, out: &mut Vec<u8>) {
        self.write_header(out);
        let fields = COLUMNS.iter().map(|column| field(&column.value(row)));
        write(out, &fields.collect());
    }

    fn finish(&mut self, out: &mut Vec<u8>) {
        self.write_header(out);
    }
}

fn write(out: &mut Vec<u8>, record: &ByteRecord) {
    let mut writer = ::csv::Writer::from_writer(out);
    let written = writer.write_byte_record(record);
    written.expect("memory takes every byte");
    writer.flush().expect("memory takes every byte");
}

fn field(value: &CellValue<'_>) -> String {
    match value {
        CellValue::Null => String::new(),
        CellValue::Text(text) => text.to_string(),
        CellValue::Bool(bool) => bool.to_string(),
        CellValue::Integer(integer) => integer.to_string(),
        CellValue::Unsigned(integer) => integer.to_string(),
        CellValue::Integers(integers) => {
            let integers: Vec<_> = integers.iter().map(i64::to_string).collect();
            integers.join(" ")
        }
        // Tabs separate the texts, because names can contain spaces.
        CellValue::Texts(texts) => texts.join("\t"),
    }
}
