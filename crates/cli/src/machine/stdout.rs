//! Standard output behind one locked buffer, and the printer of games.

use super::interruptible_writer::InterruptibleWriter;
use std::cell::RefCell;
use std::io::{self, BufWriter, IsTerminal, Read, StdoutLock, Write};
use std::ops::RangeInclusive;
use std::rc::Rc;
use war::console::Console;
use war::engine::{Event, Projection, State, Table};
use war::journal::{Deal, Header, RecordedRules};
use war::lang::Lang;
use war::setup::Correction;
use war::support::sanitize::{escape_unprintable, join_lines};
use war::tokens::{TokenEvent, TokenGame};

const BUFFER_SIZE: usize = 1 << 16;

/// Standard output, shared between printers and readers that flush it before they wait.
///
/// After a failure, further output is dropped silently, so that a game can still be recorded to its
/// end.
#[derive(Clone)]
pub(crate) struct StandardOutput(Rc<RefCell<StdoutBuffer>>);

type StdoutStream = BufWriter<InterruptibleWriter<StdoutLock<'static>>>;

struct StdoutBuffer {
    stream: StdoutStream,
    error: Option<io::Error>,
    /// True once standard output is left to another writer.
    is_released: bool,
    is_terminal: bool,
}

impl StandardOutput {
    pub(crate) fn new() -> Self {
        let stream = io::stdout().lock();
        Self(Rc::new(RefCell::new(StdoutBuffer {
            is_terminal: stream.is_terminal(),
            stream: BufWriter::with_capacity(BUFFER_SIZE, InterruptibleWriter::new(stream)),
            is_released: false,
            error: None,
        })))
    }

    /// Leaves standard output to another writer, such as a journal; nothing is printed from now on.
    pub(crate) fn release(&self) {
        self.0.borrow_mut().is_released = true;
    }

    pub(crate) fn is_terminal(&self) -> bool {
        self.0.borrow().is_terminal
    }

    /// Prints a text. On a terminal, control characters are made visible, because names and values
    /// in games come from outside the program.
    pub(crate) fn print(&self, text: &str) {
        if self.is_terminal() {
            self.print_as_is(&escape_unprintable(text));
        } else {
            self.print_as_is(text);
        }
    }

    /// Prints a text of the program itself, which may contain colors.
    pub(crate) fn print_as_is(&self, text: &str) {
        self.0
            .borrow_mut()
            .attempt(|stream| stream.write_all(text.as_bytes()));
    }

    pub(crate) fn flush(&self) {
        self.0.borrow_mut().attempt(Write::flush);
    }

    /// Returns true once a write has failed, for example because the reader closed the pipe.
    pub(crate) fn has_failed(&self) -> bool {
        self.0.borrow().error.is_some()
    }

    /// Takes the first failure, if any.
    pub(crate) fn take_failure(&self) -> Option<io::Error> {
        self.0.borrow_mut().error.take()
    }
}

/// Reader that flushes standard output before each read, which may wait.
pub(crate) struct FlushingReader<R> {
    input: R,
    output: StandardOutput,
}

impl<R> FlushingReader<R> {
    pub(crate) const fn new(input: R, output: StandardOutput) -> Self {
        Self { input, output }
    }
}

impl<R: Read> Read for FlushingReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.output.flush();
        self.input.read(buffer)
    }
}

impl StdoutBuffer {
    /// Runs an operation on the stream, unless an earlier operation failed or the stream was
    /// released.
    fn attempt(&mut self, act: impl FnOnce(&mut StdoutStream) -> io::Result<()>) {
        if self.error.is_none() && !self.is_released {
            self.error = act(&mut self.stream).err();
        }
    }
}

/// Projection that prints the turns of a game.
pub(crate) struct Printer {
    output: StandardOutput,
    turns: RangeInclusive<u32>,
    /// Screens rendered in place of the recorded ones.
    rerendered: Option<Console<Table>>,
}

impl Printer {
    /// Creates a printer for a range of turns.
    ///
    /// On a terminal, a line break in a name or a typed value would look like the end of
    /// a line of the screen. The screens of such a game are rendered again without the line break.
    pub(crate) fn new(
        output: StandardOutput,
        turns: RangeInclusive<u32>,
        header: &Header,
        lang: Lang,
    ) -> Self {
        let rerendered = match &header.rules {
            RecordedRules::War { rules, deal } if output.is_terminal() => {
                let mut broken = false;
                let mut join = |text: &mut String| {
                    broken |= text.contains('\n');
                    *text = join_lines(text);
                };
                let (mut deal, mut corrections) = (deal.clone(), header.corrections.clone());
                if let Deal::Scenario { name } = &mut deal {
                    join(name);
                }
                let typed = corrections
                    .iter_mut()
                    .filter_map(Correction::typed_text_mut);
                typed.for_each(join);
                broken.then(|| Console::for_war(rules, &deal, &corrections, lang))
            }
            _ => None,
        };
        Self {
            output,
            turns,
            rerendered,
        }
    }

    fn print(&mut self, turn: u32, text: &str) {
        if self.turns.contains(&turn) {
            self.output.print(text);
        }
    }
}

impl Projection<Table> for Printer {
    fn project(&mut self, event: &Event, table: &Table) {
        if let Some(rerendered) = &mut self.rerendered {
            let text = rerendered.show(event, table).to_owned();
            self.print(table.turn(), &text);
        }
    }

    fn project_text(&mut self, text: &str, table: &Table) {
        if self.rerendered.is_none() {
            self.print(table.turn(), text);
        }
    }
}

impl Projection<TokenGame> for Printer {
    fn project(&mut self, _: &TokenEvent, _: &TokenGame) {}

    fn project_text(&mut self, text: &str, game: &TokenGame) {
        self.print(State::turn(game), text);
    }
}
