use war::cards::Deck;

/// The share of all deals in two equal hands in which player 1 takes every card as it is put, without
/// a war: exactly, but for the rounding of floats.
///
/// # Examples
///
/// ```
/// use war::cards::Deck;
/// use war_simulate::literature::share_of_sweeps;
///
/// // Of four different cards, each player's are the lower ones of their pairs in one deal of four.
/// let deck = Deck::shaped("4x1").unwrap();
/// assert!((share_of_sweeps(deck) - 0.25).abs() < 1e-15);
/// ```
#[must_use]
pub fn share_of_sweeps(deck: Deck) -> f64 {
    let ranks = u32::from(deck.highest() - deck.lowest()) + 1;
    let cards = u32::try_from(deck.size()).unwrap_or(u32::MAX);
    let (suits, half) = (cards / ranks, cards / 2);
    // In how many ways the cards of the ranks so far can be paired, by how many of them wait for a
    // higher one.
    let mut ways = vec![1.0];
    for _ in 0..ranks {
        let mut next = vec![0.0; ways.len() + suits as usize];
        for (waiting, ways) in (0_u32..).zip(&ways) {
            let mut paired = *ways;
            for taken in 0..=suits.min(waiting) {
                next[(waiting + suits - 2 * taken) as usize] += paired;
                // Another card of this rank takes one of those that still wait.
                let (left, rest) = (f64::from(suits - taken), f64::from(waiting - taken));
                paired *= left * rest / f64::from(taken + 1);
            }
        }
        ways = next;
    }
    // The pairs lie in any order, and each player has a card of each.
    (1..=half).fold(ways[0], |share, card| share / f64::from(half + card))
}
