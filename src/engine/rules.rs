use super::{Event, Table};
use crate::cards::Chance;

/// The rules of an edition: they look at the table and say what happens next.
///
/// A [`Game`](super::Game) relies on its rules deciding only what the table can do, and panics
/// where they do not.
///
/// # Examples
///
/// Rules of your own can ask others for what they do not change:
///
/// ```
/// use war::cards::{Chance, Rank};
/// use war::engine::{Event, Game, Outcome, Rules, Table};
/// use war::rules::Flow;
///
/// /// Stops every game after one turn; until then others decide.
/// struct OneTurn<R>(R);
///
/// impl<R: Rules> Rules for OneTurn<R> {
///     fn decide(&mut self, table: &Table, chance: &mut dyn Chance) -> Event {
///         if table.turn() == 1 && table.pot_is_empty() {
///             return Event::Stopped { winner: None };
///         }
///         self.0.decide(table, chance)
///     }
/// }
///
/// let hands = vec![vec![Rank::ACE; 2], vec![Rank::new(9).unwrap(); 2]];
/// let mut game = Game::new(Box::new(OneTurn(Flow::classic())), hands).unwrap();
/// game.by_ref().for_each(drop);
/// assert_eq!(game.table().outcome(), Some(Outcome::Stopped(None)));
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
