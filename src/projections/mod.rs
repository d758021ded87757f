//! Projections: what can be derived from the events alone.
//!
//! Each one folds the same stream and knows nothing of the others, of the journal, or of
//! how the rules decide. A live game and a replay go through the same projections.

#[cfg(feature = "cli")]
pub mod audit;
#[cfg(feature = "screens")]
pub mod screens;
