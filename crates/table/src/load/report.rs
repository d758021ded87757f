use crate::fair::{FairnessViolation, LogViolation, SettledGame};
use crate::room::Player;
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
    /// Number of settled games, each counted twice: once for each of its players.
    pub(super) player_games: u64,
    /// Time until each decision was acknowledged.
    pub(super) latencies: Vec<Duration>,
    /// Number of players who reconnected and found their balance unchanged.
    pub players_compared: u32,
    /// Sum of the balances of the compared players.
    pub(super) balances: i64,
    /// Tokens that the compared players lost to the bank.
    pub(super) lost_to_the_bank: i64,
    /// Tokens that the compared players won from opponents other than load players, such as the
    /// house.
    pub(super) won_from_strangers: i64,
    /// Finished games of all players, which the table's log must contain.
    pub(super) finished: Vec<SettledGame>,
    /// Failures, with the number of occurrences.
    pub failures: BTreeMap<LoadFailure, u64>,
}

impl LoadReport {
    /// Number of settled games.
    #[must_use]
    pub const fn game_count(&self) -> u64 {
        self.player_games / 2
    }

    /// Settled games per second.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "a rate is rounded anyway")]
    pub fn games_per_second(&self) -> f64 {
        self.player_games as f64 / 2.0 / self.playing.as_secs_f64()
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

    /// Returns true if the balances of the compared players add up to their opening balances, less
    /// the tokens lost to the bank and plus those won from opponents other than load players.
    #[must_use]
    pub fn is_balanced(&self) -> bool {
        let opening = i64::from(self.players_compared) * Player::OPENING_BALANCE;
        self.balances == opening - self.lost_to_the_bank + self.won_from_strangers
    }

    /// Returns true if nothing failed and the balances add up.
    #[must_use]
    pub fn is_sound(&self) -> bool {
        self.failures.is_empty() && self.is_balanced()
    }

    /// Returns the value of a task's result, or records the failure and returns `None`.
    pub(super) fn record_if_failed<T>(
        &mut self,
        result: Result<Result<T, LoadFailure>, JoinError>,
    ) -> Option<T> {
        let result = result.unwrap_or_else(|error| Err(LoadFailure::ReadFailed(error.to_string())));
        result.map_err(|failure| self.record_failure(failure)).ok()
    }

    pub(super) fn record_failure(&mut self, failure: LoadFailure) {
        *self.failures.entry(failure).or_default() += 1;
    }
}

/// Maximum time for which a player waits for a message from the table.
pub const ANSWER_TIMEOUT: Duration = Duration::from_secs(60);

/// Failure in a load test.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, thiserror::Error)]
pub enum LoadFailure {
    /// Failure to connect to the table.
    #[error("the table can't be reached")]
    NoConnection,
    /// Refusal by the table because of too many requests from one address.
    #[error("the table limits what one address may do")]
    TooFast,
    /// End of the connection.
    #[error("the connection ended")]
    ConnectionLost,
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
    /// Failure to read the table's log or a journal.
    #[error("the table's log or a journal can't be read: {0}")]
    ReadFailed(String),
    /// Unexpected message from the table.
    #[error("an unexpected message: {0}")]
    Unexpected(String),
}

impl LoadFailure {
    /// Returns true if a check of fairness or of the log failed.
    #[must_use]
    pub const fn is_unfair(&self) -> bool {
        matches!(self, Self::Unfair(_) | Self::Log(_))
    }
}
