//! Checks of laws, and their violations.

use crate::schedule::WorldTime;
use std::time::Duration;
use war_table::server::rooms::RoomNumber;

/// Violation of a law of the table.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{law}: {evidence}")]
pub struct LawViolation {
    /// Statement of the law.
    pub law: &'static str,
    /// Evidence of the violation.
    pub evidence: String,
}

/// Result of code that checks laws.
pub(crate) type LawResult<T = ()> = Result<T, LawViolation>;

/// Returns a violation unless the law holds. `evidence` describes the violation.
pub(crate) fn ensure(
    law: &'static str,
    holds: bool,
    evidence: impl FnOnce() -> String,
) -> LawResult {
    if holds {
        return Ok(());
    }
    let evidence = evidence();
    Err(LawViolation { law, evidence })
}

/// Time of a commit, by the clocks of the world.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Moment {
    /// Time of the world.
    pub(crate) now: WorldTime,
    /// Arrival of the first command of the batch, or `now` if there is no command.
    pub(crate) first_arrival: WorldTime,
    pub(crate) room: RoomNumber,
    /// Total time for which the room has been served.
    pub(crate) served: Duration,
    /// Number of times that service of the room began.
    pub(crate) starts: u32,
}
