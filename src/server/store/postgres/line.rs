use super::DatabaseAddress;
use super::session::Session;
use crate::server::store::StoreError;
use std::sync::{Mutex, PoisonError};
use tokio_postgres::{Client, Error};

/// A connection that is made anew when it has ended, for what is done in one statement.
pub(super) struct Line {
    address: DatabaseAddress,
    name: &'static str,
    session: Mutex<Option<Session>>,
}

impl Line {
    /// A line with a connection that there is already.
    pub(super) fn new(address: DatabaseAddress, name: &'static str, session: Session) -> Self {
        Self {
            address,
            name,
            session: Mutex::new(Some(session)),
        }
    }

    /// A line of its own to the same database.
    pub(super) fn another(&self, name: &'static str) -> Self {
        Self {
            address: self.address.clone(),
            name,
            session: Mutex::new(None),
        }
    }

    /// A connection of its own to the same database.
    pub(super) fn connect(&self, name: &str) -> Result<Session, StoreError> {
        Session::connect(&self.address, name)
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
        // What is kept is a connection between two questions, so that it is sound after a panic.
        let mut kept = self.session.lock().unwrap_or_else(PoisonError::into_inner);
        let session = match kept.take().filter(|session| !session.is_closed()) {
            Some(session) => session,
            None => self.connect(self.name)?,
        };
        let answer = session.wait(ask(session.client()));
        *kept = Some(session);
        Ok(answer?)
    }
}
