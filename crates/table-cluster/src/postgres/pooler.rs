//! Refusal of a connection pooler between a node and its database that gives the connections of
//! the database to several clients in turn.

use super::DatabaseAddress;
use super::session::{DatabaseSession, QueryError};
use tokio_postgres::error::SqlState;
use tokio_postgres::{Client, Error, SimpleQueryMessage};
use war_table::server::store::StoreError;

/// State of a session that a pooler takes from the client: a setting and a prepared statement.
const LEAVE_STATE: &str = "SET war.probe = 'kept'; PREPARE war_probe AS SELECT 1";

/// Query for the process that serves a session, and for the state of the session.
const READ_STATE: &str = "SELECT pg_backend_pid(), current_setting('war.probe', true), \
    (SELECT count(*) FROM pg_prepared_statements WHERE name = 'war_probe'), \
    current_setting('synchronous_commit')";

const REMOVE_STATE: &str = "DEALLOCATE war_probe; RESET war.probe";

/// Number of comparisons: a pooler may give out its connections in turn.
const ROUNDS: usize = 3;

/// Connects to a database; `name` is the `application_name`.
///
/// # Errors
///
/// [`StoreError::Pooled`] if a session is not served by a connection that is its own, and those of
/// [`DatabaseSession::connect`].
pub(super) fn connect_directly(
    address: &DatabaseAddress,
    name: &str,
) -> Result<DatabaseSession, StoreError> {
    let session = DatabaseSession::connect(address, name)?;
    let other = DatabaseSession::connect(address, name)?;
    match keeps_state(&session, &other) {
        Ok(true) => {
            other.close();
            Ok(session)
        }
        Ok(false) => Err(StoreError::Pooled),
        // A pooler may close a session that begins a transaction, without a reason.
        Err(error) if error.is_closed() && DatabaseSession::connect(address, name).is_ok() => {
            Err(StoreError::Pooled)
        }
        Err(error) => Err(to_probe_error(error)),
    }
}

/// Returns whether a session stays as it is while another one holds a transaction open: a pooler
/// has to serve the first one by another connection then.
fn keeps_state(session: &DatabaseSession, other: &DatabaseSession) -> Result<bool, QueryError> {
    session.wait(session.client().batch_execute(LEAVE_STATE))?;
    let before = read_state(session)?;
    for _ in 0..ROUNDS {
        other.wait(other.client().batch_execute("BEGIN"))?;
        let during = read_state(session)?;
        other.wait(other.client().batch_execute("ROLLBACK"))?;
        if during != before {
            return Ok(false);
        }
    }
    session.wait(session.client().batch_execute(REMOVE_STATE))?;
    Ok(true)
}

/// Reads the state of a session.
fn read_state(session: &DatabaseSession) -> Result<Vec<Option<String>>, QueryError> {
    session.wait(query_state(session.client()))
}

async fn query_state(client: &Client) -> Result<Vec<Option<String>>, Error> {
    let messages = client.simple_query(READ_STATE).await?;
    let rows = messages.iter().filter_map(|message| match message {
        SimpleQueryMessage::Row(row) => Some(row),
        _ => None,
    });
    let values = rows.flat_map(|row| (0..row.len()).map(|column| row.get(column)));
    Ok(values.map(|value| value.map(str::to_owned)).collect())
}

/// Converts an error of the comparison: a pooler lets sessions wait for each other, refuses
/// transactions, and gives a session the statements that another one has left.
fn to_probe_error(error: QueryError) -> StoreError {
    let of_poolers = [
        SqlState::DUPLICATE_PSTATEMENT,
        SqlState::IDLE_IN_TRANSACTION_SESSION_TIMEOUT,
        SqlState::PROTOCOL_VIOLATION,
    ];
    let is_pooled = match error.code() {
        Some(code) => of_poolers.contains(code),
        None => matches!(error, QueryError::Timeout),
    };
    if is_pooled {
        StoreError::Pooled
    } else {
        error.into()
    }
}
