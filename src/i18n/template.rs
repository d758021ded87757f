use super::Hole;

/// A text with `N` holes in it.
///
/// # Examples
///
/// ```
/// use war::i18n::{Catalogue, Hole, Lang, text};
///
/// let english = Catalogue::of(Lang::En).unwrap();
/// let lasted = english.template(&text!(WarLasted, rounds = Hole(0)));
/// let mut line = String::new();
/// lasted.fill(&mut line, ["3"]);
/// assert_eq!(line, "War lasted 3 rounds.");
/// ```
#[derive(Debug, Clone)]
pub struct Template<const N: usize> {
    start: String,
    /// The number of a hole, and the words that follow it.
    rest: Vec<(usize, String)>,
}

impl<const N: usize> Template<N> {
    /// Cuts a text at the marks of its holes.
    pub(super) fn parse(text: &str) -> Self {
        let mut template = Self {
            start: String::new(),
            rest: Vec::new(),
        };
        for character in text.chars() {
            match (Hole::of(character), template.rest.last_mut()) {
                (Some(Hole(number)), _) => template.rest.push((number.into(), String::new())),
                (None, Some((_, words))) => words.push(character),
                (None, None) => template.start.push(character),
            }
        }
        template
    }

    /// Appends the text with these values in its holes; a hole of a number that is not below
    /// `N` stays empty.
    pub fn fill(&self, out: &mut String, values: [&str; N]) {
        out.push_str(&self.start);
        for (hole, words) in &self.rest {
            out.push_str(values.get(*hole).copied().unwrap_or_default());
            out.push_str(words);
        }
    }
}
