use crate::postgres::{
    AddressError, DatabaseAddress, PostgresArrival, PostgresDeparture, PostgresTable,
};
use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;
use war_table::server::store::{
    Arrival, Departure, MoveError, Moved, Restoration, SqliteArrival, SqliteDeparture, SqliteStore,
    StoreError, carry,
};

/// Where a table keeps all data, as it is typed.
///
/// # Examples
///
/// ```
/// use war_table_cluster::StorePlace;
///
/// let place: StorePlace = "sqlite:table.db".parse().unwrap();
/// assert!(matches!(place, StorePlace::File(ref path) if path.as_os_str() == "table.db"));
/// for typed in ["sqlite::memory:", "sqlite:"] {
///     assert!(typed.parse::<StorePlace>().is_err());
/// }
/// ```
#[derive(Clone)]
pub enum StorePlace {
    /// In a file.
    File(PathBuf),
    /// In a database.
    Database(Box<DatabaseAddress>),
}

/// A text that names no store.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum PlaceError {
    /// It begins as no place does.
    #[error("a place that begins with sqlite: or postgres://")]
    Unknown,
    /// It names no file.
    #[error("a file")]
    NoFile,
    /// It can't be the address of a database.
    #[error(transparent)]
    Address(AddressError),
}

impl FromStr for StorePlace {
    type Err = PlaceError;

    fn from_str(typed: &str) -> Result<Self, PlaceError> {
        match typed.parse() {
            Ok(address) => return Ok(Self::Database(Box::new(address))),
            Err(AddressError::Scheme) => {}
            Err(error) => return Err(PlaceError::Address(error)),
        }
        let path = typed.strip_prefix("sqlite:").ok_or(PlaceError::Unknown)?;
        // Nothing, and what other programs take for standard input or for memory.
        if matches!(path, "" | "-") || path.starts_with(':') {
            return Err(PlaceError::NoFile);
        }
        Ok(Self::File(path.into()))
    }
}

/// As it is typed, without a password.
impl fmt::Display for StorePlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path) => write!(f, "sqlite:{}", path.display()),
            Self::Database(address) => address.fmt(f),
        }
    }
}

impl StorePlace {
    /// Opens the store so that its table can leave for `to`, as that is shown to people;
    /// `public_key` is the public part of its key, where the store does not know it.
    ///
    /// # Errors
    ///
    /// [`StoreError`] where it can't be opened, is in use, or its table has moved.
    pub fn departure(
        &self,
        to: &str,
        public_key: Option<[u8; 32]>,
    ) -> Result<Box<dyn Departure>, StoreError> {
        Ok(match self {
            Self::File(path) => Box::new(SqliteDeparture::open(path, to, public_key)?),
            Self::Database(address) => Box::new(PostgresDeparture::open(address, to)?),
        })
    }

    /// Moves a table from here to there, as [`carry`] does; `public_key` is the public part of its
    /// key, where the store does not know it.
    ///
    /// # Errors
    ///
    /// [`MoveError`] where it was not moved, or where that is not known.
    pub fn move_to(
        &self,
        to: &Self,
        public_key: Option<[u8; 32]>,
        goes_on: &mut dyn FnMut(u64, u64) -> bool,
    ) -> Result<Option<Moved>, MoveError> {
        let leaves = self.departure(&to.to_string(), public_key);
        let mut leaves = leaves.map_err(MoveError::From)?;
        let mut arrives = to.arrival().map_err(MoveError::To)?;
        carry(&mut *leaves, &mut *arrives, goes_on)
    }

    /// Lets a store go on that was restored from a backup; `now` is what the wall clock shows.
    ///
    /// # Errors
    ///
    /// [`StoreError`] where it can't be opened, is in use, or its table has moved.
    pub fn restored(&self, now: u64) -> Result<Restoration, StoreError> {
        match self {
            Self::File(path) => SqliteStore::restored(path, now),
            Self::Database(address) => PostgresTable::restored(address, now),
        }
    }

    /// Opens the store so that a table can move there.
    ///
    /// # Errors
    ///
    /// [`StoreError`] where it can't be opened.
    pub fn arrival(&self) -> Result<Box<dyn Arrival>, StoreError> {
        Ok(match self {
            Self::File(path) => Box::new(SqliteArrival::new(path)),
            Self::Database(address) => Box::new(PostgresArrival::open(address)?),
        })
    }
}
