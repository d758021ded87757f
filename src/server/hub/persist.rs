use super::state::Hub;
use super::{Outbound, UnitOfWork};
use crate::room::{Effects, Match, Notice, RoomEvent};
use crate::server::reply::json;
use crate::server::store::StoreError;
use crate::tokens::TokenEvent;
use slog::{debug, info};
use std::sync::Arc;

impl Hub {
    /// Persists what a step of the room brought about, and lets the house answer it.
    pub(super) fn persist(
        &mut self,
        effects: &Effects,
        unit: &mut UnitOfWork<'_>,
    ) -> Result<(), StoreError> {
        for event in &effects.events {
            self.record(event, unit)?;
        }
        for notice in &effects.notices {
            self.post(notice, unit)?;
        }
        for event in &effects.events {
            if let RoomEvent::Played {
                game, seats, event, ..
            } = event
            {
                self.let_the_house_play(*game, *seats, event, unit)?;
            }
        }
        Ok(())
    }

    /// Appends an event to the store.
    pub(super) fn record(
        &self,
        event: &RoomEvent,
        unit: &mut UnitOfWork<'_>,
    ) -> Result<(), StoreError> {
        let now = unit.now();
        unit.store().record(event, now)?;
        self.log_event(event);
        Ok(())
    }

    /// Keeps a message, and publishes it to all clients of its player.
    fn post(&self, notice: &Notice, unit: &mut UnitOfWork<'_>) -> Result<(), StoreError> {
        unit.touch(notice.to);
        // The house remembers nothing, and nobody else may read its messages.
        if self.is_of_the_house(notice.to) {
            return Ok(());
        }
        let seq = notice.sent.seq;
        let body: Arc<str> = json(seq, notice.sent.message.clone()).into();
        unit.store().post(notice, &body)?;
        for client in self.connections.get(&notice.to).into_iter().flatten() {
            let body = Arc::clone(&body);
            unit.publish(*client, Outbound::Push { seq, body });
        }
        Ok(())
    }

    /// Writes down the balance and the last message of the players for whom they have
    /// changed, and dismisses those who are gone.
    pub(super) fn persist_touched(&mut self, unit: &mut UnitOfWork<'_>) -> Result<(), StoreError> {
        for id in unit.take_touched() {
            if let Some(player) = self.room.player(id) {
                unit.store().persist(id, player)?;
                let plays_for_house = player.house && self.house_is_open;
                if !plays_for_house && !self.connections.contains_key(&id) {
                    self.room.dismiss(id);
                }
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
            RoomEvent::Matched(Match {
                game, kind, seats, ..
            }) => debug!(self.log, "started";
                "game" => game, "kind" => kind.name(),
                "player1" => seats[0].0, "player2" => seats[1].0),
            RoomEvent::Played {
                game,
                event: TokenEvent::Settled { deltas },
                ..
            } => debug!(self.log, "settled";
                "game" => game, "player1" => deltas[0], "player2" => deltas[1]),
            _ => {}
        }
    }
}
