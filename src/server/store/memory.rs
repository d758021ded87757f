use super::{
    Answer, Claim, Damage, KeptAnswer, LeafPlace, MessageRange, Numbered, Registration, Store,
    StoreError, SweepPosition, TokenHash, Transaction, Wanted,
};
use crate::hex::Hex;
use crate::log::{Leaf, TableId};
use crate::recording::Settlement;
use crate::room::{
    Activity, Match, Notice, Numbers, Player, PlayerId, RequestId, Room, RoomEvent, Timeouts,
};
use crate::tokens::{Kind, TokenEvent};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A store in memory, for tests and simulations: it fails when asked to, and shows what was
/// committed.
///
/// Clones are the same store, so that one can be kept to look at while a hub uses another.
#[derive(Clone, Default)]
pub struct MemoryStore(Arc<Mutex<Shared>>);

#[derive(Default)]
struct Shared {
    committed: Committed,
    plan: Option<Box<dyn FnMut(StoreCall) -> Option<Fault> + Send>>,
}

/// What is asked of a store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StoreCall {
    /// To begin a transaction.
    Begin,
    /// To read or write in a transaction.
    Use,
    /// To commit a transaction.
    Commit,
}

/// How a [`MemoryStore`] fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// The database reports an error, and nothing is done.
    Error,
    /// The database reports an error, but the commit was done.
    LostReply,
    /// Another program writes: a transaction can't begin yet.
    Busy,
}

/// What a [`MemoryStore`] holds.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Committed {
    /// The players, with the hashes of their tokens.
    pub players: BTreeMap<PlayerId, (Player, TokenHash)>,
    /// The events in order, each with its time.
    pub events: Vec<(u64, RoomEvent)>,
    /// The messages to each player, by number.
    pub outbox: BTreeMap<(PlayerId, u64), String>,
    /// What was answered, by player and the request's `id`, and when.
    pub answers: BTreeMap<(PlayerId, String), (Answer, u64)>,
    /// The leaves of the log, in order.
    pub leaves: Vec<Leaf>,
    /// What the journals say besides their events, by game.
    pub settlements: BTreeMap<u64, Settlement>,
    /// The table's time.
    pub time: u64,
    /// Who waits for what, since when, and committed to which seed.
    waiting: Vec<(PlayerId, Kind, u64, Option<Hex<32>>)>,
    /// Who plays in which game.
    seats: BTreeMap<PlayerId, u64>,
}

impl MemoryStore {
    /// The table's number: that of all these stores.
    pub const ID: TableId = Hex::new([0x7a; 16]);

    /// An empty store that never fails.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Lets the store fail: `plan` says for each call whether it fails, and how.
    pub fn fail(&self, plan: impl FnMut(StoreCall) -> Option<Fault> + Send + 'static) {
        self.shared().plan = Some(Box::new(plan));
    }

    /// Lets the store work again.
    pub fn recover(&self) {
        self.shared().plan = None;
    }

    /// What was committed.
    #[must_use]
    pub fn committed(&self) -> Committed {
        self.shared().committed.clone()
    }

    fn shared(&self) -> MutexGuard<'_, Shared> {
        // Commits replace all at once, so that a panic elsewhere leaves nothing half done.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn fault(&self, call: StoreCall) -> Option<Fault> {
        let mut shared = self.shared();
        shared.plan.as_mut().and_then(|plan| plan(call))
    }
}

fn failure() -> StoreError {
    StoreError::Database("a planned failure".into())
}

impl Store for MemoryStore {
    fn room(&self, timeouts: Timeouts) -> Result<Room, StoreError> {
        let committed = self.committed();
        let numbers = |of| self.block(of).map(Numbers::block);
        let (players, games) = (numbers(Numbered::Players)?, numbers(Numbered::Games)?);
        let mut room = Room::new(timeouts, players, games);
        for (id, (player, _)) in committed.players {
            room.admit(id, player);
        }
        for (player, kind, at, seed_hash) in committed.waiting {
            let chose = RoomEvent::Chose {
                player,
                kind,
                at,
                seed_hash,
            };
            room.apply(&chose).map_err(Damage::from)?;
        }
        for (_, event) in &committed.events {
            if let Some(game) = event.game()
                && committed.seats.values().any(|running| *running == game)
            {
                room.apply(event).map_err(Damage::from)?;
            }
        }
        Ok(room)
    }

    fn id(&self) -> Result<TableId, StoreError> {
        Ok(Self::ID)
    }

    fn time(&self) -> Result<u64, StoreError> {
        Ok(self.committed().time)
    }

    fn is_shared(&self) -> bool {
        false
    }

    fn block(&self, of: Numbered) -> Result<Range<u64>, StoreError> {
        let committed = self.committed();
        let last = match of {
            Numbered::Players => committed.players.keys().map(|id| id.0).max(),
            Numbered::Games => {
                let events = committed.events.iter();
                events.filter_map(|(_, event)| event.game()).max()
            }
        };
        Ok(last.unwrap_or(0) + 1..u64::MAX)
    }

    fn begin(&self) -> Result<Option<Box<dyn Transaction + '_>>, StoreError> {
        match self.fault(StoreCall::Begin) {
            Some(Fault::Busy) => Ok(None),
            Some(Fault::Error | Fault::LostReply) => Err(failure()),
            None => Ok(Some(Box::new(MemoryTransaction {
                store: self,
                changed: self.committed(),
                wrote: false,
            }))),
        }
    }

    fn close(self: Box<Self>) -> Result<(), StoreError> {
        Ok(())
    }
}

/// A copy of all that was committed, which replaces it in the end.
struct MemoryTransaction<'a> {
    store: &'a MemoryStore,
    changed: Committed,
    wrote: bool,
}

impl MemoryTransaction<'_> {
    fn check(&self) -> Result<(), StoreError> {
        match self.store.fault(StoreCall::Use) {
            Some(_) => Err(failure()),
            None => Ok(()),
        }
    }

    /// Checks that what follows may be written.
    fn change(&mut self) -> Result<(), StoreError> {
        self.wrote = true;
        self.check()
    }

    fn known(&mut self, id: PlayerId) -> Result<&mut Player, StoreError> {
        let found = self.changed.players.get_mut(&id);
        Ok(&mut found.ok_or(Damage::Player)?.0)
    }
}

impl Transaction for MemoryTransaction<'_> {
    fn prepare(&mut self, _wanted: &Wanted) -> Result<(), StoreError> {
        self.check()
    }

    fn claim(
        &mut self,
        players: &BTreeSet<PlayerId>,
    ) -> Result<Vec<(PlayerId, Claim)>, StoreError> {
        let players = players.iter();
        let claimed = players.map(|&id| Ok((id, Claim::Ours(self.player(id)?))));
        claimed.collect()
    }

    fn release(&mut self, _player: PlayerId) -> Result<(), StoreError> {
        self.check()
    }

    fn player(&self, id: PlayerId) -> Result<Player, StoreError> {
        self.check()?;
        let (player, _) = self.changed.players.get(&id).ok_or(Damage::Player)?;
        Ok(player.clone())
    }

    fn player_with_token(&self, token: &TokenHash) -> Result<Option<PlayerId>, StoreError> {
        self.check()?;
        let has_it = |player: &Player, known: &TokenHash| known == token && !player.house;
        let mut players = self.changed.players.iter();
        let found = players.find(|(_, (player, known))| has_it(player, known));
        Ok(found.map(|(id, _)| *id))
    }

    fn answer(&self, player: PlayerId, id: &RequestId) -> Result<Option<Answer>, StoreError> {
        self.check()?;
        let answer = self.changed.answers.get(&(player, id.as_str().to_owned()));
        Ok(answer.map(|(answer, _)| *answer))
    }

    fn messages(
        &self,
        player: PlayerId,
        range: MessageRange,
    ) -> Result<Vec<(u64, String)>, StoreError> {
        self.check()?;
        let numbers = range.first()..range.last().saturating_add(1).max(range.first());
        let range = (player, numbers.start)..(player, numbers.end);
        let messages = self.changed.outbox.range(range);
        Ok(messages
            .map(|((_, seq), body)| (*seq, body.clone()))
            .collect())
    }

    fn game(&self, game: u64) -> Result<Vec<RoomEvent>, StoreError> {
        self.check()?;
        let events = self.changed.events.iter().map(|(_, event)| event);
        let of_game = events.filter(|event| event.game() == Some(game));
        Ok(of_game.cloned().collect())
    }

    fn first_leaf(&self, game: u64) -> Result<Option<LeafPlace>, StoreError> {
        self.check()?;
        let mut leaves = (0..).zip(&self.changed.leaves);
        let found = leaves.find(|(_, leaf)| leaf.game() == game);
        Ok(found.map(|(at, _)| LeafPlace::At(at)))
    }

    fn register(&mut self, registration: &Registration<'_>) -> Result<(), StoreError> {
        self.change()?;
        let player = (registration.player.clone(), registration.token);
        self.changed.players.insert(registration.id, player);
        Ok(())
    }

    fn record(&mut self, event: &RoomEvent, at: u64) -> Result<(), StoreError> {
        self.change()?;
        self.changed.events.push((at, event.clone()));
        match event {
            RoomEvent::Renamed { player, name } => self.known(*player)?.name = name.clone(),
            &RoomEvent::Chose {
                player,
                kind,
                at,
                seed_hash,
            } => {
                self.changed.waiting.push((player, kind, at, seed_hash));
            }
            RoomEvent::Cancelled { player } => {
                self.changed.waiting.retain(|(id, ..)| id != player);
            }
            RoomEvent::Matched(Match { game, seats, .. }) => {
                self.changed.waiting.retain(|(id, ..)| *id != seats[0]);
                self.changed.seats.extend(seats.map(|seat| (seat, *game)));
            }
            RoomEvent::Played { game, event, .. } => {
                if let TokenEvent::Settled { .. } = event {
                    self.changed.seats.retain(|_, playing| playing != game);
                }
            }
            RoomEvent::Joined { .. } | RoomEvent::WentOn { .. } => {}
        }
        Ok(())
    }

    fn append(&mut self, leaf: &Leaf) -> Result<LeafPlace, StoreError> {
        self.change()?;
        let place = self.changed.leaves.len() as u64;
        self.changed.leaves.push(leaf.clone());
        Ok(LeafPlace::At(place))
    }

    fn keep_settlement(&mut self, game: u64, settlement: &Settlement) -> Result<(), StoreError> {
        self.change()?;
        self.changed.settlements.insert(game, settlement.clone());
        Ok(())
    }

    fn post(&mut self, notice: &Notice, body: &str) -> Result<(), StoreError> {
        self.change()?;
        let key = (notice.to, notice.sent.seq);
        self.changed.outbox.insert(key, body.to_owned());
        Ok(())
    }

    fn keep_answer(&mut self, kept: &KeptAnswer<'_>) -> Result<(), StoreError> {
        self.change()?;
        let key = (kept.player, kept.request.as_str().to_owned());
        self.changed.answers.insert(key, (kept.answer, kept.at));
        Ok(())
    }

    fn persist(&mut self, id: PlayerId, player: &Player) -> Result<(), StoreError> {
        self.change()?;
        let known = self.known(id)?;
        *known = Player {
            activity: Activity::Free,
            ..player.clone()
        };
        Ok(())
    }

    fn forget_answers(
        &mut self,
        before: u64,
        _after: Option<SweepPosition>,
    ) -> Result<Option<SweepPosition>, StoreError> {
        self.check()?;
        let (waiting, seats) = (&self.changed.waiting, &self.changed.seats);
        let busy =
            |id: &PlayerId| waiting.iter().any(|(waits, ..)| waits == id) || seats.contains_key(id);
        let answers = &mut self.changed.answers;
        answers.retain(|(player, _), (_, at)| *at >= before || busy(player));
        Ok(None)
    }

    fn keep_time(&mut self, now: u64) -> Result<(), StoreError> {
        self.check()?;
        if self.wrote {
            self.changed.time = now;
        }
        Ok(())
    }

    fn commit(self: Box<Self>) -> Result<(), StoreError> {
        let fault = self.store.fault(StoreCall::Commit);
        if matches!(fault, None | Some(Fault::LostReply)) {
            self.store.shared().committed = self.changed;
        }
        match fault {
            None => Ok(()),
            Some(_) => Err(failure()),
        }
    }
}
