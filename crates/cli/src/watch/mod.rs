//! Shows a game on a terminal, turn by turn.
//!
//! A [`Film`] is a game as a list of [`frames`](war::projections::frames). A [`Playback`] is the
//! state of watching a film: the turn, the pace, and the overlay. [`PlaybackInput`] and elapsed
//! time change the playback, which has neither a clock nor a terminal. A [`PlaybackWidget`] draws a
//! playback on a buffer of `ratatui`.
//!
//! # Examples
//!
//! ```
//! use ratatui::{buffer::Buffer, layout::Rect, widgets::Widget};
//! use std::time::Duration;
//! use war::i18n::{Catalogue, Lang};
//! use war::projections::frames::collect_frames;
//! use war::replay::Replay;
//! use war_cli::watch::{Film, GameInfo, PlaybackInput, KeyPress, Pace, PlaybackWidget, Playback};
//!
//! let catalogue = Catalogue::built_in(Lang::En);
//! let journal = std::fs::read("../../journals/classic_dealt_won.json").unwrap();
//! let replay = Replay::open(&journal[..], None).unwrap();
//! let info = GameInfo::new(replay.header(), None, catalogue);
//! let (all, judgement) = collect_frames(|frames| replay.verify(frames));
//! assert!(judgement.unwrap().fault().is_none());
//!
//! let mut playback = Playback::new(Film::new(info, all), Pace::default());
//! playback.advance(Duration::from_secs(1));
//! assert!(playback.handle(PlaybackInput::Key(KeyPress::Char('n'))), "it goes on");
//! assert_eq!(playback.turn(), 2);
//!
//! let mut screen = Buffer::empty(Rect::new(0, 0, 80, 24));
//! PlaybackWidget { playback: &playback, catalogue, colors: false }.render(screen.area, &mut screen);
//! ```

mod descriptions;
mod draw;
mod film;
mod playback;

pub use draw::PlaybackWidget;
pub use film::{Film, GameInfo};
pub use playback::{KeyPress, Pace, Playback, PlaybackInput};
