//! Recording: plays a game into its journal, its screens and its projections.
//!
//! All games are printed, logged and recorded by this code: those played live, imported, opened
//! from a simulation or played at the card table.

use crate::cards::{Chance, Deck, Generator, Rank};
use crate::console::Console;
use crate::engine::{Game, Projection, Seat, Table};
use crate::journal::{
    CommittedGame, ConsoleDigest, Deal, DealtHands, End, GameError, Header, JournalFormat,
    JournaledGame, Medium, Problem, RecordedRules, WriteError, Writer, check_header, check_players,
};
use crate::lang::Lang;
use crate::rules::Ruleset;
use crate::setup::Correction;
use crate::support::hex::Hex;
use crate::tokens::{TokenApplyError, TokenEvent, TokenGame};
use std::io;

/// Recorder of a game of War. Each event goes to the journal first, then to the screens, then to
/// all other projections.
///
/// The header of the journal follows from the [`NewGame`]. Without [`Recorder::write_to`] the
/// journal is discarded, but its digests are still computed.
///
/// # Examples
///
/// ```
/// use war::cards::{Deck, Generator};
/// use war::journal::Verdict;
/// use war::lang::Lang;
/// use war::recording::{NewGame, Recorder};
/// use war::replay::verify;
/// use war::rules::CLASSIC;
///
/// let generator = Generator::ChaCha8 { seed: 1 };
/// let opening = NewGame::shuffled(CLASSIC, Deck::Small, 4, generator).unwrap();
/// let mut journal = Vec::new();
/// let recorder = Recorder::new("example", opening, Lang::En).write_to(&mut journal);
/// let end = recorder.play().expect("memory takes every byte");
/// assert_eq!(end.turns, 19);
/// assert_eq!(verify(&journal[..]).unwrap().verdict(), Verdict::Verified);
/// ```
#[must_use]
pub struct Recorder<'a> {
    game: Game,
    header: Header,
    medium: Box<dyn Medium + 'a>,
    syncs_events: bool,
    console: Console<Table>,
    projections: Vec<Box<dyn Projection<Table> + 'a>>,
}

impl<'a> Recorder<'a> {
    /// A recorder of this game, which is printed in this language. `engine` is the name of your
    /// program, with its version.
    pub fn new(engine: &str, opening: NewGame, lang: Lang) -> Self {
        let (rules, deal) = (opening.rules(), opening.deal());
        let console = Console::for_war(rules, deal, opening.corrections(), lang);
        let header = opening.header(engine, lang, console.renderer());
        Self {
            header,
            console,
            game: opening.game(),
            medium: Box::new(io::sink()),
            syncs_events: false,
            projections: Vec::new(),
        }
    }

    /// The header of the game's journal.
    #[must_use]
    pub const fn header(&self) -> &Header {
        &self.header
    }

    /// Writes the journal to this medium, which is synced at the end.
    pub fn write_to(self, medium: impl Medium + 'a) -> Self {
        self.write_in_format(JournalFormat::V1, medium)
    }

    /// Writes the journal in this format to this medium, which is synced at the end.
    pub fn write_in_format(mut self, format: JournalFormat, medium: impl Medium + 'a) -> Self {
        self.header.format = format;
        self.medium = Box::new(medium);
        self
    }

    /// Syncs the journal after every event, too.
    pub fn sync_every_event(mut self) -> Self {
        self.syncs_events = true;
        self
    }

    /// Adds a projection, after those added before.
    pub fn with_projection(mut self, projection: impl Projection<Table> + 'a) -> Self {
        self.projections.push(Box::new(projection));
        self
    }

    /// Plays the game to its end, and returns the end record of its journal.
    ///
    /// # Errors
    ///
    /// [`WriteError`] if the journal can't be written. The game stops then.
    pub fn play(self) -> Result<End, WriteError> {
        self.play_while(|| true)
    }

    /// Plays the game like [`play`](Self::play), but stops once `continues` returns false after an
    /// event. The journal is complete even then, and ends with
    /// [`GameEndReason::CutOff`](crate::journal::GameEndReason::CutOff).
    ///
    /// # Errors
    ///
    /// As [`play`](Self::play).
    pub fn play_while(self, mut continues: impl FnMut() -> bool) -> Result<End, WriteError> {
        let mut writer = Writer::new(self.medium, &self.header);
        if self.syncs_events {
            writer = writer.sync_every_event();
        }
        let mut game = self.game;
        let mut recording = Recording {
            writer,
            console: self.console,
            projections: self.projections,
        };
        while let Some(event) = game.next() {
            recording.record(&event, game.table())?;
            if !continues() {
                break;
            }
        }
        recording.finish(game.table())
    }
}

/// Recording of a game of any kind, event by event.
struct Recording<'a, S: JournaledGame> {
    writer: Writer<Box<dyn Medium + 'a>>,
    console: Console<S>,
    projections: Vec<Box<dyn Projection<S> + 'a>>,
}

impl<S: JournaledGame> Recording<'_, S> {
    /// Records the next event, with the state of the game after it. Prints nothing if the journal
    /// can't be written.
    fn record(&mut self, event: &S::Event, state: &S) -> Result<(), WriteError> {
        self.writer.record(event, state)?;
        let printed = self.console.show(event, state);
        for projection in &mut self.projections {
            projection.project(event, state);
            projection.project_text(printed, state);
        }
        Ok(())
    }

    /// Ends the recording after the last event.
    fn finish(self, state: &S) -> Result<End, WriteError> {
        let printed = self.console.hasher().digest();
        self.writer.finish(state.reason(), printed)
    }
}

/// A game of War before its first event: rules, deal and cards.
///
/// The header of the journal follows from the game, so the two can't contradict each other: a
/// generator that the journal names is the one that deals.
///
/// # Examples
///
/// ```
/// use war::cards::{Deck, Generator};
/// use war::journal::{GameError, Problem};
/// use war::recording::NewGame;
/// use war::rules::{CLASSIC, DUELS};
///
/// let generator = Generator::ChaCha8 { seed: 1 };
/// assert!(NewGame::shuffled(CLASSIC, Deck::Small, 4, generator).is_ok());
/// // Six players are one too many.
/// let Err(Problem::Game(error)) = NewGame::shuffled(DUELS, Deck::Small, 6, generator) else {
///     panic!("six players");
/// };
/// assert!(matches!(error, GameError::PlayersOfRules { found: 6, .. }));
/// ```
pub struct NewGame {
    rules: Ruleset,
    deal: Deal,
    deck: Deck,
    corrections: Vec<Correction>,
    hands: Vec<Vec<Rank>>,
    chance: Box<dyn Chance>,
}

impl NewGame {
    /// A game whose deck this generator shuffles. Its stream also decides all later chance.
    ///
    /// # Errors
    ///
    /// [`Problem`] if the rules don't allow this deck or this number of players.
    pub fn shuffled(
        rules: impl Into<Ruleset>,
        deck: Deck,
        players: u8,
        generator: Generator,
    ) -> Result<Self, Problem> {
        Self::from_generator(rules.into(), deck, players, Deal::Shuffled { generator })
    }

    /// Like [`NewGame::shuffled`], with the cards of one player's hand chosen but not their order;
    /// see [`deal_with_fixed_hand`](crate::cards::deal_with_fixed_hand).
    ///
    /// # Errors
    ///
    /// As [`NewGame::shuffled`], and if the deck lacks one of the cards or the game has no such
    /// player.
    pub fn with_fixed_hand(
        rules: impl Into<Ruleset>,
        deck: Deck,
        players: u8,
        generator: Generator,
        (seat, cards): (Seat, Vec<Rank>),
    ) -> Result<Self, Problem> {
        let deal = Deal::Fixed {
            generator,
            seat,
            cards,
        };
        Self::from_generator(rules.into(), deck, players, deal)
    }

    /// A game with the hands of the scenario with this name, top card first. `chance` decides all
    /// later chance; pass `()` if the rules leave nothing to chance.
    ///
    /// # Errors
    ///
    /// [`Problem`] if the rules don't allow these hands, or the name is impossible for a scenario.
    pub fn from_scenario(
        rules: impl Into<Ruleset>,
        name: &str,
        hands: Vec<Vec<Rank>>,
        chance: Box<dyn Chance>,
    ) -> Result<Self, Problem> {
        let rules = rules.into();
        let deck = rules
            .scenario_limits()
            .find_deck(&hands)
            .ok_or(GameError::NotDeck)?;
        let name = name.to_owned();
        Self::from_hands(rules, Deal::Scenario { name }, deck, (hands, chance))
    }

    /// A game printed elsewhere, with its first hands. `chance` repeats the outcomes of chance in
    /// that game.
    ///
    /// # Errors
    ///
    /// [`Problem`] if the hands are not this deck, or the rules don't allow this deck.
    pub fn imported(
        rules: impl Into<Ruleset>,
        deck: Deck,
        hands: Vec<Vec<Rank>>,
        chance: Box<dyn Chance>,
    ) -> Result<Self, Problem> {
        Self::from_hands(rules.into(), Deal::Imported, deck, (hands, chance))
    }

    /// Adds corrections of values that were typed wrong, which are printed before the game.
    ///
    /// # Errors
    ///
    /// [`Problem`] if the corrections lead to another game.
    pub fn with_corrections(mut self, corrections: Vec<Correction>) -> Result<Self, Problem> {
        self.corrections = corrections;
        self.check()
    }

    fn from_generator(
        rules: Ruleset,
        deck: Deck,
        players: u8,
        deal: Deal,
    ) -> Result<Self, Problem> {
        let dealt = deal.generate_hands(deck, players.into())?;
        let dealt = dealt.expect("a generator deals");
        Self::new(rules, deal, deck, dealt)
    }

    fn from_hands(
        rules: Ruleset,
        deal: Deal,
        deck: Deck,
        dealt: DealtHands,
    ) -> Result<Self, Problem> {
        deal.check_hands(&rules, deck, &dealt.0)?;
        Self::new(rules, deal, deck, dealt)
    }

    fn new(
        rules: Ruleset,
        deal: Deal,
        deck: Deck,
        (hands, chance): DealtHands,
    ) -> Result<Self, Problem> {
        let opening = Self {
            rules,
            deal,
            deck,
            corrections: Vec::new(),
            hands,
            chance,
        };
        opening.check()
    }

    /// Checks that the journal's header can be read and allows the hands.
    fn check(self) -> Result<Self, Problem> {
        let header = self.header("", Lang::En, 0);
        check_players(&header, &self.rules, self.hands.len())?;
        check_header(&header, &self.rules)?;
        Ok(self)
    }

    /// The header of the game's journal.
    fn header(&self, engine: &str, lang: Lang, renderer: u32) -> Header {
        Header {
            engine: engine.to_owned(),
            rules: RecordedRules::War {
                rules: self.rules.clone(),
                deal: self.deal.clone(),
            },
            // Too many players are rejected by `check`.
            players: u8::try_from(self.hands.len()).unwrap_or(u8::MAX),
            deck: self.deck,
            renderer,
            lang,
            corrections: self.corrections.clone(),
            format: JournalFormat::V1,
        }
    }

    const fn rules(&self) -> &Ruleset {
        &self.rules
    }

    const fn deal(&self) -> &Deal {
        &self.deal
    }

    fn corrections(&self) -> &[Correction] {
        &self.corrections
    }

    /// The game before its first event.
    fn game(self) -> Game {
        let game = Game::new(self.rules.start(), self.hands);
        let game = game.expect("hands that the rules are for hold cards");
        game.with_chance(self.chance)
    }
}

impl Game {
    /// A game dealt from a shuffled deck, as `war` deals with `--seed`: by
    /// [`ChaCha8`](crate::cards::ChaCha8), which also decides all later chance.
    ///
    /// # Examples
    ///
    /// ```
    /// use war::{CLASSIC, Deck, Game};
    ///
    /// let mut game = Game::shuffled(CLASSIC, Deck::Small, 4, 1)?;
    /// game.by_ref().for_each(drop);
    /// assert_eq!(game.table().turn(), 19);
    /// assert!(Game::shuffled(CLASSIC, Deck::Small, 6, 1).is_err());
    /// # Ok::<(), war::journal::Problem>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`Problem`] if the rules don't allow this deck or this number of players.
    pub fn shuffled(
        rules: impl Into<Ruleset>,
        deck: Deck,
        players: u8,
        seed: u64,
    ) -> Result<Self, Problem> {
        let opening = NewGame::shuffled(rules, deck, players, Generator::ChaCha8 { seed })?;
        Ok(opening.game())
    }
}

/// Parts of a token game's journal that don't follow from the game: its recorder and its screens.
///
/// If these parts are stored with the events of a finished game, any later program writes the same
/// journal, with the [`digest`](Self::digest) that others have noted.
///
/// # Examples
///
/// ```
/// use war::journal::CommittedGame;
/// use war::lang::Lang;
/// use war::recording::RecordingMetadata;
/// use war::replay::verify;
/// use war::tokens::TokenEvent;
///
/// fn is_reproduced(committed: CommittedGame, events: &[TokenEvent]) -> bool {
///     let settled = RecordingMetadata::from_events("example 1", committed, Lang::En, events).unwrap();
///     let journal = settled.write_journal(committed, events).unwrap();
///     verify(&journal[..]).unwrap().end().unwrap().digest == settled.digest
/// }
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordingMetadata {
    /// The program that recorded the game, with its version.
    pub engine: String,
    /// The language of the screens.
    pub lang: Lang,
    /// The version of the screens.
    pub renderer: u32,
    /// The digest of the screens.
    pub console: ConsoleDigest,
    /// The final digest of the journal.
    pub digest: Hex<16>,
}

impl RecordingMetadata {
    /// Computes the metadata of a game with these events, with the current screens in this
    /// language.
    ///
    /// # Errors
    ///
    /// [`TokenApplyError`] if the events are not those of a game.
    pub fn from_events(
        engine: &str,
        committed: CommittedGame,
        lang: Lang,
        events: &[TokenEvent],
    ) -> Result<Self, TokenApplyError> {
        let mut console = Console::for_tokens(lang);
        let mut draft = Self {
            engine: engine.to_owned(),
            lang,
            renderer: console.renderer(),
            console: console.hasher().digest(),
            digest: Hex::ZERO,
        };
        let mut writer = Writer::new(io::sink(), &draft.header(committed));
        let game = replay_events(committed, events, |event, game| {
            console.show(event, game);
            record(&mut writer, event, game);
        })?;
        draft.console = console.hasher().digest();
        draft.digest = finish(writer, &game, draft.console).digest;
        Ok(draft)
    }

    /// Writes the journal of the game with these events.
    ///
    /// # Errors
    ///
    /// [`TokenApplyError`] if the events are not those of a game.
    pub fn write_journal(
        &self,
        committed: CommittedGame,
        events: &[TokenEvent],
    ) -> Result<Vec<u8>, TokenApplyError> {
        let mut journal = Vec::new();
        let mut writer = Writer::new(&mut journal, &self.header(committed));
        let game = replay_events(committed, events, |event, game| {
            record(&mut writer, event, game);
        })?;
        finish(writer, &game, self.console);
        Ok(journal)
    }

    fn header(&self, committed: CommittedGame) -> Header {
        Header {
            engine: self.engine.clone(),
            rules: RecordedRules::Tokens(committed),
            players: 2,
            deck: Deck::Large,
            renderer: self.renderer,
            lang: self.lang,
            corrections: Vec::new(),
            format: JournalFormat::V1,
        }
    }
}

/// Writes an event into memory.
fn record(writer: &mut Writer<impl Medium>, event: &TokenEvent, game: &TokenGame) {
    let written = writer.record(event, game);
    written.expect("memory takes every byte");
}

/// Ends a journal in memory.
fn finish(writer: Writer<impl Medium>, game: &TokenGame, printed: ConsoleDigest) -> End {
    let end = writer.finish(game.reason(), printed);
    end.expect("memory takes every byte")
}

/// Applies the events to a new game, and calls `observe` with the game after each event.
fn replay_events(
    committed: CommittedGame,
    events: &[TokenEvent],
    mut observe: impl FnMut(&TokenEvent, &TokenGame),
) -> Result<TokenGame, TokenApplyError> {
    let mut game = TokenGame::new(committed.rules, committed.game, committed.secret);
    for event in events {
        game.apply(event)?;
        observe(event, &game);
    }
    Ok(game)
}

/// Writes the journal of a finished token game.
///
/// `engine` is the program that played the game, with its version; `lang` is the language of the
/// screens whose digest the end record holds.
///
/// # Examples
///
/// ```
/// use war::engine::Seat;
/// use war::support::hex::Hex;
/// use war::journal::CommittedGame;
/// use war::lang::Lang;
/// use war::recording::write_token_journal;
/// use war::replay::verify;
/// use war::tokens::{Decision, Kind, Move, Secret, TokenEvent, TokenGame, TokenRules, commitment};
///
/// let secret = Secret::new(Hex::new([7; 32]));
/// let (rules, number) = (TokenRules::current(Kind::Single), 1);
/// let mut game = TokenGame::new(rules, number, secret);
/// let seeds = [Hex::new([1; 32]), Hex::new([2; 32])];
/// let seed_hashes = seeds.each_ref().map(commitment);
/// let mut events = vec![TokenEvent::Committed { players: [12, 7], seed_hashes }];
/// game.apply(&events[0]).unwrap();
/// for step in [
///     Move::Open(Seat::FIRST, seeds[0]),
///     Move::Open(Seat::SECOND, seeds[1]),
///     Move::Decide(Seat::FIRST, Decision::Fold),
///     Move::Decide(Seat::SECOND, Decision::Fold),
/// ] {
///     let mut due = Some(game.decide(&step).unwrap());
///     while let Some(event) = due {
///         game.apply(&event).unwrap();
///         events.push(event);
///         due = game.due_event();
///     }
/// }
///
/// let commitment = secret.commitment();
/// let committed = CommittedGame { rules, game: number, commitment, secret };
/// let journal = write_token_journal("example", committed, Lang::En, &events).unwrap();
/// assert_eq!(verify(&journal[..]).unwrap().end().unwrap().events, 7);
/// ```
///
/// # Errors
///
/// [`TokenApplyError`] if the events are not those of a game.
///
/// # Panics
///
/// Never: writing to memory does not fail.
pub fn write_token_journal(
    engine: &str,
    committed: CommittedGame,
    lang: Lang,
    events: &[TokenEvent],
) -> Result<Vec<u8>, TokenApplyError> {
    RecordingMetadata::from_events(engine, committed, lang, events)?
        .write_journal(committed, events)
}
