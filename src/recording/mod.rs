//! Recording: a game with its projections, its digest and its journal.
//!
//! There is one way from events to what is printed, logged and recorded, whether a game is
//! played live, imported, opened from a simulation or played at the card table.

mod opening;
mod settlement;

pub use opening::Opening;
pub use settlement::{Settlement, token_journal};

use crate::console::Console;
use crate::engine::{Game, Projection, Table};
use crate::journal::{End, Format, Header, Journaled, Medium, WriteFailed, Writer};
use crate::lang::Lang;
use std::io;

/// A game of War being recorded: each event goes to the journal first, then to the screens, then
/// to all other projections.
///
/// The journal's header follows from the [`Opening`] that the game is played from. Without
/// [`Recorder::written_to`] the journal is written nowhere, and its digests are known all the
/// same.
///
/// # Examples
///
/// ```
/// use war::cards::{Deck, Generator};
/// use war::journal::Verdict;
/// use war::lang::Lang;
/// use war::recording::{Opening, Recorder};
/// use war::replay::verify;
/// use war::rules::CLASSIC;
///
/// let generator = Generator::ChaCha8 { seed: 1 };
/// let opening = Opening::shuffled(CLASSIC, Deck::Small, 4, generator).unwrap();
/// let mut journal = Vec::new();
/// let recorder = Recorder::new("example", opening, Lang::En).written_to(&mut journal, false);
/// let end = recorder.play().expect("memory takes every byte");
/// assert_eq!(end.turns, 19);
/// assert_eq!(verify(&journal[..]).unwrap().verdict(), Verdict::Verified);
/// ```
#[must_use]
pub struct Recorder<'a> {
    game: Game,
    header: Header,
    medium: Box<dyn Medium + 'a>,
    durable: bool,
    console: Console<Table>,
    projections: Vec<Box<dyn Projection<Table> + 'a>>,
}

impl<'a> Recorder<'a> {
    /// A recorder of this game, which is printed in this language; `engine` is the program that
    /// plays it, with its version.
    pub fn new(engine: &str, opening: Opening, lang: Lang) -> Self {
        let (rules, deal) = (opening.rules(), opening.deal());
        let console = Console::of_war(rules, deal, opening.corrections(), lang);
        let header = opening.header(engine, lang, console.renderer());
        Self {
            header,
            console,
            game: opening.game(),
            medium: Box::new(io::sink()),
            durable: false,
            projections: Vec::new(),
        }
    }

    /// What a journal of the game says before its first event.
    #[must_use]
    pub const fn header(&self) -> &Header {
        &self.header
    }

    /// The same recorder, with a journal on this medium; `durable` syncs every event.
    pub fn written_to(self, medium: impl Medium + 'a, durable: bool) -> Self {
        self.written_in(Format::V1, medium, durable)
    }

    /// The same recorder, with a journal of this format on this medium; `durable` syncs every
    /// event.
    pub fn written_in(mut self, format: Format, medium: impl Medium + 'a, durable: bool) -> Self {
        self.header.format = format;
        self.medium = Box::new(medium);
        self.durable = durable;
        self
    }

    /// The same recorder with one more projection, fed after those it has.
    pub fn with(mut self, projection: impl Projection<Table> + 'a) -> Self {
        self.projections.push(Box::new(projection));
        self
    }

    /// Plays the game to its end, and returns what its journal's end record says.
    ///
    /// # Errors
    ///
    /// [`WriteFailed`] where the journal can't be written: the game is not played on then.
    pub fn play(self) -> Result<End, WriteFailed> {
        self.play_while(|| true)
    }

    /// Plays the game as [`play`](Self::play) does, for as long as `goes_on`, which is asked
    /// after each event, says so. A game stopped before its end has a whole journal that ends
    /// [`Reason::CutOff`](crate::journal::Reason::CutOff).
    ///
    /// # Errors
    ///
    /// As [`play`](Self::play).
    pub fn play_while(self, mut goes_on: impl FnMut() -> bool) -> Result<End, WriteFailed> {
        let mut game = self.game;
        let mut recording = Recording {
            writer: Writer::new(self.medium, &self.header, self.durable),
            console: self.console,
            projections: self.projections,
        };
        while let Some(event) = game.next() {
            recording.record(&event, game.table())?;
            if !goes_on() {
                break;
            }
        }
        recording.finish(game.table())
    }
}

/// A game of any kind being recorded, event by event.
struct Recording<'a, S: Journaled> {
    writer: Writer<Box<dyn Medium + 'a>>,
    console: Console<S>,
    projections: Vec<Box<dyn Projection<S> + 'a>>,
}

impl<S: Journaled> Recording<'_, S> {
    /// Takes the next event, with the state of the game as it is after it. Nothing of it is
    /// printed where the journal can't be written.
    fn record(&mut self, event: &S::Event, state: &S) -> Result<(), WriteFailed> {
        self.writer.record(event, state)?;
        let printed = self.console.show(event, state);
        for projection in &mut self.projections {
            projection.project(event, state, printed);
        }
        Ok(())
    }

    /// Ends the recording after the last event.
    fn finish(self, state: &S) -> Result<End, WriteFailed> {
        let printed = self.console.digest().printed();
        self.writer.finish(state.reason(), printed)
    }
}
