use super::UnitOfWork;
use super::state::Hub;
use crate::protocol::{PlayerId, house_name};
use crate::room::{Command, Meeting};
use crate::server::store::StoreError;
use war::tokens::{Kind, TokenEvent, commitment};

impl Hub {
    /// Makes sure that there are at least this many house players where people meet, or that none
    /// plays. In another room they are hired when somebody needs them.
    pub(super) fn seat_the_house(
        &mut self,
        least: usize,
        unit: &mut UnitOfWork<'_>,
    ) -> Result<(), StoreError> {
        let players = self.room.players();
        let house = players.filter(|(_, player)| player.house);
        let house: Vec<_> = house.map(|(id, _)| id).collect();
        let least = if self.location.is_meeting() { least } else { 0 };
        for _ in house.len()..least {
            self.hire(unit)?;
        }
        // Where the house is closed they are dismissed, as other players who are gone.
        for player in house {
            unit.touch(player);
        }
        Ok(())
    }

    /// Adds a house player.
    fn hire(&mut self, unit: &mut UnitOfWork<'_>) -> Result<PlayerId, StoreError> {
        let house = self.room.players().filter(|(_, player)| player.house);
        let name = house_name(house.count() + 1);
        let token = self.randomness.access_token();
        self.join(name, true, &token, unit)
    }

    /// Since when somebody waits with whom the house should play, and for which game. It does
    /// not play with players who are gone, and lets those who come back say first that they
    /// wait no longer.
    pub(super) fn called(&self) -> Option<(u64, Kind)> {
        let waits = |kind: Kind| {
            let (player, since) = self.room.waits_for(kind)?;
            let here = !self.gone.contains_key(&player);
            let back = self.back.get(&player).copied().unwrap_or(0);
            here.then_some((since.max(back), kind))
        };
        let open = self.house_is_open && !self.draining;
        let waiting = Kind::ALL.into_iter().filter_map(waits).filter(|_| open);
        waiting.min_by_key(|(since, _)| *since)
    }

    /// Lets a house player meet the one who waits so for a game of this kind.
    pub(super) fn step_in(
        &mut self,
        kind: Kind,
        meeting: Meeting,
        unit: &mut UnitOfWork<'_>,
    ) -> Result<(), StoreError> {
        let player = match self.room.free_house() {
            Some(player) => player,
            None => self.hire(unit)?,
        };
        let seed = self.randomness.seed();
        let game = self.room.next_game();
        let choice = Command::Choose {
            player,
            kind,
            meeting,
            seed_hash: commitment(&seed),
            secret: self.randomness.secret(),
        };
        let chosen = self.room.step(&choice, unit.now());
        self.persist(&chosen.expect("a free house player may choose"), unit)?;
        let open = Command::Seed {
            player,
            game,
            value: seed,
        };
        let opened = self.room.step(&open, unit.now());
        self.persist(&opened.expect("the house has met somebody"), unit)
    }

    /// Lets house players decide on the hands that they were just dealt.
    pub(super) fn let_the_house_play(
        &mut self,
        game: u64,
        seats: [PlayerId; 2],
        event: &TokenEvent,
        unit: &mut UnitOfWork<'_>,
    ) -> Result<(), StoreError> {
        match event {
            TokenEvent::Settled { .. } => self.metrics.game(),
            TokenEvent::Decided {
                timed_out: true, ..
            }
            | TokenEvent::Forfeited { .. } => self.metrics.timeout(),
            _ => {}
        }
        let TokenEvent::Dealt { hands } = event else {
            return Ok(());
        };
        let Some(running) = self.room.game(game) else {
            return Ok(());
        };
        let (kind, deal) = (running.game.kind(), running.game.deals());
        for (player, hand) in seats.into_iter().zip(hands) {
            if self.is_of_the_house(player) {
                let decision = self.house.decide(kind, hand, self.randomness.number());
                let decide = Command::Decide {
                    player,
                    game,
                    deal,
                    decision,
                };
                let decided = self.room.step(&decide, unit.now());
                self.persist(&decided.expect("the house decides once"), unit)?;
            }
        }
        Ok(())
    }

    pub(super) fn is_of_the_house(&self, player: PlayerId) -> bool {
        self.room.player(player).is_some_and(|player| player.house)
    }
}
