//! Signals that end what runs.

use std::time::Duration;

/// How soon after the first a signal is still the same one: sent to a process and to its group,
/// it comes twice.
pub(crate) const SAME_SIGNAL: Duration = Duration::from_millis(500);
