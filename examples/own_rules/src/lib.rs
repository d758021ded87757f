//! Your own rules, called Sprint: a game of War lasts at most 50 turns, and then the player with
//! the most cards wins.
//!
//! A program that depends on this crate can record, replay and verify games of Sprint: it adds
//! [`sprint_rules`] to its [`war::rules::Rulebook`].

use war::cards::Chance;
use war::engine::{Event, Place, Rules, Screen, Seat, Table};
use war::lang::Lang;
use war::rules::{ProgramRules, ScenarioLimits, StandardRules};

/// Maximum number of turns of a game.
const TURNS: u32 = 50;

/// The rules, with everything needed to verify their journals.
///
/// Journals refer to the rules by their id. The number in the id must increase when the rules or
/// the screens change.
#[must_use]
pub fn sprint_rules() -> ProgramRules {
    ProgramRules {
        id: "example:sprint/1".parse().expect("an id as it should be"),
        players: (2, 5),
        // Any deck.
        decks: &[],
        scenario_limits: ScenarioLimits::Any,
        start: || Box::new(Sprint::new(TURNS)),
        screens: Some(|lang| Box::new(Score { lang })),
    }
}

/// Sprint at the start of a game.
///
/// Rules decide the next event from the table. Sprint leaves everything but the end of a game to
/// the classic rules.
pub struct Sprint {
    turns: u32,
    classic: StandardRules,
}

impl Sprint {
    /// Rules with this maximum number of turns.
    #[must_use]
    pub fn new(turns: u32) -> Self {
        let classic = StandardRules::classic();
        Self { turns, classic }
    }
}

impl Rules for Sprint {
    fn decide(&mut self, table: &Table, chance: &mut dyn Chance) -> Event {
        if table.turn() < self.turns || !table.is_pot_empty() {
            return self.classic.decide(table, chance);
        }
        let winner = leader(table);
        Event::Stopped { winner }
    }
}

/// The player who holds more cards than any other.
fn leader(table: &Table) -> Option<Seat> {
    let held = |(seat, place): (Seat, &Place)| (place.hand().len(), seat);
    let most = table.places_by_seat().map(held).max()?;
    let mut as_many = table
        .places_by_seat()
        .map(held)
        .filter(|held| held.0 == most.0);
    as_many.nth(1).is_none().then_some(most.1)
}

/// The screens of Sprint: everyone's number of cards after each turn, and the winner.
///
/// The journal keeps a digest of their output, and verification compares it with the digest of the
/// replay's output.
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
