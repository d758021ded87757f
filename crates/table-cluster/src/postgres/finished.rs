//! Games that are over, as they are kept for each of their players.

use super::schema::VERSION;
use super::session::{Session, Trouble};
use super::statements::{ADD_FIGURES, KEEP_GAMES, Param, Sql, Write, number, signed, write};
use std::collections::{BTreeMap, BTreeSet};
use tokio_postgres::types::ToSql;
use tokio_postgres::{Client, Row};
use war::tokens::{Kind, Name};
use war_table::ladder::day_of;
use war_table::protocol::{HandTally, PlayerId, Tally};
use war_table::room::{FinishedGame, RoomEvent, is_game_end};
use war_table::server::store::rows::FinishedRow;
use war_table::server::store::{Damage, Past, StoreError};

/// How many games are read from their events at once.
const AT_ONCE: usize = 1_000;

/// Finds games of a player that ended before one, or the last ones of all.
pub(super) const FIND: &str = "
    SELECT finished.*, name, house FROM war.finished JOIN war.player ON player.id = opponent
    WHERE finished.player = $1 AND (finished.at, finished.game) < (
        CASE WHEN $2::bigint IS NULL THEN $4::bigint ELSE (
            SELECT at FROM war.event WHERE event.game = $2
            ORDER BY room DESC, seq DESC, part DESC LIMIT 1) END, coalesce($2, $4))
    ORDER BY finished.at DESC, finished.game DESC LIMIT $3";
/// Finds what came of a player's games, by kind and hand.
pub(super) const FIND_FIGURES: &str = "
    SELECT kind, hand, games, won, folded, tokens FROM war.figure WHERE player = $1
    ORDER BY kind DESC, hand";

/// Makes all others skip what one does who keeps old games, until the transaction ends.
const ALONE: &str = "SELECT pg_try_advisory_xact_lock(x'57617247'::int)";
/// Finds the games that nodes of earlier versions have settled and not kept.
const MISSING: &str = "SELECT game FROM settlement EXCEPT SELECT game FROM finished";
/// The tokens of players after each of these games, in the order of the times at which events
/// happened: rooms are in no order among themselves.
const BALANCES: &str = "
    UPDATE finished SET balance = moved.balance FROM (
        SELECT account, game, at,
            sum(tokens) OVER (PARTITION BY account ORDER BY at, room, seq, part)::bigint AS balance
        FROM (
            SELECT room, seq, part, credit AS account, tokens FROM ledger
            UNION ALL SELECT room, seq, part, debit, -tokens FROM ledger
        ) AS sides JOIN event USING (room, seq, part)
    ) AS moved
    WHERE (finished.player, finished.at, finished.game) = (account, moved.at, moved.game)
        AND moved.game = ANY($1::bigint[])";

/// Games that are over, by column.
#[derive(Default)]
pub(super) struct Games {
    player: Vec<i64>,
    at: Vec<i64>,
    game: Vec<i64>,
    kind: Vec<String>,
    opponent: Vec<i64>,
    yours: Vec<String>,
    theirs: Vec<String>,
    cards: Vec<Option<String>>,
    their_cards: Vec<Option<String>>,
    tokens: Vec<i64>,
    balance: Vec<i64>,
    is_public: Vec<bool>,
    /// What they add to the figures.
    figures: BTreeMap<(PlayerId, Kind, String), Tally>,
}

impl Games {
    pub(super) fn push(&mut self, game: &FinishedGame) {
        let figure = (game.player, game.kind, game.held());
        *self.figures.entry(figure).or_default() += Tally::of(game);
        let row = FinishedRow::from(game);
        self.player.push(signed(row.player));
        self.at.push(signed(row.at));
        self.game.push(signed(row.game));
        self.kind.push(row.kind);
        self.opponent.push(signed(row.opponent));
        self.yours.push(row.yours);
        self.theirs.push(row.theirs);
        self.cards.push(row.cards);
        self.their_cards.push(row.their_cards);
        self.tokens.push(row.tokens);
        self.balance.push(row.balance);
        self.is_public.push(row.is_public);
    }

    /// They are kept, and added to the figures.
    pub(super) fn write(self) -> [Option<Write>; 2] {
        if self.player.is_empty() {
            return [None, None];
        }
        let (mut player, mut kind, mut hand) = (Vec::new(), Vec::new(), Vec::new());
        let (mut games, mut won) = (Vec::new(), Vec::new());
        let (mut folded, mut tokens) = (Vec::new(), Vec::new());
        for ((id, of, held), tally) in self.figures {
            player.push(signed(id.0));
            kind.push(of.name());
            hand.push(held);
            games.push(signed(tally.games));
            won.push(signed(tally.won));
            folded.push(signed(tally.folded));
            tokens.push(tally.tokens);
        }
        let first = self.at.iter().min().copied().unwrap_or_default();
        let first = signed(day_of(first.unsigned_abs()));
        let figures = write!(
            AddFigures,
            player,
            kind, hand, games, won, folded, tokens, first
        );
        let games = write!(
            KeepGames,
            self.player,
            self.at,
            self.game,
            self.kind,
            self.opponent,
            self.yours,
            self.theirs,
            self.cards,
            self.their_cards,
            self.tokens,
            self.balance,
            self.is_public
        );
        [Some(games), Some(figures)]
    }
}

/// The game of a row that [`FIND`] finds.
pub(super) fn past(row: &Row) -> Result<Past, StoreError> {
    Ok(Past {
        game: game(row)?,
        name: Name::new(row.get("name")).map_err(|_| Damage::Name)?,
        house: row.get("house"),
    })
}

/// The game of a row.
pub(super) fn game(row: &Row) -> Result<FinishedGame, StoreError> {
    let number = |column| number(row.get(column));
    let row = FinishedRow {
        player: number("player")?,
        at: number("at")?,
        game: number("game")?,
        kind: row.get("kind"),
        opponent: number("opponent")?,
        yours: row.get("yours"),
        theirs: row.get("theirs"),
        cards: row.get("cards"),
        their_cards: row.get("their_cards"),
        tokens: row.get("tokens"),
        balance: row.get("balance"),
        is_public: row.get("public"),
    };
    row.game()
}

/// The figures of a row that [`FIND_FIGURES`] finds.
pub(super) fn figures(row: &Row) -> Result<HandTally, StoreError> {
    Ok(HandTally {
        game: Kind::named(row.get(0)).ok_or(Damage::Kind)?,
        hand: row.get(1),
        tally: Tally {
            games: number(row.get(2))?,
            won: number(row.get(3))?,
            folded: number(row.get(4))?,
            tokens: row.get(5),
        },
    })
}

/// Keeps the games that nodes of earlier versions have settled, unless another node is about to: all
/// of them, once no such node is left.
pub(super) fn catch_up(session: &Session) -> Result<(), StoreError> {
    session.be_patient()?;
    let done = session.wait(async {
        let client = session.client();
        client.batch_execute("BEGIN").await?;
        let sql = "SELECT games_kept FROM about";
        let is_done: bool = client.query_one(sql, &[]).await?.get(0);
        if !is_done && client.query_one(ALONE, &[]).await?.get(0) {
            keep_old(client).await?;
        }
        Ok::<_, Trouble>(client.batch_execute("COMMIT").await?)
    });
    Ok(done?)
}

/// Keeps the games that were settled and not kept, and says so if no others can be.
pub(super) async fn keep_old(client: &Client) -> Result<(), Trouble> {
    let sql = "SELECT id FROM player WHERE house";
    let house = client.query(sql, &[]).await?;
    let house: BTreeSet<i64> = house.iter().map(|row| row.get(0)).collect();
    let missing = client.query(MISSING, &[]).await?;
    let missing: Vec<i64> = missing.iter().map(|row| row.get(0)).collect();
    for games in missing.chunks(AT_ONCE) {
        let sql = "SELECT game, at, body FROM event WHERE game = ANY($1::bigint[]) \
                   ORDER BY room, seq, part";
        let mut kept = Games::default();
        for game in read(&client.query(sql, &[&games]).await?) {
            if !house.contains(&signed(game.player.0)) {
                kept.push(&game);
            }
        }
        for Write { sql, params } in kept.write().into_iter().flatten() {
            let sql = match sql {
                Sql::KeepGames => KEEP_GAMES,
                _ => ADD_FIGURES,
            };
            let params: Vec<&(dyn ToSql + Sync)> = params.iter().map(of).collect();
            client.execute(sql, &params).await?;
        }
    }
    if !missing.is_empty() {
        client.execute(BALANCES, &[&missing]).await?;
    }
    let sql = "UPDATE about SET games_kept = true WHERE min_version >= $1";
    client.execute(sql, &[&VERSION]).await?;
    Ok(())
}

fn of(param: &Param) -> &(dyn ToSql + Sync) {
    &**param
}

/// The games of these events; what does not fit together is found when the store is verified.
fn read(events: &[Row]) -> Vec<FinishedGame> {
    let mut running: BTreeMap<i64, Vec<RoomEvent>> = BTreeMap::new();
    let mut games = Vec::new();
    for row in events {
        let (game, at): (i64, i64) = (row.get(0), row.get(1));
        let (Ok(event), Ok(at)) = (serde_json::from_str(row.get(2)), number(at)) else {
            continue;
        };
        let is_over = is_game_end(&event);
        running.entry(game).or_default().push(event);
        if is_over {
            let events = running.remove(&game).unwrap_or_default();
            games.extend(FinishedGame::of(&events, at).into_iter().flatten());
        }
    }
    games
}
