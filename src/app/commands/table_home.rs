//! Where `war serve` keeps its table, and the key that it signs with.

use crate::app::context::Context;
use crate::app::exit::{Exit, Failure};
use crate::app::messages::unusable_key;
use crate::app::store::{Place, database_failure, store_failure};
use crate::app::text::display;
use crate::host::config::TableSettings;
use crate::host::table_key;
use crate::i18n::{Text, text};
use crate::server::rooms::Rooms;
use crate::server::store::{DatabaseAddress, PostgresTable, SqliteStore, StoreError};
use crate::server::{Home, Randomness, SystemRandomness};
use crate::signing::TableKey;
use std::path::Path;
use std::sync::Arc;

/// The store, the key, and what to say of the key.
type Opened = (Home, Arc<TableKey>, Text);

/// Where the table is that was chosen.
pub(super) fn place(chosen: &TableSettings) -> Result<Place<'_>, Failure> {
    let place = Place::of(&chosen.store)?;
    match (&place, &chosen.key) {
        (Place::Database(address), None) => {
            let store = address.to_string();
            Err(Failure::usage(text!(DatabaseNeedsKey, store = store)))
        }
        _ => Ok(place),
    }
}

/// Opens the store, and makes it and the key where there are none.
pub(super) fn open(
    place: &Place<'_>,
    chosen: &TableSettings,
    context: &mut Context,
) -> Result<Opened, Failure> {
    match place {
        Place::File(path) => own(Path::new(path), chosen, context),
        Place::Database(address) => shared(address, chosen),
    }
}

fn own(path: &Path, chosen: &TableSettings, context: &mut Context) -> Result<Opened, Failure> {
    let file = chosen.key.clone();
    let (key, told) = key(&file.unwrap_or_else(|| table_key::beside(path)))?;
    let failed = |error: StoreError| store_failure(&chosen.store, &error);
    let store = SqliteStore::open(path).map_err(failed)?;
    if store.was_open_to_others() {
        let text = text!(StoreWasOpen, store = chosen.store.as_str());
        context.terminal.warning(&text);
    }
    Ok((Home::own(store).map_err(failed)?, key, told))
}

fn shared(address: &DatabaseAddress, chosen: &TableSettings) -> Result<Opened, Failure> {
    let failed = |error: StoreError| database_failure(address, &error);
    let table = PostgresTable::open(address.clone(), Some(Rooms::ONE)).map_err(failed)?;
    let file = chosen.key.as_deref().unwrap_or(Path::new(""));
    let other_key = || {
        let (store, file) = (address.to_string(), display(file));
        let text = text!(DatabaseOtherKey, store = store, file = file);
        Failure::new(Exit::InputOutput, text)
    };
    // A key that is made now would be another one.
    if table.has_key().map_err(failed)? && !file.exists() {
        return Err(other_key());
    }
    let (key, told) = key(file)?;
    let public_key = key.ed25519().verifying_key().to_bytes();
    if !table.agree_on_key(&public_key).map_err(failed)? {
        return Err(other_key());
    }
    // Nodes at one address of different machines are different nodes.
    let node = format!("{} {:08x}", chosen.listen, SystemRandomness.number());
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
