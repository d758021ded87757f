//! Rooms of a table, and the assignment of players to them.
//!
//! A **room** is the part of a table that one actor serves, with a hub and transactions of its own.

mod number;

pub use number::{RoomCount, RoomNumber, RoomPosition};
