use super::moving::{ColumnValue, RowValues};
use super::{Damage, StoreError};
use crate::log::{Checkpoint, Continuation, Frontier, Leaf, TableId, TreeHash, hash_leaf};
use crate::time::WallTime;

/// Number of player numbers skipped after a restore: more than the number of players who can have
/// joined since the backup.
pub const SKIPPED_PLAYER_NUMBERS: u32 = 1_000_000;
/// Number of game numbers, of message numbers of each player, and of batch numbers that are skipped
/// after a restore.
pub const SKIPPED_NUMBERS: u32 = 1_000_000_000;

/// Summary of restoring a store from a backup.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Restoration {
    /// Last checkpoint of the restored log.
    pub last: Checkpoint,
    /// New ID of the table.
    pub table: TableId,
    /// Number of players who are notified: all except house players.
    pub players: u64,
    /// Number of games that were running and are now void.
    pub void: u64,
}

/// Builds the log leaf from which a restored table continues, and its hash.
#[must_use]
pub fn build_continuation_leaf(last: Checkpoint, now: WallTime) -> (String, TreeHash) {
    let leaf = Leaf::Restored(Continuation {
        table: last.table,
        size: last.size,
        root: last.root,
        time_ms: now.as_millis(),
    });
    let body = leaf.to_string();
    let hash = hash_leaf(body.as_bytes());
    (body, hash)
}

/// Hashes all leaves of a log. Each call of `read` returns the next leaves.
///
/// # Errors
///
/// [`StoreError`] if a leaf can't be read.
pub fn hash_log(
    mut read: impl FnMut() -> Result<Vec<RowValues>, StoreError>,
) -> Result<Frontier, StoreError> {
    let mut log = Frontier::default();
    loop {
        let leaves = read()?;
        if leaves.is_empty() {
            return Ok(log);
        }
        for leaf in leaves {
            let Some(ColumnValue::Text(body)) = leaf.last() else {
                return Err(Damage::Leaf.into());
            };
            log.append(hash_leaf(body.as_bytes()));
        }
    }
}
