//! The card table's append-only log of commitments and results.
//!
//! Every game has two [leaves](Leaf), one for its start and one for its end. They are hashed into a
//! Merkle tree (RFC 6962), and served as the [tiles](Tile) of C2SP `tlog-tiles`. From time to time
//! the table signs a checkpoint: the size and root of the tree. Two checkpoints let anybody verify
//! that the later log contains the earlier one; one checkpoint is enough to verify that the log
//! contains a leaf.
//!
//! This part has no files, no clock and no network. [`LogTree`] maintains a log, [`verify_log`]
//! reads and checks a log through a [`LogFetcher`], and [`is_valid_inclusion_proof`] and
//! [`is_valid_consistency_proof`] check proofs.
//!
//! # Examples
//!
//! ```
//! use std::convert::Infallible;
//! use std::ops::Range;
//! use war_table::log::{LogTree, is_valid_inclusion_proof, hash_leaf};
//!
//! let leaves = ["one", "two", "three"].map(|leaf| hash_leaf(leaf.as_bytes()));
//! let mut tree = LogTree::default();
//! leaves.iter().for_each(|leaf| tree.append(*leaf));
//!
//! let stored = |range: Range<u64>| {
//!     Ok::<_, Infallible>(leaves[range.start as usize..range.end as usize].to_vec())
//! };
//! let proof = tree.prove_inclusion(2, 3, stored).unwrap();
//! assert!(is_valid_inclusion_proof(&leaves[2], 2, 3, &proof, &tree.root()));
//! assert!(!is_valid_inclusion_proof(&leaves[1], 2, 3, &proof, &tree.root()));
//! ```

mod checkpoint;
mod fault;
mod leaf;
mod tile;
mod tree;
mod verify;

pub use checkpoint::{
    Checkpoint, CheckpointError, Note, NoteError, SignatureError, format_verifier_key,
};
pub use fault::{LogCode, LogFault};
pub use leaf::{
    Continuation, DAY_LEAF, GameEnd, GameStart, Leaf, LeafError, TableId, is_start_signature,
    sign_start, start_signature_text,
};
pub use tile::{BundleError, ParseTileError, Tile, TileLevel, decode_bundle, encode_bundle};
pub use tree::{
    Frontier, LogTree, ProofError, TileSource, TreeHash, hash_leaf, hash_node,
    is_valid_consistency_proof, is_valid_inclusion_proof, prove_consistency, prove_inclusion,
};
pub use verify::{LogFetcher, LogFindings, LogResult, VerifyOptions, verify_log};
