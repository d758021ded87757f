//! What a node does with its connections: what their sessions decide, and, where nodes share the
//! table, how requests go to the rooms that do them.

use crate::connection::{Call, Packet, Visit};
use crate::laws::law;
use crate::options::Bug;
use crate::post::{Post, address};
use crate::schedule::What;
use crate::world::World;
use std::collections::BTreeMap;
use war_table::protocol::{PlayerId, Request, RequestId};
use war_table::room::Standing;
use war_table::server::client::Action;
use war_table::server::hub::Outbound;
use war_table::server::rooms::RoomNumber;
use war_table_cluster::PlayerLocation;
use war_table_cluster::gateway::{REQUEST_TIMEOUT, Step};

/// The most messages that are read from the store at a time.
const MOST_READ: usize = 100;
/// How long a table that nothing keeps from it takes at most until it does what is asked, in
/// milliseconds: what failed before is over then, too.
const AVAILABLE_WITHIN: u64 = REQUEST_TIMEOUT + 6_000;

impl World<'_> {
    /// Does what the session of a connection decides.
    pub(crate) fn do_actions(&mut self, number: u64) {
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
                Action::Request(request) => self.request(number, request),
                Action::Read { .. } if !self.nodes[node].reaches() => self.hang_up(number),
                Action::Read { player, after } => {
                    let mut messages = self.store.messages(player, after);
                    messages.truncate(MOST_READ);
                    line.session.replay(messages);
                }
                // Nobody here looks back.
                Action::Query(query) => line.session.give_up(query.id, self.now),
                Action::CatchUp => {
                    let clock = self.nodes[node].clock(self.now);
                    line.session.catch_up(line.latest, clock);
                }
                Action::End(_) => self.hang_up(number),
            }
        }
    }

    /// The node ends a connection, or learns that it is gone.
    pub(crate) fn hang_up(&mut self, number: u64) {
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
    pub(crate) fn wake(&mut self, number: u64) {
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
    pub(crate) fn ends(&mut self, index: usize, lost: bool) {
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

    /// A client asks for something.
    pub(crate) fn request(&mut self, number: u64, request: Request) {
        if !self.is_shared() {
            return self.ask_own(number, request);
        }
        let Some(line) = self.lines.get_mut(&number) else {
            return;
        };
        let clock = self.nodes[line.node].clock(self.now);
        line.route.enqueue(request, clock);
        self.go_on(number);
    }

    /// Asks the hub of a table that one node has to itself.
    fn ask_own(&mut self, number: u64, request: Request) {
        let Some(line) = self.lines.get_mut(&number) else {
            return;
        };
        if !std::mem::replace(&mut line.is_known, true) {
            let visit = Visit {
                line: number,
                visitor: line.player,
                node: line.node,
                room: RoomNumber(0),
                link: None,
                player: None,
                is_here: false,
            };
            self.enters(number, visit);
        }
        self.asks(number, request, 0);
    }

    /// Does what the way of a connection's requests decides.
    pub(crate) fn go_on(&mut self, number: u64) {
        while let Some(line) = self.lines.get_mut(&number).filter(|line| !line.is_over)
            && let Some(step) = line.route.next_step()
        {
            match step {
                Step::Enter { room, player } => self.enter(number, room, player),
                Step::Leave => self.leave(number),
                Step::Send { request, arrived } => {
                    let clock = self.nodes[line.node].clock(self.now);
                    let age = clock.saturating_sub(arrived);
                    if let Some((visit, link)) = line.visit {
                        self.call(link, visit, Call::Ask(request, age));
                    }
                }
                Step::Deliver(outbound) => self.hand(number, outbound),
                Step::Unavailable(id) => self.is_unavailable(number, id),
            }
        }
        self.plan_route(number);
    }

    /// Plans when the way of a connection's requests goes on by itself.
    fn plan_route(&mut self, number: u64) {
        let Some(line) = self.lines.get_mut(&number).filter(|line| !line.is_over) else {
            return;
        };
        let Some(wake) = line.route.next_wake() else {
            return;
        };
        let clock = self.nodes[line.node].clock(self.now);
        let at = self.now + wake.saturating_sub(clock).max(1);
        if line.route_wakes.is_none_or(|planned| at < planned) {
            line.route_wakes = Some(at);
            self.queue.plan(at, What::Route(number));
        }
    }

    /// The way of a connection's requests is woken.
    pub(crate) fn wake_route(&mut self, number: u64) {
        let Some(line) = self.lines.get_mut(&number).filter(|line| !line.is_over) else {
            return;
        };
        if line.route_wakes.is_some_and(|planned| planned > self.now) {
            return;
        }
        line.route_wakes = None;
        let clock = self.nodes[line.node].clock(self.now);
        line.route.wake(clock);
        self.go_on(number);
        self.read(number);
    }

    /// A client enters a room, wherever its owner is.
    fn enter(&mut self, number: u64, room: RoomNumber, player: Option<PlayerId>) {
        self.leave(number);
        let Some(line) = self.lines.get(&number) else {
            return;
        };
        let (gateway, visitor) = (line.node, line.player);
        let owner = self.owner_of(gateway, room);
        let way = owner.and_then(|owner| Some((owner, self.link(gateway, owner)?)));
        let Some((owner, way)) = way else {
            return self.lost(number);
        };
        self.next_visit += 1;
        let visit = self.next_visit;
        if let Some(line) = self.lines.get_mut(&number) {
            line.visit = Some((visit, way));
        }
        let visitor = Visit {
            line: number,
            visitor,
            node: owner,
            room,
            link: Some(way),
            player,
            is_here: false,
        };
        self.call(way, visit, Call::Enter(visitor));
    }

    /// Which node owns a room, as far as this one knows.
    fn owner_of(&self, gateway: usize, room: RoomNumber) -> Option<usize> {
        let node = &self.nodes[gateway];
        if node.processes.contains_key(&room) {
            return Some(gateway);
        }
        let Post::Shared(post) = &node.post else {
            return None;
        };
        let owner = post.owner(room)?;
        (0..self.nodes.len()).find(|index| address(*index) == *owner)
    }

    /// A client leaves the room that it has entered.
    pub(crate) fn leave(&mut self, number: u64) {
        let line = self.lines.get_mut(&number);
        if let Some((visit, link)) = line.and_then(|line| line.visit.take()) {
            self.call(link, visit, Call::Leave);
        }
    }

    /// The room that a client has entered is lost.
    pub(crate) fn lost(&mut self, number: u64) {
        let Some(line) = self.lines.get_mut(&number) else {
            return;
        };
        let clock = self.nodes[line.node].clock(self.now);
        line.visit = None;
        line.route.lose_room(clock);
        self.plan_route(number);
    }

    /// The room that a client has entered says something.
    pub(crate) fn hears(&mut self, number: u64, outbound: Outbound) {
        let ignored = self.options.bug == Some(Bug::ElsewhereIgnored);
        if ignored && matches!(outbound, Outbound::Elsewhere(_)) {
            return;
        }
        let Some(line) = self.lines.get_mut(&number).filter(|line| !line.is_over) else {
            return;
        };
        if matches!(outbound, Outbound::Elsewhere(_) | Outbound::Released) {
            line.visit = None;
        }
        let clock = self.nodes[line.node].clock(self.now);
        line.route.deliver(outbound, clock);
        self.go_on(number);
        self.read(number);
    }

    /// The session of a connection is handed what its room says.
    pub(crate) fn hand(&mut self, number: u64, outbound: Outbound) {
        let Some(line) = self.lines.get_mut(&number) else {
            return;
        };
        match &outbound {
            Outbound::Welcome { player, seq, .. } => {
                line.is_welcome = Some(*player);
                line.latest = line.latest.max(*seq);
            }
            Outbound::Push { seq, .. } => line.latest = line.latest.max(*seq),
            _ => {}
        }
        if !line.to_node.is_open && !line.to_player.is_open {
            return;
        }
        line.session.deliver(outbound);
        self.read(number);
    }

    /// The table can't do now what a client asks for, which must have a reason.
    fn is_unavailable(&mut self, number: u64, id: RequestId) {
        self.unavailable += 1;
        let quiet = self.now - self.quiet_since;
        let lawful = law(
            "the table is available unless something fails",
            quiet <= AVAILABLE_WITHIN,
            || format!("{id:?} after {quiet} quiet ms, at {}", self.now),
        );
        self.found = std::mem::replace(&mut self.found, Ok(())).and(lawful);
        if let Some(line) = self.lines.get_mut(&number) {
            let clock = self.nodes[line.node].clock(self.now);
            line.session.give_up(id, clock);
        }
        self.read(number);
    }

    /// A node asks where the players of its connections are, and learns it now or later.
    pub(crate) fn asks_where(&mut self, index: usize) {
        let lines = self.lines.values();
        let here = lines.filter(|line| line.node == index && !line.is_over);
        let players: Vec<_> = here.filter_map(|line| line.is_welcome).collect();
        let Some(Ok(sights)) = self.shared(index).map(|post| post.whereabouts(&players)) else {
            return;
        };
        let late = match self.chance.below(10) {
            0 => self.chance.below(300),
            _ => 1,
        };
        self.next_sight += 1;
        self.sights.insert(self.next_sight, sights);
        let sighted = What::Sighted(index, self.next_sight);
        self.queue.plan(self.now + late, sighted);
    }

    /// A node learns where the players of its connections are.
    pub(crate) fn sighted(&mut self, index: usize, sight: u64) {
        let sights = self.sights.remove(&sight).unwrap_or_default();
        let lines = self.lines.iter();
        let here = lines.filter(|(_, line)| line.node == index && !line.is_over);
        let here = here.filter_map(|(number, line)| Some((*number, line.is_welcome?)));
        let here: Vec<_> = here.collect();
        let sights: BTreeMap<_, _> = sights
            .into_iter()
            .map(|sight| (sight.player, sight))
            .collect();
        for (number, player) in here {
            if let Some(sight) = sights.get(&player) {
                self.follow(number, *sight);
            }
        }
    }

    /// A connection learns where its player is, and what there is for them.
    fn follow(&mut self, number: u64, sight: PlayerLocation) {
        let Some(line) = self.lines.get_mut(&number) else {
            return;
        };
        if sight.standing != Standing::Welcome {
            line.session.expel(sight.standing);
            return self.read(number);
        }
        let clock = self.nodes[line.node].clock(self.now);
        let earlier = std::mem::replace(&mut line.sighted, sight.seq);
        let stays = !line.route.update_location(sight.room) && line.visit.is_some();
        let there = if stays { earlier } else { sight.seq };
        if line.latest < there {
            line.latest = there;
            line.session.catch_up(there, clock);
        }
        self.go_on(number);
        self.read(number);
    }
}
