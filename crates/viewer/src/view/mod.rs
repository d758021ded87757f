//! The viewer: one page that plays a recorded game in any browser, from disk and without a
//! network.
//!
//! A [`Viewer`] takes the [`Frame`](war::projections::frames::Frame)s of a game while its journal
//! is verified, and makes a [`page`](Viewer::page) of them. The page's scripts draw what the
//! frames say, and what comes from a journal is only ever text to them. The rules are known to the
//! page's verifier alone, which reads a journal and shares nothing with what is drawn.
//!
//! # Examples
//!
//! ```
//! use war::projections::frames::Frames;
//! use war::replay::Replay;
//! use war_viewer::view::{About, JournalCopy, Viewer};
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

mod about;
mod assets;
mod forms;
mod modules;
mod overview;
mod packed;
mod page;
mod verifier;

pub use about::{About, JournalCopy};
pub use page::Viewer;
pub use verifier::SHA256;
