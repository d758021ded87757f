//! A strict client: it verifies every message and uses every freedom of the protocol.

use crate::laws::{LawResult, MessageLaws, ensure, strip_opponent_name};
use crate::options::Options;
use crate::schedule::Rng;
use crate::schedule::WorldTime;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::time::Duration;
use war::support::hex::Hex;
use war::tokens::{Decision, Kind, Name, commitment};
use war_table::fair::{FairnessChecks, FairnessViolation};
use war_table::protocol::{
    AccessToken, Message, NumberedMessage, OpponentFilter, PlayerId, ProtocolVersion, Refusal,
    Request, RequestId,
};

/// Limit on requests and messages remembered, for repeats and comparisons.
const MAX_REMEMBERED: usize = 64;
/// Time until an unanswered request is repeated.
const ANSWER_WAIT: Duration = Duration::from_secs(3);
/// Time until a player gives up waiting for an opponent.
const OPPONENT_WAIT: Duration = Duration::from_secs(40);
/// Number of different invitations in use.
const INVITATION_CODES: u64 = 4;

/// Simulated player.
pub(crate) struct WorldPlayer {
    token: Hex<32>,
    name: String,
    pub(crate) id: Option<PlayerId>,
    pub(crate) checks: FairnessChecks,
    /// Number of the last message received on each connection, or `None` before its welcome.
    pub(crate) connections: BTreeMap<u64, Option<u64>>,
    /// Number of the last message that the player had received when each connection was opened.
    seq_when_opened: BTreeMap<u64, u64>,
    stage: Stage,
    /// Seed and kind of the chosen game.
    seed: Hex<32>,
    kind: Kind,
    /// Last game that ended, and its kind.
    last_game: Option<(u64, Kind)>,
    /// True if the opponent of the last game wants a rematch.
    rematch_wanted: bool,
    /// Request without an answer.
    pub(crate) pending: Option<PendingRequest>,
    /// Texts of recent requests.
    recent_requests: VecDeque<String>,
    /// Recent messages.
    recent_messages: VecDeque<NumberedMessage>,
    /// Messages that arrived ahead of their turn over another connection.
    early_messages: BTreeMap<u64, NumberedMessage>,
    /// Refusals by request.
    refusals: VecDeque<(RequestId, Refusal)>,
    request_count: u64,
    pub(crate) next_action_at: WorldTime,
    pub(crate) away_until: WorldTime,
    /// True if the player lets this game time out.
    is_passive: bool,
    /// True if the player finishes the current game and starts no other.
    pub(crate) is_leaving: bool,
    /// Token of the last time at which the player was forgotten.
    forgotten_token: Option<Hex<32>>,
    /// Numbers that the player had before each request to be forgotten.
    former_ids: BTreeSet<PlayerId>,
}

/// Unanswered request.
pub(crate) struct PendingRequest {
    pub(crate) request: Request,
    pub(crate) text: String,
    pub(crate) sent_at: WorldTime,
    pub(crate) first_sent_at: WorldTime,
}

/// Activity of the player, as far as they know.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stage {
    Free,
    Waiting,
    /// Game whose seed the player has to open by this time.
    Started(u64, WorldTime),
    Seeded,
    /// Game and deal on which the player has to decide by this time.
    Dealt(u64, u32, WorldTime),
    Decided,
}

/// Next action of a player.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum PlayerAction {
    /// Sends this request, which may be a repeat.
    Send(String),
    /// Opens a connection.
    Connect,
    /// Does nothing before this time.
    Rest(WorldTime),
}

/// Reaction of a player to a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reaction {
    Nothing,
    /// Plans the next action.
    Act,
    /// Retries a request that was unavailable.
    Retry,
    /// Resumes after the welcome, to get missed messages.
    Resume,
    /// Drops a useless connection.
    Disconnect,
    /// Handles the end of a game.
    FinishGame,
}

impl WorldPlayer {
    pub(crate) fn new(number: u64, rng: &mut Rng) -> Self {
        Self {
            token: rng.draw_bytes(),
            name: format!("Player {number}"),
            id: None,
            checks: FairnessChecks::new(),
            connections: BTreeMap::new(),
            seq_when_opened: BTreeMap::new(),
            stage: Stage::Free,
            seed: rng.draw_bytes(),
            kind: Kind::Single,
            last_game: None,
            rematch_wanted: false,
            pending: None,
            recent_requests: VecDeque::new(),
            recent_messages: VecDeque::new(),
            early_messages: BTreeMap::new(),
            refusals: VecDeque::new(),
            request_count: 0,
            next_action_at: WorldTime::ZERO,
            away_until: WorldTime::ZERO,
            is_passive: false,
            is_leaving: false,
            forgotten_token: None,
            former_ids: BTreeSet::new(),
        }
    }

    /// Returns true if a request to be forgotten is pending.
    fn has_asked_to_be_forgotten(&self) -> bool {
        let pending = self.pending.as_ref().map(|pending| &pending.request);
        matches!(pending, Some(Request::Forget { .. }))
    }

    /// Returns true from the time at which the player was forgotten until the token is refused.
    fn is_forgotten(&self) -> bool {
        self.forgotten_token == Some(self.token)
    }

    /// Starts over after the table has forgotten the player: earlier connections are useless.
    fn start_over(&mut self) {
        self.forgotten_token = Some(self.token);
        self.former_ids.extend(self.id.take());
        self.checks = FairnessChecks::new();
        self.connections
            .values_mut()
            .for_each(|cursor| *cursor = None);
        self.seq_when_opened.clear();
        (self.stage, self.last_game, self.rematch_wanted) = (Stage::Free, None, false);
        self.pending = None;
        self.recent_requests.clear();
        self.recent_messages.clear();
        self.early_messages.clear();
        self.refusals.clear();
    }

    /// Returns true if the player neither waits nor plays, as far as they know, and awaits no
    /// answer.
    pub(crate) fn is_idle(&self) -> bool {
        self.stage == Stage::Free && self.pending.is_none() && self.checks.is_up_to_date()
    }

    /// Picks a connection on which the player was welcomed.
    pub(crate) fn pick_welcomed_connection(&self, rng: &mut Rng) -> Option<u64> {
        let connections = self.connections.iter();
        let known =
            connections.filter_map(|(connection, cursor)| cursor.is_some().then_some(*connection));
        let known: Vec<_> = known.collect();
        rng.pick(&known).copied()
    }

    /// Returns the number up to which the player never requests messages again.
    pub(crate) fn last_unneeded_seq(&self) -> u64 {
        self.checks.seq().saturating_sub(4 * MAX_REMEMBERED as u64)
    }

    fn next_id(&mut self) -> RequestId {
        self.request_count += 1;
        RequestId::new(&format!("r{}", self.request_count)).expect("an id")
    }

    /// Builds the first message of a connection.
    pub(crate) fn build_hello(&mut self, connection: u64) -> String {
        self.connections.insert(connection, None);
        self.seq_when_opened.insert(connection, self.checks.seq());
        let hello = Request::Hello {
            id: self.next_id(),
            name: Name::new(&self.name).expect("a name"),
            token: AccessToken::new(self.token),
            protocol: ProtocolVersion::LATEST,
            watchable: false,
        };
        to_json(&hello)
    }

    /// Builds the request for missed messages.
    pub(crate) fn build_resume(&mut self) -> String {
        let resume = Request::Resume {
            id: self.next_id(),
            after: self.checks.seq(),
        };
        to_json(&resume)
    }

    /// Draws the time until the player's next action.
    pub(crate) fn draw_thinking_time(&self, rng: &mut Rng) -> Duration {
        match self.stage {
            Stage::Free => rng.draw_millis_between(5_000, 30_000),
            Stage::Waiting => OPPONENT_WAIT,
            // Most players open their seed and decide quickly, some at the last moment.
            _ if rng.draw_below(50) > 0 => rng.draw_millis_between(5, 2_000),
            Stage::Started(..) => rng.draw_millis_between(3_000, 5_500),
            _ => rng.draw_millis_between(10_000, 31_000),
        }
    }

    /// Plans the player's next action.
    pub(crate) fn plan_action(
        &mut self,
        now: WorldTime,
        options: &Options,
        rng: &mut Rng,
    ) -> PlayerAction {
        if now < self.away_until {
            return PlayerAction::Rest(self.away_until);
        }
        if self.connections.is_empty() {
            return PlayerAction::Connect;
        }
        if self.connections.values().all(Option::is_none) {
            return PlayerAction::Rest(now + ANSWER_WAIT);
        }
        if let Some(pending) = &mut self.pending {
            if now < pending.sent_at + ANSWER_WAIT {
                return PlayerAction::Rest(pending.sent_at + ANSWER_WAIT);
            }
            pending.sent_at = now;
            return PlayerAction::Send(pending.text.clone());
        }
        if !self.checks.is_up_to_date() {
            return PlayerAction::Rest(now + ANSWER_WAIT);
        }
        if rng.draw_bool(options.repeated)
            && let Some(text) = self
                .recent_requests
                .get(random_index(rng, self.recent_requests.len()))
        {
            return PlayerAction::Send(text.clone());
        }
        self.choose_action(now, options, rng)
    }

    /// Chooses an action when nothing is pending.
    fn choose_action(&mut self, now: WorldTime, options: &Options, rng: &mut Rng) -> PlayerAction {
        let wrong = rng.draw_bool(options.wrong);
        match self.stage {
            Stage::Free if self.is_leaving => PlayerAction::Rest(now + OPPONENT_WAIT),
            Stage::Free if self.connections.len() == 1 && rng.draw_bool(options.second) => {
                PlayerAction::Connect
            }
            Stage::Free if wrong => self.cancel(now),
            Stage::Free if rng.draw_bool(options.forgotten) => {
                let id = self.next_id();
                self.start_request(Request::Forget { id }, now)
            }
            Stage::Free => self.choose_game(now, options, rng),
            Stage::Waiting if wrong || rng.draw_below(4) == 0 || self.is_leaving => {
                self.cancel(now)
            }
            Stage::Started(game, _) if !self.is_passive || wrong => {
                let id = self.next_id();
                let value = if wrong { rng.draw_bytes() } else { self.seed };
                let game_id = game;
                self.start_request(Request::Seed { id, game_id, value }, now)
            }
            Stage::Dealt(game, deal, _) if !self.is_passive || wrong => {
                let decision = if rng.draw_below(5) < 3 {
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
                self.start_request(request, now)
            }
            _ => PlayerAction::Rest(now + OPPONENT_WAIT),
        }
    }

    fn choose_game(&mut self, now: WorldTime, options: &Options, rng: &mut Rng) -> PlayerAction {
        self.seed = rng.draw_bytes();
        self.kind = if rng.draw_below(2) == 0 {
            Kind::Single
        } else {
            Kind::Double
        };
        self.is_passive = rng.draw_bool(options.idle);
        let with = self.choose_opponent(rng);
        match with {
            Some(opponent) => self
                .checks
                .record_choice_of_opponent(self.kind, self.seed, opponent),
            None => self.checks.record_choice(self.kind, self.seed),
        }
        let request = Request::Choose {
            id: self.next_id(),
            game: self.kind,
            seed_hash: Some(commitment(&self.seed)),
            secret: None,
            with,
        };
        self.start_request(request, now)
    }

    /// Chooses an opponent, or `None` for anyone.
    fn choose_opponent(&mut self, rng: &mut Rng) -> Option<OpponentFilter> {
        // Few codes, so that players with the same code meet often.
        let code =
            Hex::new([u8::try_from(rng.draw_below(INVITATION_CODES)).unwrap_or_default(); 16]);
        let accepts = std::mem::take(&mut self.rematch_wanted) && rng.draw_below(4) > 0;
        match (rng.draw_below(40), self.last_game) {
            (_, Some((game, kind))) if accepts => {
                self.kind = kind;
                Some(OpponentFilter::Rematch(game))
            }
            (0, _) => Some(OpponentFilter::House),
            (1..3, _) => Some(OpponentFilter::Invitation(code)),
            (3..5, _) => Some(OpponentFilter::Accept(code)),
            // The table refuses the rematch if the last game was of another kind.
            (5..8, Some((game, _))) => Some(OpponentFilter::Rematch(game)),
            _ => None,
        }
    }

    fn cancel(&mut self, now: WorldTime) -> PlayerAction {
        let id = self.next_id();
        let game = self.kind;
        self.start_request(Request::Cancel { id, game }, now)
    }

    fn start_request(&mut self, request: Request, now: WorldTime) -> PlayerAction {
        let text = to_json(&request);
        push_recent(&mut self.recent_requests, text.clone());
        self.pending = Some(PendingRequest {
            request,
            text: text.clone(),
            sent_at: now,
            first_sent_at: now,
        });
        PlayerAction::Send(text)
    }

    /// Notes the arrival time of the pending request. The time is unknown if there are several
    /// connections, since any of them may deliver the answered request, or if several nodes share
    /// the table, since a request between nodes may be lost.
    pub(crate) fn record_arrival(&mut self, arrives: WorldTime, shared: bool) {
        let Some(pending) = &self.pending else {
            return;
        };
        let left = |due: WorldTime| match self.connections.len() {
            1 if !shared => due.saturating_since(arrives),
            _ => Duration::ZERO,
        };
        match (&pending.request, self.stage) {
            (Request::Seed { value, .. }, Stage::Started(_, due)) => {
                let right: Hex<32> = self.seed;
                self.checks.record_seed(if *value == right {
                    left(due)
                } else {
                    Duration::ZERO
                });
            }
            (Request::Decide { deal, decision, .. }, Stage::Dealt(_, dealt, due))
                if *deal == dealt =>
            {
                self.checks.record_decision(*decision, left(due));
            }
            _ => {}
        }
    }

    /// Handles a message of a connection. Deadlines count from the time at which the message was
    /// first written, which only the world knows.
    pub(crate) fn receive(
        &mut self,
        connection: u64,
        text: &str,
        written: &MessageLaws,
    ) -> LawResult<Reaction> {
        let sent: Result<NumberedMessage, _> = serde_json::from_str(text);
        let Ok(sent) = sent else {
            ensure("messages can be read", false, || text.to_owned())?;
            return Ok(Reaction::Nothing);
        };
        match &sent.message {
            Message::Welcome { player, .. } => {
                if self.is_forgotten() || self.former_ids.contains(player) {
                    let is_old = !self.seq_when_opened.contains_key(&connection);
                    ensure("a forgotten token is refused", is_old, || text.to_owned())?;
                    return Ok(Reaction::Disconnect);
                }
                let known = self.id.is_none_or(|id| id == *player);
                ensure("a token is one player", known, || text.to_owned())?;
                self.id = Some(*player);
                self.receive_welcome(connection, &sent)
            }
            Message::Forgotten { .. } => {
                let asked = self.has_asked_to_be_forgotten();
                ensure("who did not ask is not forgotten", asked, || {
                    text.to_owned()
                })?;
                self.start_over();
                Ok(Reaction::Disconnect)
            }
            Message::Error {
                code: Refusal::Forgotten,
                ..
            } => self.receive_end_of_token(connection, text),
            Message::Error {
                code, in_reply_to, ..
            } => self.receive_refusal(*code, in_reply_to.as_ref()),
            _ => self.receive_numbered(connection, &sent, written),
        }
    }

    /// Handles the refusal of a forgotten token: the player comes back with a new one.
    fn receive_end_of_token(&mut self, connection: u64, text: &str) -> LawResult<Reaction> {
        if self.seq_when_opened.contains_key(&connection) {
            let asked = self.is_forgotten() || self.has_asked_to_be_forgotten();
            ensure("who did not ask is not forgotten", asked, || {
                text.to_owned()
            })?;
            self.start_over();
            self.token = commitment(&self.token);
        }
        Ok(Reaction::Disconnect)
    }

    fn receive_welcome(&mut self, connection: u64, sent: &NumberedMessage) -> LawResult<Reaction> {
        let floor = self
            .seq_when_opened
            .get(&connection)
            .copied()
            .unwrap_or_default();
        ensure("nothing that was heard is lost", sent.seq >= floor, || {
            format!("{} after {floor}", sent.seq)
        })?;
        if sent.seq < self.checks.seq() {
            // Another connection has delivered more since this one was opened.
            return Ok(Reaction::Disconnect);
        }
        let returns = self.checks.table_and_key().is_some();
        ensure_fair(self.checks.receive(sent))?;
        self.connections.insert(connection, Some(self.checks.seq()));
        Ok(if returns {
            Reaction::Resume
        } else {
            Reaction::Act
        })
    }

    /// Handles a numbered message, which may be a repeat.
    fn receive_numbered(
        &mut self,
        connection: u64,
        sent: &NumberedMessage,
        written: &MessageLaws,
    ) -> LawResult<Reaction> {
        let seq = sent.seq;
        let Some(Some(cursor)) = self.connections.get_mut(&connection) else {
            return Ok(Reaction::Nothing);
        };
        ensure("messages come without gap", seq <= *cursor + 1, || {
            format!("{seq} after {cursor} to {:?}", self.id)
        })?;
        *cursor = (*cursor).max(seq);
        let sent = strip_opponent_name(sent);
        if seq <= self.checks.seq() {
            let before = self.recent_messages.iter().find(|heard| heard.seq == seq);
            let same = before.is_none_or(|heard| *heard == sent);
            ensure("the same number is the same message", same, || {
                format!("{sent:?} was {before:?}")
            })?;
            return Ok(Reaction::Act);
        }
        self.early_messages.insert(seq, sent);
        let mut reaction = Reaction::Nothing;
        while let Some(next) = self.early_messages.remove(&(self.checks.seq() + 1)) {
            ensure_fair(self.checks.receive(&next))?;
            self.clear_answered(&next.message);
            let at = self.id.and_then(|id| written.written_at(id, next.seq));
            self.update_stage(&next.message, at.unwrap_or_default());
            reaction = match next.message {
                Message::Result { .. } => Reaction::FinishGame,
                _ => Reaction::Act,
            };
            push_recent(&mut self.recent_messages, next);
        }
        Ok(reaction)
    }

    /// Updates the stage after a message.
    fn update_stage(&mut self, message: &Message, at: WorldTime) {
        match message {
            Message::Result { game_id, .. } => {
                (self.last_game, self.rematch_wanted) = (Some((*game_id, self.kind)), false);
            }
            Message::RematchWanted { game_id } | Message::RematchWithdrawn { game_id } => {
                let is_last = self.last_game.is_some_and(|(last, _)| last == *game_id);
                let wanted = matches!(message, Message::RematchWanted { .. });
                self.rematch_wanted = is_last && wanted;
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
            } => Stage::Started(game_id, at + Duration::from_millis(left_ms)),
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
            } => Stage::Dealt(game_id, deal, at + Duration::from_millis(left_ms)),
            Message::Decided { .. } => Stage::Decided,
            Message::Clock { left_ms, .. } => match self.stage {
                Stage::Started(game, _) => {
                    Stage::Started(game, at + Duration::from_millis(left_ms))
                }
                Stage::Dealt(game, deal, _) => {
                    Stage::Dealt(game, deal, at + Duration::from_millis(left_ms))
                }
                other => other,
            },
            _ => self.stage,
        };
    }

    /// Clears the pending request if a message answers it.
    fn clear_answered(&mut self, message: &Message) {
        let Some(pending) = &self.pending else {
            return;
        };
        let is_it = match (&pending.request, message) {
            (Request::Choose { .. }, Message::Waiting { .. } | Message::Started { .. })
            | (Request::Cancel { .. }, Message::Cancelled { .. } | Message::Draining { .. }) => {
                true
            }
            (Request::Seed { game_id, .. }, Message::Seeded { game_id: game, .. }) => {
                game_id == game
            }
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
            self.pending = None;
        }
    }

    /// Handles a refusal, and checks that the same request is always refused for the same reason.
    fn receive_refusal(&mut self, code: Refusal, id: Option<&RequestId>) -> LawResult<Reaction> {
        let Some(id) = id else {
            ensure("requests can be read", false, || code.to_string())?;
            return Ok(Reaction::Nothing);
        };
        if code == Refusal::Unavailable {
            return Ok(self.receive_unavailable(id));
        }
        let known = self.refusals.iter().find(|(known, _)| known == id);
        let same = known.is_none_or(|(_, before)| *before == code || !code.is_stored());
        ensure("a request is always answered the same", same, || {
            format!("{id:?} {code} was {known:?}")
        })?;
        if code.is_stored() {
            if known.is_none() {
                push_recent(&mut self.refusals, (id.clone(), code));
            }
        } else {
            // Not repeated: if sent again, the request would count as a new one.
            let name = format!("\"{}\"", id.as_str());
            self.recent_requests.retain(|text| !text.contains(&name));
        }
        let pending = self.pending.take_if(|pending| pending.request.id() == id);
        if pending.is_none() && code == Refusal::TooManyConnections {
            return Ok(Reaction::Disconnect);
        }
        Ok(Reaction::Act)
    }

    /// Handles `unavailable`: the pending request is retried under the same id. A hello or resume
    /// is retried over another connection.
    fn receive_unavailable(&mut self, id: &RequestId) -> Reaction {
        let name = format!("\"{}\"", id.as_str());
        match &mut self.pending {
            Some(pending) if pending.request.id() == id => {
                pending.sent_at = WorldTime::ZERO;
                Reaction::Retry
            }
            _ if self.recent_requests.iter().any(|text| text.contains(&name)) => Reaction::Nothing,
            _ => Reaction::Disconnect,
        }
    }

    /// Drops a lost connection.
    pub(crate) fn lose_connection(&mut self, connection: u64) {
        self.connections.remove(&connection);
        self.seq_when_opened.remove(&connection);
        // The next connection delivers the early messages again, and each must be handled once.
        if self.connections.is_empty() {
            self.early_messages.clear();
        }
    }
}

/// Appends an item and keeps the last [`MAX_REMEMBERED`] items.
fn push_recent<T>(memory: &mut VecDeque<T>, one: T) {
    if memory.len() >= MAX_REMEMBERED {
        memory.pop_front();
    }
    memory.push_back(one);
}

fn to_json(request: &Request) -> String {
    serde_json::to_string(request).expect("requests are plain values")
}

fn random_index(rng: &mut Rng, of: usize) -> usize {
    usize::try_from(rng.draw_below(of as u64)).unwrap_or_default()
}

/// Converts a violation found by the player's own checks into a law violation.
fn ensure_fair(result: Result<(), FairnessViolation>) -> LawResult {
    let unfair = result.err();
    ensure("the table plays fair", unfair.is_none(), || {
        unfair.map(|unfair| unfair.to_string()).unwrap_or_default()
    })
}
