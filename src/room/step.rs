use super::{
    Activity, ApplyError, Command, Match, Notice, PlayerId, Refusal, Room, RoomEvent, Running, Sent,
};
use crate::engine::Seat;
use crate::tokens::{self, ClientSeed, Move};

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
            Command::Join { ref name, house } => {
                let player = PlayerId(self.next_player);
                let name = name.clone();
                self.take(
                    RoomEvent::Joined {
                        player,
                        name,
                        house,
                    },
                    now,
                    &mut step,
                );
            }
            Command::Rename { player, ref name } => {
                let name = name.clone();
                self.activity(player)?;
                if self.players[&player].name != name {
                    self.take(RoomEvent::Renamed { player, name }, now, &mut step);
                }
            }
            Command::Choose {
                player,
                kind,
                secret,
            } => {
                self.must_be_free(player)?;
                let opponent = self.queues[kind as usize]
                    .front()
                    .map(|(waiting, _)| *waiting);
                let Some(opponent) = opponent else {
                    let at = now;
                    self.take(RoomEvent::Chose { player, kind, at }, now, &mut step);
                    return Ok(step);
                };
                let game = self.next_game;
                let matched = Match {
                    game,
                    kind,
                    seats: [opponent, player],
                    names: [opponent, player].map(|seat| self.players[&seat].name.clone()),
                    secret,
                    due: now.saturating_add(self.timeouts.seeds),
                };
                self.take(RoomEvent::Matched(matched), now, &mut step);
                self.seed_for_the_house(game, now, &mut step);
            }
            Command::Cancel { player } => match self.activity(player)? {
                Activity::Waiting(_) => self.take(RoomEvent::Cancelled { player }, now, &mut step),
                _ => return Err(Refusal::NotWaiting),
            },
            Command::Seed { player, ref value } => {
                let (game, seat) = self.seat(player)?;
                let made = Move::Seed(seat, value.clone());
                self.play(game, &made, now, &mut step)?;
            }
            Command::Decide { player, decision } => {
                let (game, seat) = self.seat(player)?;
                self.play(game, &Move::Decide(seat, decision), now, &mut step)?;
            }
            Command::Tick => self.tick(now, &mut step),
            Command::GoOn => self.go_on(now, &mut step),
            Command::Drain => self.draining = true,
        }
        Ok(step)
    }

    /// Lets time do what is due by now.
    fn tick(&mut self, now: u64, step: &mut Effects) {
        while let Some((_, game)) = self.first_due().filter(|(due, _)| *due <= now) {
            let running = &self.games[&game];
            let moves = match running.game.hands() {
                None => vec![Move::Deal],
                Some(_) => Seat::all()
                    .zip(running.game.decisions())
                    .filter(|(_, decision)| decision.is_none())
                    .map(|(seat, _)| Move::TimeOut(seat))
                    .collect(),
            };
            for made in &moves {
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

    /// The house adds no chance of its own: players who meet it need not wait for that.
    fn seed_for_the_house(&mut self, game: u64, now: u64, step: &mut Effects) {
        let seats = self.games[&game].seats;
        for (seat, player) in Seat::all().zip(seats) {
            if self.players[&player].house {
                let made = Move::Seed(seat, ClientSeed::default());
                let seeded = self.play(game, &made, now, step);
                seeded.expect("a game that has just begun takes seeds");
            }
        }
    }

    /// Applies an event, and notifies the players.
    fn take(&mut self, event: RoomEvent, now: u64, step: &mut Effects) {
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
        match self.activity(player)? {
            Activity::Waiting(_) => Err(Refusal::Waiting),
            Activity::Playing(_) => Err(Refusal::Playing),
            Activity::Free if self.draining => Err(Refusal::Draining),
            Activity::Free => Ok(()),
        }
    }

    /// The game that a player is in, and their seat.
    fn seat(&self, player: PlayerId) -> Result<(u64, Seat), Refusal> {
        let Activity::Playing(game) = self.activity(player)? else {
            return Err(Refusal::NotPlaying);
        };
        let running = self.games.get(&game).ok_or(Refusal::NotPlaying)?;
        let mut seats = Seat::all().zip(running.seats);
        let found = seats.find(|(_, seated)| *seated == player);
        let (seat, _) = found.ok_or(Refusal::NotPlaying)?;
        Ok((game, seat))
    }
}
