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
mod secret;
mod sqlite;
#[cfg(test)]
mod test_store;

pub use error::{Damage, StoreError};
pub use inspector::{GameRecords, Inspector, LedgerEntry, Transfer, compute_transfers};
pub use interface::{
    Answer, AnswerRecord, Claim, FriendLinkRecord, IncomingPlayer, LeafPosition, MessageRange,
    PrefetchKeys, PruneProgress, Registration, Sequence, Store, StoredMessage, SweepPosition,
    TokenHash, Transaction,
};
pub use moving::{
    ColumnType, ColumnValue, MoveReport, MoveSource, MoveTableError, MoveTarget, RowKind,
    RowValues, TableMetadata, TargetContent, move_table,
};
pub use reader::{HistoryQuery, HistoryRow, LadderView, MessageGap, Score, StoreReader};
pub use restoration::Restoration;
pub use secret::StoreSecret;
pub use sqlite::{SqliteMoveSource, SqliteMoveTarget, SqliteReader, SqliteStore};

/// Row formats common to all stores, for implementing another one.
pub mod rows {
    pub use super::inspector::{
        Adjustments, PlayerExport, PlayerRecord, build_player_summary, damage_to_none,
        join_transfers, validate_records,
    };
    pub use super::moving::MAX_BATCH_ROWS;
    pub use super::opponent_column::{decode_opponent, encode_opponent};
    pub use super::reader::{
        FinishedGameRow, LADDER_SIZE, SCORE_COLUMNS, build_rated_game, day_leaf_prefix,
        parse_day_leaf,
    };
    pub use super::restoration::{
        SKIPPED_NUMBERS, SKIPPED_PLAYER_NUMBERS, build_continuation_leaf, hash_log,
    };
}

#[cfg(test)]
pub(crate) use test_store::TestStore;
