//! Opening journals, and reporting what they turned out to be.

use crate::app::exit::{Exit, Failure};
use crate::app::messages::unreadable;
use crate::app::terminal::Terminal;
use crate::app::text::display;
use crate::excerpt::excerpt;
use crate::host::progress::Progress;
use crate::i18n::{Text, text};
use crate::journal::{End, Fault, ReadError, Reason, Verdict};
use crate::replay::{Observer, Replay};
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// Standard input, as a file name.
pub(crate) const STANDARD_INPUT: &str = "-";

/// The most characters printed of an event or of hands: a deck and its events are shorter.
const LONGEST_TOLD: usize = 4000;

/// What a journal is read from.
pub(crate) type Input = Progress<Box<dyn Read>>;

/// Opens a journal, or standard input for `-`; `quiet` where nothing else is printed.
pub(crate) fn open(path: &Path, quiet: bool) -> Result<Input, Failure> {
    if path.as_os_str() == STANDARD_INPUT {
        return Ok(Progress::new(Box::new(io::stdin()), None, quiet));
    }
    let opened = File::open(path).and_then(|file| {
        let metadata = file.metadata()?;
        if metadata.is_dir() {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        Ok((file, metadata.len()))
    });
    let (file, bytes) = opened.map_err(|error| unreadable(path, &error))?;
    Ok(Progress::new(Box::new(file), Some(bytes), quiet))
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
    let end = match result {
        Ok(end) => end,
        Err(ReadError::Io(error)) => return Err(unreadable(path, &error)),
        Err(ReadError::Fault(fault)) => return Ok(tell_fault(path, &fault, events, terminal)),
    };
    let (verdict, outcome) = match end.reason {
        Reason::Won(seat) => {
            let winner = usize::from(seat.number());
            let won = text!(OutcomeWon, winner = winner);
            (Verdict::Verified, won)
        }
        Reason::Endless => (Verdict::Verified, text!(OutcomeEndless)),
        Reason::Folded => (Verdict::Verified, text!(OutcomeFolded)),
        Reason::Drawn => (Verdict::Verified, text!(OutcomeDrawn)),
        Reason::Stopped(_) => (Verdict::Verified, text!(OutcomeStopped)),
        Reason::CutOff => (Verdict::Incomplete, text!(OutcomeCutOff)),
    };
    let text = text!(
        Verdict,
        verdict = verdict.word(),
        file = display(path),
        events = end.events,
        turns = end.turns,
        outcome = outcome,
        digest = end.chain.to_string()
    );
    terminal.tell(&text);
    Ok(verdict.into())
}

fn tell_fault(path: &Path, fault: &Fault, events: u64, terminal: &mut Terminal) -> Exit {
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
    let verdict = fault.verdict();
    let text = text!(
        VerdictFault,
        verdict = verdict.word(),
        file = display(path),
        events = events
    );
    terminal.tell(&text);
    verdict.into()
}
