use super::hash::{Frontier, Hash};
use super::proof::{ProofError, TileSource, consistency_proof, inclusion_proof};
use super::tile::{Level, Tile};
use std::ops::Range;

/// The tree of a log that is kept: it grows, and gives root, tiles and proofs.
///
/// It holds a 256th of the hashes. Those of the leaves before its last tile are asked for where
/// they are stored: `stored` is given a range of leaves, counted from 0, and returns their
/// [hashes](super::leaf_hash).
///
/// # Examples
///
/// ```
/// use std::convert::Infallible;
/// use war_table::log::{LogTree, leaf_hash};
///
/// let tree: LogTree = (0..300_u32).map(|leaf| leaf_hash(&leaf.to_be_bytes())).collect();
/// let stored = |range: std::ops::Range<u64>| {
///     let hashes = range.map(|leaf| leaf_hash(&(leaf as u32).to_be_bytes()));
///     Ok::<_, Infallible>(hashes.collect())
/// };
/// let first = tree.tile("tile/0/000".parse().unwrap(), stored).unwrap().unwrap();
/// assert_eq!(first.len(), 256 * 32);
/// assert!(tree.tile("tile/0/002".parse().unwrap(), stored).unwrap().is_none());
/// ```
#[derive(Debug, Clone, Default)]
pub struct LogTree {
    frontier: Frontier,
    /// The hashes of the leaves after the last full tile.
    tail: Vec<Hash>,
    /// All hashes of the levels from 1.
    levels: Vec<Vec<Hash>>,
}

impl LogTree {
    /// How many leaves there are.
    #[must_use]
    pub const fn size(&self) -> u64 {
        self.frontier.size()
    }

    /// The root.
    #[must_use]
    pub fn root(&self) -> Hash {
        self.frontier.root()
    }

    /// Adds the hash of another leaf.
    pub fn append(&mut self, leaf: Hash) {
        const FULL: usize = Tile::FULL as usize;
        self.frontier.append(leaf);
        self.tail.push(leaf);
        if self.tail.len() < FULL {
            return;
        }
        let mut full: Frontier = self.tail.drain(..).collect();
        for level in 0.. {
            if self.levels.len() == level {
                self.levels.push(Vec::new());
            }
            let hashes = &mut self.levels[level];
            hashes.push(full.root());
            if !hashes.len().is_multiple_of(FULL) {
                return;
            }
            full = hashes[hashes.len() - FULL..].iter().copied().collect();
        }
    }

    /// The bytes of a tile of hashes; `None` of one that the tree has not, and of entries.
    ///
    /// # Errors
    ///
    /// The error of `stored`.
    pub fn tile<E>(
        &self,
        tile: Tile,
        stored: impl FnMut(Range<u64>) -> Result<Vec<Hash>, E>,
    ) -> Result<Option<Vec<u8>>, E> {
        if tile.level() == Level::Entries || !tile.is_in(self.size()) {
            return Ok(None);
        }
        let tree = self;
        let hashes = Stored { tree, stored }.hashes(tile)?;
        let bytes: Vec<u8> = hashes.iter().flat_map(Hash::bytes).copied().collect();
        Ok(Some(bytes).filter(|_| hashes.len() == usize::from(tile.width())))
    }

    /// The proof that a leaf is in the tree as it was with `size` leaves.
    ///
    /// # Errors
    ///
    /// Where there is no such leaf, or the hashes that are stored can't be had.
    pub fn inclusion_proof<E>(
        &self,
        index: u64,
        size: u64,
        stored: impl FnMut(Range<u64>) -> Result<Vec<Hash>, E>,
    ) -> Result<Vec<Hash>, ProofError<E>> {
        let tree = self.with(size)?;
        inclusion_proof(index, size, &mut Stored { tree, stored })
    }

    /// The proof that the tree with `old` leaves is the beginning of the one with `new` leaves.
    ///
    /// # Errors
    ///
    /// Where the tree is not that long, or the hashes that are stored can't be had.
    pub fn consistency_proof<E>(
        &self,
        old: u64,
        new: u64,
        stored: impl FnMut(Range<u64>) -> Result<Vec<Hash>, E>,
    ) -> Result<Vec<Hash>, ProofError<E>> {
        let tree = self.with(new)?;
        consistency_proof(old, new, &mut Stored { tree, stored })
    }

    /// The tree, which was once so long.
    fn with<E>(&self, size: u64) -> Result<&Self, ProofError<E>> {
        let reaches = size <= self.size();
        reaches.then_some(self).ok_or(ProofError::Outside)
    }
}

impl FromIterator<Hash> for LogTree {
    fn from_iter<I: IntoIterator<Item = Hash>>(hashes: I) -> Self {
        let mut tree = Self::default();
        hashes.into_iter().for_each(|hash| tree.append(hash));
        tree
    }
}

/// The tiles of a tree, of which the leaves' hashes are stored elsewhere.
struct Stored<'a, F> {
    tree: &'a LogTree,
    stored: F,
}

impl<E, F: FnMut(Range<u64>) -> Result<Vec<Hash>, E>> TileSource for Stored<'_, F> {
    type Error = E;

    fn hashes(&mut self, tile: Tile) -> Result<Vec<Hash>, E> {
        let range = tile.start()..tile.start() + u64::from(tile.width());
        let (hashes, before) = match tile.level() {
            Level::Hashes(0) => {
                let before = self.tree.size() - self.tree.tail.len() as u64;
                if range.start < before {
                    return (self.stored)(range);
                }
                (Some(&self.tree.tail), before)
            }
            Level::Hashes(level) => (self.tree.levels.get(usize::from(level) - 1), 0),
            Level::Entries => (None, 0),
        };
        let at = |place: u64| usize::try_from(place - before).unwrap_or(usize::MAX);
        let held = hashes.and_then(|hashes| hashes.get(at(range.start)..at(range.end)));
        Ok(held.unwrap_or_default().to_vec())
    }
}
