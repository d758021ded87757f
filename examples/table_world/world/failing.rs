//! What fails, and works again.

use super::World;
use super::broken::Lawful;
use super::chance::Chance;
use super::options::Options;
use super::queue::What;
use super::trouble::Trouble;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use war::server::hub::HubCommand;
use war::server::store::{Fault, MemoryStore, StoreCall};

/// Lets the calls of a store fail as often as the options say.
pub(super) fn plan(
    store: &MemoryStore,
    options: &Options,
    busy: &Arc<AtomicBool>,
    mut chance: Chance,
) {
    let (errors, commits, lost) = (
        options.store_errors,
        options.commit_errors,
        options.lost_replies,
    );
    let busy = Arc::clone(busy);
    store.fail(move |call| match call {
        StoreCall::Begin if busy.load(Ordering::Relaxed) => Some(Fault::Busy),
        StoreCall::Begin | StoreCall::Use => chance.happens(errors).then_some(Fault::Error),
        StoreCall::Commit if chance.happens(commits) => Some(Fault::Error),
        StoreCall::Commit => chance.happens(lost).then_some(Fault::LostReply),
    });
}

impl World<'_> {
    /// Plans the next time of a trouble.
    pub(super) fn plan_trouble(&mut self, trouble: Trouble) {
        if let Some(pause) = trouble.pause(&self.options, &mut self.chance) {
            self.queue.plan(self.now + pause, What::Trouble(trouble));
        }
    }

    /// Something fails.
    pub(super) fn trouble(&mut self, trouble: Trouble) -> Lawful {
        if self.calm {
            return Ok(());
        }
        self.plan_trouble(trouble);
        let lasts = Trouble::lasts(&mut self.chance);
        let until = self.now + lasts;
        self.note("fails", lasts, trouble.name());
        *self.failures.entry(trouble.name()).or_default() += 1;
        match trouble {
            Trouble::Busy => {
                self.busy.store(true, Ordering::Relaxed);
                self.queue.plan(until, What::Over(trouble));
            }
            Trouble::Slow => self.slow_until = self.slow_until.max(until),
            Trouble::Kill(node) => return self.kill(node),
            Trouble::Stop(node) => self.stop(node, until),
            Trouble::Suspend(node) => {
                let from = self.nodes[node].stopped_until.max(self.now);
                self.nodes[node].clocks.asleep += until.saturating_sub(from);
                self.stop(node, until);
            }
            Trouble::Jump(node) => {
                let far = [500, 5_000, 600_000, 7_200_000];
                let far = self.chance.one(&far).copied().unwrap_or_default();
                let far = i64::try_from(self.chance.below(far)).unwrap_or_default();
                let sign = if self.chance.below(2) == 0 { 1 } else { -1 };
                self.nodes[node].clocks.off += sign * far;
                let drift = i64::try_from(self.chance.below(400)).unwrap_or_default();
                self.nodes[node].clocks.drift_wall = drift - 200;
            }
            Trouble::Drain(node) => {
                if self.nodes[node].serves(self.now) {
                    self.laws.waiting.drains = true;
                    self.arrives(node, HubCommand::Drain);
                }
            }
        }
        Ok(())
    }

    fn stop(&mut self, node: usize, until: u64) {
        let node = &mut self.nodes[node];
        node.stopped_until = node.stopped_until.max(until);
    }

    /// Kills the server of a node, also in the middle of a commit.
    fn kill(&mut self, index: usize) -> Lawful {
        if self.nodes[index].process.is_none() {
            return Ok(());
        }
        if self.chance.below(2) == 0 {
            // It is committed, or there is nothing to commit, and nobody learns of it.
            let done = self.nodes[index].commit(self.now);
            self.learn(&done.taken)?;
        }
        self.ends(index, true);
        Ok(())
    }

    pub(super) fn trouble_is_over(&mut self, trouble: Trouble) {
        if trouble == Trouble::Busy {
            self.busy.store(false, Ordering::Relaxed);
        }
    }
}
