//! A projection of your own, which counts how often the lead changes in a game of War.
//!
//! The projection follows a game while it is recorded, and again while the journal is verified.
//!
//! ```sh
//! cargo run --example lead_changes
//! ```

use std::error::Error;
use war::cards::Generator;
use war::engine::Place;
use war::journal::Verdict;
use war::lang::Lang;
use war::recording::{NewGame, Recorder};
use war::replay::{Replay, WarObserver};
use war::{CLASSIC, Deck, Event, Projection, Seat, Table};

/// The leader, and the number of times the lead has changed.
///
/// A projection is a fold: it starts empty, sees every event once, and keeps what it needs.
#[derive(Default)]
struct LeadChanges {
    leader: Option<Seat>,
    changes: u32,
}

impl Projection<Table> for LeadChanges {
    // `table` is the state after the event.
    fn project(&mut self, event: &Event, table: &Table) {
        // The lead changes only after a turn: during one, the cards on the table belong to nobody.
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
    let mut held: Vec<_> = table.places_by_seat().map(held).collect();
    held.sort_unstable();
    match held[..] {
        [.., (second, _), (first, _)] if first == second => None,
        [.., (_, leader)] => Some(leader),
        [] => None,
    }
}

/// Records one game with this seed and counts how often its lead changes.
fn lead_changes(seed: u64) -> Result<u32, Box<dyn Error>> {
    let generator = Generator::ChaCha8 { seed };
    let opening = NewGame::shuffled(CLASSIC, Deck::Large, 2, generator)?;
    let (mut live, mut journal) = (LeadChanges::default(), Vec::new());
    Recorder::new("lead_changes", opening, Lang::En)
        .write_to(&mut journal)
        .with_projection(&mut live)
        .play()?;

    // Counts from a journal can be trusted only once it is verified.
    let mut replayed = LeadChanges::default();
    let replay = Replay::open(&journal[..], None)?;
    let judgement = replay.verify(&mut WarObserver(&mut replayed))?;
    assert_eq!(judgement.verdict(), Verdict::Verified);
    assert_eq!(replayed.changes, live.changes);
    Ok(replayed.changes)
}

pub(crate) fn report() -> Result<String, Box<dyn Error>> {
    let line = |seed| {
        let changes = lead_changes(seed)?;
        Ok(format!("seed {seed}: the lead changed {changes} times\n"))
    };
    (1..=5).map(line).collect()
}

fn main() -> Result<(), Box<dyn Error>> {
    print!("{}", report()?);
    Ok(())
}
