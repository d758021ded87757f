//! The store of a card table: where it is, and why it can't be used.

use super::exit::{Exit, Failure};
use crate::machine::text::display;
use crate::machine::text::io_text;
use crate::wording::{place_text, store_text};
use std::path::Path;
use war::i18n::{Value, text};
use war_table::server::store::{StoreError, StorePlace};

/// Where the store is that somebody typed.
pub(crate) fn place_of(store: &str) -> Result<StorePlace, Failure> {
    let unfit = |error| Failure::usage(place_text(store, error));
    store.parse().map_err(unfit)
}

/// A store that can't be opened or read.
pub(crate) fn store_failure(place: &StorePlace, error: &StoreError) -> Failure {
    Failure::new(Exit::InputOutput, store_text(place, error, io_text))
}

/// A key that is not the one of the table in this store.
pub(crate) fn other_key(store: &str, key: &Path) -> Failure {
    let text = text!(StoreOtherKey, store = store, file = display(key));
    Failure::new(Exit::InputOutput, text)
}

/// A store that can't be used for another reason.
pub(crate) fn store_unusable(place: &StorePlace, reason: impl Into<Value>) -> Failure {
    let store = place.to_string();
    let text = text!(StoreUnusable, store = store, reason = reason.into());
    Failure::new(Exit::InputOutput, text)
}
