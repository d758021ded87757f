use crate::protocol::{Outcome, PlayerId};
use std::collections::{BTreeMap, BTreeSet};

/// Result of a game, as one of its players received it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct PlayerResult {
    pub(super) outcome: Outcome,
    /// Tokens won; negative if lost.
    pub(super) delta: i64,
    /// The message with the result.
    pub(super) message: String,
}

impl PlayerResult {
    /// Returns true if both results can be of the same game: what one player loses, the other one
    /// wins, unless both folded.
    fn agrees_with(&self, other: &Self) -> bool {
        match (self.outcome, other.outcome) {
            (Outcome::BothFolded, Outcome::BothFolded) => self.delta == other.delta,
            (Outcome::Won, Outcome::Lost) | (Outcome::Lost, Outcome::Won) => {
                self.delta == -other.delta
            }
            _ => false,
        }
    }
}

/// Compares the results that the two players of each game received.
///
/// Only games between load players can be compared, and only those whose players both received the
/// result.
#[derive(Debug, Default)]
pub(super) struct ResultComparison {
    /// The load players.
    players: BTreeSet<PlayerId>,
    /// Results of one player, by game.
    pending: BTreeMap<u64, PlayerResult>,
    /// Number of games compared.
    compared: u64,
}

impl ResultComparison {
    /// Starts a comparison of games between these players.
    pub(super) fn new(players: impl IntoIterator<Item = PlayerId>) -> Self {
        Self {
            players: players.into_iter().collect(),
            ..Self::default()
        }
    }

    /// Adds a result against an opponent. If the opponent received a result that contradicts it,
    /// the error is the opponent's message.
    pub(super) fn add(
        &mut self,
        game: u64,
        opponent: PlayerId,
        result: PlayerResult,
    ) -> Result<(), String> {
        if !self.players.contains(&opponent) {
            return Ok(());
        }
        let Some(other) = self.pending.remove(&game) else {
            self.pending.insert(game, result);
            return Ok(());
        };
        self.compared += 1;
        if other.agrees_with(&result) {
            Ok(())
        } else {
            Err(other.message)
        }
    }

    /// Number of games compared.
    pub(super) const fn compared(&self) -> u64 {
        self.compared
    }
}

#[cfg(test)]
mod tests {
    use super::{PlayerResult, ResultComparison};
    use crate::protocol::{Outcome, PlayerId};

    fn result(outcome: Outcome, delta: i64) -> PlayerResult {
        PlayerResult {
            outcome,
            delta,
            message: format!("{outcome:?} {delta}"),
        }
    }

    /// Compares the results of one game.
    fn compare(first: PlayerResult, second: PlayerResult) -> Result<(), String> {
        let mut comparison = ResultComparison::new([PlayerId(1), PlayerId(2)]);
        comparison.add(7, PlayerId(2), first)?;
        comparison.add(7, PlayerId(1), second)
    }

    #[test]
    fn both_players_receive_the_same_result() {
        let (won, lost) = (result(Outcome::Won, 3), result(Outcome::Lost, -3));
        let folded = result(Outcome::BothFolded, -1);
        assert_eq!(compare(won.clone(), lost.clone()), Ok(()));
        assert_eq!(compare(lost.clone(), won.clone()), Ok(()));
        assert_eq!(compare(folded.clone(), folded.clone()), Ok(()));
        for (first, second) in [
            (won.clone(), won.clone()),
            (lost.clone(), lost.clone()),
            (won, result(Outcome::Lost, -2)),
            (lost, folded.clone()),
            (folded, result(Outcome::BothFolded, -2)),
        ] {
            let message = first.message.clone();
            assert_eq!(compare(first, second), Err(message));
        }
    }

    #[test]
    fn only_games_that_both_players_finished_are_compared() {
        let mut comparison = ResultComparison::new([PlayerId(1), PlayerId(2)]);
        let won = || result(Outcome::Won, 3);
        // A stranger's result is unknown.
        assert_eq!(comparison.add(1, PlayerId(3), won()), Ok(()));
        // One player left before the end of the game.
        assert_eq!(comparison.add(2, PlayerId(2), won()), Ok(()));
        assert_eq!(comparison.compared(), 0);
        let lost = result(Outcome::Lost, -3);
        assert_eq!(comparison.add(2, PlayerId(1), lost), Ok(()));
        assert_eq!(comparison.compared(), 1);
    }
}
