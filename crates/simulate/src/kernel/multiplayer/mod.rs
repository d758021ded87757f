//! Kernel for three to five players, in portable code. Hands move through buffers, and a log of the
//! hands after wars proves that a game is endless. When two players are left, as during most of a
//! game, a `PassKernel` plays on.

mod table;

use super::batch::{BatchKernel, DealtGames, DeterministicRules};
use super::passes::{Machine, PassKernel, ResumedGame};
use super::state_log::{ReplayableHands, StateLog};
use crate::game::{Conclusion, GameResult, Ties, WarDepthCounts};
use table::{HASHED_CARDS, MAX_CARDS, MAX_PLAYERS, Table, TurnSequence, WarResult};
use war::cards::Rank;
use war::engine::Seat;
use war::rules::{OutOfCards, Parameters, StoppedHand, winner_when_stopped};

/// Maximum number of turns before a game is left to the general kernel.
const MAX_TURNS: u32 = 1_000_000;

/// Number of turns without a recorded state after which turns won by the highest card are recorded
/// too.
const MAX_UNRECORDED_TURNS: u32 = 64;

/// Rank that no card reaches.
const ABOVE_ALL_CARDS: u8 = u8::MAX;

/// Kernel for games of several players.
#[derive(Debug)]
pub(super) struct MultiplayerKernel<M: Machine> {
    rules: DeterministicRules,
    players: usize,
    log: StateLog,
    table: Table,
    counts: GameCounts,
    /// Kernel that plays on when two players are left.
    passes: PassKernel<M>,
    /// Games that wait for `passes`, because only two players are left.
    resumed: Vec<ResumedGame>,
}

/// Counts of a game so far.
#[derive(Debug, Default)]
struct GameCounts {
    turns: u32,
    /// Depths of the wars.
    depths: Vec<usize>,
    /// Number of wars after which at most one player could go on.
    uncompared_wars: u64,
}

/// Outcome of playing a game.
enum MultiplayerOutcome {
    /// Game that ended with this result; `None` leaves the game to another kernel.
    Ended(Option<GameResult>),
    /// Game with at most two players left.
    FewLeft,
}

impl<M: Machine> MultiplayerKernel<M> {
    /// Returns the kernel for games with these rules, players and cards, if it can play them and if
    /// there is a kernel for two players.
    pub(super) fn new(
        passes: Option<PassKernel<M>>,
        parameters: &Parameters,
        players: usize,
        cards: usize,
    ) -> Option<Self> {
        let plays = (3..=MAX_PLAYERS).contains(&players)
            && cards <= MAX_CARDS
            && parameters.out_of_cards == OutOfCards::EndOfCards;
        let rules = DeterministicRules::new(parameters, cards).filter(|_| plays)?;
        Some(Self {
            rules,
            players,
            log: StateLog::default(),
            table: Table::empty(),
            counts: GameCounts::default(),
            passes: passes?,
            resumed: Vec::new(),
        })
    }

    /// Plays a game until at most two players are left, or gives up after many turns.
    fn play(&mut self, cards: &[u8]) -> MultiplayerOutcome {
        self.table.deal(cards, self.players);
        let limit = self.rules.limit.unwrap_or(u32::MAX);
        // A cycle repeats its wars, and so the hands after them. A cycle without wars repeats the
        // turns that the highest card won.
        let (mut high, mut recorded) = (ABOVE_ALL_CARDS, 0);
        self.counts.clear();
        self.log.reset(cards.len());
        if self.rules.ends_when_repeated {
            self.log.begin(true);
            self.record();
        }
        loop {
            let turns = self.counts.turns;
            if self.table.playing < 2 {
                return MultiplayerOutcome::FewLeft;
            }
            if turns >= limit {
                let is_endless = self.log.is_on() && self.has_repetition_within(limit);
                return MultiplayerOutcome::Ended((!is_endless).then(|| self.result_at_limit()));
            }
            if self.table.playing == 2 {
                return MultiplayerOutcome::FewLeft;
            }
            if turns > MAX_TURNS {
                return MultiplayerOutcome::Ended(None);
            }
            let most = MAX_UNRECORDED_TURNS.min(limit - turns);
            let sequence = self.table.play(&self.rules, most, high);
            self.counts.count(&sequence);
            let turns = self.counts.turns;
            if sequence.war.is_some() || sequence.is_high {
                recorded = turns;
                if self.log.is_on() && turns < limit && self.record() {
                    return MultiplayerOutcome::Ended(self.endless_result(high == ABOVE_ALL_CARDS));
                }
            } else if turns - recorded >= MAX_UNRECORDED_TURNS {
                high = self.table.highest_card();
            }
        }
    }

    /// Records the hands in the log. Returns true if they were repeated or the log is full.
    fn record(&mut self) -> bool {
        let room = self.log.next_state_mut();
        self.table.write(room);
        let words = [0, HASHED_CARDS - 8].map(|from| {
            let cards = room[from..].first_chunk().copied();
            u64::from_le_bytes(cards.unwrap_or_default())
        });
        let (turns, wars) = (self.counts.turns.into(), self.counts.depths.len() as u64);
        self.log
            .record(words, self.table.packed_lengths(), turns, wars)
    }

    /// Returns the result of an endless game up to its first repetition, or `None` if the log
    /// stopped because it is full. With `every`, hands were recorded after every war and after no
    /// other turns.
    fn endless_result(&self, every: bool) -> Option<GameResult> {
        let proof = if every {
            self.log.find_proof_from_every_turn::<Table>(&self.rules)
        } else {
            self.log.find_proof::<Table>(&self.rules)
        };
        proof?.to_result()
    }

    /// Returns the result of a game that reached its limit.
    fn result_at_limit(&self) -> GameResult {
        let holdings = (0..self.players).map(|player| StoppedHand {
            seat: seat(player),
            highest: { self.table.hand(player).iter() }
                .max()
                .and_then(|&card| Rank::new(card)),
            cards: self.table.hand(player).len(),
        });
        let winner = winner_when_stopped(holdings).filter(|_| self.rules.names_winner);
        self.counts
            .to_result(winner.map_or(Conclusion::Undecided, Conclusion::Won))
    }

    /// Returns true if the current hands are repeated within this many turns. If so, the game is in
    /// a cycle by now.
    fn has_repetition_within(&self, turns: u32) -> bool {
        let (hands, mut later) = (&self.table, self.table.clone());
        (0..turns).any(|_| {
            later.replay(&self.rules, 1);
            later.has_same_hands(hands)
        })
    }

    /// Returns the game in the form that the kernel for two players continues; one of the two
    /// players may hold all cards.
    fn hand_over(&mut self, number: usize) -> ResumedGame {
        let mut state = [0; 2 * MAX_CARDS];
        self.table.write(&mut state);
        let [first, second] = self.table.last_two();
        ResumedGame {
            number,
            state,
            first_length: self.table.hand(first).len(),
            seats: [seat(first), seat(second)],
            turns: self.counts.turns,
            depths: self.counts.depths.clone(),
            uncompared_wars: self.counts.uncompared_wars,
        }
    }
}

impl GameCounts {
    fn clear(&mut self) {
        (self.turns, self.uncompared_wars) = (0, 0);
        self.depths.clear();
    }

    fn count(&mut self, sequence: &TurnSequence) {
        self.turns += sequence.turns;
        if let Some(WarResult { depth, is_compared }) = sequence.war {
            self.depths.push(depth);
            self.uncompared_wars += u64::from(!is_compared);
        }
    }

    /// Returns the result of a game with this conclusion.
    fn to_result(&self, conclusion: Conclusion) -> GameResult {
        let mut ties = Ties::default();
        if conclusion != Conclusion::Undecided {
            let all = self.depths.iter().map(|&depth| depth as u64).sum();
            ties = Ties::new(all, self.uncompared_wars);
        }
        GameResult {
            conclusion,
            turns: self.turns,
            wars: u32::try_from(self.depths.len()).unwrap_or(u32::MAX),
            ties,
        }
    }
}

impl<M: Machine> BatchKernel for MultiplayerKernel<M> {
    fn play_batch(
        &mut self,
        deals: DealtGames<'_>,
        played: &mut [Option<GameResult>],
        depths: &mut WarDepthCounts,
    ) {
        let games = deals.bytes.chunks_exact(self.bytes_per_game(deals.cards));
        self.resumed.clear();
        for (number, (cards, played)) in games.zip(&mut *played).enumerate() {
            *played = match self.play(cards) {
                MultiplayerOutcome::Ended(result) => {
                    if let Some(Conclusion::Won(_)) = result.map(|played| played.conclusion) {
                        self.counts
                            .depths
                            .iter()
                            .for_each(|&depth| depths.count(depth));
                    }
                    result
                }
                MultiplayerOutcome::FewLeft => {
                    let resumed = self.hand_over(number);
                    self.resumed.push(resumed);
                    None
                }
            };
        }
        self.passes.finish(&self.resumed, played, depths);
    }
}

/// Returns the seat of this player, from 0.
fn seat(player: usize) -> Seat {
    Seat::all().nth(player).unwrap_or(Seat::FIRST)
}
