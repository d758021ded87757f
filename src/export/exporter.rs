use super::row::{COLUMNS, EventRow};
use serde::ser::{Serialize, SerializeMap, Serializer};

/// Writer of a table in one format, row by row.
///
/// Buffers only a part of the table, so memory use doesn't depend on its length.
pub trait Exporter {
    /// Adds a row, and appends to `out` the bytes that are ready.
    fn write_row(&mut self, row: &EventRow, out: &mut Vec<u8>);

    /// Appends the end of the table. Must be called once, after the last row.
    fn finish(&mut self, out: &mut Vec<u8>);
}

/// NDJSON: each row is a JSON object on its own line.
///
/// # Examples
///
/// See the [module](crate::export).
#[derive(Debug, Clone, Copy, Default)]
pub struct Ndjson;

impl Exporter for Ndjson {
    fn write_row(&mut self, row: &EventRow, out: &mut Vec<u8>) {
        serde_json::to_writer(&mut *out, &Object(row)).expect("memory takes every byte");
        out.push(b'\n');
    }

    fn finish(&mut self, _: &mut Vec<u8>) {}
}

/// A row as an object with a field for every column.
struct Object<'a>(&'a EventRow);

impl Serialize for Object<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_map(Some(COLUMNS.len()))?;
        for column in COLUMNS {
            object.serialize_entry(column.name, &column.value(self.0))?;
        }
        object.end()
    }
}
