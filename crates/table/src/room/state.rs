use super::meeting::{Queues, Waiting};
use super::{Activity, Match, Meeting, Player, RoomEvent, Standing};
use crate::protocol::PlayerId;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use war::support::hex::Hex;
use war::tokens::{self, Kind, Name, TokenGame};

/// The players who are there, those who wait, and the games that run.
///
/// Players who neither wait nor play need not be in it: a store keeps them, and
/// [`Room::admit`] brings them in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Room {
    pub(super) timeouts: Timeouts,
    /// How long time waits, once it is up, for what came before and is on its way.
    pub(super) grace: u64,
    pub(super) players: BTreeMap<PlayerId, Player>,
    /// The players of the house.
    house: BTreeSet<PlayerId>,
    pub(super) queues: Queues,
    pub(super) games: BTreeMap<u64, Running>,
    /// When time decides in which game.
    dues: BTreeSet<(u64, u64)>,
    pub(super) player_numbers: Numbers,
    pub(super) game_numbers: Numbers,
    pub(super) draining: bool,
}

/// How long things may take, in milliseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Timeouts {
    /// From the deal to the end of the time to decide.
    pub decide: u64,
    /// From the start of a game to the end of the time to open a seed.
    pub seeds: u64,
}

/// A game that runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Running {
    /// The game.
    pub game: TokenGame,
    /// Who plays, by seat.
    pub seats: [PlayerId; 2],
    /// When time decides.
    pub due: u64,
}

impl Running {
    /// The players who have something to do now.
    pub fn awaited(&self) -> impl Iterator<Item = PlayerId> {
        let awaited = match (self.game.hands(), self.game.seats()) {
            (Some(_), _) => self.game.decisions().map(|decision| decision.is_none()),
            (None, Some(seats)) => seats.awaited(),
            (None, None) => [false; 2],
        };
        let seats = self.seats.into_iter().zip(awaited);
        seats.filter_map(|(player, awaited)| awaited.then_some(player))
    }
}

/// An event that does not fit the room.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the event does not fit the room")]
pub struct ApplyError;

impl Room {
    /// An empty room, whose new players and games get these numbers.
    #[must_use]
    pub const fn new(timeouts: Timeouts, players: Numbers, games: Numbers) -> Self {
        Self {
            timeouts,
            grace: 0,
            players: BTreeMap::new(),
            house: BTreeSet::new(),
            queues: Queues::new(),
            games: BTreeMap::new(),
            dues: BTreeSet::new(),
            player_numbers: players,
            game_numbers: games,
            draining: false,
        }
    }

    /// Brings a player in who came before; one who is there stays as they are.
    pub fn admit(&mut self, id: PlayerId, player: Player) {
        if player.house {
            self.house.insert(id);
        }
        self.players.entry(id).or_insert(player);
    }

    /// Forgets a player who neither waits nor plays.
    ///
    /// The result says whether they are not in the room any more.
    pub fn dismiss(&mut self, id: PlayerId) -> bool {
        let free = self
            .players
            .get(&id)
            .is_none_or(|player| player.activity == Activity::Free);
        if free {
            self.players.remove(&id);
            self.house.remove(&id);
        }
        free
    }

    /// Calls a player by another name, which no event tells, unless an operator chose theirs; the
    /// result says whether they had another one.
    pub fn rename(&mut self, id: PlayerId, name: Name) -> bool {
        let player = self.players.get_mut(&id);
        let Some(player) = player.filter(|player| !player.name_is_fixed) else {
            return false;
        };
        std::mem::replace(&mut player.name, name) != player.name
    }

    /// Lets others watch a player's games, or not any more, which no event tells; the result says
    /// whether that was otherwise.
    pub fn let_watch(&mut self, id: PlayerId, watchable: bool) -> bool {
        let Some(player) = self.players.get_mut(&id) else {
            return false;
        };
        std::mem::replace(&mut player.watchable, watchable) != watchable
    }

    /// Calls a player by another name, which they can't change; no event tells it.
    pub(super) fn fix_name(&mut self, id: PlayerId, name: Name) {
        if let Some(player) = self.players.get_mut(&id) {
            (player.name, player.name_is_fixed) = (name, true);
        }
    }

    /// The player of this number, if they are in the room.
    #[must_use]
    pub fn player(&self, id: PlayerId) -> Option<&Player> {
        self.players.get(&id)
    }

    /// The players in the room, by number.
    pub fn players(&self) -> impl Iterator<Item = (PlayerId, &Player)> {
        self.players.iter().map(|(&id, player)| (id, player))
    }

    /// The game of this number, while it runs.
    #[must_use]
    pub fn game(&self, number: u64) -> Option<&Running> {
        self.games.get(&number)
    }

    /// The number of the next game.
    #[must_use]
    pub const fn next_game(&self) -> u64 {
        self.game_numbers.next()
    }

    /// The numbers of new players that are left.
    pub const fn player_numbers(&mut self) -> &mut Numbers {
        &mut self.player_numbers
    }

    /// The numbers of new games that are left.
    pub const fn game_numbers(&mut self) -> &mut Numbers {
        &mut self.game_numbers
    }

    /// How many games run.
    #[must_use]
    pub fn running(&self) -> usize {
        self.games.len()
    }

    /// How many players wait.
    #[must_use]
    pub fn waiting(&self) -> usize {
        self.queues.len()
    }

    /// How many players wait for anyone in a game of this kind.
    #[must_use]
    pub fn waiting_for(&self, kind: Kind) -> usize {
        self.queues.public(kind).count()
    }

    /// When [`Command::Tick`](super::Command::Tick) has something to do.
    #[must_use]
    pub fn next_due(&self) -> Option<u64> {
        self.first_due().map(|(due, _)| due)
    }

    /// Lets time wait for so many milliseconds, once it is up, before it decides: what players did
    /// before may still be on its way. What they do after it is too late.
    pub const fn wait_for_late(&mut self, grace: u64) {
        self.grace = grace;
    }

    /// The game in which time decides first, and when.
    pub(super) fn first_due(&self) -> Option<(u64, u64)> {
        let (due, game) = self.dues.first()?;
        Some((due.saturating_add(self.grace), *game))
    }

    /// Who waits for anyone in a game of this kind, and since when: one at most, for the next one is
    /// their opponent.
    #[must_use]
    pub fn waits_for(&self, kind: Kind) -> Option<(PlayerId, u64)> {
        let waiting = self.queues.public(kind).next();
        waiting.map(|waiting| (waiting.player, waiting.since))
    }

    /// Who waits and is committed to no seed, since they chose at an earlier program: nobody
    /// can play with them.
    pub fn uncommitted(&self) -> impl Iterator<Item = (PlayerId, Kind)> {
        Kind::ALL.into_iter().flat_map(|kind| {
            let waiting = self.queues.public(kind);
            let uncommitted = waiting.filter(|waiting| waiting.seed_hash.is_none());
            uncommitted.map(move |waiting| (waiting.player, kind))
        })
    }

    /// A house player who neither waits nor plays.
    #[must_use]
    pub fn free_house(&self) -> Option<PlayerId> {
        let free = |id: &PlayerId| {
            let player = self.players.get(id);
            player.is_some_and(|player| player.activity == Activity::Free)
        };
        self.house.iter().copied().find(free)
    }

    /// Changes the room by an event.
    ///
    /// # Errors
    ///
    /// [`ApplyError`] where it names a player or a game that is not there, or a balance gets
    /// beyond all numbers; the room must not be used after that.
    pub fn apply(&mut self, event: &RoomEvent) -> Result<(), ApplyError> {
        match event {
            RoomEvent::Joined {
                player,
                name,
                house,
            } => {
                let name = name.clone().unwrap_or_else(|| player.as_name());
                self.admit(*player, Player::new(name, *house));
                self.player_numbers.given(player.0);
            }
            RoomEvent::Renamed { player, name } => self.known(*player)?.name = name.clone(),
            RoomEvent::Chose {
                player,
                kind,
                at,
                seed_hash,
                with,
            } => self.wait(*player, (*kind, *with), *at, *seed_hash)?,
            RoomEvent::Came {
                player,
                kind,
                at,
                seed_hash,
            } => self.wait(*player, (*kind, Meeting::Anyone), *at, Some(*seed_hash))?,
            RoomEvent::Cancelled { player } | RoomEvent::SentOn { player, .. } => {
                self.leave_queue(*player)?;
            }
            RoomEvent::Matched(matched) => self.start_game(matched)?,
            RoomEvent::Played {
                game, event, due, ..
            } => self.apply_to_game(*game, event, *due)?,
            RoomEvent::WentOn { game, due } => self.set_due(*game, *due)?,
            RoomEvent::Adjusted { player, tokens, .. } => {
                let player = self.known(*player)?;
                let balance = player.balance.checked_add(*tokens);
                player.balance = balance.ok_or(ApplyError)?;
            }
            RoomEvent::Banned { player } => self.known(*player)?.standing = Standing::Banned,
            RoomEvent::Readmitted { player } => self.known(*player)?.standing = Standing::Welcome,
            RoomEvent::Forgotten { player } => {
                let name = player.as_name();
                let player = self.known(*player)?;
                (player.name, player.name_is_fixed) = (name, false);
                player.standing = Standing::Forgotten;
                player.watchable = false;
            }
        }
        Ok(())
    }

    fn start_game(&mut self, matched: &Match) -> Result<(), ApplyError> {
        let number = matched.game;
        let mut game = TokenGame::new(matched.rules(), number, matched.secret);
        game.apply(&matched.opening()).map_err(|_| ApplyError)?;
        for seat in matched.seats {
            self.leave_queue(seat)?;
            self.known(seat)?.activity = Activity::Playing(number);
        }
        let (seats, due) = (matched.seats, matched.due);
        self.games.insert(number, Running { game, seats, due });
        self.dues.insert((due, number));
        self.game_numbers.given(number);
        Ok(())
    }

    fn apply_to_game(
        &mut self,
        number: u64,
        event: &tokens::TokenEvent,
        due: Option<u64>,
    ) -> Result<(), ApplyError> {
        let running = self.games.get_mut(&number).ok_or(ApplyError)?;
        running.game.apply(event).map_err(|_| ApplyError)?;
        if let Some(due) = due {
            self.set_due(number, due)?;
        }
        let running = &self.games[&number];
        if let tokens::TokenEvent::Settled { deltas } = event {
            let (seats, due) = (running.seats, running.due);
            self.dues.remove(&(due, number));
            self.games.remove(&number);
            for (seat, delta) in seats.into_iter().zip(deltas) {
                let player = self.known(seat)?;
                let balance = player.balance.checked_add(*delta);
                player.balance = balance.ok_or(ApplyError)?;
                player.activity = Activity::Free;
            }
        }
        Ok(())
    }

    /// Lets time decide in a game at another time.
    fn set_due(&mut self, number: u64, due: u64) -> Result<(), ApplyError> {
        let running = self.games.get_mut(&number).ok_or(ApplyError)?;
        self.dues.remove(&(running.due, number));
        running.due = due;
        self.dues.insert((due, number));
        Ok(())
    }

    pub(super) fn known(&mut self, id: PlayerId) -> Result<&mut Player, ApplyError> {
        self.players.get_mut(&id).ok_or(ApplyError)
    }

    fn wait(
        &mut self,
        player: PlayerId,
        (kind, meeting): (Kind, Meeting),
        since: u64,
        seed_hash: Option<Hex<32>>,
    ) -> Result<(), ApplyError> {
        self.known(player)?.activity = Activity::Waiting(kind, meeting);
        let waiting = Waiting {
            player,
            since,
            seed_hash,
        };
        self.queues.push(waiting, kind, meeting);
        Ok(())
    }

    fn leave_queue(&mut self, id: PlayerId) -> Result<(), ApplyError> {
        let player = self.known(id)?;
        let activity = std::mem::replace(&mut player.activity, Activity::Free);
        if let Activity::Waiting(kind, meeting) = activity {
            self.queues.remove(id, kind, meeting);
        }
        Ok(())
    }
}

/// Numbers that were not given yet, in the order in which they are given: those of new players,
/// or of games.
///
/// Where several rooms give numbers, each has blocks of its own, so that none is given twice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Numbers {
    current: Range<u64>,
    /// The block that follows.
    spare: Option<Range<u64>>,
}

/// How many numbers there should be at least before a room goes on: more than it gives at once.
pub const NUMBERS_AT_HAND: u64 = 4_096;

impl Numbers {
    /// All numbers from this one on.
    #[must_use]
    pub const fn from(first: u64) -> Self {
        Self::block(first..u64::MAX)
    }

    /// The numbers of one block; the end is not one of them.
    #[must_use]
    pub const fn block(block: Range<u64>) -> Self {
        Self {
            current: block,
            spare: None,
        }
    }

    /// Whether another block is needed before the next numbers are given.
    #[must_use]
    pub const fn runs_low(&self) -> bool {
        let left = self.current.end.saturating_sub(self.current.start);
        self.spare.is_none() && left < NUMBERS_AT_HAND
    }

    /// Adds a block, whose numbers are given when the others have been. There is one such block
    /// at most: another one takes its place.
    pub fn add(&mut self, block: Range<u64>) {
        self.spare = Some(block);
        self.go_on();
    }

    /// The number that is given next.
    pub(super) const fn next(&self) -> u64 {
        self.current.start
    }

    /// Notes that a number was given.
    pub(super) fn given(&mut self, number: u64) {
        let after = number.saturating_add(1);
        if self.current.contains(&number) {
            self.current.start = after;
        }
        self.go_on();
    }

    fn go_on(&mut self) {
        if self.current.is_empty()
            && let Some(spare) = self.spare.take()
        {
            self.current = spare;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{NUMBERS_AT_HAND, Numbers};

    #[test]
    fn blocks_follow_one_another() {
        let mut numbers = Numbers::block(7..9);
        assert!(numbers.runs_low());
        let end = 100 + NUMBERS_AT_HAND;
        numbers.add(100..end);
        assert!(!numbers.runs_low());
        let given: Vec<_> = (0..4)
            .map(|_| {
                let number = numbers.next();
                numbers.given(number);
                number
            })
            .collect();
        assert_eq!(given, [7, 8, 100, 101]);
        assert!(numbers.runs_low());
    }

    // A room that is loaded applies the events of its games, whose numbers are of older blocks.
    #[test]
    fn numbers_of_other_blocks_change_nothing() {
        let mut numbers = Numbers::from(50);
        numbers.given(3);
        assert_eq!(numbers.next(), 50);
        numbers.given(60);
        assert_eq!(numbers.next(), 61, "what was given is not given again");
    }
}
