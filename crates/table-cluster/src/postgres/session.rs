//! Connections to a database, and conversion of their errors to errors of a store.

use super::DatabaseAddress;
use super::authentication_guard::UnsafeLoginError;
use super::connect::{ConnectError, NegotiationError, connect};
use super::tls_config::TlsFileError;
use std::cell::Cell;
use std::error::Error as StdError;
use std::fmt;
use std::future::Future;
use std::io;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::runtime::{Builder, Runtime};
use tokio::task::JoinHandle;
use tokio_postgres::error::{DbError, Severity, SqlState};
use tokio_postgres::{Client, Error};
use war_table::server::store::StoreError;

/// Time limit for an answer of the database: less than a lease, so that no node commits long after
/// its lease has expired.
const TIMEOUT: Duration = Duration::from_millis(2_500);
/// Time limit for an answer of the database during work on a whole table.
const TABLE_WORK_TIMEOUT: Duration = Duration::from_secs(3600);
/// Time limit for connecting to the database.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(2);
/// Idle time of a connection before TCP sends a keepalive probe.
const KEEPALIVE_IDLE: Duration = Duration::from_secs(1);

/// Settings of each connection. All timeouts are below the lease. The timeout for idle transactions
/// ends the transaction of a suspended owner before other nodes have to wait for it.
const SETTINGS: &str = "
    SET statement_timeout = 2200;
    SET lock_timeout = 2000;
    SET idle_in_transaction_session_timeout = 1500;
    SET tcp_keepalives_idle = 1;
    SET tcp_keepalives_interval = 1;
    SET tcp_keepalives_count = 2;
    SET tcp_user_timeout = 2000;
    SET search_path = war, pg_catalog;
    SELECT set_config('synchronous_commit', CASE current_setting('synchronous_commit')
        WHEN 'remote_apply' THEN 'remote_apply' ELSE 'on' END, false);
";

/// Settings that the server must have, with their allowed values. With `fsync` or
/// `synchronous_commit` off, the server could lose confirmed commits.
const REQUIRED_SETTINGS: [(&str, &[&str]); 4] = [
    ("fsync", &["on"]),
    ("synchronous_commit", &["on", "remote_apply"]),
    ("server_encoding", &["UTF8"]),
    // The setting is on at a standby, or if an operator has set it.
    ("transaction_read_only", &["off"]),
];

/// Oldest supported version of PostgreSQL.
const OLDEST_VERSION: i32 = 140_000;

/// A connection to a database, driven by the thread that waits for an answer.
pub(super) struct DatabaseSession {
    client: Client,
    runtime: Option<Runtime>,
    connection_task: Option<JoinHandle<()>>,
    /// True once an answer has timed out. The session is then unusable, since later answers would
    /// queue behind the late one.
    is_timed_out: Cell<bool>,
    /// Time limit for an answer of the database.
    time_limit: Cell<Duration>,
    origin: Origin,
}

impl DatabaseSession {
    /// Connects; `name` is the `application_name`.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database can't be reached, refuses the user, or lacks a required
    /// setting or version.
    pub(super) fn connect(address: &DatabaseAddress, name: &str) -> Result<Self, StoreError> {
        let runtime = Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(|error| StoreError::Unreachable(Box::new(error)))?;
        let mut config = address.config().clone();
        config
            .application_name(name)
            .connect_timeout(CONNECT_TIMEOUT)
            .tcp_user_timeout(TIMEOUT)
            .keepalives_idle(KEEPALIVE_IDLE)
            .keepalives_interval(KEEPALIVE_IDLE)
            .keepalives_retries(2);
        let connecting = wait(&runtime, TIMEOUT, connect(address, config));
        let (client, connection) = connecting.map_err(|error| error.to_connect_error())?;
        let connection_task = Some(runtime.spawn(connection));
        let mut session = Self {
            client,
            runtime: Some(runtime),
            connection_task,
            is_timed_out: Cell::new(false),
            time_limit: Cell::new(TIMEOUT),
            origin: Origin {
                system: 0,
                timeline: 0,
            },
        };
        session.origin = session.configure()?;
        Ok(session)
    }

    /// Configures the connection, checks settings that a client can't change, and returns the
    /// origin.
    fn configure(&self) -> Result<Origin, StoreError> {
        self.wait(self.client.batch_execute(SETTINGS))
            .map_err(|error| error.to_connect_error())?;
        let sql = "SELECT current_setting('fsync'), current_setting('synchronous_commit'), \
                   current_setting('server_encoding'), \
                   current_setting('transaction_read_only'), current_setting('server_version'), \
                   current_setting('server_version_num')::int, \
                   (SELECT system_identifier FROM pg_control_system()), \
                   CASE WHEN pg_is_in_recovery() THEN 0 ELSE \
                   ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::bigint END";
        let found = self.wait(self.client.query_one(sql, &[]))?;
        for (at, (name, needed)) in REQUIRED_SETTINGS.into_iter().enumerate() {
            let found: String = found.get(at);
            if !needed.contains(&found.as_str()) {
                let needed = needed[0];
                return Err(StoreError::Setting {
                    name,
                    found,
                    needed,
                });
            }
        }
        if found.get::<_, i32>(5) < OLDEST_VERSION {
            return Err(StoreError::Setting {
                name: "server_version",
                found: found.get(4),
                needed: "14",
            });
        }
        let (system, timeline) = (found.get(6), found.get(7));
        Ok(Origin { system, timeline })
    }

    const fn origin(&self) -> Origin {
        self.origin
    }

    /// System identifier of the cluster.
    pub(super) const fn system(&self) -> i64 {
        self.origin.system
    }

    /// Raises the time limits for work on a whole table. No lease may depend on such a session.
    pub(super) fn raise_time_limits(&self) -> Result<(), StoreError> {
        let sql = "SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0";
        self.wait(self.client.batch_execute(sql))?;
        self.time_limit.set(TABLE_WORK_TIMEOUT);
        Ok(())
    }

    pub(super) const fn client(&self) -> &Client {
        &self.client
    }

    /// True if the session is unusable.
    fn is_closed(&self) -> bool {
        self.is_timed_out.get() || self.client.is_closed()
    }

    /// Waits for an answer of the database, up to the session's time limit.
    pub(super) fn wait<T, E: Into<QueryError>>(
        &self,
        answer: impl Future<Output = Result<T, E>>,
    ) -> Result<T, QueryError> {
        self.wait_at_most(self.time_limit.get(), answer)
    }

    /// Waits for an answer of the database, up to this time limit.
    fn wait_at_most<T, E: Into<QueryError>>(
        &self,
        time_limit: Duration,
        answer: impl Future<Output = Result<T, E>>,
    ) -> Result<T, QueryError> {
        let Some(runtime) = self.runtime.as_ref().filter(|_| !self.is_timed_out.get()) else {
            return Err(QueryError::Timeout);
        };
        let answer = wait(runtime, time_limit, answer);
        self.is_timed_out
            .set(matches!(answer, Err(QueryError::Timeout)));
        answer
    }

    /// Closes the connection gracefully.
    pub(super) fn close(mut self) {
        let (connection, runtime) = (self.connection_task.take(), self.runtime.take());
        drop(self);
        if let (Some(connection), Some(runtime)) = (connection, runtime) {
            let ended = async { tokio::time::timeout(KEEPALIVE_IDLE, connection).await };
            // On a timeout, the runtime is shut down all the same.
            let _ = runtime.block_on(ended);
            runtime.shutdown_background();
        }
    }
}

impl Drop for DatabaseSession {
    fn drop(&mut self) {
        // Must not block: a session may be dropped on an async thread.
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

fn wait<T, E: Into<QueryError>>(
    runtime: &Runtime,
    time_limit: Duration,
    answer: impl Future<Output = Result<T, E>>,
) -> Result<T, QueryError> {
    runtime.block_on(async {
        match tokio::time::timeout(time_limit, answer).await {
            Ok(answer) => answer.map_err(Into::into),
            Err(_) => Err(QueryError::Timeout),
        }
    })
}

/// Time limit of long reads; `statement_timeout` ends each of their statements earlier.
const READ_TIMEOUT: Duration = Duration::from_secs(55);
/// Begins a read-only transaction that sees a snapshot.
const BEGIN_SNAPSHOT: &str = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY;
    SET LOCAL statement_timeout = 50000";

/// A connection for single statements, which is reopened after it was lost.
pub(super) struct ReconnectingSession {
    address: DatabaseAddress,
    name: &'static str,
    session: Mutex<Option<DatabaseSession>>,
    /// Origin of the last connection, shared by all connections of a node.
    origin_check: Arc<OriginCheck>,
}

impl ReconnectingSession {
    /// Wraps an open session.
    pub(super) fn new(
        address: DatabaseAddress,
        name: &'static str,
        session: DatabaseSession,
    ) -> Self {
        let origin_check = Arc::new(OriginCheck::from(session.origin()));
        Self {
            address,
            name,
            session: Mutex::new(Some(session)),
            origin_check,
        }
    }

    /// Creates a separate connection to the same database, opened when it is first used.
    pub(super) fn duplicate(&self, name: &'static str) -> Self {
        Self {
            address: self.address.clone(),
            name,
            session: Mutex::new(None),
            origin_check: Arc::clone(&self.origin_check),
        }
    }

    /// Opens a separate session with the same database.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database can't be reached, and [`StoreError::StaleCopy`] if another
    /// database has taken its place.
    pub(super) fn connect(&self, name: &str) -> Result<DatabaseSession, StoreError> {
        let session = DatabaseSession::connect(&self.address, name)?;
        self.origin_check.record(session.origin())?;
        Ok(session)
    }

    /// Runs a statement in a separate transaction.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if there is no connection or the database fails. The statement may have been
    /// executed nevertheless.
    pub(super) fn query<T>(
        &self,
        query: impl AsyncFnOnce(&Client) -> Result<T, Error>,
    ) -> Result<T, StoreError> {
        self.with_session(|session| session.wait(query(session.client())))
    }

    /// Runs queries that see the same snapshot and may take long.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if there is no connection or the database fails.
    pub(super) fn query_snapshot<T>(
        &self,
        read: impl AsyncFnOnce(&Client) -> Result<T, Error>,
    ) -> Result<T, StoreError> {
        self.with_session(|session| {
            let client = session.client();
            session.wait_at_most(READ_TIMEOUT, async {
                client.batch_execute(BEGIN_SNAPSHOT).await?;
                let found = read(client).await;
                client.batch_execute("COMMIT").await?;
                found
            })
        })
    }

    fn with_session<T>(
        &self,
        query: impl FnOnce(&DatabaseSession) -> Result<T, QueryError>,
    ) -> Result<T, StoreError> {
        // The mutex holds only an idle session, or none after a panic.
        let mut guard = self.session.lock().unwrap_or_else(PoisonError::into_inner);
        let session = match guard.take().filter(|session| !session.is_closed()) {
            Some(session) => session,
            None => self.connect(self.name)?,
        };
        let answer = query(&session);
        *guard = Some(session);
        Ok(answer?)
    }
}

/// Message of a database error, in one line.
#[derive(Debug)]
struct Cause(String);

impl Cause {
    pub(super) fn from_timeout() -> Self {
        Self("the database did not answer in time".to_owned())
    }
}

impl From<&tokio_postgres::Error> for Cause {
    fn from(error: &tokio_postgres::Error) -> Self {
        if let Some(db_error) = error.as_db_error() {
            return Self(db_error.message().to_owned());
        }
        let mut first: &dyn std::error::Error = error;
        while let Some(source) = first.source() {
            first = source;
        }
        Self(first.to_string())
    }
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Cause {}

/// Error of a statement.
#[derive(Debug)]
pub(super) enum QueryError {
    /// Error reported by the database, or loss of the connection.
    Failed(tokio_postgres::Error),
    /// No answer within the time limit.
    Timeout,
    /// Socket that can't be opened.
    Socket(io::Error),
    /// File for TLS that can't be used.
    TlsFile(TlsFileError),
}

impl QueryError {
    /// Code of the error, if the database reported one.
    pub(super) fn code(&self) -> Option<&SqlState> {
        match self {
            Self::Failed(error) => error.code(),
            _ => None,
        }
    }

    /// True if the transaction was certainly rolled back.
    pub(super) fn is_rolled_back(&self) -> bool {
        let Self::Failed(error) = self else {
            return false;
        };
        let severity = error.as_db_error().and_then(DbError::parsed_severity);
        severity == Some(Severity::Error)
    }

    /// True if the error is a violation of this unique constraint.
    pub(super) fn is_conflict_of(&self, constraint: &str) -> bool {
        let Self::Failed(error) = self else {
            return false;
        };
        let db_error = error.as_db_error();
        db_error.is_some_and(|db_error| {
            *db_error.code() == SqlState::UNIQUE_VIOLATION
                && db_error.constraint() == Some(constraint)
        })
    }

    /// Converts the error to the cause of a store error.
    pub(super) fn to_cause(&self) -> Box<dyn std::error::Error + Send + Sync> {
        Box::new(match self {
            Self::Failed(error) => Cause::from(error),
            Self::Timeout => Cause::from_timeout(),
            Self::Socket(error) => Cause(error.to_string()),
            Self::TlsFile(error) => Cause(error.to_string()),
        })
    }

    /// True if the connection is closed, and nothing says why.
    pub(super) fn is_closed(&self) -> bool {
        matches!(self, Self::Failed(error) if error.is_closed())
    }

    /// Converts the error of an attempt to connect to the error of a store.
    fn to_connect_error(&self) -> StoreError {
        let refused = [
            SqlState::INVALID_PASSWORD,
            SqlState::INVALID_AUTHORIZATION_SPECIFICATION,
            SqlState::INVALID_CATALOG_NAME,
            SqlState::INSUFFICIENT_PRIVILEGE,
        ];
        let error = match self {
            Self::Failed(error) => error,
            Self::Timeout | Self::Socket(_) => return StoreError::Unreachable(self.to_cause()),
            Self::TlsFile(_) => return StoreError::TlsFile(self.to_cause()),
        };
        if let Some(UnsafeLoginError { method }) = find_cause(error) {
            return StoreError::UnsafeLogin { method };
        }
        match find_cause(error) {
            Some(NegotiationError::NotOffered) => return StoreError::NoTls,
            Some(NegotiationError::Tls(error)) if is_certificate_error(error) => {
                return StoreError::Untrusted(self.to_cause());
            }
            _ => {}
        }
        match error.code() {
            Some(code) if refused.contains(code) => StoreError::Refused(self.to_cause()),
            None if is_authentication_error(error) => StoreError::Refused(self.to_cause()),
            _ => StoreError::Unreachable(self.to_cause()),
        }
    }
}

/// Finds a cause of this type.
fn find_cause<T: StdError + 'static>(error: &Error) -> Option<&T> {
    let mut next: Option<&(dyn StdError + 'static)> = Some(error);
    while let Some(error) = next {
        // An I/O error is not the source of itself, but may hold one.
        let held = error
            .downcast_ref()
            .and_then(|error: &io::Error| error.get_ref())
            .and_then(|held| held.downcast_ref());
        if let Some(found) = error.downcast_ref().or(held) {
            return Some(found);
        }
        next = error.source();
    }
    None
}

/// True if TLS failed because the certificate of the server is not accepted.
fn is_certificate_error(error: &io::Error) -> bool {
    let cause = error.get_ref().and_then(|cause| cause.downcast_ref());
    matches!(cause, Some(rustls::Error::InvalidCertificate(_)))
}

/// True if a password is missing, or the authentication method is unsupported.
fn is_authentication_error(error: &tokio_postgres::Error) -> bool {
    let kind = error.to_string();
    ["authentication error", "invalid configuration"]
        .iter()
        .any(|known| kind.starts_with(known))
}

impl From<tokio_postgres::Error> for QueryError {
    fn from(error: tokio_postgres::Error) -> Self {
        Self::Failed(error)
    }
}

impl From<ConnectError> for QueryError {
    fn from(error: ConnectError) -> Self {
        match error {
            ConnectError::Socket(error) => Self::Socket(error),
            ConnectError::TlsFile(error) => Self::TlsFile(error),
            ConnectError::Failed(error) => Self::Failed(error),
        }
    }
}

impl From<QueryError> for StoreError {
    fn from(error: QueryError) -> Self {
        let code = error.code();
        let is = |state: &SqlState| code == Some(state);
        let cause = error.to_cause();
        if is(&SqlState::READ_ONLY_SQL_TRANSACTION) {
            Self::ReadOnly(cause)
        } else if is(&SqlState::DISK_FULL) {
            Self::Full(cause)
        } else if is(&SqlState::INSUFFICIENT_PRIVILEGE) {
            Self::Refused(cause)
        } else if is(&SqlState::INVALID_SQL_STATEMENT_NAME) {
            // The connection has lost a statement that it prepared.
            Self::Pooled
        } else {
            Self::Database(cause)
        }
    }
}

/// Identity of a database cluster and of its timeline: each point-in-time recovery and each
/// promotion of a standby begins a new timeline.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Origin {
    /// System identifier of the cluster.
    system: i64,
    /// Number of the timeline, from 1; 0 at a standby.
    timeline: i64,
}

/// Origin of the database to which a node connected last.
#[derive(Debug)]
struct OriginCheck(Mutex<Origin>);

impl From<Origin> for OriginCheck {
    fn from(first: Origin) -> Self {
        Self(Mutex::new(first))
    }
}

impl OriginCheck {
    /// Records the origin of a connection. A later timeline is accepted: the progress of the rooms
    /// shows if that timeline lacks confirmed commits.
    ///
    /// # Errors
    ///
    /// [`StoreError::StaleCopy`] if the origin is another database, or an earlier timeline.
    pub(super) fn record(&self, origin: Origin) -> Result<(), StoreError> {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if origin.system != known.system || origin.timeline < known.timeline {
            return Err(StoreError::StaleCopy);
        }
        *known = origin;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::{Origin, OriginCheck};
    use war_table::server::store::StoreError;

    #[test]
    fn another_database_or_an_earlier_timeline_is_detected() {
        let at = |system, timeline| Origin { system, timeline };
        let origin_check = OriginCheck::from(at(7, 2));
        for origin in [at(7, 2), at(7, 2), at(7, 3)] {
            assert!(origin_check.record(origin).is_ok(), "{origin:?}");
        }
        for origin in [at(7, 2), at(8, 3), at(8, 4)] {
            let noticed = origin_check.record(origin);
            assert!(matches!(noticed, Err(StoreError::StaleCopy)), "{origin:?}");
        }
        assert!(origin_check.record(at(7, 3)).is_ok());
    }
}
