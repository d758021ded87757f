//! A whole table that moves from one store to another, which nobody serves meanwhile.
//!
//! A store that a table leaves hands out its rows in a form that every store knows, and the
//! other one takes them. What has arrived is read again and compared, and only then does the
//! table change its home: first the old store is marked, so that nobody serves it any more,
//! then the new one becomes valid. What is interrupted before or in between is done again.

mod findings;
mod rows;
#[cfg(test)]
mod tests;

pub use findings::Moved;
pub use rows::{Cell, Column, Part, Row};

use super::{Damage, StoreError};
use crate::log::TableId;
use findings::Findings;

/// How many rows are moved in one go.
pub(super) const AT_ONCE: u16 = 4096;

/// What is moved besides rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct About {
    /// The table's number.
    pub id: TableId,
    /// The table's time.
    pub time: u64,
    /// What the wall clock showed when messages began to have a time: others are as old as that.
    pub dated: u64,
    /// The public part of the key that the table signs with, where it is known.
    pub public_key: Option<[u8; 32]>,
    /// The numbers of the next player and of the next game, if no smaller ones are free.
    pub next: [u64; 2],
}

/// Who is where a table is to go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Occupant {
    /// Nobody.
    Nobody,
    /// A table that is valid.
    Table(TableId),
    /// Something else.
    Other,
}

/// A store that a table leaves. Nobody else can open it while this lives.
#[expect(clippy::missing_errors_doc, reason = "where the store fails")]
pub trait Departure {
    /// What there is besides rows.
    fn about(&self) -> About;

    /// Whether the table was about to leave for the same place before, and may have.
    fn was_leaving(&self) -> bool;

    /// How many rows there are of a kind.
    fn count(&mut self, part: Part) -> Result<u64, StoreError>;

    /// The next rows of a kind, up to `AT_ONCE`: none behind the last ones.
    fn read(&mut self, part: Part) -> Result<Vec<Row>, StoreError>;

    /// Marks the store, so that nobody serves the table there any more.
    fn leave(&mut self) -> Result<(), StoreError>;

    /// Notes that the table has a new home.
    fn left(&mut self) -> Result<(), StoreError>;
}

/// A store that a table moves to. Nothing of it is valid until all is there.
#[expect(clippy::missing_errors_doc, reason = "where the store fails")]
pub trait Arrival {
    /// Who is there already.
    fn occupant(&mut self) -> Result<Occupant, StoreError>;

    /// Makes place for a table.
    fn prepare(&mut self) -> Result<(), StoreError>;

    /// Takes rows of a kind.
    fn write(&mut self, part: Part, rows: Vec<Row>) -> Result<(), StoreError>;

    /// Takes what there is besides rows, which all are there.
    fn finish(&mut self, about: About) -> Result<(), StoreError>;

    /// The next rows of a kind that have arrived, as [`Departure::read`].
    fn read(&mut self, part: Part) -> Result<Vec<Row>, StoreError>;

    /// Makes all of it valid at once.
    fn settle(&mut self) -> Result<(), StoreError>;
}

/// Why a table was not moved.
#[derive(Debug, thiserror::Error)]
pub enum MoveError {
    /// The store that it leaves fails.
    #[error("the store that the table leaves fails")]
    From(#[source] StoreError),
    /// The store that it moves to fails.
    #[error("the store that the table moves to fails")]
    To(#[source] StoreError),
    /// There is a table already, or something else.
    #[error("there is something already where the table is to go")]
    Occupied,
    /// It was interrupted.
    #[error("the move was interrupted")]
    Interrupted,
    /// What has arrived is not what has left.
    #[error("what has arrived is not what has left")]
    Differs(Part),
    /// The old store is marked, and it is not known whether the new one is valid.
    #[error("it is not known whether the table has moved")]
    Unfinished(#[source] StoreError),
}

/// How far a move is.
struct Progress<'a> {
    rows: u64,
    all: u64,
    goes_on: &'a mut dyn FnMut(u64, u64) -> bool,
}

impl Progress<'_> {
    /// Notes that these rows were read.
    fn pass(&mut self, rows: &[Row]) -> Result<(), MoveError> {
        self.rows += rows.len() as u64;
        if (self.goes_on)(self.rows, self.all) {
            Ok(())
        } else {
            Err(MoveError::Interrupted)
        }
    }
}

/// Moves a table.
///
/// `goes_on` hears how many rows of how many are through, each of which is read twice, and says
/// whether to go on. The result says what was moved; `None` where the table had arrived before,
/// and only the old store did not know it yet.
///
/// # Errors
///
/// [`MoveError`] where it was not moved, or where that is not known.
pub fn carry(
    from: &mut dyn Departure,
    to: &mut dyn Arrival,
    goes_on: &mut dyn FnMut(u64, u64) -> bool,
) -> Result<Option<Moved>, MoveError> {
    let about = from.about();
    match to.occupant().map_err(MoveError::To)? {
        Occupant::Nobody => {}
        Occupant::Table(id) if from.was_leaving() && id == about.id => {
            from.left().map_err(MoveError::From)?;
            return Ok(None);
        }
        Occupant::Table(_) | Occupant::Other => return Err(MoveError::Occupied),
    }
    let mut all = 0;
    for part in Part::ALL {
        all += 2 * from.count(part).map_err(MoveError::From)?;
    }
    let mut progress = Progress {
        rows: 0,
        all,
        goes_on,
    };
    to.prepare().map_err(MoveError::To)?;
    let mut left = Findings::default();
    for part in Part::ALL {
        loop {
            let rows = from.read(part).map_err(MoveError::From)?;
            if rows.is_empty() {
                break;
            }
            left.add(part, &rows).map_err(from_damage)?;
            progress.pass(&rows)?;
            to.write(part, rows).map_err(MoveError::To)?;
        }
    }
    left.check().map_err(from_damage)?;
    to.finish(about).map_err(MoveError::To)?;
    let arrived = look_again(to, &mut progress)?;
    if let Some(part) = left.difference(&arrived) {
        return Err(MoveError::Differs(part));
    }
    from.leave().map_err(MoveError::From)?;
    to.settle().map_err(MoveError::Unfinished)?;
    from.left().map_err(MoveError::Unfinished)?;
    Ok(Some(arrived.moved()))
}

/// What is found in the new store.
fn look_again(to: &mut dyn Arrival, progress: &mut Progress<'_>) -> Result<Findings, MoveError> {
    let mut arrived = Findings::default();
    for part in Part::ALL {
        loop {
            let rows = to.read(part).map_err(MoveError::To)?;
            if rows.is_empty() {
                break;
            }
            let added = arrived.add(part, &rows);
            added.map_err(|_| MoveError::Differs(part))?;
            progress.pass(&rows)?;
        }
    }
    Ok(arrived)
}

fn from_damage(damage: Damage) -> MoveError {
    MoveError::From(damage.into())
}
