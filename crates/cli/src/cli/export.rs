//! The command line of `war journal export`.

use clap::{Args, ValueEnum};
use std::path::PathBuf;
use war::export::{Csv, Exporter, Ndjson};

pub(super) const EXPORT_EXAMPLES: &str = "\
Examples:
  war journal export game.json                             print a line for each event
  war journal export *.json --format csv --output all.csv  write a table of all of them
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
pub(crate) struct Export {
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
    #[arg(long, value_name = "FILE", default_value = "-")]
    pub(crate) output: PathBuf,
}

impl ExportFormat {
    /// What makes tables of this format; `None` of one that this build lacks.
    #[cfg_attr(
        feature = "parquet",
        expect(clippy::unnecessary_wraps, reason = "other builds lack one")
    )]
    pub(crate) fn exporter(self) -> Option<Box<dyn Exporter>> {
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
