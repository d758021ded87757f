use super::{
    Cards, Decisions, Match, Message, Outcome, PlayerId, Reveal, Room, RoomEvent, Running, Sent,
};
use crate::tokens::{self, ClientSeed, Decision};

/// A message for one player.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Notice {
    /// Who it is for.
    pub to: PlayerId,
    /// The message, with its number among those of this player.
    pub sent: Sent,
}

impl Room {
    /// What each player learns from an event that is about to be applied to this room.
    ///
    /// Nobody learns the other's cards, decision or seed before the game is over.
    pub(super) fn told(&self, event: &RoomEvent, now: u64) -> Vec<(PlayerId, Message)> {
        match event {
            RoomEvent::Joined { .. } | RoomEvent::Renamed { .. } => Vec::new(),
            RoomEvent::Chose { player, kind, .. } => {
                vec![(*player, Message::Waiting { game: *kind })]
            }
            RoomEvent::Cancelled { player } => {
                let waits_for = self.players.get(player).map(|player| player.activity);
                let Some(super::Activity::Waiting(game)) = waits_for else {
                    return Vec::new();
                };
                vec![(*player, Message::Cancelled { game })]
            }
            RoomEvent::WentOn { game, due } => match self.games.get(game) {
                Some(running) => told_to_go_on(running, *due, now),
                None => Vec::new(),
            },
            RoomEvent::Matched(matched) => [0, 1].map(|seat| started(matched, seat)).to_vec(),
            RoomEvent::Played {
                game, event, due, ..
            } => match self.games.get(game) {
                Some(running) => self.told_of_game(running, event, due.unwrap_or_default()),
                None => Vec::new(),
            },
        }
    }

    fn told_of_game(
        &self,
        running: &Running,
        event: &tokens::TokenEvent,
        deadline_ms: u64,
    ) -> Vec<(PlayerId, Message)> {
        let seats = running.seats;
        let one = |seat: crate::engine::Seat, message| vec![(seats[seat.index()], message)];
        match event {
            tokens::TokenEvent::Started { .. }
            | tokens::TokenEvent::Committed { .. }
            | tokens::TokenEvent::Opened { .. }
            | tokens::TokenEvent::Forfeited { .. }
            | tokens::TokenEvent::Tied => Vec::new(),
            tokens::TokenEvent::Seeded { seat, value } => {
                let value = value.clone();
                one(*seat, Message::Seeded { value })
            }
            tokens::TokenEvent::Dealt { hands } => {
                let first = running.game.deals() == 0;
                let dealt = |cards: &tokens::Hand| match cards.clone() {
                    cards if first => Message::Dealt { cards, deadline_ms },
                    cards => Message::Redealt { cards, deadline_ms },
                };
                seats.into_iter().zip(hands.each_ref().map(dealt)).collect()
            }
            &tokens::TokenEvent::Decided {
                seat,
                decision,
                timed_out,
            } => one(
                seat,
                Message::Decided {
                    decision,
                    timed_out,
                },
            ),
            tokens::TokenEvent::Settled { deltas } => {
                let result = |seat| Some((seats[seat], self.result(running, *deltas, seat)?));
                [0, 1].into_iter().filter_map(result).collect()
            }
        }
    }

    /// The result of a game for the player at this seat, counted from 0.
    fn result(&self, running: &Running, deltas: [i64; 2], seat: usize) -> Option<Message> {
        let game = &running.game;
        let player = self.players.get(&running.seats[seat])?;
        let hands = game.hands()?;
        let [one, two] = game.decisions();
        let decided = [one?, two?];
        let showdown = decided == [Decision::Play; 2];
        let seeds = match game.seats()? {
            tokens::Seats::Added { seeds, .. } => seeds.clone(),
            tokens::Seats::Committed { .. } => [None, None],
        };
        Some(Message::Result {
            game_id: game.number(),
            outcome: match (deltas[seat], deltas[1 - seat]) {
                (1.., _) => Outcome::Won,
                (_, 1..) => Outcome::Lost,
                _ => Outcome::BothFolded,
            },
            delta: deltas[seat],
            balance: player.balance + deltas[seat],
            decisions: Decisions {
                yours: decided[seat],
                theirs: decided[1 - seat],
            },
            cards: showdown.then(|| Cards {
                yours: hands[seat].clone(),
                theirs: hands[1 - seat].clone(),
            }),
            reveal: Reveal {
                seed: game.secret().reveal(),
                client_seeds: seeds.map(|seed: Option<ClientSeed>| seed.unwrap_or_default()),
                deals: game.deals(),
            },
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

/// What the player at this seat, counted from 0, learns from the start of a game.
fn started(matched: &Match, seat: usize) -> (PlayerId, Message) {
    let message = Message::Started {
        game_id: matched.game,
        game: matched.kind,
        seat: [1, 2][seat],
        opponent: matched.names[1 - seat].clone(),
        commitment: matched.secret.commitment(),
    };
    (matched.seats[seat], message)
}
