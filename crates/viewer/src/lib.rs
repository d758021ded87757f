//! Web page that replays a recorded game in any browser, from disk and without a network, and the
//! drawings of its cards.
//!
//! A [`Viewer`] collects the [`Frame`](war::projections::frames::Frame)s of a game while its
//! journal is verified, and turns them into a [`page`](Viewer::build_page). The page's scripts draw
//! the frames, and treat everything from a journal as plain text. Only the page's verifier knows
//! the rules: it reads a journal and shares no code with the drawing. The [`drawings`] are the
//! cards of this page and of the card table's page.
//!
//! The crate depends only on the engine; the card table and the program depend on it. It uses no
//! files, no network and no clock, and judges nothing: a replay has verified everything that the
//! page shows.
//!
//! # Examples
//!
//! ```
//! use war::projections::frames::Frames;
//! use war::replay::Replay;
//! use war_viewer::{PageFacts, JournalCopy, Viewer};
//!
//! let journal = std::fs::read("../../journals/classic_dealt_won.json").unwrap();
//! let mut viewer = Viewer::default();
//! let mut frames = Frames::new(|frame| viewer.add(&frame));
//! let judgement = Replay::open(&journal[..], None).unwrap().verify(&mut frames).unwrap();
//! frames.finish();
//!
//! let about = PageFacts {
//!     lang: war::lang::Lang::En,
//!     header: judgement.header().unwrap(),
//!     judgement: &judgement,
//!     seats: None,
//!     lines: std::collections::BTreeMap::new(),
//!     journal: JournalCopy::embedded("game.json", &journal),
//!     home: None,
//! };
//! let build_page = viewer.build_page(&about);
//! assert!(build_page.contains("Content-Security-Policy"));
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
pub mod document;
pub mod drawings;
mod frames;
mod page;

pub use assets::SHA256_MODULE;
pub use page::{JournalCopy, PageFacts, Viewer};
