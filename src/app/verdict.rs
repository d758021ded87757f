//! Opening journals, and reporting what they turned out to be.

use crate::app::exit::{Exit, Failure};
use crate::app::messages::unreadable;
use crate::app::terminal::Terminal;
use crate::app::text::display;
use crate::excerpt::excerpt;
use crate::hex::Hex;
use crate::host::progress::Progress;
use crate::host::signals::is_interrupted;
use crate::host::standard;
use crate::i18n::{Catalogue, Count, Text, text};
use crate::journal::{End, Fault, Header, Position, ReadError, Reason, RecordError, Verdict};
use crate::replay::{Observer, Replay};
use crate::result::{GameResult, Tally};
use crate::wording::proof_text;
use std::io::{self, Read};
use std::path::Path;

/// The most characters printed of an event or of hands: a deck and its events are shorter.
const LONGEST_TOLD: usize = 4000;

/// What a journal is read from.
pub(crate) type Input = Progress<Box<dyn Read + Send>>;

/// Opens a journal, or standard input for `-`; `quiet` where nothing else is printed.
pub(crate) fn open(path: &Path, quiet: bool) -> Result<Input, Failure> {
    try_open(path, quiet).map_err(|error| unreadable(path, &error))
}

/// Opens a journal as [`open`] does.
pub(crate) fn try_open(path: &Path, quiet: bool) -> io::Result<Input> {
    let (file, bytes) = standard::open_measured(path)?;
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

/// What a journal that was read turned out to be.
pub(crate) enum Reading {
    /// It was read to its end.
    Whole {
        header: Header,
        end: End,
        /// Why it is not the journal demanded.
        unexpected: Option<Fault>,
    },
    /// It could not be read on after so many events that are true.
    Faulty {
        header: Option<Header>,
        events: u64,
        error: ReadError,
    },
}

impl From<ReadError> for Reading {
    /// What could not even be opened.
    fn from(error: ReadError) -> Self {
        Self::Faulty {
            header: None,
            events: 0,
            error,
        }
    }
}

impl Reading {
    /// What a replay read to this end.
    pub(crate) fn of(replay: &Replay<'_>, result: Result<End, ReadError>) -> Self {
        let header = replay.header().clone();
        match result {
            Ok(end) => Self::Whole {
                header,
                end,
                unexpected: None,
            },
            Err(error) => Self::Faulty {
                header: Some(header),
                events: replay.events(),
                error,
            },
        }
    }

    /// What a journal turns out to be that is read to its end.
    pub(crate) fn to_the_end(
        opened: Result<Replay<'_>, ReadError>,
        observer: &mut dyn Observer,
    ) -> Self {
        match opened {
            Ok(mut replay) => {
                let end = to_the_end(&mut replay, observer);
                Self::of(&replay, end)
            }
            Err(error) => error.into(),
        }
    }

    /// The same, where this is wrong with the journal's signature.
    pub(crate) fn signed_otherwise(mut self, problem: RecordError) -> Self {
        if let Self::Whole { unexpected, .. } = &mut self {
            let file = Position { line: 1, column: 1 };
            *unexpected = Some(Fault::new(file, problem));
        }
        self
    }

    /// The same, where this final digest was demanded.
    pub(crate) fn demanding(mut self, expected: Option<Hex<16>>, replay: &Replay<'_>) -> Self {
        if let Self::Whole {
            end, unexpected, ..
        } = &mut self
            && let Some(expected) = expected
            && end.chain != expected
        {
            let found = end.chain;
            let problem = RecordError::Digest { expected, found };
            *unexpected = Some(Fault::new(replay.position(), problem));
        }
        self
    }

    /// Whether it was read to its end.
    pub(crate) const fn is_whole(&self) -> bool {
        matches!(self, Self::Whole { .. })
    }

    /// What is wrong with the journal.
    const fn fault(&self) -> Option<&Fault> {
        match self {
            Self::Whole { unexpected, .. } => unexpected.as_ref(),
            Self::Faulty { error, .. } => match error {
                ReadError::Fault(fault) => Some(fault),
                ReadError::Io(_) => None,
            },
        }
    }

    /// The verdict; none on a file that can't be read.
    fn verdict(&self) -> Option<Verdict> {
        match self {
            Self::Whole {
                end, unexpected, ..
            } => Some(unexpected.as_ref().map_or(end.verdict(), Fault::verdict)),
            Self::Faulty { .. } => self.fault().map(Fault::verdict),
        }
    }

    /// The line that says what the journal is, beginning with the verdict.
    fn line(&self, path: &Path) -> Text {
        let file = display(path);
        let Some(verdict) = self.verdict().map(Verdict::word) else {
            return text!(VerdictUnreadable, file = file);
        };
        match self {
            Self::Whole { header, end, .. } => text!(
                Verdict,
                verdict = verdict,
                file = file,
                events = Count(end.events),
                turns = Count(end.turns.into()),
                outcome = outcome(end.reason),
                proof = proof_text(header),
                digest = end.chain.to_string()
            ),
            Self::Faulty { events, .. } => text!(
                VerdictFault,
                verdict = verdict,
                file = file,
                events = Count(*events)
            ),
        }
    }

    /// The result of the game, as far as it is known; `tally` has seen its events.
    pub(crate) fn result(&self, path: &Path, tally: &Tally, catalogue: &Catalogue) -> GameResult {
        let words = |fault: &Fault| catalogue.text(&Text::from(&fault.problem));
        match self {
            Self::Whole {
                header,
                end,
                unexpected,
            } => {
                let result = GameResult::new(header, end, tally).verified(end.verdict());
                match unexpected {
                    Some(fault) => result.with_fault(fault, words(fault)),
                    None => result,
                }
            }
            Self::Faulty {
                header,
                events,
                error,
            } => {
                let message = match error {
                    ReadError::Fault(fault) => words(fault),
                    ReadError::Io(error) => catalogue.text(&unreadable(path, error).text),
                };
                GameResult::of_error(error, message, header.as_ref(), *events)
            }
        }
    }

    /// Reports on standard error what is wrong; the result is the line that says what the
    /// journal is, and how a command ends that read it.
    pub(crate) fn tell_faults(&self, path: &Path, terminal: &mut Terminal) -> (Text, Exit) {
        if let Some(fault) = self.fault() {
            tell_fault(path, fault, terminal);
        }
        let exit = match self {
            Self::Faulty {
                error: ReadError::Io(_),
                events,
                ..
            } if is_interrupted() => {
                let (file, events) = (display(path), Count(*events));
                let text = text!(ReplayInterrupted, file = file, events = events);
                terminal.failure(&Failure::new(Exit::Incomplete, text))
            }
            Self::Faulty {
                error: ReadError::Io(error),
                ..
            } => terminal.failure(&unreadable(path, error)),
            _ => self.verdict().map_or(Exit::InputOutput, Exit::from),
        };
        (self.line(path), exit)
    }
}

/// Prints the verdict on a journal to standard error.
pub(crate) fn conclude(path: &Path, reading: &Reading, terminal: &mut Terminal) -> Exit {
    let (line, exit) = reading.tell_faults(path, terminal);
    if let Some(verdict) = reading.verdict() {
        terminal.tell_verdict(verdict, &line);
    }
    exit
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
