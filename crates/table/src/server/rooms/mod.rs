//! Rooms of a table that several nodes share: who owns which, and where players go.
//!
//! A **node** is a server. A **room** is the part of the table that one writer looks after: its
//! hub and its transactions. Each room has one **owner**, a node, in an **epoch**: the number goes
//! up whenever the owner changes, and nothing of an older epoch can be committed any more. An
//! owner shows that it is there by a **beat**, a number that goes up with each batch; who has seen
//! the same beat for a whole **lease** may take the room over.
//!
//! All of this is decided here without clock, store and sockets.

mod number;
mod sight;

pub use number::{Location, RoomNumber, Rooms};
pub use sight::{Beat, Census, Epoch, NodeAddress, NodeSight, People, RoomSight};
