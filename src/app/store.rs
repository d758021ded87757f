//! The store of a card table: where it is, and why it can't be used.

use super::exit::{Exit, Failure};
use crate::host::io_text::io_text;
use crate::i18n::{Value, text};
use crate::server::store::{DatabaseAddress, StoreError};
use crate::wording::{address_text, database_text, reason};
use std::fmt;

/// The file of a store.
pub(crate) fn store_file(store: &str) -> Result<&str, Failure> {
    let Some(path) = store.strip_prefix("sqlite:") else {
        return Err(unknown(store));
    };
    // What other programs take for standard input, or for memory.
    if path == "-" || path.starts_with(':') {
        return Err(Failure::usage(text!(StoreNoFile, store = store)));
    }
    Ok(path)
}

/// Where a store is.
pub(crate) enum Place<'a> {
    /// In a file.
    File(&'a str),
    /// In a database.
    Database(Box<DatabaseAddress>),
}

impl fmt::Display for Place<'_> {
    /// As it is typed, without a password.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path) => write!(f, "sqlite:{path}"),
            Self::Database(address) => address.fmt(f),
        }
    }
}

impl<'a> Place<'a> {
    /// Where the store is that somebody typed.
    pub(crate) fn of(store: &'a str) -> Result<Self, Failure> {
        match store.parse() {
            Ok(address) => Ok(Self::Database(Box::new(address))),
            Err(error) => match address_text(store, error) {
                Some(text) => Err(Failure::usage(text)),
                None => store_file(store).map(Self::File),
            },
        }
    }
}

/// What is typed is not a store.
fn unknown(store: &str) -> Failure {
    let store = DatabaseAddress::without_password(store);
    Failure::usage(text!(StoreUnknown, store = store))
}

/// The store in a database can't be opened.
pub(crate) fn database_failure(address: &DatabaseAddress, error: &StoreError) -> Failure {
    let text = database_text(address, error);
    Failure::new(Exit::InputOutput, text)
}

/// A store that can't be opened or read.
pub(crate) fn store_failure(store: &str, error: &StoreError) -> Failure {
    let text = match error {
        StoreError::InUse => text!(StoreInUse, store = store),
        StoreError::Foreign => text!(StoreForeign, store = store),
        StoreError::Newer => text!(StoreNewer, store = store),
        StoreError::Lock(source) | StoreError::Copy(source) => {
            return store_unusable(store, io_text(source));
        }
        _ => return store_unusable(store, store_reason(error)),
    };
    Failure::new(Exit::InputOutput, text)
}

/// A store that can't be used for another reason.
pub(crate) fn store_unusable(store: &str, reason: impl Into<Value>) -> Failure {
    let text = text!(StoreUnusable, store = store, reason = reason.into());
    Failure::new(Exit::InputOutput, text)
}

/// Why a store fails, in words where it is one of the usual things.
pub(crate) fn store_reason(error: &StoreError) -> Value {
    match error {
        StoreError::Full(_) => text!(IoFull).into(),
        StoreError::ReadOnly(_) => text!(IoReadOnly).into(),
        _ => reason(error).into(),
    }
}
