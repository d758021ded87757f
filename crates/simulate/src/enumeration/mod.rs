//! All deals of a deck, merged: many deals are one game after the first pass over both hands.
//!
//! Every pair of the first pass is put before any card comes back. What is left of it is each
//! player's sequence of won blocks (a war and what it took, or one pair) and the pot of a war
//! that is still open. In which order the blocks of one player were won between those of the
//! other is lost: `a` and `b` blocks came about in `a + b` over `a` ways. So such a state
//! is played once, and counts that often. Where there is one card of each rank, two neighbouring
//! ranks are [twins] until they meet.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod batch;
mod counts;
mod deals;
#[cfg(target_arch = "x86_64")]
mod ended;
mod layout;
mod merged;
mod method;
mod sampling;
mod scalar;
mod state;
mod sum;
#[cfg(test)]
mod tests;
mod twins;
mod walk;

pub(super) use merged::Merged;
pub use method::Method;
pub(super) use sampling::spread;
