use super::identity::Identity;
use super::store::{Damage, StoreError, StoreReader};
use crate::log::{BundleError, Checkpoint, LogTree, Tile, TileLevel, encode_bundle};
use crate::time::Monotonic;
use std::time::Duration;

/// Maximum age of the checkpoint; new leaves are read once it is older. A log must publish each
/// leaf within 10 seconds.
const MAX_CHECKPOINT_AGE: Duration = Duration::from_secs(1);
/// Number of leaves read in one go.
const LEAVES_PER_READ: u64 = 1 << 16;

/// Log as served to clients: stored leaves up to the last checkpoint.
pub(super) struct TableLog {
    identity: Identity,
    tree: LogTree,
    checkpoint: String,
    /// Time of the last search for new leaves.
    updated: Monotonic,
}

impl TableLog {
    /// Reads all stored leaves and signs a checkpoint.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the store fails or is damaged.
    pub(super) fn open(
        identity: Identity,
        reader: &dyn StoreReader,
        now: Monotonic,
    ) -> Result<Self, StoreError> {
        let mut log = Self {
            identity,
            tree: LogTree::default(),
            checkpoint: String::new(),
            updated: now,
        };
        log.grow(reader)?;
        log.sign();
        Ok(log)
    }

    /// Returns the signed checkpoint, after refreshing it if a refresh is due. The checkpoint
    /// covers all leaves but the very latest.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the store fails or is damaged.
    pub(super) fn refresh_checkpoint(
        &mut self,
        reader: &dyn StoreReader,
        now: Monotonic,
    ) -> Result<String, StoreError> {
        if now.saturating_since(self.updated) >= MAX_CHECKPOINT_AGE {
            let before = self.tree.size();
            self.grow(reader)?;
            self.updated = now;
            if self.tree.size() > before {
                self.sign();
            }
        }
        Ok(self.checkpoint.clone())
    }

    /// Reads the bytes of a tile or an entry bundle, if the checkpoint covers it.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the store fails or is damaged.
    pub(super) fn read_tile(
        &self,
        reader: &dyn StoreReader,
        tile: Tile,
    ) -> Result<Option<Vec<u8>>, StoreError> {
        if tile.level() != TileLevel::Entries {
            return self.tree.read_tile(tile, |range| reader.leaf_hashes(range));
        }
        if !tile.is_in(self.tree.size()) {
            return Ok(None);
        }
        let first = tile.index() * u64::from(Tile::FULL_WIDTH);
        let leaves = reader.leaf_texts(first..first + u64::from(tile.width()))?;
        let bytes = encode_bundle(leaves).map_err(|_: BundleError| Damage::Leaf)?;
        Ok(Some(bytes))
    }

    /// Appends the new leaves of the store.
    fn grow(&mut self, reader: &dyn StoreReader) -> Result<(), StoreError> {
        loop {
            let size = self.tree.size();
            let hashes = reader.leaf_hashes(size..size.saturating_add(LEAVES_PER_READ))?;
            if hashes.is_empty() {
                return Ok(());
            }
            for hash in hashes {
                self.tree.append(hash);
            }
        }
    }

    fn sign(&mut self) {
        let checkpoint = Checkpoint {
            table: self.identity.table,
            size: self.tree.size(),
            root: self.tree.root(),
        };
        self.checkpoint = checkpoint.sign(self.identity.key.ed25519());
    }
}
