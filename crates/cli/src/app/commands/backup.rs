//! `war table backup`: copies the store of a card table, which may be open.

use crate::app::context::Context;
use crate::app::exit::{Exit, Failure};
use crate::app::messages::{not_made, unreadable};
use crate::app::store::{place_of, store_failure};
use crate::cli::Backup;
use crate::machine::input::open_measured;
use crate::machine::progress::Copying;
use crate::machine::signals::{Interruption, is_interrupted};
use crate::machine::text::display;
use crate::machine::text::io_text;
use std::fs;
use std::io;
use std::path::Path;
use war::i18n::{Count, text};
use war_table::server::store::{SqliteStore, StoreError, StorePlace};

/// Copies the store to a new file.
pub(crate) fn backup(options: &Backup, context: &mut Context) -> Result<Exit, Failure> {
    let configured = &context.config.table.store;
    let place = place_of(options.store.as_ref().unwrap_or(configured))?;
    let store = place.to_string();
    let StorePlace::File(path) = &place else {
        return Err(Failure::usage(text!(BackupOfDatabase, store = store)));
    };
    open_measured(path).map_err(|error| unreadable(path, &error))?;
    Interruption::of_recordings();
    let copying = Copying::new();
    let copied = SqliteStore::back_up(path, &options.file, |bytes, all| {
        copying.goes_on(bytes, all)
    });
    drop(copying);
    copied.map_err(|error| not_copied(&place, &options.file, &error))?;
    let bytes = fs::metadata(&options.file).map_or(0, |copy| copy.len());
    let copy = display(&options.file);
    let text = text!(BackupMade, store = store, file = copy, bytes = Count(bytes));
    context.terminal.print_line(&text);
    Ok(Exit::Success)
}

fn not_copied(place: &StorePlace, to: &Path, error: &StoreError) -> Failure {
    let StoreError::Copy(error) = error else {
        return store_failure(place, error);
    };
    let file = display(to);
    let text = match error.kind() {
        io::ErrorKind::Interrupted if is_interrupted() => return not_made(to),
        io::ErrorKind::AlreadyExists => text!(BackupExists, file = file),
        _ => text!(BackupUnwritable, file = file, reason = io_text(error)),
    };
    Failure::new(Exit::InputOutput, text)
}
