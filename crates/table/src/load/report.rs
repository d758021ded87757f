use crate::fair::{FairnessViolation, LogViolation, SettledGame};
use std::collections::BTreeMap;
use std::time::Duration;
use tokio::task::JoinError;

/// Results of a load test.
#[derive(Debug, Default)]
pub struct LoadReport {
    /// Number of opened connections.
    pub connected: u64,
    /// Duration of play.
    pub playing: Duration,
    /// Number of settled games, each counted once for each load player in it.
    pub(super) player_games: u64,
    /// Time until each decision was acknowledged.
    pub(super) latencies: Vec<Duration>,
    /// Average time that a player waited to keep to the limits of the table.
    pub waiting: Duration,
    /// Number of players who stopped at the table's limit of requests in an hour.
    pub out_of_requests: u64,
    /// Number of moves that reached the table too late.
    pub late_moves: u64,
    /// Number of players who reconnected and found the balance that follows from their messages.
    pub balances_compared: u64,
    /// Number of games between load players who received the same result.
    pub results_compared: u64,
    /// Finished games of all players, which the table's log must contain.
    pub(super) finished: Vec<SettledGame>,
    /// Failures, with their occurrences.
    pub failures: BTreeMap<LoadFailure, Occurrences>,
}

/// Occurrences of a failure.
#[derive(Debug, Default)]
pub struct Occurrences {
    /// Number of occurrences.
    pub count: u64,
    /// Messages of the first occurrence, if they show that the table does not play fair.
    pub messages: Vec<String>,
}

impl LoadReport {
    /// Number of settled games. A game whose other player stopped, or does not belong to the test,
    /// counts too.
    #[must_use]
    pub const fn game_count(&self) -> u64 {
        self.player_games - self.results_compared
    }

    /// Settled games per second.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "a rate is rounded anyway")]
    pub fn games_per_second(&self) -> f64 {
        self.game_count() as f64 / self.playing.as_secs_f64()
    }

    /// Number of acknowledged decisions.
    #[must_use]
    pub const fn decision_count(&self) -> usize {
        self.latencies.len()
    }

    /// Percentiles of the time until decisions were acknowledged.
    #[must_use]
    pub fn latency_percentiles<const N: usize>(&self, percentiles: [usize; N]) -> [Duration; N] {
        let mut latencies = self.latencies.clone();
        latencies.sort_unstable();
        let last = latencies.len().saturating_sub(1);
        percentiles.map(|percentile| {
            let index = (latencies.len() * percentile / 100).min(last);
            latencies.get(index).copied().unwrap_or_default()
        })
    }

    /// Returns true if nothing failed.
    #[must_use]
    pub fn is_sound(&self) -> bool {
        self.failures.is_empty()
    }

    /// Returns true if something failed, and all of it because the table limits its clients.
    #[must_use]
    pub fn is_only_limited(&self) -> bool {
        !self.is_sound()
            && self
                .failures
                .keys()
                .all(|failure| *failure == LoadFailure::TooFast)
    }

    /// Returns the value of a task's result, or records the failure and returns `None`.
    pub(super) fn record_if_failed<T>(
        &mut self,
        result: Result<Result<T, LoadFailure>, JoinError>,
    ) -> Option<T> {
        let result = result.unwrap_or_else(|error| Err(LoadFailure::ReadFailed(error.to_string())));
        let recorded = result.map_err(|failure| self.record_failure(failure.into()));
        recorded.ok()
    }

    pub(super) fn record_failure(&mut self, failed: PlayerFailure) {
        let occurrences = self.failures.entry(failed.failure).or_default();
        occurrences.count += 1;
        if occurrences.messages.is_empty() {
            occurrences.messages = failed.messages;
        }
    }
}

/// Maximum time for which a player waits for a message from the table.
pub const ANSWER_TIMEOUT: Duration = Duration::from_secs(60);

/// Failure in a load test.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, thiserror::Error)]
pub enum LoadFailure {
    /// Failure to connect to the table.
    #[error("the table can't be reached: {0}")]
    NoConnection(String),
    /// Refusal by the table because of too many requests.
    #[error("the table limits what a player and an address may do")]
    TooFast,
    /// Refusal of a request for another reason, which the string names.
    #[error("the table refused a request: {0}")]
    Refused(String),
    /// End of the connection.
    #[error("the connection ended: {0}")]
    ConnectionLost(String),
    /// No message within [`ANSWER_TIMEOUT`].
    #[error("nothing came for {} seconds", ANSWER_TIMEOUT.as_secs())]
    NoAnswer,
    /// Message that does not belong to the protocol.
    #[error("a message does not belong to the protocol")]
    InvalidMessage,
    /// Evidence that the table does not play fair.
    #[error(transparent)]
    Unfair(#[from] FairnessViolation),
    /// Log or journal of the table that does not match the games played.
    #[error(transparent)]
    Log(#[from] LogViolation),
    /// Results of the same game that contradict each other.
    #[error("the two players of a game received different results")]
    ResultsDiffer,
    /// Missing journal of a finished game.
    #[error("there is no journal of game {0}")]
    NoJournal(u64),
    /// Failure to read the table's log or a journal.
    #[error("the table's log or a journal can't be read: {0}")]
    ReadFailed(String),
    /// Unexpected message from the table.
    #[error("an unexpected message: {0}")]
    Unexpected(String),
}

impl LoadFailure {
    /// Returns true if the table does not play fair: a check of fairness or of the log failed.
    #[must_use]
    pub const fn is_unfair(&self) -> bool {
        matches!(self, Self::Unfair(_) | Self::Log(_) | Self::ResultsDiffer)
    }
}

/// Failure of a player.
#[derive(Debug)]
pub(super) struct PlayerFailure {
    pub(super) failure: LoadFailure,
    /// Messages that show that the table does not play fair.
    pub(super) messages: Vec<String>,
}

impl From<LoadFailure> for PlayerFailure {
    fn from(failure: LoadFailure) -> Self {
        let messages = Vec::new();
        Self { failure, messages }
    }
}
