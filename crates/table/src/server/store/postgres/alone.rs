//! A store in a database that nobody else uses, for work on all of it.
#![expect(
    clippy::disallowed_methods,
    reason = "a database is waited for in real time"
)]

use super::cause::Trouble;
use super::opening::{self, Found};
use super::schema::VERSION;
use super::session::Session;
use super::statements::NUMBER_LEAVES;
use crate::server::rooms::LEASE;
use crate::server::store::StoreError;
use std::thread::sleep;
use std::time::Duration;
use tokio_postgres::error::SqlState;

/// How long nodes may be silent who are said to be there: longer than a lease.
const SILENCE: Duration = Duration::from_millis(LEASE + LEASE / 3);

/// What keeps others away from a store.
pub(super) struct Alone;

impl Alone {
    /// Checks that there is a store all of which this program knows, and that no node uses it.
    ///
    /// # Errors
    ///
    /// [`StoreError`] where that is not so.
    pub(super) fn check(session: &Session) -> Result<(), StoreError> {
        match session.wait(opening::found(session.client()))? {
            Found::Nothing => return Err(StoreError::Missing),
            // A neighbour may serve it, but does not know all that is in it.
            Found::Store {
                version,
                min_version,
                ..
            } if version > VERSION && min_version <= VERSION => return Err(StoreError::Newer),
            _ => {}
        }
        opening::open(session, None)?;
        if is_used(session)? {
            return Err(StoreError::InUse);
        }
        Ok(())
    }

    /// Begins a transaction in which nobody else opens the store or takes a room, and numbers the
    /// last leaves of the log.
    ///
    /// # Errors
    ///
    /// [`StoreError`] where the database fails, or where somebody else is about to.
    pub(super) fn begin(session: &Session) -> Result<(), StoreError> {
        session.be_patient()?;
        let sql = format!(
            "BEGIN ISOLATION LEVEL REPEATABLE READ READ WRITE; {}; \
             SELECT 1 FROM room FOR UPDATE NOWAIT; {NUMBER_LEAVES}",
            opening::ALONE
        );
        let begun = session.wait(session.client().batch_execute(&sql));
        begun.map_err(|trouble: Trouble| match trouble.code() {
            Some(&SqlState::LOCK_NOT_AVAILABLE | &SqlState::T_R_SERIALIZATION_FAILURE) => {
                StoreError::InUse
            }
            _ => trouble.into(),
        })
    }
}

/// Whether a node uses the store: one that was killed has left its name there, but is silent once
/// its last words have arrived.
fn is_used(session: &Session) -> Result<bool, StoreError> {
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
        sleep(SILENCE);
        let before = std::mem::replace(&mut seen, look()?);
        if seen == before {
            return Ok(false);
        }
    }
    Ok(true)
}
