use super::collect::put;
use super::{Draw, Limit, OutOfCards, Parameters, Repeated};
use crate::cards::{Chance, Rank};
use crate::engine::{Event, Face, Place, Play, Repetition, Rules, Seat, Step, Table, Take};

/// The flow of play: turns, wars, collecting, and the end of the game.
///
/// Each event follows from the table alone, except that a game is endless when all
/// hands come back: for that the flow remembers every turn.
#[derive(Debug)]
pub struct Flow {
    parameters: Parameters,
    repetition: Repetition,
    /// The turns that the memory does not hold: all up to the last one that chance decided.
    forgotten: u32,
    /// The turn after which the hands were shuffled last.
    reshuffled_after: Option<u32>,
}

impl Flow {
    /// The flow with these parameters, for a new game.
    #[must_use]
    pub fn new(parameters: Parameters) -> Self {
        Self {
            parameters,
            repetition: Repetition::default(),
            forgotten: 0,
            reshuffled_after: None,
        }
    }

    fn between_turns(&mut self, table: &Table, chance: &mut dyn Chance) -> Event {
        let in_game = || table.seated().filter(|(_, place)| place.in_game());
        if let Some((seat, _)) = in_game().find(|(_, place)| place.hand().is_empty()) {
            let step = Step::TurnEnd;
            return Event::EndOfCards { seat, step };
        }
        let mut left = in_game();
        if let (Some((seat, _)), None) = (left.next(), left.next()) {
            return Event::Won { seat };
        }
        if self.is_over_time(table) {
            // A limit that was asked for leaves the game undecided.
            let own = matches!(self.parameters.limit, Some(Limit::TurnsPerCard(_)));
            let winner = winner_when_stopped(table).filter(|_| own);
            return Event::Stopped { winner };
        }
        if let Some(event) = self.repeated(table, chance) {
            return event;
        }
        let plays = self.plays(in_game(), chance);
        Event::Clash { plays }
    }

    fn is_over_time(&self, table: &Table) -> bool {
        let cards = table.places().iter().map(|place| place.hand().len());
        let limit = self.parameters.limit.map(|limit| limit.turns(cards.sum()));
        limit.is_some_and(|limit| u64::from(table.turn()) >= limit)
    }

    /// What happens before a turn because its hands have been there before.
    fn repeated(&mut self, table: &Table, chance: &mut dyn Chance) -> Option<Event> {
        if self.parameters.repetition == Repeated::GoesOn {
            return None;
        }
        let from = self.forgotten + self.repetition.visit(table)?;
        let to = table.turn();
        if self.parameters.repetition == Repeated::Ends {
            return Some(Event::Endless { from, to });
        }
        // Where few hands are possible, the shuffled ones may have been there too.
        if self.reshuffled_after.replace(to) == Some(to) {
            return None;
        }
        let shuffled = |place: &Place| {
            let mut hand: Vec<_> = place.hand().iter().copied().collect();
            chance.shuffle(&mut hand);
            hand
        };
        let hands = table.places().iter().map(shuffled).collect();
        Some(Event::Reshuffled { hands })
    }

    /// The cards that these players put next.
    fn plays<'a>(
        &self,
        places: impl Iterator<Item = (Seat, &'a Place)>,
        chance: &mut dyn Chance,
    ) -> Vec<Play> {
        let play = |(seat, place): (Seat, &Place)| {
            let index = match self.parameters.draw {
                Draw::Top => 0,
                Draw::Random => {
                    // No hand is longer: a scenario has 10,000 cards at most.
                    let bound = u16::try_from(place.hand().len()).unwrap_or(u16::MAX);
                    u16::try_from(chance.below(bound.into())).unwrap_or(0)
                }
            };
            let card = *place.hand().get(usize::from(index))?;
            Some(Play { seat, card, index })
        };
        places.filter_map(play).collect()
    }

    fn in_turn(&mut self, table: &Table, chance: &mut dyn Chance) -> Event {
        let clash = LastClash::of(table);
        let left: Vec<_> = clash.left(table).collect();
        let (lowest, place) = left[0];
        if clash.tied == 1 {
            return self.collected(lowest, table, chance);
        }
        let empty = left.iter().find(|(_, place)| place.hand().is_empty());
        let face_down = put_face_down(place);
        let size = usize::from(self.parameters.face_down);
        let size = match (self.parameters.out_of_cards, empty) {
            (OutOfCards::EndOfCards, Some(&(seat, _))) if left.len() == 1 => {
                return self.collected(seat, table, chance);
            }
            (OutOfCards::Loses | OutOfCards::LastCard, _) if left.len() == 1 => {
                return self.collected(lowest, table, chance);
            }
            (OutOfCards::Loses | OutOfCards::LastCard, Some(_)) if all_empty(&left) => {
                return Event::DrawnGame;
            }
            (OutOfCards::Shrink, Some(_)) => return self.drawn(table, chance),
            (_, Some(&(seat, _))) => {
                let step = step(face_down, size);
                return Event::EndOfCards { seat, step };
            }
            (OutOfCards::EndOfCards | OutOfCards::Loses, None) => size,
            (OutOfCards::LastCard, None) => {
                let keeps_putting = |(_, place): &(Seat, &Place)| {
                    put_face_down(place) < size && place.hand().len() > 1
                };
                let putting: Vec<_> = left.iter().copied().filter(keeps_putting).collect();
                if !putting.is_empty() {
                    let plays = self.plays(putting.into_iter(), chance);
                    return Event::FaceDown { plays };
                }
                face_down
            }
            (OutOfCards::Shrink, None) => {
                let held = |(_, place): &(Seat, &Place)| place.hand().len() + face_down - 1;
                size.min(left.iter().map(held).min().unwrap_or(0))
            }
        };
        let plays = self.plays(left.into_iter(), chance);
        match step(face_down, size) {
            Step::FaceDown => Event::FaceDown { plays },
            _ => Event::WarRound {
                round: clash.round + 1,
                plays,
            },
        }
    }

    fn collected(&self, seat: Seat, table: &Table, chance: &mut dyn Chance) -> Event {
        let cards = self.parameters.collect.order(seat, table, chance);
        Event::Collected { seat, cards }
    }

    /// A draw: each player takes the cards of the next one, shuffled. Chance has no say where
    /// all that somebody takes are the same.
    fn drawn(&mut self, table: &Table, chance: &mut dyn Chance) -> Event {
        let differ = |place: &Place| {
            place
                .pile()
                .windows(2)
                .any(|put| put[0].card != put[1].card)
        };
        if table.places().iter().any(differ) {
            self.repetition = Repetition::default();
            self.forgotten = table.turn();
        }
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
}

/// How many cards a player has put face down since his last one face up.
fn put_face_down(place: &Place) -> usize {
    let pile = place.pile().iter().rev();
    pile.take_while(|put| put.face == Face::Down).count()
}

/// Whether none of these players holds a card.
fn all_empty(places: &[(Seat, &Place)]) -> bool {
    places.iter().all(|(_, place)| place.hand().is_empty())
}

/// The step that is due after this many cards face down in a war of this size.
const fn step(face_down: usize, size: usize) -> Step {
    if face_down < size {
        Step::FaceDown
    } else {
        Step::FaceUp
    }
}

impl Rules for Flow {
    fn decide(&mut self, table: &Table, chance: &mut dyn Chance) -> Event {
        if table.pot_is_empty() {
            self.between_turns(table, chance)
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

/// Who alone holds all cards of the highest rank in the hands, and alone holds the most.
fn winner_when_stopped(table: &Table) -> Option<Seat> {
    let highest = table.places().iter().flat_map(Place::hand).max()?;
    let most = table
        .places()
        .iter()
        .map(|place| place.hand().len())
        .max()?;
    let mut with_highest = table
        .seated()
        .filter(|(_, place)| place.hand().contains(highest));
    let mut with_most = table
        .seated()
        .filter(|(_, place)| place.hand().len() == most);
    let alone = |first: Option<(Seat, &Place)>, second: Option<(Seat, &Place)>| match second {
        None => first.map(|(seat, _)| seat),
        Some(_) => None,
    };
    let highest = alone(with_highest.next(), with_highest.next())?;
    let most = alone(with_most.next(), with_most.next())?;
    (highest == most).then_some(most)
}
