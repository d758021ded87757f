use crate::daily::Day;
use std::fmt;
use war::journal::Verdict;

/// A fault in a log.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, thiserror::Error)]
pub enum LogFault {
    /// Text that is not the checkpoint of a card table's log.
    #[error("not a checkpoint of a card table's log")]
    Checkpoint,
    /// Checkpoint signed with another key.
    #[error("the checkpoint was signed with another key")]
    OtherKey,
    /// Signature that does not match the checkpoint.
    #[error("the signature of the checkpoint doesn't match")]
    Signature,
    /// Checkpoint from another table than the earlier checkpoint.
    #[error("the earlier checkpoint is of `{earlier}`, this log is of `{found}`")]
    OtherTable {
        /// Name of the log in the earlier checkpoint.
        earlier: String,
        /// Name of the log in this checkpoint.
        found: String,
    },
    /// Log that is shorter than at the earlier checkpoint.
    #[error("the log had {earlier} leaves, and has {found}")]
    Shorter {
        /// Number of leaves at the earlier checkpoint.
        earlier: u64,
        /// Number of leaves now.
        found: u64,
    },
    /// Log that does not begin with the leaves of the earlier checkpoint.
    #[error("the first {earlier} leaves are not those of the earlier checkpoint")]
    Forked {
        /// Number of leaves at the earlier checkpoint.
        earlier: u64,
    },
    /// Missing checkpoint, tile or entry bundle, by path.
    #[error("`{0}` is missing")]
    Missing(String),
    /// Tile or entry bundle of the wrong length, by path.
    #[error("`{0}` doesn't have the right length")]
    Length(String),
    /// Leaf that does not match its hash in the tree, by position from 0.
    #[error("leaf {0} is not the one that was hashed")]
    LeafHash(u64),
    /// Tile that does not follow from the tiles below it, by path.
    #[error("`{0}` doesn't hold the hashes of the tiles below it")]
    Tile(String),
    /// Tree root that differs from the signed root.
    #[error("the {size} leaves don't have the root of the checkpoint")]
    Root {
        /// Number of leaves.
        size: u64,
    },
    /// Invalid leaf, by position from 0.
    #[error("leaf {0} is not a leaf of a card table's log")]
    Leaf(u64),
    /// Leaf of an unknown version.
    #[error("leaf {leaf} is of another version: {first_line}")]
    UnknownLeaf {
        /// Position of the leaf, from 0.
        leaf: u64,
        /// First line of the leaf.
        first_line: String,
    },
    /// Second game start with the same game number.
    #[error("leaf {leaf} begins game {game}, which leaf {before} began")]
    StartedTwice {
        /// Number of the game.
        game: u64,
        /// Position of the second start, from 0.
        leaf: u64,
        /// Position of the first start, from 0.
        before: u64,
    },
    /// Second game end with the same game number.
    #[error("leaf {leaf} ends game {game}, which leaf {before} ended")]
    EndedTwice {
        /// Number of the game.
        game: u64,
        /// Position of the second end, from 0.
        leaf: u64,
        /// Position of the first end, from 0.
        before: u64,
    },
    /// End of a game that has not begun.
    #[error("leaf {leaf} ends game {game}, which never began")]
    NoStart {
        /// Number of the game.
        game: u64,
        /// Position of the end, from 0.
        leaf: u64,
    },
    /// Commitment to the seed of a day that has begun.
    #[error("leaf {leaf} commits to the seed of {day}, which had begun")]
    LateDay {
        /// The day.
        day: Day,
        /// Position of the commitment, from 0.
        leaf: u64,
    },
    /// Second commitment for a day, to another seed.
    #[error("leaf {leaf} commits to another seed of {day} than leaf {before}")]
    OtherDay {
        /// The day.
        day: Day,
        /// Position of the second commitment, from 0.
        leaf: u64,
        /// Position of the first commitment, from 0.
        before: u64,
    },
    /// Game that began long ago and has not ended.
    #[error("game {game} of leaf {leaf} has not ended in {hours} hours")]
    NoEnd {
        /// Number of the game.
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
            Self::LateDay { .. } | Self::OtherDay { .. } => LogCode::Day,
        }
    }

    /// Position of the leaf that the fault is about, from 0.
    #[must_use]
    pub const fn leaf_position(&self) -> Option<u64> {
        match self {
            Self::LeafHash(leaf)
            | Self::Leaf(leaf)
            | Self::UnknownLeaf { leaf, .. }
            | Self::StartedTwice { leaf, .. }
            | Self::EndedTwice { leaf, .. }
            | Self::NoStart { leaf, .. }
            | Self::NoEnd { leaf, .. }
            | Self::LateDay { leaf, .. }
            | Self::OtherDay { leaf, .. } => Some(*leaf),
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
    /// Text that is not a checkpoint.
    Checkpoint = 1,
    /// Leaf of an unknown version.
    Version = 2,
    /// Missing checkpoint, tile or entry bundle.
    Missing = 101,
    /// Tile or entry bundle of the wrong length.
    Length = 102,
    /// Entry that is not a leaf.
    Leaf = 103,
    /// Signature that does not match the checkpoint.
    Signature = 201,
    /// Leaf that does not match its hash.
    LeafHash = 202,
    /// Tile that does not follow from the tiles below it.
    Tile = 203,
    /// Tree root that differs from the root in the checkpoint.
    Root = 204,
    /// Checkpoint signed with another key.
    Key = 205,
    /// Log of another table.
    Table = 206,
    /// Log that is shorter than at the earlier checkpoint.
    Shorter = 207,
    /// Log that does not begin with the leaves of the earlier checkpoint.
    Forked = 208,
    /// Two games with the same number, or a game that ends twice.
    Twice = 301,
    /// End of a game without a start.
    NoStart = 302,
    /// Game that began long ago and has not ended.
    NoEnd = 303,
    /// Commitment to the seed of a day that is late, or is not the first one for that day.
    Day = 304,
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
            Self::Twice | Self::NoStart | Self::NoEnd | Self::Day => Verdict::Diverged,
        }
    }
}

impl fmt::Display for LogCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "WL{:03}", *self as u16)
    }
}
