use crate::i18n::{Catalogue, Message, Text};
use crate::simulate::{Dealing, GameSetup};

/// What is dealt.
#[must_use]
pub fn dealt(rules: &GameSetup) -> Text {
    match &rules.dealing {
        Dealing::Shuffled => Text::new(Message::SIM_DEAL_SHUFFLED).with("deck", rules.deck.name()),
        Dealing::Fixed { seat, cards } => {
            let cards: Vec<_> = cards.iter().map(ToString::to_string).collect();
            Text::new(Message::SIM_DEAL_FIXED)
                .with("deck", rules.deck.name())
                .with("player", seat.number().to_string())
                .with("hand", cards.join(" "))
        }
        Dealing::Given { name, .. } => {
            Text::new(Message::SIM_DEAL_GIVEN).with("name", name.as_str())
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
        catalogue.text(&Text::new(Message::SIM_LIMIT).with("turns", turns))
    })
}
