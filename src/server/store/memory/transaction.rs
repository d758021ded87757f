use super::fault::{Faults, failure};
use super::shared::Shared;
use super::tenure::Hold;
use super::{Fault, StoreCall, Write};
use crate::log::Leaf;
use crate::recording::Settlement;
use crate::room::{Activity, Match, Notice, Player, PlayerId, RequestId, RoomEvent};
use crate::server::store::{
    Answer, Claim, Damage, KeptAnswer, LeafPlace, MessageRange, Registration, StoreError,
    SweepPosition, TokenHash, Transaction, Wanted,
};
use crate::tokens::TokenEvent;
use std::collections::BTreeSet;

/// What is written in order, which is kept in the end.
pub(super) struct MemoryTransaction<'a> {
    store: &'a Shared,
    faults: &'a Faults,
    /// The row of the room, where nodes share it.
    hold: Option<Hold<'a>>,
    writes: Vec<Write>,
}

impl<'a> MemoryTransaction<'a> {
    pub(super) const fn new(store: &'a Shared, faults: &'a Faults, hold: Option<Hold<'a>>) -> Self {
        Self {
            store,
            faults,
            hold,
            writes: Vec::new(),
        }
    }

    fn check(&self) -> Result<(), StoreError> {
        self.faults.check(StoreCall::Use)
    }

    fn write(&mut self, write: Write) -> Result<(), StoreError> {
        self.check()?;
        self.writes.push(write);
        Ok(())
    }

    /// What the last write that says something says.
    fn last<T>(&self, says: impl FnMut(&Write) -> Option<T>) -> Option<T> {
        self.writes.iter().rev().find_map(says)
    }

    /// Whether a player waits or plays.
    fn is_busy(&self, player: PlayerId) -> bool {
        let written = self.last(|write| {
            let Write::Record(_, event) = write else {
                return None;
            };
            busy_by(event, player)
        });
        written.unwrap_or_else(|| self.store.kept().is_busy(player))
    }
}

/// Whether an event lets a player wait or play, if it says so.
fn busy_by(event: &RoomEvent, player: PlayerId) -> Option<bool> {
    match event {
        RoomEvent::Chose { player: id, .. } => (*id == player).then_some(true),
        RoomEvent::Cancelled { player: id } => (*id == player).then_some(false),
        RoomEvent::Matched(Match { seats, .. }) => seats.contains(&player).then_some(true),
        RoomEvent::Played {
            seats,
            event: TokenEvent::Settled { .. },
            ..
        } => seats.contains(&player).then_some(false),
        _ => None,
    }
}

impl Transaction for MemoryTransaction<'_> {
    fn prepare(&mut self, _wanted: &Wanted) -> Result<(), StoreError> {
        self.check()
    }

    /// There is no other room.
    fn claim(
        &mut self,
        players: &BTreeSet<PlayerId>,
    ) -> Result<Vec<(PlayerId, Claim)>, StoreError> {
        let claimed = players
            .iter()
            .map(|&id| Ok((id, Claim::Ours(self.player(id)?))));
        claimed.collect()
    }

    fn release(&mut self, _player: PlayerId) -> Result<(), StoreError> {
        self.check()
    }

    fn player(&self, id: PlayerId) -> Result<Player, StoreError> {
        self.check()?;
        let written = self.last(|write| match write {
            Write::Register(known, player, _) | Write::Persist(known, player) => {
                (*known == id).then(|| player.clone())
            }
            _ => None,
        });
        let kept = || self.store.kept().players.get(&id).cloned();
        let found = written.or_else(|| kept().map(|(player, _)| player));
        Ok(found.ok_or(Damage::Player)?)
    }

    fn player_with_token(&self, token: &TokenHash) -> Result<Option<PlayerId>, StoreError> {
        self.check()?;
        let written = self.last(|write| match write {
            Write::Register(id, player, known) if known == token && !player.house => Some(*id),
            _ => None,
        });
        Ok(written.or_else(|| self.store.kept().tokens.get(token).copied()))
    }

    fn answer(&self, player: PlayerId, id: &RequestId) -> Result<Option<Answer>, StoreError> {
        self.check()?;
        let is_it = |known: &PlayerId, request: &str| *known == player && request == id.as_str();
        let written = self.last(|write| match write {
            Write::Answer(known, request, answer, _) => {
                is_it(known, request).then_some(Some(*answer))
            }
            Write::Forget(gone) => gone
                .iter()
                .any(|(known, request)| is_it(known, request))
                .then_some(None),
            _ => None,
        });
        let kept = || {
            let key = (player, id.as_str().to_owned());
            let kept = self.store.kept();
            kept.answers.get(&key).map(|(answer, _)| *answer)
        };
        Ok(written.unwrap_or_else(kept))
    }

    fn messages(
        &self,
        player: PlayerId,
        range: MessageRange,
    ) -> Result<Vec<(u64, String)>, StoreError> {
        self.check()?;
        if range.first() > range.last() {
            return Ok(Vec::new());
        }
        let kept = self.store.kept();
        let within = kept
            .outbox
            .range((player, range.first())..=(player, range.last()));
        let within = within.map(|((_, seq), body)| (*seq, body.clone()));
        let numbers = range.first()..=range.last();
        let written = self.writes.iter().filter_map(|write| match write {
            Write::Post(to, seq, body) if *to == player && numbers.contains(seq) => {
                Some((*seq, body.clone()))
            }
            _ => None,
        });
        Ok(within.chain(written).collect())
    }

    fn game(&self, game: u64) -> Result<Vec<RoomEvent>, StoreError> {
        self.check()?;
        let written = self.writes.iter().filter_map(|write| match write {
            Write::Record(_, event) if event.game() == Some(game) => Some(event),
            _ => None,
        });
        let kept = self.store.kept();
        Ok(kept.game(game).chain(written).cloned().collect())
    }

    fn first_leaf(&self, game: u64) -> Result<Option<LeafPlace>, StoreError> {
        self.check()?;
        let kept = self.store.kept();
        let written = self.writes.iter().filter_map(|write| match write {
            Write::Append(leaf) => Some(leaf),
            _ => None,
        });
        let mut written = (kept.next_leaf..).zip(written);
        let mut written = || written.find(|(_, leaf)| leaf.game() == game);
        let found = kept.first_leaf(game);
        let found = found.or_else(|| written().map(|(at, _)| at));
        Ok(found.map(LeafPlace::At))
    }

    fn register(&mut self, registration: &Registration<'_>) -> Result<(), StoreError> {
        let Registration { id, player, token } = *registration;
        self.write(Write::Register(id, player.clone(), token))
    }

    fn record(&mut self, event: &RoomEvent, at: u64) -> Result<(), StoreError> {
        self.write(Write::Record(at, event.clone()))
    }

    fn append(&mut self, leaf: &Leaf) -> Result<LeafPlace, StoreError> {
        let written = self.writes.iter();
        let written = written.filter(|write| matches!(write, Write::Append(_)));
        let place = self.store.kept().next_leaf + written.count() as u64;
        self.write(Write::Append(leaf.clone()))?;
        Ok(LeafPlace::At(place))
    }

    fn keep_settlement(&mut self, game: u64, settlement: &Settlement) -> Result<(), StoreError> {
        self.write(Write::Settle(game, settlement.clone()))
    }

    fn post(&mut self, notice: &Notice, body: &str) -> Result<(), StoreError> {
        self.write(Write::Post(notice.to, notice.sent.seq, body.to_owned()))
    }

    fn keep_answer(&mut self, kept: &KeptAnswer<'_>) -> Result<(), StoreError> {
        let id = kept.request.as_str().to_owned();
        self.write(Write::Answer(kept.player, id, kept.answer, kept.at))
    }

    fn persist(&mut self, id: PlayerId, player: &Player) -> Result<(), StoreError> {
        // They must be there.
        self.player(id)?;
        let player = Player {
            activity: Activity::Free,
            ..player.clone()
        };
        self.write(Write::Persist(id, player))
    }

    fn forget_answers(
        &mut self,
        before: u64,
        _after: Option<SweepPosition>,
    ) -> Result<Option<SweepPosition>, StoreError> {
        self.check()?;
        let old: Vec<_> = {
            let kept = self.store.kept();
            let old = kept.answered.iter().take_while(|(at, ..)| *at < before);
            old.map(|(_, player, id)| (*player, id.clone())).collect()
        };
        let written = self.writes.iter().filter_map(|write| match write {
            Write::Answer(player, id, _, at) if *at < before => Some((*player, id.clone())),
            _ => None,
        });
        let old = old.into_iter().chain(written);
        let forgotten: Vec<_> = old.filter(|(player, _)| !self.is_busy(*player)).collect();
        if !forgotten.is_empty() {
            self.writes.push(Write::Forget(forgotten));
        }
        Ok(None)
    }

    fn keep_time(&mut self, now: u64) -> Result<(), StoreError> {
        self.check()?;
        let forgets = |write: &Write| matches!(write, Write::Forget(_));
        if !self.writes.iter().all(forgets) {
            self.writes.push(Write::Time(now));
        }
        Ok(())
    }

    fn commit(self: Box<Self>) -> Result<(), StoreError> {
        if let Some(hold) = self.hold {
            return hold.commit(self.writes);
        }
        let fault = self.faults.of(StoreCall::Commit);
        if matches!(fault, None | Some(Fault::LostReply)) {
            self.store.keep(self.writes);
        }
        fault.map_or(Ok(()), |fault| Err(failure(fault)))
    }
}
