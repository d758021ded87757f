use std::fmt;
use tokio_tungstenite::tungstenite;
use war_table::fair::FairnessViolation;

/// Reason why a player stops.
#[derive(Debug)]
pub(crate) enum StopReason {
    /// Loss of the connection.
    Lost(tungstenite::Error),
    /// Refusal of a request by the table, with this code.
    Refused(String),
    /// Data of the table that failed verification, with the reason.
    NotVerified(String),
}

pub(super) fn verification_failure(reason: impl fmt::Display) -> StopReason {
    StopReason::NotVerified(reason.to_string())
}

impl From<FairnessViolation> for StopReason {
    fn from(unfair: FairnessViolation) -> Self {
        verification_failure(unfair)
    }
}

impl From<tungstenite::Error> for StopReason {
    fn from(error: tungstenite::Error) -> Self {
        Self::Lost(error)
    }
}

impl From<std::io::Error> for StopReason {
    fn from(error: std::io::Error) -> Self {
        Self::Lost(error.into())
    }
}

impl fmt::Display for StopReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Lost(error) => write!(f, "the table is gone: {error}"),
            Self::Refused(code) => write!(f, "the table does not grant this: {code}"),
            Self::NotVerified(reason) => write!(f, "NOT VERIFIED: {reason}"),
        }
    }
}
