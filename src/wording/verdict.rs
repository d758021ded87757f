//! The verdict on a journal, in words.

use super::journal::proof_text;
use crate::i18n::{Count, Text, text};
use crate::journal::{Judgement, Reason};

/// The line that says what the journal in this file is, beginning with the verdict.
pub(crate) fn verdict_text(file: &str, judgement: &Judgement) -> Text {
    let verdict = judgement.verdict().word();
    let (Some(header), Some(end)) = (judgement.header(), judgement.end()) else {
        let events = Count(judgement.events());
        return text!(
            VerdictFault,
            verdict = verdict,
            file = file,
            events = events
        );
    };
    text!(
        Verdict,
        verdict = verdict,
        file = file,
        events = Count(end.events),
        turns = Count(end.turns.into()),
        outcome = outcome(end.reason),
        proof = proof_text(header, end.turns),
        digest = end.chain.to_string()
    )
}

fn outcome(reason: Reason) -> Text {
    match reason {
        Reason::Won(seat) => text!(OutcomeWon, winner = usize::from(seat.number())),
        Reason::Endless => text!(OutcomeEndless),
        Reason::Folded => text!(OutcomeFolded),
        Reason::Drawn => text!(OutcomeDrawn),
        Reason::Stopped(_) => text!(OutcomeStopped),
        Reason::CutOff => text!(OutcomeCutOff),
    }
}
