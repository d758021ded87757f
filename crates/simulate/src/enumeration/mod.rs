//! Enumerations: all deals of a deck, played one by one, or merged if the rules allow it.

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
mod sum;
mod walk;

pub use enumerate::{Enumerated, Enumeration, MOST_DEALS, NotEnumerable};
pub use exact::{Exact, Longest, Natural};
pub use merged::Method;
