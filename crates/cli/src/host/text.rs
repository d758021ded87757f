//! Texts from outside and in the player's language, as the program prints them.

use std::path::Path;
use war::i18n::{Catalogue, Lang, Text};
use war::support::visible::on_one_line;

pub(crate) fn catalogue(lang: Lang) -> &'static Catalogue {
    Catalogue::of(lang).expect("the built-in catalogues are tested")
}

/// A text as the log has it.
pub(crate) fn english(text: &Text) -> String {
    catalogue(Lang::En).text(text)
}

/// A path as a message names it: on one line, whatever it holds.
pub(crate) fn display(path: &Path) -> String {
    on_one_line(&path.display().to_string())
}
