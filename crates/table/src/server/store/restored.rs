use super::moving::{Cell, Row};
use super::{Damage, StoreError};
use crate::log::{Checkpoint, Continuation, Frontier, Hash, Leaf, TableId, leaf_hash};

/// How many numbers of players are skipped when a store was restored: more than may have come
/// since the backup.
pub const PLAYERS: u32 = 1_000_000;
/// How many numbers of games are skipped, of messages to each player, and of batches.
pub const OTHERS: u32 = 1_000_000_000;

/// What was said of a store that was restored from a backup.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Restoration {
    /// The last checkpoint of the log as it was restored.
    pub last: Checkpoint,
    /// The table's number from now on.
    pub table: TableId,
    /// How many players are told, all but the house.
    pub players: u64,
    /// How many games ran and are void.
    pub void: u64,
}

/// The leaf that says that the table goes on from here, and its hash.
#[must_use]
pub fn leaf(last: Checkpoint, now: u64) -> (String, Hash) {
    let leaf = Leaf::Restored(Continuation {
        table: last.table,
        size: last.size,
        root: last.root,
        time_ms: now,
    });
    let body = leaf.to_string();
    let hash = leaf_hash(body.as_bytes());
    (body, hash)
}

/// All leaves of a log, of which `read` brings the next ones.
///
/// # Errors
///
/// [`StoreError`] where one can't be read.
pub fn all_leaves(
    mut read: impl FnMut() -> Result<Vec<Row>, StoreError>,
) -> Result<Frontier, StoreError> {
    let mut log = Frontier::default();
    loop {
        let leaves = read()?;
        if leaves.is_empty() {
            return Ok(log);
        }
        for leaf in leaves {
            let Some(Cell::Text(body)) = leaf.last() else {
                return Err(Damage::Leaf.into());
            };
            log.append(leaf_hash(body.as_bytes()));
        }
    }
}
