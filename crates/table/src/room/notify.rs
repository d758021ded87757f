use super::{Activity, Match, OpponentChoice, Parties, Room, RoomEvent, RunningGame};
use crate::protocol::{Cards, Decisions, Message, Opponent, Outcome, PlayerId, Reveal};
use crate::time::{TableTime, whole_millis};
use std::iter;
use war::engine::Seat;
use war::tokens::{Decision, Hand, Seats, SeedStatus, TokenEvent};

impl Room {
    /// Builds the messages to players about an event that is about to be applied to this room.
    ///
    /// The messages reveal no opponent's cards, decision or seed before the game is over.
    pub(super) fn build_messages(
        &self,
        event: &RoomEvent,
        now: TableTime,
    ) -> Vec<(PlayerId, Message)> {
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
                let message = balance.map(|balance| (*player, adjusted(balance)));
                message.into_iter().collect()
            }
            RoomEvent::Chose {
                player,
                kind,
                with,
                seed_hash,
                ..
            } => {
                let (game, filter) = (*kind, with.to_filter());
                let waits = matches!(with, OpponentChoice::Friend { .. }) && seed_hash.is_none();
                let waiting = Message::Waiting {
                    game,
                    with: filter,
                    ready: waits.then_some(false),
                    in_reply_to: None,
                };
                let waiting = (*player, waiting);
                let wanted =
                    self.rematch_message(*with, |game_id| Message::RematchWanted { game_id });
                iter::once(waiting).chain(wanted).collect()
            }
            RoomEvent::Cancelled { player } => self.cancel_messages(*player),
            RoomEvent::Matched(matched) => {
                let started = |seat| {
                    Some((
                        matched.seats[seat],
                        self.started_message(matched, seat, now)?,
                    ))
                };
                [0, 1].into_iter().filter_map(started).collect()
            }
            RoomEvent::WentOn { game, due } => match self.games.get(game) {
                Some(running) => deadline_messages(running, *due, now),
                None => Vec::new(),
            },
            RoomEvent::Played {
                game, event, due, ..
            } => match self.games.get(game) {
                Some(running) => {
                    self.game_messages(running, event, due.unwrap_or(TableTime::ZERO), now)
                }
                None => Vec::new(),
            },
        }
    }

    /// Messages about a player who no longer waits: to that player, and to the opponent if the
    /// player waited for a rematch.
    fn cancel_messages(&self, player: PlayerId) -> Vec<(PlayerId, Message)> {
        let waits_for = self.players.get(&player).map(|player| player.activity);
        let Some(Activity::Waiting(game, meeting)) = waits_for else {
            return Vec::new();
        };
        if self.draining {
            return vec![(player, Message::Draining { game })];
        }
        let cancelled = Message::Cancelled {
            game,
            in_reply_to: None,
        };
        let cancelled = (player, cancelled);
        let withdrawn =
            self.rematch_message(meeting, |game_id| Message::RematchWithdrawn { game_id });
        iter::once(cancelled).chain(withdrawn).collect()
    }

    /// Message about a rematch to the opponent, if `meeting` is a rematch and the opponent is free
    /// to play it.
    fn rematch_message(
        &self,
        meeting: OpponentChoice,
        message: impl FnOnce(u64) -> Message,
    ) -> Option<(PlayerId, Message)> {
        let OpponentChoice::Rematch { game, opponent } = meeting else {
            return None;
        };
        let free = self.players.get(&opponent)?.activity == Activity::Free;
        free.then(|| (opponent, message(game)))
    }

    /// Message about the start of a game, to the player at `seat`, counted from 0.
    fn started_message(&self, matched: &Match, seat: usize, now: TableTime) -> Option<Message> {
        let Parties::Committed { seed_hashes } = matched.parties else {
            return None;
        };
        let TimeLeft {
            deadline_ms,
            left_ms,
        } = TimeLeft::until(matched.due, now);
        let opponent = matched.seats[1 - seat];
        let opponent_state = self.players.get(&opponent)?;
        Some(Message::Started {
            game_id: matched.game,
            game: matched.kind,
            seat: [1, 2][seat],
            opponent: Opponent {
                player: opponent,
                name: None,
                house: opponent_state.house,
            },
            opponent_balance: Some(opponent_state.balance),
            seed_hashes,
            commitment: matched.secret.commitment(),
            time_ms: None,
            table: None,
            signature: None,
            deadline_ms,
            left_ms,
            in_reply_to: None,
        })
    }

    /// Messages about an event of a running game.
    fn game_messages(
        &self,
        running: &RunningGame,
        event: &TokenEvent,
        due: TableTime,
        now: TableTime,
    ) -> Vec<(PlayerId, Message)> {
        let seats = running.seats;
        let (game_id, deal) = (running.game.number(), running.game.deals());
        let to = |seat: Seat, message| (seats[seat.index()], message);
        match event {
            TokenEvent::Started { .. }
            | TokenEvent::Committed { .. }
            | TokenEvent::DuelStarted
            | TokenEvent::Seeded { .. }
            | TokenEvent::Forfeited { .. }
            | TokenEvent::Tied => Vec::new(),
            TokenEvent::Opened { seat, .. } => {
                let seeded = Message::Seeded {
                    game_id,
                    in_reply_to: None,
                };
                vec![to(*seat, seeded)]
            }
            TokenEvent::Dealt { hands } => {
                let time = TimeLeft::until(due, now);
                let dealt = |cards: &Hand| dealt_message(game_id, deal, cards, time);
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
                    in_reply_to: None,
                };
                let mut messages = vec![to(seat, decided)];
                // After a timeout, the opponent learns the decision from the result.
                if !timed_out {
                    let other = seats[1 - seat.index()];
                    messages.push((other, Message::OpponentDecided { game_id, deal }));
                }
                messages
            }
            TokenEvent::Settled { deltas } => {
                let result =
                    |seat| Some((seats[seat], self.result_message(running, *deltas, seat)?));
                [0, 1].into_iter().filter_map(result).collect()
            }
        }
    }

    /// Message with the result of a game, to the player at `seat`, counted from 0.
    fn result_message(
        &self,
        running: &RunningGame,
        deltas: [i64; 2],
        seat: usize,
    ) -> Option<Message> {
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
        let forfeited = [1, 2].into_iter().zip(seats.have_forfeited());
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
            reveal: reveal(running, seats),
            digest: None,
            time_ms: None,
            leaves: None,
            journal: None,
        })
    }
}

/// Messages about the new deadline of a resumed game, to the players that the game waits for.
fn deadline_messages(
    running: &RunningGame,
    due: TableTime,
    now: TableTime,
) -> Vec<(PlayerId, Message)> {
    let TimeLeft {
        deadline_ms,
        left_ms,
    } = TimeLeft::until(due, now);
    let message = Message::Clock {
        game_id: running.game.number(),
        deadline_ms,
        left_ms,
    };
    let awaited = running.awaited_players();
    awaited.map(|player| (player, message.clone())).collect()
}

/// Deadline as messages state it, and the milliseconds left until then.
#[derive(Clone, Copy)]
struct TimeLeft {
    deadline_ms: u64,
    left_ms: u64,
}

impl TimeLeft {
    fn until(due: TableTime, now: TableTime) -> Self {
        Self {
            deadline_ms: due.as_millis(),
            left_ms: whole_millis(due.saturating_since(now)),
        }
    }
}

/// Message that deals one player's cards, when the game has had `previous_deals` deals before.
fn dealt_message(game_id: u64, previous_deals: u32, cards: &Hand, time: TimeLeft) -> Message {
    let cards = cards.clone();
    let TimeLeft {
        deadline_ms,
        left_ms,
    } = time;
    match previous_deals {
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

/// The secrets of a finished game, as its result reveals them.
fn reveal(running: &RunningGame, seats: &Seats) -> Reveal {
    let (client_seeds, seed_hashes) = match seats {
        Seats::OptionalSeeds { .. } | Seats::TableSeed => ([None; 2], None),
        Seats::CommittedSeeds {
            seed_hashes, seeds, ..
        } => {
            let opened = |seed| match seed {
                SeedStatus::Opened(seed) => Some(seed),
                SeedStatus::Awaited | SeedStatus::Forfeited => None,
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
