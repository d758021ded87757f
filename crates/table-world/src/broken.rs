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
