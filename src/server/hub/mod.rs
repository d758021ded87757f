//! The floor: the room with its connections, and what is kept and told of each step.

mod house;
mod requests;

pub(super) use requests::{json, refused};

use super::metrics::Metrics;
use super::store::{Batch, Store, StoreError};
use super::writer::{Ask, Delivery, Health, Line};
use crate::hex::Hex;
use crate::room::{Command, Effects, Place, Player, PlayerId, Room, RoomEvent};
use crate::tokens::{self, Secret};
use house::{HOUSE, House};
use slog::{Logger, debug, info, warn};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;
use tokio::sync::OwnedSemaphorePermit;

/// How long a player may be gone before he waits no longer, in milliseconds.
const GRACE: u64 = 15_000;
/// How long the desk rests at most, in milliseconds.
const REST: u64 = 1000;

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
    /// Given back once it is told: only as many answers may be on their way as fit.
    turns: Vec<OwnedSemaphorePermit>,
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
            turns: Vec::new(),
            metrics,
            log,
            draining: false,
        }
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
                self.turns.push(turn);
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

    /// Keeps what a step brought about, and lets the house answer it.
    fn keep(&mut self, step: &Effects, batch: &Batch<'_>, now: u64) -> Result<(), StoreError> {
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
            if let RoomEvent::Played {
                game, seats, event, ..
            } = event
            {
                self.house_plays(*game, *seats, event, batch, now)?;
            }
        }
        Ok(())
    }

    /// Logs who comes, and how games begin and end; never a secret, a token or a card.
    fn log_event(&self, event: &RoomEvent) {
        match event {
            RoomEvent::Joined { player, name, .. } => {
                info!(self.log, "joined"; "player" => player.0, "name" => name.as_str());
            }
            RoomEvent::Matched {
                game, kind, seats, ..
            } => debug!(self.log, "started";
                "game" => game, "kind" => kind.name(),
                "player1" => seats[0].0, "player2" => seats[1].0),
            RoomEvent::Played {
                game,
                event: tokens::TokenEvent::Settled { deltas },
                ..
            } => debug!(self.log, "settled";
                "game" => game, "player1" => deltas[0], "player2" => deltas[1]),
            _ => {}
        }
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
        self.turns.clear();
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
