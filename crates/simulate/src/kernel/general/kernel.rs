use super::ending::{Ending, is_stopped};
use super::state::State;
use super::turn::{Turn, Turns};
use crate::game::{Depths, Played};
use war::cards::{Chance, Rank};
use war::rules::Parameters;

/// The kernel for every rule, with the memory that it works in.
#[derive(Debug)]
pub struct General {
    turns: Turns,
}

/// What a game was, with the number of rounds of cards that were put on the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Counted {
    /// How the game went.
    pub played: Played,
    /// How often those in the game put a card each, face up or face down.
    pub rounds: u64,
}

impl General {
    /// A kernel for games of these rules, in which cards are drawn from the top.
    #[must_use]
    pub fn new(parameters: Parameters) -> Self {
        Self {
            turns: Turns::new(parameters),
        }
    }

    /// Plays a game to its end, and counts its wars by depth.
    ///
    /// `hands` are one for each player, top card first; what the rules leave to chance is
    /// taken from `chance`. An endless game counts up to its first repetition; where the order of
    /// cards is left to chance, hands that come back prove nothing, whatever the rules say of
    /// repetitions, unless all cards are the same. A game that the rules set no limit lasts
    /// 2³² - 1 turns at most.
    ///
    /// The result is `None` where there are fewer than two players or more than
    /// [`MOST_PLAYERS`](super::MOST_PLAYERS), no cards or more than 255.
    pub fn play<C: Chance>(
        &mut self,
        hands: &[Vec<Rank>],
        chance: &mut C,
        depths: &mut Depths,
    ) -> Option<Counted> {
        self.play_while(hands, chance, depths, &|| true)
    }

    /// Plays a game to its end, as [`General::play`] does, unless it is stopped: the result is
    /// `None` then too, and nothing of the game is counted.
    ///
    /// `goes_on` is asked at the start, and after every million turns or so.
    pub fn play_while<C: Chance>(
        &mut self,
        hands: &[Vec<Rank>],
        chance: &mut C,
        depths: &mut Depths,
        goes_on: &dyn Fn() -> bool,
    ) -> Option<Counted> {
        let (mut state, mut wars) = (State::dealt(hands)?, Depths::default());
        let mut ending = Ending::new(self.turns.parameters(), &state);
        let end = loop {
            if is_stopped(&state, goes_on) {
                return None;
            }
            if let Some(end) = ending.before_turn(&state, &mut wars) {
                break end;
            }
            if let Some(period) = ending.period(&state) {
                break ending.repeated(period, &mut self.turns, goes_on)?;
            }
            let turn = self.turns.play(&mut state, chance, &mut wars);
            if turn == Turn::Taken {
                continue;
            }
            if let Some(end) = ending.after_draw(turn == Turn::GameDrawn, &state, &mut wars) {
                break end;
            }
        };
        depths.add(&end.wars);
        Some(Counted {
            played: end.played,
            rounds: end.rounds,
        })
    }
}
