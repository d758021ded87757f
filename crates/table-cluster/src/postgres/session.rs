//! Connections to a database, and what goes wrong there, as errors of a store.

use super::DatabaseAddress;
use std::cell::Cell;
use std::fmt;
use std::future::Future;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::runtime::{Builder, Runtime};
use tokio::task::JoinHandle;
use tokio_postgres::error::{DbError, Severity, SqlState};
use tokio_postgres::{Client, Error, NoTls};
use war_table::server::store::StoreError;

/// How long the database may take for anything: less than a lease, so that nobody commits when
/// their lease has long run out.
const PATIENCE: Duration = Duration::from_millis(2_500);
/// How long it may take for work on a whole table.
const TO_WORK: Duration = Duration::from_secs(3600);
/// How long a connection may take to be made.
const TO_CONNECT: Duration = Duration::from_secs(2);
/// How long a connection may be silent before it is asked whether it is there.
const SILENCE: Duration = Duration::from_secs(1);

/// What the database holds each of our connections to, in milliseconds: all below the lease.
/// An owner that was stopped in a transaction loses it before others have waited too long for it.
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

/// What has to be so, else something that was confirmed could be lost: a setting, and its value.
const NEEDED: [(&str, &[&str]); 4] = [
    ("fsync", &["on"]),
    ("synchronous_commit", &["on", "remote_apply"]),
    ("server_encoding", &["UTF8"]),
    // It is on at a standby, and where an operator wants no changes.
    ("transaction_read_only", &["off"]),
];

/// The oldest version of PostgreSQL that is known to do.
const OLDEST: i32 = 140_000;

/// A connection to a database, which works only while somebody waits for it: its owner's thread
/// does all of it.
pub(super) struct Session {
    client: Client,
    runtime: Option<Runtime>,
    connection: Option<JoinHandle<()>>,
    /// Whether an answer did not come in time: nothing is asked here any more, for the next
    /// question would have to wait for it as well.
    late: Cell<bool>,
    /// How long an answer may take.
    patience: Cell<Duration>,
    /// Which database it is.
    origin: Origin,
}

impl Session {
    /// Connects; `name` is what the database shows to its operators.
    ///
    /// # Errors
    ///
    /// [`StoreError`] where the database can't be reached, refuses the user, or is not one that
    /// keeps what it confirmed.
    pub(super) fn connect(address: &DatabaseAddress, name: &str) -> Result<Self, StoreError> {
        let runtime = Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(|error| StoreError::Unreachable(Box::new(error)))?;
        let mut config = address.config().clone();
        config
            .application_name(name)
            .connect_timeout(TO_CONNECT)
            .tcp_user_timeout(PATIENCE)
            .keepalives_idle(SILENCE)
            .keepalives_interval(SILENCE)
            .keepalives_retries(2);
        let connecting = wait(&runtime, PATIENCE, config.connect(NoTls));
        let (client, connection) = connecting.map_err(|trouble| trouble.at_first())?;
        let driving = async {
            // Those who wait for an answer hear of the error.
            let _ = connection.await;
        };
        let connection = Some(runtime.spawn(driving));
        let mut session = Self {
            client,
            runtime: Some(runtime),
            connection,
            late: Cell::new(false),
            patience: Cell::new(PATIENCE),
            origin: Origin {
                system: 0,
                timeline: 0,
            },
        };
        session.origin = session.settle()?;
        Ok(session)
    }

    /// Sets what this connection needs, and checks what it can't set. The result is which database
    /// it is.
    fn settle(&self) -> Result<Origin, StoreError> {
        self.wait(self.client.batch_execute(SETTINGS))
            .map_err(|trouble| trouble.at_first())?;
        let sql = "SELECT current_setting('fsync'), current_setting('synchronous_commit'), \
                   current_setting('server_encoding'), \
                   current_setting('transaction_read_only'), current_setting('server_version'), \
                   current_setting('server_version_num')::int, \
                   (SELECT system_identifier FROM pg_control_system()), \
                   CASE WHEN pg_is_in_recovery() THEN 0 ELSE \
                   ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::bigint END";
        let found = self.wait(self.client.query_one(sql, &[]))?;
        for (at, (name, needed)) in NEEDED.into_iter().enumerate() {
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
        if found.get::<_, i32>(5) < OLDEST {
            return Err(StoreError::Setting {
                name: "server_version",
                found: found.get(4),
                needed: "14",
            });
        }
        let (system, timeline) = (found.get(6), found.get(7));
        Ok(Origin { system, timeline })
    }

    /// Which database it is.
    const fn origin(&self) -> Origin {
        self.origin
    }

    /// Lets statements and transactions take as long as work on a whole table does: no lease
    /// depends on them.
    pub(super) fn be_patient(&self) -> Result<(), StoreError> {
        let sql = "SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0";
        self.wait(self.client.batch_execute(sql))?;
        self.patience.set(TO_WORK);
        Ok(())
    }

    /// What statements are sent with.
    pub(super) const fn client(&self) -> &Client {
        &self.client
    }

    /// Whether nothing can be asked here any more.
    fn is_closed(&self) -> bool {
        self.late.get() || self.client.is_closed()
    }

    /// Waits for an answer of the database, but not for long.
    pub(super) fn wait<T, E: Into<Trouble>>(
        &self,
        answer: impl Future<Output = Result<T, E>>,
    ) -> Result<T, Trouble> {
        self.wait_for(self.patience.get(), answer)
    }

    /// Waits for an answer of the database, but no longer than this.
    fn wait_for<T, E: Into<Trouble>>(
        &self,
        patience: Duration,
        answer: impl Future<Output = Result<T, E>>,
    ) -> Result<T, Trouble> {
        let Some(runtime) = self.runtime.as_ref().filter(|_| !self.late.get()) else {
            return Err(Trouble::Late);
        };
        let answer = wait(runtime, patience, answer);
        self.late.set(matches!(answer, Err(Trouble::Late)));
        answer
    }

    /// Says goodbye.
    pub(super) fn close(mut self) {
        let (connection, runtime) = (self.connection.take(), self.runtime.take());
        drop(self);
        if let (Some(connection), Some(runtime)) = (connection, runtime) {
            let ended = async { tokio::time::timeout(SILENCE, connection).await };
            // It ends either way.
            let _ = runtime.block_on(ended);
            runtime.shutdown_background();
        }
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        // Nothing waits: a session may end where nobody may wait.
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

fn wait<T, E: Into<Trouble>>(
    runtime: &Runtime,
    patience: Duration,
    answer: impl Future<Output = Result<T, E>>,
) -> Result<T, Trouble> {
    runtime.block_on(async {
        match tokio::time::timeout(patience, answer).await {
            Ok(answer) => answer.map_err(Into::into),
            Err(_) => Err(Trouble::Late),
        }
    })
}

/// How long an operator waits for what is read; each of the statements gives up before.
const TO_READ: Duration = Duration::from_secs(55);
/// Begins what is read as it is at one moment.
const MOMENT: &str = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY;
    SET LOCAL statement_timeout = 50000";

/// A connection that is made anew when it has ended, for what is done in one statement.
pub(super) struct Line {
    address: DatabaseAddress,
    name: &'static str,
    session: Mutex<Option<Session>>,
    /// Where all connections of a node have led.
    origins: Arc<Origins>,
}

impl Line {
    /// A line with a connection that there is already.
    pub(super) fn new(address: DatabaseAddress, name: &'static str, session: Session) -> Self {
        let origins = Arc::new(Origins::from(session.origin()));
        Self {
            address,
            name,
            session: Mutex::new(Some(session)),
            origins,
        }
    }

    /// A line of its own to the same database.
    pub(super) fn another(&self, name: &'static str) -> Self {
        Self {
            address: self.address.clone(),
            name,
            session: Mutex::new(None),
            origins: Arc::clone(&self.origins),
        }
    }

    /// A connection of its own to the same database.
    ///
    /// # Errors
    ///
    /// [`StoreError`] where there is none, and [`StoreError::WentBack`] where another database has
    /// taken its place.
    pub(super) fn connect(&self, name: &str) -> Result<Session, StoreError> {
        let session = Session::connect(&self.address, name)?;
        self.origins.note(session.origin())?;
        Ok(session)
    }

    /// Asks something that is a transaction of its own.
    ///
    /// # Errors
    ///
    /// [`StoreError`] where there is no connection or the database fails. Whether a change was
    /// made is not known then.
    pub(super) fn ask<T>(
        &self,
        ask: impl AsyncFnOnce(&Client) -> Result<T, Error>,
    ) -> Result<T, StoreError> {
        self.with(|session| session.wait(ask(session.client())))
    }

    /// Reads much, all of it as it was at one moment; nobody who plays waits for it.
    ///
    /// # Errors
    ///
    /// [`StoreError`] where there is no connection or the database fails.
    pub(super) fn read<T>(
        &self,
        read: impl AsyncFnOnce(&Client) -> Result<T, Error>,
    ) -> Result<T, StoreError> {
        self.with(|session| {
            let client = session.client();
            session.wait_for(TO_READ, async {
                client.batch_execute(MOMENT).await?;
                let found = read(client).await;
                client.batch_execute("COMMIT").await?;
                found
            })
        })
    }

    fn with<T>(&self, ask: impl FnOnce(&Session) -> Result<T, Trouble>) -> Result<T, StoreError> {
        // What is kept is a connection between two questions, so that it is sound after a panic.
        let mut kept = self.session.lock().unwrap_or_else(PoisonError::into_inner);
        let session = match kept.take().filter(|session| !session.is_closed()) {
            Some(session) => session,
            None => self.connect(self.name)?,
        };
        let answer = ask(&session);
        *kept = Some(session);
        Ok(answer?)
    }
}

/// What a database said, in a line.
#[derive(Debug)]
struct Cause(String);

impl Cause {
    /// The answer did not come in time.
    pub(super) fn late() -> Self {
        Self("the database did not answer in time".to_owned())
    }
}

impl From<&tokio_postgres::Error> for Cause {
    fn from(error: &tokio_postgres::Error) -> Self {
        if let Some(said) = error.as_db_error() {
            return Self(said.message().to_owned());
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

/// Why something was not done in a database.
#[derive(Debug)]
pub(super) enum Trouble {
    /// It says so, or the connection broke.
    Failed(tokio_postgres::Error),
    /// It did not answer in time.
    Late,
}

impl Trouble {
    /// The code of the error, if the database gave one.
    pub(super) fn code(&self) -> Option<&SqlState> {
        match self {
            Self::Failed(error) => error.code(),
            Self::Late => None,
        }
    }

    /// Whether a transaction that this befell was rolled back for sure.
    pub(super) fn is_rolled_back(&self) -> bool {
        let Self::Failed(error) = self else {
            return false;
        };
        let severity = error.as_db_error().and_then(DbError::parsed_severity);
        severity == Some(Severity::Error)
    }

    /// Whether rows with this constraint, a unique one, were there already.
    pub(super) fn is_conflict_of(&self, constraint: &str) -> bool {
        let Self::Failed(error) = self else {
            return false;
        };
        let said = error.as_db_error();
        said.is_some_and(|said| {
            *said.code() == SqlState::UNIQUE_VIOLATION && said.constraint() == Some(constraint)
        })
    }

    /// What was said.
    pub(super) fn cause(&self) -> Box<dyn std::error::Error + Send + Sync> {
        Box::new(match self {
            Self::Failed(error) => Cause::from(error),
            Self::Late => Cause::late(),
        })
    }

    /// The error of a store that can't be connected to.
    fn at_first(&self) -> StoreError {
        let refused = [
            SqlState::INVALID_PASSWORD,
            SqlState::INVALID_AUTHORIZATION_SPECIFICATION,
            SqlState::INVALID_CATALOG_NAME,
            SqlState::INSUFFICIENT_PRIVILEGE,
        ];
        match self {
            Self::Failed(error) => match error.code() {
                Some(code) if refused.contains(code) => StoreError::Refused(self.cause()),
                None if is_about_the_user(error) => StoreError::Refused(self.cause()),
                _ => StoreError::Unreachable(self.cause()),
            },
            Self::Late => StoreError::Unreachable(self.cause()),
        }
    }
}

/// Whether a password is missing, or is asked for in a way that nobody knows.
fn is_about_the_user(error: &tokio_postgres::Error) -> bool {
    let kind = error.to_string();
    ["authentication error", "invalid configuration"]
        .iter()
        .any(|known| kind.starts_with(known))
}

impl From<tokio_postgres::Error> for Trouble {
    fn from(error: tokio_postgres::Error) -> Self {
        Self::Failed(error)
    }
}

impl From<Trouble> for StoreError {
    fn from(trouble: Trouble) -> Self {
        let code = trouble.code();
        let is = |asked: &SqlState| code == Some(asked);
        let cause = trouble.cause();
        if is(&SqlState::READ_ONLY_SQL_TRANSACTION) {
            Self::ReadOnly(cause)
        } else if is(&SqlState::DISK_FULL) {
            Self::Full(cause)
        } else if is(&SqlState::INSUFFICIENT_PRIVILEGE) {
            Self::Refused(cause)
        } else {
            Self::Database(cause)
        }
    }
}

/// Which database it is that a connection reaches, and which of its histories: each restore to a
/// moment and each promotion of a standby begins a new one, a timeline.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Origin {
    /// The number of the cluster, drawn when it was made.
    system: i64,
    /// The number of the timeline, from 1.
    timeline: i64,
}

/// The origin that a node saw last.
#[derive(Debug)]
struct Origins(Mutex<Origin>);

impl From<Origin> for Origins {
    fn from(first: Origin) -> Self {
        Self(Mutex::new(first))
    }
}

impl Origins {
    /// Notes which database was reached. A later timeline may have all that was confirmed, which
    /// its rooms show.
    ///
    /// # Errors
    ///
    /// [`StoreError::WentBack`] where it is another one than before, or an earlier timeline of it.
    pub(super) fn note(&self, origin: Origin) -> Result<(), StoreError> {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if origin.system != known.system || origin.timeline < known.timeline {
            return Err(StoreError::WentBack);
        }
        *known = origin;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::{Origin, Origins};
    use war_table::server::store::StoreError;

    #[test]
    fn another_database_or_an_earlier_timeline_is_noticed() {
        let at = |system, timeline| Origin { system, timeline };
        let origins = Origins::from(at(7, 2));
        for origin in [at(7, 2), at(7, 2), at(7, 3)] {
            assert!(origins.note(origin).is_ok(), "{origin:?}");
        }
        for origin in [at(7, 2), at(8, 3), at(8, 4)] {
            let noticed = origins.note(origin);
            assert!(matches!(noticed, Err(StoreError::WentBack)), "{origin:?}");
        }
        assert!(origins.note(at(7, 3)).is_ok());
    }
}
