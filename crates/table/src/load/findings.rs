use crate::fair::{Finished, Unfair, Unlogged};
use crate::room::Player;
use std::collections::BTreeMap;
use std::time::Duration;
use tokio::task::JoinError;

/// What all players together saw.
#[derive(Debug, Default)]
pub struct Findings {
    /// Connections that were opened.
    pub connected: u64,
    /// How long they played.
    pub playing: Duration,
    /// Sides of settled games: two for each.
    pub(super) sides: u64,
    /// How long each decision took to be acknowledged.
    pub(super) latencies: Vec<Duration>,
    /// Players who came back and found what they had.
    pub compared: u32,
    /// The tokens of these players.
    pub(super) balances: i64,
    /// What the bank took from them.
    pub(super) lost_to_the_bank: i64,
    /// What they won from others, such as the house.
    pub(super) won_from_strangers: i64,
    /// The games of all players, to be looked for in the table's log.
    pub(super) finished: Vec<Finished>,
    /// What went wrong, and how often.
    pub troubles: BTreeMap<Trouble, u64>,
}

impl Findings {
    /// Games that were settled.
    #[must_use]
    pub const fn games(&self) -> u64 {
        self.sides / 2
    }

    /// Games that were settled in a second.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "a rate is rounded anyway")]
    pub fn games_a_second(&self) -> f64 {
        self.sides as f64 / 2.0 / self.playing.as_secs_f64()
    }

    /// How many decisions were acknowledged.
    #[must_use]
    pub const fn decisions(&self) -> usize {
        self.latencies.len()
    }

    /// How long the decisions took that are this many hundredths from the fastest.
    #[must_use]
    pub fn latencies<const N: usize>(&self, hundredths: [usize; N]) -> [Duration; N] {
        let mut latencies = self.latencies.clone();
        latencies.sort_unstable();
        let last = latencies.len().saturating_sub(1);
        hundredths.map(|hundredths| {
            let index = (latencies.len() * hundredths / 100).min(last);
            latencies.get(index).copied().unwrap_or_default()
        })
    }

    /// Whether the tokens of all players are what they came with, but for what the bank took
    /// and what was won from others.
    #[must_use]
    pub fn adds_up(&self) -> bool {
        let opening = i64::from(self.compared) * Player::OPENING_BALANCE;
        self.balances == opening - self.lost_to_the_bank + self.won_from_strangers
    }

    /// Whether nothing went wrong.
    #[must_use]
    pub fn is_sound(&self) -> bool {
        self.troubles.is_empty() && self.adds_up()
    }

    /// What was found, unless it is trouble.
    pub(super) fn keep<T>(&mut self, found: Result<Result<T, Trouble>, JoinError>) -> Option<T> {
        let found = found.unwrap_or_else(|error| Err(Trouble::Unread(error.to_string())));
        found.map_err(|trouble| self.trouble(trouble)).ok()
    }

    pub(super) fn trouble(&mut self, trouble: Trouble) {
        *self.troubles.entry(trouble).or_default() += 1;
    }
}

/// How long an answer may take.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// What went wrong for a player.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, thiserror::Error)]
pub enum Trouble {
    /// The table can't be reached.
    #[error("the table can't be reached")]
    NoConnection,
    /// The table lets one address do no more.
    #[error("the table limits what one address may do")]
    TooFast,
    /// The connection ended.
    #[error("the connection ended")]
    Lost,
    /// Nothing came in time.
    #[error("nothing came for {} seconds", PATIENCE.as_secs())]
    NoAnswer,
    /// A message does not belong to the protocol.
    #[error("a message does not belong to the protocol")]
    NoMessage,
    /// The table does not play fair.
    #[error(transparent)]
    Unfair(#[from] Unfair),
    /// The table's log does not have what it must, or a journal is another one.
    #[error(transparent)]
    Unlogged(#[from] Unlogged),
    /// The table's log or a journal can't be read.
    #[error("the table's log or a journal can't be read: {0}")]
    Unread(String),
    /// A message that nothing called for.
    #[error("an unexpected message: {0}")]
    Unexpected(String),
}

impl Trouble {
    /// Whether the table can't be trusted, rather than reached.
    #[must_use]
    pub const fn is_unfair(&self) -> bool {
        matches!(self, Self::Unfair(_) | Self::Unlogged(_))
    }
}
