use crate::world::broken::{Lawful, law};
use std::collections::{BTreeMap, BTreeSet};
use war::room::{PlayerId, RequestId};
use war::server::hub::ANSWERS_KEPT;
use war::server::store::Answer;

/// What was answered to whom in the last hour.
#[derive(Default)]
pub(super) struct Answers {
    known: BTreeMap<(PlayerId, String), u64>,
    by_time: BTreeSet<(u64, PlayerId, String)>,
}

impl Answers {
    /// A request is done once, and answered by messages that are there.
    pub(super) fn kept(
        &mut self,
        player: PlayerId,
        id: &str,
        answer: &Answer,
        at: u64,
        last: u64,
    ) -> Lawful {
        let key = (player, id.to_owned());
        let before = self.known.insert(key, at);
        law("a request is done once", before.is_none(), || {
            format!("{id} of {player} at {at} and at {before:?}")
        })?;
        let first = answer.messages.first();
        law("an answer follows what was sent", first <= last + 1, || {
            format!("{answer:?} after {last}")
        })?;
        self.by_time.insert((at, player, id.to_owned()));
        Ok(())
    }

    pub(super) fn has(&self, player: PlayerId, id: &RequestId) -> bool {
        self.known.contains_key(&(player, id.as_str().to_owned()))
    }

    /// Forgets what the table may forget.
    pub(super) fn forget(&mut self, now: u64) {
        let before = now.saturating_sub(ANSWERS_KEPT);
        while let Some((at, player, id)) = self.by_time.pop_first() {
            if at >= before {
                self.by_time.insert((at, player, id));
                break;
            }
            self.known.remove(&(player, id));
        }
    }
}
