//! The ladder: games to rate, and stored ratings.

use super::finished::parse_finished_game;
use super::statements::{BatchWrite, Param, StatementName, batch_write, to_i64, to_u64};
use tokio_postgres::{Client, Error, Row};
use war::tokens::Name;
use war_table::ladder::{LadderUpdate, MIN_RATED_GAMES, RatedGame, Standing};
use war_table::protocol::{LadderPeriod, PlayerId};
use war_table::server::store::rows::{LADDER_SIZE, build_rated_game};
use war_table::server::store::{Damage, LadderView, StoreError};

/// Columns of a row that [`parse_standing`] parses.
pub(super) const STANDING_COLUMNS: &str =
    "rating.player, rating, deviation, volatility, games, day";

/// Finds the last rated day.
pub(super) const FIND_RATED_DAY: &str = "SELECT rated FROM war.about";
/// Finds the time at which the first game ended, unless the backfill of games is incomplete.
pub(super) const FIND_FIRST_GAME_END: &str =
    "SELECT min(at) FROM war.finished WHERE (SELECT games_kept FROM war.about)";
/// Finds public games that ended in a range of time.
pub(super) const FIND_PUBLIC_GAMES: &str = "
    SELECT finished.*, house FROM war.finished JOIN war.player ON player.id = opponent
    WHERE finished.at >= $1 AND finished.at < $2 AND public";

/// Creates the writes of a ladder update.
pub(super) fn build_ladder_writes(rated: &LadderUpdate) -> [BatchWrite; 3] {
    let (mut span, mut player, mut rating) = (Vec::new(), Vec::new(), Vec::new());
    let (mut deviation, mut volatility) = (Vec::new(), Vec::new());
    let (mut games, mut day) = (Vec::new(), Vec::new());
    for (of, id, standing) in &rated.standings {
        span.push(of.name());
        player.push(to_i64(id.0));
        rating.push(standing.rating);
        deviation.push(standing.deviation);
        volatility.push(standing.volatility);
        games.push(to_i64(standing.games));
        day.push(to_i64(standing.day));
    }
    let since = rated.previous_day.map(to_i64);
    [
        batch_write!(DeleteRatings, LadderPeriod::Ever.name(), since),
        batch_write!(
            UpsertRatings,
            span,
            player,
            rating,
            deviation,
            volatility,
            games,
            day,
            since
        ),
        batch_write!(SetRatedDay, to_i64(rated.day), since),
    ]
}

/// Statement that finds all ratings of a period.
pub(super) fn all_ratings_statement() -> String {
    format!("SELECT {STANDING_COLUMNS} FROM war.rating WHERE span = $1")
}

/// Rows of the ladder as seen by a player.
pub(super) struct LadderRows {
    top: Vec<Row>,
    own: Option<Row>,
}

/// Reads the ladder as seen by a player.
pub(super) async fn read_ladder_rows(
    client: &Client,
    span: LadderPeriod,
    player: i64,
) -> Result<LadderRows, Error> {
    let top = format!(
        "SELECT {STANDING_COLUMNS}, name FROM rating LEFT JOIN player ON player.id = rating.player \
         WHERE span = $1 AND games >= {MIN_RATED_GAMES} ORDER BY rating DESC, rating.player LIMIT {LADDER_SIZE}"
    );
    let own = format!(
        "SELECT {STANDING_COLUMNS}, name, (SELECT count(*) + 1 FROM rating AS other WHERE other.span = $1 \
             AND other.games >= {MIN_RATED_GAMES} AND (other.rating > rating.rating \
                 OR other.rating = rating.rating AND other.player < rating.player)) AS place \
         FROM rating JOIN player ON player.id = rating.player \
         WHERE span = $1 AND rating.player = $2"
    );
    Ok(LadderRows {
        top: client.query(&top, &[&span.name()]).await?,
        own: client.query_opt(&own, &[&span.name(), &player]).await?,
    })
}

impl LadderRows {
    pub(super) fn parse(&self) -> Result<LadderView, StoreError> {
        let name = |row: &Row| {
            let name: Option<&str> = row.get("name");
            let name = name.map(Name::new).transpose();
            Ok::<_, StoreError>(name.map_err(|_| Damage::Name)?)
        };
        let mut ladder = LadderView::default();
        for row in &self.top {
            let (player, standing) = parse_standing(row)?;
            ladder.top.push((player, name(row)?, standing));
        }
        if let Some(row) = &self.own {
            let (_, standing) = parse_standing(row)?;
            let rank = to_u64(row.get("place"))?;
            let rank = Some(rank).filter(|_| standing.games >= MIN_RATED_GAMES);
            let name = name(row)?.ok_or(Damage::Name)?;
            ladder.own = Some((rank, name, standing));
        }
        Ok(ladder)
    }
}

/// Parses rows of [`FIND_PUBLIC_GAMES`].
pub(super) fn parse_rated_games(rows: &[Row]) -> Result<Vec<RatedGame>, StoreError> {
    let mut games = Vec::new();
    for row in rows {
        games.extend(build_rated_game(
            &parse_finished_game(row)?,
            row.get("house"),
        ));
    }
    Ok(games)
}

/// Parses the rating of a row with the columns [`STANDING_COLUMNS`].
pub(super) fn parse_standing(row: &Row) -> Result<(PlayerId, Standing), StoreError> {
    let standing = Standing {
        rating: row.get(1),
        deviation: row.get(2),
        volatility: row.get(3),
        games: to_u64(row.get(4))?,
        day: to_u64(row.get(5))?,
    };
    Ok((PlayerId(to_u64(row.get(0))?), standing))
}
