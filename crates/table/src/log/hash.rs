use sha2::{Digest, Sha256};
use war::support::hex::Hex;

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
