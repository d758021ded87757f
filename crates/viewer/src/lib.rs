//! The page that plays a recorded game in any browser, from disk and without a network, and the
//! drawings of its cards.
//!
//! A [`Viewer`] takes the [`Frame`](war::projections::frames::Frame)s of a game while its journal
//! is verified, and makes a [`page`](Viewer::page) of them. The page's scripts draw what the
//! frames say, and what comes from a journal is only ever text to them. The rules are known to the
//! page's verifier alone, which reads a journal and shares nothing with what is drawn. The
//! [`drawings`] are the cards of that page and of the card table's.
//!
//! The crate stands on the engine alone; the card table and the program stand on it. It opens no
//! file, knows no network and no clock, and judges nothing: what it shows, a replay has verified.
//!
//! # Examples
//!
//! ```
//! use war::projections::frames::Frames;
//! use war::replay::Replay;
//! use war_viewer::{About, JournalCopy, Viewer};
//!
//! let journal = std::fs::read("../../journals/classic_dealt_won.json").unwrap();
//! let mut viewer = Viewer::default();
//! let mut frames = Frames::new(|frame| viewer.add(&frame));
//! let judgement = Replay::open(&journal[..], None).unwrap().verify(&mut frames).unwrap();
//! frames.finish();
//!
//! let about = About {
//!     lang: war::lang::Lang::En,
//!     header: judgement.header().unwrap(),
//!     judgement: &judgement,
//!     seats: None,
//!     lines: std::collections::BTreeMap::new(),
//!     journal: JournalCopy::within("game.json", &journal),
//! };
//! let page = viewer.page(&about);
//! assert!(page.contains("Content-Security-Policy"));
//! ```

#![cfg_attr(
    not(test),
    deny(
        clippy::disallowed_macros,
        clippy::disallowed_methods,
        clippy::disallowed_types
    )
)]

mod assets;
pub mod drawings;
mod frames;
mod page;

pub use assets::SHA256;
pub use page::{About, JournalCopy, Viewer};
