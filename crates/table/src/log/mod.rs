//! The card table's append-only log of commitments and results.
//!
//! Every game has two [leaves](Leaf), one for its start and one for its end. They are hashed into a
//! Merkle tree (RFC 6962), and served as the [tiles](Tile) of C2SP `tlog-tiles`. From time to time
//! the table signs a checkpoint: the size and root of the tree. Two checkpoints let anybody verify
//! that the later log contains the earlier one; one checkpoint is enough to verify that the log
//! contains a leaf.
//!
//! This part has no files, no clock and no network. [`LogTree`] maintains a log, [`verify()`] reads
//! and checks a log through a [`LogFetcher`], and [`inclusion_is_proven`] and
//! [`consistency_is_proven`] check proofs.
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
    Continuation, GameEnd, GameStart, Leaf, LeafError, TableId, is_start_signature, sign_start,
    start_signature_text,
};
pub use tile::{BundleError, Level, ParseTileError, Tile, decode_bundle, encode_bundle};
pub use tree::{
    Frontier, Hash, LogTree, ProofError, TileSource, consistency_is_proven, consistency_proof,
    inclusion_is_proven, inclusion_proof, leaf_hash, node_hash,
};
pub use verify::{LogFetcher, LogFindings, LogResult, VerifyOptions, verify};
