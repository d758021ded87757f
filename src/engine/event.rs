use super::Seat;
use crate::cards::Rank;

/// A fact of a game: something that happened at the table.
///
/// Events know no clock, no language and no rules. They contain every outcome of chance, so the
/// stream alone describes the whole game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    /// Deal of the cards: one hand for each seat, top card first.
    Dealt {
        /// Hands, seat 1 first; an empty one is a player without cards.
        hands: Vec<Vec<Rank>>,
    },
    /// Reordering of hands, each by itself: either all of them were shuffled, or players with
    /// only won cards picked these up as their hand.
    Reshuffled {
        /// All hands, including unchanged ones, seat 1 first, top card first.
        hands: Vec<Vec<Rank>>,
    },
    /// Start of a turn: every player with cards put one card face up.
    Clash {
        /// One card for each seat in the game, lowest seat first.
        plays: Vec<Play>,
    },
    /// Face-down cards of a war, one from each player still in it.
    FaceDown {
        /// One card for each seat still in the war, lowest seat first.
        plays: Vec<Play>,
    },
    /// Face-up cards of a war, one from each player still in it.
    WarRound {
        /// Number of face-up cards in the longest row; the clash counts as the first, so this is 2
        /// or more.
        round: u32,
        /// One card for each seat still in the war, lowest seat first.
        plays: Vec<Play>,
    },
    /// End of a player's cards: the player is out of the game.
    EndOfCards {
        /// The player without cards.
        seat: Seat,
        /// Moment at which the player turned out to have no cards.
        step: TurnStep,
    },
    /// Capture of the cards on the table, which went under the hand of the turn's winner.
    Collected {
        /// The winner of the turn.
        seat: Seat,
        /// All cards on the table, in the order in which they went to the bottom of the hand.
        cards: Vec<Rank>,
    },
    /// Drawn turn: each player took cards from the table under their hand.
    Drawn {
        /// Cards that each player took, in the order in which they took them.
        takes: Vec<TakenCards>,
    },
    /// Win of the player who holds all the cards. This is the last event.
    Won {
        /// The winner of the game.
        seat: Seat,
    },
    /// Endless game: all hands are as they were at the start of an earlier turn. This is the last
    /// event.
    Endless {
        /// The earlier turn, which started with the same hands.
        from: u32,
        /// The last turn played.
        to: u32,
    },
    /// Drawn game: the players ran out of cards at the same time. This is the last event.
    DrawnGame,
    /// Stop of the game at its turn limit. This is the last event.
    Stopped {
        /// The winner, if the rules name one.
        winner: Option<Seat>,
    },
}

/// A card put on the table by a player.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Play {
    /// The player who put the card.
    pub seat: Seat,
    /// The card that was put.
    pub card: Rank,
    /// Position of the card in the player's hand, from the top: 0, unless chance drew another card.
    pub index: u16,
}

/// Returns the plays that share the highest rank, or none if only one play has that rank.
///
/// # Examples
///
/// ```
/// use war::cards::Rank;
/// use war::engine::{Play, Seat, tied_plays};
///
/// let play = |seat, card| Play {
///     seat: Seat::from_number(seat).unwrap(),
///     card: Rank::new(card).unwrap(),
///     index: 0,
/// };
/// let plays = [play(1, 13), play(2, 9), play(3, 13)];
/// assert_eq!(tied_plays(&plays), [plays[0], plays[2]]);
/// assert_eq!(tied_plays(&plays[..2]), []);
/// ```
#[must_use]
pub fn tied_plays(plays: &[Play]) -> Vec<Play> {
    let highest = plays.iter().map(|play| play.card).max();
    let mut tied = plays.to_vec();
    tied.retain(|play| Some(play.card) == highest);
    if tied.len() == 1 {
        tied.clear();
    }
    tied
}

/// Cards that a player takes from the table in a draw.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TakenCards {
    /// The player who takes the cards.
    pub seat: Seat,
    /// Cards, in the order in which they go to the bottom of the hand.
    pub cards: Vec<Rank>,
}

/// Step of a turn at which a player turned out to have no cards left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TurnStep {
    /// In a war, when a face-down card was due.
    FaceDown,
    /// In a war, when a face-up card was due.
    FaceUp,
    /// After the turn, once the cards had been collected.
    TurnEnd,
}
