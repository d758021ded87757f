//! Simulated games: every kernel must agree with the general one, and the general one with the
//! engine's events.

use super::events::play_by_events;
use std::cell::Cell;
use war::cards::{Chance, Deck, GameNumber, Rank, Xoshiro256PlusPlus, deal};
use war::rules::{
    CardChoice, CollectOrder, OutOfCards, Parameters, Piles, RepetitionRule, TurnLimit,
};
use war_simulate::{
    Conclusion, DetailedResult, GeneralKernel, WarDepthCounts, play_on_each_kernel,
    play_on_small_kernel,
};

/// Turn limit of games that might never end otherwise.
const LIMIT: u32 = 3_000;
/// Maximum length of games that the engine plays, since it remembers every turn.
const MAX_ENGINE_TURNS: u32 = 1_000;
/// Maximum length of games that every kernel must play to the end.
const MAX_KERNEL_TURNS: u32 = 2_000;

/// Number of turns after which no further game is started.
const MAX_TOTAL_TURNS: u32 = 50_000;

/// Full decks: the usual ones, and some at or near the maximum size of a kernel.
const DECKS: [&str; 8] = ["6x4", "13x4", "16x4", "9x7", "13x5", "32x2", "64x1", "26x2"];

/// Lowest number of ranks in the input that selects a full deck instead of cards of that many
/// ranks.
const FIRST_FULL_DECK: u8 = 192;

/// Rules, and games to play by them.
#[derive(Debug)]
struct Case {
    parameters: Parameters,
    players: usize,
    games: Vec<(Vec<Rank>, Xoshiro256PlusPlus)>,
    /// Number of cards of player 1, unless all cards are dealt one at a time.
    cut: Option<usize>,
}

/// Input bytes that select the case, followed by any number of zeros.
struct Choices<'a>(&'a [u8]);

/// Plays the games that the bytes select on all kernels, and compares the results.
pub fn check(bytes: &[u8]) {
    let Some(mut case) = Case::read(bytes) else {
        return;
    };
    let (mut general, mut turns) = (Vec::new(), 0);
    for (cards, chance) in &case.games {
        let Some(game) = case.general(cards, chance) else {
            break;
        };
        turns += game.0.result.turns;
        general.push(game);
        if turns > MAX_TOTAL_TURNS {
            break;
        }
    }
    case.games.truncate(general.len());
    for ((cards, chance), (counted, depths)) in case.games.iter().zip(&general) {
        let hands = case.hands(cards);
        case.compare_few(&hands, counted);
        if counted.result.turns <= MAX_ENGINE_TURNS {
            let found = play_by_events(case.parameters, hands, chance.clone());
            assert_eq!((*counted, depths.clone()), found, "events: {case:?}");
        }
    }
    if case.cut.is_none() {
        case.compare_all(&general);
    }
}

impl Case {
    fn read(bytes: &[u8]) -> Option<Self> {
        let mut choices = Choices(bytes);
        let (face_down, more_face_down) = (choices.byte(), choices.byte());
        let collect = choices.one_of(&CollectOrder::ALL);
        let out_of_cards = choices.one_of(&OutOfCards::ALL);
        let repetition = choices.byte();
        // Few games have a second pile, because only one kernel supports it.
        let piles = match repetition {
            240.. => Piles::TwoTurned,
            224.. => Piles::Two,
            _ => Piles::One,
        };
        let is_coin = collect == CollectOrder::Random || piles == Piles::Two;
        let is_shuffled = collect == CollectOrder::Shuffled || out_of_cards == OutOfCards::Shrink;
        let is_chance = is_coin || is_shuffled;
        let (limit, number) = (choices.byte(), choices.number());
        let (players, cut) = (choices.byte(), choices.byte());
        let (seed, games, ranks) = (choices.number(), choices.byte(), choices.byte());
        let cards = choices.cards(ranks);
        let limit = match limit % 4 {
            0 => Some(TurnLimit::Turns(number.into())),
            1 => Some(TurnLimit::TurnsPerCard((number % 64).into())),
            _ => None,
        };
        let goes_on = repetition % 8 == 0;
        let many = out_of_cards == OutOfCards::EndOfCards && players >= 128;
        let parameters = Parameters {
            // The command line allows up to 5 cards face down, but a program may use more.
            face_down: [face_down % 6, more_face_down][usize::from(face_down >= 240)],
            collect,
            piles,
            out_of_cards,
            repetition: RepetitionRule::GoesOn,
            card_choice: CardChoice::Top,
            limit: limit.or((goes_on || is_chance).then_some(TurnLimit::Turns(LIMIT))),
        };
        // With chance involved, repeated hands prove a game endless only if all cards are equal.
        let with_ends = || parameters.with_cycles_ended().adjust_to_cards(&cards);
        Some(Self {
            parameters: if goes_on { parameters } else { with_ends() },
            players: if many {
                2 + usize::from(players % 4)
            } else {
                2
            },
            games: orders(&cards, seed.into(), games)?,
            cut: (cut >= 192).then_some(cut.into()),
        })
    }

    fn hands(&self, cards: &[Rank]) -> Vec<Vec<Rank>> {
        let Some(cut) = self.cut else {
            return deal(cards, self.players);
        };
        // The other players get the remaining cards.
        let (first, others) = cards.split_at(cut % (cards.len() + 1));
        let mut hands = vec![first.to_vec()];
        hands.extend(deal(others, self.players - 1));
        hands
    }

    /// Plays a game on the general kernel, unless it is too long.
    fn general(
        &self,
        cards: &[Rank],
        chance: &Xoshiro256PlusPlus,
    ) -> Option<(DetailedResult, WarDepthCounts)> {
        let (asked, mut depths) = (Cell::new(0), WarDepthCounts::default());
        let goes_on = || asked.replace(asked.get() + 1) < 1;
        let mut kernel = GeneralKernel::new(self.parameters);
        let (hands, mut chance) = (self.hands(cards), chance.clone());
        let counted = kernel.play_while(&hands, &mut chance, &mut depths, &goes_on);
        assert!(counted.is_some() || asked.get() > 1, "nothing: {self:?}");
        Some((counted?, depths))
    }

    /// Compares the results of the general kernel with those of all kernels that play many games.
    fn compare_all(&self, general: &[(DetailedResult, WarDepthCounts)]) {
        for found in play_on_each_kernel(&self.parameters, self.players, &self.games) {
            let mut sum = WarDepthCounts::default();
            for ((counted, depths), played) in general.iter().zip(&found.results) {
                let expected = counted.result;
                let ended = matches!(expected.conclusion, Conclusion::Won(_) | Conclusion::Drawn);
                let is_long = expected.turns > MAX_KERNEL_TURNS || self.parameters.limit.is_some();
                assert!(
                    played.is_some() || is_long || !ended,
                    "{:?} gives up: {self:?}",
                    found.kernel
                );
                if let Some(played) = played {
                    assert_eq!(*played, expected, "{:?}: {self:?}", found.kernel);
                    if ended {
                        sum.add(depths);
                    }
                }
            }
            assert_eq!(found.depths, sum, "{:?}: {self:?}", found.kernel);
        }
    }

    /// Compares the kernel of enumerations with the general one.
    fn compare_few(&self, hands: &[Vec<Rank>], counted: &DetailedResult) {
        let [first, second] = hands else {
            return;
        };
        let hands = [first.clone(), second.clone()];
        if let Some(few) = play_on_small_kernel(&self.parameters, &hands) {
            let verdict = few.winner.map_or(Conclusion::Drawn, Conclusion::Won);
            let found = (verdict, few.turns, u64::from(few.pairs));
            let DetailedResult {
                result: played,
                rounds,
            } = *counted;
            let expected = (played.conclusion, played.turns, rounds);
            assert_eq!(found, expected, "few cards: {self:?}");
        }
    }
}

/// Games with these cards, first in this order, then shuffled, each with its own generator.
fn orders(cards: &[Rank], seed: u64, more: u8) -> Option<Vec<(Vec<Rank>, Xoshiro256PlusPlus)>> {
    if cards.is_empty() {
        return None;
    }
    let orders = (0..=u64::from(more % 8)).map(|game| {
        let mut chance = Xoshiro256PlusPlus::new(GameNumber { seed, game });
        let mut cards = cards.to_vec();
        if game > 0 {
            chance.shuffle(&mut cards);
        }
        (cards, chance)
    });
    Some(orders.collect())
}

impl Choices<'_> {
    fn byte(&mut self) -> u8 {
        let Some((first, rest)) = self.0.split_first() else {
            return 0;
        };
        self.0 = rest;
        *first
    }

    fn number(&mut self) -> u16 {
        u16::from_le_bytes([self.byte(), self.byte()])
    }

    fn one_of<T: Copy>(&mut self, all: &[T]) -> T {
        all[usize::from(self.byte()) % all.len()]
    }

    /// Takes the remaining bytes as cards with a number of ranks, or as swaps within a full deck.
    fn cards(&self, ranks: u8) -> Vec<Rank> {
        if let Some(number) = ranks.checked_sub(FIRST_FULL_DECK) {
            let shape = DECKS[usize::from(number) % DECKS.len()];
            let mut cards = Deck::from_shape(shape).map_or_else(Vec::new, Deck::cards);
            for (place, &byte) in self.0.iter().enumerate().take(cards.len()) {
                let other = usize::from(byte) % cards.len();
                cards.swap(place, other);
            }
            return cards;
        }
        let highest = 1 + ranks % Rank::HIGHEST.get();
        let ranks = self.0.iter().map(|byte| Rank::new(1 + byte % highest));
        ranks.take(Deck::MAX_CARDS).flatten().collect()
    }
}
