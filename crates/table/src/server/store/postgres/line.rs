use super::DatabaseAddress;
use super::cause::Trouble;
use super::origin::Origins;
use super::session::Session;
use crate::server::store::StoreError;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio_postgres::{Client, Error};

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
