use super::alone::Alone;
use super::cause::Trouble;
use super::moved_rows::{self, Place};
use super::session::Session;
use super::values::number;
use super::{DatabaseAddress, marks};
use crate::server::store::moving::{About, Departure, Part, Row};
use crate::server::store::{Damage, StoreError};
use tokio_postgres::Client;

/// The store in a database that a table leaves.
pub struct PostgresDeparture {
    session: Session,
    /// Where the table goes, as it is shown to people.
    to: String,
    about: About,
    was_leaving: bool,
    place: Place,
}

impl PostgresDeparture {
    /// Opens a store that nobody serves; what is done in it is one transaction. `to` is where
    /// the table goes, as it is shown to people.
    ///
    /// # Errors
    ///
    /// [`StoreError`] where the database can't be reached or used, where a node uses it, where it
    /// is not a store that this program can read, or where its table has moved, or is about to
    /// go somewhere else.
    pub fn open(address: &DatabaseAddress, to: &str) -> Result<Self, StoreError> {
        let session = Session::connect(address, "war table move")?;
        let was_leaving = match Alone::check(&session) {
            Ok(()) => false,
            Err(StoreError::Leaving { to: before }) if before == to => true,
            Err(error) => return Err(error),
        };
        Alone::begin(&session)?;
        let about = session.wait(about(session.client()))?;
        Ok(Self {
            session,
            to: to.to_owned(),
            about: about.ok_or(Damage::Layout)?,
            was_leaving,
            place: Place::default(),
        })
    }
}

/// What there is besides rows; `None` where the store does not say what it is.
async fn about(client: &Client) -> Result<Option<About>, Trouble> {
    let sql = "SELECT about.id, public_key, (SELECT max(time) FROM room), \
               (SELECT next FROM numbers WHERE of = 'players'), \
               (SELECT next FROM numbers WHERE of = 'games'), dated FROM about";
    let row = client.query_one(sql, &[]).await?;
    let key: Option<&[u8]> = row.get(1);
    let read = || {
        Some(About {
            id: row.get::<_, &str>(0).parse().ok()?,
            public_key: key.map(<[u8; 32]>::try_from).transpose().ok()?,
            time: number(row.get::<_, Option<i64>>(2)?).ok()?,
            next: [number(row.get(3)).ok()?, number(row.get(4)).ok()?],
            dated: number(row.get(5)).ok()?,
        })
    };
    Ok(read())
}

impl Departure for PostgresDeparture {
    fn about(&self) -> About {
        self.about
    }

    fn was_leaving(&self) -> bool {
        self.was_leaving
    }

    fn count(&mut self, part: Part) -> Result<u64, StoreError> {
        moved_rows::count(&self.session, part)
    }

    fn read(&mut self, part: Part) -> Result<Vec<Row>, StoreError> {
        self.place.read(&self.session, part)
    }

    fn leave(&mut self) -> Result<(), StoreError> {
        let client = self.session.client();
        let marked = async {
            marks::leave(client, &self.to).await?;
            Ok::<_, Trouble>(client.batch_execute("COMMIT").await?)
        };
        Ok(self.session.wait(marked)?)
    }

    fn left(&mut self) -> Result<(), StoreError> {
        let client = self.session.client();
        let marked = async {
            // Where nothing has begun, it only warns.
            client.batch_execute("COMMIT").await?;
            marks::left(client, &self.to).await
        };
        Ok(self.session.wait(marked)?)
    }
}
