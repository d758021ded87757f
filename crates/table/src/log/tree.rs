use super::tile::{Tile, TileLevel};
use sha2::{Digest, Sha256};
use std::ops::Range;
use war::support::hex::Hex;

/// The growing Merkle tree of a log, from which roots, tiles and proofs are computed.
///
/// The tree holds only about one hash per 256 leaves in memory. The hashes of the leaves in full
/// tiles are read from storage: the callback `stored` takes a range of leaves, counted from 0, and
/// returns their [hashes](super::hash_leaf).
///
/// # Examples
///
/// ```
/// use std::convert::Infallible;
/// use war_table::log::{LogTree, hash_leaf};
///
/// let tree: LogTree = (0..300_u32).map(|leaf| hash_leaf(&leaf.to_be_bytes())).collect();
/// let stored = |range: std::ops::Range<u64>| {
///     let hashes = range.map(|leaf| hash_leaf(&(leaf as u32).to_be_bytes()));
///     Ok::<_, Infallible>(hashes.collect())
/// };
/// let first = tree.read_tile("tile/0/000".parse().unwrap(), stored).unwrap().unwrap();
/// assert_eq!(first.len(), 256 * 32);
/// assert!(tree.read_tile("tile/0/002".parse().unwrap(), stored).unwrap().is_none());
/// ```
#[derive(Debug, Clone, Default)]
pub struct LogTree {
    frontier: Frontier,
    /// Hashes of the leaves after the last full tile.
    tail: Vec<TreeHash>,
    /// All hashes of tile level 1, level 2 and so on.
    levels: Vec<Vec<TreeHash>>,
}

impl LogTree {
    /// Number of leaves.
    #[must_use]
    pub const fn size(&self) -> u64 {
        self.frontier.size()
    }

    /// Root of the tree.
    #[must_use]
    pub fn root(&self) -> TreeHash {
        self.frontier.root()
    }

    /// Appends the hash of a leaf.
    pub fn append(&mut self, leaf: TreeHash) {
        const FULL: usize = Tile::FULL_WIDTH as usize;
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

    /// Reads the bytes of a tile of hashes. Returns `None` for a tile of entries, or a tile that
    /// reaches beyond the tree.
    ///
    /// # Errors
    ///
    /// The error of `stored`.
    pub fn read_tile<E>(
        &self,
        tile: Tile,
        stored: impl FnMut(Range<u64>) -> Result<Vec<TreeHash>, E>,
    ) -> Result<Option<Vec<u8>>, E> {
        if tile.level() == TileLevel::Entries || !tile.is_in(self.size()) {
            return Ok(None);
        }
        let tree = self;
        let hashes = StoredTiles { tree, stored }.hashes(tile)?;
        let bytes: Vec<u8> = hashes.iter().flat_map(TreeHash::bytes).copied().collect();
        Ok(Some(bytes).filter(|_| hashes.len() == usize::from(tile.width())))
    }

    /// Proves that a leaf is in the tree of the first `size` leaves.
    ///
    /// # Errors
    ///
    /// [`ProofError`] if there is no such leaf, or stored hashes can't be read.
    pub fn prove_inclusion<E>(
        &self,
        index: u64,
        size: u64,
        stored: impl FnMut(Range<u64>) -> Result<Vec<TreeHash>, E>,
    ) -> Result<Vec<TreeHash>, ProofError<E>> {
        let tree = self.require_size(size)?;
        prove_inclusion(index, size, &mut StoredTiles { tree, stored })
    }

    /// Proves that the tree of `old` leaves is a prefix of the tree of `new` leaves.
    ///
    /// # Errors
    ///
    /// [`ProofError`] if `old` is greater than `new`, the tree has fewer than `new` leaves, or
    /// stored hashes can't be read.
    pub fn prove_consistency<E>(
        &self,
        old: u64,
        new: u64,
        stored: impl FnMut(Range<u64>) -> Result<Vec<TreeHash>, E>,
    ) -> Result<Vec<TreeHash>, ProofError<E>> {
        let tree = self.require_size(new)?;
        prove_consistency(old, new, &mut StoredTiles { tree, stored })
    }

    fn require_size<E>(&self, size: u64) -> Result<&Self, ProofError<E>> {
        let reaches = size <= self.size();
        reaches.then_some(self).ok_or(ProofError::Outside)
    }
}

impl FromIterator<TreeHash> for LogTree {
    fn from_iter<I: IntoIterator<Item = TreeHash>>(hashes: I) -> Self {
        let mut tree = Self::default();
        hashes.into_iter().for_each(|hash| tree.append(hash));
        tree
    }
}

/// The tiles of a tree whose leaf hashes are in storage.
struct StoredTiles<'a, F> {
    tree: &'a LogTree,
    stored: F,
}

impl<E, F: FnMut(Range<u64>) -> Result<Vec<TreeHash>, E>> TileSource for StoredTiles<'_, F> {
    type Error = E;

    fn hashes(&mut self, tile: Tile) -> Result<Vec<TreeHash>, E> {
        let range = tile.start()..tile.start() + u64::from(tile.width());
        let (hashes, before) = match tile.level() {
            TileLevel::Hashes(0) => {
                let before = self.tree.size() - self.tree.tail.len() as u64;
                if range.start < before {
                    return (self.stored)(range);
                }
                (Some(&self.tree.tail), before)
            }
            TileLevel::Hashes(level) => (self.tree.levels.get(usize::from(level) - 1), 0),
            TileLevel::Entries => (None, 0),
        };
        let at = |position: u64| usize::try_from(position - before).unwrap_or(usize::MAX);
        let held = hashes.and_then(|hashes| hashes.get(at(range.start)..at(range.end)));
        Ok(held.unwrap_or_default().to_vec())
    }
}

/// The SHA-256 hash of a leaf or node of the tree.
pub type TreeHash = Hex<32>;

/// Hashes a leaf: RFC 6962, section 2.1.
#[must_use]
pub fn hash_leaf(leaf: &[u8]) -> TreeHash {
    let hash = Sha256::new().chain_update([0]).chain_update(leaf);
    Hex::new(hash.finalize().into())
}

/// Hashes the parent of two nodes: RFC 6962, section 2.1.
#[must_use]
pub fn hash_node(left: &TreeHash, right: &TreeHash) -> TreeHash {
    let hash = Sha256::new().chain_update([1]);
    let hash = hash.chain_update(left.bytes()).chain_update(right.bytes());
    Hex::new(hash.finalize().into())
}

/// A growing tree that keeps only the roots of its complete subtrees.
///
/// # Examples
///
/// ```
/// use war_table::log::{Frontier, hash_leaf, hash_node};
///
/// let leaves = ["one", "two", "three"].map(|leaf| hash_leaf(leaf.as_bytes()));
/// let tree: Frontier = leaves.into_iter().collect();
/// let first_two = hash_node(&leaves[0], &leaves[1]);
/// assert_eq!(tree.root(), hash_node(&first_two, &leaves[2]));
/// assert_eq!(tree.size(), 3);
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Frontier {
    size: u64,
    /// Roots of the complete subtrees from left to right, each over fewer leaves than the one
    /// before.
    roots: Vec<TreeHash>,
}

impl Frontier {
    /// Number of leaves.
    #[must_use]
    pub const fn size(&self) -> u64 {
        self.size
    }

    /// Appends the hash of a leaf.
    pub fn append(&mut self, mut hash: TreeHash) {
        // Each trailing 1 bit of the size stands for a complete subtree that now gets its sibling.
        for _ in 0..self.size.trailing_ones() {
            if let Some(left) = self.roots.pop() {
                hash = hash_node(&left, &hash);
            }
        }
        self.roots.push(hash);
        self.size += 1;
    }

    /// Root of the tree. The root of an empty tree is the hash of the empty string.
    #[must_use]
    pub fn root(&self) -> TreeHash {
        let from_the_right = self.roots.iter().rev().copied();
        let root = from_the_right.reduce(|right, left| hash_node(&left, &right));
        root.unwrap_or_else(|| Hex::new(Sha256::digest([]).into()))
    }
}

impl FromIterator<TreeHash> for Frontier {
    fn from_iter<I: IntoIterator<Item = TreeHash>>(hashes: I) -> Self {
        let mut tree = Self::default();
        hashes.into_iter().for_each(|hash| tree.append(hash));
        tree
    }
}

/// A source of the tiles of a tree: a store, a network, a directory.
pub trait TileSource {
    /// Error for a tile that can't be read.
    type Error;

    /// Returns the hashes of a tile, as many as its width.
    ///
    /// # Errors
    ///
    /// The error of the source.
    fn hashes(&mut self, tile: Tile) -> Result<Vec<TreeHash>, Self::Error>;
}

/// Reason why a proof can't be computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ProofError<E> {
    /// Proof about more leaves than the tree has.
    #[error("the log is not that long")]
    Outside,
    /// Tile that holds fewer hashes than its width.
    #[error("`{0}` holds too few hashes")]
    Short(Tile),
    /// Failure to read a tile.
    #[error("a tile can't be had")]
    Source(E),
}

/// Proves that a leaf is in a tree of `size` leaves: RFC 9162, section 2.1.3.1.
///
/// # Errors
///
/// [`ProofError`] if the tree has no such leaf, or its tiles can't be read.
pub fn prove_inclusion<S: TileSource>(
    index: u64,
    size: u64,
    source: &mut S,
) -> Result<Vec<TreeHash>, ProofError<S::Error>> {
    if index >= size {
        return Err(ProofError::Outside);
    }
    let mut nodes = NodeReader::new(size, source);
    let (mut proof, mut from, mut to) = (Vec::new(), 0, size);
    while to - from > 1 {
        let middle = from + larger_half(to - from);
        if index < middle {
            proof.push(nodes.root(middle, to)?);
            to = middle;
        } else {
            proof.push(nodes.root(from, middle)?);
            from = middle;
        }
    }
    proof.reverse();
    Ok(proof)
}

/// Proves that the tree of `old` leaves is a prefix of the tree of `new` leaves: RFC 9162, section
/// 2.1.4.1.
///
/// # Errors
///
/// [`ProofError`] if `old` is greater than `new`, or the tiles can't be read.
pub fn prove_consistency<S: TileSource>(
    old: u64,
    new: u64,
    source: &mut S,
) -> Result<Vec<TreeHash>, ProofError<S::Error>> {
    if old > new {
        return Err(ProofError::Outside);
    }
    let mut nodes = NodeReader::new(new, source);
    let (mut proof, mut from, mut to) = (Vec::new(), 0, new);
    while old != 0 && old != to {
        let middle = from + larger_half(to - from);
        if old <= middle {
            proof.push(nodes.root(middle, to)?);
            to = middle;
        } else {
            proof.push(nodes.root(from, middle)?);
            from = middle;
        }
    }
    // The verifier knows the root of the whole old tree, but not the roots of its parts.
    if from > 0 {
        proof.push(nodes.root(from, to)?);
    }
    proof.reverse();
    Ok(proof)
}

/// Largest power of two that is less than `leaves`, which is at least 2.
const fn larger_half(leaves: u64) -> u64 {
    1 << (u64::BITS - 1 - (leaves - 1).leading_zeros())
}

/// Computes the nodes of a tree from its tiles.
struct NodeReader<'a, S> {
    size: u64,
    source: &'a mut S,
    /// The tile read last: most nodes of a proof share a tile with their predecessor.
    last: Option<(Tile, Vec<TreeHash>)>,
}

impl<'a, S: TileSource> NodeReader<'a, S> {
    const fn new(size: u64, source: &'a mut S) -> Self {
        let last = None;
        Self { size, source, last }
    }

    /// Root over a range of leaves that RFC 6962 splits off as a subtree.
    fn root(&mut self, mut from: u64, to: u64) -> Result<TreeHash, ProofError<S::Error>> {
        let mut complete = Vec::new();
        while !(to - from).is_power_of_two() {
            let half = larger_half(to - from);
            complete.push(self.complete_root(from, half)?);
            from += half;
        }
        let last = self.complete_root(from, to - from)?;
        let from_the_right = complete.iter().rev();
        Ok(from_the_right.fold(last, |right, left| hash_node(left, &right)))
    }

    /// Root of a complete subtree; `leaves` is a power of two.
    fn complete_root(&mut self, from: u64, leaves: u64) -> Result<TreeHash, ProofError<S::Error>> {
        let height = leaves.trailing_zeros();
        let (level, hashes) = (height / 8, 1 << (height % 8));
        let first = from >> (8 * level);
        let full = u64::from(Tile::FULL_WIDTH);
        let level = u8::try_from(level).map_or(TileLevel::Hashes(u8::MAX), TileLevel::Hashes);
        let tile = Tile::new(level, first / full, self.size).ok_or(ProofError::Outside)?;
        let start = usize::try_from(first % full).unwrap_or_default();
        let hashes = self.tile(tile)?.get(start..start + hashes);
        let hashes = hashes.ok_or(ProofError::Short(tile))?;
        Ok(hashes.iter().copied().collect::<Frontier>().root())
    }

    fn tile(&mut self, tile: Tile) -> Result<&[TreeHash], ProofError<S::Error>> {
        let last = self.last.take().filter(|(last, _)| *last == tile);
        let held = match last {
            Some(held) => held,
            None => (tile, self.source.hashes(tile).map_err(ProofError::Source)?),
        };
        Ok(&self.last.insert(held).1)
    }
}

/// Returns true if the proof shows a leaf with this hash at position `index`, counted from 0, in
/// the tree of `size` leaves with this root: RFC 9162, section 2.1.3.2.
#[must_use]
pub fn is_valid_inclusion_proof(
    leaf: &TreeHash,
    index: u64,
    size: u64,
    proof: &[TreeHash],
    root: &TreeHash,
) -> bool {
    if index >= size {
        return false;
    }
    let mut path = PathCursor {
        node: index,
        last: size - 1,
    };
    let mut hash = *leaf;
    for other in proof {
        let Some(is_right) = path.up() else {
            return false;
        };
        hash = if is_right {
            hash_node(other, &hash)
        } else {
            hash_node(&hash, other)
        };
    }
    path.last == 0 && hash == *root
}

/// Returns true if the proof shows that the tree of `old` leaves is a prefix of the tree of `new`
/// leaves, each given with its root: RFC 9162, section 2.1.4.2.
///
/// An empty tree is a prefix of every tree.
#[must_use]
pub fn is_valid_consistency_proof(
    (old, old_root): (u64, &TreeHash),
    (new, new_root): (u64, &TreeHash),
    proof: &[TreeHash],
) -> bool {
    if old == 0 || old >= new {
        let same = old == 0 || (old == new && old_root == new_root);
        return same && proof.is_empty();
    }
    let mut path = PathCursor {
        node: old - 1,
        last: new - 1,
    };
    path.skip_right();
    // A complete old tree is a node of the new one; otherwise the proof begins with a node that
    // both trees contain.
    let (shared, rest) = match proof.split_first() {
        _ if old.is_power_of_two() => (old_root, proof),
        Some(shared) => shared,
        None => return false,
    };
    let (mut was, mut is) = (*shared, *shared);
    for other in rest {
        match path.up() {
            None => return false,
            Some(true) => (was, is) = (hash_node(other, &was), hash_node(other, &is)),
            Some(false) => is = hash_node(&is, other),
        }
    }
    path.last == 0 && was == *old_root && is == *new_root
}

/// A position on the path from a node to the root.
struct PathCursor {
    /// Position of the node in its row of the tree.
    node: u64,
    /// Position of the last node in that row.
    last: u64,
}

impl PathCursor {
    /// Moves to the parent. Returns true if the node was a right child, and `None` at the root.
    const fn up(&mut self) -> Option<bool> {
        if self.last == 0 {
            return None;
        }
        let is_right = self.node % 2 == 1 || self.node == self.last;
        if is_right {
            // If the last node of a row has no sibling, it is the last node of the row above as
            // well.
            while self.node.is_multiple_of(2) && self.node != 0 {
                self.node /= 2;
                self.last /= 2;
            }
        }
        self.node /= 2;
        self.last /= 2;
        Some(is_right)
    }

    /// Moves up as long as the node is a right child.
    const fn skip_right(&mut self) {
        while self.node % 2 == 1 {
            self.node /= 2;
            self.last /= 2;
        }
    }
}
