//! Standard output, through one locked buffer, and what a game prints there, turn by turn.

use super::interruptible::InterruptibleWriter;
use std::cell::RefCell;
use std::io::{self, BufWriter, IsTerminal, Read, StdoutLock, Write};
use std::ops::RangeInclusive;
use std::rc::Rc;
use war::console::Console;
use war::engine::{Event, Projection, State, Table};
use war::journal::{Deal, Header, RecordedRules};
use war::lang::Lang;
use war::setup::Correction;
use war::support::visible::{joined, visible};
use war::tokens::{TokenEvent, TokenGame};

const BUFFER_SIZE: usize = 1 << 16;

/// Standard output, shared by what prints and what has to send out what is printed before it
/// waits.
///
/// After a failure, what follows is dropped in silence, so that a game can be recorded to its
/// end all the same.
#[derive(Clone)]
pub(crate) struct StandardOutput(Rc<RefCell<StdoutBuffer>>);

struct StdoutBuffer {
    stream: BufWriter<InterruptibleWriter<StdoutLock<'static>>>,
    failed: Option<io::Error>,
    /// Whether standard output belongs to something else.
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
            failed: None,
        })))
    }

    /// Leaves standard output to something else: nothing is printed from now on.
    pub(crate) fn release(&self) {
        self.0.borrow_mut().is_released = true;
    }

    pub(crate) fn is_terminal(&self) -> bool {
        self.0.borrow().is_terminal
    }

    /// Prints a text. On a terminal, the characters that would steer it are made visible: names
    /// and values in games come from outside.
    pub(crate) fn print(&self, text: &str) {
        if self.is_terminal() {
            self.print_as_is(&visible(text));
        } else {
            self.print_as_is(text);
        }
    }

    /// Prints a text of the program's own, which may have colors.
    pub(crate) fn print_as_is(&self, text: &str) {
        self.0
            .borrow_mut()
            .attempt(|stream| stream.write_all(text.as_bytes()));
    }

    /// Sends out what is printed so far.
    pub(crate) fn flush(&self) {
        self.0.borrow_mut().attempt(Write::flush);
    }

    /// The first failure, if any; it is handed out once.
    pub(crate) fn take_failure(&self) -> Option<io::Error> {
        self.0.borrow_mut().failed.take()
    }
}

/// A reader before whose every read, which may wait, all that is printed is sent out.
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
    /// Does something with the stream, unless it has failed before.
    fn attempt(
        &mut self,
        act: impl FnOnce(&mut BufWriter<InterruptibleWriter<StdoutLock<'static>>>) -> io::Result<()>,
    ) {
        if self.failed.is_none() && !self.is_released {
            self.failed = act(&mut self.stream).err();
        }
    }
}

/// Prints turns of a game while it is played or replayed.
pub(crate) struct Printer {
    output: StandardOutput,
    turns: RangeInclusive<u32>,
    /// What is printed in place of the screens.
    rerendered: Option<Console<Table>>,
}

impl Printer {
    /// For these turns of a game that begins with this header and is printed in this language.
    ///
    /// On a terminal, a line end in a name or a typed value would look like one of the screens.
    /// There, such a game gets screens of its own.
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
                    *text = joined(text);
                };
                let (mut deal, mut corrections) = (deal.clone(), header.corrections.clone());
                if let Deal::Scenario { name } = &mut deal {
                    join(name);
                }
                let typed = corrections.iter_mut().filter_map(Correction::typed_mut);
                typed.for_each(join);
                broken.then(|| Console::of_war(rules, &deal, &corrections, lang))
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

    fn printed(&mut self, text: &str, table: &Table) {
        if self.rerendered.is_none() {
            self.print(table.turn(), text);
        }
    }
}

impl Projection<TokenGame> for Printer {
    fn project(&mut self, _: &TokenEvent, _: &TokenGame) {}

    fn printed(&mut self, text: &str, game: &TokenGame) {
        self.print(State::turn(game), text);
    }
}
