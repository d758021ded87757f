use super::DatabaseAddress;
use super::cause::Trouble;
use super::origin::Origin;
use crate::server::store::StoreError;
use std::cell::Cell;
use std::future::Future;
use std::time::Duration;
use tokio::runtime::{Builder, Runtime};
use tokio::task::JoinHandle;
use tokio_postgres::{Client, NoTls};

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
    pub(super) const fn origin(&self) -> Origin {
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
    pub(super) fn is_closed(&self) -> bool {
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
    pub(super) fn wait_for<T, E: Into<Trouble>>(
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
