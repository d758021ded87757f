//! Comparison of the connections that a table needs with those that its database allows.

use super::session::ReconnectingSession;
use crate::leases::NodeAddress;
use tokio_postgres::Row;
use war_table::server::rooms::RoomCount;
use war_table::server::store::StoreError;

/// Connections that a node keeps open besides one for each of its rooms: the heartbeat, the locations
/// of players, the requests of operators, and four readers.
const NODE_CONNECTIONS: u32 = 7;

/// Limits on the connections of this user. Superusers have the server's limit alone.
const READ_LIMITS: &str = "SELECT \
    current_setting('max_connections')::bigint - CASE WHEN rolsuper THEN 0 ELSE \
        current_setting('superuser_reserved_connections')::bigint + \
        coalesce(current_setting('reserved_connections', true)::bigint, 0) END, \
    CASE WHEN NOT rolsuper AND rolconnlimit >= 0 THEN rolconnlimit::bigint END, \
    CASE WHEN NOT rolsuper AND datconnlimit >= 0 THEN datconnlimit::bigint END, \
    (SELECT count(*) FROM war.node WHERE address <> $1) \
    FROM pg_roles, pg_database WHERE rolname = session_user AND datname = current_database()";

/// Connections that a table needs, and the limit that its database sets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ConnectionBudget {
    /// Most connections that the nodes can have together.
    pub allowed: u32,
    /// Setting that has this limit.
    pub limit: ConnectionLimit,
    /// Number of nodes, the one that asks included.
    pub nodes: u32,
    /// Number of rooms.
    pub rooms: RoomCount,
}

/// Setting of PostgreSQL that limits connections.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ConnectionLimit {
    /// `max_connections` of the server, without those reserved for others.
    Server,
    /// `CONNECTION LIMIT` of the user.
    User,
    /// `CONNECTION LIMIT` of the database.
    Database,
}

impl ConnectionLimit {
    /// Name in logs and messages.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Server => "server",
            Self::User => "user",
            Self::Database => "database",
        }
    }
}

impl ConnectionBudget {
    /// Number of connections with which the nodes can serve all rooms.
    #[must_use]
    pub fn needed(&self) -> u32 {
        self.nodes * NODE_CONNECTIONS + u32::from(self.rooms.count())
    }

    /// Number of connections without which a node alone can't serve a single room.
    #[must_use]
    pub const fn least() -> u32 {
        NODE_CONNECTIONS + 1
    }

    /// Reads the limits, and the number of nodes; `node` is the one that asks.
    pub(super) fn read(
        connection: &ReconnectingSession,
        node: &NodeAddress,
        rooms: RoomCount,
    ) -> Result<Self, StoreError> {
        let row =
            connection.query(async |client| client.query_one(READ_LIMITS, &[&node.0]).await)?;
        let limits = [
            (0, ConnectionLimit::Server),
            (1, ConnectionLimit::User),
            (2, ConnectionLimit::Database),
        ];
        let limits = limits
            .into_iter()
            .filter_map(|(column, limit)| Some((read_number(&row, column)?, limit)));
        let (allowed, limit) = limits
            .min_by_key(|(allowed, _)| *allowed)
            .unwrap_or((u32::MAX, ConnectionLimit::Server));
        Ok(Self {
            allowed,
            limit,
            nodes: read_number(&row, 3).unwrap_or(0).saturating_add(1),
            rooms,
        })
    }
}

/// Reads a number that may be missing.
fn read_number(row: &Row, column: usize) -> Option<u32> {
    let number: Option<i64> = row.get(column);
    Some(number?.max(0).try_into().unwrap_or(u32::MAX))
}
