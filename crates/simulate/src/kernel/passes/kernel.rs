use super::game::{GameStart, MAX_TURNS, ResumedGame, RunningGame, WarTally};
use super::masks::WarMasks;
use crate::game::{Conclusion, GameResult, Ties, WarDepthCounts};
use crate::kernel::batch::{BatchKernel, DealtGames, DeterministicRules};
use crate::kernel::rings::{RingTurnOutcome, Rings};
use crate::kernel::state_log::{EndlessProof, MAX_CARDS, PackedHands, ReplayableHands, top_words};
use std::fmt::Debug;
use std::iter;
use war::cards::Rank;
use war::engine::Seat;
use war::rules::{OutOfCards, Parameters, StoppedHand, winner_when_stopped};

/// Number of interleaved games: the processor works on one while another waits.
const SLOTS: usize = 6;

/// Maximum number of turns in a pass.
const MAX_PASS_TURNS: u64 = 32;

/// Number of turns after which the log begins, for rules by which nearly all games end.
const LATE_LOG_START: u64 = 2_048;

/// Machine that plays passes (many pairs compared at once), with the hands in its registers or its
/// memory.
pub(in crate::kernel) trait Machine: Debug + Send {
    /// Hands of a game.
    type Hands: Debug + Default + Send;

    /// Maximum number of pairs in a pass.
    const MAX_PASS_PAIRS: usize;

    /// Loads the cards of this state, of which the first `first` are player 1's.
    fn load(&self, hands: &mut Self::Hands, state: &PackedHands, first: usize);

    /// Deals cards one at a time, the first to player 1.
    fn deal(&self, hands: &mut Self::Hands, dealt: &[u8; MAX_CARDS]);

    /// Writes the cards to a state; player 1 holds `first` of them.
    fn write(&self, hands: &Self::Hands, first: usize, state: &mut PackedHands);

    /// Returns a mask of the pairs of the next pass whose cards are the same; bits of pairs that
    /// the players don't hold have no meaning.
    fn tied_pairs(&self, hands: &Self::Hands) -> u64;

    /// Plays passes of these games in turn until one of the games stops, and returns the index of
    /// that game. That game has used up its turns, has nothing to play, or is stopped by its log.
    fn run(&self, slots: &mut [Slot<Self::Hands>]) -> usize;
}

/// Slot for a game that is interleaved with others.
#[derive(Debug, Default)]
pub(in crate::kernel) struct Slot<Hands> {
    pub(in crate::kernel) hands: Hands,
    pub(in crate::kernel) game: RunningGame,
    number: usize,
}

/// Kernel that plays passes on a machine.
#[derive(Debug)]
pub(in crate::kernel) struct PassKernel<M: Machine> {
    machine: M,
    slots: Vec<Slot<M::Hands>>,
    control: GameControl,
}

/// Control of the games (when to begin, continue and end them), which is the same for all machines.
#[derive(Debug)]
struct GameControl {
    rules: DeterministicRules,
    wars: WarMasks,
    cards: usize,
    /// Number of turns after which the log begins; `None` for no log.
    log_start_turn: Option<u64>,
}

/// Next action for a game that stopped.
enum NextAction {
    Continue,
    /// Replay of the game, with the log from the first turn on.
    Restart,
    /// End of the game with this result; `None` leaves the game to another kernel.
    Finish(Option<GameResult>),
}

impl<M: Machine> PassKernel<M> {
    /// Returns the kernel on this machine for games with these rules and this many cards, if it can
    /// play them.
    pub(in crate::kernel) fn new(
        machine: impl FnOnce(&DeterministicRules, usize) -> Option<M>,
        parameters: &Parameters,
        cards: usize,
    ) -> Option<Self> {
        let rules = DeterministicRules::new(parameters, cards).filter(|_| cards <= MAX_CARDS)?;
        // Games are often endless if the seat decides the order, and rarely if the winner does.
        let from = if rules.order.winner_first {
            LATE_LOG_START
        } else {
            0
        };
        Some(Self {
            machine: machine(&rules, cards)?,
            slots: iter::repeat_with(Slot::default).take(SLOTS).collect(),
            control: GameControl {
                wars: WarMasks::new(rules.step),
                log_start_turn: rules.ends_when_repeated.then_some(from),
                rules,
                cards,
            },
        })
    }
}

impl<M: Machine> BatchKernel for PassKernel<M> {
    fn bytes_per_game(&self, _: usize) -> usize {
        MAX_CARDS
    }

    fn play_batch(
        &mut self,
        deals: DealtGames<'_>,
        played: &mut [Option<GameResult>],
        depths: &mut WarDepthCounts,
    ) {
        let (games, _) = deals.bytes.as_chunks();
        let count = games.len().min(played.len());
        let start = |number: usize| GameStart::Dealt(&games[number]);
        self.play_all(count, start, depths, |number, result| {
            played[number] = result;
        });
    }
}

impl<M: Machine> PassKernel<M> {
    /// Finishes games that another kernel began. Each result is stored at the game's index, as in
    /// [`BatchKernel::play_batch`].
    pub(in crate::kernel) fn finish(
        &mut self,
        games: &[ResumedGame],
        played: &mut [Option<GameResult>],
        depths: &mut WarDepthCounts,
    ) {
        let start = |number: usize| GameStart::Resumed(&games[number]);
        self.play_all(games.len(), start, depths, |number, result| {
            played[games[number].number] = result;
        });
    }

    /// Plays `count` games to their ends.
    fn play_all<'a>(
        &mut self,
        count: usize,
        start: impl Fn(usize) -> GameStart<'a>,
        depths: &mut WarDepthCounts,
        mut report: impl FnMut(usize, Option<GameResult>),
    ) {
        let Self {
            machine,
            slots,
            control,
        } = self;
        let mut pending = 0..count;
        let mut wars = WarTally::default();
        let mut active = 0;
        for (slot, number) in slots.iter_mut().zip(pending.by_ref().take(SLOTS)) {
            slot.number = number;
            control.begin(slot, start(number), control.log_start_turn, machine);
            active += 1;
        }
        while active > 0 {
            let at = machine.run(&mut slots[..active]);
            let slot = &mut slots[at];
            match control.next_action(slot, machine) {
                NextAction::Continue => {}
                NextAction::Restart => control.begin(slot, start(slot.number), Some(0), machine),
                NextAction::Finish(result) => {
                    let verdict = result.map(|played| played.conclusion);
                    if matches!(verdict, Some(Conclusion::Won(_) | Conclusion::Drawn)) {
                        wars.add(&slot.game);
                    }
                    report(slot.number, result);
                    if let Some(number) = pending.next() {
                        slot.number = number;
                        control.begin(slot, start(number), control.log_start_turn, machine);
                    } else {
                        active -= 1;
                        slots.swap(at, active);
                    }
                }
            }
        }
        wars.add_to(depths);
    }
}

impl GameControl {
    /// Begins a game whose log begins after `log_from` turns; `None` for no log.
    fn begin<M: Machine>(
        &self,
        slot: &mut Slot<M::Hands>,
        start: GameStart<'_>,
        log_from: Option<u64>,
        machine: &M,
    ) {
        match start {
            GameStart::Dealt(dealt) => {
                machine.deal(&mut slot.hands, dealt);
                slot.game.begin(self.cards.div_ceil(2), self.cards);
            }
            GameStart::Resumed(resumed) => {
                machine.load(&mut slot.hands, &resumed.state, resumed.first_length);
                slot.game.resume(resumed, self.cards);
            }
        }
        slot.game.stop_turn = self.cap_at_limit(log_from.unwrap_or(MAX_TURNS));
        if log_from == Some(0) {
            self.begin_log(slot, machine);
        }
    }

    /// Returns `turns`, or fewer if a whole pass might then exceed the limit.
    fn cap_at_limit(&self, turns: u64) -> u64 {
        let limit = self.rules.limit.map_or(u64::MAX, u64::from);
        turns.min(limit.saturating_sub(MAX_PASS_TURNS))
    }

    fn begin_log<M: Machine>(&self, slot: &mut Slot<M::Hands>, machine: &M) {
        let state = self.state(slot, machine);
        let game = &mut slot.game;
        let (turns, wars) = (game.turns(), game.wars());
        let (first, second) = state.split_at(game.first_length);
        let lengths = [game.first_length, self.cards - game.first_length];
        game.log.begin(game.is_new());
        *game.log.next_state_mut() = state;
        let words = top_words([first, second], lengths);
        game.log
            .record(words, game.first_length as u64, turns, wars);
        game.stop_turn = self.cap_at_limit(MAX_TURNS);
    }

    fn state<M: Machine>(&self, slot: &Slot<M::Hands>, machine: &M) -> PackedHands {
        let mut state = [0; 2 * MAX_CARDS];
        machine.write(&slot.hands, slot.game.first_length, &mut state);
        state[self.cards..].fill(0);
        state
    }

    fn rings<M: Machine>(&self, slot: &Slot<M::Hands>, machine: &M) -> Rings {
        let state = self.state(slot, machine);
        let (first, second) = state[..self.cards].split_at(slot.game.first_length);
        Rings::from_hands([first, second])
    }

    /// Decides the next action for a game that a machine stopped.
    fn next_action<M: Machine>(&self, slot: &mut Slot<M::Hands>, machine: &M) -> NextAction {
        let game = &slot.game;
        match game.log.find_proof::<Rings>(&self.rules) {
            Some(proof @ EndlessProof::Endless { .. }) => {
                return NextAction::Finish(proof.to_result());
            }
            Some(EndlessProof::StartUnknown) => return NextAction::Restart,
            None if game.log.is_full() => return NextAction::Finish(None),
            None => {}
        }
        if let Some(limit) = self.rules.limit
            && game.turns() + MAX_PASS_TURNS >= limit.into()
        {
            return NextAction::Finish(self.finish(slot, limit.into(), machine));
        }
        if !game.is_at_stop() {
            return self.play_war(slot, machine);
        }
        if game.log.is_on() || self.log_start_turn.is_none() {
            return NextAction::Finish(None);
        }
        self.begin_log(slot, machine);
        NextAction::Continue
    }

    /// Plays the next turn, a war that a pass doesn't settle, or ends the game if a player holds no
    /// card.
    fn play_war<M: Machine>(&self, slot: &mut Slot<M::Hands>, machine: &M) -> NextAction {
        let game = &mut slot.game;
        let (first, second) = (game.first_length, self.cards - game.first_length);
        let least = first.min(second);
        if least == 0 {
            return NextAction::Finish(Some(win_result(game, game.seat(first > 0))));
        }
        if least <= M::MAX_PASS_PAIRS && self.rules.out_of_cards != OutOfCards::LastCard {
            let held = !(u64::MAX << least);
            game.count_turn(self.wars.depth(machine.tied_pairs(&slot.hands) & held));
            let drawn = first == second && self.rules.out_of_cards == OutOfCards::Loses;
            let winner = (!drawn).then_some(game.seat(first > second));
            return NextAction::Finish(Some(war_end_result(game, winner)));
        }
        let mut rings = self.rings(slot, machine);
        match rings.play_turn(&self.rules) {
            RingTurnOutcome::Taken(depth) => slot.game.count_turn(depth),
            RingTurnOutcome::Ended(winner, depth) => {
                let game = &mut slot.game;
                game.count_turn(depth);
                let winner = winner.map(|winner| game.seat(winner == Seat::FIRST));
                return NextAction::Finish(Some(war_end_result(game, winner)));
            }
        }
        let mut state = [0; 2 * MAX_CARDS];
        let cards = rings.hand(0).chain(rings.hand(1));
        state
            .iter_mut()
            .zip(cards)
            .for_each(|(place, card)| *place = card);
        machine.load(&mut slot.hands, &state, rings.lengths[0]);
        slot.game.first_length = rings.lengths[0];
        NextAction::Continue
    }

    /// Plays the last turns of a game with a limit. Returns `None` if hands may have been repeated
    /// within the limit.
    fn finish<M: Machine>(
        &self,
        slot: &mut Slot<M::Hands>,
        limit: u64,
        machine: &M,
    ) -> Option<GameResult> {
        let mut rings = self.rings(slot, machine);
        let game = &mut slot.game;
        while game.turns() < limit && rings.lengths.iter().all(|&length| length > 0) {
            match rings.play_turn(&self.rules) {
                RingTurnOutcome::Taken(depth) => game.count_turn(depth),
                RingTurnOutcome::Ended(winner, depth) => {
                    game.count_turn(depth);
                    let winner = winner.map(|winner| game.seat(winner == Seat::FIRST));
                    return Some(war_end_result(game, winner));
                }
            }
        }
        if rings.lengths.contains(&0) {
            return Some(win_result(game, game.seat(rings.lengths[0] > 0)));
        }
        if self.rules.ends_when_repeated && self.has_repetition_within(&rings, limit) {
            return None;
        }
        let holdings = [0, 1].map(|player| StoppedHand {
            seat: game.seat(player == 0),
            highest: rings.hand(player).max().and_then(Rank::new),
            cards: rings.lengths[player],
        });
        let winner = winner_when_stopped(holdings.into_iter());
        let winner = winner.filter(|_| self.rules.names_winner);
        Some(winner.map_or_else(|| undecided_result(game), |winner| win_result(game, winner)))
    }

    /// Returns true if these hands are repeated within this many turns. If so, the game is in a
    /// cycle by now.
    fn has_repetition_within(&self, hands: &Rings, turns: u64) -> bool {
        let mut later = hands.clone();
        let back = (0..turns).find_map(|_| {
            if later.lengths.contains(&0)
                || matches!(later.play_turn(&self.rules), RingTurnOutcome::Ended(..))
            {
                return Some(false);
            }
            later.has_same_hands(hands).then_some(true)
        });
        back.unwrap_or(false)
    }
}

fn win_result(game: &RunningGame, winner: Seat) -> GameResult {
    result(game, Conclusion::Won(winner), game.ties(0))
}

/// Returns the result of a game that ended in a war that a player couldn't continue: won or drawn.
fn war_end_result(game: &RunningGame, winner: Option<Seat>) -> GameResult {
    let verdict = winner.map_or(Conclusion::Drawn, Conclusion::Won);
    result(game, verdict, game.ties(1))
}

fn undecided_result(game: &RunningGame) -> GameResult {
    result(game, Conclusion::Undecided, Ties::default())
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "there are a million turns at most"
)]
fn result(game: &RunningGame, conclusion: Conclusion, ties: Ties) -> GameResult {
    GameResult {
        conclusion,
        turns: game.turns() as u32,
        wars: game.wars() as u32,
        ties,
    }
}
