use crate::engine::{Event, Outcome, Play, Put, Seat, Step, Table, tied};

/// A turn of War: what each player held, put and took.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Turn {
    /// What each player did, seat 1 first; those without cards are among them.
    pub seats: Vec<Held>,
    /// Whether the highest cards of the clash were equal.
    pub is_war: bool,
    /// Who took all cards on the table.
    pub winner: Option<Seat>,
    /// Who holds more cards than any other, where that is another player than before.
    pub new_leader: Option<Seat>,
    /// Whether all hands were shuffled after it.
    pub is_reshuffled: bool,
    /// How the game ended, with the last turn.
    pub outcome: Option<Outcome>,
}

/// What a player held, put and took in a turn.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Held {
    /// The cards of the hand before the turn.
    pub before: usize,
    /// The cards of the hand after it.
    pub after: usize,
    /// The cards that they put, in order: the clash, and those of a war with how they lie.
    pub put: Vec<Put>,
    /// How many cards they took from the table.
    pub taken: usize,
    /// When it showed that they are out of the game, where it did in this turn.
    pub out: Option<Step>,
}

impl Turn {
    /// The turn that has just begun at this table; or the deal.
    pub(super) fn begun(table: &Table) -> Self {
        let seats = table.places().iter().map(|place| Held {
            before: place.hand().len() + place.pile().len(),
            ..Held::default()
        });
        Self {
            seats: seats.collect(),
            ..Self::default()
        }
    }

    /// Adds an event that left the table like this; `leader` is who has led last.
    pub(super) fn show(&mut self, event: &Event, table: &Table, leader: &mut Option<Seat>) {
        match event {
            Event::Clash { plays } => {
                self.is_war = !tied(plays).is_empty();
                self.put(plays, table);
            }
            Event::FaceDown { plays } | Event::WarRound { plays, .. } => self.put(plays, table),
            Event::EndOfCards { seat, step } => self.seats[seat.index()].out = Some(*step),
            Event::Collected { seat, cards } => {
                self.winner = Some(*seat);
                self.seats[seat.index()].taken = cards.len();
            }
            Event::Drawn { takes } => {
                for take in takes {
                    self.seats[take.seat.index()].taken = take.cards.len();
                }
            }
            Event::Reshuffled { .. } => self.is_reshuffled = true,
            Event::Dealt { .. }
            | Event::Won { .. }
            | Event::Endless { .. }
            | Event::DrawnGame
            | Event::Stopped { .. } => {}
        }
        for (held, place) in self.seats.iter_mut().zip(table.places()) {
            held.after = place.hand().len();
        }
        self.outcome = table.outcome();
        // In the middle of a turn some cards lie on the table and belong to nobody.
        if table.pot_is_empty() {
            self.compare(leader);
        }
    }

    /// Keeps the cards as they lie on the table now.
    fn put(&mut self, plays: &[Play], table: &Table) {
        for play in plays {
            let seat = play.seat.index();
            self.seats[seat].put = table.places()[seat].pile().to_vec();
        }
    }

    /// Looks who leads now.
    fn compare(&mut self, leader: &mut Option<Seat>) {
        let most = self.seats.iter().map(|held| held.after).max();
        let mut first = Seat::all()
            .zip(&self.seats)
            .filter(|(_, held)| Some(held.after) == most);
        if let (Some((seat, _)), None) = (first.next(), first.next())
            && *leader != Some(seat)
        {
            // The first to lead changes nothing.
            self.new_leader = leader.replace(seat).and(Some(seat));
        }
    }
}
