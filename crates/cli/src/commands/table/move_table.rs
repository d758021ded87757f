//! `war table move`: moves a card table from a file to a database, or back.

use super::store::{
    parse_store_location, store_error_text, store_reason, warn_of_weak_protection,
    wrong_key_failure,
};
use crate::context::Context;
use crate::failure::{ExitStatus, Failure, key_failure};
use crate::machine::progress::CopyProgress;
use crate::machine::signals::Interruption;
use crate::machine::table_key;
use crate::machine::text::io_text;
use clap::Args;
use std::io;
use std::path::{PathBuf, absolute};
use war::i18n::{Count, Text, text};
use war_table::server::store::{MoveReport, MoveTableError, StoreError};
use war_table_cluster::StoreLocation;

pub(crate) const MOVE_EXAMPLES: &str = "\
Examples:
  war table move sqlite:table.db postgres://war@db.example/war
                                       from a file to a database
  war table move postgres://war@db.example/war sqlite:table.db
                                       from a database to a file

Everything moves: players, games in progress, messages, the ledger and the log.
Take the key along: all nodes need its file. If the move is interrupted, start
it again. Afterwards the old store is marked, and can't be served any more.";

#[derive(Debug, Args)]
pub(crate) struct MoveArgs {
    /// Where the table is: sqlite:FILE or postgres://...
    #[arg(value_name = "FROM")]
    pub(crate) from: String,
    /// Where it goes, if there is none yet: postgres://... or sqlite:FILE
    #[arg(value_name = "TO")]
    pub(crate) to: String,
    /// File of the table's secret key, if it goes from a file to a database [default: the store's
    /// file with `.key`]
    #[arg(long, value_name = "FILE", env = "WAR_TABLE_KEY")]
    pub(crate) key: Option<PathBuf>,
}

/// Moves the table from one store to the other.
pub(crate) fn move_table(options: &MoveArgs, context: &mut Context) -> Result<ExitStatus, Failure> {
    let (from, mut to) = (
        parse_store_location(&options.from)?,
        parse_store_location(&options.to)?,
    );
    let key = options.key.as_ref().or(context.config.table.key.as_ref());
    let mut file = PathBuf::new();
    let key = match (&from, &mut to) {
        (StoreLocation::File(path), StoreLocation::Database(_)) => {
            file = key
                .cloned()
                .unwrap_or_else(|| table_key::default_path(path));
            table_key::load_public_key(&file).map_err(|error| key_failure(&file, &error))?
        }
        (StoreLocation::Database(_), StoreLocation::File(path)) => {
            // The old store records where the table went, and may be read from another directory,
            // so the path is absolute.
            *path = absolute(&*path).unwrap_or_else(|_| path.clone());
            None
        }
        _ => return Err(Failure::usage(text!(MoveSameKind))),
    };
    for place in [&from, &to] {
        warn_of_weak_protection(place, context);
    }
    Interruption::catch_for_recording();
    let progress = CopyProgress::new_in_rows();
    let mut goes_on = |rows, all| progress.advance_unless_interrupted(rows, all);
    let moved = from.move_to(&to, key, &mut goes_on);
    drop(progress);
    let moved = moved.map_err(|error| {
        let exit = match error {
            MoveTableError::Source(StoreError::OtherKey) => {
                return wrong_key_failure(&from, &file);
            }
            MoveTableError::Interrupted => ExitStatus::Incomplete,
            _ => ExitStatus::InputOutput,
        };
        Failure::new(exit, move_error_text([&from, &to], &error, io_text))
    })?;
    let text = moved_text([&from, &to], moved);
    context.terminal.print_line(&text);
    Ok(ExitStatus::Success)
}

/// Report that a table was moved, now or earlier.
fn moved_text([from, to]: [&StoreLocation; 2], moved: Option<MoveReport>) -> Text {
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

/// Error for a move that failed, or whose outcome is unknown.
fn move_error_text(
    [from, to]: [&StoreLocation; 2],
    error: &MoveTableError,
    io: fn(&io::Error) -> Text,
) -> Text {
    match error {
        MoveTableError::Source(error) => store_error_text(from, error, io),
        MoveTableError::Target(error) => store_error_text(to, error, io),
        MoveTableError::Occupied => text!(MoveOccupied, store = to.to_string()),
        MoveTableError::Interrupted => text!(MoveInterrupted, store = from.to_string()),
        MoveTableError::Differs(_) => text!(MoveDiffers, store = to.to_string()),
        MoveTableError::Unfinished(error) => text!(
            MoveUnfinished,
            from = from.to_string(),
            to = to.to_string(),
            reason = store_reason(error)
        ),
    }
}
