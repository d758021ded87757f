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
    /// File or disk that has become read-only.
    #[error("the store can only be read")]
    ReadOnly(#[source] Box<dyn Error + Send + Sync>),
    /// Full disk.
    #[error("there is no room for the store")]
    Full(#[source] Box<dyn Error + Send + Sync>),
    /// File that can't be opened or locked.
    #[error("the store's file can't be opened")]
    Lock(#[source] io::Error),
    /// File of the store, or one that the database keeps beside it, that can't be opened.
    #[error("a file of the store can't be opened")]
    CannotOpen(#[source] Box<dyn Error + Send + Sync>),
    /// Store that another program has open.
    #[error("another program uses this store")]
    InUse,
    /// File system that can't lock files or share memory between programs.
    #[error("the store's file system has no locks")]
    NoLocks(#[source] Box<dyn Error + Send + Sync>),
    /// Room that another node owns by now.
    #[error("another node owns this room")]
    RoomLost,
    /// Transaction that may or may not have been committed.
    #[error("the outcome of a transaction is unknown")]
    InDoubt(#[source] Box<dyn Error + Send + Sync>),
    /// Failure to copy the store.
    #[error("the copy of the store can't be made")]
    Copy(#[source] io::Error),
    /// File that was deleted, moved or replaced while it was open.
    #[error("the store's file was deleted, moved or replaced")]
    FileGone,
    /// Database that can't be reached, or that accepts no connections now.
    #[error("the database can't be reached")]
    Unreachable(#[source] Box<dyn Error + Send + Sync>),
    /// Database that rejects the user, does not exist, or denies a permission.
    #[error("the database refuses the user")]
    Refused(#[source] Box<dyn Error + Send + Sync>),
    /// Database without TLS on another machine.
    #[error("the database has no TLS")]
    NoTls,
    /// Database whose certificate is not trusted.
    #[error("the certificate of the database is not trusted")]
    Untrusted(#[source] Box<dyn Error + Send + Sync>),
    /// File of certificates, or of a key, that TLS needs and that can't be used.
    #[error("a file for TLS can't be used")]
    TlsFile(#[source] Box<dyn Error + Send + Sync>),
    /// Database that asks for a login that would show the password.
    #[error("the database asks for a login by `{method}`")]
    UnsafeLogin {
        /// Name of the method, as libpq's `require_auth` has it.
        method: &'static str,
    },
    /// Setting of the database that puts committed data at risk.
    #[error("the database is set to `{name} = {found}`")]
    Setting {
        /// Name of the setting.
        name: &'static str,
        /// Current value of the setting.
        found: String,
        /// Required value of the setting.
        needed: &'static str,
    },
    /// Connection pooler that gives a connection of the database to several clients in turn.
    #[error("a connection pooler is between the program and the database")]
    Pooled,
    /// Store that does not have the requested number of rooms.
    #[error("the store has {found} rooms, not {asked}")]
    Rooms {
        /// Actual number of rooms.
        found: u16,
        /// Requested number of rooms.
        asked: u16,
    },
    /// Older copy of the store, which lacks committed data.
    #[error("the store has gone back in time")]
    StaleCopy,
    /// Database whose table got another ID while a node used it: a backup was restored.
    #[error("the database has another table now: a backup was restored")]
    TableReplaced,
    /// Copy of a store, or a database in another cluster than before. It is not known whether the
    /// table was served elsewhere since the copy was made.
    #[error("this is a copy of a store, which may lack games that were played since")]
    UnconfirmedCopy,
    /// Batch whose number another node has already used: the room has two owners.
    #[error("two nodes have written into one room")]
    DuplicateBatch,
    /// File or database without a store. A node that opens a database without a store creates one.
    #[error("there is no store")]
    Missing,
    /// Store of an older version in a database. A node that opens the store upgrades it.
    #[error("this is a store of an older version")]
    OlderVersion,
    /// Key that is not the table's.
    #[error("the table has another key")]
    OtherKey,
    /// Another file in the place where a store is to be assembled.
    #[error("something is in the way at {}", .0.display())]
    PathOccupied(PathBuf),
    /// File that does not belong to this program.
    #[error("this is not a store of a card table")]
    Foreign,
    /// Store of a newer version of the program.
    #[error("this is a store of a newer version")]
    NewerVersion,
    /// Table that is about to move to another store.
    #[error("the table is moving to `{to}`")]
    Leaving {
        /// Address of the new store, without a password.
        to: String,
    },
    /// Table that has moved to another store.
    #[error("the table has moved to `{to}`")]
    Moved {
        /// Address of the new store, without a password.
        to: String,
    },
    /// Stored data that is inconsistent or can't be read.
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
                | Self::CannotOpen(_)
                | Self::InUse
                | Self::RoomLost
                | Self::InDoubt(_)
                | Self::Unreachable(_)
                | Self::Refused(_)
                | Self::NoTls
                | Self::Untrusted(_)
                | Self::TlsFile(_)
                | Self::UnsafeLogin { .. }
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
            Self::TableReplaced => "replaced",
            Self::DuplicateBatch => "twice",
            Self::Leaving { .. } | Self::Moved { .. } => "moved",
            Self::Database(_)
            | Self::Lock(_)
            | Self::CannotOpen(_)
            | Self::NoLocks(_)
            | Self::Copy(_)
            | Self::Refused(_)
            | Self::NoTls
            | Self::Untrusted(_)
            | Self::TlsFile(_)
            | Self::UnsafeLogin { .. }
            | Self::Setting { .. }
            | Self::Pooled
            | Self::Rooms { .. }
            | Self::Missing
            | Self::OlderVersion
            | Self::OtherKey
            | Self::UnconfirmedCopy
            | Self::PathOccupied(_)
            | Self::Foreign
            | Self::NewerVersion => "failed",
        }
    }
}

/// Kind of damage to a store. The messages never quote stored data, which may be secret.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Damage {
    /// Corrupt pages of the database file.
    #[error("a file with pages that can't be read")]
    Pages,
    /// Unknown kind of game that a player waits for.
    #[error("a game of an unknown kind")]
    Kind,
    /// Player with an invalid name.
    #[error("a name that nobody may have")]
    Name,
    /// Player who is mentioned but does not exist.
    #[error("a player who is not there")]
    Player,
    /// Unreadable event.
    #[error("an event that can't be read")]
    Event,
    /// Unreadable settlement of a game.
    #[error("a settlement that can't be read")]
    Settlement,
    /// Unreadable record of a finished game of a player.
    #[error("a finished game that can't be read")]
    Game,
    /// Unreadable metadata of the store.
    #[error("a store that does not say what it is")]
    Layout,
    /// Player's balance that differs from the ledger.
    #[error("a balance that is not what the ledger says")]
    Balance,
    /// Missing leaf of the log, or invalid ID of the table.
    #[error("a log that can't be read")]
    Leaf,
    /// Event that does not follow from the events before it.
    #[error("an event that does not follow from those before it")]
    Order(#[from] ApplyError),
}

impl From<Damage> for StoreError {
    fn from(damage: Damage) -> Self {
        Self::Damaged(damage)
    }
}
