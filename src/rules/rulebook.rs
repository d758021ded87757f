use super::own::OwnRules;

/// The rules that a program knows beside the editions: those that it brings along.
///
/// # Examples
///
/// ```
/// use war::rules::{CLASSIC, Flow, OwnRules, Rulebook, Scenarios};
///
/// let quick = OwnRules {
///     id: "acme:quick/1".parse().unwrap(),
///     players: (2, 2),
///     decks: &[],
///     scenarios: Scenarios::Any,
///     start: || Box::new(Flow::new(CLASSIC.parameters.with_limit(10))),
///     screens: None,
/// };
/// let book = Rulebook::default().with(quick);
/// assert!(book.find("acme:quick/1").is_some());
/// assert!(book.find("acme:quick/2").is_none());
/// ```
#[derive(Debug, Clone, Default)]
pub struct Rulebook(Vec<OwnRules>);

impl Rulebook {
    /// The same book with one more set of rules. Of rules with the same id, those that were
    /// registered last count.
    #[must_use]
    pub fn with(mut self, rules: OwnRules) -> Self {
        self.0.retain(|known| known.id != rules.id);
        self.0.push(rules);
        self
    }

    /// The rules with this id, if they were registered.
    #[must_use]
    pub fn find(&self, id: &str) -> Option<&OwnRules> {
        self.0.iter().find(|rules| rules.id.as_str() == id)
    }
}
