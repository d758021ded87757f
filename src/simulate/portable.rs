//! The kernel for every rule, in portable code: rings of cards, and Brent's cycle check.

use super::game::{Depths, Played, Verdict};
use crate::cards::{Chance, Rank};
use crate::engine::Seat;
use crate::rules::{Collect, Limit, OutOfCards, Parameters, Repeated};

/// The most players of a simulated game.
pub const MOST_PLAYERS: usize = 5;

/// A hand as a ring: as many places as a byte can number, so that an index never leaves it.
#[derive(Clone)]
struct Hand {
    cards: [Rank; 256],
    top: u8,
    length: usize,
    in_game: bool,
}

impl Hand {
    fn dealt(hand: &[Rank]) -> Self {
        let mut cards = [Rank::ACE; 256];
        cards[..hand.len()].copy_from_slice(hand);
        Self {
            cards,
            top: 0,
            length: hand.len(),
            in_game: !hand.is_empty(),
        }
    }

    #[inline]
    fn take(&mut self) -> Rank {
        let card = self.cards[usize::from(self.top)];
        self.top = self.top.wrapping_add(1);
        self.length -= 1;
        card
    }

    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "indices of a ring wrap")]
    fn put_under(&mut self, card: Rank) {
        self.cards[usize::from(self.top.wrapping_add(self.length as u8))] = card;
        self.length += 1;
    }

    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "indices of a ring wrap")]
    fn holds_the_same(&self, other: &Self) -> bool {
        let card = |hand: &Self, index: usize| {
            let at = hand.top.wrapping_add(index as u8);
            hand.cards[usize::from(at)]
        };
        self.length == other.length
            && (0..self.length).all(|index| card(self, index) == card(other, index))
    }
}

/// A card on the table: in which round it was put, and by whom.
#[derive(Debug, Clone, Copy)]
struct Put {
    round: u8,
    seat: u8,
    card: Rank,
}

/// The cards on the table, in the order put, the lowest seat first in each round.
#[derive(Debug)]
struct Pot {
    cards: [Put; 256],
    length: usize,
    rounds: u8,
}

impl Pot {
    fn put(&mut self, seat: usize, card: Rank) {
        self.cards[self.length] = Put {
            round: self.rounds,
            seat: u8::try_from(seat).expect("five players at most"),
            card,
        };
        self.length += 1;
    }

    fn cards(&self) -> &[Put] {
        &self.cards[..self.length]
    }
}

/// How a turn went.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Turn {
    /// Somebody took the cards.
    Taken,
    /// Everybody took what chance gave him.
    LeftToChance,
    /// All ran out of cards at once, and the game is drawn.
    GameDrawn,
}

/// A game in the middle of play.
#[derive(Clone)]
struct State {
    hands: [Hand; MOST_PLAYERS],
    players: usize,
    turns: u32,
    wars: u32,
    rounds: u64,
}

/// The kernel, with the memory that it works in.
#[derive(Debug)]
pub struct Portable {
    parameters: Parameters,
    pot: Pot,
    scratch: Vec<Rank>,
    /// Whom the last comparison left in the war.
    left: Vec<usize>,
}

/// What a game was, with the number of rounds of cards that were put on the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Counted {
    /// How the game went.
    pub played: Played,
    /// How often those in the game put a card each, face up or face down.
    pub rounds: u64,
}

impl Portable {
    /// A kernel for games of these rules, in which cards are drawn from the top.
    #[must_use]
    pub fn new(parameters: Parameters) -> Self {
        let put = Put {
            round: 0,
            seat: 0,
            card: Rank::ACE,
        };
        Self {
            parameters,
            pot: Pot {
                cards: [put; 256],
                length: 0,
                rounds: 0,
            },
            scratch: Vec::with_capacity(256),
            left: Vec::with_capacity(MOST_PLAYERS),
        }
    }

    /// Plays a game to its end, and counts its wars by depth.
    ///
    /// `hands` are one for each player, top card first; what the rules leave to chance is
    /// taken from `chance`. An endless game counts up to its first repetition.
    ///
    /// # Panics
    ///
    /// If there are fewer than two players or more than [`MOST_PLAYERS`], no cards or more
    /// than 255.
    pub fn play<C: Chance>(
        &mut self,
        hands: &[Vec<Rank>],
        chance: &mut C,
        depths: &mut Depths,
    ) -> Counted {
        assert!((2..=MOST_PLAYERS).contains(&hands.len()), "2 to 5 players");
        let empty = Hand::dealt(&[]);
        let mut state = State {
            hands: std::array::from_fn(|seat| {
                hands
                    .get(seat)
                    .map_or_else(|| empty.clone(), |hand| Hand::dealt(hand))
            }),
            players: hands.len(),
            turns: 0,
            wars: 0,
            rounds: 0,
        };
        let cards = hands.iter().map(Vec::len).sum();
        let limit = self.parameters.limit.map(|limit: Limit| limit.turns(cards));
        let limit = limit.unwrap_or(u64::MAX);
        let ends = self.parameters.repetition == Repeated::Ends;
        // Brent's method: the saved state moves on when the power of two is used up.
        let mut origin = ends.then(|| Box::new(state.clone()));
        let mut saved = origin.clone();
        let (mut power, mut period) = (FIRST_POWER, 0_u32);
        let mut counted = Depths::default();
        // The game as it was when its turns were used up: what repeated itself before is
        // endless all the same, and the check may find that later.
        let mut over_time: Option<(Counted, Depths)> = None;
        loop {
            if let Some((stopped, counted)) = &over_time {
                let late = u64::from(state.turns) > limit.saturating_mul(5) + LATEST;
                if !ends || late || state.winner().is_some() {
                    depths.add(counted);
                    return *stopped;
                }
            } else if let Some(winner) = state.winner() {
                depths.add(&counted);
                return state.ended(Verdict::Won(winner));
            } else if u64::from(state.turns) >= limit {
                over_time = Some((state.ended(Verdict::Undecided), counted.clone()));
                continue;
            }
            if let (Some(saved), Some(origin)) = (&mut saved, &origin) {
                if period > 0 && state.is_like(saved) {
                    let (endless, counted) = self.endless(origin, period);
                    let in_time = u64::from(endless.played.turns) < limit;
                    let late = over_time.filter(|_| !in_time);
                    let (counted_game, wars) = late.unwrap_or((endless, counted));
                    depths.add(&wars);
                    return counted_game;
                }
                if period == power {
                    **saved = state.clone();
                    power *= 2;
                    period = 0;
                }
                period += 1;
            }
            let turn = self.turn(&mut state, chance, &mut counted);
            if let (false, Some((stopped, wars))) = (turn == Turn::Taken, &over_time) {
                depths.add(wars);
                return *stopped;
            }
            match turn {
                Turn::GameDrawn => {
                    depths.add(&counted);
                    return state.ended(Verdict::Drawn);
                }
                Turn::LeftToChance if ends => {
                    depths.add(&std::mem::take(&mut counted));
                    origin = Some(Box::new(state.clone()));
                    saved.clone_from(&origin);
                    (power, period) = (FIRST_POWER, 0);
                }
                Turn::Taken | Turn::LeftToChance => {}
            }
        }
    }

    /// An endless game: from where chance last had a say, one that is a period ahead of
    /// another meets it where the repetition begins.
    fn endless(&mut self, origin: &State, period: u32) -> (Counted, Depths) {
        let (mut behind, mut ahead) = (origin.clone(), origin.clone());
        let mut counted = Depths::default();
        for _ in 0..period {
            self.turn(&mut ahead, &mut (), &mut counted);
        }
        let mut ignored = Depths::default();
        while !ahead.is_like(&behind) {
            self.turn(&mut behind, &mut (), &mut ignored);
            self.turn(&mut ahead, &mut (), &mut counted);
        }
        (ahead.ended(Verdict::Endless { period }), counted)
    }

    /// Plays a turn.
    #[inline]
    fn turn<C: Chance>(&mut self, state: &mut State, chance: &mut C, depths: &mut Depths) -> Turn {
        state.turns += 1;
        state.rounds += 1;
        self.pot.length = 0;
        self.pot.rounds = 0;
        let (mut highest, mut winner, mut tied) = (None, 0, 0);
        for seat in 0..state.players {
            if !state.hands[seat].in_game {
                continue;
            }
            let card = state.hands[seat].take();
            self.pot.put(seat, card);
            if Some(card) > highest {
                (highest, winner, tied) = (Some(card), seat, 1);
            } else if Some(card) == highest {
                tied += 1;
            }
        }
        let turn = if tied > 1 {
            state.wars += 1;
            self.war(state, highest, chance, depths)
        } else {
            self.collect(state, winner, chance);
            Turn::Taken
        };
        for hand in &mut state.hands[..state.players] {
            hand.in_game &= hand.length > 0;
        }
        turn
    }

    /// A war, up to its end; `highest` is the card shared.
    fn war<C: Chance>(
        &mut self,
        state: &mut State,
        highest: Option<Rank>,
        chance: &mut C,
        depths: &mut Depths,
    ) -> Turn {
        let mut depth = 1;
        let shares = |put: &&Put| Some(put.card) == highest;
        let cards = self.pot.cards().iter();
        let mut left = std::mem::take(&mut self.left);
        left.clear();
        left.extend(cards.filter(shares).map(|put| usize::from(put.seat)));
        let turn = loop {
            match self.put_cards(state, &mut left) {
                Step::Compared => {}
                Step::Wins(seat) => {
                    self.collect(state, seat, chance);
                    break Turn::Taken;
                }
                Step::Draws => break Turn::GameDrawn,
                Step::TurnDraws => {
                    self.swap(state, chance);
                    break Turn::LeftToChance;
                }
            }
            let last = self.pot.rounds;
            let compared = self.pot.cards().iter().filter(|put| put.round == last);
            let highest = compared.clone().map(|put| put.card).max();
            let sharing = compared.filter(|put| Some(put.card) == highest);
            left.clear();
            left.extend(sharing.map(|put| usize::from(put.seat)));
            if left.len() == 1 {
                self.collect(state, left[0], chance);
                break Turn::Taken;
            }
            depth += 1;
        };
        depths.count(depth);
        self.left = left;
        turn
    }

    /// Puts the cards of a war up to the next ones face up, or finds that they can't be.
    fn put_cards(&mut self, state: &mut State, left: &mut Vec<usize>) -> Step {
        let size = usize::from(self.parameters.face_down);
        let held = |seat: &usize| state.hands[*seat].length;
        let least = left.iter().map(held).min().unwrap_or(0);
        match self.parameters.out_of_cards {
            OutOfCards::EndOfCards => self.put_until_out(state, left, size),
            OutOfCards::Loses => {
                if least > size {
                    return self.put_rounds(state, left, size);
                }
                let most = left.iter().copied().max_by_key(held).unwrap_or(0);
                if state.hands[most].length == least {
                    self.put_all(state, left, least);
                    return Step::Draws;
                }
                self.put_all(state, left, least);
                Step::Wins(most)
            }
            OutOfCards::LastCard => {
                if least > 0 {
                    return self.put_with_last_cards(state, left, size);
                }
                match left.iter().copied().find(|seat| held(seat) > 0) {
                    Some(seat) => Step::Wins(seat),
                    None => Step::Draws,
                }
            }
            OutOfCards::Shrink if least == 0 => Step::TurnDraws,
            OutOfCards::Shrink => self.put_rounds(state, left, size.min(least - 1)),
        }
    }

    /// Who has no card when one is due is out. The last one left goes on by himself until he
    /// has shown a card or has none either.
    fn put_until_out(&mut self, state: &mut State, left: &mut Vec<usize>, size: usize) -> Step {
        for _ in 0..=size {
            while let Some(at) = left.iter().position(|&seat| state.hands[seat].length == 0) {
                if left.len() == 1 {
                    return Step::Wins(left[0]);
                }
                state.hands[left[at]].in_game = false;
                left.remove(at);
            }
            self.put_all(state, left, 1);
        }
        Step::Compared
    }

    fn put_rounds(&mut self, state: &mut State, left: &[usize], size: usize) -> Step {
        self.put_all(state, left, size + 1);
        Step::Compared
    }

    /// Who is short of cards keeps his last one for the cards face up.
    fn put_with_last_cards(&mut self, state: &mut State, left: &[usize], size: usize) -> Step {
        for _ in 0..size {
            let putting = |&&seat: &&usize| state.hands[seat].length > 1;
            if left.iter().any(|seat| putting(&seat)) {
                self.pot.rounds += 1;
                state.rounds += 1;
            }
            for &seat in left {
                if state.hands[seat].length > 1 {
                    let card = state.hands[seat].take();
                    self.pot.put(seat, card);
                }
            }
        }
        self.put_rounds(state, left, 0)
    }

    /// Everybody left puts this many cards.
    fn put_all(&mut self, state: &mut State, left: &[usize], rounds: usize) {
        for _ in 0..rounds {
            self.pot.rounds += 1;
            state.rounds += 1;
            for &seat in left {
                let card = state.hands[seat].take();
                self.pot.put(seat, card);
            }
        }
    }

    /// A turn that is drawn: each of those who put cards takes the next one's, shuffled.
    fn swap<C: Chance>(&mut self, state: &mut State, chance: &mut C) {
        let put = |seat: usize| {
            let cards = self.pot.cards().iter();
            cards.filter(move |put| usize::from(put.seat) == seat)
        };
        let seats: Vec<usize> = (0..state.players)
            .filter(|&seat| put(seat).next().is_some())
            .collect();
        for (index, &seat) in seats.iter().enumerate() {
            let from = seats[(index + 1) % seats.len()];
            self.scratch.clear();
            self.scratch.extend(put(from).map(|put| put.card));
            chance.shuffle(&mut self.scratch);
            for &card in &self.scratch {
                state.hands[seat].put_under(card);
            }
        }
    }

    /// The winner of the turn takes what lies on the table.
    #[inline]
    fn collect<C: Chance>(&mut self, state: &mut State, winner: usize, chance: &mut C) {
        let pot = self.pot.cards();
        let hand = &mut state.hands[winner];
        let seats = 0..state.players;
        let is_winners = |put: &Put| usize::from(put.seat) == winner;
        match self.parameters.collect {
            Collect::SeatInterleaved => {
                for put in pot {
                    hand.put_under(put.card);
                }
            }
            Collect::Seat => {
                for seat in seats {
                    for put in pot.iter().filter(|put| usize::from(put.seat) == seat) {
                        hand.put_under(put.card);
                    }
                }
            }
            Collect::WinnerPile => {
                for put in pot.iter().filter(|put| is_winners(put)) {
                    hand.put_under(put.card);
                }
                for seat in seats.filter(|&seat| seat != winner) {
                    for put in pot.iter().filter(|put| usize::from(put.seat) == seat) {
                        hand.put_under(put.card);
                    }
                }
            }
            Collect::WinnerFirst => {
                for round in pot.chunk_by(|a, b| a.round == b.round) {
                    hand.put_round_under(round, winner);
                }
            }
            Collect::Bataille => {
                let mut rounds = pot.chunk_by(|a, b| a.round == b.round);
                while let Some(round) = rounds.next_back() {
                    hand.put_round_under(round, winner);
                }
            }
            Collect::Shuffled => {
                self.scratch.clear();
                let own = pot.iter().filter(|put| is_winners(put));
                self.scratch.extend(own.map(|put| put.card));
                let own = self.scratch.len();
                for seat in seats.filter(|&seat| seat != winner) {
                    let lost = pot.iter().filter(|put| usize::from(put.seat) == seat);
                    self.scratch.extend(lost.map(|put| put.card));
                }
                chance.shuffle(&mut self.scratch[own..]);
                chance.shuffle(&mut self.scratch);
                for &card in &self.scratch {
                    hand.put_under(card);
                }
            }
        }
    }
}

impl Hand {
    #[inline]
    fn put_round_under(&mut self, round: &[Put], winner: usize) {
        for put in round.iter().filter(|put| usize::from(put.seat) == winner) {
            self.put_under(put.card);
        }
        for put in round.iter().filter(|put| usize::from(put.seat) != winner) {
            self.put_under(put.card);
        }
    }
}

/// How the cards of a war were put.
enum Step {
    /// All of them, and the last ones face up.
    Compared,
    /// This player takes the turn: nobody else can go on.
    Wins(usize),
    /// Nobody can go on: the game is drawn.
    Draws,
    /// Somebody has no card: the turn is drawn.
    TurnDraws,
}

/// How many turns pass before the cycle check saves another state than the first.
const FIRST_POWER: u32 = 32;

/// How many turns beyond five times the limit the cycle check may take at most to find what
/// repeated itself before the limit.
const LATEST: u64 = 5 * FIRST_POWER as u64;

impl State {
    /// Who alone is in the game.
    #[inline]
    fn winner(&self) -> Option<Seat> {
        let mut in_game = (0..self.players).filter(|&seat| self.hands[seat].in_game);
        match (in_game.next(), in_game.next()) {
            (Some(seat), None) => Some(Seat::from_index(seat)),
            _ => None,
        }
    }

    #[inline]
    fn is_like(&self, other: &Self) -> bool {
        let hands = self.hands.iter().zip(&other.hands).take(self.players);
        { hands }.all(|(hand, other)| hand.holds_the_same(other))
    }

    const fn ended(&self, verdict: Verdict) -> Counted {
        Counted {
            played: Played {
                verdict,
                turns: self.turns,
                wars: self.wars,
            },
            rounds: self.rounds,
        }
    }
}
