use super::UnitOfWork;
use super::state::Hub;
use crate::protocol::{PlayerId, house_name};
use crate::room::{Command, OpponentChoice};
use crate::server::store::StoreError;
use war::tokens::{Kind, TokenEvent, commitment};

impl Hub {
    /// Adds house players up to this number in a matchmaking room. Other rooms add a house player
    /// when somebody needs an opponent.
    pub(super) fn ensure_house_players(
        &mut self,
        least: usize,
        unit: &mut UnitOfWork<'_>,
    ) -> Result<(), StoreError> {
        let players = self.room.players();
        let house = players.filter(|(_, player)| player.house);
        let house: Vec<_> = house.map(|(id, _)| id).collect();
        let least = if self.matchmaking.position.is_matchmaking_room() {
            least
        } else {
            0
        };
        for _ in house.len()..least {
            self.add_house_player(unit)?;
        }
        // If the house is closed, its players are dismissed like other players who left.
        for player in house {
            unit.touch(player);
        }
        Ok(())
    }

    /// Adds a house player.
    fn add_house_player(&mut self, unit: &mut UnitOfWork<'_>) -> Result<PlayerId, StoreError> {
        let house = self.room.players().filter(|(_, player)| player.house);
        let name = house_name(house.count() + 1);
        let token = self.randomness.access_token();
        self.join(name, true, &token, unit)
    }

    /// Matches a house player with the player who waits for a game of this kind.
    pub(super) fn match_with_house(
        &mut self,
        kind: Kind,
        opponent: OpponentChoice,
        unit: &mut UnitOfWork<'_>,
    ) -> Result<(), StoreError> {
        let player = match self.room.find_free_house_player() {
            Some(player) => player,
            None => self.add_house_player(unit)?,
        };
        let seed = self.randomness.seed();
        let game = self.room.next_game_number();
        let choice = Command::Choose {
            player,
            kind,
            opponent,
            seed_hash: Some(commitment(&seed)),
            secret: self.randomness.secret(),
        };
        let chosen = self.room.step(&choice, unit.now());
        self.persist(&chosen.expect("a free house player may choose"), None, unit)?;
        let open = Command::Seed {
            player,
            game,
            value: seed,
        };
        let opened = self.room.step(&open, unit.now());
        self.persist(&opened.expect("the house has met somebody"), None, unit)
    }

    /// If an event deals hands, lets the house players of the game decide. Also counts finished
    /// games and timeouts.
    pub(super) fn decide_for_house(
        &mut self,
        game: u64,
        seats: [PlayerId; 2],
        event: &TokenEvent,
        unit: &mut UnitOfWork<'_>,
    ) -> Result<(), StoreError> {
        match event {
            TokenEvent::Settled { .. } => self.metrics.count_game(),
            TokenEvent::Decided {
                timed_out: true, ..
            }
            | TokenEvent::Forfeited { .. } => self.metrics.count_timeout(),
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
            if self.is_house_player(player) {
                let decision = self
                    .matchmaking
                    .house
                    .decide(kind, hand, self.randomness.number());
                let decide = Command::Decide {
                    player,
                    game,
                    deal,
                    decision,
                };
                let decided = self.room.step(&decide, unit.now());
                self.persist(&decided.expect("the house decides once"), None, unit)?;
            }
        }
        Ok(())
    }

    pub(super) fn is_house_player(&self, player: PlayerId) -> bool {
        self.room.player(player).is_some_and(|player| player.house)
    }
}
