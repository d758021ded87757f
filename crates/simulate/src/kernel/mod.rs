//! Kernels, which play games by the engine's rules without events. All kernels play the same games.
//!
//! | kernel | rules that it plays | where |
//! |---|---|---|
//! | [`GeneralKernel`] | all | everywhere |
//! | `PairKernel` | two players whose cards go back pair by pair or the highest first, and who lose without cards; shuffled deals | everywhere |
//! | `ShuffleKernel` | two players who shuffle what they win; shuffled deals | everywhere |
//! | `TwoPileKernel` | two players with a second pile each, who lose without cards; shuffled deals | everywhere |
//! | `Simd128Machine` | two players with at most 64 cards; no chance; shuffled deals | x86-64 with SSSE3, 64-bit ARM |
//! | `Avx512Machine` | those of `Simd128Machine` | processors with AVX-512 VBMI2 |
//! | `PortableMachine` | those of `Simd128Machine` | everywhere |
//! | `MultiplayerKernel` | three to five players with at most 64 cards, with the rule `EndOfCards`; no chance; shuffled deals | everywhere |
//! | `SmallKernel` | two players with at most 16 cards, which go back pair by pair, as in bataille or the highest first | everywhere |
//!
//! Three machines play passes, in which many pairs of cards are compared at once, and `PassKernel`
//! does the rest of the work for all of them. `PassKernel`, `PairKernel`, `ShuffleKernel`,
//! `TwoPileKernel` and `MultiplayerKernel` play whole batches of games for a simulation, behind one
//! trait, and [`Kernel`] has the list of them; `SmallKernel` plays the deals of an enumeration.
//! When two players are left, `MultiplayerKernel` hands a game over to the best machine. Games that
//! take a kernel too long are left to [`GeneralKernel`].

#[cfg(target_arch = "x86_64")]
mod avx512;
mod batch;
mod choice;
mod general;
mod multiplayer;
mod pair;
mod passes;
mod portable;
mod rings;
mod shuffle;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
mod simd128;
mod small;
mod state_log;
mod two_piles;

pub(super) use batch::{BatchKernel, DealtGames};
pub use choice::{
    Kernel, KernelResults, SmallKernelResult, play_on_each_kernel, play_on_small_kernel,
};
pub use general::{DetailedResult, GeneralKernel, MAX_PLAYERS};
pub(super) use small::SmallKernel;
