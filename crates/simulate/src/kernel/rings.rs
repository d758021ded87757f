//! Both hands of a game of two players, as rings of bytes.

use super::batch::{DeterministicRules, KernelCollectOrder};
use super::state_log::ReplayableHands;
use std::cmp::Reverse;
use war::cards::{Rank, Xoshiro256PlusPlus};
use war::engine::Seat;
use war::rules::{OutOfCards, StoppedHand, winner_when_stopped};

/// Position of player 2's ring.
const SECOND_RING: usize = 256;

/// Outcome of a turn, with the depth of its war, or 0 without one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RingTurnOutcome {
    /// Cards taken by a player.
    Taken(usize),
    /// Game won or drawn in a war that a player couldn't continue.
    Ended(Option<Seat>, usize),
}

/// Both hands, each a ring of 256 bytes, one after the other.
///
/// Cards leave both hands at the same time and are added in pairs. A pair never wraps around the
/// end of a ring, since each hand ends at an even position.
#[derive(Debug, Clone)]
pub(super) struct Rings {
    cards: [u8; 2 * SECOND_RING],
    /// Positions of the top cards.
    tops: [usize; 2],
    pub(super) lengths: [usize; 2],
}

impl Rings {
    #[inline]
    pub(super) fn from_deal(cards: &[u8]) -> Self {
        let lengths = [cards.len().div_ceil(2), cards.len() / 2];
        let mut rings = Self {
            cards: [0; 2 * SECOND_RING],
            tops: lengths.map(|length| length % 2),
            lengths,
        };
        let [first, second] = rings.tops;
        for (index, pair) in cards.chunks_exact(2).enumerate() {
            rings.cards[(first + index) % SECOND_RING] = pair[0];
            rings.cards[SECOND_RING + (second + index) % SECOND_RING] = pair[1];
        }
        if let [last] = cards.chunks_exact(2).remainder() {
            rings.cards[(first + cards.len() / 2) % SECOND_RING] = *last;
        }
        rings
    }

    /// Returns the cards of both players this far from the top.
    #[inline]
    pub(super) const fn cards_at(&self, at: usize) -> (u8, u8) {
        (
            self.cards[(self.tops[0] + at) % SECOND_RING],
            self.cards[SECOND_RING + (self.tops[1] + at) % SECOND_RING],
        )
    }

    /// Plays this many turns, or those before the first war, and returns their number.
    #[inline(always)]
    #[expect(
        clippy::inline_always,
        reason = "the loop of one kernel, and of little else"
    )]
    pub(super) fn play_until_war<const WINNER_FIRST: bool>(&mut self, pairs: usize) -> u32 {
        self.play_pairs(pairs, |first, second| {
            if WINNER_FIRST {
                [first.max(second), first.min(second)]
            } else {
                [first, second]
            }
        })
    }

    /// Plays this many turns, or those before the first war, and returns their number. A random
    /// word decides which card of a pair goes back first.
    #[inline]
    pub(super) fn play_shuffled_until_war(
        &mut self,
        pairs: usize,
        chance: &mut Xoshiro256PlusPlus,
    ) -> u32 {
        let mut words = chance.clone();
        let played = self.play_pairs(pairs, |first, second| {
            // As in a shuffle of two cards, the winner's card is swapped with the other one if the
            // high bit is 0.
            let turned = 8 * u32::from(words.next_word() >> 63 == 0);
            let pair = u16::from_le_bytes([first.max(second), first.min(second)]);
            pair.rotate_left(turned).to_le_bytes()
        });
        *chance = words;
        played
    }

    /// Plays turns up to a war; `taken` returns the pair that goes back, given both cards.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "the loop of two kernels")]
    fn play_pairs(&mut self, pairs: usize, mut taken: impl FnMut(u8, u8) -> [u8; 2]) -> u32 {
        let [mut first_top, mut second_top] = self.tops;
        let mut first_end = first_top + self.lengths[0];
        let mut second_end = second_top + self.lengths[1];
        let mut played = 0;
        for _ in 0..pairs {
            let first = self.cards[first_top % SECOND_RING];
            let second = self.cards[SECOND_RING + second_top % SECOND_RING];
            if first == second {
                break;
            }
            let second_wins = usize::from(first < second);
            let pair = taken(first, second);
            let end = if first < second {
                SECOND_RING + second_end % SECOND_RING
            } else {
                first_end % SECOND_RING
            };
            let end = end & (2 * SECOND_RING - 2);
            [self.cards[end], self.cards[end + 1]] = pair;
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

    /// Puts the top cards of both players under the hand of one of them, pair by pair.
    #[inline]
    pub(super) fn take_war<const WINNER_FIRST: bool>(&mut self, pairs: usize, second_wins: bool) {
        let winner = usize::from(second_wins);
        let mut end = self.tops[winner] + self.lengths[winner];
        for at in 0..pairs {
            let (first, second) = self.cards_at(at);
            let pair = if WINNER_FIRST && second_wins {
                [second, first]
            } else {
                [first, second]
            };
            let put = (SECOND_RING * winner + end % SECOND_RING) & (2 * SECOND_RING - 2);
            self.cards[put..put + 2].copy_from_slice(&pair);
            end += 2;
        }
        self.tops = self.tops.map(|top| top + pairs);
        self.lengths = self.lengths.map(|length| length - pairs);
        self.lengths[winner] += 2 * pairs;
    }
}

/// Wars after which the winner gets the cards sorted by rank.
impl Rings {
    /// Sorts the last `count` cards of a player, the highest first.
    pub(super) fn sort_taken(&mut self, count: usize, of_second: bool) {
        let player = usize::from(of_second);
        let from = self.tops[player] + self.lengths[player] - count;
        let place = |at| SECOND_RING * player + (from + at) % SECOND_RING;
        let mut taken = [0; SECOND_RING];
        for (at, card) in taken[..count].iter_mut().enumerate() {
            *card = self.cards[place(at)];
        }
        taken[..count].sort_unstable_by_key(|card| Reverse(*card));
        for (at, card) in taken[..count].iter().enumerate() {
            self.cards[place(at)] = *card;
        }
    }
}

/// Turns whose cards are shuffled before they go back.
impl Rings {
    /// Returns true if both players hold cards and the top ones are the same.
    #[inline]
    pub(super) const fn is_tied(&self) -> bool {
        let (first, second) = self.cards_at(0);
        self.lengths[0] > 0 && self.lengths[1] > 0 && first == second
    }

    /// Puts the top `pairs` cards of both players under the hand of one of them, in the order of
    /// `cards`.
    pub(super) fn take_from_both(&mut self, pairs: usize, winner: usize, cards: &[u8]) {
        let end = self.tops[winner] + self.lengths[winner];
        for (place, &card) in cards.iter().enumerate() {
            self.cards[SECOND_RING * winner + (end + place) % SECOND_RING] = card;
        }
        self.tops = self.tops.map(|top| top + pairs);
        self.lengths = self.lengths.map(|length| length - pairs);
        self.lengths[winner] += cards.len();
    }
}

/// Second piles, each behind the hand of its player.
impl Rings {
    /// Rearranges the cards of a player behind the first `from` ones. A pile that does not lie in
    /// one piece is rearranged in `scratch`.
    #[inline]
    pub(super) fn rearrange(
        &mut self,
        player: usize,
        from: usize,
        scratch: &mut Vec<u8>,
        rearranged: impl FnOnce(&mut [u8]),
    ) {
        let ring = &mut self.cards[SECOND_RING * player..][..SECOND_RING];
        let first = (self.tops[player] + from) % SECOND_RING;
        let count = self.lengths[player] - from;
        if let Some(pile) = ring.get_mut(first..first + count) {
            rearranged(pile);
        } else {
            scratch.clear();
            scratch.extend((0..count).map(|at| ring[(first + at) % SECOND_RING]));
            rearranged(scratch);
            for (at, card) in scratch.iter().enumerate() {
                ring[(first + at) % SECOND_RING] = *card;
            }
        }
    }
}

/// Single turns with every order, for the cases that the loops above can't play.
impl Rings {
    /// Maximum number of cards in a game: one hand may hold them all.
    pub(super) const MAX_CARDS: usize = 255;

    /// Returns rings with these hands, top card first.
    pub(super) fn from_hands(hands: [&[u8]; 2]) -> Self {
        let mut rings = Self {
            cards: [0; 2 * SECOND_RING],
            tops: hands.map(|hand| hand.len() % 2),
            lengths: hands.map(<[u8]>::len),
        };
        for (player, hand) in hands.into_iter().enumerate() {
            let from = SECOND_RING * player + rings.tops[player];
            rings.cards[from..from + hand.len()].copy_from_slice(hand);
        }
        rings
    }

    /// Writes the cards of both players to a state, one hand after the other.
    pub(super) fn write(&self, state: &mut [u8]) {
        let (first, second) = state.split_at_mut(self.lengths[0]);
        for (player, place) in [first, second].into_iter().enumerate() {
            let place = &mut place[..self.lengths[player]];
            let ring = &self.cards[SECOND_RING * player..][..SECOND_RING];
            let (before, from_top) = ring.split_at(self.tops[player] % SECOND_RING);
            let to_end = place.len().min(from_top.len());
            place[..to_end].copy_from_slice(&from_top[..to_end]);
            let rest = place.len() - to_end;
            place[to_end..].copy_from_slice(&before[..rest]);
        }
    }

    /// Iterates over the cards of a player, top card first.
    pub(super) fn hand(&self, player: usize) -> impl Iterator<Item = u8> {
        let places = self.tops[player]..self.tops[player] + self.lengths[player];
        places.map(move |place| self.cards[SECOND_RING * player + place % SECOND_RING])
    }

    /// Returns the winner if the game is stopped here.
    pub(super) fn winner_when_stopped(&self) -> Option<Seat> {
        let seats = [(0, Seat::FIRST), (1, Seat::SECOND)];
        let holdings = seats.map(|(player, seat)| StoppedHand {
            seat,
            highest: self.hand(player).max().and_then(Rank::new),
            cards: self.lengths[player],
        });
        winner_when_stopped(holdings.into_iter())
    }

    /// Plays this many turns of a game that lasts even longer, and returns the number of wars in
    /// them.
    fn play_turns(&mut self, rules: &DeterministicRules, turns: u64) -> u64 {
        let (mut left, mut wars) = (turns, 0);
        while left > 0 && self.lengths[0].min(self.lengths[1]) > 0 {
            let held = self.lengths[0].min(self.lengths[1]);
            let most = usize::try_from(left).map_or(held, |left| held.min(left));
            let played = if rules.order.winner_first {
                self.play_until_war::<true>(most)
            } else {
                self.play_until_war::<false>(most)
            };
            left -= u64::from(played);
            let held = self.lengths[0].min(self.lengths[1]);
            if left > 0 && held > 0 && self.cards_at(0).0 == self.cards_at(0).1 {
                self.play_turn(rules);
                left -= 1;
                wars += 1;
            }
        }
        wars
    }

    /// Plays a turn if both players have enough cards to finish it, and returns the depth of its
    /// war, or 0 without one.
    ///
    /// # Errors
    ///
    /// Returns the number of ties if the cards don't settle the turn.
    pub(super) fn settle(&mut self, rules: &DeterministicRules) -> Result<usize, usize> {
        let held = self.lengths[0].min(self.lengths[1]);
        let ties = |at: &usize| self.cards_at(*at).0 == self.cards_at(*at).1;
        let compared = (0..held).step_by(rules.step);
        let depth = compared.take_while(ties).count();
        let at = depth * rules.step;
        if at >= held {
            return Err(depth);
        }
        let (first, second) = self.cards_at(at);
        self.take_pairs(rules.order, at + 1, first < second);
        Ok(depth)
    }

    /// Plays a turn; both players must hold cards.
    pub(super) fn play_turn(&mut self, rules: &DeterministicRules) -> RingTurnOutcome {
        let depth = match self.settle(rules) {
            Ok(depth) => return RingTurnOutcome::Taken(depth),
            Err(depth) => depth,
        };
        let (first, second) = (self.lengths[0], self.lengths[1]);
        match rules.out_of_cards {
            OutOfCards::LastCard => self.play_war_with_last_cards(rules),
            OutOfCards::Loses if first == second => RingTurnOutcome::Ended(None, depth),
            _ if first > second => RingTurnOutcome::Ended(Some(Seat::FIRST), depth),
            _ => RingTurnOutcome::Ended(Some(Seat::SECOND), depth),
        }
    }

    /// Puts the top cards of both players under the hand of one of them, in the given order.
    pub(super) fn take_pairs(
        &mut self,
        order: KernelCollectOrder,
        pairs: usize,
        second_wins: bool,
    ) {
        let winner = usize::from(second_wins);
        let front = if order.winner_first { winner } else { 0 };
        let end = self.tops[winner] + self.lengths[winner];
        for place in 0..2 * pairs {
            let (hand, at) = order.war.source(place, pairs);
            let hand = hand ^ front;
            let card = self.cards[SECOND_RING * hand + (self.tops[hand] + at) % SECOND_RING];
            self.cards[SECOND_RING * winner + (end + place) % SECOND_RING] = card;
        }
        self.tops = self.tops.map(|top| top + pairs);
        self.lengths = self.lengths.map(|length| length - pairs);
        self.lengths[winner] += 2 * pairs;
    }

    /// Plays a war in which players who are short of cards keep their last card to put it face up.
    fn play_war_with_last_cards(&mut self, rules: &DeterministicRules) -> RingTurnOutcome {
        let mut rounds = vec![[0, 1].map(|player| Some(self.take(player)))];
        let mut depth = 0;
        let winner = loop {
            depth += 1;
            match self.lengths {
                [0, 0] => return RingTurnOutcome::Ended(None, depth),
                [_, 0] => return RingTurnOutcome::Ended(Some(Seat::FIRST), depth),
                [0, _] => return RingTurnOutcome::Ended(Some(Seat::SECOND), depth),
                [_, _] => {}
            }
            for _ in 1..rules.step {
                let spare = self.lengths.map(|length| length > 1);
                rounds.push([0, 1].map(|player| spare[player].then(|| self.take(player))));
            }
            let (first, second) = (self.take(0), self.take(1));
            rounds.push([Some(first), Some(second)]);
            if first != second {
                break usize::from(first < second);
            }
        };
        self.collect(&rounds, rules.order, winner);
        RingTurnOutcome::Taken(depth)
    }

    fn take(&mut self, player: usize) -> u8 {
        let card = self.cards[SECOND_RING * player + self.tops[player] % SECOND_RING];
        self.tops[player] += 1;
        self.lengths[player] -= 1;
        card
    }

    /// Puts the cards of these rounds under the winner's hand. A player's card may be missing in a
    /// round.
    fn collect(&mut self, rounds: &[[Option<u8>; 2]], order: KernelCollectOrder, winner: usize) {
        let front = if order.winner_first { winner } else { 0 };
        let mut hands = [0, 1].map(|player| self.hand(player).collect::<Vec<_>>());
        let places = 0..2 * rounds.len();
        let cards = places.filter_map(|place| {
            let (hand, at) = order.war.source(place, rounds.len());
            rounds[at][hand ^ front]
        });
        hands[winner].extend(cards);
        // An odd number of cards may have been added, so the hands are laid out anew, with even
        // ends.
        *self = Self::from_hands([&hands[0], &hands[1]]);
    }
}

impl ReplayableHands for Rings {
    fn from_state(state: &[u8], key: u64) -> Self {
        let first = usize::try_from(key).map_or(state.len(), |first| first.min(state.len()));
        let (first, second) = state.split_at(first);
        Self::from_hands([first, second])
    }

    fn replay(&mut self, rules: &DeterministicRules, turns: u64) -> u64 {
        self.play_turns(rules, turns)
    }

    fn has_same_hands(&self, other: &Self) -> bool {
        let same = |player| self.hand(player).eq(other.hand(player));
        self.lengths == other.lengths && [0, 1].into_iter().all(same)
    }
}
