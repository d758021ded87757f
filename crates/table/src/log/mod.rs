//! The card table's log: what it committed to and what came of it, in an order that nobody can
//! change afterwards.
//!
//! Every game has two [leaves](Leaf): one says what it began with, one how it ended. They are
//! hashed to a Merkle tree (RFC 6962), and served as the [tiles](Tile) of C2SP `tlog-tiles`. From
//! time to time the table signs how long the tree is and what its root is: a checkpoint.
//! With two checkpoints anybody can see that the later log contains the earlier one, and with
//! one that a leaf is in it.
//!
//! The part has no files, no clock and no network. [`LogTree`] is for who keeps a log, `verify`
//! reads one through a `Source`, and [`inclusion_is_proven`] and [`consistency_is_proven`] are
//! for who holds a proof.
//!
//! # Examples
//!
//! ```
//! use std::convert::Infallible;
//! use std::ops::Range;
//! use war_table::log::{LogTree, inclusion_is_proven, leaf_hash};
//!
//! let leaves = ["one", "two", "three"].map(|leaf| leaf_hash(leaf.as_bytes()));
//! let mut tree = LogTree::default();
//! leaves.iter().for_each(|leaf| tree.append(*leaf));
//!
//! let stored = |range: Range<u64>| {
//!     Ok::<_, Infallible>(leaves[range.start as usize..range.end as usize].to_vec())
//! };
//! let proof = tree.inclusion_proof(2, 3, stored).unwrap();
//! assert!(inclusion_is_proven(&leaves[2], 2, 3, &proof, &tree.root()));
//! assert!(!inclusion_is_proven(&leaves[1], 2, 3, &proof, &tree.root()));
//! ```

mod checkpoint;
mod fault;
mod leaf;
mod tile;
mod tree;
mod verify;

pub use checkpoint::{Checkpoint, CheckpointError, Note, NoteError, SignatureError, verifier_key};
pub use fault::{LogCode, LogFault};
pub use leaf::{
    End, Leaf, LeafError, Restored, Start, TableId, sign_started, started_is_signed, started_text,
};
pub use tile::{BundleError, Level, ParseTileError, Tile, bundle, entries};
pub use tree::{
    Frontier, Hash, LogTree, ProofError, TileSource, consistency_is_proven, consistency_proof,
    inclusion_is_proven, inclusion_proof, leaf_hash, node_hash,
};
pub use verify::{Demand, Findings, LogResult, Source, verify};
