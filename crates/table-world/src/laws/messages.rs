use crate::broken::{Lawful, law};
use crate::player::unnamed;
use serde::Deserialize;
use std::collections::BTreeMap;
use war_table::room::{Player, PlayerId, Sent};
use war_table::server::hub::Outbound;

/// The messages that were committed, by player.
#[derive(Default)]
pub(crate) struct Messages {
    last: BTreeMap<PlayerId, u64>,
    /// The house has none.
    house: BTreeMap<PlayerId, u64>,
    /// When each was written, and what, until it is dropped.
    written: BTreeMap<(PlayerId, u64), (u64, String)>,
}

/// What stands in every message.
#[derive(Deserialize)]
struct Numbered<'a> {
    seq: u64,
    #[serde(rename = "type")]
    kind: &'a str,
}

impl Messages {
    pub(super) fn joined(&mut self, id: PlayerId, house: bool) -> Lawful {
        let known = if house {
            &mut self.house
        } else {
            &mut self.last
        };
        let new = known.insert(id, 0).is_none();
        law("everybody joins once", new, || id.to_string())
    }

    pub(super) fn posted(&mut self, to: PlayerId, seq: u64, body: &str, at: u64) -> Lawful {
        let last = self.last.get_mut(&to);
        let next = last.as_ref().map(|last| **last + 1);
        law("numbers have no gap", next == Some(seq), || {
            format!("{seq} instead of {next:?} to {to}: {body}")
        })?;
        if let Some(last) = last {
            *last = seq;
        }
        self.written.insert((to, seq), (at, body.to_owned()));
        Ok(())
    }

    /// When a message was written, by the world's time.
    pub(crate) fn at(&self, player: PlayerId, seq: u64) -> Option<u64> {
        self.written.get(&(player, seq)).map(|(at, _)| *at)
    }

    /// Forgets the messages to a player up to this one.
    pub(crate) fn drop_until(&mut self, player: PlayerId, last: u64) {
        while let Some((key, _)) = self.written.range((player, 0)..=(player, last)).next() {
            let key = *key;
            self.written.remove(&key);
        }
    }

    fn is_dropped(&self, player: PlayerId, seq: u64) -> bool {
        let mut kept = self.written.range((player, 0)..=(player, u64::MAX));
        kept.next().is_some_and(|((_, first), _)| seq < *first)
    }

    pub(super) fn persisted(&mut self, id: PlayerId, player: &Player) -> Lawful {
        if let Some(last) = self.house.get_mut(&id) {
            let goes_on = player.seq >= *last;
            *last = player.seq;
            return law("no number comes again", goes_on, || {
                format!("{id} {}", player.seq)
            });
        }
        let last = self.last.get(&id);
        law("no number comes again", last == Some(&player.seq), || {
            format!("{id} has {} and was sent {last:?}", player.seq)
        })
    }

    pub(super) fn is_of_the_house(&self, id: PlayerId) -> bool {
        self.house.contains_key(&id)
    }

    /// The number of the last message to a player.
    pub(crate) fn last(&self, id: PlayerId) -> u64 {
        self.last.get(&id).copied().unwrap_or_default()
    }

    pub(super) fn published(&self, player: Option<PlayerId>, outbound: &Outbound) -> Lawful {
        const LAW: &str = "what is published is committed";
        match outbound {
            Outbound::Welcome { player, seq, .. } => law(LAW, *seq <= self.last(*player), || {
                format!("{player} {seq} after {}", self.last(*player))
            }),
            Outbound::Push { seq, body } => {
                // Who was stopped may publish what has been dropped since.
                let dropped = player.is_some_and(|player| self.is_dropped(player, *seq));
                let kept = player.and_then(|player| self.written.get(&(player, *seq)));
                let same = kept.is_some_and(|(_, kept)| **kept == **body || is_named(kept, body));
                law(LAW, same || dropped, || format!("{body} is {kept:?}"))
            }
            Outbound::Answer(body) => {
                let numbered: Result<Numbered<'_>, _> = serde_json::from_str(body);
                let last = player.map_or(u64::MAX, |player| self.last(player));
                let fits = numbered.is_ok_and(|sent| sent.seq <= last || sent.kind == "error");
                law(LAW, fits, || body.clone())
            }
            // Nobody in this world is an operator.
            Outbound::Resumed(_)
            | Outbound::Done
            | Outbound::Elsewhere(_)
            | Outbound::Released
            | Outbound::Operated(_)
            | Outbound::Retained(_)
            | Outbound::Expelled => Ok(()),
        }
    }
}

/// Whether one message is the other one with a name.
fn is_named(kept: &str, sent: &str) -> bool {
    let read = |text: &str| serde_json::from_str::<Sent>(text).ok();
    read(kept).is_some_and(|kept| read(sent).is_some_and(|sent| unnamed(&sent) == kept))
}
