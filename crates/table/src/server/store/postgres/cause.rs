//! What went wrong at a database, as errors of a store.

use crate::server::store::StoreError;
use std::error::Error;
use std::fmt;
use tokio_postgres::error::{DbError, Severity, SqlState};

/// What a database said, in a line.
#[derive(Debug)]
pub(super) struct Cause(String);

impl Cause {
    /// The answer did not come in time.
    pub(super) fn late() -> Self {
        Self("the database did not answer in time".to_owned())
    }
}

impl From<&tokio_postgres::Error> for Cause {
    fn from(error: &tokio_postgres::Error) -> Self {
        if let Some(said) = error.as_db_error() {
            return Self(said.message().to_owned());
        }
        let mut first: &dyn Error = error;
        while let Some(source) = first.source() {
            first = source;
        }
        Self(first.to_string())
    }
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Error for Cause {}

/// Why something was not done in a database.
#[derive(Debug)]
pub(super) enum Trouble {
    /// It says so, or the connection broke.
    Failed(tokio_postgres::Error),
    /// It did not answer in time.
    Late,
}

impl Trouble {
    /// The code of the error, if the database gave one.
    pub(super) fn code(&self) -> Option<&SqlState> {
        match self {
            Self::Failed(error) => error.code(),
            Self::Late => None,
        }
    }

    /// Whether a transaction that this befell was rolled back for sure.
    pub(super) fn is_rolled_back(&self) -> bool {
        let Self::Failed(error) = self else {
            return false;
        };
        let severity = error.as_db_error().and_then(DbError::parsed_severity);
        severity == Some(Severity::Error)
    }

    /// Whether rows with this constraint, a unique one, were there already.
    pub(super) fn is_conflict_of(&self, constraint: &str) -> bool {
        let Self::Failed(error) = self else {
            return false;
        };
        let said = error.as_db_error();
        said.is_some_and(|said| {
            *said.code() == SqlState::UNIQUE_VIOLATION && said.constraint() == Some(constraint)
        })
    }

    /// What was said.
    pub(super) fn cause(&self) -> Box<dyn Error + Send + Sync> {
        Box::new(match self {
            Self::Failed(error) => Cause::from(error),
            Self::Late => Cause::late(),
        })
    }

    /// The error of a store that can't be connected to.
    pub(super) fn at_first(&self) -> StoreError {
        let refused = [
            SqlState::INVALID_PASSWORD,
            SqlState::INVALID_AUTHORIZATION_SPECIFICATION,
            SqlState::INVALID_CATALOG_NAME,
            SqlState::INSUFFICIENT_PRIVILEGE,
        ];
        match self {
            Self::Failed(error) => match error.code() {
                Some(code) if refused.contains(code) => StoreError::Refused(self.cause()),
                None if is_about_the_user(error) => StoreError::Refused(self.cause()),
                _ => StoreError::Unreachable(self.cause()),
            },
            Self::Late => StoreError::Unreachable(self.cause()),
        }
    }
}

/// Whether a password is missing, or is asked for in a way that nobody knows.
fn is_about_the_user(error: &tokio_postgres::Error) -> bool {
    let kind = error.to_string();
    ["authentication error", "invalid configuration"]
        .iter()
        .any(|known| kind.starts_with(known))
}

impl From<tokio_postgres::Error> for Trouble {
    fn from(error: tokio_postgres::Error) -> Self {
        Self::Failed(error)
    }
}

impl From<Trouble> for StoreError {
    fn from(trouble: Trouble) -> Self {
        let code = trouble.code();
        let is = |asked: &SqlState| code == Some(asked);
        let cause = trouble.cause();
        if is(&SqlState::READ_ONLY_SQL_TRANSACTION) {
            Self::ReadOnly(cause)
        } else if is(&SqlState::DISK_FULL) {
            Self::Full(cause)
        } else if is(&SqlState::INSUFFICIENT_PRIVILEGE) {
            Self::Refused(cause)
        } else {
            Self::Database(cause)
        }
    }
}
