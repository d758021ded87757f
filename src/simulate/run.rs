use super::game::{Depths, Played, Verdict};
use super::pair::Pair;
use super::portable::Portable;
use super::setup::{Dealing, GameSetup};
use super::tally::Tally;
#[cfg(target_arch = "x86_64")]
use super::vector::{Dealt, MOST_CARDS, Vector};
use crate::cards::{GameNumber, Rank, Xoshiro256PlusPlus};
use std::ops::Range;
use thiserror::Error;

/// Plays the games of a simulation with the fastest kernel that can.
#[derive(Debug)]
pub struct Simulator {
    rules: GameSetup,
    portable: Portable,
    pair: Option<Pair>,
    #[cfg(target_arch = "x86_64")]
    vector: Option<Vector>,
    /// The ranks of the deck, in its order.
    deck: Vec<u8>,
}

/// Games of a simulation that were played, or are to be.
#[derive(Debug, Clone, PartialEq)]
pub struct Run {
    /// The rules.
    pub rules: GameSetup,
    /// The seed.
    pub seed: u64,
    /// The number of games of the whole run.
    pub games: u64,
    /// Which of them these are.
    pub part: Range<u64>,
    /// Whether the part was cut short.
    pub partial: bool,
    /// What was counted.
    pub tally: Tally,
}

/// Why parts of a run can't be joined. Numbers are those of the parts, from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum NotJoined {
    /// The second part has other rules than the first, by this option.
    #[error("part {1} has other rules than part {0}: `{2}` differs")]
    OtherRules(usize, usize, &'static str),
    /// The second part has another seed than the first.
    #[error("part {1} has another seed than part {0}")]
    OtherSeed(usize, usize),
    /// The second part is of a run with another number of games than the first.
    #[error("part {1} is of another number of games than part {0}")]
    OtherGames(usize, usize),
    /// A part was cut short.
    #[error("part {0} was cut short")]
    Partial(usize),
    /// Two parts have a game in common: this one.
    #[error("parts {0} and {1} overlap: both have game {2}")]
    Overlap(usize, usize, u64),
    /// These games are in no part: from the first, up to the one before the last.
    #[error("games from {0} up to, but not including, {1} are in no part")]
    Missing(u64, u64),
}

impl Run {
    /// The games that a share of the run has: number `index` of `of`, from 1.
    ///
    /// Shares differ in size by one game at most.
    #[must_use]
    pub fn share(games: u64, index: u64, of: u64) -> Range<u64> {
        let start = |index: u64| {
            let start = u128::from(games) * u128::from(index) / u128::from(of);
            u64::try_from(start).expect("a share is of the games")
        };
        start(index - 1)..start(index)
    }

    /// Joins the parts of a run to the whole of it.
    ///
    /// # Errors
    ///
    /// [`NotJoined`] where they are not all of it, or not of one run.
    pub fn joined(parts: &[Self]) -> Result<Self, NotJoined> {
        let mut order: Vec<_> = (0..parts.len()).collect();
        order.sort_by_key(|&index| (parts[index].part.start, parts[index].part.end));
        let Some(first) = parts.first() else {
            return Err(NotJoined::Missing(0, 0));
        };
        let mut joined = Self {
            part: 0..first.games,
            tally: Tally::default(),
            ..first.clone()
        };
        for (index, part) in parts.iter().enumerate() {
            if let Some(option) = part.rules.difference(&first.rules) {
                return Err(NotJoined::OtherRules(0, index, option));
            }
            if part.seed != first.seed {
                return Err(NotJoined::OtherSeed(0, index));
            }
            if part.games != first.games {
                return Err(NotJoined::OtherGames(0, index));
            }
            if part.partial {
                return Err(NotJoined::Partial(index));
            }
        }
        let (mut next, mut before) = (0, 0);
        for index in order {
            let part = &parts[index];
            if part.part.is_empty() {
                continue;
            }
            if part.part.start < next {
                return Err(NotJoined::Overlap(before, index, part.part.start));
            }
            if part.part.start > next {
                return Err(NotJoined::Missing(next, part.part.start));
            }
            (next, before) = (part.part.end, index);
            joined.tally.add(&part.tally);
        }
        if next < first.games {
            return Err(NotJoined::Missing(next, first.games));
        }
        Ok(joined)
    }
}

/// Which kernel plays. All of them play the same games.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kernel {
    /// The fastest that can play the rules here.
    Fastest,
    /// The fastest in portable code.
    Portable,
    /// The one that knows every rule.
    General,
}

impl Kernel {
    /// Every choice.
    pub const ALL: [Self; 3] = [Self::Fastest, Self::Portable, Self::General];

    /// The name, as typed.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Fastest => "fastest",
            Self::Portable => "portable",
            Self::General => "general",
        }
    }
}

/// How many games are dealt at a time.
const BATCH: usize = 256;

impl Simulator {
    /// A simulator of these rules.
    #[must_use]
    pub fn new(rules: GameSetup, kernel: Kernel) -> Self {
        let shuffled = rules.dealing == Dealing::Shuffled && rules.players == 2;
        let pair = Pair::new(&rules.parameters);
        let pair = pair.filter(|_| shuffled && kernel != Kernel::General);
        #[cfg(target_arch = "x86_64")]
        let vector = if shuffled && kernel == Kernel::Fastest {
            Vector::new(&rules.parameters, rules.deck.size())
        } else {
            None
        };
        Self {
            portable: Portable::new(rules.parameters),
            pair,
            #[cfg(target_arch = "x86_64")]
            vector,
            deck: rules.deck.cards().into_iter().map(Rank::get).collect(),
            rules,
        }
    }

    /// Plays these games of a seed, counts them, and hands out each of them in order.
    pub fn play(
        &mut self,
        seed: u64,
        games: Range<u64>,
        tally: &mut Tally,
        each: impl FnMut(u64, &Played),
    ) {
        self.play_while(seed, games, tally, each, &|| true);
    }

    /// Plays these games, as [`Simulator::play`] does, until it is stopped: the result is how
    /// many were played, and a game that was begun is none of them.
    ///
    /// `goes_on` is asked in games that no fast kernel plays, also in the middle of long ones.
    pub fn play_while(
        &mut self,
        seed: u64,
        games: Range<u64>,
        tally: &mut Tally,
        mut each: impl FnMut(u64, &Played),
        goes_on: &dyn Fn() -> bool,
    ) -> u64 {
        let mut from = games.start;
        while from < games.end {
            let to = games.end.min(from.saturating_add(BATCH as u64));
            let played = self.play_batch(seed, from..to, tally, &mut each, goes_on);
            from += played;
            if from < to {
                break;
            }
        }
        from - games.start
    }

    /// Plays a batch: how many of its games, up to the one that was stopped.
    fn play_batch(
        &mut self,
        seed: u64,
        games: Range<u64>,
        tally: &mut Tally,
        each: &mut impl FnMut(u64, &Played),
        goes_on: &dyn Fn() -> bool,
    ) -> u64 {
        #[cfg(target_arch = "x86_64")]
        if self.vector.is_some() {
            return self.play_vector_batch(seed, games, tally, each, goes_on);
        }
        for game in games.clone() {
            let number = GameNumber { seed, game };
            let played = self.pair(number, tally);
            let played = played.or_else(|| self.general(number, tally, goes_on));
            let Some(played) = played else {
                return game - games.start;
            };
            tally.count(game, &played);
            each(game, &played);
        }
        games.end - games.start
    }

    /// Plays a batch with the kernel for many games at a time.
    #[cfg(target_arch = "x86_64")]
    fn play_vector_batch(
        &mut self,
        seed: u64,
        games: Range<u64>,
        tally: &mut Tally,
        each: &mut impl FnMut(u64, &Played),
        goes_on: &dyn Fn() -> bool,
    ) -> u64 {
        let mut dealt: [Dealt; BATCH] = [[0; MOST_CARDS]; _];
        let mut played = [None; BATCH];
        let size = self.deck.len();
        let mut count = 0;
        for (cards, game) in dealt.iter_mut().zip(games.clone()) {
            cards[..size].copy_from_slice(&self.deck);
            Xoshiro256PlusPlus::new(GameNumber { seed, game }).shuffle_any(&mut cards[..size]);
            count += 1;
        }
        let mut depths = Depths::default();
        if let Some(vector) = &self.vector {
            vector.play(&dealt[..count], &mut played, &mut depths);
        }
        for (index, (game, found)) in games.zip(played).enumerate() {
            let general = || self.general(GameNumber { seed, game }, tally, goes_on);
            let Some(found) = found.or_else(general) else {
                // The wars of the games behind this one are counted already.
                depths = Depths::default();
                if let Some(vector) = &self.vector {
                    vector.play(&dealt[..index], &mut played, &mut depths);
                }
                count = index;
                break;
            };
            tally.count(game, &found);
            each(game, &found);
        }
        tally.depths.add(&depths);
        count as u64
    }

    /// Plays a game with the kernel for pairs, if it can.
    #[inline]
    fn pair(&self, number: GameNumber, tally: &mut Tally) -> Option<Played> {
        let pair = self.pair.as_ref()?;
        let mut cards = [0; 256];
        let cards = &mut cards[..self.deck.len()];
        cards.copy_from_slice(&self.deck);
        Xoshiro256PlusPlus::new(number).shuffle_any(cards);
        pair.play(cards, &mut tally.depths)
    }

    /// Plays a game with the kernel that knows every rule, unless it is stopped.
    #[inline(never)]
    fn general(
        &mut self,
        number: GameNumber,
        tally: &mut Tally,
        goes_on: &dyn Fn() -> bool,
    ) -> Option<Played> {
        let (hands, mut chance) = self.rules.deal(number);
        let mut depths = Depths::default();
        let kernel = &mut self.portable;
        let counted = kernel.play_while(&hands, &mut chance, &mut depths, goes_on)?;
        let played = counted.played;
        if matches!(played.verdict, Verdict::Won(_) | Verdict::Drawn) {
            tally.depths.add(&depths);
        }
        Some(played)
    }
}
