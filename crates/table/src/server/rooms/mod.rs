//! Rooms of a table, and the assignment of players to them.
//!
//! A **room** is the part of a table that one actor serves. Each room has its own hub and its own
//! transactions.

mod number;

pub use number::{RoomCount, RoomNumber, RoomPosition};
