//! Projections: everything derived from the events alone.
//!
//! Each one folds the same stream and knows nothing of the others, the journal or the rules. A
//! live game and a replay go through the same projections.
//!
//! Your own projection needs nothing from this module: implement
//! [`Projection`](crate::engine::Projection), as the crate's documentation shows.

#[cfg(feature = "audit")]
pub mod audit;
pub mod frames;
#[cfg(feature = "screens")]
pub mod screens;
pub mod statistics;
