//! Read-only queries of players: finished games, statistics, ladder, games to watch.

use super::store::{HistoryQuery, HistoryRow, LadderView, Score, StoreError, StoreReader};
use crate::ladder::{HOUSE_ID, Standing, day_of, start_of_day};
use crate::protocol::{
    DailyGames, HandTally, HistoryEntry, KindTally, LadderEntry, LadderPeriod, Message, Opponent,
    PlayerId, Request, RequestId, Tally, WatchedGame,
};
use crate::room::{Match, Player, RoomEvent};
use crate::time::{Monotonic, WallTime};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use war::tokens::{Kind, Name};

/// Maximum number of watchable games in one answer.
const MAX_WATCHED: u32 = 20;

/// A query of a player.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Query {
    /// The player.
    pub player: PlayerId,
    /// Id of the request.
    pub id: RequestId,
    /// Subject of the query.
    pub kind: QueryKind,
}

/// Subject of a query.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum QueryKind {
    /// Finished games of the player.
    Games {
        /// Number of the game before which the returned games ended; `None` for the latest games.
        before: Option<u64>,
        /// Maximum number of games to return.
        limit: u32,
    },
    /// Statistics of all finished games of the player.
    Figures,
    /// Score of the games with this opponent.
    Score(PlayerId),
    /// The ladder of this period.
    Ladder(LadderPeriod),
    /// Games that the player may watch.
    Watch {
        /// Number of a single game, which may be finished; `None` for running games, the latest
        /// first.
        game: Option<u64>,
    },
}

impl Query {
    /// Converts a request to a query; `None` if the request is not a query.
    #[must_use]
    pub fn from_request(player: PlayerId, request: &Request) -> Option<Self> {
        let kind = match *request {
            Request::Games { before, limit, .. } => QueryKind::Games { before, limit },
            Request::Figures { .. } => QueryKind::Figures,
            Request::Score { opponent, .. } => QueryKind::Score(opponent),
            Request::Ladder { span, .. } => QueryKind::Ladder(span),
            Request::Watch { game_id: game, .. } => QueryKind::Watch { game },
            Request::Hello { .. }
            | Request::Settings { .. }
            | Request::CreateLink { .. }
            | Request::RevokeLink { .. }
            | Request::Links { .. }
            | Request::People { .. }
            | Request::Choose { .. }
            | Request::Cancel { .. }
            | Request::Seed { .. }
            | Request::Decide { .. }
            | Request::Resume { .. }
            | Request::Forget { .. } => return None,
        };
        let id = request.id().clone();
        Some(Self { player, id, kind })
    }

    /// Approximate number of rows in the answer.
    pub(super) const fn estimated_row_count(&self) -> u64 {
        match self.kind {
            QueryKind::Games { limit, .. } => limit as u64,
            QueryKind::Figures | QueryKind::Ladder(_) => 30,
            QueryKind::Score(_) | QueryKind::Watch { game: Some(_) } => 1,
            QueryKind::Watch { game: None } => MAX_WATCHED as u64,
        }
    }

    /// Reads the answer from the store; `now` tells which games were played today.
    pub(super) fn answer(
        self,
        reader: &dyn StoreReader,
        now: WallTime,
    ) -> Result<Message, StoreError> {
        let in_reply_to = self.id;
        Ok(match self.kind {
            QueryKind::Games { before, limit } => {
                let page = HistoryQuery {
                    player: self.player,
                    before,
                    limit,
                };
                let games = reader.games(page)?;
                let games = games.into_iter().map(history_entry).collect();
                Message::Games { games, in_reply_to }
            }
            QueryKind::Figures => figures_message(reader.figures(self.player)?, in_reply_to),
            QueryKind::Score(opponent) => {
                let Score { won, lost, tokens } = reader.score(self.player, opponent)?;
                Message::Score {
                    opponent,
                    won,
                    lost,
                    tokens,
                    in_reply_to,
                }
            }
            QueryKind::Ladder(span) => {
                let day = reader.rated_day()?;
                let ladder = reader.ladder(span, self.player)?;
                let today = reader.games_since(self.player, start_of_day(day_of(now)))?;
                let today = today.into_iter();
                let today = today.map(|(player, games)| DailyGames { player, games });
                let mut message = ladder_message(span, day, ladder, (self.player, in_reply_to));
                if let Message::Ladder { today: games, .. } = &mut message {
                    *games = Some(today.collect());
                }
                message
            }
            QueryKind::Watch { game } => {
                let games = match game {
                    Some(game) => vec![game],
                    None => reader.watchable_games(MAX_WATCHED)?,
                };
                let games = games.into_iter().map(|game| watched_game(reader, game));
                let games: Result<Vec<_>, _> = games.collect();
                let games = games?.into_iter().flatten().collect();
                Message::Watched { games, in_reply_to }
            }
        })
    }
}

/// A game as spectators see it; `None` if spectators may not watch it.
fn watched_game(reader: &dyn StoreReader, game: u64) -> Result<Option<WatchedGame>, StoreError> {
    let events = reader.game_events(game)?;
    let players = read_watchable_players(reader, &events)?;
    Ok(players.and_then(|players| WatchedGame::from_events(&events, players)))
}

/// Returns the players of a game by seat, if all of them let others watch their games.
pub(super) fn read_watchable_players(
    reader: &dyn StoreReader,
    events: &[RoomEvent],
) -> Result<Option<[Opponent; 2]>, StoreError> {
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
    Ok(Some([called(one, first), called(other, second)]))
}

/// The ladder as this player sees it.
fn ladder_message(
    span: LadderPeriod,
    day: Option<u64>,
    ladder: LadderView,
    (player, in_reply_to): (PlayerId, RequestId),
) -> Message {
    let today = day.map_or(0, |day| day.saturating_add(1));
    let rung = |place, player, name: Option<Name>, standing: Standing| {
        let standing = standing.at_start_of(today);
        LadderEntry {
            place,
            player,
            house: player == HOUSE_ID,
            name,
            rating: round(standing.rating()),
            deviation: round(standing.deviation()),
            games: standing.games,
        }
    };
    let top = (1..).zip(ladder.top);
    let top =
        top.map(|(place, (player, name, standing))| rung(Some(place), player, name, standing));
    let own = ladder.own;
    Message::Ladder {
        span,
        until_ms: day.map(|_| start_of_day(today).as_millis()),
        top: top.collect(),
        own: own.map(|(place, name, standing)| rung(place, player, Some(name), standing)),
        today: None,
        in_reply_to,
    }
}

#[expect(clippy::cast_possible_truncation, reason = "ratings are small")]
fn round(number: f64) -> i64 {
    number.round() as i64
}

fn history_entry(HistoryRow { game, name, house }: HistoryRow) -> HistoryEntry {
    HistoryEntry {
        game_id: game.game,
        ended_ms: game.at.as_millis(),
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
        journal: None,
    }
}

fn figures_message(hands: Vec<HandTally>, in_reply_to: RequestId) -> Message {
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

/// Time for which an answer about all running games is reused.
const CACHE_TIME: Duration = Duration::from_secs(1);

/// Last answer about running games, and its time.
#[derive(Default)]
pub(super) struct OpenGamesCache(Mutex<Option<(Monotonic, Vec<WatchedGame>)>>);

impl OpenGamesCache {
    /// Gets the cached answer to a query for games to watch, if still fresh.
    pub(super) fn get(&self, query: &Query, now: Monotonic) -> Option<Message> {
        if query.kind != (QueryKind::Watch { game: None }) {
            return None;
        }
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (_, games) = kept
            .as_ref()
            .filter(|(at, _)| now < at.saturating_add(CACHE_TIME))?;
        Some(Message::Watched {
            games: games.clone(),
            in_reply_to: query.id.clone(),
        })
    }

    /// Caches an answer, if it is about all games to watch.
    pub(super) fn insert(&self, kind: &QueryKind, answer: &Message, now: Monotonic) {
        if let (QueryKind::Watch { game: None }, Message::Watched { games, .. }) = (kind, answer) {
            let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            *kept = Some((now, games.clone()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{OpenGamesCache, Query, QueryKind};
    use crate::protocol::{Message, PlayerId, RequestId};
    use crate::time::Monotonic;

    #[test]
    fn what_was_looked_up_is_shown_for_a_second() {
        let open = OpenGamesCache::default();
        let query = |id: &str, game| Query {
            player: PlayerId(1),
            id: RequestId::new(id).expect("a name"),
            kind: QueryKind::Watch { game },
        };
        let answer = |id: &str| Message::Watched {
            games: Vec::new(),
            in_reply_to: RequestId::new(id).expect("a name"),
        };
        let at = Monotonic::from_millis;
        let all = query("b", None);
        assert_eq!(open.get(&all, at(5_000)), None);
        // An answer about one game must not be reused as the answer about all games.
        open.insert(&QueryKind::Watch { game: Some(7) }, &answer("a"), at(5_000));
        assert_eq!(open.get(&all, at(5_000)), None);
        open.insert(&all.kind, &answer("a"), at(5_000));
        assert_eq!(open.get(&all, at(5_999)), Some(answer("b")));
        assert_eq!(open.get(&query("b", Some(7)), at(5_999)), None);
        assert_eq!(open.get(&all, at(6_000)), None);
    }
}
