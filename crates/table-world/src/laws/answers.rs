use crate::broken::{Lawful, law};
use std::collections::{BTreeMap, BTreeSet};
use war_table::room::{PlayerId, RequestId};
use war_table::server::hub::ANSWERS_KEPT;
use war_table::server::rooms::RoomNumber;
use war_table::server::store::Answer;

/// What was answered to whom in the last hour.
#[derive(Default)]
pub(super) struct Answers {
    known: BTreeMap<(PlayerId, String), Known>,
    by_time: BTreeSet<(RoomNumber, u64, PlayerId, String)>,
}

/// An answer that is known.
struct Known {
    /// Of which room, and when by its time.
    at: (RoomNumber, u64),
    /// Since when, by the world's time.
    since: u64,
}

impl Answers {
    /// A request is done once, and answered by messages that are there.
    pub(super) fn kept(
        &mut self,
        player: PlayerId,
        id: &str,
        answer: &Answer,
        at: (RoomNumber, u64),
        since: u64,
        last: u64,
    ) -> Lawful {
        let key = (player, id.to_owned());
        let before = self.known.insert(key, Known { at, since });
        let before = before.map(|known| known.at);
        law("a request is done once", before.is_none(), || {
            format!("{id} of {player} at {at:?} and at {before:?}")
        })?;
        let first = answer.messages.first();
        law("an answer follows what was sent", first <= last + 1, || {
            format!("{answer:?} after {last}")
        })?;
        self.by_time.insert((at.0, at.1, player, id.to_owned()));
        Ok(())
    }

    /// Whether a request that was made at this time of the world is answered, and was not yet when
    /// it was made.
    pub(super) fn is_answer(&self, player: PlayerId, id: &RequestId, at: u64) -> bool {
        let known = self.known.get(&(player, id.as_str().to_owned()));
        known.is_some_and(|known| at <= known.since)
    }

    /// Forgets what a room may forget.
    pub(super) fn forget(&mut self, room: RoomNumber, now: u64) {
        let before = now.saturating_sub(ANSWERS_KEPT);
        let from = (room, 0, PlayerId(0), String::new());
        while let Some(first) = self.by_time.range(&from..).next()
            && first.0 == room
            && first.1 < before
        {
            let first = first.clone();
            self.by_time.remove(&first);
            let (.., player, id) = first;
            self.known.remove(&(player, id));
        }
    }
}
