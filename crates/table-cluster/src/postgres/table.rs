use super::reader::PostgresReader;
use super::room::PostgresRoom;
use super::schema::{self, About, RAISE, VERSION};
use super::session::{Line, Session};
use super::statements::{self, number, signed};
use super::tenure::Heights;
use super::{DatabaseAddress, finished, marks};
use crate::inbox::Inbox;
use crate::leases::{Beat, Census, Epoch, NodeAddress, NodeRecord, RoomRecord};
use crate::table::{PlayerLocation, TableStore};
use std::sync::Arc;
use tokio_postgres::types::ToSql;
use tokio_postgres::{Client, Row};
use war_table::log::TableId;
use war_table::protocol::{PlayerId, Waiters};
use war_table::room::PlayerStatus;
use war_table::server::People;
use war_table::server::rooms::{RoomNumber, Rooms};
use war_table::server::store::{Damage, Store, StoreError};

/// What the database shows its operators of connections that belong to no room.
const NAME: &str = "war";

/// The store of a card table in a PostgreSQL database, as one of its nodes sees it.
pub struct PostgresTable {
    line: Arc<Line>,
    heights: Arc<Heights>,
    /// The epoch and the beat of each room as they were seen last.
    sights: Heights,
    about: About,
}

impl PostgresTable {
    /// Opens a store, and makes it where there is none: with this many rooms, or as many as
    /// there are.
    ///
    /// # Errors
    ///
    /// [`StoreError`] where the database can't be reached or used, or where what it holds is not
    /// a store that this program can read.
    pub fn open(address: DatabaseAddress, rooms: Option<Rooms>) -> Result<Self, StoreError> {
        let session = Session::connect(&address, NAME)?;
        let about = schema::open(&session, rooms)?;
        let line = Arc::new(Line::new(address, NAME, session));
        let table = Self {
            line,
            heights: Arc::default(),
            sights: Heights::default(),
            about,
        };
        table.keep_old_games()?;
        Ok(table)
    }

    /// Keeps the games that nodes of earlier versions have settled, unless all are kept.
    fn keep_old_games(&self) -> Result<(), StoreError> {
        let sql = "SELECT games_kept FROM war.about";
        let row = self
            .line
            .ask(async |client| client.query_one(sql, &[]).await)?;
        if row.get(0) {
            return Ok(());
        }
        finished::catch_up(&self.line.connect("war games")?)
    }

    /// Keeps nodes of earlier versions out once none of them is left, and then the games that they
    /// have settled.
    fn raise(&self) -> Result<(), StoreError> {
        let raised = async |client: &Client| client.execute(RAISE, &[&VERSION]).await;
        if self.line.ask(raised)? > 0 {
            self.keep_old_games()?;
        }
        Ok(())
    }

    /// The table's number, drawn when its store was made.
    #[must_use]
    pub const fn id(&self) -> TableId {
        self.about.id
    }

    /// What the nodes of this table prove to one another that they know.
    #[must_use]
    pub const fn secret(&self) -> &[u8; 32] {
        &self.about.secret
    }

    /// Whether a node has said with which key the table signs.
    ///
    /// # Errors
    ///
    /// [`StoreError`] where the store fails.
    pub fn has_key(&self) -> Result<bool, StoreError> {
        let sql = "SELECT public_key IS NOT NULL FROM war.about";
        let row = self
            .line
            .ask(async |client| client.query_one(sql, &[]).await)?;
        Ok(row.get(0))
    }

    /// Says with which key the table signs; the result is whether all nodes say the same.
    ///
    /// # Errors
    ///
    /// [`StoreError`] where the store fails.
    pub fn agree_on_key(&self, public_key: &[u8; 32]) -> Result<bool, StoreError> {
        let sql = "UPDATE war.about SET public_key = $1 \
                   WHERE public_key IS NULL OR public_key = $1";
        let key = public_key.as_slice();
        let agreed = self
            .line
            .ask(async |client| client.execute(sql, &[&key]).await)?;
        Ok(agreed == 1)
    }

    /// The same store as the same node sees it, on a connection of its own.
    #[must_use]
    pub fn another(&self) -> Self {
        Self {
            line: Arc::new(self.line.another(NAME)),
            heights: Arc::clone(&self.heights),
            sights: Heights::default(),
            about: self.about,
        }
    }

    /// What operators ask of the node that serves, on a connection of its own.
    #[must_use]
    pub fn inbox(&self) -> PostgresInbox {
        PostgresInbox::new(self.line.another(NAME))
    }

    /// The same store for a reader, on a connection of its own.
    #[must_use]
    pub fn reader(&self) -> PostgresReader {
        PostgresReader::new(self.line.another(NAME))
    }
}

impl TableStore for PostgresTable {
    fn rooms(&self) -> Rooms {
        self.about.rooms
    }

    fn census(&self) -> Result<Census, StoreError> {
        let (rooms, nodes, version) = self.line.ask(async |client| {
            let rooms = "SELECT id, owner, epoch, beat FROM war.room ORDER BY id";
            let nodes = "SELECT address, beat, here, running, waiting_single, waiting_double \
                         FROM war.node ORDER BY address";
            let version = "SELECT min_version FROM war.about";
            tokio::try_join!(
                client.query(rooms, &[]),
                client.query(nodes, &[]),
                client.query_one(version, &[])
            )
        })?;
        if version.get::<_, i32>(0) > VERSION {
            let away = self.line.ask(marks::away)?;
            return Err(away.unwrap_or(StoreError::Newer));
        }
        let rooms: Vec<_> = rooms.iter().map(sight).collect::<Result<_, _>>()?;
        for seen in &rooms {
            let height = (signed(seen.epoch.0), signed(seen.beat.0));
            self.sights.note(seen.room, height)?;
        }
        Ok(Census {
            rooms,
            nodes: nodes.iter().map(node).collect::<Result<_, _>>()?,
        })
    }

    fn beat(&self, node: &NodeAddress, people: People) -> Result<(), StoreError> {
        let sql = "INSERT INTO war.node AS node \
                       (address, beat, version, here, running, waiting_single, waiting_double) \
                   VALUES ($1, 1, $2, $3, $4, $5, $6) ON CONFLICT (address) DO UPDATE \
                   SET beat = node.beat + 1, version = excluded.version, here = excluded.here, \
                       running = excluded.running, waiting_single = excluded.waiting_single, \
                       waiting_double = excluded.waiting_double";
        let Waiters {
            single_card_game,
            double_card_game,
        } = people.waiting;
        let [here, running, single, double] = [
            people.here,
            people.running,
            single_card_game,
            double_card_game,
        ]
        .map(signed);
        self.line.ask(async |client| {
            let values: [&(dyn ToSql + Sync); 6] =
                [&node.0, &VERSION, &here, &running, &single, &double];
            client.execute(sql, &values).await
        })?;
        self.raise()
    }

    fn forget(&self, node: &NodeAddress) -> Result<(), StoreError> {
        let sql = "DELETE FROM war.node WHERE address = $1";
        self.line
            .ask(async |client| client.execute(sql, &[&node.0]).await)?;
        Ok(())
    }

    /// The connection of the owner until now is ended, so that it does not hold the room in a
    /// transaction.
    fn take(
        &self,
        seen: &RoomRecord,
        owner: &NodeAddress,
    ) -> Result<Option<Box<dyn Store>>, StoreError> {
        let taken = PostgresRoom::take(&self.line, &self.heights, self.about, seen, owner)?;
        if taken.is_some() {
            self.raise()?;
        }
        Ok(taken.map(|room| Box::new(room) as Box<dyn Store>))
    }

    fn whereabouts(&self, players: &[PlayerId]) -> Result<Vec<PlayerLocation>, StoreError> {
        let ids: Vec<i64> = players.iter().map(|id| signed(id.0)).collect();
        let sql = "SELECT id, seq, room, standing FROM war.player WHERE id = ANY($1::bigint[]) ORDER BY id";
        let rows = self
            .line
            .ask(async |client| client.query(sql, &[&ids]).await)?;
        let place = |row: &Row| {
            let room: Option<i32> = row.get(2);
            Ok(PlayerLocation {
                player: PlayerId(number(row.get(0))?),
                seq: number(row.get(1))?,
                room: room.map(statements::room).transpose()?,
                standing: PlayerStatus::named(row.get(3)).ok_or(Damage::Player)?,
            })
        };
        rows.iter().map(place).collect()
    }
}

/// A node as its row shows it.
fn node(row: &Row) -> Result<NodeRecord, StoreError> {
    let counted = |column| number(row.get(column));
    Ok(NodeRecord {
        address: NodeAddress(row.get("address")),
        beat: Beat(counted("beat")?),
        people: People {
            here: counted("here")?,
            running: counted("running")?,
            waiting: Waiters {
                single_card_game: counted("waiting_single")?,
                double_card_game: counted("waiting_double")?,
            },
        },
    })
}

/// A room as its row shows it.
fn sight(row: &Row) -> Result<RoomRecord, StoreError> {
    Ok(RoomRecord {
        room: statements::room(row.get(0))?,
        owner: row.get::<_, Option<String>>(1).map(NodeAddress),
        epoch: Epoch(number(row.get(2))?),
        beat: Beat(number(row.get(3))?),
    })
}

/// The inbox of a table in a database, on a connection of its own.
pub struct PostgresInbox(Line);

impl PostgresInbox {
    pub(super) const fn new(line: Line) -> Self {
        Self(line)
    }

    /// What a statement that is a transaction of its own returns, if anything.
    fn row(&self, sql: &str, params: &[&(dyn ToSql + Sync)]) -> Result<Option<Row>, StoreError> {
        self.0
            .ask(async |client| client.query_opt(sql, params).await)
    }
}

impl Inbox for PostgresInbox {
    fn hand_in(&self, ask: &str, room: Option<RoomNumber>) -> Result<String, StoreError> {
        let sql = "INSERT INTO war.inbox (ask, room) VALUES ($1, $2) RETURNING id::text";
        let room = room.map(|room| i32::from(room.0));
        let asked =
            async |client: &tokio_postgres::Client| client.query_one(sql, &[&ask, &room]).await;
        Ok(self.0.ask(asked)?.get(0))
    }

    fn answer(&self, id: &str) -> Result<Option<String>, StoreError> {
        let sql = "DELETE FROM war.inbox WHERE id::text = $1 AND answer IS NOT NULL \
                   RETURNING answer";
        Ok(self.row(sql, &[&id])?.map(|row| row.get(0)))
    }

    fn withdraw(&self, id: &str) -> Result<bool, StoreError> {
        let sql = "DELETE FROM war.inbox WHERE id::text = $1 AND NOT taken RETURNING id::text";
        Ok(self.row(sql, &[&id])?.is_some())
    }

    /// What is older was asked by a node that is gone: nobody waits for it any more, and it must
    /// not be done when nobody expects it.
    fn take(&self, rooms: &[RoomNumber]) -> Result<Option<(String, String)>, StoreError> {
        let sql = "WITH old AS (DELETE FROM war.inbox WHERE at < now() - interval '1 hour') \
                   UPDATE war.inbox SET taken = true WHERE id = (\
                       SELECT id FROM war.inbox WHERE NOT taken \
                       AND (room IS NULL OR room = ANY($1::int[])) \
                       AND at > now() - interval '10 seconds' \
                       ORDER BY at LIMIT 1 FOR UPDATE SKIP LOCKED) RETURNING id::text, ask";
        let rooms: Vec<i32> = rooms.iter().map(|room| i32::from(room.0)).collect();
        let taken = self.row(sql, &[&rooms])?;
        Ok(taken.map(|row| (row.get(0), row.get(1))))
    }

    fn settle(&self, id: &str, answer: &str) -> Result<(), StoreError> {
        let sql = "UPDATE war.inbox SET answer = $2 WHERE id::text = $1";
        self.row(sql, &[&id, &answer]).map(drop)
    }
}
