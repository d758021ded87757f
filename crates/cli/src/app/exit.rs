use crate::machine::terminal::{Closed, Terminal};
use std::process::ExitCode;
use war::i18n::Text;
use war::journal::{Problem, Verdict};

/// How the program ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exit {
    /// All went well.
    Success,
    /// A scenario, a table or a part is bad, or a journal is damaged, diverges or differs.
    Bad,
    /// The command line or the configuration is wrong.
    Usage,
    /// A journal's recording was cut off, or games were interrupted.
    Incomplete,
    /// A file or the output failed.
    InputOutput,
    /// A journal is of an unknown version or has unknown rules.
    Unsupported,
    /// The program was asked to end, and asked again.
    #[cfg(feature = "table")]
    Interrupted,
}

impl Exit {
    /// How the program ends whose standard output took what was printed like this.
    pub(crate) fn with_output(self, closed: Closed) -> Self {
        match closed {
            Closed::Whole => self,
            Closed::Interrupted => self.worse(Self::Incomplete),
            Closed::Failed => self.worse(Self::InputOutput),
        }
    }

    /// The worse of two ends: damage before failure, failure before what is only unknown.
    pub(crate) fn worse(self, other: Self) -> Self {
        const ORDER: [Exit; 6] = [
            Exit::Bad,
            Exit::InputOutput,
            Exit::Unsupported,
            Exit::Incomplete,
            Exit::Usage,
            Exit::Success,
        ];
        let worst = ORDER
            .into_iter()
            .find(|&exit| exit == self || exit == other);
        worst.unwrap_or(self)
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(match exit {
            Exit::Success => 0,
            Exit::Bad => 1,
            Exit::Usage => 2,
            Exit::Incomplete => 3,
            Exit::InputOutput => 4,
            Exit::Unsupported => 5,
            #[cfg(feature = "table")]
            Exit::Interrupted => 130,
        })
    }
}

impl From<Verdict> for Exit {
    fn from(verdict: Verdict) -> Self {
        match verdict {
            Verdict::Verified => Self::Success,
            Verdict::Damaged | Verdict::Diverged | Verdict::Unexpected => Self::Bad,
            Verdict::Incomplete => Self::Incomplete,
            Verdict::Unsupported => Self::Unsupported,
        }
    }
}

/// An error that ends the command, to be shown to the player.
#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) exit: Exit,
    pub(crate) text: Text,
}

impl Failure {
    pub(crate) const fn new(exit: Exit, text: Text) -> Self {
        Self { exit, text }
    }

    pub(crate) const fn usage(text: Text) -> Self {
        Self::new(Exit::Usage, text)
    }

    /// Reports it; the result is how the program ends.
    pub(crate) fn tell(&self, terminal: &mut Terminal) -> Exit {
        terminal.error(&self.text);
        self.exit
    }
}

/// A game that no journal could hold is not played.
impl From<Problem> for Failure {
    fn from(problem: Problem) -> Self {
        Self::new(Exit::Bad, Text::from(&problem))
    }
}
