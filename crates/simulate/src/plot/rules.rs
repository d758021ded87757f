use crate::setup::{Dealing, GameSetup};
use war::i18n::{Catalogue, Text, text};

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

/// What few games have, behind other rules.
#[must_use]
pub fn rest(rules: &GameSetup, catalogue: &Catalogue) -> String {
    rest_text(
        rules.parameters.piles.name_of_two(),
        rules.most_turns(),
        catalogue,
    )
}

/// The name of two piles and a limit of turns, behind other rules, or nothing.
#[must_use]
pub fn rest_text(piles: Option<&str>, turns: Option<u32>, catalogue: &Catalogue) -> String {
    let piles = piles.map(|piles| text!(SimPiles, piles = piles));
    let limit = turns.map(|turns| text!(SimLimit, turns = turns));
    let texts = piles.into_iter().chain(limit);
    texts.map(|text| catalogue.text(&text)).collect()
}
