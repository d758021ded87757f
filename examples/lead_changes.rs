//! A projection of your own: how often does the lead change in a game of War?
//!
//! ```sh
//! cargo run --example lead_changes
//! ```

use war::cards::{ChaCha8, Chance, Deck, deal};
use war::engine::{DealError, Event, Game, Place, Projection, Seat, Table};
use war::rules::Flow;

/// Who leads, and how often that has changed.
///
/// A projection is a fold: it starts empty, sees every event once, and keeps what it needs.
#[derive(Default)]
struct LeadChanges {
    leader: Option<Seat>,
    changes: u32,
}

impl Projection<Table> for LeadChanges {
    // The table is as the event has left it. What a projection prints goes into the last
    // argument; this one prints nothing.
    fn project(&mut self, event: &Event, table: &Table, _: &mut String) {
        // In the middle of a turn some cards lie on the table and belong to nobody.
        let Event::Collected { .. } = event else {
            return;
        };
        let leader = leader(table);
        if leader.is_none() || leader == self.leader {
            return;
        }
        if self.leader.is_some() {
            self.changes += 1;
        }
        self.leader = leader;
    }
}

/// The player who holds more cards than any other.
fn leader(table: &Table) -> Option<Seat> {
    let held = |(seat, place): (Seat, &Place)| (place.hand().len(), seat);
    let mut held: Vec<_> = table.seated().map(held).collect();
    held.sort_unstable();
    match held[..] {
        [.., (second, _), (first, _)] if first == second => None,
        [.., (_, leader)] => Some(leader),
        [] => None,
    }
}

/// Plays one game with this seed and counts how often its lead changes.
fn lead_changes(seed: u64) -> Result<u32, DealError> {
    let mut cards = Deck::Large.cards();
    ChaCha8::new(seed).shuffle(&mut cards);
    let mut game = Game::new(Box::new(Flow::classic()), deal(&cards, 2))?;

    let mut projection = LeadChanges::default();
    while let Some(event) = game.next() {
        projection.project(&event, game.table(), &mut String::new());
    }
    Ok(projection.changes)
}

pub(crate) fn report() -> Result<String, DealError> {
    let line = |seed| {
        let changes = lead_changes(seed)?;
        Ok(format!("seed {seed}: the lead changed {changes} times\n"))
    };
    (1..=5).map(line).collect()
}

fn main() -> Result<(), DealError> {
    print!("{}", report()?);
    Ok(())
}
