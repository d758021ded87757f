//! `war table move`: takes a whole card table to another store.

use crate::app::context::Context;
use crate::app::exit::{Exit, Failure};
use crate::app::messages::unusable_key;
use crate::app::store::{other_key, place_of};
use crate::cli::Move;
use crate::machine::progress::Copying;
use crate::machine::signals::Interruption;
use crate::machine::table_key;
use crate::machine::text::io_text;
use crate::wording::{move_text, moved_text};
use std::path::{PathBuf, absolute};
use war::i18n::text;
use war_table::server::store::{MoveError, StoreError, StorePlace};

/// Moves the table from one store to the other.
pub(crate) fn move_table(options: &Move, context: &mut Context) -> Result<Exit, Failure> {
    let (from, mut to) = (place_of(&options.from)?, place_of(&options.to)?);
    let key = options.key.as_ref().or(context.config.table.key.as_ref());
    let mut file = PathBuf::new();
    let key = match (&from, &mut to) {
        (StorePlace::File(path), StorePlace::Database(_)) => {
            file = key.cloned().unwrap_or_else(|| table_key::beside(path));
            table_key::public_part(&file).map_err(|error| unusable_key(&file, &error))?
        }
        (StorePlace::Database(_), StorePlace::File(path)) => {
            // It is noted at the old place, wherever that is read.
            *path = absolute(&*path).unwrap_or_else(|_| path.clone());
            None
        }
        _ => return Err(Failure::usage(text!(MoveSameKind))),
    };
    Interruption::of_recordings();
    let copying = Copying::rows();
    let mut goes_on = |rows, all| copying.goes_on(rows, all);
    let moved = from.move_to(&to, key, &mut goes_on);
    drop(copying);
    let moved = moved.map_err(|error| {
        let exit = match error {
            MoveError::From(StoreError::OtherKey) => return other_key(&from.to_string(), &file),
            MoveError::Interrupted => Exit::Incomplete,
            _ => Exit::InputOutput,
        };
        Failure::new(exit, move_text([&from, &to], &error, io_text))
    })?;
    let text = moved_text([&from, &to], moved);
    context.terminal.print_line(&text);
    Ok(Exit::Success)
}
