use war::cards::Deck;
use war::rules::{CLASSIC, Parameters, VARIANTS, Variant};

/// Rules of a simulation that have a name, with their deck.
///
/// # Examples
///
/// ```
/// use war::cards::Deck;
/// use war::rules::Parameters;
/// use war_simulate::NamedRules;
///
/// let rules = NamedRules::named("bataille").unwrap();
/// assert_eq!((rules.parameters, rules.deck), (Parameters::BATAILLE, Deck::Large));
/// assert_eq!(NamedRules::default().name, "classic");
/// ```
#[derive(Debug, Clone, Copy)]
pub struct NamedRules {
    /// The name.
    pub name: &'static str,
    /// The parameters.
    pub parameters: Parameters,
    /// The deck, where no other one is chosen.
    pub deck: Deck,
}

impl NamedRules {
    /// All of them: the editions, then rules that are nothing else.
    #[must_use]
    pub fn all() -> Vec<Self> {
        let editions = VARIANTS.iter().filter(|variant| variant.is_an_edition());
        let bataille = Self {
            name: "bataille",
            parameters: Parameters::BATAILLE,
            deck: Deck::Large,
        };
        editions.map(Self::of).chain([bataille]).collect()
    }

    /// The rules of this name, in any letter case.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        let is_named = |rules: &Self| rules.name.eq_ignore_ascii_case(name);
        Self::all().into_iter().find(is_named)
    }

    /// The rules of an edition, with its largest deck.
    fn of(variant: &Variant) -> Self {
        let decks = variant.decks.iter().copied();
        Self {
            name: variant.name(),
            parameters: variant.parameters,
            deck: decks.max_by_key(|deck| deck.size()).unwrap_or(Deck::Large),
        }
    }
}

/// The classic edition, which is played where no rules are named.
impl Default for NamedRules {
    fn default() -> Self {
        Self::of(&CLASSIC)
    }
}
