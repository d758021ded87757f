use super::DatabaseAddress;
use super::cause::Trouble;
use super::finished;
use super::moved_rows::{self, Place, SETTLED};
use super::opening::{self, Found};
use super::session::Session;
use super::values::signed;
use crate::server::store::StoreError;
use crate::server::store::moving::{About, Arrival, Occupant, Part, Row};

/// The store in a database that a table moves to. All of it is made in one transaction.
pub struct PostgresArrival {
    session: Session,
    place: Place,
}

impl PostgresArrival {
    /// A store that is to be in this database.
    ///
    /// # Errors
    ///
    /// [`StoreError`] where the database can't be reached or used.
    pub fn open(address: &DatabaseAddress) -> Result<Self, StoreError> {
        let session = Session::connect(address, "war table move")?;
        session.be_patient()?;
        Ok(Self {
            session,
            place: Place::default(),
        })
    }
}

impl Arrival for PostgresArrival {
    fn occupant(&mut self) -> Result<Occupant, StoreError> {
        let client = self.session.client();
        let found = self.session.wait(async {
            opening::begin(client).await?;
            opening::found(client).await
        })?;
        match found {
            Found::Nothing => Ok(Occupant::Nobody),
            Found::Foreign => Ok(Occupant::Other),
            Found::Store { .. } => {
                let sql = "SELECT id FROM war.about";
                let row = self.session.wait(client.query_one(sql, &[]))?;
                let id = row.get::<_, &str>(0).parse().ok();
                Ok(id.map_or(Occupant::Other, Occupant::Table))
            }
        }
    }

    fn prepare(&mut self) -> Result<(), StoreError> {
        let made = opening::make(self.session.client(), opening::ROOMS);
        Ok(self.session.wait(made)?)
    }

    fn write(&mut self, part: Part, rows: Vec<Row>) -> Result<(), StoreError> {
        moved_rows::write(&self.session, part, rows)
    }

    fn finish(&mut self, about: About) -> Result<(), StoreError> {
        let client = self.session.client();
        let (id, time) = (about.id.to_string(), signed(about.time));
        let key = about.public_key.as_ref().map(<[u8; 32]>::as_slice);
        let finished = async {
            client.batch_execute(SETTLED).await?;
            let sql = "UPDATE about SET id = $1, public_key = $2, dated = $3";
            client
                .execute(sql, &[&id, &key, &signed(about.dated)])
                .await?;
            let sql = "UPDATE room SET time = $1";
            client.execute(sql, &[&time]).await?;
            let sql = "UPDATE numbers SET next = greatest(next, CASE of WHEN 'players' \
                       THEN $1::bigint ELSE $2::bigint END)";
            let [players, games] = about.next.map(signed);
            client.execute(sql, &[&players, &games]).await?;
            finished::keep_old(client).await?;
            Ok::<_, Trouble>(())
        };
        Ok(self.session.wait(finished)?)
    }

    fn read(&mut self, part: Part) -> Result<Vec<Row>, StoreError> {
        self.place.read(&self.session, part)
    }

    fn settle(&mut self) -> Result<(), StoreError> {
        let settled = self.session.client().batch_execute("COMMIT");
        Ok(self.session.wait(settled)?)
    }
}
