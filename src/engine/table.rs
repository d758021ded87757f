use super::{Event, Play, Seat};
use crate::cards::Rank;
use std::collections::VecDeque;

/// State of a game of War: the fold of its events.
///
/// Only [`Table::apply`] changes it. A table knows how cards move, but no rules: the events say
/// who wins, who is out and when the game ends.
///
/// # Examples
///
/// ```
/// use war::{cards::Rank, engine::{Event, Table}};
///
/// let nine = Rank::new(9).unwrap();
/// let mut table = Table::default();
/// table.apply(&Event::Dealt { hands: vec![vec![nine], vec![Rank::ACE]] }).unwrap();
/// assert_eq!(table.places()[1].hand().front(), Some(&Rank::ACE));
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Table {
    turn: u32,
    places: Vec<Place>,
    outcome: Option<Outcome>,
}

/// A player's place at the table, with their hand and the cards they have put.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    hand: VecDeque<Rank>,
    won: usize,
    pile: Vec<TableCard>,
    in_game: bool,
}

/// A card lying on the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TableCard {
    /// Rank of the card.
    pub card: Rank,
    /// Side that is up.
    pub face: Face,
}

/// Side of a card that is up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Face {
    /// Face down: the rank is hidden.
    Down,
    /// Face up: the rank is revealed.
    Up,
}

/// Outcome of a finished game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// Win of the player who holds all the cards.
    Won(Seat),
    /// Endless game: its hands repeat.
    Endless {
        /// The earlier turn that started with the same hands.
        from: u32,
        /// The last turn played.
        to: u32,
    },
    /// Drawn game: the players ran out of cards at the same time.
    Drawn,
    /// Stopped game, with or without a winner.
    Stopped(Option<Seat>),
}

/// Reason why an event can't be applied to a table.
///
/// Rules never decide such an event, but a journal may contain one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ApplyError {
    /// Second deal of a game.
    #[error("the cards were already dealt")]
    DealtTwice,
    /// Deal to more players than a table seats.
    #[error("a table can't seat {0} players")]
    TooManyPlayers(usize),
    /// Event before the deal.
    #[error("no cards are dealt yet")]
    NotDealt,
    /// Event after the end of the game.
    #[error("the game is over")]
    Over,
    /// Seat that the table does not have.
    #[error("there is no player {0}")]
    NoSuchSeat(Seat),
    /// New turn while cards of the last turn lie on the table.
    #[error("cards of the last turn are still on the table")]
    PotNotCollected,
    /// Overflow of the turn counter.
    #[error("a game lasts {} turns at most", u32::MAX)]
    TooManyTurns,
    /// Card that is not at this position in the player's hand.
    #[error("player {} put {}, which is not card {} of the hand", .0.seat, .0.card, .0.index)]
    NotInHand(Play),
    /// Reordered hands that do not consist of the cards in the players' hands.
    #[error("the hands shuffled are not those of the table")]
    NotTheHands,
    /// End of cards for a player who still holds cards.
    #[error("player {0} still holds cards")]
    HoldsCards(Seat),
    /// Taken cards other than those on the table.
    #[error("the cards taken are not those on the table")]
    NotThePot,
}

impl Table {
    /// Last turn that began, counted from 1; 0 before the first.
    #[must_use]
    pub const fn turn(&self) -> u32 {
        self.turn
    }

    /// All places, seat 1 first; empty before the deal.
    #[must_use]
    pub fn places(&self) -> &[Place] {
        &self.places
    }

    /// Outcome of the game, or `None` before its end.
    #[must_use]
    pub const fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    /// All places with their seats, seat 1 first.
    ///
    /// # Examples
    ///
    /// ```
    /// use war::{cards::Rank, engine::{Event, Table}};
    ///
    /// let mut table = Table::default();
    /// table.apply(&Event::Dealt { hands: vec![vec![Rank::ACE], Vec::new()] }).unwrap();
    /// let in_game = table.places_by_seat().filter(|(_, place)| place.is_in_game());
    /// let seats: Vec<_> = in_game.map(|(seat, _)| seat.number()).collect();
    /// assert_eq!(seats, [1]);
    /// ```
    pub fn places_by_seat(&self) -> impl Iterator<Item = (Seat, &Place)> + Clone {
        Seat::all().zip(&self.places)
    }

    /// Returns `true` if no card lies on the table.
    #[must_use]
    pub fn is_pot_empty(&self) -> bool {
        self.places.iter().all(|place| place.pile.is_empty())
    }

    /// Number of cards in the game, in the hands and on the table.
    #[must_use]
    pub fn card_count(&self) -> usize {
        let cards = |place: &Place| place.hand.len() + place.pile.len();
        self.places.iter().map(cards).sum()
    }

    /// All cards on the table, seat by seat, the cards of each player in the order put.
    pub fn pot(&self) -> impl Iterator<Item = Rank> {
        let piles = self.places.iter().flat_map(|place| &place.pile);
        piles.map(|put| put.card)
    }

    /// Applies an event.
    ///
    /// # Examples
    ///
    /// ```
    /// use war::cards::Rank;
    /// use war::engine::{ApplyError, Event, Play, Seat, Table};
    ///
    /// let mut table = Table::default();
    /// let play = Play { seat: Seat::FIRST, card: Rank::ACE, index: 0 };
    /// let clash = Event::Clash { plays: vec![play] };
    /// assert_eq!(table.apply(&clash), Err(ApplyError::NotDealt));
    /// table.apply(&Event::Dealt { hands: vec![vec![Rank::ACE]] }).unwrap();
    /// table.apply(&clash).unwrap();
    /// assert_eq!(table.pot().collect::<Vec<_>>(), [Rank::ACE]);
    /// ```
    ///
    /// # Errors
    ///
    /// [`ApplyError`] if the event can't happen at this table. The table must not be used after an
    /// error.
    pub fn apply(&mut self, event: &Event) -> Result<(), ApplyError> {
        if self.outcome.is_some() {
            return Err(ApplyError::Over);
        }
        if self.places.is_empty() != matches!(event, Event::Dealt { .. }) {
            return Err(if self.places.is_empty() {
                ApplyError::NotDealt
            } else {
                ApplyError::DealtTwice
            });
        }
        match event {
            Event::Dealt { hands } => self.deal(hands)?,
            Event::Reshuffled { hands } => self.reshuffle(hands)?,
            Event::Clash { plays } => self.begin_turn(plays)?,
            Event::FaceDown { plays } => self.put(plays, Face::Down)?,
            Event::WarRound { plays, .. } => self.put(plays, Face::Up)?,
            Event::EndOfCards { seat, .. } => self.leave(*seat)?,
            Event::Collected { seat, cards } => {
                self.collect(std::iter::once((*seat, &cards[..])))?;
            }
            Event::Drawn { takes } => {
                self.collect(takes.iter().map(|take| (take.seat, &take.cards[..])))?;
            }
            Event::Won { seat } => self.outcome = Some(Outcome::Won(*seat)),
            Event::Endless { from, to } => {
                let (from, to) = (*from, *to);
                self.outcome = Some(Outcome::Endless { from, to });
            }
            Event::DrawnGame => self.outcome = Some(Outcome::Drawn),
            Event::Stopped { winner } => self.outcome = Some(Outcome::Stopped(*winner)),
        }
        Ok(())
    }

    fn deal(&mut self, hands: &[Vec<Rank>]) -> Result<(), ApplyError> {
        if hands.len() > Seat::MAX {
            return Err(ApplyError::TooManyPlayers(hands.len()));
        }
        self.places = hands.iter().map(|hand| Place::new(hand)).collect();
        Ok(())
    }

    fn reshuffle(&mut self, hands: &[Vec<Rank>]) -> Result<(), ApplyError> {
        let counted = |hand: &Vec<Rank>| rank_counts(hand.iter().copied());
        let own = self
            .places
            .iter()
            .map(|place| rank_counts(place.hand.iter().copied()));
        if !own.eq(hands.iter().map(counted)) {
            return Err(ApplyError::NotTheHands);
        }
        for (place, hand) in self.places.iter_mut().zip(hands) {
            place.hand = hand.iter().copied().collect();
            if place.won == hand.len() {
                place.won = 0;
            }
        }
        Ok(())
    }

    fn begin_turn(&mut self, plays: &[Play]) -> Result<(), ApplyError> {
        if !self.is_pot_empty() {
            return Err(ApplyError::PotNotCollected);
        }
        self.turn = self.turn.checked_add(1).ok_or(ApplyError::TooManyTurns)?;
        self.put(plays, Face::Up)
    }

    fn put(&mut self, plays: &[Play], face: Face) -> Result<(), ApplyError> {
        for &play in plays {
            let place = self.place_mut(play.seat)?;
            if place.hand.get(usize::from(play.index)) != Some(&play.card) {
                return Err(ApplyError::NotInHand(play));
            }
            place.hand.remove(usize::from(play.index));
            place.won = place.won.min(place.hand.len());
            let card = play.card;
            place.pile.push(TableCard { card, face });
        }
        Ok(())
    }

    fn leave(&mut self, seat: Seat) -> Result<(), ApplyError> {
        let place = self.place_mut(seat)?;
        if !place.hand.is_empty() {
            return Err(ApplyError::HoldsCards(seat));
        }
        place.in_game = false;
        Ok(())
    }

    fn collect<'a>(
        &mut self,
        takes: impl Iterator<Item = (Seat, &'a [Rank])> + Clone,
    ) -> Result<(), ApplyError> {
        let cards = takes.clone().flat_map(|(_, cards)| cards.iter().copied());
        if rank_counts(self.pot()) != rank_counts(cards) {
            return Err(ApplyError::NotThePot);
        }
        for (seat, cards) in takes {
            let place = self.place_mut(seat)?;
            place.hand.extend(cards);
            place.won += cards.len();
        }
        for place in &mut self.places {
            place.pile.clear();
        }
        Ok(())
    }

    fn place_mut(&mut self, seat: Seat) -> Result<&mut Place, ApplyError> {
        let place = self.places.get_mut(seat.index());
        place.ok_or(ApplyError::NoSuchSeat(seat))
    }
}

impl Place {
    fn new(hand: &[Rank]) -> Self {
        Self {
            hand: hand.iter().copied().collect(),
            won: 0,
            pile: Vec::new(),
            in_game: !hand.is_empty(),
        }
    }

    /// The player's hand, top card first.
    #[must_use]
    pub const fn hand(&self) -> &VecDeque<Rank> {
        &self.hand
    }

    /// Number of cards at the bottom of the hand that were won since the deal, or since a hand of
    /// only won cards was last reordered.
    ///
    /// With two piles, these cards are the second pile.
    ///
    /// # Examples
    ///
    /// ```
    /// use war::cards::Rank;
    /// use war::engine::{Event, Game};
    /// use war::rules::StandardRules;
    ///
    /// let hands = [[9, 2, 3], [8, 4, 5]].map(|hand| hand.map(|card| Rank::new(card).unwrap()));
    /// let hands = hands.map(Vec::from).to_vec();
    /// let mut game = Game::new(Box::new(StandardRules::classic()), hands).unwrap();
    /// game.find(|event| matches!(event, Event::Collected { .. }));
    /// let place = &game.table().places()[0];
    /// assert_eq!((place.hand().len(), place.won_count()), (4, 2));
    /// ```
    #[must_use]
    pub const fn won_count(&self) -> usize {
        self.won
    }

    /// Cards put on the table in this turn, in order.
    #[must_use]
    pub fn pile(&self) -> &[TableCard] {
        &self.pile
    }

    /// Returns `true` if the player was dealt cards and has not been declared out of the game.
    #[must_use]
    pub const fn is_in_game(&self) -> bool {
        self.in_game
    }
}

/// Number of cards of each rank.
fn rank_counts(cards: impl Iterator<Item = Rank>) -> [u32; Rank::HIGHEST.get() as usize + 1] {
    let mut counts = [0; _];
    for card in cards {
        counts[usize::from(card.get())] += 1;
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::{ApplyError, Event, Table};

    #[test]
    fn no_turn_begins_after_the_highest_turn_number() {
        let mut table = Table::default();
        let hands = vec![Vec::new()];
        assert_eq!(table.apply(&Event::Dealt { hands }), Ok(()));
        table.turn = u32::MAX - 1;
        let clash = Event::Clash { plays: Vec::new() };
        assert_eq!(table.apply(&clash), Ok(()));
        assert_eq!(table.apply(&clash), Err(ApplyError::TooManyTurns));
        assert_eq!(table.turn(), u32::MAX);
    }
}
