use serde::{Deserialize, Serialize};
use std::fmt;

/// A seat at the table: seat 1 is player 1.
///
/// # Examples
///
/// ```
/// use war::engine::Seat;
///
/// let third = Seat::from_number(3).unwrap();
/// assert_eq!(third.index(), 2);
/// assert_eq!(Seat::all().nth(2), Some(third));
/// assert_eq!(third.to_string(), "3");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "u8", into = "u8")]
pub struct Seat(u8);

impl Seat {
    /// Maximum number of seats at a table.
    pub const MAX: usize = u8::MAX as usize;

    /// Seat 1.
    pub const FIRST: Self = Self(0);

    /// Seat 2.
    pub const SECOND: Self = Self(1);

    /// All seats that a table can have, seat 1 first.
    pub fn all() -> impl Iterator<Item = Self> + Clone {
        (0..u8::MAX).map(Self)
    }

    /// Seat with this number, counted from 1, or `None` for 0.
    #[must_use]
    pub const fn from_number(number: u8) -> Option<Self> {
        match number.checked_sub(1) {
            Some(index) => Some(Self(index)),
            None => None,
        }
    }

    /// Index of the seat, counted from 0.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Number shown to players, counted from 1.
    #[must_use]
    pub const fn number(self) -> u8 {
        self.0 + 1
    }
}

impl fmt::Display for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.number().fmt(f)
    }
}

impl TryFrom<u8> for Seat {
    type Error = &'static str;

    fn try_from(number: u8) -> Result<Self, Self::Error> {
        Self::from_number(number).ok_or("players are counted from 1")
    }
}

impl From<Seat> for u8 {
    fn from(seat: Seat) -> Self {
        seat.number()
    }
}
