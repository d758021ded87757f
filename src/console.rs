//! The screens of a game, which print its events as text, and the digest of their output.

use crate::engine::{Screen, State, Table};
use crate::journal::{ConsoleHasher, Deal, NO_RENDERER, SCREEN_RENDERER};
use crate::lang::Lang;
#[cfg(feature = "screens")]
use crate::projections::screens::{self, CardSource, ScreenOptions};
use crate::rules::{Ruleset, Variant};
use crate::setup::Correction;
use crate::tokens::TokenGame;

/// Version of the screens' wording and layout.
///
/// A journal names the version that printed its game, since output can only be compared with
/// output of the same version. 0 means that the game printed nothing, as in a library built without
/// the feature `screens`.
pub const RENDERER: u32 = if cfg!(feature = "screens") {
    SCREEN_RENDERER
} else {
    NO_RENDERER
};

/// The screens of a game, if it has any, with the digest of their output.
pub struct Console<S> {
    renderer: u32,
    screens: Box<dyn Screen<S>>,
    hasher: ConsoleHasher,
    printed: String,
}

impl<S: State> Console<S> {
    fn new(renderer: u32, screens: Box<dyn Screen<S>>) -> Self {
        Self {
            renderer,
            screens,
            hasher: ConsoleHasher::default(),
            printed: String::new(),
        }
    }

    /// Version of the screens; 0 if nothing is printed.
    #[must_use]
    pub const fn renderer(&self) -> u32 {
        self.renderer
    }

    /// Shows an event on the screens and returns the printed text.
    pub fn show(&mut self, event: &S::Event, state: &S) -> &str {
        self.printed.clear();
        self.screens.print(event, state, &mut self.printed);
        self.hasher.update(&self.printed);
        &self.printed
    }

    /// Text printed for the last event.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.printed
    }

    /// Hasher of all text printed so far.
    #[must_use]
    pub const fn hasher(&self) -> &ConsoleHasher {
        &self.hasher
    }
}

impl Console<Table> {
    /// The screens of a game of War.
    #[must_use]
    pub fn for_war(rules: &Ruleset, deal: &Deal, corrections: &[Correction], lang: Lang) -> Self {
        match rules {
            Ruleset::Edition(variant) => {
                Self::new(RENDERER, create_screens(variant, deal, corrections, lang))
            }
            Ruleset::Program(rules) => match rules.screens {
                // A new version of these screens comes with a new rules id.
                Some(screens) => Self::new(SCREEN_RENDERER, screens(lang)),
                None => Self::new(NO_RENDERER, Box::new(())),
            },
        }
    }
}

#[cfg(feature = "screens")]
fn create_screens(
    variant: &Variant,
    deal: &Deal,
    corrections: &[Correction],
    lang: Lang,
) -> Box<dyn Screen<Table>> {
    let source = match deal {
        Deal::Scenario { name } => CardSource::Scenario(name.clone()),
        Deal::Shuffled { .. } | Deal::Fixed { .. } | Deal::Imported => CardSource::Dealt,
    };
    let start = ScreenOptions {
        catalogue: crate::i18n::Catalogue::built_in(lang),
        source,
        corrections: corrections.to_vec(),
    };
    screens::create_screens(variant.screens, start)
}

#[cfg(feature = "screens")]
impl Console<TokenGame> {
    /// The screens of a token game.
    #[must_use]
    pub fn for_tokens(lang: Lang) -> Self {
        let catalogue = crate::i18n::Catalogue::built_in(lang);
        Self::new(RENDERER, screens::create_token_screens(catalogue))
    }
}

#[cfg(not(feature = "screens"))]
fn create_screens(_: &Variant, _: &Deal, _: &[Correction], _: Lang) -> Box<dyn Screen<Table>> {
    Box::new(())
}

#[cfg(not(feature = "screens"))]
impl Console<TokenGame> {
    /// The screens of a token game, which print nothing.
    #[must_use]
    pub fn for_tokens(_: Lang) -> Self {
        Self::new(RENDERER, Box::new(()))
    }
}
