use super::When;
use super::journal::replays;
use super::running::{Late, Running, Wish};
use crate::broken::{Lawful, law};
use crate::chance::Chance;
use std::collections::BTreeMap;
use war::recording::Settlement;
use war::support::hex::Hex;
use war_table::fair::Finished;
use war_table::room::{PlayerId, RoomEvent};
use war_table::server::rooms::RoomNumber;

/// How many games that are over are remembered.
const REMEMBERED: usize = 10_000;

/// The games that run, and the last ones that did.
pub(crate) struct Games {
    running: BTreeMap<u64, Running>,
    /// The last number of each room, which has blocks of its own.
    last: BTreeMap<RoomNumber, u64>,
    /// What time decided in this commit.
    late: Vec<Late>,
    /// What was granted in it.
    granted: Vec<Wish>,
    /// Who plays what.
    playing: BTreeMap<PlayerId, u64>,
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
            last: BTreeMap::new(),
            late: Vec::new(),
            granted: Vec::new(),
            playing: BTreeMap::new(),
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
                let last = self.last.insert(when.room, matched.game);
                let is_new = last.is_none_or(|last| matched.game > last);
                let known = self.running.contains_key(&matched.game);
                let known = known || self.digests.contains_key(&matched.game);
                law("games have new numbers", is_new && !known, unknown)?;
                let others = matched.seats[0] != matched.seats[1];
                law("nobody meets themselves", others, unknown)?;
                for seat in matched.seats {
                    let free = self.playing.insert(seat, matched.game).is_none();
                    law("nobody plays twice at once", free, unknown)?;
                }
                self.running
                    .insert(matched.game, Running::new(matched, when));
                Ok(())
            }
            RoomEvent::Played { game, event, .. } => {
                let Some(running) = self.running.get_mut(game) else {
                    return law("games go on until they end", false, unknown);
                };
                self.granted.extend(running.granted(event));
                self.late.extend(running.happened(event, when)?);
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
        for seat in game.matched.seats {
            self.playing.remove(&seat);
        }
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

    /// A player gets a message.
    pub(super) fn told_to(&self, player: PlayerId, body: &str) -> Lawful {
        let game = self.playing.get(&player);
        let running = game.and_then(|game| self.running.get(game));
        running.map_or(Ok(()), |running| running.keeps_secrets(body))
    }

    /// Judges a commit by what was asked when, all of which the store knows: what was granted was
    /// asked for, and what came in time was granted. What the house does is not asked for.
    pub(super) fn judge(
        &mut self,
        asked: &[(Wish, u64)],
        house: impl Fn(PlayerId) -> bool,
    ) -> Lawful {
        for granted in self.granted.drain(..) {
            let was_asked = asked.iter().any(|(wish, _)| *wish == granted);
            law(
                "nobody acts for another",
                was_asked || house(granted.player),
                || format!("{granted:?}"),
            )?;
        }
        self.timeouts += self.late.len() as u64;
        for late in self.late.drain(..) {
            let in_time = asked.iter().any(|(wish, at)| late.was_asked(wish, *at));
            law("what comes in time counts", !in_time, || {
                format!("{:?}", late.due)
            })?;
        }
        for (wish, at) in asked {
            if let Some(running) = self.running.get_mut(&wish.game) {
                running.asked(wish, *at);
            }
        }
        Ok(())
    }

    /// What a player was told of a game is what was kept.
    pub(crate) fn told(&self, finished: &Finished) -> Lawful {
        let game = finished.start.game;
        let ((told, _), Some(kept)) = (finished.told, self.digests.get(&game)) else {
            return Ok(());
        };
        law(
            "players learn the digest of the journal",
            told == *kept,
            || format!("game {game}: {told} instead of {kept}"),
        )
    }

    /// Every game ends once time passes.
    pub(crate) fn look(&self, when: impl Fn(RoomNumber) -> When) -> Lawful {
        let mut games = self.running.values();
        games.try_for_each(|game| game.look(when(game.room())))
    }

    /// How many games run.
    pub(crate) fn running(&self) -> usize {
        self.running.len()
    }
}
