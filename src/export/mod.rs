//! Export of journals as tables for other tools: one row for each event, in several formats.
//!
//! [`EventRows`] is a projection that folds a game into [`EventRow`]s, [`COLUMNS`] describes their
//! columns, and an [`Exporter`] writes them in a format. The book lists the columns on its page
//! "Columns of an export".
//!
//! # Examples
//!
//! ```
//! use war::engine::{Projection, State};
//! use war::export::{EventRows, Exporter, Ndjson};
//! use war::replay::Replay;
//!
//! /// Writes a line for each event.
//! struct Lines<'a> {
//!     rows: EventRows,
//!     table: &'a mut Vec<u8>,
//! }
//!
//! impl<S: State> Projection<S> for Lines<'_>
//! where
//!     EventRows: Projection<S>,
//! {
//!     fn project(&mut self, event: &S::Event, state: &S) {
//!         self.rows.project(event, state);
//!         Ndjson.write_row(self.rows.row(), self.table);
//!     }
//! }
//!
//! let journal = std::fs::read("journals/classic_dealt_won.json").unwrap();
//! let replay = Replay::open(&journal[..], None).unwrap();
//! let rows = EventRows::new("game.json", replay.header());
//! let mut table = Vec::new();
//! let judgement = replay.verify(&mut Lines { rows, table: &mut table }).unwrap();
//! assert!(judgement.fault().is_none());
//! let lines = String::from_utf8(table).unwrap();
//! assert_eq!(lines.lines().count(), 53);
//! assert!(lines.starts_with(r#"{"journal":"game.json","rules":"classic/1","seed":1,"game":null,"#));
//! ```

#[cfg(feature = "csv")]
mod csv;
mod exporter;
#[cfg(feature = "parquet")]
mod parquet;
mod row;
mod rows;

#[cfg(feature = "csv")]
pub use csv::Csv;
pub use exporter::{Exporter, Ndjson};
#[cfg(feature = "parquet")]
pub use parquet::Parquet;
pub use row::{COLUMNS, CellValue, Column, ColumnType, EventRow};
pub use rows::EventRows;
