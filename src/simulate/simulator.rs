use super::game::{Depths, Played, Verdict};
#[cfg(target_arch = "x86_64")]
use super::kernel::{Dealt, MOST_CARDS, Vector};
use super::kernel::{General, Kernel, Pair};
use super::setup::{Dealing, GameSetup};
use super::tally::Tally;
use crate::cards::{GameNumber, Rank, Xoshiro256PlusPlus};
use std::ops::Range;

/// Plays the games of a simulation with the fastest kernel that can.
///
/// # Examples
///
/// ```
/// use war::cards::Deck;
/// use war::rules::Parameters;
/// use war::simulate::{Dealing, GameSetup, Kernel, Simulator, Tally};
///
/// let rules = GameSetup {
///     parameters: Parameters::BATAILLE,
///     players: 2,
///     deck: Deck::Small,
///     dealing: Dealing::Shuffled,
/// };
/// let mut simulator = Simulator::new(rules, Kernel::Portable);
/// let (mut tally, mut turns) = (Tally::default(), 0);
/// simulator.play(1, 0..100, &mut tally, |_, game| turns += game.turns);
/// assert_eq!(tally.games(), 100);
/// assert!(turns > 1_000);
/// ```
#[derive(Debug)]
pub struct Simulator {
    rules: GameSetup,
    general: General,
    pair: Option<Pair>,
    #[cfg(target_arch = "x86_64")]
    vector: Option<Vector>,
    /// The ranks of the deck, in its order.
    deck: Vec<u8>,
}

/// How many games are dealt at a time.
const BATCH: usize = 256;

/// Games to play one after the other, and who hears of them.
struct Batch<'a, Each> {
    seed: u64,
    games: Range<u64>,
    tally: &'a mut Tally,
    /// Gets each game that was played, in order.
    each: &'a mut Each,
    /// Asked whether to go on, in games that no fast kernel plays.
    goes_on: &'a dyn Fn() -> bool,
}

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
            general: General::new(rules.parameters),
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
            let played = self.play_batch(Batch {
                seed,
                games: from..to,
                tally,
                each: &mut each,
                goes_on,
            });
            from += played;
            if from < to {
                break;
            }
        }
        from - games.start
    }

    /// Plays a batch: how many of its games, up to the one that was stopped.
    fn play_batch(&mut self, batch: Batch<'_, impl FnMut(u64, &Played)>) -> u64 {
        #[cfg(target_arch = "x86_64")]
        if self.vector.is_some() {
            return self.play_vector_batch(batch);
        }
        let Batch {
            seed,
            games,
            tally,
            each,
            goes_on,
        } = batch;
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
    fn play_vector_batch(&mut self, batch: Batch<'_, impl FnMut(u64, &Played)>) -> u64 {
        let (seed, games) = (batch.seed, batch.games);
        let (tally, goes_on) = (batch.tally, batch.goes_on);
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
            (batch.each)(game, &found);
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
        let kernel = &mut self.general;
        let counted = kernel.play_while(&hands, &mut chance, &mut depths, goes_on)?;
        let played = counted.played;
        if matches!(played.verdict, Verdict::Won(_) | Verdict::Drawn) {
            tally.depths.add(&depths);
        }
        Some(played)
    }
}
