use super::{ANSWERS_KEPT, MOST_REQUESTS, MOST_WITHDRAWN};
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
    /// How often a rematch was not wanted any more: each tells somebody twice, who may be gone.
    withdrawn: u32,
}

impl Allowances {
    /// Whether one more request of this player can be kept.
    pub(super) fn has_room(&self, player: PlayerId, now: u64) -> bool {
        let hour = self.0.get(&player).filter(|hour| !hour.is_over(now));
        hour.is_none_or(|hour| hour.requests < MOST_REQUESTS)
    }

    /// Whether this player may want one more rematch.
    pub(super) fn has_wish(&self, player: PlayerId, now: u64) -> bool {
        let hour = self.0.get(&player).filter(|hour| !hour.is_over(now));
        hour.is_none_or(|hour| hour.withdrawn < MOST_WITHDRAWN)
    }

    /// Counts a request that is kept.
    pub(super) fn count(&mut self, player: PlayerId, now: u64) {
        self.hour(player, now).requests += 1;
    }

    /// Counts a rematch that is not wanted any more.
    pub(super) fn withdraw(&mut self, player: PlayerId, now: u64) {
        self.hour(player, now).withdrawn += 1;
    }

    fn hour(&mut self, player: PlayerId, now: u64) -> &mut Hour {
        let new = || Hour {
            since: now,
            requests: 0,
            withdrawn: 0,
        };
        let hour = self.0.entry(player).or_insert_with(new);
        if hour.is_over(now) {
            *hour = new();
        }
        hour
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
