use crate::i18n::{Catalogue, Text, text};
use crate::simulate::{Dealing, GameSetup};

/// What is dealt.
#[must_use]
pub fn dealt(rules: &GameSetup) -> Text {
    match &rules.dealing {
        Dealing::Shuffled => text!(SimDealShuffled, deck = rules.deck.name()),
        Dealing::Fixed { seat, cards } => {
            let cards: Vec<_> = cards.iter().map(ToString::to_string).collect();
            text!(
                SimDealFixed,
                deck = rules.deck.name(),
                player = seat.number().to_string(),
                hand = cards.join(" ")
            )
        }
        Dealing::Given { name, .. } => {
            text!(SimDealGiven, name = name.as_str())
        }
    }
}

/// How many turns a game may last, where the rules say so.
#[must_use]
pub fn limit(rules: &GameSetup, catalogue: &Catalogue) -> String {
    limit_text(rules.most_turns(), catalogue)
}

/// A limit of turns behind other rules, or nothing.
#[must_use]
pub fn limit_text(turns: Option<u32>, catalogue: &Catalogue) -> String {
    turns.map_or_else(String::new, |turns| {
        catalogue.text(&text!(SimLimit, turns = turns))
    })
}
