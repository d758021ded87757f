//! Moving a whole table from one store to another, while nobody serves it.
//!
//! The source hands out its rows in a common format, and the target writes them. The written rows
//! are read again and compared. Only then is the old store marked, so that nobody serves it any
//! more, and after that the new one becomes valid. An interrupted move can be repeated.

use super::{Damage, StoreError, StoreSecret};
use crate::log::{Frontier, TableId, hash_leaf};
use crate::time::{TableTime, WallTime};
use std::collections::BTreeMap;

/// Maximum number of rows moved in one go.
pub const MAX_BATCH_ROWS: u16 = 4096;

/// Data of a table that is moved besides its rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TableMetadata {
    /// The table's ID.
    pub id: TableId,
    /// The table's time.
    pub time: TableTime,
    /// Time since which messages are stored with their time of sending. Earlier messages count as
    /// sent at this time.
    pub messages_dated_since: WallTime,
    /// Public part of the table's signing key, if known.
    pub public_key: Option<[u8; 32]>,
    /// The store's secret, so that the addresses of journals stay as they are.
    pub secret: StoreSecret,
    /// Lower bounds for the numbers of the next player and the next game.
    pub next: [u64; 2],
}

/// Previous content of the target of a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TargetContent {
    /// No store and no file.
    Empty,
    /// A valid table.
    Table(TableId),
    /// Any other content.
    Other,
}

/// Store from which a table moves. The store stays locked until the source is dropped.
#[expect(clippy::missing_errors_doc, reason = "each fails if the store fails")]
pub trait MoveSource {
    /// Returns the data besides the rows.
    fn metadata(&self) -> TableMetadata;

    /// Returns true if an earlier move to the same target was interrupted at its very end, so that
    /// the target may already be valid.
    fn is_marked_leaving(&self) -> bool;

    /// Counts the rows of a kind.
    fn count(&mut self, kind: RowKind) -> Result<u64, StoreError>;

    /// Reads the next rows of a kind, up to `MAX_BATCH_ROWS`. Returns an empty list after the last
    /// rows.
    fn read(&mut self, kind: RowKind) -> Result<Vec<RowValues>, StoreError>;

    /// Marks the store as being left, so that nobody serves the table from it any more.
    fn mark_leaving(&mut self) -> Result<(), StoreError>;

    /// Marks the table as moved.
    fn mark_moved(&mut self) -> Result<(), StoreError>;
}

/// Store to which a table moves. It is not valid until it is complete.
#[expect(clippy::missing_errors_doc, reason = "each fails if the store fails")]
pub trait MoveTarget {
    /// Looks for an existing table or other content.
    fn content(&mut self) -> Result<TargetContent, StoreError>;

    /// Creates an empty store.
    fn create(&mut self) -> Result<(), StoreError>;

    /// Writes rows of a kind.
    fn write(&mut self, kind: RowKind, rows: Vec<RowValues>) -> Result<(), StoreError>;

    /// Writes the data besides the rows, after all rows.
    fn write_metadata(&mut self, metadata: TableMetadata) -> Result<(), StoreError>;

    /// Reads the next written rows of a kind, like [`MoveSource::read`].
    fn read(&mut self, kind: RowKind) -> Result<Vec<RowValues>, StoreError>;

    /// Makes the whole store valid at once.
    fn publish(&mut self) -> Result<(), StoreError>;
}

/// Error for a move that failed, or whose outcome is unknown.
#[derive(Debug, thiserror::Error)]
pub enum MoveTableError {
    /// Failure of the source.
    #[error("the store that the table leaves fails")]
    Source(#[source] StoreError),
    /// Failure of the target.
    #[error("the store that the table moves to fails")]
    Target(#[source] StoreError),
    /// Target that already has a table or other content.
    #[error("there is something already where the table is to go")]
    Occupied,
    /// Interruption of the move by the caller, through `goes_on`.
    #[error("the move was interrupted")]
    Interrupted,
    /// Rows of this kind that differ between the source and the target.
    #[error("what has arrived is not what has left")]
    Differs(RowKind),
    /// Failure after the source was marked as left. It is unknown if the target is valid.
    #[error("it is not known whether the table has moved")]
    Unfinished(#[source] StoreError),
}

/// Progress of a move.
struct Progress<'a> {
    rows: u64,
    all: u64,
    goes_on: &'a mut dyn FnMut(u64, u64) -> bool,
}

impl Progress<'_> {
    /// Counts rows that were read, and reports the progress.
    fn add_rows(&mut self, rows: &[RowValues]) -> Result<(), MoveTableError> {
        self.rows += rows.len() as u64;
        if (self.goes_on)(self.rows, self.all) {
            Ok(())
        } else {
            Err(MoveTableError::Interrupted)
        }
    }
}

/// Moves a table.
///
/// `goes_on` is called with the number of rows done and the total number, and returns false to stop
/// the move. Each row counts twice, as it is read from both stores. Returns `None` if an earlier
/// move had already completed the target, and only the mark in the source was missing.
///
/// # Errors
///
/// [`MoveTableError`] if the table was not moved, or if it is unknown whether it was.
pub fn move_table(
    from: &mut dyn MoveSource,
    to: &mut dyn MoveTarget,
    goes_on: &mut dyn FnMut(u64, u64) -> bool,
) -> Result<Option<MoveReport>, MoveTableError> {
    let metadata = from.metadata();
    match to.content().map_err(MoveTableError::Target)? {
        TargetContent::Empty => {}
        TargetContent::Table(id) if from.is_marked_leaving() && id == metadata.id => {
            from.mark_moved().map_err(MoveTableError::Source)?;
            return Ok(None);
        }
        TargetContent::Table(_) | TargetContent::Other => return Err(MoveTableError::Occupied),
    }
    let mut all = 0;
    for kind in RowKind::ALL {
        all += 2 * from.count(kind).map_err(MoveTableError::Source)?;
    }
    let mut progress = Progress {
        rows: 0,
        all,
        goes_on,
    };
    to.create().map_err(MoveTableError::Target)?;
    let mut left = RowSummary::default();
    for kind in RowKind::ALL {
        loop {
            let rows = from.read(kind).map_err(MoveTableError::Source)?;
            if rows.is_empty() {
                break;
            }
            left.add(kind, &rows).map_err(from_damage)?;
            progress.add_rows(&rows)?;
            to.write(kind, rows).map_err(MoveTableError::Target)?;
        }
    }
    left.check().map_err(from_damage)?;
    to.write_metadata(metadata)
        .map_err(MoveTableError::Target)?;
    let arrived = read_back(to, &mut progress)?;
    if let Some(kind) = left.difference(&arrived) {
        return Err(MoveTableError::Differs(kind));
    }
    from.mark_leaving().map_err(MoveTableError::Source)?;
    to.publish().map_err(MoveTableError::Unfinished)?;
    from.mark_moved().map_err(MoveTableError::Unfinished)?;
    Ok(Some(arrived.report()))
}

/// Reads the rows written to the target, and summarizes them for the comparison with the source.
fn read_back(
    to: &mut dyn MoveTarget,
    progress: &mut Progress<'_>,
) -> Result<RowSummary, MoveTableError> {
    let mut arrived = RowSummary::default();
    for kind in RowKind::ALL {
        loop {
            let rows = to.read(kind).map_err(MoveTableError::Target)?;
            if rows.is_empty() {
                break;
            }
            let added = arrived.add(kind, &rows);
            added.map_err(|_| MoveTableError::Differs(kind))?;
            progress.add_rows(&rows)?;
        }
    }
    Ok(arrived)
}

fn from_damage(damage: Damage) -> MoveTableError {
    MoveTableError::Source(damage.into())
}

/// Summary of a completed move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MoveReport {
    /// Number of players.
    pub players: u64,
    /// Number of running games.
    pub running: u64,
    /// Number of leaves of the log.
    pub leaves: u64,
}

/// Checksums of the rows of a store, independent of their order.
#[derive(Default)]
struct RowSummary {
    /// Number of rows of each kind, and the sum of their digests.
    kinds: BTreeMap<RowKind, (u64, u128)>,
    /// Balance of each player minus the balance according to the ledger.
    unexplained: BTreeMap<i64, i64>,
    /// Sum of all transfers in tokens.
    transferred: i64,
    log: Frontier,
}

impl RowSummary {
    /// Adds rows of a kind.
    ///
    /// # Errors
    ///
    /// [`Damage`] if a row is malformed, or a leaf does not match its number or hash.
    fn add(&mut self, kind: RowKind, rows: &[RowValues]) -> Result<(), Damage> {
        for row in rows {
            let (count, sum) = self.kinds.entry(kind).or_default();
            *count += 1;
            *sum = sum.wrapping_add(digest(row));
            match (kind, &row[..]) {
                (
                    RowKind::Players,
                    [
                        ColumnValue::Number(id),
                        _,
                        _,
                        ColumnValue::Number(balance),
                        ..,
                    ],
                ) => {
                    self.add_unexplained(*id, *balance);
                }
                (
                    RowKind::Transfers,
                    &[
                        ColumnValue::Number(_),
                        ColumnValue::Number(debit),
                        ColumnValue::Number(credit),
                        ColumnValue::Number(tokens),
                    ],
                ) => {
                    self.add_unexplained(debit, tokens);
                    self.add_unexplained(credit, tokens.wrapping_neg());
                    self.transferred = self.transferred.wrapping_add(tokens);
                }
                (
                    RowKind::Leaves,
                    [
                        ColumnValue::Number(number),
                        ColumnValue::Bytes(hash),
                        _,
                        ColumnValue::Text(body),
                    ],
                ) => {
                    self.add_leaf(*number, hash, body)?;
                }
                (RowKind::Players | RowKind::Transfers | RowKind::Leaves, _) => {
                    return Err(Damage::Layout);
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn add_unexplained(&mut self, player: i64, tokens: i64) {
        let unexplained = self.unexplained.entry(player).or_default();
        *unexplained = unexplained.wrapping_add(tokens);
    }

    fn add_leaf(&mut self, number: i64, hash: &[u8], body: &str) -> Result<(), Damage> {
        let expected = i64::try_from(self.log.size());
        let leaf = hash_leaf(body.as_bytes());
        if expected != Ok(number) || hash != leaf.bytes() {
            return Err(Damage::Leaf);
        }
        self.log.append(leaf);
        Ok(())
    }

    /// Checks that each player has the balance according to the ledger.
    ///
    /// # Errors
    ///
    /// [`Damage`] if a player has another balance.
    fn check(&self) -> Result<(), Damage> {
        /// Account that pays the opening balances.
        const BANK: i64 = 0;
        let mut players = self.unexplained.iter().filter(|(id, _)| **id != BANK);
        if players.all(|(_, unexplained)| *unexplained == 0) {
            Ok(())
        } else {
            Err(Damage::Balance)
        }
    }

    /// Finds the first kind of rows in which two stores differ.
    fn difference(&self, other: &Self) -> Option<RowKind> {
        let differs = |kind: &RowKind| self.kinds.get(kind) != other.kinds.get(kind);
        let mut kinds = RowKind::ALL.into_iter();
        if let Some(kind) = kinds.find(differs) {
            return Some(kind);
        }
        if (&self.unexplained, self.transferred) != (&other.unexplained, other.transferred) {
            return Some(RowKind::Transfers);
        }
        let log = |summary: &Self| (summary.log.size(), summary.log.root());
        (log(self) != log(other)).then_some(RowKind::Leaves)
    }

    fn report(&self) -> MoveReport {
        let count = |kind| self.kinds.get(&kind).map_or(0, |(count, _)| *count);
        MoveReport {
            players: count(RowKind::Players),
            running: count(RowKind::Seats) / 2,
            leaves: count(RowKind::Leaves),
        }
    }
}

/// Computes the digest of a row. Rows with different values have different digests.
fn digest(row: &RowValues) -> u128 {
    let mut hasher = blake3::Hasher::new();
    for cell in row {
        let (kind, bytes) = match cell {
            ColumnValue::Null => (0, &[][..]),
            ColumnValue::Number(number) => (1, &number.to_be_bytes()[..]),
            ColumnValue::Text(text) => (2, text.as_bytes()),
            ColumnValue::Bytes(bytes) => (3, &bytes[..]),
        };
        hasher.update(&[kind]);
        hasher.update(&(bytes.len() as u64).to_be_bytes());
        hasher.update(bytes);
    }
    let mut digest = [0; 16];
    hasher.finalize_xof().fill(&mut digest);
    u128::from_be_bytes(digest)
}

/// Value of a column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ColumnValue {
    /// SQL's `NULL`.
    Null,
    /// Integer; for a flag 1 or 0.
    Number(i64),
    /// Text.
    Text(String),
    /// Binary data.
    Bytes(Vec<u8>),
}

/// Values of a row, in the order of its columns.
pub type RowValues = Vec<ColumnValue>;

/// Type of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColumnType {
    /// Integer.
    Number,
    /// Boolean.
    Flag,
    /// Text.
    Text,
    /// Binary data.
    Bytes,
}

/// Kind of rows to move, the same in all stores. [`RowKind::column_types`] has the types of the
/// columns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum RowKind {
    /// Players: number, token, name, balance, number of the last message, flag of the house, flag
    /// of a fixed name, status, number of the first stored message, flag of public games.
    Players,
    /// Events: position among all events from 1, time, game, body.
    Events,
    /// The ledger: position of the event, debit, credit, tokens.
    Transfers,
    /// Messages: player, number, body, time of the wall clock if known, answered request if any.
    Messages,
    /// Answers: player, request, time, digest, first and last message, refusal.
    Answers,
    /// Waiting players: player, kind of game, time, seed hash, opponent.
    Waiting,
    /// Seats of running games: player, game.
    Seats,
    /// Friend links: player, ID, kind of game, hash of the secret.
    FriendLinks,
    /// The log: number, hash, game, body.
    Leaves,
    /// Settlements of journals: game, engine, language, renderer, length and hash of the printed
    /// text, digest.
    Settlements,
}

impl RowKind {
    /// All kinds, in the order in which they are moved.
    pub const ALL: [Self; 10] = [
        Self::Players,
        Self::Events,
        Self::Transfers,
        Self::Messages,
        Self::Answers,
        Self::Waiting,
        Self::Seats,
        Self::FriendLinks,
        Self::Leaves,
        Self::Settlements,
    ];

    /// Types of the columns.
    #[must_use]
    pub const fn column_types(self) -> &'static [ColumnType] {
        use ColumnType::{Bytes, Flag, Number, Text};
        match self {
            Self::Players => &[
                Number, Bytes, Text, Number, Number, Flag, Flag, Text, Number, Flag,
            ],
            Self::Events => &[Number, Number, Number, Text],
            Self::Transfers => &[Number, Number, Number, Number],
            Self::Messages => &[Number, Number, Text, Number, Text],
            Self::Answers => &[Number, Text, Number, Bytes, Number, Number, Text],
            Self::Waiting => &[Number, Text, Number, Bytes, Text],
            Self::Seats => &[Number, Number],
            Self::FriendLinks => &[Number, Bytes, Text, Bytes],
            Self::Leaves => &[Number, Bytes, Number, Text],
            Self::Settlements => &[Number, Text, Text, Number, Number, Bytes, Bytes],
        }
    }
}

#[cfg(test)]
mod tests;
