use super::tile::{Level, Tile};
use sha2::{Digest, Sha256};
use std::ops::Range;
use war::support::hex::Hex;

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

/// The hash of a leaf or of a node of the tree: SHA-256.
pub type Hash = Hex<32>;

/// The hash of a leaf with these bytes: RFC 6962, section 2.1.
#[must_use]
pub fn leaf_hash(leaf: &[u8]) -> Hash {
    let hash = Sha256::new().chain_update([0]).chain_update(leaf);
    Hex::new(hash.finalize().into())
}

/// The hash of the node above these two: RFC 6962, section 2.1.
#[must_use]
pub fn node_hash(left: &Hash, right: &Hash) -> Hash {
    let hash = Sha256::new().chain_update([1]);
    let hash = hash.chain_update(left.bytes()).chain_update(right.bytes());
    Hex::new(hash.finalize().into())
}

/// A tree that grows, of which only the roots of its complete subtrees are kept.
///
/// # Examples
///
/// ```
/// use war_table::log::{Frontier, leaf_hash, node_hash};
///
/// let leaves = ["one", "two", "three"].map(|leaf| leaf_hash(leaf.as_bytes()));
/// let tree: Frontier = leaves.into_iter().collect();
/// let first_two = node_hash(&leaves[0], &leaves[1]);
/// assert_eq!(tree.root(), node_hash(&first_two, &leaves[2]));
/// assert_eq!(tree.size(), 3);
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Frontier {
    size: u64,
    /// From left to right; each covers fewer leaves than the one before.
    roots: Vec<Hash>,
}

impl Frontier {
    /// How many leaves there are.
    #[must_use]
    pub const fn size(&self) -> u64 {
        self.size
    }

    /// Adds the hash of another leaf.
    pub fn append(&mut self, mut hash: Hash) {
        // Each one at the end of the size's digits is a complete subtree that now gets its twin.
        for _ in 0..self.size.trailing_ones() {
            if let Some(left) = self.roots.pop() {
                hash = node_hash(&left, &hash);
            }
        }
        self.roots.push(hash);
        self.size += 1;
    }

    /// The root of the tree; that of an empty one is the hash of nothing.
    #[must_use]
    pub fn root(&self) -> Hash {
        let from_the_right = self.roots.iter().rev().copied();
        let root = from_the_right.reduce(|right, left| node_hash(&left, &right));
        root.unwrap_or_else(|| Hex::new(Sha256::digest([]).into()))
    }
}

impl FromIterator<Hash> for Frontier {
    fn from_iter<I: IntoIterator<Item = Hash>>(hashes: I) -> Self {
        let mut tree = Self::default();
        hashes.into_iter().for_each(|hash| tree.append(hash));
        tree
    }
}

/// Where the tiles of a tree come from: a store, a network, a directory.
pub trait TileSource {
    /// Why a tile can't be had.
    type Error;

    /// The hashes that this tile holds, as many as it is wide.
    ///
    /// # Errors
    ///
    /// Where they can't be had.
    fn hashes(&mut self, tile: Tile) -> Result<Vec<Hash>, Self::Error>;
}

/// Why a proof can't be made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ProofError<E> {
    /// The tree is shorter than what is to be proven of it.
    #[error("the log is not that long")]
    Outside,
    /// A tile holds fewer hashes than it should.
    #[error("`{0}` holds too few hashes")]
    Short(Tile),
    /// A tile can't be had.
    #[error("a tile can't be had")]
    Source(E),
}

/// The proof that a leaf is in the tree with so many leaves: RFC 9162, section 2.1.3.1.
///
/// # Errors
///
/// Where the tree has no such leaf, or its tiles can't be had.
pub fn inclusion_proof<S: TileSource>(
    index: u64,
    size: u64,
    source: &mut S,
) -> Result<Vec<Hash>, ProofError<S::Error>> {
    if index >= size {
        return Err(ProofError::Outside);
    }
    let mut walk = Walk::new(size, source);
    let (mut proof, mut from, mut to) = (Vec::new(), 0, size);
    while to - from > 1 {
        let middle = from + larger_half(to - from);
        if index < middle {
            proof.push(walk.root(middle, to)?);
            to = middle;
        } else {
            proof.push(walk.root(from, middle)?);
            from = middle;
        }
    }
    proof.reverse();
    Ok(proof)
}

/// The proof that the tree with `old` leaves is the beginning of the one with `new` leaves:
/// RFC 9162, section 2.1.4.1.
///
/// # Errors
///
/// Where `old` is more than `new`, or the tiles can't be had.
pub fn consistency_proof<S: TileSource>(
    old: u64,
    new: u64,
    source: &mut S,
) -> Result<Vec<Hash>, ProofError<S::Error>> {
    if old > new {
        return Err(ProofError::Outside);
    }
    let mut walk = Walk::new(new, source);
    let (mut proof, mut from, mut to) = (Vec::new(), 0, new);
    while old != 0 && old != to {
        let middle = from + larger_half(to - from);
        if old <= middle {
            proof.push(walk.root(middle, to)?);
            to = middle;
        } else {
            proof.push(walk.root(from, middle)?);
            from = middle;
        }
    }
    // The whole old tree is known to who asks; a part of it is not.
    if from > 0 {
        proof.push(walk.root(from, to)?);
    }
    proof.reverse();
    Ok(proof)
}

/// The largest power of two that is less than a number from 2.
const fn larger_half(leaves: u64) -> u64 {
    1 << (u64::BITS - 1 - (leaves - 1).leading_zeros())
}

/// Reads the nodes of a tree out of its tiles.
struct Walk<'a, S> {
    size: u64,
    source: &'a mut S,
    /// Most nodes of a proof are in the tile of the one before.
    last: Option<(Tile, Vec<Hash>)>,
}

impl<'a, S: TileSource> Walk<'a, S> {
    const fn new(size: u64, source: &'a mut S) -> Self {
        let last = None;
        Self { size, source, last }
    }

    /// The root over these leaves, a subtree that RFC 6962 splits off.
    fn root(&mut self, mut from: u64, to: u64) -> Result<Hash, ProofError<S::Error>> {
        let mut complete = Vec::new();
        while !(to - from).is_power_of_two() {
            let half = larger_half(to - from);
            complete.push(self.complete(from, half)?);
            from += half;
        }
        let last = self.complete(from, to - from)?;
        let from_the_right = complete.iter().rev();
        Ok(from_the_right.fold(last, |right, left| node_hash(left, &right)))
    }

    /// The root of a complete subtree: its leaves are a power of two.
    fn complete(&mut self, from: u64, leaves: u64) -> Result<Hash, ProofError<S::Error>> {
        let height = leaves.trailing_zeros();
        let (level, hashes) = (height / 8, 1 << (height % 8));
        let first = from >> (8 * level);
        let full = u64::from(Tile::FULL);
        let level = u8::try_from(level).map_or(Level::Hashes(u8::MAX), Level::Hashes);
        let tile = Tile::of(level, first / full, self.size).ok_or(ProofError::Outside)?;
        let start = usize::try_from(first % full).unwrap_or_default();
        let hashes = self.tile(tile)?.get(start..start + hashes);
        let hashes = hashes.ok_or(ProofError::Short(tile))?;
        Ok(hashes.iter().copied().collect::<Frontier>().root())
    }

    fn tile(&mut self, tile: Tile) -> Result<&[Hash], ProofError<S::Error>> {
        let last = self.last.take().filter(|(last, _)| *last == tile);
        let held = match last {
            Some(held) => held,
            None => (tile, self.source.hashes(tile).map_err(ProofError::Source)?),
        };
        Ok(&self.last.insert(held).1)
    }
}

/// Whether a leaf with this hash is at this place, counted from 0, of the tree with so many
/// leaves and this root: RFC 9162, section 2.1.3.2.
#[must_use]
pub fn inclusion_is_proven(
    leaf: &Hash,
    index: u64,
    size: u64,
    proof: &[Hash],
    root: &Hash,
) -> bool {
    if index >= size {
        return false;
    }
    let mut way = Way {
        node: index,
        last: size - 1,
    };
    let mut hash = *leaf;
    for other in proof {
        let Some(is_right) = way.up() else {
            return false;
        };
        hash = if is_right {
            node_hash(other, &hash)
        } else {
            node_hash(&hash, other)
        };
    }
    way.last == 0 && hash == *root
}

/// Whether the tree with `old` leaves is the beginning of the one with `new` leaves, each given
/// with its root: RFC 9162, section 2.1.4.2.
///
/// An empty tree is the beginning of every other.
#[must_use]
pub fn consistency_is_proven(
    (old, old_root): (u64, &Hash),
    (new, new_root): (u64, &Hash),
    proof: &[Hash],
) -> bool {
    if old == 0 || old >= new {
        let same = old == 0 || (old == new && old_root == new_root);
        return same && proof.is_empty();
    }
    let mut way = Way {
        node: old - 1,
        last: new - 1,
    };
    way.skip_right();
    // A complete old tree is a node of the new one; else the proof says which node they share.
    let (shared, rest) = match proof.split_first() {
        _ if old.is_power_of_two() => (old_root, proof),
        Some(shared) => shared,
        None => return false,
    };
    let (mut was, mut is) = (*shared, *shared);
    for other in rest {
        match way.up() {
            None => return false,
            Some(true) => (was, is) = (node_hash(other, &was), node_hash(other, &is)),
            Some(false) => is = node_hash(&is, other),
        }
    }
    way.last == 0 && was == *old_root && is == *new_root
}

/// The way from a node to the root.
struct Way {
    /// The place of the node in its row.
    node: u64,
    /// The place of the last node in that row.
    last: u64,
}

impl Way {
    /// Goes to the node above, and says whether this one was its right child; `None` at the root.
    const fn up(&mut self) -> Option<bool> {
        if self.last == 0 {
            return None;
        }
        let is_right = self.node % 2 == 1 || self.node == self.last;
        if is_right {
            // The last node of a row that has no twin stands for itself in the row above.
            while self.node.is_multiple_of(2) && self.node != 0 {
                self.node /= 2;
                self.last /= 2;
            }
        }
        self.node /= 2;
        self.last /= 2;
        Some(is_right)
    }

    /// Goes up for as long as the node is a right child.
    const fn skip_right(&mut self) {
        while self.node % 2 == 1 {
            self.node /= 2;
            self.last /= 2;
        }
    }
}
