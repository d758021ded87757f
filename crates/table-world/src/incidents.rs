//! Injection of faults and incidents, and recovery from them.

use crate::access::TableAccess;
use crate::connection::Shutdown;
use crate::laws::LawResult;
use crate::node::Node;
use crate::options::{Bug, Options};
use crate::room_owner::ONLY_ROOM;
use crate::schedule::WorldTime;
use crate::schedule::{Incident, Rng, WorldEvent};
use crate::store::{Fault, MemoryStore, StoreCall};
use crate::world::World;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use war_table::server::hub::HubCommand;
use war_table::server::rooms::RoomNumber;
use war_table::time::whole_millis;

/// Time after which a shared store ends an idle transaction.
const IDLE_TIMEOUT: Duration = Duration::from_millis(1_500);

/// Makes calls to an unshared store fail at the rates of the options.
pub(crate) fn inject_store_faults(
    store: &MemoryStore,
    options: &Options,
    busy: &Arc<AtomicBool>,
    mut rng: Rng,
) {
    let (errors, commits, lost) = (
        options.store_errors,
        options.commit_errors,
        options.lost_replies,
    );
    let busy = Arc::clone(busy);
    store.inject_faults(move |call| match call {
        StoreCall::Begin if busy.load(Ordering::Relaxed) => Some(Fault::Busy),
        StoreCall::Begin | StoreCall::ReadWrite => rng.draw_bool(errors).then_some(Fault::Error),
        StoreCall::Commit if rng.draw_bool(commits) => Some(Fault::Error),
        StoreCall::Commit => rng.draw_bool(lost).then_some(Fault::LostReply),
        StoreCall::Poll | StoreCall::Take => None,
    });
}

/// Makes a node's calls to a shared store fail, at the rates of the options and while the node is
/// cut off.
pub(crate) fn inject_node_faults(
    node: &Node<'_>,
    options: &Options,
    busy: &Arc<AtomicBool>,
    mut rng: Rng,
) {
    let TableAccess::Shared(member) = &node.access else {
        return;
    };
    let Options {
        store_errors,
        commit_errors,
        lost_replies,
        bug,
        ..
    } = *options;
    let (busy, cut, reloaded) = (busy.clone(), node.is_cut.clone(), member.reloaded.clone());
    let (slow, failed) = (node.has_slow_commit.clone(), node.has_failed.clone());
    let is = |flag: &AtomicBool| flag.load(Ordering::Relaxed);
    member.table.inject_faults(move |call| {
        let fault = match call {
            _ if is(&cut) => Some(Fault::Cut),
            StoreCall::Begin | StoreCall::Take if is(&busy) => Some(Fault::Busy),
            StoreCall::Commit if slow.swap(false, Ordering::Relaxed) => Some(Fault::InDoubt),
            StoreCall::Commit if rng.draw_bool(commit_errors) => Some(Fault::Error),
            StoreCall::Commit | StoreCall::Take if rng.draw_bool(lost_replies) => {
                let late = call == StoreCall::Commit && rng.draw_below(2) == 0;
                Some(if late {
                    Fault::InDoubt
                } else {
                    Fault::LostReply
                })
            }
            StoreCall::Commit => None,
            _ => rng.draw_bool(store_errors).then_some(Fault::Error),
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
    /// Schedules the next incident of a kind.
    pub(crate) fn schedule_incident(&mut self, incident: Incident) {
        if let Some(pause) = incident.draw_pause(&self.options, &mut self.rng) {
            self.queue
                .schedule(self.now + pause, WorldEvent::IncidentStart(incident));
        }
    }

    pub(crate) fn start_incident(&mut self, incident: Incident) -> LawResult {
        if self.is_winding_down {
            return Ok(());
        }
        self.schedule_incident(incident);
        let duration = Incident::draw_duration(&mut self.rng);
        let until = self.now + duration;
        self.add_to_transcript("fails", whole_millis(duration), incident.name());
        *self.incident_counts.entry(incident.name()).or_default() += 1;
        match incident {
            Incident::BusyStore => {
                self.busy.store(true, Ordering::Relaxed);
                self.queue
                    .schedule(until, WorldEvent::IncidentEnd(incident));
            }
            Incident::SlowDisk => self.slow_until = self.slow_until.max(until),
            Incident::Kill(node) => return self.kill_node(node),
            Incident::Stop(node) => return self.stop_node(node, until),
            Incident::Suspend(node) => {
                let from = self.nodes[node].stopped_until.max(self.now);
                self.nodes[node].clocks.suspended += until.saturating_since(from);
                return self.stop_node(node, until);
            }
            Incident::ClockJump(node) => {
                let distance = [500, 5_000, 600_000, 7_200_000];
                let distance = self.rng.pick(&distance).copied().unwrap_or_default();
                let distance = i64::try_from(self.rng.draw_below(distance)).unwrap_or_default();
                let sign = if self.rng.draw_below(2) == 0 { 1 } else { -1 };
                self.nodes[node].clocks.wall_offset += sign * distance;
                let drift = i64::try_from(self.rng.draw_below(400)).unwrap_or_default();
                self.nodes[node].clocks.wall_drift = drift - 200;
            }
            Incident::LinkBreak => {
                if let Some(link) = self.pick_link() {
                    self.break_link(link);
                }
            }
            Incident::LinkSilence => {
                let link = self.pick_link();
                if let Some(link) = link.and_then(|link| self.links.get_mut(&link)) {
                    link.to_owner.delay_until(until);
                    link.to_gateway.delay_until(until);
                }
            }
            Incident::StoreCut(node) => {
                self.nodes[node].is_cut.store(true, Ordering::Relaxed);
                self.queue
                    .schedule(until, WorldEvent::IncidentEnd(incident));
            }
            Incident::Drain(node) if self.is_shared() => return self.drain_node(node),
            Incident::Drain(node) => {
                if self.nodes[node].is_reachable(self.now) {
                    self.laws.matchmaking.is_draining = true;
                    self.enqueue_command((node, ONLY_ROOM), HubCommand::Drain, Duration::ZERO);
                }
            }
        }
        Ok(())
    }

    /// Stops a node, possibly after it has sent a commit and before it reads the reply.
    fn stop_node(&mut self, index: usize, until: WorldTime) -> LawResult {
        if self.is_shared() {
            self.send_commits(index)?;
        }
        let node = &mut self.nodes[index];
        node.stopped_until = node.stopped_until.max(until);
        if let TableAccess::Shared(_) = node.access {
            for (room, server) in &node.servers {
                if server.is_in_transaction() {
                    let idle = WorldEvent::IdleTimeout(index, *room, server.turn);
                    self.queue.schedule(self.now + IDLE_TIMEOUT, idle);
                }
            }
        }
        Ok(())
    }

    /// Sends the commits of some of a node's rooms and leaves the replies unread.
    fn send_commits(&mut self, index: usize) -> LawResult {
        let rooms: Vec<_> = self.nodes[index].servers.keys().copied().collect();
        for room in rooms {
            if self.rng.draw_below(2) == 0 {
                self.send_commit(index, room)?;
            }
        }
        Ok(())
    }

    /// Ends the idle transaction of a node that was stopped during the transaction.
    pub(crate) fn end_idle_transaction(&mut self, index: usize, room: RoomNumber, turn: u64) {
        let node = &self.nodes[index];
        let owns = self.rooms[usize::from(room.0)].owner == Some(index);
        let idle = node
            .server(room)
            .is_some_and(|server| server.turn == turn && server.is_in_transaction());
        if idle && owns && node.stopped_until > self.now {
            self.store.end_idle_transaction(room);
        }
    }

    /// Ends all current faults, and stops the injection of new ones.
    pub(crate) fn clear_all_faults(&mut self) {
        self.store.clear_faults();
        self.busy.store(false, Ordering::Relaxed);
        for node in &self.nodes {
            node.is_cut.store(false, Ordering::Relaxed);
            if let TableAccess::Shared(member) = &node.access {
                member.table.clear_faults();
            }
        }
    }

    /// Kills the server of a node, possibly in the middle of a commit.
    fn kill_node(&mut self, index: usize) -> LawResult {
        if !self.nodes[index].is_running() {
            return Ok(());
        }
        // A commit may take effect although nobody reads its reply.
        self.send_commits(index)?;
        self.end_node(index, Shutdown::Abrupt);
        Ok(())
    }

    pub(crate) fn end_incident(&mut self, incident: Incident) {
        match incident {
            Incident::BusyStore => self.busy.store(false, Ordering::Relaxed),
            Incident::StoreCut(node) => self.nodes[node].is_cut.store(false, Ordering::Relaxed),
            _ => {}
        }
    }
}
