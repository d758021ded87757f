use super::{Event, Seat, Table};
use crate::cards::{Chance, Rank};

/// A game being played: an iterator of its events, from the deal to the end.
///
/// # Examples
///
/// ```
/// use war::{cards::Rank, engine::{Event, Game, Seat}, rules::StandardRules};
///
/// let card = |value| Rank::new(value).unwrap();
/// let hands = vec![vec![card(9)], vec![card(14)]];
/// let last = Game::new(Box::new(StandardRules::classic()), hands).unwrap().last();
/// assert_eq!(last, Some(Event::Won { seat: Seat::SECOND }));
/// ```
pub struct Game {
    table: Table,
    rules: Box<dyn Rules>,
    chance: Box<dyn Chance>,
    deal: Option<Event>,
}

/// Reason why hands can't be played.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum DealError {
    /// Hands without any card.
    #[error("nobody holds a card")]
    NoCards,
    /// More players than a table seats.
    #[error("a table seats {most} players at most, and {0} were dealt in", most = Seat::MAX)]
    TooManyPlayers(usize),
}

impl Game {
    /// A new game with these rules and hands, top card first.
    ///
    /// Without [`Game::with_chance`], every draw of chance is 0 and every shuffle keeps the order.
    ///
    /// # Examples
    ///
    /// ```
    /// use war::{cards::Rank, engine::{DealError, Game}, rules::StandardRules};
    ///
    /// let no_cards = Game::new(Box::new(StandardRules::classic()), vec![Vec::new(); 2]);
    /// assert_eq!(no_cards.err(), Some(DealError::NoCards));
    /// ```
    ///
    /// # Errors
    ///
    /// [`DealError`] if nobody holds a card, or there are more players than a table seats.
    pub fn new(rules: Box<dyn Rules>, hands: Vec<Vec<Rank>>) -> Result<Self, DealError> {
        if hands.len() > Seat::MAX {
            return Err(DealError::TooManyPlayers(hands.len()));
        }
        if hands.iter().all(Vec::is_empty) {
            return Err(DealError::NoCards);
        }
        Ok(Self {
            table: Table::default(),
            rules,
            chance: Box::new(()),
            deal: Some(Event::Dealt { hands }),
        })
    }

    /// The same game with this source of chance.
    ///
    /// # Examples
    ///
    /// In the X/Y edition captured cards are shuffled, so a game keeps drawing from the generator
    /// that dealt it:
    ///
    /// ```
    /// use war::cards::{Chance, Deck, JavaRandom, deal};
    /// use war::engine::Game;
    /// use war::rules::{StandardRules, XY};
    ///
    /// let mut chance = JavaRandom::new(42);
    /// let mut cards = Deck::Thirteen.cards();
    /// chance.shuffle(&mut cards);
    /// let rules = Box::new(StandardRules::new(XY.parameters));
    /// let game = Game::new(rules, deal(&cards, 2)).unwrap().with_chance(Box::new(chance));
    /// assert!(game.count() > 100);
    /// ```
    #[must_use]
    pub fn with_chance(self, chance: Box<dyn Chance>) -> Self {
        Self { chance, ..self }
    }

    /// The table after the event returned last.
    ///
    /// # Examples
    ///
    /// ```
    /// use war::{cards::Rank, engine::Game, rules::StandardRules};
    ///
    /// let hands = vec![vec![Rank::ACE], vec![Rank::new(9).unwrap()]];
    /// let mut game = Game::new(Box::new(StandardRules::classic()), hands).unwrap();
    /// assert!(game.table().places().is_empty());
    /// game.next();
    /// assert_eq!(game.table().places()[0].hand().len(), 1);
    /// ```
    #[must_use]
    pub const fn table(&self) -> &Table {
        &self.table
    }
}

impl Iterator for Game {
    type Item = Event;

    fn next(&mut self) -> Option<Event> {
        if self.table.outcome().is_some() {
            return None;
        }
        let event = match self.deal.take() {
            Some(deal) => deal,
            None => self.rules.decide(&self.table, self.chance.as_mut()),
        };
        let applied = self.table.apply(&event);
        applied.expect("rules decide only what the table can do");
        Some(event)
    }
}

/// Rules of a game, which decide the next event from the state of the table.
///
/// A [`Game`] relies on its rules deciding only events that the table can apply, and panics
/// otherwise.
///
/// # Examples
///
/// Your own rules can leave everything that they do not change to other rules:
///
/// ```
/// use war::cards::{Chance, Rank};
/// use war::engine::{Event, Game, Outcome, Rules, Table};
/// use war::rules::StandardRules;
///
/// /// Stops every game after one turn; until then the inner rules decide.
/// struct OneTurn<R>(R);
///
/// impl<R: Rules> Rules for OneTurn<R> {
///     fn decide(&mut self, table: &Table, chance: &mut dyn Chance) -> Event {
///         if table.turn() == 1 && table.is_pot_empty() {
///             return Event::Stopped { winner: None };
///         }
///         self.0.decide(table, chance)
///     }
/// }
///
/// let hands = vec![vec![Rank::ACE; 2], vec![Rank::new(9).unwrap(); 2]];
/// let mut game = Game::new(Box::new(OneTurn(StandardRules::classic())), hands).unwrap();
/// game.by_ref().for_each(drop);
/// assert_eq!(game.table().outcome(), Some(Outcome::Stopped(None)));
/// ```
pub trait Rules {
    /// Decides the next event of the game.
    ///
    /// `table` is the fold of all events so far, including the deal, and the game is not over.
    /// Must be called exactly once for each event, in order: rules may remember the turns they
    /// have seen. Whatever the rules leave to chance is taken from `chance`, and recorded in the
    /// event.
    fn decide(&mut self, table: &Table, chance: &mut dyn Chance) -> Event;
}
