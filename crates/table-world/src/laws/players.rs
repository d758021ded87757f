//! The laws of what each player has: tokens, games that are over, messages, and answers.

use super::law::{Lawful, law};
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use war_table::protocol::{Message, NumberedMessage, PlayerId, RequestId};
use war_table::room::{FinishedGame, Player};
use war_table::server::hub::{ANSWERS_KEPT, Outbound};
use war_table::server::rooms::RoomNumber;
use war_table::server::store::Answer;

/// What every player must have, by the entries of the ledger: what one gets, another one or the
/// bank gives.
#[derive(Default)]
pub(crate) struct Ledger {
    balances: BTreeMap<PlayerId, i64>,
    bank: i64,
    total: i64,
    /// How many games were settled.
    pub(crate) games: u64,
}

impl Ledger {
    pub(super) fn joined(&mut self, id: PlayerId, player: &Player) -> Lawful {
        let opening = Player::OPENING_BALANCE;
        let begins = player.balance == opening && self.balances.insert(id, opening).is_none();
        law("everybody joins once, with the same tokens", begins, || {
            format!("{id} {player:?}")
        })?;
        self.bank -= opening;
        self.total += opening;
        Ok(())
    }

    pub(super) fn settled(&mut self, seats: [PlayerId; 2], deltas: [i64; 2]) {
        for (player, delta) in seats.into_iter().zip(deltas) {
            *self.balances.entry(player).or_default() += delta;
            self.total += delta;
            self.bank -= delta;
        }
        self.games += 1;
    }

    /// What the store has of a player when their batch ends is what the ledger says.
    pub(super) fn persisted(&self, id: PlayerId, player: &Player) -> Lawful {
        let due = self.balances.get(&id);
        law("the ledger adds up", due == Some(&player.balance), || {
            format!("{id} has {} and should have {due:?}", player.balance)
        })?;
        law("the ledger adds up", self.total + self.bank == 0, || {
            format!("players {} bank {}", self.total, self.bank)
        })
    }

    /// What a player must have.
    pub(crate) fn balance(&self, id: PlayerId) -> Option<i64> {
        self.balances.get(&id).copied()
    }
}

/// Which games are to be kept for whom, and the tokens that they moved.
#[derive(Default)]
pub(crate) struct KeptGames {
    due: BTreeMap<(u64, PlayerId), i64>,
}

impl KeptGames {
    /// A game was settled: it is kept for each of its players but the house.
    pub(super) fn settled(
        &mut self,
        game: u64,
        seats: [PlayerId; 2],
        deltas: [i64; 2],
        is_house: impl Fn(PlayerId) -> bool,
    ) {
        let players = seats.into_iter().zip(deltas);
        let players = players.filter(|(player, _)| !is_house(*player));
        self.due
            .extend(players.map(|(player, delta)| ((game, player), delta)));
    }

    /// A game is kept for a player who has so many tokens then.
    pub(super) fn kept(&mut self, game: &FinishedGame, balance: Option<i64>) -> Lawful {
        let due = self.due.remove(&(game.game, game.player));
        let fits = due == Some(game.tokens) && balance == Some(game.balance);
        law("a game is kept as it was", fits, || {
            format!("{game:?} moved {due:?} and left {balance:?}")
        })
    }

    /// A batch ends.
    pub(super) fn all_kept(&self) -> Lawful {
        law(
            "every game is kept for its players",
            self.due.is_empty(),
            || format!("{:?}", self.due),
        )
    }
}

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
    let read = |text: &str| serde_json::from_str::<NumberedMessage>(text).ok();
    read(kept).is_some_and(|kept| read(sent).is_some_and(|sent| unnamed(&sent) == kept))
}

/// A message without the opponent's name, which a store does not keep.
pub(crate) fn unnamed(sent: &NumberedMessage) -> NumberedMessage {
    let mut sent = sent.clone();
    if let Message::Started { opponent, .. } = &mut sent.message {
        opponent.name = None;
    }
    sent
}

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
