use super::game::{Conclusion, GameResult, WarDepthCounts};
use super::kernel::{BatchKernel, DealtGames, GeneralKernel, Kernel};
use super::setup::{Dealing, GameSetup};
use super::tally::Tally;
use std::array;
use std::ops::Range;
use war::cards::{GameNumber, Rank, Xoshiro256PlusPlus};

/// Plays the games of a simulation with the fastest suitable kernel.
///
/// # Examples
///
/// ```
/// use war::cards::Deck;
/// use war::rules::Parameters;
/// use war_simulate::{Dealing, GameSetup, Kernel, Simulator, Tally};
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
    setup: GameSetup,
    general: GeneralKernel,
    kernel: Kernel,
    /// Kernel that plays many games at a time, if any supports these rules.
    fast: Option<Box<dyn BatchKernel>>,
    /// Ranks of the deck, in its order.
    deck: Vec<u8>,
    /// Cards of a batch of games.
    deal_buffer: Vec<u8>,
    /// Generators of these games, after the deal.
    generators: Vec<Xoshiro256PlusPlus>,
    /// Number of games that the fast kernel left to the general one.
    general_kernel_games: u64,
}

/// Number of games dealt at a time.
const BATCH_SIZE: usize = 256;

/// Number of games shuffled together, so that the processor works on one while another waits.
const INTERLEAVED_GAMES: usize = 4;

/// Games to play in sequence, with the recipients of their results.
struct Batch<'a, Each> {
    seed: u64,
    games: Range<u64>,
    tally: &'a mut Tally,
    /// Receives each played game, in order.
    each: &'a mut Each,
    /// Polled in games that no fast kernel plays.
    should_continue: &'a dyn Fn() -> bool,
}

/// Shuffles the first `cards` cards of each of these games.
fn shuffle<'a>(
    mut games: impl Iterator<Item = &'a mut [u8]>,
    chances: &mut [Xoshiro256PlusPlus],
    cards: usize,
) {
    let (together, rest) = chances.as_chunks_mut::<INTERLEAVED_GAMES>();
    for chances in together {
        let all: [_; INTERLEAVED_GAMES] = array::from_fn(|_| games.next().unwrap_or_default());
        Xoshiro256PlusPlus::shuffle_each(chances.each_mut(), all, cards);
    }
    for (chance, game) in rest.iter_mut().zip(games) {
        chance.shuffle_items(&mut game[..cards]);
    }
}

impl Simulator {
    /// Returns a simulator of games with this setup.
    #[must_use]
    pub fn new(setup: GameSetup, kernel: Kernel) -> Self {
        let deck: Vec<_> = setup.deck.cards().into_iter().map(Rank::get).collect();
        let fast = if setup.dealing == Dealing::Shuffled {
            kernel.create_batch_kernel(&setup.parameters, setup.players.into(), deck.len())
        } else {
            None
        };
        let (kernel, fast) = fast.map_or((Kernel::General, None), |(kernel, fast)| {
            (kernel, Some(fast))
        });
        let room = fast
            .as_ref()
            .map_or(0, |fast| fast.bytes_per_game(deck.len()));
        Self {
            general: GeneralKernel::new(setup.parameters),
            kernel,
            fast,
            deal_buffer: vec![0; BATCH_SIZE * room],
            generators: Vec::with_capacity(BATCH_SIZE),
            general_kernel_games: 0,
            deck,
            setup,
        }
    }

    /// Returns the kernel that plays, never [`Kernel::Fastest`].
    #[must_use]
    pub fn kernel(&self) -> Kernel {
        self.kernel
    }

    /// Returns the number of games that the fast kernel left to the general one because they took
    /// too long.
    #[must_use]
    pub const fn general_kernel_games(&self) -> u64 {
        self.general_kernel_games
    }

    /// Plays the games with these numbers, counts them in `tally`, and passes each result to
    /// `each`, in order.
    pub fn play(
        &mut self,
        seed: u64,
        games: Range<u64>,
        tally: &mut Tally,
        each: impl FnMut(u64, &GameResult),
    ) {
        self.play_while(seed, games, tally, each, &|| true);
    }

    /// Plays these games as [`Simulator::play`] does until `should_continue` returns false. Returns
    /// the number of games played to their end.
    ///
    /// `should_continue` is polled in games that no fast kernel plays, also in the middle of long
    /// ones. If the setup can't deal hands, no game is played.
    pub fn play_while(
        &mut self,
        seed: u64,
        games: Range<u64>,
        tally: &mut Tally,
        mut each: impl FnMut(u64, &GameResult),
        should_continue: &dyn Fn() -> bool,
    ) -> u64 {
        let mut from = games.start;
        while from < games.end {
            let to = games.end.min(from.saturating_add(BATCH_SIZE as u64));
            let played = self.play_batch(Batch {
                seed,
                games: from..to,
                tally,
                each: &mut each,
                should_continue,
            });
            from += played;
            if from < to {
                break;
            }
        }
        from - games.start
    }

    /// Plays a batch and returns the number of games played before the first one that was stopped.
    fn play_batch(&mut self, batch: Batch<'_, impl FnMut(u64, &GameResult)>) -> u64 {
        let Batch {
            seed,
            games,
            tally,
            each,
            should_continue,
        } = batch;
        let mut played = [None; BATCH_SIZE];
        let mut depths = self.play_fast(seed, games.clone(), &mut played);
        let mut end = games.end;
        for (game, found) in games.clone().zip(played) {
            let general = || self.play_general(GameNumber { seed, game }, tally, should_continue);
            let Some(found) = found.or_else(general) else {
                // `depths` also counts the wars of later games, so the games before this one are
                // played again.
                depths = self.play_fast(seed, games.start..game, &mut played);
                end = game;
                break;
            };
            tally.count(game, &found);
            each(game, &found);
        }
        tally.depths.add(&depths);
        end - games.start
    }

    /// Deals these games, plays those that the fast kernel can play, and returns their wars by
    /// depth.
    fn play_fast(
        &mut self,
        seed: u64,
        games: Range<u64>,
        played: &mut [Option<GameResult>; BATCH_SIZE],
    ) -> WarDepthCounts {
        let mut depths = WarDepthCounts::default();
        let Some(fast) = &mut self.fast else {
            return depths;
        };
        let (size, room) = (self.deck.len(), fast.bytes_per_game(self.deck.len()));
        let numbers = games.map(|game| GameNumber { seed, game });
        self.generators.clear();
        self.generators.extend(numbers.map(Xoshiro256PlusPlus::new));
        let count = self.generators.len();
        let bytes = &mut self.deal_buffer[..count * room];
        for cards in bytes.chunks_exact_mut(room) {
            cards[..size].copy_from_slice(&self.deck);
        }
        shuffle(bytes.chunks_exact_mut(room), &mut self.generators, size);
        let deals = DealtGames {
            bytes: &self.deal_buffer[..count * room],
            chances: &self.generators,
            cards: size,
        };
        fast.play_batch(deals, &mut played[..count], &mut depths);
        depths
    }

    /// Plays a game with the general kernel, unless it is stopped.
    #[inline(never)]
    fn play_general(
        &mut self,
        number: GameNumber,
        tally: &mut Tally,
        should_continue: &dyn Fn() -> bool,
    ) -> Option<GameResult> {
        let (hands, mut chance) = self.setup.deal(number)?;
        let mut depths = WarDepthCounts::default();
        let kernel = &mut self.general;
        let counted = kernel.play_while(&hands, &mut chance, &mut depths, should_continue)?;
        let played = counted.result;
        if matches!(played.conclusion, Conclusion::Won(_) | Conclusion::Drawn) {
            tally.depths.add(&depths);
        }
        self.general_kernel_games += u64::from(self.fast.is_some());
        Some(played)
    }
}
