//! Several hubs in one thread, on stores that fail: whatever happens in whatever order, what
//! is published was committed, and no token is lost.

use super::hub::{connects, identity};
use super::said;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use war::log::{End, Leaf, Start};
use war::room::{Match, PlayerId, Request, RoomEvent, Timeouts};
use war::server::hub::{
    ClientId, Hello, Hub, HubCommand, HubSettings, Now, Outbound, Publication, Stamped, UnitOfWork,
};
use war::server::store::{Committed, Fault, MemoryStore, Store, StoreCall};
use war::server::{Metrics, Randomness, SeededRandomness};
use war::tokens::TokenEvent;

const SETTINGS: HubSettings = HubSettings {
    timeouts: Timeouts {
        decide: 3_000,
        seeds: 1_500,
    },
    house_players: 1,
    new_players: 1_000_000,
};
const HUBS: u64 = 3;
const PLAYERS: u32 = 6;
const STEPS: u32 = 3_000;

/// A player who comes back whenever the connection is lost.
#[derive(Default)]
struct Visitor {
    client: Option<ClientId>,
    player: Option<PlayerId>,
    token: String,
    /// The game and the deal that were seen last.
    seen: (u64, u64),
    /// The last choice: its `id` names the seed.
    choice: String,
    /// What was asked last, which may be asked again.
    last: Option<Value>,
}

impl Visitor {
    fn new(world: u64, index: u32) -> Self {
        Self {
            token: said::token(&format!("{world} {index}")),
            ..Self::default()
        }
    }

    /// Learns which cards are on the table.
    fn see(&mut self, message: &Value) {
        let number = |field: &str| message[field].as_u64();
        match message["type"].as_str() {
            Some("started") => self.seen = (number("game_id").expect("a game"), 0),
            Some("dealt" | "redealt") => {
                self.seen = (
                    number("game_id").expect("a game"),
                    number("deal").expect("a deal"),
                );
            }
            _ => {}
        }
    }
}

/// A hub, its store and its visitors.
struct World {
    store: MemoryStore,
    hub: Hub,
    visitors: Vec<Visitor>,
    chance: SeededRandomness,
    now: u64,
    clients: u64,
    requests: u64,
    crashes: u32,
    transcript: blake3::Hasher,
    /// The deals that players were asked about and have decided on.
    asked: BTreeSet<(PlayerId, u64, u32)>,
    /// The last message to each player that was looked at.
    read: BTreeMap<PlayerId, u64>,
}

/// A time of the table at which the wall clock shows the same.
fn now(now: u64) -> Now {
    let (table, wall) = (now, now);
    Now { table, wall }
}

/// A message as it is stored: without the opponent's name.
fn unnamed(message: &Value) -> Value {
    let mut message = message.clone();
    if let Some(opponent) = message.get_mut("opponent").and_then(Value::as_object_mut) {
        let name = opponent.remove("name").expect("a name");
        let name = name.as_str().expect("a text").to_owned();
        assert!(
            name.starts_with("Visitor ") || name.starts_with("House "),
            "{name}"
        );
    }
    message
}

/// A hub of the room in a store that may fail: it is opened until it opens.
fn open(store: &MemoryStore, seed: u64, now: u64) -> Hub {
    let attempt = |_| {
        let randomness = Box::new(SeededRandomness::new(seed));
        let log = slog::Logger::root(slog::Discard, slog::o!());
        let metrics = Arc::new(Metrics::new());
        Hub::open(
            store,
            SETTINGS,
            randomness,
            identity(),
            metrics,
            log,
            self::now(now),
        )
        .ok()
    };
    (0..1000)
        .find_map(attempt)
        .expect("a store that works at times")
}

impl World {
    fn new(seed: u64) -> Self {
        let store = MemoryStore::new();
        let mut chance = SeededRandomness::new(!seed);
        store.fail(move |call| match (call, chance.number() % 1_000) {
            (StoreCall::Begin, 0..30) => Some(Fault::Busy),
            (StoreCall::Begin, 30..35) | (StoreCall::Use, 0..2) | (StoreCall::Commit, 0..10) => {
                Some(Fault::Error)
            }
            (StoreCall::Commit, 10..20) => Some(Fault::LostReply),
            _ => None,
        });
        Self {
            hub: open(&store, seed, 0),
            store,
            visitors: (0..PLAYERS)
                .map(|index| Visitor::new(seed, index))
                .collect(),
            chance: SeededRandomness::new(seed),
            now: 0,
            clients: 0,
            requests: 0,
            crashes: 0,
            transcript: blake3::Hasher::new(),
            asked: BTreeSet::new(),
            read: BTreeMap::new(),
        }
    }

    fn below(&mut self, bound: u32) -> u32 {
        self.chance.number() % bound
    }

    /// Lets some time pass and some visitors do something, in one batch.
    fn step(&mut self) {
        self.now += u64::from(self.below(400));
        let count = self.below(5);
        let commands: Vec<_> = (0..count).flat_map(|_| self.act()).collect();
        let idle = commands.is_empty();
        let store = self.store.clone();
        let ran = match store.begin() {
            // Another program writes: nothing is asked again here, so that all come again.
            Ok(None) if idle => return,
            Ok(None) | Err(_) => None,
            Ok(Some(transaction)) => {
                let at = self.now;
                let stamp = |command| Stamped { at, command };
                let commands = commands.into_iter().map(stamp);
                let unit = UnitOfWork::new(transaction, now(at));
                let worked = self.hub.run(unit, commands);
                worked.and_then(UnitOfWork::commit).ok()
            }
        };
        match ran {
            Some(published) => self.hear(&published),
            None => self.crash(),
        }
        self.check_store();
    }

    fn crash(&mut self) {
        self.crashes += 1;
        self.check_log();
        let seed = u64::from(self.chance.number());
        self.hub = open(&self.store, seed, self.now);
        for visitor in &mut self.visitors {
            visitor.client = None;
        }
    }

    /// What a visitor does.
    fn act(&mut self) -> Vec<HubCommand> {
        let index = self.below(PLAYERS) as usize;
        let Some(client) = self.visitors[index].client else {
            return self.come(index);
        };
        if self.visitors[index].player.is_none() {
            // The welcome is still to come.
            return Vec::new();
        }
        if self.below(40) == 0 {
            self.visitors[index].client = None;
            return vec![HubCommand::Disconnect { client }];
        }
        let repeated = self.visitors[index].last.clone();
        let said = match (self.below(10), repeated) {
            (0..2, Some(repeated)) => repeated,
            _ => self.request(index),
        };
        if said["type"] == "choose" {
            let id = said["id"].as_str().expect("an id");
            id.clone_into(&mut self.visitors[index].choice);
        }
        if let (Some(player), Some(game)) = (self.visitors[index].player, said["game_id"].as_u64())
            && let Some(deal) = said["deal"].as_u64()
        {
            let deal = u32::try_from(deal).expect("few deals");
            self.asked.insert((player, game, deal));
        }
        self.visitors[index].last = Some(said.clone());
        let request = Request::parse(&said.to_string()).expect("a request");
        vec![HubCommand::Request { client, request }]
    }

    fn request(&mut self, index: usize) -> Value {
        self.requests += 1;
        let id = format!("r{}", self.requests);
        let pick = self.below(2) as usize;
        let visitor = &self.visitors[index];
        let (game_id, mut deal) = visitor.seen;
        let choice = visitor.choice.clone();
        match self.below(12) {
            0..3 => said::choose(&id, ["single-card-game", "double-card-game"][pick]),
            3 => said::cancel(&id),
            // Now and then another one than they are committed to.
            4..8 => {
                let seed = if self.below(10) == 0 { &id } else { &choice };
                said::open(&id, &json!({"game_id": game_id}), seed)
            }
            _ => {
                if self.below(10) == 0 {
                    deal += 1;
                }
                let dealt = json!({"game_id": game_id, "deal": deal});
                said::decide(&id, &dealt, ["play", "fold"][pick])
            }
        }
    }

    fn come(&mut self, index: usize) -> Vec<HubCommand> {
        self.clients += 1;
        let client = ClientId(self.clients);
        let visitor = &mut self.visitors[index];
        visitor.client = Some(client);
        visitor.player = None;
        let hello = said::hello_by(&visitor.token, &format!("Visitor {index}"));
        let hello = Request::parse(&hello.to_string()).expect("a request");
        let Request::Hello {
            id, name, token, ..
        } = hello
        else {
            unreachable!("it is a hello");
        };
        let hello = Hello { id, name, token };
        vec![connects(client), HubCommand::Hello { client, hello }]
    }

    /// Checks that what is published was committed, and lets the visitors hear it.
    fn hear(&mut self, published: &[Publication]) {
        let committed = self.store.committed();
        for (client, outbound) in published {
            let said = format!("{} {outbound:?}\n", client.0);
            self.transcript.update(said.as_bytes());
            let is_it = |visitor: &&mut Visitor| visitor.client == Some(*client);
            let Some(visitor) = self.visitors.iter_mut().find(is_it) else {
                continue;
            };
            match outbound {
                Outbound::Welcome { player, body, .. } => {
                    let body: Value = serde_json::from_str(body).expect("JSON");
                    let (known, _) = &committed.players[player];
                    assert!(body["balance"].is_i64());
                    assert_eq!(known.name.as_str()[..8], *"Visitor ");
                    visitor.player = Some(*player);
                }
                Outbound::Push { seq, body } => {
                    let player = visitor.player.expect("pushes come after the welcome");
                    let kept = committed.outbox.get(&(player, *seq));
                    let message: Value = serde_json::from_str(body).expect("JSON");
                    let kept = kept.and_then(|kept| serde_json::from_str(kept).ok());
                    assert_eq!(kept, Some(unnamed(&message)), "not committed");
                    visitor.see(&message);
                }
                Outbound::Resumed(_) | Outbound::Elsewhere(_) | Outbound::Released => {}
                Outbound::Answer(body) => {
                    let message: Value = serde_json::from_str(body).expect("JSON");
                    let player = visitor.player.expect("answers come after the welcome");
                    let seq = message["seq"].as_u64().expect("a number");
                    let kept = committed.outbox.get(&(player, seq));
                    let kept = kept.and_then(|kept| serde_json::from_str(kept).ok());
                    let is_error = message["type"] == "error";
                    assert!(is_error || kept == Some(unnamed(&message)), "not committed");
                    visitor.see(&message);
                }
            }
        }
    }

    /// Checks that the log has what happened, all of it, once, in order.
    fn check_log(&self) {
        let Committed {
            events,
            leaves,
            settlements,
            ..
        } = self.store.committed();
        let expected = events.iter().filter_map(|(at, event)| match event {
            RoomEvent::Matched(matched) => Some(Leaf::Start(Start {
                game: matched.game,
                rules: matched.rules().id().to_owned(),
                players: matched.seats.map(|player| player.0),
                commitment: matched.secret.commitment(),
                seed_hashes: match matched.opening() {
                    TokenEvent::Committed { seed_hashes, .. } => seed_hashes,
                    other => panic!("{other:?}"),
                },
                time_ms: *at,
            })),
            RoomEvent::Played {
                game,
                event: TokenEvent::Settled { .. },
                ..
            } => Some(Leaf::End(End {
                game: *game,
                digest: settlements[game].digest,
                time_ms: *at,
            })),
            _ => None,
        });
        assert_eq!(leaves, expected.collect::<Vec<_>>());
        let ends = leaves.iter().filter(|leaf| matches!(leaf, Leaf::End(_)));
        assert_eq!(ends.count(), settlements.len());
    }

    /// Checks the laws of what is stored.
    fn check_store(&mut self) {
        let Committed {
            players,
            events,
            outbox,
            ..
        } = self.store.committed();
        let mut balances: BTreeMap<PlayerId, i64> = BTreeMap::new();
        let mut bank = 0;
        let mut deals: BTreeMap<u64, u32> = BTreeMap::new();
        let mut decided = Vec::new();
        // The seeds that were opened in each game that runs.
        let mut running: BTreeMap<u64, Vec<String>> = BTreeMap::new();
        for (_, event) in &events {
            match event {
                RoomEvent::Joined { player, .. } => {
                    assert_eq!(balances.insert(*player, 1_000), None, "joined twice");
                    bank -= 1_000;
                }
                RoomEvent::Matched(Match { game, .. }) => {
                    running.insert(*game, Vec::new());
                }
                RoomEvent::Played {
                    game,
                    event: TokenEvent::Opened { seed, .. },
                    ..
                } => {
                    let secret = running.get_mut(game).expect("it runs");
                    secret.push(seed.to_string());
                }
                RoomEvent::Played {
                    game,
                    event: TokenEvent::Dealt { .. },
                    ..
                } => *deals.entry(*game).or_default() += 1,
                RoomEvent::Played {
                    seats,
                    game,
                    event:
                        TokenEvent::Decided {
                            seat,
                            timed_out: false,
                            ..
                        },
                    ..
                } => {
                    let player = seats[seat.index()];
                    decided.push((player, *game, deals[game]));
                }
                RoomEvent::Played {
                    seats,
                    game,
                    event: TokenEvent::Settled { deltas },
                    ..
                } => {
                    running.remove(game);
                    for (seat, delta) in seats.iter().zip(deltas) {
                        *balances.get_mut(seat).expect("a player") += delta;
                        bank -= delta;
                    }
                }
                _ => {}
            }
        }
        assert_eq!(balances.values().sum::<i64>() + bank, 0);
        for (player, game, deal) in decided.into_iter().rev().take(8) {
            let asked = self.asked.contains(&(player, game, deal));
            let house = players[&player].0.house;
            assert!(house || asked, "a decision on other cards counts");
        }
        let secret: Vec<_> = running.into_values().flatten().collect();
        for ((player, seq), body) in &outbox {
            if self.read.get(player).is_none_or(|read| read < seq) {
                let told = secret.iter().any(|seed| body.contains(seed));
                assert!(!told, "a seed is told before the result: {body}");
                self.read.insert(*player, *seq);
            }
        }
        for (id, (player, _)) in &players {
            assert_eq!(player.balance, balances[id], "{id}");
            let seqs = outbox
                .range((*id, 0)..=(*id, u64::MAX))
                .map(|((_, seq), _)| *seq);
            assert!(player.house || seqs.eq(1..=player.seq), "a gap for {id}");
        }
        assert_eq!(balances.len(), players.len());
    }

    fn games(&self) -> usize {
        let events = self.store.committed().events;
        let settled = |event: &RoomEvent| {
            let RoomEvent::Played { event, .. } = event else {
                return false;
            };
            matches!(event, TokenEvent::Settled { .. })
        };
        events.iter().filter(|(_, event)| settled(event)).count()
    }
}

/// Runs several hubs in turn, and returns what each has published, played and suffered.
fn simulate(seed: u64) -> Vec<(blake3::Hash, usize, u32)> {
    let mut worlds: Vec<_> = (0..HUBS).map(|hub| World::new(seed * HUBS + hub)).collect();
    let mut turns = SeededRandomness::new(seed);
    for _ in 0..STEPS {
        let turn = turns.number() as usize % worlds.len();
        worlds[turn].step();
    }
    worlds.iter().for_each(World::check_log);
    let result = |world: World| (world.transcript.finalize(), world.games(), world.crashes);
    worlds.into_iter().map(result).collect()
}

#[test]
fn hubs_keep_their_laws_on_failing_stores_and_a_seed_repeats_them() {
    let first = simulate(1);
    for (_, games, crashes) in &first {
        assert!(
            *games > 30 && *crashes > 10,
            "{games} games, {crashes} crashes"
        );
    }
    assert_eq!(simulate(1), first);
    let other = simulate(2);
    assert!(first.iter().zip(&other).all(|(one, two)| one.0 != two.0));
}
