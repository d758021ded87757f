use crate::cards::Rank;
use crate::engine::Seat;

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
