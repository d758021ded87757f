use super::Standing;
use crate::room::{PlayerId, Span};

/// What the ladder has become with a day that is over, and perhaps with days before it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rated {
    /// The last day that was rated before; none where all days are rated.
    pub since: Option<u64>,
    /// The last day that is rated now.
    pub day: u64,
    /// All players of the week and of the month, and those of all times whose standing has changed.
    pub standings: Vec<(Span, PlayerId, Standing)>,
}
