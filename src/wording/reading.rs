//! What a journal that was read turned out to be.

use super::journal::proof_text;
use crate::i18n::{Catalogue, Count, Text, text};
use crate::journal::{
    End, Expected, Fault, Header, Position, ReadError, Reason, RecordError, Verdict,
};
use crate::replay::{Observer, Replay};
use crate::result::{GameResult, Tally};
use std::io;

/// The place of what concerns a file as a whole.
const FILE: Position = Position { line: 1, column: 1 };

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
            *unexpected = Some(Fault::new(FILE, problem));
        }
        self
    }

    /// The same, where this was demanded of the journal.
    pub(crate) fn demanding(mut self, expected: &Expected, replay: &Replay<'_>) -> Self {
        let Self::Whole {
            header,
            end,
            unexpected,
        } = &mut self
        else {
            return self;
        };
        if let Err(problem) = expected.check(header, replay.seats()) {
            *unexpected = Some(Fault::new(FILE, problem));
        } else if let Some(digest) = expected.digest.filter(|digest| *digest != end.chain) {
            let problem = RecordError::Digest {
                expected: digest,
                found: end.chain,
            };
            *unexpected = Some(Fault::new(replay.position(), problem));
        }
        self
    }

    /// Whether it was read to its end.
    pub(crate) const fn is_whole(&self) -> bool {
        matches!(self, Self::Whole { .. })
    }

    /// What is wrong with the journal.
    pub(crate) const fn fault(&self) -> Option<&Fault> {
        match self {
            Self::Whole { unexpected, .. } => unexpected.as_ref(),
            Self::Faulty { error, .. } => match error {
                ReadError::Fault(fault) => Some(fault),
                ReadError::Io(_) => None,
            },
        }
    }

    /// The verdict; none on a file that can't be read.
    pub(crate) fn verdict(&self) -> Option<Verdict> {
        match self {
            Self::Whole {
                end, unexpected, ..
            } => Some(unexpected.as_ref().map_or(end.verdict(), Fault::verdict)),
            Self::Faulty { .. } => self.fault().map(Fault::verdict),
        }
    }

    /// The line that says what this file is, beginning with the verdict.
    pub(crate) fn line(&self, file: &str) -> Text {
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
                proof = proof_text(header, end.turns),
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

    /// The result of the game, as far as it is known; `tally` has seen its events, and
    /// `unreadable` puts into words why the file can't be read.
    pub(crate) fn result(
        &self,
        tally: &Tally,
        catalogue: &Catalogue,
        unreadable: impl FnOnce(&io::Error) -> Text,
    ) -> GameResult {
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
                    ReadError::Io(error) => catalogue.text(&unreadable(error)),
                };
                GameResult::of_error(error, message, header.as_ref(), *events)
            }
        }
    }
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
