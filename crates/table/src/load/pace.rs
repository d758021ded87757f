#![expect(clippy::disallowed_methods, reason = "the load is played in real time")]

use crate::protocol::TableLimits;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Longest pause whose unused sends may be caught up in a burst. The table allows bursts of two
/// seconds, so that messages which the network delays still fit.
const BURST: Duration = Duration::from_secs(1);

/// Spreads sends over time, as the generic cell rate algorithm does.
#[derive(Debug)]
pub(super) struct Pacer {
    /// Time between two sends.
    interval: Duration,
    /// Earliest time of the next send.
    next: Mutex<Instant>,
}

impl Pacer {
    /// Creates a pacer for this many sends a second, the first of which may be at `now`.
    pub(super) fn new(per_second: u32, now: Instant) -> Self {
        Self {
            interval: Duration::from_secs(1) / per_second.max(1),
            next: Mutex::new(now),
        }
    }

    /// Reserves the next send, and returns the time from `now` until then.
    pub(super) fn reserve(&self, now: Instant) -> Duration {
        // A time is consistent even after a panic.
        let mut next = self.next.lock().unwrap_or_else(PoisonError::into_inner);
        let at = now
            .checked_sub(BURST)
            .map_or(*next, |earliest| earliest.max(*next));
        *next = at + self.interval;
        at.saturating_duration_since(now)
    }
}

/// Number of requests that a game may need: one to choose it, one for the seed, one for each
/// decision, and one to cancel. A tie among eight pairs of hands in a row is too rare to matter.
const REQUESTS_PER_GAME: u32 = 11;

/// Keeps a player within the limits of the table.
#[derive(Debug, Default)]
pub(super) struct PlayerPace {
    /// Pacers of the connection and of the address; none if the limits are unknown.
    pacers: Vec<Arc<Pacer>>,
    /// Remaining requests of this hour; `None` if the limit is unknown.
    requests_left: Option<u32>,
    /// Time spent waiting for the limits.
    pub(super) waited: Duration,
}

impl PlayerPace {
    /// Keeps to these limits, of which the address's is shared by all players.
    pub(super) fn new(limits: &TableLimits, address: &Arc<Pacer>) -> Self {
        let connection = Arc::new(Pacer::new(limits.messages_per_second, Instant::now()));
        Self {
            pacers: vec![connection, Arc::clone(address)],
            requests_left: Some(limits.requests_per_hour),
            waited: Duration::ZERO,
        }
    }

    /// Waits until one more message may be sent.
    pub(super) async fn wait(&mut self) {
        let now = Instant::now();
        let waits = self.pacers.iter().map(|pacer| pacer.reserve(now));
        let wait = waits.max().unwrap_or_default();
        tokio::time::sleep(wait).await;
        self.waited += wait;
    }

    /// Counts a request that the table keeps.
    pub(super) fn count_request(&mut self) {
        self.requests_left = self.requests_left.map(|left| left.saturating_sub(1));
    }

    /// Returns true if the requests left are enough for one more game.
    pub(super) fn has_game_left(&self) -> bool {
        self.requests_left
            .is_none_or(|left| left >= REQUESTS_PER_GAME)
    }
}

#[cfg(test)]
mod tests {
    use super::{Pacer, PlayerPace};
    use crate::protocol::TableLimits;
    use std::sync::Arc;
    use std::time::{Duration, Instant};

    #[test]
    fn a_second_s_worth_is_sent_at_once_at_most() {
        let start = Instant::now();
        let pacer = Pacer::new(2, start);
        let waits_at =
            |seconds| [(); 4].map(|()| pacer.reserve(start + Duration::from_secs(seconds)));
        // Nothing was sent before, so nothing is caught up.
        assert_eq!(
            waits_at(0),
            [0, 500, 1_000, 1_500].map(Duration::from_millis)
        );
        // The next send was due after 2 seconds; the sends of one second are caught up.
        assert_eq!(waits_at(60), [0, 0, 0, 500].map(Duration::from_millis));
    }

    #[test]
    fn players_share_the_limit_of_their_address() {
        let limits = TableLimits {
            messages_per_second: 1_000_000,
            address_requests_per_second: 1,
            new_players_per_minute: 1,
            requests_per_hour: 22,
            connections_per_address: None,
        };
        let start = Instant::now();
        let address = Arc::new(Pacer::new(limits.address_requests_per_second, start));
        let mut players = [(); 2].map(|()| PlayerPace::new(&limits, &address));
        let waits = players
            .each_ref()
            .map(|player| player.pacers[1].reserve(start));
        assert_eq!(waits, [0, 1].map(Duration::from_secs));
        let games = (0..22).filter(|_| {
            players[0].count_request();
            players[0].has_game_left()
        });
        assert_eq!(games.count(), 11);
    }
}
