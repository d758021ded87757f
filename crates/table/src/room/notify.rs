use super::{Activity, Match, Meeting, Parties, Room, RoomEvent, Running};
use crate::protocol::{Cards, Decisions, Message, Opponent, Outcome, PlayerId, Reveal};
use std::iter;
use war::engine::Seat;
use war::tokens::{Decision, Hand, Opening, Seats, TokenEvent};

impl Room {
    /// What each player learns from an event that is about to be applied to this room.
    ///
    /// Nobody learns the other's cards, decision or seed before the game is over.
    pub(super) fn told(&self, event: &RoomEvent, now: u64) -> Vec<(PlayerId, Message)> {
        match event {
            RoomEvent::Joined { .. }
            | RoomEvent::Renamed { .. }
            | RoomEvent::SentOn { .. }
            | RoomEvent::Came { .. }
            | RoomEvent::Banned { .. }
            | RoomEvent::Readmitted { .. }
            | RoomEvent::Forgotten { .. } => Vec::new(),
            RoomEvent::Adjusted {
                player,
                tokens,
                reason,
            } => {
                let balance = self.players.get(player).map(|player| player.balance);
                let adjusted = |balance: i64| Message::Adjusted {
                    tokens: *tokens,
                    balance: balance.saturating_add(*tokens),
                    reason: reason.clone(),
                };
                let told = balance.map(|balance| (*player, adjusted(balance)));
                told.into_iter().collect()
            }
            RoomEvent::Chose {
                player, kind, with, ..
            } => {
                let (game, whom) = (*kind, with.whom());
                let waiting = (*player, Message::Waiting { game, with: whom });
                let wanted =
                    self.told_of_rematch(*with, |game_id| Message::RematchWanted { game_id });
                iter::once(waiting).chain(wanted).collect()
            }
            RoomEvent::Cancelled { player } => self.told_to_cancel(*player),
            RoomEvent::Matched(matched) => {
                let started = |seat| Some((matched.seats[seat], self.started(matched, seat, now)?));
                [0, 1].into_iter().filter_map(started).collect()
            }
            RoomEvent::WentOn { game, due } => match self.games.get(game) {
                Some(running) => told_to_go_on(running, *due, now),
                None => Vec::new(),
            },
            RoomEvent::Played {
                game, event, due, ..
            } => match self.games.get(game) {
                Some(running) => self.told_of_game(running, event, due.unwrap_or_default(), now),
                None => Vec::new(),
            },
        }
    }

    /// What those learn whom it concerns that a player waits no longer.
    fn told_to_cancel(&self, player: PlayerId) -> Vec<(PlayerId, Message)> {
        let waits_for = self.players.get(&player).map(|player| player.activity);
        let Some(Activity::Waiting(game, meeting)) = waits_for else {
            return Vec::new();
        };
        if self.draining {
            return vec![(player, Message::Draining { game })];
        }
        let cancelled = (player, Message::Cancelled { game });
        let withdrawn =
            self.told_of_rematch(meeting, |game_id| Message::RematchWithdrawn { game_id });
        iter::once(cancelled).chain(withdrawn).collect()
    }

    /// What the opponent of the game before learns who may play once more: nobody else does, and
    /// only while they are free to.
    fn told_of_rematch(
        &self,
        meeting: Meeting,
        message: impl FnOnce(u64) -> Message,
    ) -> Option<(PlayerId, Message)> {
        let Meeting::Rematch { game, opponent } = meeting else {
            return None;
        };
        let free = self.players.get(&opponent)?.activity == Activity::Free;
        free.then(|| (opponent, message(game)))
    }

    /// What the player at this seat, counted from 0, learns from the start of a game.
    fn started(&self, matched: &Match, seat: usize, now: u64) -> Option<Message> {
        let Parties::Committed { seed_hashes } = matched.parties else {
            return None;
        };
        let opponent = matched.seats[1 - seat];
        let known = self.players.get(&opponent)?;
        Some(Message::Started {
            game_id: matched.game,
            game: matched.kind,
            seat: [1, 2][seat],
            opponent: Opponent {
                player: opponent,
                name: None,
                house: known.house,
            },
            opponent_balance: Some(known.balance),
            seed_hashes,
            commitment: matched.secret.commitment(),
            time_ms: None,
            table: None,
            signature: None,
            deadline_ms: matched.due,
            left_ms: matched.due.saturating_sub(now),
        })
    }

    fn told_of_game(
        &self,
        running: &Running,
        event: &TokenEvent,
        deadline_ms: u64,
        now: u64,
    ) -> Vec<(PlayerId, Message)> {
        let seats = running.seats;
        let (game_id, deal) = (running.game.number(), running.game.deals());
        let to = |seat: Seat, message| (seats[seat.index()], message);
        match event {
            TokenEvent::Started { .. }
            | TokenEvent::Committed { .. }
            | TokenEvent::Seeded { .. }
            | TokenEvent::Forfeited { .. }
            | TokenEvent::Tied => Vec::new(),
            TokenEvent::Opened { seat, .. } => vec![to(*seat, Message::Seeded { game_id })],
            TokenEvent::Dealt { hands } => {
                let left_ms = deadline_ms.saturating_sub(now);
                let dealt = |cards: &Hand| dealt(game_id, deal, cards, (deadline_ms, left_ms));
                seats.into_iter().zip(hands.each_ref().map(dealt)).collect()
            }
            &TokenEvent::Decided {
                seat,
                decision,
                timed_out,
            } => {
                let decided = Message::Decided {
                    game_id,
                    deal,
                    decision,
                    timed_out,
                };
                let mut told = vec![to(seat, decided)];
                // When time is up, the result tells it.
                if !timed_out {
                    let other = seats[1 - seat.index()];
                    told.push((other, Message::OpponentDecided { game_id, deal }));
                }
                told
            }
            TokenEvent::Settled { deltas } => {
                let result = |seat| Some((seats[seat], self.result(running, *deltas, seat)?));
                [0, 1].into_iter().filter_map(result).collect()
            }
        }
    }

    /// The result of a game for the player at this seat, counted from 0.
    fn result(&self, running: &Running, deltas: [i64; 2], seat: usize) -> Option<Message> {
        let game = &running.game;
        let player = self.players.get(&running.seats[seat])?;
        let seats = game.seats()?;
        let decided = match game.decisions() {
            [Some(one), Some(two)] => Some([one, two]),
            _ => None,
        };
        let showdown = game
            .hands()
            .filter(|_| decided == Some([Decision::Play; 2]));
        let forfeited = [1, 2].into_iter().zip(seats.forfeited());
        Some(Message::Result {
            game_id: game.number(),
            outcome: match (deltas[seat], deltas[1 - seat]) {
                (1.., _) => Outcome::Won,
                (_, 1..) => Outcome::Lost,
                _ => Outcome::BothFolded,
            },
            delta: deltas[seat],
            balance: player.balance + deltas[seat],
            decisions: decided.map(|decided| Decisions {
                yours: decided[seat],
                theirs: decided[1 - seat],
            }),
            forfeited: forfeited
                .filter_map(|(seat, is)| is.then_some(seat))
                .collect(),
            cards: showdown.map(|hands| Cards {
                yours: hands[seat].clone(),
                theirs: hands[1 - seat].clone(),
            }),
            reveal: revealed(running, seats),
            digest: None,
            time_ms: None,
            leaves: None,
        })
    }
}

/// What those who are awaited in a game learn when it goes on.
fn told_to_go_on(running: &Running, due: u64, now: u64) -> Vec<(PlayerId, Message)> {
    let message = Message::Clock {
        game_id: running.game.number(),
        deadline_ms: due,
        left_ms: due.saturating_sub(now),
    };
    let awaited = running.awaited();
    awaited.map(|player| (player, message.clone())).collect()
}

/// The cards of one player; `deal` is the number of the deal before, and `time` is when it is
/// up and how much is left.
fn dealt(game_id: u64, deal: u32, cards: &Hand, time: (u64, u64)) -> Message {
    let (cards, (deadline_ms, left_ms)) = (cards.clone(), time);
    match deal {
        0 => Message::Dealt {
            game_id,
            deal: 1,
            cards,
            deadline_ms,
            left_ms,
        },
        before => Message::Redealt {
            game_id,
            deal: before.saturating_add(1),
            cards,
            deadline_ms,
            left_ms,
        },
    }
}

/// What was secret in a game.
fn revealed(running: &Running, seats: &Seats) -> Reveal {
    let (client_seeds, seed_hashes) = match seats {
        Seats::Added { .. } => ([None; 2], None),
        Seats::Committed {
            seed_hashes, seeds, ..
        } => {
            let opened = |seed| match seed {
                Opening::Opened(seed) => Some(seed),
                Opening::Awaited | Opening::Forfeited => None,
            };
            (seeds.map(opened), Some(*seed_hashes))
        }
    };
    Reveal {
        seed: running.game.secret().reveal(),
        client_seeds,
        seed_hashes,
        deals: running.game.deals(),
    }
}
