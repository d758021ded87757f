//! Opening journals, and reporting what they turned out to be.

use crate::app::exit::{Exit, Failure};
use crate::app::messages::unreadable;
use crate::app::terminal::Terminal;
use crate::app::text::display;
use crate::excerpt::excerpt;
use crate::host::progress::Progress;
use crate::host::signals::is_interrupted;
use crate::host::standard;
use crate::i18n::{Count, Text, text};
use crate::journal::{End, Fault, ReadError, Reason, Verdict};
use crate::replay::{Observer, Replay};
use std::io::Read;
use std::path::Path;

/// The most characters printed of an event or of hands: a deck and its events are shorter.
const LONGEST_TOLD: usize = 4000;

/// What a journal is read from.
pub(crate) type Input = Progress<Box<dyn Read>>;

/// Opens a journal, or standard input for `-`; `quiet` where nothing else is printed.
pub(crate) fn open(path: &Path, quiet: bool) -> Result<Input, Failure> {
    let opened = standard::open_measured(path);
    let (file, bytes) = opened.map_err(|error| unreadable(path, &error))?;
    Ok(Progress::new(file, bytes, quiet))
}

/// Verifies a journal from where it is to its end.
pub(crate) fn to_the_end(
    replay: &mut Replay<'_>,
    observer: &mut dyn Observer,
) -> Result<End, ReadError> {
    while replay.event(observer)? {}
    replay.end()
}

/// Prints the verdict on a journal to standard error.
///
/// `events` is how many were verified.
pub(crate) fn conclude(
    path: &Path,
    result: Result<End, ReadError>,
    events: u64,
    terminal: &mut Terminal,
) -> Result<Exit, Failure> {
    let (line, verdict) = judge(path, result, events, terminal)?;
    terminal.tell_verdict(verdict, &line);
    Ok(verdict.into())
}

/// The line that says what a journal is, and the verdict in it; what is wrong is printed to
/// standard error.
pub(crate) fn judge(
    path: &Path,
    result: Result<End, ReadError>,
    events: u64,
    terminal: &mut Terminal,
) -> Result<(Text, Verdict), Failure> {
    match result {
        Ok(end) => {
            let verdict = match end.reason {
                Reason::CutOff => Verdict::Incomplete,
                _ => Verdict::Verified,
            };
            Ok((whole(path, &end, verdict), verdict))
        }
        Err(ReadError::Io(_)) if is_interrupted() => {
            let text = text!(
                ReplayInterrupted,
                file = display(path),
                events = Count(events)
            );
            Err(Failure::new(Exit::Incomplete, text))
        }
        Err(ReadError::Io(error)) => Err(unreadable(path, &error)),
        Err(ReadError::Fault(fault)) => {
            tell_fault(path, &fault, terminal);
            let verdict = fault.verdict();
            let line = text!(
                VerdictFault,
                verdict = verdict.word(),
                file = display(path),
                events = Count(events)
            );
            Ok((line, verdict))
        }
    }
}

/// Reports that a journal is intact, but has this fault: it is not the one demanded.
pub(crate) fn unexpected(path: &Path, end: &End, fault: &Fault, terminal: &mut Terminal) -> Exit {
    tell_fault(path, fault, terminal);
    let verdict = fault.verdict();
    terminal.tell_verdict(verdict, &whole(path, end, verdict));
    verdict.into()
}

/// The verdict on a journal that could be read to its end.
fn whole(path: &Path, end: &End, verdict: Verdict) -> Text {
    let outcome = match end.reason {
        Reason::Won(seat) => text!(OutcomeWon, winner = usize::from(seat.number())),
        Reason::Endless => text!(OutcomeEndless),
        Reason::Folded => text!(OutcomeFolded),
        Reason::Drawn => text!(OutcomeDrawn),
        Reason::Stopped(_) => text!(OutcomeStopped),
        Reason::CutOff => text!(OutcomeCutOff),
    };
    text!(
        Verdict,
        verdict = verdict.word(),
        file = display(path),
        events = Count(end.events),
        turns = Count(end.turns.into()),
        outcome = outcome,
        digest = end.chain.to_string()
    )
}

fn tell_fault(path: &Path, fault: &Fault, terminal: &mut Terminal) {
    let catalogue = terminal.catalogue;
    let text = Text::from(&fault.problem);
    let hint = catalogue.hint(&text);
    let hint = hint.map(|hint| format!("; {hint}")).unwrap_or_default();
    terminal.say(&format!(
        "{}:{}:{}: {} {}{hint}",
        display(path),
        fault.at.line,
        fault.at.column,
        fault.code(),
        catalogue.text(&text),
    ));
    if let Some(divergence) = &fault.divergence {
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
        let text = text!(
            Divergence,
            seq = divergence.seq.to_string(),
            line = fault.at.line.to_string(),
            turn = divergence.turn,
            journal = told(&divergence.journal),
            rules = rules,
            journal_hands = hands(&divergence.journal_hands),
            rules_hands = hands(&divergence.rules_hands)
        );
        terminal.tell(&text);
    }
}
