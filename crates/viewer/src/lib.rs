//! The viewer: a page that plays a recorded game in any browser, and the drawings of its cards.
//!
//! [`view`] makes one page of a journal's frames, to be opened from disk; [`drawings`] are the cards
//! of that page and of the card table's. The crate stands on the engine alone. It opens no file, knows
//! no network and no clock, and judges nothing: what it shows, a replay has verified.
//!
//! ```
//! use war::projections::frames::Frames;
//! use war::replay::Replay;
//! use war_viewer::view::Viewer;
//!
//! let journal = std::fs::read("../../journals/classic_dealt_won.json").unwrap();
//! let mut viewer = Viewer::default();
//! let mut frames = Frames::new(|frame| viewer.add(&frame));
//! Replay::open(&journal[..], None).unwrap().verify(&mut frames).unwrap();
//! ```

#![cfg_attr(
    not(test),
    deny(
        clippy::disallowed_macros,
        clippy::disallowed_methods,
        clippy::disallowed_types
    )
)]

pub mod drawings;
pub mod view;
