//! Enumeration of all deals of a deck, which are played one by one, or merged if the rules allow
//! merging.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod batch;
mod enumerate;
mod exact;
#[cfg(target_arch = "x86_64")]
mod finished;
mod merged;
mod single;
mod state;
mod state_tally;
mod walk;

pub use enumerate::{Enumeration, EnumerationError, EnumerationRun, MAX_DEALS};
pub use exact::{ExactFigures, LongestGame, NaturalNumber};
pub use merged::EnumerationMethod;
