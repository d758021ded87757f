//! Durable storage of a hub.
//!
//! A [`Transaction`] writes the events, messages and answers of a batch of commands: all of them or
//! none. [`SqliteStore`] is the store of a table with one server; the crate `war-table-cluster` has
//! one for several servers.

mod error;
mod inspector;
mod interface;
mod meeting;
mod moving;
mod reader;
mod restored;
mod sqlite;
#[cfg(test)]
mod test_store;

pub use error::{Damage, StoreError};
pub use inspector::{Booked, Inspector, PlayedGame, Transfer, transfers};
pub use interface::{
    Answer, AnswerRecord, Claim, IncomingPlayer, LeafPosition, MessageRange, PrefetchKeys,
    PruneProgress, Registration, Sequence, Store, SweepPosition, TokenHash, Transaction,
};
pub use moving::{
    Cell, ColumnType, MoveError, MoveReport, MoveSource, MoveTarget, RowKind, RowValues,
    TableMetadata, TargetContent, move_table,
};
pub use reader::{Gap, Ladder, Messages, Page, Past, Reader};
pub use restored::Restoration;
pub use sqlite::{SqliteMoveSource, SqliteMoveTarget, SqliteReader, SqliteStore};

/// Row formats common to all stores, for implementing another one.
pub mod rows {
    pub use super::inspector::{Adjustments, Kept, Record, judged, listed, paired};
    pub use super::meeting::{column, meeting};
    pub use super::moving::BATCH_ROWS;
    pub use super::reader::{FinishedRow, SHOWN, ladder_game};
    pub use super::restored::{OTHERS, PLAYERS, all_leaves, leaf};
}

#[cfg(test)]
pub(crate) use test_store::TestStore;
