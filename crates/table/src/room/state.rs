use super::queues::{Queues, WaitingPlayer};
use super::{Activity, Match, OpponentChoice, Player, PlayerStatus, RoomEvent};
use crate::protocol::PlayerId;
use crate::time::TableTime;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::time::Duration;
use war::support::hex::Hex;
use war::tokens::{self, Kind, Name, TokenGame};

/// A room of the table: its players, their queues and the running games.
///
/// Players who neither wait nor play may be absent: a store keeps them, and [`Room::admit`] brings
/// them in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Room {
    pub(super) timeouts: Timeouts,
    /// Delay after a deadline in which moves requested before the deadline may still arrive.
    pub(super) grace: Duration,
    pub(super) players: BTreeMap<PlayerId, Player>,
    /// Numbers of the house players among `players`.
    house: BTreeSet<PlayerId>,
    pub(super) queues: Queues,
    pub(super) games: BTreeMap<u64, RunningGame>,
    /// Deadlines of the running games, each with the number of its game.
    deadlines: BTreeSet<(TableTime, u64)>,
    pub(super) player_numbers: NumberPool,
    pub(super) game_numbers: NumberPool,
    pub(super) draining: bool,
}

/// A player who waits for another one with a friend link.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WaitingFriend {
    /// The player.
    pub player: PlayerId,
    /// Start of the wait, or time at which the player was last ready.
    pub since: TableTime,
    /// True if the player is ready to play.
    pub is_ready: bool,
}

/// Timeouts of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Timeouts {
    /// Time to decide, from the deal on.
    pub decide: Duration,
    /// Time to open a seed, from the start of the game on.
    pub seeds: Duration,
}

/// A running game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunningGame {
    /// The state of the game.
    pub game: TokenGame,
    /// The players, by seat.
    pub seats: [PlayerId; 2],
    /// The current deadline.
    pub due: TableTime,
}

impl RunningGame {
    /// Players whose move is awaited.
    pub fn awaited_players(&self) -> impl Iterator<Item = PlayerId> {
        let awaited = match (self.game.hands(), self.game.seats()) {
            (Some(_), _) => self.game.decisions().map(|decision| decision.is_none()),
            (None, Some(seats)) => seats.awaits_seeds(),
            (None, None) => [false; 2],
        };
        let seats = self.seats.into_iter().zip(awaited);
        seats.filter_map(|(player, awaited)| awaited.then_some(player))
    }
}

/// Error for an event that does not fit the state of the room.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the event does not fit the room")]
pub struct ApplyError;

impl Room {
    /// Creates an empty room that assigns these numbers to new players and games.
    #[must_use]
    pub const fn new(timeouts: Timeouts, players: NumberPool, games: NumberPool) -> Self {
        Self {
            timeouts,
            grace: Duration::ZERO,
            players: BTreeMap::new(),
            house: BTreeSet::new(),
            queues: Queues::new(),
            games: BTreeMap::new(),
            deadlines: BTreeSet::new(),
            player_numbers: players,
            game_numbers: games,
            draining: false,
        }
    }

    /// Adds a known player to the room. Does nothing if the player is already present.
    pub fn admit(&mut self, id: PlayerId, player: Player) {
        if player.house {
            self.house.insert(id);
        }
        self.players.entry(id).or_insert(player);
    }

    /// Removes a player who neither waits nor plays. Returns true if the player is not in
    /// the room afterwards.
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

    /// Renames a player, without an event, unless an operator chose their name. Returns true if
    /// the name changed.
    pub fn rename(&mut self, id: PlayerId, name: Name) -> bool {
        let player = self.players.get_mut(&id);
        let Some(player) = player.filter(|player| !player.name_is_fixed) else {
            return false;
        };
        std::mem::replace(&mut player.name, name) != player.name
    }

    /// Sets whether others may watch a player's games, without an event. Returns true if the
    /// setting changed.
    pub fn set_watchable(&mut self, id: PlayerId, watchable: bool) -> bool {
        let Some(player) = self.players.get_mut(&id) else {
            return false;
        };
        std::mem::replace(&mut player.watchable, watchable) != watchable
    }

    /// Gives a player a name that they can't change, without an event.
    pub(super) fn set_fixed_name(&mut self, id: PlayerId, name: Name) {
        if let Some(player) = self.players.get_mut(&id) {
            (player.name, player.name_is_fixed) = (name, true);
        }
    }

    /// The player with this number, if present.
    #[must_use]
    pub fn player(&self, id: PlayerId) -> Option<&Player> {
        self.players.get(&id)
    }

    /// The players in the room, by number.
    pub fn players(&self) -> impl Iterator<Item = (PlayerId, &Player)> {
        self.players.iter().map(|(&id, player)| (id, player))
    }

    /// The running game with this number.
    #[must_use]
    pub fn game(&self, number: u64) -> Option<&RunningGame> {
        self.games.get(&number)
    }

    /// The number of the next game.
    #[must_use]
    pub const fn next_game_number(&self) -> u64 {
        self.game_numbers.next_number()
    }

    /// Unused player numbers.
    pub const fn player_numbers_mut(&mut self) -> &mut NumberPool {
        &mut self.player_numbers
    }

    /// Unused game numbers.
    pub const fn game_numbers_mut(&mut self) -> &mut NumberPool {
        &mut self.game_numbers
    }

    /// Number of running games.
    #[must_use]
    pub fn running_count(&self) -> usize {
        self.games.len()
    }

    /// Number of waiting players.
    #[must_use]
    pub fn waiting_count(&self) -> usize {
        self.queues.player_count()
    }

    /// Number of players waiting for anyone in a game of this kind.
    #[must_use]
    pub fn waiting_count_for(&self, kind: Kind) -> usize {
        self.queues.players_waiting_for_anyone(kind).count()
    }

    /// Time at which [`Command::Tick`](super::Command::Tick) next has an effect.
    #[must_use]
    pub fn next_due(&self) -> Option<TableTime> {
        self.first_due().map(|(due, _)| due)
    }

    /// Sets the grace period: the delay after a deadline in which moves requested before it may
    /// still arrive. Moves requested later are refused.
    pub const fn set_grace(&mut self, grace: Duration) {
        self.grace = grace;
    }

    /// Earliest deadline including the grace period, with the number of its game.
    pub(super) fn first_due(&self) -> Option<(TableTime, u64)> {
        let (due, game) = self.deadlines.first()?;
        Some((due.saturating_add(self.grace), *game))
    }

    /// Player who has waited longest for anyone in a game of this kind, with the start of the wait.
    /// Usually nobody else waits: the next player to choose this kind of game becomes the opponent.
    #[must_use]
    pub fn first_waiting_player(&self, kind: Kind) -> Option<(PlayerId, TableTime)> {
        let waiting = self.queues.players_waiting_for_anyone(kind).next();
        waiting.map(|waiting| (waiting.player, waiting.since))
    }

    /// Players waiting for anyone without a committed seed, each with the kind of game. They chose
    /// the game under an earlier version of the server, and can't be matched.
    pub fn players_without_seed_hash(&self) -> impl Iterator<Item = (PlayerId, Kind)> {
        Kind::ALL.into_iter().flat_map(|kind| {
            let waiting = self.queues.players_waiting_for_anyone(kind);
            let uncommitted = waiting.filter(|waiting| waiting.seed_hash.is_none());
            uncommitted.map(move |waiting| (waiting.player, kind))
        })
    }

    /// Players waiting with friend links, each with their choice.
    pub fn friends(&self) -> impl Iterator<Item = (PlayerId, OpponentChoice)> {
        let waiting = self.queues.players_with_links();
        waiting.map(|(choice, waiting)| (waiting.player, choice))
    }

    /// Players waiting with the friend link of this player's choice, for this player, each with the
    /// start of the wait, and whether they are ready to play.
    pub fn friends_of(
        &self,
        player: PlayerId,
        choice: OpponentChoice,
    ) -> impl Iterator<Item = WaitingFriend> {
        let waiting = self.queues.waiting_counterparts(player, choice);
        waiting.map(|(_, friend)| WaitingFriend {
            player: friend.player,
            since: friend.since,
            is_ready: friend.seed_hash.is_some(),
        })
    }

    /// Finds a house player who neither waits nor plays.
    #[must_use]
    pub fn find_free_house_player(&self) -> Option<PlayerId> {
        let free = |id: &PlayerId| {
            let player = self.players.get(id);
            player.is_some_and(|player| player.activity == Activity::Free)
        };
        self.house.iter().copied().find(free)
    }

    /// Applies an event to the room.
    ///
    /// # Errors
    ///
    /// [`ApplyError`] if the event names an unknown player or game, or a balance overflows; the
    /// room must not be used after that.
    pub fn apply(&mut self, event: &RoomEvent) -> Result<(), ApplyError> {
        match event {
            RoomEvent::Joined {
                player,
                name,
                house,
            } => {
                let name = name.clone().unwrap_or_else(|| player.default_name());
                self.admit(*player, Player::new(name, *house));
                self.player_numbers.mark_assigned(player.0);
            }
            RoomEvent::Renamed { player, name } => self.player_mut(*player)?.name = name.clone(),
            RoomEvent::Chose {
                player,
                kind,
                at,
                seed_hash,
                with,
            } => self.enqueue(*player, (*kind, *with), *at, *seed_hash)?,
            RoomEvent::Came {
                player,
                kind,
                at,
                seed_hash,
            } => self.enqueue(
                *player,
                (*kind, OpponentChoice::Anyone),
                *at,
                Some(*seed_hash),
            )?,
            RoomEvent::Cancelled { player } | RoomEvent::SentOn { player, .. } => {
                self.leave_queue(*player)?;
            }
            RoomEvent::Matched(matched) => self.start_game(matched)?,
            RoomEvent::Played {
                game, event, due, ..
            } => self.apply_to_game(*game, event, *due)?,
            RoomEvent::WentOn { game, due } => self.set_due(*game, *due)?,
            RoomEvent::Adjusted { player, tokens, .. } => {
                let player = self.player_mut(*player)?;
                let balance = player.balance.checked_add(*tokens);
                player.balance = balance.ok_or(ApplyError)?;
            }
            RoomEvent::Banned { player } => self.player_mut(*player)?.status = PlayerStatus::Banned,
            RoomEvent::Readmitted { player } => {
                self.player_mut(*player)?.status = PlayerStatus::Welcome;
            }
            RoomEvent::Forgotten { player } => {
                let name = player.default_name();
                let player = self.player_mut(*player)?;
                (player.name, player.name_is_fixed) = (name, false);
                player.status = PlayerStatus::Forgotten;
                player.watchable = false;
            }
        }
        Ok(())
    }

    fn start_game(&mut self, matched: &Match) -> Result<(), ApplyError> {
        let number = matched.game;
        let mut game = TokenGame::new(matched.rules(), number, matched.secret);
        game.apply(&matched.first_event()).map_err(|_| ApplyError)?;
        for seat in matched.seats {
            self.leave_queue(seat)?;
            self.player_mut(seat)?.activity = Activity::Playing(number);
        }
        let (seats, due) = (matched.seats, matched.due);
        self.games.insert(number, RunningGame { game, seats, due });
        self.deadlines.insert((due, number));
        self.game_numbers.mark_assigned(number);
        Ok(())
    }

    fn apply_to_game(
        &mut self,
        number: u64,
        event: &tokens::TokenEvent,
        due: Option<TableTime>,
    ) -> Result<(), ApplyError> {
        let running = self.games.get_mut(&number).ok_or(ApplyError)?;
        running.game.apply(event).map_err(|_| ApplyError)?;
        if let Some(due) = due {
            self.set_due(number, due)?;
        }
        let running = &self.games[&number];
        if let tokens::TokenEvent::Settled { deltas } = event {
            let (seats, due) = (running.seats, running.due);
            self.deadlines.remove(&(due, number));
            self.games.remove(&number);
            for (seat, delta) in seats.into_iter().zip(deltas) {
                let player = self.player_mut(seat)?;
                let balance = player.balance.checked_add(*delta);
                player.balance = balance.ok_or(ApplyError)?;
                player.activity = Activity::Free;
            }
        }
        Ok(())
    }

    /// Moves the deadline of a game.
    fn set_due(&mut self, number: u64, due: TableTime) -> Result<(), ApplyError> {
        let running = self.games.get_mut(&number).ok_or(ApplyError)?;
        self.deadlines.remove(&(running.due, number));
        running.due = due;
        self.deadlines.insert((due, number));
        Ok(())
    }

    pub(super) fn player_mut(&mut self, id: PlayerId) -> Result<&mut Player, ApplyError> {
        self.players.get_mut(&id).ok_or(ApplyError)
    }

    fn enqueue(
        &mut self,
        player: PlayerId,
        (kind, meeting): (Kind, OpponentChoice),
        since: TableTime,
        seed_hash: Option<Hex<32>>,
    ) -> Result<(), ApplyError> {
        self.player_mut(player)?.activity = Activity::Waiting(kind, meeting);
        let waiting = WaitingPlayer {
            player,
            since,
            seed_hash,
        };
        self.queues.push(waiting, kind, meeting);
        Ok(())
    }

    fn leave_queue(&mut self, id: PlayerId) -> Result<(), ApplyError> {
        let player = self.player_mut(id)?;
        let activity = std::mem::replace(&mut player.activity, Activity::Free);
        if let Activity::Waiting(kind, meeting) = activity {
            self.queues.remove(id, kind, meeting);
        }
        Ok(())
    }
}

/// Unused numbers for new players or games, in the order in which they are assigned.
///
/// Rooms that share a table assign from separate blocks, so that no number is assigned twice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NumberPool {
    current: Range<u64>,
    /// Block from which numbers are assigned once `current` is used up.
    spare: Option<Range<u64>>,
}

/// Minimum number of unused numbers with which a room may process its next batch of commands: more
/// than a room assigns in one batch.
pub const NUMBER_RESERVE: u64 = 4_096;

impl NumberPool {
    /// Creates a pool of all numbers from `first` on.
    #[must_use]
    pub const fn from_first(first: u64) -> Self {
        Self::from_block(first..u64::MAX)
    }

    /// Creates a pool of the numbers of one block.
    #[must_use]
    pub const fn from_block(block: Range<u64>) -> Self {
        Self {
            current: block,
            spare: None,
        }
    }

    /// Returns true if another block is needed before more numbers are assigned.
    #[must_use]
    pub const fn is_low(&self) -> bool {
        let left = self.current.end.saturating_sub(self.current.start);
        self.spare.is_none() && left < NUMBER_RESERVE
    }

    /// Adds a block for use after the current block. Replaces a block that was added earlier but is
    /// still unused.
    pub fn add(&mut self, block: Range<u64>) {
        self.spare = Some(block);
        self.advance();
    }

    /// The number to assign next.
    pub(super) const fn next_number(&self) -> u64 {
        self.current.start
    }

    /// Marks a number as assigned.
    pub(super) fn mark_assigned(&mut self, number: u64) {
        let after = number.saturating_add(1);
        if self.current.contains(&number) {
            self.current.start = after;
        }
        self.advance();
    }

    fn advance(&mut self) {
        if self.current.is_empty()
            && let Some(spare) = self.spare.take()
        {
            self.current = spare;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{NUMBER_RESERVE, NumberPool};

    #[test]
    fn blocks_are_used_in_order() {
        let mut numbers = NumberPool::from_block(7..9);
        assert!(numbers.is_low());
        let end = 100 + NUMBER_RESERVE;
        numbers.add(100..end);
        assert!(!numbers.is_low());
        let assigned: Vec<_> = (0..4)
            .map(|_| {
                let number = numbers.next_number();
                numbers.mark_assigned(number);
                number
            })
            .collect();
        assert_eq!(assigned, [7, 8, 100, 101]);
        assert!(numbers.is_low());
    }

    // When a room is loaded, it applies events of games whose numbers come from older blocks.
    #[test]
    fn numbers_of_other_blocks_change_nothing() {
        let mut numbers = NumberPool::from_first(50);
        numbers.mark_assigned(3);
        assert_eq!(numbers.next_number(), 50);
        numbers.mark_assigned(60);
        assert_eq!(
            numbers.next_number(),
            61,
            "an assigned number is not assigned again"
        );
    }
}
