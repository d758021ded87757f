//! A law of the table: it holds, or is broken by what was found.

use war_table::server::rooms::RoomNumber;

/// A law of the table that does not hold.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{law}: {found}")]
pub struct Broken {
    /// The law.
    pub law: &'static str,
    /// What was found instead.
    pub found: String,
}

/// What is there as long as every law holds.
pub(crate) type Lawful<T = ()> = Result<T, Broken>;

/// Checks a law; `found` says what is there where it does not hold.
pub(crate) fn law(law: &'static str, holds: bool, found: impl FnOnce() -> String) -> Lawful {
    if holds {
        return Ok(());
    }
    let found = found();
    Err(Broken { law, found })
}

/// When something was committed.
#[derive(Debug, Clone, Copy)]
pub(crate) struct When {
    /// The world's time.
    pub(crate) now: u64,
    /// The world's time when the first command of the batch arrived, or now.
    pub(crate) from: u64,
    /// The room.
    pub(crate) room: RoomNumber,
    /// For how long it has been served by now, as the world counts it.
    pub(crate) served: u64,
    /// How often that began.
    pub(crate) starts: u64,
}
