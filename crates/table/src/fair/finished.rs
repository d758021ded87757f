use super::signed::Signed;
use super::unlogged::Unlogged;
use crate::log::{End, Start};
use war::engine::{Event, Projection, Table};
use war::journal::Verdict;
use war::replay::Replay;
use war::support::hex::Hex;
use war::tokens::{Decision, Opening, Seats, TokenEvent, TokenGame};

/// A game that is over, as one of its players knows it: its journal must say the same.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finished {
    /// What it began with.
    pub start: Start,
    /// The table's signature of that.
    pub signed: Signed,
    /// What became of the players' seeds, by seat.
    pub seeds: [Opening; 2],
    /// How many times cards were dealt.
    pub deals: u32,
    /// What both decided in the end, by seat; nothing where no cards were dealt.
    pub decisions: [Option<Decision>; 2],
    /// What they won, by seat.
    pub deltas: [i64; 2],
    /// The final digest of its journal, and when it ended, in milliseconds since 1970, as the
    /// table told.
    pub told: (Hex<16>, u64),
}

impl Finished {
    /// The game's end as its leaf in the table's log.
    #[must_use]
    pub const fn end(&self) -> End {
        let game = self.start.game;
        let (digest, time_ms) = self.told;
        End {
            game,
            digest,
            time_ms,
        }
    }

    /// Checks that a journal is intact, and that of this game; the result is its final digest.
    ///
    /// # Errors
    ///
    /// Where it is not.
    pub fn check_journal(&self, journal: &[u8]) -> Result<Hex<16>, Unlogged> {
        let game = self.start.game;
        let other = Unlogged::Journal { game };
        let replay = Replay::open(journal, None).map_err(|_| other.clone())?;
        let mut last = Last(None);
        let judgement = replay.verify(&mut last).map_err(|_| other.clone())?;
        let intact = judgement.verdict() == Verdict::Verified;
        let is_this = last.0.as_ref().is_some_and(|game| self.is(game));
        let end = judgement.end().filter(|_| intact && is_this);
        let digest = end.map(|end| end.chain).ok_or_else(|| other.clone())?;
        let (told, _) = self.told;
        if told == digest {
            Ok(digest)
        } else {
            Err(other)
        }
    }

    fn is(&self, game: &TokenGame) -> bool {
        let start = &self.start;
        let seats = Seats::Committed {
            players: start.players,
            seed_hashes: start.seed_hashes,
            seeds: self.seeds,
        };
        (game.number(), game.rules().id()) == (start.game, start.rules.as_str())
            && game.secret().commitment() == start.commitment
            && game.seats() == Some(&seats)
            && (game.deals(), game.decisions()) == (self.deals, self.decisions)
            && game.deltas() == Some(self.deltas)
    }
}

/// A token game as its last event leaves it.
struct Last(Option<TokenGame>);

impl Projection<TokenGame> for Last {
    fn project(&mut self, _: &TokenEvent, game: &TokenGame, _: &mut String) {
        self.0 = Some(game.clone());
    }
}

impl Projection<Table> for Last {
    fn project(&mut self, _: &Event, _: &Table, _: &mut String) {}
}
