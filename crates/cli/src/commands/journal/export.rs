//! `war journal export`: exports events as tables.

use crate::context::Context;
use crate::failure::{ExitStatus, Failure, check_not_overwritten};
use crate::machine::input::{self, is_standard_stream};
use crate::machine::output_files::{OutputError, OutputFile, OutputFiles};
use crate::machine::signals::clean_up_on_signal;
use crate::machine::text::path_text;
use crate::verdict::{read_journal, report_verdict};
use clap::{Args, ValueEnum, ValueHint};
use std::path::PathBuf;
use war::engine::{Projection, State};
use war::export::{Csv, EventRows, Exporter, Ndjson};
use war::i18n::text;
use war::journal::{Header, ReadError};
use war::replay::Replay;

pub(super) const EXPORT_EXAMPLES: &str = "\
Examples:
  war journal export game.json                             print a line for each event
  war journal export *.json --format csv -o all.csv        write a table of all of them
  war journal export game.json | jq -c 'select(.war)'      print the wars

The journals are verified on the way, and the verdicts go to standard error.
A file appears only if every journal is VERIFIED or INCOMPLETE.";

/// The format of an exported table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ExportFormat {
    /// A JSON object on each line
    Ndjson,
    /// Comma-separated values
    Csv,
    /// Apache Parquet
    #[value(hide = cfg!(not(feature = "parquet")))]
    Parquet,
}

#[derive(Debug, Args)]
pub(crate) struct ExportArgs {
    /// Journals to export, or - for standard input
    #[arg(value_name = "FILE", required = true)]
    pub(crate) files: Vec<PathBuf>,
    /// Format of the table
    #[arg(
        long,
        value_name = "FORMAT",
        ignore_case = true,
        default_value = "ndjson"
    )]
    pub(crate) format: ExportFormat,
    /// File for the table, or - for standard output
    #[arg(long, short, value_name = "FILE", default_value = "-", value_hint = ValueHint::FilePath)]
    pub(crate) output: PathBuf,
}

impl ExportFormat {
    /// Returns the exporter of this format; `None` if this build lacks it.
    #[cfg_attr(
        feature = "parquet",
        expect(clippy::unnecessary_wraps, reason = "other builds lack one")
    )]
    pub(crate) fn create_exporter(self) -> Option<Box<dyn Exporter>> {
        match self {
            Self::Ndjson => Some(Box::new(Ndjson)),
            Self::Csv => Some(Box::<Csv>::default()),
            #[cfg(feature = "parquet")]
            Self::Parquet => Some(Box::<war::export::Parquet>::default()),
            #[cfg(not(feature = "parquet"))]
            Self::Parquet => None,
        }
    }
}

/// Verifies journals and exports their events as one table; the worst verdict decides the exit
/// code.
pub(crate) fn export(options: &ExportArgs, context: &mut Context) -> Result<ExitStatus, Failure> {
    let Some(exporter) = options.format.create_exporter() else {
        return Err(Failure::usage(text!(ExportNoParquet)));
    };
    check_not_overwritten(&options.output, &options.files).map_err(Failure::usage)?;
    let outputs = OutputFiles::default();
    let unfinished = outputs.clone();
    clean_up_on_signal(move || unfinished.discard_all());
    let mut table = EventTableWriter::new(exporter, outputs.open(&options.output)?);
    let mut exit = ExitStatus::Success;
    for path in &options.files {
        // No progress bar: `catch_for_reading` would clear the bar on a signal, but would not
        // remove the unfinished files.
        let input = input::open(path).map_err(ReadError::from);
        let opened = input.and_then(|input| Replay::open(input, None));
        if let Ok(replay) = &opened {
            table.begin_game(&path_text(path), replay.header());
        }
        let reading = read_journal(opened, &mut table);
        // Rows come before the verdict, in case both go to the same terminal.
        table.write_rows()?;
        exit = exit.worse(report_verdict(path, &reading, &mut context.terminal));
    }
    if matches!(exit, ExitStatus::Success | ExitStatus::Incomplete) {
        table.finish()?;
    } else if !is_standard_stream(&options.output) {
        let text = text!(ExportRefused, file = path_text(&options.output));
        context.terminal.report_error(&text);
    }
    Ok(exit)
}

/// Number of bytes collected before a write.
const FLUSH_SIZE: usize = 1 << 16;

/// Projection that writes the events of games to a table.
pub(crate) struct EventTableWriter {
    exporter: Box<dyn Exporter>,
    output: OutputFile,
    /// Rows of the current game.
    rows: Option<EventRows>,
    /// Bytes that are not written yet.
    ready: Vec<u8>,
    error: Option<OutputError>,
}

impl EventTableWriter {
    pub(crate) fn new(exporter: Box<dyn Exporter>, output: OutputFile) -> Self {
        Self {
            exporter,
            output,
            rows: None,
            ready: Vec::new(),
            error: None,
        }
    }

    /// Starts the rows of a journal's game.
    pub(crate) fn begin_game(&mut self, journal: &str, header: &Header) {
        self.rows = Some(EventRows::new(journal, header));
    }

    /// Writes all complete rows.
    pub(crate) fn write_rows(&mut self) -> Result<(), OutputError> {
        if let Some(error) = self.error.take() {
            return Err(error);
        }
        self.output.write(&self.ready)?;
        self.ready.clear();
        Ok(())
    }

    /// Ends the table, and moves its file into place.
    pub(crate) fn finish(mut self) -> Result<(), OutputError> {
        self.exporter.finish(&mut self.ready);
        self.write_rows()?;
        self.output.finish()
    }
}

impl<S: State> Projection<S> for EventTableWriter
where
    EventRows: Projection<S>,
{
    fn project(&mut self, event: &S::Event, state: &S) {
        let Some(rows) = &mut self.rows else { return };
        rows.project(event, state);
        if self.error.is_some() {
            return;
        }
        self.exporter.write_row(rows.row(), &mut self.ready);
        if self.ready.len() >= FLUSH_SIZE {
            self.error = self.write_rows().err();
        }
    }
}
