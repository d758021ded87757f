use super::collect::put;
use super::parameters::{Draw, Limit, OutOfCards, Parameters, Repeated};
use super::repetition::Repetition;
use crate::cards::{Chance, Rank};
use crate::engine::{Event, Face, Place, Play, Rules, Seat, Step, Table, Take};

/// The flow of play: turns, wars, collecting, and the end of the game.
///
/// Each event follows from the table alone, except that a game is endless when all
/// hands come back: for that the flow remembers every turn.
///
/// # Examples
///
/// ```
/// use war::cards::Rank;
/// use war::engine::{Event, Game};
/// use war::rules::{Flow, Parameters};
///
/// let hand = |cards: [u8; 2]| cards.map(|card| Rank::new(card).unwrap()).to_vec();
/// let rules = Box::new(Flow::new(Parameters::BATAILLE));
/// let mut game = Game::new(rules, vec![hand([9, 14]), hand([9, 2])]).unwrap();
/// assert!(matches!(game.next(), Some(Event::Dealt { .. })));
/// assert!(matches!(game.next(), Some(Event::Clash { .. })));
/// // Both put a nine: a war, with no card face down in *bataille*.
/// assert!(matches!(game.next(), Some(Event::WarRound { round: 2, .. })));
/// ```
#[derive(Debug)]
pub struct Flow {
    parameters: Parameters,
    repetition: Repetition,
    /// The turn after which the hands were shuffled last.
    reshuffled_after: Option<u32>,
}

impl Flow {
    /// The flow with these parameters, for a new game.
    #[must_use]
    pub fn new(parameters: Parameters) -> Self {
        Self {
            parameters,
            repetition: Repetition::new(parameters.piles),
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
            let winner = winner_when_stopped(holdings(table)).filter(|_| own);
            return Event::Stopped { winner };
        }
        let putting = in_game().map(|(_, place)| place);
        if let Some(event) = self.parameters.piles.taken_up(putting, table, chance) {
            return event;
        }
        if let Some(event) = self.repeated(table, chance) {
            return event;
        }
        let plays = self.plays(in_game(), chance);
        Event::Clash { plays }
    }

    /// Whether the game has lasted as many turns as it may: where the rules set no limit, as
    /// many as have a number.
    fn is_over_time(&self, table: &Table) -> bool {
        let cards = table.places().iter().map(|place| place.hand().len());
        let limit = self.parameters.limit.map(|limit| limit.turns(cards.sum()));
        let most = u64::from(u32::MAX);
        u64::from(table.turn()) >= limit.map_or(most, |limit| limit.min(most))
    }

    /// What happens before a turn because its hands have been there before.
    fn repeated(&mut self, table: &Table, chance: &mut dyn Chance) -> Option<Event> {
        if self.parameters.repetition == Repeated::GoesOn {
            return None;
        }
        let from = 1 + self
            .repetition
            .visit(table, |made, turns| replay(self.parameters, made, turns))?;
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
        let event = Event::Reshuffled { hands };
        self.repetition.made(table, &event);
        Some(event)
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
                    // Of a longer hand, which no deck and no scenario makes, the top is drawn.
                    let bound = u16::try_from(place.hand().len()).unwrap_or(u16::MAX);
                    u16::try_from(chance.below(bound.into())).expect("below a bound of 16 bits")
                }
            };
            let card = *place.hand().get(usize::from(index))?;
            Some(Play { seat, card, index })
        };
        places.filter_map(play).collect()
    }

    fn in_turn(&mut self, table: &Table, chance: &mut dyn Chance) -> Event {
        let war = War::of(table);
        if war.tied == 1 {
            return self.collected(war.lowest(), table, chance);
        }
        let event = match self.parameters.out_of_cards {
            OutOfCards::EndOfCards => self.end_of_cards(&war, table, chance),
            OutOfCards::Loses => self.loses(&war, table, chance),
            OutOfCards::LastCard => self.last_card(&war, table, chance),
            OutOfCards::Shrink => self.shrink(&war, table, chance),
        };
        let (Event::FaceDown { plays } | Event::WarRound { plays, .. }) = &event else {
            return event;
        };
        let putting = plays.iter().map(|play| &table.places()[play.seat.index()]);
        let taken_up = self.parameters.piles.taken_up(putting, table, chance);
        taken_up.unwrap_or(event)
    }

    /// A player without cards is out; the last of those without cards wins the turn.
    fn end_of_cards(&self, war: &War<'_>, table: &Table, chance: &mut dyn Chance) -> Event {
        match war.first_without_cards() {
            None => self.put(war, self.size(), chance),
            Some(seat) if war.is_of_one() => self.collected(seat, table, chance),
            Some(seat) => self.out(seat, war),
        }
    }

    /// A player without cards loses the game; it is drawn where both have none.
    fn loses(&self, war: &War<'_>, table: &Table, chance: &mut dyn Chance) -> Event {
        let lost = self.lost(war, table, chance);
        lost.unwrap_or_else(|| self.put(war, self.size(), chance))
    }

    /// As [`Flow::loses`], but everybody keeps a card to put face up.
    fn last_card(&self, war: &War<'_>, table: &Table, chance: &mut dyn Chance) -> Event {
        if let Some(event) = self.lost(war, table, chance) {
            return event;
        }
        let keeps_putting = |(_, place): &(Seat, &Place)| {
            face_down_of(place) < self.size() && place.hand().len() > 1
        };
        let putting: Vec<_> = war.left.iter().copied().filter(keeps_putting).collect();
        if putting.is_empty() {
            return self.put(war, war.face_down, chance);
        }
        let plays = self.plays(putting.into_iter(), chance);
        Event::FaceDown { plays }
    }

    /// The war has as many cards face down as the poorest can put besides one face up; the turn
    /// is drawn where somebody has none at all.
    fn shrink(&mut self, war: &War<'_>, table: &Table, chance: &mut dyn Chance) -> Event {
        if war.first_without_cards().is_some() {
            return self.drawn(table, chance);
        }
        let possible = |(_, place): &(Seat, &Place)| place.hand().len() + war.face_down - 1;
        let size = war.left.iter().map(possible).fold(self.size(), usize::min);
        self.put(war, size, chance)
    }

    /// What follows in a war of two where somebody has no card, or has lost already.
    fn lost(&self, war: &War<'_>, table: &Table, chance: &mut dyn Chance) -> Option<Event> {
        if war.is_of_one() {
            return Some(self.collected(war.lowest(), table, chance));
        }
        let seat = war.first_without_cards()?;
        Some(
            if war.left.iter().all(|(_, place)| place.hand().is_empty()) {
                Event::DrawnGame
            } else {
                self.out(seat, war)
            },
        )
    }

    /// The end of a player's cards, at the card that is due.
    fn out(&self, seat: Seat, war: &War<'_>) -> Event {
        let step = war.due(self.size());
        Event::EndOfCards { seat, step }
    }

    /// The next cards of all who are left in a war with this many cards face down.
    fn put(&self, war: &War<'_>, size: usize, chance: &mut dyn Chance) -> Event {
        let plays = self.plays(war.left.iter().copied(), chance);
        let round = war.round + 1;
        match war.due(size) {
            Step::FaceDown => Event::FaceDown { plays },
            Step::FaceUp | Step::TurnEnd => Event::WarRound { round, plays },
        }
    }

    /// How many cards a war has face down before each face-up card.
    fn size(&self) -> usize {
        self.parameters.face_down.into()
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
            self.repetition = Repetition::new(self.parameters.piles);
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

impl Rules for Flow {
    fn decide(&mut self, table: &Table, chance: &mut dyn Chance) -> Event {
        if table.pot_is_empty() {
            self.between_turns(table, chance)
        } else {
            self.in_turn(table, chance)
        }
    }
}

/// What all players hold between two turns.
fn holdings(table: &Table) -> impl Iterator<Item = Holding> + Clone {
    let holding = |(seat, place): (Seat, &Place)| Holding {
        seat,
        highest: place.hand().iter().max().copied(),
        cards: place.hand().len(),
    };
    table.seated().map(holding)
}

/// The table after this many turns from this one, of a game with nothing left to chance, as it is
/// when the next turn starts.
fn replay(parameters: Parameters, mut table: Table, turns: u32) -> Table {
    let mut rules = Flow::new(Parameters {
        limit: None,
        repetition: Repeated::GoesOn,
        ..parameters
    });
    let last = table.turn().saturating_add(turns);
    while table.outcome().is_none() {
        let event = rules.decide(&table, &mut ());
        let starts = matches!(event, Event::Clash { .. }) && table.turn() == last;
        // Rules decide only what the table can do.
        if starts || table.apply(&event).is_err() {
            break;
        }
    }
    table
}

/// A turn as far as it is played: who shares the highest card of its last comparison.
struct War<'a> {
    /// How many face-up cards the longest row has.
    round: u32,
    /// How many rows end with the highest of the cards compared last.
    tied: usize,
    /// Those of them who are still in the game, lowest seat first; never empty.
    left: Vec<(Seat, &'a Place)>,
    /// How many cards they have put face down since.
    face_down: usize,
}

impl<'a> War<'a> {
    /// The turn on this table, on which cards lie.
    fn of(table: &'a Table) -> Self {
        let mut last = (0, Rank::ACE);
        let mut tied = 0;
        for row in table.places().iter().filter_map(revealed) {
            if tied == 0 || row > last {
                (last, tied) = (row, 1);
            } else if row == last {
                tied += 1;
            }
        }
        let shares = |place: &Place| place.in_game() && revealed(place) == Some(last);
        let left: Vec<_> = table.seated().filter(|(_, place)| shares(place)).collect();
        let face_down = left.first().map_or(0, |(_, place)| face_down_of(place));
        Self {
            round: last.0,
            tied,
            left,
            face_down,
        }
    }

    /// The lowest of those who are left.
    fn lowest(&self) -> Seat {
        self.left[0].0
    }

    /// Whether only one is left.
    fn is_of_one(&self) -> bool {
        self.left.len() == 1
    }

    /// The lowest of those who are left and hold no card.
    fn first_without_cards(&self) -> Option<Seat> {
        let mut left = self.left.iter();
        let found = left.find(|(_, place)| place.hand().is_empty());
        found.map(|(seat, _)| *seat)
    }

    /// The step that is due in a war with this many cards face down.
    const fn due(&self, size: usize) -> Step {
        if self.face_down < size {
            Step::FaceDown
        } else {
            Step::FaceUp
        }
    }
}

/// How many cards a player has put face down since their last one face up.
fn face_down_of(place: &Place) -> usize {
    let pile = place.pile().iter().rev();
    pile.take_while(|put| put.face == Face::Down).count()
}

/// The number of face-up cards in a row, and the last of them.
fn revealed(place: &Place) -> Option<(u32, Rank)> {
    let face_up = place.pile().iter().filter(|put| put.face == Face::Up);
    face_up.fold(None, |last, put| {
        Some((last.map_or(1, |(round, _)| round + 1), put.card))
    })
}

/// What a player holds when a game is stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Holding {
    /// The player.
    pub seat: Seat,
    /// Their highest card, if they hold any.
    pub highest: Option<Rank>,
    /// How many cards they hold.
    pub cards: usize,
}

/// The winner of a game that is stopped: the player who alone holds all cards of the highest
/// rank in the hands, and alone holds the most cards.
///
/// `holdings` are one for each player. Nobody wins where two players share the highest rank
/// or the most cards, or where these are two players' or no card is left.
///
/// # Examples
///
/// ```
/// use war::cards::Rank;
/// use war::engine::Seat;
/// use war::rules::{Holding, winner_when_stopped};
///
/// let holding = |number, rank, cards| Holding {
///     seat: Seat::from_number(number).unwrap(),
///     highest: Rank::new(rank),
///     cards,
/// };
/// let winner = winner_when_stopped([holding(1, 13, 20), holding(2, 14, 32)].into_iter());
/// assert_eq!(winner, Some(Seat::SECOND));
/// let even = winner_when_stopped([holding(1, 14, 20), holding(2, 14, 32)].into_iter());
/// assert_eq!(even, None);
/// ```
#[must_use]
pub fn winner_when_stopped(holdings: impl Iterator<Item = Holding> + Clone) -> Option<Seat> {
    let highest = holdings.clone().filter_map(|held| held.highest).max()?;
    let most = holdings.clone().map(|held| held.cards).max()?;
    let has_either = |held: &Holding| held.highest == Some(highest) || held.cards == most;
    let mut winners = { holdings }.filter(has_either);
    // A second player shares one of them, or each of the two has another of them.
    match (winners.next(), winners.next()) {
        (Some(winner), None) => Some(winner.seat),
        _ => None,
    }
}
