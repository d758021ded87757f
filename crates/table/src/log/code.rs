use std::fmt;
use war::journal::Verdict;

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
