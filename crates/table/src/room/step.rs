use super::{
    Activity, ApplyError, Match, Meeting, Parties, Player, Room, RoomEvent, Running, Standing,
};
use crate::protocol::{Notice, PlayerId, Refusal, Sent};
use war::engine::Seat;
use war::support::hex::Hex;
use war::tokens::{self, Decision, Kind, Move, Name, Opening, Seats, Secret, TokenGame};

/// How long players have at least after a pause, in milliseconds, where there is so much time
/// at all.
const TO_COME_BACK: u64 = 10_000;

/// What a command brought about.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Effects {
    /// The events, in order; the room has changed by them.
    pub events: Vec<RoomEvent>,
    /// What the players learn of them, in order.
    pub notices: Vec<Notice>,
}

impl Room {
    /// Does what a command asks for; `now` is the time in milliseconds.
    ///
    /// # Errors
    ///
    /// [`Refusal`] where it can't be done: the room is unchanged then.
    ///
    /// # Panics
    ///
    /// If the room decides an event that does not fit it: never.
    pub fn step(&mut self, command: &Command, now: u64) -> Result<Effects, Refusal> {
        let mut step = Effects::default();
        match *command {
            Command::Join { ref name, house } => self.join(name.clone(), house, now, &mut step),
            Command::Choose {
                player,
                kind,
                meeting,
                seed_hash,
                secret,
            } => {
                self.must_be_free(player)?;
                let event = match self.opponent_of(player, kind, meeting)? {
                    Some(opponent) => {
                        let players = [opponent, (player, seed_hash)];
                        self.matched(players, kind, meeting, secret, now)
                    }
                    None => RoomEvent::Chose {
                        player,
                        kind,
                        at: now,
                        seed_hash: Some(seed_hash),
                        with: meeting,
                    },
                };
                self.take(event, now, &mut step);
            }
            Command::Cancel { player, kind } => match self.activity(player)? {
                Activity::Waiting(game, _) if game == kind => {
                    self.take(RoomEvent::Cancelled { player }, now, &mut step);
                }
                _ => return Err(Refusal::NotWaiting),
            },
            Command::SendOn { player, room } => self.send_on(player, room, now, &mut step)?,
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
                self.take(came, now, &mut step);
                let meeting = Meeting::Anyone;
                if let Some(opponent) = self.opponent_of(player, kind, meeting)? {
                    let players = [opponent, (player, seed_hash)];
                    let met = self.matched(players, kind, meeting, secret, now);
                    self.take(met, now, &mut step);
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
                self.play(game, &Move::Open(seat, value), now, &mut step)?;
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
                self.play(game, &Move::Decide(seat, decision), now, &mut step)?;
            }
            Command::Tick => self.tick(now, &mut step),
            Command::GoOn => self.go_on(now, &mut step),
            Command::Drain => {
                self.draining = true;
                for player in self.queues.players().collect::<Vec<_>>() {
                    self.take(RoomEvent::Cancelled { player }, now, &mut step);
                }
            }
        }
        Ok(step)
    }

    /// Lets a new player in, whose name no event tells.
    fn join(&mut self, name: Name, house: bool, now: u64, step: &mut Effects) {
        let player = PlayerId(self.player_numbers.next());
        self.admit(player, Player::new(name, house));
        let name = None;
        let joined = RoomEvent::Joined {
            player,
            name,
            house,
        };
        self.take(joined, now, step);
    }

    /// Whom a player would meet who chose a game of this kind so, if they wait already.
    #[must_use]
    pub fn would_meet(&self, player: PlayerId, kind: Kind, meeting: Meeting) -> Option<PlayerId> {
        let opponent = self.opponent_of(player, kind, meeting).ok()??;
        Some(opponent.0)
    }

    /// Who waits longest for a game of this kind and can be met so, besides this player; and what
    /// they are committed to.
    fn opponent_of(
        &self,
        player: PlayerId,
        kind: Kind,
        meeting: Meeting,
    ) -> Result<Option<(PlayerId, Hex<32>)>, Refusal> {
        let is_of_the_house = self.players.get(&player).is_some_and(|player| player.house);
        if meeting.is_anyone() {
            let mut others = self
                .queues
                .public(kind)
                .filter(|other| other.player != player);
            return Ok(others.find_map(|other| Some((other.player, other.seed_hash?))));
        }
        if meeting == Meeting::House && !is_of_the_house {
            return Ok(None);
        }
        let mut others = self.queues.private(player, meeting).peekable();
        let waits = others.peek().is_some();
        match others.find(|(game, _)| *game == kind) {
            Some((_, other)) => Ok(other.seed_hash.map(|seed_hash| (other.player, seed_hash))),
            None if waits && meeting != Meeting::House => Err(Refusal::NotInvited),
            None => Ok(None),
        }
    }

    /// Lets a player who waits go on waiting in another room.
    fn send_on(
        &mut self,
        player: PlayerId,
        room: u16,
        now: u64,
        step: &mut Effects,
    ) -> Result<(), Refusal> {
        let Activity::Waiting(kind, _) = self.activity(player)? else {
            return Err(Refusal::NotWaiting);
        };
        let waiting = self
            .queues
            .public(kind)
            .find(|waiting| waiting.player == player);
        let found = waiting.and_then(|waiting| Some((waiting.since, waiting.seed_hash?)));
        let (since, seed_hash) = found.ok_or(Refusal::NotWaiting)?;
        let sent_on = RoomEvent::SentOn {
            player,
            room,
            kind,
            waited: now.saturating_sub(since),
            seed_hash,
        };
        self.take(sent_on, now, step);
        Ok(())
    }

    /// Lets time do what is due by now.
    fn tick(&mut self, now: u64, step: &mut Effects) {
        while let Some((_, game)) = self.first_due().filter(|(due, _)| *due <= now) {
            for made in &overdue(&self.games[&game].game) {
                let played = self.play(game, made, now, step);
                played.expect("time may always deal, and decide for who has not");
            }
        }
    }

    /// Gives those who are awaited at least a while to come back, and at most the whole time:
    /// nobody folds because nobody could be heard.
    fn go_on(&mut self, now: u64, step: &mut Effects) {
        let running = self.games.iter();
        let decided = |(&game, running): (&u64, &Running)| {
            let whole = match running.game.hands() {
                None => self.timeouts.seeds,
                Some(_) => self.timeouts.decide,
            };
            let least = now.saturating_add(whole.min(TO_COME_BACK));
            let due = running.due.clamp(least, now.saturating_add(whole));
            RoomEvent::WentOn { game, due }
        };
        let events: Vec<_> = running.map(decided).collect();
        for event in events {
            self.take(event, now, step);
        }
    }

    /// The game of two players, each with their seed's hash: the one who waits sits at seat 1.
    fn matched(
        &self,
        players: [(PlayerId, Hex<32>); 2],
        kind: Kind,
        with: Meeting,
        secret: Secret,
        now: u64,
    ) -> RoomEvent {
        RoomEvent::Matched(Match {
            game: self.game_numbers.next(),
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

    /// Makes a move in a game, with all that follows from it.
    fn play(
        &mut self,
        game: u64,
        made: &Move,
        now: u64,
        step: &mut Effects,
    ) -> Result<(), Refusal> {
        let running = self.games.get(&game).ok_or(Refusal::NotPlaying)?;
        let seats = running.seats;
        let mut next = Some(running.game.decide(made)?);
        while let Some(event) = next {
            let dealt = matches!(event, tokens::TokenEvent::Dealt { .. });
            let due = dealt.then_some(now.saturating_add(self.timeouts.decide));
            let played = RoomEvent::Played {
                game,
                seats,
                event,
                due,
            };
            self.take(played, now, step);
            next = self
                .games
                .get(&game)
                .and_then(|running| running.game.follows());
        }
        Ok(())
    }

    /// Applies an event, and notifies the players.
    pub(super) fn take(&mut self, event: RoomEvent, now: u64, step: &mut Effects) {
        let told = self.told(&event, now);
        let applied: Result<(), ApplyError> = self.apply(&event);
        applied.expect("what the room decides fits it");
        for (to, message) in told {
            let player = self
                .known(to)
                .expect("the player was there when the message was written");
            player.seq += 1;
            let seq = player.seq;
            let sent = Sent { seq, message };
            step.notices.push(Notice { to, sent });
        }
        step.events.push(event);
    }

    fn activity(&self, player: PlayerId) -> Result<Activity, Refusal> {
        let player = self.players.get(&player).ok_or(Refusal::HelloFirst)?;
        Ok(player.activity)
    }

    fn must_be_free(&self, player: PlayerId) -> Result<(), Refusal> {
        let banned = |player: &Player| player.standing == Standing::Banned;
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

    /// Why what a player asked for at this time is not granted, if their time was up then, and time
    /// has not decided for them yet.
    #[must_use]
    pub fn too_late(&self, command: &Command, asked: u64) -> Option<Refusal> {
        let (player, game, refusal) = match *command {
            Command::Seed { player, game, .. } => (player, game, Refusal::SeedsClosed),
            Command::Decide { player, game, .. } => (player, game, Refusal::TooLate),
            _ => return None,
        };
        let running = self.games.get(&game).filter(|_| self.grace > 0)?;
        let awaits = running.awaited().any(|awaited| awaited == player);
        (awaits && running.due <= asked).then_some(refusal)
    }

    /// The game that a player is in, and their seat.
    fn seat(&self, player: PlayerId) -> Result<(&Running, Seat), Refusal> {
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

/// What time does in a game whose time is up.
fn overdue(game: &TokenGame) -> Vec<Move> {
    let awaited = match (game.hands(), game.seats()) {
        (Some(_), _) => game.decisions().map(|decision| decision.is_none()),
        (None, Some(Seats::Committed { seeds, .. })) => seeds.map(|seed| seed == Opening::Awaited),
        (None, _) => return vec![Move::Deal],
    };
    let late = Seat::all().zip(awaited).filter(|(_, awaited)| *awaited);
    late.map(|(seat, _)| Move::TimeOut(seat)).collect()
}

/// What can be asked of a room.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Command {
    /// A new player comes.
    Join {
        /// What they are called.
        name: Name,
        /// Whether they belong to the house.
        house: bool,
    },
    /// A player chooses a game: they meet the one who waits longest for them, or wait.
    Choose {
        /// Who.
        player: PlayerId,
        /// The game.
        kind: Kind,
        /// Whom they want to play with; only players of the house meet those who want the house.
        meeting: Meeting,
        /// The SHA-256 of the seed that they will open.
        seed_hash: Hex<32>,
        /// The secret of the game, should one start.
        secret: Secret,
    },
    /// A player waits no longer.
    Cancel {
        /// Who.
        player: PlayerId,
        /// The game that they waited for.
        kind: Kind,
    },
    /// A player who waits for anyone goes on waiting in another room of the table.
    SendOn {
        /// Who.
        player: PlayerId,
        /// The number of that room.
        room: u16,
    },
    /// A player comes who waits in another room no longer: they meet the one who waits longest,
    /// or wait.
    Receive {
        /// Who.
        player: PlayerId,
        /// The game that they chose.
        kind: Kind,
        /// How long they have waited, in milliseconds.
        waited: u64,
        /// The SHA-256 of the seed that they will open.
        seed_hash: Hex<32>,
        /// The secret of the game, should one start.
        secret: Secret,
    },
    /// A player opens the seed that they are committed to.
    Seed {
        /// Who.
        player: PlayerId,
        /// In which game.
        game: u64,
        /// The seed.
        value: Hex<32>,
    },
    /// A player decides.
    Decide {
        /// Who.
        player: PlayerId,
        /// In which game.
        game: u64,
        /// On which deal of it.
        deal: u32,
        /// What.
        decision: Decision,
    },
    /// Time passed: what is due by now happens.
    Tick,
    /// The table goes on after a pause: those who are awaited have some time to come back.
    GoOn,
    /// No game starts any more, and nobody waits for one.
    Drain,
}
