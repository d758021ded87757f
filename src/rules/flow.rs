use super::collect::pile_cards;
use super::parameters::{CardChoice, OutOfCards, Parameters, RepetitionRule, TurnLimit};
use super::repetition::RepetitionDetector;
use crate::cards::{Chance, Rank};
use crate::engine::{Event, Face, Place, Play, Rules, Seat, Table, TakenCards, TurnStep};

/// The flow of play: turns, wars, collecting, and the end of the game.
///
/// Each event follows from the table alone, except that repeated hands make a game endless: to
/// detect them, the flow remembers every turn.
///
/// # Examples
///
/// ```
/// use war::cards::Rank;
/// use war::engine::{Event, Game};
/// use war::rules::{StandardRules, Parameters};
///
/// let hand = |cards: [u8; 2]| cards.map(|card| Rank::new(card).unwrap()).to_vec();
/// let rules = Box::new(StandardRules::new(Parameters::BATAILLE));
/// let mut game = Game::new(rules, vec![hand([9, 14]), hand([9, 2])]).unwrap();
/// assert!(matches!(game.next(), Some(Event::Dealt { .. })));
/// assert!(matches!(game.next(), Some(Event::Clash { .. })));
/// // Both put a nine: a war, with no card face down in *bataille*.
/// assert!(matches!(game.next(), Some(Event::WarRound { round: 2, .. })));
/// ```
#[derive(Debug)]
pub struct StandardRules {
    parameters: Parameters,
    repetition: RepetitionDetector,
    /// Turn after which the hands were last shuffled.
    reshuffled_after: Option<u32>,
}

impl StandardRules {
    /// Rules with these parameters, for a new game.
    #[must_use]
    pub fn new(parameters: Parameters) -> Self {
        Self {
            parameters,
            repetition: RepetitionDetector::new(parameters.piles),
            reshuffled_after: None,
        }
    }

    fn decide_between_turns(&mut self, table: &Table, chance: &mut dyn Chance) -> Event {
        let in_game = || {
            table
                .places_by_seat()
                .filter(|(_, place)| place.is_in_game())
        };
        if let Some((seat, _)) = in_game().find(|(_, place)| place.hand().is_empty()) {
            let step = TurnStep::TurnEnd;
            return Event::EndOfCards { seat, step };
        }
        let mut left = in_game();
        if let (Some((seat, _)), None) = (left.next(), left.next()) {
            return Event::Won { seat };
        }
        if self.has_reached_limit(table) {
            // A limit requested by the player leaves the game undecided.
            let own = matches!(self.parameters.limit, Some(TurnLimit::TurnsPerCard(_)));
            let winner = winner_when_stopped(holdings(table)).filter(|_| own);
            return Event::Stopped { winner };
        }
        let putting = in_game().map(|(_, place)| place);
        if let Some(event) = self.parameters.piles.decide_pick_up(putting, table, chance) {
            return event;
        }
        if let Some(event) = self.decide_repetition(table, chance) {
            return event;
        }
        let plays = self.choose_plays(in_game(), chance);
        Event::Clash { plays }
    }

    /// Returns `true` if the game has reached its limit; without a limit, if turn numbers run out.
    fn has_reached_limit(&self, table: &Table) -> bool {
        let cards = table.places().iter().map(|place| place.hand().len());
        let limit = self
            .parameters
            .limit
            .map(|limit| limit.max_turns(cards.sum()));
        let most = u64::from(u32::MAX);
        u64::from(table.turn()) >= limit.map_or(most, |limit| limit.min(most))
    }

    /// Decides the event before a turn that starts with repeated hands.
    fn decide_repetition(&mut self, table: &Table, chance: &mut dyn Chance) -> Option<Event> {
        if self.parameters.repetition == RepetitionRule::GoesOn {
            return None;
        }
        let from = 1 + self.repetition.find_or_record(table, |origin, turns| {
            play_turns(self.parameters, origin, turns)
        })?;
        let to = table.turn();
        if self.parameters.repetition == RepetitionRule::Ends {
            return Some(Event::Endless { from, to });
        }
        // If only few hands are possible, the shuffled ones may be repeated too.
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
        self.repetition.add_origin(table, &event);
        Some(event)
    }

    /// Chooses the cards that these players put next.
    fn choose_plays<'a>(
        &self,
        places: impl Iterator<Item = (Seat, &'a Place)>,
        chance: &mut dyn Chance,
    ) -> Vec<Play> {
        let play = |(seat, place): (Seat, &Place)| {
            let index = match self.parameters.card_choice {
                CardChoice::Top => 0,
                CardChoice::Random => {
                    // 16 bits can count the cards of every deck and every scenario.
                    let bound = u16::try_from(place.hand().len()).unwrap_or(u16::MAX);
                    u16::try_from(chance.draw_below(bound.into()))
                        .expect("below a bound of 16 bits")
                }
            };
            let card = *place.hand().get(usize::from(index))?;
            Some(Play { seat, card, index })
        };
        places.filter_map(play).collect()
    }

    fn decide_in_turn(&mut self, table: &Table, chance: &mut dyn Chance) -> Event {
        let war = War::of(table);
        if war.tied == 1 {
            return self.collect(war.lowest_seat(), table, chance);
        }
        let event = match self.parameters.out_of_cards {
            OutOfCards::EndOfCards => self.decide_by_end_of_cards(&war, table, chance),
            OutOfCards::Loses => self.decide_by_loses(&war, table, chance),
            OutOfCards::LastCard => self.decide_by_last_card(&war, table, chance),
            OutOfCards::Shrink => self.decide_by_shrink(&war, table, chance),
        };
        let (Event::FaceDown { plays } | Event::WarRound { plays, .. }) = &event else {
            return event;
        };
        let putting = plays.iter().map(|play| &table.places()[play.seat.index()]);
        let picked_up = self.parameters.piles.decide_pick_up(putting, table, chance);
        picked_up.unwrap_or(event)
    }

    /// Decides by [`OutOfCards::EndOfCards`]: a player without cards is out, but the last player
    /// left in the war wins the turn.
    fn decide_by_end_of_cards(
        &self,
        war: &War<'_>,
        table: &Table,
        chance: &mut dyn Chance,
    ) -> Event {
        match war.first_without_cards() {
            None => self.put_cards(war, self.face_down_count(), chance),
            Some(seat) if war.has_one_player() => self.collect(seat, table, chance),
            Some(seat) => self.end_of_cards_event(seat, war),
        }
    }

    /// Decides by [`OutOfCards::Loses`]: a player without cards loses the game, which is drawn if
    /// both have none.
    fn decide_by_loses(&self, war: &War<'_>, table: &Table, chance: &mut dyn Chance) -> Event {
        let lost = self.decide_out_of_cards(war, table, chance);
        lost.unwrap_or_else(|| self.put_cards(war, self.face_down_count(), chance))
    }

    /// Decides by [`OutOfCards::LastCard`]: like [`StandardRules::decide_by_loses`], but players
    /// keep their last card to put it face up.
    fn decide_by_last_card(&self, war: &War<'_>, table: &Table, chance: &mut dyn Chance) -> Event {
        if let Some(event) = self.decide_out_of_cards(war, table, chance) {
            return event;
        }
        let keeps_putting = |(_, place): &(Seat, &Place)| {
            face_down_of(place) < self.face_down_count() && place.hand().len() > 1
        };
        let putting: Vec<_> = war.left.iter().copied().filter(keeps_putting).collect();
        if putting.is_empty() {
            return self.put_cards(war, war.face_down, chance);
        }
        let plays = self.choose_plays(putting.into_iter(), chance);
        Event::FaceDown { plays }
    }

    /// Decides by [`OutOfCards::Shrink`]: the war has fewer face-down cards if a player would
    /// otherwise have no card left to put face up; the turn is drawn if a player has no card at
    /// all.
    fn decide_by_shrink(&mut self, war: &War<'_>, table: &Table, chance: &mut dyn Chance) -> Event {
        if war.first_without_cards().is_some() {
            return self.decide_drawn_turn(table, chance);
        }
        let possible = |(_, place): &(Seat, &Place)| place.hand().len() + war.face_down - 1;
        let size = war
            .left
            .iter()
            .map(possible)
            .fold(self.face_down_count(), usize::min);
        self.put_cards(war, size, chance)
    }

    /// Decides a war of two if a player has no cards, or has lost already.
    fn decide_out_of_cards(
        &self,
        war: &War<'_>,
        table: &Table,
        chance: &mut dyn Chance,
    ) -> Option<Event> {
        if war.has_one_player() {
            return Some(self.collect(war.lowest_seat(), table, chance));
        }
        let seat = war.first_without_cards()?;
        Some(
            if war.left.iter().all(|(_, place)| place.hand().is_empty()) {
                Event::DrawnGame
            } else {
                self.end_of_cards_event(seat, war)
            },
        )
    }

    /// Event for a player who lacks the card that is due.
    fn end_of_cards_event(&self, seat: Seat, war: &War<'_>) -> Event {
        let step = war.due_step(self.face_down_count());
        Event::EndOfCards { seat, step }
    }

    /// Puts the next cards of all players left in the war; `size` is the number of face-down cards
    /// before the next face-up card.
    fn put_cards(&self, war: &War<'_>, size: usize, chance: &mut dyn Chance) -> Event {
        let plays = self.choose_plays(war.left.iter().copied(), chance);
        let round = war.round + 1;
        match war.due_step(size) {
            TurnStep::FaceDown => Event::FaceDown { plays },
            TurnStep::FaceUp | TurnStep::TurnEnd => Event::WarRound { round, plays },
        }
    }

    /// Number of face-down cards before each face-up card of a war.
    fn face_down_count(&self) -> usize {
        self.parameters.face_down.into()
    }

    fn collect(&self, seat: Seat, table: &Table, chance: &mut dyn Chance) -> Event {
        let cards = self.parameters.collect.order_cards(seat, table, chance);
        Event::Collected { seat, cards }
    }

    /// Decides a drawn turn: each player takes the cards of the next player, shuffled. Chance plays
    /// no part if the cards of each player are equal.
    fn decide_drawn_turn(&mut self, table: &Table, chance: &mut dyn Chance) -> Event {
        let differ = |place: &Place| {
            place
                .pile()
                .windows(2)
                .any(|put| put[0].card != put[1].card)
        };
        if table.places().iter().any(differ) {
            self.repetition = RepetitionDetector::new(self.parameters.piles);
        }
        let with_cards = table
            .places_by_seat()
            .filter(|(_, place)| !place.pile().is_empty());
        let seats: Vec<_> = with_cards.collect();
        let next = seats.iter().cycle().skip(1);
        let take = |((seat, _), (_, from)): (&(Seat, &Place), &(Seat, &Place))| {
            let mut cards = pile_cards(from);
            chance.shuffle(&mut cards);
            TakenCards { seat: *seat, cards }
        };
        let takes = seats.iter().zip(next).map(take).collect();
        Event::Drawn { takes }
    }
}

impl Rules for StandardRules {
    fn decide(&mut self, table: &Table, chance: &mut dyn Chance) -> Event {
        if table.is_pot_empty() {
            self.decide_between_turns(table, chance)
        } else {
            self.decide_in_turn(table, chance)
        }
    }
}

/// Holdings of all players between two turns.
fn holdings(table: &Table) -> impl Iterator<Item = StoppedHand> + Clone {
    let holding = |(seat, place): (Seat, &Place)| StoppedHand {
        seat,
        highest: place.hand().iter().max().copied(),
        cards: place.hand().len(),
    };
    table.places_by_seat().map(holding)
}

/// Plays this many turns from `table` without chance, and returns the table at the start of the
/// next turn.
fn play_turns(parameters: Parameters, mut table: Table, turns: u32) -> Table {
    let mut rules = StandardRules::new(Parameters {
        limit: None,
        repetition: RepetitionRule::GoesOn,
        ..parameters
    });
    let last = table.turn().saturating_add(turns);
    while table.outcome().is_none() {
        let event = rules.decide(&table, &mut ());
        let starts = matches!(event, Event::Clash { .. }) && table.turn() == last;
        // Applying never fails: rules decide only possible events.
        if starts || table.apply(&event).is_err() {
            break;
        }
    }
    table
}

/// State of an unfinished turn: the players who share the highest card compared last.
struct War<'a> {
    /// Number of face-up cards in the longest row.
    round: u32,
    /// Number of rows that end with the highest card compared last.
    tied: usize,
    /// Players of these rows who are still in the game, lowest seat first; never empty.
    left: Vec<(Seat, &'a Place)>,
    /// Number of cards that each of them has put face down since their last face-up card.
    face_down: usize,
}

impl<'a> War<'a> {
    /// State of the turn at a table with cards on it.
    fn of(table: &'a Table) -> Self {
        let mut last = (0, Rank::ACE);
        let mut tied = 0;
        for row in table.places().iter().filter_map(last_revealed) {
            if tied == 0 || row > last {
                (last, tied) = (row, 1);
            } else if row == last {
                tied += 1;
            }
        }
        let shares = |place: &Place| place.is_in_game() && last_revealed(place) == Some(last);
        let left: Vec<_> = table
            .places_by_seat()
            .filter(|(_, place)| shares(place))
            .collect();
        let face_down = left.first().map_or(0, |(_, place)| face_down_of(place));
        Self {
            round: last.0,
            tied,
            left,
            face_down,
        }
    }

    /// Lowest seat of the players left.
    fn lowest_seat(&self) -> Seat {
        self.left[0].0
    }

    /// Returns `true` if only one player is left.
    fn has_one_player(&self) -> bool {
        self.left.len() == 1
    }

    /// Lowest seat of the players left who hold no cards.
    fn first_without_cards(&self) -> Option<Seat> {
        let mut left = self.left.iter();
        let found = left.find(|(_, place)| place.hand().is_empty());
        found.map(|(seat, _)| *seat)
    }

    /// Step that is due if `size` cards go face down before the next face-up card.
    const fn due_step(&self, size: usize) -> TurnStep {
        if self.face_down < size {
            TurnStep::FaceDown
        } else {
            TurnStep::FaceUp
        }
    }
}

/// Number of cards that a player has put face down since their last face-up card.
fn face_down_of(place: &Place) -> usize {
    let pile = place.pile().iter().rev();
    pile.take_while(|put| put.face == Face::Down).count()
}

/// Number of face-up cards in a player's row, and the last of them.
fn last_revealed(place: &Place) -> Option<(u32, Rank)> {
    let face_up = place.pile().iter().filter(|put| put.face == Face::Up);
    face_up.fold(None, |last, put| {
        Some((last.map_or(1, |(round, _)| round + 1), put.card))
    })
}

/// Cards that a player holds when a game is stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StoppedHand {
    /// Seat of the player.
    pub seat: Seat,
    /// Highest card, if the player holds any.
    pub highest: Option<Rank>,
    /// Number of cards that the player holds.
    pub cards: usize,
}

/// Winner of a stopped game: the only player with cards of the highest rank, if that player also
/// holds more cards than every other player.
///
/// `holdings` has an item for each player. Nobody wins if players share the highest rank or the
/// most cards, if different players hold these, or if no cards are left.
///
/// # Examples
///
/// ```
/// use war::cards::Rank;
/// use war::engine::Seat;
/// use war::rules::{StoppedHand, winner_when_stopped};
///
/// let holding = |number, rank, cards| StoppedHand {
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
pub fn winner_when_stopped(holdings: impl Iterator<Item = StoppedHand> + Clone) -> Option<Seat> {
    let highest = holdings.clone().filter_map(|held| held.highest).max()?;
    let most = holdings.clone().map(|held| held.cards).max()?;
    let has_either = |held: &StoppedHand| held.highest == Some(highest) || held.cards == most;
    let mut winners = { holdings }.filter(has_either);
    // There is no winner if two players have the highest rank or the most cards, or if one has the
    // highest rank and another has the most cards.
    match (winners.next(), winners.next()) {
        (Some(winner), None) => Some(winner.seat),
        _ => None,
    }
}
