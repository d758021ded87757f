use crate::postgres::{
    DatabaseAddress, DatabaseAddressError, PostgresMoveSource, PostgresMoveTarget, PostgresTable,
    WeakProtection,
};
use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;
use war_table::server::store::{
    MoveReport, MoveSource, MoveTableError, MoveTarget, Restoration, SqliteMoveSource,
    SqliteMoveTarget, SqliteStore, StoreError, move_table,
};
use war_table::time::WallTime;

/// Location of a table's store, parsed from `sqlite:PATH` or `postgres://...`.
///
/// # Examples
///
/// ```
/// use war_table_cluster::StoreLocation;
///
/// let location: StoreLocation = "sqlite:table.db".parse().unwrap();
/// assert!(matches!(location, StoreLocation::File(ref path) if path.as_os_str() == "table.db"));
/// for typed in ["sqlite::memory:", "sqlite:", "sqlite:postgres://db/war"] {
///     assert!(typed.parse::<StoreLocation>().is_err());
/// }
/// ```
#[derive(Clone)]
pub enum StoreLocation {
    /// File with an embedded store.
    File(PathBuf),
    /// Database that nodes may share.
    Database(Box<DatabaseAddress>),
}

/// Error of parsing a [`StoreLocation`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum StoreLocationError {
    /// Unknown scheme.
    #[error("a place that begins with sqlite: or postgres://")]
    Unknown,
    /// Missing or invalid file name.
    #[error("a file")]
    NoFile,
    /// Invalid address of a database.
    #[error(transparent)]
    Address(DatabaseAddressError),
}

impl FromStr for StoreLocation {
    type Err = StoreLocationError;

    fn from_str(typed: &str) -> Result<Self, StoreLocationError> {
        match typed.parse() {
            Ok(address) => return Ok(Self::Database(Box::new(address))),
            Err(DatabaseAddressError::Scheme) => {}
            Err(error) => return Err(StoreLocationError::Address(error)),
        }
        let path = typed
            .strip_prefix("sqlite:")
            .ok_or(StoreLocationError::Unknown)?;
        // `-` and `:memory:` are refused: other programs take them for standard input and for a
        // store in memory. An address of a database is refused because it may have a password.
        if matches!(path, "" | "-") || path.starts_with(':') || may_be_address(path) {
            return Err(StoreLocationError::NoFile);
        }
        Ok(Self::File(path.into()))
    }
}

/// Returns true if a file name looks like the address of a database. Such an address may have a
/// password, which must not be shown as part of a file name.
fn may_be_address(path: &str) -> bool {
    let has_credentials = path
        .rsplit_once('@')
        .is_some_and(|(before, _)| before.contains(':'));
    has_credentials || path.contains("://") || path.to_lowercase().contains("password=")
}

/// Shows the location without a password.
impl fmt::Display for StoreLocation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path) => write!(f, "sqlite:{}", path.display()),
            Self::Database(address) => address.fmt(f),
        }
    }
}

impl StoreLocation {
    /// Protection of the connections to a database on another machine, if it is less than the
    /// default.
    #[must_use]
    pub fn weak_protection(&self) -> Option<WeakProtection> {
        match self {
            Self::File(_) => None,
            Self::Database(address) => address.weak_protection(),
        }
    }

    /// Opens the store as the source of a move. `to` is the destination as displayed, without a
    /// password. `public_key` is the public part of the table's key, needed if the store does not
    /// contain the key.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the store can't be opened or is in use, or its table has moved.
    pub fn open_move_source(
        &self,
        to: &str,
        public_key: Option<[u8; 32]>,
    ) -> Result<Box<dyn MoveSource>, StoreError> {
        Ok(match self {
            Self::File(path) => Box::new(SqliteMoveSource::open(path, to, public_key)?),
            Self::Database(address) => Box::new(PostgresMoveSource::open(address, to)?),
        })
    }

    /// Moves a table to another store with [`move_table`], which calls `goes_on`. `public_key` is
    /// the public part of the table's key, needed if the store does not contain the key.
    ///
    /// # Errors
    ///
    /// [`MoveTableError`] if the table was not moved, or the outcome is unknown.
    pub fn move_to(
        &self,
        to: &Self,
        public_key: Option<[u8; 32]>,
        goes_on: &mut dyn FnMut(u64, u64) -> bool,
    ) -> Result<Option<MoveReport>, MoveTableError> {
        let departure = self.open_move_source(&to.to_string(), public_key);
        let mut departure = departure.map_err(MoveTableError::Source)?;
        let mut arrival = to.open_move_target().map_err(MoveTableError::Target)?;
        move_table(&mut *departure, &mut *arrival, goes_on)
    }

    /// Prepares a store for further play after it was restored from a backup.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the store can't be opened or is in use, or its table has moved.
    pub fn prepare_restored(&self, now: WallTime) -> Result<Restoration, StoreError> {
        match self {
            Self::File(path) => SqliteStore::prepare_restored(path, now),
            Self::Database(address) => PostgresTable::prepare_restored(address, now),
        }
    }

    /// Confirms that a copy of a store is complete, so that it may be served.
    ///
    /// # Errors
    ///
    /// [`StoreError`] like [`prepare_restored`](Self::prepare_restored).
    pub fn confirm_copy(&self) -> Result<(), StoreError> {
        match self {
            Self::File(path) => SqliteStore::confirm_copy(path),
            Self::Database(address) => PostgresTable::confirm_copy(address),
        }
    }

    /// Opens the store as the destination of a move.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the store can't be opened.
    pub fn open_move_target(&self) -> Result<Box<dyn MoveTarget>, StoreError> {
        Ok(match self {
            Self::File(path) => Box::new(SqliteMoveTarget::new(path)),
            Self::Database(address) => Box::new(PostgresMoveTarget::open(address)?),
        })
    }
}
