use super::reader::PostgresReader;
use super::room::PostgresRoom;
use super::room_lease::HighWaterMarks;
use super::schema::{self, RAISE_MIN_VERSION, SCHEMA_VERSION, StoreProperties};
use super::session::ReconnectingSession;
use super::statements::{self, to_i64, to_u64};
use super::{ConnectionBudget, DatabaseAddress, finished, pooler, relocation_marks};
use crate::inbox::OperatorInbox;
use crate::leases::{Beat, Census, Epoch, NodeAddress, NodeRecord, RoomRecord};
use crate::table::{PlayerLocation, TableStore};
use std::sync::Arc;
use tokio::sync::watch;
use tokio_postgres::types::ToSql;
use tokio_postgres::{Client, Row};
use war_table::log::TableId;
use war_table::protocol::{PlayerId, Waiters};
use war_table::room::PlayerStatus;
use war_table::server::Headcount;
use war_table::server::rooms::{RoomCount, RoomNumber};
use war_table::server::store::{Damage, Store, StoreError, StoreSecret};

/// `application_name` of connections that belong to no room.
const APPLICATION_NAME: &str = "war";

/// First version of the schema whose nodes all know links over TLS.
const ENCRYPTED_LINKS_SINCE: i32 = 5;

/// Store of a card table in a PostgreSQL database, as used by one of its nodes.
pub struct PostgresTable {
    connection: Arc<ReconnectingSession>,
    progress: Arc<HighWaterMarks>,
    /// Last observed epoch and beat of each room.
    observed: HighWaterMarks,
    properties: StoreProperties,
    /// True while the table may have nodes that know only links in clear.
    may_need_clear_links: Arc<watch::Sender<bool>>,
}

impl PostgresTable {
    /// Opens a store, and creates it if there is none. `rooms` is the number of rooms. With `None`,
    /// an existing store is opened with any number of rooms, and a new store gets the default
    /// number.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database can't be reached or used, or does not contain a store that
    /// this program can read.
    pub fn open(address: DatabaseAddress, rooms: Option<RoomCount>) -> Result<Self, StoreError> {
        let session = pooler::connect_directly(&address, APPLICATION_NAME)?;
        let properties = schema::open_store(&session, rooms)?;
        let connection = Arc::new(ReconnectingSession::new(address, APPLICATION_NAME, session));
        let table = Self {
            connection,
            progress: Arc::default(),
            observed: HighWaterMarks::default(),
            properties,
            may_need_clear_links: Arc::new(watch::Sender::new(false)),
        };
        table.backfill_games()?;
        Ok(table)
    }

    /// Adds the missing rows of games settled by nodes of earlier versions, unless this backfill is
    /// already complete.
    fn backfill_games(&self) -> Result<(), StoreError> {
        let sql = "SELECT games_kept FROM war.about";
        let row = self
            .connection
            .query(async |client| client.query_one(sql, &[]).await)?;
        if row.get(0) {
            return Ok(());
        }
        finished::backfill_finished_games(&self.connection.connect("war games")?)
    }

    /// Raises the minimum version once no node of an earlier version is left, and then adds the
    /// missing rows of the games settled by such nodes.
    fn raise_min_version(&self) -> Result<(), StoreError> {
        let raised =
            async |client: &Client| client.execute(RAISE_MIN_VERSION, &[&SCHEMA_VERSION]).await;
        if self.connection.query(raised)? > 0 {
            self.backfill_games()?;
        }
        Ok(())
    }

    /// Id of the table, drawn when its store was created.
    #[must_use]
    pub const fn id(&self) -> TableId {
        self.properties.id
    }

    /// Secret of the store.
    #[must_use]
    pub const fn secret(&self) -> StoreSecret {
        self.properties.secret
    }

    /// True if the store contains the public key of the table.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the store fails.
    pub fn has_key(&self) -> Result<bool, StoreError> {
        let sql = "SELECT public_key IS NOT NULL FROM war.about";
        let row = self
            .connection
            .query(async |client| client.query_one(sql, &[]).await)?;
        Ok(row.get(0))
    }

    /// Stores the public key with which the table signs; returns false if the store contains a
    /// different one.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the store fails.
    pub fn agree_on_key(&self, public_key: &[u8; 32]) -> Result<bool, StoreError> {
        let sql = "UPDATE war.about SET public_key = $1 \
                   WHERE public_key IS NULL OR public_key = $1";
        let key = public_key.as_slice();
        let agreed = self
            .connection
            .query(async |client| client.execute(sql, &[&key]).await)?;
        Ok(agreed == 1)
    }

    /// Reads the number of connections that the database allows, for the node at this address.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the store fails.
    pub fn connection_budget(&self, node: &NodeAddress) -> Result<ConnectionBudget, StoreError> {
        ConnectionBudget::read(&self.connection, node, self.properties.rooms)
    }

    /// Creates another handle to this store for the same node, with a separate connection.
    #[must_use]
    pub fn duplicate(&self) -> Self {
        Self {
            connection: Arc::new(self.connection.duplicate(APPLICATION_NAME)),
            progress: Arc::clone(&self.progress),
            observed: HighWaterMarks::default(),
            properties: self.properties,
            may_need_clear_links: Arc::clone(&self.may_need_clear_links),
        }
    }

    /// Watches whether the table may have nodes that know only links in clear. False until the first
    /// [census](TableStore::census).
    #[must_use]
    pub fn watch_need_of_clear_links(&self) -> watch::Receiver<bool> {
        self.may_need_clear_links.subscribe()
    }

    /// Creates the inbox of operator requests, with a separate connection.
    #[must_use]
    pub fn create_inbox(&self) -> PostgresInbox {
        PostgresInbox::new(self.connection.duplicate(APPLICATION_NAME))
    }

    /// Creates a reader of the same store, with a separate connection.
    #[must_use]
    pub fn create_reader(&self) -> PostgresReader {
        let connection = self.connection.duplicate(APPLICATION_NAME);
        PostgresReader::new(connection, self.properties.id)
    }
}

impl TableStore for PostgresTable {
    fn rooms(&self) -> RoomCount {
        self.properties.rooms
    }

    fn census(&self) -> Result<Census, StoreError> {
        let (rooms, nodes, about) = self.connection.query(async |client| {
            let rooms = "SELECT id, owner, epoch, beat FROM war.room ORDER BY id";
            let nodes = "SELECT address, beat, here, running, waiting_single, waiting_double \
                         FROM war.node ORDER BY address";
            let about = "SELECT min_version, id FROM war.about";
            tokio::try_join!(
                client.query(rooms, &[]),
                client.query(nodes, &[]),
                client.query_one(about, &[])
            )
        })?;
        if about.get::<_, &str>(1).parse() != Ok(self.properties.id) {
            return Err(StoreError::TableReplaced);
        }
        let min_version: i32 = about.get(0);
        let may_need = min_version < ENCRYPTED_LINKS_SINCE;
        self.may_need_clear_links.send_if_modified(|needed| {
            let is_new = *needed != may_need;
            *needed = may_need;
            is_new
        });
        if min_version > SCHEMA_VERSION {
            let relocation = self
                .connection
                .query(relocation_marks::find_relocation_error)?;
            return Err(relocation.unwrap_or(StoreError::NewerVersion));
        }
        let rooms: Vec<_> = rooms
            .iter()
            .map(parse_room_record)
            .collect::<Result<_, _>>()?;
        for seen in &rooms {
            let mark = (to_i64(seen.epoch.0), to_i64(seen.beat.0));
            self.observed.record(seen.room, mark)?;
        }
        Ok(Census {
            rooms,
            nodes: nodes
                .iter()
                .map(parse_node_record)
                .collect::<Result<_, _>>()?,
        })
    }

    fn record_beat(&self, node: &NodeAddress, people: Headcount) -> Result<(), StoreError> {
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
        .map(to_i64);
        self.connection.query(async |client| {
            let values: [&(dyn ToSql + Sync); 6] =
                [&node.0, &SCHEMA_VERSION, &here, &running, &single, &double];
            client.execute(sql, &values).await
        })?;
        self.raise_min_version()
    }

    fn remove_node(&self, node: &NodeAddress) -> Result<(), StoreError> {
        let sql = "DELETE FROM war.node WHERE address = $1";
        self.connection
            .query(async |client| client.execute(sql, &[&node.0]).await)?;
        Ok(())
    }

    /// Terminates the connection of the previous owner, whose transaction could lock the room.
    fn take(
        &self,
        seen: &RoomRecord,
        owner: &NodeAddress,
    ) -> Result<Option<Box<dyn Store>>, StoreError> {
        let taken = PostgresRoom::take(
            &self.connection,
            &self.progress,
            self.properties,
            seen,
            owner,
        )?;
        if taken.is_some() {
            self.raise_min_version()?;
        }
        Ok(taken.map(|room| Box::new(room) as Box<dyn Store>))
    }

    fn locate(&self, players: &[PlayerId]) -> Result<Vec<PlayerLocation>, StoreError> {
        let ids: Vec<i64> = players.iter().map(|id| to_i64(id.0)).collect();
        let sql = "SELECT id, seq, room, standing FROM war.player WHERE id = ANY($1::bigint[]) ORDER BY id";
        let rows = self
            .connection
            .query(async |client| client.query(sql, &[&ids]).await)?;
        let location = |row: &Row| {
            let room: Option<i32> = row.get(2);
            Ok(PlayerLocation {
                player: PlayerId(to_u64(row.get(0))?),
                seq: to_u64(row.get(1))?,
                room: room.map(statements::parse_room_number).transpose()?,
                status: PlayerStatus::from_name(row.get(3)).ok_or(Damage::Player)?,
            })
        };
        rows.iter().map(location).collect()
    }
}

/// Parses the row of a node.
fn parse_node_record(row: &Row) -> Result<NodeRecord, StoreError> {
    let counted = |column| to_u64(row.get(column));
    Ok(NodeRecord {
        address: NodeAddress(row.get("address")),
        beat: Beat(counted("beat")?),
        people: Headcount {
            here: counted("here")?,
            running: counted("running")?,
            waiting: Waiters {
                single_card_game: counted("waiting_single")?,
                double_card_game: counted("waiting_double")?,
            },
        },
    })
}

/// Parses the row of a room.
fn parse_room_record(row: &Row) -> Result<RoomRecord, StoreError> {
    Ok(RoomRecord {
        room: statements::parse_room_number(row.get(0))?,
        owner: row.get::<_, Option<String>>(1).map(NodeAddress),
        epoch: Epoch(to_u64(row.get(2))?),
        beat: Beat(to_u64(row.get(3))?),
    })
}

/// [`OperatorInbox`] of a table in a database, with a separate connection.
pub struct PostgresInbox(ReconnectingSession);

impl PostgresInbox {
    pub(super) const fn new(connection: ReconnectingSession) -> Self {
        Self(connection)
    }

    /// Runs a statement in a separate transaction; returns the row that the statement yields, if
    /// any.
    fn query_row(
        &self,
        sql: &str,
        params: &[&(dyn ToSql + Sync)],
    ) -> Result<Option<Row>, StoreError> {
        self.0
            .query(async |client| client.query_opt(sql, params).await)
    }
}

impl OperatorInbox for PostgresInbox {
    fn submit(&self, request: &str, room: Option<RoomNumber>) -> Result<String, StoreError> {
        let sql = "INSERT INTO war.inbox (ask, room) VALUES ($1, $2) RETURNING id::text";
        let room = room.map(|room| i32::from(room.0));
        let query =
            async |client: &tokio_postgres::Client| client.query_one(sql, &[&request, &room]).await;
        Ok(self.0.query(query)?.get(0))
    }

    fn answer(&self, id: &str) -> Result<Option<String>, StoreError> {
        let sql = "DELETE FROM war.inbox WHERE id::text = $1 AND answer IS NOT NULL \
                   RETURNING answer";
        Ok(self.query_row(sql, &[&id])?.map(|row| row.get(0)))
    }

    fn withdraw(&self, id: &str) -> Result<bool, StoreError> {
        let sql = "DELETE FROM war.inbox WHERE id::text = $1 AND NOT taken RETURNING id::text";
        Ok(self.query_row(sql, &[&id])?.is_some())
    }

    /// Skips requests older than 10 seconds: a running node withdraws its untaken requests before
    /// that age, so nobody waits for these any more. Deletes requests older than an hour.
    fn take(&self, rooms: &[RoomNumber]) -> Result<Option<(String, String)>, StoreError> {
        let sql = "WITH old AS (DELETE FROM war.inbox WHERE at < now() - interval '1 hour') \
                   UPDATE war.inbox SET taken = true WHERE id = (\
                       SELECT id FROM war.inbox WHERE NOT taken \
                       AND (room IS NULL OR room = ANY($1::int[])) \
                       AND at > now() - interval '10 seconds' \
                       ORDER BY at LIMIT 1 FOR UPDATE SKIP LOCKED) RETURNING id::text, ask";
        let rooms: Vec<i32> = rooms.iter().map(|room| i32::from(room.0)).collect();
        let taken = self.query_row(sql, &[&rooms])?;
        Ok(taken.map(|row| (row.get(0), row.get(1))))
    }

    fn complete(&self, id: &str, answer: &str) -> Result<(), StoreError> {
        let sql = "UPDATE war.inbox SET answer = $2 WHERE id::text = $1";
        self.query_row(sql, &[&id, &answer]).map(drop)
    }
}
