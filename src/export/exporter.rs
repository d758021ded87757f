use super::row::Row;

/// Makes the bytes of a table in one format, as its rows come.
///
/// It keeps no more than a part of the table, so memory stays flat.
pub trait Exporter {
    /// Takes the next row, and appends to `out` whatever is ready.
    fn row(&mut self, row: &Row, out: &mut Vec<u8>);

    /// Appends what ends the table; to be called once, after the last row.
    fn finish(&mut self, out: &mut Vec<u8>);
}
