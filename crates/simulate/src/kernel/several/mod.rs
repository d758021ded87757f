//! The kernel for three to five players, in portable code: hands that move through their rooms,
//! with a log of the hands behind wars, which proves that a game is endless. Where two players
//! are left, which is most of a game, a kernel with passes plays on.

mod table;

use super::batch::{BatchKernel, Certain, Deals};
use super::log::{Log, Replay};
use super::passes::{Begun, Machine, Passes};
use crate::game::{Conclusion, Depths, Played, Ties};
use table::{HASHED, MOST_CARDS, MOST_PLAYERS, Stretch, Table, War};
use war::cards::Rank;
use war::engine::Seat;
use war::rules::{Holding, OutOfCards, Parameters, winner_when_stopped};

/// How many turns a game may take before it is left to the general kernel.
const MOST_TURNS: u32 = 1_000_000;

/// How many turns may pass until hands behind other turns than wars are noted.
const MANY_TURNS: u32 = 64;

/// No card is as high as this.
const TOO_HIGH: u8 = u8::MAX;

/// A kernel for games of several players.
#[derive(Debug)]
pub(super) struct Several<M: Machine> {
    rules: Certain,
    players: usize,
    log: Log,
    table: Table,
    counts: Counts,
    /// What plays on where two players are left.
    passes: Passes<M>,
    /// The games that wait for it.
    begun: Vec<Begun>,
}

/// What was played of a game.
#[derive(Debug, Default)]
struct Counts {
    turns: u32,
    /// How deep the wars were.
    depths: Vec<usize>,
    /// The wars after which nobody could go on, or one player alone.
    not_compared: u64,
}

/// What became of a game.
enum Outcome {
    /// Its result; `None` is left to another kernel.
    Ended(Option<Played>),
    /// Two players are left, or one.
    FewLeft,
}

impl<M: Machine> Several<M> {
    /// The kernel for games of these rules with so many players and cards, if it can play them,
    /// and if there is one for two players.
    pub(super) fn new(
        passes: Option<Passes<M>>,
        parameters: &Parameters,
        players: usize,
        cards: usize,
    ) -> Option<Self> {
        let plays = (3..=MOST_PLAYERS).contains(&players)
            && cards <= MOST_CARDS
            && parameters.out_of_cards == OutOfCards::EndOfCards;
        let rules = Certain::new(parameters, cards).filter(|_| plays)?;
        Some(Self {
            rules,
            players,
            log: Log::default(),
            table: Table::empty(),
            counts: Counts::default(),
            passes: passes?,
            begun: Vec::new(),
        })
    }

    /// Plays a game until two players are left at most, or gives up after many turns.
    fn play(&mut self, cards: &[u8]) -> Outcome {
        self.table.deal(cards, self.players);
        let limit = self.rules.limit.unwrap_or(u32::MAX);
        // Wars in a cycle come back with it, so that hands behind them do. Without wars, turns
        // do that were won by the highest card.
        let (mut high, mut noted) = (TOO_HIGH, 0);
        self.counts.clear();
        self.log.reset(cards.len());
        if self.rules.ends_when_repeated {
            self.log.begin(true);
            self.note();
        }
        loop {
            let turns = self.counts.turns;
            if self.table.playing < 2 {
                return Outcome::FewLeft;
            }
            if turns >= limit {
                let is_endless = self.log.is_on() && self.comes_back(limit);
                return Outcome::Ended((!is_endless).then(|| self.over_time()));
            }
            if self.table.playing == 2 {
                return Outcome::FewLeft;
            }
            if turns > MOST_TURNS {
                return Outcome::Ended(None);
            }
            let most = MANY_TURNS.min(limit - turns);
            let stretch = self.table.play(&self.rules, most, high);
            self.counts.count(&stretch);
            let turns = self.counts.turns;
            if stretch.war.is_some() || stretch.is_high {
                noted = turns;
                if self.log.is_on() && turns < limit && self.note() {
                    return Outcome::Ended(self.endless(high == TOO_HIGH));
                }
            } else if turns - noted >= MANY_TURNS {
                high = self.table.highest();
            }
        }
    }

    /// Notes the hands in the log: whether they came back, or the log is full.
    fn note(&mut self) -> bool {
        let room = self.log.room();
        self.table.write(room);
        let words = [0, HASHED - 8].map(|from| {
            let cards = room[from..].first_chunk().copied();
            u64::from_le_bytes(cards.unwrap_or_default())
        });
        let (turns, wars) = (self.counts.turns.into(), self.counts.depths.len() as u64);
        self.log.note(words, self.table.key(), turns, wars)
    }

    /// An endless game up to its first repetition, unless the log is just full; `every` says
    /// that hands were noted behind every war, and nowhere else.
    fn endless(&self, every: bool) -> Option<Played> {
        let proof = if every {
            self.log.proof_of_every::<Table>(&self.rules)
        } else {
            self.log.proof::<Table>(&self.rules)
        };
        proof?.game()
    }

    /// A game that reached its limit.
    fn over_time(&self) -> Played {
        let holdings = (0..self.players).map(|player| Holding {
            seat: seat(player),
            highest: { self.table.hand(player).iter() }
                .max()
                .and_then(|&card| Rank::new(card)),
            cards: self.table.hand(player).len(),
        });
        let winner = winner_when_stopped(holdings).filter(|_| self.rules.names_winner);
        self.counts
            .ended(winner.map_or(Conclusion::Undecided, Conclusion::Won))
    }

    /// Whether the hands come back within so many turns. If any came back before, they do.
    fn comes_back(&self, turns: u32) -> bool {
        let (hands, mut later) = (&self.table, self.table.clone());
        (0..turns).any(|_| {
            later.replay(&self.rules, 1);
            later.is_like(hands)
        })
    }

    /// The game as the kernel for two players goes on with it, one of whom may hold all cards.
    fn begun(&mut self, number: usize) -> Begun {
        let mut state = [0; 2 * MOST_CARDS];
        self.table.write(&mut state);
        let [first, second] = self.table.two();
        Begun {
            number,
            state,
            first: self.table.hand(first).len(),
            seats: [seat(first), seat(second)],
            turns: self.counts.turns,
            depths: self.counts.depths.clone(),
            not_compared: self.counts.not_compared,
        }
    }
}

impl Counts {
    fn clear(&mut self) {
        (self.turns, self.not_compared) = (0, 0);
        self.depths.clear();
    }

    fn count(&mut self, stretch: &Stretch) {
        self.turns += stretch.turns;
        if let Some(War { depth, is_compared }) = stretch.war {
            self.depths.push(depth);
            self.not_compared += u64::from(!is_compared);
        }
    }

    /// The game that ended like this.
    fn ended(&self, verdict: Conclusion) -> Played {
        let mut ties = Ties::default();
        if verdict != Conclusion::Undecided {
            let all = self.depths.iter().map(|&depth| depth as u64).sum();
            ties = Ties::but(all, self.not_compared);
        }
        Played {
            verdict,
            turns: self.turns,
            wars: u32::try_from(self.depths.len()).unwrap_or(u32::MAX),
            ties,
        }
    }
}

impl<M: Machine> BatchKernel for Several<M> {
    fn play_batch(&mut self, deals: Deals<'_>, played: &mut [Option<Played>], depths: &mut Depths) {
        let games = deals.bytes.chunks_exact(self.room(deals.cards));
        self.begun.clear();
        for (number, (cards, played)) in games.zip(&mut *played).enumerate() {
            *played = match self.play(cards) {
                Outcome::Ended(result) => {
                    if let Some(Conclusion::Won(_)) = result.map(|played| played.verdict) {
                        self.counts
                            .depths
                            .iter()
                            .for_each(|&depth| depths.count(depth));
                    }
                    result
                }
                Outcome::FewLeft => {
                    let begun = self.begun(number);
                    self.begun.push(begun);
                    None
                }
            };
        }
        self.passes.finish(&self.begun, played, depths);
    }
}

/// The seat of this player, from 0.
fn seat(player: usize) -> Seat {
    Seat::all().nth(player).unwrap_or(Seat::FIRST)
}
