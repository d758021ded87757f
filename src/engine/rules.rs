use super::{Event, Table};

/// The rules of an edition: they look at the table and say what happens next.
pub trait Rules {
    /// The next event of the game.
    ///
    /// `table` is the fold of all events so far, the deal among them, and the game is
    /// not over. To be called exactly once for each event, in order: rules may keep a
    /// memory of the turns they have seen.
    fn decide(&mut self, table: &Table) -> Event;
}
