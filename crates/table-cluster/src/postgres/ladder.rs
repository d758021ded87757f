//! The ladder: games as it takes them, and the ratings that are kept.

use super::finished::game;
use super::statements::{Param, Sql, Write, number, signed, write};
use tokio_postgres::{Client, Error, Row};
use war::tokens::Name;
use war_table::ladder::{LadderUpdate, MIN_GAMES, RatedGame, Standing};
use war_table::protocol::{LadderPeriod, PlayerId};
use war_table::server::store::rows::{SHOWN, ladder_game};
use war_table::server::store::{Damage, Ladder, StoreError};

/// What a row has to have to be a standing, in this order.
pub(super) const STANDING: &str = "rating.player, rating, deviation, volatility, games, day";

/// Finds the last day that was rated, once all games are kept.
pub(super) const RATED: &str = "SELECT rated FROM war.about";
/// Finds when the first game ended, unless some are still to be kept.
pub(super) const FIRST: &str =
    "SELECT min(at) FROM war.finished WHERE (SELECT games_kept FROM war.about)";
/// Finds public games that ended in a time.
pub(super) const GAMES: &str = "
    SELECT finished.*, house FROM war.finished JOIN war.player ON player.id = opponent
    WHERE finished.at >= $1 AND finished.at < $2 AND public";

/// What is written of the ladder.
pub(super) fn writes(rated: &LadderUpdate) -> [Write; 3] {
    let (mut span, mut player, mut rating) = (Vec::new(), Vec::new(), Vec::new());
    let (mut deviation, mut volatility) = (Vec::new(), Vec::new());
    let (mut games, mut day) = (Vec::new(), Vec::new());
    for (of, id, standing) in &rated.standings {
        span.push(of.name());
        player.push(signed(id.0));
        rating.push(standing.rating);
        deviation.push(standing.deviation);
        volatility.push(standing.volatility);
        games.push(signed(standing.games));
        day.push(signed(standing.day));
    }
    let since = rated.since.map(signed);
    [
        write!(DropRatings, LadderPeriod::Ever.name(), since),
        write!(
            KeepRatings,
            span,
            player, rating, deviation, volatility, games, day, since
        ),
        write!(Rated, signed(rated.day), since),
    ]
}

/// Finds all players of the ladder.
pub(super) fn all() -> String {
    format!("SELECT {STANDING} FROM war.rating WHERE span = $1")
}

/// The rows of the ladder as a player sees it.
pub(super) struct Found {
    top: Vec<Row>,
    own: Option<Row>,
}

/// Finds the ladder as a player sees it.
pub(super) async fn find(client: &Client, span: LadderPeriod, player: i64) -> Result<Found, Error> {
    let top = format!(
        "SELECT {STANDING}, name FROM rating LEFT JOIN player ON player.id = rating.player \
         WHERE span = $1 AND games >= {MIN_GAMES} ORDER BY rating DESC, rating.player LIMIT {SHOWN}"
    );
    let own = format!(
        "SELECT {STANDING}, name, (SELECT count(*) + 1 FROM rating AS other WHERE other.span = $1 \
             AND other.games >= {MIN_GAMES} AND (other.rating > rating.rating \
                 OR other.rating = rating.rating AND other.player < rating.player)) AS place \
         FROM rating JOIN player ON player.id = rating.player \
         WHERE span = $1 AND rating.player = $2"
    );
    Ok(Found {
        top: client.query(&top, &[&span.name()]).await?,
        own: client.query_opt(&own, &[&span.name(), &player]).await?,
    })
}

impl Found {
    pub(super) fn ladder(&self) -> Result<Ladder, StoreError> {
        let name = |row: &Row| {
            let name: Option<&str> = row.get("name");
            let name = name.map(Name::new).transpose();
            Ok::<_, StoreError>(name.map_err(|_| Damage::Name)?)
        };
        let mut ladder = Ladder::default();
        for row in &self.top {
            let (player, standing) = standing(row)?;
            ladder.top.push((player, name(row)?, standing));
        }
        if let Some(row) = &self.own {
            let (_, standing) = standing(row)?;
            let place = number(row.get("place"))?;
            let place = Some(place).filter(|_| standing.games >= MIN_GAMES);
            let name = name(row)?.ok_or(Damage::Name)?;
            ladder.own = Some((place, name, standing));
        }
        Ok(ladder)
    }
}

/// The games of rows that [`GAMES`] finds.
pub(super) fn games(rows: &[Row]) -> Result<Vec<RatedGame>, StoreError> {
    let mut games = Vec::new();
    for row in rows {
        games.extend(ladder_game(&game(row)?, row.get("house")));
    }
    Ok(games)
}

/// The standing of a row.
pub(super) fn standing(row: &Row) -> Result<(PlayerId, Standing), StoreError> {
    let standing = Standing {
        rating: row.get(1),
        deviation: row.get(2),
        volatility: row.get(3),
        games: number(row.get(4))?,
        day: number(row.get(5))?,
    };
    Ok((PlayerId(number(row.get(0))?), standing))
}
