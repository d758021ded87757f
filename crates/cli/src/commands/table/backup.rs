//! `war table backup` and `war table restored`: copies the store of a card table, and prepares a
//! restored one.

use super::store::{parse_store_location, store_failure, warn_of_weak_protection};
use crate::context::Context;
use crate::failure::{ExitStatus, Failure, interrupted_creation_failure, read_failure};
use crate::machine::input::open_with_size;
use crate::machine::progress::CopyProgress;
use crate::machine::signals::{Interruption, is_interrupted};
use crate::machine::text::{io_text, path_text};
use clap::{Args, ValueHint};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};
use std::{fs, io};
use war::i18n::{Count, Text, text};
use war_table::server::store::{Restoration, SqliteStore, StoreError};
use war_table::time::WallTime;
use war_table_cluster::StoreLocation;

pub(super) const BACKUP_EXAMPLES: &str = "\
Examples:
  war table backup copy.db             copy the store of the table
  war table backup copy.db --store sqlite:/srv/t.db
                                       copy another store

To restore a copy, stop the table; remove `table.db`, `table.db-wal` and
`table.db-shm`; copy the copy to `table.db`; run `war table restored`; and start
the table.";

#[derive(Debug, Args)]
pub(crate) struct BackupArgs {
    /// New file for the copy, which only you can read; a file that exists is left alone
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) file: PathBuf,
    /// Where the table keeps all data [default: sqlite:table.db]
    #[arg(long, value_name = "STORE", env = "WAR_TABLE_STORE")]
    pub(crate) store: Option<String>,
}

pub(crate) const RESTORED_STORE_EXAMPLES: &str = "\
Examples:
  war table restored                   go on from a backup of the table
  war table restored --store postgres://war@db.example/war
                                       go on from a database that was restored
  war table restored --unchanged       go on as before, from a copy after which
                                       nobody played

What was played since the backup is lost. Games that were in progress are void,
all players are told, no number is used again, and the log goes on under
another name that says where it comes from.";

#[derive(Debug, Args)]
pub(crate) struct RestoredStoreArgs {
    /// Where the table keeps all data [default: sqlite:table.db]
    #[arg(long, value_name = "STORE", env = "WAR_TABLE_STORE")]
    pub(crate) store: Option<String>,
    /// Confirm that nobody played after the copy was made: the table goes on as it was
    #[arg(long)]
    pub(crate) unchanged: bool,
}

/// Copies the store to a new file.
pub(crate) fn back_up(options: &BackupArgs, context: &mut Context) -> Result<ExitStatus, Failure> {
    let configured = &context.config.table.store;
    let place = parse_store_location(options.store.as_ref().unwrap_or(configured))?;
    let store = place.to_string();
    let StoreLocation::File(path) = &place else {
        return Err(Failure::usage(text!(BackupOfDatabase, store = store)));
    };
    open_with_size(path).map_err(|error| read_failure(path, &error))?;
    Interruption::catch_for_recording();
    let progress = CopyProgress::new_in_bytes();
    let copied = SqliteStore::back_up(path, &options.file, |bytes, all| {
        progress.advance_unless_interrupted(bytes, all)
    });
    drop(progress);
    copied.map_err(|error| backup_failure(&place, &options.file, &error))?;
    let bytes = fs::metadata(&options.file).map_or(0, |copy| copy.len());
    let copy = path_text(&options.file);
    let text = text!(BackupMade, store = store, file = copy, bytes = Count(bytes));
    context.terminal.print_line(&text);
    Ok(ExitStatus::Success)
}

fn backup_failure(place: &StoreLocation, to: &Path, error: &StoreError) -> Failure {
    let StoreError::Copy(error) = error else {
        return store_failure(place, error);
    };
    let file = path_text(to);
    let text = match error.kind() {
        io::ErrorKind::Interrupted if is_interrupted() => return interrupted_creation_failure(to),
        io::ErrorKind::AlreadyExists => text!(BackupExists, file = file),
        _ => text!(BackupUnwritable, file = file, reason = io_text(error)),
    };
    Failure::new(ExitStatus::InputOutput, text)
}

/// Prepares a restored store, and reports the result.
pub(crate) fn prepare_restored_store(
    options: &RestoredStoreArgs,
    context: &mut Context,
) -> Result<ExitStatus, Failure> {
    let configured = &context.config.table.store;
    let place = parse_store_location(options.store.as_ref().unwrap_or(configured))?;
    warn_of_weak_protection(&place, context);
    if options.unchanged {
        let confirmed = place.confirm_copy();
        confirmed.map_err(|error| store_failure(&place, &error))?;
        let text = text!(CopyConfirmed, store = place.to_string());
        context.terminal.print_line(&text);
        return Ok(ExitStatus::Success);
    }
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    let now = since.map_or(0, |since| since.as_millis());
    let done = place.prepare_restored(WallTime::from_millis(
        u64::try_from(now).unwrap_or(u64::MAX),
    ));
    let done = done.map_err(|error| store_failure(&place, &error))?;
    context.terminal.print_line(&restored_text(&place, &done));
    Ok(ExitStatus::Success)
}

/// Report about a restored table.
fn restored_text(place: &StoreLocation, done: &Restoration) -> Text {
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
