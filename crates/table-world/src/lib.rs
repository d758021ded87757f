//! A world of players around a card table, in one thread and without a clock: whatever happens in
//! it follows from its seed.
//!
//! The table is the server's own: [`Desk`](war_table::server::Desk) with its hub, and the
//! [`Session`](war_table::server::client::Session) of each connection. The world is all around it:
//! nodes and their clocks, the store, the network, the players, and everything that fails.

#![cfg_attr(
    not(test),
    deny(
        clippy::disallowed_macros,
        clippy::disallowed_methods,
        clippy::disallowed_types
    )
)]

mod acting;
mod broken;
mod bug;
mod chance;
mod clocks;
mod failing;
mod gateway;
mod happening;
mod laws;
mod line;
mod link;
mod links;
mod network;
mod node;
mod office;
mod options;
mod player;
mod post;
mod process;
mod queue;
mod report;
mod serving;
mod sessions;
mod sharing;
mod tampered;
mod trouble;
mod visit;
mod watch;

pub use broken::Broken;
pub use bug::Bug;
pub use options::Options;
pub use report::{Failure, Report, play};

use broken::Lawful;
use chance::Chance;
use clocks::Clocks;
use laws::Laws;
use line::Line;
use link::Link;
use node::Node;
use player::Player;
use post::{Post, SharedPost};
use queue::{Queue, What};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use trouble::Trouble;
use visit::Visit;
use war_table::server::store::{MemoryStore, Store, Whereabouts};
use watch::Served;

/// How often it is looked at what takes time, in milliseconds.
const LOOKS: u64 = 1_000;

/// A table with all that is around it.
pub(crate) struct World<'s> {
    options: Options,
    /// The world's time in milliseconds: nobody in it knows it.
    now: u64,
    /// How many things happened.
    steps: u64,
    queue: Queue,
    chance: Chance,
    store: MemoryStore,
    /// Whether another program writes into the store.
    busy: Arc<AtomicBool>,
    /// Until when the disk is slow.
    slow_until: u64,
    nodes: Vec<Node<'s>>,
    rooms: Vec<Served>,
    /// How often a room was taken.
    takeovers: u64,
    lines: BTreeMap<u64, Line>,
    next_line: u64,
    /// The visits that the owners of rooms know of.
    visits: BTreeMap<u64, Visit>,
    next_visit: u64,
    links: BTreeMap<u64, Link>,
    next_link: u64,
    /// The link from one node to another over which it asks.
    link_of: BTreeMap<(usize, usize), u64>,
    /// Where players were seen, on its way to who asked.
    sights: BTreeMap<u64, Vec<Whereabouts>>,
    next_sight: u64,
    /// Since when nothing fails.
    quiet_since: u64,
    /// How often what was asked for could not be done then.
    unavailable: u64,
    /// What was found where nothing could be returned.
    found: Lawful,
    players: Vec<Player>,
    next_player: u64,
    laws: Laws,
    /// Whether nothing fails any more.
    calm: bool,
    transcript: blake3::Hasher,
    /// How often each kind of failure happened.
    failures: BTreeMap<&'static str, u64>,
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
    const fn is_shared(&self) -> bool {
        self.options.nodes > 1
    }

    fn newcomer(&mut self) -> Player {
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
    fn note(&mut self, what: &str, of: u64, said: &str) {
        self.transcript.update(&self.now.to_le_bytes());
        self.transcript.update(what.as_bytes());
        self.transcript.update(&of.to_le_bytes());
        self.transcript.update(said.as_bytes());
    }
}
