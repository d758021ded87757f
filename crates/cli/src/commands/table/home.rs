//! Where `war serve` keeps its table, and the key that it signs with.

use super::store::{other_key, place_of, store_failure};
use crate::context::Context;
use crate::failure::{Exit, Failure, unusable_key};
use crate::machine::config::TableSettings;
use crate::machine::table_key;
use crate::machine::text::display;
use std::path::Path;
use std::sync::Arc;
use war::i18n::{Text, text};
use war::signing::TableKey;
use war_table::server::Home;
use war_table::server::rooms::Rooms;
use war_table::server::store::{
    DatabaseAddress, PostgresTable, SqliteStore, StoreError, StorePlace,
};

/// The store, the key, and what to say of the key.
type Opened = (Home, Arc<TableKey>, Text);

/// Where the table is that was chosen.
pub(super) fn place(chosen: &TableSettings) -> Result<StorePlace, Failure> {
    let place = place_of(&chosen.store)?;
    match (&place, &chosen.key) {
        (StorePlace::Database(_), None) => {
            let store = place.to_string();
            Err(Failure::usage(text!(DatabaseNeedsKey, store = store)))
        }
        (StorePlace::File(_), _) if chosen.rooms.is_some() => {
            let store = chosen.store.as_str();
            Err(Failure::usage(text!(RoomsNeedDatabase, store = store)))
        }
        _ => Ok(place),
    }
}

/// Opens the store, and makes it and the key where there are none; `node` is where other nodes
/// reach this one.
pub(super) fn open(
    place: &StorePlace,
    chosen: &TableSettings,
    node: String,
    context: &mut Context,
) -> Result<Opened, Failure> {
    let failed = |error: StoreError| store_failure(place, &error);
    match place {
        StorePlace::File(path) => own(path, chosen, context, failed),
        StorePlace::Database(address) => shared(address, chosen, node, failed),
    }
}

fn own(
    path: &Path,
    chosen: &TableSettings,
    context: &mut Context,
    failed: impl Fn(StoreError) -> Failure,
) -> Result<Opened, Failure> {
    let file = chosen.key.clone();
    let file = file.unwrap_or_else(|| table_key::beside(path));
    let other_key = || other_key(&chosen.store, &file);
    // A key that is made now would be another one, or lie beside what is not a store.
    if !file.exists() && path.exists() {
        let known = SqliteStore::public_key_in(path).map_err(&failed)?;
        known.map_or(Ok(()), |_| Err(other_key()))?;
    }
    let (key, told) = key(&file)?;
    let store = SqliteStore::open(path).map_err(&failed)?;
    let known = store.public_key().map_err(&failed)?;
    if known.is_some_and(|known| known != key.ed25519().verifying_key().to_bytes()) {
        return Err(other_key());
    }
    if store.was_open_to_others() {
        let text = text!(StoreWasOpen, store = chosen.store.as_str());
        context.terminal.warning(&text);
    }
    Ok((Home::own(store).map_err(&failed)?, key, told))
}

fn shared(
    address: &DatabaseAddress,
    chosen: &TableSettings,
    node: String,
    failed: impl Fn(StoreError) -> Failure,
) -> Result<Opened, Failure> {
    let rooms = chosen.rooms.and_then(|rooms| rooms.try_into().ok());
    let rooms = rooms.and_then(Rooms::new);
    let table = PostgresTable::open(address.clone(), rooms).map_err(&failed)?;
    let file = chosen.key.as_deref().unwrap_or(Path::new(""));
    let other_key = || {
        let (store, file) = (address.to_string(), display(file));
        let text = text!(DatabaseOtherKey, store = store, file = file);
        Failure::new(Exit::InputOutput, text)
    };
    // A key that is made now would be another one.
    if table.has_key().map_err(&failed)? && !file.exists() {
        return Err(other_key());
    }
    let (key, told) = key(file)?;
    let public_key = key.ed25519().verifying_key().to_bytes();
    if !table.agree_on_key(&public_key).map_err(&failed)? {
        return Err(other_key());
    }
    Ok((Home::shared(table, node), key, told))
}

/// The key in a file, which is made at the first start, and what to say of it.
fn key(file: &Path) -> Result<(Arc<TableKey>, Text), Failure> {
    let made = table_key::load_or_make(file);
    let (key, is_new) = made.map_err(|error| unusable_key(file, &error))?;
    let file = display(file);
    let told = if is_new {
        text!(TableKeyMade, file = file)
    } else {
        text!(TableKey, file = file)
    };
    Ok((Arc::new(key), told))
}
