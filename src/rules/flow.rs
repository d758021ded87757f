use crate::cards::{Chance, Rank};
use crate::engine::{Event, Face, Place, Play, Repetition, Rules, Seat, Step, Table, Take};

/// What tells one kind of War from another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Parameters {
    /// How many cards go face down before each face-up card of a war.
    pub face_down: u8,
    /// In which order the winner of a turn takes the cards.
    pub collect: Collect,
    /// What becomes of a player who cannot put the card that a war asks of him.
    pub out_of_cards: OutOfCards,
    /// What becomes of a game whose hands come back.
    pub repetition: Repeated,
}

/// The order in which the cards of a turn go to the bottom of the winner's hand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Collect {
    /// Player by player from the lowest seat, each player's cards in the order played.
    Seat,
    /// The losers' cards are shuffled and put behind the winner's; then all of them are
    /// shuffled.
    Shuffled,
}

/// What becomes of a player who runs out of cards in a war.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OutOfCards {
    /// End of Cards: he is out and forfeits what he put; if nobody left can go on,
    /// the highest-numbered of them wins.
    EndOfCards,
    /// The war shrinks to the cards that the poorest can put, one of them face up. Who
    /// has none left makes it a draw: everybody takes what the other put, shuffled.
    Shrink,
}

/// What becomes of a game whose hands come back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Repeated {
    /// It ends as endless, at the first repetition.
    Ends,
    /// It goes on: chance will tell.
    GoesOn,
}

/// The flow of play: turns, wars, collecting, and the end of the game.
///
/// Each event follows from the table alone, except that a game is endless when all
/// hands come back: for that the flow remembers every turn.
#[derive(Debug)]
pub struct Flow {
    parameters: Parameters,
    repetition: Repetition,
}

impl Flow {
    /// The flow with these parameters, for a new game.
    #[must_use]
    pub fn new(parameters: Parameters) -> Self {
        Self {
            parameters,
            repetition: Repetition::default(),
        }
    }

    fn between_turns(&mut self, table: &Table) -> Event {
        let mut in_game = table.seated().filter(|(_, place)| place.in_game());
        if let Some((seat, _)) = in_game.find(|(_, place)| place.hand().is_empty()) {
            let step = Step::TurnEnd;
            return Event::EndOfCards { seat, step };
        }
        let plays = tops(table.seated().filter(|(_, place)| place.in_game()));
        if let [winner] = plays[..] {
            return Event::Won { seat: winner.seat };
        }
        let earlier = match self.parameters.repetition {
            Repeated::Ends => self.repetition.visit(table),
            Repeated::GoesOn => None,
        };
        match earlier {
            Some(from) => Event::Endless {
                from,
                to: table.turn(),
            },
            None => Event::Clash { plays },
        }
    }

    fn in_turn(&self, table: &Table, chance: &mut dyn Chance) -> Event {
        let clash = LastClash::of(table);
        let left: Vec<_> = clash.left(table).collect();
        let (lowest, place) = left[0];
        if clash.tied == 1 {
            return self.collected(lowest, table, chance);
        }
        let face_down = place.pile().iter().rev();
        let face_down = face_down.take_while(|put| put.face == Face::Down).count();
        let empty = left.iter().find(|(_, place)| place.hand().is_empty());
        let size = usize::from(self.parameters.face_down);
        let size = match (self.parameters.out_of_cards, empty) {
            (OutOfCards::EndOfCards, Some(&(seat, _))) if left.len() == 1 => {
                return self.collected(seat, table, chance);
            }
            (OutOfCards::EndOfCards, Some(&(seat, _))) => {
                let step = step(face_down, size);
                return Event::EndOfCards { seat, step };
            }
            (OutOfCards::EndOfCards, None) => size,
            (OutOfCards::Shrink, Some(_)) => return drawn(table, chance),
            (OutOfCards::Shrink, None) => {
                let held = |(_, place): &(Seat, &Place)| place.hand().len() + face_down - 1;
                size.min(left.iter().map(held).min().unwrap_or(0))
            }
        };
        let plays = tops(left.into_iter());
        match step(face_down, size) {
            Step::FaceDown => Event::FaceDown { plays },
            _ => Event::WarRound {
                round: clash.round + 1,
                plays,
            },
        }
    }

    fn collected(&self, seat: Seat, table: &Table, chance: &mut dyn Chance) -> Event {
        let cards = match self.parameters.collect {
            Collect::Seat => table.pot().collect(),
            Collect::Shuffled => {
                let others = table.seated().filter(|(other, _)| *other != seat);
                let mut lost: Vec<_> = others.flat_map(|(_, place)| put(place)).collect();
                chance.shuffle(&mut lost);
                let mut cards = put(&table.places()[seat.index()]);
                cards.append(&mut lost);
                chance.shuffle(&mut cards);
                cards
            }
        };
        Event::Collected { seat, cards }
    }
}

/// The step that is due after this many cards face down in a war of this size.
const fn step(face_down: usize, size: usize) -> Step {
    if face_down < size {
        Step::FaceDown
    } else {
        Step::FaceUp
    }
}

/// A draw: each player takes the cards of the next one, shuffled.
fn drawn(table: &Table, chance: &mut dyn Chance) -> Event {
    let with_cards = table.seated().filter(|(_, place)| !place.pile().is_empty());
    let seats: Vec<_> = with_cards.collect();
    let next = seats.iter().cycle().skip(1);
    let take = |((seat, _), (_, from)): (&(Seat, &Place), &(Seat, &Place))| {
        let mut cards = put(from);
        chance.shuffle(&mut cards);
        Take { seat: *seat, cards }
    };
    let takes = seats.iter().zip(next).map(take).collect();
    Event::Drawn { takes }
}

/// The cards that a player has put on the table, in the order put.
fn put(place: &Place) -> Vec<Rank> {
    place.pile().iter().map(|put| put.card).collect()
}

impl Rules for Flow {
    fn decide(&mut self, table: &Table, chance: &mut dyn Chance) -> Event {
        if table.pot_is_empty() {
            self.between_turns(table)
        } else {
            self.in_turn(table, chance)
        }
    }
}

/// The last comparison of face-up cards on the table.
struct LastClash {
    /// How many face-up cards the longest row has.
    round: u32,
    /// The highest of the cards compared.
    highest: Rank,
    /// How many share it.
    tied: usize,
}

impl LastClash {
    fn of(table: &Table) -> Self {
        let mut last = Self {
            round: 0,
            highest: Rank::ACE,
            tied: 0,
        };
        for (round, card) in table.places().iter().filter_map(Self::revealed) {
            if last.tied == 0 || (round, card) > (last.round, last.highest) {
                (last.round, last.highest, last.tied) = (round, card, 1);
            } else if (round, card) == (last.round, last.highest) {
                last.tied += 1;
            }
        }
        last
    }

    /// The number of face-up cards in a row, and the last of them.
    fn revealed(place: &Place) -> Option<(u32, Rank)> {
        let face_up = place.pile().iter().filter(|put| put.face == Face::Up);
        face_up.fold(None, |last, put| {
            Some((last.map_or(1, |(round, _)| round + 1), put.card))
        })
    }

    /// Who shares the highest card and is still in the game, lowest seat first.
    fn left<'a>(&'a self, table: &'a Table) -> impl Iterator<Item = (Seat, &'a Place)> {
        let highest = Some((self.round, self.highest));
        let shares = move |place: &Place| place.in_game() && Self::revealed(place) == highest;
        table.seated().filter(move |(_, place)| shares(place))
    }
}

/// The top cards of the hands.
fn tops<'a>(places: impl Iterator<Item = (Seat, &'a Place)>) -> Vec<Play> {
    let top = |(seat, place): (Seat, &Place)| {
        let card = *place.hand().front()?;
        Some(Play { seat, card })
    };
    places.filter_map(top).collect()
}
