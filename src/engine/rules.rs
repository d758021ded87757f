use super::{Event, Table};
use crate::cards::Chance;

/// The rules of an edition: they look at the table and say what happens next.
///
/// A [`Game`](super::Game) relies on its rules deciding only what the table can do, and panics
/// where they do not.
/// ```
pub trait Rules {
    /// The next event of the game.
    ///
    /// `table` is the fold of all events so far, the deal among them, and the game is
    /// not over. To be called exactly once for each event, in order: rules may keep a
    /// memory of the turns they have seen. What the rules leave to chance is taken from
    /// `chance`, and is recorded in the event.
    fn decide(&mut self, table: &Table, chance: &mut dyn Chance) -> Event;
}
