use super::game::{Conclusion, Depths, Played};
use super::kernel::{BatchKernel, Deals, General, Kernel};
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
    /// What plays many games at a time, if anything can.
    fast: Option<Box<dyn BatchKernel>>,
    /// The ranks of the deck, in its order.
    deck: Vec<u8>,
    /// The games that are dealt at a time.
    dealt: Vec<u8>,
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
        let deck: Vec<_> = rules.deck.cards().into_iter().map(Rank::get).collect();
        let fast = if rules.dealing == Dealing::Shuffled && rules.players == 2 {
            kernel.batch_kernel(&rules.parameters, deck.len())
        } else {
            None
        };
        let room = fast.as_ref().map_or(0, |fast| fast.room(deck.len()));
        Self {
            general: General::new(rules.parameters),
            fast,
            dealt: vec![0; BATCH * room],
            deck,
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
    /// Where the rules deal no hands that can be played, the first game stops.
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
        let Batch {
            seed,
            games,
            tally,
            each,
            goes_on,
        } = batch;
        let mut played = [None; BATCH];
        let mut depths = self.play_at_once(seed, games.clone(), &mut played);
        let mut end = games.end;
        for (game, found) in games.clone().zip(played) {
            let general = || self.general(GameNumber { seed, game }, tally, goes_on);
            let Some(found) = found.or_else(general) else {
                // The wars of the games behind this one are counted already.
                depths = self.play_at_once(seed, games.start..game, &mut played);
                end = game;
                break;
            };
            tally.count(game, &found);
            each(game, &found);
        }
        tally.depths.add(&depths);
        end - games.start
    }

    /// Deals these games, and plays those that can be played many at a time: the result is the
    /// wars of these, by depth.
    fn play_at_once(
        &mut self,
        seed: u64,
        games: Range<u64>,
        played: &mut [Option<Played>; BATCH],
    ) -> Depths {
        let mut depths = Depths::default();
        let Some(fast) = &self.fast else {
            return depths;
        };
        let (size, room) = (self.deck.len(), fast.room(self.deck.len()));
        let mut count = 0;
        for (cards, game) in self.dealt.chunks_exact_mut(room).zip(games) {
            cards[..size].copy_from_slice(&self.deck);
            Xoshiro256PlusPlus::new(GameNumber { seed, game }).shuffle_any(&mut cards[..size]);
            count += 1;
        }
        let deals = Deals {
            bytes: &self.dealt[..count * room],
            cards: size,
        };
        fast.play_batch(deals, &mut played[..count], &mut depths);
        depths
    }

    /// Plays a game with the kernel that knows every rule, unless it is stopped.
    #[inline(never)]
    fn general(
        &mut self,
        number: GameNumber,
        tally: &mut Tally,
        goes_on: &dyn Fn() -> bool,
    ) -> Option<Played> {
        let (hands, mut chance) = self.rules.deal(number)?;
        let mut depths = Depths::default();
        let kernel = &mut self.general;
        let counted = kernel.play_while(&hands, &mut chance, &mut depths, goes_on)?;
        let played = counted.played;
        if matches!(played.verdict, Conclusion::Won(_) | Conclusion::Drawn) {
            tally.depths.add(&depths);
        }
        Some(played)
    }
}
