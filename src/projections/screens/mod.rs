//! Console screens, with a file for each edition.
//!
//! # Examples
//!
//! ```
//! use war::engine::Screen;
//! use war::i18n::{Catalogue, Lang};
//! use war::projections::screens::{CardSource, ScreenOptions, create_screens};
//! use war::{CLASSIC, Deck, Game};
//!
//! let mut screen = create_screens(CLASSIC.screens, ScreenOptions {
//!     catalogue: Catalogue::built_in(Lang::En),
//!     source: CardSource::Dealt,
//!     corrections: Vec::new(),
//! });
//! let mut game = Game::shuffled(CLASSIC, Deck::Small, 4, 1)?;
//! let mut printed = String::new();
//! while let Some(event) = game.next() {
//!     screen.print(&event, game.table(), &mut printed);
//! }
//! assert!(printed.ends_with("turn #19 - player2 WON with 24/24 cards\n"));
//! # Ok::<(), war::journal::Problem>(())
//! ```

mod classic;
mod duels;
mod seats;
mod style;
mod tokens;
mod xy;

pub use seats::{CardSource, SCREEN_SEPARATOR, ScreenOptions, correction_text};
pub use style::{create_screens, create_token_screens};
pub use xy::XyRow;
