use crate::world::broken::{Lawful, law};
use std::collections::BTreeMap;
use war::room::{PlayerId, RoomEvent};
use war::tokens::Kind;

/// How long somebody waits at most until they meet somebody, by the table's time: three seconds,
/// and as much as may count of a time in which the node was stopped.
const MEETS_WITHIN: u64 = 3_000 + 2_500;

/// Who waits, and who is there.
pub(crate) struct Waiting {
    /// Who chose what, and when.
    queue: BTreeMap<PlayerId, (Kind, u64)>,
    /// How many connections each player has, and since when they have one.
    here: BTreeMap<PlayerId, (u32, u64)>,
    /// Whether the house plays.
    house: bool,
    /// Whether no game starts.
    pub(crate) drains: bool,
}

impl Waiting {
    pub(super) const fn new(house: bool) -> Self {
        Self {
            queue: BTreeMap::new(),
            here: BTreeMap::new(),
            house,
            drains: false,
        }
    }

    pub(super) fn happened(&mut self, event: &RoomEvent) -> Lawful {
        match event {
            RoomEvent::Chose {
                player, kind, at, ..
            } => {
                let new = self.queue.insert(*player, (*kind, *at)).is_none();
                law("nobody waits twice", new, || player.to_string())
            }
            RoomEvent::Cancelled { player } => {
                let waited = self.queue.remove(player).is_some();
                law("who leaves was waiting", waited, || player.to_string())
            }
            RoomEvent::Matched(matched) => {
                let [first, _] = matched.seats;
                let waited = self.queue.remove(&first);
                law(
                    "who waits longest plays first",
                    waited.is_some_and(|(kind, _)| kind == matched.kind),
                    || format!("{first} {waited:?}"),
                )
            }
            _ => Ok(()),
        }
    }

    /// Two who wait for the same game have met.
    pub(super) fn one_each(&self) -> Lawful {
        for kind in Kind::ALL {
            let wait = self.queue.values().filter(|(game, _)| *game == kind);
            let wait = wait.count();
            law("those who wait for a game meet", wait <= 1, || {
                format!("{wait} wait for {}", kind.name())
            })?;
        }
        Ok(())
    }

    /// A player is known on one more connection.
    pub(crate) fn comes(&mut self, player: PlayerId, time: u64) {
        let here = self.here.entry(player).or_insert((0, time));
        here.0 += 1;
    }

    /// A player has a connection less.
    pub(crate) fn goes(&mut self, player: PlayerId) {
        if let Some((connections, _)) = self.here.get_mut(&player) {
            *connections -= 1;
            if *connections == 0 {
                self.here.remove(&player);
            }
        }
    }

    /// The server starts anew: nobody is here.
    pub(crate) fn everybody_goes(&mut self) {
        self.here.clear();
        self.drains = false;
    }

    /// Nobody who is here waits for long.
    pub(crate) fn look(&self, time: u64) -> Lawful {
        if !self.house || self.drains {
            return Ok(());
        }
        for (player, (_, since)) in &self.queue {
            let here = self.here.get(player);
            let since = here.map_or(time, |(_, here)| *since.max(here));
            let waited = time.saturating_sub(since);
            law("nobody waits for long", waited <= MEETS_WITHIN, || {
                format!("{player} for {waited}")
            })?;
        }
        Ok(())
    }
}
