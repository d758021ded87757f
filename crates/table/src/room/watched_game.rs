use super::{Match, RoomEvent};
use crate::protocol::{Opponent, WatchedGame, WatchedResult};
use war::tokens::{Decision, Hand, TokenEvent};

impl WatchedGame {
    /// Builds the watchers' view of a game from its events so far, in order. Returns `None` if
    /// these are not the events of a game.
    #[must_use]
    pub fn from_events(events: &[RoomEvent], players: [Opponent; 2]) -> Option<Self> {
        let Some(RoomEvent::Matched(Match { game, kind, .. })) = events.first() else {
            return None;
        };
        let mut projection = WatchedProjection {
            watched: Self {
                game_id: *game,
                game: *kind,
                players,
                deal: 0,
                decided: [false; 2],
                ties: Vec::new(),
                result: None,
                journal: None,
            },
            hands: None,
            decisions: [None; 2],
            forfeited: Vec::new(),
        };
        for event in events {
            if let RoomEvent::Played { event, .. } = event {
                projection.apply(event);
            }
        }
        Some(projection.watched)
    }
}

/// The watchers' view built from the events so far, with the facts still hidden from watchers.
struct WatchedProjection {
    watched: WatchedGame,
    hands: Option<[Hand; 2]>,
    decisions: [Option<Decision>; 2],
    forfeited: Vec<u8>,
}

impl WatchedProjection {
    fn apply(&mut self, event: &TokenEvent) {
        match event {
            TokenEvent::Dealt { hands } => {
                self.watched.deal += 1;
                self.hands = Some(hands.clone());
                self.decisions = [None; 2];
                self.watched.decided = [false; 2];
            }
            TokenEvent::Decided { seat, decision, .. } => {
                if let Some(decided) = self.decisions.get_mut(seat.index()) {
                    *decided = Some(*decision);
                    self.watched.decided[seat.index()] = true;
                }
            }
            TokenEvent::Forfeited { seat } => self.forfeited.push(seat.number()),
            TokenEvent::Tied => self.watched.ties.extend(self.hands.take()),
            TokenEvent::Settled { deltas } => self.watched.result = Some(self.result(*deltas)),
            TokenEvent::Started { .. }
            | TokenEvent::Committed { .. }
            | TokenEvent::DuelStarted
            | TokenEvent::Opened { .. }
            | TokenEvent::Seeded { .. } => {}
        }
    }

    fn result(&mut self, deltas: [i64; 2]) -> WatchedResult {
        let [one, other] = self.decisions;
        let decisions = one.zip(other).map(|(one, other)| [one, other]);
        let both_played = decisions == Some([Decision::Play; 2]);
        WatchedResult {
            deltas,
            decisions,
            forfeited: std::mem::take(&mut self.forfeited),
            cards: self.hands.take().filter(|_| both_played),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::protocol::{Opponent, PlayerId, WatchedGame};
    use crate::room::{Match, OpponentChoice, Parties, RoomEvent};
    use crate::time::TableTime;
    use war::engine::Seat;
    use war::support::hex::Hex;
    use war::tokens::{Decision, Hand, Kind, Secret, TokenEvent};

    fn opponents() -> [Opponent; 2] {
        [1, 2].map(|player| Opponent {
            player: PlayerId(player),
            name: None,
            house: false,
        })
    }

    fn hands(texts: [&str; 2]) -> [Hand; 2] {
        texts.map(|card| vec![card.parse().expect("a card")])
    }

    /// Events of a game with one tie, then a deal with these last decisions and token changes.
    fn events(last: [Decision; 2], deltas: [i64; 2]) -> Vec<RoomEvent> {
        let seats: Vec<_> = Seat::all().take(2).collect();
        let decided = |seat: usize, decision| TokenEvent::Decided {
            seat: seats[seat],
            decision,
            timed_out: false,
        };
        let played = [
            TokenEvent::Dealt {
                hands: hands(["9c", "9h"]),
            },
            decided(0, Decision::Play),
            decided(1, Decision::Play),
            TokenEvent::Tied,
            TokenEvent::Dealt {
                hands: hands(["Kc", "2d"]),
            },
            decided(1, last[1]),
            decided(0, last[0]),
            TokenEvent::Settled { deltas },
        ];
        let matched = RoomEvent::Matched(Match {
            game: 7,
            kind: Kind::Single,
            seats: [PlayerId(1), PlayerId(2)],
            parties: Parties::Committed {
                seed_hashes: [Hex::new([1; 32]), Hex::new([2; 32])],
            },
            secret: Secret::new(Hex::new([3; 32])),
            due: TableTime::ZERO,
            with: OpponentChoice::Anyone,
        });
        let played = played.map(|event| RoomEvent::Played {
            game: 7,
            seats: [PlayerId(1), PlayerId(2)],
            event,
            due: None,
        });
        [matched].into_iter().chain(played).collect()
    }

    /// The watchers' view after the first `many` events, as JSON.
    fn visible_frames(events: &[RoomEvent], many: usize) -> String {
        let seen = WatchedGame::from_events(&events[..many], opponents()).expect("a game");
        serde_json::to_string(&seen).expect("plain values")
    }

    #[test]
    fn watchers_see_cards_only_after_both_players_have() {
        let showdown = events([Decision::Play; 2], [10, -10]);
        for many in 1..=showdown.len() {
            let text = visible_frames(&showdown, many);
            let (tied, shown) = (many >= 5, many == showdown.len());
            assert_eq!(text.contains("9c"), tied, "{many}: {text}");
            assert_eq!(text.contains("9h"), tied, "{many}: {text}");
            assert_eq!(text.contains("Kc"), shown, "{many}: {text}");
            assert_eq!(text.contains("2d"), shown, "{many}: {text}");
            // The secret stays hidden.
            assert!(!text.contains("0303"), "{many}: {text}");
            // Decisions stay hidden until both are made.
            assert_eq!(text.contains("play\""), shown, "{many}: {text}");
        }
        let folded = events([Decision::Fold, Decision::Play], [-3, 3]);
        let text = visible_frames(&folded, folded.len());
        assert!(!text.contains("Kc") && !text.contains("2d"), "{text}");
        assert!(
            text.contains("9h") && text.contains("\"fold\",\"play\""),
            "{text}"
        );
    }

    #[test]
    fn watchers_see_who_has_decided_on_each_deal() {
        let events = events([Decision::Play; 2], [10, -10]);
        let at = |many: usize| {
            let seen = WatchedGame::from_events(&events[..many], opponents()).expect("a game");
            (seen.deal, seen.decided)
        };
        assert_eq!(at(1), (0, [false, false]));
        assert_eq!(at(3), (1, [true, false]));
        assert_eq!(at(5), (1, [true, true]));
        assert_eq!(at(6), (2, [false, false]));
        assert_eq!(at(7), (2, [false, true]));
        assert_eq!(WatchedGame::from_events(&events[1..], opponents()), None);
        assert_eq!(WatchedGame::from_events(&[], opponents()), None);
    }
}
