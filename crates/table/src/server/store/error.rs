use crate::room::ApplyError;
use std::error::Error;
use std::io;
use std::path::PathBuf;

/// A store that fails, or that holds what this program can't read.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The database failed.
    #[error("the database failed")]
    Database(#[source] Box<dyn Error + Send + Sync>),
    /// The file or its disk can only be read any more.
    #[error("the store can only be read")]
    ReadOnly(#[source] Box<dyn Error + Send + Sync>),
    /// The disk is full.
    #[error("there is no room for the store")]
    Full(#[source] Box<dyn Error + Send + Sync>),
    /// The lock of the store's file can't be taken.
    #[error("the store's file can't be opened")]
    Lock(#[source] io::Error),
    /// Another server has it open.
    #[error("another server uses this store")]
    InUse,
    /// Another node owns this room by now.
    #[error("another node owns this room")]
    Lost,
    /// Nobody knows whether the last transaction was committed.
    #[error("the outcome of a transaction is unknown")]
    InDoubt(#[source] Box<dyn Error + Send + Sync>),
    /// A copy of the store can't be made.
    #[error("the copy of the store can't be made")]
    Copy(#[source] io::Error),
    /// The file was deleted, moved or replaced while it was open.
    #[error("the store's file was deleted, moved or replaced")]
    Gone,
    /// The database can't be reached, or takes nobody in now.
    #[error("the database can't be reached")]
    Unreachable(#[source] Box<dyn Error + Send + Sync>),
    /// The database does not let this user in, has none of this name, or forbids what is needed.
    #[error("the database refuses the user")]
    Refused(#[source] Box<dyn Error + Send + Sync>),
    /// The database is not set up so that what it confirms is kept.
    #[error("the database is set to `{name} = {found}`")]
    Setting {
        /// What is set.
        name: &'static str,
        /// To what.
        found: String,
        /// To what it has to be set.
        needed: &'static str,
    },
    /// The store has another number of rooms than was asked for.
    #[error("the store has {found} rooms, not {asked}")]
    Rooms {
        /// How many it has.
        found: u16,
        /// How many were asked for.
        asked: u16,
    },
    /// The store shows less than what was committed: it is an older copy.
    #[error("the store has gone back in time")]
    WentBack,
    /// A batch of this number was committed by somebody else: a room has two owners.
    #[error("two nodes have written into one room")]
    Twice,
    /// There is no store in the database, where a node that opens it makes one, or in the file.
    #[error("there is no store")]
    Missing,
    /// The store in the database is one of an older version; a node that opens it changes it.
    #[error("this is a store of an older version")]
    Older,
    /// The table has another key than the one that was given.
    #[error("the table has another key")]
    OtherKey,
    /// Something else is where a store is put together.
    #[error("something is in the way at {}", .0.display())]
    InTheWay(PathBuf),
    /// The file is a database of another program.
    #[error("this is not a store of a card table")]
    Foreign,
    /// The file is a store of a newer version.
    #[error("this is a store of a newer version")]
    Newer,
    /// The table is about to move to another store.
    #[error("the table is moving to `{to}`")]
    Leaving {
        /// Where it goes, without a password.
        to: String,
    },
    /// The table has moved to another store.
    #[error("the table has moved to `{to}`")]
    Moved {
        /// Where it is, without a password.
        to: String,
    },
    /// What is stored does not fit together.
    #[error("the store is damaged")]
    Damaged(#[source] Damage),
}

impl StoreError {
    /// Whether another attempt may succeed, by this node or another one: also once an operator
    /// has changed what the database allows or how it is set.
    #[must_use]
    pub const fn may_pass(&self) -> bool {
        matches!(
            self,
            Self::Database(_)
                | Self::ReadOnly(_)
                | Self::Full(_)
                | Self::InUse
                | Self::Lost
                | Self::InDoubt(_)
                | Self::Unreachable(_)
                | Self::Refused(_)
                | Self::Setting { .. }
        )
    }

    /// The error in a word, for programs.
    #[must_use]
    pub fn word(&self) -> &'static str {
        match self {
            Self::ReadOnly(_)
            | Self::Setting {
                name: "transaction_read_only",
                ..
            } => "read_only",
            Self::Full(_) => "full",
            Self::InUse => "busy",
            Self::Gone => "gone",
            Self::Lost => "lost",
            Self::InDoubt(_) => "in_doubt",
            Self::Damaged(_) => "damaged",
            Self::Unreachable(_) => "unreachable",
            Self::WentBack => "went_back",
            Self::Twice => "twice",
            Self::Leaving { .. } | Self::Moved { .. } => "moved",
            Self::Database(_)
            | Self::Lock(_)
            | Self::Copy(_)
            | Self::Refused(_)
            | Self::Setting { .. }
            | Self::Rooms { .. }
            | Self::Missing
            | Self::Older
            | Self::OtherKey
            | Self::InTheWay(_)
            | Self::Foreign
            | Self::Newer => "failed",
        }
    }
}

/// What does not fit together in a store. It never quotes what is stored, which may be secret.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Damage {
    /// The database in the file is not whole.
    #[error("a file with pages that can't be read")]
    Pages,
    /// A player waits for a game of an unknown kind.
    #[error("a game of an unknown kind")]
    Kind,
    /// A player has a name that nobody may have.
    #[error("a name that nobody may have")]
    Name,
    /// A player is named, but not there.
    #[error("a player who is not there")]
    Player,
    /// An event can't be read.
    #[error("an event that can't be read")]
    Event,
    /// What was kept of a journal can't be read.
    #[error("a settlement that can't be read")]
    Settlement,
    /// A game that is over can't be read as it is kept for a player.
    #[error("a finished game that can't be read")]
    Game,
    /// What the store says of itself can't be read.
    #[error("a store that does not say what it is")]
    Layout,
    /// A player has other tokens than the ledger says.
    #[error("a balance that is not what the ledger says")]
    Balance,
    /// A leaf of the log is missing, or the table's number is none.
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
