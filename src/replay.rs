//! Replay: a journal, verified and folded through its projections in one pass.

use crate::console::{Console, RENDERER};
use crate::engine::{Event, Projection, State, Table};
use crate::journal::{
    Checker, ConsoleDigest, End, Header, Journaled, Position, Printed, ReadError, Reader, Reason,
    RecordedRules, SILENT, TokenChecker, Verifier, WarChecker,
};
use crate::lang::Lang;
use crate::tokens::{TokenEvent, TokenGame};
use std::io::Read;

/// A projection of games of every kind.
pub trait Observer: Projection<Table> + Projection<TokenGame> {}

impl<P: Projection<Table> + Projection<TokenGame>> Observer for P {}

/// A projection of games of War alone, which looks away from token games.
///
/// # Examples
///
/// ```
/// use war::engine::{Event, Projection, Table};
/// use war::replay::WarOnly;
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
/// # use war::{cards::Deck, engine::Game, journal::Deal, lang::Lang};
/// # use war::{recording::{Opening, Recording}, replay::Replay, rules::{CLASSIC, Flow}};
/// # let generator = war::cards::Generator::ChaCha8 { seed: 1 };
/// # let mut cards = Deck::Small.cards();
/// # generator.start().shuffle(&mut cards);
/// # let opening = Opening {
/// #     engine: String::new(),
/// #     variant: CLASSIC,
/// #     deal: Deal::Shuffled { generator },
/// #     players: 4,
/// #     deck: Deck::Small,
/// #     corrections: Vec::new(),
/// # };
/// # let mut journal = Vec::new();
/// # let game = Game::new(Box::new(Flow::classic()), war::cards::deal(&cards, 4)).unwrap();
/// # Recording::of_war(&opening, Lang::En).written_to(&mut journal, false).play(game).unwrap();
/// # let mut replay = Replay::open(&journal[..], None).unwrap();
///
/// let mut wars = Wars::default();
/// while replay.event(&mut WarOnly(&mut wars)).unwrap() {}
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

/// A game read from a journal, event by event, with what it prints.
///
/// What comes out is an exact prefix of what the live game printed.
///
/// # Examples
///
/// ```
/// use war::journal::{ReadError, Verdict};
/// use war::replay::Replay;
/// # use war::{cards::{Chance, Deck, Generator, deal}, engine::Game, journal::Deal, lang::Lang};
/// # use war::{recording::{Opening, Recording}, rules::{CLASSIC, Flow}};
/// # let generator = Generator::ChaCha8 { seed: 1 };
/// # let mut cards = Deck::Small.cards();
/// # generator.start().shuffle(&mut cards);
/// # let (variant, deck) = (CLASSIC, Deck::Small);
/// # let (engine, corrections) = (String::new(), Vec::new());
/// # let opening = Opening {
/// #     engine, variant, deck, corrections, players: 4, deal: Deal::Shuffled { generator },
/// # };
/// # let mut journal = Vec::new();
/// # let game = Game::new(Box::new(Flow::classic()), deal(&cards, 4)).unwrap();
/// # Recording::of_war(&opening, Lang::En).written_to(&mut journal, false).play(game).unwrap();
///
/// let mut replay = Replay::open(&journal[..], None).unwrap();
/// while replay.event(&mut ()).unwrap() {}
/// assert_eq!(replay.end().unwrap().turns, 19);
///
/// // Without its last bytes the journal has no end record.
/// let mut replay = Replay::open(&journal[..journal.len() - 100], None).unwrap();
/// while replay.event(&mut ()).unwrap() {}
/// let Err(ReadError::Fault(fault)) = replay.end() else { panic!("the journal is cut off") };
/// assert_eq!(fault.verdict(), Verdict::Incomplete);
/// ```
pub struct Replay<'a> {
    playback: Box<dyn Playback + 'a>,
    lang: Lang,
}

impl<'a> Replay<'a> {
    /// Opens a journal; `lang` renders it anew in another language.
    ///
    /// # Errors
    ///
    /// [`ReadError`] where the file can't be read, is not a journal, or has a bad header.
    pub fn open(input: impl Read + 'a, lang: Option<Lang>) -> Result<Self, ReadError> {
        let reader = Reader::open(input)?;
        let header = reader.header();
        let lang = lang.unwrap_or(header.lang);
        let playback: Box<dyn Playback + 'a> = match header.rules.clone() {
            RecordedRules::War { variant, deal } => Box::new(Played {
                console: Console::of_war(&variant, &deal, &header.corrections, lang),
                verifier: Verifier::new(reader, WarChecker::new(variant, deal)),
            }),
            RecordedRules::Tokens(committed) => Box::new(Played {
                console: Console::of_tokens(lang),
                verifier: Verifier::new(reader, TokenChecker::new(committed)),
            }),
        };
        Ok(Self { playback, lang })
    }

    /// The journal's header.
    #[must_use]
    pub fn header(&self) -> &Header {
        self.playback.header()
    }

    /// The turn played last: of a token game, the number of the deal.
    #[must_use]
    pub fn turn(&self) -> u32 {
        self.playback.turn()
    }

    /// The number of events verified so far.
    #[must_use]
    pub fn events(&self) -> u64 {
        self.playback.events()
    }

    /// Where the record read last begins.
    #[must_use]
    pub fn position(&self) -> Position {
        self.playback.position()
    }

    /// What the event verified last printed.
    #[must_use]
    pub fn text(&self) -> &str {
        self.playback.text()
    }

    /// Where reading has come to: behind the event verified last, unless the next had a fault.
    #[must_use]
    pub fn reached(&self) -> Position {
        self.playback.reached()
    }

    /// How the game ended, or that its events end before it does.
    #[must_use]
    pub fn reason(&self) -> Reason {
        self.playback.reason()
    }

    /// The digest of what was printed so far; of a game that printed nothing, that of nothing.
    #[must_use]
    pub fn printed(&self) -> Printed {
        if self.header().renderer == SILENT {
            return ConsoleDigest::default().printed();
        }
        self.playback.printed()
    }

    /// Whether this replay prints the bytes that the live game printed.
    ///
    /// Where it does not, the console is not compared: it was printed in another language, or
    /// not at all, or this library was built without its feature `screens`.
    #[must_use]
    pub fn prints_the_same(&self) -> bool {
        let header = self.header();
        let same = header.renderer == RENDERER && header.lang == self.lang;
        cfg!(feature = "screens") && same
    }

    /// Verifies the next event, and lets it be observed; [`Replay::text`] is what it prints.
    ///
    /// The result is `false` where the events end.
    ///
    /// # Errors
    ///
    /// As [`Verifier::event`].
    pub fn event(&mut self, observer: &mut dyn Observer) -> Result<bool, ReadError> {
        self.playback.event(observer)
    }

    /// The end record, verified; to be called once, after the last event.
    ///
    /// # Errors
    ///
    /// As [`Verifier::end`].
    pub fn end(&mut self) -> Result<End, ReadError> {
        let same = self.prints_the_same();
        self.playback.end(same)
    }
}

/// A replay of any kind of game.
trait Playback {
    fn header(&self) -> &Header;
    fn turn(&self) -> u32;
    fn events(&self) -> u64;
    fn position(&self) -> Position;
    fn reached(&self) -> Position;
    fn reason(&self) -> Reason;
    fn text(&self) -> &str;
    fn printed(&self) -> Printed;
    fn event(&mut self, observer: &mut dyn Observer) -> Result<bool, ReadError>;
    fn end(&mut self, compares: bool) -> Result<End, ReadError>;
}

/// A replay of one kind of game.
struct Played<R, C: Checker> {
    verifier: Verifier<R, C>,
    console: Console<C::State>,
}

impl<R: Read, C: Checker> Playback for Played<R, C>
where
    for<'o> dyn Observer + 'o: Projection<C::State>,
{
    fn header(&self) -> &Header {
        self.verifier.header()
    }

    fn turn(&self) -> u32 {
        self.verifier.state().turn()
    }

    fn events(&self) -> u64 {
        self.verifier.events()
    }

    fn position(&self) -> Position {
        self.verifier.position()
    }

    fn reached(&self) -> Position {
        self.verifier.reached()
    }

    fn reason(&self) -> Reason {
        self.verifier.state().reason()
    }

    fn text(&self) -> &str {
        self.console.printed()
    }

    fn printed(&self) -> Printed {
        self.console.digest().printed()
    }

    fn event(&mut self, observer: &mut dyn Observer) -> Result<bool, ReadError> {
        let event = self.verifier.event()?;
        if let Some(event) = &event {
            let state = self.verifier.state();
            let printed = self.console.show(event, state);
            Projection::<C::State>::project(observer, event, state, printed);
        }
        Ok(event.is_some())
    }

    fn end(&mut self, compares: bool) -> Result<End, ReadError> {
        self.verifier.end(compares.then(|| self.printed()))
    }
}
