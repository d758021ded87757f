//! Recording: a game with its projections, its digest and its journal.
//!
//! There is one way from events to what is printed, logged and recorded, whether a game is
//! played live, imported, opened from a simulation or played at the card table.

use crate::cards::Deck;
use crate::console::{Console, RENDERER};
use crate::engine::{Game, Projection, Table};
use crate::journal::{
    Committed, Deal, End, Format, Header, Journaled, Medium, RecordedRules, WriteFailed, Writer,
};
use crate::lang::Lang;
use crate::rules::Variant;
use crate::setup::Correction;
use crate::tokens::{ApplyError, TokenEvent, TokenGame};

/// What is known of a game of War before its first event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Opening {
    /// The program that plays it, with its version.
    pub engine: String,
    /// The rules.
    pub variant: Variant,
    /// Where the cards come from.
    pub deal: Deal,
    /// The number of players, those without cards among them.
    pub players: u8,
    /// The deck.
    pub deck: Deck,
    /// What was typed wrong, to be printed before all else.
    pub corrections: Vec<Correction>,
}

/// A game being recorded: each event goes to the journal first, then to the screens, then to
/// all other projections.
///
/// # Examples
///
/// ```
/// use war::cards::{ChaCha8, Chance, Deck, Generator, deal};
/// use war::engine::Game;
/// use war::i18n::Lang;
/// use war::journal::Deal;
/// use war::recording::{Opening, Recording};
/// use war::replay::Replay;
/// use war::rules::{CLASSIC, Flow};
///
/// let mut cards = Deck::Small.cards();
/// let generator = Generator::ChaCha8 { seed: 1 };
/// generator.start().shuffle(&mut cards);
/// let opening = Opening {
///     engine: "example".to_owned(),
///     variant: CLASSIC,
///     deal: Deal::Shuffled { generator },
///     players: 4,
///     deck: Deck::Small,
///     corrections: Vec::new(),
/// };
/// let mut journal = Vec::new();
/// let game = Game::new(Box::new(Flow::classic()), deal(&cards, 4)).unwrap();
/// let recording = Recording::of_war(&opening, Lang::En).written_to(&mut journal, false);
/// recording.play(game).expect("memory takes every byte");
///
/// let mut replay = Replay::open(&journal[..], None).unwrap();
/// while replay.event(&mut ()).unwrap() {}
/// assert_eq!(replay.end().unwrap().turns, 19);
/// ```
pub struct Recording<'a, S: Journaled> {
    header: Header,
    writer: Option<Writer<Box<dyn Medium + 'a>>>,
    console: Console<S>,
    projections: Vec<Box<dyn Projection<S> + 'a>>,
}

impl Recording<'_, Table> {
    /// A recording of a game of War, printed in this language.
    #[must_use]
    pub fn of_war(opening: &Opening, lang: Lang) -> Self {
        let rules = RecordedRules::War {
            variant: opening.variant,
            deal: opening.deal.clone(),
        };
        let header = Header {
            engine: opening.engine.clone(),
            rules,
            players: opening.players,
            deck: opening.deck,
            renderer: RENDERER,
            lang,
            corrections: opening.corrections.clone(),
            format: Format::V1,
        };
        let console = Console::of_war(&opening.variant, &opening.deal, &opening.corrections, lang);
        Self::new(header, console)
    }

    /// Plays a game to its end, and returns what its journal's end record says.
    ///
    /// # Errors
    ///
    /// [`WriteFailed`] where the journal can't be written: the game is not played on then.
    pub fn play(mut self, mut game: Game) -> Result<Option<End>, WriteFailed> {
        while let Some(event) = game.next() {
            self.record(&event, game.table())?;
        }
        self.finish(game.table())
    }
}

impl Recording<'_, TokenGame> {
    /// A recording of a token game, played by this program and printed in this language.
    #[must_use]
    pub fn of_tokens(engine: &str, committed: Committed, lang: Lang) -> Self {
        let header = Header {
            engine: engine.to_owned(),
            rules: RecordedRules::Tokens(committed),
            players: 2,
            deck: Deck::Large,
            renderer: RENDERER,
            lang,
            corrections: Vec::new(),
            format: Format::V1,
        };
        Self::new(header, Console::of_tokens(lang))
    }
}

impl<'a, S: Journaled> Recording<'a, S> {
    fn new(header: Header, console: Console<S>) -> Self {
        Self {
            header,
            writer: None,
            console,
            projections: Vec::new(),
        }
    }

    /// What a journal of the game says before its first event.
    #[must_use]
    pub const fn header(&self) -> &Header {
        &self.header
    }

    /// The same recording, with a journal of this format; to be chosen before
    /// [`Recording::written_to`].
    #[must_use]
    pub fn formatted(mut self, format: Format) -> Self {
        self.header.format = format;
        self
    }

    /// The same recording, with a journal on this medium; `durable` syncs every event.
    #[must_use]
    pub fn written_to(mut self, medium: impl Medium + 'a, durable: bool) -> Self {
        let medium: Box<dyn Medium + 'a> = Box::new(medium);
        self.writer = Some(Writer::new(medium, &self.header, durable));
        self
    }

    /// The same recording with one more projection, fed after those it has.
    #[must_use]
    pub fn with(mut self, projection: impl Projection<S> + 'a) -> Self {
        self.projections.push(Box::new(projection));
        self
    }

    /// Takes the next event, with the state of the game as it is after it.
    ///
    /// # Errors
    ///
    /// [`WriteFailed`] where the journal can't be written: nothing of the event is printed then.
    pub fn record(&mut self, event: &S::Event, state: &S) -> Result<(), WriteFailed> {
        if let Some(writer) = &mut self.writer {
            writer.record(event, state)?;
        }
        let printed = self.console.show(event, state);
        for projection in &mut self.projections {
            projection.project(event, state, printed);
        }
        Ok(())
    }

    /// Ends the recording after the last event; the result is what the end record of its
    /// journal says, where there is one.
    ///
    /// # Errors
    ///
    /// [`WriteFailed`] where the journal can't be written to its end.
    pub fn finish(self, state: &S) -> Result<Option<End>, WriteFailed> {
        let Some(writer) = self.writer else {
            return Ok(None);
        };
        let printed = self.console.digest().printed();
        writer.finish(state.reason(), printed).map(Some)
    }
}

/// The journal of a token game whose events are all known, with all that `war replay` prints
/// of it.
///
/// `engine` is the program that played it, with its version; `lang` is the language of the
/// screens whose digest the end record holds.
///
/// # Examples
///
/// ```
/// use war::engine::Seat;
/// use war::hex::Hex;
/// use war::journal::Committed;
/// use war::lang::Lang;
/// use war::recording::token_journal;
/// use war::replay::Replay;
/// use war::tokens::{Decision, Kind, Move, Name, Secret, TokenEvent, TokenGame};
///
/// let secret = Secret::new(Hex::new([7; 32]));
/// let (kind, number) = (Kind::Single, 1);
/// let mut game = TokenGame::new(kind, number, secret);
/// let players = ["Ann", "Bob"].map(|name| Name::new(name).unwrap());
/// let mut events = vec![TokenEvent::Started { players }];
/// game.apply(&events[0]).unwrap();
/// for step in [
///     Move::Deal,
///     Move::Decide(Seat::FIRST, Decision::Fold),
///     Move::Decide(Seat::SECOND, Decision::Fold),
/// ] {
///     let mut due = Some(game.decide(&step).unwrap());
///     while let Some(event) = due {
///         game.apply(&event).unwrap();
///         events.push(event);
///         due = game.follows();
///     }
/// }
///
/// let commitment = secret.commitment();
/// let committed = Committed { kind, game: number, commitment, secret };
/// let journal = token_journal("example", committed, Lang::En, &events).unwrap();
/// let mut replay = Replay::open(&journal[..], None).unwrap();
/// while replay.event(&mut ()).unwrap() {}
/// assert_eq!(replay.end().unwrap().events, 5);
/// ```
///
/// # Errors
///
/// [`ApplyError`] where the events are not those of a game.
///
/// # Panics
///
/// Never: memory takes every byte.
pub fn token_journal(
    engine: &str,
    committed: Committed,
    lang: Lang,
    events: &[TokenEvent],
) -> Result<Vec<u8>, ApplyError> {
    let mut journal = Vec::new();
    let mut game = TokenGame::new(committed.kind, committed.game, committed.secret);
    let mut recording =
        Recording::of_tokens(engine, committed, lang).written_to(&mut journal, false);
    for event in events {
        game.apply(event)?;
        recording
            .record(event, &game)
            .expect("memory takes every byte");
    }
    recording.finish(&game).expect("memory takes every byte");
    Ok(journal)
}
