use super::{ANSWERS_KEPT, MOST_REQUESTS};
use crate::room::PlayerId;
use std::collections::BTreeMap;

/// How many requests of each player are kept, so that their memory is bounded.
#[derive(Debug, Default)]
pub(super) struct Allowances(BTreeMap<PlayerId, Hour>);

/// The requests of a player in an hour.
#[derive(Debug)]
struct Hour {
    since: u64,
    requests: u32,
}

impl Allowances {
    /// Whether one more request of this player can be kept.
    pub(super) fn has_room(&self, player: PlayerId, now: u64) -> bool {
        let hour = self.0.get(&player).filter(|hour| !hour.is_over(now));
        hour.is_none_or(|hour| hour.requests < MOST_REQUESTS)
    }

    /// Counts a request that is kept.
    pub(super) fn count(&mut self, player: PlayerId, now: u64) {
        let new = || Hour {
            since: now,
            requests: 0,
        };
        let hour = self.0.entry(player).or_insert_with(new);
        if hour.is_over(now) {
            *hour = new();
        }
        hour.requests += 1;
    }

    /// Forgets the hours that are over.
    pub(super) fn sweep(&mut self, now: u64) {
        self.0.retain(|_, hour| !hour.is_over(now));
    }
}

impl Hour {
    const fn is_over(&self, now: u64) -> bool {
        self.since.saturating_add(ANSWERS_KEPT) <= now
    }
}
