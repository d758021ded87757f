use crate::engine::{Event, Projection, Table};
use crate::tokens::{TokenEvent, TokenGame};

/// A projection of games of every kind.
pub trait Observer: Projection<Table> + Projection<TokenGame> {}

impl<P: Projection<Table> + Projection<TokenGame>> Observer for P {}

/// A projection of games of War alone, which looks away from token games.
///
/// # Examples
///
/// ```
/// use war::engine::{Event, Projection, Table};
/// use war::replay::{Replay, WarOnly};
///
/// /// Counts the wars of a game.
/// #[derive(Default)]
/// struct Wars(u32);
///
/// impl Projection<Table> for Wars {
///     fn project(&mut self, event: &Event, _: &Table, _: &mut String) {
///         self.0 += u32::from(matches!(event, Event::WarRound { round: 2, .. }));
///     }
/// }
///
/// let journal = std::fs::read("journals/classic_dealt_won.json").unwrap();
/// let mut wars = Wars::default();
/// let replay = Replay::open(&journal[..], None).unwrap();
/// let judgement = replay.verify(&mut WarOnly(&mut wars)).unwrap();
/// assert!(judgement.fault().is_none());
/// assert_eq!(wars.0, 4);
/// ```
#[derive(Debug, Default)]
pub struct WarOnly<P>(pub P);

impl<P: Projection<Table>> Projection<Table> for WarOnly<P> {
    fn project(&mut self, event: &Event, table: &Table, out: &mut String) {
        self.0.project(event, table, out);
    }
}

impl<P> Projection<TokenGame> for WarOnly<P> {
    fn project(&mut self, _: &TokenEvent, _: &TokenGame, _: &mut String) {}
}
