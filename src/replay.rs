//! Replay: a journal, verified and folded through the screens in one pass.

use crate::engine::{Event, Table};
use crate::i18n::{Catalogue, Lang};
use crate::journal::{ConsoleDigest, Deal, End, Header, Printed, ReadError, Verifier};
use crate::projections::screens::{Edition, Origin, RENDERER, Screens, Start};
use std::io::Read;

/// A game read from a journal, event by event, with what it prints.
///
/// What comes out is an exact prefix of what the live game printed.
pub struct Replay<R> {
    verifier: Verifier<R>,
    screens: Box<dyn Screens>,
    lang: Lang,
    digest: ConsoleDigest,
    text: String,
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
        let words = Catalogue::of(lang).expect("the built-in catalogues are tested");
        let origin = match &header.deal {
            Deal::Shuffled { .. } | Deal::Fixed { .. } | Deal::Imported => Origin::Dealt,
            Deal::Scenario { name } => Origin::Scenario(name.clone()),
        };
        let screens = Edition::of(&header.rules).screens(Start {
            words,
            origin,
            corrections: header.corrections.clone(),
        });
        Ok(Self {
            verifier,
            screens,
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

    /// The table after the event last found true.
    #[must_use]
    pub const fn table(&self) -> &Table {
        self.verifier.table()
    }

    /// The number of events found true so far.
    #[must_use]
    pub const fn events(&self) -> u64 {
        self.verifier.events()
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
            self.screens.show(event, &mut self.text);
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
