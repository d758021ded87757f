//! What the world knows of each room: who serves it, and for how long.

use super::World;
use super::broken::{Lawful, law};
use super::laws::When;
use super::node::Node;
use super::process::Taken;
use war_table::server::rooms::RoomNumber;

/// How soon another node serves a room, in milliseconds by the world's clock, where one could.
const TAKEN_WITHIN: u64 = 5_000;
/// How soon a node that was replaced stands back once it could know it: its last commit may
/// be slow, and then it may wait for players.
const LEARNT_WITHIN: u64 = 4_000;
/// How long a player may wait for an answer while nothing fails, who asks again and again.
const ANSWERED_WITHIN: u64 = 60_000;

/// A room as the world sees it.
#[derive(Default)]
pub(crate) struct Served {
    /// Which node took it last.
    pub(crate) owner: Option<usize>,
    /// What a batch is made of that may be committed still.
    pub(crate) in_doubt: Vec<Taken>,
    /// Since when nobody serves it, or something could have kept all from it.
    pub(crate) unserved_since: u64,
    /// When it was taken last.
    pub(crate) taken_at: u64,
    /// Whether it is served, for how long it was, and how often that began.
    pub(crate) is_open: bool,
    pub(crate) for_ms: u64,
    starts: u64,
}

impl World<'_> {
    /// What the world's clocks show, for a room.
    pub(super) fn when(&self, room: RoomNumber) -> When {
        let served = &self.rooms[usize::from(room.0)];
        When {
            now: self.now,
            from: self.now,
            room,
            served: served.for_ms,
            starts: served.starts,
        }
    }

    /// Time passes for the rooms that are served.
    pub(super) fn pass(&mut self, passed: u64) {
        for served in self.rooms.iter_mut().filter(|room| room.is_open) {
            served.for_ms += passed;
        }
    }

    /// Counts anew which rooms are served.
    pub(super) fn watch_rooms(&mut self) {
        let (now, is_busy) = (self.now, self.is_busy());
        for (room, served) in (0..).map(RoomNumber).zip(&mut self.rooms) {
            let owner = served.owner.map(|owner| &self.nodes[owner]);
            let serves = |node: &Node<'_>| {
                let process = node.process(room);
                let works = process.is_some_and(|process| process.stalled_until <= now);
                works && node.stopped_until <= now && node.reaches()
            };
            let is_served = owner.is_some_and(serves) && !is_busy;
            served.starts += u64::from(is_served && !served.is_open);
            served.is_open = is_served;
        }
    }

    /// Where a node could serve a room, one does.
    pub(super) fn watch_nodes(&mut self) -> Lawful {
        let now = self.now;
        let works = !self.is_busy() && self.slow_until <= now;
        let all_served = self.rooms.iter().all(|room| room.is_open);
        let mut is_quiet = works && all_served && self.links_work();
        for room in self.rooms.iter_mut().filter(|room| room.is_open || !works) {
            room.unserved_since = now;
        }
        for (index, node) in self.nodes.iter_mut().enumerate() {
            let stopped = node.stopped_until > now;
            if !works || stopped || !node.runs() || !node.reaches() || node.failed() {
                node.able_since = now;
                is_quiet &= works;
                is_quiet &= !stopped && node.runs() && node.reaches();
            }
            for room in node.processes.keys() {
                let served = &self.rooms[usize::from(room.0)];
                if served.owner == Some(index) {
                    continue;
                }
                let waited = now - node.able_since.max(served.taken_at);
                law(
                    "who was replaced learns it",
                    waited <= LEARNT_WITHIN,
                    || format!("node {index} not for {waited} ms, at {now}"),
                )?;
                node.replaced_until = now;
            }
        }
        if !is_quiet {
            self.quiet_since = now;
        }
        let able = |node: &Node<'_>| node.able_since.max(node.replaced_until);
        let able = self.nodes.iter().map(able).min().unwrap_or(now);
        for (room, served) in self.rooms.iter().enumerate() {
            let waited = now - able.max(served.unserved_since);
            law("somebody takes over", waited <= TAKEN_WITHIN, || {
                format!("nobody takes room {room} for {waited} ms, at {now}")
            })?;
        }
        Ok(())
    }

    /// Who asks is answered, where nothing fails.
    pub(super) fn watch_players(&self) -> Lawful {
        if !self.is_shared() {
            return Ok(());
        }
        for player in &self.players {
            let asked = player
                .asked
                .as_ref()
                .filter(|_| player.away_until < self.now);
            let since = asked.map_or(self.now, |asked| asked.first);
            let since = since.max(player.away_until).max(self.quiet_since);
            let waited = self.now.saturating_sub(since);
            law(
                "every request is answered",
                waited <= ANSWERED_WITHIN,
                || format!("{:?} for {waited} ms, at {}", player.id, self.now),
            )?;
        }
        Ok(())
    }
}
