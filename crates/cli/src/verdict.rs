//! Opens journals, and reports the verdicts on them in words.

use crate::failure::{ExitStatus, Failure, read_failure};
use crate::machine::progress::{JournalInput, StdoutUse};
use crate::machine::signals::is_interrupted;
use crate::machine::terminal::Terminal;
use crate::machine::text::{hide_secret, path_text};
use std::path::Path;
use war::i18n::{Catalogue, Count, Text, text};
use war::journal::{
    Deal, Fault, FaultCode, GameEndReason, Header, Judgement, Proof, ReadError, RecordedRules,
    UnreadableJournal,
};
use war::replay::{Observer, Replay};
use war::result::{GameResult, Tally};
use war::support::sanitize::truncate_text;

/// Opens a journal, or standard input for `-`, for a command that prints nothing to standard output
/// while it reads.
pub(crate) fn open_journal(path: &Path) -> Result<JournalInput, Failure> {
    JournalInput::open(path, StdoutUse::Silent).map_err(|error| read_failure(path, &error))
}

/// Judgement of a journal, or the error that stopped its reading.
pub(crate) type JournalReading = Result<Judgement, UnreadableJournal>;

/// Reads a journal to its end, and judges it.
pub(crate) fn read_journal(
    opened: Result<Replay<'_>, ReadError>,
    observer: &mut dyn Observer,
) -> JournalReading {
    match opened {
        Ok(mut replay) => {
            let found = replay.read_to_end(observer);
            replay.judge(found)
        }
        Err(error) => judge_unopened_journal(error),
    }
}

/// Verdict on a journal that could not be opened.
pub(crate) fn judge_unopened_journal(error: ReadError) -> JournalReading {
    Judgement::from_result(Err(error), None, 0)
}

/// Result of the game in a journal, with the fields that are known.
pub(crate) fn game_result(
    reading: &JournalReading,
    path: &Path,
    tally: &Tally,
    catalogue: &Catalogue,
) -> GameResult {
    match reading {
        Ok(judgement) => GameResult::from_judgement(judgement, tally, |fault| {
            catalogue.format_text(&Text::from(&fault.problem))
        }),
        Err(unread) => {
            let message = catalogue.format_text(&read_failure(path, &unread.error).text);
            GameResult::unreadable(message, unread.header.as_deref(), unread.events)
        }
    }
}

/// Reports a journal's fault to standard error; returns the line with its verdict, and the exit
/// status.
pub(crate) fn report_faults(
    path: &Path,
    reading: &JournalReading,
    terminal: &mut Terminal,
) -> (Text, ExitStatus) {
    let file = path_text(path);
    match reading {
        Ok(judgement) => {
            if let Some(fault) = judgement.fault() {
                let line = fault_line(&file, fault, judgement.events(), terminal.catalogue);
                terminal.report_line(&line);
                if let Some(text) = divergence_text(fault, terminal.catalogue) {
                    terminal.report(&text);
                }
            }
            let exit = ExitStatus::from(judgement.verdict());
            (verdict_text(&file, judgement), exit)
        }
        Err(unread) => {
            let failure = if is_interrupted() {
                let events = Count(unread.events);
                let text = text!(ReplayInterrupted, file = file.as_str(), events = events);
                Failure::new(ExitStatus::Incomplete, text)
            } else {
                read_failure(path, &unread.error)
            };
            let exit = failure.report(terminal);
            (text!(VerdictUnreadable, file = hide_secret(&file)), exit)
        }
    }
}

/// Reports a journal as [`report_faults`] does; the returned line also names the key that signed
/// the journal, if known.
pub(crate) fn report_faults_with_key(
    path: &Path,
    reading: &JournalReading,
    key: Option<&str>,
    terminal: &mut Terminal,
) -> (Text, ExitStatus) {
    let (line, exit) = report_faults(path, reading, terminal);
    match key {
        Some(key) => (text!(VerdictSigned, line = line, key = key), exit),
        None => (line, exit),
    }
}

/// Prints the verdict on a journal to standard error.
pub(crate) fn report_verdict(
    path: &Path,
    reading: &JournalReading,
    terminal: &mut Terminal,
) -> ExitStatus {
    report_signed_verdict(path, reading, None, terminal)
}

/// Prints the verdict as [`report_verdict`] does, with the key that signed the journal.
pub(crate) fn report_signed_verdict(
    path: &Path,
    reading: &JournalReading,
    key: Option<&str>,
    terminal: &mut Terminal,
) -> ExitStatus {
    let (line, exit) = report_faults_with_key(path, reading, key, terminal);
    if let Ok(judgement) = reading {
        terminal.report_verdict(judgement.verdict(), &line);
    }
    exit
}

/// Line that begins with the verdict on a journal and summarizes the journal's game.
pub(crate) fn verdict_text(file: &str, judgement: &Judgement) -> Text {
    let verdict = judgement.verdict().name();
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
        outcome = outcome_text(end.reason),
        proof = proof_text(header, end.turns),
        digest = end.digest.to_string()
    )
}

fn outcome_text(reason: GameEndReason) -> Text {
    match reason {
        GameEndReason::Won(seat) => text!(OutcomeWon, winner = usize::from(seat.number())),
        GameEndReason::Endless => text!(OutcomeEndless),
        GameEndReason::Folded => text!(OutcomeFolded),
        GameEndReason::Drawn => text!(OutcomeDrawn),
        GameEndReason::Stopped(_) => text!(OutcomeStopped),
        GameEndReason::CutOff => text!(OutcomeCutOff),
    }
}

/// Extent to which a verified journal proves its cards; `turns` is the length of its game.
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
        // A token game ends without cards if a seed was never opened.
        (Proof::Commitment, _) if turns == 0 => text!(ProofUndealt),
        (Proof::Commitment, _) => text!(ProofCommitment),
        (Proof::Journal, Some(Deal::Imported)) => text!(ProofImport),
        (Proof::Journal, _) => text!(ProofScenario),
    }
}

/// Maximum number of characters printed of an event or of hands. Real games stay below this limit.
const MAX_EXCERPT_LENGTH: usize = 4000;

/// Line about a fault in a file; `events` is the number of intact events before it.
fn fault_line(file: &str, fault: &Fault, events: u64, catalogue: &Catalogue) -> String {
    let text = Text::from(&fault.problem);
    // A record that can't be parsed may be the remains of a power failure.
    let is_torn = matches!(fault.code(), FaultCode::NotJson | FaultCode::Field) && events > 0;
    let salvage = is_torn.then(|| catalogue.format_text(&text!(JournalSalvage)));
    let hints = catalogue.format_hint(&text).into_iter().chain(salvage);
    let parts: Vec<_> = [catalogue.format_text(&text)]
        .into_iter()
        .chain(hints)
        .collect();
    format!("{file}:{}: {} {}", fault.at, fault.code(), parts.join("; "))
}

/// Text that compares the journal with the rules at the first event where they disagree.
fn divergence_text(fault: &Fault, catalogue: &Catalogue) -> Option<Text> {
    let divergence = fault.divergence.as_ref()?;
    let shorten = |text: &str| truncate_text(text, MAX_EXCERPT_LENGTH);
    let rules = match divergence.rules.as_str() {
        "" => catalogue.format_text(&text!(RulesAllowNone)),
        rules => shorten(rules),
    };
    let impossible = catalogue.format_text(&text!(ImpossibleEvent));
    let hands = |hands: &str| match hands {
        "" => impossible.clone(),
        hands => shorten(hands),
    };
    Some(text!(
        Divergence,
        seq = divergence.seq.to_string(),
        line = fault.at.line.to_string(),
        turn = divergence.turn,
        journal = shorten(&divergence.journal),
        rules = rules,
        journal_hands = hands(&divergence.journal_hands),
        rules_hands = hands(&divergence.rules_hands)
    ))
}
