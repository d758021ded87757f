//! What a game prints, turn by turn.

use crate::host::output::Output;
use std::ops::RangeInclusive;
use war::console::Console;
use war::engine::{Event, Projection, State, Table};
use war::journal::{Deal, Header, RecordedRules};
use war::lang::Lang;
use war::setup::Correction;
use war::support::visible::joined;
use war::tokens::{TokenEvent, TokenGame};

/// Prints turns of a game while it is played or replayed.
pub(crate) struct Printer {
    output: Output,
    turns: RangeInclusive<u32>,
    /// What is printed in place of the screens.
    anew: Option<Console<Table>>,
}

impl Printer {
    /// For these turns of a game that begins with this header and is printed in this language.
    ///
    /// On a terminal, a line end in a name or a typed value would look like one of the screens.
    /// There, such a game gets screens of its own.
    pub(crate) fn new(
        output: Output,
        turns: RangeInclusive<u32>,
        header: &Header,
        lang: Lang,
    ) -> Self {
        let anew = match &header.rules {
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
            anew,
        }
    }

    fn print(&mut self, turn: u32, text: &str) {
        if self.turns.contains(&turn) {
            self.output.print(text);
        }
    }
}

impl Projection<Table> for Printer {
    fn project(&mut self, event: &Event, table: &Table, out: &mut String) {
        if let Some(anew) = &mut self.anew {
            let text = anew.show(event, table).clone();
            self.print(table.turn(), &text);
        } else {
            self.print(table.turn(), out);
        }
    }
}

impl Projection<TokenGame> for Printer {
    fn project(&mut self, _: &TokenEvent, game: &TokenGame, out: &mut String) {
        self.print(State::turn(game), out);
    }
}
