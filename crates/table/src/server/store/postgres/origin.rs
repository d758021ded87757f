use crate::server::store::StoreError;
use std::sync::{Mutex, PoisonError};

/// Which database it is that a connection reaches, and which of its histories: each restore to a
/// moment and each promotion of a standby begins a new one, a timeline.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Origin {
    /// The number of the cluster, drawn when it was made.
    pub(super) system: i64,
    /// The number of the timeline, from 1.
    pub(super) timeline: i64,
}

/// The origin that a node saw last.
#[derive(Debug)]
pub(super) struct Origins(Mutex<Origin>);

impl From<Origin> for Origins {
    fn from(first: Origin) -> Self {
        Self(Mutex::new(first))
    }
}

impl Origins {
    /// Notes which database was reached. A later timeline may have all that was confirmed, which
    /// its rooms show.
    ///
    /// # Errors
    ///
    /// [`StoreError::WentBack`] where it is another one than before, or an earlier timeline of it.
    pub(super) fn note(&self, origin: Origin) -> Result<(), StoreError> {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if origin.system != known.system || origin.timeline < known.timeline {
            return Err(StoreError::WentBack);
        }
        *known = origin;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::{Origin, Origins};
    use crate::server::store::StoreError;

    #[test]
    fn another_database_or_an_earlier_timeline_is_noticed() {
        let at = |system, timeline| Origin { system, timeline };
        let origins = Origins::from(at(7, 2));
        for origin in [at(7, 2), at(7, 2), at(7, 3)] {
            assert!(origins.note(origin).is_ok(), "{origin:?}");
        }
        for origin in [at(7, 2), at(8, 3), at(8, 4)] {
            let noticed = origins.note(origin);
            assert!(matches!(noticed, Err(StoreError::WentBack)), "{origin:?}");
        }
        assert!(origins.note(at(7, 3)).is_ok());
    }
}
