//! Eight games in a vector, two vectors in turns, on processors with AVX-512.
//!
//! A step puts a pair in every game, without a branch. After some steps, games that are over are
//! noted, and others take their place.
#![allow(
    unsafe_code,
    reason = "vectors are loaded from memory and stored there, and the processor is asked for them"
)]

mod lanes;
mod twins;
mod wars;

use super::batch::Batch;
use super::state::Layout;
use super::sum::Sum;

/// The code, on a processor that can run it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Avx512(Layout);

impl Avx512 {
    /// The code for cards that lie like this, if the processor can run it.
    pub(super) fn new(layout: Layout) -> Option<Self> {
        is_x86_feature_detected!("avx512f").then_some(Self(layout))
    }

    /// Plays the states of a batch and counts them.
    pub(super) fn play(self, batch: &Batch, sum: &mut Sum) {
        let layout = self.0;
        // SAFETY: `new` found the feature that the functions are compiled for.
        unsafe {
            if layout.has_twins() {
                twins::play(batch, layout, sum);
            } else {
                wars::play(batch, layout, sum);
            }
        }
    }
}
