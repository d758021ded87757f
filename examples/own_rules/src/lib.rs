//! Sprint, rules of their own: a game of War lasts 50 turns at most, and then the player with
//! the most cards wins.
//!
//! A program that depends on this crate can record, replay and verify games of Sprint: it puts
//! [`sprint`] into its [`war::rules::Rulebook`].

use war::cards::Chance;
use war::engine::{Event, Place, Rules, Screen, Seat, Table};
use war::lang::Lang;
use war::rules::{Flow, OwnRules, Scenarios};

/// How many turns a game lasts at most.
const TURNS: u32 = 50;

/// The rules with all that a journal's verification must know of them.
///
/// The id is what journals name. Rules or screens that change get the next number.
#[must_use]
pub fn sprint() -> OwnRules {
    OwnRules {
        id: "example:sprint/1".parse().expect("an id as it should be"),
        players: (2, 5),
        // Any deck.
        decks: &[],
        scenarios: Scenarios::Any,
        start: || Box::new(Sprint::new(TURNS)),
        screens: Some(|lang| Box::new(Score { lang })),
    }
}

/// Sprint at the start of a game.
///
/// Rules look at the table and say what happens next. These ask the classic ones for all but the
/// end.
pub struct Sprint {
    turns: u32,
    classic: Flow,
}

impl Sprint {
    /// The rules with another number of turns.
    #[must_use]
    pub fn new(turns: u32) -> Self {
        let classic = Flow::classic();
        Self { turns, classic }
    }
}

impl Rules for Sprint {
    fn decide(&mut self, table: &Table, chance: &mut dyn Chance) -> Event {
        if table.turn() < self.turns || !table.pot_is_empty() {
            return self.classic.decide(table, chance);
        }
        let winner = ahead(table);
        Event::Stopped { winner }
    }
}

/// The player who holds more cards than any other.
fn ahead(table: &Table) -> Option<Seat> {
    let held = |(seat, place): (Seat, &Place)| (place.hand().len(), seat);
    let most = table.seated().map(held).max()?;
    let mut as_many = table.seated().map(held).filter(|held| held.0 == most.0);
    as_many.nth(1).is_none().then_some(most.1)
}

/// The screens of Sprint: what everybody holds after each turn, and who wins.
///
/// What they print is digested in the journal, and compared when it is verified.
struct Score {
    lang: Lang,
}

impl Screen<Table> for Score {
    fn print(&mut self, event: &Event, table: &Table, out: &mut String) {
        let english = self.lang == Lang::En;
        match event {
            Event::Collected { .. } => {
                let held = table.places().iter().map(|place| place.hand().len());
                let held: Vec<_> = held.map(|cards| cards.to_string()).collect();
                let turn = if english { "turn" } else { "tura" };
                *out += &format!("{turn} {}: {}\n", table.turn(), held.join(" "));
            }
            Event::Won { seat } | Event::Stopped { winner: Some(seat) } => {
                *out += &if english {
                    format!("player {seat} wins\n")
                } else {
                    format!("wygrywa gracz {seat}\n")
                };
            }
            Event::Stopped { winner: None } | Event::Endless { .. } => {
                *out += if english {
                    "nobody wins\n"
                } else {
                    "nikt nie wygrywa\n"
                };
            }
            _ => {}
        }
    }
}
