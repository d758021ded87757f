//! Stored answers, so that a repeated request gets the same answer.

use super::{ClientId, UnitOfWork};
use crate::protocol::{PlayerId, Refusal, Request, RequestId};
use crate::server::store::{Answer, AnswerRecord, StoreError, SweepPosition};
use crate::time::TableTime;
use std::collections::BTreeMap;
use std::time::Duration;

/// Minimum time for which an answer is stored.
pub const ANSWER_RETENTION: Duration = Duration::from_secs(60 * 60);
/// Time between two sweeps of old answers.
pub const SWEEP_INTERVAL: Duration = Duration::from_secs(1);
/// Maximum number of answers to one player that are kept per hour, one for each `id`.
pub const MAX_REQUESTS_PER_HOUR: u32 = 1_000;
/// Maximum number of rematches that a player may ask for and withdraw in an hour.
pub const MAX_WITHDRAWN_REMATCHES_PER_HOUR: u32 = 20;

/// Quota, sweep schedule and deferred requests of the stored answers.
pub(super) struct AnswerTracker {
    pub(super) quota: RequestQuota,
    /// Time of the next sweep.
    pub(super) next_sweep: TableTime,
    /// Position in the store at which the next sweep continues.
    position: Option<SweepPosition>,
    pub(super) deferred: Vec<DeferredRequest>,
}

/// A request that came after its deadline, to be answered once the timeout has been applied.
///
/// If the request were refused at once, the refusal would be kept under the request's `id`, and
/// would also answer a copy of the request that was sent in time and is still on its way.
pub(super) struct DeferredRequest {
    pub(super) client: ClientId,
    pub(super) request: Request,
    pub(super) refusal: Refusal,
    /// Time of arrival.
    pub(super) arrived: TableTime,
}

impl AnswerTracker {
    pub(super) fn new(now: TableTime) -> Self {
        Self {
            quota: RequestQuota::default(),
            next_sweep: now.saturating_add(SWEEP_INTERVAL),
            position: None,
            deferred: Vec::new(),
        }
    }

    /// Keeps the answer to a request.
    pub(super) fn save(
        &mut self,
        player: PlayerId,
        request: &RequestId,
        answer: Answer,
        unit: &mut UnitOfWork<'_>,
    ) -> Result<(), StoreError> {
        let at = unit.now();
        self.quota.count(player, at);
        unit.transaction_mut().save_answer(&AnswerRecord {
            player,
            request,
            answer,
            at,
        })
    }

    /// Forgets answers that are too old, if a sweep is due.
    pub(super) fn sweep(&mut self, unit: &mut UnitOfWork<'_>) -> Result<(), StoreError> {
        let now = unit.now();
        if self.next_sweep <= now {
            let before = now.saturating_sub(ANSWER_RETENTION);
            self.position = unit
                .transaction_mut()
                .prune_answers(before, self.position)?;
            self.next_sweep = now.saturating_add(SWEEP_INTERVAL);
            self.quota.sweep(now);
        }
        Ok(())
    }
}

/// Limit on the answers kept for each player, so that memory is bounded.
#[derive(Debug, Default)]
pub(super) struct RequestQuota(BTreeMap<PlayerId, HourlyCount>);

/// Counts of the requests of a player in an hour.
#[derive(Debug)]
struct HourlyCount {
    since: TableTime,
    requests: u32,
    /// Number of rematches withdrawn. Each rematch sends two messages to somebody who may be
    /// absent.
    withdrawn: u32,
}

impl RequestQuota {
    /// Returns whether one more answer to this player may be kept.
    pub(super) fn has_request_left(&self, player: PlayerId, now: TableTime) -> bool {
        let hour = self.0.get(&player).filter(|hour| !hour.is_over(now));
        hour.is_none_or(|hour| hour.requests < MAX_REQUESTS_PER_HOUR)
    }

    /// Returns whether this player may ask for one more rematch.
    pub(super) fn has_rematch_left(&self, player: PlayerId, now: TableTime) -> bool {
        let hour = self.0.get(&player).filter(|hour| !hour.is_over(now));
        hour.is_none_or(|hour| hour.withdrawn < MAX_WITHDRAWN_REMATCHES_PER_HOUR)
    }

    fn count(&mut self, player: PlayerId, now: TableTime) {
        self.hour(player, now).requests += 1;
    }

    /// Counts a rematch that was withdrawn.
    pub(super) fn count_withdrawn_rematch(&mut self, player: PlayerId, now: TableTime) {
        self.hour(player, now).withdrawn += 1;
    }

    fn hour(&mut self, player: PlayerId, now: TableTime) -> &mut HourlyCount {
        let new = || HourlyCount {
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

    /// Forgets the counts of hours that are over.
    fn sweep(&mut self, now: TableTime) {
        self.0.retain(|_, hour| !hour.is_over(now));
    }
}

impl HourlyCount {
    fn is_over(&self, now: TableTime) -> bool {
        self.since.saturating_add(ANSWER_RETENTION) <= now
    }
}
