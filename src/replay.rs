//! Replay: verifies a journal and feeds its projections in one pass.

use crate::console::Console;
use crate::engine::{Event, Projection, State, Table};
use crate::journal::{
    Checker, ConsoleDigest, ConsoleHasher, End, ExpectedGame, GameEndReason, Header, JournaledGame,
    Judgement, NO_RENDERER, Position, ReadError, Reader, RecordError, RecordedRules, TokenChecker,
    UnreadableJournal, Verifier, WarChecker,
};
use crate::lang::Lang;
use crate::rules::Rulebook;
use crate::tokens::{Seats, TokenEvent, TokenGame};
use std::io::{self, Read};
use std::iter::FusedIterator;

/// Verifies a whole journal: its form, its chain, its game by the rules, and its screens.
///
/// # Examples
///
/// ```
/// use war::cards::Generator;
/// use war::journal::{Proof, Verdict};
/// use war::replay::verify;
///
/// let journal = std::fs::read("journals/classic_dealt_won.json").unwrap();
/// let judgement = verify(&journal[..]).unwrap();
/// assert_eq!(judgement.verdict(), Verdict::Verified);
/// let generator = Generator::ChaCha8 { seed: 1 };
/// assert_eq!(judgement.proof(), Some(Proof::Seed(generator)));
///
/// // Without its last bytes the journal has no end record.
/// let judgement = verify(&journal[..journal.len() - 100]).unwrap();
/// assert_eq!(judgement.verdict(), Verdict::Incomplete);
/// ```
///
/// # Errors
///
/// If the journal can't be read. Faults of the journal are part of the judgement.
pub fn verify(input: impl Read) -> io::Result<Judgement> {
    verify_with(&Rulebook::default(), input)
}

/// Verifies a journal whose rules may also come from the rulebook `book`.
///
/// # Errors
///
/// As [`verify`].
pub fn verify_with(book: &Rulebook, input: impl Read) -> io::Result<Judgement> {
    match Replay::open_with(book, input, None) {
        Ok(replay) => replay.verify(&mut ()),
        Err(error) => Judgement::from_result(Err(error), None, 0).map_err(Into::into),
    }
}

/// A game read from a journal, event by event, with its screens.
///
/// The output is an exact prefix of the live game's output.
///
/// # Examples
///
/// A replay is an iterator whose last [`ReplayItem`] is the verdict:
///
/// ```
/// use war::engine::Event;
/// use war::journal::Verdict;
/// use war::replay::{ReplayItem, Replay};
///
/// let journal = std::fs::read("journals/classic_dealt_won.json").unwrap();
/// let mut turns = 0;
/// for item in Replay::open(&journal[..], None).unwrap() {
///     match item.unwrap() {
///         ReplayItem::War(Event::Clash { .. }) => turns += 1,
///         ReplayItem::War(_) | ReplayItem::Tokens(_) => {}
///         ReplayItem::Verdict(judgement) => assert_eq!(judgement.verdict(), Verdict::Verified),
///     }
/// }
/// assert_eq!(turns, 19);
/// ```
///
/// For a projection, which also gets the table, use [`Replay::verify`]. Events arrive before the
/// whole journal is verified, so rely on a result only once the verdict is known.
#[must_use]
pub struct Replay<'a> {
    playback: Box<dyn Playback + 'a>,
    lang: Lang,
}

impl<'a> Replay<'a> {
    /// Opens a journal. With `lang`, its screens are printed in that language.
    ///
    /// # Errors
    ///
    /// [`ReadError`] if the file can't be read, is not a journal, or has an invalid header.
    pub fn open(input: impl Read + 'a, lang: Option<Lang>) -> Result<Self, ReadError> {
        Self::open_with(&Rulebook::default(), input, lang)
    }

    /// Opens a journal whose rules may also come from the rulebook `book`.
    ///
    /// # Errors
    ///
    /// As [`Replay::open`].
    pub fn open_with(
        book: &Rulebook,
        input: impl Read + 'a,
        lang: Option<Lang>,
    ) -> Result<Self, ReadError> {
        Reader::open_with(book, input).map(|reader| Self::of(reader, lang))
    }

    fn of(reader: Reader<'a>, lang: Option<Lang>) -> Self {
        let header = reader.header();
        let lang = lang.unwrap_or(header.lang);
        let playback: Box<dyn Playback + 'a> = match header.rules.clone() {
            RecordedRules::War { rules, deal } => Box::new(GamePlayback {
                console: Console::for_war(&rules, &deal, &header.corrections, lang),
                verifier: Verifier::new(reader, WarChecker::new(rules, deal)),
            }),
            RecordedRules::Tokens(committed) => Box::new(GamePlayback {
                console: Console::for_tokens(lang),
                verifier: Verifier::new(reader, TokenChecker::new(committed)),
            }),
        };
        Self { playback, lang }
    }

    /// The journal's header.
    #[must_use]
    pub fn header(&self) -> &Header {
        self.playback.header()
    }

    /// The last turn played; in a token game, the number of the deal.
    #[must_use]
    pub fn turn(&self) -> u32 {
        self.playback.turn()
    }

    /// The players of a token game, with their contributions to its chance so far; `None` before
    /// its first event and in every other game.
    #[must_use]
    pub fn seats(&self) -> Option<&Seats> {
        self.playback.seats()
    }

    /// The number of events verified so far.
    #[must_use]
    pub fn events(&self) -> u64 {
        self.playback.events()
    }

    /// The start of the record read last.
    #[must_use]
    pub fn position(&self) -> Position {
        self.playback.position()
    }

    /// The text that the last event printed.
    #[must_use]
    pub fn text(&self) -> &str {
        self.playback.text()
    }

    /// The end of the last verified event. Unspecified after an event with a fault.
    #[must_use]
    pub fn end_position(&self) -> Position {
        self.playback.end_position()
    }

    /// The reason for which the game ended, or [`GameEndReason::CutOff`] before its end.
    #[must_use]
    pub fn reason(&self) -> GameEndReason {
        self.playback.reason()
    }

    /// The digest of everything printed so far; empty if the live game printed nothing.
    #[must_use]
    pub fn console_digest(&self) -> ConsoleDigest {
        if self.header().renderer == NO_RENDERER {
            return ConsoleHasher::default().digest();
        }
        self.playback.console_digest()
    }

    /// Returns true if this replay prints the same bytes as the live game.
    ///
    /// Otherwise the screens are not compared: the live game was printed in another language or not
    /// at all, or this library was built without its feature `screens`.
    #[must_use]
    pub fn reproduces_live_output(&self) -> bool {
        let header = self.header();
        header.renderer == self.playback.renderer() && header.lang == self.lang
    }

    /// Verifies the rest of the journal, and passes each event to the observer.
    ///
    /// # Errors
    ///
    /// If the journal can't be read.
    pub fn verify(mut self, observer: &mut dyn Observer) -> io::Result<Judgement> {
        let result = self.read_to_end(observer);
        Ok(self.judge(result)?)
    }

    /// Verifies the rest of the journal, and returns its end record.
    ///
    /// # Errors
    ///
    /// If the journal can't be read, or has a fault.
    pub fn read_to_end(&mut self, observer: &mut dyn Observer) -> Result<End, ReadError> {
        while self.next_event(observer)? {}
        self.read_end()
    }

    /// Judges the journal by the result of reading it.
    ///
    /// # Errors
    ///
    /// If the journal could not be read to its end or its first fault.
    pub fn judge(&self, result: Result<End, ReadError>) -> Result<Judgement, UnreadableJournal> {
        Judgement::from_result(result, Some(self.header()), self.events())
    }

    /// Compares the journal of this replay, read to its end, with your expectations. An intact
    /// journal that differs is [`Verdict::Unexpected`](crate::journal::Verdict::Unexpected).
    pub fn compare(&self, judgement: Judgement, expected: &ExpectedGame) -> Judgement {
        if judgement.end().is_some()
            && let Err(problem) = expected.check(self.header(), self.seats())
        {
            return judgement.mark_unexpected(Position::START, problem);
        }
        match (judgement.end(), expected.digest) {
            (Some(end), Some(expected)) if end.digest != expected => {
                let found = end.digest;
                let problem = RecordError::Digest { expected, found };
                judgement.mark_unexpected(self.position(), problem)
            }
            _ => judgement,
        }
    }

    /// Verifies the next event, or judges the journal at its end.
    fn step(&mut self, observer: &mut dyn Observer) -> io::Result<Option<Judgement>> {
        let result = match self.next_event(observer) {
            Ok(true) => return Ok(None),
            Ok(false) => self.read_end(),
            Err(error) => Err(error),
        };
        Ok(Some(self.judge(result)?))
    }

    /// Verifies the next event, and passes it to the observer; [`Replay::text`] then returns the
    /// text that the event printed.
    ///
    /// After the last event it returns false, and [`Replay::read_end`] is due.
    ///
    /// # Errors
    ///
    /// If the journal can't be read, or has a fault.
    pub fn next_event(&mut self, observer: &mut dyn Observer) -> Result<bool, ReadError> {
        self.playback.next_event(observer)
    }

    /// Reads and verifies the end record. Must be called once, after the last event.
    ///
    /// # Errors
    ///
    /// If the journal can't be read, or has a fault.
    pub fn read_end(&mut self) -> Result<End, ReadError> {
        let compares_screens = self.reproduces_live_output();
        self.playback.read_end(compares_screens)
    }
}

/// The events of a replay, with the verdict as the last item.
#[must_use]
pub struct ReplayItems<'a>(Option<Replay<'a>>);

impl<'a> IntoIterator for Replay<'a> {
    type Item = io::Result<ReplayItem>;
    type IntoIter = ReplayItems<'a>;

    fn into_iter(self) -> ReplayItems<'a> {
        ReplayItems(Some(self))
    }
}

impl Iterator for ReplayItems<'_> {
    type Item = io::Result<ReplayItem>;

    fn next(&mut self) -> Option<io::Result<ReplayItem>> {
        let mut event = LastEvent::default();
        let last = match self.0.as_mut()?.step(&mut event) {
            Ok(None) => return event.0.map(Ok),
            Ok(Some(judgement)) => Ok(ReplayItem::Verdict(judgement)),
            Err(error) => Err(error),
        };
        self.0 = None;
        Some(last)
    }
}

impl FusedIterator for ReplayItems<'_> {}

/// A replay of any kind of game.
trait Playback {
    fn header(&self) -> &Header;
    fn turn(&self) -> u32;
    fn seats(&self) -> Option<&Seats>;
    fn renderer(&self) -> u32;
    fn events(&self) -> u64;
    fn position(&self) -> Position;
    fn end_position(&self) -> Position;
    fn reason(&self) -> GameEndReason;
    fn text(&self) -> &str;
    fn console_digest(&self) -> ConsoleDigest;
    fn next_event(&mut self, observer: &mut dyn Observer) -> Result<bool, ReadError>;
    fn read_end(&mut self, compares_screens: bool) -> Result<End, ReadError>;
}

/// A replay of one kind of game.
struct GamePlayback<'a, C: Checker> {
    verifier: Verifier<'a, C>,
    console: Console<C::State>,
}

impl<C: Checker> Playback for GamePlayback<'_, C>
where
    for<'o> dyn Observer + 'o: Projection<C::State>,
{
    fn header(&self) -> &Header {
        self.verifier.header()
    }

    fn turn(&self) -> u32 {
        self.verifier.state().turn()
    }

    fn seats(&self) -> Option<&Seats> {
        self.verifier.seats()
    }

    fn renderer(&self) -> u32 {
        self.console.renderer()
    }

    fn events(&self) -> u64 {
        self.verifier.events()
    }

    fn position(&self) -> Position {
        self.verifier.position()
    }

    fn end_position(&self) -> Position {
        self.verifier.end_position()
    }

    fn reason(&self) -> GameEndReason {
        self.verifier.state().reason()
    }

    fn text(&self) -> &str {
        self.console.text()
    }

    fn console_digest(&self) -> ConsoleDigest {
        self.console.hasher().digest()
    }

    fn next_event(&mut self, observer: &mut dyn Observer) -> Result<bool, ReadError> {
        let event = self.verifier.next_event()?;
        if let Some(event) = &event {
            let state = self.verifier.state();
            let printed = self.console.show(event, state);
            Projection::<C::State>::project(observer, event, state);
            Projection::<C::State>::project_text(observer, printed, state);
        }
        Ok(event.is_some())
    }

    fn read_end(&mut self, compares_screens: bool) -> Result<End, ReadError> {
        self.verifier
            .read_end(compares_screens.then(|| self.console_digest()))
    }
}

/// Item of a replay: an event or, as the last one, the verdict.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReplayItem {
    /// A verified event of a game of War.
    War(Event),
    /// A verified event of a token game.
    Tokens(TokenEvent),
    /// The verdict on the journal, always the last item.
    Verdict(Judgement),
}

/// Projection that keeps the last event.
#[derive(Default)]
struct LastEvent(Option<ReplayItem>);

impl Projection<Table> for LastEvent {
    fn project(&mut self, event: &Event, _: &Table) {
        self.0 = Some(ReplayItem::War(event.clone()));
    }
}

impl Projection<TokenGame> for LastEvent {
    fn project(&mut self, event: &TokenEvent, _: &TokenGame) {
        self.0 = Some(ReplayItem::Tokens(event.clone()));
    }
}

/// A projection of every kind of game.
pub trait Observer: Projection<Table> + Projection<TokenGame> {}

impl<P: Projection<Table> + Projection<TokenGame>> Observer for P {}

/// Adapter that turns a projection of games of War into an observer, which ignores token games.
///
/// # Examples
///
/// ```
/// use war::engine::{Event, Projection, Table};
/// use war::replay::{Replay, WarObserver};
///
/// /// Counts the wars of a game.
/// #[derive(Default)]
/// struct Wars(u32);
///
/// impl Projection<Table> for Wars {
///     fn project(&mut self, event: &Event, _: &Table) {
///         self.0 += u32::from(matches!(event, Event::WarRound { round: 2, .. }));
///     }
/// }
///
/// let journal = std::fs::read("journals/classic_dealt_won.json").unwrap();
/// let mut wars = Wars::default();
/// let replay = Replay::open(&journal[..], None).unwrap();
/// let judgement = replay.verify(&mut WarObserver(&mut wars)).unwrap();
/// assert!(judgement.fault().is_none());
/// assert_eq!(wars.0, 4);
/// ```
#[derive(Debug, Default)]
pub struct WarObserver<P>(pub P);

impl<P: Projection<Table>> Projection<Table> for WarObserver<P> {
    fn project(&mut self, event: &Event, table: &Table) {
        self.0.project(event, table);
    }

    fn project_text(&mut self, text: &str, table: &Table) {
        self.0.project_text(text, table);
    }
}

impl<P> Projection<TokenGame> for WarObserver<P> {
    fn project(&mut self, _: &TokenEvent, _: &TokenGame) {}
}
