//! What players look back on: it is read from the store, and changes nothing.

use super::store::{Ladder, Page, Past, Reader, StoreError};
use crate::ladder::{HOUSE, Standing, first_moment};
use crate::protocol::{
    HandTally, KindTally, Message, Opponent, PastGame, PlayerId, Request, RequestId, Rung, Span,
    Tally, WatchedGame,
};
use crate::room::{Match, Player, RoomEvent};
use std::sync::{Mutex, PoisonError};
use war::tokens::{Kind, Name};

/// How many games are shown at most that others may watch.
const MOST_WATCHED: u32 = 20;

/// What a player asks to see.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Query {
    /// Who asks.
    pub player: PlayerId,
    /// The request's own name.
    pub id: RequestId,
    /// What they want to see.
    pub at: QueryKind,
}

/// What there is to see.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum QueryKind {
    /// Games that are over.
    Games {
        /// Before which one they ended; none for the last ones.
        before: Option<u64>,
        /// How many at most.
        limit: u32,
    },
    /// What came of all of them.
    Figures,
    /// The ladder.
    Ladder(Span),
    /// Games that others may watch.
    Watch {
        /// Only this one; none for all that run.
        game: Option<u64>,
    },
}

impl Query {
    /// What a player asks to see with a request, if that is what it is about.
    #[must_use]
    pub fn of(player: PlayerId, request: &Request) -> Option<Self> {
        let at = match *request {
            Request::Games { before, limit, .. } => QueryKind::Games { before, limit },
            Request::Figures { .. } => QueryKind::Figures,
            Request::Ladder { span, .. } => QueryKind::Ladder(span),
            Request::Watch { game_id: game, .. } => QueryKind::Watch { game },
            _ => return None,
        };
        let id = request.id().clone();
        Some(Self { player, id, at })
    }

    /// About how many rows the answer has, before it is read.
    pub(super) const fn rows(&self) -> u64 {
        match self.at {
            QueryKind::Games { limit, .. } => limit as u64,
            QueryKind::Figures | QueryKind::Ladder(_) => 30,
            QueryKind::Watch { game: Some(_) } => 1,
            QueryKind::Watch { game: None } => MOST_WATCHED as u64,
        }
    }

    /// The answer, as the store has it.
    pub(super) fn answer(self, reader: &dyn Reader) -> Result<Message, StoreError> {
        let in_reply_to = self.id;
        Ok(match self.at {
            QueryKind::Games { before, limit } => {
                let page = Page {
                    player: self.player,
                    before,
                    limit,
                };
                let games = reader.games(page)?;
                let games = games.into_iter().map(past_game).collect();
                Message::Games { games, in_reply_to }
            }
            QueryKind::Figures => figures(reader.figures(self.player)?, in_reply_to),
            QueryKind::Ladder(span) => {
                let day = reader.rated_day()?;
                let ladder = reader.ladder(span, self.player)?;
                shown(span, day, ladder, (self.player, in_reply_to))
            }
            QueryKind::Watch { game } => {
                let games = match game {
                    Some(game) => vec![game],
                    None => reader.watchable(MOST_WATCHED)?,
                };
                let games = games.into_iter().map(|game| watched(reader, game));
                let games: Result<Vec<_>, _> = games.collect();
                let games = games?.into_iter().flatten().collect();
                Message::Watched { games, in_reply_to }
            }
        })
    }
}

/// A game as those see it who watch; nothing where it is not open to them.
fn watched(reader: &dyn Reader, game: u64) -> Result<Option<WatchedGame>, StoreError> {
    let events = reader.game(game)?;
    let Some(RoomEvent::Matched(Match { seats, .. })) = events.first() else {
        return Ok(None);
    };
    let [one, other] = *seats;
    let players = [reader.player(one)?, reader.player(other)?];
    if !players
        .iter()
        .all(|player| player.watchable || player.house)
    {
        return Ok(None);
    }
    let [first, second] = players;
    let called = |player, known: Player| Opponent {
        player,
        name: Some(known.name),
        house: known.house,
    };
    let players = [called(one, first), called(other, second)];
    Ok(WatchedGame::of(&events, players))
}

/// The ladder as this player sees it who asked for it by this name.
fn shown(
    span: Span,
    day: Option<u64>,
    ladder: Ladder,
    (player, in_reply_to): (PlayerId, RequestId),
) -> Message {
    let today = day.map_or(0, |day| day.saturating_add(1));
    let rung = |place, player, name: Option<Name>, standing: Standing| {
        let standing = standing.on(today);
        Rung {
            place,
            player,
            house: player == HOUSE,
            name,
            rating: whole(standing.rating()),
            deviation: whole(standing.deviation()),
            games: standing.games,
        }
    };
    let top = (1..).zip(ladder.top);
    let top =
        top.map(|(place, (player, name, standing))| rung(Some(place), player, name, standing));
    let own = ladder.own;
    Message::Ladder {
        span,
        until_ms: day.map(|_| first_moment(today)),
        top: top.collect(),
        own: own.map(|(place, name, standing)| rung(place, player, Some(name), standing)),
        in_reply_to,
    }
}

#[expect(clippy::cast_possible_truncation, reason = "ratings are small")]
fn whole(number: f64) -> i64 {
    number.round() as i64
}

fn past_game(Past { game, name, house }: Past) -> PastGame {
    PastGame {
        game_id: game.game,
        ended_ms: game.at,
        game: game.kind,
        opponent: Opponent {
            player: game.opponent,
            name: Some(name),
            house,
        },
        yours: game.yours,
        theirs: game.theirs,
        cards: game.cards,
        their_cards: game.their_cards,
        delta: game.tokens,
        balance: game.balance,
        public: game.is_public,
    }
}

fn figures(hands: Vec<HandTally>, in_reply_to: RequestId) -> Message {
    let sum = |of: &dyn Fn(&HandTally) -> bool| {
        let mut sum = Tally::default();
        for hand in hands.iter().filter(|hand| of(hand)) {
            sum += hand.tally;
        }
        sum
    };
    let of_kind = |kind| KindTally {
        game: kind,
        tally: sum(&|hand| hand.game == kind),
    };
    let kinds = Kind::ALL.into_iter().map(of_kind);
    let kinds = kinds.filter(|kind| kind.tally.games > 0).collect();
    Message::Figures {
        total: sum(&|_| true),
        kinds,
        hands,
        in_reply_to,
    }
}

/// For how long what was looked up is shown, in milliseconds.
const SHOWN: u64 = 1_000;

/// What was looked up last, and when.
#[derive(Default)]
pub(super) struct OpenGames(Mutex<Option<(u64, Vec<WatchedGame>)>>);

impl OpenGames {
    /// The answer to somebody who asks which games they may watch, if that is known at this time.
    pub(super) fn answer(&self, look: &Query, now: u64) -> Option<Message> {
        if look.at != (QueryKind::Watch { game: None }) {
            return None;
        }
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (_, games) = kept.as_ref().filter(|(at, _)| now < at + SHOWN)?;
        Some(Message::Watched {
            games: games.clone(),
            in_reply_to: look.id.clone(),
        })
    }

    /// Keeps what was looked up at this time, where it is that.
    pub(super) fn keep(&self, at: &QueryKind, answer: &Message, now: u64) {
        if let (QueryKind::Watch { game: None }, Message::Watched { games, .. }) = (at, answer) {
            let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            *kept = Some((now, games.clone()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{OpenGames, Query, QueryKind};
    use crate::protocol::{Message, PlayerId, RequestId};

    #[test]
    fn what_was_looked_up_is_shown_for_a_second() {
        let open = OpenGames::default();
        let look = |id: &str, game| Query {
            player: PlayerId(1),
            id: RequestId::new(id).expect("a name"),
            at: QueryKind::Watch { game },
        };
        let answer = |id: &str| Message::Watched {
            games: Vec::new(),
            in_reply_to: RequestId::new(id).expect("a name"),
        };
        let all = look("b", None);
        assert_eq!(open.answer(&all, 5_000), None);
        // One game says nothing of all.
        open.keep(&QueryKind::Watch { game: Some(7) }, &answer("a"), 5_000);
        assert_eq!(open.answer(&all, 5_000), None);
        open.keep(&all.at, &answer("a"), 5_000);
        assert_eq!(open.answer(&all, 5_999), Some(answer("b")));
        assert_eq!(open.answer(&look("b", Some(7)), 5_999), None);
        assert_eq!(open.answer(&all, 6_000), None);
    }
}
