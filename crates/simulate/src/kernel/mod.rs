//! Kernels: what plays a game by itself, without events. All of them play the same games.
//!
//! | kernel | rules that it plays | where |
//! |---|---|---|
//! | [`General`] | all | everywhere |
//! | `Pair` | two players whose cards go back pair by pair or the highest first, and who lose without cards; dealt at random | everywhere |
//! | `Shuffling` | two players who shuffle what they win; dealt at random | everywhere |
//! | `Simd128` | two players with 64 cards at most; nothing left to chance; dealt at random | x86-64 with SSSE3, 64-bit ARM |
//! | `Avx512` | those of `Simd128` | processors with AVX-512 VBMI2 |
//! | `Portable` | those of `Simd128` | everywhere |
//! | `Several` | three to five players with 64 cards at most and the end of cards; nothing left to chance; dealt at random | everywhere |
//! | `Small` | two players with 16 cards at most, back pair by pair, as in bataille or the highest first | everywhere |
//!
//! Games with two piles are for [`General`] alone.
//!
//! `Pair`, `Shuffling`, `Several`, `Simd128` and `Avx512` play whole batches of games for a simulation, behind one trait,
//! and [`Kernel`] has the list of them; `Small` plays the deals of an enumeration. `Simd128`,
//! `Avx512` and `Portable` are machines that play passes, and share all else. Where two players
//! are left, `Several` leaves a game to the best of them. What a kernel gives up, for it takes
//! too long, is for [`General`].

#[cfg(target_arch = "x86_64")]
mod avx512;
mod batch;
mod choice;
mod general;
mod log;
mod pair;
mod passes;
mod portable;
mod rings;
mod several;
mod shuffling;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
mod simd128;
mod small;

pub(super) use batch::{BatchKernel, Deals};
pub use choice::{Few, Kernel, OnKernel, play_few, play_on_each};
pub use general::{Counted, General, MOST_PLAYERS};
pub(super) use small::Small;
