//! Replay: a journal, verified and folded through the screens in one pass.
//!
//! Token games are recorded here too, for their journal is made once they are over.

use crate::cards::Deck;
use crate::i18n::{Catalogue, Lang};
use crate::journal::{
    Committed, ConsoleDigest, Deal, End, Event, Header, Moment, Position, Printed, ReadError,
    Reason, Rules, Verifier, Writer,
};
use crate::projections::screens::{Edition, Origin, RENDERER, Screens, Start, TokenScreens};
use crate::tokens::{self, ApplyError, TokenGame};
use std::io::Read;

/// A game read from a journal, event by event, with what it prints.
///
/// What comes out is an exact prefix of what the live game printed.
pub struct Replay<R> {
    verifier: Verifier<R>,
    screens: Shown,
    lang: Lang,
    digest: ConsoleDigest,
    text: String,
}

/// The screens of a recorded game.
enum Shown {
    War(Box<dyn Screens>),
    Tokens(TokenScreens),
}

impl<R: Read> Replay<R> {
    /// Opens a journal; `lang` renders it anew in another language.
    ///
    /// # Errors
    ///
    /// As [`Verifier::open`].
    ///
    /// # Panics
    ///
    /// If a catalogue built into the program is broken.
    pub fn open(input: R, lang: Option<Lang>) -> Result<Self, ReadError> {
        let verifier = Verifier::open(input)?;
        let header = verifier.header();
        let lang = lang.unwrap_or(header.lang);
        let catalogue = Catalogue::of(lang).expect("the built-in catalogues are tested");
        Ok(Self {
            screens: screens(header, catalogue),
            verifier,
            lang,
            digest: ConsoleDigest::default(),
            text: String::new(),
        })
    }

    /// The journal's header.
    #[must_use]
    pub const fn header(&self) -> &Header {
        self.verifier.header()
    }

    /// The event last found true, with its game as it is after it.
    #[must_use]
    pub fn moment<'a>(&'a self, event: &'a Event) -> Moment<'a> {
        self.verifier.moment(event)
    }

    /// The turn played last: of a token game, the number of the deal.
    #[must_use]
    pub const fn turn(&self) -> u32 {
        self.verifier.turn()
    }

    /// The number of events found true so far.
    #[must_use]
    pub const fn events(&self) -> u64 {
        self.verifier.events()
    }

    /// Where the record read last begins.
    #[must_use]
    pub const fn position(&self) -> Position {
        self.verifier.position()
    }

    /// What the event last found true printed.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The digest of what was printed so far.
    #[must_use]
    pub fn printed(&self) -> Printed {
        self.digest.printed()
    }

    /// Whether this replay prints the bytes that the live game printed.
    #[must_use]
    pub fn prints_the_same(&self) -> bool {
        self.header().renderer == RENDERER && self.header().lang == self.lang
    }

    /// The next event, found true; [`Replay::text`] is what it prints.
    ///
    /// # Errors
    ///
    /// As [`Verifier::event`].
    pub fn event(&mut self) -> Result<Option<Event>, ReadError> {
        self.text.clear();
        let event = self.verifier.event()?;
        if let Some(event) = &event {
            match (&mut self.screens, event) {
                (Shown::War(screens), Event::War(event)) => screens.show(event, &mut self.text),
                (Shown::Tokens(screens), Event::Tokens(event)) => {
                    screens.show(event, &mut self.text);
                }
                _ => unreachable!("the screens are those of the header's rules"),
            }
            self.digest.update(&self.text);
        }
        Ok(event)
    }

    /// The end record, found true; to be called once, after the last event.
    ///
    /// # Errors
    ///
    /// As [`Verifier::end`].
    pub fn end(&mut self) -> Result<End, ReadError> {
        let same = self.prints_the_same();
        self.verifier.end(same.then(|| self.digest.printed()))
    }
}

/// The journal of a token game, with all that `war replay` prints of it.
///
/// `engine` is the program that played it, with its version; `lang` is the language of
/// the screens whose digest the end record holds.
///
/// # Errors
///
/// [`ApplyError`] where the events are not those of a game.
///
/// # Panics
///
/// If a catalogue built into the program is broken.
pub fn token_journal(
    engine: &str,
    committed: Committed,
    lang: Lang,
    events: &[tokens::TokenEvent],
) -> Result<Vec<u8>, ApplyError> {
    let header = Header {
        engine: engine.to_owned(),
        rules: Rules::Tokens(committed),
        players: 2,
        deck: Deck::Large,
        deal: Deal::Committed,
        renderer: RENDERER,
        lang,
        corrections: Vec::new(),
    };
    let catalogue = Catalogue::of(lang).expect("the built-in catalogues are tested");
    let mut screens = token_screens(catalogue, &committed);
    let mut game = TokenGame::new(committed.kind, committed.game, committed.secret);
    let mut digest = ConsoleDigest::default();
    let mut journal = Vec::new();
    let mut writer = Writer::new(&mut journal, &header, false);
    let mut text = String::new();
    for event in events {
        game.apply(event)?;
        let recorded = writer.record((event, &game));
        recorded.expect("memory takes every byte");
        text.clear();
        screens.show(event, &mut text);
        digest.update(&text);
    }
    let finished = writer.finish(Reason::of_tokens(&game), digest.printed());
    finished.expect("memory takes every byte");
    Ok(journal)
}

/// The screens that print the game of this header.
fn screens(header: &Header, catalogue: &'static Catalogue) -> Shown {
    match &header.rules {
        Rules::War(variant) => Shown::War(Edition::of(variant).screens(Start {
            catalogue,
            origin: match &header.deal {
                Deal::Scenario { name } => Origin::Scenario(name.clone()),
                Deal::Shuffled { .. } | Deal::Fixed { .. } | Deal::Imported | Deal::Committed => {
                    Origin::Dealt
                }
            },
            corrections: header.corrections.clone(),
        })),
        Rules::Tokens(committed) => Shown::Tokens(token_screens(catalogue, committed)),
    }
}

const fn token_screens(catalogue: &'static Catalogue, committed: &Committed) -> TokenScreens {
    TokenScreens::new(
        catalogue,
        committed.kind,
        committed.game,
        committed.commitment,
        committed.secret,
    )
}
