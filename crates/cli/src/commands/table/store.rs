//! Opens the store of a card table and its key, and describes errors of both.

use crate::context::Context;
use crate::failure::{ExitStatus, Failure, key_failure};
use crate::machine::config::TableSettings;
use crate::machine::shell::quote_command;
use crate::machine::table_key::{self, TableKeyFileError};
use crate::machine::text::{io_text, path_text};
use std::error::Error;
use std::io;
use std::path::Path;
use std::sync::Arc;
use tokio::net::TcpListener;
use war::i18n::{Count, Text, Value, text};
use war::signing::TableKey;
use war::support::sanitize::replace_unprintable;
use war_table::server::TableBackend;
use war_table::server::rooms::RoomCount;
use war_table::server::store::{Damage, SqliteStore, StoreError};
use war_table_cluster::leases::NodeAddress;
use war_table_cluster::{
    ConnectionBudget, DatabaseAddress, DatabaseAddressError, PostgresTable, StoreLocation,
    StoreLocationError, TlsOptionsError, build_shared_backend,
};

/// Open store of a table, with the table's key.
pub(super) struct OpenedStore {
    pub(super) backend: TableBackend,
    pub(super) key: Arc<TableKey>,
    /// Line to print about the key.
    pub(super) key_line: Text,
    /// Connections that the database allows, if they are too few for all rooms.
    pub(super) few_connections: Option<ConnectionBudget>,
}

/// Parses the location of the store, and checks the options that go with it.
pub(super) fn parse_chosen_store(chosen: &TableSettings) -> Result<StoreLocation, Failure> {
    let place = parse_store_location(&chosen.store)?;
    match (&place, &chosen.key) {
        (StoreLocation::Database(_), None) => {
            let store = place.to_string();
            Err(Failure::usage(text!(DatabaseNeedsKey, store = store)))
        }
        (StoreLocation::File(_), _) if chosen.rooms.is_some() => {
            let store = place.to_string();
            Err(Failure::usage(text!(RoomsNeedDatabase, store = store)))
        }
        _ => Ok(place),
    }
}

/// Opens the store and the key, and creates them if they don't exist; `node` is the address
/// advertised to other nodes, with the sockets that accept their connections.
pub(super) fn open(
    place: &StoreLocation,
    chosen: &TableSettings,
    node: (String, Vec<TcpListener>),
    context: &mut Context,
) -> Result<OpenedStore, Failure> {
    let failed = |error: StoreError| store_failure(place, &error);
    match place {
        StoreLocation::File(path) => open_file(path, place, chosen, context, failed),
        StoreLocation::Database(address) => {
            let store = open_database(address, chosen, node, failed)?;
            if let Some(budget) = &store.few_connections {
                warn_of_few_connections(place, budget, context);
            }
            Ok(store)
        }
    }
}

fn open_file(
    path: &Path,
    place: &StoreLocation,
    chosen: &TableSettings,
    context: &mut Context,
    failed: impl Fn(StoreError) -> Failure,
) -> Result<OpenedStore, Failure> {
    let file = chosen.key.clone();
    let file = file.unwrap_or_else(|| table_key::default_path(path));
    let wrong_key_failure = || wrong_key_failure(place, &file);
    // Don't create a key for a store with another key, or beside a file that is not a store.
    let is_there = path.try_exists();
    if !exists(&file)? && is_there.map_err(|error| failed(StoreError::Lock(error)))? {
        let known = SqliteStore::read_public_key_in(path).map_err(&failed)?;
        known.map_or(Ok(()), |_| Err(wrong_key_failure()))?;
    }
    let (key, key_line) = load_key(&file)?;
    let store = SqliteStore::open(path).map_err(&failed)?;
    let known = store.read_public_key().map_err(&failed)?;
    if known.is_some_and(|known| known != key.ed25519().verifying_key().to_bytes()) {
        return Err(wrong_key_failure());
    }
    if store.was_open_to_others() {
        let text = text!(StoreWasOpen, store = place.to_string());
        context.terminal.report_warning(&text);
    }
    Ok(OpenedStore {
        backend: TableBackend::new_embedded(store).map_err(&failed)?,
        key,
        key_line,
        few_connections: None,
    })
}

fn open_database(
    address: &DatabaseAddress,
    chosen: &TableSettings,
    (node, listeners): (String, Vec<TcpListener>),
    failed: impl Fn(StoreError) -> Failure,
) -> Result<OpenedStore, Failure> {
    let rooms = chosen.rooms.and_then(|rooms| rooms.try_into().ok());
    let rooms = rooms.and_then(RoomCount::new);
    let table = PostgresTable::open(address.clone(), rooms).map_err(&failed)?;
    let node = NodeAddress(node);
    let budget = table.connection_budget(&node).map_err(&failed)?;
    if budget.allowed < ConnectionBudget::least() {
        return Err(no_connections_failure(address, &budget));
    }
    let file = chosen.key.as_deref().unwrap_or(Path::new(""));
    let wrong_key_failure = || {
        let (store, file) = (address.to_string(), path_text(file));
        let text = text!(DatabaseOtherKey, store = store, file = file);
        Failure::new(ExitStatus::InputOutput, text)
    };
    // Don't create a key for a table that already has another key.
    if table.has_key().map_err(&failed)? && !exists(file)? {
        return Err(wrong_key_failure());
    }
    let (key, key_line) = load_key(file)?;
    let public_key = key.ed25519().verifying_key().to_bytes();
    if !table.agree_on_key(&public_key).map_err(&failed)? {
        return Err(wrong_key_failure());
    }
    Ok(OpenedStore {
        backend: build_shared_backend(table, node, listeners),
        key,
        key_line,
        few_connections: Some(budget).filter(|budget| budget.allowed < budget.needed()),
    })
}

/// Returns true if there is a key file, even one that can't be read.
fn exists(file: &Path) -> Result<bool, Failure> {
    file.try_exists()
        .map_err(|error| key_failure(file, &TableKeyFileError::Unreadable(error)))
}

/// Loads the key, or creates it at the first start; also returns the line to print about it.
fn load_key(file: &Path) -> Result<(Arc<TableKey>, Text), Failure> {
    let made = table_key::load_or_create(file);
    let (key, is_new) = made.map_err(|error| key_failure(file, &error))?;
    let file = path_text(file);
    let line = if is_new {
        text!(TableKeyMade, file = file)
    } else {
        text!(TableKey, file = file)
    };
    Ok((Arc::new(key), line))
}

/// Parses the location of a store.
pub(crate) fn parse_store_location(store: &str) -> Result<StoreLocation, Failure> {
    let unfit = |error| Failure::usage(store_location_error_text(error));
    store.parse().map_err(unfit)
}

/// Warns if others can read or change what is sent to the database.
pub(crate) fn warn_of_weak_protection(place: &StoreLocation, context: &mut Context) {
    if let Some(weak) = place.weak_protection() {
        let store = place.to_string();
        context.terminal.report_warning(&if weak.may_be_clear {
            text!(DatabaseWayClear, mode = weak.mode, store = store)
        } else {
            text!(DatabaseWayUnverified, mode = weak.mode, store = store)
        });
    }
}

fn warn_of_few_connections(
    place: &StoreLocation,
    budget: &ConnectionBudget,
    context: &mut Context,
) {
    let text = text!(
        DatabaseFewConnections,
        store = place.to_string(),
        allowed = budget.allowed,
        needed = budget.needed(),
        nodes = budget.nodes,
        rooms = u32::from(budget.rooms.count()),
        limit = budget.limit.name(),
    );
    context.terminal.report_warning(&text);
}

/// Error for a database that doesn't allow the connections of a node with a single room.
fn no_connections_failure(address: &DatabaseAddress, budget: &ConnectionBudget) -> Failure {
    let text = text!(
        DatabaseNoConnections,
        store = address.to_string(),
        allowed = budget.allowed,
        needed = ConnectionBudget::least(),
        limit = budget.limit.name(),
    );
    Failure::new(ExitStatus::InputOutput, text)
}

/// Error for a store that can't be opened or read.
pub(crate) fn store_failure(place: &StoreLocation, error: &StoreError) -> Failure {
    Failure::new(
        ExitStatus::InputOutput,
        store_error_text(place, error, io_text),
    )
}

/// Error for a key that does not belong to the store.
pub(crate) fn wrong_key_failure(place: &StoreLocation, key: &Path) -> Failure {
    let text = text!(
        StoreOtherKey,
        store = place.to_string(),
        file = path_text(key)
    );
    Failure::new(ExitStatus::InputOutput, text)
}

/// Error for a store that can't be used, with the reason.
pub(crate) fn store_unusable_failure(place: &StoreLocation, reason: impl Into<Value>) -> Failure {
    let store = place.to_string();
    let text = text!(StoreUnusable, store = store, reason = reason.into());
    Failure::new(ExitStatus::InputOutput, text)
}

/// Error for a text that is not the location of a store. The text may contain a password, so no
/// part of it is shown.
fn store_location_error_text(error: StoreLocationError) -> Text {
    match error {
        StoreLocationError::Unknown | StoreLocationError::Address(DatabaseAddressError::Scheme) => {
            text!(StoreUnknown)
        }
        StoreLocationError::NoFile => text!(StoreNoFile),
        StoreLocationError::Address(DatabaseAddressError::Malformed) => text!(DatabaseMalformed),
        StoreLocationError::Address(DatabaseAddressError::Host) => text!(DatabaseWithoutHost),
        StoreLocationError::Address(DatabaseAddressError::Tls(error)) => match error {
            TlsOptionsError::Mode => text!(DatabaseTlsMode),
            TlsOptionsError::Contradiction => text!(DatabaseTlsContradiction),
            TlsOptionsError::Malformed => text!(DatabaseMalformed),
        },
    }
}

/// Error for a store that can't be opened or read; `io` describes an I/O error.
pub(crate) fn store_error_text(
    place: &StoreLocation,
    error: &StoreError,
    io: fn(&io::Error) -> Text,
) -> Text {
    let store = place.to_string();
    match (error, place) {
        (StoreError::InUse, _) => text!(StoreInUse, store = store),
        (StoreError::NoLocks(_), _) => {
            text!(StoreNoLocks, store = store, reason = root_cause(error))
        }
        (StoreError::Leaving { to }, _) => {
            text!(StoreLeaving, store = store, to = to.as_str())
        }
        (StoreError::Moved { to }, _) => text!(StoreMoved, store = store, to = to.as_str()),
        (StoreError::UnconfirmedCopy, _) => {
            // A name that can't be quoted is left out.
            let command = |option: &[&str]| {
                let named = [&["war", "table", "restored", "--store", &store], option].concat();
                quote_command(&named).unwrap_or_else(|| {
                    let unnamed = [&["war", "table", "restored"], option].concat();
                    unnamed.join(" ")
                })
            };
            let (restored, confirmed) = (command(&[]), command(&["--unchanged"]));
            text!(
                StoreUnconfirmed,
                store = store,
                restored = restored,
                confirmed = confirmed
            )
        }
        (StoreError::Damaged(Damage::Balance), _) => text!(StoreUnbalanced, store = store),
        (StoreError::Damaged(damage), _) => {
            text!(StoreUnsound, store = store, reason = damage.to_string())
        }
        (StoreError::PathOccupied(file), _) => {
            text!(
                StoreInTheWay,
                file = replace_unprintable(&file.display().to_string())
            )
        }
        (error, StoreLocation::Database(address)) => database_error_text(address, error),
        (StoreError::Foreign, _) => text!(StoreForeign, store = store),
        (StoreError::Missing, _) => text!(StoreMissing, store = store),
        (StoreError::NewerVersion, _) => text!(StoreNewer, store = store),
        (StoreError::Lock(source) | StoreError::Copy(source), _) => {
            text!(StoreUnusable, store = store, reason = io(source))
        }
        _ => text!(StoreUnusable, store = store, reason = store_reason(error)),
    }
}

/// Reason why a store failed, in the user's language if the reason is a common one.
pub(super) fn store_reason(error: &StoreError) -> Value {
    match error {
        StoreError::Full(_) => text!(IoFull).into(),
        StoreError::ReadOnly(_) => text!(IoReadOnly).into(),
        StoreError::NoLocks(_) => text!(IoNoLocks, reason = root_cause(error)).into(),
        StoreError::CannotOpen(_) => text!(IoStoreFiles, reason = root_cause(error)).into(),
        _ => root_cause(error).into(),
    }
}

/// Error for a store in a database that can't be opened.
pub(crate) fn database_error_text(address: &DatabaseAddress, error: &StoreError) -> Text {
    let store = address.to_string();
    match error {
        StoreError::Unreachable(_) => {
            text!(
                DatabaseUnreachable,
                store = store,
                reason = root_cause(error)
            )
        }
        StoreError::Refused(_) => text!(DatabaseRefused, store = store, reason = root_cause(error)),
        StoreError::NoTls => text!(DatabaseNoTls, store = store),
        StoreError::Untrusted(_) => {
            text!(DatabaseUntrusted, store = store, reason = root_cause(error))
        }
        StoreError::TlsFile(_) => text!(DatabaseTlsFile, store = store, reason = root_cause(error)),
        StoreError::UnsafeLogin { method } => {
            text!(DatabaseUnsafeLogin, store = store, method = *method)
        }
        StoreError::Full(_) => text!(DatabaseFull, store = store, reason = root_cause(error)),
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
        StoreError::Pooled => text!(DatabasePooled, store = store),
        StoreError::Rooms { found, asked } => text!(
            DatabaseRooms,
            store = store,
            found = Count(u64::from(*found)),
            asked = Count(u64::from(*asked))
        ),
        StoreError::Missing => text!(DatabaseMissing, store = store),
        StoreError::OlderVersion => text!(DatabaseOlder, store = store),
        StoreError::Damaged(damage) => {
            text!(StoreUnsound, store = store, reason = damage.to_string())
        }
        StoreError::Foreign => text!(DatabaseForeign, store = store),
        StoreError::NewerVersion => text!(DatabaseNewer, store = store),
        StoreError::TableReplaced => text!(DatabaseReplaced, store = store),
        _ => text!(DatabaseUnusable, store = store, reason = root_cause(error)),
    }
}

/// Innermost source of an error, as text.
pub(crate) fn root_cause(error: &dyn Error) -> String {
    let mut first = error;
    while let Some(source) = first.source() {
        first = source;
    }
    first.to_string()
}
