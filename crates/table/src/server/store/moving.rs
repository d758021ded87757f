//! A whole table that moves from one store to another, which nobody serves meanwhile.
//!
//! A store that a table leaves hands out its rows in a form that every store knows, and the
//! other one takes them. What has arrived is read again and compared, and only then does the
//! table change its home: first the old store is marked, so that nobody serves it any more,
//! then the new one becomes valid. What is interrupted before or in between is done again.

use super::{Damage, StoreError};
use crate::log::{Frontier, TableId, leaf_hash};
use std::collections::BTreeMap;

/// How many rows are moved in one go.
pub const AT_ONCE: u16 = 4096;

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

/// What was moved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Moved {
    /// How many players.
    pub players: u64,
    /// How many of their games run.
    pub running: u64,
    /// How many leaves of the log.
    pub leaves: u64,
}

/// What is found of the rows of a store, in whatever order they come.
#[derive(Default)]
struct Findings {
    /// How many rows there are of each kind, and the sum of their digests.
    parts: BTreeMap<Part, (u64, u128)>,
    /// How many tokens each player has beyond what the ledger says.
    unexplained: BTreeMap<i64, i64>,
    /// How many tokens went from one account to another.
    transferred: i64,
    log: Frontier,
}

impl Findings {
    /// Adds rows of a kind.
    ///
    /// # Errors
    ///
    /// [`Damage`] where they are not what they should be.
    fn add(&mut self, part: Part, rows: &[Row]) -> Result<(), Damage> {
        for row in rows {
            let (count, sum) = self.parts.entry(part).or_default();
            *count += 1;
            *sum = sum.wrapping_add(digest(row));
            match (part, &row[..]) {
                (Part::Players, [Cell::Number(id), _, _, Cell::Number(balance), ..]) => {
                    self.explain(*id, *balance);
                }
                (
                    Part::Transfers,
                    &[
                        Cell::Number(_),
                        Cell::Number(debit),
                        Cell::Number(credit),
                        Cell::Number(tokens),
                    ],
                ) => {
                    self.explain(debit, tokens);
                    self.explain(credit, tokens.wrapping_neg());
                    self.transferred = self.transferred.wrapping_add(tokens);
                }
                (Part::Leaves, [Cell::Number(number), Cell::Bytes(hash), _, Cell::Text(body)]) => {
                    self.log_leaf(*number, hash, body)?;
                }
                (Part::Players | Part::Transfers | Part::Leaves, _) => return Err(Damage::Layout),
                _ => {}
            }
        }
        Ok(())
    }

    fn explain(&mut self, player: i64, tokens: i64) {
        let unexplained = self.unexplained.entry(player).or_default();
        *unexplained = unexplained.wrapping_add(tokens);
    }

    fn log_leaf(&mut self, number: i64, hash: &[u8], body: &str) -> Result<(), Damage> {
        let expected = i64::try_from(self.log.size());
        let leaf = leaf_hash(body.as_bytes());
        if expected != Ok(number) || hash != leaf.bytes() {
            return Err(Damage::Leaf);
        }
        self.log.append(leaf);
        Ok(())
    }

    /// Checks what holds of every store: each player has what the ledger says.
    ///
    /// # Errors
    ///
    /// [`Damage`] where it does not hold.
    fn check(&self) -> Result<(), Damage> {
        /// The account that opening balances come from.
        const BANK: i64 = 0;
        let mut players = self.unexplained.iter().filter(|(id, _)| **id != BANK);
        if players.all(|(_, unexplained)| *unexplained == 0) {
            Ok(())
        } else {
            Err(Damage::Balance)
        }
    }

    /// The first kind of rows of which the other store has others.
    fn difference(&self, other: &Self) -> Option<Part> {
        let differs = |part: &Part| self.parts.get(part) != other.parts.get(part);
        let mut parts = Part::ALL.into_iter();
        if let Some(part) = parts.find(differs) {
            return Some(part);
        }
        if (&self.unexplained, self.transferred) != (&other.unexplained, other.transferred) {
            return Some(Part::Transfers);
        }
        let log = |findings: &Self| (findings.log.size(), findings.log.root());
        (log(self) != log(other)).then_some(Part::Leaves)
    }

    fn moved(&self) -> Moved {
        let count = |part| self.parts.get(&part).map_or(0, |(count, _)| *count);
        Moved {
            players: count(Part::Players),
            running: count(Part::Seats) / 2,
            leaves: count(Part::Leaves),
        }
    }
}

/// The digest of a row: no two rows have the same one.
fn digest(row: &Row) -> u128 {
    let mut hasher = blake3::Hasher::new();
    for cell in row {
        let (kind, bytes) = match cell {
            Cell::Nothing => (0, &[][..]),
            Cell::Number(number) => (1, &number.to_be_bytes()[..]),
            Cell::Text(text) => (2, text.as_bytes()),
            Cell::Bytes(bytes) => (3, &bytes[..]),
        };
        hasher.update(&[kind]);
        hasher.update(&(bytes.len() as u64).to_be_bytes());
        hasher.update(bytes);
    }
    let mut digest = [0; 16];
    hasher.finalize_xof().fill(&mut digest);
    u128::from_be_bytes(digest)
}

/// A value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Cell {
    /// None.
    Nothing,
    /// A number; 1 or 0 where something is so or is not.
    Number(i64),
    /// A text.
    Text(String),
    /// Bytes.
    Bytes(Vec<u8>),
}

/// The values of a row, in the order of its columns.
pub type Row = Vec<Cell>;

/// What the values of a column are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Column {
    /// Numbers.
    Number,
    /// Whether something is so.
    Flag,
    /// Texts.
    Text,
    /// Bytes.
    Bytes,
}

/// A kind of rows. What they hold stands at [`Part::columns`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    /// Players: number, token, name, balance, the number of the last message, whether they are of
    /// the house, whether their name is fixed, their standing, the number of the first message that
    /// is kept, whether others may watch their games.
    Players,
    /// Events: their place among all of them from 1 on, when, game, body.
    Events,
    /// The ledger: place of the event, debit, credit, tokens.
    Transfers,
    /// Messages: player, number, body, when by the wall clock, where that is known.
    Messages,
    /// Answers: player, request, when, digest, first and last message, refusal.
    Answers,
    /// Who waits: player, kind, since when, seed hash, for whom.
    Waiting,
    /// Who plays: player, game.
    Seats,
    /// The log: number, hash, game, body.
    Leaves,
    /// What journals say besides their events: game, engine, language, renderer, bytes and hash
    /// of what was printed, digest.
    Settlements,
}

impl Part {
    /// All of them, in the order in which they are moved.
    pub const ALL: [Self; 9] = [
        Self::Players,
        Self::Events,
        Self::Transfers,
        Self::Messages,
        Self::Answers,
        Self::Waiting,
        Self::Seats,
        Self::Leaves,
        Self::Settlements,
    ];

    /// What is in its rows.
    #[must_use]
    pub const fn columns(self) -> &'static [Column] {
        use Column::{Bytes, Flag, Number, Text};
        match self {
            Self::Players => &[
                Number, Bytes, Text, Number, Number, Flag, Flag, Text, Number, Flag,
            ],
            Self::Events => &[Number, Number, Number, Text],
            Self::Transfers => &[Number, Number, Number, Number],
            Self::Messages => &[Number, Number, Text, Number],
            Self::Answers => &[Number, Text, Number, Bytes, Number, Number, Text],
            Self::Waiting => &[Number, Text, Number, Bytes, Text],
            Self::Seats => &[Number, Number],
            Self::Leaves => &[Number, Bytes, Number, Text],
            Self::Settlements => &[Number, Text, Text, Number, Number, Bytes, Bytes],
        }
    }
}

#[cfg(test)]
mod tests;
