use super::Seat;
use crate::cards::Rank;

/// One fact of a game: something that happened at the table.
///
/// Events hold no clock, no language and no rule. Every outcome of chance is in
/// one, so the stream alone describes the whole game. Serialized they are as in a journal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    /// The cards were dealt: one hand for each seat, top card first.
    Dealt {
        /// The hands, seat 1 first; an empty one is a player without cards.
        hands: Vec<Vec<Rank>>,
    },
    /// Hands were put in another order, each by itself: all of them were shuffled, or who had won
    /// cards alone took these up as their hand.
    Reshuffled {
        /// All hands, those that stay as they were too, seat 1 first, top card first.
        hands: Vec<Vec<Rank>>,
    },
    /// A turn began: everybody with cards put one card face up.
    Clash {
        /// One card for each seat in the game, lowest seat first.
        plays: Vec<Play>,
    },
    /// Those in a war put one card each face down.
    FaceDown {
        /// One card for each seat still in the war, lowest seat first.
        plays: Vec<Play>,
    },
    /// Those in a war put one card each face up.
    WarRound {
        /// The number of face-up cards in the longest row: the tied clash is 1, so this is 2 or more.
        round: u32,
        /// One card for each seat still in the war, lowest seat first.
        plays: Vec<Play>,
    },
    /// A player has no card left, and is out of the game.
    EndOfCards {
        /// Whose cards ended.
        seat: Seat,
        /// When it showed.
        step: Step,
    },
    /// The cards on the table went under the hand of the turn's winner.
    Collected {
        /// Who took them.
        seat: Seat,
        /// All the cards on the table, in the order in which they went to the bottom of the hand.
        cards: Vec<Rank>,
    },
    /// Nobody won the turn: each player took cards from the table under their hand.
    Drawn {
        /// What they took, in the order in which they took it.
        takes: Vec<Take>,
    },
    /// One player holds all the cards. Nothing follows.
    Won {
        /// The winner.
        seat: Seat,
    },
    /// All hands are as they were at the start of an earlier turn. Nothing follows.
    Endless {
        /// The turn whose start came back.
        from: u32,
        /// The last turn played.
        to: u32,
    },
    /// The players ran out of cards at the same time: nobody wins the game. Nothing follows.
    DrawnGame,
    /// The game was stopped after as many turns as it may last. Nothing follows.
    Stopped {
        /// Who alone holds all cards of the highest rank, and alone holds the most cards.
        winner: Option<Seat>,
    },
}

/// A card put on the table by a player.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Play {
    /// Whose card it is.
    pub seat: Seat,
    /// The card.
    pub card: Rank,
    /// Where in their hand it was, from the top: 0, unless chance drew another card.
    pub index: u16,
}

/// The cards of a clash that share the highest rank, where several do: a war. Otherwise none.
///
/// # Examples
///
/// ```
/// use war::cards::Rank;
/// use war::engine::{Play, Seat, tied};
///
/// let play = |seat, card| Play {
///     seat: Seat::from_number(seat).unwrap(),
///     card: Rank::new(card).unwrap(),
///     index: 0,
/// };
/// let plays = [play(1, 13), play(2, 9), play(3, 13)];
/// assert_eq!(tied(&plays), [plays[0], plays[2]]);
/// assert_eq!(tied(&plays[..2]), []);
/// ```
#[must_use]
pub fn tied(plays: &[Play]) -> Vec<Play> {
    let highest = plays.iter().map(|play| play.card).max();
    let mut tied = plays.to_vec();
    tied.retain(|play| Some(play.card) == highest);
    if tied.len() == 1 {
        tied.clear();
    }
    tied
}

/// Cards that a player takes from the table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Take {
    /// Who takes them.
    pub seat: Seat,
    /// The cards, in the order in which they go to the bottom of their hand.
    pub cards: Vec<Rank>,
}

/// The moment at which a player's end of cards showed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// In a war, when a face-down card was due.
    FaceDown,
    /// In a war, when a face-up card was due.
    FaceUp,
    /// After the turn, when the cards had been collected.
    TurnEnd,
}
