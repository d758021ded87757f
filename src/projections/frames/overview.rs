use super::{Frame, Held, Shown};

/// The whole game at a glance: everyone's cards after each turn, and the turns to look at.
///
/// # Examples
///
/// ```
/// use war::projections::frames::{Frames, Overview};
/// use war::replay::Replay;
///
/// let journal = std::fs::read("journals/classic_dealt_won.json").unwrap();
/// let mut overview = Overview::default();
/// let mut frames = Frames::new(|frame| overview.add(&frame));
/// Replay::open(&journal[..], None).unwrap().verify(&mut frames).unwrap();
/// frames.finish();
///
/// assert_eq!(overview.turns(), 20);
/// assert_eq!(overview.cards(2), [0, 12, 4, 8]);
/// assert_eq!(overview.marks().wars[0], 2);
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Overview {
    /// The number of seats, where cards are counted.
    seats: usize,
    /// The cards of all seats after each turn, one turn after the other.
    hands: Vec<u16>,
    marks: Marks,
}

/// Turns to look at, in order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Marks {
    /// Those that came to a war; of a token game, the deals that were tied.
    pub wars: Vec<u32>,
    /// Those after which another player holds the most cards.
    pub leads: Vec<u32>,
    /// Those in which a player ran out of cards.
    pub outs: Vec<u32>,
}

impl Overview {
    /// Adds the next frame, or the last one again as it is now.
    pub fn add(&mut self, frame: &Frame) {
        let marks = &mut self.marks;
        match &frame.shown {
            Shown::Turn(turn) => {
                self.seats = turn.seats.len();
                self.hands.truncate(frame.turn as usize * self.seats);
                let held = |held: &Held| u16::try_from(held.after).unwrap_or(u16::MAX);
                self.hands.extend(turn.seats.iter().map(held));
                let is_out = turn.seats.iter().any(|held| held.out.is_some());
                mark(&mut marks.wars, frame.turn, turn.is_war);
                mark(&mut marks.leads, frame.turn, turn.new_leader.is_some());
                mark(&mut marks.outs, frame.turn, is_out);
            }
            Shown::Deal(deal) => mark(&mut marks.wars, frame.turn, deal.is_tied),
        }
    }

    /// The number of players whose cards are counted; 0 of a token game.
    #[must_use]
    pub const fn seats(&self) -> usize {
        self.seats
    }

    /// How many turns there are with counted cards, the deal among them.
    #[must_use]
    pub fn turns(&self) -> usize {
        self.hands.len().checked_div(self.seats).unwrap_or_default()
    }

    /// Everyone's cards after this turn, seat 1 first; nobody's where there is no such turn.
    #[must_use]
    pub fn cards(&self, turn: usize) -> &[u16] {
        let start = turn.saturating_mul(self.seats);
        let end = start.saturating_add(self.seats);
        self.hands.get(start..end).unwrap_or_default()
    }

    /// The turns to look at.
    #[must_use]
    pub const fn marks(&self) -> &Marks {
        &self.marks
    }
}

/// Marks a turn, or takes its mark away: it is the last one.
fn mark(turns: &mut Vec<u32>, turn: u32, is_marked: bool) {
    turns.pop_if(|last| *last == turn);
    turns.extend(is_marked.then_some(turn));
}

#[cfg(test)]
mod tests {
    use super::Overview;
    use crate::projections::frames::{Frame, Held, Shown, Turn};

    #[test]
    fn a_turn_that_goes_on_is_counted_once_as_it_is_last() {
        let frame = |turn, is_war, cards: [usize; 2]| Frame {
            turn,
            shown: Shown::Turn(Turn {
                seats: cards
                    .map(|after| Held {
                        after,
                        ..Held::default()
                    })
                    .into(),
                is_war,
                ..Turn::default()
            }),
            text: String::new(),
        };
        let mut overview = Overview::default();
        overview.add(&frame(0, false, [2, 2]));
        overview.add(&frame(1, true, [1, 1]));
        overview.add(&frame(1, true, [4, 0]));
        assert_eq!((overview.turns(), overview.cards(1)), (2, &[4, 0][..]));
        assert_eq!(overview.marks().wars, [1]);
        assert!(overview.cards(2).is_empty());
    }
}
