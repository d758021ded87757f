use std::fmt;
use war::journal::Verdict;

/// What is wrong with a log.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, thiserror::Error)]
pub enum LogFault {
    /// The checkpoint is not the one of a card table's log.
    #[error("not a checkpoint of a card table's log")]
    Checkpoint,
    /// The checkpoint was signed with another key.
    #[error("the checkpoint was signed with another key")]
    OtherKey,
    /// The checkpoint has a signature that was not made of it.
    #[error("the signature of the checkpoint doesn't match")]
    Signature,
    /// The checkpoint is of another table than the earlier one.
    #[error("the earlier checkpoint is of `{earlier}`, this log is of `{found}`")]
    OtherTable {
        /// Whose the earlier one is.
        earlier: String,
        /// Whose this one is.
        found: String,
    },
    /// The log is shorter than it was.
    #[error("the log had {earlier} leaves, and has {found}")]
    Shorter {
        /// How many leaves it had.
        earlier: u64,
        /// How many it has.
        found: u64,
    },
    /// The log does not begin with what it was.
    #[error("the first {earlier} leaves are not those of the earlier checkpoint")]
    Forked {
        /// How many leaves it had.
        earlier: u64,
    },
    /// The checkpoint, a tile or an entry bundle is not there.
    #[error("`{0}` is missing")]
    Missing(String),
    /// A tile or an entry bundle is not as long as it must be.
    #[error("`{0}` doesn't have the right length")]
    Length(String),
    /// A leaf is not the one whose hash is in the tree.
    #[error("leaf {0} is not the one that was hashed")]
    LeafHash(u64),
    /// A tile is not made of the hashes below it.
    #[error("`{0}` doesn't hold the hashes of the tiles below it")]
    Tile(String),
    /// The tree is not the one that was signed.
    #[error("the {size} leaves don't have the root of the checkpoint")]
    Root {
        /// How many leaves there are.
        size: u64,
    },
    /// A leaf that is none.
    #[error("leaf {0} is not a leaf of a card table's log")]
    Leaf(u64),
    /// A leaf of a version that this program does not know.
    #[error("leaf {leaf} is of another version: {first_line}")]
    UnknownLeaf {
        /// Its place, from 0.
        leaf: u64,
        /// How it begins.
        first_line: String,
    },
    /// Two games have the same number.
    #[error("leaf {leaf} begins game {game}, which leaf {before} began")]
    StartedTwice {
        /// The game.
        game: u64,
        /// The place of the second beginning, from 0.
        leaf: u64,
        /// The place of the first one.
        before: u64,
    },
    /// A game ends twice.
    #[error("leaf {leaf} ends game {game}, which leaf {before} ended")]
    EndedTwice {
        /// The game.
        game: u64,
        /// The place of the second end, from 0.
        leaf: u64,
        /// The place of the first one.
        before: u64,
    },
    /// A game ends that never began.
    #[error("leaf {leaf} ends game {game}, which never began")]
    NoStart {
        /// The game.
        game: u64,
        /// The place of its end, from 0.
        leaf: u64,
    },
    /// A game that began long ago has no end.
    #[error("game {game} of leaf {leaf} has not ended in {hours} hours")]
    NoEnd {
        /// The game.
        game: u64,
        /// The place of its beginning, from 0.
        leaf: u64,
        /// How long ago it began.
        hours: u64,
    },
}

impl LogFault {
    /// The code under which the book lists it.
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

    /// The place of the leaf that it is about, from 0.
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
    /// The checkpoint is not one.
    Checkpoint = 1,
    /// A leaf of a version unknown here.
    Version = 2,
    /// The checkpoint, a tile or an entry bundle is not there.
    Missing = 101,
    /// A tile or an entry bundle is not as long as it must be.
    Length = 102,
    /// Not a leaf.
    Leaf = 103,
    /// The signature of the checkpoint does not match.
    Signature = 201,
    /// A leaf is not the one that was hashed.
    LeafHash = 202,
    /// A tile is not made of the hashes below it.
    Tile = 203,
    /// The root is not the one of the checkpoint.
    Root = 204,
    /// Signed with another key.
    Key = 205,
    /// The log of another table.
    Table = 206,
    /// Shorter than it was.
    Shorter = 207,
    /// Another history than the one seen before.
    Forked = 208,
    /// A number that two games have, or a game that ends twice.
    Twice = 301,
    /// An end without a beginning.
    NoStart = 302,
    /// A beginning without an end for too long.
    NoEnd = 303,
}

impl LogCode {
    /// What a log with such a fault is.
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
