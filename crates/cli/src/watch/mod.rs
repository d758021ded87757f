//! Watching a game on a terminal: what is shown of it, and how it is drawn.
//!
//! A [`Film`] is a game as its [`frames`](war::projections::frames). A [`Playback`] is what
//! somebody sees of it: which turn, how fast, and what lies over it. It is moved by [`Input`] and
//! by time that has passed, and has neither a clock nor a terminal. A [`Picture`] draws it on a
//! buffer of `ratatui`.
//!
//! # Examples
//!
//! ```
//! use ratatui::{buffer::Buffer, layout::Rect, widgets::Widget};
//! use std::time::Duration;
//! use war::i18n::{Catalogue, Lang};
//! use war::projections::frames::drawn;
//! use war::replay::Replay;
//! use war_cli::watch::{About, Film, Input, Key, Pace, Picture, Watching};
//!
//! let catalogue = Catalogue::built_in(Lang::En);
//! let journal = std::fs::read("../../journals/classic_dealt_won.json").unwrap();
//! let replay = Replay::open(&journal[..], None).unwrap();
//! let about = About::of(replay.header(), None, catalogue);
//! let (all, judgement) = drawn(|frames| replay.verify(frames));
//! assert!(judgement.unwrap().fault().is_none());
//!
//! let mut watching = Watching::new(Film::of(about, all), Pace::default());
//! watching.pass(Duration::from_secs(1));
//! assert!(watching.take(Input::Key(Key::Char('n'))), "it goes on");
//! assert_eq!(watching.turn(), 2);
//!
//! let mut screen = Buffer::empty(Rect::new(0, 0, 80, 24));
//! Picture { watching: &watching, catalogue, colors: false }.render(screen.area, &mut screen);
//! ```

mod draw;
mod film;
mod playback;
mod words;

pub use draw::Picture;
pub use film::{Film, GameInfo};
pub use playback::{Input, Key, Pace, Playback};
