//! `war table backup`: copies the store of a card table, which may be open.

use crate::app::context::Context;
use crate::app::exit::{Exit, Failure};
use crate::app::messages::{not_made, unreadable};
use crate::app::store::{store_failure, store_file};
use crate::app::text::display;
use crate::cli::Backup;
use crate::host::io_text::io_text;
use crate::host::progress::Copying;
use crate::host::signals::{Interruption, is_interrupted};
use crate::i18n::{Count, text};
use crate::server::store::{SqliteStore, StoreError};
use std::fs;
use std::io;
use std::path::Path;

/// Copies the store to a new file.
pub(crate) fn backup(options: &Backup, context: &mut Context) -> Result<Exit, Failure> {
    let configured = &context.config.table.store;
    let store = options.store.as_ref().unwrap_or(configured).clone();
    let path = Path::new(store_file(&store)?);
    fs::metadata(path).map_err(|error| unreadable(path, &error))?;
    Interruption::of_recordings();
    let copying = Copying::new();
    let copied = SqliteStore::back_up(path, &options.file, |bytes, all| {
        copying.goes_on(bytes, all)
    });
    drop(copying);
    copied.map_err(|error| not_copied(&store, &options.file, &error))?;
    let bytes = fs::metadata(&options.file).map_or(0, |copy| copy.len());
    let copy = display(&options.file);
    let text = text!(BackupMade, store = store, file = copy, bytes = Count(bytes));
    context.terminal.print_line(&text);
    Ok(Exit::Success)
}

fn not_copied(store: &str, to: &Path, error: &StoreError) -> Failure {
    let StoreError::Copy(error) = error else {
        return store_failure(store, error);
    };
    let file = display(to);
    let text = match error.kind() {
        io::ErrorKind::Interrupted if is_interrupted() => return not_made(to),
        io::ErrorKind::AlreadyExists => text!(BackupExists, file = file),
        _ => text!(BackupUnwritable, file = file, reason = io_text(error)),
    };
    Failure::new(Exit::InputOutput, text)
}
