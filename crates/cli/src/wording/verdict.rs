//! The verdict on a journal, in words.

use war::i18n::{Count, Text, text};
use war::journal::{Deal, Header, Judgement, Proof, Reason, RecordedRules};

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

/// What a journal with this header proves of its cards where it verifies; its game had so many
/// turns.
fn proof_text(header: &Header, turns: u32) -> Text {
    let deal = match &header.rules {
        RecordedRules::War { deal, .. } => Some(deal),
        RecordedRules::Tokens(_) => None,
    };
    match (header.proof(), deal) {
        (Proof::Seed(generator), Some(Deal::Fixed { .. })) => {
            text!(ProofFixed, seed = generator.seed())
        }
        (Proof::Seed(generator), _) => text!(ProofSeed, seed = generator.seed()),
        // A token game ends without cards where a seed was not opened.
        (Proof::Commitment, _) if turns == 0 => text!(ProofUndealt),
        (Proof::Commitment, _) => text!(ProofCommitment),
        (Proof::Journal, Some(Deal::Imported)) => text!(ProofImport),
        (Proof::Journal, _) => text!(ProofScenario),
    }
}
