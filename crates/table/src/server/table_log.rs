use super::identity::Identity;
use super::store::{Reader, StoreError};
use crate::log::{BundleError, Checkpoint, Level, LogTree, Tile, bundle};

/// How old the checkpoint may be before it is looked for new leaves, in milliseconds. A log has
/// to show each leaf within 10 seconds.
const FRESH: u64 = 1000;
/// How many leaves are read in one go.
const AT_ONCE: u64 = 1 << 16;

/// The log as it is served: only what is stored is in it, and only what its checkpoint covers.
pub(super) struct TableLog {
    identity: Identity,
    tree: LogTree,
    checkpoint: String,
    /// When it was looked for new leaves, by the server's clock.
    looked: u64,
}

impl TableLog {
    /// The log with all leaves that are stored.
    ///
    /// # Errors
    ///
    /// [`StoreError`] where the store fails or is damaged.
    pub(super) fn open(
        identity: Identity,
        reader: &dyn Reader,
        now: u64,
    ) -> Result<Self, StoreError> {
        let mut log = Self {
            identity,
            tree: LogTree::default(),
            checkpoint: String::new(),
            looked: now,
        };
        log.grow(reader)?;
        log.sign();
        Ok(log)
    }

    /// The checkpoint, which covers all leaves but those of the last moment.
    ///
    /// # Errors
    ///
    /// [`StoreError`] where the store fails or is damaged.
    pub(super) fn checkpoint(
        &mut self,
        reader: &dyn Reader,
        now: u64,
    ) -> Result<String, StoreError> {
        if now.saturating_sub(self.looked) >= FRESH {
            let before = self.tree.size();
            self.grow(reader)?;
            self.looked = now;
            if self.tree.size() > before {
                self.sign();
            }
        }
        Ok(self.checkpoint.clone())
    }

    /// The bytes of a tile or an entry bundle, if the checkpoint covers it.
    ///
    /// # Errors
    ///
    /// [`StoreError`] where the store fails or is damaged.
    pub(super) fn tile(
        &self,
        reader: &dyn Reader,
        tile: Tile,
    ) -> Result<Option<Vec<u8>>, StoreError> {
        if tile.level() != Level::Entries {
            return self.tree.tile(tile, |range| reader.leaf_hashes(range));
        }
        if !tile.is_in(self.tree.size()) {
            return Ok(None);
        }
        let first = tile.index() * u64::from(Tile::FULL);
        let leaves = reader.leaf_texts(first..first + u64::from(tile.width()))?;
        let bytes: Result<_, BundleError> = bundle(leaves);
        Ok(bytes.ok())
    }

    /// Takes in the leaves that are new.
    fn grow(&mut self, reader: &dyn Reader) -> Result<(), StoreError> {
        loop {
            let size = self.tree.size();
            let hashes = reader.leaf_hashes(size..size.saturating_add(AT_ONCE))?;
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
        self.checkpoint = checkpoint.signed(self.identity.key.ed25519());
    }
}
