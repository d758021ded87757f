use super::Floor;
use crate::room::{AccessToken, Command, PlayerId};
use crate::server::store::{Batch, StoreError};
use crate::tokens::equilibrium::Strategy;
use crate::tokens::{self, Decision, Hand, Kind, Name};

/// How long somebody waits until the house plays with him, in milliseconds.
pub(super) const HOUSE: u64 = 1500;

/// How the house plays: the equilibrium of each game.
pub(super) struct House([Strategy; 2]);

impl House {
    pub(super) fn new() -> Self {
        Self(Kind::ALL.map(Strategy::equilibrium))
    }

    /// What the house does with a hand; `chance` is evenly spread over all its values.
    pub(super) fn decide(&self, kind: Kind, hand: &Hand, chance: u32) -> Decision {
        let plays = self.0[kind as usize].plays(hand);
        if f64::from(chance) < plays * (f64::from(u32::MAX) + 1.0) {
            Decision::Play
        } else {
            Decision::Fold
        }
    }
}

impl Floor {
    /// Sees that there are at least this many house players, or that none plays.
    pub(in crate::server) fn seat_the_house(
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
    pub(super) fn hire(&mut self, batch: &Batch<'_>, now: u64) -> Result<PlayerId, StoreError> {
        let there = self.room.players().filter(|(_, player)| player.house);
        let name = format!("House {}", there.count() + 1);
        let name = Name::new(&name).expect("a short name");
        self.join(name, true, &AccessToken::new(rand::random()), batch, now)
    }

    /// Since when somebody waits whom the house should play with, and for which game. It does
    /// not play with those who are gone.
    pub(super) fn called(&self) -> Option<(u64, Kind)> {
        let waits = |kind: Kind| {
            let (player, since) = self.room.waits_for(kind)?;
            let here = !self.gone.contains_key(&player);
            here.then_some((since, kind))
        };
        let open = self.house_is_open && !self.draining;
        let waiting = Kind::ALL.into_iter().filter_map(waits).filter(|_| open);
        waiting.min_by_key(|(since, _)| *since)
    }

    /// Lets house players decide on the hands that they were just dealt.
    pub(super) fn house_plays(
        &mut self,
        game: u64,
        seats: [PlayerId; 2],
        event: &tokens::TokenEvent,
        batch: &Batch<'_>,
        now: u64,
    ) -> Result<(), StoreError> {
        if matches!(event, tokens::TokenEvent::Settled { .. }) {
            self.metrics.game();
        }
        let tokens::TokenEvent::Dealt { hands } = event else {
            return Ok(());
        };
        let Some(kind) = self.room.game(game).map(|running| running.game.kind()) else {
            return Ok(());
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
}
