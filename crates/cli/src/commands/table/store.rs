//! The store of a card table: where it is, and why it can't be used.

use crate::failure::{Exit, Failure};
use crate::machine::text::{display, io_text};
use std::error::Error;
use std::io;
use std::path::Path;
use war::i18n::{Count, Text, Value, text};
use war::support::visible::on_one_line;
use war_table::server::store::{
    AddressError, Damage, DatabaseAddress, PlaceError, StoreError, StorePlace,
};

/// Where the store is that somebody typed.
pub(crate) fn place_of(store: &str) -> Result<StorePlace, Failure> {
    let unfit = |error| Failure::usage(place_text(store, error));
    store.parse().map_err(unfit)
}

/// A store that can't be opened or read.
pub(crate) fn store_failure(place: &StorePlace, error: &StoreError) -> Failure {
    Failure::new(Exit::InputOutput, store_text(place, error, io_text))
}

/// A key that is not the one of the table in this store.
pub(crate) fn other_key(store: &str, key: &Path) -> Failure {
    let text = text!(StoreOtherKey, store = store, file = display(key));
    Failure::new(Exit::InputOutput, text)
}

/// A store that can't be used for another reason.
pub(crate) fn store_unusable(place: &StorePlace, reason: impl Into<Value>) -> Failure {
    let store = place.to_string();
    let text = text!(StoreUnusable, store = store, reason = reason.into());
    Failure::new(Exit::InputOutput, text)
}

/// Why a text names no store.
fn place_text(store: &str, error: PlaceError) -> Text {
    let store = DatabaseAddress::without_password(store);
    match error {
        PlaceError::Unknown | PlaceError::Address(AddressError::Scheme) => {
            text!(StoreUnknown, store = store)
        }
        PlaceError::NoFile => text!(StoreNoFile, store = store),
        PlaceError::Address(AddressError::Malformed) => text!(DatabaseMalformed, store = store),
        PlaceError::Address(AddressError::Host) => text!(DatabaseWithoutHost, store = store),
        PlaceError::Address(AddressError::Encrypted) => text!(DatabaseEncrypted, store = store),
    }
}

/// Why a store can't be opened or read; `io` puts an error of the system into words.
pub(crate) fn store_text(
    place: &StorePlace,
    error: &StoreError,
    io: fn(&io::Error) -> Text,
) -> Text {
    let store = place.to_string();
    match (error, place) {
        (StoreError::InUse, _) => text!(StoreInUse, store = store),
        (StoreError::Leaving { to }, _) => {
            text!(StoreLeaving, store = store, to = to.as_str())
        }
        (StoreError::Moved { to }, _) => text!(StoreMoved, store = store, to = to.as_str()),
        (StoreError::Damaged(Damage::Balance), _) => text!(StoreUnbalanced, store = store),
        (StoreError::Damaged(damage), _) => {
            text!(StoreUnsound, store = store, reason = damage.to_string())
        }
        (StoreError::InTheWay(file), _) => {
            text!(
                StoreInTheWay,
                file = on_one_line(&file.display().to_string())
            )
        }
        (error, StorePlace::Database(address)) => database_text(address, error),
        (StoreError::Foreign, _) => text!(StoreForeign, store = store),
        (StoreError::Missing, _) => text!(StoreMissing, store = store),
        (StoreError::Newer, _) => text!(StoreNewer, store = store),
        (StoreError::Lock(source) | StoreError::Copy(source), _) => {
            text!(StoreUnusable, store = store, reason = io(source))
        }
        _ => text!(StoreUnusable, store = store, reason = store_reason(error)),
    }
}

/// Why a store fails, in words where it is one of the usual things.
pub(super) fn store_reason(error: &StoreError) -> Value {
    match error {
        StoreError::Full(_) => text!(IoFull).into(),
        StoreError::ReadOnly(_) => text!(IoReadOnly).into(),
        _ => reason(error).into(),
    }
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
        StoreError::Missing => text!(DatabaseMissing, store = store),
        StoreError::Older => text!(DatabaseOlder, store = store),
        StoreError::Damaged(damage) => {
            text!(StoreUnsound, store = store, reason = damage.to_string())
        }
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
