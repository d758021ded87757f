//! The fast portable kernel: two players, rings of bytes, no branch but for wars.

use super::batch::{BatchKernel, Deals};
use crate::engine::Seat;
use crate::rules::{Collect, OutOfCards, Parameters, Repeated};
use crate::simulate::game::{Conclusion, Depths, Played};

/// How many turns a game may take before it is left to the kernel that knows cycles.
///
/// A game that ends by then had no cycle.
const MOST_TURNS: u32 = 4_096;

/// The most cards of a game: one hand may hold them all.
const MOST_CARDS: usize = 255;

/// Where the ring of player 2 begins.
const SECOND: usize = 256;

/// A kernel for games of two players whose cards always go back in pairs.
#[derive(Debug, Clone)]
pub struct Pair {
    /// How many cards lie between two of a war that are compared.
    step: usize,
    winner_first: bool,
    drawn_when_even: bool,
}

impl Pair {
    /// The kernel for these rules, if it can play them.
    ///
    /// Cards must go back pair by pair, and a player out of cards must lose: rules with a
    /// limit of turns are for the kernel that plays every rule.
    #[must_use]
    pub fn new(parameters: &Parameters) -> Option<Self> {
        let pairs = matches!(
            parameters.collect,
            Collect::WinnerFirst | Collect::SeatInterleaved
        );
        let loses = matches!(
            parameters.out_of_cards,
            OutOfCards::Loses | OutOfCards::EndOfCards
        );
        let plays = pairs && loses && parameters.limit.is_none();
        (plays && parameters.repetition == Repeated::Ends).then(|| Self {
            step: usize::from(parameters.face_down) + 1,
            winner_first: parameters.collect == Collect::WinnerFirst,
            drawn_when_even: parameters.out_of_cards == OutOfCards::Loses,
        })
    }

    /// How many pairs further the cards of a war are compared.
    #[cfg(target_arch = "x86_64")]
    #[must_use]
    pub(super) const fn step(&self) -> usize {
        self.step
    }

    /// Whether a pair goes back with the card of the turn's winner first.
    #[cfg(target_arch = "x86_64")]
    #[must_use]
    pub(super) const fn winner_first(&self) -> bool {
        self.winner_first
    }

    /// Whether the game is drawn where both run out of cards at once.
    #[cfg(target_arch = "x86_64")]
    #[must_use]
    pub(super) const fn drawn_when_even(&self) -> bool {
        self.drawn_when_even
    }

    /// Plays a game to its end, or gives up after many turns: `None` says that nothing is
    /// known of the game yet, and nothing was counted.
    ///
    /// `cards` are dealt one at a time from the first on, the first to player 1; of more than
    /// 255 nothing is known.
    #[inline]
    pub fn play(&self, cards: &[u8], depths: &mut Depths) -> Option<Played> {
        if cards.len() > MOST_CARDS {
            return None;
        }
        if self.winner_first {
            self.play_ordered::<true>(cards, depths)
        } else {
            self.play_ordered::<false>(cards, depths)
        }
    }

    #[inline]
    fn play_ordered<const WINNER_FIRST: bool>(
        &self,
        cards: &[u8],
        depths: &mut Depths,
    ) -> Option<Played> {
        let mut rings = Rings::dealt(cards);
        let (mut turns, mut wars) = (0, 0);
        let mut deeper = Deeper::default();
        loop {
            // As many pairs as there are for certain: no hand can run out within them.
            let held = rings.lengths[0].min(rings.lengths[1]);
            if held == 0 {
                deeper.flush(wars, depths);
                let verdict = Conclusion::Won(if rings.lengths[0] == 0 {
                    Seat::SECOND
                } else {
                    Seat::FIRST
                });
                return Some(Played {
                    verdict,
                    turns,
                    wars,
                });
            }
            if turns > MOST_TURNS {
                return None;
            }
            turns += rings.play_until_war::<WINNER_FIRST>(held);
            let held = rings.lengths[0].min(rings.lengths[1]);
            let (first, second) = rings.compared(0);
            if held == 0 || first != second {
                continue;
            }
            turns += 1;
            wars += 1;
            let (mut at, mut depth) = (0, 0);
            let (first, second) = loop {
                at += self.step;
                depth += 1;
                if at >= held {
                    deeper.count(depth);
                    deeper.flush(wars, depths);
                    return Some(self.out_of_cards(&rings, turns, wars));
                }
                let (first, second) = rings.compared(at);
                if first != second {
                    break (first, second);
                }
            };
            deeper.count(depth);
            rings.take_war::<WINNER_FIRST>(at + 1, first < second);
        }
    }

    /// The end of a game in a war that somebody can't go on with: who holds more wins.
    fn out_of_cards(&self, rings: &Rings, turns: u32, wars: u32) -> Played {
        let (first, second) = (rings.lengths[0], rings.lengths[1]);
        let verdict = if first > second {
            Conclusion::Won(Seat::FIRST)
        } else if first == second && self.drawn_when_even {
            Conclusion::Drawn
        } else {
            Conclusion::Won(Seat::SECOND)
        };
        Played {
            verdict,
            turns,
            wars,
        }
    }
}

impl BatchKernel for Pair {
    fn play_batch(&self, deals: Deals<'_>, played: &mut [Option<Played>], depths: &mut Depths) {
        let games = deals.bytes.chunks_exact(self.room(deals.cards));
        for (cards, played) in games.zip(played) {
            *played = self.play(cards, depths);
        }
    }
}

/// The wars of a game that were deeper than 1, a few games in a hundred have many.
#[derive(Default)]
struct Deeper {
    counts: [u32; 8],
    rest: Vec<usize>,
    total: u32,
}

impl Deeper {
    #[inline]
    fn count(&mut self, depth: usize) {
        if depth > 1 {
            self.total += 1;
            match self.counts.get_mut(depth) {
                Some(count) => *count += 1,
                None => self.rest.push(depth),
            }
        }
    }

    /// Adds the wars of a game that had this many.
    #[inline]
    fn flush(&self, wars: u32, depths: &mut Depths) {
        depths.count_many(1, (wars - self.total).into());
        if self.total > 0 {
            for (depth, &count) in self.counts.iter().enumerate().skip(2) {
                depths.count_many(depth, count.into());
            }
            for &depth in &self.rest {
                depths.count(depth);
            }
        }
    }
}

/// Both hands, each a ring of 256 bytes, one behind the other.
///
/// Cards leave both hands at the same time, so one counter says where both begin. They come
/// back in pairs, which never lie across the end of a ring: each hand's end is even.
struct Rings {
    cards: [u8; 2 * SECOND],
    /// Where the hands begin.
    tops: [usize; 2],
    lengths: [usize; 2],
}

impl Rings {
    #[inline]
    fn dealt(cards: &[u8]) -> Self {
        let lengths = [cards.len().div_ceil(2), cards.len() / 2];
        let mut rings = Self {
            cards: [0; 2 * SECOND],
            tops: lengths.map(|length| length % 2),
            lengths,
        };
        let [first, second] = rings.tops;
        for (index, pair) in cards.chunks_exact(2).enumerate() {
            rings.cards[(first + index) % SECOND] = pair[0];
            rings.cards[SECOND + (second + index) % SECOND] = pair[1];
        }
        if let [last] = cards.chunks_exact(2).remainder() {
            rings.cards[(first + cards.len() / 2) % SECOND] = *last;
        }
        rings
    }

    /// The cards of both players this far from the top.
    #[inline]
    const fn compared(&self, at: usize) -> (u8, u8) {
        (
            self.cards[(self.tops[0] + at) % SECOND],
            self.cards[SECOND + (self.tops[1] + at) % SECOND],
        )
    }

    /// Plays this many turns, or those before the first war: how many they were.
    #[inline]
    fn play_until_war<const WINNER_FIRST: bool>(&mut self, pairs: usize) -> u32 {
        let [mut first_top, mut second_top] = self.tops;
        let mut first_end = first_top + self.lengths[0];
        let mut second_end = second_top + self.lengths[1];
        let mut played = 0;
        for _ in 0..pairs {
            let first = self.cards[first_top % SECOND];
            let second = self.cards[SECOND + second_top % SECOND];
            if first == second {
                break;
            }
            let second_wins = usize::from(first < second);
            let pair = if WINNER_FIRST {
                [first.max(second), first.min(second)]
            } else {
                [first, second]
            };
            let end = if first < second {
                SECOND + second_end % SECOND
            } else {
                first_end % SECOND
            };
            let end = end & (2 * SECOND - 2);
            self.cards[end..end + 2].copy_from_slice(&pair);
            first_end += 2 - 2 * second_wins;
            second_end += 2 * second_wins;
            first_top += 1;
            second_top += 1;
            played += 1;
        }
        self.tops = [first_top, second_top];
        self.lengths = [first_end - first_top, second_end - second_top];
        played
    }

    /// The top cards of both go under the hand of one, pair by pair.
    #[inline]
    fn take_war<const WINNER_FIRST: bool>(&mut self, pairs: usize, second_wins: bool) {
        let winner = usize::from(second_wins);
        let mut end = self.tops[winner] + self.lengths[winner];
        for at in 0..pairs {
            let (first, second) = self.compared(at);
            let pair = if WINNER_FIRST && second_wins {
                [second, first]
            } else {
                [first, second]
            };
            let put = (SECOND * winner + end % SECOND) & (2 * SECOND - 2);
            self.cards[put..put + 2].copy_from_slice(&pair);
            end += 2;
        }
        self.tops = self.tops.map(|top| top + pairs);
        self.lengths = self.lengths.map(|length| length - pairs);
        self.lengths[winner] += 2 * pairs;
    }
}
