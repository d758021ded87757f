use super::{Asked, Player, Stage, remember};
use crate::chance::Chance;
use crate::options::Options;
use war::support::hex::Hex;
use war::tokens::{Decision, Kind, Name, commitment};
use war_table::room::{AccessToken, Protocol, Request, RequestId, Whom};

/// How long a player waits for an answer until they ask again, in milliseconds.
const PATIENCE: u64 = 3_000;
/// How long a player waits for an opponent until they think of something else.
const BORED: u64 = 40_000;

/// How many invitations players may have.
const INVITATIONS: u64 = 4;

/// What a player is about to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Plan {
    /// To send what is asked, or what was asked before.
    Send(String),
    /// To open a connection.
    Connect,
    /// To do nothing before this time.
    Rest(u64),
}

impl Player {
    /// The name of the next request.
    fn next_id(&mut self) -> RequestId {
        self.requests += 1;
        RequestId::new(&format!("r{}", self.requests)).expect("an id")
    }

    /// The first message of a connection.
    pub(crate) fn hello(&mut self, line: u64) -> String {
        self.lines.insert(line, None);
        self.floors.insert(line, self.checks.seq());
        let hello = Request::Hello {
            id: self.next_id(),
            name: Name::new(&self.name).expect("a name"),
            token: AccessToken::new(self.token),
            protocol: Protocol,
            watchable: false,
        };
        json(&hello)
    }

    /// Asks for what was missed.
    pub(crate) fn resume(&mut self) -> String {
        let resume = Request::Resume {
            id: self.next_id(),
            after: self.checks.seq(),
        };
        json(&resume)
    }

    /// How long the player thinks before they do something.
    pub(crate) fn thinks(&self, chance: &mut Chance) -> u64 {
        match self.stage {
            Stage::Free => chance.between(5_000, 30_000),
            Stage::Waiting => BORED,
            // Most open their seed and decide soon, and some at the last moment.
            _ if chance.below(50) > 0 => chance.between(5, 2_000),
            Stage::Started(..) => chance.between(3_000, 5_500),
            _ => chance.between(10_000, 31_000),
        }
    }

    /// What the player does now.
    pub(crate) fn plan(&mut self, now: u64, options: &Options, chance: &mut Chance) -> Plan {
        if now < self.away_until {
            return Plan::Rest(self.away_until);
        }
        if self.lines.is_empty() {
            return Plan::Connect;
        }
        if self.lines.values().all(Option::is_none) {
            return Plan::Rest(now + PATIENCE);
        }
        if let Some(asked) = &mut self.asked {
            if now < asked.at + PATIENCE {
                return Plan::Rest(asked.at + PATIENCE);
            }
            asked.at = now;
            return Plan::Send(asked.text.clone());
        }
        if !self.checks.is_up_to_date() {
            return Plan::Rest(now + PATIENCE);
        }
        if chance.happens(options.repeated)
            && let Some(text) = self.recent.get(pick(chance, self.recent.len()))
        {
            return Plan::Send(text.clone());
        }
        self.next(now, options, chance)
    }

    /// What the player does when nothing else is to be done.
    fn next(&mut self, now: u64, options: &Options, chance: &mut Chance) -> Plan {
        let wrong = chance.happens(options.wrong);
        match self.stage {
            Stage::Free if self.leaves => Plan::Rest(now + BORED),
            Stage::Free if self.lines.len() == 1 && chance.happens(options.second) => Plan::Connect,
            Stage::Free if wrong => self.cancel(now),
            Stage::Free if chance.happens(options.forgotten) => {
                let id = self.next_id();
                self.ask(Request::Forget { id }, now)
            }
            Stage::Free => self.choose(now, options, chance),
            Stage::Waiting if wrong || chance.below(4) == 0 || self.leaves => self.cancel(now),
            Stage::Started(game, _) if !self.idle || wrong => {
                let id = self.next_id();
                let value = if wrong { chance.bytes() } else { self.seed };
                let game_id = game;
                self.ask(Request::Seed { id, game_id, value }, now)
            }
            Stage::Dealt(game, deal, _) if !self.idle || wrong => {
                let decision = if chance.below(5) < 3 {
                    Decision::Play
                } else {
                    Decision::Fold
                };
                let request = Request::Decide {
                    id: self.next_id(),
                    game_id: game,
                    deal: if wrong { deal + 1 } else { deal },
                    decision,
                };
                self.ask(request, now)
            }
            _ => Plan::Rest(now + BORED),
        }
    }

    fn choose(&mut self, now: u64, options: &Options, chance: &mut Chance) -> Plan {
        self.seed = chance.bytes();
        self.kind = if chance.below(2) == 0 {
            Kind::Single
        } else {
            Kind::Double
        };
        self.idle = chance.happens(options.idle);
        let with = self.whom(chance);
        match with {
            Some(whom) => self.checks.chose_with(self.kind, self.seed, whom),
            None => self.checks.chose(self.kind, self.seed),
        }
        let request = Request::Choose {
            id: self.next_id(),
            game: self.kind,
            seed_hash: commitment(&self.seed),
            with,
        };
        self.ask(request, now)
    }

    /// Whom the player wants to play with, if not with anyone.
    fn whom(&mut self, chance: &mut Chance) -> Option<Whom> {
        // So few that friends find one another, and strangers, too.
        let code = Hex::new([u8::try_from(chance.below(INVITATIONS)).unwrap_or_default(); 16]);
        let accepts = std::mem::take(&mut self.wanted) && chance.below(4) > 0;
        match (chance.below(40), self.last) {
            (_, Some((game, kind))) if accepts => {
                self.kind = kind;
                Some(Whom::Rematch(game))
            }
            (0, _) => Some(Whom::House),
            (1..3, _) => Some(Whom::Invitation(code)),
            (3..5, _) => Some(Whom::Accept(code)),
            // Of another kind it is refused.
            (5..8, Some((game, _))) => Some(Whom::Rematch(game)),
            _ => None,
        }
    }

    fn cancel(&mut self, now: u64) -> Plan {
        let id = self.next_id();
        let game = self.kind;
        self.ask(Request::Cancel { id, game }, now)
    }

    fn ask(&mut self, request: Request, now: u64) -> Plan {
        let text = json(&request);
        remember(&mut self.recent, text.clone());
        self.asked = Some(Asked {
            request,
            text: text.clone(),
            at: now,
            first: now,
        });
        Plan::Send(text)
    }

    /// What was asked arrives at that time: with more than one connection, nobody knows over which
    /// it comes to be answered, and on its way between nodes it may be lost.
    pub(crate) fn sends(&mut self, arrives: u64, shared: bool) {
        let Some(asked) = &self.asked else {
            return;
        };
        let left = |due: u64| match self.lines.len() {
            1 if !shared => due.saturating_sub(arrives),
            _ => 0,
        };
        match (&asked.request, self.stage) {
            (Request::Seed { value, .. }, Stage::Started(_, due)) => {
                let right: Hex<32> = self.seed;
                self.checks
                    .opens(if *value == right { left(due) } else { 0 });
            }
            (Request::Decide { deal, decision, .. }, Stage::Dealt(_, dealt, due))
                if *deal == dealt =>
            {
                self.checks.decides(*decision, left(due));
            }
            _ => {}
        }
    }
}

fn json(request: &Request) -> String {
    serde_json::to_string(request).expect("requests are plain values")
}

fn pick(chance: &mut Chance, of: usize) -> usize {
    usize::try_from(chance.below(of as u64)).unwrap_or_default()
}
