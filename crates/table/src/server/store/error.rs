use crate::room::ApplyError;
use std::error::Error;
use std::io;
use std::path::PathBuf;

/// Failure of a store, or a store that this program can't use.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// Failure of the database that no other variant covers.
    #[error("the database failed")]
    Database(#[source] Box<dyn Error + Send + Sync>),
    /// The file or its disk has become read-only.
    #[error("the store can only be read")]
    ReadOnly(#[source] Box<dyn Error + Send + Sync>),
    /// The disk is full.
    #[error("there is no room for the store")]
    Full(#[source] Box<dyn Error + Send + Sync>),
    /// The store's file can't be opened or locked.
    #[error("the store's file can't be opened")]
    Lock(#[source] io::Error),
    /// Another server has the store open.
    #[error("another server uses this store")]
    InUse,
    /// Another node owns this room by now.
    #[error("another node owns this room")]
    RoomLost,
    /// The last transaction may or may not have been committed.
    #[error("the outcome of a transaction is unknown")]
    InDoubt(#[source] Box<dyn Error + Send + Sync>),
    /// The store can't be copied.
    #[error("the copy of the store can't be made")]
    Copy(#[source] io::Error),
    /// The file was deleted, moved or replaced while it was open.
    #[error("the store's file was deleted, moved or replaced")]
    FileGone,
    /// The database can't be reached, or accepts no connections now.
    #[error("the database can't be reached")]
    Unreachable(#[source] Box<dyn Error + Send + Sync>),
    /// The database rejects the user, does not exist, or denies a permission.
    #[error("the database refuses the user")]
    Refused(#[source] Box<dyn Error + Send + Sync>),
    /// A setting of the database puts committed data at risk.
    #[error("the database is set to `{name} = {found}`")]
    Setting {
        /// Name of the setting.
        name: &'static str,
        /// Current value.
        found: String,
        /// Required value.
        needed: &'static str,
    },
    /// The store does not have the requested number of rooms.
    #[error("the store has {found} rooms, not {asked}")]
    Rooms {
        /// Actual number of rooms.
        found: u16,
        /// Requested number of rooms.
        asked: u16,
    },
    /// Committed data is missing: the store is an older copy.
    #[error("the store has gone back in time")]
    StaleCopy,
    /// Another node has committed a batch of this number: a room has two owners.
    #[error("two nodes have written into one room")]
    DuplicateBatch,
    /// There is no store in the file or the database. A node that opens a database without a store
    /// creates one.
    #[error("there is no store")]
    Missing,
    /// The store in the database has an older version. A node that opens it upgrades it.
    #[error("this is a store of an older version")]
    OlderVersion,
    /// The given key is not the table's.
    #[error("the table has another key")]
    OtherKey,
    /// Another file is in the place where a store is to be assembled.
    #[error("something is in the way at {}", .0.display())]
    PathOccupied(PathBuf),
    /// The file does not belong to this program.
    #[error("this is not a store of a card table")]
    Foreign,
    /// The store has a newer version.
    #[error("this is a store of a newer version")]
    NewerVersion,
    /// The table is about to move to another store.
    #[error("the table is moving to `{to}`")]
    Leaving {
        /// Address of the new store, without a password.
        to: String,
    },
    /// The table has moved to another store.
    #[error("the table has moved to `{to}`")]
    Moved {
        /// Address of the new store, without a password.
        to: String,
    },
    /// The stored data is inconsistent or can't be read.
    #[error("the store is damaged")]
    Damaged(#[source] Damage),
}

impl StoreError {
    /// Returns true if another attempt may succeed, by this node or another one, possibly after an
    /// operator has changed permissions or settings of the database.
    #[must_use]
    pub const fn is_transient(&self) -> bool {
        matches!(
            self,
            Self::Database(_)
                | Self::ReadOnly(_)
                | Self::Full(_)
                | Self::InUse
                | Self::RoomLost
                | Self::InDoubt(_)
                | Self::Unreachable(_)
                | Self::Refused(_)
                | Self::Setting { .. }
        )
    }

    /// Short code of the error, for programs.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::ReadOnly(_)
            | Self::Setting {
                name: "transaction_read_only",
                ..
            } => "read_only",
            Self::Full(_) => "full",
            Self::InUse => "busy",
            Self::FileGone => "gone",
            Self::RoomLost => "lost",
            Self::InDoubt(_) => "in_doubt",
            Self::Damaged(_) => "damaged",
            Self::Unreachable(_) => "unreachable",
            Self::StaleCopy => "went_back",
            Self::DuplicateBatch => "twice",
            Self::Leaving { .. } | Self::Moved { .. } => "moved",
            Self::Database(_)
            | Self::Lock(_)
            | Self::Copy(_)
            | Self::Refused(_)
            | Self::Setting { .. }
            | Self::Rooms { .. }
            | Self::Missing
            | Self::OlderVersion
            | Self::OtherKey
            | Self::PathOccupied(_)
            | Self::Foreign
            | Self::NewerVersion => "failed",
        }
    }
}

/// Kind of damage to a store. The messages never quote stored data, which may be secret.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Damage {
    /// Pages of the database file are corrupt.
    #[error("a file with pages that can't be read")]
    Pages,
    /// A player waits for a game of an unknown kind.
    #[error("a game of an unknown kind")]
    Kind,
    /// A player has an invalid name.
    #[error("a name that nobody may have")]
    Name,
    /// A player is mentioned but does not exist.
    #[error("a player who is not there")]
    Player,
    /// An event can't be read.
    #[error("an event that can't be read")]
    Event,
    /// The settlement of a game can't be read.
    #[error("a settlement that can't be read")]
    Settlement,
    /// A player's record of a finished game can't be read.
    #[error("a finished game that can't be read")]
    Game,
    /// The metadata of the store can't be read.
    #[error("a store that does not say what it is")]
    Layout,
    /// A player's balance differs from the ledger.
    #[error("a balance that is not what the ledger says")]
    Balance,
    /// A leaf of the log is missing, or the table's ID is invalid.
    #[error("a log that can't be read")]
    Leaf,
    /// An event does not follow from those before it.
    #[error("an event that does not follow from those before it")]
    Order(#[from] ApplyError),
}

impl From<Damage> for StoreError {
    fn from(damage: Damage) -> Self {
        Self::Damaged(damage)
    }
}
