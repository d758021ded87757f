//! The floor: the room with its connections, and what is kept and told of each step.

use super::desk::{Ask, Delivery, Health, Line};
use super::house::House;
use super::metrics::Metrics;
use super::store::{Answer, Batch, Store, StoreError};
use crate::hex::Hex;
use crate::room::{
    Command, Event, Message, Place, Player, PlayerId, Refusal, Request, RequestId, Room, Sent,
    Step, Token,
};
use crate::tokens::{self, Kind, Name, Secret};
use slog::{Logger, debug, info, warn};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

/// How long a player may be gone before he waits no longer, in milliseconds.
const GRACE: u64 = 15_000;
/// How long the desk rests at most, in milliseconds.
const REST: u64 = 1000;
/// How long somebody waits until the house plays with him, in milliseconds.
const HOUSE: u64 = 1500;
/// How many connections a player may have: each is told all that he is told.
const MOST_LINES: usize = 16;

/// The room, and who is connected to it.
pub(super) struct Floor {
    room: Room,
    house: House,
    /// Whether the house plays; its players of an earlier run end their games otherwise.
    house_is_open: bool,
    lines: BTreeMap<PlayerId, Vec<Line>>,
    /// Whose each line is.
    players: BTreeMap<u64, PlayerId>,
    /// Those who wait and are gone, and since when.
    gone: BTreeMap<PlayerId, u64>,
    /// Those whose balance or number of messages has changed.
    touched: BTreeSet<PlayerId>,
    /// What is told once all is committed.
    outgoing: Vec<(Line, Delivery)>,
    metrics: Arc<Metrics>,
    log: Logger,
    draining: bool,
}

impl Floor {
    pub(super) fn new(room: Room, now: u64, metrics: Arc<Metrics>, log: Logger) -> Self {
        let waits = |player: &Player| matches!(player.place, Place::Waiting(_));
        let waiting = room.players().filter(|(_, player)| waits(player));
        let gone = waiting.map(|(id, _)| (id, now)).collect();
        Self {
            room,
            house: House::new(),
            house_is_open: false,
            lines: BTreeMap::new(),
            players: BTreeMap::new(),
            gone,
            touched: BTreeSet::new(),
            outgoing: Vec::new(),
            metrics,
            log,
            draining: false,
        }
    }

    /// Sees that there are at least this many house players, or that none plays.
    pub(super) fn seat_the_house(
        &mut self,
        bots: usize,
        batch: &Batch<'_>,
        now: u64,
    ) -> Result<(), StoreError> {
        let there = self.room.players().filter(|(_, player)| player.house);
        let there: Vec<_> = there.map(|(id, _)| id).collect();
        self.house_is_open = bots > 0;
        for _ in there.len()..bots {
            self.hire(batch, now)?;
        }
        // Where the house is closed they leave, as others do who are gone.
        self.touched.extend(there);
        self.stand(batch)
    }

    /// Adds a house player.
    fn hire(&mut self, batch: &Batch<'_>, now: u64) -> Result<PlayerId, StoreError> {
        let there = self.room.players().filter(|(_, player)| player.house);
        let name = format!("House {}", there.count() + 1);
        let name = Name::new(&name).expect("a short name");
        self.join(name, true, &Token::new(rand::random()), batch, now)
    }

    /// Whether the desk was told to drain, and the last game is over.
    pub(super) fn is_closed(&self) -> bool {
        self.draining && self.room.running() == 0
    }

    /// How long nothing is due.
    pub(super) fn patience(&self, now: u64) -> Duration {
        let gone = self.gone.values().min().map(|since| since + GRACE);
        let called = self.called().map(|(since, _)| since + HOUSE);
        let due = [self.room.next_due(), gone, called];
        let due = due.into_iter().flatten().min();
        Duration::from_millis(due.map_or(REST, |due| due.saturating_sub(now).min(REST)))
    }

    pub(super) fn measure(&self, batch: Duration) {
        let (waiting, running) = (self.room.waiting(), self.room.running());
        self.metrics.batch(batch, waiting, running);
    }

    /// Does what is asked.
    pub(super) fn take(
        &mut self,
        ask: Ask,
        store: &Store,
        batch: &Batch<'_>,
        now: u64,
    ) -> Result<(), StoreError> {
        match ask {
            Ask::Arrive {
                line,
                id,
                name,
                token,
            } => self.arrive(&line, id, name, token, store, batch, now)?,
            Ask::Do {
                line,
                player,
                request,
                turn,
            } => {
                self.grant(&line, player, &request, store, batch, now)?;
                drop(turn);
            }
            Ask::Leave { line } => self.leave(line, now),
            Ask::Health(reply) => {
                // Whoever asked may not wait any more.
                let _ = reply.send(Health {
                    players: self.lines.len(),
                    waiting: self.room.waiting(),
                    running: self.room.running(),
                    draining: self.draining,
                });
            }
            Ask::Drain => {
                self.draining = true;
                let drained = self.room.step(&Command::Drain, now);
                drained.expect("a room may always be drained");
            }
        }
        Ok(())
    }

    #[expect(
        clippy::too_many_arguments,
        reason = "the parts of a `hello`, and where it goes"
    )]
    fn arrive(
        &mut self,
        line: &Line,
        id: RequestId,
        name: Name,
        token: Option<Token>,
        store: &Store,
        batch: &Batch<'_>,
        now: u64,
    ) -> Result<(), StoreError> {
        let returns = token.is_some();
        let (player, token) = match token {
            None => {
                let token = Token::new(rand::random());
                (self.join(name, false, &token, batch, now)?, token)
            }
            Some(token) => {
                let Some(player) = store.admit_by_token(&mut self.room, &token)? else {
                    self.refuse(line, 0, Refusal::UnknownToken, Some(id));
                    return Ok(());
                };
                let renamed = self.room.step(&Command::Rename { player, name }, now);
                self.keep(
                    &renamed.expect("whoever is there may be renamed"),
                    batch,
                    now,
                )?;
                (player, token)
            }
        };
        if self
            .lines
            .get(&player)
            .is_some_and(|lines| lines.len() >= MOST_LINES)
        {
            let seq = self.room.player(player).map_or(0, |player| player.seq);
            self.refuse(line, seq, Refusal::TooManyConnections, Some(id));
            return Ok(());
        }
        self.gone.remove(&player);
        self.lines.entry(player).or_default().push(line.clone());
        self.players.insert(line.number, player);
        let known = self.room.player(player).expect("the player was admitted");
        let message = Message::Welcome {
            player,
            token,
            balance: known.balance,
            now_ms: now,
            in_reply_to: id,
        };
        let seq = known.seq;
        let delivery = Delivery::Welcome {
            player,
            seq,
            returns,
            body: json(seq, message),
        };
        self.outgoing.push((line.clone(), delivery));
        Ok(())
    }

    fn join(
        &mut self,
        name: Name,
        house: bool,
        token: &Token,
        batch: &Batch<'_>,
        now: u64,
    ) -> Result<PlayerId, StoreError> {
        let step = self.room.step(&Command::Join { name, house }, now);
        let step = step.expect("anybody may join");
        let [event @ Event::Joined { player, .. }] = &step.events[..] else {
            unreachable!("to join is one event");
        };
        batch.record(event, now, Some(token))?;
        self.log_event(event);
        Ok(*player)
    }

    /// Does what a player asks for, once: asked again, it is answered again.
    fn grant(
        &mut self,
        line: &Line,
        player: PlayerId,
        request: &Request,
        store: &Store,
        batch: &Batch<'_>,
        now: u64,
    ) -> Result<(), StoreError> {
        self.metrics.request();
        let id = request.id();
        let seq = self.room.player(player).map_or(0, |player| player.seq);
        let body = serde_json::to_vec(request).expect("requests are plain values");
        let digest = Hex::truncated(&blake3::hash(&body));
        if let Some(answer) = store.answer(player, id)? {
            if answer.digest == digest {
                for (_, body) in store.messages(player, answer.messages)? {
                    self.outgoing.push((line.clone(), Delivery::Answer(body)));
                }
            } else {
                self.refuse(line, seq, Refusal::IdReused, Some(id.clone()));
            }
            return Ok(());
        }
        let command = match request {
            Request::Choose { game, .. } => Command::Choose {
                player,
                kind: *game,
                secret: Secret::new(Hex::new(rand::random())),
            },
            Request::Cancel { .. } => Command::Cancel { player },
            Request::Seed { value, .. } => Command::Seed {
                player,
                value: value.clone(),
            },
            Request::Decide { decision, .. } => Command::Decide {
                player,
                decision: *decision,
            },
            // The connection knows what it said, and what it has.
            Request::Hello { .. } | Request::Resume { .. } => return Ok(()),
        };
        let step = match self.room.step(&command, now) {
            Ok(step) => step,
            Err(refusal) => {
                self.refuse(line, seq, refusal, Some(id.clone()));
                return Ok(());
            }
        };
        let own = step.notices.iter().filter(|notice| notice.to == player);
        let own: Vec<_> = own.map(|notice| notice.sent.seq).collect();
        let messages = (own[0], own[own.len() - 1]);
        batch.answered(player, id, now, &Answer { digest, messages })?;
        self.keep(&step, batch, now)
    }

    fn refuse(&mut self, line: &Line, seq: u64, refusal: Refusal, id: Option<RequestId>) {
        self.metrics.refusal();
        debug!(self.log, "refused"; "connection" => line.number, "code" => %refusal);
        let message = refused(line, refusal, id, "");
        let answer = Delivery::Answer(json(seq, message));
        self.outgoing.push((line.clone(), answer));
    }

    /// Keeps what a step brought about, and lets the house answer it.
    fn keep(&mut self, step: &Step, batch: &Batch<'_>, now: u64) -> Result<(), StoreError> {
        for event in &step.events {
            batch.record(event, now, None)?;
            self.log_event(event);
        }
        for notice in &step.notices {
            self.touched.insert(notice.to);
            // The house remembers nothing, and nobody else may read what it was told.
            if self.room.player(notice.to).is_some_and(|to| to.house) {
                continue;
            }
            let body: Arc<str> = json(notice.sent.seq, notice.sent.message.clone()).into();
            batch.post(notice, &body)?;
            for line in self.lines.get(&notice.to).into_iter().flatten() {
                let push = Delivery::Push(notice.sent.seq, Arc::clone(&body));
                self.outgoing.push((line.clone(), push));
            }
        }
        for event in &step.events {
            if let Event::Played { seats, event, .. } = event {
                self.house_plays(*seats, event, batch, now)?;
            }
        }
        Ok(())
    }

    /// Logs who comes, and how games begin and end; never a secret, a token or a card.
    fn log_event(&self, event: &Event) {
        match event {
            Event::Joined { player, name, .. } => {
                info!(self.log, "joined"; "player" => player.0, "name" => name.as_str());
            }
            Event::Matched {
                game, kind, seats, ..
            } => debug!(self.log, "started";
                "game" => game, "kind" => kind.name(),
                "player1" => seats[0].0, "player2" => seats[1].0),
            Event::Played {
                game,
                event: tokens::Event::Settled { deltas },
                ..
            } => debug!(self.log, "settled";
                "game" => game, "player1" => deltas[0], "player2" => deltas[1]),
            _ => {}
        }
    }

    /// Lets house players decide on the hands that they were just dealt.
    fn house_plays(
        &mut self,
        seats: [PlayerId; 2],
        event: &tokens::Event,
        batch: &Batch<'_>,
        now: u64,
    ) -> Result<(), StoreError> {
        if matches!(event, tokens::Event::Settled { .. }) {
            self.metrics.game();
        }
        let tokens::Event::Dealt { hands } = event else {
            return Ok(());
        };
        let kind = if hands[0].len() == Kind::Single.cards() {
            Kind::Single
        } else {
            Kind::Double
        };
        for (player, hand) in seats.into_iter().zip(hands) {
            if self.room.player(player).is_some_and(|player| player.house) {
                let decision = self.house.decide(kind, hand, rand::random());
                let step = self.room.step(&Command::Decide { player, decision }, now);
                self.keep(&step.expect("the house decides once"), batch, now)?;
            }
        }
        Ok(())
    }

    /// Lets happen what is due by now.
    pub(super) fn pass_time(&mut self, batch: &Batch<'_>, now: u64) -> Result<(), StoreError> {
        let step = self.room.step(&Command::Tick, now);
        self.keep(&step.expect("time may always pass"), batch, now)?;
        while let Some((_, kind)) = self.called().filter(|(since, _)| since + HOUSE <= now) {
            let player = match self.room.free_house() {
                Some(player) => player,
                None => self.hire(batch, now)?,
            };
            let secret = Secret::new(Hex::new(rand::random()));
            let choice = Command::Choose {
                player,
                kind,
                secret,
            };
            let step = self.room.step(&choice, now);
            self.keep(&step.expect("a free house player may choose"), batch, now)?;
        }
        let late = |since: &u64| since + GRACE <= now;
        let late: Vec<_> = self.gone.iter().filter(|(_, since)| late(since)).collect();
        let late: Vec<_> = late.into_iter().map(|(player, _)| *player).collect();
        for player in late {
            self.gone.remove(&player);
            if let Ok(step) = self.room.step(&Command::Cancel { player }, now) {
                self.keep(&step, batch, now)?;
            }
        }
        Ok(())
    }

    /// Since when somebody waits whom the house should play with, and for which game. It does
    /// not play with those who are gone.
    fn called(&self) -> Option<(u64, Kind)> {
        let waits = |kind: Kind| {
            let (player, since) = self.room.waits_for(kind)?;
            let here = !self.gone.contains_key(&player);
            here.then_some((since, kind))
        };
        let open = self.house_is_open && !self.draining;
        let waiting = Kind::ALL.into_iter().filter_map(waits).filter(|_| open);
        waiting.min_by_key(|(since, _)| *since)
    }

    /// Tells that another program keeps the store to itself.
    pub(super) fn warn_of_others(&self) {
        warn!(self.log, "the store is in use by another program");
    }

    /// Writes down how those stand whose balance or number of messages has changed, and
    /// forgets those who are gone.
    pub(super) fn stand(&mut self, batch: &Batch<'_>) -> Result<(), StoreError> {
        for id in std::mem::take(&mut self.touched) {
            if let Some(player) = self.room.player(id) {
                batch.stand(id, player)?;
                let plays_for_house = player.house && self.house_is_open;
                if !plays_for_house && !self.lines.contains_key(&id) {
                    self.room.dismiss(id);
                }
            }
        }
        Ok(())
    }

    /// Tells what was committed.
    pub(super) fn tell(&mut self) {
        for (line, delivery) in self.outgoing.drain(..) {
            if let Delivery::Push(seq, _) | Delivery::Welcome { seq, .. } = &delivery {
                line.latest.fetch_max(*seq, Ordering::AcqRel);
            }
            // The connection reads from the store what is not handed to it: `latest` tells
            // it. So room is kept for answers, which are told only here.
            let is_push = matches!(delivery, Delivery::Push(..));
            if !is_push || line.sender.capacity() > line.sender.max_capacity() / 2 {
                let _ = line.sender.try_send(delivery);
            }
        }
    }

    fn leave(&mut self, line: u64, now: u64) {
        let Some(player) = self.players.remove(&line) else {
            // Its `hello` was refused.
            return;
        };
        let Some(lines) = self.lines.get_mut(&player) else {
            return;
        };
        lines.retain(|known| known.number != line);
        if !lines.is_empty() {
            return;
        }
        self.lines.remove(&player);
        let place = self.room.player(player).map(|player| player.place);
        if matches!(place, Some(Place::Waiting(_))) {
            self.gone.insert(player, now);
        }
        // He is forgotten once it is written down how he stands.
        self.touched.insert(player);
    }
}

/// The answer to a request that is not granted.
///
/// `reason` says what is wrong with a message that is no request.
pub(super) fn refused(
    line: &Line,
    refusal: Refusal,
    id: Option<RequestId>,
    reason: &str,
) -> Message {
    let text = refusal.text().with("reason", reason);
    Message::Error {
        code: refusal,
        message: line.words.text(&text),
        in_reply_to: id,
    }
}

/// A message as it is sent.
pub(super) fn json(seq: u64, message: Message) -> String {
    serde_json::to_string(&Sent { seq, message }).expect("messages are plain values")
}
