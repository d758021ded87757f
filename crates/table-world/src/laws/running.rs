use super::When;
use crate::broken::{Lawful, law};
use crate::node::TIMEOUTS;
use war::support::hex::Hex;
use war::tokens::{Decision, TokenEvent, commitment};
use war_table::room::{Match, Parties, PlayerId, Request};
use war_table::server::rooms::RoomNumber;

/// How far the world's account of what was served may be off, each time that it stops: a step that
/// takes a second counts, and so does a wait that was cut short.
const TOLERANCE: u64 = 2_500;
/// How long players have at least when a game goes on after a pause.
const TO_COME_BACK: u64 = 10_000;
/// How far apart the world's clock and a node's may be over one deadline.
const DRIFT: u64 = 100;

/// A game that runs, as what was committed makes it.
pub(super) struct Running {
    pub(super) matched: Match,
    pub(super) events: Vec<TokenEvent>,
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
pub(super) struct Late {
    /// What was due.
    pub(super) due: Wish,
    /// Between which times it was surely in time, by the world's time.
    within: (u64, u64),
}

impl Late {
    /// Whether this is what was asked for in time.
    pub(super) fn was_asked(&self, wish: &Wish, at: u64) -> bool {
        self.due == *wish && self.within.0 < at && at < self.within.1
    }
}

impl Running {
    pub(super) fn new(matched: &Match, when: When) -> Self {
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
    pub(super) const fn room(&self) -> RoomNumber {
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
    pub(super) fn granted(&self, event: &TokenEvent) -> Option<Wish> {
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
    pub(super) fn keeps_secrets(&self, told: &str) -> Lawful {
        let secret = !self.secrets.iter().any(|secret| told.contains(secret));
        law("seeds are secret until the end", secret, || told.to_owned())
    }

    /// Takes an event; the result is what time decided.
    pub(super) fn happened(&mut self, event: &TokenEvent, when: When) -> Lawful<Option<Late>> {
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
    pub(super) fn asked(&mut self, wish: &Wish, at: u64) {
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

    pub(super) const fn goes_on(&mut self, when: When) {
        self.went_on = Some(when);
    }

    /// A game ends once time passes.
    pub(super) fn look(&self, when: When) -> Lawful {
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
