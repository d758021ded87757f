//! Projections: what can be derived from the events alone.
//!
//! Each one folds the same stream and knows nothing of the others, of the journal, or of
//! how the rules decide. A live game and a replay go through the same projections.
//!
//! A projection of your own needs nothing from here: implement
//! [`Projection`](crate::engine::Projection), as the crate's documentation shows.

#[cfg(feature = "audit")]
pub mod audit;
pub mod frames;
#[cfg(feature = "screens")]
pub mod screens;
pub mod statistics;
