//! Durable storage of a hub.
//!
//! A [`Transaction`] writes the events, messages and answers of a batch of commands: all of them or
//! none. [`SqliteStore`] is the store of a table with one server; the crate `war-table-cluster` has
//! one for several servers.

mod error;
mod inspector;
mod interface;
mod moving;
mod opponent_column;
mod reader;
mod restoration;
mod sqlite;
#[cfg(test)]
mod test_store;

pub use error::{Damage, StoreError};
pub use inspector::{GameRecords, Inspector, LedgerEntry, Transfer, transfers};
pub use interface::{
    Answer, AnswerRecord, Claim, IncomingPlayer, LeafPosition, MessageRange, PrefetchKeys,
    PruneProgress, Registration, Sequence, Store, SweepPosition, TokenHash, Transaction,
};
pub use moving::{
    Cell, ColumnType, MoveError, MoveReport, MoveSource, MoveTarget, RowKind, RowValues,
    TableMetadata, TargetContent, move_table,
};
pub use reader::{HistoryQuery, HistoryRow, LadderView, MessageGap, Reader, StoredMessages};
pub use restoration::Restoration;
pub use sqlite::{SqliteMoveSource, SqliteMoveTarget, SqliteReader, SqliteStore};

/// Row formats common to all stores, for implementing another one.
pub mod rows {
    pub use super::inspector::{
        Adjustments, PlayerExport, PlayerRecord, join_transfers, player_summary, validate_records,
    };
    pub use super::moving::BATCH_ROWS;
    pub use super::opponent_column::{decode_opponent, encode_opponent};
    pub use super::reader::{FinishedRow, LADDER_SIZE, ladder_game};
    pub use super::restoration::{SKIPPED_NUMBERS, SKIPPED_PLAYERS, continuation_leaf, hash_log};
}

#[cfg(test)]
pub(crate) use test_store::TestStore;
