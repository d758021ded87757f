//! The laws of games: they begin and end once, everybody has the time that is due to them, and what
//! is kept of them in journals and in the log is what happened.

use super::law::{Lawful, When, law};
use crate::node::TIMEOUTS;
use crate::schedule::Chance;
use std::collections::{BTreeMap, VecDeque};
use war::journal::{CommittedGame, Verdict};
use war::recording::Settlement;
use war::replay::verify;
use war::support::hex::Hex;
use war::tokens::{Decision, TokenEvent, commitment};
use war_table::fair::SettledGame;
use war_table::log::{GameEnd, GameStart, Leaf};
use war_table::protocol::{PlayerId, Request};
use war_table::room::{Match, Parties, RoomEvent};
use war_table::server::rooms::RoomNumber;

/// How many games that are over are remembered.
const REMEMBERED: usize = 10_000;
/// How far the world's account of what was served may be off, each time that it stops: a step that
/// takes a second counts, and so does a wait that was cut short.
const TOLERANCE: u64 = 2_500;
/// How long players have at least when a game goes on after a pause.
const TO_COME_BACK: u64 = 10_000;
/// How far apart the world's clock and a node's may be over one deadline.
const DRIFT: u64 = 100;

/// The games that run, and the last ones that did.
pub(crate) struct Games {
    running: BTreeMap<u64, Running>,
    /// The last number of each room, which has blocks of its own.
    last: BTreeMap<RoomNumber, u64>,
    /// What time decided in this commit.
    late: Vec<Late>,
    /// What was granted in it.
    granted: Vec<Wish>,
    /// Who plays what.
    playing: BTreeMap<PlayerId, u64>,
    digests: BTreeMap<u64, Hex<16>>,
    replayed: f64,
    chance: Chance,
    /// How many journals were replayed.
    pub(crate) journals: u64,
    /// How many seeds and decisions time took.
    pub(crate) timeouts: u64,
}

impl Games {
    pub(super) const fn new(replayed: f64, chance: Chance) -> Self {
        Self {
            running: BTreeMap::new(),
            last: BTreeMap::new(),
            late: Vec::new(),
            granted: Vec::new(),
            playing: BTreeMap::new(),
            digests: BTreeMap::new(),
            replayed,
            chance,
            journals: 0,
            timeouts: 0,
        }
    }

    pub(super) fn happened(&mut self, event: &RoomEvent, when: When) -> Lawful {
        let unknown = || format!("{event:?}");
        match event {
            RoomEvent::Matched(matched) => {
                let last = self.last.insert(when.room, matched.game);
                let is_new = last.is_none_or(|last| matched.game > last);
                let known = self.running.contains_key(&matched.game);
                let known = known || self.digests.contains_key(&matched.game);
                law("games have new numbers", is_new && !known, unknown)?;
                let others = matched.seats[0] != matched.seats[1];
                law("nobody meets themselves", others, unknown)?;
                for seat in matched.seats {
                    let free = self.playing.insert(seat, matched.game).is_none();
                    law("nobody plays twice at once", free, unknown)?;
                }
                self.running
                    .insert(matched.game, Running::new(matched, when));
                Ok(())
            }
            RoomEvent::Played { game, event, .. } => {
                let Some(running) = self.running.get_mut(game) else {
                    return law("games go on until they end", false, unknown);
                };
                self.granted.extend(running.granted(event));
                self.late.extend(running.happened(event, when)?);
                Ok(())
            }
            RoomEvent::WentOn { game, .. } => {
                if let Some(running) = self.running.get_mut(game) {
                    running.goes_on(when);
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// A game is over, and this is in its journal.
    pub(super) fn settled(&mut self, number: u64, settlement: &Settlement) -> Lawful {
        let Some(game) = self.running.remove(&number) else {
            return law("games end once", false, || number.to_string());
        };
        for seat in game.matched.seats {
            self.playing.remove(&seat);
        }
        self.digests.insert(number, settlement.digest);
        if self.digests.len() > REMEMBERED {
            self.digests.pop_first();
        }
        if self.chance.happens(self.replayed) {
            self.journals += 1;
            replays(&game.matched, &game.events, settlement)?;
        }
        Ok(())
    }

    /// A player gets a message.
    pub(super) fn told_to(&self, player: PlayerId, body: &str) -> Lawful {
        let game = self.playing.get(&player);
        let running = game.and_then(|game| self.running.get(game));
        running.map_or(Ok(()), |running| running.keeps_secrets(body))
    }

    /// Judges a commit by what was asked when, all of which the store knows: what was granted was
    /// asked for, and what came in time was granted. What the house does is not asked for.
    pub(super) fn judge(
        &mut self,
        asked: &[(Wish, u64)],
        house: impl Fn(PlayerId) -> bool,
    ) -> Lawful {
        for granted in self.granted.drain(..) {
            let was_asked = asked.iter().any(|(wish, _)| *wish == granted);
            law(
                "nobody acts for another",
                was_asked || house(granted.player),
                || format!("{granted:?}"),
            )?;
        }
        self.timeouts += self.late.len() as u64;
        for late in self.late.drain(..) {
            let in_time = asked.iter().any(|(wish, at)| late.was_asked(wish, *at));
            law("what comes in time counts", !in_time, || {
                format!("{:?}", late.due)
            })?;
        }
        for (wish, at) in asked {
            if let Some(running) = self.running.get_mut(&wish.game) {
                running.asked(wish, *at);
            }
        }
        Ok(())
    }

    /// What a player was told of a game is what was kept.
    pub(crate) fn told(&self, finished: &SettledGame) -> Lawful {
        let game = finished.start.game;
        let (told, Some(kept)) = (finished.digest, self.digests.get(&game)) else {
            return Ok(());
        };
        law(
            "players learn the digest of the journal",
            told == *kept,
            || format!("game {game}: {told} instead of {kept}"),
        )
    }

    /// Every game ends once time passes.
    pub(crate) fn look(&self, when: impl Fn(RoomNumber) -> When) -> Lawful {
        let mut games = self.running.values();
        games.try_for_each(|game| game.look(when(game.room())))
    }

    /// How many games run.
    pub(crate) fn running(&self) -> usize {
        self.running.len()
    }
}

/// A game that runs, as what was committed makes it.
struct Running {
    matched: Match,
    events: Vec<TokenEvent>,
    deal: u32,
    /// Who has done what is awaited now, by seat.
    done: [bool; 2],
    /// Who asked for it in time.
    in_time: [bool; 2],
    /// Since when it is awaited.
    since: When,
    /// When the game last went on after a pause.
    went_on: Option<When>,
    /// What nobody may learn before the end: the table's seed, and those that were opened.
    secrets: Vec<String>,
}

impl Running {
    fn new(matched: &Match, when: When) -> Self {
        Self {
            events: vec![matched.opening()],
            matched: matched.clone(),
            deal: 0,
            done: [false; 2],
            in_time: [false; 2],
            since: when,
            went_on: None,
            secrets: vec![matched.secret.reveal().to_string()],
        }
    }

    /// The room in which it is played.
    const fn room(&self) -> RoomNumber {
        self.since.room
    }

    /// How long players have for what is awaited.
    const fn limit(&self) -> u64 {
        if self.deal == 0 {
            TIMEOUTS.seeds
        } else {
            TIMEOUTS.decide
        }
    }

    /// What somebody wished, where an event grants that.
    fn granted(&self, event: &TokenEvent) -> Option<Wish> {
        match event {
            TokenEvent::Opened { seat, .. }
            | TokenEvent::Decided {
                seat,
                timed_out: false,
                ..
            } => Some(self.due(self.matched.seats[seat.index()])),
            _ => None,
        }
    }

    /// Nobody learns a seed before the end.
    fn keeps_secrets(&self, told: &str) -> Lawful {
        let secret = !self.secrets.iter().any(|secret| told.contains(secret));
        law("seeds are secret until the end", secret, || told.to_owned())
    }

    /// Takes an event; the result is what time decided.
    fn happened(&mut self, event: &TokenEvent, when: When) -> Lawful<Option<Late>> {
        self.events.push(event.clone());
        let number = self.matched.game;
        let told = || format!("game {number}: {event:?}");
        match event {
            TokenEvent::Opened { seat, seed } => {
                let Parties::Committed { seed_hashes } = self.matched.parties else {
                    return Ok(None);
                };
                let fits = commitment(seed) == seed_hashes[seat.index()];
                law("seeds are those committed to", fits, told)?;
                let first = self.deal == 0 && !self.done[seat.index()];
                law("seeds are opened once, before cards", first, told)?;
                self.done[seat.index()] = true;
                self.secrets.push(seed.to_string());
            }
            TokenEvent::Forfeited { seat } => return self.late(seat.index(), when).map(Some),
            TokenEvent::Dealt { .. } => {
                law(
                    "no cards before what they come from",
                    self.done == [true; 2],
                    told,
                )?;
                self.deal += 1;
                (self.done, self.in_time) = ([false; 2], [false; 2]);
                (self.since, self.went_on) = (when, None);
            }
            TokenEvent::Decided {
                seat,
                timed_out,
                decision,
            } => {
                let first = self.deal > 0 && !self.done[seat.index()];
                law("nobody decides twice", first, told)?;
                if *timed_out {
                    law("time folds", *decision == Decision::Fold, told)?;
                    let late = self.late(seat.index(), when);
                    self.done[seat.index()] = true;
                    return late.map(Some);
                }
                self.done[seat.index()] = true;
            }
            TokenEvent::Settled { .. }
            | TokenEvent::Tied
            | TokenEvent::Started { .. }
            | TokenEvent::Committed { .. }
            | TokenEvent::Seeded { .. } => {}
        }
        Ok(None)
    }

    /// Time decides for a player: they had all of it, and did nothing.
    fn late(&self, seat: usize, when: When) -> Lawful<Late> {
        let (limit, number) = (self.limit(), self.matched.game);
        let had = when.since(self.since);
        law("nobody folds for an outage", had >= limit, || {
            format!("game {number}: {had} of {limit} ms at {}", when.now)
        })?;
        let again = self.went_on.map_or(u64::MAX, |went_on| when.since(went_on));
        law(
            "nobody folds right after an outage",
            again >= limit.min(TO_COME_BACK),
            || format!("game {number}: {again} ms"),
        )?;
        let player = self.matched.seats[seat];
        law("what comes in time counts", !self.in_time[seat], || {
            format!("game {number}: {player}")
        })?;
        let due = self.due(player);
        let within = (self.since.now, self.until());
        Ok(Late { due, within })
    }

    /// Until when something is surely in time: the table's time never goes faster than the world's.
    const fn until(&self) -> u64 {
        self.since.from + self.limit() - DRIFT
    }

    /// A player asked for something, which counts where it is what is awaited.
    fn asked(&mut self, wish: &Wish, at: u64) {
        let seat = usize::from(self.matched.seats[1] == wish.player);
        let known = self.due(wish.player) == *wish && self.since.now < at;
        if known && at < self.until() && !self.done[seat] {
            self.in_time[seat] = true;
        }
    }

    /// What is awaited of a player.
    fn due(&self, player: PlayerId) -> Wish {
        let promised = self.promised(player);
        Wish {
            player,
            game: self.matched.game,
            deal: self.deal,
            hash: promised.filter(|_| self.deal == 0),
        }
    }

    /// The hash of the seed that a player is to open.
    fn promised(&self, player: PlayerId) -> Option<Hex<32>> {
        let Parties::Committed { seed_hashes } = self.matched.parties else {
            return None;
        };
        let mut seats = self.matched.seats.into_iter().zip(seed_hashes);
        seats.find_map(|(seat, hash)| (seat == player).then_some(hash))
    }

    const fn goes_on(&mut self, when: When) {
        self.went_on = Some(when);
    }

    /// A game ends once time passes.
    fn look(&self, when: When) -> Lawful {
        let since = self.went_on.unwrap_or(self.since);
        let passed = when.served.saturating_sub(since.served);
        let allowed = self.limit() + TOLERANCE * (1 + when.starts.saturating_sub(since.starts));
        law("every game ends", passed <= allowed, || {
            let (game, deal) = (self.matched.game, self.deal);
            format!("game {game}, deal {deal}: {passed} ms of {allowed}")
        })
    }
}

impl When {
    /// How long the table has served at most since then.
    const fn since(self, then: Self) -> u64 {
        let passed = self.served.saturating_sub(then.served);
        passed + TOLERANCE * (1 + self.starts.saturating_sub(then.starts))
    }
}

/// What a player asks for in a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Wish {
    pub(super) player: PlayerId,
    pub(super) game: u64,
    /// The deal that is decided on; 0 where a seed is opened.
    pub(super) deal: u32,
    /// The hash of the seed that is opened.
    pub(super) hash: Option<Hex<32>>,
}

impl Wish {
    /// What a request asks for in a game, if it does.
    pub(super) fn of(player: PlayerId, request: &Request) -> Option<Self> {
        let (game, deal, hash) = match request {
            Request::Seed { game_id, value, .. } => (*game_id, 0, Some(commitment(value))),
            Request::Decide { game_id, deal, .. } => (*game_id, *deal, None),
            _ => return None,
        };
        Some(Self {
            player,
            game,
            deal,
            hash,
        })
    }
}

/// Something that time decided.
struct Late {
    /// What was due.
    due: Wish,
    /// Between which times it was surely in time, by the world's time.
    within: (u64, u64),
}

impl Late {
    /// Whether this is what was asked for in time.
    fn was_asked(&self, wish: &Wish, at: u64) -> bool {
        self.due == *wish && self.within.0 < at && at < self.within.1
    }
}

/// The leaves that are due, in order: beginnings and ends of games.
#[derive(Default)]
pub(super) struct Leaves {
    due: VecDeque<Leaf>,
}

impl Leaves {
    pub(super) fn happened(&mut self, time_ms: u64, event: &RoomEvent) {
        match event {
            RoomEvent::Matched(matched) => {
                let Parties::Committed { seed_hashes } = matched.parties else {
                    return;
                };
                self.due.push_back(Leaf::Start(GameStart {
                    game: matched.game,
                    rules: matched.rules().id().to_owned(),
                    players: matched.seats.map(|player| player.0),
                    commitment: matched.secret.commitment(),
                    seed_hashes,
                    time_ms,
                }));
            }
            RoomEvent::Played {
                game,
                event: TokenEvent::Settled { .. },
                ..
            } => self.due.push_back(Leaf::End(GameEnd {
                game: *game,
                digest: Hex::new([0; 16]),
                time_ms,
            })),
            _ => {}
        }
    }

    /// What a journal's digest is, its leaf has to say.
    pub(super) fn settled(&mut self, number: u64, settlement: &Settlement) {
        for leaf in &mut self.due {
            if let Leaf::End(end) = leaf
                && end.game == number
            {
                end.digest = settlement.digest;
            }
        }
    }

    pub(super) fn appended(&mut self, leaf: &Leaf) -> Lawful {
        let due = self.due.pop_front();
        law(
            "the log is what happened",
            due.as_ref() == Some(leaf),
            || format!("{leaf:?} instead of {due:?}"),
        )
    }

    pub(super) fn all_written(&self) -> Lawful {
        law("the log has all that happened", self.due.is_empty(), || {
            format!("{:?}", self.due)
        })
    }
}

/// Replays the journal of a game that is over: it is intact, and has the digest that was told.
fn replays(matched: &Match, events: &[TokenEvent], settlement: &Settlement) -> Lawful {
    let committed = CommittedGame {
        rules: matched.rules(),
        game: matched.game,
        commitment: matched.secret.commitment(),
        secret: matched.secret,
    };
    let journal = settlement.journal(committed, events).unwrap_or_default();
    let judgement = verify(&journal[..]).ok();
    let digest = judgement
        .as_ref()
        .filter(|judgement| judgement.verdict() == Verdict::Verified)
        .and_then(|judgement| judgement.end())
        .map(|end| end.chain);
    law("journals verify", digest == Some(settlement.digest), || {
        format!("game {}: {judgement:?}", matched.game)
    })
}
