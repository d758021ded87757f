use super::{Event, Table};

/// State of a game: the fold of its events.
///
/// [`Table`] is the state of a game of War, and [`TokenGame`](crate::tokens::TokenGame) that of a
/// token game; projections and journals work for both.
pub trait State {
    /// Events that change the state.
    type Event;

    /// Last turn that began, counted from 1; 0 before the first.
    fn turn(&self) -> u32;
}

impl State for Table {
    type Event = Event;

    fn turn(&self) -> u32 {
        Self::turn(self)
    }
}

/// A fold of a game's events into something else: a screen, a log, a statistic.
///
/// To add a projection, implement this trait in a new file and pass the projection to the recorder
/// or the replay.
///
/// # Examples
///
/// ```
/// use war::cards::Rank;
/// use war::engine::{Event, Game, Projection, Table};
/// use war::rules::StandardRules;
///
/// /// Counts the turns that ended in a war.
/// struct Wars(u32);
///
/// impl Projection<Table> for Wars {
///     fn project(&mut self, event: &Event, _: &Table) {
///         self.0 += u32::from(matches!(event, Event::WarRound { round: 2, .. }));
///     }
/// }
///
/// let hand = |cards: &[u8]| cards.iter().map(|&card| Rank::new(card).unwrap()).collect();
/// let game = Game::new(Box::new(StandardRules::classic()), vec![hand(&[9, 2, 9]), hand(&[9, 3, 8])]);
/// let mut game = game.unwrap();
/// let mut wars = Wars(0);
/// while let Some(event) = game.next() {
///     wars.project(&event, game.table());
/// }
/// assert_eq!(wars.0, 1);
/// ```
pub trait Projection<S: State + ?Sized> {
    /// Takes the next event and the state after it.
    ///
    /// Events come in order, the first deals or starts the game, and each was applied to the
    /// state successfully.
    fn project(&mut self, event: &S::Event, state: &S);

    /// Takes the text that the game's [`Screen`] printed for the event, which may be empty.
    ///
    /// Called after [`project`](Self::project). Does nothing by default.
    fn project_text(&mut self, _text: &str, _state: &S) {}
}

/// A projection that prints the game for its players.
///
/// A game has at most one screen. Its text is part of the game: a journal keeps a digest of it.
pub trait Screen<S: State + ?Sized> {
    /// Appends the text for the next event to `out`, given the state after it.
    fn print(&mut self, event: &S::Event, state: &S, out: &mut String);
}

/// A screen that prints nothing.
impl<S: State + ?Sized> Screen<S> for () {
    fn print(&mut self, _: &S::Event, _: &S, _: &mut String) {}
}

/// Two projections, of which the second runs after the first.
impl<S: State + ?Sized, A: Projection<S>, B: Projection<S>> Projection<S> for (A, B) {
    fn project(&mut self, event: &S::Event, state: &S) {
        self.0.project(event, state);
        self.1.project(event, state);
    }

    fn project_text(&mut self, text: &str, state: &S) {
        self.0.project_text(text, state);
        self.1.project_text(text, state);
    }
}

/// A projection that ignores everything.
impl<S: State + ?Sized> Projection<S> for () {
    fn project(&mut self, _: &S::Event, _: &S) {}
}

/// A borrowed projection, which you can read once the game is over.
impl<S: State + ?Sized, P: Projection<S> + ?Sized> Projection<S> for &mut P {
    fn project(&mut self, event: &S::Event, state: &S) {
        (**self).project(event, state);
    }

    fn project_text(&mut self, text: &str, state: &S) {
        (**self).project_text(text, state);
    }
}
