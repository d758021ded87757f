use super::When;
use super::journal::replays;
use super::running::{Late, Running, Wish};
use crate::world::broken::{Lawful, law};
use crate::world::chance::Chance;
use std::collections::BTreeMap;
use war::fair::Finished;
use war::hex::Hex;
use war::recording::Settlement;
use war::room::{PlayerId, Request, RoomEvent};
use war::tokens::commitment;

/// How many games that are over are remembered.
const REMEMBERED: usize = 10_000;

/// The games that run, and the last ones that did.
pub(crate) struct Games {
    running: BTreeMap<u64, Running>,
    last: u64,
    /// What time decided in this commit.
    late: Vec<Late>,
    /// What was asked in it, in time.
    broken: Lawful,
    digests: BTreeMap<u64, Hex<16>>,
    replayed: f64,
    chance: Chance,
    /// How many journals were replayed.
    pub(crate) journals: u64,
    /// How many seeds and decisions time took.
    pub(crate) timeouts: u64,
}

impl Games {
    pub(super) const fn new(replayed: f64, chance: Chance) -> Self {
        Self {
            running: BTreeMap::new(),
            last: 0,
            late: Vec::new(),
            broken: Ok(()),
            digests: BTreeMap::new(),
            replayed,
            chance,
            journals: 0,
            timeouts: 0,
        }
    }

    pub(super) fn happened(&mut self, event: &RoomEvent, when: When) -> Lawful {
        let unknown = || format!("{event:?}");
        match event {
            RoomEvent::Matched(matched) => {
                law("games have new numbers", matched.game > self.last, unknown)?;
                self.last = matched.game;
                let others = matched.seats[0] != matched.seats[1];
                law("nobody meets themselves", others, unknown)?;
                self.running
                    .insert(matched.game, Running::new(matched, when));
                Ok(())
            }
            RoomEvent::Played { game, event, .. } => {
                let running = self.running.get_mut(game);
                law("games go on until they end", running.is_some(), unknown)?;
                let late = running.map(|running| running.happened(event, when));
                self.late.extend(late.transpose()?.flatten());
                Ok(())
            }
            RoomEvent::WentOn { game, .. } => {
                if let Some(running) = self.running.get_mut(game) {
                    running.goes_on(when);
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// A game is over, and this is in its journal.
    pub(super) fn settled(&mut self, number: u64, settlement: &Settlement) -> Lawful {
        let Some(game) = self.running.remove(&number) else {
            return law("games end once", false, || number.to_string());
        };
        self.digests.insert(number, settlement.digest);
        if self.digests.len() > REMEMBERED {
            self.digests.pop_first();
        }
        if self.chance.happens(self.replayed) {
            self.journals += 1;
            replays(&game.matched, &game.events, settlement)?;
        }
        Ok(())
    }

    /// A player asked for something, which the store knows.
    pub(super) fn asked(&mut self, player: PlayerId, request: &Request, at: u64) {
        let (game, deal, hash) = match request {
            Request::Seed { game_id, value, .. } => (*game_id, 0, Some(commitment(value))),
            Request::Decide { game_id, deal, .. } => (*game_id, *deal, None),
            _ => return,
        };
        let wish = Wish {
            player,
            game,
            deal,
            hash,
        };
        if self.late.iter().any(|late| late.was_asked(&wish, at)) {
            self.broken = law("what comes in time counts", false, || format!("{wish:?}"));
        }
        if let Some(running) = self.running.get_mut(&game) {
            running.asked(&wish, at);
        }
    }

    /// Judges what was asked in a commit by what became of it.
    pub(super) fn judge(&mut self) -> Lawful {
        self.timeouts += self.late.len() as u64;
        self.late.clear();
        std::mem::replace(&mut self.broken, Ok(()))
    }

    /// What a player was told of a game is what was kept.
    pub(crate) fn told(&self, finished: &Finished) -> Lawful {
        let game = finished.start.game;
        let (Some((told, _)), Some(kept)) = (finished.told, self.digests.get(&game)) else {
            return Ok(());
        };
        law(
            "players learn the digest of the journal",
            told == *kept,
            || format!("game {game}: {told} instead of {kept}"),
        )
    }

    /// Every game ends once time passes.
    pub(crate) fn look(&self, when: When) -> Lawful {
        self.running.values().try_for_each(|game| game.look(when))
    }

    /// How many games run.
    pub(crate) fn running(&self) -> usize {
        self.running.len()
    }
}
