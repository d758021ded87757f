//! The console screens, one file an edition.

mod classic;
mod duels;
mod leader;
mod seats;
mod tokens;
mod xy;

pub use seats::correction_text;
pub use xy::XyRow;

use crate::engine::{Projection, Table};
use crate::i18n::Catalogue;
use crate::rules::setup::Correction;
use crate::rules::{CLASSIC, DUELS, DUELS_DEFAULT, DUELS_RANDOM, DUELS_SHUFFLE, Variant, XY};
use crate::tokens::TokenGame;
use classic::ClassicScreens;
use duels::DuelsScreens;
use tokens::TokenScreens;
use xy::XyScreens;

/// The version of the screens' wording and layout.
///
/// A journal names the version that printed its game: bytes can only be compared with
/// those of the same version.
pub const RENDERER: u32 = 1;

/// What closes a screen: nine `=` and two empty lines.
pub const SEPARATOR: &str = "=========\n\n\n";

/// The lines around a banner: 64 `=`.
const RULE: &str = "================================================================\n";

/// How the cards of a game came, as far as its screens say so.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Origin {
    /// From a shuffled deck: the screens show the dealing.
    Dealt,
    /// From a scenario of this name: the screens name it instead.
    Scenario(String),
}

/// What screens need to know of a game before its first event.
#[derive(Debug, Clone)]
pub struct Start {
    /// The language.
    pub catalogue: &'static Catalogue,
    /// How the cards came.
    pub origin: Origin,
    /// What was typed wrong, to be printed before all else.
    pub corrections: Vec<Correction>,
}

/// The screens of a token game.
#[must_use]
pub fn token_screens(catalogue: &'static Catalogue) -> Box<dyn Projection<TokenGame>> {
    Box::new(TokenScreens::new(catalogue))
}

/// An edition: rules, and the screens that tell of them.
#[derive(Debug, Clone, Copy)]
pub struct Edition {
    /// The rules.
    pub rules: Variant,
    screens: fn(Start) -> Box<dyn Projection<Table>>,
}

impl Edition {
    /// Every edition.
    pub const ALL: [Self; 6] = [
        Self {
            rules: CLASSIC,
            screens: |start| Box::new(ClassicScreens::new(start)),
        },
        Self {
            rules: XY,
            screens: |start| Box::new(XyScreens::new(&start)),
        },
        Self {
            rules: DUELS,
            screens: |start| Box::new(DuelsScreens::new(start, None)),
        },
        Self {
            rules: DUELS_DEFAULT,
            screens: |start| Box::new(DuelsScreens::new(start, Some("default"))),
        },
        Self {
            rules: DUELS_SHUFFLE,
            screens: |start| Box::new(DuelsScreens::new(start, Some("shuffle"))),
        },
        Self {
            rules: DUELS_RANDOM,
            screens: |start| Box::new(DuelsScreens::new(start, Some("random"))),
        },
    ];

    /// The screens of a new game.
    #[must_use]
    pub fn screens(&self, start: Start) -> Box<dyn Projection<Table>> {
        (self.screens)(start)
    }

    /// The edition that tells of these rules: theirs, or else the classic one.
    #[must_use]
    pub fn of(rules: &Variant) -> Self {
        let [classic, others @ ..] = Self::ALL;
        let known = |edition: &Self| edition.rules.id == rules.id;
        let edition = others.into_iter().find(known).unwrap_or(classic);
        Self {
            rules: *rules,
            ..edition
        }
    }
}
