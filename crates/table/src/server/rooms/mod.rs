//! The rooms of a table, by number: where players go.
//!
//! A **room** is the part of the table that one writer looks after: its hub and its transactions.

mod number;

pub use number::{Location, RoomNumber, Rooms};
