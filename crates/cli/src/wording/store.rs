//! The store of a card table that can't be opened, in words.

use std::error::Error;
use std::io;
use war::i18n::{Count, Text, Value, text};
use war::support::visible::on_one_line;
use war_table::server::ServerError;
use war_table::server::store::{
    AddressError, Damage, DatabaseAddress, MoveError, Moved, PlaceError, Restoration, StoreError,
    StorePlace,
};

/// Why a text names no store.
pub(crate) fn place_text(store: &str, error: PlaceError) -> Text {
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
fn store_reason(error: &StoreError) -> Value {
    match error {
        StoreError::Full(_) => text!(IoFull).into(),
        StoreError::ReadOnly(_) => text!(IoReadOnly).into(),
        _ => reason(error).into(),
    }
}

/// Why a table that was open had to end.
pub(crate) fn failed_text(store: &str, error: &ServerError) -> Text {
    match error {
        ServerError::Store(StoreError::Gone) => text!(StoreGone, store = store),
        ServerError::Store(error) => text!(StoreFailed, reason = store_reason(error)),
        _ => text!(StoreFailed, reason = reason(error)),
    }
}

/// What was done with a table that was restored.
pub(crate) fn restored_text(place: &StorePlace, done: &Restoration) -> Text {
    text!(
        TableRestored,
        store = place.to_string(),
        table = done.table.to_string(),
        former = done.last.origin(),
        leaves = Count(done.last.size),
        players = Count(done.players),
        void = Count(done.void)
    )
}

/// That a table was moved, or had moved before.
pub(crate) fn moved_text([from, to]: [&StorePlace; 2], moved: Option<Moved>) -> Text {
    let (from, to) = (from.to_string(), to.to_string());
    match moved {
        Some(moved) => text!(
            TableMoved,
            from = from,
            to = to,
            players = Count(moved.players),
            running = Count(moved.running)
        ),
        None => text!(TableMovedBefore, from = from, to = to),
    }
}

/// Why a table was not moved, or what is not known of it.
pub(crate) fn move_text(
    [from, to]: [&StorePlace; 2],
    error: &MoveError,
    io: fn(&io::Error) -> Text,
) -> Text {
    match error {
        MoveError::From(error) => store_text(from, error, io),
        MoveError::To(error) => store_text(to, error, io),
        MoveError::Occupied => text!(MoveOccupied, store = to.to_string()),
        MoveError::Interrupted => text!(MoveInterrupted, store = from.to_string()),
        MoveError::Differs(_) => text!(MoveDiffers, store = to.to_string()),
        MoveError::Unfinished(error) => text!(
            MoveUnfinished,
            from = from.to_string(),
            to = to.to_string(),
            reason = store_reason(error)
        ),
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
