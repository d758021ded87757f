//! Exclusive access to a whole store, which no node may use meanwhile.
#![expect(
    clippy::disallowed_methods,
    reason = "a database is waited for in real time"
)]

use super::schema::{self, SCHEMA_VERSION, SchemaState};
use super::session::{DatabaseSession, QueryError};
use super::statements::NUMBER_LEAVES;
use crate::leases::LEASE_DURATION;
use std::thread::sleep;
use std::time::Duration;
use tokio_postgres::error::SqlState;
use war_table::server::store::StoreError;

/// Time without a beat after which nodes in the store count as gone: longer than a lease.
const GONE_AFTER: Duration = LEASE_DURATION.saturating_add(Duration::from_secs(1));

/// Exclusive access to a store.
pub(super) struct ExclusiveAccess;

impl ExclusiveAccess {
    /// Checks that the store exists, that this program knows all of its schema, that it can be
    /// opened with `open`, and that no node uses it.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if a check fails.
    pub(super) fn check(
        session: &DatabaseSession,
        open: impl FnOnce(&DatabaseSession) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        match session.wait(schema::inspect(session.client()))? {
            SchemaState::Absent => return Err(StoreError::Missing),
            // This version may serve the store, but does not know all of its columns.
            SchemaState::Store {
                version,
                min_version,
                ..
            } if version > SCHEMA_VERSION && min_version <= SCHEMA_VERSION => {
                return Err(StoreError::NewerVersion);
            }
            _ => {}
        }
        open(session)?;
        if is_used(session)? {
            return Err(StoreError::InUse);
        }
        Ok(())
    }

    /// Begins a transaction that keeps other programs from opening the store or taking rooms, and
    /// numbers the last leaves of the log.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database fails or the store is in use.
    pub(super) fn begin(session: &DatabaseSession) -> Result<(), StoreError> {
        session.raise_time_limits()?;
        let sql = format!(
            "BEGIN ISOLATION LEVEL REPEATABLE READ READ WRITE; {}; \
             SELECT 1 FROM room FOR UPDATE NOWAIT; {NUMBER_LEAVES}",
            schema::LOCK_OPENING
        );
        let begun = session.wait(session.client().batch_execute(&sql));
        begun.map_err(|error: QueryError| match error.code() {
            Some(&SqlState::LOCK_NOT_AVAILABLE | &SqlState::T_R_SERIALIZATION_FAILURE) => {
                StoreError::InUse
            }
            _ => error.into(),
        })
    }
}

/// True if a node uses the store. A killed node leaves its row there, but no longer sends beats.
fn is_used(session: &DatabaseSession) -> Result<bool, StoreError> {
    let sql = "SELECT (SELECT count(*) FROM node), \
               (SELECT count(*) FROM room WHERE owner IS NOT NULL), \
               (SELECT coalesce(sum(beat), 0)::bigint FROM node), \
               (SELECT sum(epoch + beat)::bigint FROM room)";
    let look = || -> Result<[i64; 4], StoreError> {
        let row = session.wait(session.client().query_one(sql, &[]))?;
        Ok([row.get(0), row.get(1), row.get(2), row.get(3)])
    };
    let mut seen = look()?;
    for _ in 0..2 {
        if seen[..2] == [0, 0] {
            return Ok(false);
        }
        sleep(GONE_AFTER);
        let before = std::mem::replace(&mut seen, look()?);
        if seen == before {
            return Ok(false);
        }
    }
    Ok(true)
}
