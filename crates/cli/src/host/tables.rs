//! Tables of events, written while their rows come.

use crate::machine::outputs::{Output, OutputError};
use war::engine::{Projection, State};
use war::export::{Exporter, Rows};
use war::journal::Header;

/// How many bytes are written at once.
const ENOUGH: usize = 1 << 16;

/// A table that is written of the games that it looks on.
pub(crate) struct Table {
    exporter: Box<dyn Exporter>,
    output: Output,
    /// The rows of the game, once it begins.
    rows: Option<Rows>,
    /// Bytes of the table that are not written yet.
    ready: Vec<u8>,
    failed: Option<OutputError>,
}

impl Table {
    /// An empty table in this format.
    pub(crate) fn new(exporter: Box<dyn Exporter>, output: Output) -> Self {
        Self {
            exporter,
            output,
            rows: None,
            ready: Vec::new(),
            failed: None,
        }
    }

    /// Begins with the game of this journal.
    pub(crate) fn begin(&mut self, journal: &str, header: &Header) {
        self.rows = Some(Rows::new(journal, header));
    }

    /// Writes the rows that are whole.
    pub(crate) fn write(&mut self) -> Result<(), OutputError> {
        if let Some(error) = self.failed.take() {
            return Err(error);
        }
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

impl<S: State> Projection<S> for Table
where
    Rows: Projection<S>,
{
    fn project(&mut self, event: &S::Event, state: &S, out: &mut String) {
        let Some(rows) = &mut self.rows else { return };
        rows.project(event, state, out);
        if self.failed.is_some() {
            return;
        }
        self.exporter.row(rows.row(), &mut self.ready);
        if self.ready.len() >= ENOUGH {
            self.failed = self.write().err();
        }
    }
}
