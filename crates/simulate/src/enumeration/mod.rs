//! All deals of a deck, played: one by one, or merged where the rules allow it.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod batch;
#[cfg(target_arch = "x86_64")]
mod ended;
mod enumerate;
mod exact;
mod merged;
mod single;
mod state;
mod sum;
mod walk;

pub use enumerate::{Enumerated, Enumeration, MOST_DEALS, NotEnumerable};
pub use exact::{Exact, Longest, Natural};
pub use merged::Method;
