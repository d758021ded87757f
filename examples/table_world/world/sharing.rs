//! How several nodes share the table: they stand by, take the room, and lose it.

use super::World;
use super::broken::{Lawful, law};
use super::bug::Bug;
use super::node::Node;
use super::post::{Post, SharedPost};
use super::queue::What;
use std::sync::atomic::Ordering;
use war::server::Standby;
use war::server::rooms::LOOK;
use war::server::store::StoreError;

/// How soon another node serves, in milliseconds by the world's clock, where one stands by.
const TAKEN_WITHIN: u64 = 5_000;
/// How soon a node that was replaced stands by again once it could know it: its last commit may
/// be slow, and then it may wait for players.
const LEARNT_WITHIN: u64 = 4_000;

impl World<'_> {
    /// What a node has of a table that it shares.
    pub(super) fn shared(&mut self, index: usize) -> Option<&mut SharedPost> {
        match &mut self.nodes[index].post {
            Post::Shared(post) => Some(post),
            Post::Own(_) => None,
        }
    }

    /// A node that stands by looks around, or takes what it has seen.
    pub(super) fn stand_by(&mut self, index: usize) -> Lawful {
        let takes = self
            .shared(index)
            .is_some_and(|post| post.is_about_to_take());
        let done = if takes {
            self.take(index)?
        } else {
            let (now, node) = (self.now, &mut self.nodes[index]);
            let clocks = &node.clocks;
            match &mut node.post {
                Post::Shared(post) => post.look(clocks, now),
                Post::Own(_) => Ok(()),
            }
        };
        if let Err(error) = done {
            return self.goes_on_after(index, &error);
        }
        if self.nodes[index].process.is_some() {
            return self.rest(index);
        }
        let post = self.shared(index);
        let soon = post.is_some_and(|post| post.is_about_to_take());
        let after = if soon {
            self.commit_takes().min(LOOK)
        } else {
            LOOK
        };
        self.again(index, after);
        Ok(())
    }

    /// Takes the room, if it is still as it was seen.
    fn take(&mut self, index: usize) -> Lawful<Result<(), StoreError>> {
        let (now, node) = (self.now, &mut self.nodes[index]);
        let taken = node.take(now, &mut self.chance);
        if matches!(taken, Ok(true)) {
            self.owner = Some(index);
            self.takeovers += 1;
            self.taken_at = self.now;
            self.laws.begins(self.now);
            self.note("takes", index as u64, "");
            for line in self.lines.values_mut() {
                line.is_stale |= line.node != index;
            }
        }
        // What was under way is done before the room is taken.
        let in_doubt = std::mem::take(&mut self.in_doubt);
        self.learn(&in_doubt)?;
        self.in_doubt = in_doubt;
        Ok(taken.map(drop))
    }

    /// A node looks again after a failure, unless that is for good.
    pub(super) fn goes_on_after(&mut self, index: usize, error: &StoreError) -> Lawful {
        law("no node gives up", Standby::outlasts(error), || {
            format!("node {index}: {error}")
        })?;
        self.again(index, LOOK);
        Ok(())
    }

    /// A node that served has failed.
    pub(super) fn loses(&mut self, index: usize, error: &StoreError) -> Lawful {
        let in_doubt = matches!(error, StoreError::InDoubt(_));
        if in_doubt && self.options.bug == Some(Bug::ReloadInEpoch) {
            return self.reload(index);
        }
        self.closes(index, true);
        self.nodes[index].process = None;
        self.goes_on_after(index, error)
    }

    /// Goes on in the same epoch, as no node may.
    fn reload(&mut self, index: usize) -> Lawful {
        self.closes(index, true);
        if let Some(post) = self.shared(index) {
            post.reloaded.store(true, Ordering::Relaxed);
        }
        let (now, node) = (self.now, &mut self.nodes[index]);
        let loaded = node.reload(now, &mut self.chance);
        let in_doubt = std::mem::take(&mut self.in_doubt);
        self.learn(&in_doubt)?;
        match loaded {
            Ok(()) => self.rest(index),
            Err(error) => self.goes_on_after(index, &error),
        }
    }

    /// A node leaves in order.
    pub(super) fn leaves(&mut self, index: usize) -> Lawful {
        // Where the store fails, others wait until its lease is over.
        let left = self.shared(index).map_or(Ok(()), SharedPost::leave);
        if let Err(error) = left {
            law("no node gives up", Standby::outlasts(&error), || {
                format!("node {index}: {error}")
            })?;
        }
        self.learn(&[])?;
        self.ends(index, false);
        Ok(())
    }

    /// A commit that was under way is done, or is not.
    pub(super) fn lands(&mut self) -> Lawful {
        let done = self.chance.below(2) == 0;
        let in_doubt = std::mem::take(&mut self.in_doubt);
        if self.store.settle(done) {
            self.learn(&in_doubt)?;
        }
        Ok(())
    }

    /// Plans what becomes of a commit that nobody knows of.
    pub(super) fn plan_landing(&mut self) {
        let at = self.now + 1 + self.chance.below(500);
        self.queue.plan(at, What::Lands);
    }

    /// Where a node could serve, one does.
    pub(super) fn watch_nodes(&mut self) -> Lawful {
        let works = !self.is_busy() && self.slow_until <= self.now;
        if self.serving || !works {
            self.unserved_since = self.now;
        }
        let (now, owner) = (self.now, self.owner);
        for (index, node) in self.nodes.iter_mut().enumerate() {
            let stopped = node.stopped_until > now;
            if !works || stopped || !node.runs() || !node.reaches() || node.failed() {
                node.able_since = now;
            }
            let replaced = node.process.is_some() && owner != Some(index);
            if replaced {
                let serves = now - node.able_since.max(self.taken_at);
                law(
                    "who was replaced learns it",
                    serves <= LEARNT_WITHIN,
                    || format!("node {index} not for {serves} ms, at {now}"),
                )?;
                node.replaced_until = now;
            }
        }
        let able = |node: &Node<'_>| node.able_since.max(node.replaced_until);
        let able = self.nodes.iter().map(able).min();
        let since = able.unwrap_or(now).max(self.unserved_since);
        let waited = now - since;
        law("somebody takes over", waited <= TAKEN_WITHIN, || {
            format!("nobody for {waited} ms, at {now}")
        })
    }
}
