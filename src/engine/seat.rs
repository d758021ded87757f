use serde::{Deserialize, Serialize};
use std::fmt;

/// A place at the table: seat 1 is player 1.
///
/// # Examples
///
/// ```
/// use war::engine::Seat;
///
/// let third = Seat::from_index(2);
/// assert_eq!(third.number(), 3);
/// assert_eq!(third.to_string(), "3");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "u8", into = "u8")]
pub struct Seat(u8);

impl Seat {
    /// The most seats a table can have.
    pub const MAX: usize = u8::MAX as usize;

    /// The seat at this index, counted from 0.
    ///
    /// # Panics
    ///
    /// If the index is not below [`Seat::MAX`].
    #[must_use]
    pub fn from_index(index: usize) -> Self {
        assert!(index < Self::MAX, "a table has {} seats at most", Self::MAX);
        #[expect(clippy::cast_possible_truncation, reason = "checked just above")]
        Self(index as u8)
    }

    /// The seat of this number, counted from 1, or `None` for 0.
    #[must_use]
    pub const fn from_number(number: u8) -> Option<Self> {
        match number.checked_sub(1) {
            Some(index) => Some(Self(index)),
            None => None,
        }
    }

    /// The index, counted from 0.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The number a player sees, counted from 1.
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
