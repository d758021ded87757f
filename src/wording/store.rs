//! The store of a card table that can't be opened, in words.

use crate::i18n::{Count, Text, text};
use crate::server::store::{AddressError, DatabaseAddress, StoreError};
use std::error::Error;

/// Why a text names no database; `None` where it means none.
pub(crate) fn address_text(store: &str, error: AddressError) -> Option<Text> {
    let shown = || DatabaseAddress::without_password(store);
    Some(match error {
        AddressError::Scheme => return None,
        AddressError::Malformed => text!(DatabaseMalformed, store = shown()),
        AddressError::Host => text!(DatabaseWithoutHost, store = shown()),
        AddressError::Encrypted => text!(DatabaseEncrypted, store = shown()),
    })
}

/// Why the store in a database can't be opened.
pub(crate) fn database_text(address: &DatabaseAddress, error: &StoreError) -> Text {
    let store = address.to_string();
    match error {
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
