//! A strict client: it believes nothing, and does everything that a connection lets happen.

use crate::laws::{Lawful, Messages, law, unnamed};
use crate::options::Options;
use crate::schedule::Chance;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use war::support::hex::Hex;
use war::tokens::{Decision, Kind, Name, commitment};
use war_table::fair::{FairnessChecks, FairnessViolation};
use war_table::protocol::{
    AccessToken, Message, NumberedMessage, OpponentFilter, PlayerId, ProtocolVersion, Refusal,
    Request, RequestId,
};

/// How many requests and messages a player remembers, to repeat and to compare them.
const REMEMBERED: usize = 64;
/// How long a player waits for an answer until they ask again, in milliseconds.
const PATIENCE: u64 = 3_000;
/// How long a player waits for an opponent until they think of something else.
const BORED: u64 = 40_000;
/// How many invitations players may have.
const INVITATIONS: u64 = 4;

/// A player.
pub(crate) struct Player {
    token: Hex<32>,
    name: String,
    pub(crate) id: Option<PlayerId>,
    pub(crate) checks: FairnessChecks,
    /// The connections, each with how far its messages have come; nothing before the welcome.
    pub(crate) lines: BTreeMap<u64, Option<u64>>,
    /// How far the player had come when each connection was opened.
    floors: BTreeMap<u64, u64>,
    stage: Stage,
    /// The seed of the game that is chosen, and the choice's kind.
    seed: Hex<32>,
    kind: Kind,
    /// The game that ended last, and its kind.
    last: Option<(u64, Kind)>,
    /// Whether its opponent wants to play once more.
    wanted: bool,
    /// What was asked and is not answered.
    pub(crate) asked: Option<Asked>,
    /// What was asked lately.
    recent: VecDeque<String>,
    /// The messages that were heard lately.
    heard: VecDeque<NumberedMessage>,
    /// Messages that came before their turn, over another connection.
    ahead: BTreeMap<u64, NumberedMessage>,
    /// Refusals of requests, by `id`.
    refused: VecDeque<(RequestId, Refusal)>,
    requests: u64,
    /// When the player does something next.
    pub(crate) acts_at: u64,
    /// Until when the player is away.
    pub(crate) away_until: u64,
    /// Whether time decides in this game for the player, who does nothing.
    idle: bool,
    /// Whether the player only ends the game that runs.
    pub(crate) leaves: bool,
    /// Who they were before they were forgotten.
    before: BTreeSet<PlayerId>,
}

/// A request on its way.
pub(crate) struct Asked {
    pub(crate) request: Request,
    pub(crate) text: String,
    /// When it was sent last, and first.
    pub(crate) at: u64,
    pub(crate) first: u64,
}

/// Where the player is, as far as they know.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stage {
    Free,
    Waiting,
    /// The seed is to be opened in this game, until then.
    Started(u64, u64),
    Seeded,
    /// This deal of this game is to be decided on, until then.
    Dealt(u64, u32, u64),
    Decided,
}

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

/// What a player does with what they heard.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Heard {
    /// Nothing yet.
    Nothing,
    /// They may have something to do.
    Turn,
    /// What they asked for can't be done now.
    Again,
    /// They are known on this connection, and ask for what they missed.
    Resume,
    /// This connection is of no use.
    Leave,
    /// A game is over.
    Over,
}

impl Player {
    /// A player who comes for the first time.
    pub(crate) fn new(number: u64, chance: &mut Chance) -> Self {
        Self {
            token: chance.bytes(),
            name: format!("Player {number}"),
            id: None,
            checks: FairnessChecks::new(),
            lines: BTreeMap::new(),
            floors: BTreeMap::new(),
            stage: Stage::Free,
            seed: chance.bytes(),
            kind: Kind::Single,
            last: None,
            wanted: false,
            asked: None,
            recent: VecDeque::new(),
            heard: VecDeque::new(),
            ahead: BTreeMap::new(),
            refused: VecDeque::new(),
            requests: 0,
            acts_at: 0,
            away_until: 0,
            idle: false,
            leaves: false,
            before: BTreeSet::new(),
        }
    }

    /// Whether they have asked to be forgotten, and may be.
    fn may_be_forgotten(&self) -> bool {
        let asked = self.asked.as_ref().map(|asked| &asked.request);
        matches!(asked, Some(Request::Forget { .. }))
    }

    /// The table has forgotten the player: with the same token they are somebody new, and
    /// connections from before are of no use.
    fn is_forgotten(&mut self) {
        self.before.extend(self.id.take());
        self.checks = FairnessChecks::new();
        self.lines.values_mut().for_each(|cursor| *cursor = None);
        self.floors.clear();
        (self.stage, self.last, self.wanted) = (Stage::Free, None, false);
        self.asked = None;
        self.recent.clear();
        self.heard.clear();
        self.ahead.clear();
        self.refused.clear();
    }

    /// Whether the player neither waits nor plays, as far as they know, and awaits no answer.
    pub(crate) fn is_done(&self) -> bool {
        self.stage == Stage::Free && self.asked.is_none() && self.checks.is_up_to_date()
    }

    /// A connection on which the player is known.
    pub(crate) fn welcomed(&self, chance: &mut Chance) -> Option<u64> {
        let lines = self.lines.iter();
        let known = lines.filter_map(|(line, cursor)| cursor.is_some().then_some(*line));
        let known: Vec<_> = known.collect();
        chance.one(&known).copied()
    }

    /// The lowest number of a message that the player may still ask for.
    pub(crate) fn forgotten(&self) -> u64 {
        self.checks.seq().saturating_sub(4 * REMEMBERED as u64)
    }

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
            protocol: ProtocolVersion,
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
            Some(whom) => self
                .checks
                .record_choice_of_opponent(self.kind, self.seed, whom),
            None => self.checks.record_choice(self.kind, self.seed),
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
    fn whom(&mut self, chance: &mut Chance) -> Option<OpponentFilter> {
        // So few that friends find one another, and strangers, too.
        let code = Hex::new([u8::try_from(chance.below(INVITATIONS)).unwrap_or_default(); 16]);
        let accepts = std::mem::take(&mut self.wanted) && chance.below(4) > 0;
        match (chance.below(40), self.last) {
            (_, Some((game, kind))) if accepts => {
                self.kind = kind;
                Some(OpponentFilter::Rematch(game))
            }
            (0, _) => Some(OpponentFilter::House),
            (1..3, _) => Some(OpponentFilter::Invitation(code)),
            (3..5, _) => Some(OpponentFilter::Accept(code)),
            // Of another kind it is refused.
            (5..8, Some((game, _))) => Some(OpponentFilter::Rematch(game)),
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
                    .record_seed(if *value == right { left(due) } else { 0 });
            }
            (Request::Decide { deal, decision, .. }, Stage::Dealt(_, dealt, due))
                if *deal == dealt =>
            {
                self.checks.record_decision(*decision, left(due));
            }
            _ => {}
        }
    }

    /// Takes a message of a connection; deadlines count from when it was written first, which
    /// only the world knows.
    pub(crate) fn hear(&mut self, line: u64, text: &str, written: &Messages) -> Lawful<Heard> {
        let sent: Result<NumberedMessage, _> = serde_json::from_str(text);
        let Ok(sent) = sent else {
            law("messages can be read", false, || text.to_owned())?;
            return Ok(Heard::Nothing);
        };
        match &sent.message {
            Message::Welcome { player, .. } => {
                if self.before.contains(player) {
                    let is_old = !self.floors.contains_key(&line);
                    law("who was forgotten is somebody new", is_old, || {
                        text.to_owned()
                    })?;
                    return Ok(Heard::Leave);
                }
                if self.may_be_forgotten() && self.id != Some(*player) {
                    // That it was done was said over a connection that was lost.
                    self.is_forgotten();
                }
                let known = self.id.is_none_or(|id| id == *player);
                law("a token is one player", known, || text.to_owned())?;
                self.id = Some(*player);
                self.welcome(line, &sent)
            }
            Message::Forgotten { .. } => {
                let asked = self.may_be_forgotten();
                law("who did not ask is not forgotten", asked, || {
                    text.to_owned()
                })?;
                self.is_forgotten();
                Ok(Heard::Leave)
            }
            Message::Error {
                code, in_reply_to, ..
            } => self.refused(*code, in_reply_to.as_ref()),
            _ => self.numbered(line, &sent, written),
        }
    }

    fn welcome(&mut self, line: u64, sent: &NumberedMessage) -> Lawful<Heard> {
        let floor = self.floors.get(&line).copied().unwrap_or_default();
        law("nothing that was heard is lost", sent.seq >= floor, || {
            format!("{} after {floor}", sent.seq)
        })?;
        if sent.seq < self.checks.seq() {
            // They heard more over another one since it was opened.
            return Ok(Heard::Leave);
        }
        let returns = self.checks.table().is_some();
        fair(self.checks.receive(sent))?;
        self.lines.insert(line, Some(self.checks.seq()));
        Ok(if returns { Heard::Resume } else { Heard::Turn })
    }

    /// Takes a message of the sequence, which may have come before.
    fn numbered(&mut self, line: u64, sent: &NumberedMessage, written: &Messages) -> Lawful<Heard> {
        let seq = sent.seq;
        let Some(Some(cursor)) = self.lines.get_mut(&line) else {
            return Ok(Heard::Nothing);
        };
        law("messages come without gap", seq <= *cursor + 1, || {
            format!("{seq} after {cursor} to {:?}", self.id)
        })?;
        *cursor = (*cursor).max(seq);
        let sent = unnamed(sent);
        if seq <= self.checks.seq() {
            let before = self.heard.iter().find(|heard| heard.seq == seq);
            let same = before.is_none_or(|heard| *heard == sent);
            law("the same number is the same message", same, || {
                format!("{sent:?} was {before:?}")
            })?;
            return Ok(Heard::Turn);
        }
        self.ahead.insert(seq, sent);
        let mut heard = Heard::Nothing;
        while let Some(next) = self.ahead.remove(&(self.checks.seq() + 1)) {
            fair(self.checks.receive(&next))?;
            self.answered(&next.message);
            let at = self.id.and_then(|id| written.at(id, next.seq));
            self.enter(&next.message, at.unwrap_or_default());
            heard = match next.message {
                Message::Result { .. } => Heard::Over,
                _ => Heard::Turn,
            };
            remember(&mut self.heard, next);
        }
        Ok(heard)
    }

    /// Goes to where a message leads.
    fn enter(&mut self, message: &Message, at: u64) {
        match message {
            Message::Result { game_id, .. } => {
                (self.last, self.wanted) = (Some((*game_id, self.kind)), false);
            }
            Message::RematchWanted { game_id } | Message::RematchWithdrawn { game_id } => {
                let is_last = self.last.is_some_and(|(last, _)| last == *game_id);
                let wanted = matches!(message, Message::RematchWanted { .. });
                self.wanted = is_last && wanted;
            }
            _ => {}
        }
        self.stage = match *message {
            Message::Waiting { .. } => Stage::Waiting,
            Message::Cancelled { .. } | Message::Draining { .. } | Message::Result { .. } => {
                Stage::Free
            }
            Message::Started {
                game_id, left_ms, ..
            } => Stage::Started(game_id, at + left_ms),
            Message::Seeded { .. } => Stage::Seeded,
            Message::Dealt {
                game_id,
                deal,
                left_ms,
                ..
            }
            | Message::Redealt {
                game_id,
                deal,
                left_ms,
                ..
            } => Stage::Dealt(game_id, deal, at + left_ms),
            Message::Decided { .. } => Stage::Decided,
            Message::Clock { left_ms, .. } => match self.stage {
                Stage::Started(game, _) => Stage::Started(game, at + left_ms),
                Stage::Dealt(game, deal, _) => Stage::Dealt(game, deal, at + left_ms),
                other => other,
            },
            _ => self.stage,
        };
    }

    /// Waits no longer for an answer that a message is.
    fn answered(&mut self, message: &Message) {
        let Some(asked) = &self.asked else {
            return;
        };
        let is_it = match (&asked.request, message) {
            (Request::Choose { .. }, Message::Waiting { .. } | Message::Started { .. })
            | (Request::Cancel { .. }, Message::Cancelled { .. } | Message::Draining { .. }) => {
                true
            }
            (Request::Seed { game_id, .. }, Message::Seeded { game_id: game }) => game_id == game,
            (
                Request::Decide { game_id, deal, .. },
                Message::Decided {
                    game_id: game,
                    deal: dealt,
                    ..
                },
            ) => (game_id, deal) == (game, dealt),
            _ => false,
        };
        if is_it {
            self.asked = None;
        }
    }

    /// Takes that a request is not granted: the same one is always refused for the same reason.
    fn refused(&mut self, code: Refusal, id: Option<&RequestId>) -> Lawful<Heard> {
        let Some(id) = id else {
            law("requests can be read", false, || code.to_string())?;
            return Ok(Heard::Nothing);
        };
        if code == Refusal::Unavailable {
            return Ok(self.waits_longer(id));
        }
        let known = self.refused.iter().find(|(known, _)| known == id);
        let same = known.is_none_or(|(_, before)| *before == code || !code.is_kept());
        law("a request is always answered the same", same, || {
            format!("{id:?} {code} was {known:?}")
        })?;
        if code.is_kept() {
            if known.is_none() {
                remember(&mut self.refused, (id.clone(), code));
            }
        } else {
            // Asked again it would be a new request.
            let name = format!("\"{}\"", id.as_str());
            self.recent.retain(|text| !text.contains(&name));
        }
        let asked = self.asked.take_if(|asked| asked.request.id() == id);
        if asked.is_none() && code == Refusal::TooManyConnections {
            return Ok(Heard::Leave);
        }
        Ok(Heard::Turn)
    }

    /// What was asked for can't be done now: it is asked for again, by the same name; who they are
    /// and what they have, over another connection.
    fn waits_longer(&mut self, id: &RequestId) -> Heard {
        let name = format!("\"{}\"", id.as_str());
        match &mut self.asked {
            Some(asked) if asked.request.id() == id => {
                asked.at = 0;
                Heard::Again
            }
            _ if self.recent.iter().any(|text| text.contains(&name)) => Heard::Nothing,
            _ => Heard::Leave,
        }
    }

    /// Learns that a connection is gone.
    pub(crate) fn loses(&mut self, line: u64) {
        self.lines.remove(&line);
        self.floors.remove(&line);
        // Over another one they may come twice, and must come once.
        if self.lines.is_empty() {
            self.ahead.clear();
        }
    }
}

/// Keeps only the last ones.
fn remember<T>(memory: &mut VecDeque<T>, one: T) {
    if memory.len() >= REMEMBERED {
        memory.pop_front();
    }
    memory.push_back(one);
}

fn json(request: &Request) -> String {
    serde_json::to_string(request).expect("requests are plain values")
}

fn pick(chance: &mut Chance, of: usize) -> usize {
    usize::try_from(chance.below(of as u64)).unwrap_or_default()
}

/// What players check on their own.
fn fair(checked: Result<(), FairnessViolation>) -> Lawful {
    let unfair = checked.err();
    law("the table plays fair", unfair.is_none(), || {
        unfair.map(|unfair| unfair.to_string()).unwrap_or_default()
    })
}
