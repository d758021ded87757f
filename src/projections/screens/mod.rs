//! The console screens, one file an edition.

mod classic;
mod leader;

pub use classic::{ClassicScreens, correction_text};

use crate::engine::Event;

/// The version of the screens' wording and layout.
///
/// A journal names the version that printed its game: bytes can only be compared with
/// those of the same version.
pub const RENDERER: u32 = 1;

/// What closes a screen: nine `=` and two empty lines.
pub const SEPARATOR: &str = "=========\n\n\n";

/// The console screens of an edition: a fold of events into text.
pub trait Screens {
    /// Takes the next event and appends what it shows, if anything, to `out`.
    ///
    /// A screen may have to wait for the events that follow; after the game's last
    /// event nothing waits.
    ///
    /// # Panics
    ///
    /// Where the events are not those of a game: the first must deal cards to somebody,
    /// and nobody can put a card that he does not hold.
    fn show(&mut self, event: &Event, out: &mut String);
}

/// How the cards of a game came, as far as its screens say so.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Origin {
    /// From a shuffled deck: the screens show the dealing.
    Dealt,
    /// From a scenario of this name: the screens name it instead.
    Scenario(String),
}
