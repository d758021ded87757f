//! What a node does with its connections.

use super::World;
use super::line::Packet;
use super::queue::What;
use war_table::server::client::Action;
use war_table::server::gateway::Errand;

/// The most messages that are read from the store at a time.
const MOST_READ: usize = 100;

impl World<'_> {
    /// Does what the session of a connection decides.
    pub(super) fn do_actions(&mut self, number: u64) {
        while let Some(line) = self.lines.get_mut(&number)
            && let Some(action) = line.session.next_action()
        {
            let node = line.node;
            match action {
                Action::Send(text) | Action::Refuse(_, text) => {
                    self.answer(number, Packet::Text(text.as_ref().to_owned()));
                }
                // Nobody here asks for that.
                Action::People(_) => {}
                Action::Ping => self.answer(number, Packet::Ping),
                Action::Hello(hello) => self.errand(number, Errand::Hello(hello)),
                Action::Request(request) => self.errand(number, Errand::Request(request)),
                Action::Read { .. } if !self.nodes[node].reaches() => self.hang_up(number),
                Action::Read { player, after } => {
                    let mut messages = self.store.messages(player, after);
                    messages.truncate(MOST_READ);
                    line.session.replay(messages);
                }
                // Nobody here looks back.
                Action::Look(look) => line.session.give_up(look.id, self.now),
                Action::CatchUp => {
                    let clock = self.nodes[node].clock(self.now);
                    line.session.catch_up(line.latest, clock);
                }
                Action::End(_) => self.hang_up(number),
            }
        }
    }

    /// The node ends a connection, or learns that it is gone.
    pub(super) fn hang_up(&mut self, number: u64) {
        self.close(number, false);
        let Some(line) = self.lines.get_mut(&number) else {
            return;
        };
        line.is_over = true;
        let is_known = line.is_known;
        if self.is_shared() {
            self.leave(number);
        } else if is_known {
            let visits = self.visits.iter();
            let mut of_line = visits.filter(|(_, visit)| visit.line == number);
            if let Some((&visit, _)) = of_line.next() {
                self.leaves(visit);
            }
        }
        self.forget_line(number);
    }

    /// Wakes the session of a connection.
    pub(super) fn wake(&mut self, number: u64) {
        let Some(line) = self.lines.get_mut(&number) else {
            return;
        };
        if !line.to_node.is_open {
            return;
        }
        let clock = self.nodes[line.node].clock(self.now);
        line.session.wake(clock);
        let next = line.session.next_wake().saturating_sub(clock).max(1);
        self.queue.plan(self.now + next, What::Wake(number));
        self.read(number);
    }

    /// The server of a node ends: in order where it is drained, or as it failed or was killed.
    pub(super) fn ends(&mut self, index: usize, lost: bool) {
        let rooms: Vec<_> = self.nodes[index].processes.keys().copied().collect();
        for room in rooms {
            self.closes_room(index, room);
        }
        self.nodes[index].ends();
        self.ends_links(index);
        self.closes(index, lost);
        let after = match self.chance.below(10) {
            0 => self.chance.between(5_000, 90_000),
            _ => self.chance.between(100, 3_000),
        };
        self.queue.plan(self.now + after, What::Start(index));
    }

    /// All connections of a node end.
    fn closes(&mut self, index: usize, lost: bool) {
        self.note("ends", lost.into(), "");
        let lines = self.lines.iter();
        let lines = lines.filter(|(_, line)| line.node == index);
        let lines: Vec<_> = lines.map(|(number, _)| *number).collect();
        for number in lines {
            let lost = lost && self.chance.below(2) == 0;
            if let Some(line) = self.lines.get_mut(&number) {
                (line.is_known, line.is_over, line.visit) = (false, true, None);
                line.unread.clear();
            }
            self.close(number, lost);
        }
    }
}
