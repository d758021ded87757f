//! Games of War by the million.
//!
//! [`simulate`] plays the engine's rules without events, and counts; any game of a run can be opened
//! as events again. [`plot`] draws figures, and [`parallel`] spreads work over threads. The crate
//! stands on the engine alone: it reads no file, no clock and no environment, and draws no chance of
//! its own.
//!
//! ```
//! use war::cards::Deck;
//! use war::rules::CLASSIC;
//! use war_simulate::simulate::{Dealing, GameSetup, Kernel, Plan};
//!
//! let rules = GameSetup {
//!     parameters: CLASSIC.parameters,
//!     players: 4,
//!     deck: Deck::Small,
//!     dealing: Dealing::Shuffled,
//! };
//! let plan = Plan { rules, seed: 1, games: 100, part: 0..100, kernel: Kernel::Fastest };
//! assert_eq!(plan.play(std::num::NonZero::<usize>::MIN, &()).tally.games(), 100);
//! ```

#![cfg_attr(
    not(test),
    deny(
        clippy::disallowed_macros,
        clippy::disallowed_methods,
        clippy::disallowed_types
    )
)]

pub mod parallel;
#[cfg(feature = "plot")]
pub mod plot;
pub mod simulate;

// The Rust examples of the book are documentation tests too.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/guides/library.md")]
pub struct LibraryGuide;
