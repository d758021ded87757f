//! The store of a card table: where it is, and why it can't be used.

use super::exit::{Exit, Failure};
use crate::host::io_text::io_text;
use crate::i18n::{Count, Value, text};
use crate::server::store::{AddressError, DatabaseAddress, StoreError};
use std::error::Error;

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

/// Where the database of a store is; `None` where it is not in one.
pub(crate) fn store_database(store: &str) -> Result<Option<DatabaseAddress>, Failure> {
    let shown = || DatabaseAddress::without_password(store);
    let text = match store.parse() {
        Ok(address) => return Ok(Some(address)),
        Err(AddressError::Scheme) => return Ok(None),
        Err(AddressError::Malformed) => text!(DatabaseMalformed, store = shown()),
        Err(AddressError::Host) => text!(DatabaseWithoutHost, store = shown()),
        Err(AddressError::Encrypted) => text!(DatabaseEncrypted, store = shown()),
    };
    Err(Failure::usage(text))
}

/// What is typed is not a store.
pub(crate) fn unknown(store: &str) -> Failure {
    let store = DatabaseAddress::without_password(store);
    Failure::usage(text!(StoreUnknown, store = store))
}

/// The store in a database can't be opened.
pub(crate) fn database_failure(address: &DatabaseAddress, error: &StoreError) -> Failure {
    let store = address.to_string();
    let text = match error {
        StoreError::Unreachable(_) => {
            text!(DatabaseUnreachable, store = store, reason = reason(error))
        }
        StoreError::Refused(_) => text!(DatabaseRefused, store = store, reason = reason(error)),
        StoreError::Full(_) => text!(DatabaseFull, store = store, reason = reason(error)),
        StoreError::Setting {
            name,
            found,
            needed,
        } => text!(
            DatabaseSetting,
            store = store,
            setting = *name,
            found = found.as_str(),
            needed = *needed
        ),
        StoreError::Rooms { found, asked } => text!(
            DatabaseRooms,
            store = store,
            found = Count(u64::from(*found)),
            asked = Count(u64::from(*asked))
        ),
        StoreError::Foreign => text!(DatabaseForeign, store = store),
        StoreError::Newer => text!(DatabaseNewer, store = store),
        _ => text!(DatabaseUnusable, store = store, reason = reason(error)),
    };
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

/// The first cause of an error, in its own words.
pub(crate) fn reason(error: &dyn Error) -> String {
    let mut first = error;
    while let Some(source) = first.source() {
        first = source;
    }
    first.to_string()
}
