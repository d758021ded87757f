//! Kernel for very few cards: a hand is a word with four bits per card.

use war::rules::{CollectOrder, OutOfCards, Parameters, Piles};

/// Maximum number of cards in both hands together, and of ranks.
const MAX_CARDS: usize = 16;

/// Maximum number of turns before a game is left to the general kernel, which detects cycles.
const MAX_TURNS: u32 = 512;

/// Kernel for games of two players with at most 16 cards.
pub(crate) struct SmallKernel {
    /// Number of pairs from one comparison of a war to the next.
    step: u32,
    war: SmallWarOrder,
}

/// Order in which the cards of a war go back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum SmallWarOrder {
    /// Pair by pair, in the order put.
    PairByPair,
    /// Pair by pair, the last one first.
    Backwards,
    /// The highest card first.
    HighestFirst,
}

/// Result of a game that was won or drawn.
pub(crate) struct SmallResult {
    /// Index of the winner; `None` if the game was drawn.
    pub(crate) winner: Option<u8>,
    pub(crate) turns: u32,
    /// Number of pairs of cards played.
    pub(crate) pairs: u32,
}

/// Both hands, with the top card in the lowest four bits.
struct SmallHands {
    first: u64,
    second: u64,
    lengths: [u32; 2],
}

impl SmallKernel {
    /// Returns the kernel for these rules and this many cards, if it can play them.
    pub(crate) fn new(parameters: &Parameters, cards: usize) -> Option<Self> {
        let war = match parameters.collect {
            CollectOrder::WinnerFirst => SmallWarOrder::PairByPair,
            CollectOrder::Bataille => SmallWarOrder::Backwards,
            CollectOrder::HighestFirst => SmallWarOrder::HighestFirst,
            _ => return None,
        };
        let loses = parameters.out_of_cards == OutOfCards::Loses;
        let is_one = parameters.piles == Piles::One;
        let plays = loses && is_one && parameters.limit.is_none() && cards <= MAX_CARDS;
        plays.then(|| Self {
            step: u32::from(parameters.face_down) + 1,
            war,
        })
    }

    /// Plays a game to its end, or gives up after many turns. Hands have the top card first, and
    /// ranks from 0.
    #[inline]
    pub(crate) fn play(&self, first: &[u8], second: &[u8]) -> Option<SmallResult> {
        let word = |hand: &[u8]| {
            let cards = hand.iter().rev();
            cards.fold(0, |word, &card| word << 4 | u64::from(card))
        };
        let length = |hand: &[u8]| u32::try_from(hand.len()).expect("16 cards at most");
        let mut hands = SmallHands {
            first: word(first),
            second: word(second),
            lengths: [length(first), length(second)],
        };
        let (mut turns, mut pairs) = (0, 0);
        while turns < MAX_TURNS {
            let [held, other] = hands.lengths;
            if held.min(other) == 0 {
                return Some(SmallResult {
                    winner: Some(u8::from(held == 0)),
                    turns,
                    pairs,
                });
            }
            turns += 1;
            if hands.card(0) != hands.other_card(0) {
                hands.take_pair();
                pairs += 1;
                continue;
            }
            let mut at = self.step;
            while at < held.min(other) && hands.card(at) == hands.other_card(at) {
                at += self.step;
            }
            if at >= held.min(other) {
                pairs += held.min(other);
                let winner = match held.cmp(&other) {
                    std::cmp::Ordering::Less => Some(1),
                    std::cmp::Ordering::Equal => None,
                    std::cmp::Ordering::Greater => Some(0),
                };
                return Some(SmallResult {
                    winner,
                    turns,
                    pairs,
                });
            }
            hands.take_war(at + 1, self.war);
            pairs += at + 1;
        }
        None
    }
}

impl SmallHands {
    #[inline]
    const fn card(&self, at: u32) -> u64 {
        self.first >> (4 * at) & 15
    }

    #[inline]
    const fn other_card(&self, at: u32) -> u64 {
        self.second >> (4 * at) & 15
    }

    /// Gives both top cards to the player with the higher one, which goes back first.
    #[inline]
    fn take_pair(&mut self) {
        let (first, second) = (self.card(0), self.other_card(0));
        let pair = first.max(second) | first.min(second) << 4;
        let wins = u32::from(first > second);
        let mask = u64::from(wins).wrapping_neg();
        let [length, other] = self.lengths.map(|length| length - 1);
        self.first = self.first >> 4 | (pair << (4 * length)) & mask;
        // At most 14 cards are left in the hand, so the remainder never changes the shift.
        self.second = self.second >> 4 | (pair << (4 * other % 64)) & !mask;
        self.lengths = [length + 2 * wins, other + 2 - 2 * wins];
    }

    /// Gives these pairs to the player with the higher card in the last pair.
    fn take_war(&mut self, pairs: u32, order: SmallWarOrder) {
        let first_wins = self.card(pairs - 1) > self.other_card(pairs - 1);
        let (mut winner, mut loser) = (self.first, self.second);
        let [mut length, mut other] = self.lengths;
        if !first_wins {
            std::mem::swap(&mut winner, &mut loser);
            std::mem::swap(&mut length, &mut other);
        }
        let mut taken = 0;
        for place in 0..pairs {
            let from = match order {
                SmallWarOrder::Backwards => pairs - 1 - place,
                SmallWarOrder::PairByPair | SmallWarOrder::HighestFirst => place,
            };
            let pair = (winner >> (4 * from) & 15) | (loser >> (4 * from) & 15) << 4;
            taken |= pair << (8 * place);
        }
        if order == SmallWarOrder::HighestFirst {
            taken = sort_cards(taken, 2 * pairs);
        }
        winner = winner.checked_shr(4 * pairs).unwrap_or(0) | taken << (4 * (length - pairs));
        loser = loser.checked_shr(4 * pairs).unwrap_or(0);
        (length, other) = (length + pairs, other - pairs);
        if !first_wins {
            std::mem::swap(&mut winner, &mut loser);
            std::mem::swap(&mut length, &mut other);
        }
        (self.first, self.second) = (winner, loser);
        self.lengths = [length, other];
    }
}

/// Sorts this many cards of a word, the highest first.
fn sort_cards(cards: u64, count: u32) -> u64 {
    let mut sorted = 0;
    let mut placed = 0;
    for rank in (0..16).rev() {
        for at in 0..count {
            if cards >> (4 * at) & 15 == rank {
                sorted |= rank << (4 * placed);
                placed += 1;
            }
        }
    }
    sorted
}
