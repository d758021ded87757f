use crate::excerpt::excerpt;
use crate::i18n::{Catalogue, Text, text};
use crate::journal::{Divergence, Reason};

/// The most characters printed of an event or of hands: a deck and its events are shorter.
const LONGEST_TOLD: usize = 4000;

/// How a game ended.
pub(crate) fn outcome_text(reason: Reason) -> Text {
    match reason {
        Reason::Won(seat) => text!(OutcomeWon, winner = usize::from(seat.number())),
        Reason::Endless => text!(OutcomeEndless),
        Reason::Folded => text!(OutcomeFolded),
        Reason::Drawn => text!(OutcomeDrawn),
        Reason::Stopped(_) => text!(OutcomeStopped),
        Reason::CutOff => text!(OutcomeCutOff),
    }
}

/// What the two sides say where a journal and the rules part, on this line.
pub(crate) fn divergence_text(divergence: &Divergence, line: u64, catalogue: &Catalogue) -> Text {
    let told = |text: &str| excerpt(text, LONGEST_TOLD);
    let rules = match divergence.rules.as_str() {
        "" => catalogue.text(&text!(RulesSayOver)),
        rules => told(rules),
    };
    let impossible = catalogue.text(&text!(ImpossibleEvent));
    let hands = |hands: &str| match hands {
        "" => impossible.clone(),
        hands => told(hands),
    };
    text!(
        Divergence,
        seq = divergence.seq.to_string(),
        line = line.to_string(),
        turn = divergence.turn,
        journal = told(&divergence.journal),
        rules = rules,
        journal_hands = hands(&divergence.journal_hands),
        rules_hands = hands(&divergence.rules_hands)
    )
}
