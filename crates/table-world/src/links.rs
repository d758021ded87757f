//! The links between nodes: frames arrive in order, later, or are lost with their link.

use super::World;
use super::link::{Call, Link, Reply};
use super::queue::What;
use super::visit::Visit;

/// How long most frames take to another node, in milliseconds.
const SOON: u64 = 8;

impl World<'_> {
    /// The link from a node to the owner of rooms, which may be the node itself; none where
    /// nobody answers there.
    pub(super) fn link(&mut self, gateway: usize, owner: usize) -> Option<u64> {
        let ends = (gateway, owner);
        if let Some(link) = self.link_of.get(&ends) {
            return Some(*link);
        }
        if !self.nodes[owner].runs() {
            return None;
        }
        self.next_link += 1;
        let number = self.next_link;
        self.links.insert(number, Link::new(gateway, owner));
        self.link_of.insert(ends, number);
        Some(number)
    }

    /// How long a frame takes.
    fn takes(&mut self, is_local: bool) -> u64 {
        if is_local {
            self.chance.below(2)
        } else {
            1 + self.chance.below(SOON)
        }
    }

    /// Sends something of a visit to the owner of its room.
    pub(super) fn call(&mut self, number: u64, visit: u64, call: Call) {
        let is_local = self
            .links
            .get(&number)
            .is_none_or(|link| link.gateway == link.owner);
        let soon = self.now + self.takes(is_local);
        if let Some(link) = self.links.get_mut(&number).filter(|link| link.is_open) {
            let at = link.calls.put(visit, call, soon);
            self.queue.plan(at, What::AtOwner(number));
        }
    }

    /// Sends something of a visit back.
    pub(super) fn reply(&mut self, number: u64, visit: &Visit, reply: Reply) {
        let Some(link) = visit.link else {
            return;
        };
        let is_local = self
            .links
            .get(&link)
            .is_none_or(|link| link.gateway == link.owner);
        let soon = self.now + self.takes(is_local);
        if let Some(open) = self.links.get_mut(&link).filter(|link| link.is_open) {
            let at = open.replies.put(number, reply, soon);
            self.queue.plan(at, What::AtGateway(link));
        }
    }

    /// The next frame of a link is at the owner of rooms.
    pub(super) fn at_owner(&mut self, number: u64) {
        let Some(link) = self.links.get_mut(&number).filter(|link| link.is_open) else {
            return;
        };
        match link.calls.next() {
            Some((visit, Call::Enter(visitor))) => self.enters(visit, visitor),
            Some((visit, Call::Ask(errand, age))) => self.asks(visit, errand, age),
            Some((visit, Call::Leave)) => self.leaves(visit),
            None => {}
        }
    }

    /// The next frame of a link is at the node that forwards.
    pub(super) fn at_gateway(&mut self, number: u64) {
        let Some(link) = self.links.get_mut(&number).filter(|link| link.is_open) else {
            return;
        };
        let Some((visit, reply)) = link.replies.next() else {
            return;
        };
        let (Reply::Says(to, _) | Reply::Gone(to)) = reply;
        let current = self.lines.get(&to).and_then(|line| line.visit);
        if current != Some((visit, number)) {
            return;
        }
        match reply {
            Reply::Says(_, outbound) => self.hears(to, outbound),
            Reply::Gone(_) => {
                self.lost(to);
                self.go_on(to);
            }
        }
    }

    /// A link breaks: what is on it is lost, and both ends learn it later.
    pub(super) fn breaks(&mut self, number: u64) {
        let Some(link) = self.links.get_mut(&number) else {
            return;
        };
        if !std::mem::replace(&mut link.is_open, false) {
            return;
        }
        let owner = self.now + self.chance.below(8_000);
        let gateway = self.now + self.chance.below(3_000);
        self.queue.plan(owner, What::GoneAtOwner(number));
        self.queue.plan(gateway, What::GoneAtGateway(number));
    }

    /// A node ends, and all its links with it.
    pub(super) fn ends_links(&mut self, index: usize) {
        let links = self.links.iter();
        let of_node = links.filter(|(_, link)| link.gateway == index || link.owner == index);
        let of_node: Vec<_> = of_node.map(|(number, _)| *number).collect();
        for number in of_node {
            self.breaks(number);
        }
        let local = (index, index);
        self.link_of.remove(&local);
        self.link_of.retain(|(gateway, _), _| *gateway != index);
    }

    /// The owner of rooms learns that a link is gone.
    pub(super) fn gone_at_owner(&mut self, number: u64) {
        let visits = self.visits.iter();
        let over_it = visits.filter(|(_, visit)| visit.link == Some(number));
        let over_it: Vec<_> = over_it.map(|(visit, _)| *visit).collect();
        for visit in over_it {
            self.leaves(visit);
        }
        self.forget_link(number, true);
    }

    /// The node that forwards learns that a link is gone: all visits over it are lost.
    pub(super) fn gone_at_gateway(&mut self, number: u64) {
        self.link_of.retain(|_, link| *link != number);
        let lines = self.lines.iter();
        let over_it = lines.filter(|(_, line)| !line.is_over);
        let over_it =
            over_it.filter(|(_, line)| line.visit.is_some_and(|(_, link)| link == number));
        let over_it: Vec<_> = over_it.map(|(line, _)| *line).collect();
        for line in over_it {
            self.lost(line);
            self.go_on(line);
        }
        self.forget_link(number, false);
    }

    /// Forgets a link of which both ends know that it is gone.
    fn forget_link(&mut self, number: u64, owner: bool) {
        if let Some(link) = self.links.get_mut(&number) {
            link.known[usize::from(owner)] = true;
            if link.known == [true; 2] {
                self.links.remove(&number);
            }
        }
    }

    /// Something happens to one of the links between nodes.
    pub(super) fn any_link(&mut self) -> Option<u64> {
        let links = self.links.iter();
        let open = links.filter(|(_, link)| link.is_open && link.gateway != link.owner);
        let open: Vec<_> = open.map(|(number, _)| *number).collect();
        self.chance.one(&open).copied()
    }

    /// Whether every link between nodes works.
    pub(super) fn links_work(&self) -> bool {
        self.links.values().all(|link| {
            let silent = link.calls.last().max(link.replies.last());
            link.is_open && silent <= self.now + 100
        })
    }
}
