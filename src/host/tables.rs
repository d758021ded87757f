//! Tables of events, written while their rows come.

use crate::export::{Exporter, Row};
use crate::host::outputs::{Output, OutputError};

/// How many bytes are written at once.
const ENOUGH: usize = 1 << 16;

/// A table that is written.
pub(crate) struct Table {
    exporter: Box<dyn Exporter>,
    output: Output,
    /// Bytes of it that are not written yet.
    ready: Vec<u8>,
}

impl Table {
    /// An empty table in this format.
    pub(crate) fn new(exporter: Box<dyn Exporter>, output: Output) -> Self {
        let ready = Vec::new();
        Self {
            exporter,
            output,
            ready,
        }
    }

    /// Adds a row.
    pub(crate) fn row(&mut self, row: &Row) -> Result<(), OutputError> {
        self.exporter.row(row, &mut self.ready);
        if self.ready.len() >= ENOUGH {
            self.write()?;
        }
        Ok(())
    }

    /// Writes the rows that are whole.
    pub(crate) fn write(&mut self) -> Result<(), OutputError> {
        self.output.write(&self.ready)?;
        self.ready.clear();
        Ok(())
    }

    /// Ends the table, and puts its file in its place.
    pub(crate) fn finish(mut self) -> Result<(), OutputError> {
        self.exporter.finish(&mut self.ready);
        self.write()?;
        self.output.finish()
    }
}
