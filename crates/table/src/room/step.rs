use super::{
    Activity, ApplyError, Match, OpponentChoice, Parties, Player, PlayerStatus, Room, RoomEvent,
    RunningGame,
};
use crate::protocol::{NumberedMessage, PlayerId, Refusal};
use crate::time::TableTime;
use std::time::Duration;
use war::engine::Seat;
use war::support::hex::Hex;
use war::tokens::{self, Decision, Kind, Move, Name, Seats, Secret, SeedStatus, TokenGame};

/// Minimum time to move that players get after a pause of the table, unless the timeout of the move
/// is shorter.
const MIN_TIME_AFTER_PAUSE: Duration = Duration::from_secs(10);
/// Time for which a friend who is ready counts as awake. Later, they are asked again, as their
/// device may sleep.
pub const READY_TIME: Duration = Duration::from_secs(10);

/// Effects of a command.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Effects {
    /// The events in order, already applied to the room.
    pub events: Vec<RoomEvent>,
    /// Messages to players about the events, in order. Their deadlines are in the room's time, and
    /// they contain no names of players.
    pub messages: Vec<(PlayerId, NumberedMessage)>,
}

impl Room {
    /// Carries out a command.
    ///
    /// # Errors
    ///
    /// [`Refusal`] if the command is not possible; the room is then unchanged.
    ///
    /// # Panics
    ///
    /// Never: the room accepts every event that it decides.
    pub fn step(&mut self, command: &Command, now: TableTime) -> Result<Effects, Refusal> {
        let mut effects = Effects::default();
        match *command {
            Command::Join { ref name, house } => self.join(name.clone(), house, now, &mut effects),
            Command::Choose {
                player,
                kind,
                opponent,
                seed_hash,
                secret,
            } => {
                if !self.waits_for_friend(player, kind, opponent) {
                    self.must_be_free(player)?;
                }
                let waiting = self.opponent_of(player, kind, opponent, now)?;
                let event = match waiting.zip(seed_hash) {
                    Some((waiting, seed_hash)) => {
                        let players = [waiting, (player, seed_hash)];
                        self.match_event(players, kind, opponent, secret, now)
                    }
                    None => RoomEvent::Chose {
                        player,
                        kind,
                        at: now,
                        seed_hash,
                        with: opponent,
                    },
                };
                self.apply_and_notify(event, now, &mut effects);
            }
            Command::Cancel { player, kind } => match self.activity(player)? {
                Activity::Waiting(game, _) if game == kind => {
                    self.apply_and_notify(RoomEvent::Cancelled { player }, now, &mut effects);
                }
                _ => return Err(Refusal::NotWaiting),
            },
            Command::Forward { player, room } => self.forward(player, room, now, &mut effects)?,
            Command::Receive {
                player,
                kind,
                waited,
                seed_hash,
                secret,
            } => {
                self.must_be_free(player)?;
                let at = now.saturating_sub(waited);
                let came = RoomEvent::Came {
                    player,
                    kind,
                    at,
                    seed_hash,
                };
                self.apply_and_notify(came, now, &mut effects);
                let choice = OpponentChoice::Anyone;
                if let Some(waiting) = self.opponent_of(player, kind, choice, now)? {
                    let players = [waiting, (player, seed_hash)];
                    let matched = self.match_event(players, kind, choice, secret, now);
                    self.apply_and_notify(matched, now, &mut effects);
                }
            }
            Command::Seed {
                player,
                game,
                value,
            } => {
                let (running, seat) = self.seat(player)?;
                if running.game.number() != game {
                    return Err(Refusal::StaleSeed);
                }
                self.play(game, &Move::Open(seat, value), now, &mut effects)?;
            }
            Command::Decide {
                player,
                game,
                deal,
                decision,
            } => {
                let (running, seat) = self.seat(player)?;
                if (running.game.number(), running.game.deals()) != (game, deal) {
                    return Err(Refusal::StaleDecision);
                }
                self.play(game, &Move::Decide(seat, decision), now, &mut effects)?;
            }
            Command::Tick => self.tick(now, &mut effects),
            Command::ExtendDeadlines => self.extend_deadlines(now, &mut effects),
            Command::Drain => {
                self.draining = true;
                for player in self.queues.players().collect::<Vec<_>>() {
                    self.apply_and_notify(RoomEvent::Cancelled { player }, now, &mut effects);
                }
            }
        }
        Ok(effects)
    }

    /// Admits a new player; their name is not part of the event.
    fn join(&mut self, name: Name, house: bool, now: TableTime, effects: &mut Effects) {
        let player = PlayerId(self.player_numbers.next_number());
        self.admit(player, Player::new(name, house));
        let name = None;
        let joined = RoomEvent::Joined {
            player,
            name,
            house,
        };
        self.apply_and_notify(joined, now, effects);
    }

    /// Waiting opponent that a player would be matched with on choosing a game of this kind.
    #[must_use]
    pub fn find_opponent(
        &self,
        player: PlayerId,
        kind: Kind,
        meeting: OpponentChoice,
        now: TableTime,
    ) -> Option<PlayerId> {
        let opponent = self.opponent_of(player, kind, meeting, now).ok()??;
        Some(opponent.0)
    }

    /// Longest-waiting matching opponent for a game of this kind, with the hash of their seed.
    fn opponent_of(
        &self,
        player: PlayerId,
        kind: Kind,
        meeting: OpponentChoice,
        now: TableTime,
    ) -> Result<Option<(PlayerId, Hex<32>)>, Refusal> {
        let is_house_player = self.players.get(&player).is_some_and(|player| player.house);
        if meeting.is_anyone() {
            let mut others = self
                .queues
                .players_waiting_for_anyone(kind)
                .filter(|other| other.player != player);
            return Ok(others.find_map(|other| Some((other.player, other.seed_hash?))));
        }
        if meeting == OpponentChoice::House && !is_house_player {
            return Ok(None);
        }
        if let OpponentChoice::Friend { .. } = meeting {
            let friends = self.queues.waiting_counterparts(player, meeting);
            let ready =
                friends.filter(|(_, friend)| now <= friend.since.saturating_add(READY_TIME));
            let mut ready =
                ready.filter_map(|(_, friend)| Some((friend.player, friend.seed_hash?)));
            return Ok(ready.next());
        }
        let mut others = self.queues.waiting_counterparts(player, meeting).peekable();
        let waits = others.peek().is_some();
        match others.find(|(game, _)| *game == kind) {
            Some((_, other)) => Ok(other.seed_hash.map(|seed_hash| (other.player, seed_hash))),
            None if waits && meeting != OpponentChoice::House => Err(Refusal::NotInvited),
            None => Ok(None),
        }
    }

    /// Forwards a waiting player to another room.
    fn forward(
        &mut self,
        player: PlayerId,
        room: u16,
        now: TableTime,
        effects: &mut Effects,
    ) -> Result<(), Refusal> {
        let Activity::Waiting(kind, _) = self.activity(player)? else {
            return Err(Refusal::NotWaiting);
        };
        let waiting = self
            .queues
            .players_waiting_for_anyone(kind)
            .find(|waiting| waiting.player == player);
        let found = waiting.and_then(|waiting| Some((waiting.since, waiting.seed_hash?)));
        let (since, seed_hash) = found.ok_or(Refusal::NotWaiting)?;
        let sent_on = RoomEvent::SentOn {
            player,
            room,
            kind,
            waited: now.saturating_since(since),
            seed_hash,
        };
        self.apply_and_notify(sent_on, now, effects);
        Ok(())
    }

    /// Makes the overdue moves in all games whose deadlines, with the grace period, have passed.
    fn tick(&mut self, now: TableTime, effects: &mut Effects) {
        while let Some((_, game)) = self.first_due().filter(|(due, _)| *due <= now) {
            for overdue in &overdue_moves(&self.games[&game].game) {
                let played = self.play(game, overdue, now, effects);
                played.expect("time may always deal, and decide for players who have not");
            }
        }
    }

    /// Moves each deadline after a pause to at least [`MIN_TIME_AFTER_PAUSE`] and at most the whole
    /// timeout from now, so that no player folds because the table was unreachable.
    fn extend_deadlines(&mut self, now: TableTime, effects: &mut Effects) {
        let games = self.games.iter();
        let resumed = |(&game, running): (&u64, &RunningGame)| {
            let timeout = match running.game.hands() {
                None => self.timeouts.seeds,
                Some(_) => self.timeouts.decide,
            };
            let least = now.saturating_add(timeout.min(MIN_TIME_AFTER_PAUSE));
            let due = running.due.clamp(least, now.saturating_add(timeout));
            RoomEvent::WentOn { game, due }
        };
        let events: Vec<_> = games.map(resumed).collect();
        for event in events {
            self.apply_and_notify(event, now, effects);
        }
    }

    /// Builds the event that starts a game of two players, given with their seed hashes. The first
    /// player takes seat 1.
    fn match_event(
        &self,
        players: [(PlayerId, Hex<32>); 2],
        kind: Kind,
        with: OpponentChoice,
        secret: Secret,
        now: TableTime,
    ) -> RoomEvent {
        RoomEvent::Matched(Match {
            game: self.game_numbers.next_number(),
            kind,
            seats: players.map(|(player, _)| player),
            parties: Parties::Committed {
                seed_hashes: players.map(|(_, seed_hash)| seed_hash),
            },
            secret,
            due: now.saturating_add(self.timeouts.seeds),
            with,
        })
    }

    /// Makes a move in a game, and applies all events that follow from the move.
    fn play(
        &mut self,
        game: u64,
        player_move: &Move,
        now: TableTime,
        effects: &mut Effects,
    ) -> Result<(), Refusal> {
        let running = self.games.get(&game).ok_or(Refusal::NotPlaying)?;
        let seats = running.seats;
        let mut next = Some(running.game.decide(player_move)?);
        while let Some(event) = next {
            let dealt = matches!(event, tokens::TokenEvent::Dealt { .. });
            let due = dealt.then_some(now.saturating_add(self.timeouts.decide));
            let played = RoomEvent::Played {
                game,
                seats,
                event,
                due,
            };
            self.apply_and_notify(played, now, effects);
            next = self
                .games
                .get(&game)
                .and_then(|running| running.game.due_event());
        }
        Ok(())
    }

    /// Applies an event and notifies the players.
    pub(super) fn apply_and_notify(
        &mut self,
        event: RoomEvent,
        now: TableTime,
        effects: &mut Effects,
    ) {
        let messages = self.build_messages(&event, now);
        let applied: Result<(), ApplyError> = self.apply(&event);
        applied.expect("what the room decides fits it");
        for (to, message) in messages {
            let player = self
                .player_mut(to)
                .expect("the player was there when the message was written");
            player.seq += 1;
            let seq = player.seq;
            effects
                .messages
                .push((to, NumberedMessage { seq, message }));
        }
        effects.events.push(event);
    }

    fn activity(&self, player: PlayerId) -> Result<Activity, Refusal> {
        let player = self.players.get(&player).ok_or(Refusal::HelloFirst)?;
        Ok(player.activity)
    }

    /// Returns true if a player waits for this friend: they may choose the game again, with another
    /// seed hash.
    fn waits_for_friend(&self, player: PlayerId, kind: Kind, opponent: OpponentChoice) -> bool {
        let is_friend = matches!(opponent, OpponentChoice::Friend { .. });
        is_friend && self.activity(player) == Ok(Activity::Waiting(kind, opponent))
    }

    fn must_be_free(&self, player: PlayerId) -> Result<(), Refusal> {
        let banned = |player: &Player| player.status == PlayerStatus::Banned;
        if self.players.get(&player).is_some_and(banned) {
            return Err(Refusal::Banned);
        }
        match self.activity(player)? {
            Activity::Waiting(..) => Err(Refusal::Waiting),
            Activity::Playing(_) => Err(Refusal::Playing),
            Activity::Free if self.draining => Err(Refusal::Draining),
            Activity::Free => Ok(()),
        }
    }

    /// Refusal of a move that was requested after its deadline, within the grace period in which
    /// the room still waits for earlier moves. Returns `None` for any other command.
    #[must_use]
    pub fn refusal_of_late_move(&self, command: &Command, requested: TableTime) -> Option<Refusal> {
        let (player, game, refusal) = match *command {
            Command::Seed { player, game, .. } => (player, game, Refusal::SeedsClosed),
            Command::Decide { player, game, .. } => (player, game, Refusal::TooLate),
            _ => return None,
        };
        let running = self.games.get(&game).filter(|_| !self.grace.is_zero())?;
        let awaits = running.awaited_players().any(|awaited| awaited == player);
        (awaits && running.due <= requested).then_some(refusal)
    }

    /// Running game of a player, with their seat.
    fn seat(&self, player: PlayerId) -> Result<(&RunningGame, Seat), Refusal> {
        let Activity::Playing(game) = self.activity(player)? else {
            return Err(Refusal::NotPlaying);
        };
        let running = self.games.get(&game).ok_or(Refusal::NotPlaying)?;
        let mut seats = Seat::all().zip(running.seats);
        let found = seats.find(|(_, seated)| *seated == player);
        let (seat, _) = found.ok_or(Refusal::NotPlaying)?;
        Ok((running, seat))
    }
}

/// Moves to make in a game whose deadline has passed: a timeout for each player whose move is
/// awaited, or the deal in a game that does not require seeds.
fn overdue_moves(game: &TokenGame) -> Vec<Move> {
    let awaited = match (game.hands(), game.seats()) {
        (Some(_), _) => game.decisions().map(|decision| decision.is_none()),
        (None, Some(Seats::CommittedSeeds { seeds, .. })) => {
            seeds.map(|seed| seed == SeedStatus::Awaited)
        }
        (None, _) => return vec![Move::Deal],
    };
    let late = Seat::all().zip(awaited).filter(|(_, awaited)| *awaited);
    late.map(|(seat, _)| Move::TimeOut(seat)).collect()
}

/// A command to a room.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Command {
    /// Admits a new player.
    Join {
        /// The player's name.
        name: Name,
        /// True for a house player.
        house: bool,
    },
    /// Matches a player with the longest-waiting opponent, or lets the player wait.
    Choose {
        /// The player.
        player: PlayerId,
        /// The kind of game.
        kind: Kind,
        /// The opponent that the player wants; players who want the house are matched only with
        /// house players.
        opponent: OpponentChoice,
        /// The SHA-256 of the seed that the player will open; `None` if the player waits for a
        /// friend, but is not ready to play.
        seed_hash: Option<Hex<32>>,
        /// The secret of the game, in case one starts.
        secret: Secret,
    },
    /// Ends a player's wait.
    Cancel {
        /// The player.
        player: PlayerId,
        /// The kind of game that the player waits for.
        kind: Kind,
    },
    /// Forwards a player to another room of the table. The player must be waiting for anyone, not
    /// for a particular opponent.
    Forward {
        /// The player.
        player: PlayerId,
        /// The number of that room.
        room: u16,
    },
    /// Receives a player forwarded by another room: matches the player with the longest-waiting
    /// opponent, or lets the player go on waiting.
    Receive {
        /// The player.
        player: PlayerId,
        /// The kind of game that the player chose.
        kind: Kind,
        /// Time that the player has already waited.
        waited: Duration,
        /// The SHA-256 of the seed that the player will open.
        seed_hash: Hex<32>,
        /// The secret of the game, in case one starts.
        secret: Secret,
    },
    /// Opens the seed that a player has committed to.
    Seed {
        /// The player.
        player: PlayerId,
        /// The number of the game.
        game: u64,
        /// The seed.
        value: Hex<32>,
    },
    /// Plays or folds a hand.
    Decide {
        /// The player.
        player: PlayerId,
        /// The number of the game.
        game: u64,
        /// The number of the deal.
        deal: u32,
        /// The decision.
        decision: Decision,
    },
    /// Makes the overdue moves in all games whose deadlines have passed.
    Tick,
    /// Extends the deadlines after a pause of the table, so that players have time to return.
    ExtendDeadlines,
    /// Ends every wait and starts no more games. Running games continue.
    Drain,
}
