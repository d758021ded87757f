use std::fmt;
use war::journal::Verdict;

/// A fault in a log.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, thiserror::Error)]
pub enum LogFault {
    /// The checkpoint is not that of a card table's log.
    #[error("not a checkpoint of a card table's log")]
    Checkpoint,
    /// The checkpoint was signed with another key.
    #[error("the checkpoint was signed with another key")]
    OtherKey,
    /// The signature does not match the checkpoint.
    #[error("the signature of the checkpoint doesn't match")]
    Signature,
    /// The checkpoint is from another table than the earlier one.
    #[error("the earlier checkpoint is of `{earlier}`, this log is of `{found}`")]
    OtherTable {
        /// Origin of the earlier checkpoint.
        earlier: String,
        /// Origin of this checkpoint.
        found: String,
    },
    /// The log is shorter than it was.
    #[error("the log had {earlier} leaves, and has {found}")]
    Shorter {
        /// Number of leaves at the earlier checkpoint.
        earlier: u64,
        /// Number of leaves now.
        found: u64,
    },
    /// The log does not begin with the leaves of the earlier checkpoint.
    #[error("the first {earlier} leaves are not those of the earlier checkpoint")]
    Forked {
        /// Number of leaves at the earlier checkpoint.
        earlier: u64,
    },
    /// The checkpoint, a tile or an entry bundle is missing.
    #[error("`{0}` is missing")]
    Missing(String),
    /// A tile or an entry bundle has the wrong length.
    #[error("`{0}` doesn't have the right length")]
    Length(String),
    /// A leaf does not match its hash in the tree.
    #[error("leaf {0} is not the one that was hashed")]
    LeafHash(u64),
    /// A tile does not follow from the tiles below it.
    #[error("`{0}` doesn't hold the hashes of the tiles below it")]
    Tile(String),
    /// The root of the tree is not the signed one.
    #[error("the {size} leaves don't have the root of the checkpoint")]
    Root {
        /// Number of leaves.
        size: u64,
    },
    /// A leaf is not valid.
    #[error("leaf {0} is not a leaf of a card table's log")]
    Leaf(u64),
    /// A leaf has an unknown version.
    #[error("leaf {leaf} is of another version: {first_line}")]
    UnknownLeaf {
        /// Position of the leaf, from 0.
        leaf: u64,
        /// First line of the leaf.
        first_line: String,
    },
    /// Two games have the same number.
    #[error("leaf {leaf} begins game {game}, which leaf {before} began")]
    StartedTwice {
        /// The game.
        game: u64,
        /// Position of the second start, from 0.
        leaf: u64,
        /// Position of the first one.
        before: u64,
    },
    /// A game ends twice.
    #[error("leaf {leaf} ends game {game}, which leaf {before} ended")]
    EndedTwice {
        /// The game.
        game: u64,
        /// Position of the second end, from 0.
        leaf: u64,
        /// Position of the first one.
        before: u64,
    },
    /// A game ends without having begun.
    #[error("leaf {leaf} ends game {game}, which never began")]
    NoStart {
        /// The game.
        game: u64,
        /// Position of the end, from 0.
        leaf: u64,
    },
    /// A game that began long ago has not ended.
    #[error("game {game} of leaf {leaf} has not ended in {hours} hours")]
    NoEnd {
        /// The game.
        game: u64,
        /// Position of the start, from 0.
        leaf: u64,
        /// Hours since the start.
        hours: u64,
    },
}

impl LogFault {
    /// Code under which the book lists the fault.
    #[must_use]
    pub const fn code(&self) -> LogCode {
        match self {
            Self::Checkpoint => LogCode::Checkpoint,
            Self::OtherKey => LogCode::Key,
            Self::Signature => LogCode::Signature,
            Self::OtherTable { .. } => LogCode::Table,
            Self::Shorter { .. } => LogCode::Shorter,
            Self::Forked { .. } => LogCode::Forked,
            Self::Missing(_) => LogCode::Missing,
            Self::Length(_) => LogCode::Length,
            Self::LeafHash(_) => LogCode::LeafHash,
            Self::Tile(_) => LogCode::Tile,
            Self::Root { .. } => LogCode::Root,
            Self::Leaf(_) => LogCode::Leaf,
            Self::UnknownLeaf { .. } => LogCode::Version,
            Self::StartedTwice { .. } | Self::EndedTwice { .. } => LogCode::Twice,
            Self::NoStart { .. } => LogCode::NoStart,
            Self::NoEnd { .. } => LogCode::NoEnd,
        }
    }

    /// Position of the leaf that the fault is about, from 0.
    #[must_use]
    pub const fn leaf(&self) -> Option<u64> {
        match self {
            Self::LeafHash(leaf)
            | Self::Leaf(leaf)
            | Self::UnknownLeaf { leaf, .. }
            | Self::StartedTwice { leaf, .. }
            | Self::EndedTwice { leaf, .. }
            | Self::NoStart { leaf, .. }
            | Self::NoEnd { leaf, .. } => Some(*leaf),
            _ => None,
        }
    }
}

/// The code of a fault in a log.
///
/// The variants have the numbers under which the book lists them.
///
/// # Examples
///
/// ```
/// use war::journal::Verdict;
/// use war_table::log::LogCode;
///
/// assert_eq!(LogCode::Twice.to_string(), "WL301");
/// assert_eq!(LogCode::Twice.verdict(), Verdict::Diverged);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u16)]
pub enum LogCode {
    /// Not a checkpoint.
    Checkpoint = 1,
    /// A leaf of an unknown version.
    Version = 2,
    /// The checkpoint, a tile or an entry bundle is missing.
    Missing = 101,
    /// A tile or an entry bundle has the wrong length.
    Length = 102,
    /// Not a leaf.
    Leaf = 103,
    /// The checkpoint's signature does not match.
    Signature = 201,
    /// A leaf does not match its hash.
    LeafHash = 202,
    /// A tile does not follow from the tiles below it.
    Tile = 203,
    /// The root differs from the checkpoint's.
    Root = 204,
    /// Signed with another key.
    Key = 205,
    /// The log of another table.
    Table = 206,
    /// Shorter than before.
    Shorter = 207,
    /// A different history from the one seen before.
    Forked = 208,
    /// Two games with one number, or a game that ends twice.
    Twice = 301,
    /// An end without a start.
    NoStart = 302,
    /// A start without an end for too long.
    NoEnd = 303,
}

impl LogCode {
    /// Verdict on a log with this fault.
    #[must_use]
    pub const fn verdict(self) -> Verdict {
        match self {
            Self::Version => Verdict::Unsupported,
            Self::Checkpoint
            | Self::Missing
            | Self::Length
            | Self::Leaf
            | Self::Signature
            | Self::LeafHash
            | Self::Tile
            | Self::Root => Verdict::Damaged,
            Self::Key | Self::Table | Self::Shorter | Self::Forked => Verdict::Unexpected,
            Self::Twice | Self::NoStart | Self::NoEnd => Verdict::Diverged,
        }
    }
}

impl fmt::Display for LogCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "WL{:03}", *self as u16)
    }
}
