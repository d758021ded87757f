//! The world: what is in it, what happens, by whom it concerns, and what is known of each room, that
//! is who serves it, and for how long.

use crate::connection::{Line, Link, Visit};
use crate::failing;
use crate::laws::{Lawful, Laws, When, law};
use crate::node::{Node, Taken};
use crate::options::Options;
use crate::player::Player;
use crate::post::{Post, SharedPost};
use crate::schedule::{Chance, Clocks, Queue, Trouble, What};
use crate::store::MemoryStore;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use war_table::server::rooms::RoomNumber;
use war_table::server::store::Store;
use war_table_cluster::PlayerLocation;

/// How often it is looked at what takes time, in milliseconds.
const LOOKS: u64 = 1_000;
/// How soon another node serves a room, in milliseconds by the world's clock, where one could.
const TAKEN_WITHIN: u64 = 5_000;
/// How soon a node that was replaced stands back once it could know it: its last commit may
/// be slow, and then it may wait for players.
const LEARNT_WITHIN: u64 = 4_000;
/// How long a player may wait for an answer while nothing fails, who asks again and again.
const ANSWERED_WITHIN: u64 = 60_000;

/// A table with all that is around it.
pub(crate) struct World<'s> {
    pub(crate) options: Options,
    /// The world's time in milliseconds: nobody in it knows it.
    pub(crate) now: u64,
    /// How many things happened.
    pub(crate) steps: u64,
    pub(crate) queue: Queue,
    pub(crate) chance: Chance,
    pub(crate) store: MemoryStore,
    /// Whether another program writes into the store.
    pub(crate) busy: Arc<AtomicBool>,
    /// Until when the disk is slow.
    pub(crate) slow_until: u64,
    pub(crate) nodes: Vec<Node<'s>>,
    pub(crate) rooms: Vec<Served>,
    /// How often a room was taken.
    pub(crate) takeovers: u64,
    pub(crate) lines: BTreeMap<u64, Line>,
    pub(crate) next_line: u64,
    /// The visits that the owners of rooms know of.
    pub(crate) visits: BTreeMap<u64, Visit>,
    pub(crate) next_visit: u64,
    pub(crate) links: BTreeMap<u64, Link>,
    pub(crate) next_link: u64,
    /// The link from one node to another over which it asks.
    pub(crate) link_of: BTreeMap<(usize, usize), u64>,
    /// Where players were seen, on its way to who asked.
    pub(crate) sights: BTreeMap<u64, Vec<PlayerLocation>>,
    pub(crate) next_sight: u64,
    /// Since when nothing fails.
    pub(crate) quiet_since: u64,
    /// How often what was asked for could not be done then.
    pub(crate) unavailable: u64,
    /// What was found where nothing could be returned.
    pub(crate) found: Lawful,
    pub(crate) players: Vec<Player>,
    pub(crate) next_player: u64,
    pub(crate) laws: Laws,
    /// Whether nothing fails any more.
    pub(crate) calm: bool,
    pub(crate) transcript: blake3::Hasher,
    /// How often each kind of failure happened.
    pub(crate) failures: BTreeMap<&'static str, u64>,
}

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

impl<'s> World<'s> {
    /// The world of a seed, around a store, which its server may see through another one.
    pub(crate) fn new(
        seed: u64,
        options: Options,
        store: &MemoryStore,
        served: &'s dyn Store,
    ) -> Self {
        let laws = Laws::new(
            options.replayed,
            Chance::named(seed, "laws"),
            options.house > 0,
            options.all_rooms(),
        );
        let laws = if options.nodes > 1 {
            laws.shared()
        } else {
            laws
        };
        let busy = Arc::new(AtomicBool::new(false));
        if options.nodes == 1 {
            failing::plan(store, &options, &busy, Chance::named(seed, "store"));
        }
        let node = |number| {
            let post = if options.nodes == 1 {
                Post::Own(served)
            } else {
                let post =
                    SharedPost::new(number, store.table_of(options.all_rooms()), options.bug);
                Post::Shared(Box::new(post))
            };
            let node = Node::new(post, Clocks::of(number), &options);
            let chance = Chance::named(seed, &format!("store of {number}"));
            failing::plan_of(&node, &options, &busy, chance);
            node
        };
        let nodes = (0..options.nodes).map(node).collect();
        let mut world = Self {
            now: 0,
            steps: 0,
            queue: Queue::default(),
            chance: Chance::named(seed, "world"),
            store: store.clone(),
            busy,
            slow_until: 0,
            nodes,
            rooms: options
                .all_rooms()
                .all()
                .map(|_| Served::default())
                .collect(),
            takeovers: 0,
            lines: BTreeMap::new(),
            next_line: 1,
            visits: BTreeMap::new(),
            next_visit: 0,
            links: BTreeMap::new(),
            next_link: 0,
            link_of: BTreeMap::new(),
            sights: BTreeMap::new(),
            next_sight: 0,
            quiet_since: 0,
            unavailable: 0,
            found: Ok(()),
            players: Vec::new(),
            next_player: 1,
            laws,
            calm: false,
            transcript: blake3::Hasher::new(),
            failures: BTreeMap::new(),
            options,
        };
        world.begin();
        world
    }

    fn begin(&mut self) {
        // The store is watched from here on.
        self.store.watch();
        self.queue.plan(0, What::Look);
        for trouble in Trouble::STORE {
            self.plan_trouble(trouble);
        }
        for node in 0..self.nodes.len() {
            self.queue.plan(0, What::Start(node));
            for trouble in Trouble::of(node) {
                self.plan_trouble(trouble);
            }
            if self.is_shared() {
                self.plan_trouble(Trouble::Cut(node));
            }
        }
        if self.is_shared() {
            for trouble in Trouble::LINKS {
                self.plan_trouble(trouble);
            }
        }
        for index in 0..self.options.players {
            let player = self.newcomer();
            self.players.push(player);
            let at = self.chance.below(5_000);
            self.plan_act(index, at);
        }
    }

    /// Whether nodes share the table.
    pub(crate) const fn is_shared(&self) -> bool {
        self.options.nodes > 1
    }

    pub(crate) fn newcomer(&mut self) -> Player {
        let number = self.next_player;
        self.next_player += 1;
        Player::new(number, &mut self.chance)
    }

    /// Lets the next thing happen.
    pub(crate) fn step(&mut self) -> Lawful {
        let Some((at, what)) = self.queue.next() else {
            return Ok(());
        };
        self.steps += 1;
        let at = at.max(self.now);
        self.pass(at - self.now);
        self.now = at;
        self.happens(what)?;
        std::mem::replace(&mut self.found, Ok(()))?;
        self.watch_rooms();
        if self.is_shared() {
            self.watch_nodes()?;
        }
        Ok(())
    }

    /// Looks at what takes time.
    fn look(&mut self) -> Lawful {
        self.queue.plan(self.now + LOOKS, What::Look);
        self.laws.games.look(|room| self.when(room))?;
        for room in self.options.all_rooms().all() {
            if self.rooms[usize::from(room.0)].is_open {
                self.laws.waiting.look(room, self.laws.time(room))?;
            }
        }
        self.watch_players()
    }

    /// Notes down something that everybody who runs this seed sees.
    pub(crate) fn note(&mut self, what: &str, of: u64, said: &str) {
        self.transcript.update(&self.now.to_le_bytes());
        self.transcript.update(what.as_bytes());
        self.transcript.update(&of.to_le_bytes());
        self.transcript.update(said.as_bytes());
    }
}

impl World<'_> {
    /// Lets something happen now.
    pub(crate) fn happens(&mut self, what: What) -> Lawful {
        // What concerns a node that is stopped happens when it goes on.
        if let Some(until) = self.stopped(what) {
            self.queue.plan(until, what);
            return Ok(());
        }
        match what {
            What::AtPlayer(line) => return self.at_player(line),
            What::Turn(node, room, turn) => return self.turn(node, room, turn),
            What::Round(node, run) => return self.round(node, run),
            What::Take(node, room, run) => return self.take(node, room, run),
            What::Sighted(node, sight) => self.sighted(node, sight),
            What::Start(node) => return self.start(node),
            What::Trouble(trouble) => return self.trouble(trouble),
            What::Look => return self.look(),
            What::Lands(room) => return self.lands(room),
            What::Idle(node, room, turn) => self.is_idle(node, room, turn),
            What::Route(line) => self.wake_route(line),
            What::AtOwner(link) => self.at_owner(link),
            What::AtGateway(link) => self.at_gateway(link),
            What::GoneAtOwner(link) => self.gone_at_owner(link),
            What::GoneAtGateway(link) => self.gone_at_gateway(link),
            What::AtNode(line) => self.at_node(line),
            What::GoneAtNode(line) => self.hang_up(line),
            What::GoneAtPlayer(line) => self.gone_at_player(line),
            What::Wake(line) => self.wake(line),
            What::Act(player) => self.act(player),
            What::Over(trouble) => self.trouble_is_over(trouble),
        }
        Ok(())
    }

    /// Until when the node that something concerns is stopped, if it is.
    fn stopped(&self, what: What) -> Option<u64> {
        let node = match what {
            What::AtNode(line) | What::GoneAtNode(line) | What::Wake(line) | What::Route(line) => {
                self.lines.get(&line)?.node
            }
            What::AtOwner(link) | What::GoneAtOwner(link) => self.links.get(&link)?.owner,
            What::AtGateway(link) | What::GoneAtGateway(link) => self.links.get(&link)?.gateway,
            What::Turn(node, ..)
            | What::Start(node)
            | What::Round(node, _)
            | What::Take(node, ..)
            | What::Sighted(node, _) => node,
            _ => return None,
        };
        let until = self.nodes[node].stopped_until;
        (until > self.now).then_some(until)
    }

    /// What the world's clocks show, for a room.
    pub(crate) fn when(&self, room: RoomNumber) -> When {
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
    pub(crate) fn pass(&mut self, passed: u64) {
        for served in self.rooms.iter_mut().filter(|room| room.is_open) {
            served.for_ms += passed;
        }
    }

    /// Counts anew which rooms are served.
    pub(crate) fn watch_rooms(&mut self) {
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
    pub(crate) fn watch_nodes(&mut self) -> Lawful {
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
    pub(crate) fn watch_players(&self) -> Lawful {
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
