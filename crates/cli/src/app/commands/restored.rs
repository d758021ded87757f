//! `war table restored`: lets a card table go on that was restored from a backup.

use crate::app::context::Context;
use crate::app::exit::{Exit, Failure};
use crate::app::store::{place_of, store_failure};
use crate::cli::Restored;
use crate::wording::restored_text;
use std::time::{SystemTime, UNIX_EPOCH};

/// Prepares the store, and says what was done.
pub(crate) fn restored(options: &Restored, context: &mut Context) -> Result<Exit, Failure> {
    let configured = &context.config.table.store;
    let place = place_of(options.store.as_ref().unwrap_or(configured))?;
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    let now = since.map_or(0, |since| since.as_millis());
    let done = place.restored(u64::try_from(now).unwrap_or(u64::MAX));
    let done = done.map_err(|error| store_failure(&place, &error))?;
    context.terminal.print_line(&restored_text(&place, &done));
    Ok(Exit::Success)
}
