//! A world of players around a card table, in one thread and without a clock: whatever happens in
//! it follows from its seed.
//!
//! The table is the server's own: [`Desk`](war::server::Desk) with its hub, and the
//! [`Session`](war::server::client::Session) of each connection. The world is all around it:
//! nodes and their clocks, the store, the network, the players, and everything that fails.

mod acting;
mod broken;
pub(crate) mod bug;
mod chance;
mod clocks;
mod failing;
mod laws;
mod line;
mod network;
mod node;
mod options;
mod player;
mod post;
mod queue;
pub(crate) mod report;
mod serving;
mod sharing;
mod tampered;
mod trouble;

pub(crate) use options::Options;
pub(crate) use report::play;

use broken::Lawful;
use chance::Chance;
use clocks::Clocks;
use laws::{Laws, When};
use line::Line;
use node::{Node, Taken};
use player::Player;
use post::{Post, SharedPost};
use queue::{Queue, What};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use trouble::Trouble;
use war::server::store::{MemoryStore, Store};

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
    /// Which node took the room last.
    owner: Option<usize>,
    /// What a batch is made of that may be committed still.
    in_doubt: Vec<Taken>,
    /// Since when nobody serves, or something could have kept all from it.
    unserved_since: u64,
    /// How often the room was taken, and when last.
    takeovers: u64,
    taken_at: u64,
    lines: BTreeMap<u64, Line>,
    next_line: u64,
    players: Vec<Player>,
    next_player: u64,
    laws: Laws,
    /// Whether the table serves, for how long it has, and how often it began to.
    serving: bool,
    served: u64,
    starts: u64,
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
        );
        let busy = Arc::new(AtomicBool::new(false));
        if options.nodes == 1 {
            failing::plan(store, &options, &busy, Chance::named(seed, "store"));
        }
        let node = |number| {
            let post = if options.nodes == 1 {
                Post::Own(served)
            } else {
                let post = SharedPost::new(number, store.table(), options.bug);
                Post::Shared(Box::new(post))
            };
            let node = Node::new(post, Clocks::of(number), options.house, options.bug);
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
            owner: None,
            in_doubt: Vec::new(),
            unserved_since: 0,
            takeovers: 0,
            taken_at: 0,
            lines: BTreeMap::new(),
            next_line: 1,
            players: Vec::new(),
            next_player: 1,
            laws,
            serving: false,
            served: 0,
            starts: 0,
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
        if self.serving {
            self.served += at - self.now;
        }
        self.now = at;
        self.happens(what)?;
        let owner = self.owner.map(|owner| &self.nodes[owner]);
        let serves = owner.is_some_and(|node| {
            node.serves(self.now) && node.reaches() && node.stalled_until <= self.now
        });
        let serving = serves && !self.is_busy();
        self.starts += u64::from(serving && !self.serving);
        self.serving = serving;
        if self.is_shared() {
            self.watch_nodes()?;
        }
        Ok(())
    }

    fn happens(&mut self, what: What) -> Lawful {
        // What concerns a node that is stopped happens when it goes on.
        if let Some(until) = self.stopped(what) {
            self.queue.plan(until, what);
            return Ok(());
        }
        match what {
            What::AtPlayer(line) => return self.at_player(line),
            What::Turn(node, turn) => return self.turn(node, turn),
            What::Start(node) => return self.start(node),
            What::Trouble(trouble) => return self.trouble(trouble),
            What::Look => return self.look(),
            What::Lands => return self.lands(),
            What::Idle(node, turn) => self.is_idle(node, turn),
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
            What::AtNode(line) | What::GoneAtNode(line) | What::Wake(line) => {
                self.lines.get(&line)?.node
            }
            What::Turn(node, _) | What::Start(node) => node,
            _ => return None,
        };
        let until = self.nodes[node].stopped_until;
        (until > self.now).then_some(until)
    }

    /// Looks at what takes time.
    fn look(&mut self) -> Lawful {
        self.queue.plan(self.now + LOOKS, What::Look);
        self.laws.games.look(self.when())?;
        if self.serving {
            self.laws.waiting.look(self.laws.time())?;
        }
        Ok(())
    }

    /// What the world's clocks show.
    const fn when(&self) -> When {
        When {
            now: self.now,
            from: self.now,
            served: self.served,
            starts: self.starts,
        }
    }

    /// Notes down something that everybody who runs this seed sees.
    fn note(&mut self, what: &str, of: u64, said: &str) {
        self.transcript.update(&self.now.to_le_bytes());
        self.transcript.update(what.as_bytes());
        self.transcript.update(&of.to_le_bytes());
        self.transcript.update(said.as_bytes());
    }
}
