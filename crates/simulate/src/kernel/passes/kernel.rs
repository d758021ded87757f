use super::game::{Begun, Ended, Game, MOST_TURNS, Start};
use super::masks::Wars;
use crate::game::{Conclusion, Depths, Played, Ties};
use crate::kernel::batch::{BatchKernel, Certain, Deals};
use crate::kernel::log::{MOST_CARDS, Proof, Replay, State, words};
use crate::kernel::rings::{Rings, Turn};
use std::fmt::Debug;
use std::iter;
use war::cards::Rank;
use war::engine::Seat;
use war::rules::{Holding, OutOfCards, Parameters, winner_when_stopped};

/// How many games are played in turns, so that the processor works on one while another waits.
const SLOTS: usize = 6;

/// The most turns of a pass.
const LONGEST_PASS: u64 = 32;

/// After how many turns the log begins, by rules whose games nearly all end.
const LATE: u64 = 2_048;

/// What plays passes: hands in its registers or its memory.
pub(in crate::kernel) trait Machine: Debug + Send {
    /// The hands of a game.
    type Hands: Debug + Default + Send;

    /// How many pairs a pass has at most.
    const WINDOW: usize;

    /// Holds the cards of this state, of which the first so many are player 1's.
    fn hold(&self, hands: &mut Self::Hands, state: &State, first: usize);

    /// Deals so many cards one at a time, the first to player 1.
    fn deal(&self, hands: &mut Self::Hands, dealt: &[u8; MOST_CARDS]);

    /// Writes the cards down; player 1 holds so many of them.
    fn write(&self, hands: &Self::Hands, first: usize, state: &mut State);

    /// The pairs of the next pass whose cards are the same; those that nobody holds have no
    /// meaning.
    fn same(&self, hands: &Self::Hands) -> u64;

    /// Plays passes of these games in turns until one of them stops: which. It has used up its
    /// turns, or nothing to play, or its log says so.
    fn run(&self, slots: &mut [Slot<Self::Hands>]) -> usize;
}

/// A place for a game that is played in turns with others.
#[derive(Debug, Default)]
pub(in crate::kernel) struct Slot<Hands> {
    pub(in crate::kernel) hands: Hands,
    pub(in crate::kernel) game: Game,
    number: usize,
}

/// A kernel that plays passes.
#[derive(Debug)]
pub(in crate::kernel) struct Passes<M: Machine> {
    machine: M,
    slots: Vec<Slot<M::Hands>>,
    player: Player,
}

/// What machines leave to the kernel.
#[derive(Debug)]
struct Player {
    rules: Certain,
    wars: Wars,
    cards: usize,
    /// After how many turns the log begins, if it may.
    log_from: Option<u64>,
}

/// What becomes of a game that stopped.
enum Stopped {
    GoesOn,
    /// It is played once more, with the log from the first turn on.
    Again,
    /// Its result; `None` is left to another kernel.
    Ended(Option<Played>),
}

impl<M: Machine> Passes<M> {
    /// The kernel on this machine for games of these rules with this many cards, if it can
    /// play them.
    pub(in crate::kernel) fn new(
        machine: impl FnOnce(&Certain, usize) -> Option<M>,
        parameters: &Parameters,
        cards: usize,
    ) -> Option<Self> {
        let rules = Certain::new(parameters, cards).filter(|_| cards <= MOST_CARDS)?;
        // Only where the seat decides do many games never end.
        let from = if rules.order.winner_first { LATE } else { 0 };
        Some(Self {
            machine: machine(&rules, cards)?,
            slots: iter::repeat_with(Slot::default).take(SLOTS).collect(),
            player: Player {
                wars: Wars::new(rules.step),
                log_from: rules.ends_when_repeated.then_some(from),
                rules,
                cards,
            },
        })
    }
}

impl<M: Machine> BatchKernel for Passes<M> {
    fn room(&self, _: usize) -> usize {
        MOST_CARDS
    }

    fn play_batch(&mut self, deals: Deals<'_>, played: &mut [Option<Played>], depths: &mut Depths) {
        let (games, _) = deals.bytes.as_chunks();
        let count = games.len().min(played.len());
        let start = |number: usize| Start::Dealt(&games[number]);
        self.play_all(count, start, depths, |number, result| {
            played[number] = result;
        });
    }
}

impl<M: Machine> Passes<M> {
    /// Plays games to their ends that others began. Each gets its result at its number, as
    /// [`BatchKernel::play_batch`] has it.
    pub(in crate::kernel) fn finish(
        &mut self,
        games: &[Begun],
        played: &mut [Option<Played>],
        depths: &mut Depths,
    ) {
        let start = |number: usize| Start::Begun(&games[number]);
        self.play_all(games.len(), start, depths, |number, result| {
            played[games[number].number] = result;
        });
    }

    /// Plays so many games to their ends.
    fn play_all<'a>(
        &mut self,
        count: usize,
        start: impl Fn(usize) -> Start<'a>,
        depths: &mut Depths,
        mut found: impl FnMut(usize, Option<Played>),
    ) {
        let Self {
            machine,
            slots,
            player,
        } = self;
        let mut waiting = 0..count;
        let mut ended = Ended::default();
        let mut playing = 0;
        for (slot, number) in slots.iter_mut().zip(waiting.by_ref().take(SLOTS)) {
            slot.number = number;
            player.begin(slot, start(number), player.log_from, machine);
            playing += 1;
        }
        while playing > 0 {
            let at = machine.run(&mut slots[..playing]);
            let slot = &mut slots[at];
            match player.stopped(slot, machine) {
                Stopped::GoesOn => {}
                Stopped::Again => player.begin(slot, start(slot.number), Some(0), machine),
                Stopped::Ended(result) => {
                    let verdict = result.map(|played| played.verdict);
                    if matches!(verdict, Some(Conclusion::Won(_) | Conclusion::Drawn)) {
                        ended.add(&slot.game);
                    }
                    found(slot.number, result);
                    if let Some(number) = waiting.next() {
                        slot.number = number;
                        player.begin(slot, start(number), player.log_from, machine);
                    } else {
                        playing -= 1;
                        slots.swap(at, playing);
                    }
                }
            }
        }
        ended.flush(depths);
    }
}

impl Player {
    /// Begins a game, whose log begins after so many turns.
    fn begin<M: Machine>(
        &self,
        slot: &mut Slot<M::Hands>,
        start: Start<'_>,
        log_from: Option<u64>,
        machine: &M,
    ) {
        match start {
            Start::Dealt(dealt) => {
                machine.deal(&mut slot.hands, dealt);
                slot.game.begin(self.cards.div_ceil(2), self.cards);
            }
            Start::Begun(begun) => {
                machine.hold(&mut slot.hands, &begun.state, begun.first);
                slot.game.resume(begun, self.cards);
            }
        }
        slot.game.stop = self.in_time(log_from.unwrap_or(MOST_TURNS));
        if log_from == Some(0) {
            self.begin_log(slot, machine);
        }
    }

    /// So many turns, or those after which no whole pass fits into the limit.
    fn in_time(&self, turns: u64) -> u64 {
        let limit = self.rules.limit.map_or(u64::MAX, u64::from);
        turns.min(limit.saturating_sub(LONGEST_PASS))
    }

    fn begin_log<M: Machine>(&self, slot: &mut Slot<M::Hands>, machine: &M) {
        let state = self.state(slot, machine);
        let game = &mut slot.game;
        let (turns, wars) = (game.turns(), game.wars());
        let (first, second) = state.split_at(game.first);
        let lengths = [game.first, self.cards - game.first];
        game.log.begin(game.is_new());
        *game.log.room() = state;
        let words = words([first, second], lengths);
        game.log.note(words, game.first as u64, turns, wars);
        game.stop = self.in_time(MOST_TURNS);
    }

    fn state<M: Machine>(&self, slot: &Slot<M::Hands>, machine: &M) -> State {
        let mut state = [0; 2 * MOST_CARDS];
        machine.write(&slot.hands, slot.game.first, &mut state);
        state[self.cards..].fill(0);
        state
    }

    fn rings<M: Machine>(&self, slot: &Slot<M::Hands>, machine: &M) -> Rings {
        let state = self.state(slot, machine);
        let (first, second) = state[..self.cards].split_at(slot.game.first);
        Rings::holding([first, second])
    }

    /// What becomes of a game that a machine stopped.
    fn stopped<M: Machine>(&self, slot: &mut Slot<M::Hands>, machine: &M) -> Stopped {
        let game = &slot.game;
        match game.log.proof::<Rings>(&self.rules) {
            Some(proof @ Proof::Endless { .. }) => return Stopped::Ended(proof.game()),
            Some(Proof::Earlier) => return Stopped::Again,
            None if game.log.is_full() => return Stopped::Ended(None),
            None => {}
        }
        if let Some(limit) = self.rules.limit
            && game.turns() + LONGEST_PASS >= limit.into()
        {
            return Stopped::Ended(self.finish(slot, limit.into(), machine));
        }
        if !game.stops() {
            return self.war(slot, machine);
        }
        if game.log.is_on() || self.log_from.is_none() {
            return Stopped::Ended(None);
        }
        self.begin_log(slot, machine);
        Stopped::GoesOn
    }

    /// What becomes of a game whose next turn is a war that a pass does not settle, or which is
    /// over.
    fn war<M: Machine>(&self, slot: &mut Slot<M::Hands>, machine: &M) -> Stopped {
        let game = &mut slot.game;
        let (first, second) = (game.first, self.cards - game.first);
        let least = first.min(second);
        if least == 0 {
            return Stopped::Ended(Some(won(game, game.seat(first > 0))));
        }
        if least <= M::WINDOW && self.rules.out_of_cards != OutOfCards::LastCard {
            let held = !(u64::MAX << least);
            game.count_turn(self.wars.depth(machine.same(&slot.hands) & held));
            let drawn = first == second && self.rules.out_of_cards == OutOfCards::Loses;
            let winner = (!drawn).then_some(game.seat(first > second));
            return Stopped::Ended(Some(ended_in_war(game, winner)));
        }
        let mut rings = self.rings(slot, machine);
        match rings.turn(&self.rules) {
            Turn::Taken(depth) => slot.game.count_turn(depth),
            Turn::Ended(winner, depth) => {
                let game = &mut slot.game;
                game.count_turn(depth);
                let winner = winner.map(|winner| game.seat(winner == Seat::FIRST));
                return Stopped::Ended(Some(ended_in_war(game, winner)));
            }
        }
        let mut state = [0; 2 * MOST_CARDS];
        let cards = rings.hand(0).chain(rings.hand(1));
        state
            .iter_mut()
            .zip(cards)
            .for_each(|(place, card)| *place = card);
        machine.hold(&mut slot.hands, &state, rings.lengths[0]);
        slot.game.first = rings.lengths[0];
        Stopped::GoesOn
    }

    /// Plays the last turns of a game with a limit: `None` where hands may have come back in
    /// time.
    fn finish<M: Machine>(
        &self,
        slot: &mut Slot<M::Hands>,
        limit: u64,
        machine: &M,
    ) -> Option<Played> {
        let mut rings = self.rings(slot, machine);
        let game = &mut slot.game;
        while game.turns() < limit && rings.lengths.iter().all(|&length| length > 0) {
            match rings.turn(&self.rules) {
                Turn::Taken(depth) => game.count_turn(depth),
                Turn::Ended(winner, depth) => {
                    game.count_turn(depth);
                    let winner = winner.map(|winner| game.seat(winner == Seat::FIRST));
                    return Some(ended_in_war(game, winner));
                }
            }
        }
        if rings.lengths.contains(&0) {
            return Some(won(game, game.seat(rings.lengths[0] > 0)));
        }
        if self.rules.ends_when_repeated && self.comes_back(&rings, limit) {
            return None;
        }
        let holdings = [0, 1].map(|player| Holding {
            seat: game.seat(player == 0),
            highest: rings.hand(player).max().and_then(Rank::new),
            cards: rings.lengths[player],
        });
        let winner = winner_when_stopped(holdings.into_iter());
        let winner = winner.filter(|_| self.rules.names_winner);
        Some(winner.map_or_else(|| undecided(game), |winner| won(game, winner)))
    }

    /// Whether these hands come back within so many turns. If any came back before, they do.
    fn comes_back(&self, hands: &Rings, turns: u64) -> bool {
        let mut later = hands.clone();
        let back = (0..turns).find_map(|_| {
            if later.lengths.contains(&0) || matches!(later.turn(&self.rules), Turn::Ended(..)) {
                return Some(false);
            }
            later.is_like(hands).then_some(true)
        });
        back.unwrap_or(false)
    }
}

fn won(game: &Game, winner: Seat) -> Played {
    ended(game, Conclusion::Won(winner), game.ties(0))
}

/// A game that ended in a war that somebody could not go on with: won, or drawn.
fn ended_in_war(game: &Game, winner: Option<Seat>) -> Played {
    let verdict = winner.map_or(Conclusion::Drawn, Conclusion::Won);
    ended(game, verdict, game.ties(1))
}

fn undecided(game: &Game) -> Played {
    ended(game, Conclusion::Undecided, Ties::default())
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "there are a million turns at most"
)]
fn ended(game: &Game, verdict: Conclusion, ties: Ties) -> Played {
    Played {
        verdict,
        turns: game.turns() as u32,
        wars: game.wars() as u32,
        ties,
    }
}
