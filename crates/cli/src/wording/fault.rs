//! What is wrong with a journal, and where.

use war::i18n::{Catalogue, Text, text};
use war::journal::{Code, Fault};
use war::support::excerpt::excerpt;

/// The most characters printed of an event or of hands: a deck and its events are shorter.
const LONGEST_TOLD: usize = 4000;

/// The line about a fault of this file, before which so many events are intact.
pub(crate) fn fault_line(file: &str, fault: &Fault, events: u64, catalogue: &Catalogue) -> String {
    let text = Text::from(&fault.problem);
    // What can't be read as a record may be what a power cut left.
    let is_torn = matches!(fault.code(), Code::NotJson | Code::Field) && events > 0;
    let salvage = is_torn.then(|| catalogue.text(&text!(JournalSalvage)));
    let hints = catalogue.hint(&text).into_iter().chain(salvage);
    let parts: Vec<_> = [catalogue.text(&text)].into_iter().chain(hints).collect();
    format!("{file}:{}: {} {}", fault.at, fault.code(), parts.join("; "))
}

/// What the journal and the rules say where they part.
pub(crate) fn divergence_text(fault: &Fault, catalogue: &Catalogue) -> Option<Text> {
    let divergence = fault.divergence.as_ref()?;
    let told = |text: &str| excerpt(text, LONGEST_TOLD);
    let rules = match divergence.rules.as_str() {
        "" => catalogue.text(&text!(RulesAllowNone)),
        rules => told(rules),
    };
    let impossible = catalogue.text(&text!(ImpossibleEvent));
    let hands = |hands: &str| match hands {
        "" => impossible.clone(),
        hands => told(hands),
    };
    Some(text!(
        Divergence,
        seq = divergence.seq.to_string(),
        line = fault.at.line.to_string(),
        turn = divergence.turn,
        journal = told(&divergence.journal),
        rules = rules,
        journal_hands = hands(&divergence.journal_hands),
        rules_hands = hands(&divergence.rules_hands)
    ))
}
