use super::palette::Palette;
use crate::watch::watching::{Motion, Watching};
use war::i18n::{Catalogue, Text};

/// What is drawn, and how.
pub(super) struct Look<'a> {
    pub(super) watching: &'a Watching,
    pub(super) catalogue: &'static Catalogue,
    pub(super) palette: Palette,
}

impl Look<'_> {
    /// The text in the language of the picture.
    pub(super) fn words(&self, text: &Text) -> String {
        self.catalogue.text(text)
    }

    /// Whether turns follow each other by themselves.
    pub(super) const fn moves(&self) -> bool {
        !matches!(self.watching.motion(), Motion::Paused)
    }
}
