use super::classic::ClassicScreens;
use super::duels::DuelsScreens;
use super::seats::ScreenOptions;
use super::tokens::TokenScreens;
use super::xy::XyScreens;
use crate::engine::{Screen, Table};
use crate::i18n::Catalogue;
use crate::rules::ScreenStyle;
use crate::tokens::TokenGame;

/// Creates the screens of this style for a new game.
#[must_use]
pub fn create_screens(style: ScreenStyle, start: ScreenOptions) -> Box<dyn Screen<Table>> {
    match style {
        ScreenStyle::Turns => Box::new(ClassicScreens::new(start)),
        ScreenStyle::Battles { strategy } => Box::new(DuelsScreens::new(start, strategy)),
        ScreenStyle::Rows => Box::new(XyScreens::new(&start)),
    }
}

/// Creates the screens of a token game.
#[must_use]
pub fn create_token_screens(catalogue: &'static Catalogue) -> Box<dyn Screen<TokenGame>> {
    Box::new(TokenScreens::new(catalogue))
}
