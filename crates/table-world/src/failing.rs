//! What fails, and works again.

use crate::laws::Lawful;
use crate::node::Node;
use crate::options::{Bug, Options};
use crate::post::Post;
use crate::schedule::{Chance, Trouble, What};
use crate::serving::ONLY;
use crate::store::{Fault, MemoryStore, StoreCall};
use crate::world::World;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use war_table::server::hub::HubCommand;
use war_table::server::rooms::RoomNumber;

/// How long the store lets a transaction of several nodes be open in which nothing happens.
const IDLE: u64 = 1_500;

/// Lets the calls of a store fail as often as the options say.
pub(crate) fn plan(
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
        StoreCall::Look | StoreCall::Take => None,
    });
}

/// Lets the calls of a node of several fail, which may not reach the store.
pub(crate) fn plan_of(
    node: &Node<'_>,
    options: &Options,
    busy: &Arc<AtomicBool>,
    mut chance: Chance,
) {
    let Post::Shared(post) = &node.post else {
        return;
    };
    let Options {
        store_errors,
        commit_errors,
        lost_replies,
        bug,
        ..
    } = *options;
    let (busy, cut, reloaded) = (busy.clone(), node.cut.clone(), post.reloaded.clone());
    let (slow, failed) = (node.slow.clone(), node.failed.clone());
    let is = |flag: &AtomicBool| flag.load(Ordering::Relaxed);
    post.table.fail(move |call| {
        let fault = match call {
            _ if is(&cut) => Some(Fault::Cut),
            StoreCall::Begin | StoreCall::Take if is(&busy) => Some(Fault::Busy),
            StoreCall::Commit if slow.swap(false, Ordering::Relaxed) => Some(Fault::Late),
            StoreCall::Commit if chance.happens(commit_errors) => Some(Fault::Error),
            StoreCall::Commit | StoreCall::Take if chance.happens(lost_replies) => {
                let late = call == StoreCall::Commit && chance.below(2) == 0;
                Some(if late { Fault::Late } else { Fault::LostReply })
            }
            StoreCall::Commit => None,
            _ => chance.happens(store_errors).then_some(Fault::Error),
        };
        failed.fetch_or(fault.is_some(), Ordering::Relaxed);
        fault.or_else(|| match (call, bug) {
            (StoreCall::Begin, Some(Bug::FenceLeftOut)) => Some(Fault::Unfenced),
            (StoreCall::Begin, _) if is(&reloaded) => Some(Fault::Reread),
            (StoreCall::Begin, Some(Bug::FencesLeftOut))
            | (StoreCall::Take, Some(Bug::TakeBlind)) => Some(Fault::Blind),
            _ => None,
        })
    });
}

impl World<'_> {
    /// Plans the next time of a trouble.
    pub(crate) fn plan_trouble(&mut self, trouble: Trouble) {
        if let Some(pause) = trouble.pause(&self.options, &mut self.chance) {
            self.queue.plan(self.now + pause, What::Trouble(trouble));
        }
    }

    /// Something fails.
    pub(crate) fn trouble(&mut self, trouble: Trouble) -> Lawful {
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
            Trouble::Stop(node) => return self.stop(node, until),
            Trouble::Suspend(node) => {
                let from = self.nodes[node].stopped_until.max(self.now);
                self.nodes[node].clocks.asleep += until.saturating_sub(from);
                return self.stop(node, until);
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
            Trouble::Break => {
                if let Some(link) = self.any_link() {
                    self.breaks(link);
                }
            }
            Trouble::Silence => {
                let link = self.any_link();
                if let Some(link) = link.and_then(|link| self.links.get_mut(&link)) {
                    link.calls.is_silent(until);
                    link.replies.is_silent(until);
                }
            }
            Trouble::Cut(node) => {
                self.nodes[node].cut.store(true, Ordering::Relaxed);
                self.queue.plan(until, What::Over(trouble));
            }
            Trouble::Drain(node) if self.is_shared() => return self.drain(node),
            Trouble::Drain(node) => {
                if self.nodes[node].serves(self.now) {
                    self.laws.waiting.drains = true;
                    self.arrives((node, ONLY), HubCommand::Drain, 0);
                }
            }
        }
        Ok(())
    }

    /// Stops a node, which may have sent its commit and not read the answer.
    fn stop(&mut self, index: usize, until: u64) -> Lawful {
        if self.is_shared() {
            self.send_commits(index)?;
        }
        let node = &mut self.nodes[index];
        node.stopped_until = node.stopped_until.max(until);
        if let Post::Shared(_) = node.post {
            for (room, process) in &node.processes {
                if process.is_in_transaction() {
                    let idle = What::Idle(index, *room, process.turn);
                    self.queue.plan(self.now + IDLE, idle);
                }
            }
        }
        Ok(())
    }

    /// A node may have sent the commits of its rooms, whose answers it does not read now.
    fn send_commits(&mut self, index: usize) -> Lawful {
        let rooms: Vec<_> = self.nodes[index].processes.keys().copied().collect();
        for room in rooms {
            if self.chance.below(2) == 0 {
                self.send_commit(index, room)?;
            }
        }
        Ok(())
    }

    /// The store ends the transaction of a node that has been stopped in it for a while.
    pub(crate) fn is_idle(&mut self, index: usize, room: RoomNumber, turn: u64) {
        let node = &self.nodes[index];
        let owns = self.rooms[usize::from(room.0)].owner == Some(index);
        let idle = node
            .process(room)
            .is_some_and(|process| process.turn == turn && process.is_in_transaction());
        if idle && owns && node.stopped_until > self.now {
            self.store.end_idle(room);
        }
    }

    /// Lets nothing fail any more.
    pub(crate) fn recover(&mut self) {
        self.store.recover();
        self.busy.store(false, Ordering::Relaxed);
        for node in &self.nodes {
            node.cut.store(false, Ordering::Relaxed);
            if let Post::Shared(post) = &node.post {
                post.table.recover();
            }
        }
    }

    /// Kills the server of a node, also in the middle of a commit.
    fn kill(&mut self, index: usize) -> Lawful {
        if !self.nodes[index].runs() {
            return Ok(());
        }
        // It is committed, or there is nothing to commit, and nobody learns of it.
        self.send_commits(index)?;
        self.ends(index, true);
        Ok(())
    }

    pub(crate) fn trouble_is_over(&mut self, trouble: Trouble) {
        match trouble {
            Trouble::Busy => self.busy.store(false, Ordering::Relaxed),
            Trouble::Cut(node) => self.nodes[node].cut.store(false, Ordering::Relaxed),
            _ => {}
        }
    }
}
