use crate::server::rooms::RoomNumber;
use crate::server::store::StoreError;
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

/// How far each room was known to be, by its epoch and the number of its next batch: a store
/// that shows less has lost what was confirmed.
#[derive(Debug, Default)]
pub(super) struct Heights(Mutex<BTreeMap<RoomNumber, (i64, i64)>>);

impl Heights {
    /// Notes how far a room is.
    ///
    /// # Errors
    ///
    /// [`StoreError::WentBack`] where it was further before.
    pub(super) fn note(&self, room: RoomNumber, height: (i64, i64)) -> Result<(), StoreError> {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let known = known.entry(room).or_default();
        if height.0 < known.0 || height.1 < known.1 {
            return Err(StoreError::WentBack);
        }
        *known = height;
        Ok(())
    }
}
