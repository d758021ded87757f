//! A strict client: it believes nothing, and does everything that a connection lets happen.

mod asking;
mod hearing;

use super::chance::Chance;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use war::support::hex::Hex;
use war::tokens::Kind;
use war_table::fair::Checks;
use war_table::room::{Message, PlayerId, Request, RequestId, Sent};

pub(crate) use asking::Plan;
pub(crate) use hearing::Heard;

/// How many requests and messages a player remembers, to repeat and to compare them.
pub(crate) const REMEMBERED: usize = 64;

/// A player.
pub(crate) struct Player {
    token: Hex<32>,
    name: String,
    pub(crate) id: Option<PlayerId>,
    pub(crate) checks: Checks,
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
    heard: VecDeque<Sent>,
    /// Messages that came before their turn, over another connection.
    ahead: BTreeMap<u64, Sent>,
    /// Refusals of requests, by `id`.
    refused: VecDeque<(RequestId, war_table::room::Refusal)>,
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

impl Player {
    /// A player who comes for the first time.
    pub(crate) fn new(number: u64, chance: &mut Chance) -> Self {
        Self {
            token: chance.bytes(),
            name: format!("Player {number}"),
            id: None,
            checks: Checks::new(),
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
        self.checks = Checks::new();
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
}

/// Keeps only the last ones.
fn remember<T>(memory: &mut VecDeque<T>, one: T) {
    if memory.len() >= REMEMBERED {
        memory.pop_front();
    }
    memory.push_back(one);
}

/// A message without the opponent's name, which a store does not keep.
pub(crate) fn unnamed(sent: &Sent) -> Sent {
    let mut sent = sent.clone();
    if let Message::Started { opponent, .. } = &mut sent.message {
        opponent.name = None;
    }
    sent
}
